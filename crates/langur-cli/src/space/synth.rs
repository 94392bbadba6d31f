//! `langur space synth`

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;
use langur_sim::Space;
use langur_sim::synth::{Preset, Stage, Synthesis, synthesise};

use crate::misuse::Misuse;
use crate::progress::Bars;
use crate::table::count;

/// Make a synthetic web from published statistics
///
/// The same preset, number of pages and seed give the same bytes, whatever the number of threads.
/// `langur space info` shows what was asked for beside what came out.
#[derive(Args)]
pub struct Synth {
    /// thai-2004, japanese-2004, or a file that ends in .toml
    #[arg(long, default_value = "thai-2004")]
    preset: String,
    /// How many crawled pages
    #[arg(long, default_value_t = 200_000)]
    pages: usize,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The web space to write
    #[arg(short, long)]
    output: PathBuf,
    /// Replace a web space that is already there
    #[arg(long)]
    force: bool,
    /// How many threads to use
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
    /// Print what was made as JSON
    #[arg(long)]
    json: bool,
}

impl Synth {
    pub fn run(self) -> Result<()> {
        if !(100..=1_000_000_000).contains(&self.pages) {
            bail!(Misuse(format!(
                "--pages is from 100 to 1,000,000,000, not {}",
                count(self.pages as u64)
            )));
        }
        let preset = Preset::load(&self.preset)?;
        let began = Instant::now();
        let what = Synthesis { preset, pages: self.pages, seed: self.seed, threads: self.threads };
        make(&what, &self.output, self.force)?;
        let space = Space::open(&self.output)?;
        if self.json {
            let counts = space.manifest().counts;
            println!(
                "{}",
                serde_json::json!({ "space": self.output, "counts": counts, "seconds": began.elapsed().as_secs_f64() })
            );
        } else {
            let (counts, seconds) = (space.manifest().counts, began.elapsed().as_secs_f64());
            println!(
                "{}: {} pages on {} hosts, {} links between them, in {seconds:.1} s",
                self.output.display(),
                count(counts.pages),
                count(counts.hosts),
                count(counts.links),
            );
        }
        Ok(())
    }
}

/// Makes a synthetic web, showing how far it is.
pub fn make(what: &Synthesis, output: &Path, force: bool) -> Result<()> {
    let bars = Bars::new();
    // There are about as many missing pages again as the preset says; they go much faster.
    let bar = bars.bar("synthesising", what.pages as u64);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(what.threads.max(1)).build()?;
    pool.install(|| {
        synthesise(what, output, force, |stage| match stage {
            Stage::Planning | Stage::Missing(_) => {}
            Stage::Pages(pages) => bar.set(pages as u64),
        })
    })?;
    Ok(())
}
