//! The archived web: WARC and ARC files, their indexes, and captures by URL.

pub mod index;

mod archive;
mod capture;
mod captures;
mod http;
mod members;
mod problem;
mod records;

pub use archive::{Archive, CaptureError, Chosen, StoredRecord};
pub use capture::Capture;
pub use captures::captures_of;
pub use http::{Headers, HttpRequest, HttpResponse, Oddity, Payload};
pub use problem::{ArchiveError, Defect, Problem};
pub use records::{Amount, Extent, Head, Kind, LOOK_AHEAD, Record, Records};
