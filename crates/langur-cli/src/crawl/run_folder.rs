//! What a live crawl leaves besides its archive: a run like a simulation's, and a web space.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use langur_crawl::Language;
use langur_extract::LABELS;
use langur_lab::{Measured, Target};
use langur_live::crawl::journal_path;
use langur_live::journal::{Came, Visited};
use langur_live::{LiveError, Settings};
use langur_observe::{NewRun, RunManifest, SpaceFacts};
use langur_topic::Topic;
use serde_json::json;

use super::{keeping_others, topic_in};

/// Where the run lies that a folder stands for: the folder of a live crawl has one inside.
pub fn run_of(folder: &Path) -> PathBuf {
    if journal_path(folder).exists() { folder.join("run") } else { folder.to_owned() }
}

/// Writes what was measured as a run.
pub fn write(folder: &Path, measured: &Measured) -> Result<()> {
    let settings = Settings::of(folder)?;
    let (format, version) = RunManifest::format();
    let web = json!({ "web": "live" });
    let manifest = RunManifest {
        format,
        version,
        langur: env!("CARGO_PKG_VERSION").to_owned(),
        space: SpaceFacts {
            path: folder.to_owned(),
            fingerprint: String::new(),
            pages: measured.result.fetched,
            links: 0,
            hosts: 0,
            ok_html: measured.result.ok_html,
            relevant: measured.result.relevant,
            provenance: web,
            statistics: serde_json::Value::Null,
        },
        target: settings.target.clone(),
        labels: settings.labels.0.clone(),
        switches: [("web".to_owned(), json!("live"))].into_iter().collect(),
        budget: settings.stop.pages.unwrap_or(measured.result.fetched),
        connections: Some(settings.fetch.connections as u64),
        seeds: Vec::new(),
        strategies: vec![measured.result.strategy.clone()],
    };
    let place = run_of(folder);
    keeping_others(&place, || {
        let run = NewRun::create(&place, true)?;
        run.strategy(&measured.result.strategy)?;
        run.curve(&measured.result.strategy, &measured.points)?;
        Ok(run.finish(&manifest, std::slice::from_ref(&measured.result))?)
    })
}

/// The relevant pages of an earlier crawl, by its own target and labels.
pub fn relevant_pages(folder: &Path) -> Result<Vec<String>> {
    if !journal_path(folder).exists() {
        bail!(LiveError::NotACrawl(folder.to_owned()));
    }
    let settings = Settings::of(folder)?;
    let target: Target = settings.target.parse()?;
    let label = LABELS.iter().position(|label| *label == settings.labels.0).unwrap_or(0);
    let topic = topic_in(folder, &target)?;
    let mut pages = Vec::new();
    langur_live::log::each_visit::<anyhow::Error>(folder, |visited, urls| {
        if visited.outcome == Came::OkHtml && is_relevant(visited, &target, topic.as_ref(), label) {
            pages.push(urls.url(visited.page)?);
        }
        Ok(())
    })?;
    Ok(pages)
}

fn is_relevant(visited: &Visited, target: &Target, topic: Option<&Topic>, label: usize) -> bool {
    match target {
        Target::Languages(wanted) => {
            let tag = visited.languages.get(label).copied().unwrap_or_default();
            let language = Language::parse(tag).ok();
            language.is_some_and(|it| wanted.iter().any(|range| it.is_within(*range)))
        }
        Target::Topic { threshold, .. } => {
            let least = threshold.or(topic.map(|topic| topic.threshold() as f32)).unwrap_or(0.0);
            visited.topic.is_some_and(|score| score > least)
        }
    }
}
