//! `langur crawl`

mod display;
mod given;
mod languages;
mod live;
pub mod loopback;
mod offline;
mod own;
mod run_folder;
mod signals;
mod topics;

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use langur_lab::{Catalogue, Target};

pub use display::paragraph;
use given::Given;
pub(crate) use languages::known_languages;
pub use live::{Changes, LiveArgs, parts, quoted, resume, status_at_rest};
use offline::{OfflineArgs, OfflineCrawl};
pub use own::keeping_others;
pub use run_folder::run_of;
pub use topics::{stem, topic_in, topic_of};

use crate::misuse::Misuse;

/// Crawl a web for pages in a language or about a topic
///
/// The live web is crawled politely: robots.txt is obeyed, requests are spaced, and every server is told whom to
/// complain to. What comes is archived as WARC, and the run folder can be taken up again after a crash, simulated,
/// exported and reported on.
///
/// The archived web is crawled the same way: every page is fetched by its URL, decoded, judged and searched for
/// links. What is not in the archive is answered 404 and does not count (Gogar 2015).
#[derive(Args)]
#[command(after_help = "\
Examples:
  langur crawl --target lang:th --seeds seeds.txt --contact https://library.example/crawls -o crawl/
  langur status crawl/          what it does, and what every host waits for
  langur resume crawl/          after Ctrl-C, a limit, or a crash
  langur simulate crawl/ --all  what other strategies would have found in it
  langur crawl --web archive:crawl/archive --target lang:th --seeds seeds.txt -o again/
  langur crawl --web commoncrawl:CC-MAIN-2024-22 --target topic:bikes.topic --strategy shark \\
    --seeds bikes.txt --max-pages 10000 --cache ~/.cache/langur -o run/")]
pub struct Crawl {
    /// live, archive:DIR, archive: and an address, or commoncrawl:CC-MAIN-YYYY-WW
    #[arg(long, value_name = "WEB", default_value = "live")]
    web: String,
    /// What is wanted: lang:th, several languages as in lang:lo,km, or topic:FILE
    #[arg(long)]
    target: Option<Target>,
    /// The strategy, as `langur simulate --help` lists them [default: lswc(s=3,t=5)]
    #[arg(long)]
    strategy: Option<String>,
    /// A file of URLs to start from, one a line; may be given several times
    #[arg(long, value_name = "FILE")]
    seeds: Vec<PathBuf>,
    /// Stop after so many fetches
    #[arg(long)]
    max_pages: Option<u64>,
    /// The labelling rule that tells the languages of pages [default: langur]
    #[arg(long)]
    labels: Option<String>,
    #[command(flatten)]
    live: Given<LiveArgs>,
    #[command(flatten)]
    offline: Given<OfflineArgs>,
    /// The run folder to write
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Replace the run or crawl that is already there; other files in a crawl's folder stay
    #[arg(long)]
    force: bool,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Crawl {
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        if self.web == "live" {
            self.offline.refuse("archives", &self.web)?;
            return live::begin(self, catalogue);
        }
        self.live.refuse("the live web", &self.web)?;
        let labels = self.labels.as_deref().unwrap_or("langur");
        let target = known_languages(&self.target.ok_or_else(no_target)?, labels)?;
        let crawl = OfflineCrawl {
            web: self.web,
            target,
            strategy: self.strategy.unwrap_or_else(|| "lswc(s=3,t=5)".to_owned()),
            seeds: self.seeds,
            max_pages: self.max_pages,
            labels: self.labels,
            args: self.offline.options,
            output: self.output,
            force: self.force,
            json: self.json,
        };
        crawl.run(catalogue)
    }
}

/// Nobody has said what is wanted.
pub fn no_target() -> Misuse {
    Misuse("say what is wanted with --target, as in --target lang:th".to_owned())
}
