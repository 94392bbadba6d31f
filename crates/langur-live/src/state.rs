//! The state of a crawl: what its events made of it.

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use langur_crawl::{HostId, PageId, Standing, Time};
use langur_page::without_port;
use langur_robots::Robots;

use crate::decisions::Decisions;
use crate::journal::{self, ErrandKind, Event, Frame, Moment, Passed, Place};
use crate::known::{Known, Text, Way};
use crate::page::{LiveLink, LivePage};
use crate::repeated::Payloads;
use crate::settings::Stop;
use crate::workbench::{KeptRobots, Manners, Workbench};

/// The state of a crawl. It changes by [`State::apply`] alone, so that replaying the journal gives the same state
/// again, whatever happened to the process.
pub struct State {
    /// All that was heard of.
    pub known: Known,
    /// Strategy and frontier.
    pub decisions: Box<dyn Decisions>,
    /// Visits that have begun.
    pub workbench: Workbench,
    /// What is archived.
    pub payloads: Arc<Payloads>,
    /// What was counted.
    pub tally: Tally,
    /// Hosts and domains that the user wants nothing more from.
    pub blocked: BTreeSet<String>,
    /// Requests to each registrable domain.
    pub domain_asked: Vec<u32>,
    /// Where the archive ends: the last file, and its length.
    pub archive_end: Option<(u32, u64)>,
    /// When the crawl was begun.
    pub began: Option<Moment>,
    /// Why it was stopped; nothing while it runs, and after it was killed.
    pub ended: Option<String>,
    /// Hosts whose sitemaps are or were asked for, and how many.
    pub sitemaps: HashMap<u32, u32>,
    /// Pages that the user gave to start from, whatever the scope.
    pub given: HashSet<u32>,
    /// Pages that were passed over, but for those of hosts that are given up, which have them.
    passed_over: HashSet<u32>,
    /// Redirects in a row that led to pages not yet visited.
    hops: HashMap<u32, u8>,
    /// Sitemaps that were asked for.
    sitemap_urls: HashSet<u128>,
    setting: StateSetting,
    /// When something last happened.
    pub last: Moment,
    /// Whether the user has paused it, or it waits for room on the disk: that is no time at work.
    pub paused: bool,
}

/// What the state needs to know to make the same of the same events.
#[derive(Clone, Debug)]
pub struct StateSetting {
    /// Which of a page's languages is the one.
    pub label: usize,
    /// How hosts are treated.
    pub manners: Manners,
    /// What the crawler is called in robots.txt.
    pub product: String,
}

/// What was counted.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Visits that were made.
    pub fetched: u64,
    /// Of these, OK HTML.
    pub ok_html: u64,
    /// Of these, relevant.
    pub relevant: u64,
    /// Bytes received.
    pub received: u64,
    /// Bytes of payloads.
    pub bytes: u64,
    /// Visits without an answer.
    pub unanswered: u64,
    /// Redirects.
    pub redirects: u64,
    /// Answers with a status from 400 on.
    pub refused: u64,
    /// Answers that repeat another.
    pub repeated: u64,
    /// Requests that will be made again.
    pub postponed: u64,
    /// Visits that were not made, by reason.
    pub passed: [u64; 5],
    /// Requests for robots.txt.
    pub robots: u64,
    /// Hosts with a relevant page.
    pub relevant_hosts: HashSet<u32>,
    /// Links out of the scope, or that were not to be followed.
    pub not_followed: u64,
    /// Links that looked like a trap's.
    pub trapped: u64,
    /// Whether each of the last fetches was relevant.
    pub recent: VecDeque<bool>,
    /// Milliseconds between beginning, or being taken up again, and the last event.
    pub busy_ms: u64,
}

impl Tally {
    /// The share of the last fetches that was relevant, once there are enough.
    pub fn recent_harvest(&self) -> Option<f64> {
        let relevant = self.recent.iter().filter(|relevant| **relevant).count();
        (self.recent.len() == Stop::HARVEST_WINDOW)
            .then(|| relevant as f64 / self.recent.len() as f64)
    }
}

impl State {
    /// Nothing has happened yet.
    pub fn new(decisions: Box<dyn Decisions>, setting: StateSetting) -> State {
        State {
            known: Known::default(),
            decisions,
            workbench: Workbench::new(setting.manners),
            payloads: Arc::default(),
            tally: Tally::default(),
            blocked: BTreeSet::new(),
            domain_asked: Vec::new(),
            archive_end: None,
            began: None,
            ended: None,
            sitemaps: HashMap::new(),
            given: HashSet::new(),
            passed_over: HashSet::new(),
            hops: HashMap::new(),
            sitemap_urls: HashSet::new(),
            setting,
            last: 0,
            paused: false,
        }
    }

    /// Something happened. Events that this version does not know change nothing.
    pub fn apply(&mut self, frame: Frame<'_>) {
        let Some(event) = frame.event() else { return };
        match event {
            Event::Began { at, .. } => {
                self.began.get_or_insert(at);
                (self.last, self.ended, self.paused) = (at, None, false);
                self.workbench.taken_up(at);
            }
            Event::Seeds { at, urls, given } => self.seeds(frame, at, &urls, given),
            Event::Next => self.next(),
            Event::Asked { at, host } => self.asked(at, HostId(host)),
            Event::Resolved { at, host, address, archived } => {
                self.pass(at);
                self.archived(archived);
                self.workbench.resolved(HostId(host), address, at);
            }
            Event::Robots(robots) => self.robots(frame, &robots),
            Event::Errand { at, host, url, kind } => self.errand(at, HostId(host), url, kind),
            Event::Answered { at, host, archived, lasted_ms } => {
                self.pass(at);
                self.archived(archived);
                self.workbench.answered(HostId(host), at, lasted_ms, true);
            }
            Event::ErrandDone { at, host, kind, archived, lasted_ms } => {
                self.pass(at);
                self.archived(archived);
                self.workbench.errand_done(HostId(host), kind);
                self.workbench.answered(HostId(host), at, lasted_ms, true);
            }
            Event::Visited(visited) => self.visited(frame, &visited),
            Event::Passed { at, page, why } => self.passed(at, PageId(page), why),
            Event::Postponed { at, host, page, until, why, archived } => {
                self.pass(at);
                self.archived(archived);
                self.tally.postponed += 1;
                self.workbench.postponed(HostId(host), page.map(PageId), until, why, at);
            }
            Event::LeftAlone { at, host, until, why } => {
                self.pass(at);
                self.workbench.leave_alone(HostId(host), until, why, at);
            }
            Event::Received { at, bytes } => {
                self.pass(at);
                self.tally.received += bytes;
            }
            Event::GivenUp { at, host, why } => {
                self.pass(at);
                self.workbench.give_up(HostId(host), why, at);
            }
            Event::Retried { at, host } => {
                self.pass(at);
                let pages = self.workbench.retry(HostId(host), at);
                self.tally.passed[Passed::HostGivenUp as usize] -= pages as u64;
            }
            Event::Blocked { name, .. } => {
                self.blocked.insert(name.to_owned());
            }
            Event::Unblocked { name, .. } => {
                self.blocked.remove(name);
            }
            Event::Paused { at } => {
                self.pass(at);
                self.paused = true;
            }
            Event::WentOn { at } => {
                self.pass(at);
                self.paused = false;
            }
            Event::Ended { at, why } => {
                self.pass(at);
                self.ended = Some(why.to_owned());
            }
        }
    }

    /// Whether a sitemap was asked for.
    pub fn has_sitemap(&self, url: &str) -> bool {
        self.sitemap_urls.contains(&xxhash_rust::xxh3::xxh3_128(url.as_bytes()))
    }

    /// Redirects in a row that led to a page.
    pub fn hops(&self, page: PageId) -> u8 {
        self.hops.get(&page.0).copied().unwrap_or(0)
    }

    /// Milliseconds at work until now, whether or not anything has happened since the last event.
    pub fn busy_ms(&self, now: Moment) -> u64 {
        self.tally.busy_ms + if self.paused { 0 } else { now.saturating_sub(self.last) }
    }

    fn pass(&mut self, at: Moment) {
        (self.tally.busy_ms, self.last) = (self.busy_ms(at), at.max(self.last));
    }

    /// The crawl's own clock: milliseconds since it was begun.
    fn time(&self, at: Moment) -> Time {
        Time(at.saturating_sub(self.began.unwrap_or(at)))
    }

    fn archived(&mut self, place: Option<Place>) {
        if let Some(place) = place {
            self.archive_end = Some((place.file, place.end));
        }
    }

    fn seeds<'j>(&mut self, frame: Frame<'j>, at: Moment, urls: &[&'j str], given: bool) {
        self.pass(at);
        for url in urls {
            let text = Text::new(frame.place_of(url), url.len());
            if let Some(page) = self.known.add(url, text, Way { via: None, depth: 0 }) {
                if given {
                    self.given.insert(page.0);
                    self.known.begin_with(page);
                    if self.passed_over.remove(&page.0) {
                        self.decisions.forget(page);
                    }
                }
                self.decisions.seed(LiveLink::seed(&self.known, page));
            }
        }
    }

    fn next(&mut self) {
        if let Some(begun) = self.decisions.next() {
            let host = self.known.host(begun.page);
            self.workbench.park(host, begun.page, begun.priority, self.last);
        }
    }

    fn asked(&mut self, at: Moment, host: HostId) {
        self.pass(at);
        self.workbench.asked(host, at);
        let domain = self.known.domain(host) as usize;
        if domain >= self.domain_asked.len() {
            self.domain_asked.resize(domain + 1, 0);
        }
        self.domain_asked[domain] += 1;
    }

    fn robots<'j>(&mut self, frame: Frame<'j>, robots: &journal::Robots<'j>) {
        self.pass(robots.at);
        self.archived(robots.archived);
        self.tally.robots += 1;
        let (host, asked) = (HostId(robots.host), HostId(robots.asked));
        let rules = Robots::parse(robots.body, &self.setting.product);
        let delay = rules.crawl_delay();
        let delay_ms = delay.map(|delay| u64::try_from(delay.as_millis()).unwrap_or(u64::MAX));
        let kept = KeptRobots {
            until: robots.at + self.setting.manners.robots_ms,
            at: frame.place_of_bytes(robots.body),
            length: robots.body.len() as u32,
        };
        if robots.errand {
            self.workbench.errand_done(asked, ErrandKind::Robots(0));
        }
        self.workbench.answered(asked, robots.at, robots.lasted_ms, true);
        self.workbench.robots(host, kept, delay_ms, robots.at);
    }

    fn errand(&mut self, at: Moment, for_host: HostId, url: &str, kind: ErrandKind) {
        self.pass(at);
        if !kind.is_for_robots() {
            if !self.sitemap_urls.insert(xxhash_rust::xxh3::xxh3_128(url.as_bytes())) {
                return;
            }
            *self.sitemaps.entry(for_host.0).or_default() += 1;
        }
        if let Some(host) = self.known.add_host_of(url) {
            self.workbench.send(host, for_host, url, kind, at);
        }
    }

    fn visited<'j>(&mut self, frame: Frame<'j>, visited: &journal::Visited<'j>) {
        self.pass(visited.at);
        let page = PageId(visited.page);
        let host = self.known.host(page);
        let is_redirect = visited.outcome == journal::Came::Redirect;
        let depth = self.known.way(page).depth.saturating_add(u8::from(!is_redirect));
        let hops = self.hops.remove(&page.0).unwrap_or(0).saturating_add(1);
        for url in &visited.new {
            let text = Text::new(frame.place_of(url), url.len());
            let new = self.known.add(url, text, Way { via: Some(page), depth });
            if let Some(new) = new.filter(|_| is_redirect) {
                self.hops.insert(new.0, hops);
            }
        }
        let attempts = self.workbench.remove(host, page);
        let seen = LivePage::new(&self.known, visited, self.setting.label);
        let time = Time(visited.at.saturating_sub(self.began.unwrap_or(visited.at)));
        let ended = self.decisions.visited(page, seen, self.workbench.len(), time);
        let decisions = &mut self.decisions;
        match ended.standing {
            Some(Standing::Raised) => self.workbench.raise(host, |page| decisions.raise(page)),
            Some(Standing::Abandoned) => {
                self.workbench.abandon(host, |page| decisions.withdraw(page));
            }
            None => {}
        }
        match visited.status {
            // Where something came, it is not the host that failed.
            0 if visited.received == 0 => {
                self.workbench.failed(host, attempts == 0, visited.at);
            }
            status => {
                let willing = !asks_for_patience(status);
                self.workbench.answered(host, visited.at, visited.lasted_ms, willing);
            }
        }
        self.archived(visited.archived);
        if visited.archived.is_some() && !visited.repeats {
            self.payloads.add(visited.digest, self.known.text(page), visited.began);
        }
        self.count(visited, host, ended.relevant);
    }

    /// Whether the user wants nothing more from a host: it was blocked, or what it is below, on its port or on any.
    pub fn is_blocked(&self, host: HostId) -> bool {
        let name = self.known.host_name(host);
        let is_below = |name: &str, blocked: &str| {
            let parent = name.strip_suffix(blocked);
            parent.is_some_and(|parent| parent.is_empty() || parent.ends_with('.'))
        };
        self.blocked
            .iter()
            .any(|blocked| is_below(name, blocked) || is_below(without_port(name), blocked))
    }

    fn count(&mut self, visited: &journal::Visited, host: HostId, relevant: bool) {
        let tally = &mut self.tally;
        tally.fetched += 1;
        tally.ok_html += u64::from(visited.outcome == journal::Came::OkHtml);
        tally.relevant += u64::from(relevant);
        tally.received += visited.received;
        tally.bytes += visited.bytes;
        tally.unanswered += u64::from(visited.status == 0);
        tally.redirects += u64::from(visited.outcome == journal::Came::Redirect);
        tally.refused += u64::from(visited.status >= 400);
        tally.repeated += u64::from(visited.repeats);
        tally.trapped += u64::from(visited.trapped);
        tally.not_followed += visited.links.iter().filter(|link| !link.offered).count() as u64;
        if relevant {
            tally.relevant_hosts.insert(host.0);
        }
        if tally.recent.len() == Stop::HARVEST_WINDOW {
            tally.recent.pop_front();
        }
        tally.recent.push_back(relevant);
    }

    fn passed(&mut self, at: Moment, page: PageId, why: Passed) {
        self.pass(at);
        self.tally.passed[why as usize] += 1;
        let host = self.known.host(page);
        if why == Passed::HostGivenUp {
            // Its visit does not end: the host may be asked again.
            return self.workbench.set_aside(host, page, at);
        }
        self.hops.remove(&page.0);
        self.workbench.remove(host, page);
        self.workbench.spared(host, at);
        self.decisions.failed(page, self.workbench.len(), self.time(at));
        self.passed_over.insert(page.0);
    }
}

/// Whether a status says that the host is asked too much, or cannot answer just now.
pub fn asks_for_patience(status: u16) -> bool {
    matches!(status, 429 | 502 | 503 | 504)
}
