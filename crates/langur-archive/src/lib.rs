//! The archived web: WARC and ARC files, their indexes, and captures by URL.
//!
//! [`Records`] reads archives, [`Capture`] finds the page in a record, [`WarcWriter`] writes archives:
//!
//! ```
//! use langur_archive::{About, Capture, Compression, Records, WarcWriter};
//!
//! let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip, 1);
//! let about = About { url: "http://a.b/", date: "2024-05-23T14:30:03Z", ..About::default() };
//! let written = writer.response(&about, b"HTTP/1.1 200 OK\r\n\r\n<p>hello")?;
//! let file = writer.into_inner();
//!
//! let mut records = Records::new(&file[..], "a.warc.gz")?;
//! let mut block = Vec::new();
//! while let Some(mut record) = records.next()? {
//!     record.read_block(&mut block, 1 << 20)?;
//!     let capture = Capture::of(record.head, &block).expect("a response has a page");
//!     assert_eq!((capture.url, capture.status), ("http://a.b/", Some(200)));
//!     assert_eq!(*capture.payload(1 << 20).bytes, *b"<p>hello");
//!     assert_eq!(record.finish()?, Some(written.extent));
//! }
//! assert!(records.problems().is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The feature `store`, on by default, is for finding captures in stores of archives; without it there are
//! the formats alone.

pub mod digest;
pub mod index;

#[cfg(feature = "store")]
mod archive;
mod capture;
#[cfg(feature = "store")]
mod captures;
mod http;
mod members;
mod problem;
mod records;
#[cfg(feature = "store")]
mod stream;
pub mod wat;
mod wet;
mod write;

#[cfg(feature = "store")]
pub use archive::{Archive, CaptureError, Chosen, LONGEST_BLOCK, StoredRecord};
pub use capture::Capture;
#[cfg(feature = "store")]
pub use captures::captures_of;
pub use http::{Headers, HttpRequest, HttpResponse, Oddity, Payload, answer_of_revisit};
pub use problem::{ArchiveError, Defect, Problem};
pub use records::{Amount, Extent, Head, Kind, LOOK_AHEAD, Record, Records};
pub use wet::PlainText;
pub use write::{
    About, Compression, Content, Digests, Original, WarcWriter, WriteError, Written, digests_of,
};
