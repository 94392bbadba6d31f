//! The web space on disk.
//!
//! One folder: `manifest.json` says what there is, `manifest.check` holds its checksum, and every
//! other file is one column: numbers in little-endian order without a header, mapped into memory as
//! they are. Pages are numbered in the order of their reversed host, path and scheme, so that
//! neighbours are near; pages that are only linked to, and were never fetched (*missing* ones), are
//! numbered after all others. `docs/space-format.md` describes every file.

mod all_columns;
mod captures;
mod column;
mod dictionary;
mod manifest;
mod open;
mod writer;

pub use all_columns::{AllColumns, CodeSlice, Facts, HostRow, MissingPages, Pages};
pub use captures::{
    CaptureSlices, Captures, CapturesWriter, LinkOrigin, TopicColumns, TopicSlices,
};
pub use column::{Codes, UNKNOWN};
pub use dictionary::FrontCoder;
pub use manifest::{Counts, Manifest, Statistic, TopicFacts};
pub(crate) use open::scheme_byte;
pub use open::{Damage, OpenError, Parts, Space};
pub use open::{push_url_entry, url_entry};
pub use writer::NewSpace;

#[cfg(target_endian = "big")]
compile_error!("web spaces are mapped into memory as little-endian numbers");
