//! The folder of a live crawl as a web space.

use std::path::Path;

use anyhow::{Context, Result};
use langur_build::{About, Keys, Links, Row, Rows};
use langur_extract::{LABELS, Origin, PAPERS};
use langur_live::Settings;
use langur_live::crawl::journal_path;
use langur_live::journal::Visited;
use langur_live::log::{Names, each_visit};
use langur_page::Address;
use langur_sim::{Space, TopicFacts};
use serde_json::json;

use crate::progress::Bars;

/// Memory for sorting.
const MEMORY: usize = 256 << 20;

/// Opens a web space. The folder of a live crawl is one too: it is made from the journal when it is first asked for, and
/// again when the crawl has gone on since.
pub fn open_space(path: &Path) -> Result<Space> {
    let journal = journal_path(path);
    if path.join("manifest.json").exists() || !journal.exists() {
        return Ok(Space::open(path)?);
    }
    let place = path.join("space");
    let length = std::fs::metadata(&journal).with_context(|| journal.display().to_string())?.len();
    if let Ok(space) = Space::open(&place)
        && space.manifest().provenance["journal_bytes"] == length
    {
        return Ok(space);
    }
    make(path, &place, length)
        .with_context(|| format!("cannot make a web space of the crawl in {}", path.display()))?;
    Ok(Space::open(&place)?)
}

fn make(crawl: &Path, place: &Path, journal_bytes: u64) -> Result<()> {
    let settings = Settings::of(crawl)?;
    let bars = Bars::new();
    let bar = bars.bar("web space of the crawl", 0);
    let scratch = tempfile::Builder::new().prefix(".space-").tempdir_in(crawl)?;
    let mut rows = Rows::new(scratch.path(), MEMORY);
    let topics = topics(crawl, &settings)?;
    let mut visits = 0;
    let seeds = each_visit::<anyhow::Error>(crawl, |visited, names| {
        visits += 1;
        bar.set(visits);
        let page = Address::parse(&names.url(visited.page)?)?;
        let at = u32::try_from(visited.began / 1000).unwrap_or(u32::MAX);
        rows.add(&page, at, visits, &row(visited, names, &settings, topics.len())?)?;
        Ok(())
    })?;
    let seeds = seeds.iter().filter_map(|seed| Address::parse(seed).ok());
    let mut labels = steering_first(&settings, LABELS.map(str::to_owned).to_vec());
    // Rules that no page was judged by would make all pages irrelevant; the papers' rules are asked if one of them steers.
    if !LABELS[PAPERS..].contains(&settings.labels.0.as_str()) {
        labels.truncate(PAPERS);
    }
    let about = About {
        labels,
        topics,
        seeds: seeds.collect(),
        provenance: json!({
            "made_by": concat!("langur ", env!("CARGO_PKG_VERSION"), " crawl"),
            "target": settings.target,
            "strategy": settings.strategy.0,
            "journal_bytes": journal_bytes,
        }),
    };
    crate::crawl::keeping_others(place, || Ok(rows.join(&about, place, true, |_| {})?))?;
    Ok(())
}

/// Puts what belongs to the labelling rule that steered the crawl first: it is used if nothing else is said.
fn steering_first<T>(settings: &Settings, mut of_labels: Vec<T>) -> Vec<T> {
    if let Some(at) = LABELS.iter().position(|label| *label == settings.labels.0) {
        of_labels[..=at].rotate_right(1);
    }
    of_labels
}

/// The topic that was wanted, if one was.
fn topics(crawl: &Path, settings: &Settings) -> Result<Vec<TopicFacts>> {
    let target = settings.target.parse()?;
    let Some(topic) = crate::crawl::topic_in(crawl, &target)? else { return Ok(Vec::new()) };
    let threshold = topic.threshold();
    Ok(vec![TopicFacts { name: topic.name, threshold, xxh3: String::new() }])
}

fn row(visited: &Visited, names: &Names, settings: &Settings, topics: usize) -> Result<Row> {
    let (mut links, mut keys) = (Links::default(), Keys::default());
    for link in &visited.links {
        let target = Address::parse(&names.url(link.page)?)?;
        let origin = Origin::numbered(link.origin).unwrap_or(Origin::Canonical);
        links.push(&mut keys, &target, origin, link.anchor, &vec![link.scores; topics]);
    }
    let mut languages: Vec<String> = visited.languages.iter().map(ToString::to_string).collect();
    languages.resize(LABELS.len(), String::new());
    Ok(Row {
        status: visited.status,
        revisit: false,
        repeats: None,
        names: None,
        described: false,
        said: None,
        media_type: visited.media_type.to_owned(),
        charset: visited.charset.to_owned(),
        bytes: u32::try_from(visited.bytes).unwrap_or(u32::MAX),
        digest: visited.digest,
        known_as: visited.digest,
        reread: false,
        gateway: visited.gateway,
        languages: steering_first(settings, languages),
        topics: vec![visited.topic.unwrap_or(0.0); topics],
        links,
    })
}
