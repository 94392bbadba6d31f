//! `langur report`

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use langur_observe::{Run, Tasks};
use langur_report::Content;
use langur_sim::Space;

use crate::space::analyze;

/// Turn runs into one HTML file that works offline
#[derive(Args)]
pub struct Report {
    /// Run folders, as made by `langur simulate -o`, or folders of tasks, as made with --tasks
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// Analyse the web spaces of the runs too, and show what they look like
    #[arg(long)]
    analyze: bool,
    /// The file to write
    #[arg(short, long, default_value = "report.html")]
    output: PathBuf,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

impl Report {
    pub fn run(self) -> Result<()> {
        let (mut runs, mut tasks) = (Vec::new(), Vec::new());
        for path in &self.runs {
            if Tasks::are_at(path) {
                let opened = Tasks::open(path)?;
                runs.extend(opened.runs.iter().cloned());
                tasks.push(opened);
            } else {
                runs.push(Run::open(path)?);
            }
        }
        let strategies: usize = runs.iter().map(|run| run.results.len()).sum();
        let count = runs.len();
        let analyses = if self.analyze { analyses(&runs)? } else { Vec::new() };
        write(&Content { runs, tasks, analyses, experiment: None }, &self.output)?;
        if self.json {
            println!(
                "{}",
                serde_json::json!({ "report": self.output, "runs": count, "strategies": strategies })
            );
        } else {
            println!("{}: {strategies} strategies in {} runs", self.output.display(), count);
        }
        Ok(())
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
            let space = Space::open(&facts.space.path)?;
            let analysis = analyze::of(&space, &facts.target.parse()?, Some(&facts.labels))?;
            found.push(serde_json::to_value(analysis)?);
            done.push(key);
        }
    }
    Ok(found)
}
