//! A web space as a web.

use langur_crawl::{
    Asks, DirectoryId, Failure, HostId, Language, Link, Outcome, Page, PageId, TimedWeb, Transfer,
    Web, prefetch, score_of_byte,
};

use std::borrow::Cow;

use rayon::prelude::*;

use crate::{Codes, Noise, Space, TopicColumns};

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
pub struct SimulatedWeb<'s> {
    space: &'s Space,
    /// What a visit asks of every page, and a strategy of most links; one more, for the end of the links.
    facts: Vec<Facts>,
    /// Where the links point: copied, since a mapped file comes in small memory pages, and looking
    /// those up costs more than reading what is on them.
    targets: Vec<u32>,
    /// Links to pages from this number on are not offered.
    end: u32,
    /// The topic that pages and links are scored on, where the target is one.
    topic: Option<Topic<'s>>,
}

/// The scores on one topic.
struct Topic<'s> {
    columns: &'s TopicColumns,
    /// Those of pages, as the crawl is told them.
    pages: Cow<'s, [f32]>,
}

impl<'s> SimulatedWeb<'s> {
    /// A web whose pages are in the languages that the labelling rule with number `label` says.
    pub fn new(space: &'s Space, label: usize, missing: Missing) -> SimulatedWeb<'s> {
        let counts = space.manifest().counts;
        let end = match missing {
            Missing::Skip => counts.pages,
            Missing::NotFound => counts.pages + counts.missing,
        };
        let facts = facts(space, &space.language[label]);
        let targets = copy(space.link_targets.as_slice());
        SimulatedWeb { space, facts, targets, end: end as u32, topic: None }
    }

    /// The same web, whose pages and links are scored on the topic with this number.
    pub fn about(self, topic: usize) -> SimulatedWeb<'s> {
        let columns = &self.space.topics[topic];
        let pages = Cow::Borrowed(columns.page.as_slice());
        SimulatedWeb { topic: Some(Topic { columns, pages }), ..self }
    }

    /// The scores of pages on the topic as they are recorded, whatever the crawl is told.
    pub fn recorded_scores(&self) -> Option<&'s [f32]> {
        self.topic.as_ref().map(|topic| topic.columns.page.as_slice())
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
    pub fn page(&self, page: PageId) -> SimulatedPage<'_> {
        SimulatedPage { web: self, number: page.0 as usize }
    }

    #[inline]
    fn host_of(&self, page: u32) -> HostId {
        // Missing pages have a host and no facts.
        HostId(if (page as usize) < self.space.pages() {
            self.facts[page as usize].host
        } else {
            self.space.host.as_slice()[page as usize]
        })
    }

    /// Makes the classifier err: pages that are relevant are taken for pages of unknown language, and
    /// others for pages in the language with code `target`. Not so the seeds: who chose them knows them.
    pub fn mislabel(&mut self, noise: &Noise, relevant: &[bool], target: u16, seeds: &[PageId]) {
        let languages: Vec<u16> = seeds.iter().map(|s| self.facts[s.0 as usize].language).collect();
        for (page, (facts, &relevant)) in self.facts.iter_mut().zip(relevant).enumerate() {
            let is_entry = self.space.host_pages.as_slice()[facts.host as usize] as usize == page;
            if facts.outcome == Outcome::OkHtml && noise.strikes(page as u64, relevant, is_entry) {
                facts.language = if relevant { crate::UNKNOWN } else { target };
            }
        }
        for (seed, language) in seeds.iter().zip(languages) {
            self.facts[seed.0 as usize].language = language;
        }
    }

    /// The same where a topic is wanted: pages about it are taken to score 0, and others 1.
    pub fn misjudge(&mut self, noise: &Noise, relevant: &[bool], seeds: &[PageId]) {
        let Some(topic) = &mut self.topic else { return };
        let scores = topic.pages.to_mut();
        for (page, (facts, &relevant)) in self.facts.iter().zip(relevant).enumerate() {
            let is_entry = self.space.host_pages.as_slice()[facts.host as usize] as usize == page;
            if facts.outcome == Outcome::OkHtml && noise.strikes(page as u64, relevant, is_entry) {
                scores[page] = if relevant { 0.0 } else { 1.0 };
            }
        }
        for seed in seeds {
            scores[seed.0 as usize] = topic.columns.page.as_slice()[seed.0 as usize];
        }
    }

    /// A link from outside, as a seed.
    pub fn seed(&self, page: PageId) -> SimulatedLink<'_> {
        SimulatedLink { web: self, target: page.0, number: usize::MAX }
    }
}

/// What is asked of a page most often, in one place so that it costs one cache miss.
#[derive(Clone, Copy)]
struct Facts {
    first_link: u64,
    host: u32,
    language: u16,
    outcome: Outcome,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts { first_link: 0, host: 0, language: crate::UNKNOWN, outcome: Outcome::Other }
    }
}

fn copy(targets: &[u32]) -> Vec<u32> {
    const STRETCH: usize = 1 << 20;
    let mut copy = vec![0; targets.len()];
    copy.par_chunks_mut(STRETCH)
        .zip(targets.par_chunks(STRETCH))
        .for_each(|(to, from)| to.copy_from_slice(from));
    copy
}

fn facts(space: &Space, language: &Codes) -> Vec<Facts> {
    const STRETCH: usize = 1 << 16;
    let is_html = space.html_mimes();
    let (status, host) = (space.status.as_slice(), space.host.as_slice());
    let offsets = space.link_offsets.as_slice();
    let mut facts = vec![Facts::default(); space.pages() + 1];
    facts.par_chunks_mut(STRETCH).enumerate().for_each(|(i, stretch)| {
        for (page, fact) in (i * STRETCH..space.pages()).zip(stretch) {
            let outcome = match status[page] {
                200 if is_html[usize::from(space.mime.get(page))] => Outcome::OkHtml,
                301 | 302 | 303 | 307 | 308 if offsets[page] < offsets[page + 1] => {
                    Outcome::Redirect
                }
                _ => Outcome::Other,
            };
            *fact = Facts {
                first_link: offsets[page],
                host: host[page],
                language: language.get(page),
                outcome,
            };
        }
    });
    facts[space.pages()].first_link = offsets[space.pages()];
    facts
}

/// Far enough for the answer to be there in time; two steps, since links can be asked for only once
/// it is known where they are.
const FAR: usize = 32;
const NEAR: usize = 12;

impl Web for &SimulatedWeb<'_> {
    type Page<'w>
        = SimulatedPage<'w>
    where
        Self: 'w;
    const HINTS_AHEAD: &'static [usize] = &[FAR, NEAR];

    #[inline]
    fn fetch(&mut self, page: PageId) -> Result<SimulatedPage<'_>, Failure> {
        if (page.0 as usize) < self.space.pages() {
            Ok(self.page(page))
        } else {
            Err(Failure::Missing)
        }
    }

    #[inline]
    fn hint(&self, page: PageId, ahead: usize) -> Option<HostId> {
        let number = page.0 as usize;
        if number >= self.space.pages() {
            return None;
        }
        if ahead == FAR {
            prefetch(&self.facts, number);
            return None;
        }
        let facts = &self.facts[number];
        prefetch(&self.targets, facts.first_link as usize);
        Some(HostId(facts.host))
    }
}

impl TimedWeb for &SimulatedWeb<'_> {
    fn hosts(&self) -> usize {
        self.space.manifest().counts.hosts as usize
    }

    #[inline]
    fn host(&self, page: PageId) -> HostId {
        self.host_of(page.0)
    }

    #[inline]
    fn transfer(&self, page: PageId) -> Transfer {
        let number = page.0 as usize;
        if number >= self.space.pages() {
            // A missing page is answered 404, with next to nothing to transfer.
            return Transfer { latency_ms: None, bytes: 0, answered: true };
        }
        let latency = u32::from(self.space.latency_ms.as_slice()[number]);
        Transfer {
            latency_ms: (latency > 0).then_some(latency),
            bytes: u64::from(self.space.bytes.as_slice()[number]),
            answered: self.space.status.as_slice()[number] != 0,
        }
    }
}

/// A page of the crawl log.
#[derive(Clone, Copy)]
pub struct SimulatedPage<'w> {
    web: &'w SimulatedWeb<'w>,
    number: usize,
}

impl SimulatedPage<'_> {
    /// The links with their numbers in the link columns.
    fn link_range(&self) -> std::ops::Range<usize> {
        let facts = &self.web.facts;
        facts[self.number].first_link as usize..facts[self.number + 1].first_link as usize
    }
}

impl<'w> Page for SimulatedPage<'w> {
    type Link<'a>
        = SimulatedLink<'w>
    where
        Self: 'a;

    #[inline]
    fn outcome(&self) -> Outcome {
        self.web.facts[self.number].outcome
    }

    #[inline]
    fn host(&self) -> HostId {
        HostId(self.web.facts[self.number].host)
    }

    #[inline]
    fn directory(&self) -> Option<DirectoryId> {
        Some(DirectoryId(self.web.space.directory.as_slice()[self.number]))
    }

    #[inline]
    fn language(&self) -> Option<Language> {
        self.web.space.language_of(self.web.facts[self.number].language)
    }

    #[inline]
    fn topic_score(&self) -> Option<f32> {
        self.web.topic.as_ref().map(|topic| topic.pages[self.number])
    }

    #[inline]
    fn links(&self) -> impl Iterator<Item = SimulatedLink<'w>> {
        let (web, range) = (self.web, self.link_range());
        let targets = &web.targets[range.clone()];
        let links = targets.iter().zip(range).filter(|&(&target, _)| target < web.end);
        links.map(|(&target, number)| SimulatedLink { web, target, number })
    }
}

/// A link of the link database.
#[derive(Clone, Copy)]
pub struct SimulatedLink<'w> {
    web: &'w SimulatedWeb<'w>,
    target: u32,
    /// Its place in the link columns; out of range for seeds.
    number: usize,
}

impl SimulatedLink<'_> {
    /// The link's entry in a column of scores; a seed has none.
    #[inline]
    fn score(&self, of: impl Fn(&TopicColumns) -> &[u8]) -> Option<f32> {
        let bytes = of(self.web.topic.as_ref()?.columns);
        Some(bytes.get(self.number).map_or(0.0, |&byte| score_of_byte(byte)))
    }
}

impl Link for SimulatedLink<'_> {
    #[inline]
    fn page(&self) -> PageId {
        PageId(self.target)
    }

    #[inline]
    fn host(&self) -> HostId {
        self.web.host_of(self.target)
    }

    #[inline]
    fn directory(&self) -> Option<DirectoryId> {
        Some(DirectoryId(self.web.space.directory.as_slice()[self.target as usize]))
    }

    #[inline]
    fn hint(&self, asks: Asks) {
        match asks {
            Asks::Nothing => {}
            Asks::Host => prefetch(&self.web.facts, self.target as usize),
            Asks::Directory => prefetch(self.web.space.directory.as_slice(), self.target as usize),
        }
    }

    fn tld(&self) -> Option<&str> {
        let space = self.web.space;
        let code = space.host_tld.get(self.host().0 as usize);
        Some(Space::word(&space.manifest().tlds, code)).filter(|tld| !tld.is_empty())
    }

    fn anchor_language(&self) -> Option<Language> {
        let space = self.web.space;
        let is_link = self.number < self.web.targets.len();
        is_link
            .then(|| space.link_anchors.get(self.number))
            .and_then(|code| space.language_of(code))
    }

    #[inline]
    fn anchor_score(&self) -> Option<f32> {
        self.score(|columns| columns.anchor.as_slice())
    }

    #[inline]
    fn context_score(&self) -> Option<f32> {
        self.score(|columns| columns.context.as_slice())
    }
}
