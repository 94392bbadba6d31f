//! `langur demo`

use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use langur_lab::{Catalogue, Switches};
use langur_observe::Run;
use langur_report::Content;
use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis};

use crate::simulate::Plan;
use crate::table::count;
use crate::{report, space};

/// The whole story on a synthetic Thai web: build, simulate, report
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
        let strategies = catalogue.all();
        say(format!("2. Every strategy crawls it for Thai pages: {} of them\n", strategies.len()));
        let plan = Plan {
            space: Space::open(&space_path)?,
            target: "lang:th".parse()?,
            labels: None,
            switches: Switches::default(),
            seeds: None,
            strategies,
            skip_unfit: false,
        };
        let (results, facts) = plan.execute(Some(&run_path), true, threads, self.json)?;
        plan.print(&results, &facts, self.json);
        let runs = vec![Run::open(&run_path)?];
        let analyses = report::analyses(&runs)?;
        report::write(&Content { runs, analyses, experiment: None }, &report_path)?;
        let (space, run, report) =
            (space_path.display(), run_path.display(), report_path.display());
        say(format!("\n3. The curves: open {report} in a browser (it needs no network)"));
        say(format!("\nAll this took {:.0} s. What to try next:\n", began.elapsed().as_secs_f64()));
        say(format!(
            "  langur space info {space}            what the web is like, beside what was published"
        ));
        say(format!("  langur simulate {space} --target lang:th --strategy \"lswc(s=2,t=3)\""));
        say(format!(
            "  langur simulate {space} --target lang:th --labels meta-charset --all -o by-charset"
        ));
        say(format!("  langur report {run} by-charset -o both.html"));
        say(format!(
            "  langur simulate --again {run}         the same once more, compared byte by byte"
        ));
        say("  langur simulate --help                     every strategy and its parameters"
            .to_owned());
        Ok(())
    }
}
