//! A web space as a web.

use langur_crawl::{
    DirectoryId, Failure, HostId, Language, Link, Outcome, Page, PageId, Web, prefetch,
};

use crate::Space;

/// What becomes of a link to a page that is not in the crawl log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Missing {
    /// It is not queued: the web is the logged pages only (Somboonviwat et al. 2005).
    #[default]
    Skip,
    /// It is queued, answered 404 and not counted as a fetch (Gogar 2015).
    NotFound,
}

/// The simulated web: what a crawl finds in a web space.
#[derive(Clone, Copy)]
pub struct SimulatedWeb<'s> {
    space: &'s Space,
    label: usize,
    /// Links to pages from this number on are not offered.
    end: u32,
    /// Codes of media types below 64 that are HTML, as bits.
    html: u64,
}

impl<'s> SimulatedWeb<'s> {
    /// A web whose pages are in the languages that the labelling rule with number `label` says.
    pub fn new(space: &'s Space, label: usize, missing: Missing) -> SimulatedWeb<'s> {
        let counts = space.manifest().counts;
        let end = match missing {
            Missing::Skip => counts.pages,
            Missing::NotFound => counts.pages + counts.missing,
        };
        let is_html =
            |mime: &String| matches!(mime.as_str(), "text/html" | "application/xhtml+xml");
        let codes = space.manifest().mimes.iter().zip(1_u32..64).filter(|(mime, _)| is_html(mime));
        let html = codes.fold(0, |html, (_, code)| html | 1 << code);
        SimulatedWeb { space, label, end: end as u32, html }
    }

    /// The web space.
    pub fn space(&self) -> &'s Space {
        self.space
    }

    /// One more than the greatest number a link may point to.
    pub fn reachable(&self) -> usize {
        self.end as usize
    }

    /// A page of the crawl log, looked at without fetching it: for counting and for oracles.
    #[inline]
    pub fn page(&self, page: PageId) -> SimulatedPage<'s> {
        SimulatedPage { web: *self, number: page.0 as usize }
    }

    /// A link from outside, as a seed.
    pub fn seed(&self, page: PageId) -> SimulatedLink<'s> {
        SimulatedLink { space: self.space, target: page.0, number: usize::MAX }
    }
}

/// Far enough for the answer to be there in time; two steps, since links can be asked for only once
/// it is known where they are.
const FAR: usize = 32;
const NEAR: usize = 12;

impl<'s> Web for SimulatedWeb<'s> {
    type Page<'w>
        = SimulatedPage<'s>
    where
        Self: 'w;
    const HINTS_AHEAD: &'static [usize] = &[FAR, NEAR];

    #[inline]
    fn fetch(&mut self, page: PageId) -> Result<SimulatedPage<'s>, Failure> {
        if (page.0 as usize) < self.space.pages() {
            Ok(self.page(page))
        } else {
            Err(Failure::Missing)
        }
    }

    #[inline]
    fn hint(&self, page: PageId, ahead: usize) {
        let (number, space) = (page.0 as usize, self.space);
        if number >= space.pages() {
            return;
        }
        if ahead == FAR {
            prefetch(space.link_offsets.as_slice(), number);
            prefetch(space.status.as_slice(), number);
            prefetch(space.host.as_slice(), number);
            space.mime.hint(number);
            space.language[self.label].hint(number);
        } else {
            prefetch(space.link_targets.as_slice(), space.link_offsets.as_slice()[number] as usize);
        }
    }
}

/// A page of the crawl log.
#[derive(Clone, Copy)]
pub struct SimulatedPage<'s> {
    web: SimulatedWeb<'s>,
    number: usize,
}

impl<'s> SimulatedPage<'s> {
    /// The links with their numbers in the link columns.
    fn link_range(&self) -> std::ops::Range<usize> {
        let offsets = self.web.space.link_offsets.as_slice();
        offsets[self.number] as usize..offsets[self.number + 1] as usize
    }
}

impl<'s> Page for SimulatedPage<'s> {
    type Link<'a>
        = SimulatedLink<'s>
    where
        Self: 'a;

    #[inline]
    fn outcome(&self) -> Outcome {
        let space = self.web.space;
        let mime = space.mime.get(self.number);
        let is_html = mime < 64 && self.web.html >> mime & 1 == 1;
        if is_html && space.status.as_slice()[self.number] == 200 {
            Outcome::OkHtml
        } else {
            Outcome::Other
        }
    }

    #[inline]
    fn host(&self) -> HostId {
        HostId(self.web.space.host.as_slice()[self.number])
    }

    #[inline]
    fn directory(&self) -> Option<DirectoryId> {
        Some(DirectoryId(u64::from(self.web.space.directory.as_slice()[self.number])))
    }

    #[inline]
    fn language(&self) -> Option<Language> {
        let space = self.web.space;
        space.language_of(space.language[self.web.label].get(self.number))
    }

    #[inline]
    fn links(&self) -> impl Iterator<Item = SimulatedLink<'s>> {
        let (space, end, range) = (self.web.space, self.web.end, self.link_range());
        let targets = &space.link_targets.as_slice()[range.clone()];
        let links = targets.iter().zip(range).filter(move |&(&target, _)| target < end);
        links.map(move |(&target, number)| SimulatedLink { space, target, number })
    }
}

/// A link of the link database.
#[derive(Clone, Copy)]
pub struct SimulatedLink<'s> {
    space: &'s Space,
    target: u32,
    /// Its place in the link columns; out of range for seeds.
    number: usize,
}

impl Link for SimulatedLink<'_> {
    #[inline]
    fn page(&self) -> PageId {
        PageId(self.target)
    }

    #[inline]
    fn host(&self) -> HostId {
        HostId(self.space.host.as_slice()[self.target as usize])
    }

    #[inline]
    fn directory(&self) -> Option<DirectoryId> {
        Some(DirectoryId(u64::from(self.space.directory.as_slice()[self.target as usize])))
    }

    fn tld(&self) -> Option<&str> {
        let code = self.space.host_tld.get(self.host().0 as usize);
        Some(Space::word(&self.space.manifest().tlds, code)).filter(|tld| !tld.is_empty())
    }

    fn anchor_language(&self) -> Option<Language> {
        let is_link = self.number < self.space.link_targets.as_slice().len();
        is_link
            .then(|| self.space.link_anchors.get(self.number))
            .and_then(|code| self.space.language_of(code))
    }
}
