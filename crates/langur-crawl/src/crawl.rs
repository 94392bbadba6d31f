//! The crawl itself.

use crate::{
    Asks, Classifier, Failure, Frontier, Judgement, Lead, Link, Observer, Outcome, Page, PageId,
    Priority, Relevance, Standing, Strategy, Time, Visited,
};

/// How many links ahead memory is asked for: far enough to hide the time it takes to answer.
const FAR: usize = 16;
const NEAR: usize = 8;

/// One crawl: a strategy, a frontier, a classifier and observers. See the crate's page.
pub struct Crawl<S, F, C, O> {
    strategy: S,
    frontier: F,
    classifier: C,
    observer: O,
    /// Pages that left the frontier and still wait, outside of it.
    held: usize,
}

/// One page on its way: begun by [`Crawl::next`], ended by [`Crawl::visited`] or [`Crawl::failed`].
/// It cannot be cloned, so it cannot be ended twice.
#[must_use = "a visit must be given back with `visited` or `failed`"]
#[derive(Debug)]
pub struct Visit<T> {
    page: PageId,
    lead: Lead<T>,
    again: bool,
}

impl<T> Visit<T> {
    /// The page to fetch.
    pub fn page(&self) -> PageId {
        self.page
    }

    /// What is remembered of the way to it.
    pub fn trail(&self) -> &T {
        &self.lead.trail
    }

    /// How soon it should be fetched.
    pub fn priority(&self) -> Priority {
        self.lead.priority
    }

    /// The page's host was raised while the visit waited to be made.
    pub fn raise(&mut self) {
        self.lead.priority = Priority::BEST;
    }

    /// Whether the page was visited before and is wanted only for its links (`--reopen`). Such a
    /// visit is not a fetch.
    pub fn is_again(&self) -> bool {
        self.again
    }
}

impl<S, F, C, O> Crawl<S, F, C, O>
where
    S: Strategy,
    F: Frontier<S::Trail>,
    C: Classifier,
    O: Observer<S::Trail>,
{
    /// A crawl with nothing to visit yet; [`Crawl::seed`] it.
    pub fn new(strategy: S, frontier: F, classifier: C, observer: O) -> Self {
        Crawl { strategy, frontier, classifier, observer, held: 0 }
    }

    /// Queues a page to start from. Seeds wait at the best priority, in the order given.
    pub fn seed(&mut self, seed: &impl Link) {
        self.frontier.offer(seed, self.strategy.seed());
    }

    /// Begins the next visit, or says that nothing waits.
    #[expect(
        clippy::should_implement_trait,
        reason = "a crawl is no iterator: every visit must be given back"
    )]
    pub fn next(&mut self) -> Option<Visit<S::Trail>> {
        let found = self.frontier.next()?;
        Some(Visit { page: found.page, lead: found.lead, again: found.again })
    }

    /// Ends a visit: the page is judged, its host's standing applied, and each link considered. Returns
    /// the standing if it changed, for whoever holds other visits to that host.
    pub fn visited(
        &mut self,
        visit: Visit<S::Trail>,
        page: &impl Page,
        now: Time,
    ) -> Option<Standing> {
        let outcome = page.outcome();
        let judgement = match outcome {
            Outcome::OkHtml => self.classifier.judge(page),
            Outcome::Redirect | Outcome::Other => {
                Judgement { relevance: Relevance::NONE, language: None }
            }
        };
        let visited =
            Visited { page: visit.page, host: page.host(), outcome, judgement, lead: visit.lead };
        let standing = if visit.again { None } else { self.strategy.standing(&visited, page) };
        if let Some(standing) = standing {
            self.frontier.rank(visited.host, standing);
        }
        match outcome {
            Outcome::OkHtml => {
                self.strategy.survey(&visited, page);
                if let Some(best) = self.strategy.outlook(&visited) {
                    self.consider_links(&visited, page, best);
                }
            }
            Outcome::Redirect => self.follow_redirect(&visited, page),
            Outcome::Other => {}
        }
        if !visit.again {
            self.observer.visited(&visited, self.frontier.len() + self.held, now);
        }
        standing
    }

    /// Ends a visit whose page was not there.
    pub fn failed(&mut self, visit: Visit<S::Trail>, why: Failure, now: Time) {
        match why {
            Failure::Missing | Failure::Unasked => {
                self.observer.failed(visit.page, self.frontier.len() + self.held, now);
            }
        }
    }

    /// Says how many pages wait outside of the frontier, begun and not yet fetched: they count as waiting.
    pub fn hold(&mut self, held: usize) {
        self.held = held;
    }

    /// Takes back a visit that was not made because its host was abandoned: the page is as if it had
    /// never been found.
    pub fn withdraw(&mut self, visit: Visit<S::Trail>) {
        self.frontier.withdraw(visit.page);
    }

    fn follow_redirect(&mut self, visited: &Visited<S::Trail>, page: &impl Page) {
        for link in page.links() {
            if let Some(lead) = self.strategy.redirected(visited, &link) {
                self.frontier.offer(&link, lead);
            }
        }
    }

    #[inline]
    fn consider_links(&mut self, visited: &Visited<S::Trail>, page: &impl Page, best: Priority) {
        // Two more looks at the links run ahead of the one that decides, and ask for the memory that
        // it will need: first for how the page stands and then, if a lead could change that, for
        // the evidence. So many cache misses are under way at once.
        let (mut far, mut near) = (page.links(), page.links());
        far.by_ref().take(FAR).for_each(|link| self.frontier.hint(link.page()));
        if S::ASKS != Asks::Nothing {
            near.by_ref().take(NEAR).for_each(|link| self.hint_evidence(&link, best));
        }
        for link in page.links() {
            if let Some(link) = far.next() {
                self.frontier.hint(link.page());
            }
            if S::ASKS != Asks::Nothing
                && let Some(link) = near.next()
            {
                self.hint_evidence(&link, best);
            }
            if !self.frontier.is_settled(link.page(), best)
                && let Some(lead) = self.strategy.consider(visited, &link)
            {
                self.frontier.offer(&link, lead);
            }
        }
    }

    #[inline]
    fn hint_evidence(&self, link: &impl Link, best: Priority) {
        if !self.frontier.is_settled(link.page(), best) {
            link.hint(S::ASKS);
            self.frontier.hint_offer(link.page());
        }
    }

    /// The number of distinct waiting pages.
    pub fn waiting(&self) -> usize {
        self.frontier.len()
    }

    /// A priority that no waiting page beats, if any page waits.
    pub fn best_waiting(&self) -> Option<Priority> {
        self.frontier.best()
    }

    /// How many pages wait at each priority, where the frontier can say.
    pub fn waiting_by_priority(&self) -> Vec<(Priority, usize)> {
        self.frontier.by_priority()
    }

    /// A guess at the page that will be next after `ahead` others.
    pub fn upcoming(&self, ahead: usize) -> Option<PageId> {
        self.frontier.upcoming(ahead)
    }

    /// Who watches.
    pub fn observer(&self) -> &O {
        &self.observer
    }

    /// Ends the crawl and gives back its observer.
    pub fn into_observer(self) -> O {
        self.observer
    }
}
