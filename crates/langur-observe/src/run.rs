//! The run folder: what was done, what came out, and how to do it again.
//!
//! ```text
//! run/
//!   manifest.json            the web space, target, switches, seeds and strategies
//!   results.json             a row for each strategy
//!   soft-focused/
//!     visits.parquet         a row for each visit
//!     curve.parquet          how the crawl stood after so many fetches
//! ```
//!
//! Nothing in it depends on the time or on the machine: the same run gives the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use langur_folder::{FolderError, NewFolder};
use langur_table::ParquetError;
use serde::{Deserialize, Deserializer, Serialize};
use thiserror::Error;

use crate::curve_table::{read_curve, write_curve};
use crate::{MeanScores, Point};

const FORMAT: &str = "langur run";
const VERSION: u32 = 1;

/// Why a run could not be written or read.
#[derive(Debug, Error)]
pub enum RunError {
    /// It could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Parquet said no.
    #[error("cannot write or read a Parquet file: {0}")]
    Parquet(#[from] ParquetError),
    /// It could not be read.
    #[error("cannot read {}: {}", .0.display(), .1)]
    Read(PathBuf, #[source] std::io::Error),
    /// It is something else.
    #[error("\"{}\" is not a run of langur: {}\n  make one with: langur simulate SPACE --target lang:th --all -o RUN", .0.display(), .1)]
    NotARun(PathBuf, String),
}

impl RunError {
    pub(crate) fn write(path: &Path, error: std::io::Error) -> RunError {
        RunError::Folder(FolderError::Write(path.to_owned(), error))
    }
}

/// `manifest.json`: all that is needed to run the same again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RunManifest {
    /// Always `langur run`.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The version of Langur.
    pub langur: String,
    /// The web that was crawled.
    pub space: SpaceFacts,
    /// What was wanted.
    pub target: String,
    /// The labelling rule that told the languages of pages.
    pub labels: String,
    /// The switches that apply to all strategies.
    pub switches: BTreeMap<String, serde_json::Value>,
    /// The most pages that might be fetched.
    pub budget: u64,
    /// Fetches under way at once, in simulated time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<u64>,
    /// The pages it started from.
    pub seeds: Vec<u32>,
    /// The strategies as they were asked for.
    pub strategies: Vec<String>,
}

impl RunManifest {
    /// The format and version of a manifest that is being written now.
    pub fn format() -> (String, u32) {
        (FORMAT.to_owned(), VERSION)
    }
}

/// What a run says of the web space it crawled.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SpaceFacts {
    /// Where it lies.
    pub path: PathBuf,
    /// The checksum that tells it from any other.
    pub fingerprint: String,
    /// Pages in the crawl log.
    pub pages: u64,
    /// Links between them.
    pub links: u64,
    /// Hosts.
    pub hosts: u64,
    /// OK HTML pages.
    pub ok_html: u64,
    /// Relevant pages.
    pub relevant: u64,
    /// Where it comes from.
    pub provenance: serde_json::Value,
    /// What was asked for beside what came out, for a synthetic web.
    #[serde(default)]
    pub statistics: serde_json::Value,
}

/// What came out for one strategy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct StrategyResult {
    /// The strategy as it was asked for.
    pub strategy: String,
    /// Whether it uses what it has not fetched.
    pub oracle: bool,
    /// Whether it is no crawl at all but a bound on what any crawl can do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bound: bool,
    /// All its parameters, defaults included.
    pub parameters: BTreeMap<String, String>,
    /// Pages fetched.
    pub fetched: u64,
    /// Of these, OK HTML.
    pub ok_html: u64,
    /// Of these, relevant.
    pub relevant: u64,
    /// Pages asked for that were not there, which are not fetches.
    pub missing: u64,
    /// Relevant ÷ fetched.
    pub harvest: f64,
    /// Relevant ÷ OK HTML.
    pub harvest_html: f64,
    /// Relevant fetched ÷ relevant in the web space; not a number, and null in JSON, where nobody knows
    /// how many there are.
    #[serde(deserialize_with = "number_or_null")]
    pub coverage: f64,
    /// The most pages that waited after a visit.
    pub max_queue: u64,
    /// Fetches until 50, 90 and 99% coverage; null where it was never reached.
    pub pages_at_coverage: BTreeMap<String, Option<u64>>,
    /// Mean coverage over the budget; not a number where nobody knows coverage.
    #[serde(deserialize_with = "number_or_null")]
    pub area: f64,
    /// Area ÷ that of the best oracle of the same run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub area_share: Option<f64>,
    /// What it took in simulated time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<TimeResult>,
    /// Mean scores at the end, where a topic is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relevancy: Option<MeanScores>,
    /// Hosts with a relevant page that was fetched.
    pub relevant_hosts: u64,
    /// Why it ended: `exhausted` or `budget`.
    pub ended: String,
}

fn number_or_null<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

/// What a crawl took in simulated time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimeResult {
    /// From the first fetch to the end of the last.
    pub seconds: f64,
    /// What was transferred.
    pub bytes: u64,
    /// Share of the connections' time in which they had nothing to do.
    pub idle: f64,
    /// Seconds until 50, 90 and 99% coverage; null where it was never reached.
    pub seconds_at_coverage: BTreeMap<String, Option<f64>>,
    /// Idle share until 50, 90 and 99% coverage; null where it was never reached.
    #[serde(default)]
    pub idle_at_coverage: BTreeMap<String, Option<f64>>,
    /// Requests, those for missing pages included.
    #[serde(default)]
    pub requests: u64,
    /// Hosts that were asked for a page.
    pub hosts_asked: u64,
    /// Fetches from the host that was asked most.
    pub busiest_host: u64,
    /// Fetches from the ten hosts that were asked most.
    pub busiest_ten_hosts: u64,
    /// The most pages of one host that waited for it at once.
    pub longest_host_queue: u64,
}

/// Gives every result its share of the best oracle's area, if there is an oracle among them. Bounds
/// that no crawl attains do not count.
pub fn share_of_best_oracle(results: &mut [StrategyResult]) {
    let oracles = results.iter().filter(|result| result.oracle && !result.bound);
    let best = oracles.map(|result| result.area).fold(0.0, f64::max);
    for result in results {
        result.area_share = (best > 0.0).then(|| result.area / best);
    }
}

/// A run being written.
pub struct NewRun {
    folder: NewFolder,
}

impl NewRun {
    /// Begins a run that will lie at `place`.
    pub fn create(place: &Path, replace: bool) -> Result<NewRun, RunError> {
        Ok(NewRun { folder: NewFolder::create(place, replace)? })
    }

    /// Makes the folder of a strategy.
    pub fn strategy(&self, strategy: &str) -> Result<PathBuf, RunError> {
        let path = self.folder.path().join(folder_name(strategy));
        fs::create_dir_all(&path).map_err(|error| RunError::write(&path, error))?;
        Ok(path)
    }

    /// Writes a strategy's `curve.parquet`.
    pub fn curve(&self, strategy: &str, points: &[Point]) -> Result<(), RunError> {
        write_curve(&self.strategy(strategy)?.join("curve.parquet"), points)
    }

    /// Writes a whole file of another kind.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        Ok(self.folder.write(name, bytes)?)
    }

    /// Writes what remains and moves the run to its place.
    pub fn finish(
        self,
        manifest: &RunManifest,
        results: &[StrategyResult],
    ) -> Result<(), RunError> {
        self.folder.write("manifest.json", &pretty(manifest))?;
        self.folder.write("results.json", &pretty(&results))?;
        Ok(self.folder.finish()?)
    }
}

pub(crate) fn pretty(value: &impl Serialize) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(value).expect("manifests and results are plain data");
    text.push(b'\n');
    text
}

/// The name of a strategy's or a task's folder: its letters and digits, and a dash for anything between.
pub(crate) fn folder_name(strategy: &str) -> String {
    let words = strategy.split(|c: char| !(c.is_ascii_alphanumeric() || "-_.".contains(c)));
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// A run that is there.
#[derive(Clone, Debug)]
pub struct Run {
    /// Where it lies.
    pub path: PathBuf,
    /// What was done.
    pub manifest: RunManifest,
    /// What came out.
    pub results: Vec<StrategyResult>,
}

impl Run {
    /// Opens a run folder.
    pub fn open(path: &Path) -> Result<Run, RunError> {
        let not_a_run = |why: String| RunError::NotARun(path.to_owned(), why);
        let read = |name: &str| {
            fs::read(path.join(name)).map_err(|error| not_a_run(format!("{name}: {error}")))
        };
        let manifest: serde_json::Value = serde_json::from_slice(&read("manifest.json")?)
            .map_err(|error| not_a_run(format!("manifest.json: {error}")))?;
        if manifest.get("format").and_then(|format| format.as_str()) != Some(FORMAT) {
            return Err(not_a_run("its manifest.json is not that of a run".to_owned()));
        }
        match manifest.get("version").and_then(serde_json::Value::as_u64) {
            Some(version) if version == u64::from(VERSION) => {}
            _ => {
                return Err(not_a_run(format!(
                    "it has another format version than {VERSION}; use the langur that wrote it"
                )));
            }
        }
        let manifest = serde_json::from_value(manifest)
            .map_err(|error| not_a_run(format!("manifest.json: {error}")))?;
        let results = serde_json::from_slice(&read("results.json")?)
            .map_err(|error| not_a_run(format!("results.json: {error}")))?;
        Ok(Run { path: path.to_owned(), manifest, results })
    }

    /// The curve of one of its strategies.
    pub fn curve(&self, strategy: &str) -> Result<Vec<Point>, RunError> {
        let path = self.path.join(folder_name(strategy)).join("curve.parquet");
        read_curve(&self.path, &path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_names_are_plain() {
        assert_eq!(
            folder_name("limited-distance(n=2,prioritized)"),
            "limited-distance-n-2-prioritized"
        );
        assert_eq!(folder_name("../x"), "..-x");
    }
}
