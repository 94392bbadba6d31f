//! The driver for webs that answer at once: the simulated and the archived web.

use crate::{Classifier, Crawl, Failure, Frontier, HostId, Observer, Page, PageId, Strategy, Time};

/// How far ahead the web is told of pages it will be asked for.
const HINT_AHEAD: usize = 24;

/// Something that can be crawled and answers at once.
pub trait Web {
    /// What a fetch brings back.
    type Page<'w>: Page
    where
        Self: 'w;
    /// Fetches a page.
    fn fetch(&mut self, page: PageId) -> Result<Self::Page<'_>, Failure>;
    /// Announces a page that will probably be fetched after `ahead` others. Answers with its host where
    /// that is at hand.
    fn hint(&self, _page: PageId, _ahead: usize) -> Option<HostId> {
        None
    }
    /// The distances at which [`Web::hint`] is worth calling.
    const HINTS_AHEAD: &'static [usize] = &[HINT_AHEAD];
}

/// How a crawl ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing waits any more.
    Exhausted,
    /// The budget is spent.
    Budget,
}

/// Crawls until nothing waits or `budget` pages were fetched, by the step clock: one step a fetch.
/// `progress` is told the number of fetches after each.
pub fn run<S, F, C, O, W>(
    crawl: &mut Crawl<S, F, C, O>,
    web: &mut W,
    budget: u64,
    mut progress: impl FnMut(u64),
) -> Ended
where
    S: Strategy,
    F: Frontier<S::Trail>,
    C: Classifier,
    O: Observer<S::Trail>,
    W: Web,
{
    let mut fetched = 0;
    while fetched < budget {
        let Some(visit) = crawl.next() else { return Ended::Exhausted };
        crawl.look_ahead(web);
        let again = visit.is_again();
        match web.fetch(visit.page()) {
            Ok(page) => {
                crawl.visited(visit, &page, Time(fetched + u64::from(!again)));
                if !again {
                    fetched += 1;
                    progress(fetched);
                }
            }
            Err(why) => crawl.failed(visit, why, Time(fetched)),
        }
    }
    if crawl.waiting() == 0 { Ended::Exhausted } else { Ended::Budget }
}
