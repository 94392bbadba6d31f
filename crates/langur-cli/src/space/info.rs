//! `langur space info`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use langur_sim::{Codes, Parts, Space, Statistic, TopicFacts};
use serde_json::{Value, json};

use super::open_space;
use crate::table::{Align, bytes, count, percent, table};

/// Say what is in a web space
#[derive(Args)]
pub struct Info {
    /// The web space
    space: PathBuf,
    /// Compare every file with its checksum
    #[arg(long)]
    verify: bool,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// Languages shown to a person.
const SHOWN: usize = 12;

impl Info {
    pub fn run(self) -> Result<()> {
        let space = open_space(&self.space)?;
        if self.verify {
            space.verify(Parts::Everything)?;
        }
        let languages =
            space.language.iter().map(|codes| languages(&space, codes)).collect::<Vec<_>>();
        if self.json {
            println!("{}", as_json(&space, &languages, self.verify));
        } else {
            print(&space, &languages, self.verify);
        }
        Ok(())
    }
}

/// Pages by language, the most frequent first; unknown ones under the empty name.
fn languages(space: &Space, codes: &Codes) -> Vec<(String, u64)> {
    let table = &space.manifest().languages;
    let mut counts = vec![0_u64; table.len() + 1];
    (0..space.pages()).for_each(|page| counts[usize::from(codes.get(page))] += 1);
    let named = counts
        .into_iter()
        .enumerate()
        .map(|(code, count)| (Space::word(table, code as u16).to_owned(), count));
    let mut named: Vec<_> = named.filter(|(_, count)| *count > 0).collect();
    named.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    named
}

/// Every topic with the number of pages that score more than its threshold.
fn topics(space: &Space) -> impl Iterator<Item = (&TopicFacts, u64)> {
    space.manifest().topics.iter().zip(&space.topics).map(|(topic, columns)| {
        let is_about = |score: &&f32| **score > topic.threshold as f32;
        (topic, columns.page.as_slice().iter().filter(is_about).count() as u64)
    })
}

fn size(space: &Space) -> u64 {
    space.manifest().files.values().map(|file| file.bytes).sum()
}

fn as_json(space: &Space, languages: &[Vec<(String, u64)>], verified: bool) -> Value {
    let manifest = space.manifest();
    let by_rule = manifest.labels.iter().zip(languages).map(|(rule, languages)| {
        let counts: serde_json::Map<_, _> = languages
            .iter()
            .map(|(language, count)| {
                (
                    if language.is_empty() { "unknown".to_owned() } else { language.clone() },
                    json!(count),
                )
            })
            .collect();
        (rule.clone(), Value::Object(counts))
    });
    json!({
        "space": space.path(),
        "format_version": manifest.version,
        "fingerprint": space.fingerprint(),
        "counts": manifest.counts,
        "bytes": size(space),
        "seeds": manifest.seeds,
        "seed_urls": manifest.seeds.iter().map(|&seed| space.url(langur_crawl::PageId(seed))).collect::<Vec<_>>(),
        "labels": manifest.labels,
        "languages": by_rule.collect::<serde_json::Map<_, _>>(),
        "topics": topics(space).map(|(topic, pages)| json!({ "name": topic.name, "threshold": topic.threshold, "pages": pages })).collect::<Vec<_>>(),
        "provenance": manifest.provenance,
        "statistics": manifest.statistics,
        "verified": verified,
    })
}

fn print(space: &Space, languages: &[Vec<(String, u64)>], verified: bool) {
    let (manifest, counts) = (space.manifest(), space.manifest().counts);
    println!("{}", space.path().display());
    for (name, number) in [
        ("pages", counts.pages),
        ("links between them", counts.links),
        ("hosts", counts.hosts),
        ("domains", counts.domains),
        ("directories", counts.directories),
        ("missing pages", counts.missing),
        ("links to missing pages", counts.missing_links),
    ] {
        println!("  {name:<24} {:>14}", count(number));
    }
    println!("  {:<24} {:>14}", "on disk", bytes(size(space)));
    println!("  {:<24} {:>14}", "checksums", if verified { "as written" } else { "not compared" });
    if let Some(origin) = manifest.provenance.as_object() {
        let shown: Vec<String> =
            origin.iter().map(|(key, value)| format!("{key} {}", plain(value))).collect();
        println!("  from: {}", shown.join(", "));
    }
    for &seed in &manifest.seeds {
        println!("  seed {seed}: {}", space.url(langur_crawl::PageId(seed)));
    }
    for (rule, languages) in manifest.labels.iter().zip(languages) {
        println!("\nlanguages by {rule}");
        for (language, pages) in languages.iter().take(SHOWN) {
            let name = if language.is_empty() { "unknown" } else { language };
            println!(
                "  {name:<12} {:>14} {:>7}",
                count(*pages),
                percent(*pages as f64 / counts.pages as f64)
            );
        }
        if languages.len() > SHOWN {
            println!("  and {} more", languages.len() - SHOWN);
        }
    }
    if !manifest.topics.is_empty() {
        println!("\npages by topic");
    }
    for (topic, pages) in topics(space) {
        let share = percent(pages as f64 / counts.pages as f64);
        println!(
            "  {:<24} {:>14} {share:>7}  score > {}",
            topic.name,
            count(pages),
            topic.threshold
        );
    }
    if !manifest.statistics.is_empty() {
        println!("\nwhat was published beside what was generated\n");
        print!("{}", statistics_table(&manifest.statistics));
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(" and "),
        other => other.to_string(),
    }
}

fn statistics_table(statistics: &[Statistic]) -> String {
    let head = [
        ("", Align::Left),
        ("statistic", Align::Left),
        ("published", Align::Right),
        ("generated", Align::Right),
    ];
    let mut last = "";
    let mut rows = Vec::new();
    for statistic in statistics {
        let group = if statistic.group == last { "" } else { &statistic.group };
        last = &statistic.group;
        let value = |value: f64| format!("{value:.2}{}", statistic.unit);
        rows.push(vec![
            group.to_owned(),
            statistic.name.clone(),
            statistic.target.map_or("–".to_owned(), value),
            value(statistic.generated),
        ]);
    }
    table(&head, &rows)
}
