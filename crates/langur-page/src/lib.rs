//! What the bytes of a page mean: its URL, its charset, its links and its text.

mod address;
pub mod html;

pub use address::{
    Address, AddressError, Scheme, host_from_key, host_key, registrable_domain, top_level_domain,
};
