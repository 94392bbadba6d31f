//! What comes of requests for something that is not a page: robots.txt and sitemaps.

use langur_crawl::HostId;
use langur_page::{Address, Base, registrable_domain};
use langur_robots::sitemap::Sitemap;

use super::{LiveCrawl, LiveError};
use crate::journal::{self, ErrandKind, Event, Moment, Place};
use crate::settings::Sitemaps;
use crate::state::asks_for_patience;
use crate::workshop::{Came, Read};

/// As many redirects of a robots.txt are followed as RFC 9309 asks for, and as many of a sitemap.
const REDIRECTS: u8 = 5;

/// Sitemaps of a host that are read, those in lists of sitemaps included.
const MOST_SITEMAPS: u32 = 50;

/// Lists of lists of sitemaps.
const SITEMAP_DEPTH: u8 = 3;

/// Seeds an event.
const SEEDS: usize = 1000;

impl LiveCrawl {
    /// A robots.txt of `host`, for which `asked` was asked after so many redirects.
    pub(super) fn robots_came(
        &mut self,
        (host, asked, hops): (HostId, HostId, u8),
        url: &str,
        came: Came,
        at: Moment,
    ) -> Result<(), LiveError> {
        let archived = self.archive(&came)?;
        self.received(&came, at)?;
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
                    return self.robots_moved((host, asked, hops), &to, &came, archived, at);
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

    /// A robots.txt is elsewhere. What follows from an answer is written down before the answer, so that a kill between the
    /// two loses nothing: then the answer is asked for again.
    fn robots_moved(
        &mut self,
        (host, asked, hops): (HostId, HostId, u8),
        to: &Address,
        came: &Came,
        archived: Option<Place>,
        at: Moment,
    ) -> Result<(), LiveError> {
        match self.given_up_at(to) {
            Some(elsewhere) => {
                let why = format!("its robots.txt is at {elsewhere}, which is given up");
                self.give_up(host, &why, at)?;
            }
            None => {
                let (url, kind) = (to.to_string(), ErrandKind::Robots(hops + 1));
                self.record(&Event::Errand { at, host: host.0, url: &url, kind })?;
            }
        }
        let (host, lasted_ms) = (asked.0, came.lasted_ms);
        self.record(&match hops {
            0 => Event::Answered { at, host, archived, lasted_ms },
            _ => {
                let kind = ErrandKind::Robots(hops);
                Event::ErrandDone { at, host, kind, archived, lasted_ms }
            }
        })
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
    pub(super) fn sitemap_came(
        &mut self,
        (for_host, host, kind): (HostId, HostId, ErrandKind),
        url: &str,
        came: Came,
        at: Moment,
    ) -> Result<(), LiveError> {
        let archived = self.archive(&came)?;
        self.received(&came, at)?;
        let failures = self.state.workbench.failures(host);
        match (came.status, &came.read) {
            (200, Read::Sitemap(sitemap)) => self.take_sitemap(for_host, url, kind, sitemap, at)?,
            // It is asked for again, and before anything else.
            (status, _) if asks_for_patience(status) && failures < self.settings.fetch.retries => {
                let until = at + self.patience(came.retry_after, failures);
                let why = format!("its sitemap was answered {status}");
                let (host, page) = (host.0, None);
                return self.record(&Event::Postponed {
                    at,
                    host,
                    page,
                    until,
                    why: &why,
                    archived,
                });
            }
            (300..=399, _) if kind.hops() < REDIRECTS => {
                self.follow_sitemap((for_host, host, kind), url, &came, at)?;
            }
            // One that is not there or cannot be read is no loss.
            _ => {}
        }
        let lasted_ms = came.lasted_ms;
        self.record(&Event::ErrandDone { at, host: host.0, kind, archived, lasted_ms })?;
        if asks_for_patience(came.status) { self.leave_alone(host, &came, at) } else { Ok(()) }
    }

    /// The name of the host that a URL is at, if it is given up.
    fn given_up_at(&self, url: &Address) -> Option<String> {
        let host = self.state.known.host_named(&url.host)?;
        self.state.workbench.given_up(host).is_some().then(|| url.host.to_string())
    }

    /// Whether a host is asked for a sitemap: another one than that which names it only if what is there belongs to the crawl.
    fn may_be_asked(&self, sitemap: &Address, named_by: HostId) -> bool {
        sitemap.host == self.state.known.host_name(named_by)
            || self.workshop.scope.admits(sitemap, 0).is_ok()
    }

    /// A sitemap is elsewhere. One that was asked for before is not asked for again, so loops end.
    fn follow_sitemap(
        &mut self,
        (for_host, asked, kind): (HostId, HostId, ErrandKind),
        url: &str,
        came: &Came,
        at: Moment,
    ) -> Result<(), LiveError> {
        let Some(to) = redirected(url, came) else { return Ok(()) };
        let is_wanted = self.may_be_asked(&to, asked);
        let to = to.to_string();
        if !is_wanted || self.state.has_sitemap(&to) {
            return Ok(());
        }
        self.ask_for_sitemap(for_host, &to, kind.moved(), at)
    }

    /// Pages of the same domain that a sitemap lists are seeds, if they belong to the crawl; of one that the user named, or
    /// that such a one leads to, all.
    fn take_sitemap(
        &mut self,
        for_host: HostId,
        url: &str,
        kind: ErrandKind,
        sitemap: &Sitemap,
        at: Moment,
    ) -> Result<(), LiveError> {
        let domain = registrable_domain(self.state.known.host_name(for_host)).to_owned();
        let Ok(base) = Address::parse(url) else { return Ok(()) };
        let resolve = |text: &str| Base::new(&base, encoding_rs::UTF_8).resolve(text).ok();
        let is_near =
            |address: &Address| kind.is_named() || registrable_domain(&address.host) == domain;
        let pages = sitemap.pages.iter().filter_map(|entry| resolve(&entry.url));
        let pages = pages.filter(is_near);
        let pages = pages.filter(|page| self.workshop.scope.admits(page, 0).is_ok());
        let pages: Vec<String> = pages.map(|page| page.to_string()).collect();
        for urls in pages.chunks(SEEDS) {
            let urls = urls.iter().map(String::as_str).collect();
            self.record(&Event::Seeds { at, urls, given: false })?;
        }
        if kind.depth() >= SITEMAP_DEPTH {
            return Ok(());
        }
        let others = sitemap.sitemaps.iter().filter_map(|url| resolve(url)).filter(is_near);
        for other in others.collect::<Vec<_>>() {
            if self.may_be_asked(&other, for_host) {
                self.ask_for_sitemap(for_host, &other.to_string(), kind.listed(), at)?;
            }
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
            if self.may_be_asked(&address, host) && !self.state.has_sitemap(&url) {
                self.ask_for_sitemap(host, &url, ErrandKind::Sitemap(0), at)?;
            }
        }
        Ok(())
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
}

/// Where an answer sends to.
fn redirected(url: &str, came: &Came) -> Option<Address> {
    let from = Address::parse(url).ok()?;
    Base::new(&from, encoding_rs::UTF_8).resolve(came.location.as_deref()?).ok()
}
