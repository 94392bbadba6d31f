//! Only where it pays: an oracle.

use langur_crawl::{Foresight, Lead, Link, PageId, Strategy, Visited, prefetch};

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

/// Of how many pages the links are at hand.
const OPEN: usize = 4;

impl Perfect {
    /// Looks at the whole web before the crawl.
    pub fn new(web: &dyn Foresight) -> Perfect {
        let found = breadth_first(web);
        let (mut wanted, mut pays) = (vec![false; web.pages()], vec![false; found.len()]);
        // From the last found to the first, a page is passed before the one it was found on.
        for (place, &(page, on)) in found.iter().enumerate().rev() {
            if pays[place] || web.is_relevant(page) {
                wanted[page.0 as usize] = true;
                pays[on as usize] = true;
            }
        }
        Perfect { wanted }
    }
}

/// The pages in the order in which a breadth-first crawl finds them, each with the place of the one that it
/// was found on: the place and not the page, since neighbours in this order mostly have the same.
fn breadth_first(web: &dyn Foresight) -> Vec<(PageId, u32)> {
    let mut seen = vec![false; web.pages()];
    let mut found: Vec<(PageId, u32)> = Vec::new();
    for &seed in web.seeds() {
        if !std::mem::replace(&mut seen[seed.0 as usize], true) {
            found.push((seed, found.len() as u32));
        }
    }
    // The links of some pages are there before their turn, so that the memory which says whether they
    // were seen is asked for in time.
    let mut links: [Vec<PageId>; OPEN] = Default::default();
    let (mut place, mut opened) = (0, 0);
    loop {
        while opened < found.len().min(place + OPEN) {
            for &ahead in web.hints_ahead() {
                if let Some(&(page, _)) = found.get(opened + ahead) {
                    web.hint(page, ahead);
                }
            }
            let links = &mut links[opened % OPEN];
            web.links(found[opened].0, links);
            links.iter().for_each(|link| prefetch(&seen, link.0 as usize));
            opened += 1;
        }
        if place == opened {
            break;
        }
        for link in links[place % OPEN].drain(..) {
            if !std::mem::replace(&mut seen[link.0 as usize], true) {
                found.push((link, place as u32));
            }
        }
        place += 1;
    }
    found
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
