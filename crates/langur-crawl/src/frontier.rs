//! Which page next: the trait. The frontiers themselves are in `langur-frontier`.

use crate::{HostId, Lead, Link, PageId, Priority, Standing};

/// A page given out by a frontier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<T> {
    /// The page to visit.
    pub page: PageId,
    /// Why it waited.
    pub lead: Lead<T>,
    /// Whether it was visited before and is only to have its links considered anew.
    pub again: bool,
}

/// The pages found and not yet visited.
///
/// Every frontier keeps these promises, checked by `langur_testkit::frontier`:
///
/// * a page is given out once, unless it is reopened;
/// * the best priority leaves first, and within a priority the page queued first (or, where the
///   frontier was made so, a page drawn by a seeded generator);
/// * a waiting page offered at a better priority moves to the end of that priority and takes the
///   new trail, unless the frontier was told to keep the first lead;
/// * raising a host moves its waiting pages to the end of the best priority in the order in which
///   they were found, with their trails; abandoning it discards them as if they had never been found;
/// * equal calls give equal answers on every machine.
pub trait Frontier<T: Copy> {
    /// Queues the page a link points to, or moves it to a better priority. Returns whether the
    /// frontier changed.
    fn offer(&mut self, link: &impl Link, lead: Lead<T>) -> bool;

    /// Whether no lead of this priority or a worse one could change how the page stands.
    fn is_settled(&self, page: PageId, best: Priority) -> bool;

    /// Applies a host's new standing to its waiting pages.
    fn rank(&mut self, host: HostId, standing: Standing);

    /// Takes the next page.
    fn next(&mut self) -> Option<Found<T>>;

    /// Forgets a page that was given out and not visited after all.
    fn withdraw(&mut self, page: PageId);

    /// A priority that no waiting page beats, if any page waits.
    fn best(&self) -> Option<Priority>;

    /// The number of distinct waiting pages.
    fn len(&self) -> usize;

    /// Whether no page waits.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many pages wait at each priority that has any, best first, in time linear in the pages known; `None` from
    /// frontiers of arbitrary scores.
    fn by_priority(&self) -> Option<Vec<(Priority, usize)>> {
        None
    }

    /// A guess at the page that will be next after `ahead` others, for fetching memory early.
    fn upcoming(&self, _ahead: usize) -> Option<PageId> {
        None
    }

    /// Announces that [`Frontier::is_settled`] will soon be asked about this page.
    fn hint(&self, _page: PageId) {}

    /// Announces that this page will probably soon be offered.
    fn hint_offer(&self, _page: PageId) {}

    /// Announces that pages of this host will probably soon be offered.
    fn hint_host(&self, _host: HostId) {}
}
