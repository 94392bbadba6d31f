//! Which URLs belong to a crawl.
//!
//! [`ScopeRules`] are what a person writes, [`Scope`] what a crawl asks for every link: whether a URL is
//! in, and if not, why. How many pages of a host a crawl may take is not said here, nor which URLs are
//! too odd to be pages (see [`Limits`](langur_page::Limits)). [`without_session`] is for URLs that are
//! new with every visit because they carry the visitor's number.

mod error;
mod prefixes;
mod rule;
mod scope;
mod session;
mod surt;

pub use error::ScopeError;
pub use scope::{Excluded, Scope, ScopeRules};
pub use session::without_session;
