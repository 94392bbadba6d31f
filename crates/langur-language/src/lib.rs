//! Which language a page, an anchor or a URL is in.

pub mod features;
pub mod letters;
pub mod model;
pub mod text;
