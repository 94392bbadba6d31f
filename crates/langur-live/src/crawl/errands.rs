//! What comes of requests for something that is not a page: robots.txt and sitemaps.

use langur_crawl::HostId;
use langur_page::{Address, Base, registrable_domain};
use langur_robots::sitemap::Sitemap;

use super::{LiveCrawl, LiveError};
use crate::journal::{self, ErrandKind, Event, Moment, Place};
use crate::settings::Sitemaps;
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
    pub(super) fn sitemap_came(
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

    /// Pages of the same domain that a sitemap lists are seeds, if they belong to the crawl; of one that the user named, all.
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
        let is_named = self
            .settings
            .seeds
            .sitemaps
            .iter()
            .any(|named| Address::parse(named).is_ok_and(|named| named == base));
        let is_near = |address: &Address| is_named || registrable_domain(&address.host) == domain;
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
