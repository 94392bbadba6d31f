//! Where food was found the school goes on.

use langur_crawl::{Lead, Link, Page, PageId, Priority, Standing, Strategy, Visited};

use crate::depths::{DEPTH, Depths, EXHAUSTED};
use crate::per_page::PerPage;
use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError};

/// The fish-search of De Bra and Post (1994), with scores as Hersovici et al. (1998) retell it.
///
/// Of the links of a relevant page one and a half times `width` go to the front of the list (score 1), of
/// those of another page `width` go to the middle (score ½); all others go to the end (score 0). Links to
/// other hosts are chosen first. A page that is listed already keeps the better score and the greater
/// depth: links of a relevant page have the depth asked for, those of another page one less than it has
/// itself, and at 0 the branch ends.
///
/// Links to pages that have been fetched do not count among the chosen, since they are not listed. The
/// original also turns away from slow servers; a strategy has no clock, so that is left out.
pub struct Fish {
    width: usize,
    elsewhere_first: bool,
    depths: Depths,
    fetched: PerPage<bool>,
    /// Links of the page being considered that do not go to the end of the list, sorted.
    chosen: Vec<PageId>,
}

const FRONT: Priority = Priority(0);
const MIDDLE: Priority = Priority(1);
const END: Priority = Priority(2);

impl Strategy for Fish {
    type Trail = ();

    fn tiers(&self) -> Option<u8> {
        Some(3)
    }

    fn standing(&mut self, visited: &Visited<()>, _: &impl Page) -> Option<Standing> {
        *self.fetched.at(visited.page) = true;
        None
    }

    fn survey(&mut self, from: &Visited<()>, page: &impl Page) {
        self.chosen.clear();
        let Some(depth) = self.depths.of_links(from) else { return };
        page.links().for_each(|link| self.depths.list(link.page(), depth));
        if !self.depths.end_at(from) {
            let width = if from.is_relevant() { (3 * self.width).div_ceil(2) } else { self.width };
            self.choose(width, from, page);
        }
    }

    #[inline]
    fn outlook(&self, from: &Visited<()>) -> Option<Priority> {
        self.depths.of_links(from).map(|_| match from.is_relevant() {
            true => FRONT,
            false if self.depths.end_at(from) => END,
            false => MIDDLE,
        })
    }

    #[inline]
    fn consider(&mut self, from: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        let best = self.outlook(from)?;
        let is_chosen = self.chosen.binary_search(&link.page()).is_ok();
        Some(Lead { priority: if is_chosen { best } else { END }, trail: () })
    }

    fn redirected(&mut self, from: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        self.depths.list(link.page(), self.depths.of(from.page));
        Some(from.lead)
    }
}

impl Fish {
    fn choose(&mut self, width: usize, from: &Visited<()>, page: &impl Page) {
        let fetched = &self.fetched;
        let new = || page.links().filter(|link| !fetched.get(link.page()));
        if self.elsewhere_first {
            let elsewhere = new().filter(|link| link.host() != from.host);
            let links = elsewhere.chain(new().filter(|link| link.host() == from.host));
            self.chosen.extend(links.take(width).map(|link| link.page()));
        } else {
            self.chosen.extend(new().take(width).map(|link| link.page()));
        }
        self.chosen.sort_unstable();
    }
}

impl Named for Fish {
    const NAME: &'static str = "fish";
    const ABOUT: &'static str = "follows the links of relevant pages first, a few of each page, and gives up after some irrelevant pages in a row (De Bra and Post 1994)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "width",
            kind: Kind::Number(1, 1_000_000),
            default: "10",
            about: "links of an irrelevant page that are not put last; one and a half times as many of a relevant one. Gogar (2015) does not say how many",
        },
        DEPTH,
        EXHAUSTED,
        Parameter {
            name: "prefer",
            kind: Kind::Choice(&["elsewhere", "document"]),
            default: "elsewhere",
            about: "which links are chosen first: those to other hosts, or as they stand in the document",
        },
    ];

    fn build(arguments: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(Fish {
            width: arguments.number("width") as usize,
            elsewhere_first: arguments.word("prefer") == "elsewhere",
            depths: Depths::new(arguments),
            fetched: PerPage::default(),
            chosen: Vec::new(),
        })
    }
}
