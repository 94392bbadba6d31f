//! The archived web: WARC and ARC files, their indexes, and captures by URL.
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
pub mod wat;
mod wet;
mod write;

#[cfg(feature = "store")]
pub use archive::{Archive, CaptureError, Chosen, StoredRecord};
pub use capture::Capture;
#[cfg(feature = "store")]
pub use captures::captures_of;
pub use http::{Headers, HttpRequest, HttpResponse, Oddity, Payload};
pub use problem::{ArchiveError, Defect, Problem};
pub use records::{Amount, Extent, Head, Kind, LOOK_AHEAD, Record, Records};
pub use wet::PlainText;
pub use write::{
    About, Compression, Digests, Original, WarcWriter, WriteError, Written, digests_of,
};
