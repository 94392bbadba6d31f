//! Synthetic webs.
//!
//! A web is generated only from published statistics and from free parameters that a preset states
//! with their reasons. It is made in this order: servers with sizes, top-level domains and a mix of
//! languages (`plan`); the language of every page (`classes`); how pages link, adjusted to the
//! published locality (`calibrate`, `links`); then everything else about pages and links, chunk
//! by chunk (`columns`), written in order. Every chunk depends on the seed and its place alone, so
//! the number of threads does not show in the result.

mod calibrate;
mod classes;
mod columns;
mod links;
mod mix;
mod names;
mod plan;
mod preset;
mod random;
mod statistics;
mod write;

pub use preset::{Preset, PresetError, names};
pub use write::{Stage, Synthesis, synthesise};

/// The number of links to crawled pages that the published locality implies.
fn crawled_links(preset: &Preset) -> f64 {
    let published = &preset.published;
    [&published.from_target, &published.from_rest]
        .iter()
        .map(|from| from.links_to_target / (from.all / 100.0))
        .sum()
}
