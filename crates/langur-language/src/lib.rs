//! Which language a page, an anchor or a URL is in.
//!
//! [`Judge`] is the default judge, `langur`. Its model is built by `langur-train` from the corpora that
//! `models/fetch` brings; `docs/language.md` says how well it does. The papers' own rules are in
//! `langur-textcat`.

pub mod features;
mod han;
mod hints;
mod judge;
pub mod letters;
mod memory;
mod mixture;
pub mod model;
mod names;
mod neighbours;
pub mod odds;
pub mod packed;
pub mod tally;
mod territories;
mod url;
mod url_tags;
mod windows;
mod zawgyi;

pub use hints::{Hint, declared};
pub use judge::{Evidence, Judge, SURE_ENOUGH, Share, Verdict};
pub use memory::Memory;
pub use names::{name, named};

/// The model that comes with Langur, as `langur-train` wrote it.
pub const MODEL: &[u8] = include_bytes!("../data/languages.zst");
