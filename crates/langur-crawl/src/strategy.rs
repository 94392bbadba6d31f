//! What decides.

use crate::{HostId, Judgement, Lead, Link, Outcome, Page, PageId, Priority, Standing, Trail};

/// A visit that has ended well: what a strategy and an observer learn from it.
#[derive(Clone, Copy, Debug)]
pub struct Visited<T> {
    /// The page.
    pub page: PageId,
    /// The host it lives on.
    pub host: HostId,
    /// Whether it was OK HTML.
    pub outcome: Outcome,
    /// What the classifier said.
    pub judgement: Judgement,
    /// The lead that brought the crawl here.
    pub lead: Lead<T>,
}

impl<T> Visited<T> {
    /// Whether the page is relevant.
    pub fn is_relevant(&self) -> bool {
        self.judgement.relevance.relevant
    }
}

/// Evidence about a link that has to be looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// None.
    Nothing,
    /// The host it points to.
    Host,
    /// The directory it points into.
    Directory,
}

/// Decides for every link of a visited page whether to follow it and how soon, and how a host
/// stands. A strategy sees visits and links, never a web; one that does see a web is an oracle.
///
/// The crawl asks only about links that can still change something: not about pages already
/// visited, nor about pages that wait at the best priority a link could get.
pub trait Strategy {
    /// What is remembered of the way to a page.
    type Trail: Trail;

    /// Whether [`Strategy::standing`] ever answers. Frontiers keep track of hosts only then.
    const RANKS_HOSTS: bool = false;

    /// Which evidence [`Strategy::consider`] asks of nearly every link, so that it can be at hand in time.
    const ASKS: Asks = Asks::Nothing;

    /// Whether a visited page that is met on a better lead may be opened again (the switch
    /// `--reopen`). It may not where priorities improve forever.
    const REOPENS: bool = true;

    /// The number of tiers, if all priorities are tiers.
    fn tiers(&self) -> Option<u8>;

    /// The lead of a seed: the best priority and an empty trail.
    fn seed(&self) -> Lead<Self::Trail> {
        Lead { priority: Priority::BEST, trail: Self::Trail::default() }
    }

    /// Called once a visit, before its links are considered: how the page's host now stands, if
    /// that changed.
    fn standing(&mut self, _visited: &Visited<Self::Trail>, _page: &impl Page) -> Option<Standing> {
        None
    }

    /// Called before the links of a page are considered, for strategies that weigh them against each
    /// other or share something out among them. Here all links are seen, also those that will not be
    /// asked about.
    fn survey(&mut self, _from: &Visited<Self::Trail>, _page: &impl Page) {}

    /// The best priority that a link of this page could get, or `None` if none will be followed. Links
    /// to waiting pages that could not gain by it are not considered. Hosts that are raised may be left
    /// out of account, since their pages wait at the best priority already.
    fn outlook(&self, _from: &Visited<Self::Trail>) -> Option<Priority> {
        Some(Priority::BEST)
    }

    /// Whether to follow a link, and how soon. A link that is not followed leaves no trace.
    fn consider(
        &mut self,
        from: &Visited<Self::Trail>,
        link: &impl Link,
    ) -> Option<Lead<Self::Trail>>;

    /// The lead of a page that a redirect sends to: that of the redirect, unless the strategy gave up
    /// the host that it sends to.
    fn redirected(
        &mut self,
        from: &Visited<Self::Trail>,
        _link: &impl Link,
    ) -> Option<Lead<Self::Trail>> {
        Some(from.lead)
    }

    /// Announces that this host will soon be asked about.
    fn hint_host(&self, _host: HostId) {}
}
