//! The archived web: WARC and ARC files, their indexes, and captures by URL.

pub mod index;
