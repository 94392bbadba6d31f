//! Measuring by what is so, and not by what the crawl believed.

use langur_crawl::{Observer, Outcome, PageId, Relevance, Time, Visited};

/// Shows observers the truth about pages, where the classifier may err.
pub struct ByTruth<'t, O> {
    /// Which pages are relevant; `None` if the classifier knows.
    pub relevant: Option<&'t [bool]>,
    /// Who watches.
    pub observer: O,
}

impl<T: Copy, O: Observer<T>> Observer<T> for ByTruth<'_, O> {
    #[inline]
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, now: Time) {
        match self.relevant {
            // A page that did not come as OK HTML is not found, whatever it would have been.
            Some(truth) if visited.outcome == Outcome::OkHtml => {
                let mut visited = *visited;
                visited.judgement.relevance = match truth[visited.page.0 as usize] {
                    true => Relevance::FULL,
                    false => Relevance::NONE,
                };
                self.observer.visited(&visited, waiting, now);
            }
            _ => self.observer.visited(visited, waiting, now),
        }
    }

    fn failed(&mut self, page: PageId, waiting: usize, now: Time) {
        self.observer.failed(page, waiting, now);
    }
}
