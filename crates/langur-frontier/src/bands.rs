//! A frontier of few tiers.

use langur_crawl::{Found, Frontier, HostId, Lead, Link, PageId, Priority, Standing, prefetch};

use crate::hosts::HostChains;
use crate::queue::Queue;
use crate::{Extent, Keep, Policy};

/// The most tiers that [`Bands`] can hold.
pub const MAX_TIERS: u8 = 16;

/// A frontier of at most sixteen tiers, first in first out within each.
///
/// A waiting page takes at most eleven bytes: four in its tier's queue, one of state, four to chain
/// it to its host, and up to two of trail. Only the byte of state is touched by a link to a page
/// that is already settled, which is what most links are.
///
/// A page that moves to a better tier leaves its old entry behind. An entry counts only if it agrees
/// with the page's state in tier and *version*; the version changes when a page is discarded with
/// its host, so that an entry from before cannot be mistaken for one made after.
pub struct Bands<T> {
    states: Vec<State>,
    trails: Vec<T>,
    no_trail: T,
    tiers: Vec<Queue>,
    /// No tier before this one has an entry that counts.
    best: usize,
    hosts: HostChains,
    waiting: usize,
    policy: Policy,
    /// Whether a page in each state is settled for leads of each tier or worse: the question asked of
    /// every link.
    settled: Box<[[bool; 256]; MAX_TIERS as usize]>,
}

/// Entries are a page number with the version in the two highest bits.
const VERSION_SHIFT: u32 = 30;
/// Numbers of pages must leave these bits free.
const MAX_PAGES: usize = 1 << VERSION_SHIFT;

impl<T: Copy> Bands<T> {
    /// An empty frontier. `no_trail` fills the places of pages that were never offered.
    ///
    /// # Panics
    /// If there are more than [`MAX_TIERS`] tiers or a billion pages, now or later.
    pub fn new(tiers: u8, extent: Extent, policy: Policy, no_trail: T) -> Bands<T> {
        assert!(tiers <= MAX_TIERS, "a frontier of tiers has at most sixteen");
        assert!(extent.pages <= MAX_PAGES, "a frontier of tiers holds at most a billion pages");
        Bands {
            states: vec![State(0); extent.pages],
            trails: vec![no_trail; extent.pages],
            no_trail,
            tiers: (0..tiers.max(1)).map(|_| Queue::default()).collect(),
            best: 0,
            hosts: HostChains::new(extent.pages, extent.ranked_hosts),
            waiting: 0,
            policy,
            settled: Box::new(std::array::from_fn(|tier| {
                std::array::from_fn(|state| State(state as u8).is_settled(tier as u8, policy))
            })),
        }
    }

    /// Makes room for a page with this number.
    #[cold]
    fn grow(&mut self, page: PageId) {
        let pages = page.0 as usize + 1;
        assert!(pages <= MAX_PAGES, "a frontier of tiers holds at most a billion pages");
        self.states.resize(pages, State(0));
        self.trails.resize(pages, self.no_trail);
    }

    #[inline]
    fn enqueue(&mut self, page: PageId, tier: u8, status: Status, trail: T) {
        let state = &mut self.states[page.0 as usize];
        *state = State::new(status, tier, state.version());
        self.trails[page.0 as usize] = trail;
        self.tiers[usize::from(tier)].push(page.0 | u32::from(state.version()) << VERSION_SHIFT);
        self.best = self.best.min(usize::from(tier));
    }

    fn raise(&mut self, host: HostId) {
        let (states, tiers) = (&mut self.states, &mut self.tiers);
        self.hosts.retain(host, |page| {
            let state = &mut states[page.0 as usize];
            if state.is_waiting() && state.tier() > 0 {
                *state = State::new(state.status(), 0, state.version());
                tiers[0].push(page.0 | u32::from(state.version()) << VERSION_SHIFT);
            }
            state.is_waiting()
        });
        self.best = 0;
    }

    fn abandon(&mut self, host: HostId) {
        let (states, tiers, waiting) = (&mut self.states, &mut self.tiers, &mut self.waiting);
        self.hosts.retain(host, |page| {
            let state = &mut states[page.0 as usize];
            if state.is_waiting() {
                *waiting -= 1;
                let version = next_version(tiers, page, *state);
                // A page that waited to be opened again has been visited all the same.
                let status =
                    if state.status() == Status::Again { Status::Visited } else { Status::Unknown };
                *state = State::new(status, state.tier(), version);
            }
            false
        });
    }
}

/// The version of a page that is discarded, by which entries from before are known not to count.
fn next_version(tiers: &mut [Queue], page: PageId, state: State) -> u8 {
    let version = (state.version() + 1) % 4;
    if version == 0 {
        // All versions are used up: entries from the first time might still be queued.
        tiers.iter_mut().for_each(|tier| tier.retain(|entry| entry << 2 != page.0 << 2));
    }
    version
}

impl<T: Copy> Frontier<T> for Bands<T> {
    #[inline]
    fn offer(&mut self, link: &impl Link, lead: Lead<T>) -> bool {
        let page = link.page();
        if page.0 as usize >= self.states.len() {
            self.grow(page);
        }
        let state = self.states[page.0 as usize];
        let Priority(tier) = lead.priority;
        let tier = tier as u8;
        let status = match state.status() {
            Status::Unknown => {
                if self.hosts.are_kept() {
                    self.hosts.append(link.host(), page);
                }
                self.waiting += 1;
                Status::Waiting
            }
            Status::Waiting | Status::Again
                if tier < state.tier() && self.policy.keep == Keep::Better =>
            {
                state.status()
            }
            Status::Visited if tier < state.tier() && self.policy.reopen => {
                if self.hosts.are_kept() {
                    // It may still be on the chain from its first time; it was found anew.
                    self.hosts.retain(link.host(), |other| other != page);
                    self.hosts.append(link.host(), page);
                }
                self.waiting += 1;
                Status::Again
            }
            _ => return false,
        };
        self.enqueue(page, tier, status, lead.trail);
        true
    }

    #[inline]
    fn is_settled(&self, page: PageId, best: Priority) -> bool {
        let settled = &self.settled[best.0.min(u32::from(MAX_TIERS) - 1) as usize];
        self.states.get(page.0 as usize).is_some_and(|state| settled[usize::from(state.0)])
    }

    fn rank(&mut self, host: HostId, standing: Standing) {
        match standing {
            Standing::Raised => self.raise(host),
            Standing::Abandoned => self.abandon(host),
        }
    }

    #[inline]
    fn next(&mut self) -> Option<Found<T>> {
        while self.best < self.tiers.len() {
            let Some(entry) = self.tiers[self.best].pop() else {
                self.best += 1;
                continue;
            };
            let page = PageId(entry & (MAX_PAGES as u32 - 1));
            let state = &mut self.states[page.0 as usize];
            let version = (entry >> VERSION_SHIFT) as u8;
            if !state.is_waiting()
                || usize::from(state.tier()) != self.best
                || state.version() != version
            {
                continue;
            }
            let again = state.status() == Status::Again;
            let priority = Priority::tier(state.tier());
            *state = State::new(Status::Visited, state.tier(), version);
            self.waiting -= 1;
            return Some(Found {
                page,
                lead: Lead { priority, trail: self.trails[page.0 as usize] },
                again,
            });
        }
        None
    }

    fn withdraw(&mut self, page: PageId) {
        let state = self.states[page.0 as usize];
        let version = next_version(&mut self.tiers, page, state);
        self.states[page.0 as usize] = State::new(Status::Unknown, state.tier(), version);
    }

    #[inline]
    fn best(&self) -> Option<Priority> {
        (self.waiting > 0).then(|| Priority::tier(self.best as u8))
    }

    #[inline]
    fn len(&self) -> usize {
        self.waiting
    }

    fn by_priority(&self) -> Option<Vec<(Priority, usize)>> {
        let mut counts = [0; MAX_TIERS as usize];
        let waiting = self.states.iter().filter(|state| state.is_waiting());
        waiting.for_each(|state| counts[usize::from(state.tier())] += 1);
        let counts = (0..).map(Priority::tier).zip(counts);
        Some(counts.filter(|(_, count)| *count > 0).collect())
    }

    #[inline]
    fn upcoming(&self, mut ahead: usize) -> Option<PageId> {
        for tier in self.tiers.get(self.best..)? {
            if let Some(entry) = tier.peek(ahead) {
                let page = entry & (MAX_PAGES as u32 - 1);
                prefetch(&self.states, page as usize);
                prefetch(&self.trails, page as usize);
                return Some(PageId(page));
            }
            ahead -= tier.len();
        }
        None
    }

    #[inline]
    fn hint(&self, page: PageId) {
        prefetch(&self.states, page.0 as usize);
    }

    #[inline]
    fn hint_offer(&self, page: PageId) {
        prefetch(&self.trails, page.0 as usize);
        self.hosts.hint(page);
    }

    #[inline]
    fn hint_host(&self, host: HostId) {
        self.hosts.hint_host(host);
    }
}

/// How a page stands, in one byte: four bits of tier, two of status, two of version.
#[derive(Clone, Copy)]
struct State(u8);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Unknown = 0,
    Waiting = 1,
    Visited = 2,
    /// Visited, and waiting to be opened again.
    Again = 3,
}

impl State {
    #[inline]
    fn new(status: Status, tier: u8, version: u8) -> State {
        debug_assert!(tier < MAX_TIERS, "a lead's tier is one of the frontier's");
        State(tier | (status as u8) << 4 | version << 6)
    }
    #[inline]
    fn tier(self) -> u8 {
        self.0 & 15
    }
    #[inline]
    fn version(self) -> u8 {
        self.0 >> 6
    }
    #[inline]
    fn status(self) -> Status {
        match self.0 >> 4 & 3 {
            0 => Status::Unknown,
            1 => Status::Waiting,
            2 => Status::Visited,
            _ => Status::Again,
        }
    }
    fn is_settled(self, best: u8, policy: Policy) -> bool {
        match self.status() {
            Status::Unknown => false,
            Status::Waiting | Status::Again => self.tier() <= best || policy.keep == Keep::First,
            // A visited page is not moved when its host is raised, so any lead might be better.
            Status::Visited => self.tier() == 0 || !policy.reopen,
        }
    }
    #[inline]
    fn is_waiting(self) -> bool {
        self.0 >> 4 & 1 == 1
    }
}
