//! `langur simulate`

mod compare;
mod plan;
mod results;
mod seeds;
mod tasks;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use langur_frontier::Keep;
use langur_lab::{
    CLOCKS, Catalogue, Clock, Contender, IDENTIFIERS, Identifier, Order, Switches, Target,
};
use langur_live::Settings;
use langur_live::crawl::journal_path;
use langur_observe::Run;
use langur_sim::{Missing, Parts};
use langur_strategy::Entry;
use serde_json::json;

use self::compare::differing_files;
pub use self::plan::{Plan, facts_of};
pub use self::results::{results_json, results_table};
use crate::crawl::{no_target, stem};
use crate::misuse::Misuse;
use crate::space::open_space;

/// Crawl a web space with one strategy or many, and measure them
#[derive(Args)]
pub struct Simulate {
    /// The web space, or the folder of a live crawl
    #[arg(required_unless_present = "again")]
    space: Option<PathBuf>,
    /// What is wanted: lang:th, several languages as in lang:lo,km, or a topic of the web space as in
    /// topic:bikes or "topic:bikes>0.5"; that of the crawl, if it is one
    #[arg(long)]
    target: Option<Target>,
    /// A file of tasks, each with its target and seeds: every strategy runs on every one; see docs/topics.md
    #[arg(long, value_name = "TOML", conflicts_with_all = ["target", "seeds"])]
    tasks: Option<PathBuf>,
    /// A strategy, as in "limited-distance(n=2,prioritized)"; may be given several times; that of the crawl, if it is one
    #[arg(long)]
    strategy: Vec<String>,
    /// All strategies, in the settings of the papers
    #[arg(long)]
    all: bool,
    /// The labelling rule that tells the languages of pages, if not the web space's first
    #[arg(long)]
    labels: Option<String>,
    /// A file of URLs or page numbers to start from, one a line, if not where the web space says
    #[arg(long)]
    seeds: Option<PathBuf>,
    #[command(flatten)]
    switches: SwitchArgs,
    /// The run folder to write, with every visit and the curves
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Run what a run folder holds once more: into -o, or else to compare with it byte by byte
    #[arg(long, value_name = "RUN", conflicts_with_all = ["space", "target", "tasks", "strategy", "all", "labels", "seeds", "SwitchArgs"])]
    again: Option<PathBuf>,
    /// Replace a run folder that is already there
    #[arg(long)]
    force: bool,
    /// How many strategies run at the same time
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
}

/// What the papers leave open about all strategies alike.
#[derive(Args, Clone)]
#[group(id = "SwitchArgs", multiple = true)]
struct SwitchArgs {
    /// Which lead wins when a waiting page is found again
    #[arg(long, value_enum, default_value_t)]
    lead: LeadArg,
    /// In which order pages of one priority leave
    #[arg(long, value_enum, default_value_t)]
    order: OrderArg,
    /// The seed for --order random
    #[arg(long, default_value_t = 1)]
    random_seed: u64,
    /// Consider the links of a visited page anew when it is met on a better lead
    #[arg(long)]
    reopen: bool,
    /// What becomes of links out of the web space: not queued, or queued, answered 404 and not counted
    #[arg(long, value_enum, default_value_t)]
    missing: MissingArg,
    /// Stop after so many fetches
    #[arg(long)]
    max_pages: Option<u64>,
    /// How time passes: step, or polite as in "polite(connections=50,interval_ms=2000)"
    #[arg(long, default_value_t)]
    clock: Clock,
    /// How well languages are told: exact, or noisy as in "noisy(miss=0.1,false_alarm=0.02)"
    #[arg(long, default_value_t)]
    identifier: Identifier,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum LeadArg {
    #[default]
    Better,
    First,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum OrderArg {
    #[default]
    Fifo,
    Random,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum MissingArg {
    #[default]
    Skip,
    #[value(name = "404")]
    NotFound,
}

impl SwitchArgs {
    fn switches(&self) -> Switches {
        Switches {
            lead: match self.lead {
                LeadArg::Better => Keep::Better,
                LeadArg::First => Keep::First,
            },
            order: match self.order {
                OrderArg::Fifo => Order::Fifo,
                OrderArg::Random => Order::Random(self.random_seed),
            },
            reopen: self.reopen,
            missing: match self.missing {
                MissingArg::Skip => Missing::Skip,
                MissingArg::NotFound => Missing::NotFound,
            },
            max_pages: self.max_pages,
            clock: self.clock.clone(),
            identifier: self.identifier.clone(),
        }
    }
}

/// Every strategy, clock and identifier with its parameters.
pub fn strategies_help(catalogue: &Catalogue) -> String {
    let mut text = "Strategies:\n".to_owned();
    catalogue.entries().for_each(|entry| add_help(&mut text, entry));
    text += "\nClocks:\n";
    CLOCKS.iter().for_each(|entry| add_help(&mut text, entry));
    text += "\nIdentifiers:\n";
    IDENTIFIERS.iter().for_each(|entry| add_help(&mut text, entry));
    text
}

fn add_help(text: &mut String, entry: &Entry) {
    *text += &format!("  {:<18} {}\n", entry.name, entry.about);
    for parameter in entry.parameters {
        let (name, kind) = (parameter.name, parameter.kind);
        *text += &format!("      {name}={} ({kind}): {}\n", parameter.default, parameter.about);
    }
}

impl Simulate {
    pub fn run(mut self, catalogue: &Catalogue) -> Result<()> {
        self.fill_in()?;
        match (&self.again, &self.tasks) {
            (Some(run), _) => return self.run_again(catalogue, &Run::open(run)?),
            (None, Some(tasks)) => self.run_tasks(catalogue, tasks)?,
            (None, None) => {
                let target = self.target.clone().ok_or_else(no_target)?;
                let plan = self.plan(catalogue, target)?;
                let (results, facts) =
                    plan.execute(self.output.as_deref(), self.force, self.threads, self.json)?;
                plan.print(&results, &facts, self.json);
            }
        }
        if let (Some(output), false) = (&self.output, self.json) {
            println!("\nrun: {}   next: langur report {}", output.display(), output.display());
        }
        Ok(())
    }

    /// What is not said is as in the crawl, where the web space is that of one.
    fn fill_in(&mut self) -> Result<()> {
        let Some(crawl) = self.space.as_deref().filter(|path| journal_path(path).exists()) else {
            return Ok(());
        };
        let settings = Settings::of(crawl)?;
        let mut taken = Vec::new();
        if self.target.is_none() && self.tasks.is_none() {
            let target = match settings.target.parse()? {
                // The web space knows the topic by its name, and not by its file.
                Target::Topic { name, threshold } => Target::Topic { name: stem(&name), threshold },
                languages @ Target::Languages(_) => languages,
            };
            taken.push(format!("--target {target}"));
            self.target = Some(target);
        }
        if self.strategy.is_empty() && !self.all {
            taken.push(format!("--strategy \"{}\"", settings.strategy.0));
            self.strategy.push(settings.strategy.0);
        }
        if !taken.is_empty() {
            eprintln!("langur: as in the crawl: {}", taken.join(" "));
        }
        Ok(())
    }

    fn plan(&self, catalogue: &Catalogue, target: Target) -> Result<Plan> {
        let asked = self.strategy.iter().map(|text| catalogue.parse(text));
        let mut strategies: Vec<Contender> = asked.collect::<Result<_, _>>()?;
        if self.all {
            strategies.extend(catalogue.all());
        }
        if strategies.is_empty() {
            bail!(Misuse("no strategy was asked for: give --strategy NAME, or --all".to_owned()));
        }
        let mut names: Vec<String> = strategies.iter().map(Contender::to_string).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!(Misuse(format!("strategy {} is asked for twice", twice[0])));
        }
        let space = open_space(self.space.as_deref().expect("clap requires a web space"))?;
        let finds_urls = self.seeds.is_some() || self.tasks.is_some();
        space.verify(if finds_urls { Parts::Everything } else { Parts::Crawled })?;
        let seeds = self.seeds.as_deref().map(|file| seeds::from_file(&space, file)).transpose()?;
        Ok(Plan {
            space,
            target,
            labels: self.labels.clone(),
            switches: self.switches.switches(),
            seeds,
            strategies,
            skip_unfit: self.all,
        })
    }

    /// Without -o the run is made in a scratch folder and compared.
    fn run_again(&self, catalogue: &Catalogue, run: &Run) -> Result<()> {
        let plan = Plan::of_run(catalogue, run)?;
        if let Some(output) = &self.output {
            let (results, facts) =
                plan.execute(Some(output), self.force, self.threads, self.json)?;
            plan.print(&results, &facts, self.json);
            return Ok(());
        }
        let scratch = run.path.with_file_name(format!(".again-{}", std::process::id()));
        let executed = plan.execute(Some(&scratch), true, self.threads, self.json);
        let differing = executed.and_then(|_| differing_files(&run.path, &scratch));
        let _ = std::fs::remove_dir_all(&scratch);
        let differing = differing?;
        if self.json {
            println!(
                "{}",
                json!({ "run": run.path, "identical": differing.is_empty(), "differing": differing })
            );
        } else if differing.is_empty() {
            println!("{}: run again, identical to the last byte", run.path.display());
        }
        if differing.is_empty() {
            return Ok(());
        }
        bail!("{} run again gives other bytes in: {}", run.path.display(), differing.join(", "))
    }
}
