//! Which page next.
//!
//! A frontier holds the pages that were found and not yet visited. It answers two questions and no
//! others: *can a lead still change this page*, and *which page is next*. What makes a page worth
//! visiting is for the strategy to say.
//!
//! The promises of every frontier stand with [`langur_crawl::Frontier`] and are checked by
//! `langur_testkit::frontier` against a naive model. [`Bands`] has at most sixteen tiers and is
//! small and fast; [`Heap`] takes any priority, and can draw at random within one.

mod bands;
mod heap;
mod hosts;
mod queue;

pub use bands::{Bands, MAX_TIERS};
pub use heap::{Heap, Order};

/// What a frontier does when a page is met again. These are switches that the founding papers leave
/// open, and they stand in the report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// Which lead wins when a waiting page is found again.
    pub keep: Keep,
    /// Whether a visited page met at a better priority is opened again: its links, but not the page
    /// itself, are then considered anew.
    pub reopen: bool,
}

/// Which lead wins when a waiting page is found again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// The better one; the page moves to the end of the better priority.
    #[default]
    Better,
    /// The first one.
    First,
}

/// How large a frontier is to begin with, and what it must keep track of. It grows where a web finds out
/// its pages and hosts only as it is crawled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The number of pages, as far as it is known.
    pub pages: usize,
    /// The number of hosts as far as it is known and at least 1, if their standing matters; 0 otherwise.
    pub ranked_hosts: usize,
}
