//! Last found, first visited.

use langur_crawl::{Lead, Link, Page, Priority, Standing, Strategy, Visited};

use crate::{Arguments, Named, Setting, SpecError};

/// Follows the links of the page visited last before those of any other, in document order.
///
/// Its priority is the number of the visit that found the page, so it improves forever, and opening
/// visited pages again would never end.
pub struct DepthFirst {
    visits: u32,
}

impl Strategy for DepthFirst {
    type Trail = ();
    const REOPENS: bool = false;

    fn tiers(&self) -> Option<u8> {
        None
    }

    fn seed(&self) -> Lead<()> {
        Lead { priority: Priority(u32::MAX), trail: () }
    }

    fn standing(&mut self, _: &Visited<()>, _: &impl Page) -> Option<Standing> {
        self.visits = self.visits.saturating_add(1);
        None
    }

    fn consider(&mut self, _: &Visited<()>, _: &impl Link) -> Option<Lead<()>> {
        Some(Lead { priority: Priority(u32::MAX - self.visits), trail: () })
    }
}

impl Named for DepthFirst {
    const NAME: &'static str = "depth-first";
    const ABOUT: &'static str =
        "follows the links of the page visited last before all others; a baseline";

    fn build(_: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(DepthFirst { visits: 0 })
    }
}
