//! A frontier of arbitrary priorities.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use langur_crawl::{
    Found, Frontier, HostId, Lead, Link, PageId, Priority, Standing, draw, prefetch,
};

use crate::hosts::HostChains;
use crate::{Extent, Keep, Policy};

/// Old entries for each page that waits, at most.
const STALE: usize = 3;
/// Entries that are never worth a sweep.
const FEW: usize = 1024;

/// In which order pages of one priority leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The page queued first leaves first.
    #[default]
    Fifo,
    /// Any waiting page is as likely as another, drawn with this seed.
    Random(u64),
}

/// A frontier that takes any priority, at the price of a logarithm a page and more memory than
/// [`Bands`](crate::Bands).
///
/// A page that moves leaves its old entry behind; an entry counts only while its number is the
/// page's last. Where pages move again and again, as under strategies that add up what they learn of a
/// page, old entries are swept out before they outnumber the others by three to one.
pub struct Heap<T> {
    entries: BinaryHeap<Reverse<Entry>>,
    places: Vec<Place>,
    trails: Vec<T>,
    no_trail: T,
    hosts: HostChains,
    queued: u32,
    waiting: usize,
    order: Order,
    policy: Policy,
}

/// Compared field by field: priority, then the draw (always 0 if first in first out), then age.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    priority: Priority,
    draw: u32,
    number: u32,
    page: u32,
}

#[derive(Clone, Copy)]
struct Place {
    priority: Priority,
    /// The number of the entry that counts, while the page waits.
    number: u32,
    visited: bool,
    waiting: bool,
}

impl Place {
    /// That of a page that was never offered.
    const NOWHERE: Place =
        Place { priority: Priority(u32::MAX), number: 0, visited: false, waiting: false };

    /// Whether an entry of this page is the one it waits at.
    fn counts(&self, entry: &Entry) -> bool {
        self.waiting && self.number == entry.number
    }
}

impl<T: Copy> Heap<T> {
    /// An empty frontier. `no_trail` fills the places of pages that were never offered.
    pub fn new(order: Order, extent: Extent, policy: Policy, no_trail: T) -> Heap<T> {
        Heap {
            entries: BinaryHeap::new(),
            places: vec![Place::NOWHERE; extent.pages],
            trails: vec![no_trail; extent.pages],
            no_trail,
            hosts: HostChains::new(extent.pages, extent.ranked_hosts),
            queued: 0,
            waiting: 0,
            order,
            policy,
        }
    }

    fn enqueue(&mut self, page: PageId, priority: Priority) {
        self.queued = self
            .queued
            .checked_add(1)
            .expect("fewer than four billion pages are queued in a crawl");
        let draw = match self.order {
            Order::Fifo => 0,
            Order::Random(seed) => (draw(seed, u64::from(self.queued)) >> 32) as u32,
        };
        let place = &mut self.places[page.0 as usize];
        *place = Place { priority, number: self.queued, waiting: true, ..*place };
        self.entries.push(Reverse(Entry { priority, draw, number: self.queued, page: page.0 }));
        if self.entries.len() > FEW + (STALE + 1) * self.waiting {
            self.sweep();
        }
    }

    /// Takes out the entries that do not count. The order of the others does not depend on how they lie.
    fn sweep(&mut self) {
        let places = &self.places;
        self.entries.retain(|Reverse(entry)| places[entry.page as usize].counts(entry));
    }

    fn raise(&mut self, host: HostId) {
        let mut raised = Vec::new();
        let places = &self.places;
        self.hosts.retain(host, |page| {
            let place = places[page.0 as usize];
            if place.waiting && place.priority > Priority::BEST {
                raised.push(page);
            }
            place.waiting
        });
        for page in raised {
            self.enqueue(page, Priority::BEST);
        }
    }

    fn abandon(&mut self, host: HostId) {
        let (places, waiting) = (&mut self.places, &mut self.waiting);
        self.hosts.retain(host, |page| {
            let place = &mut places[page.0 as usize];
            *waiting -= usize::from(place.waiting);
            place.waiting = false;
            false
        });
    }
}

impl<T: Copy> Frontier<T> for Heap<T> {
    fn offer(&mut self, link: &impl Link, lead: Lead<T>) -> bool {
        let page = link.page();
        if page.0 as usize >= self.places.len() {
            self.places.resize(page.0 as usize + 1, Place::NOWHERE);
            self.trails.resize(page.0 as usize + 1, self.no_trail);
        }
        let place = self.places[page.0 as usize];
        let better = lead.priority < place.priority;
        if place.waiting {
            if !better || self.policy.keep == Keep::First {
                return false;
            }
        } else {
            if place.visited && !(better && self.policy.reopen) {
                return false;
            }
            if self.hosts.are_kept() {
                if place.visited {
                    self.hosts.retain(link.host(), |other| other != page);
                }
                self.hosts.append(link.host(), page);
            }
            self.waiting += 1;
        }
        self.trails[page.0 as usize] = lead.trail;
        self.enqueue(page, lead.priority);
        true
    }

    fn is_settled(&self, page: PageId, best: Priority) -> bool {
        let place = self.places.get(page.0 as usize).unwrap_or(&Place::NOWHERE);
        match (place.waiting, place.visited) {
            (true, _) => place.priority <= best || self.policy.keep == Keep::First,
            // A visited page is not moved when its host is raised, so any lead might be better.
            (false, true) => place.priority == Priority::BEST || !self.policy.reopen,
            (false, false) => false,
        }
    }

    fn rank(&mut self, host: HostId, standing: Standing) {
        match standing {
            Standing::Raised => self.raise(host),
            Standing::Abandoned => self.abandon(host),
        }
    }

    fn next(&mut self) -> Option<Found<T>> {
        while let Some(Reverse(entry)) = self.entries.pop() {
            let place = &mut self.places[entry.page as usize];
            if !place.counts(&entry) {
                continue;
            }
            let again = place.visited;
            (place.waiting, place.visited) = (false, true);
            self.waiting -= 1;
            let lead = Lead { priority: entry.priority, trail: self.trails[entry.page as usize] };
            return Some(Found { page: PageId(entry.page), lead, again });
        }
        None
    }

    fn withdraw(&mut self, page: PageId) {
        self.places[page.0 as usize].visited = false;
    }

    fn best(&self) -> Option<Priority> {
        let best = self.entries.peek().filter(|_| self.waiting > 0);
        best.map(|Reverse(entry)| entry.priority)
    }

    fn len(&self) -> usize {
        self.waiting
    }

    fn hint(&self, page: PageId) {
        prefetch(&self.places, page.0 as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct To(u32);

    impl Link for To {
        fn page(&self) -> PageId {
            PageId(self.0)
        }
        fn host(&self) -> HostId {
            HostId(0)
        }
        fn directory(&self) -> Option<langur_crawl::DirectoryId> {
            None
        }
        fn tld(&self) -> Option<&str> {
            None
        }
        fn anchor_language(&self) -> Option<langur_crawl::Language> {
            None
        }
    }

    #[test]
    fn pages_that_improve_again_and_again_take_no_more_memory() {
        let extent = Extent { pages: 100, ranked_hosts: 0 };
        let mut heap = Heap::new(Order::Fifo, extent, Policy::default(), ());
        for round in 0..1000 {
            for page in 0..100 {
                let lead = Lead { priority: Priority(100_000 - round * 100 + page), trail: () };
                assert!(heap.offer(&To(page), lead));
                assert!(heap.entries.len() <= FEW + (STALE + 1) * heap.len());
            }
        }
        let left: Vec<u32> = std::iter::from_fn(|| heap.next()).map(|found| found.page.0).collect();
        assert_eq!(left, (0..100).collect::<Vec<_>>());
    }
}
