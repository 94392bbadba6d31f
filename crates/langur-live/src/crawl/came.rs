//! What came of a request.

use std::collections::HashMap;
use std::time::Duration;

use langur_crawl::{HostId, Outcome, PageId};
use langur_fetch::{Failed, FailureKind};

use super::{Done, LiveCrawl, LiveError};
use crate::journal::{self, ErrandKind, Event, LinkRow, Moment, Place, Visited};
use crate::state::asks_for_patience;
use crate::workbench::Job;
use crate::workshop::{Came, PageRead, Read, Resolved, date, is_temporary};

/// A host that asks for patience is given up after so many times as many pages as one that does not answer.
const PATIENCE: u8 = 4;

impl LiveCrawl {
    pub(super) fn came(&mut self, job: Job, result: Result<Done, Failed>) -> Result<(), LiveError> {
        let url = self.under_way.remove(&job.host().0).map(|under_way| under_way.url);
        let (url, at) = (url.unwrap_or_default(), self.now());
        match (job, result) {
            (job, Err(failed)) => self.failed(&job, &failed, at),
            (Job::Resolve { host }, Ok(Done::Resolved(resolved))) => {
                self.resolved(host, &resolved, at)
            }
            (Job::Robots { host }, Ok(Done::Came(came))) => {
                self.robots_came((host, host, 0), &url, *came, at)
            }
            (
                Job::Errand { host, for_host, kind: ErrandKind::Robots(hops), .. },
                Ok(Done::Came(came)),
            ) => self.robots_came((for_host, host, hops), &url, *came, at),
            (
                Job::Errand {
                    host,
                    for_host,
                    url,
                    kind:
                        kind @ (ErrandKind::Sitemap(_)
                        | ErrandKind::MovedSitemap { .. }
                        | ErrandKind::NamedSitemap { .. }),
                },
                Ok(Done::Came(came)),
            ) => self.sitemap_came((for_host, host, kind), &url, *came, at),
            (Job::Page { host, page, attempts }, Ok(Done::Came(came))) => {
                self.page_came(host, page, attempts, *came, at)
            }
            (_, Ok(_)) => unreachable!("jobs bring what they were sent for"),
        }
    }

    /// Counts what came and is no visit.
    pub(super) fn received(&mut self, came: &Came, at: Moment) -> Result<(), LiveError> {
        self.record(&Event::Received { at, bytes: came.received })
    }

    /// A host that says for how long it wants to be left alone is, also if it is not asked for the same again.
    pub(super) fn leave_alone(
        &mut self,
        host: HostId,
        came: &Came,
        at: Moment,
    ) -> Result<(), LiveError> {
        if came.retry_after.is_none() {
            return Ok(());
        }
        let until = at + self.patience(came.retry_after, 0);
        let why = format!("it answered {}", came.status);
        self.record(&Event::LeftAlone { at, host: host.0, until, why: &why })
    }

    /// Puts the records of an answer into the archive.
    pub(super) fn archive(&mut self, came: &Came) -> Result<Option<Place>, LiveError> {
        if came.archived.packed.bytes.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.archiving.add(&came.archived.packed, &date(came.began / 1000))?))
    }

    fn page_came(
        &mut self,
        host: HostId,
        page: PageId,
        attempts: u8,
        came: Came,
        at: Moment,
    ) -> Result<(), LiveError> {
        let archived = self.archive(&came)?;
        if asks_for_patience(came.status) && attempts < self.settings.fetch.retries {
            let until = at + self.patience(came.retry_after, attempts);
            let why = format!("it answered {}", came.status);
            let (host, page) = (host.0, Some(page.0));
            self.received(&came, at)?;
            return self.record(&Event::Postponed { at, host, page, until, why: &why, archived });
        }
        let read = match &came.read {
            Read::Page(read) => read,
            Read::Failed(why) => {
                let none = Unanswered { why, lasted_ms: came.lasted_ms, received: came.received };
                return self.unanswered(page, &none, at);
            }
            _ => unreachable!("pages are read as pages"),
        };
        self.visited(page, &came, read, archived, at)?;
        if asks_for_patience(came.status) {
            self.leave_alone(host, &came, at)?;
            return self.give_up_if_unwilling(host, came.status, at);
        }
        self.look_for_sitemaps(host, at)
    }

    /// Writes down a visit with its links, the new ones of which get numbers.
    fn visited(
        &mut self,
        page: PageId,
        came: &Came,
        read: &PageRead,
        archived: Option<Place>,
        at: Moment,
    ) -> Result<(), LiveError> {
        let extract = &read.extract;
        let mut new: Vec<&str> = Vec::new();
        let found = read.links.iter();
        let mut links = Vec::with_capacity(found.len());
        let first_new = self.state.known.pages() as u32;
        let mut numbers = HashMap::new();
        // Redirects without end are a trap.
        let is_trap = extract.outcome == Outcome::Redirect
            && self.state.hops(page) >= self.settings.fetch.redirects;
        for (link, url) in found {
            let known = self.state.known.find(link.fingerprint).map(|page| page.0);
            let number = known.unwrap_or_else(|| {
                *numbers.entry(url).or_insert_with(|| {
                    new.push(url);
                    first_new + new.len() as u32 - 1
                })
            });
            links.push(LinkRow {
                page: number,
                offered: link.offered && !is_trap,
                origin: link.origin,
                anchor: link.anchor.as_ref().map_or("", |tag| tag.as_str()),
                scores: link.scores,
            });
        }
        // A redirect that leads out of the crawl leads nowhere.
        let outcome = match extract.outcome {
            Outcome::Redirect if !links.iter().any(|link| link.offered) => Outcome::Other,
            outcome => outcome,
        };
        let languages =
            extract.languages.iter().map(|it| it.as_ref().map_or("", |tag| tag.as_str()));
        let visited = Visited {
            at,
            began: came.began,
            lasted_ms: came.lasted_ms,
            page: page.0,
            status: came.status,
            failure: "",
            media_type: &extract.media_type,
            bytes: read.bytes,
            received: came.received,
            charset: extract.charset,
            digest: came.archived.digest,
            archived,
            repeats: came.archived.repeats,
            outcome: outcome.into(),
            gateway: extract.gateway,
            noindex: read.noindex,
            languages: languages.collect(),
            topic: extract.topics.first().copied(),
            new,
            links,
            trapped: extract.trapped + u32::from(is_trap),
        };
        self.record(&Event::Visited(Box::new(visited)))
    }

    /// Where nobody could complain, nobody is asked: strangers get a contact address with every request.
    fn resolved(&mut self, host: HostId, resolved: &Resolved, at: Moment) -> Result<(), LiveError> {
        let address = resolved.addresses.first().copied();
        let is_stranger = address.is_some_and(|address| !address.is_loopback());
        if is_stranger && !self.settings.says_who_asks() {
            let why = "strangers are not asked without a contact address: give one with --contact";
            return self.give_up(host, why, at);
        }
        let archived = match &resolved.packed {
            Some(packed) => Some(self.archiving.add(packed, &date(at / 1000))?),
            None => None,
        };
        self.record(&Event::Resolved { at, host: host.0, address, archived })
    }

    /// Nothing came.
    fn failed(&mut self, job: &Job, failed: &Failed, at: Moment) -> Result<(), LiveError> {
        let host = job.host();
        let why = failed.to_string();
        match failed.kind {
            FailureKind::NoSuchHost | FailureKind::PrivateAddress => {
                return self.give_up(host, &why, at);
            }
            _ => {}
        }
        let (page, attempts) = match job {
            Job::Page { page, attempts, .. } => (Some(*page), *attempts),
            _ => (None, self.state.workbench.failures(host)),
        };
        let is_worth_it = is_temporary(failed.kind) && attempts < self.settings.fetch.retries;
        match page {
            // What is no page is no loss.
            None if !is_worth_it
                && let Job::Errand { kind, .. } = job
                && !kind.is_for_robots() =>
            {
                return self.errand_in_vain(host, *kind);
            }
            Some(page) if !is_worth_it => {
                let lasted_ms = u32::try_from(failed.lasted.as_millis()).unwrap_or(u32::MAX);
                self.unanswered(page, &Unanswered { why: &why, lasted_ms, received: 0 }, at)?;
            }
            page => {
                let until = at + self.patience(None, attempts);
                let (host, page, archived) = (host.0, page.map(|page| page.0), None);
                self.record(&Event::Postponed { at, host, page, until, why: &why, archived })?;
            }
        }
        self.give_up_if_hopeless(host, &why, at)
    }

    /// A visit ends without an answer that is of use.
    fn unanswered(
        &mut self,
        page: PageId,
        none: &Unanswered<'_>,
        at: Moment,
    ) -> Result<(), LiveError> {
        self.record(&Event::Visited(Box::new(Visited {
            at,
            began: at.saturating_sub(u64::from(none.lasted_ms)),
            lasted_ms: none.lasted_ms,
            page: page.0,
            status: 0,
            failure: none.why,
            media_type: "",
            bytes: 0,
            received: none.received,
            charset: "",
            digest: [0; 20],
            archived: None,
            repeats: false,
            outcome: journal::Came::Other,
            gateway: false,
            noindex: false,
            languages: Vec::new(),
            topic: None,
            new: Vec::new(),
            links: Vec::new(),
            trapped: 0,
        })))
    }

    /// How long a host is left alone, in milliseconds: as long as it asks for, or longer each time.
    pub(super) fn patience(&self, asked_for: Option<Duration>, attempts: u8) -> u64 {
        let fetch = &self.settings.fetch;
        let longest = fetch.longest_retry_after.as_ms();
        let own = fetch.retry_after.as_ms().saturating_mul(4_u64.saturating_pow(attempts.into()));
        let asked_for = asked_for.map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
        asked_for.unwrap_or(own).min(longest)
    }

    pub(super) fn give_up_if_hopeless(
        &mut self,
        host: HostId,
        why: &str,
        at: Moment,
    ) -> Result<(), LiveError> {
        let failures = self.state.workbench.failures(host);
        if failures < self.settings.fetch.give_up_after {
            return Ok(());
        }
        self.give_up(host, &format!("{why}, the last of {failures} failures in a row"), at)
    }

    /// A host that asks for patience is there, and gets more of it; but not for ever.
    fn give_up_if_unwilling(
        &mut self,
        host: HostId,
        status: u16,
        at: Moment,
    ) -> Result<(), LiveError> {
        let failures = self.state.workbench.failures(host);
        if failures < self.settings.fetch.give_up_after.saturating_mul(PATIENCE) {
            return Ok(());
        }
        let why =
            format!("it answered {status} for each of the last {failures} pages, again and again");
        self.give_up(host, &why, at)
    }

    /// Gives up a host, and those whose robots.txt it was to be asked for.
    pub(super) fn give_up(&mut self, host: HostId, why: &str, at: Moment) -> Result<(), LiveError> {
        let others = self.state.workbench.asked_for_robots_of(host);
        let name = self.host_name(host);
        for other in others {
            let why = format!("its robots.txt is at {name}, which is given up");
            self.record(&Event::GivenUp { at, host: other.0, why: &why })?;
        }
        self.record(&Event::GivenUp { at, host: host.0, why })
    }
}

/// A visit that brought nothing.
struct Unanswered<'a> {
    why: &'a str,
    lasted_ms: u32,
    /// More than nothing if the host has answered, and the answer could not be read.
    received: u64,
}
