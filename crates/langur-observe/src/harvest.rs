//! Counting what was fetched.

use langur_crawl::{Observer, Outcome, PageId, Time, Visited};

/// How much was fetched and how much of it was wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Harvest {
    /// Pages fetched.
    pub fetched: u64,
    /// Of these, OK HTML.
    pub ok_html: u64,
    /// Of these, relevant.
    pub relevant: u64,
    /// Pages that were asked for and not there; they do not count as fetched.
    pub missing: u64,
}

impl Harvest {
    /// Relevant pages per page fetched.
    pub fn rate(&self) -> f64 {
        ratio(self.relevant, self.fetched)
    }

    /// Relevant pages per OK HTML page fetched.
    pub fn rate_html(&self) -> f64 {
        ratio(self.relevant, self.ok_html)
    }
}

pub(crate) fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl<T> Observer<T> for Harvest {
    #[inline]
    fn visited(&mut self, visited: &Visited<T>, _: usize, _: Time) {
        self.fetched += 1;
        self.ok_html += u64::from(visited.outcome == Outcome::OkHtml);
        self.relevant += u64::from(visited.is_relevant());
    }

    fn failed(&mut self, _: PageId, _: usize, _: Time) {
        self.missing += 1;
    }
}

/// The largest number of pages that waited after a visit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueSize {
    /// The largest so far.
    pub largest: u64,
}

impl<T> Observer<T> for QueueSize {
    #[inline]
    fn visited(&mut self, _: &Visited<T>, waiting: usize, _: Time) {
        self.largest = self.largest.max(waiting as u64);
    }
}

/// The hosts on which a relevant page was found.
#[derive(Clone, Debug)]
pub struct RelevantHosts {
    seen: Vec<bool>,
    /// How many so far.
    pub count: u64,
}

impl RelevantHosts {
    /// For a web of so many hosts, as far as that is known.
    pub fn new(hosts: usize) -> RelevantHosts {
        RelevantHosts { seen: vec![false; hosts], count: 0 }
    }
}

impl<T> Observer<T> for RelevantHosts {
    #[inline]
    fn visited(&mut self, visited: &Visited<T>, _: usize, _: Time) {
        if !visited.is_relevant() {
            return;
        }
        let host = visited.host.0 as usize;
        if host >= self.seen.len() {
            self.seen.resize(host + 1, false);
        }
        self.count += u64::from(!std::mem::replace(&mut self.seen[host], true));
    }
}
