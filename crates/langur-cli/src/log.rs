//! `langur log`

use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use langur_archive::index::Timestamp;
use langur_live::journal::{Came, ErrandKind, Event, Visited};
use langur_live::log::{Names, each_event};
use serde_json::{Value, json};

use crate::misuse::Misuse;

/// Say what happened in a live crawl, a line an event
///
/// Visits with status, bytes, milliseconds, language and outcome; pages that were passed over, requests that were postponed and hosts that were
/// given up, with the reason. Works while the crawl runs and when it does not.
#[derive(Args)]
#[command(after_help = "\
Examples:
  langur log crawl/ | tail
  langur log crawl/ --only given-up
  langur log crawl/ --json --only visited | jq -r 'select(.status == 404) | .url'")]
pub struct Log {
    /// The folder of the crawl
    crawl: PathBuf,
    /// Only events of this kind, as named in the second column; may be given several times
    #[arg(long, value_name = "KIND")]
    only: Vec<String>,
    /// Print an object a line
    #[arg(long)]
    json: bool,
}

impl Log {
    pub fn run(self) -> Result<()> {
        if let Some(unknown) = self.only.iter().find(|kind| !KINDS.contains(&kind.as_str())) {
            let kinds = KINDS.join(", ");
            bail!(Misuse(format!("no event is called \"{unknown}\": there are {kinds}")));
        }
        let mut out = BufWriter::new(std::io::stdout().lock());
        each_event::<anyhow::Error>(&self.crawl, |event, names| {
            let Some(entry) = entry(event, names)? else { return Ok(()) };
            if !self.only.is_empty() && !self.only.iter().any(|kind| kind == entry.kind) {
                return Ok(());
            }
            match self.json {
                true => writeln!(out, "{}", entry.as_json())?,
                false => writeln!(out, "{}", entry.as_text())?,
            }
            Ok(())
        })?;
        Ok(out.flush()?)
    }
}

/// What events are called.
const KINDS: [&str; 16] = [
    "began",
    "seeds",
    "resolved",
    "robots",
    "errand",
    "visited",
    "passed",
    "postponed",
    "left-alone",
    "given-up",
    "retried",
    "blocked",
    "unblocked",
    "paused",
    "went-on",
    "ended",
];

/// A line.
struct Entry {
    at: u64,
    kind: &'static str,
    /// Whom or what it is about.
    about: String,
    /// In words.
    said: String,
    /// What the words say, by name.
    fields: Vec<(&'static str, Value)>,
}

impl Entry {
    fn new(at: u64, kind: &'static str, about: String, said: &str) -> Entry {
        let fields = vec![("about", json!(about)), ("said", json!(said))];
        Entry { at, kind, about, said: said.to_owned(), fields }
    }

    fn time(&self) -> String {
        let seconds = i64::try_from(self.at / 1000).unwrap_or(i64::MAX);
        Timestamp::from_unix(seconds).rfc3339()
    }

    fn as_text(&self) -> String {
        format!("{} {:<9} {} {}", self.time(), self.kind, self.about, self.said)
            .trim_end()
            .to_owned()
    }

    fn as_json(&self) -> Value {
        let mut object = json!({ "time": self.time(), "kind": self.kind });
        for (name, value) in &self.fields {
            object[*name] = value.clone();
        }
        object
    }
}

fn entry(event: &Event, names: &Names) -> Result<Option<Entry>> {
    Ok(Some(match event {
        Event::Began { at, decided_by } => Entry::new(*at, "began", String::new(), decided_by),
        Event::Seeds { at, urls, given } => {
            let by = if *given { "the user" } else { "a sitemap" };
            Entry::new(*at, "seeds", urls.len().to_string(), &format!("given by {by}"))
        }
        Event::Resolved { at, host, address, .. } => {
            let said = address.map_or_else(|| "by the proxy".to_owned(), |it| it.to_string());
            Entry::new(*at, "resolved", names.host(*host).to_owned(), &said)
        }
        Event::Robots(robots) => {
            let said = format!("{} {} bytes", robots.status, robots.body.len());
            Entry::new(robots.at, "robots", names.host(robots.host).to_owned(), &said)
        }
        Event::Errand { at, url, kind, .. } => {
            let what = match kind {
                ErrandKind::Robots(_) => "a robots.txt that was redirected",
                ErrandKind::Sitemap(_) => "a sitemap",
                ErrandKind::MovedSitemap { .. } => "a sitemap that was redirected",
                ErrandKind::NamedSitemap { .. } => {
                    "a sitemap that the user named, or that it leads to"
                }
            };
            Entry::new(*at, "errand", (*url).to_owned(), what)
        }
        Event::Visited(visited) => visit(visited, names)?,
        Event::Passed { at, page, why } => {
            Entry::new(*at, "passed", names.url(*page)?, why.words())
        }
        Event::Postponed { at, host, page, until, why, .. } => {
            let about = match page {
                Some(page) => names.url(*page)?,
                None => names.host(*host).to_owned(),
            };
            let seconds = until.saturating_sub(*at).div_ceil(1000);
            Entry::new(*at, "postponed", about, &format!("{why}; again in {seconds} s"))
        }
        Event::LeftAlone { at, host, until, why } => {
            let seconds = until.saturating_sub(*at).div_ceil(1000);
            let said = format!("{why}; again in {seconds} s");
            Entry::new(*at, "left-alone", names.host(*host).to_owned(), &said)
        }
        Event::GivenUp { at, host, why } => {
            Entry::new(*at, "given-up", names.host(*host).to_owned(), why)
        }
        Event::Retried { at, host } => {
            Entry::new(*at, "retried", names.host(*host).to_owned(), "by the operator")
        }
        Event::Blocked { at, name } => {
            Entry::new(*at, "blocked", (*name).to_owned(), "by the operator")
        }
        Event::Unblocked { at, name } => {
            Entry::new(*at, "unblocked", (*name).to_owned(), "by the operator")
        }
        Event::Paused { at } => {
            Entry::new(*at, "paused", String::new(), "nothing is asked for a while")
        }
        Event::WentOn { at } => {
            Entry::new(*at, "went-on", String::new(), "pages are asked for again")
        }
        Event::Ended { at, why } => Entry::new(*at, "ended", String::new(), why),
        Event::Received { .. }
        | Event::Next
        | Event::Asked { .. }
        | Event::Answered { .. }
        | Event::ErrandDone { .. } => {
            return Ok(None);
        }
    }))
}

fn visit(visited: &Visited, names: &Names) -> Result<Entry> {
    let url = names.url(visited.page)?;
    let outcome = match visited.outcome {
        Came::OkHtml => "html",
        Came::Redirect => "redirect",
        Came::Other => "other",
    };
    let language = visited.languages.first().copied().unwrap_or_default();
    let said = match visited.failure {
        "" => format!(
            "{} {outcome} {} bytes {} ms {language}",
            visited.status, visited.bytes, visited.lasted_ms
        ),
        failure => failure.to_owned(),
    };
    let fields = vec![
        ("url", json!(url)),
        ("status", json!(visited.status)),
        ("failure", json!(visited.failure)),
        ("outcome", json!(outcome)),
        ("media_type", json!(visited.media_type)),
        ("charset", json!(visited.charset)),
        ("language", json!(language)),
        ("topic", json!(visited.topic)),
        ("bytes", json!(visited.bytes)),
        ("received", json!(visited.received)),
        ("milliseconds", json!(visited.lasted_ms)),
        ("links", json!(visited.links.len())),
        ("new_pages", json!(visited.new.len())),
        ("repeats", json!(visited.repeats)),
        ("trapped", json!(visited.trapped)),
    ];
    Ok(Entry { at: visited.at, kind: "visited", about: url, said, fields })
}
