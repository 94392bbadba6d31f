//! Which host may be asked, and for what.
//!
//! Visits that the crawl has begun wait here until their host may be asked: one request at a time, and not again before
//! the host, and its address, have had their rest. Before its first page a host is looked up and asked for its
//! robots.txt. The workbench does no I/O and knows no clock: it is told what happened and when, and says what to do.
//!
//! A page stays in its host's queue until its visit has ended. So the workbench after a restart is what it was, but
//! that nobody is being asked.

mod given_up;
mod host;
mod turns;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::net::IpAddr;
use std::time::Duration;

use langur_crawl::{HostId, PageId, Priority};

use crate::journal::{ErrandKind, Moment};
use host::{Errand, Host, Parked};
use turns::Turns;

pub use host::{HostState, KeptRobots, Waits};

/// How hosts are treated. Times are in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manners {
    /// From the end of an answer to the next request to the same host, at least.
    pub delay_ms: u64,
    /// From one request to the next to the same address.
    pub address_delay_ms: u64,
    /// A host that takes long is left alone for so many times as long.
    pub slow_factor: f64,
    /// But no longer than this.
    pub longest_slow_ms: u64,
    /// A longer Crawl-delay counts as this one.
    pub longest_crawl_delay_ms: u64,
    /// A robots.txt is good for so long.
    pub robots_ms: u64,
    /// Whether robots.txt is asked for at all.
    pub obey_robots: bool,
}

/// Rules are good for so long after their host may be asked for more, whatever the settings say.
const LEAST_ROBOTS_MS: u64 = 60_000;

/// Something to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Job {
    /// Look up the addresses of a host.
    Resolve {
        /// Whose.
        host: HostId,
    },
    /// Fetch the robots.txt of a host.
    Robots {
        /// Whose.
        host: HostId,
    },
    /// Fetch something for a host from this one.
    Errand {
        /// The host to ask.
        host: HostId,
        /// The host that it is for.
        for_host: HostId,
        /// What.
        url: String,
        /// What for.
        kind: ErrandKind,
    },
    /// Visit a page.
    Page {
        /// The host to ask.
        host: HostId,
        /// The page.
        page: PageId,
        /// How often it was asked for in vain.
        attempts: u8,
    },
}

impl Job {
    /// The host to ask.
    pub fn host(&self) -> HostId {
        match self {
            Job::Resolve { host }
            | Job::Robots { host }
            | Job::Errand { host, .. }
            | Job::Page { host, .. } => *host,
        }
    }
}

/// Visits begun and not yet ended, by host.
pub struct Workbench {
    manners: Manners,
    hosts: Vec<Option<Box<Host>>>,
    addresses: HashMap<IpAddr, Turns>,
    /// Hosts that may be asked, by the priority of their first page and then by age.
    ready: BinaryHeap<Reverse<(Priority, u64, u32)>>,
    /// Hosts that may be asked later, by when.
    asleep: BinaryHeap<Reverse<(Moment, u64, u32)>>,
    /// Counts what enters `ready` and `asleep`. Only the entry that a host remembers counts.
    entered: u64,
    parked: usize,
    errands: usize,
}

impl Workbench {
    /// An empty one.
    pub fn new(manners: Manners) -> Workbench {
        Workbench {
            manners,
            hosts: Vec::new(),
            addresses: HashMap::new(),
            ready: BinaryHeap::new(),
            asleep: BinaryHeap::new(),
            entered: 0,
            parked: 0,
            errands: 0,
        }
    }

    /// How hosts are treated.
    pub fn manners(&self) -> &Manners {
        &self.manners
    }

    fn host(&mut self, host: HostId) -> &mut Host {
        let at = host.0 as usize;
        if at >= self.hosts.len() {
            self.hosts.resize_with(at + 1, || None);
        }
        self.hosts[at].get_or_insert_with(Box::default)
    }

    fn known(&self, host: HostId) -> Option<&Host> {
        self.hosts.get(host.0 as usize)?.as_deref()
    }

    /// Pages on the workbench, those being fetched included.
    pub fn len(&self) -> usize {
        self.parked
    }

    /// Whether no page is on the workbench.
    pub fn is_empty(&self) -> bool {
        self.parked == 0
    }

    /// Puts a page behind those of its host that are as good.
    pub fn park(&mut self, host: HostId, page: PageId, priority: Priority, now: Moment) {
        self.entered += 1;
        let place = (priority, self.entered);
        self.host(host).queue.insert(place, Parked { page, attempts: 0 });
        self.parked += 1;
        self.line_up(host, now);
    }

    /// Has a host asked for something that is not a page. One that was given up is asked if it is asked again.
    pub fn send(
        &mut self,
        host: HostId,
        for_host: HostId,
        url: &str,
        kind: ErrandKind,
        now: Moment,
    ) {
        let is_given_up = self.given_up(host).is_some();
        if is_given_up && kind.is_for_robots() {
            return;
        }
        if kind.is_for_robots() {
            self.host(for_host).robots_elsewhere = true;
            self.line_up(for_host, now);
        }
        self.host(host).errands.push_back(Errand { for_host, url: url.into(), kind });
        self.errands += usize::from(!is_given_up);
        self.line_up(host, now);
    }

    /// Puts a host that has something to do where it will be found when it may be asked.
    fn line_up(&mut self, host: HostId, now: Moment) {
        let manners = self.manners;
        self.entered += 1;
        let entered = self.entered;
        let it = self.host(host);
        it.entry = 0;
        if it.busy || !it.has_something_to_do(&manners, now) {
            return;
        }
        let until = if it.is_settled() { now } else { it.free_at.max(it.slot.unwrap_or(0)) };
        it.entry = entered;
        let priority = it.priority();
        if until <= now {
            self.ready.push(Reverse((priority, entered, host.0)));
        } else {
            self.asleep.push(Reverse((until, entered, host.0)));
        }
    }

    /// Moves the hosts whose time has come to those that may be asked.
    pub fn wake(&mut self, now: Moment) {
        while let Some(&Reverse((until, entry, host))) = self.asleep.peek()
            && until <= now
        {
            self.asleep.pop();
            if self.counts(entry, host) {
                self.line_up(HostId(host), now);
            }
        }
    }

    fn counts(&self, entry: u64, host: u32) -> bool {
        self.known(HostId(host)).is_some_and(|host| host.entry == entry)
    }

    /// When the next host may be asked, if one waits for that.
    pub fn next_wake(&mut self) -> Option<Moment> {
        while let Some(&Reverse((until, entry, host))) = self.asleep.peek() {
            if self.counts(entry, host) {
                return Some(until);
            }
            self.asleep.pop();
        }
        None
    }

    /// The best priority among the hosts that may be asked.
    pub fn best_ready(&mut self) -> Option<Priority> {
        while let Some(&Reverse((priority, entry, host))) = self.ready.peek() {
            if self.counts(entry, host) {
                return Some(priority);
            }
            self.ready.pop();
        }
        None
    }

    /// What the best host that may be asked is to be asked for. The host is busy from now on.
    pub fn take(&mut self, now: Moment) -> Option<Job> {
        loop {
            self.best_ready()?;
            let Reverse((.., number)) = self.ready.pop()?;
            let host = HostId(number);
            let manners = self.manners;
            let Some(job) = self.known(host).and_then(|it| it.job(host, &manners, now)) else {
                self.host(host).entry = 0;
                continue;
            };
            let asks_the_host = !matches!(job, Job::Resolve { .. });
            if asks_the_host && self.given_up(host).is_none() && self.must_wait(host, now) {
                continue;
            }
            let it = self.host(host);
            (it.busy, it.entry, it.slot) = (true, 0, None);
            return Some(job);
        }
    }

    /// Whether the host's address needs rest. If so the host gets the next free turn and sleeps until then.
    fn must_wait(&mut self, host: HostId, now: Moment) -> bool {
        let Some(it) = self.known(host) else { return false };
        let (Some(address), own) = (it.address, it.slot) else { return false };
        let delay_ms = self.manners.address_delay_ms;
        let Some(turns) = self.addresses.get_mut(&address) else { return false };
        let Some(slot) = turns.later(own.is_some(), delay_ms, now) else { return false };
        self.host(host).slot = Some(slot);
        self.line_up(host, now);
        true
    }

    /// A request is about to be sent to a host.
    pub fn asked(&mut self, host: HostId, at: Moment) {
        let manners = self.manners;
        let it = self.host(host);
        it.asked += 1;
        it.owes_answer = true;
        it.free_at = it.free_at.max(at + it.rest(&manners));
        if let Some(address) = it.address {
            self.addresses.entry(address).or_default().asked(at, manners.address_delay_ms);
        }
    }

    /// The crawl is taken up again. Hosts that were being asked when it was killed may have been at it until just now.
    pub fn taken_up(&mut self, at: Moment) {
        let manners = self.manners;
        let owing = |host: &Option<Box<Host>>| host.as_ref().is_some_and(|host| host.owes_answer);
        let owing: Vec<usize> =
            (0..self.hosts.len()).filter(|it| owing(&self.hosts[*it])).collect();
        for host in owing.into_iter().map(|host| HostId(host as u32)) {
            let it = self.host(host);
            it.owes_answer = false;
            it.free_at = it.free_at.max(at + it.rest(&manners));
            self.line_up(host, at);
        }
    }

    /// The addresses of a host are known.
    pub fn resolved(&mut self, host: HostId, address: Option<IpAddr>, at: Moment) {
        let it = self.host(host);
        (it.is_resolved, it.address, it.busy) = (true, address, false);
        self.line_up(host, at);
    }

    /// A host has answered; `willing` unless it said that it is asked too much.
    pub fn answered(&mut self, host: HostId, at: Moment, lasted_ms: u32, willing: bool) {
        let manners = self.manners;
        let it = self.host(host);
        (it.busy, it.owes_answer, it.waits) = (false, false, Waits::Rest);
        it.failures = if willing { 0 } else { it.failures };
        it.answered_at = Some(at);
        let slow = (f64::from(lasted_ms) * manners.slow_factor) as u64;
        it.free_at = at + it.rest(&manners).max(slow.min(manners.longest_slow_ms));
        self.line_up(host, at);
    }

    /// A host has not answered, and will not be asked for the same again; `is_first` unless it was asked for it before.
    pub fn failed(&mut self, host: HostId, is_first: bool, at: Moment) {
        let manners = self.manners;
        self.count_failure(host, is_first);
        let it = self.host(host);
        (it.busy, it.owes_answer, it.waits) = (false, false, Waits::Rest);
        it.free_at = it.free_at.max(at + it.rest(&manners));
        self.line_up(host, at);
    }

    /// A host that was being asked need not be asked after all.
    pub fn spared(&mut self, host: HostId, at: Moment) {
        self.host(host).busy = false;
        self.line_up(host, at);
    }

    /// A host has not answered, or asked for patience: nobody asks it before `until`.
    pub fn postponed(
        &mut self,
        host: HostId,
        page: Option<PageId>,
        until: Moment,
        why: &str,
        at: Moment,
    ) {
        let manners = self.manners;
        let it = self.host(host);
        (it.busy, it.owes_answer) = (false, false);
        // Patience is on top of manners, and never shortens them.
        it.free_at = until.max(at + it.rest(&manners));
        it.waits = Waits::Patience(why.into());
        let parked = page.and_then(|page| self.take_off(host, page));
        self.count_failure(host, parked.is_none_or(|(_, parked)| parked.attempts == 0));
        // The others of its host go first: it may be this page that is bad, and not the host.
        if let Some((priority, Parked { page, attempts })) = parked {
            self.entered += 1;
            let parked = Parked { page, attempts: attempts.saturating_add(1) };
            let place = (priority, self.entered);
            self.host(host).queue.insert(place, parked);
            self.parked += 1;
        }
        self.line_up(host, at);
    }

    /// A host that has answered asks to be left alone until then.
    pub fn leave_alone(&mut self, host: HostId, until: Moment, why: &str, at: Moment) {
        let it = self.host(host);
        it.free_at = it.free_at.max(until);
        it.waits = Waits::Patience(why.into());
        self.line_up(host, at);
    }

    /// A host is known by different pages: that it fails over one of them again says nothing new.
    fn count_failure(&mut self, host: HostId, is_first_of_page: bool) {
        let failures = &mut self.host(host).failures;
        *failures = failures.saturating_add(u8::from(is_first_of_page));
    }

    /// Requests in a row that a host has not answered.
    pub fn failures(&self, host: HostId) -> u8 {
        self.known(host).map_or(0, |host| host.failures)
    }

    /// How often a host was asked.
    pub fn times_asked(&self, host: HostId) -> u32 {
        self.known(host).map_or(0, |host| host.asked)
    }

    /// A robots.txt is known; `delay_ms` is its Crawl-delay.
    pub fn robots(&mut self, host: HostId, robots: KeptRobots, delay_ms: Option<u64>, at: Moment) {
        let manners = self.manners;
        let it = self.host(host);
        it.robots_elsewhere = false;
        it.crawl_delay_ms = delay_ms;
        // It counts from the robots.txt itself on.
        let answered = it.answered_at.map_or(0, |answered_at| answered_at + it.rest(&manners));
        it.free_at = it.free_at.max(answered);
        // It is good for a while after the host may be asked again, or nothing else would ever be asked for.
        let until = robots.until.max(it.free_at + LEAST_ROBOTS_MS);
        it.robots = Some(KeptRobots { until, ..robots });
        self.line_up(host, at);
    }

    /// The robots.txt that a host has, if it is still good.
    pub fn kept_robots(&self, host: HostId) -> Option<KeptRobots> {
        self.known(host)?.robots
    }

    /// The first errand of its kind was run, whatever came of it. Depths make no difference.
    pub fn errand_done(&mut self, host: HostId, kind: ErrandKind) {
        let it = self.host(host);
        let (is_given_up, errands) = (it.is_settled(), &mut it.errands);
        let is_of_kind = |errand: &Errand| errand.kind.is_for_robots() == kind.is_for_robots();
        if let Some(at) = errands.iter().position(is_of_kind) {
            errands.remove(at);
            if errands.is_empty() {
                *errands = VecDeque::new();
            }
            self.errands -= usize::from(!is_given_up);
        }
    }

    /// Whether anything but pages is to be fetched.
    pub fn has_errands(&self) -> bool {
        self.errands > 0
    }

    /// The hosts whose robots.txt this host is to be asked for.
    pub fn asked_for_robots_of(&self, host: HostId) -> Vec<HostId> {
        let errands = self.known(host).map(|host| &host.errands).into_iter().flatten();
        let robots = errands.filter(|errand| errand.kind.is_for_robots());
        robots.map(|errand| errand.for_host).collect()
    }

    /// What a host is to be asked for first: a page, or the URL of an errand.
    pub fn first(&self, host: HostId) -> Option<Result<PageId, &str>> {
        let host = self.known(host)?;
        let page = host.queue.values().next().map(|parked| Ok(parked.page));
        page.or_else(|| host.errands.front().map(|errand| Err(&*errand.url)))
    }

    /// How soon a page of a host is wanted.
    pub fn priority(&self, host: HostId) -> Priority {
        self.known(host).map_or(Priority::BEST, Host::priority)
    }

    /// Takes a page off the workbench, its visit having ended. How often it was asked for in vain is given back.
    pub fn remove(&mut self, host: HostId, page: PageId) -> u8 {
        self.take_off(host, page).map_or(0, |(_, parked)| parked.attempts)
    }

    fn take_off(&mut self, host: HostId, page: PageId) -> Option<(Priority, Parked)> {
        let queue = &mut self.host(host).queue;
        // It is among the first, for the first is what is asked for.
        let place =
            queue.iter().find(|(_, parked)| parked.page == page).map(|(place, _)| *place)?;
        let parked = queue.remove(&place)?;
        if queue.is_empty() {
            // What was emptied keeps its memory, and most hosts never get another page.
            *queue = BTreeMap::new();
        }
        self.parked -= 1;
        Some((place.0, parked))
    }

    /// The pages of a host get the best priority.
    pub fn raise(&mut self, host: HostId, mut raised: impl FnMut(PageId)) {
        let queue = &mut self.host(host).queue;
        let mut pages: Vec<(u64, Parked)> = std::mem::take(queue)
            .into_iter()
            .map(|((_, entered), parked)| (entered, parked))
            .collect();
        pages.sort_unstable_by_key(|(entered, _)| *entered);
        for (entered, parked) in pages {
            raised(parked.page);
            queue.insert((Priority::BEST, entered), parked);
        }
    }

    /// The pages of a host are given back.
    pub fn abandon(&mut self, host: HostId, given_back: impl FnMut(PageId)) {
        let queue = std::mem::take(&mut self.host(host).queue);
        self.parked -= queue.len();
        queue.into_values().map(|parked| parked.page).for_each(given_back);
    }

    /// How many pages of a host are on the workbench.
    pub fn pages_of(&self, host: HostId) -> usize {
        self.known(host).map_or(0, |host| host.queue.len())
    }

    /// How long a host rests between requests.
    pub fn rest(&mut self, host: HostId) -> Duration {
        let manners = self.manners;
        Duration::from_millis(self.host(host).rest(&manners))
    }

    /// Shows every host that has something to do or was given up.
    pub fn each_host(&self, mut show: impl FnMut(HostId, HostState<'_>)) {
        for (number, host) in self.hosts.iter().enumerate() {
            if let Some(host) = host {
                show(HostId(number as u32), HostState::of(host));
            }
        }
    }
}

#[cfg(test)]
mod tests;
