//! Who is asked next.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use futures_util::FutureExt;
use langur_crawl::{HostId, PageId};
use langur_fetch::{Failed, FailureKind};
use langur_page::Address;
use langur_robots::Robots;

use super::{Done, LiveCrawl, LiveError, Message, UnderWay};
use crate::journal::{ErrandKind, Event, Passed};
use crate::workbench::Job;
use crate::workshop::{Ask, Workshop, words};

/// While no host may be asked, pages go to the workbench in search of one that may, up to so many. There they cannot be
/// met on a better lead any more, so they are few.
const WORKBENCH: usize = 5000;

/// A fast crawl may hold what it fetches in so many seconds, since that will be visited before much is learnt of it. With fewer
/// they were mostly those of a few large hosts, and two thirds of the connections had nothing to do.
const SECONDS_HELD: f64 = 5.0;

/// Beyond that, so many a second: however many pages of busy hosts there are, those of others are found.
const TRICKLE: usize = 200;

/// Rules of so many hosts are kept in memory; those of others are read again.
const MOST_RULES: usize = 20_000;

impl LiveCrawl {
    /// Begins as many jobs as may be under way.
    pub(super) fn dispatch(&mut self) -> Result<(), LiveError> {
        let mut most = self.most_to_hold();
        while self.under_way.len() < self.settings.fetch.connections && !self.enough_under_way() {
            let now = self.now();
            self.state.workbench.wake(now);
            if most > 0 && self.may_be_better() {
                most -= 1;
                self.record(&Event::Next)?;
                continue;
            }
            let Some(job) = self.state.workbench.take(now) else { break };
            self.start(job)?;
        }
        self.begin_work()
    }

    /// Begins what was handed to the workshop, once it is put down who is asked.
    pub(super) fn begin_work(&mut self) -> Result<(), LiveError> {
        self.put_down()?;
        let Some(runtime) = &self.runtime else { return Ok(()) };
        for work in self.beginning.drain(..) {
            runtime.spawn(work);
        }
        Ok(())
    }

    /// How many pages may go to the workbench now.
    fn most_to_hold(&mut self) -> usize {
        let most = WORKBENCH.max((self.rate.lately * SECONDS_HELD) as usize);
        let room = most.saturating_sub(self.state.workbench.len());
        if room == 0 && self.trickled.elapsed().as_secs() >= 1 {
            self.trickled = Instant::now();
            return TRICKLE;
        }
        room
    }

    /// Whether the pages under way are all that may still be fetched.
    fn enough_under_way(&self) -> bool {
        let begun = self.state.tally.fetched + self.under_way.len() as u64;
        self.settings.stop.pages.is_some_and(|pages| begun >= pages)
    }

    /// Whether a page in the frontier should go before those on the workbench.
    fn may_be_better(&mut self) -> bool {
        let at_hand = self.state.workbench.best_ready();
        match (self.state.decisions.best_waiting(), at_hand) {
            (Some(waiting), Some(at_hand)) => waiting < at_hand,
            (waiting, _) => waiting.is_some(),
        }
    }

    fn start(&mut self, job: Job) -> Result<(), LiveError> {
        if let Some(why) = self.is_done_with(job.host()) {
            return self.pass_over(&job, why);
        }
        if let Some(page) = self.first_out_of_scope(&job)? {
            let (at, why) = (self.now(), Passed::OutOfScope);
            return self.record(&Event::Passed { at, page: page.0, why });
        }
        match &job {
            Job::Resolve { host } => {
                let name = self.host_name(*host);
                self.work(job, format!("addresses of {name}"), |workshop| async move {
                    workshop.resolve(&name).await.map(|it| Done::Resolved(Box::new(it)))
                });
            }
            Job::Robots { host } => {
                let (url, rest) = (self.robots_url(*host)?, self.state.workbench.rest(*host));
                self.ask(*host)?;
                self.work(job, url.clone(), move |workshop| async move {
                    workshop.robots(&url, rest).await.map(|came| Done::Came(Box::new(came)))
                });
            }
            Job::Errand { host, url, kind, .. } => {
                let (host, url, kind) = (*host, url.clone(), *kind);
                if !kind.is_for_robots() && self.is_forbidden(host, &url)? {
                    return self.errand_in_vain(host, kind);
                }
                let rest = self.state.workbench.rest(host);
                self.ask(host)?;
                self.work(job, url.clone(), move |workshop| async move {
                    let came = match kind {
                        ErrandKind::Robots(_) => workshop.robots(&url, rest).await,
                        _ => workshop.sitemap(&url, rest).await,
                    };
                    came.map(|came| Done::Came(Box::new(came)))
                });
            }
            Job::Page { host, page, .. } => {
                let (host, page) = (*host, *page);
                let url = self.url(page)?;
                if self.is_forbidden(host, &url)? {
                    let (at, why) = (self.now(), Passed::Forbidden);
                    return self.record(&Event::Passed { at, page: page.0, why });
                }
                let ask = self.ask_for(host, page, url)?;
                self.ask(host)?;
                self.work(job, ask.url.clone(), |workshop| async move {
                    workshop.page(&ask).await.map(|came| Done::Came(Box::new(came)))
                });
            }
        }
        Ok(())
    }

    /// Hands a job to the workshop, where it [begins](LiveCrawl::begin_work) later. However it ends, that is told, or its host
    /// would be busy for ever.
    pub(super) fn work<F>(&mut self, job: Job, url: String, work: impl FnOnce(Arc<Workshop>) -> F)
    where
        F: Future<Output = Result<Done, Failed>> + Send + 'static,
    {
        let since = Instant::now();
        self.under_way.insert(job.host().0, UnderWay { url, since });
        let outbox = self.outbox.clone();
        let work = AssertUnwindSafe(work(Arc::clone(&self.workshop))).catch_unwind();
        self.beginning.push(Box::pin(async move {
            let result = work.await.unwrap_or_else(|panic| {
                let detail = format!("fetching it failed: {}", words(&*panic));
                Err(Failed { kind: FailureKind::Crashed, detail, lasted: since.elapsed() })
            });
            // Nobody listens any more once the crawl has ended.
            let _ = outbox.send(Message::Done(job, result));
        }));
    }

    /// A request is about to be sent.
    fn ask(&mut self, host: HostId) -> Result<(), LiveError> {
        let at = self.now();
        self.record(&Event::Asked { at, host: host.0 })
    }

    /// Why a host is not to be asked for anything any more, if it is not.
    fn is_done_with(&self, host: HostId) -> Option<Passed> {
        let workbench = &self.state.workbench;
        if workbench.given_up(host).is_some() {
            return Some(Passed::HostGivenUp);
        }
        if self.state.is_blocked(host) {
            return Some(Passed::Blocked);
        }
        let budget = &self.settings.budget;
        let domain = self.state.known.domain(host) as usize;
        let of_domain = self.state.domain_asked.get(domain).copied().unwrap_or(0);
        let of_host = workbench.times_asked(host);
        let is_spent =
            u64::from(of_host) >= budget.per_host || u64::from(of_domain) >= budget.per_domain;
        is_spent.then_some(Passed::OverBudget)
    }

    /// The page that a job is for, if it does not belong to the crawl: the scope may have been changed since it was
    /// found. Its depth was looked at then, and may have been another. Seeds belong to it whatever the scope.
    fn first_out_of_scope(&self, job: &Job) -> Result<Option<PageId>, LiveError> {
        let rules = &self.settings.scope;
        if rules.include.is_empty() && rules.exclude.is_empty() {
            return Ok(None);
        }
        let page = match job {
            Job::Errand { .. } => return Ok(None),
            Job::Page { page, .. } => *page,
            Job::Resolve { host } | Job::Robots { host } => match self.state.workbench.first(*host)
            {
                Some(Ok(page)) => page,
                _ => return Ok(None),
            },
        };
        if self.state.given.contains(&page.0) {
            return Ok(None);
        }
        let admits = |address: Address| self.workshop.scope.admits(&address, 0).is_ok();
        Ok((!Address::parse(&self.url(page)?).is_ok_and(admits)).then_some(page))
    }

    /// Does not ask a host for its next page, or for what it was to be asked for instead.
    fn pass_over(&mut self, job: &Job, why: Passed) -> Result<(), LiveError> {
        let (at, host) = (self.now(), job.host());
        if let Some(Ok(page)) = self.state.workbench.first(host) {
            return self.record(&Event::Passed { at, page: page.0, why });
        }
        // Only errands are left. Sitemaps are passed over like pages, and the host may be wanted again.
        if why != Passed::HostGivenUp && self.state.workbench.asked_for_robots_of(host).is_empty() {
            return self.errand_in_vain(host, ErrandKind::Sitemap(0));
        }
        // The others go with the host, and so do those who wait for them.
        self.give_up(host, why.words(), at)
    }

    /// Whether the rules of its host forbid a page.
    fn is_forbidden(&mut self, host: HostId, url: &str) -> Result<bool, LiveError> {
        Ok(self.rules(host)?.is_some_and(|rules| !rules.allows(url)))
    }

    /// The rules of a host, if they count.
    pub(super) fn rules(&mut self, host: HostId) -> Result<Option<Arc<Robots>>, LiveError> {
        let Some(kept) = self.state.workbench.kept_robots(host) else { return Ok(None) };
        if let Some((at, rules)) = self.rules.get(&host.0)
            && *at == kept.at
        {
            return Ok(Some(Arc::clone(rules)));
        }
        let body = self.journal.read(kept.at, kept.length as usize)?;
        let rules = Arc::new(Robots::parse(&body, &self.workshop.product));
        if self.rules.len() >= MOST_RULES {
            self.rules.clear();
        }
        self.rules.insert(host.0, (kept.at, Arc::clone(&rules)));
        Ok(Some(rules))
    }

    /// Where the robots.txt of a host is, by the scheme of what it is asked for first.
    fn robots_url(&mut self, host: HostId) -> Result<String, LiveError> {
        let first = match self.state.workbench.first(host) {
            Some(Ok(page)) => self.url(page)?,
            Some(Err(url)) => url.to_owned(),
            None => String::new(),
        };
        let scheme = if first.starts_with("https:") { "https" } else { "http" };
        Ok(format!("{scheme}://{}/robots.txt", self.host_name(host)))
    }

    /// The URL of a page.
    pub(super) fn url(&self, page: PageId) -> Result<String, LiveError> {
        let text = self.state.known.text(page);
        let bytes = self.journal.read(text.at(), text.length())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn ask_for(&mut self, host: HostId, page: PageId, url: String) -> Result<Ask, LiveError> {
        let way = self.state.known.way(page);
        Ok(Ask {
            url,
            via: way.via.map(|via| self.url(via)).transpose()?,
            depth: way.depth,
            priority: self.state.workbench.priority(host).0,
            crossed: self.state.decisions.crossed(page),
            rest: self.state.workbench.rest(host),
        })
    }
}
