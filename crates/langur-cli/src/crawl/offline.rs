//! `langur crawl --web archive:DIR` and `--web commoncrawl:…`

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use langur_archive::Archive;
use langur_lab::{
    Catalogue, Contender, Offline, OfflineResult, OfflineSetting, Switches, Target, Whole,
    first_of, judged_pages, label_number,
};
use langur_observe::{NewRun, RunManifest, SpaceFacts};
use langur_sim::{Missing, Space};
use serde_json::json;

use super::topics::{stem, topic_of};
use crate::archive::{OpenArgs, Place, moment};
use crate::misuse::Misuse;
use crate::progress::Bars;
use crate::simulate::{facts_of, results_json, results_table};
use crate::space::{open_space, read_addresses};
use crate::table::{count, counted};

/// Options for archives only.
#[derive(Args)]
#[command(next_help_heading = "Options for archives")]
pub struct OfflineArgs {
    /// Take the captures nearest to this time, as in 2024 or 20240523143003, and not the latest
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// What becomes of links out of the archive: queued, answered 404 and not counted, or not queued
    #[arg(long, value_enum, default_value_t)]
    missing: MissingArg,
    /// The web space built from the archive: says how many relevant pages there are, and so coverage
    #[arg(long, value_name = "SPACE")]
    space: Option<PathBuf>,
    #[command(flatten)]
    open: OpenArgs,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum MissingArg {
    #[default]
    #[value(name = "404")]
    NotFound,
    Skip,
}

/// A crawl of an archive.
pub struct OfflineCrawl {
    pub web: String,
    pub target: Target,
    pub strategy: String,
    pub seeds: Vec<PathBuf>,
    pub max_pages: Option<u64>,
    pub labels: Option<String>,
    pub args: OfflineArgs,
    pub output: Option<PathBuf>,
    pub force: bool,
    pub json: bool,
}

impl OfflineCrawl {
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        let contender = catalogue.parse(&self.strategy)?;
        let place = self.place()?;
        let archive = self.args.open.open(&place)?;
        let switches = Switches {
            missing: match self.args.missing {
                MissingArg::NotFound => Missing::NotFound,
                MissingArg::Skip => Missing::Skip,
            },
            max_pages: self.max_pages,
            ..Switches::default()
        };
        let space = self.args.space.as_deref().map(open_space).transpose()?;
        let facts = space.as_ref().map(|space| self.facts(space)).transpose()?;
        let setting = OfflineSetting {
            labels: self.labels.clone(),
            at: self.args.at.as_deref().map(moment).transpose()?,
            topic: topic_of(&self.target)?,
            whole: space
                .as_ref()
                .zip(facts.as_ref())
                .map(|(space, facts)| Whole { space, relevant: facts.relevant }),
        };
        let mut seeds = Vec::new();
        for file in &self.seeds {
            seeds.append(&mut read_addresses(file)?);
        }
        let offline =
            Offline::new(&archive, self.target.clone(), switches.clone(), seeds, setting)?;
        let mut manifest = self.manifest(&archive, &contender, &switches, facts);
        // Seeds are the first pages that a crawl of an archive hears of.
        manifest.seeds = (0..offline.seeds() as u32).collect();
        self.crawl(&offline, &contender, manifest)
    }

    fn place(&self) -> Result<Place> {
        match self.web.split_once(':') {
            Some(("archive" | "commoncrawl", name)) if !name.is_empty() => {
                Ok(self.web.parse().expect("any text is a place"))
            }
            _ => bail!(Misuse(format!(
                "--web \"{}\" should be live, archive:DIR or commoncrawl:CC-MAIN-YYYY-WW",
                self.web
            ))),
        }
    }

    /// What the web space built from the archive says of it.
    fn facts(&self, space: &Space) -> Result<SpaceFacts> {
        let label = label_number(space, self.labels.as_deref())?;
        let target = match &self.target {
            // The web space knows the topic by its name, and not by its file.
            Target::Topic { name, threshold } => {
                Target::Topic { name: stem(name), threshold: *threshold }
            }
            languages => languages.clone(),
        };
        let (ok_html, relevant) = judged_pages(space, &target, label)?;
        facts_of(space, ok_html, relevant.iter().filter(|&&relevant| relevant).count() as u64)
    }

    fn manifest(
        &self,
        archive: &Archive,
        contender: &Contender,
        switches: &Switches,
        facts: Option<SpaceFacts>,
    ) -> RunManifest {
        let (format, version) = RunManifest::format();
        let provenance = json!({ "web": self.web, "at": self.args.at });
        let unknown = || SpaceFacts {
            path: archive.store().address().into(),
            fingerprint: String::new(),
            pages: 0,
            links: 0,
            hosts: 0,
            ok_html: 0,
            relevant: 0,
            provenance: provenance.clone(),
            statistics: serde_json::Value::Null,
        };
        let mut described = switches.described();
        described.insert("web".to_owned(), json!(self.web));
        described.insert("at".to_owned(), json!(self.args.at.as_deref().unwrap_or("latest")));
        RunManifest {
            format,
            version,
            langur: env!("CARGO_PKG_VERSION").to_owned(),
            space: facts.unwrap_or_else(unknown),
            target: self.target.to_string(),
            labels: self.labels.clone().unwrap_or_else(|| "langur".to_owned()),
            switches: described,
            budget: self.max_pages.unwrap_or(0),
            connections: None,
            seeds: Vec::new(),
            strategies: vec![contender.to_string()],
        }
    }

    fn crawl(
        &self,
        offline: &Offline,
        contender: &Contender,
        mut manifest: RunManifest,
    ) -> Result<()> {
        let run = self.output.as_deref().map(|place| NewRun::create(place, self.force));
        let run = run.transpose()?;
        let name = contender.to_string();
        let folder = run.as_ref().map(|run| run.strategy(&name)).transpose()?;
        let bars = Bars::new();
        let bar = (!self.json).then(|| bars.bar(&name, self.max_pages.unwrap_or(0)));
        let began = Instant::now();
        let progress = |fetched| bar.iter().for_each(|bar| bar.set(fetched));
        let OfflineResult { measured, lost, heard_of, strangers, missing_seeds } =
            offline.run(contender, folder.as_deref(), &progress)?;
        let seconds = began.elapsed().as_secs_f64();
        drop(bar);
        if let Some(space) = &self.args.space
            && measured.result.coverage.is_nan()
        {
            eprintln!("{}", other_space(space, strangers, measured.result.fetched));
        }
        if !missing_seeds.is_empty() {
            eprintln!("langur: seeds that the archive does not have: {}", first_of(&missing_seeds));
        }
        if self.max_pages.is_none() {
            manifest.budget = measured.result.fetched;
        }
        if let Some(run) = run {
            run.curve(&measured.result.strategy, &measured.points)?;
            if lost.count > 0 {
                run.write("lost.txt", lost.first.join("\n").as_bytes())?;
            }
            run.finish(&manifest, std::slice::from_ref(&measured.result))?;
        }
        let nothing = measured.result.fetched == 0 && lost.count > 0;
        let results = [(measured, seconds)];
        if self.json {
            let mut found = results_json(&results, &manifest);
            found["lost"] = json!({ "count": lost.count, "first": lost.first });
            found["missing_seeds"] = json!(missing_seeds);
            found["heard_of"] = json!({ "pages": heard_of.0, "hosts": heard_of.1 });
            println!("{found}");
            return if nothing { bail!(NOTHING_READ) } else { Ok(()) };
        }
        print!("{}", results_table(&results));
        let (pages, hosts) = (counted(heard_of.0, "page"), counted(heard_of.1, "host"));
        println!("\nheard of {pages} on {hosts}");
        if lost.count > 0 {
            println!("lost: {} could not be read", counted(lost.count, "page"));
            lost.first.iter().take(3).for_each(|why| println!("  {why}"));
        }
        if let Some(output) = &self.output {
            println!("run: {}   next: langur report {}", output.display(), output.display());
        }
        if nothing { bail!(NOTHING_READ) } else { Ok(()) }
    }
}

const NOTHING_READ: &str = "no page could be read from the archive\n  the index names files that are not there or are damaged: see above";

/// Why coverage is not known although there is a web space.
fn other_space(space: &Path, strangers: u64, fetched: u64) -> String {
    let what = match strangers {
        0 => "more pages are relevant than in it".to_owned(),
        _ => {
            format!("it does not have {} of {} fetched", count(strangers), counted(fetched, "page"))
        }
    };
    format!(
        "langur: coverage is not known, because web space {} is not of these captures: {what}\n  build one from this archive, with the same --at if there is one",
        space.display()
    )
}
