//! `langur report`

mod scored;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use langur_lab::Target;
use langur_observe::{Run, Tasks};
use langur_report::Content;
use serde_json::json;
use tempfile::TempDir;

use self::scored::Scoring;
use crate::crawl::run_of;
use crate::misuse::Misuse;
use crate::space::{analyze, open_space};
use crate::table::counted;

/// Turn runs into one HTML file that works offline
#[derive(Args)]
pub struct Report {
    /// Run folders, as made by `langur simulate -o` and `langur crawl -o`, folders of tasks, as made with
    /// --tasks, or request logs, as made by `langur archive serve --log`
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// Analyse the web spaces of the runs too, and show what they look like
    #[arg(long)]
    analyze: bool,
    /// For request logs: the web space built from the archive that was served
    #[arg(long, value_name = "SPACE")]
    space: Option<PathBuf>,
    /// For request logs: what is wanted, as in lang:th
    #[arg(long)]
    target: Option<Target>,
    /// For request logs: the labelling rule, if not the web space's first
    #[arg(long)]
    labels: Option<String>,
    /// For request logs: requests to a host should be so many milliseconds apart; if not given, what the server was told, or 1000
    #[arg(long, value_name = "MS")]
    interval: Option<u64>,
    /// The file to write
    #[arg(short, long, default_value = "report.html")]
    output: PathBuf,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

impl Report {
    pub fn run(self) -> Result<()> {
        let (mut runs, mut tasks, mut crawlers) = (Vec::new(), Vec::new(), Vec::new());
        // The curves of scored logs are read from these when the report is written.
        let mut scratch = Vec::new();
        for path in &self.runs {
            if !path.exists() {
                let why = format!("there is no run folder and no request log {}", path.display());
                bail!(Misuse(why));
            }
            if Tasks::are_at(path) {
                let opened = Tasks::open(path)?;
                runs.extend(opened.runs.iter().cloned());
                tasks.push(opened);
            } else if path.is_file() {
                let (scored, folder) = self.score(path)?;
                crawlers.extend(scored.iter().map(|run| scored::as_json(path, run)));
                runs.extend(scored);
                scratch.push(folder);
            } else {
                let run = run_of(path);
                if run != *path && !run.exists() {
                    bail!(Misuse(format!(
                        "the crawl in {0} has not stopped, and is reported when it has\n  look at it with: langur status {0}   if nobody is at it, go on with: langur resume {0}",
                        path.display()
                    )));
                }
                runs.push(Run::open(&run)?);
            }
        }
        ensure!(!runs.is_empty(), "no request in the logs can be told of, so there is no report");
        let strategies: usize = runs.iter().map(|run| run.results.len()).sum();
        let count = runs.len();
        let analyses = if self.analyze { analyses(&runs)? } else { Vec::new() };
        write(&Content { runs, tasks, analyses, experiment: None }, &self.output)?;
        if self.json {
            println!(
                "{}",
                json!({ "report": self.output, "runs": count, "strategies": strategies, "crawlers": crawlers })
            );
        } else {
            let strategies = if strategies == 1 {
                "1 strategy".to_owned()
            } else {
                format!("{strategies} strategies")
            };
            println!("{}: {strategies} in {}", self.output.display(), counted(count as u64, "run"));
        }
        Ok(())
    }
}

impl Report {
    /// Scores crawlers by the log of their requests, and says how they behaved.
    fn score(&self, log: &Path) -> Result<(Vec<Run>, TempDir)> {
        let space = scored::space_for(self.space.as_deref())?;
        let missing = || Misuse("a request log is scored by a target: give --target".to_owned());
        let scoring = Scoring {
            space: &space,
            target: self.target.as_ref().ok_or_else(missing)?,
            labels: self.labels.as_deref(),
            interval_ms: self.interval,
        };
        let scratch = tempfile::tempdir().context("there is no room for a scratch folder")?;
        let runs = scored::score_all(log, &scoring, scratch.path())?;
        if !self.json {
            runs.iter().for_each(|run| println!("{}", scored::manners(run)));
        }
        Ok((runs, scratch))
    }
}

/// Writes a report.
pub fn write(content: &Content, output: &Path) -> Result<()> {
    let html = langur_report::render(content)?;
    langur_folder::write_file(output, html)
        .with_context(|| format!("cannot write {}", output.display()))
}

/// What the web spaces of the runs look like, each once for every target and labelling rule.
pub fn analyses(runs: &[Run]) -> Result<Vec<serde_json::Value>> {
    let mut done = Vec::new();
    let mut found = Vec::new();
    for run in runs {
        let facts = &run.manifest;
        let key = (&facts.space.path, &facts.target, &facts.labels);
        if !done.contains(&key) {
            let space = open_space(&facts.space.path)?;
            let analysis = analyze::of(&space, &facts.target.parse()?, Some(&facts.labels))?;
            found.push(serde_json::to_value(analysis)?);
            done.push(key);
        }
    }
    Ok(found)
}
