//! The promises of every frontier, as one suite.
//!
//! A frontier and a model of it, as naive as can be, are given the same random operations; they must
//! give the same answers.

use langur_crawl::{
    DirectoryId, Found, Frontier, HostId, Language, Lead, Link, PageId, Priority, Standing,
};
use langur_frontier::{Extent, Keep, Policy};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Pages in the random tests; few, so that they meet again often.
const PAGES: u32 = 40;
/// Hosts in the random tests.
const HOSTS: u32 = 5;
/// Tiers in the random tests.
pub const TIERS: u8 = 4;

/// Runs the suite against a frontier that is first in first out within a priority.
///
/// # Panics
/// If the frontier breaks a promise.
pub fn keeps_its_promises<F: Frontier<u8>>(make: impl Fn(Extent, Policy) -> F) {
    let mut runner =
        TestRunner::new(Config { cases: 600, failure_persistence: None, ..Config::default() });
    let cases = (policies(), prop::collection::vec(operation(), 0..400));
    runner
        .run(&cases, |(policy, operations)| {
            let extent = Extent { pages: PAGES as usize, ranked_hosts: HOSTS as usize };
            let (mut frontier, mut model) = (make(extent, policy), Model::new(policy));
            for operation in operations {
                check(&mut frontier, &mut model, operation)?;
            }
            while let Some(expected) = model.next() {
                prop_assert_eq!(frontier.next(), Some(expected));
            }
            prop_assert_eq!(frontier.next(), None);
            prop_assert_eq!(frontier.len(), 0);
            Ok(())
        })
        .unwrap();
}

fn check<F: Frontier<u8>>(
    frontier: &mut F,
    model: &mut Model,
    operation: Operation,
) -> Result<(), TestCaseError> {
    match operation {
        Operation::Offer { page, tier, trail } => {
            let lead = Lead { priority: Priority::tier(tier), trail };
            let settled = frontier.is_settled(PageId(page), lead.priority);
            let changed = frontier.offer(&Pointer(page), lead);
            prop_assert_eq!(changed, model.offer(page, lead));
            prop_assert!(!(settled && changed), "a settled page changed");
        }
        Operation::Rank { host, standing } => {
            frontier.rank(HostId(host), standing);
            model.rank(host, standing);
        }
        Operation::Withdraw { page } => {
            if model.is_given_out(page) {
                let host = Pointer(page).host();
                frontier.rank(host, Standing::Abandoned);
                model.rank(host.0, Standing::Abandoned);
                frontier.withdraw(PageId(page));
                model.visited.retain(|(visited, _)| *visited != page);
            }
        }
        Operation::Next => prop_assert_eq!(frontier.next(), model.next()),
    }
    prop_assert_eq!(frontier.len(), model.waiting.len());
    let best = model.waiting.iter().map(|waiting| waiting.lead.priority).min();
    prop_assert_eq!(frontier.best().is_some(), best.is_some());
    prop_assert!(frontier.best() <= best);
    Ok(())
}

#[derive(Clone, Copy, Debug)]
enum Operation {
    Offer { page: u32, tier: u8, trail: u8 },
    Rank { host: u32, standing: Standing },
    Withdraw { page: u32 },
    Next,
}

fn operation() -> impl Strategy<Value = Operation> {
    let standing = prop_oneof![Just(Standing::Raised), Just(Standing::Abandoned)];
    prop_oneof![
        8 => (0..PAGES, 0..TIERS, any::<u8>()).prop_map(|(page, tier, trail)| Operation::Offer { page, tier, trail }),
        1 => (0..HOSTS, standing).prop_map(|(host, standing)| Operation::Rank { host, standing }),
        1 => (0..PAGES).prop_map(|page| Operation::Withdraw { page }),
        3 => Just(Operation::Next),
    ]
}

fn policies() -> impl Strategy<Value = Policy> {
    (any::<bool>(), any::<bool>()).prop_map(|(first, reopen)| Policy {
        keep: if first { Keep::First } else { Keep::Better },
        reopen,
    })
}

/// Page numbers are dealt to hosts in turn.
struct Pointer(u32);

impl Link for Pointer {
    fn page(&self) -> PageId {
        PageId(self.0)
    }
    fn host(&self) -> HostId {
        HostId(self.0 % HOSTS)
    }
    fn directory(&self) -> Option<DirectoryId> {
        None
    }
    fn tld(&self) -> Option<&str> {
        None
    }
    fn anchor_language(&self) -> Option<Language> {
        None
    }
}

/// A list that is searched from end to end for everything.
struct Model {
    waiting: Vec<Waiting>,
    /// Each with the best priority at which it ever waited.
    visited: Vec<(u32, Priority)>,
    policy: Policy,
    clock: u32,
}

struct Waiting {
    page: u32,
    lead: Lead<u8>,
    queued: u32,
    found: u32,
}

impl Model {
    fn new(policy: Policy) -> Model {
        Model { waiting: Vec::new(), visited: Vec::new(), policy, clock: 0 }
    }

    fn offer(&mut self, page: u32, lead: Lead<u8>) -> bool {
        self.clock += 1;
        let now = self.clock;
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.page == page) {
            let moves = lead.priority < waiting.lead.priority && self.policy.keep == Keep::Better;
            if moves {
                (waiting.lead, waiting.queued) = (lead, now);
                self.waited(page, lead.priority);
            }
            return moves;
        }
        if let Some((_, best)) = self.visited.iter().find(|(visited, _)| *visited == page)
            && (!self.policy.reopen || lead.priority >= *best)
        {
            return false;
        }
        self.waited(page, lead.priority);
        self.waiting.push(Waiting { page, lead, queued: now, found: now });
        true
    }

    fn is_given_out(&self, page: u32) -> bool {
        self.visited.iter().any(|(visited, _)| *visited == page)
            && self.waiting.iter().all(|waiting| waiting.page != page)
    }

    fn waited(&mut self, page: u32, priority: Priority) {
        if let Some((_, best)) = self.visited.iter_mut().find(|(visited, _)| *visited == page) {
            *best = priority;
        }
    }

    fn rank(&mut self, host: u32, standing: Standing) {
        match standing {
            Standing::Abandoned => self.waiting.retain(|waiting| waiting.page % HOSTS != host),
            Standing::Raised => {
                self.waiting.sort_by_key(|waiting| waiting.found);
                for i in 0..self.waiting.len() {
                    let waiting = &mut self.waiting[i];
                    if waiting.page % HOSTS == host && waiting.lead.priority > Priority::BEST {
                        self.clock += 1;
                        waiting.lead.priority = Priority::BEST;
                        waiting.queued = self.clock;
                        let page = waiting.page;
                        self.waited(page, Priority::BEST);
                    }
                }
            }
        }
    }

    fn next(&mut self) -> Option<Found<u8>> {
        let first = (0..self.waiting.len())
            .min_by_key(|&i| (self.waiting[i].lead.priority, self.waiting[i].queued))?;
        let Waiting { page, lead, .. } = self.waiting.remove(first);
        let again = self.visited.iter().any(|(visited, _)| *visited == page);
        if !again {
            self.visited.push((page, lead.priority));
        }
        Some(Found { page: PageId(page), lead, again })
    }
}
