//! `langur simulate`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use langur_crawl::PageId;
use langur_frontier::Keep;
use langur_lab::{Measured, Order, Simulation, Switches, Target};
use langur_observe::{NewRun, Run, RunManifest, SpaceFacts};
use langur_sim::{Missing, Parts, Space};
use langur_strategy::{ALL, Entry, Spec};
use rayon::prelude::*;
use serde_json::json;

use crate::misuse::Misuse;
use crate::progress::Bars;
use crate::table::{Align, count, percent, table};

/// Crawl a web space with one strategy or many, and measure them
#[derive(Args)]
#[command(after_help = strategies_help())]
pub struct Simulate {
    /// The web space
    #[arg(required_unless_present = "again")]
    space: Option<PathBuf>,
    /// What is wanted: lang:th, or several languages as in lang:lo,km
    #[arg(long, required_unless_present = "again")]
    target: Option<Target>,
    /// A strategy, as in "limited-distance(n=2,prioritized)"; may be given several times
    #[arg(long, value_parser = Spec::parse)]
    strategy: Vec<Spec>,
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
    #[arg(long, value_name = "RUN", conflicts_with_all = ["space", "target", "strategy", "all", "labels", "seeds", "SwitchArgs"])]
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
        }
    }
}

/// Reads switches back from a run's manifest.
fn switches_from(described: &BTreeMap<String, serde_json::Value>) -> Option<Switches> {
    let word = |name: &str| described.get(name).and_then(|value| value.as_str());
    Some(Switches {
        lead: match word("lead")? {
            "better" => Keep::Better,
            "first" => Keep::First,
            _ => return None,
        },
        order: match word("order")? {
            "fifo" => Order::Fifo,
            "random" => Order::Random(described.get("random_seed")?.as_u64()?),
            _ => return None,
        },
        reopen: described.get("reopen")?.as_bool()?,
        missing: match word("missing")? {
            "skip" => Missing::Skip,
            "404" => Missing::NotFound,
            _ => return None,
        },
        max_pages: match described.get("max_pages")? {
            serde_json::Value::String(_) => None,
            pages => Some(pages.as_u64()?),
        },
    })
}

fn strategies_help() -> String {
    let mut text = "Strategies:\n".to_owned();
    for entry in ALL {
        text += &format!("  {:<18} {}\n", entry.name, entry.about);
        for parameter in entry.parameters {
            let (name, kind) = (parameter.name, parameter.kind);
            text += &format!("      {name}={} ({kind}): {}\n", parameter.default, parameter.about);
        }
    }
    text
}

impl Simulate {
    pub fn run(self) -> Result<()> {
        match &self.again {
            Some(run) => self.run_again(&Run::open(run)?),
            None => {
                let plan = self.plan()?;
                let (results, facts) =
                    plan.execute(self.output.as_deref(), self.force, self.threads, self.json)?;
                plan.print(&results, &facts, self.json);
                if let (Some(output), false) = (&self.output, self.json) {
                    println!(
                        "\nrun: {}   next: langur report {}",
                        output.display(),
                        output.display()
                    );
                }
                Ok(())
            }
        }
    }

    fn plan(&self) -> Result<Plan> {
        let mut strategies = self.strategy.clone();
        if self.all {
            strategies.extend(all_strategies());
        }
        if strategies.is_empty() {
            bail!(Misuse("no strategy was asked for: give --strategy NAME, or --all".to_owned()));
        }
        let mut names: Vec<String> = strategies.iter().map(Spec::to_string).collect();
        names.sort();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            bail!(Misuse(format!("strategy {} is asked for twice", twice[0])));
        }
        let space = Space::open(self.space.as_deref().expect("clap requires a web space"))?;
        let seeds = self.seeds.as_deref().map(|file| read_seeds(&space, file)).transpose()?;
        let target = self.target.clone().expect("clap requires a target");
        Ok(Plan {
            space,
            target,
            labels: self.labels.clone(),
            switches: self.switches.switches(),
            seeds,
            strategies,
        })
    }

    /// Without -o the run is made in a scratch folder and compared.
    fn run_again(&self, run: &Run) -> Result<()> {
        let plan = Plan::of_run(run)?;
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

/// Every strategy in the settings of the papers.
pub fn all_strategies() -> Vec<Spec> {
    let written = ALL.iter().flat_map(Entry::written_variants);
    written.map(|text| Spec::parse(&text).expect("the table's variants are sound")).collect()
}

/// What to simulate.
pub struct Plan {
    pub space: Space,
    pub target: Target,
    pub labels: Option<String>,
    pub switches: Switches,
    pub seeds: Option<Vec<PageId>>,
    pub strategies: Vec<Spec>,
}

/// What was measured, and how long it took.
pub type Timed = (Measured, f64);

impl Plan {
    fn of_run(run: &Run) -> Result<Plan> {
        let manifest = &run.manifest;
        let space = Space::open(&manifest.space.path)?;
        if space.fingerprint() != manifest.space.fingerprint {
            bail!(
                "web space \"{}\" is not the one that {} was run on",
                space.path().display(),
                run.path.display()
            );
        }
        let strategies =
            manifest.strategies.iter().map(|text| Spec::parse(text)).collect::<Result<_, _>>()?;
        Ok(Plan {
            space,
            target: manifest.target.parse()?,
            labels: Some(manifest.labels.clone()),
            switches: switches_from(&manifest.switches).with_context(|| {
                format!("{}: the switches in manifest.json make no sense", run.path.display())
            })?,
            seeds: Some(manifest.seeds.iter().map(|&seed| PageId(seed)).collect()),
            strategies,
        })
    }

    /// Runs every strategy, several at a time, and writes the run folder if there should be one.
    pub fn execute(
        &self,
        output: Option<&Path>,
        force: bool,
        threads: usize,
        quiet: bool,
    ) -> Result<(Vec<Timed>, RunManifest)> {
        let run = output.map(|output| NewRun::create(output, force)).transpose()?;
        self.space.verify(Parts::Crawled)?;
        let simulation = Simulation::new(
            &self.space,
            self.target.clone(),
            self.labels.as_deref(),
            self.switches,
            self.seeds.clone(),
        )?;
        let bars = Bars::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
        let one = |spec: &Spec| -> Result<Timed> {
            let bar = (!quiet).then(|| bars.bar(&spec.to_string(), simulation.budget()));
            let began = Instant::now();
            let visits = run.as_ref().map(|run| run.strategy(&spec.to_string())).transpose()?;
            let visits = visits.map(|folder| folder.join("visits.parquet"));
            let progress = |fetched| bar.iter().for_each(|bar| bar.set(fetched));
            let measured = simulation.run(spec, visits.as_deref(), &progress)?;
            if let Some(run) = &run {
                run.curve(&measured.result.strategy, &measured.points)?;
            }
            Ok((measured, began.elapsed().as_secs_f64()))
        };
        let results = pool.install(|| {
            self.strategies.par_iter().with_max_len(1).map(one).collect::<Result<Vec<_>>>()
        })?;
        let manifest = self.manifest(&simulation)?;
        if let Some(run) = run {
            let rows: Vec<_> =
                results.iter().map(|(measured, _)| measured.result.clone()).collect();
            run.finish(&manifest, &rows)?;
        }
        Ok((results, manifest))
    }

    fn manifest(&self, simulation: &Simulation) -> Result<RunManifest> {
        let (space, counts) = (&self.space, self.space.manifest().counts);
        let (format, version) = RunManifest::format();
        Ok(RunManifest {
            format,
            version,
            langur: env!("CARGO_PKG_VERSION").to_owned(),
            space: SpaceFacts {
                path: space.path().canonicalize()?,
                fingerprint: space.fingerprint(),
                pages: counts.pages,
                links: counts.links,
                hosts: counts.hosts,
                ok_html: simulation.ok_html(),
                relevant: simulation.relevant(),
                provenance: space.manifest().provenance.clone(),
                statistics: serde_json::to_value(&space.manifest().statistics)?,
            },
            target: self.target.to_string(),
            labels: self.labels.clone().unwrap_or_else(|| space.manifest().labels[0].clone()),
            switches: self.switches.described(),
            budget: simulation.budget(),
            seeds: simulation.seeds().iter().map(|seed| seed.0).collect(),
            strategies: self.strategies.iter().map(Spec::to_string).collect(),
        })
    }

    /// Prints the results for a person, or as JSON.
    pub fn print(&self, results: &[Timed], manifest: &RunManifest, as_json: bool) {
        if as_json {
            println!("{}", results_json(results, manifest));
            return;
        }
        let space = &manifest.space;
        println!(
            "{}: {} pages, {} of them OK HTML and {} relevant to {} by {}\n",
            self.space.name(),
            count(space.pages),
            count(space.ok_html),
            count(space.relevant),
            manifest.target,
            manifest.labels
        );
        print!("{}", results_table(results));
        if results.iter().any(|(measured, _)| measured.result.oracle) {
            println!("\n* an oracle: it uses what it has not fetched, as no crawler could");
        }
    }
}

fn results_json(results: &[Timed], manifest: &RunManifest) -> serde_json::Value {
    let rows: Vec<_> = results
        .iter()
        .map(|(measured, seconds)| {
            let mut row = serde_json::to_value(&measured.result).expect("results are plain data");
            row["seconds"] = json!(seconds);
            row
        })
        .collect();
    json!({
        "space": manifest.space.path,
        "target": manifest.target,
        "labels": manifest.labels,
        "seeds": manifest.seeds,
        "switches": manifest.switches,
        "budget": manifest.budget,
        "pages": manifest.space.pages,
        "ok_html": manifest.space.ok_html,
        "relevant": manifest.space.relevant,
        "results": rows,
    })
}

fn results_table(results: &[Timed]) -> String {
    use Align::{Left, Right};
    let head = [
        ("strategy", Left),
        ("fetched", Right),
        ("OK HTML", Right),
        ("relevant", Right),
        ("harvest", Right),
        ("of HTML", Right),
        ("coverage", Right),
        ("max queue", Right),
        ("at 50%", Right),
        ("at 90%", Right),
        ("at 99%", Right),
        ("area", Right),
        ("time", Right),
        ("pages/s", Right),
    ];
    let row = |(measured, seconds): &Timed| {
        let result = &measured.result;
        let mut cells = vec![
            format!("{}{}", result.strategy, if result.oracle { " *" } else { "" }),
            count(result.fetched),
            count(result.ok_html),
            count(result.relevant),
            percent(result.harvest),
            percent(result.harvest_html),
            percent(result.coverage),
            count(result.max_queue),
        ];
        cells.extend(
            ["50", "90", "99"].map(|at| result.pages_at_coverage[at].map_or("–".to_owned(), count)),
        );
        cells.extend([
            format!("{:.3}", result.area),
            format!("{seconds:.2} s"),
            count((result.fetched as f64 / seconds) as u64),
        ]);
        cells
    };
    table(&head, &results.iter().map(row).collect::<Vec<_>>())
}

/// Reads seeds: URLs or page numbers, one a line; empty lines and lines that begin with # are skipped.
fn read_seeds(space: &Space, file: &Path) -> Result<Vec<PageId>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read seeds from {}", file.display()))?;
    space.verify(Parts::Everything)?;
    let mut seeds = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = || format!("{}:{}", file.display(), number + 1);
        let seed = match line.parse::<u32>() {
            Ok(page) if (page as usize) < space.pages() => PageId(page),
            Ok(page) => bail!(Misuse(format!(
                "{}: there is no page {page}; the web space has {}",
                at(),
                space.pages()
            ))),
            Err(_) => match space.find(line) {
                Ok(Some(page)) => page,
                Ok(None) => bail!(Misuse(format!("{}: {line} is not in the web space", at()))),
                Err(error) => bail!(Misuse(format!("{}: {error}", at()))),
            },
        };
        seeds.push(seed);
    }
    Ok(seeds)
}

/// The files by which two folders differ.
fn differing_files(one: &Path, other: &Path) -> Result<Vec<String>> {
    let (a, b) = (files_below(one)?, files_below(other)?);
    let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
    names.sort();
    names.dedup();
    let mut differing = Vec::new();
    for name in names {
        let same = match (a.get(name), b.get(name)) {
            (Some(a), Some(b)) => std::fs::read(a)? == std::fs::read(b)?,
            _ => false,
        };
        if !same {
            differing.push(name.clone());
        }
    }
    Ok(differing)
}

fn files_below(folder: &Path) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in
            std::fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))?
        {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path
                    .strip_prefix(folder)
                    .expect("a path below the folder")
                    .to_string_lossy()
                    .into_owned();
                files.insert(name, path);
            }
        }
    }
    Ok(files)
}
