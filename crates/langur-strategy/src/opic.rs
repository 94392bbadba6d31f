//! By the importance of pages, reckoned as the crawl goes.

use langur_crawl::{Lead, Link, Page, PageId, Priority, Strategy, Trail, Visited};

use crate::per_page::PerPage;
use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError};

/// The on-line page importance computation of Abiteboul, Preda and Cobena (2003), and as Apache Nutch has
/// it. Every page has cash, a seed 1 to begin with. A page that is fetched shares its cash out among its
/// links, and the waiting page with the most cash is fetched next; seeds go before all others, as under
/// every strategy.
///
/// In the original one more share goes to a virtual page, which now and then gives it back to all pages
/// known by then alike. That does not change which of these has the most, only how they stand against
/// pages found later, and is left out here. In Nutch's form there is no virtual page, only the first 100
/// links of a page count and are followed, and a page keeps its cash, which makes no difference where a
/// page is fetched once. Nutch also fetches in batches; that belongs to its machinery, not to the rule.
pub struct Opic {
    cash: PerPage<f64>,
    virtual_page: bool,
    most_links: usize,
    /// Links of the page being considered beyond those that are followed, sorted.
    cut: Vec<PageId>,
}

/// How a page was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Found {
    /// It was given.
    #[default]
    AsSeed,
    /// It was linked to.
    ByLink,
}

impl Trail for Found {
    fn crossed(self) -> Option<u32> {
        None
    }
}

impl Strategy for Opic {
    type Trail = Found;
    /// Cash that comes in after the fetch would open a page again, and again.
    const REOPENS: bool = false;

    fn tiers(&self) -> Option<u8> {
        None
    }

    fn survey(&mut self, from: &Visited<Found>, page: &impl Page) {
        let cash = self.spend(from);
        let links = page.links().take(self.most_links).count();
        let share = cash / (links + usize::from(self.virtual_page)).max(1) as f64;
        self.cut.clear();
        for (place, link) in page.links().enumerate() {
            if place < links {
                *self.cash.at(link.page()) += share;
            } else {
                self.cut.push(link.page());
            }
        }
        self.cut.sort_unstable();
    }

    fn consider(&mut self, _: &Visited<Found>, link: &impl Link) -> Option<Lead<Found>> {
        self.cut.binary_search(&link.page()).is_err().then(|| self.lead(link.page()))
    }

    /// The page that a redirect sends to gets its cash.
    fn redirected(&mut self, from: &Visited<Found>, link: &impl Link) -> Option<Lead<Found>> {
        let cash = self.spend(from);
        *self.cash.at(link.page()) += cash;
        Some(self.lead(link.page()))
    }
}

impl Opic {
    /// Takes all the cash of a page.
    fn spend(&mut self, from: &Visited<Found>) -> f64 {
        let start = if from.lead.trail == Found::AsSeed { 1.0 } else { 0.0 };
        start + std::mem::take(self.cash.at(from.page))
    }

    fn lead(&self, page: PageId) -> Lead<Found> {
        Lead { priority: Priority::score(self.cash.get(page) as f32), trail: Found::ByLink }
    }
}

/// Nutch's `db.max.outlinks.per.page`, as it comes.
const NUTCH_LINKS: usize = 100;

impl Named for Opic {
    const NAME: &'static str = "opic";
    const ABOUT: &'static str = "follows every link, to the page first that the pages fetched so far give most importance (Abiteboul et al. 2003)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "form",
            kind: Kind::Choice(&["original", "nutch"]),
            default: "original",
            about: "one share of a page's cash to a virtual page, or as in Nutch: none, and the first 100 links only",
        },
        Parameter {
            name: "max_links",
            kind: Kind::Number(0, 1_000_000),
            default: "0",
            about: "links of a page that count and are followed; 0 for what the form says",
        },
    ];
    const VARIANTS: &'static [&'static str] = &["original", "nutch"];

    fn build(arguments: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        let virtual_page = arguments.word("form") == "original";
        let most_links = match arguments.number("max_links") {
            0 if virtual_page => usize::MAX,
            0 => NUTCH_LINKS,
            links => links as usize,
        };
        Ok(Opic { cash: PerPage::default(), virtual_page, most_links, cut: Vec::new() })
    }
}
