//! Crawling the live web: the same strategies, frontiers and measures, for its driver.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use langur_crawl::Ended;
use langur_extract::{BadProfiles, Extractor, LABELS, PAPERS, Wants};
use langur_frontier::{Bands, Extent, Heap, Keep, MAX_TIERS, Order, Policy};
use langur_live::decisions::{Decisions, Shared, decisions};
use langur_observe::{Coverage, Curve, Harvest, QueueSize, Relevancy, RelevantHosts, VisitLog};
use langur_strategy::{Named, Setting, Spec};
use langur_topic::Topic;

use crate::judge::wanted;
use crate::measure::{Crawled, Measured, Measures, measured};
use crate::{Contender, LabError, Target};

/// A target and a labelling rule: everything but the strategy.
pub struct Live {
    target: Target,
    topic: Option<Topic>,
    label: usize,
    budget: Option<u64>,
}

/// A crawl that lacks only a web, and what will be measured of it.
pub struct LiveParts {
    /// Strategy and frontier.
    pub decisions: Box<dyn Decisions>,
    /// What is measured.
    pub measures: LiveMeasures,
}

/// What is measured of a live crawl, while it goes on.
pub struct LiveMeasures {
    spec: Spec,
    shared: Arc<Mutex<(Measures, Option<VisitLog>)>>,
    budget: Option<u64>,
}

impl Live {
    /// Sets up crawls of the live web. `labels` is one of [`LABELS`]; `budget` is the most pages to fetch, if there is a
    /// most.
    pub fn new(
        target: Target,
        topic: Option<Topic>,
        labels: &str,
        budget: Option<u64>,
    ) -> Result<Live, LabError> {
        let Some(label) = LABELS.iter().position(|label| *label == labels) else {
            let there = LABELS.map(str::to_owned).to_vec();
            return Err(LabError::Labels { space: "live".into(), asked: labels.to_owned(), there });
        };
        Ok(Live { target, topic, label, budget })
    }

    /// The number of the rule that tells the language of a page.
    pub fn label(&self) -> usize {
        self.label
    }

    /// Who reads pages for it.
    pub fn extractor(&self) -> Result<Extractor, BadProfiles> {
        // Those rules are asked for only where they decide.
        let all_labels = self.label >= PAPERS;
        let wants = Wants { all_labels, anchor_languages: true, evidence: true };
        Extractor::new(self.topic.iter().cloned().collect(), wants)
    }

    /// A crawl with one strategy. Every visit is written to `visits`.
    pub fn parts(
        &self,
        contender: &Contender,
        visits: Option<&Path>,
    ) -> Result<LiveParts, LabError> {
        (contender.crawl_live)(self, &contender.spec, visits)
    }

    /// A crawl with the strategy of this type.
    pub(crate) fn parts_with<S: Named>(
        &self,
        spec: &Spec,
        visits: Option<&Path>,
    ) -> Result<LiveParts, LabError> {
        let setting = Setting { languages: self.target.languages(), foresight: None };
        let strategy = S::build(spec.arguments(), &setting)?;
        let visits = visits.map(|path| VisitLog::create(path, false)).transpose()?;
        let budget = self.budget.unwrap_or(u64::MAX);
        let curves = (Curve::new(budget), self.topic.as_ref().map(|_| Relevancy::new(budget)));
        let measures: Measures = (
            Harvest::default(),
            (Coverage::new(0), (QueueSize::default(), (RelevantHosts::new(0), curves))),
        );
        let shared = Arc::new(Mutex::new((measures, visits)));
        let watching = Shared(Arc::clone(&shared));
        let decisions = self.decide(strategy, watching);
        let measures = LiveMeasures { spec: spec.clone(), shared, budget: self.budget };
        Ok(LiveParts { decisions, measures })
    }

    fn decide<S: Named>(
        &self,
        strategy: S,
        observer: Shared<(Measures, Option<VisitLog>)>,
    ) -> Box<dyn Decisions> {
        // Pages and hosts are found out as the crawl goes; frontiers grow.
        let extent = Extent { pages: 0, ranked_hosts: usize::from(S::RANKS_HOSTS) };
        let policy = Policy { keep: Keep::Better, reopen: false };
        let trail = strategy.seed().trail;
        let wanted = wanted(&self.target, self.topic.as_ref());
        match strategy.tiers() {
            Some(tiers) if tiers <= MAX_TIERS => {
                decisions(strategy, Bands::new(tiers, extent, policy, trail), wanted, observer)
            }
            _ => {
                let heap = Heap::new(Order::Fifo, extent, policy, trail);
                decisions(strategy, heap, wanted, observer)
            }
        }
    }
}

impl LiveMeasures {
    /// What was measured, once the crawl has ended. How many relevant pages the web holds nobody knows.
    pub fn finish(self, exhausted: bool) -> Result<Measured, LabError> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let (measures, visits) = (shared.0.clone(), shared.1.take());
        let ended = if exhausted { Ended::Exhausted } else { Ended::Budget };
        let budget = self.budget.unwrap_or(measures.0.fetched);
        let crawled = Crawled { measures, visits, ended, passed: None };
        let mut measured = measured(&self.spec, crawled, budget)?;
        measured.result.coverage = f64::NAN;
        measured.result.area = f64::NAN;
        measured.result.pages_at_coverage.values_mut().for_each(|fetched| *fetched = None);
        Ok(measured)
    }
}
