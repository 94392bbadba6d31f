//! The crawl itself.

use crate::{
    Asks, Classifier, Failure, Frontier, HostId, Judgement, Lead, Link, Observer, Outcome, Page,
    PageId, Priority, Relevance, Standing, Strategy, Time, Visited, Web,
};

/// How many links ahead memory is asked for: far enough to hide the time it takes to answer.
const AHEAD: usize = 16;
/// How many links are considered together where evidence has to be looked up.
const TOGETHER: usize = 16;

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

    /// Forgets that a page was given out, whose visit has failed without being made: it may be found again.
    pub fn forget(&mut self, page: PageId) {
        self.frontier.withdraw(page);
    }

    fn follow_redirect(&mut self, visited: &Visited<S::Trail>, page: &impl Page) {
        for link in page.links() {
            if let Some(lead) = self.strategy.redirected(visited, &link) {
                self.frontier.offer(&link, lead);
            }
        }
    }

    /// Considers the links to pages for which a lead of this priority could change something. Another
    /// look at the links runs ahead of the one that decides, and asks for the memory that tells how each
    /// page stands, so that many cache misses are under way at once.
    #[inline]
    fn consider_links(&mut self, visited: &Visited<S::Trail>, page: &impl Page, best: Priority) {
        let mut ahead = page.links().map(|link| link.page());
        ahead.by_ref().take(AHEAD).for_each(|page| self.frontier.hint(page));
        if S::ASKS != Asks::Nothing {
            return self.consider_together(visited, page.links(), ahead, best);
        }
        for link in page.links() {
            if let Some(page) = ahead.next() {
                self.frontier.hint(page);
            }
            if !self.frontier.is_settled(link.page(), best) {
                self.consider(visited, &link);
            }
        }
    }

    /// The same where evidence has to be looked up: for several links together memory is asked for, first
    /// that of the evidence and then that of what is known of the hosts.
    #[inline]
    fn consider_together<L: Link + Copy>(
        &mut self,
        visited: &Visited<S::Trail>,
        mut links: impl Iterator<Item = L>,
        mut ahead: impl Iterator<Item = PageId>,
        best: Priority,
    ) {
        let mut count = TOGETHER;
        while count == TOGETHER {
            let mut open = [None; TOGETHER];
            count = 0;
            while count < TOGETHER
                && let Some(link) = links.next()
            {
                if let Some(page) = ahead.next() {
                    self.frontier.hint(page);
                }
                if !self.frontier.is_settled(link.page(), best) {
                    link.hint(S::ASKS);
                    self.frontier.hint_offer(link.page());
                    open[count] = Some(link);
                    count += 1;
                }
            }
            let open = open[..count].iter().flatten();
            if S::ASKS == Asks::Host {
                open.clone().for_each(|link| self.hint_host(link.host()));
            }
            open.for_each(|link| self.consider(visited, link));
        }
    }

    #[inline]
    fn consider(&mut self, visited: &Visited<S::Trail>, link: &impl Link) {
        if let Some(lead) = self.strategy.consider(visited, link) {
            self.frontier.offer(link, lead);
        }
    }

    /// Announces that pages of this host will soon be visited or linked to.
    #[inline]
    fn hint_host(&self, host: HostId) {
        self.strategy.hint_host(host);
        self.frontier.hint_host(host);
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
    pub fn waiting_by_priority(&self) -> Option<Vec<(Priority, usize)>> {
        self.frontier.by_priority()
    }

    /// Asks for memory that the next visits will need: announces their pages to the web, and their hosts to
    /// strategy and frontier.
    #[inline]
    pub fn look_ahead<W: Web>(&self, web: &W) {
        for &ahead in W::HINTS_AHEAD {
            if let Some(page) = self.frontier.upcoming(ahead)
                && let Some(host) = web.hint(page, ahead)
            {
                self.hint_host(host);
            }
        }
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
