//! How much a page is about a topic.
//!
//! A [`Topic`] judges the visible text of a page. There are three kinds:
//!
//! - [`Vector`], the TF-IDF topic vector of Gogar, Hubáček and Šedivý (2015), learned from some 40
//!   example pages, with the true cosine beside the published score;
//! - [`Keywords`], the weighted keywords of Mali and Meshram (2011), written by hand;
//! - [`Linear`], a yes/no classifier trained from examples and counter-examples.
//!
//! All three are text files that can be read and corrected (`docs/topics.md` has their formats).
//! Words are found by [`Tokens`]: as published, or by Unicode rules and models for the scripts that
//! are written without spaces. How rare words are is told by an [`Idf`], counted over any corpus.
//!
//! There is no I/O here: text comes in, and values come out, the same on every machine.

mod error;
mod format;
mod idf;
mod keywords;
mod linear;
mod regression;
mod topic;
mod vector;
mod words;

pub use error::TopicError;
pub use idf::{Idf, PUBLISHED_DOCUMENTS};
pub use keywords::Keywords;
pub use linear::{Linear, LinearOptions};
pub use topic::{Evidence, Kind, Topic, TopicScore};
pub use vector::{Term, Vector, VectorOptions};
pub use words::{Bag, Tokens, Words};
