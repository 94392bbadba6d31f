//! One crawl of an experiment.

use std::fs;
use std::path::Path;

use langur_lab::{Measured, Switches};
use langur_observe::{Point, StrategyResult};
use serde::{Deserialize, Serialize};
use serde_json::json;
use xxhash_rust::xxh3::xxh3_128;

use crate::ExperimentError;
use crate::plan::{Plan, WebPlan};
use crate::variation::Variation;
use crate::world::World;

/// Points of a curve that are kept.
const POINTS: usize = 500;
/// Changes whenever the same cell could come out differently.
const GENERATION: u32 = 1;

/// One crawl of an experiment: everything that goes into it, and the hash of that.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The hash of all the rest.
    pub key: String,
    /// The web.
    pub world: World,
    /// What is wanted.
    pub target: String,
    /// The labelling rule; the web space's first if none is named.
    pub labels: Option<String>,
    /// The switches.
    pub switches: Switches,
    /// Where the crawl starts, if not where the web space says: URLs.
    pub seeds: Option<Vec<String>>,
    /// The strategy.
    pub strategy: String,
}

impl Cell {
    /// The cells of a web with these random seeds: for every seed one for each strategy.
    pub fn series(
        plan: &Plan,
        web: &WebPlan,
        random_seeds: &[u64],
        (target, labels): (&str, Option<&str>),
        variation: &Variation,
        strategies: &[String],
    ) -> Result<Vec<Vec<Cell>>, ExperimentError> {
        let seeds =
            web.seeds.as_ref().map(|file| read_lines(&plan.folder.join(file))).transpose()?;
        let switches = variation.all_switches()?;
        let described = switches.described();
        let of_seed = |&random_seed: &u64| {
            let world = World::new(plan, web, random_seed, variation)?;
            let cell = |strategy: &String| {
                let strategy = variation.strategy(strategy);
                let written =
                    json!([GENERATION, world.id, target, labels, described, seeds, strategy]);
                Cell {
                    key: format!("{:032x}", xxh3_128(written.to_string().as_bytes())),
                    world: world.clone(),
                    target: target.to_owned(),
                    labels: labels.map(str::to_owned),
                    switches: switches.clone(),
                    seeds: seeds.clone(),
                    strategy,
                }
            };
            Ok(strategies.iter().map(cell).collect())
        };
        random_seeds.iter().map(of_seed).collect()
    }
}

fn read_lines(path: &Path) -> Result<Vec<String>, ExperimentError> {
    let text =
        fs::read_to_string(path).map_err(|error| ExperimentError::Read(path.to_owned(), error))?;
    let lines =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(str::to_owned).collect())
}

/// What came of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crawled {
    /// Pages of the web.
    pub pages: u64,
    /// The relevant ones.
    pub relevant: u64,
    /// The numbers.
    pub result: StrategyResult,
    fetched: Vec<u64>,
    ok_html: Vec<u64>,
    found: Vec<u64>,
    queue: Vec<u64>,
}

impl Crawled {
    pub(crate) fn new(pages: u64, relevant: u64, measured: Measured) -> Crawled {
        let points = thin(&measured.points);
        let column = |value: fn(&Point) -> u64| points.iter().map(value).collect();
        Crawled {
            pages,
            relevant,
            result: measured.result,
            fetched: column(|point| point.fetched),
            ok_html: column(|point| point.ok_html),
            found: column(|point| point.relevant),
            queue: column(|point| point.queue_max),
        }
    }

    /// How the crawl stood after so many fetches; as it ended, if it ended before.
    pub fn after(&self, fetched: f64) -> Standing {
        self.between(fetched, &self.fetched)
    }

    /// How it stood after so many OK HTML pages.
    pub fn after_html(&self, ok_html: f64) -> Standing {
        self.between(ok_html, &self.ok_html)
    }

    /// Draws a straight line between the points before and after.
    fn between(&self, x: f64, axis: &[u64]) -> Standing {
        let next = axis.partition_point(|&at| (at as f64) < x);
        let at = |i: usize| {
            let column = |values: &[u64]| values.get(i).copied().unwrap_or(0) as f64;
            [column(&self.fetched), column(&self.ok_html), column(&self.found), column(&self.queue)]
        };
        let values = if next == axis.len() {
            at(axis.len().saturating_sub(1))
        } else {
            let (before, left) = match next {
                0 => ([0.0; 4], 0.0),
                _ => (at(next - 1), axis[next - 1] as f64),
            };
            let span = axis[next] as f64 - left;
            let part = if span > 0.0 { (x - left) / span } else { 1.0 };
            let after = at(next);
            std::array::from_fn(|i| before[i] + (after[i] - before[i]) * part)
        };
        let [fetched, ok_html, relevant, queue] = values;
        Standing { fetched, ok_html, relevant, queue, of: self.relevant as f64 }
    }

    /// The fetches after which nothing more was found.
    pub fn fetched_for_all(&self) -> f64 {
        let most = self.found.last().copied().unwrap_or(0);
        let place = self.found.partition_point(|&found| found < most);
        self.fetched.get(place).copied().unwrap_or(0) as f64
    }

    /// The fetches at which it was sampled.
    pub fn sampled_at(&self) -> &[u64] {
        &self.fetched
    }

    pub(crate) fn load(path: &Path) -> Option<Crawled> {
        serde_json::from_slice(&fs::read(path).ok()?).ok()
    }

    pub(crate) fn save(&self, path: &Path) -> Result<(), ExperimentError> {
        let text = serde_json::to_vec(self).expect("results are plain data");
        langur_folder::write_file(path, text)
            .map_err(|error| ExperimentError::Write(path.to_owned(), error))
    }
}

/// How a crawl stood at some point.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Pages fetched.
    pub fetched: f64,
    /// Of these, OK HTML.
    pub ok_html: f64,
    /// Of these, relevant.
    pub relevant: f64,
    /// The most that waited lately.
    pub queue: f64,
    of: f64,
}

impl Standing {
    /// Relevant found ÷ relevant.
    pub fn coverage(&self) -> f64 {
        ratio(self.relevant, self.of)
    }

    /// Relevant ÷ fetched.
    pub fn harvest(&self) -> f64 {
        ratio(self.relevant, self.fetched)
    }

    /// Relevant ÷ OK HTML.
    pub fn harvest_html(&self) -> f64 {
        ratio(self.relevant, self.ok_html)
    }
}

pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

/// Keeps about so many points, the last among them, and the largest queue of those left out.
fn thin(points: &[Point]) -> Vec<Point> {
    let stride = points.len().div_ceil(POINTS).max(1);
    let chunk = |chunk: &[Point]| {
        let queue_max = chunk.iter().map(|point| point.queue_max).max().unwrap_or(0);
        Point { queue_max, ..*chunk.last().expect("chunks are not empty") }
    };
    points.chunks(stride).map(chunk).collect()
}
