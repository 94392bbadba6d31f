//! How well languages and charsets are told, beside the libraries one could use instead.

pub mod charset;
mod confusion;
mod identifier;
pub mod language;
mod rows;

pub use confusion::Confusion;
pub use identifier::{Answer, Identifier, Ours, peers};
pub use rows::{Row, rows};
