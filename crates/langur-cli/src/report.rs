//! `langur report`

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use langur_observe::Run;

/// Turn runs into one HTML file that works offline
#[derive(Args)]
pub struct Report {
    /// Run folders, as made by `langur simulate -o`
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, default_value = "report.html")]
    output: PathBuf,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

impl Report {
    pub fn run(self) -> Result<()> {
        let runs = self.runs.iter().map(|path| Run::open(path)).collect::<Result<Vec<_>, _>>()?;
        write(&runs, &self.output)?;
        let strategies: usize = runs.iter().map(|run| run.results.len()).sum();
        if self.json {
            println!(
                "{}",
                serde_json::json!({ "report": self.output, "runs": runs.len(), "strategies": strategies })
            );
        } else {
            println!("{}: {strategies} strategies in {} runs", self.output.display(), runs.len());
        }
        Ok(())
    }
}

/// Writes a report under a temporary name and moves it to its place.
pub fn write(runs: &[Run], output: &std::path::Path) -> Result<()> {
    let html = langur_report::render(runs)?;
    let partial = output.with_extension(format!("partial-{}", std::process::id()));
    let written = std::fs::write(&partial, html).and_then(|()| std::fs::rename(&partial, output));
    written.with_context(|| format!("cannot write {}", output.display()))
}
