//! `langur space import`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use langur_sim::Space;
use langur_sim::exchange::{Sources, import};

use crate::misuse::must_exist;
use crate::table::{count, counted};

/// Make a web space from anyone's crawl log and link list, or from a WebGraph
///
/// The crawl log has a row a page: url and language, and if known id, status, mime, bytes, charset,
/// latency_ms, gateway, seed, and topic_NAME for scores on topics. The link list has a row a link: source and target as ids or URLs, and
/// if known position, anchor_language, anchor_topic_NAME and context_topic_NAME. Links to URLs that are not in the crawl log are kept as
/// links to missing pages. See docs/import.md.
#[derive(Args)]
pub struct Import {
    /// The crawl log, .csv or .parquet
    #[arg(long, required_unless_present = "webgraph", requires = "links")]
    pages: Option<PathBuf>,
    /// A link list, .csv or .parquet; may be given several times
    #[arg(long)]
    links: Vec<PathBuf>,
    /// A graph in the WebGraph BV format, by its path without .graph
    #[arg(long, value_name = "BASENAME", conflicts_with_all = ["pages", "links"])]
    webgraph: Option<PathBuf>,
    /// What pages must score more than to be about a topic, as in bikes=0.5; 0.4 if not given
    #[arg(long, value_name = "NAME=SCORE", value_parser = threshold, conflicts_with = "webgraph")]
    topic_threshold: Vec<(String, f64)>,
    /// The web space to write
    #[arg(short, long)]
    output: PathBuf,
    /// Replace a web space that is already there
    #[arg(long)]
    force: bool,
    /// Print what was imported as JSON
    #[arg(long)]
    json: bool,
}

impl Import {
    pub fn run(self) -> Result<()> {
        let (repeated, to_itself, unused) = match &self.webgraph {
            Some(basename) => {
                let dropped = import_webgraph(basename, &self.output, self.force)?;
                (dropped.repeated, dropped.to_itself, Vec::new())
            }
            None => {
                let pages = self.pages.clone().expect("clap requires a crawl log");
                must_exist(&self.links)?;
                must_exist(std::slice::from_ref(&pages))?;
                let thresholds = self.topic_threshold.clone();
                let sources = Sources { pages, links: self.links.clone(), thresholds };
                let imported = import(&sources, &self.output, self.force)?;
                (imported.repeated_links, imported.links_to_itself, imported.unused_columns)
            }
        };
        let counts = Space::open(&self.output)?.manifest().counts;
        if self.json {
            let unused: Vec<_> = unused
                .iter()
                .map(|(file, name)| serde_json::json!({ "file": file, "column": name }))
                .collect();
            let summary = serde_json::json!({
                "space": self.output, "counts": counts, "repeated_links": repeated,
                "links_to_itself": to_itself, "unused_columns": unused,
            });
            println!("{summary}");
            return Ok(());
        }
        println!(
            "{}: {} on {}, {} between them and {} to missing pages",
            self.output.display(),
            counted(counts.pages, "page"),
            counted(counts.hosts, "host"),
            counted(counts.links, "link"),
            count(counts.missing_links),
        );
        if repeated + to_itself > 0 {
            println!(
                "left out: {} repeated links, {} links of a page to itself",
                count(repeated),
                count(to_itself)
            );
        }
        for (file, name) in unused {
            println!("not used: column {name} of {}", file.display());
        }
        Ok(())
    }
}

/// Reads a topic's threshold.
fn threshold(text: &str) -> Result<(String, f64), String> {
    let read = |(name, score): (&str, &str)| {
        let score = score.trim().parse().ok().filter(|score| (0.0..=1.0).contains(score))?;
        Some((name.trim().to_owned(), score))
    };
    let read = text.rsplit_once('=').and_then(read);
    read.ok_or_else(|| "it should be a topic and a score from 0 to 1, as in bikes=0.5".to_owned())
}

#[cfg(feature = "webgraph")]
fn import_webgraph(
    basename: &std::path::Path,
    output: &std::path::Path,
    force: bool,
) -> Result<langur_sim::exchange::Dropped> {
    Ok(langur_webgraph::import(basename, output, force)?.dropped)
}

#[cfg(not(feature = "webgraph"))]
fn import_webgraph(
    _: &std::path::Path,
    _: &std::path::Path,
    _: bool,
) -> Result<langur_sim::exchange::Dropped> {
    anyhow::bail!(crate::misuse::Misuse(NO_WEBGRAPH.to_owned()))
}

/// Said where a WebGraph is asked for and was not built in.
#[cfg(not(feature = "webgraph"))]
pub const NO_WEBGRAPH: &str = "this langur was built without the WebGraph format\n  build one that has it with: cargo build --release --features webgraph";
