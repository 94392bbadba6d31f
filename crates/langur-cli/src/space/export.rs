//! `langur space export`

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use langur_sim::exchange::{Format, export};
use langur_sim::{Parts, Space};

use super::open_space;
use crate::table::count;

/// Write a web space as CSV, Parquet or WebGraph
///
/// CSV and Parquet: a crawl log (pages), a link list (links), and links that leave the web space
/// (missing_links); `langur space import` reads them back. WebGraph: graph.graph, graph.properties
/// and graph.urls, with the links of a page in ascending order, as that format wants.
#[derive(Args)]
pub struct Export {
    /// The web space
    space: PathBuf,
    /// What to write
    #[arg(long, value_enum)]
    format: FormatArg,
    /// The folder to write
    #[arg(short, long)]
    output: PathBuf,
    /// Replace a folder that is already there
    #[arg(long)]
    force: bool,
    /// Print what was exported as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormatArg {
    Csv,
    Parquet,
    Webgraph,
}

impl Export {
    pub fn run(self) -> Result<()> {
        let space = open_space(&self.space)?;
        space.verify(Parts::Everything)?;
        match self.format {
            FormatArg::Csv => export(&space, Format::Csv, &self.output, self.force)?,
            FormatArg::Parquet => export(&space, Format::Parquet, &self.output, self.force)?,
            FormatArg::Webgraph => export_webgraph(&space, &self.output, self.force)?,
        }
        let counts = space.manifest().counts;
        if self.json {
            println!("{}", serde_json::json!({ "folder": self.output, "counts": counts }));
        } else {
            let topics = &space.manifest().topics;
            println!(
                "{}: {} pages, {} links",
                self.output.display(),
                count(counts.pages),
                count(counts.links)
            );
            // Thresholds have no place in the files.
            let thresholds = topics
                .iter()
                .map(|topic| format!(" --topic-threshold \"{}={}\"", topic.name, topic.threshold));
            if !topics.is_empty() && !matches!(self.format, FormatArg::Webgraph) {
                println!("to import it again, add:{}", thresholds.collect::<String>());
            }
        }
        Ok(())
    }
}

#[cfg(feature = "webgraph")]
fn export_webgraph(space: &Space, output: &std::path::Path, force: bool) -> Result<()> {
    langur_webgraph::export(space, output, force)?;
    Ok(())
}

#[cfg(not(feature = "webgraph"))]
fn export_webgraph(_: &Space, _: &std::path::Path, _: bool) -> Result<()> {
    anyhow::bail!(crate::misuse::Misuse(super::import::NO_WEBGRAPH.to_owned()))
}
