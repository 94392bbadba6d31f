//! What the bytes of a page mean: its URL, its charset, its links and its text.

mod address;
mod binary;
pub mod canon;
mod charset;
pub mod html;
pub mod whatwg;

pub use address::{
    Address, AddressError, Base, Excess, HostName, Limits, NotAPage, Scheme, directory,
    host_from_key, host_key, ip_address, registrable, registrable_domain, top_level_domain,
    without_port,
};
pub use binary::is_binary;
pub use charset::{Charset, CharsetEvidence, Decoding, Source, decide};
