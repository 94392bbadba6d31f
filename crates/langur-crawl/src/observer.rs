//! What watches.

use crate::{PageId, Time, Visited};

/// Watches a crawl and changes nothing. Observers combine as tuples.
pub trait Observer<T> {
    /// A visit has ended and its links were considered; `waiting` pages are now in the frontier.
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, now: Time);

    /// A page turned out not to be there.
    fn failed(&mut self, _page: PageId, _waiting: usize, _now: Time) {}
}

impl<T> Observer<T> for () {
    fn visited(&mut self, _: &Visited<T>, _: usize, _: Time) {}
}

impl<T, O: Observer<T>> Observer<T> for &mut O {
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, now: Time) {
        (**self).visited(visited, waiting, now);
    }
    fn failed(&mut self, page: PageId, waiting: usize, now: Time) {
        (**self).failed(page, waiting, now);
    }
}

/// Watches if there is one to watch.
impl<T, O: Observer<T>> Observer<T> for Option<O> {
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, now: Time) {
        if let Some(observer) = self {
            observer.visited(visited, waiting, now);
        }
    }
    fn failed(&mut self, page: PageId, waiting: usize, now: Time) {
        if let Some(observer) = self {
            observer.failed(page, waiting, now);
        }
    }
}

impl<T, A: Observer<T>, B: Observer<T>> Observer<T> for (A, B) {
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, now: Time) {
        self.0.visited(visited, waiting, now);
        self.1.visited(visited, waiting, now);
    }
    fn failed(&mut self, page: PageId, waiting: usize, now: Time) {
        self.0.failed(page, waiting, now);
        self.1.failed(page, waiting, now);
    }
}
