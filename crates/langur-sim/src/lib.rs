//! The simulated web.
//!
//! A [`Space`] is a crawl log and its link database in one folder, mapped into memory. It can be
//! [synthesised](synth) from published statistics, [imported and exported](exchange), and crawled
//! as a [`SimulatedWeb`].

pub mod exchange;
mod noise;
pub mod parallel;
mod space;
pub mod synth;
mod web;

pub use noise::Noise;
pub use space::{
    Captures, Codes, Counts, Damage, LinkOrigin, Manifest, NewSpace, OpenError, Parts, Space,
    Statistic, TopicColumns, TopicFacts, UNKNOWN, score_byte,
};
pub use web::{Missing, SimulatedLink, SimulatedPage, SimulatedWeb};
