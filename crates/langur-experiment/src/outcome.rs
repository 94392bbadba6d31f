//! Published outcomes beside ours.

use serde::Serialize;

use crate::cell::ratio;
use crate::plan::{
    FactorPlan, MeasurePlan, Other, OutcomePlan, Plan, Quantity, SensitivityPlan, Unit, WebPlan,
};
use crate::variation::{Variation, plain};
use crate::{Cell, Cells, Crawled, Estimate, ExperimentError};

/// Whether what was published came out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every mean lies where it was expected.
    Hit,
    /// None does.
    Miss,
    /// Some do.
    Mixed,
    /// It was not measured.
    #[serde(rename = "not run")]
    NotRun,
}

/// A published outcome beside ours.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// Its number.
    pub id: String,
    /// What was found.
    pub says: String,
    /// In short.
    pub published: String,
    /// Which paper says so.
    pub source: String,
    /// What to know about it.
    pub note: String,
    /// Whether it came out again.
    pub verdict: Verdict,
    /// What was measured.
    pub measures: Vec<Measured>,
}

/// A number that an outcome is about.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// What it is.
    pub what: String,
    /// Between which numbers it was expected; no bound if none.
    pub expected: [Option<f64>; 2],
    /// The mean and its interval.
    #[serde(flatten)]
    pub estimate: Estimate,
    /// Whether the mean lies there.
    pub verdict: Verdict,
    /// Whether it decides about the outcome, or is only shown beside.
    pub decides: bool,
    /// How it is written.
    pub unit: Unit,
    /// The same on the web of full scale, if there is one.
    pub full_scale: Option<f64>,
}

/// How sensitive a number is.
#[derive(Clone, Debug, Serialize)]
pub struct Tornado {
    /// The outcome.
    pub outcome: String,
    /// The number.
    pub what: String,
    /// How it is written.
    pub unit: Unit,
    /// Its mean with all defaults.
    pub base: f64,
    /// Between which numbers it was expected.
    pub expected: [Option<f64>; 2],
    /// What each factor does to it, the most first.
    pub bars: Vec<Bar>,
}

/// What one factor does.
#[derive(Clone, Debug, Serialize)]
pub struct Bar {
    /// The factor.
    pub factor: String,
    /// The setting that gives the smaller number.
    pub low_setting: String,
    /// The smaller number.
    pub low: f64,
    /// The setting that gives the larger number.
    pub high_setting: String,
    /// The larger number.
    pub high: f64,
}

/// Every cell that the outcomes and their sensitivity need.
pub(crate) fn cells(plan: &Plan) -> Result<Vec<Cell>, ExperimentError> {
    let mut cells = Vec::new();
    for measure in plan.outcome.iter().flat_map(|outcome| &outcome.measure) {
        let web = web_of(plan, measure);
        let mut add = |web: &WebPlan, seeds: &[u64], variation: &Variation| {
            for (strategy, labels) in crawls_of(measure) {
                let of = (web.targets[0].as_str(), labels);
                let series = Cell::series(plan, web, seeds, of, variation, &[strategy.to_owned()])?;
                cells.extend(series.into_iter().flatten());
            }
            Ok::<(), ExperimentError>(())
        };
        add(web, &web.seeds(), &Variation::default())?;
        if let Some(full) = full_scale_of(plan, web) {
            add(full, &full.seeds(), &Variation::default())?;
        }
        if let Some(sensitivity) = sensitivity_of(plan, web) {
            let seeds = seeds_of(sensitivity);
            let web = &sized_for(sensitivity, web);
            add(web, &seeds, &Variation::default())?;
            for factor in &sensitivity.factor {
                for setting in &factor.settings {
                    add(web, &seeds, &Variation::of(factor, setting)?)?;
                }
            }
        }
    }
    Ok(cells)
}

fn web_of<'p>(plan: &'p Plan, measure: &MeasurePlan) -> &'p WebPlan {
    plan.find(&measure.web).expect("a checked plan has the webs of its measures")
}

fn sensitivity_of<'p>(plan: &'p Plan, web: &WebPlan) -> Option<&'p SensitivityPlan> {
    plan.sensitivity.as_ref().filter(|sensitivity| sensitivity.webs.contains(&web.name))
}

/// The web at the size at which its sensitivity is tried.
fn sized_for(sensitivity: &SensitivityPlan, web: &WebPlan) -> WebPlan {
    let pages = sensitivity.pages.get(&web.name).copied().or(web.pages);
    WebPlan { pages, ..web.clone() }
}

fn full_scale_of<'p>(plan: &'p Plan, web: &WebPlan) -> Option<&'p WebPlan> {
    web.full_scale.as_ref().and_then(|name| plan.find(name))
}

fn seeds_of(sensitivity: &SensitivityPlan) -> Vec<u64> {
    let [first, last] = sensitivity.random_seeds;
    (first..=last).collect()
}

/// The crawls that a measure needs: strategy and labelling rule.
fn crawls_of(measure: &MeasurePlan) -> Vec<(&str, Option<&str>)> {
    let mut crawls = vec![(measure.strategy.as_str(), measure.labels.as_deref())];
    if let Some(other) = measure.minus.as_ref().or(measure.over.as_ref()) {
        let strategy = other.strategy.as_ref().unwrap_or(&measure.strategy);
        crawls.push((strategy, other.labels.as_deref().or(measure.labels.as_deref())));
    }
    crawls
}

pub(crate) fn outcomes(plan: &Plan, cells: &Cells) -> Result<Vec<Outcome>, ExperimentError> {
    plan.outcome.iter().map(|outcome| measure_outcome(plan, outcome, cells)).collect()
}

fn measure_outcome(
    plan: &Plan,
    outcome: &OutcomePlan,
    cells: &Cells,
) -> Result<Outcome, ExperimentError> {
    let mut measures = Vec::new();
    for measure in &outcome.measure {
        let web = web_of(plan, measure);
        let measured_on =
            |web: &WebPlan| values(plan, web, measure, &web.seeds(), &Variation::default(), cells);
        let estimate = match measure.unit {
            Unit::Share => Estimate::of_shares,
            Unit::Points | Unit::Ratio => Estimate::of,
        };
        let Some(estimate) = estimate(&measured_on(web)?) else { continue };
        let full_scale = full_scale_of(plan, web).map(measured_on).transpose()?;
        let [low, high] = measure.expected;
        let hit = (low..=high).contains(&estimate.mean);
        measures.push(Measured {
            what: measure.what.clone(),
            expected: bounds(measure),
            estimate,
            verdict: if hit { Verdict::Hit } else { Verdict::Miss },
            decides: measure.decides,
            unit: measure.unit,
            full_scale: full_scale.and_then(|values| Estimate::of(&values)).map(|e| e.mean),
        });
    }
    let deciding = || measures.iter().filter(|measure| measure.decides);
    let is_hit = |measure: &Measured| measure.verdict == Verdict::Hit;
    let verdict = match (deciding().any(is_hit), deciding().all(is_hit)) {
        _ if deciding().next().is_none() => Verdict::NotRun,
        (_, true) => Verdict::Hit,
        (true, false) => Verdict::Mixed,
        (false, _) => Verdict::Miss,
    };
    Ok(Outcome {
        id: outcome.id.clone(),
        says: outcome.says.clone(),
        published: outcome.published.clone(),
        source: outcome.source.clone(),
        note: outcome.note.clone(),
        verdict,
        measures,
    })
}

fn bounds(measure: &MeasurePlan) -> [Option<f64>; 2] {
    measure.expected.map(|bound| Some(bound).filter(|bound| bound.is_finite()))
}

/// The measure on the web of each random seed.
fn values(
    plan: &Plan,
    web: &WebPlan,
    measure: &MeasurePlan,
    seeds: &[u64],
    variation: &Variation,
    cells: &Cells,
) -> Result<Vec<f64>, ExperimentError> {
    let mut columns = Vec::new();
    for (strategy, labels) in crawls_of(measure) {
        let of = (web.targets[0].as_str(), labels);
        columns.push(Cell::series(plan, web, seeds, of, variation, &[strategy.to_owned()])?);
    }
    let crawled = |column: usize, i: usize| {
        columns.get(column).and_then(|column| cells.get(&column[i][0].key))
    };
    let value = |i: usize| {
        let own = value_of(crawled(0, i)?, measure.value, measure.at, measure.at_html);
        let other = |other: &Other| {
            let at = other.at.or(measure.at);
            crawled(1, i).map(|crawled| value_of(crawled, measure.value, at, measure.at_html))
        };
        match (&measure.minus, &measure.over) {
            (Some(minus), _) => Some(own - other(minus)?),
            (None, Some(over)) => Some(ratio(own, other(over)?)),
            (None, None) => Some(own),
        }
    };
    Ok((0..seeds.len()).filter_map(value).collect())
}

fn value_of(crawled: &Crawled, quantity: Quantity, at: Option<f64>, at_html: Option<f64>) -> f64 {
    let pages = crawled.pages as f64;
    let standing = match (at, at_html) {
        (Some(share), _) => Some(crawled.after(share * pages)),
        (None, Some(share)) => Some(crawled.after_html(share * pages)),
        (None, None) => None,
    };
    let result = &crawled.result;
    match (quantity, standing) {
        (Quantity::Coverage, Some(standing)) => standing.coverage(),
        (Quantity::Coverage, None) => result.coverage,
        (Quantity::Harvest, Some(standing)) => standing.harvest(),
        (Quantity::Harvest, None) => result.harvest,
        (Quantity::HarvestHtml, Some(standing)) => standing.harvest_html(),
        (Quantity::HarvestHtml, None) => result.harvest_html,
        (Quantity::MaxQueue, _) => result.max_queue as f64 / pages,
        (Quantity::Fetched, _) => result.fetched as f64 / pages,
        (Quantity::OkHtml, _) => result.ok_html as f64 / pages,
        (Quantity::FetchedForAll, _) => crawled.fetched_for_all() / pages,
        (Quantity::Area, _) => result.area,
    }
}

pub(crate) fn tornado(plan: &Plan, cells: &Cells) -> Result<Vec<Tornado>, ExperimentError> {
    let mut all = Vec::new();
    for outcome in &plan.outcome {
        for measure in outcome.measure.iter().filter(|measure| measure.decides) {
            let web = web_of(plan, measure);
            let Some(sensitivity) = sensitivity_of(plan, web) else { continue };
            let web = &sized_for(sensitivity, web);
            let seeds = seeds_of(sensitivity);
            let mean = |variation: &Variation| {
                Ok(Estimate::of(&values(plan, web, measure, &seeds, variation, cells)?)
                    .map(|e| e.mean))
            };
            let Some(base) = mean(&Variation::default())? else { continue };
            let mut bars = Vec::new();
            for factor in &sensitivity.factor {
                bars.extend(bar(factor, base, mean)?);
            }
            bars.sort_by(|a, b| (b.high - b.low).total_cmp(&(a.high - a.low)));
            all.push(Tornado {
                outcome: outcome.id.clone(),
                what: measure.what.clone(),
                unit: measure.unit,
                base,
                expected: bounds(measure),
                bars,
            });
        }
    }
    Ok(all)
}

/// What a factor does to a number; nothing if it makes no difference at all.
fn bar(
    factor: &FactorPlan,
    base: f64,
    mean: impl Fn(&Variation) -> Result<Option<f64>, ExperimentError>,
) -> Result<Option<Bar>, ExperimentError> {
    let mut ends = vec![("default".to_owned(), base)];
    for setting in &factor.settings {
        if let Some(value) = mean(&Variation::of(factor, setting)?)? {
            ends.push((plain(setting), value));
        }
    }
    ends.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (first, last) =
        (ends.first().expect("the default").clone(), ends.last().expect("the default").clone());
    Ok((first.1 < last.1).then_some(Bar {
        factor: factor.name()?.to_owned(),
        low_setting: first.0,
        low: first.1,
        high_setting: last.0,
        high: last.1,
    }))
}
