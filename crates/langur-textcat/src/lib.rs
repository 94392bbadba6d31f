//! The n-gram rank profiles of Cavnar and Trenkle.
//!
//! Cavnar and Trenkle (1994) tell the language of a text by its commonest n-grams: a [`Profile`] is
//! a list of them, the commonest first, and the nearest profile is the one in which they stand least
//! out of place. libTextCat is the implementation that Somboonviwat et al. (2006) used, and
//! [`Categories`] decides as it does; its fingerprint files and those of its heir exttextcat are read
//! as they are.
//!
//! [`rules`] has the founding papers' rules for the language of a page, which are built on it.
//!
//! Text is bytes, in whatever encoding the profiles are; there is no I/O here.

mod categories;
mod index;
mod joined;
mod ngrams;
mod profile;
pub mod rules;
mod windows;

pub use categories::{Categories, Options, Verdict, parse_conf};
pub use ngrams::Symbols;
pub use profile::Profile;
