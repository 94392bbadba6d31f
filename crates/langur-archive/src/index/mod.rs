//! Where the captures of a URL lie.
//!
//! An index has a line for every capture of an archive, sorted by a key made of the URL. Four kinds are
//! read, of which only the first is written:
//!
//! - CDXJ, lines with a JSON object ([`IndexFile`]);
//! - CDX, lines with fields, of 9, 11 or any other number ([`IndexFile`]);
//! - ZipNum, either of the two compressed in blocks ([`ZipNum`]);
//! - Common Crawl's columnar index, in Parquet files ([`Columnar`]).
//!
//! [`Index::open`] tells which of them lie in a store, and [`Index::captures`] finds a URL in all of
//! them, by halving, over a memory map or over ranges read from afar. A crawl of Common Crawl is found
//! by its name alone ([`CommonCrawl`]). [`IndexWriter`] makes an index of the captures of any number of
//! archives, in memory of any size.

mod capture;
mod cdx;
mod cdxj;
#[cfg(feature = "store")]
mod columnar;
#[cfg(feature = "store")]
mod common_crawl;
#[cfg(feature = "store")]
mod error;
#[cfg(feature = "store")]
mod file;
#[cfg(feature = "store")]
mod keys;
mod lines;
#[cfg(feature = "store")]
mod merged;
#[cfg(feature = "store")]
mod sample;
#[cfg(feature = "store")]
mod text;
mod timestamp;
#[cfg(feature = "store")]
mod write;
#[cfg(feature = "store")]
mod zipnum;

pub use capture::{Capture, Near, RecordPlace, closest};
pub use cdx::Layout;
#[cfg(feature = "store")]
pub use columnar::Columnar;
#[cfg(feature = "store")]
pub use common_crawl::CommonCrawl;
#[cfg(feature = "store")]
pub use error::IndexError;
#[cfg(feature = "store")]
pub use file::IndexFile;
#[cfg(feature = "store")]
pub use keys::Keys;
pub use lines::{CaptureReader, LineError, Position, WrongLine, parse_line};
#[cfg(feature = "store")]
pub use merged::Index;
#[cfg(feature = "store")]
pub use sample::Sample;
pub use timestamp::Timestamp;
#[cfg(feature = "store")]
pub use write::{IndexWriter, WriteOptions};
#[cfg(feature = "store")]
pub use zipnum::ZipNum;

/// What an index is called where nobody says otherwise.
pub const INDEX: &str = "index.cdxj";
