//! A host, and what it is to be asked for.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;

use langur_crawl::{HostId, PageId, Priority};

use super::{Job, Manners};
use crate::journal::{ErrandKind, Moment};

/// What the workbench knows of a host.
#[derive(Default)]
pub(super) struct Host {
    /// Its pages, the best first, and in the order they came within a priority.
    pub queue: BTreeMap<(Priority, u64), Parked>,
    pub errands: VecDeque<Errand>,
    /// When it may be asked again.
    pub free_at: Moment,
    /// When it last answered.
    pub answered_at: Option<Moment>,
    /// When its address may be asked on its behalf.
    pub slot: Option<Moment>,
    pub waits: Waits,
    /// Whether it is being asked, or looked up.
    pub busy: bool,
    /// Its entry among the hosts that are ready or asleep; 0 for none.
    pub entry: u64,
    pub is_resolved: bool,
    pub address: Option<IpAddr>,
    pub robots: Option<KeptRobots>,
    /// Whether another host is to be asked for its robots.txt.
    pub robots_elsewhere: bool,
    pub crawl_delay_ms: Option<u64>,
    /// Requests in a row that were not answered.
    pub failures: u8,
    pub given_up: Option<Box<str>>,
    /// Its pages that were passed over since it is given up.
    pub aside: Vec<(Priority, PageId)>,
    pub asked: u32,
    /// Whether it was asked, and nothing is known of an answer yet.
    pub owes_answer: bool,
}

/// A page that waits for its host.
#[derive(Clone, Copy)]
pub(super) struct Parked {
    pub page: PageId,
    pub attempts: u8,
}

/// Something that is not a page.
pub(super) struct Errand {
    pub for_host: HostId,
    pub url: Box<str>,
    pub kind: ErrandKind,
}

/// A robots.txt that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptRobots {
    /// Until when it is good.
    pub until: Moment,
    /// Where in the journal it lies.
    pub at: u64,
    /// Its length; 0 allows everything.
    pub length: u32,
}

/// Why a host waits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Waits {
    /// It was asked a moment ago.
    #[default]
    Rest,
    /// It has not answered, or has asked for patience.
    Patience(Box<str>),
}

impl Host {
    /// Whether its pages are only to be passed over.
    pub fn is_settled(&self) -> bool {
        self.given_up.is_some()
    }

    /// How long it rests after a request.
    pub fn rest(&self, manners: &Manners) -> u64 {
        let asked_for = self.crawl_delay_ms.unwrap_or(0).min(manners.longest_crawl_delay_ms);
        manners.delay_ms.max(asked_for)
    }

    /// How soon it should be asked.
    pub fn priority(&self) -> Priority {
        self.queue.keys().next().map_or(Priority::BEST, |(priority, _)| *priority)
    }

    pub fn has_something_to_do(&self, manners: &Manners, now: Moment) -> bool {
        // Which host a job names makes no difference to whether there is one.
        self.job(HostId(0), manners, now).is_some()
    }

    /// What the host is to be asked for.
    pub fn job(&self, host: HostId, manners: &Manners, now: Moment) -> Option<Job> {
        let page = self.queue.values().next();
        let page = page.map(|it| Job::Page { host, page: it.page, attempts: it.attempts });
        if self.is_settled() {
            return page;
        }
        let errand = self.errands.front();
        if page.is_none() && errand.is_none() {
            return None;
        }
        if !self.is_resolved {
            return Some(Job::Resolve { host });
        }
        // Whoever is asked where the robots.txt of another lies need not have one. It may also be the host's own, without
        // which its other errands would wait for ever.
        let for_robots = self.errands.iter().find(|errand| errand.kind.is_for_robots());
        let errand = for_robots.or(errand).map(|errand| Job::Errand {
            host,
            for_host: errand.for_host,
            url: errand.url.to_string(),
            kind: errand.kind,
        });
        if for_robots.is_some() {
            return errand;
        }
        if manners.obey_robots && self.robots.is_none_or(|robots| robots.until <= now) {
            return (!self.robots_elsewhere).then_some(Job::Robots { host });
        }
        errand.or(page)
    }

    /// Why it waits, in words.
    pub fn why(&self, manners: &Manners, now: Moment) -> Option<String> {
        if let Some(why) = &self.given_up {
            return Some(format!("given up: {why}"));
        }
        if self.queue.is_empty() && self.errands.is_empty() || self.busy {
            return None;
        }
        let seconds = |until: Moment| until.saturating_sub(now).div_ceil(1000);
        if self.robots_elsewhere && self.robots.is_none() {
            return Some("its robots.txt is being fetched from another host".to_owned());
        }
        if self.free_at > now {
            let rest = self.rest(manners);
            return Some(match &self.waits {
                Waits::Patience(why) => format!("{why}; again in {} s", seconds(self.free_at)),
                Waits::Rest if rest > manners.delay_ms => {
                    format!("its Crawl-delay; again in {} s", seconds(self.free_at))
                }
                Waits::Rest => {
                    format!("resting after a request; again in {} s", seconds(self.free_at))
                }
            });
        }
        let slot = self.slot.filter(|slot| *slot > now)?;
        Some(format!("its address serves other hosts too; its turn in {} s", seconds(slot)))
    }
}

/// How a host stands, for whoever asks.
pub struct HostState<'w> {
    host: &'w Host,
}

impl<'w> HostState<'w> {
    /// That of this host.
    pub(super) fn of(host: &'w Host) -> HostState<'w> {
        HostState { host }
    }

    /// Its pages on the workbench, and those that were passed over since it is given up.
    pub fn pages(&self) -> usize {
        self.host.queue.len() + self.host.aside.len()
    }

    /// The priority of each of them.
    pub fn priorities(&self) -> impl Iterator<Item = Priority> {
        self.host.queue.keys().map(|(priority, _)| *priority)
    }

    /// Whether it is being asked now.
    pub fn is_busy(&self) -> bool {
        self.host.busy
    }

    /// Why it will not be asked any more.
    pub fn given_up(&self) -> Option<&str> {
        self.host.given_up.as_deref()
    }

    /// Why it waits, in words; `None` if it does not wait.
    pub fn why(&self, manners: &Manners, now: Moment) -> Option<String> {
        self.host.why(manners, now)
    }
}
