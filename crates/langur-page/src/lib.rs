//! What the bytes of a page mean. So far: its URL.

mod address;
pub mod canon;
pub mod whatwg;

pub use address::{
    Address, AddressError, Base, Excess, Limits, NotAPage, Scheme, host_from_key, host_key,
    registrable, registrable_domain, top_level_domain,
};
