//! What to simulate, and doing it.

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use langur_crawl::PageId;
use langur_lab::{Catalogue, Contender, LabError, Measured, Simulation, Switches, Target};
use langur_observe::{NewRun, Run, RunManifest, SpaceFacts, share_of_best_oracle};
use langur_sim::{Parts, Space};
use rayon::prelude::*;

use super::results::{results_json, results_table};
use crate::misuse::told;
use crate::progress::Bars;
use crate::table::count;

/// What to simulate.
pub struct Plan {
    pub space: Space,
    pub target: Target,
    pub labels: Option<String>,
    pub switches: Switches,
    pub seeds: Option<Vec<PageId>>,
    pub strategies: Vec<Contender>,
    /// Leave out strategies that cannot be made for this target, and say so.
    pub skip_unfit: bool,
}

/// Whether a strategy cannot be made for this target, which is no fault of the others.
fn is_unfit(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(LabError::Strategy(_)))
}

/// What was measured, and how long it took.
pub type Timed = (Measured, f64);

impl Plan {
    pub fn of_run(catalogue: &Catalogue, run: &Run) -> Result<Plan> {
        let manifest = &run.manifest;
        let space = Space::open(&manifest.space.path)?;
        space.verify(Parts::Crawled)?;
        if space.fingerprint() != manifest.space.fingerprint {
            bail!(
                "web space \"{}\" is not the one that {} was run on",
                space.path().display(),
                run.path.display()
            );
        }
        let strategies = manifest.strategies.iter().map(|text| catalogue.parse(text));
        let strategies = strategies.collect::<Result<_, _>>()?;
        Ok(Plan {
            space,
            target: manifest.target.parse()?,
            labels: Some(manifest.labels.clone()),
            switches: Switches::read(&manifest.switches).with_context(|| {
                format!("{}: the switches in manifest.json make no sense", run.path.display())
            })?,
            seeds: Some(manifest.seeds.iter().map(|&seed| PageId(seed)).collect()),
            strategies,
            skip_unfit: false,
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
        let simulation = Simulation::new(
            &self.space,
            self.target.clone(),
            self.labels.as_deref(),
            self.switches.clone(),
            self.seeds.clone(),
        )?;
        if simulation.relevant() == 0 {
            eprintln!("{}", self.nothing_relevant());
        }
        let bars = Bars::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build()?;
        let one = |spec: &Contender| -> Result<Timed> {
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
        let made = pool.install(|| {
            let contenders = self.strategies.par_iter().with_max_len(1);
            contenders.map(|contender| (contender, one(contender))).collect::<Vec<_>>()
        });
        let (mut results, mut contenders) = (Vec::new(), Vec::new());
        for (contender, result) in made {
            match result {
                Err(error) if self.skip_unfit && is_unfit(&error) => {
                    eprintln!("langur: {contender} is left out: {}", told(&error));
                }
                result => {
                    results.push(result?);
                    contenders.push(contender.to_string());
                }
            }
        }
        let mut rows: Vec<_> =
            results.iter().map(|(measured, _)| measured.result.clone()).collect();
        share_of_best_oracle(&mut rows);
        for ((measured, _), row) in results.iter_mut().zip(&rows) {
            measured.result = row.clone();
        }
        let manifest = self.manifest(&simulation, contenders)?;
        if let Some(run) = run {
            run.finish(&manifest, &rows)?;
        }
        Ok((results, manifest))
    }

    fn nothing_relevant(&self) -> String {
        format!(
            "langur: no page of {} is relevant to {}{}\n  see what there is with: langur space info {}",
            self.space.name(),
            self.target,
            self.by_labels(),
            self.space.path().display()
        )
    }

    /// By which labels pages are judged; a topic needs none.
    fn by_labels(&self) -> String {
        let labels = self.labels.as_ref().unwrap_or(&self.space.manifest().labels[0]);
        match self.target {
            Target::Languages(_) => format!(" by {labels}"),
            Target::Topic { .. } => String::new(),
        }
    }

    fn manifest(&self, simulation: &Simulation, strategies: Vec<String>) -> Result<RunManifest> {
        let space = &self.space;
        let (format, version) = RunManifest::format();
        Ok(RunManifest {
            format,
            version,
            langur: env!("CARGO_PKG_VERSION").to_owned(),
            space: facts_of(space, simulation.ok_html(), simulation.relevant())?,
            target: self.target.to_string(),
            labels: self.labels.clone().unwrap_or_else(|| space.manifest().labels[0].clone()),
            switches: self.switches.described(),
            budget: simulation.budget(),
            connections: self.switches.clock.pace().map(|pace| pace.connections as u64),
            seeds: simulation.seeds().iter().map(|seed| seed.0).collect(),
            strategies,
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
            "{}: {} pages, {} of them OK HTML and {} relevant to {}{}\n",
            self.space.name(),
            count(space.pages),
            count(space.ok_html),
            count(space.relevant),
            manifest.target,
            self.by_labels()
        );
        print!("{}", results_table(results));
        if results.iter().any(|(measured, _)| measured.result.oracle) {
            println!("\n* an oracle: it uses what it has not fetched, as no crawler could");
            if results.iter().any(|(measured, _)| measured.result.bound) {
                println!(
                    "  upper-bound is no crawl at all: no order of fetches can be ahead of it"
                );
            }
        }
        if results.iter().all(|(measured, _)| measured.result.area_share.is_none()) {
            println!(
                "\nTo see each area as a share of the best possible, add --strategy greedy-tree (an oracle)"
            );
        }
        if self.switches.identifier.noise().is_some() {
            println!(
                "\nThe crawls saw labels with errors ({}); this is measured by the true ones.",
                self.switches.identifier
            );
        }
    }
}

/// What a run says of the web space it crawled, which has so many OK HTML and relevant pages.
pub fn facts_of(space: &Space, ok_html: u64, relevant: u64) -> Result<SpaceFacts> {
    let counts = space.manifest().counts;
    Ok(SpaceFacts {
        path: space.path().canonicalize()?,
        fingerprint: space.fingerprint(),
        pages: counts.pages,
        links: counts.links,
        hosts: counts.hosts,
        ok_html,
        relevant,
        provenance: space.manifest().provenance.clone(),
        statistics: serde_json::to_value(&space.manifest().statistics)?,
    })
}
