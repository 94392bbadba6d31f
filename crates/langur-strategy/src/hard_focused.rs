//! Only from relevant pages.

use langur_crawl::{Lead, Link, Priority, Strategy, Visited};

use crate::{Arguments, Named, Setting, SpecError};

/// Follows the links of relevant pages and no others (Somboonviwat, Tamura and Kitsuregawa 2005).
/// The same as limited distance with n = 0.
pub struct HardFocused;

impl Strategy for HardFocused {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        Some(1)
    }

    #[inline]
    fn outlook(&self, from: &Visited<()>) -> Option<Priority> {
        from.is_relevant().then_some(Priority::BEST)
    }

    #[inline]
    fn consider(&mut self, from: &Visited<()>, _: &impl Link) -> Option<Lead<()>> {
        from.is_relevant().then(|| self.seed())
    }
}

impl Named for HardFocused {
    const NAME: &'static str = "hard-focused";
    const ABOUT: &'static str =
        "follows the links of relevant pages and no others (Somboonviwat et al. 2005)";

    fn build(_: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(HardFocused)
    }
}
