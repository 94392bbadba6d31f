//! What only an oracle may see.

use crate::PageId;

/// A whole web and the truth about it, laid open before the crawl. Only strategies that are called
/// oracles everywhere may ask for it; the live web has none to give.
pub trait Foresight {
    /// The number of pages; they are numbered from 0.
    fn pages(&self) -> usize;
    /// Where the crawl will start.
    fn seeds(&self) -> &[PageId];
    /// Whether the classifier will find the page relevant.
    fn is_relevant(&self, page: PageId) -> bool;
    /// Appends the pages that a page links to, in document order.
    fn links(&self, page: PageId, into: &mut Vec<PageId>);
    /// Announces that the links of a page will be asked for after those of `ahead` others.
    fn hint(&self, _page: PageId, _ahead: usize) {}
    /// The distances at which [`Foresight::hint`] is worth calling.
    fn hints_ahead(&self) -> &[usize] {
        &[]
    }
}
