//! A visited page and its links, as they stand in the journal.

use langur_crawl::{DirectoryId, HostId, Language, Link, Outcome, Page, PageId, score_of_byte};
use langur_page::top_level_domain;

use crate::journal::{LinkRow, Visited};
use crate::known::Known;

/// A page that was visited.
#[derive(Clone, Copy)]
pub struct LivePage<'p> {
    known: &'p Known,
    visited: &'p Visited<'p>,
    /// Which of its languages tells the language of the page.
    label: usize,
}

impl<'p> LivePage<'p> {
    /// The page of an event. Its language is the one with the number `label`.
    pub fn new(known: &'p Known, visited: &'p Visited<'p>, label: usize) -> LivePage<'p> {
        LivePage { known, visited, label }
    }
}

impl<'p> Page for LivePage<'p> {
    type Link<'a>
        = LiveLink<'p>
    where
        Self: 'a;

    fn outcome(&self) -> Outcome {
        self.visited.outcome.into()
    }

    fn host(&self) -> HostId {
        self.known.host(PageId(self.visited.page))
    }

    fn directory(&self) -> Option<DirectoryId> {
        Some(self.known.directory(PageId(self.visited.page)))
    }

    fn language(&self) -> Option<Language> {
        language(self.visited.languages.get(self.label)?)
    }

    fn topic_score(&self) -> Option<f32> {
        self.visited.topic
    }

    fn links(&self) -> impl Iterator<Item = LiveLink<'p>> {
        let known = self.known;
        let offered = self.visited.links.iter().filter(|link| link.offered);
        offered.map(move |row| LiveLink { known, page: PageId(row.page), row: Some(row) })
    }
}

/// A link of such a page, or a seed.
#[derive(Clone, Copy)]
pub struct LiveLink<'p> {
    known: &'p Known,
    page: PageId,
    row: Option<&'p LinkRow<'p>>,
}

impl<'p> LiveLink<'p> {
    /// A page as a link to it.
    pub fn seed(known: &'p Known, page: PageId) -> LiveLink<'p> {
        LiveLink { known, page, row: None }
    }
}

impl Link for LiveLink<'_> {
    fn page(&self) -> PageId {
        self.page
    }

    fn host(&self) -> HostId {
        self.known.host(self.page)
    }

    fn directory(&self) -> Option<DirectoryId> {
        Some(self.known.directory(self.page))
    }

    fn tld(&self) -> Option<&str> {
        top_level_domain(self.known.host_name(self.host()))
    }

    fn anchor_language(&self) -> Option<Language> {
        language(self.row?.anchor)
    }

    fn anchor_score(&self) -> Option<f32> {
        Some(score_of_byte(self.row.map_or(0, |row| row.scores.0)))
    }

    fn context_score(&self) -> Option<f32> {
        Some(score_of_byte(self.row.map_or(0, |row| row.scores.1)))
    }
}

fn language(tag: &str) -> Option<Language> {
    if tag.is_empty() { None } else { Language::parse(tag).ok() }
}
