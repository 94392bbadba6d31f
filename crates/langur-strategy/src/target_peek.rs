//! Relevant pages first, by looking at them before they are fetched: an oracle.

use langur_crawl::{Foresight, Lead, Link, PageId, Priority, Strategy, Visited};

use crate::{Arguments, Named, Setting, SpecError};

/// Follows every link, and visits the pages that are relevant themselves before all others: the way
/// of Craw4LLM (Yu, Liu and Xiong 2025), which scores a page by its own content before it is
/// crawled. It knows what a page is and not where it leads, so it is no bound for strategies that
/// look further.
pub struct TargetPeek {
    relevant: Vec<bool>,
}

impl TargetPeek {
    /// Looks at every page before the crawl.
    pub fn new(web: &dyn Foresight) -> TargetPeek {
        let pages = 0..web.pages() as u32;
        TargetPeek { relevant: pages.map(|page| web.is_relevant(PageId(page))).collect() }
    }
}

impl Strategy for TargetPeek {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        Some(2)
    }

    #[inline]
    fn consider(&mut self, _: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        // A page outside the web space is not relevant.
        let relevant = self.relevant.get(link.page().0 as usize).copied().unwrap_or(false);
        Some(Lead { priority: Priority::tier(u8::from(!relevant)), trail: () })
    }
}

impl Named for TargetPeek {
    const NAME: &'static str = "target-peek";
    const ABOUT: &'static str =
        "visits pages that are relevant themselves before all others; an oracle (Craw4LLM, 2025)";
    const ORACLE: bool = true;

    fn build(_: &Arguments, setting: &Setting) -> Result<Self, SpecError> {
        setting.foresight_for(Self::NAME).map(TargetPeek::new)
    }
}
