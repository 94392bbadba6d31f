//! By topic.

use langur_crawl::{Classifier, Judgement, Page, Relevance};

/// Finds the pages relevant whose score on the target's topic is greater than a threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AboutTopic {
    /// Scores must be greater. Gogar (2015) has 0.4.
    pub threshold: f32,
}

impl Classifier for AboutTopic {
    #[inline]
    fn judge(&mut self, page: &impl Page) -> Judgement {
        let score = page.topic_score().unwrap_or(0.0);
        let relevance = Relevance { score, relevant: score > self.threshold };
        Judgement { relevance, language: page.language() }
    }
}
