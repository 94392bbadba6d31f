//! Crawling a web space with one strategy after the other.

use std::collections::BTreeMap;
use std::path::Path;

use langur_classify::InLanguage;
use langur_crawl::{
    Classifier, Crawl, Ended, Foresight, Frontier, Link, Outcome, Page, PageId, Strategy, run,
};
use langur_frontier::{Bands, Extent, Heap, Keep, MAX_TIERS, Policy};
use langur_observe::{
    Coverage, Curve, Harvest, MILESTONES, Point, QueueSize, RelevantHosts, RunError,
    StrategyResult, VisitLog,
};
use langur_sim::{Missing, SimulatedWeb, Space};
use langur_strategy::{Runner, Setting, Spec, SpecError};
use rayon::prelude::*;
use serde_json::{Value, json};
use thiserror::Error;

pub use langur_frontier::Order;

use crate::Target;

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

/// What the papers leave open about every strategy alike. The defaults are those of design.md 3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switches {
    /// Which lead wins when a waiting page is found again.
    pub lead: Keep,
    /// In which order pages of one priority leave.
    pub order: Order,
    /// Whether visited pages met on a better lead are opened again.
    pub reopen: bool,
    /// What becomes of links out of the web space.
    pub missing: Missing,
    /// The most pages to fetch.
    pub max_pages: Option<u64>,
}

impl Switches {
    /// By name, for manifests and reports.
    pub fn described(&self) -> BTreeMap<String, Value> {
        let lead = match self.lead {
            Keep::Better => json!("better"),
            Keep::First => json!("first"),
        };
        let (order, random_seed) = match self.order {
            Order::Fifo => (json!("fifo"), None),
            Order::Random(seed) => (json!("random"), Some(json!(seed))),
        };
        let missing = match self.missing {
            Missing::Skip => json!("skip"),
            Missing::NotFound => json!("404"),
        };
        let max_pages = self.max_pages.map_or(json!("all"), |pages| json!(pages));
        let fixed = [
            ("lead", lead),
            ("order", order),
            ("reopen", json!(self.reopen)),
            ("missing", missing),
            ("max_pages", max_pages),
        ];
        let random_seed = random_seed.map(|seed| ("random_seed", seed));
        fixed.into_iter().chain(random_seed).map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// A web space, a target and switches: everything but the strategy.
pub struct Simulation<'s> {
    web: SimulatedWeb<'s>,
    target: Target,
    switches: Switches,
    seeds: Vec<PageId>,
    ok_html: u64,
    relevant: Vec<bool>,
    relevant_count: u64,
}

/// What one strategy did.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The numbers.
    pub result: StrategyResult,
    /// The curve.
    pub points: Vec<Point>,
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
        let rules = &space.manifest().labels;
        let label = match labels {
            None => 0,
            Some(asked) => {
                rules.iter().position(|rule| rule == asked).ok_or_else(|| LabError::Labels {
                    space: space.name(),
                    asked: asked.to_owned(),
                    there: rules.clone(),
                })?
            }
        };
        let seeds = seeds
            .unwrap_or_else(|| space.manifest().seeds.iter().map(|&seed| PageId(seed)).collect());
        if seeds.is_empty() {
            return Err(LabError::NoSeeds(space.name()));
        }
        if let Some(seed) = seeds.iter().find(|seed| seed.0 as usize >= space.pages()) {
            return Err(LabError::SeedOutside { seed: seed.0, pages: space.pages() });
        }
        let web = SimulatedWeb::new(space, label, switches.missing);
        let (ok_html, relevant) = judge_all(&web, &target);
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
        spec: &Spec,
        visits: Option<&Path>,
        progress: Progress,
    ) -> Result<Measured, LabError> {
        let setting = Setting { languages: &self.target.languages, foresight: Some(self) };
        let visits = visits.map(VisitLog::create).transpose()?;
        let ((measures, visits), ended) =
            langur_strategy::with(spec, &setting, Simulate { of: self, progress, visits })?;
        visits.map(VisitLog::finish).transpose()?;
        Ok(self.measured(spec, measures, ended))
    }

    fn measured(&self, spec: &Spec, measures: Measures, ended: Ended) -> Measured {
        let (harvest, (coverage, (queue, (hosts, curve)))) = measures;
        let milestones = MILESTONES.iter().map(u64::to_string).zip(coverage.fetched_at());
        let result = StrategyResult {
            strategy: spec.to_string(),
            oracle: spec.is_oracle(),
            parameters: spec
                .arguments()
                .iter()
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .collect(),
            fetched: harvest.fetched,
            ok_html: harvest.ok_html,
            relevant: harvest.relevant,
            missing: harvest.missing,
            harvest: harvest.rate(),
            harvest_html: harvest.rate_html(),
            coverage: coverage.coverage(),
            max_queue: queue.largest,
            pages_at_coverage: milestones.collect(),
            area: coverage.area(self.budget()),
            relevant_hosts: hosts.count,
            ended: match ended {
                Ended::Exhausted => "exhausted".to_owned(),
                Ended::Budget => "budget".to_owned(),
            },
        };
        Measured { result, points: curve.points() }
    }
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

/// What is measured of every crawl.
type Measures = (Harvest, (Coverage, (QueueSize, (RelevantHosts, Curve))));

struct Simulate<'a, 's> {
    of: &'a Simulation<'s>,
    progress: Progress<'a>,
    visits: Option<VisitLog>,
}

impl Runner for Simulate<'_, '_> {
    type Output = ((Measures, Option<VisitLog>), Ended);

    fn run<S: Strategy>(self, strategy: S) -> Self::Output {
        let (simulation, switches) = (self.of, self.of.switches);
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
    fn crawl<S: Strategy>(
        self,
        strategy: S,
        frontier: impl Frontier<S::Trail>,
    ) -> <Self as Runner>::Output {
        let simulation = self.of;
        let (budget, hosts) =
            (simulation.budget(), simulation.web.space().manifest().counts.hosts as usize);
        let coverage = Coverage::new(simulation.relevant_count);
        let measures: Measures = (
            Harvest::default(),
            (coverage, (QueueSize::default(), (RelevantHosts::new(hosts), Curve::new(budget)))),
        );
        let classifier = InLanguage::new(simulation.target.languages.clone());
        let mut crawl = Crawl::new(strategy, frontier, classifier, (measures, self.visits));
        let mut web = &simulation.web;
        for &seed in &simulation.seeds {
            crawl.seed(&web.seed(seed));
        }
        let progress = self.progress;
        let ended = run(&mut crawl, &mut web, budget, |fetched| {
            if fetched.is_multiple_of(1 << 14) {
                progress(fetched);
            }
        });
        (crawl.into_observer(), ended)
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
        if page.outcome() == Outcome::OkHtml {
            let pages = self.pages();
            into.extend(
                page.links().map(|link| link.page()).filter(|link| (link.0 as usize) < pages),
            );
        }
    }
}
