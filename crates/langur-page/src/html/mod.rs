//! What the markup of a page says: links, text, and what its head declares, in one pass.
//!
//! [`Document::of`] never fails: a page that is broken, cut off or no HTML at all gives what could be
//! understood of it. Time and memory are in proportion to the page's length, whatever it nests.

mod boilerplate;
mod document;
mod extract;
mod gateway;
mod refresh;
mod spaces;
mod tag;
mod tokenizer;

pub use document::{Document, Gateway, Link, LinkKind, Refresh};
pub use refresh::parse as parse_refresh;
pub use tag::Region;
pub use tokenizer::{Attribute, Sink, TextKind, tokenize};
