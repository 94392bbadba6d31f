//! The pages that are to be fetched as soon as their host may be asked.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{HostId, Priority, Visit};

const NONE: u32 = u32::MAX;

/// Visits begun by the crawl whose hosts may not be asked yet, by host, first in first out.
pub(crate) struct Workbench<T> {
    hosts: Vec<Host>,
    places: Vec<Place<T>>,
    /// Places that are free again.
    free: Vec<u32>,
    /// Hosts with pages here that may be asked, by the priority of the first page and then by age.
    ready: BinaryHeap<Reverse<(Priority, u64, u32)>>,
    /// Hosts with pages here that may be asked later, by when.
    asleep: BinaryHeap<Reverse<(u64, u64, u32)>>,
    /// Counts what enters `ready` and `asleep`, so that equals leave in the order they came.
    entered: u64,
    parked: usize,
    hosts_waiting: u64,
    longest_queue: u32,
}

#[derive(Clone, Copy)]
struct Host {
    /// When it may be asked again.
    free_at: u64,
    first: u32,
    last: u32,
    queued: u32,
    asked: u32,
    busy: bool,
}

struct Place<T> {
    visit: Option<Visit<T>>,
    following: u32,
}

impl<T> Workbench<T> {
    pub fn new(hosts: usize) -> Workbench<T> {
        let host = Host { free_at: 0, first: NONE, last: NONE, queued: 0, asked: 0, busy: false };
        Workbench {
            hosts: vec![host; hosts],
            places: Vec::new(),
            free: Vec::new(),
            ready: BinaryHeap::new(),
            asleep: BinaryHeap::new(),
            entered: 0,
            parked: 0,
            hosts_waiting: 0,
            longest_queue: 0,
        }
    }

    /// Pages on the workbench.
    pub fn len(&self) -> usize {
        self.parked
    }

    pub fn is_empty(&self) -> bool {
        self.parked == 0
    }

    /// Hosts with pages on the workbench.
    pub fn hosts_waiting(&self) -> u64 {
        self.hosts_waiting
    }

    /// The most pages of one host that were here at once.
    pub fn longest_queue(&self) -> u64 {
        u64::from(self.longest_queue)
    }

    /// Hosts that were asked at least once.
    pub fn hosts_asked(&self) -> u64 {
        self.hosts.iter().filter(|host| host.asked > 0).count() as u64
    }

    /// How often the hosts that were asked most were asked, the most first.
    pub fn busiest(&self, hosts: usize) -> Vec<u64> {
        let mut asked: Vec<u64> = self.hosts.iter().map(|host| u64::from(host.asked)).collect();
        asked.sort_unstable_by(|a, b| b.cmp(a));
        asked.truncate(hosts);
        asked
    }

    /// Whether a page of this host that was just found could be fetched at once.
    pub fn may_ask(&self, host: HostId, now: u64) -> bool {
        let host = &self.hosts[host.0 as usize];
        !host.busy && host.free_at <= now && host.queued == 0
    }

    /// Puts a visit at the end of its host's queue.
    pub fn park(&mut self, host: HostId, visit: Visit<T>, now: u64) {
        let place = Place { visit: Some(visit), following: NONE };
        let number = match self.free.pop() {
            Some(free) => {
                self.places[free as usize] = place;
                free
            }
            None => {
                self.places.push(place);
                self.places.len() as u32 - 1
            }
        };
        let it = &mut self.hosts[host.0 as usize];
        match it.last {
            NONE => it.first = number,
            last => self.places[last as usize].following = number,
        }
        it.last = number;
        it.queued += 1;
        self.parked += 1;
        self.longest_queue = self.longest_queue.max(it.queued);
        if it.queued == 1 {
            self.hosts_waiting += 1;
            self.line_up(host, now);
        }
    }

    /// Puts a host that has pages here where it will be found when it may be asked.
    fn line_up(&mut self, host: HostId, now: u64) {
        let it = self.hosts[host.0 as usize];
        if it.busy {
            return; // It lines up when it is released.
        }
        self.entered += 1;
        if it.free_at <= now {
            let first = self.places[it.first as usize].visit.as_ref();
            let priority = first.expect("a queued place holds a visit").priority();
            self.ready.push(Reverse((priority, self.entered, host.0)));
        } else {
            self.asleep.push(Reverse((it.free_at, self.entered, host.0)));
        }
    }

    /// Moves the hosts whose time has come to those that may be asked.
    pub fn wake(&mut self, now: u64) {
        while let Some(&Reverse((free_at, _, host))) = self.asleep.peek()
            && free_at <= now
        {
            self.asleep.pop();
            // All its pages may have been withdrawn meanwhile.
            if self.hosts[host as usize].queued > 0 {
                self.line_up(HostId(host), now);
            }
        }
    }

    /// When the next host may be asked.
    pub fn next_wake(&self) -> Option<u64> {
        self.asleep.peek().map(|Reverse((free_at, ..))| *free_at)
    }

    /// The best priority among the hosts that may be asked.
    pub fn best_ready(&self) -> Option<Priority> {
        self.ready.peek().map(|Reverse((priority, ..))| *priority)
    }

    /// Takes the first page of the best host that may be asked.
    pub fn take_ready(&mut self) -> Option<Visit<T>> {
        let Reverse((.., host)) = self.ready.pop()?;
        Some(self.take_first(HostId(host)))
    }

    fn take_first(&mut self, host: HostId) -> Visit<T> {
        let it = &mut self.hosts[host.0 as usize];
        let place = &mut self.places[it.first as usize];
        let visit = place.visit.take().expect("a queued place holds a visit");
        self.free.push(it.first);
        it.first = place.following;
        it.queued -= 1;
        self.parked -= 1;
        if it.queued == 0 {
            it.last = NONE;
            self.hosts_waiting -= 1;
        }
        visit
    }

    /// A host is being asked; until it is released nobody else asks it.
    pub fn ask(&mut self, host: HostId) {
        let it = &mut self.hosts[host.0 as usize];
        it.busy = true;
        it.asked += 1;
    }

    /// A host has answered and may be asked again after the interval.
    pub fn release(&mut self, host: HostId, now: u64, interval_ms: u64) {
        let it = &mut self.hosts[host.0 as usize];
        it.busy = false;
        it.free_at = now + interval_ms;
        if it.queued > 0 {
            self.line_up(host, now);
        }
    }

    /// The pages of a host that is being asked get the best priority.
    pub fn raise(&mut self, host: HostId) {
        let mut at = self.hosts[host.0 as usize].first;
        while at != NONE {
            let place = &mut self.places[at as usize];
            place.visit.iter_mut().for_each(Visit::raise);
            at = place.following;
        }
    }

    /// The pages of a host that is being asked are given back.
    pub fn abandon(&mut self, host: HostId, mut give_back: impl FnMut(Visit<T>)) {
        while self.hosts[host.0 as usize].queued > 0 {
            give_back(self.take_first(host));
        }
    }
}
