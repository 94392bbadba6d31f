//! `langur demo`

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use langur_lab::{Catalogue, Switches, Target};
use langur_live::Status;
use langur_loopback::{LoopbackServer, PageOptions, Pages, ServerOptions};
use langur_observe::Run;
use langur_report::Content;
use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis};

use crate::crawl::loopback;
use crate::simulate::Plan;
use crate::space::analyze;
use crate::table::{count, percent};
use crate::{report, space};

/// Pages that are fetched over HTTP: enough to see it work.
const FETCHED: u64 = 500;

/// The whole story on a synthetic Thai web: build, simulate, crawl, report
#[derive(Args)]
pub struct Demo {
    /// How many pages the web has
    #[arg(long, default_value_t = 200_000)]
    pages: usize,
    /// The folder to write; what an earlier demo left there is replaced
    #[arg(short, long, default_value = "demo")]
    output: PathBuf,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

impl Demo {
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        let began = Instant::now();
        let say = |line: String| {
            if !self.json {
                println!("{line}")
            }
        };
        std::fs::create_dir_all(&self.output)?;
        let (space_path, run_path) = (self.output.join("thai.space"), self.output.join("run"));
        let report_path = self.output.join("report.html");
        say(format!(
            "1. A synthetic Thai web of {} pages, from the statistics published in 2006",
            count(self.pages as u64)
        ));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let preset = Preset::load("thai-2004")?;
        space::synth::make(
            &Synthesis { preset, pages: self.pages, seed: 1, threads },
            &space_path,
            true,
        )?;
        let space = Space::open(&space_path)?;
        let target: Target = "lang:th".parse()?;
        let looks = analyze::of(&space, &target, None)?;
        let (thai, others) =
            (looks.locality.from_relevant.all.share, looks.locality.from_irrelevant.all.share);
        say(format!(
            "2. What it looks like: {} of its {} OK HTML pages are Thai. Of the links of Thai pages {} lead to Thai\n   pages, of those of other pages {}: that is what a focused crawl lives on",
            count(looks.relevant),
            count(looks.ok_html),
            percent(thai),
            percent(others)
        ));
        let strategies = catalogue.all();
        say(format!(
            "3. Every strategy crawls it for Thai pages, oracles beside them: {}\n",
            strategies.len()
        ));
        let plan = Plan {
            space,
            target,
            labels: None,
            switches: Switches::default(),
            seeds: None,
            strategies,
            skip_unfit: false,
        };
        let (results, facts) = plan.execute(Some(&run_path), true, threads, self.json)?;
        plan.print(&results, &facts, self.json);
        let crawl_path = self.output.join("crawl");
        let crawled = crawl(&space_path, &crawl_path, catalogue)?;
        say(format!(
            "\n4. The same web over HTTP, served on loopback under the names of its hosts: {} pages crawled and archived,\n   {} of them Thai, by lswc(s=3,t=5): {}",
            count(crawled.fetched),
            count(crawled.relevant),
            crawl_path.join("archive").display()
        ));
        let runs = vec![Run::open(&run_path)?];
        let analyses = vec![serde_json::to_value(looks)?];
        report::write(&Content { runs, analyses, ..Content::default() }, &report_path)?;
        let (space, run, report) =
            (space_path.display(), run_path.display(), report_path.display());
        say(format!("5. The curves: open {report} in a browser (it needs no network)"));
        say(format!("\nAll this took {:.0} s. What to try next:\n", began.elapsed().as_secs_f64()));
        for (command, what) in [
            (format!("space analyze {space} --target lang:th"), "what the web looks like"),
            (format!("space info {space}"), "what was published beside what was generated"),
            (
                format!("simulate {space} --target lang:th --all --clock polite -o polite"),
                "the same in simulated time",
            ),
            (format!("report {run} polite -o both.html"), "one beside the other"),
            (format!("simulate --again {run}"), "once more, compared byte by byte"),
            (format!("status {}", crawl_path.display()), "how the crawl stands"),
            ("experiment experiments/label-noise.toml".to_owned(), "many webs, with intervals"),
            ("simulate --help".to_owned(), "every strategy, clock and parameter"),
        ] {
            say(format!("  langur {command:<72} {what}"));
        }
        Ok(())
    }
}

/// Crawls a web space over HTTP, with the strategy that a live crawl has if nothing else is said.
fn crawl(space: &Path, folder: &Path, catalogue: &Catalogue) -> Result<Status> {
    let space = Arc::new(Space::open(space)?);
    let pages = Pages::new(Arc::clone(&space), PageOptions::default());
    let server = LoopbackServer::start(pages, &ServerOptions::default())?;
    let mut settings = loopback::settings(server.address(), "lang:th", &space);
    settings.stop.pages = Some(FETCHED);
    loopback::crawl(folder, settings, catalogue)
}
