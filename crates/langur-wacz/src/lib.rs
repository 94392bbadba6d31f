//! An archive as one file: Web Archive Collection Zipped, version 1.1.1.
//!
//! A WACZ file is a ZIP file of WARC files, an index of their captures, a list of their pages and a
//! description with the digest of everything in it. Readers such as ReplayWeb.page need no server for it:
//! they find a capture in the index, and read its record by range out of the middle of the file. So nothing
//! in it is compressed once more.
//!
//! [`write_wacz`] makes one of an archive that lies in a folder and has an index:
//!
//! ```no_run
//! use langur_archive::index::Timestamp;
//! use langur_wacz::{WaczOptions, write_wacz};
//!
//! let created = Timestamp::parse("2026-01-31T12:00:00Z").expect("a moment");
//! let mut options = WaczOptions::new("crawl/".into(), "crawl.wacz".into(), created);
//! options.title = Some("Lao news".to_owned());
//! let summary = write_wacz(&options, &|_| ())?;
//! println!("{} pages", summary.pages);
//! # Ok::<(), langur_wacz::WaczError>(())
//! ```
//!
//! The same archive, options and moment of creation give the same bytes. The specification is at
//! <https://specs.webrecorder.net/wacz/1.1.1/>.

mod error;
mod files;
mod index;
mod package;
mod pages;
#[cfg(test)]
mod tests;
mod wacz;
mod zipnum;

pub use error::WaczError;
pub use wacz::{WaczOptions, WaczSummary, write_wacz};
