//! What a site asks of crawlers.
//!
//! Before a crawl, [`Robots`]: which URLs of a host a client should leave alone, and how long it should
//! wait between two. Beside it, [`sitemap`]: the pages a site would like to be found. With a page, [`directives`]: whether it may be kept and its links followed.

mod directives;
mod lines;
mod pattern;
mod robots;
pub mod sitemap;
mod utf_8;

pub use directives::{Directives, directives};
pub use lines::READ;
pub use robots::{LONGEST_DELAY, Robots, product};
