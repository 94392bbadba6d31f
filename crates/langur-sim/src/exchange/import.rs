//! `space import`: a crawl log and a link list become a web space.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use langur_crawl::Language;
use langur_page::Address;
use serde_json::json;
use thiserror::Error;

use super::assemble::{
    AssembleError, Assembly, Dropped, LinkRow, PageRow, Scores, Tables, assemble, code,
};
use super::rows::Table;
use super::scores::{LinkScores, PageScores};
use crate::space::TopicFacts;

/// The files to import.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The crawl log.
    pub pages: PathBuf,
    /// Link lists, one after the other.
    pub links: Vec<PathBuf>,
    /// What pages must score on topics to be about them, by the topics' names, if not [`THRESHOLD`](super::THRESHOLD).
    pub thresholds: Vec<(String, f64)>,
}

/// A row that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongRow {
    /// The file.
    pub file: PathBuf,
    /// The line, or the row of a Parquet file.
    pub line: u64,
    /// What is wrong.
    pub why: String,
}

impl fmt::Display for WrongRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.why)
    }
}

/// Why nothing was imported.
#[derive(Debug, Error)]
pub enum ImportError {
    /// A file cannot be read, or lacks a column.
    #[error("cannot import {}: {}", .0.display(), .1)]
    File(PathBuf, String),
    /// Rows make no sense.
    #[error("{count} rows are wrong, and nothing was written:{}", listed(.shown, *.count))]
    WrongRows {
        /// The first of them.
        shown: Vec<WrongRow>,
        /// How many there are.
        count: u64,
    },
    /// The web space cannot be written.
    #[error(transparent)]
    Assemble(#[from] AssembleError),
}

/// Wrong rows that are shown.
const SHOWN: usize = 20;

fn listed(shown: &[WrongRow], count: u64) -> String {
    let mut text: String = shown.iter().map(|row| format!("\n  {row}")).collect();
    if count > shown.len() as u64 {
        text += &format!("\n  and {} more", count - shown.len() as u64);
    }
    text
}

/// What an import did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Links left out because the page had them already.
    pub repeated_links: u64,
    /// Links left out because they led to their own page.
    pub links_to_itself: u64,
    /// Columns that were not used, with their file.
    pub unused_columns: Vec<(PathBuf, String)>,
}

/// Imports a crawl log and link lists. Wrong rows are reported, and then nothing is written.
pub fn import(sources: &Sources, place: &Path, replace: bool) -> Result<Imported, ImportError> {
    let mut reader = Reader::default();
    reader.read_pages(&sources.pages, &sources.thresholds)?;
    for links in &sources.links {
        reader.read_links(links)?;
    }
    if reader.wrong_count > 0 {
        return Err(ImportError::WrongRows { shown: reader.wrong, count: reader.wrong_count });
    }
    let names =
        |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let provenance = json!({
        "made_by": concat!("langur ", env!("CARGO_PKG_VERSION"), " space import"),
        "pages": names(&sources.pages),
        "links": sources.links.iter().map(names).collect::<Vec<_>>(),
    });
    let assembly = Assembly {
        pages: reader.pages,
        missing: reader.missing,
        links: reader.links,
        tables: reader.tables,
        scores: reader.scores,
        provenance,
    };
    let Dropped { repeated, to_itself } = assemble(assembly, place, replace)?;
    Ok(Imported {
        repeated_links: repeated,
        links_to_itself: to_itself,
        unused_columns: reader.unused,
    })
}

#[derive(Default)]
struct Reader {
    pages: Vec<PageRow>,
    /// Rows by canonical URL; those from the number of pages on are missing.
    by_url: HashMap<String, u32>,
    /// Rows by the crawl log's own name for them.
    by_id: HashMap<String, u32>,
    has_ids: bool,
    missing: Vec<Address>,
    links: Vec<LinkRow>,
    tables: Tables,
    scores: Scores,
    wrong: Vec<WrongRow>,
    wrong_count: u64,
    unused: Vec<(PathBuf, String)>,
}

/// Where the columns of a crawl log are.
#[derive(Default)]
struct PageColumns {
    id: Option<usize>,
    url: Option<usize>,
    status: Option<usize>,
    mime: Option<usize>,
    bytes: Option<usize>,
    charset: Option<usize>,
    latency_ms: Option<usize>,
    gateway: Option<usize>,
    seed: Option<usize>,
    languages: Vec<usize>,
    /// The labelling rules of the languages.
    labels: Vec<String>,
    scores: PageScores,
    unused: Vec<String>,
}

/// Where the columns of a link list are.
struct LinkColumns {
    source: Option<usize>,
    target: Option<usize>,
    position: Option<usize>,
    anchor: Option<usize>,
    scores: LinkScores,
    unused: Vec<String>,
}

/// Columns of an exported crawl log that follow from others.
const DERIVED: [&str; 3] = ["host", "domain", "tld"];

impl Reader {
    fn read_pages(&mut self, path: &Path, thresholds: &[(String, f64)]) -> Result<(), ImportError> {
        let file = |why: String| ImportError::File(path.to_owned(), why);
        let table = Table::open(path).map_err(file)?;
        let columns = PageColumns::find(&table.names).map_err(file)?;
        self.tables.labels.clone_from(&columns.labels);
        self.scores = Scores::new(columns.scores.topics(thresholds).map_err(file)?);
        self.has_ids = columns.id.is_some();
        self.unused.extend(columns.unused.iter().map(|name| (path.to_owned(), name.clone())));
        let read = table.for_each(|line, cells| {
            if let Err(why) = self.add_page(&columns, cells, line) {
                self.complain(path, line, why);
            }
        });
        read.map_err(file)?;
        if self.pages.is_empty() && self.wrong_count == 0 {
            return Err(file("it holds no page".to_owned()));
        }
        Ok(())
    }

    fn add_page(
        &mut self,
        columns: &PageColumns,
        cells: &[String],
        line: u64,
    ) -> Result<(), String> {
        let cell = |column: Option<usize>| column.map_or("", |column| cells[column].trim());
        let address = Address::parse(cell(columns.url)).map_err(|error| error.to_string())?;
        let row = self.pages.len() as u32;
        if self.by_url.insert(address.to_string(), row).is_some() {
            return Err(format!("{address} is in the crawl log twice"));
        }
        if columns.id.is_some() && self.by_id.insert(cell(columns.id).to_owned(), row).is_some() {
            return Err(format!("id \"{}\" is in the crawl log twice", cell(columns.id)));
        }
        let mut languages = Vec::with_capacity(columns.languages.len());
        for &column in &columns.languages {
            languages.push(language(&mut self.tables.languages, cells[column].trim())?);
        }
        if columns.languages.is_empty() {
            languages.push(crate::UNKNOWN);
        }
        let scores = columns.scores.read(cells)?;
        let mime =
            cell(columns.mime).split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let mime = if columns.mime.is_none() { "text/html" } else { &mime };
        self.pages.push(PageRow {
            status: number(cell(columns.status), "status", 200)?,
            mime: code(&mut self.tables.mimes, mime),
            bytes: number(cell(columns.bytes), "bytes", 0)?,
            charset: code(&mut self.tables.charsets, &cell(columns.charset).to_ascii_lowercase()),
            latency_ms: number(cell(columns.latency_ms), "latency_ms", 0)?,
            gateway: flag(cell(columns.gateway), "gateway")?,
            seed: flag(cell(columns.seed), "seed")?,
            languages,
            address,
        });
        self.scores.push_page(scores);
        let too_many =
            [&self.tables.mimes, &self.tables.charsets].iter().any(|table| table.len() > 60_000);
        if too_many {
            Err(format!("by line {line} there are more than 60,000 media types or charsets"))
        } else {
            Ok(())
        }
    }

    fn read_links(&mut self, path: &Path) -> Result<(), ImportError> {
        let file = |why: String| ImportError::File(path.to_owned(), why);
        let table = Table::open(path).map_err(file)?;
        let columns = LinkColumns::find(&table.names, &self.scores.topics).map_err(file)?;
        self.unused.extend(columns.unused.iter().map(|name| (path.to_owned(), name.clone())));
        let mut place = 0;
        let read = table.for_each(|line, cells| {
            place += 1;
            if let Err(why) = self.add_link(&columns, cells, place) {
                self.complain(path, line, why);
            }
        });
        read.map_err(file)
    }

    fn add_link(
        &mut self,
        columns: &LinkColumns,
        cells: &[String],
        place: u32,
    ) -> Result<(), String> {
        let cell = |column: Option<usize>| column.map_or("", |column| cells[column].trim());
        let source = self.page(cell(columns.source))?;
        if source as usize >= self.pages.len() {
            return Err(format!("{} links and is not in the crawl log", cell(columns.source)));
        }
        let target = self.page(cell(columns.target))?;
        let position = number(cell(columns.position), "position", place)?;
        let anchor = language(&mut self.tables.languages, cell(columns.anchor))?;
        let scores = columns.scores.read(cells)?;
        self.links.push(LinkRow { source, target, position, anchor });
        self.scores.push_link(scores);
        Ok(())
    }

    /// The row of a page that a link names by id or by URL. A URL that is not in the crawl log is a
    /// missing page.
    fn page(&mut self, name: &str) -> Result<u32, String> {
        if self.has_ids
            && let Some(&row) = self.by_id.get(name)
        {
            return Ok(row);
        }
        if !name.contains("://") {
            let what =
                if self.has_ids { "neither an id of the crawl log nor a URL" } else { "not a URL" };
            return Err(format!("\"{name}\" is {what}"));
        }
        let address = Address::parse(name).map_err(|error| error.to_string())?;
        let next = (self.pages.len() + self.missing.len()) as u32;
        let row = *self.by_url.entry(address.to_string()).or_insert(next);
        if row == next {
            self.missing.push(address);
        }
        Ok(row)
    }

    fn complain(&mut self, file: &Path, line: u64, why: String) {
        self.wrong_count += 1;
        if self.wrong.len() < SHOWN {
            self.wrong.push(WrongRow { file: file.to_owned(), line, why });
        }
    }
}

impl PageColumns {
    fn find(names: &[String]) -> Result<PageColumns, String> {
        let mut columns = PageColumns::default();
        for (i, name) in names.iter().enumerate() {
            match name.as_str() {
                "id" => columns.id = Some(i),
                "url" => columns.url = Some(i),
                "status" => columns.status = Some(i),
                "mime" => columns.mime = Some(i),
                "bytes" => columns.bytes = Some(i),
                "charset" => columns.charset = Some(i),
                "latency_ms" => columns.latency_ms = Some(i),
                "gateway" => columns.gateway = Some(i),
                "seed" => columns.seed = Some(i),
                "language" => {
                    columns.languages.insert(0, i);
                    columns.labels.insert(0, "recorded".to_owned());
                }
                other => match other.strip_prefix("language_") {
                    Some(rule) => {
                        columns.languages.push(i);
                        columns.labels.push(rule.to_owned());
                    }
                    None if DERIVED.contains(&other) => {}
                    None if columns.scores.take(other, i) => {}
                    None => columns.unused.push(other.to_owned()),
                },
            }
        }
        if columns.url.is_none() {
            return Err(format!("it has no column url; it has: {}", names.join(", ")));
        }
        if columns.labels.is_empty() && columns.scores.is_empty() {
            return Err(
                "it has no column language or topic_NAME, so nothing in it could ever be relevant"
                    .to_owned(),
            );
        }
        if columns.labels.is_empty() {
            columns.labels.push("recorded".to_owned()); // every page's language is unknown by it
        }
        Ok(columns)
    }
}

impl LinkColumns {
    fn find(names: &[String], topics: &[TopicFacts]) -> Result<LinkColumns, String> {
        let mut columns = LinkColumns {
            source: None,
            target: None,
            position: None,
            anchor: None,
            scores: LinkScores::find(names, topics),
            unused: Vec::new(),
        };
        for (i, name) in names.iter().enumerate() {
            match name.as_str() {
                "source" | "source_url" => columns.source = Some(i),
                "target" | "target_url" => columns.target = Some(i),
                "position" => columns.position = Some(i),
                "anchor_language" => columns.anchor = Some(i),
                _ if columns.scores.uses(i) => {}
                other => columns.unused.push(other.to_owned()),
            }
        }
        if columns.source.is_none() || columns.target.is_none() {
            let there = names.join(", ");
            return Err(format!(
                "it needs columns source and target (or source_url, target_url); it has: {there}"
            ));
        }
        Ok(columns)
    }
}

fn number<N: std::str::FromStr>(text: &str, column: &str, default: N) -> Result<N, String> {
    if text.is_empty() {
        Ok(default)
    } else {
        text.parse().map_err(|_| format!("{column} \"{text}\" is not a number that fits"))
    }
}

fn flag(text: &str, column: &str) -> Result<bool, String> {
    match text {
        "" | "0" | "false" => Ok(false),
        "1" | "true" => Ok(true),
        _ => Err(format!("{column} \"{text}\" is neither true nor false")),
    }
}

/// The code of a language; `und` and nothing stand for one that is not known.
fn language(table: &mut Vec<String>, tag: &str) -> Result<u16, String> {
    if matches!(tag, "" | "und") {
        return Ok(crate::UNKNOWN);
    }
    Language::parse(tag).map_err(|error| error.to_string())?;
    if table.len() >= 30_000 {
        return Err("there are more than 30,000 languages".to_owned());
    }
    Ok(code(table, tag))
}
