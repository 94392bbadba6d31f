//! Crawling a web space with one strategy after the other.

use std::path::Path;

use langur_classify::InLanguage;
use langur_crawl::{
    Classifier, Crawl, Foresight, Frontier, Link, Outcome, Page, PageId, Strategy, run,
    run_politely,
};
use langur_frontier::{Bands, Extent, Heap, MAX_TIERS, Order, Policy};
use langur_observe::{
    ByTruth, Coverage, Curve, Grid, Harvest, QueueSize, RelevantHosts, RunError, VisitLog,
};
use langur_sim::{SimulatedWeb, Space, UNKNOWN};
use langur_strategy::{Runner, SpecError};
use rayon::prelude::*;
use thiserror::Error;

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

/// A web space, a target and switches: everything but the strategy.
pub struct Simulation<'s> {
    web: SimulatedWeb<'s>,
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
        let mut web = SimulatedWeb::new(space, label, switches.missing);
        let (ok_html, relevant) = judge_all(&web, &target);
        if let Some(noise) = switches.identifier.noise() {
            web.mislabel(noise, &relevant, code_of(space, &target), &seeds);
        }
        let relevant_count = relevant.par_iter().filter(|&&relevant| relevant).count() as u64;
        Ok(Simulation { web, target, switches, seeds, ok_html, relevant, relevant_count })
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

/// The number of the labelling rule of that name, or else of the web space's first.
pub fn label_number(space: &Space, labels: Option<&str>) -> Result<usize, LabError> {
    let rules = &space.manifest().labels;
    let Some(asked) = labels else { return Ok(0) };
    rules.iter().position(|rule| rule == asked).ok_or_else(|| LabError::Labels {
        space: space.name(),
        asked: asked.to_owned(),
        there: rules.clone(),
    })
}

/// The code of a language of the target, for pages that are taken to be in it.
fn code_of(space: &Space, target: &Target) -> u16 {
    let codes = 1..=space.manifest().languages.len() as u16;
    let is_wanted = |&code: &u16| {
        let language = space.language_of(code);
        language.is_some_and(|found| target.languages.iter().any(|&want| found.is_within(want)))
    };
    codes.into_iter().find(is_wanted).unwrap_or(UNKNOWN)
}

/// Judges every page: how many are OK HTML, and which are relevant.
fn judge_all(web: &SimulatedWeb, target: &Target) -> (u64, Vec<bool>) {
    const STRETCH: usize = 1 << 16;
    let pages = web.space().pages();
    let mut relevant = vec![false; pages];
    let ok_html = relevant
        .par_chunks_mut(STRETCH)
        .enumerate()
        .map(|(i, stretch)| {
            let mut classifier = InLanguage::new(target.languages.clone());
            let mut ok_html = 0;
            for (number, relevant) in (i * STRETCH..).zip(stretch) {
                let page = web.page(PageId(number as u32));
                if page.outcome() == Outcome::OkHtml {
                    ok_html += 1;
                    *relevant = classifier.judge(&page).relevance.relevant;
                }
            }
            ok_html
        })
        .sum();
    (ok_html, relevant)
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
        let measures: Measures = (
            Harvest::default(),
            (coverage, (QueueSize::default(), (RelevantHosts::new(hosts), Curve::new(budget)))),
        );
        let errs = simulation.switches.identifier.noise().is_some();
        let observer = ByTruth {
            relevant: errs.then_some(simulation.relevant.as_slice()),
            observer: (measures, self.visits),
        };
        let classifier = InLanguage::new(simulation.target.languages.clone());
        let mut crawl = Crawl::new(strategy, frontier, classifier, observer);
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
