//! What a crawl needs of a fetched page: its facts, its languages, its topics and its links.
//!
//! An [`Extractor`] turns an answer, that is a status, two headers and a payload, into an [`Extract`]. It is
//! a pure function of these. `space build` writes extracts into a web space, the archived web crawls by
//! them, and since both come from here, both take the same way.

mod anchors;
mod described;
mod evidence;
mod extractor;
mod links;
mod sniff;

pub use anchors::Anchors;
pub use langur_reader::BadProfiles;

pub use described::Described;
pub use extractor::{
    Answer, Extract, ExtractedLink, Extractor, LABELS, LONGEST_PAYLOAD, Origin, PAPERS, Wants,
};
