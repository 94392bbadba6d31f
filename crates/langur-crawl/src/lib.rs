//! The crawl, without a web.
//!
//! This crate holds the words of the field as types and traits, and the crawl itself: a
//! deterministic state machine that is told what was fetched and says what to fetch next. It does
//! no I/O, reads no clock, starts no thread and depends on nothing, so the same visits in the same
//! order give the same decisions in a simulation, over an archive and on the live web.
//!
//! ```text
//! seeds → Frontier → next ─▶ Visit … a Web fetches … Page ─▶ visited ─▶ Classifier judges
//!                      ▲                                                      │
//!                      └── leads ◀── Strategy considers each Link ◀───────────┘      Observer watches
//! ```
//!
//! A crawl takes two calls a page: [`Crawl::next`], and [`Crawl::visited`] or [`Crawl::failed`].
//! Two drivers make them for webs that answer at once: [`run()`], one step a fetch as in the founding
//! papers, and [`run_politely`], in simulated time.

mod crawl;
mod draw;
mod foresight;
mod frontier;
mod joined;
mod judgement;
mod language;
mod lead;
mod observer;
mod page;
mod polite;
mod prefetch;
mod run;
mod score;
mod strategy;
mod workbench;

pub use crawl::{Crawl, Visit};
pub use draw::{draw, draw_fraction};
pub use foresight::Foresight;
pub use frontier::{Found, Frontier};
pub use joined::Joined;
pub use judgement::{Classifier, Judgement, Relevance};
pub use language::{Language, NotALanguage};
pub use lead::{Lead, Priority, Standing, Trail};
pub use observer::Observer;
pub use page::{DirectoryId, Failure, HostId, Link, Outcome, Page, PageId, Time};
pub use polite::{Load, Pace, Passed, TimedWeb, Transfer, run_politely};
pub use prefetch::prefetch;
pub use run::{Ended, Web, run};
pub use score::{score_byte, score_of_byte};
pub use strategy::{Asks, Strategy, Visited};
