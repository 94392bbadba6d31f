//! What an experiment file says.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ExperimentError;

/// As many pages as a synthetic web may have.
const PAGES: std::ops::RangeInclusive<usize> = 100..=1_000_000_000;
/// More random seeds than that are a slip of the pen.
const SEEDS: u64 = 10_000;

/// An experiment file. Paths in it are relative to it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// A short name.
    pub name: String,
    /// What it is about, in Markdown.
    pub about: String,
    /// The strategies, or `["all"]`.
    pub strategies: Vec<String>,
    /// The webs.
    pub web: Vec<WebPlan>,
    /// Switches that differ from the defaults; every combination of the listed settings is run.
    #[serde(default)]
    pub switches: BTreeMap<String, Vec<Value>>,
    /// Which strategies to compare, pair by pair.
    pub compare: Option<ComparePlan>,
    /// One switch in many settings.
    #[serde(default)]
    pub sweep: Vec<SweepPlan>,
    /// Published outcomes to be held against ours.
    #[serde(default)]
    pub outcome: Vec<OutcomePlan>,
    /// What the outcomes' sensitivity is tried with.
    pub sensitivity: Option<SensitivityPlan>,
    /// A Markdown file that ends the page.
    pub discussion: Option<PathBuf>,
    /// The folder the file lies in.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The hash of the file.
    #[serde(skip)]
    pub hash: String,
}

/// A web: synthetic ones from a preset, one for each random seed, or a web space.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WebPlan {
    /// Its name in results.
    pub name: String,
    /// The preset of synthetic webs.
    pub preset: Option<String>,
    /// Their number of pages.
    pub pages: Option<usize>,
    /// The first and the last random seed.
    pub random_seeds: Option<[u64; 2]>,
    /// A web space instead.
    pub space: Option<PathBuf>,
    /// Where crawls start, if not where the web space says: a file of URLs.
    pub seeds: Option<PathBuf>,
    /// What is wanted.
    pub targets: Vec<String>,
    /// The labelling rules; the web space's first if none are named.
    #[serde(default)]
    pub labels: Vec<String>,
    /// The strategies for this web, if they are not those of the experiment.
    pub strategies: Option<Vec<String>>,
    /// The web that outcomes of this one are measured on once more, at full scale.
    pub full_scale: Option<String>,
    /// Webs that outcomes are measured on and that get no curves of their own.
    #[serde(default)]
    pub outcomes_only: bool,
}

/// Paired comparisons at equal budgets.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComparePlan {
    /// The strategies that all others are compared with.
    pub against: Vec<String>,
    /// Budgets, as shares of all pages.
    pub budgets: Vec<f64>,
}

/// One switch in many settings.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweepPlan {
    /// What varies, in words.
    pub factor: String,
    /// The switch.
    pub switch: String,
    /// For each setting the number that it stands for, and the setting.
    pub settings: Vec<(f64, String)>,
}

/// A published outcome.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomePlan {
    /// Its number.
    pub id: String,
    /// What was found.
    pub says: String,
    /// In short.
    pub published: String,
    /// Which paper says so.
    pub source: String,
    /// What to know about it.
    #[serde(default)]
    pub note: String,
    /// How it is measured here. None: it was not run.
    #[serde(default)]
    pub measure: Vec<MeasurePlan>,
}

/// A number that an outcome is about.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasurePlan {
    /// What it is, in words.
    pub what: String,
    /// The web.
    pub web: String,
    /// The labelling rule; the web space's first if none is named.
    pub labels: Option<String>,
    /// The strategy.
    pub strategy: String,
    /// What is measured of it.
    pub value: Quantity,
    /// After so many fetches, as a share of all pages.
    pub at: Option<f64>,
    /// After so many OK HTML pages, as a share of all pages.
    pub at_html: Option<f64>,
    /// Less, or divided by, the same of another crawl.
    pub minus: Option<Other>,
    /// See `minus`.
    pub over: Option<Other>,
    /// Between which numbers it is expected; `inf` and `-inf` for no bound.
    pub expected: [f64; 2],
    /// How it is written.
    #[serde(default)]
    pub unit: Unit,
    /// Whether it decides about hit and miss, or is only shown beside.
    #[serde(default = "yes")]
    pub decides: bool,
}

fn yes() -> bool {
    true
}

/// Another crawl of the same web, with what differs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    /// Its strategy, if it differs.
    pub strategy: Option<String>,
    /// Its labelling rule, if it differs.
    pub labels: Option<String>,
    /// After how many fetches, if that differs.
    pub at: Option<f64>,
}

/// What can be measured of a crawl.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Relevant fetched ÷ relevant.
    Coverage,
    /// Relevant ÷ fetched.
    Harvest,
    /// Relevant ÷ OK HTML fetched.
    HarvestHtml,
    /// Largest queue ÷ pages of the web.
    MaxQueue,
    /// Fetched ÷ pages of the web.
    Fetched,
    /// OK HTML fetched ÷ pages of the web.
    OkHtml,
    /// Fetches until the last relevant page that was found ÷ pages of the web.
    FetchedForAll,
    /// Mean coverage over the budget.
    Area,
}

/// How a number is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// As a percentage.
    #[default]
    Share,
    /// As a difference of percentages.
    Points,
    /// As it is.
    Ratio,
}

/// What the outcomes' sensitivity is tried with.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SensitivityPlan {
    /// The first and the last random seed.
    pub random_seeds: [u64; 2],
    /// The webs whose outcomes are tried.
    pub webs: Vec<String>,
    /// Pages of those that are tried at another size than they have, for large webs take long.
    #[serde(default)]
    pub pages: BTreeMap<String, usize>,
    /// What is varied, one at a time.
    pub factor: Vec<FactorPlan>,
}

/// Something that is varied: a free parameter of the preset, a switch, or a strategy's parameter.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FactorPlan {
    /// A free parameter.
    pub free: Option<String>,
    /// A switch.
    pub switch: Option<String>,
    /// A parameter of a strategy, as in `lswc.count`.
    pub parameter: Option<String>,
    /// One or two settings beside the default.
    pub settings: Vec<Value>,
}

impl FactorPlan {
    /// Its name.
    pub fn name(&self) -> Result<&str, ExperimentError> {
        match (&self.free, &self.switch, &self.parameter) {
            (Some(name), None, None) | (None, Some(name), None) | (None, None, Some(name)) => {
                Ok(name)
            }
            _ => Err(ExperimentError::Plan(
                "a factor is one of free, switch and parameter".to_owned(),
            )),
        }
    }
}

impl Plan {
    /// Reads an experiment file.
    pub fn read(path: &Path) -> Result<Plan, ExperimentError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ExperimentError::Read(path.to_owned(), error))?;
        let mut plan: Plan = toml::from_str(&text)
            .map_err(|error| ExperimentError::Parse(path.to_owned(), Box::new(error)))?;
        plan.folder = path.parent().unwrap_or(Path::new(".")).to_owned();
        plan.hash = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(text.as_bytes()));
        plan.check().map_err(|why| ExperimentError::Plan(format!("{}: {why}", path.display())))?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), String> {
        let sensitivity = self.sensitivity.iter().map(|sensitivity| sensitivity.random_seeds);
        let seeds = self.web.iter().filter_map(|web| web.random_seeds).chain(sensitivity);
        if seeds.into_iter().any(|[first, last]| last.saturating_sub(first) >= SEEDS) {
            return Err(format!("random_seeds are at most {SEEDS}"));
        }
        for web in &self.web {
            let name = &web.name;
            match (&web.preset, &web.space) {
                (Some(_), None) if web.pages.is_none() => {
                    return Err(format!("web \"{name}\" has a preset, so it needs pages"));
                }
                (Some(_), None) if web.random_seeds.is_none_or(|[first, last]| first > last) => {
                    return Err(format!(
                        "web \"{name}\" has a preset, so it needs random_seeds = [first, last]"
                    ));
                }
                (Some(_), None) if web.pages.is_some_and(|pages| !PAGES.contains(&pages)) => {
                    return Err(format!("web \"{name}\": pages is from 100 to 1,000,000,000"));
                }
                (Some(_), None) => {}
                (None, Some(_)) if web.pages.is_none() && web.random_seeds.is_none() => {}
                _ => {
                    return Err(format!(
                        "web \"{name}\" needs either a preset with pages and random_seeds, or a space"
                    ));
                }
            }
            if web.targets.is_empty() {
                return Err(format!("web \"{name}\" has no targets"));
            }
        }
        if self.strategies.is_empty() {
            return Err("there are no strategies".to_owned());
        }
        let budgets = self.compare.iter().flat_map(|compare| &compare.budgets);
        if let Some(budget) = budgets.into_iter().find(|&&budget| !(budget > 0.0 && budget <= 1.0))
        {
            return Err(format!(
                "compare.budgets are shares of all pages, from 0 to 1, not {budget}"
            ));
        }
        let tried = self.sensitivity.iter().flat_map(|sensitivity| &sensitivity.webs);
        if let Some(name) = tried.into_iter().find(|name| self.find(name).is_none()) {
            return Err(format!("sensitivity names web \"{name}\", which is not there"));
        }
        let mut names: Vec<&str> = self.web.iter().map(|web| web.name.as_str()).collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("there are two webs \"{}\"", pair[0]));
        }
        let twins = self.web.iter().filter_map(|web| web.full_scale.as_ref());
        if let Some(name) = twins.into_iter().find(|name| self.find(name).is_none()) {
            return Err(format!("full_scale names web \"{name}\", which is not there"));
        }
        let measured = self.outcome.iter().flat_map(|outcome| &outcome.measure);
        let lost = measured.map(|measure| &measure.web).find(|name| self.find(name).is_none());
        lost.map_or(Ok(()), |name| {
            Err(format!("an outcome is measured on web \"{name}\", which is not there"))
        })
    }

    /// The web of that name.
    pub fn find(&self, name: &str) -> Option<&WebPlan> {
        self.web.iter().find(|web| web.name == name)
    }
}

impl WebPlan {
    /// The random seeds; one that is not used for a web space.
    pub fn seeds(&self) -> Vec<u64> {
        self.random_seeds.map_or(vec![0], |[first, last]| (first..=last).collect())
    }

    /// The labelling rules by name; `None` for the web space's first.
    pub fn labels(&self) -> Vec<Option<String>> {
        match self.labels.as_slice() {
            [] => vec![None],
            labels => labels.iter().cloned().map(Some).collect(),
        }
    }
}
