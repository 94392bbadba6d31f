//! The crawl as the driver of the live web sees it.
//!
//! Strategies and frontiers are types, and the driver is one piece of code for all of them: between the two
//! stands a trait object, which is called twice a page and never for a link.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use langur_crawl::{
    Classifier, Crawl, Failure, Frontier, Observer, PageId, Priority, Standing, Strategy, Time,
    Trail, Visit, Visited,
};

use crate::page::{LiveLink, LivePage};

/// A crawl of any strategy. It keeps the visits that it has begun.
pub trait Decisions: Send {
    /// Queues a page to start from.
    fn seed(&mut self, seed: LiveLink);
    /// Begins the next visit, if a page waits.
    fn next(&mut self) -> Option<Begun>;
    /// Ends a visit. `held` other visits wait.
    fn visited(&mut self, page: PageId, seen: LivePage, held: usize, now: Time) -> Ended;
    /// Ends a visit that was not made.
    fn failed(&mut self, page: PageId, held: usize, now: Time);
    /// Takes back a visit that was not made because its host was abandoned.
    fn withdraw(&mut self, page: PageId);
    /// A page whose visit was not made may be found again.
    fn forget(&mut self, page: PageId);
    /// A visit gets the best priority, its host having been raised.
    fn raise(&mut self, page: PageId);
    /// Pages in the frontier.
    fn waiting(&self) -> usize;
    /// A priority that no page in the frontier beats.
    fn best_waiting(&self) -> Option<Priority>;
    /// Pages in the frontier at each priority, where the frontier can say.
    fn waiting_by_priority(&self) -> Option<Vec<(Priority, usize)>>;
    /// Irrelevant pages in a row before a page whose visit has begun, if the strategy remembers it.
    fn crossed(&self, page: PageId) -> Option<u32>;
}

/// A visit that has begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The page.
    pub page: PageId,
    /// How soon it should be fetched.
    pub priority: Priority,
}

/// How a visit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Whether the page is relevant.
    pub relevant: bool,
    /// How its host stands, if that changed.
    pub standing: Option<Standing>,
}

/// A crawl with its visits.
struct Deciding<S: Strategy, F, C, O> {
    crawl: Crawl<S, F, C, (O, LastVisit)>,
    visits: HashMap<u32, Visit<S::Trail>>,
}

/// Remembers whether the last page was relevant.
#[derive(Default)]
struct LastVisit {
    relevant: bool,
}

impl<T> Observer<T> for LastVisit {
    fn visited(&mut self, visited: &Visited<T>, _: usize, _: Time) {
        self.relevant = visited.is_relevant();
    }
}

/// A crawl that the live web can be crawled by.
pub fn decisions<S, F, C, O>(
    strategy: S,
    frontier: F,
    classifier: C,
    observer: O,
) -> Box<dyn Decisions>
where
    S: Strategy + Send + 'static,
    S::Trail: 'static,
    F: Frontier<S::Trail> + Send + 'static,
    C: Classifier + Send + 'static,
    O: Observer<S::Trail> + Send + 'static,
{
    let crawl = Crawl::new(strategy, frontier, classifier, (observer, LastVisit::default()));
    Box::new(Deciding { crawl, visits: HashMap::new() })
}

impl<S, F, C, O> Deciding<S, F, C, O>
where
    S: Strategy,
{
    fn take(&mut self, page: PageId) -> Visit<S::Trail> {
        self.visits.remove(&page.0).expect("only visits that have begun are ended")
    }
}

impl<S, F, C, O> Decisions for Deciding<S, F, C, O>
where
    S: Strategy + Send,
    F: Frontier<S::Trail> + Send,
    C: Classifier + Send,
    O: Observer<S::Trail> + Send,
{
    fn seed(&mut self, seed: LiveLink) {
        self.crawl.seed(&seed);
    }

    fn next(&mut self) -> Option<Begun> {
        let visit = self.crawl.next()?;
        let begun = Begun { page: visit.page(), priority: visit.priority() };
        self.visits.insert(begun.page.0, visit);
        Some(begun)
    }

    fn visited(&mut self, page: PageId, seen: LivePage, held: usize, now: Time) -> Ended {
        let visit = self.take(page);
        self.crawl.hold(held);
        let standing = self.crawl.visited(visit, &seen, now);
        Ended { relevant: self.crawl.observer().1.relevant, standing }
    }

    fn failed(&mut self, page: PageId, held: usize, now: Time) {
        let visit = self.take(page);
        self.crawl.hold(held);
        self.crawl.failed(visit, Failure::Unasked, now);
    }

    fn withdraw(&mut self, page: PageId) {
        let visit = self.take(page);
        self.crawl.withdraw(visit);
    }

    fn forget(&mut self, page: PageId) {
        self.crawl.forget(page);
    }

    fn raise(&mut self, page: PageId) {
        self.visits.get_mut(&page.0).into_iter().for_each(Visit::raise);
    }

    fn waiting(&self) -> usize {
        self.crawl.waiting()
    }

    fn best_waiting(&self) -> Option<Priority> {
        self.crawl.best_waiting()
    }

    fn waiting_by_priority(&self) -> Option<Vec<(Priority, usize)>> {
        self.crawl.waiting_by_priority()
    }

    fn crossed(&self, page: PageId) -> Option<u32> {
        self.visits.get(&page.0)?.trail().crossed()
    }
}

/// An observer that can be looked at while the crawl goes on.
pub struct Shared<O>(pub Arc<Mutex<O>>);

impl<T, O: Observer<T>> Observer<T> for Shared<O> {
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, now: Time) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).visited(visited, waiting, now);
    }

    fn failed(&mut self, page: PageId, waiting: usize, now: Time) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).failed(page, waiting, now);
    }
}
