//! How far a search goes on without success: the depth of fish-search and of shark-search.

use langur_crawl::{PageId, Visited};

use crate::per_page::PerPage;
use crate::{Arguments, Kind, Parameter};

/// The depth of every page that is listed. The links of a relevant page are given the greatest depth,
/// those of another page one less than its own; a page that is listed already keeps the greater one.
/// At depth 0 a page that is not relevant is the end of its branch.
pub(crate) struct Depths {
    /// One more than the depth; 0 for pages that were never listed.
    listed: PerPage<u8>,
    greatest: u8,
    drops: bool,
}

pub(crate) const DEPTH: Parameter = Parameter {
    name: "depth",
    kind: Kind::Number(0, 100),
    default: "3",
    about: "irrelevant pages in a row that are crossed before a branch ends; Gogar (2015) does not say how many",
};

pub(crate) const EXHAUSTED: Parameter = Parameter {
    name: "exhausted",
    kind: Kind::Choice(&["end", "drop"]),
    default: "end",
    about: "what becomes of links where a branch ends: to the end of the list, as in later versions, or dropped as in 1994",
};

impl Depths {
    pub fn new(arguments: &Arguments) -> Depths {
        Depths {
            listed: PerPage::default(),
            greatest: arguments.number(DEPTH.name) as u8,
            drops: arguments.word(EXHAUSTED.name) == "drop",
        }
    }

    /// The depth of a page. Seeds were never listed and have the greatest.
    pub fn of(&self, page: PageId) -> u8 {
        self.listed.get(page).checked_sub(1).unwrap_or(self.greatest)
    }

    /// Whether the branch ends with this page.
    #[inline]
    pub fn end_at<T>(&self, from: &Visited<T>) -> bool {
        !from.is_relevant() && self.of(from.page) == 0
    }

    /// The depth of the links of a page, if they are followed at all.
    #[inline]
    pub fn of_links<T>(&self, from: &Visited<T>) -> Option<u8> {
        match self.of(from.page) {
            _ if from.is_relevant() => Some(self.greatest),
            0 if self.drops => None,
            depth => Some(depth.saturating_sub(1)),
        }
    }

    /// Lists a page at this depth.
    #[inline]
    pub fn list(&mut self, page: PageId, depth: u8) {
        let listed = self.listed.at(page);
        *listed = (*listed).max(depth + 1);
    }
}
