//! By the score of the page that links.

use langur_crawl::{Lead, Link, Priority, Strategy, Visited};

use crate::{Arguments, Named, Setting, SpecError};

/// Follows every link, those of the most relevant pages first. With a classifier that only says yes
/// or no it is soft-focused crawling.
pub struct BestFirst;

impl Strategy for BestFirst {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        None
    }

    #[inline]
    fn outlook(&self, from: &Visited<()>) -> Option<Priority> {
        Some(Priority::score(from.judgement.relevance.score))
    }

    #[inline]
    fn consider(&mut self, from: &Visited<()>, _: &impl Link) -> Option<Lead<()>> {
        self.outlook(from).map(|priority| Lead { priority, trail: () })
    }
}

impl Named for BestFirst {
    const NAME: &'static str = "best-first";
    const ABOUT: &'static str =
        "follows every link, those of the pages with the highest score first (Menczer et al. 2004)";

    fn build(_: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(BestFirst)
    }
}
