//! Measuring by what is so, and not by what the crawl believed.

use langur_crawl::{Observer, Outcome, PageId, Relevance, Time, Visited};

/// What is so.
#[derive(Clone, Copy, Debug)]
pub struct Truth<'t> {
    /// Which pages are relevant.
    pub relevant: &'t [bool],
    /// What they score; all or nothing, if there are no scores.
    pub scores: Option<&'t [f32]>,
}

impl Truth<'_> {
    fn of(&self, page: PageId) -> Relevance {
        let number = page.0 as usize;
        let relevant = self.relevant[number];
        let score = self.scores.map_or(f32::from(relevant), |scores| scores[number]);
        Relevance { score, relevant }
    }
}

/// Shows observers the truth about pages, where the classifier may err.
pub struct ByTruth<'t, O> {
    /// What is so; `None` if the classifier knows.
    pub truth: Option<Truth<'t>>,
    /// Who watches.
    pub observer: O,
}

impl<T: Copy, O: Observer<T>> Observer<T> for ByTruth<'_, O> {
    #[inline]
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, now: Time) {
        match self.truth {
            // A page that did not come as OK HTML is not found, whatever it would have been.
            Some(truth) if visited.outcome == Outcome::OkHtml => {
                let mut visited = *visited;
                visited.judgement.relevance = truth.of(visited.page);
                self.observer.visited(&visited, waiting, now);
            }
            _ => self.observer.visited(visited, waiting, now),
        }
    }

    fn failed(&mut self, page: PageId, waiting: usize, now: Time) {
        self.observer.failed(page, waiting, now);
    }
}
