//! What the bytes of a page mean. So far: its URL.

mod address;
mod charset;

pub use address::{
    Address, AddressError, Scheme, host_from_key, host_key, registrable_domain, top_level_domain,
};
pub use charset::{Charset, CharsetEvidence, Decoding, Source, decide};
