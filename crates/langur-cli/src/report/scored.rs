//! Any crawler as a run, by the log of what it asked.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use anyhow::{Result, bail};
use langur_crawl::{Outcome, Page, Time};
use langur_lab::{Target, judged_pages, label_number};
use langur_observe::{
    Coverage, Curve, MILESTONES, NewRun, Run, RunManifest, SpaceFacts, StrategyResult,
};
use langur_serve::log::{RequestLog, Row};
use langur_serve::score::{Politeness, fetches};
use langur_sim::{Missing, SimulatedWeb, Space};
use serde_json::{Value, json};

use crate::misuse::Misuse;
use crate::simulate::facts_of;
use crate::table::{count, counted};

/// What a crawler is scored by.
pub struct Scoring<'a> {
    /// The web space built from the archive that was served.
    pub space: &'a Space,
    /// What is wanted.
    pub target: &'a Target,
    /// The labelling rule.
    pub labels: Option<&'a str>,
    /// Requests to a host sooner than this after the last are violations; if nobody says, sooner than the server was told.
    pub interval_ms: Option<u64>,
}

/// What is polite where neither the user nor the server says.
const INTERVAL_MS: u64 = 1000;

/// Scores every crawler that made requests, told by its user agent, and writes each as a run in the folder `scratch`.
pub fn score_all(log: &Path, scoring: &Scoring, scratch: &Path) -> Result<Vec<Run>> {
    let requests = RequestLog::read(log)?;
    check_space(scoring.space, &requests)?;
    if let Some(damage) = &requests.damage {
        eprintln!(
            "langur: {} of {} cannot be read and was left out, the first of them line {}: {}",
            counted(damage.lines, "line"),
            log.display(),
            damage.first,
            damage.why
        );
    }
    let (read, unread): (Vec<Row>, Vec<Row>) =
        requests.rows.into_iter().partition(|row| !row.method.is_empty());
    if !unread.is_empty() {
        let requests = counted(unread.len() as u64, "request");
        eprintln!("langur: {requests} could not be read by the server and counts for no crawler");
    }
    let mut crawlers: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for row in read {
        crawlers.entry(row.user_agent.clone()).or_default().push(row);
    }
    let mut crawlers: Vec<Vec<Row>> = crawlers.into_values().collect();
    crawlers.sort_by_key(|rows| Reverse(rows.len()));
    let file = log.file_stem().unwrap_or_default().to_string_lossy();
    let score_one = |(number, rows)| {
        let requests = RequestLog { header: requests.header.clone(), rows, damage: None };
        score(&requests, &file, scoring, &scratch.join(format!("run-{number}")))
    };
    crawlers.into_iter().enumerate().map(score_one).collect()
}

/// Scores the crawler that made these requests, and writes it as a run at `place`. One without a name is called `file`.
fn score(requests: &RequestLog, file: &str, scoring: &Scoring, place: &Path) -> Result<Run> {
    let space = scoring.space;
    let label = label_number(space, scoring.labels)?;
    let (html_pages, relevant) = judged_pages(space, scoring.target, label)?;
    let web = SimulatedWeb::new(space, label, Missing::Skip);
    let total = relevant.iter().filter(|&&relevant| relevant).count() as u64;
    let fetched = fetches(requests);
    let budget = fetched.pages.len() as u64;
    let (mut coverage, mut curve) = (Coverage::new(total), Curve::new(budget));
    let (mut ok_html, mut found, mut unknown) = (0, 0, 0);
    let mut hosts = HashSet::new();
    for row in &fetched.pages {
        let page = space.find(&row.url).ok().flatten();
        unknown += u64::from(page.is_none());
        let is_html = page.is_some_and(|page| web.page(page).outcome() == Outcome::OkHtml);
        let is_relevant = page.is_some_and(|page| relevant[page.0 as usize]);
        ok_html += u64::from(is_html);
        found += u64::from(is_relevant);
        hosts.extend(page.filter(|_| is_relevant).map(|page| web.page(page).host()));
        coverage.count(is_relevant, Time(row.at_ms));
        curve.count(is_html, is_relevant, 0);
    }
    let told = requests.header.conditions.manners.interval_ms;
    let interval = scoring.interval_ms.or(told).unwrap_or(INTERVAL_MS);
    let politeness = Politeness::of(requests, interval);
    let ratio = |whole: u64| if whole == 0 { 0.0 } else { found as f64 / whole as f64 };
    let name = crawler_name(&politeness, file);
    let milestones = MILESTONES.iter().map(u64::to_string).zip(coverage.fetched_at());
    let result = StrategyResult {
        strategy: name.clone(),
        fetched: budget,
        ok_html,
        relevant: found,
        missing: fetched.missing.len() as u64,
        relevant_hosts: hosts.len() as u64,
        harvest: ratio(budget),
        harvest_html: ratio(ok_html),
        coverage: coverage.coverage(),
        area: coverage.area(budget),
        pages_at_coverage: milestones.collect(),
        ended: "as logged".to_owned(),
        ..StrategyResult::default()
    };
    let run = NewRun::create(place, true)?;
    run.curve(&name, &curve.points())?;
    let facts = facts_of(space, html_pages, total)?;
    run.finish(&manifest(scoring, facts, budget, &politeness, unknown, name), &[result])?;
    Ok(Run::open(place)?)
}

/// A web space without the pages that were fetched is not of the archive that was served.
fn check_space(space: &Space, requests: &RequestLog) -> Result<()> {
    let fetched = fetches(requests).pages;
    let is_unknown = |row: &&&Row| !matches!(space.find(&row.url), Ok(Some(_)));
    let unknown = fetched.iter().filter(is_unknown).count();
    let of = format!("web space {} has", space.name());
    let mend = "build it from the archive that was served, with the same --at if there was one";
    if unknown > 0 && unknown == fetched.len() {
        bail!(Misuse(format!("{of} none of the pages that were fetched\n  {mend}")));
    }
    if unknown > 0 {
        eprintln!(
            "langur: {of} not {} of {} that were fetched, which count as irrelevant\n  {mend}",
            count(unknown as u64),
            counted(fetched.len() as u64, "page")
        );
    }
    Ok(())
}

/// What the crawler calls itself, up to the first slash: `Wget`.
fn crawler_name(politeness: &Politeness, file: &str) -> String {
    let agents = politeness.user_agents.iter();
    let agent = agents.max_by_key(|(_, requests)| **requests).map(|(agent, _)| agent.as_str());
    let word =
        agent.and_then(|agent| agent.split(['/', ' ']).next()).filter(|word| !word.is_empty());
    word.unwrap_or(file).to_owned()
}

fn manifest(
    scoring: &Scoring,
    space: SpaceFacts,
    budget: u64,
    politeness: &Politeness,
    unknown: u64,
    name: String,
) -> RunManifest {
    let (format, version) = RunManifest::format();
    let labels = scoring.labels.unwrap_or(&scoring.space.manifest().labels[0]).to_owned();
    let switches = [
        ("requests", json!(politeness.requests)),
        ("repeated requests", json!(politeness.repeated)),
        ("disallowed by robots.txt", json!(politeness.disallowed)),
        ("interval that is polite, ms", json!(politeness.interval_ms)),
        ("sooner than that", json!(politeness.too_soon)),
        ("shortest interval, ms", json!(politeness.shortest_ms)),
        ("median interval, ms", json!(politeness.median_ms)),
        ("most requests to a host at once", json!(politeness.most_concurrent)),
        ("hosts asked", json!(politeness.hosts)),
        ("pages that the web space does not have", json!(unknown)),
    ];
    RunManifest {
        format,
        version,
        langur: env!("CARGO_PKG_VERSION").to_owned(),
        space,
        target: scoring.target.to_string(),
        labels,
        switches: switches.map(|(name, value)| (name.to_owned(), value)).into_iter().collect(),
        budget,
        connections: None,
        seeds: Vec::new(),
        strategies: vec![name],
    }
}

/// Opens the web space that logs are scored by.
pub fn space_for(space: Option<&Path>) -> Result<Space> {
    let missing =
        || Misuse("a request log is scored by a web space: give --space and --target".to_owned());
    Ok(Space::open(space.ok_or_else(missing)?)?)
}

/// What a crawler found and how it behaved, as JSON.
pub fn as_json(log: &Path, run: &Run) -> Value {
    json!({
        "log": log,
        "crawler": run.manifest.strategies.join(", "),
        "result": run.results.first(),
        "politeness": run.manifest.switches,
    })
}

/// One line about a crawler's manners.
pub fn manners(run: &Run) -> String {
    let said = |name: &str| run.manifest.switches.get(name).and_then(Value::as_u64);
    format!(
        "{}: {}, {} disallowed by robots.txt, {} too soon, at most {} to a host at once",
        run.manifest.strategies.join(", "),
        counted(said("requests").unwrap_or(0), "request"),
        count(said("disallowed by robots.txt").unwrap_or(0)),
        count(said("sooner than that").unwrap_or(0)),
        count(said("most requests to a host at once").unwrap_or(0)),
    )
}
