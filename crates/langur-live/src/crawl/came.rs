//! What came of a request.

use std::collections::HashMap;
use std::time::Duration;

use langur_crawl::{HostId, Outcome, PageId};
use langur_fetch::{Failed, FailureKind};
use langur_page::{Address, Base, registrable_domain};
use langur_robots::sitemap::Sitemap;

use super::{Done, LiveCrawl, LiveError};
use crate::journal::{self, ErrandKind, Event, LinkRow, Moment, Place, Visited};
use crate::settings::Sitemaps;
use crate::state::asks_for_patience;
use crate::workbench::Job;
use crate::workshop::{Came, PageRead, Read, Resolved, date, is_temporary};

/// As many redirects of a robots.txt are followed as RFC 9309 asks for, and as many of a sitemap.
const REDIRECTS: u8 = 5;

/// Sitemaps of a host that are read, those in lists of sitemaps included.
const MOST_SITEMAPS: u32 = 50;

/// Lists of lists of sitemaps.
const SITEMAP_DEPTH: u8 = 3;

/// Seeds an event.
const SEEDS: usize = 1000;

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
                    kind: kind @ (ErrandKind::Sitemap(_) | ErrandKind::MovedSitemap { .. }),
                },
                Ok(Done::Came(came)),
            ) => self.sitemap_came((for_host, host, kind), &url, *came, at),
            (Job::Page { host, page, attempts }, Ok(Done::Came(came))) => {
                self.page_came(host, page, attempts, *came, at)
            }
            (_, Ok(_)) => unreachable!("jobs bring what they were sent for"),
        }
    }

    /// Puts the records of an answer into the archive.
    fn archive(&mut self, came: &Came) -> Result<Option<Place>, LiveError> {
        if came.archived.packed.bytes.is_empty() {
            return Ok(None);
        }
        Ok(Some(self.archiving.append(&came.archived.packed, &date(came.began / 1000))?))
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
            let page = Some(page.0);
            self.record(&Event::Postponed { at, host: host.0, page, until, why: &why, archived })?;
            return self.give_up_if_hopeless(host, &why, at);
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
            return self.give_up_if_hopeless(host, &format!("it answered {}", came.status), at);
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
        let mut links = Vec::with_capacity(read.links.len());
        let first_new = self.state.known.pages() as u32;
        let mut numbers = HashMap::new();
        for link in &read.links {
            let known = self.state.known.find(link.fingerprint).map(|page| page.0);
            let number = known.unwrap_or_else(|| {
                *numbers.entry(link.url.as_str()).or_insert_with(|| {
                    new.push(&link.url);
                    first_new + new.len() as u32 - 1
                })
            });
            links.push(LinkRow {
                page: number,
                offered: link.offered,
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
            trapped: extract.trapped,
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
            Some(packed) => Some(self.archiving.append(packed, &date(at / 1000))?),
            None => None,
        };
        self.record(&Event::Resolved { at, host: host.0, address, archived })
    }

    /// A robots.txt of `host`, for which `asked` was asked after so many redirects.
    fn robots_came(
        &mut self,
        (host, asked, hops): (HostId, HostId, u8),
        url: &str,
        came: Came,
        at: Moment,
    ) -> Result<(), LiveError> {
        let archived = self.archive(&came)?;
        let body = match &came.read {
            Read::Robots(body) => body,
            // What it says is not known, as if it had not been reached.
            Read::Failed(why) => {
                let why = format!("its robots.txt: {why}");
                return self.robots_unreachable(asked, &came, &why, archived, at);
            }
            _ => unreachable!("robots.txt is read as such"),
        };
        let body = match came.status {
            200..=299 => &body[..],
            300..=399 if hops < REDIRECTS => {
                if let Some(to) = redirected(url, &came) {
                    // What follows from an answer is written down before the answer, so that a kill between the two
                    // loses nothing: then the answer is asked for again.
                    let (url, kind) = (to.to_string(), ErrandKind::Robots(hops + 1));
                    self.record(&Event::Errand { at, host: host.0, url: &url, kind })?;
                    let (asked, lasted_ms) = (asked.0, came.lasted_ms);
                    return self.record(&match hops {
                        0 => Event::Answered { at, host: asked, archived, lasted_ms },
                        _ => {
                            let kind = ErrandKind::Robots(hops);
                            Event::ErrandDone { at, host: asked, kind, archived, lasted_ms }
                        }
                    });
                }
                &[]
            }
            429 | 500..=599 => {
                let why = format!("its robots.txt was answered {}", came.status);
                return self.robots_unreachable(asked, &came, &why, archived, at);
            }
            // There is none, which allows everything (RFC 9309, 2.3.1.3).
            _ => &[],
        };
        self.record(&Event::Robots(journal::Robots {
            at,
            host: host.0,
            asked: asked.0,
            errand: hops > 0,
            status: came.status,
            body,
            archived,
            lasted_ms: came.lasted_ms,
        }))
    }

    /// Nothing is asked of a host whose rules cannot be had (RFC 9309, 2.3.1.4); it is asked for them again.
    fn robots_unreachable(
        &mut self,
        asked: HostId,
        came: &Came,
        why: &str,
        archived: Option<Place>,
        at: Moment,
    ) -> Result<(), LiveError> {
        let failures = self.state.workbench.failures(asked);
        let until = at + self.patience(came.retry_after, failures);
        let (host, page) = (asked.0, None);
        self.record(&Event::Postponed { at, host, page, until, why, archived })?;
        self.give_up_if_hopeless(asked, why, at)
    }

    /// A sitemap for `for_host`, for which `host` was asked.
    fn sitemap_came(
        &mut self,
        (for_host, host, kind): (HostId, HostId, ErrandKind),
        url: &str,
        came: Came,
        at: Moment,
    ) -> Result<(), LiveError> {
        let archived = self.archive(&came)?;
        match (came.status, &came.read) {
            (200, Read::Sitemap(sitemap)) => {
                self.take_sitemap(for_host, url, kind.depth(), sitemap, at)?;
            }
            (300..=399, _) if kind.hops() < REDIRECTS => {
                self.follow_sitemap((for_host, host, kind), url, &came, at)?;
            }
            // One that is not there or cannot be read is no loss.
            _ => {}
        }
        let lasted_ms = came.lasted_ms;
        self.record(&Event::ErrandDone { at, host: host.0, kind, archived, lasted_ms })
    }

    /// A sitemap is elsewhere. Another host is asked for it if what is there belongs to the crawl; its own was asked
    /// already. One that was asked for before is not asked for again, so loops end.
    fn follow_sitemap(
        &mut self,
        (for_host, asked, kind): (HostId, HostId, ErrandKind),
        url: &str,
        came: &Came,
        at: Moment,
    ) -> Result<(), LiveError> {
        let Some(to) = redirected(url, came) else { return Ok(()) };
        let is_same_host = to.host == self.state.known.host_name(asked);
        let is_wanted = is_same_host || self.workshop.scope.admits(&to, 0).is_ok();
        let to = to.to_string();
        if !is_wanted || self.state.has_sitemap(&to) {
            return Ok(());
        }
        self.ask_for_sitemap(for_host, &to, kind.moved(), at)
    }

    /// Pages of the same domain that a sitemap lists are seeds, if they belong to the crawl.
    fn take_sitemap(
        &mut self,
        for_host: HostId,
        url: &str,
        depth: u8,
        sitemap: &Sitemap,
        at: Moment,
    ) -> Result<(), LiveError> {
        let domain = registrable_domain(self.state.known.host_name(for_host)).to_owned();
        let Ok(base) = Address::parse(url) else { return Ok(()) };
        let resolve = |text: &str| Base::new(&base, encoding_rs::UTF_8).resolve(text).ok();
        let is_near = |address: &Address| registrable_domain(&address.host) == domain;
        let pages = sitemap.pages.iter().filter_map(|entry| resolve(&entry.url));
        let pages = pages.filter(is_near);
        let pages = pages.filter(|page| self.workshop.scope.admits(page, 0).is_ok());
        let pages: Vec<String> = pages.map(|page| page.to_string()).collect();
        for urls in pages.chunks(SEEDS) {
            let urls = urls.iter().map(String::as_str).collect();
            self.record(&Event::Seeds { at, urls, given: false })?;
        }
        if depth >= SITEMAP_DEPTH {
            return Ok(());
        }
        let others = sitemap.sitemaps.iter().filter_map(|url| resolve(url)).filter(is_near);
        for other in others.collect::<Vec<_>>() {
            let kind = ErrandKind::Sitemap(depth + 1);
            self.ask_for_sitemap(for_host, &other.to_string(), kind, at)?;
        }
        Ok(())
    }

    fn ask_for_sitemap(
        &mut self,
        host: HostId,
        url: &str,
        kind: ErrandKind,
        at: Moment,
    ) -> Result<(), LiveError> {
        if self.state.sitemaps.get(&host.0).is_some_and(|asked| *asked >= MOST_SITEMAPS) {
            return Ok(());
        }
        self.record(&Event::Errand { at, host: host.0, url, kind })
    }

    /// A host that has shown a relevant page is asked for the sitemaps that its robots.txt names.
    pub(super) fn look_for_sitemaps(&mut self, host: HostId, at: Moment) -> Result<(), LiveError> {
        let is_wanted = self.settings.manners.sitemaps == Sitemaps::Relevant
            && self.state.tally.relevant_hosts.contains(&host.0);
        if !is_wanted {
            return Ok(());
        }
        let Some(rules) = self.rules(host)? else { return Ok(()) };
        for url in rules.sitemaps() {
            let Ok(address) = Address::parse(url) else { continue };
            let url = address.to_string();
            if rules.allows(&url) && !self.state.has_sitemap(&url) {
                self.ask_for_sitemap(host, &url, ErrandKind::Sitemap(0), at)?;
            }
        }
        Ok(())
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
                let page = page.map(|page| page.0);
                let archived = None;
                self.record(&Event::Postponed {
                    at,
                    host: host.0,
                    page,
                    until,
                    why: &why,
                    archived,
                })?;
            }
        }
        self.give_up_if_hopeless(host, &why, at)
    }

    /// An errand was not run, or brought nothing.
    pub(super) fn errand_in_vain(
        &mut self,
        host: HostId,
        kind: ErrandKind,
    ) -> Result<(), LiveError> {
        let (at, archived, lasted_ms) = (self.now(), None, 0);
        self.record(&Event::ErrandDone { at, host: host.0, kind, archived, lasted_ms })
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
    fn patience(&self, asked_for: Option<Duration>, attempts: u8) -> u64 {
        let fetch = &self.settings.fetch;
        let longest = fetch.longest_retry_after.as_ms();
        let own = fetch.retry_after.as_ms().saturating_mul(4_u64.saturating_pow(attempts.into()));
        let asked_for = asked_for.map(|it| u64::try_from(it.as_millis()).unwrap_or(u64::MAX));
        asked_for.unwrap_or(own).min(longest)
    }

    fn give_up_if_hopeless(
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

/// Where an answer sends to.
fn redirected(url: &str, came: &Came) -> Option<Address> {
    let from = Address::parse(url).ok()?;
    Base::new(&from, encoding_rs::UTF_8).resolve(came.location.as_deref()?).ok()
}
