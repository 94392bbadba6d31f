//! A language identifier that errs.

use langur_crawl::draw_fraction;

/// How often the identifier errs, and where: which pages it errs on depends on the seed alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The share of relevant pages that it misses.
    pub miss: f64,
    /// The share of irrelevant OK HTML pages that it takes for relevant ones.
    pub false_alarm: f64,
    /// Whether it errs only on the first page of each host, through which a site is entered.
    pub entries_only: bool,
    /// Draws the pages.
    pub seed: u64,
}

impl Noise {
    /// Whether the identifier errs on a page.
    pub(crate) fn strikes(&self, page: u64, relevant: bool, is_entry: bool) -> bool {
        let share = if relevant { self.miss } else { self.false_alarm };
        draw_fraction(self.seed, page) < share && (is_entry || !self.entries_only)
    }
}
