//! The driver that keeps simulated time: connections, transfers, and manners towards hosts.
//!
//! A discrete-event simulation around the same [`Crawl`] that [`run`](crate::run()) drives. A fetch takes the
//! time to answer and the time to transfer; a host is asked one page at a time, and again only after
//! its access interval; a number of connections work at once. With no delays and one connection the
//! visits are those of `run`, in the same order.
//!
//! Pages whose host may not be asked yet are put on a *workbench*, as in Mercator and BUbiNG. When a
//! connection is free it gets the best page whose host may be asked, from the workbench or from the
//! frontier. A strategy that favours few hosts fills the workbench with their pages, and then
//! connections stay idle: that is what politeness costs it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::workbench::Workbench;
use crate::{
    Classifier, Crawl, DirectoryId, Ended, Frontier, HostId, Language, Observer, Outcome, Page,
    PageId, Standing, Strategy, Time, Visit, Web,
};

/// A web that knows how long fetches take.
pub trait TimedWeb: Web {
    /// The number of hosts.
    fn hosts(&self) -> usize;
    /// The host a page lives on.
    fn host(&self, page: PageId) -> HostId;
    /// What fetching a page takes.
    fn transfer(&self, page: PageId) -> Transfer;
}

/// What fetching a page takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Time until the host answers, where the crawl log knows it.
    pub latency_ms: Option<u32>,
    /// What is transferred then.
    pub bytes: u64,
    /// Whether the host answers at all.
    pub answered: bool,
}

/// How fast and how politely a simulated crawl works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// Fetches under way at once.
    pub connections: usize,
    /// Time between the end of a fetch and the next from the same host.
    pub interval_ms: u64,
    /// Time to answer, for all pages alike; `None` takes it from the crawl log.
    pub latency_ms: Option<u32>,
    /// Time to answer where the crawl log does not know it.
    pub usual_latency_ms: u32,
    /// Bytes a connection transfers in a second; `None` for any number.
    pub bytes_per_second: Option<u64>,
    /// How long an answer that never comes is waited for.
    pub timeout_ms: u64,
    /// The share of fetches that fail although the crawl log has an answer.
    pub failures: f64,
    /// Draws which fetches fail.
    pub seed: u64,
    /// The most pages on the workbench.
    pub workbench: usize,
}

/// How busy a crawl has been so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Time since the beginning.
    pub time_ms: u64,
    /// Bytes transferred.
    pub bytes: u64,
    /// Time that connections were busy, all together.
    pub busy_ms: u64,
    /// Pages on the workbench.
    pub parked: u64,
    /// Hosts that these belong to.
    pub hosts_waiting: u64,
}

/// What a crawl in simulated time came to, beside what its observers saw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passed {
    /// Why it ended.
    pub ended: Ended,
    /// How busy it was altogether.
    pub load: Load,
    /// Requests that were made, those for missing pages included.
    pub requests: u64,
    /// Hosts that were asked for a page.
    pub hosts_asked: u64,
    /// Fetches from the host that was asked most.
    pub busiest_host: u64,
    /// Fetches from the ten hosts that were asked most.
    pub busiest_ten_hosts: u64,
    /// The most pages of one host that were on the workbench at once.
    pub longest_host_queue: u64,
}

/// Crawls in simulated time until nothing waits or `budget` pages were fetched. `progress` is told the
/// number of fetches, and how busy the crawl was, after each.
pub fn run_politely<S, F, C, O, W>(
    crawl: &mut Crawl<S, F, C, O>,
    web: &mut W,
    pace: &Pace,
    budget: u64,
    progress: impl FnMut(u64, &Load),
) -> Passed
where
    S: Strategy,
    F: Frontier<S::Trail>,
    C: Classifier,
    O: Observer<S::Trail>,
    W: TimedWeb,
{
    let bench = Workbench::new(web.hosts());
    let mut run = Polite {
        crawl,
        web,
        pace,
        bench,
        under_way: BinaryHeap::new(),
        visits: Vec::new(),
        free: Vec::new(),
        begun: 0,
        counted: 0,
        load: Load::default(),
        progress,
    };
    let ended = run.run(budget);
    let busiest = run.bench.busiest(10);
    Passed {
        ended,
        load: run.load,
        requests: run.begun,
        hosts_asked: run.bench.hosts_asked(),
        busiest_host: busiest.first().copied().unwrap_or(0),
        busiest_ten_hosts: busiest.iter().sum(),
        longest_host_queue: run.bench.longest_queue(),
    }
}

struct Polite<'a, S: Strategy, F, C, O, W, P> {
    crawl: &'a mut Crawl<S, F, C, O>,
    web: &'a mut W,
    pace: &'a Pace,
    bench: Workbench<S::Trail>,
    /// When each fetch under way ends, which began as number so and so, and its place in `visits`.
    under_way: BinaryHeap<Reverse<(u64, u64, usize)>>,
    visits: Vec<Option<Visit<S::Trail>>>,
    /// Places in `visits` that are free again.
    free: Vec<usize>,
    begun: u64,
    counted: u64,
    load: Load,
    progress: P,
}

impl<S, F, C, O, W, P> Polite<'_, S, F, C, O, W, P>
where
    S: Strategy,
    F: Frontier<S::Trail>,
    C: Classifier,
    O: Observer<S::Trail>,
    W: TimedWeb,
    P: FnMut(u64, &Load),
{
    fn run(&mut self, budget: u64) -> Ended {
        loop {
            self.bench.wake(self.load.time_ms);
            while self.under_way.len() < self.pace.connections
                && self.counted + (self.under_way.len() as u64) < budget
            {
                let Some(visit) = self.choose() else { break };
                self.begin(visit);
            }
            let has_room = self.under_way.len() < self.pace.connections;
            let ends = self.under_way.peek().map(|Reverse((ends, ..))| *ends);
            let wakes = if has_room { self.bench.next_wake() } else { None };
            match (ends, wakes) {
                (None, None) => break,
                (None, Some(_)) if self.counted >= budget => break,
                (Some(ends), wakes) if wakes.is_none_or(|wakes| ends <= wakes) => {
                    self.pass_until(ends);
                    self.end_one();
                }
                (_, wakes) => self.pass_until(wakes.expect("the other cases have been dealt with")),
            }
        }
        let is_done = self.crawl.waiting() == 0 && self.bench.is_empty();
        if is_done { Ended::Exhausted } else { Ended::Budget }
    }

    fn pass_until(&mut self, moment: u64) {
        self.load.busy_ms += (moment - self.load.time_ms) * self.under_way.len() as u64;
        self.load.time_ms = moment;
    }

    /// The best page whose host may be asked now.
    fn choose(&mut self) -> Option<Visit<S::Trail>> {
        loop {
            let at_hand = self.bench.best_ready();
            let has_room = self.bench.len() < self.pace.workbench;
            let may_be_better = match (self.crawl.best_waiting(), at_hand) {
                (Some(waiting), Some(at_hand)) => waiting < at_hand,
                (waiting, _) => waiting.is_some(),
            };
            if !(has_room && may_be_better) {
                return self.bench.take_ready();
            }
            let Some(visit) = self.crawl.next() else { return self.bench.take_ready() };
            self.crawl.look_ahead(self.web);
            if visit.is_again() {
                self.open_again(visit);
                continue;
            }
            let host = self.web.host(visit.page());
            let is_best = at_hand.is_none_or(|at_hand| visit.priority() < at_hand);
            if is_best && self.bench.may_ask(host, self.load.time_ms) {
                return Some(visit);
            }
            self.bench.park(host, visit, self.load.time_ms);
        }
    }

    fn begin(&mut self, visit: Visit<S::Trail>) {
        self.begun += 1;
        self.bench.ask(self.web.host(visit.page()));
        let ends = self.load.time_ms + self.duration(visit.page());
        let place = self.free.pop().unwrap_or_else(|| {
            self.visits.push(None);
            self.visits.len() - 1
        });
        self.visits[place] = Some(visit);
        self.under_way.push(Reverse((ends, self.begun, place)));
    }

    fn duration(&self, page: PageId) -> u64 {
        let transfer = self.web.transfer(page);
        if !transfer.answered || self.fails(page) {
            return self.pace.timeout_ms;
        }
        let recorded = transfer.latency_ms.unwrap_or(self.pace.usual_latency_ms);
        let latency = u64::from(self.pace.latency_ms.unwrap_or(recorded));
        let rate = self.pace.bytes_per_second;
        latency + rate.map_or(0, |rate| (transfer.bytes * 1000).div_ceil(rate.max(1)))
    }

    /// Whether the fetch fails although the crawl log has an answer: a matter of the page and the seed.
    fn fails(&self, page: PageId) -> bool {
        // Not the numbers that others draw for the same page with the same seed.
        const FAILURES: u64 = 0x6661_696c;
        crate::draw_fraction(self.pace.seed ^ FAILURES << 32, u64::from(page.0))
            < self.pace.failures
    }

    fn end_one(&mut self) {
        let Reverse((.., place)) = self.under_way.pop().expect("a fetch is under way");
        let visit = self.visits[place].take().expect("a fetch under way has its visit");
        self.free.push(place);
        let (page, now) = (visit.page(), Time(self.load.time_ms));
        let host = self.web.host(page);
        let failed = self.fails(page);
        self.crawl.hold(self.bench.len());
        let standing = match self.web.fetch(page) {
            Ok(fetched) if failed => self.crawl.visited(visit, &Unanswered(fetched), now),
            Ok(fetched) => self.crawl.visited(visit, &fetched, now),
            Err(why) => {
                self.crawl.failed(visit, why, now);
                self.bench.release(host, now.0, self.pace.interval_ms);
                return;
            }
        };
        match standing {
            Some(Standing::Raised) => self.bench.raise(host),
            Some(Standing::Abandoned) => {
                let crawl = &mut *self.crawl;
                self.bench.abandon(host, |visit| crawl.withdraw(visit));
            }
            None => {}
        }
        self.bench.release(host, now.0, self.pace.interval_ms);
        let transfer = self.web.transfer(page);
        if transfer.answered && !failed {
            self.load.bytes += transfer.bytes;
        }
        self.counted += 1;
        self.load.parked = self.bench.len() as u64;
        self.load.hosts_waiting = self.bench.hosts_waiting();
        (self.progress)(self.counted, &self.load);
    }

    /// A page wanted only for its links has been fetched before and costs nothing.
    fn open_again(&mut self, visit: Visit<S::Trail>) {
        let now = Time(self.load.time_ms);
        let failed = self.fails(visit.page());
        match self.web.fetch(visit.page()) {
            Ok(page) if failed => {
                self.crawl.visited(visit, &Unanswered(page), now);
            }
            Ok(page) => {
                self.crawl.visited(visit, &page, now);
            }
            Err(why) => self.crawl.failed(visit, why, now),
        }
    }
}

/// A page that did not come.
struct Unanswered<P>(P);

impl<P: Page> Page for Unanswered<P> {
    type Link<'a>
        = P::Link<'a>
    where
        Self: 'a;
    fn outcome(&self) -> Outcome {
        Outcome::Other
    }
    fn host(&self) -> HostId {
        self.0.host()
    }
    fn directory(&self) -> Option<DirectoryId> {
        self.0.directory()
    }
    fn language(&self) -> Option<Language> {
        None
    }
    fn links(&self) -> impl Iterator<Item = Self::Link<'_>> {
        std::iter::empty()
    }
}
