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

/// The columns of a web space one by one, for whoever makes one stretch by stretch.
pub mod write {
    pub use crate::space::{
        AllColumns, CaptureSlices, CapturesWriter, CodeSlice, Facts, FrontCoder, HostRow,
        TopicSlices, push_url_entry, url_entry,
    };
}

pub use noise::Noise;
pub use space::{
    Captures, Codes, Counts, Damage, LinkOrigin, Manifest, NewSpace, OpenError, Parts, Space,
    Statistic, TopicColumns, TopicFacts, UNKNOWN,
};
pub use web::{Missing, SimulatedLink, SimulatedPage, SimulatedWeb};
