//! Only where it pays: an oracle.

use langur_crawl::{Foresight, Lead, Link, PageId, Strategy, Visited};

use crate::{Arguments, Named, Setting, SpecError};

/// Follows only links that lead to relevant pages, found beforehand with a breadth-first crawl: the
/// *Perfect* of Somboonviwat, Tamura and Kitsuregawa (2006). Every page of the breadth-first tree
/// that has a relevant page below it is wanted, and nothing else is visited.
///
/// It sees what it has not fetched, so it is an oracle; and it is not the best one, which would be
/// a directed Steiner tree.
pub struct Perfect {
    wanted: Vec<bool>,
}

impl Perfect {
    /// Looks at the whole web before the crawl.
    pub fn new(web: &dyn Foresight) -> Perfect {
        const NOBODY: u32 = u32::MAX;
        let mut parents = vec![NOBODY; web.pages()];
        let mut found: Vec<PageId> = Vec::new();
        for &seed in web.seeds() {
            if parents[seed.0 as usize] == NOBODY {
                parents[seed.0 as usize] = seed.0;
                found.push(seed);
            }
        }
        let mut links = Vec::new();
        let mut next = 0;
        while let Some(&page) = found.get(next) {
            next += 1;
            web.links(page, &mut links);
            for link in links.drain(..) {
                let parent = &mut parents[link.0 as usize];
                if *parent == NOBODY {
                    *parent = page.0;
                    found.push(link);
                }
            }
        }
        let mut wanted = vec![false; web.pages()];
        // From the last found to the first, a page is passed before its parent.
        for &page in found.iter().rev() {
            if web.is_relevant(page) {
                wanted[page.0 as usize] = true;
            }
            if wanted[page.0 as usize] {
                wanted[parents[page.0 as usize] as usize] = true;
            }
        }
        Perfect { wanted }
    }
}

impl Strategy for Perfect {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        Some(1)
    }

    #[inline]
    fn consider(&mut self, _: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        // A page outside the web space is never worth a visit.
        let wanted = self.wanted.get(link.page().0 as usize).copied().unwrap_or(false);
        wanted.then(|| self.seed())
    }
}

impl Named for Perfect {
    const NAME: &'static str = "perfect";
    const ABOUT: &'static str = "follows only links that a breadth-first crawl showed to lead to relevant pages; an oracle (Somboonviwat et al. 2006)";
    const ORACLE: bool = true;

    fn build(_: &Arguments, setting: &Setting) -> Result<Self, SpecError> {
        setting.foresight_for(Self::NAME).map(Perfect::new)
    }
}
