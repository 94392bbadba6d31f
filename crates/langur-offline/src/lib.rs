//! The archived web as a web that can be crawled: Gogar's offline environment (2015).
//!
//! An [`ArchivedWeb`] answers visits from a [`Library`] of captures. Every page is read as the live web's
//! pages are: bytes, charset, links, language. Pages, hosts and directories get their numbers as they are
//! found, so nothing needs to be known beforehand, and an archive of any size can be crawled.
//!
//! A crawl of an archive visits the same pages in the same order as a simulation over the web space that
//! `space build` makes from it: both see a page through `langur-extract`.

mod ahead;
mod archive;
mod known;
mod library;
mod web;

pub use ahead::Ahead;
pub use archive::ArchiveLibrary;
pub use known::Known;
pub use langur_extract::LONGEST_PAYLOAD;
pub use library::{Fetched, Library};
pub use web::{ArchivedLink, ArchivedPage, ArchivedWeb, Lost, Missing, Visit, Watcher};
