//! Crawling a web space with one strategy after the other.

use std::path::Path;

use langur_classify::Wanted;
use langur_crawl::{
    Crawl, Foresight, Frontier, Link, Outcome, Page, PageId, Strategy, Web, run, run_politely,
};
use langur_frontier::{Bands, Extent, Heap, MAX_TIERS, Order, Policy};
use langur_observe::{
    ByTruth, Coverage, Curve, Grid, Harvest, QueueSize, Relevancy, RelevantHosts, RunError, Truth,
    VisitLog,
};
use langur_sim::{SimulatedWeb, Space};
use langur_strategy::{Runner, SpecError};
use rayon::prelude::*;
use thiserror::Error;

use crate::judge::{code_of, judge_all, label_number, web_for};
use crate::measure::{Crawled, Measured, Measures};
use crate::{Contender, Switches, Target};

/// Why a simulation could not be set up or run.
#[derive(Debug, Error)]
pub enum LabError {
    /// The web space was not labelled by that rule.
    #[error("web space \"{space}\" has no labels \"{asked}\"; it has: {}", .there.join(", "))]
    Labels {
        /// The web space.
        space: String,
        /// The labelling rule asked for.
        asked: String,
        /// Those it has.
        there: Vec<String>,
    },
    /// The web space was not scored on that topic.
    #[error("web space \"{space}\" has no topic \"{asked}\"; {}", topics_there(.there))]
    Topic {
        /// The web space.
        space: String,
        /// The topic asked for.
        asked: String,
        /// Those it has.
        there: Vec<String>,
    },
    /// There is nothing to start from.
    #[error("there are no seeds: web space \"{0}\" names none, and none were given with --seeds")]
    NoSeeds(String),
    /// A seed is not a page.
    #[error("seed {seed} is not a page of the web space, which has {pages}")]
    SeedOutside {
        /// The seed.
        seed: u32,
        /// The number of pages.
        pages: usize,
    },
    /// The strategy cannot be made.
    #[error(transparent)]
    Strategy(#[from] SpecError),
    /// The visits cannot be written.
    #[error(transparent)]
    Run(#[from] RunError),
}

fn topics_there(topics: &[String]) -> String {
    match topics {
        [] => "it has none\n  topics are scored when a web space is made: see docs/topics.md"
            .to_owned(),
        topics => format!("it has: {}", topics.join(", ")),
    }
}

/// A web space, a target and switches: everything but the strategy.
pub struct Simulation<'s> {
    web: SimulatedWeb<'s>,
    wanted: Wanted,
    pub(crate) target: Target,
    pub(crate) switches: Switches,
    seeds: Vec<PageId>,
    ok_html: u64,
    relevant: Vec<bool>,
    relevant_count: u64,
}

/// Told how many pages were fetched, now and then.
pub type Progress<'p> = &'p (dyn Fn(u64) + Sync);

impl<'s> Simulation<'s> {
    /// Sets up simulations and judges every page of the web space, to know what there is to find.
    /// `labels` is the labelling rule and `seeds` where to start, if not as the web space says.
    pub fn new(
        space: &'s Space,
        target: Target,
        labels: Option<&str>,
        switches: Switches,
        seeds: Option<Vec<PageId>>,
    ) -> Result<Simulation<'s>, LabError> {
        let label = label_number(space, labels)?;
        let seeds = seeds
            .unwrap_or_else(|| space.manifest().seeds.iter().map(|&seed| PageId(seed)).collect());
        if seeds.is_empty() {
            return Err(LabError::NoSeeds(space.name()));
        }
        if let Some(seed) = seeds.iter().find(|seed| seed.0 as usize >= space.pages()) {
            return Err(LabError::SeedOutside { seed: seed.0, pages: space.pages() });
        }
        let (mut web, wanted) =
            web_for(SimulatedWeb::new(space, label, switches.missing), &target)?;
        let (ok_html, relevant) = judge_all(&web, &wanted);
        if let Some(noise) = switches.identifier.noise() {
            match target {
                Target::Languages(_) => {
                    web.mislabel(noise, &relevant, code_of(space, &target), &seeds);
                }
                Target::Topic { .. } => web.misjudge(noise, &relevant, &seeds),
            }
        }
        let relevant_count = relevant.par_iter().filter(|&&relevant| relevant).count() as u64;
        Ok(Simulation { web, wanted, target, switches, seeds, ok_html, relevant, relevant_count })
    }

    /// OK HTML pages in the web space.
    pub fn ok_html(&self) -> u64 {
        self.ok_html
    }

    /// Relevant pages in the web space.
    pub fn relevant(&self) -> u64 {
        self.relevant_count
    }

    /// Where the crawls start.
    pub fn seeds(&self) -> &[PageId] {
        &self.seeds
    }

    /// The most pages a crawl can fetch.
    pub fn budget(&self) -> u64 {
        let pages = self.web.space().pages() as u64;
        self.switches.max_pages.map_or(pages, |most| most.min(pages))
    }

    /// Crawls with one strategy. If `visits` is given, every visit is written there.
    pub fn run(
        &self,
        contender: &Contender,
        visits: Option<&Path>,
        progress: Progress,
    ) -> Result<Measured, LabError> {
        (contender.crawl)(self, &contender.spec, visits, progress)
    }

    /// A crawl that lacks only its strategy.
    pub(crate) fn crawl<'a>(
        &'a self,
        visits: Option<&Path>,
        progress: Progress<'a>,
    ) -> Result<Simulate<'a, 's>, LabError> {
        let timed = self.switches.clock.pace().is_some();
        let visits = visits.map(|path| VisitLog::create(path, timed)).transpose()?;
        Ok(Simulate { of: self, progress, visits })
    }
}

/// A crawl that lacks only its strategy.
pub(crate) struct Simulate<'a, 's> {
    of: &'a Simulation<'s>,
    progress: Progress<'a>,
    visits: Option<VisitLog>,
}

impl Runner for Simulate<'_, '_> {
    type Output = Crawled;

    fn run<S: Strategy>(self, strategy: S) -> Self::Output {
        let (simulation, switches) = (self.of, &self.of.switches);
        let counts = simulation.web.space().manifest().counts;
        let ranked_hosts = if S::RANKS_HOSTS { counts.hosts as usize } else { 0 };
        let extent = Extent { pages: simulation.web.reachable(), ranked_hosts };
        let policy = Policy { keep: switches.lead, reopen: switches.reopen && S::REOPENS };
        let trail = strategy.seed().trail;
        match (switches.order, strategy.tiers()) {
            (Order::Fifo, Some(tiers)) if tiers <= MAX_TIERS => {
                self.crawl(strategy, Bands::new(tiers, extent, policy, trail))
            }
            (order, _) => self.crawl(strategy, Heap::new(order, extent, policy, trail)),
        }
    }
}

impl Simulate<'_, '_> {
    fn crawl<S: Strategy>(self, strategy: S, frontier: impl Frontier<S::Trail>) -> Crawled {
        let simulation = self.of;
        let (budget, hosts) =
            (simulation.budget(), simulation.web.space().manifest().counts.hosts as usize);
        let coverage = Coverage::new(simulation.relevant_count);
        let scores = simulation.web.recorded_scores();
        let curve = (Curve::new(budget), scores.map(|_| Relevancy::new(budget)));
        let measures: Measures = (
            Harvest::default(),
            (coverage, (QueueSize::default(), (RelevantHosts::new(hosts), curve))),
        );
        let errs = simulation.switches.identifier.noise().is_some();
        let truth = Truth { relevant: &simulation.relevant, scores };
        let observer = ByTruth { truth: errs.then_some(truth), observer: (measures, self.visits) };
        let mut crawl = Crawl::new(strategy, frontier, simulation.wanted.clone(), observer);
        let mut web = &simulation.web;
        for &seed in &simulation.seeds {
            crawl.seed(&web.seed(seed));
        }
        let progress = |fetched: u64| {
            if fetched.is_multiple_of(1 << 14) {
                (self.progress)(fetched);
            }
        };
        let (ended, passed) = match simulation.switches.clock.pace() {
            None => (run(&mut crawl, &mut web, budget, progress), None),
            Some(pace) => {
                let (mut grid, mut loads) = (Grid::new(budget), Vec::new());
                let passed = run_politely(&mut crawl, &mut web, pace, budget, |fetched, load| {
                    progress(fetched);
                    if grid.is_due(fetched) {
                        loads.push(*load);
                    }
                });
                (passed.ended, Some((passed, loads)))
            }
        };
        let (measures, visits) = crawl.into_observer().observer;
        Crawled { measures, visits, ended, passed }
    }
}

/// What oracles see.
impl Foresight for Simulation<'_> {
    fn pages(&self) -> usize {
        self.web.space().pages()
    }

    fn seeds(&self) -> &[PageId] {
        &self.seeds
    }

    fn is_relevant(&self, page: PageId) -> bool {
        self.relevant[page.0 as usize]
    }

    fn hint(&self, page: PageId, ahead: usize) {
        (&self.web).hint(page, ahead);
    }

    fn hints_ahead(&self) -> &[usize] {
        <&SimulatedWeb as Web>::HINTS_AHEAD
    }

    fn links(&self, page: PageId, into: &mut Vec<PageId>) {
        let page = self.web.page(page);
        if page.outcome() != Outcome::Other {
            let pages = self.pages();
            into.extend(
                page.links().map(|link| link.page()).filter(|link| (link.0 as usize) < pages),
            );
        }
    }
}
