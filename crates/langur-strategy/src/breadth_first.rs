//! First found, first visited.

use langur_crawl::{Lead, Link, Strategy, Visited};

use crate::{Arguments, Named, Setting, SpecError};

/// Follows every link in the order found: the baseline of every comparison.
pub struct BreadthFirst;

impl Strategy for BreadthFirst {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        Some(1)
    }

    #[inline]
    fn consider(&mut self, _: &Visited<()>, _: &impl Link) -> Option<Lead<()>> {
        Some(self.seed())
    }
}

impl Named for BreadthFirst {
    const NAME: &'static str = "breadth-first";
    const ABOUT: &'static str = "follows every link, first found first visited; the baseline";

    fn build(_: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(BreadthFirst)
    }
}
