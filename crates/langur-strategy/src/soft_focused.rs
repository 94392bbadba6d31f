//! Relevant pages' links first.

use langur_crawl::{Lead, Link, Priority, Strategy, Visited};

use crate::{Arguments, Named, Setting, SpecError};

/// Follows every link, those of relevant pages first (Somboonviwat, Tamura and Kitsuregawa 2005).
pub struct SoftFocused;

impl Strategy for SoftFocused {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        Some(2)
    }

    #[inline]
    fn outlook(&self, from: &Visited<()>) -> Option<Priority> {
        Some(Priority::tier(u8::from(!from.is_relevant())))
    }

    #[inline]
    fn consider(&mut self, from: &Visited<()>, _: &impl Link) -> Option<Lead<()>> {
        self.outlook(from).map(|priority| Lead { priority, trail: () })
    }
}

impl Named for SoftFocused {
    const NAME: &'static str = "soft-focused";
    const ABOUT: &'static str =
        "follows every link, those of relevant pages first (Somboonviwat et al. 2005)";

    fn build(_: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(SoftFocused)
    }
}
