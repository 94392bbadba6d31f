//! How well languages and charsets are told, beside the libraries one could use instead.

pub mod charset;
mod identifier;
pub mod language;
mod rows;

pub use identifier::{Answer, Identifier, Ours, peers};
pub use rows::{Row, rows};
