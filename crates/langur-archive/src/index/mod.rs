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
mod columnar;
mod common_crawl;
mod error;
mod file;
mod keys;
mod lines;
mod merged;
mod sample;
mod text;
mod timestamp;
mod write;
mod zipnum;

pub use capture::{Capture, Near, RecordPlace, closest};
pub use cdx::Layout;
pub use columnar::Columnar;
pub use common_crawl::CommonCrawl;
pub use error::IndexError;
pub use file::IndexFile;
pub use keys::Keys;
pub use lines::{CaptureReader, LineError, Position, WrongLine, parse_line};
pub use merged::Index;
pub use sample::Sample;
pub use timestamp::Timestamp;
pub use write::{IndexWriter, WriteOptions};
pub use zipnum::ZipNum;
