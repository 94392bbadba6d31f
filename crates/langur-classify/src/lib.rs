//! Judges a fetched page.
//!
//! [`InLanguage`] asks the page for its language and [`AboutTopic`] for its score on a topic. Both are
//! recorded in a web space and computed from bytes elsewhere; who judges cannot tell. [`Wanted`] is one
//! or the other, for crawls that learn their target when they begin.

mod about_topic;
mod in_language;

pub use about_topic::AboutTopic;
pub use in_language::InLanguage;

use langur_crawl::{Classifier, Judgement, Page};

/// Pages in some languages, or pages about a topic.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// By language.
    InLanguage(InLanguage),
    /// By topic.
    AboutTopic(AboutTopic),
}

impl Classifier for Wanted {
    #[inline]
    fn judge(&mut self, page: &impl Page) -> Judgement {
        match self {
            Wanted::InLanguage(classifier) => classifier.judge(page),
            Wanted::AboutTopic(classifier) => classifier.judge(page),
        }
    }
}
