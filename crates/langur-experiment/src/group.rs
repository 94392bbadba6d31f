//! One web, target, labelling rule and set of switches, over all random seeds.

use std::collections::BTreeMap;

use langur_lab::Catalogue;
use langur_observe::TimeResult;
use serde::Serialize;
use serde_json::Value;

use crate::cell::Standing;
use crate::plan::{Plan, WebPlan};
use crate::variation::{Variation, plain};
use crate::{Cell, Cells, Crawled, Estimate, ExperimentError};

/// Curves are kept as some five hundred points, between which straight lines are drawn. Smaller
/// differences in coverage than this cannot be told from the drawing of lines.
const TELLABLE: f64 = 0.0005;

/// Points of a mean curve.
const POINTS: usize = 250;

/// Results over all random seeds of a web.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// All of the following in a line.
    pub label: String,
    /// The web.
    pub web: String,
    /// What is wanted.
    pub target: String,
    /// The labelling rule.
    pub labels: String,
    /// The switches that differ from the defaults.
    pub switches: BTreeMap<String, Value>,
    /// The number of random seeds.
    pub cells: usize,
    /// Pages of the web.
    pub pages: u64,
    /// Relevant pages, on the average.
    pub relevant: f64,
    /// A row for each strategy.
    pub results: Vec<Row>,
    /// Pairs of strategies at equal budgets.
    pub comparisons: Vec<Comparison>,
}

/// What came out for one strategy.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The strategy.
    pub strategy: String,
    /// Whether it uses what it has not fetched.
    pub oracle: bool,
    /// Whether it is no crawl but a bound.
    pub bound: bool,
    /// Numbers by name.
    pub metrics: BTreeMap<&'static str, Estimate>,
    /// Means along the crawl.
    pub curve: MeanCurve,
}

/// Means along a crawl, with intervals.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MeanCurve {
    fetched: Vec<f64>,
    coverage: Band,
    harvest: Band,
    harvest_html: Band,
    queue: Band,
}

/// A mean and its interval, point by point.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Band {
    pub(crate) mean: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
}

impl Band {
    pub(crate) fn push(&mut self, estimate: Option<Estimate>) {
        if let Some(estimate) = estimate {
            self.mean.push(estimate.mean);
            self.low.push(estimate.low);
            self.high.push(estimate.high);
        }
    }
}

/// Two strategies on the same webs, at the same budget.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// One of them.
    pub strategy: String,
    /// The other.
    pub against: String,
    /// Fetches.
    pub budget: f64,
    /// Coverage of the first less that of the other, web by web.
    pub difference: Estimate,
    /// Webs on which the first found more, by a difference that can be told.
    pub wins: usize,
    /// Webs.
    pub n: usize,
}

/// A group before it is crawled.
pub(crate) struct GroupPlan<'p> {
    pub web: &'p WebPlan,
    pub target: &'p str,
    pub labels: Option<String>,
    pub variation: Variation,
    pub strategies: Vec<String>,
}

impl GroupPlan<'_> {
    pub fn cells(&self, plan: &Plan) -> Result<Vec<Vec<Cell>>, ExperimentError> {
        let of = (self.target, self.labels.as_deref());
        Cell::series(plan, self.web, &self.web.seeds(), of, &self.variation, &self.strategies)
    }

    pub fn label(&self) -> String {
        let switches = self.variation.switches.iter();
        let switches = switches.map(|(name, setting)| format!("{name} {}", plain(setting)));
        let parts = [self.web.name.clone(), self.target.to_owned()].into_iter();
        let parts = parts.chain(self.labels.clone()).chain(switches);
        parts.collect::<Vec<_>>().join(" · ")
    }
}

/// The groups of every web, one for each variation.
pub(crate) fn group_plans<'p>(
    plan: &'p Plan,
    catalogue: &Catalogue,
    variations: &[Variation],
) -> Vec<GroupPlan<'p>> {
    let mut groups = Vec::new();
    for web in plan.web.iter().filter(|web| !web.outcomes_only) {
        let asked = web.strategies.as_ref().unwrap_or(&plan.strategies);
        let all = || catalogue.all().iter().map(ToString::to_string).collect();
        let strategies: Vec<String> =
            if asked.iter().any(|name| name == "all") { all() } else { asked.clone() };
        for target in &web.targets {
            for labels in web.labels() {
                groups.extend(variations.iter().map(|variation| GroupPlan {
                    web,
                    target,
                    labels: labels.clone(),
                    variation: variation.clone(),
                    strategies: strategies.clone(),
                }));
            }
        }
    }
    groups
}

/// What came out for a group.
pub(crate) fn summarise_group(
    plan: &Plan,
    group: &GroupPlan,
    cells: &Cells,
) -> Result<Group, ExperimentError> {
    let planned = group.cells(plan)?;
    // For every strategy what came of it on each web, where it could be made.
    let crawled: Vec<Vec<&Crawled>> = (0..group.strategies.len())
        .map(|i| planned.iter().filter_map(|of_seed| cells.get(&of_seed[i].key)).collect())
        .collect();
    let best = best_oracles(&crawled, planned.len());
    let rows = crawled.iter().filter(|cells| !cells.is_empty()).map(|cells| row(cells, &best));
    let one = crawled.iter().flatten().next();
    let relevant: Vec<f64> =
        crawled.iter().flatten().map(|crawled| crawled.relevant as f64).collect();
    Ok(Group {
        label: group.label(),
        web: group.web.name.clone(),
        target: group.target.to_owned(),
        labels: group.labels.clone().unwrap_or_else(|| "first".to_owned()),
        switches: group.variation.switches.clone(),
        cells: planned.len(),
        pages: one.map_or(0, |crawled| crawled.pages),
        relevant: Estimate::of(&relevant).map_or(0.0, |estimate| estimate.mean),
        results: rows.collect(),
        comparisons: comparisons(plan, &crawled),
    })
}

/// The greatest area that an oracle reached on each web.
fn best_oracles(crawled: &[Vec<&Crawled>], webs: usize) -> Vec<f64> {
    let oracles = crawled.iter().filter(|cells| {
        cells.len() == webs && cells.first().is_some_and(|c| c.result.oracle && !c.result.bound)
    });
    let mut best = vec![0.0; webs];
    for cells in oracles {
        best.iter_mut().zip(cells).for_each(|(best, c)| *best = c.result.area.max(*best));
    }
    best
}

fn row(cells: &[&Crawled], best: &[f64]) -> Row {
    let first = &cells[0].result;
    let values = |value: &dyn Fn(&Crawled) -> f64| -> Vec<f64> {
        cells.iter().map(|crawled| value(crawled)).collect()
    };
    let metric = |value: &dyn Fn(&Crawled) -> f64| Estimate::of(&values(value));
    let share = |value: &dyn Fn(&Crawled) -> f64| Estimate::of_shares(&values(value));
    let shares: Vec<f64> = cells
        .iter()
        .zip(best)
        .filter(|(_, best)| **best > 0.0)
        .map(|(crawled, best)| crawled.result.area / best)
        .collect();
    let metrics = [
        ("coverage", share(&|c| c.result.coverage)),
        ("harvest", share(&|c| c.result.harvest)),
        ("harvest_html", share(&|c| c.result.harvest_html)),
        ("fetched", metric(&|c| c.result.fetched as f64)),
        ("max_queue", metric(&|c| c.result.max_queue as f64)),
        ("area", share(&|c| c.result.area)),
        ("area_share", Estimate::of(&shares)),
        ("hours", time_metric(cells, |time| Some(time.seconds / 3600.0))),
        (
            "hours_at_90",
            time_metric(cells, |time| {
                time.seconds_at_coverage.get("90").copied()?.map(|s| s / 3600.0)
            }),
        ),
        ("idle", time_metric(cells, |time| Some(time.idle))),
        (
            "idle_at_90",
            time_metric(cells, |time| time.idle_at_coverage.get("90").copied().flatten()),
        ),
    ];
    Row {
        strategy: first.strategy.clone(),
        oracle: first.oracle,
        bound: first.bound,
        metrics: metrics.into_iter().filter_map(|(name, value)| Some((name, value?))).collect(),
        curve: mean_curve(cells),
    }
}

/// A number of simulated time; none if one of the crawls has none.
fn time_metric(cells: &[&Crawled], value: fn(&TimeResult) -> Option<f64>) -> Option<Estimate> {
    let values = cells.iter().map(|crawled| crawled.result.time.as_ref().and_then(value));
    Estimate::of(&values.collect::<Option<Vec<f64>>>()?)
}

fn mean_curve(cells: &[&Crawled]) -> MeanCurve {
    let longest = cells.iter().max_by_key(|c| c.result.fetched).expect("a row has cells");
    let axis = longest.sampled_at();
    let stride = axis.len().div_ceil(POINTS).max(1);
    let mut curve = MeanCurve::default();
    for fetched in axis.chunks(stride).filter_map(|chunk| chunk.last()) {
        let standings: Vec<Standing> = cells.iter().map(|c| c.after(*fetched as f64)).collect();
        let values = |value: fn(&Standing) -> f64| standings.iter().map(value).collect::<Vec<_>>();
        let share = |value| Estimate::of_shares(&values(value));
        curve.fetched.push(*fetched as f64);
        curve.coverage.push(share(Standing::coverage));
        curve.harvest.push(share(Standing::harvest));
        curve.harvest_html.push(share(Standing::harvest_html));
        curve.queue.push(Estimate::of(&values(|standing| standing.queue)));
    }
    curve
}

fn comparisons(plan: &Plan, crawled: &[Vec<&Crawled>]) -> Vec<Comparison> {
    let Some(compare) = &plan.compare else { return Vec::new() };
    let usable = || crawled.iter().filter(|cells| !cells.is_empty() && !cells[0].result.bound);
    let mut found = Vec::new();
    for against in &compare.against {
        let Some(others) = usable().find(|cells| cells[0].result.strategy == *against) else {
            continue;
        };
        for cells in usable().filter(|cells| cells[0].result.strategy != *against) {
            for share in &compare.budgets {
                found.extend(comparison(cells, others, *share));
            }
        }
    }
    found
}

fn comparison(cells: &[&Crawled], others: &[&Crawled], share: f64) -> Option<Comparison> {
    let coverage = |c: &Crawled| c.after(share * c.pages as f64).coverage();
    let pairs = cells.iter().zip(others);
    let differences: Vec<f64> = pairs.map(|(a, b)| coverage(a) - coverage(b)).collect();
    Some(Comparison {
        strategy: cells[0].result.strategy.clone(),
        against: others[0].result.strategy.clone(),
        budget: (share * cells[0].pages as f64).round(),
        wins: differences.iter().filter(|&&difference| difference > TELLABLE).count(),
        n: differences.len(),
        difference: Estimate::of(&differences)?,
    })
}
