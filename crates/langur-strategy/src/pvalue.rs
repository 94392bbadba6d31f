//! To where links come from and few lead.

use langur_crawl::{Lead, Link, Page, PageId, Priority, Strategy, Visited};

use crate::per_page::PerPage;
use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError};

/// The Pvalue of Mali and Meshram (2011): the links of a page less the known links to it, greatest first. It
/// prefers lists of links that nobody refers to, the opposite of [`Opic`](crate::Opic).
///
/// How many links a page has is known only once it is fetched, and then it waits no longer; the paper
/// parses pages "without downloading". Here a page that waits is taken to have as many links as the page
/// that links to it, for lists link to lists. Links to it are those known when it was found; found again, it
/// keeps the better value, since waiting pages move forwards only. As in the paper (its third layer), only
/// the links of relevant pages are followed, unless told otherwise.
pub struct Pvalue {
    links_to: PerPage<u32>,
    /// Links of the page being considered.
    forward: u32,
    follow_all: bool,
}

impl Strategy for Pvalue {
    type Trail = ();
    /// The links of a page that is opened again would be counted twice.
    const REOPENS: bool = false;

    fn tiers(&self) -> Option<u8> {
        None
    }

    fn survey(&mut self, _: &Visited<()>, page: &impl Page) {
        self.forward = 0;
        for link in page.links() {
            *self.links_to.at(link.page()) += 1;
            self.forward += 1;
        }
    }

    /// At best this is the first link to a page.
    fn outlook(&self, from: &Visited<()>) -> Option<Priority> {
        (self.follow_all || from.is_relevant()).then(|| self.priority(1))
    }

    fn consider(&mut self, from: &Visited<()>, link: &impl Link) -> Option<Lead<()>> {
        self.outlook(from)?;
        Some(Lead { priority: self.value(link.page()), trail: () })
    }
}

impl Pvalue {
    fn value(&self, page: PageId) -> Priority {
        self.priority(self.links_to.get(page))
    }

    fn priority(&self, backward: u32) -> Priority {
        Priority::score(self.forward as f32 - backward as f32)
    }
}

impl Named for Pvalue {
    const NAME: &'static str = "pvalue";
    const ABOUT: &'static str = "follows the links of relevant pages, those of pages with many links first and to pages that few link to (Mali and Meshram 2011)";
    const PARAMETERS: &'static [Parameter] = &[Parameter {
        name: "follow",
        kind: Kind::Choice(&["relevant", "all"]),
        default: "relevant",
        about: "whose links are followed: those of relevant pages, as in the paper, or of all pages",
    }];
    const VARIANTS: &'static [&'static str] = &["relevant", "all"];

    fn build(arguments: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        let follow_all = arguments.word("follow") == "all";
        Ok(Pvalue { links_to: PerPage::default(), forward: 0, follow_all })
    }
}
