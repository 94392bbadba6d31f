//! `space export`: a web space as files that anybody can read.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use langur_crawl::PageId;
use langur_folder::{FolderError, NewFolder};
use langur_page::registrable_domain;
use langur_table::{Packing, ParquetError, TableWriter, Texts, Values};
use thiserror::Error;

use super::scores;
use crate::Space;

/// What kind of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `pages.csv`, `links.csv`, `missing_links.csv`.
    Csv,
    /// The same as Parquet.
    Parquet,
}

/// Why nothing was exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The folder could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// CSV said no.
    #[error("cannot write CSV: {0}")]
    Csv(#[from] csv::Error),
    /// Parquet said no.
    #[error("cannot write Parquet: {0}")]
    Parquet(#[from] ParquetError),
    /// The disk said no.
    #[error("cannot write: {0}")]
    Io(#[from] std::io::Error),
}

/// Rows that are kept in memory at a time.
const BATCH: usize = 1 << 16;

/// The files of an export, which may replace an earlier one.
const EXPORTED: [&str; 6] = [
    "pages.csv",
    "links.csv",
    "missing_links.csv",
    "pages.parquet",
    "links.parquet",
    "missing_links.parquet",
];

/// Writes a web space into a new folder.
pub fn export(
    space: &Space,
    format: Format,
    place: &Path,
    replace: bool,
) -> Result<(), ExportError> {
    let folder = NewFolder::of(place, replace, &EXPORTED)?;
    let ending = match format {
        Format::Csv => "csv",
        Format::Parquet => "parquet",
    };
    let file = |name: &str| folder.path().join(format!("{name}.{ending}"));
    let mut pages = PageTable::new(space, Sink::create(format, &file("pages"))?);
    // What goes wrong inside is kept until the dictionary is through, for it calls back.
    let mut failed = None;
    space.for_each_url(|page, url, host| {
        if (page.0 as usize) < space.pages() && failed.is_none() {
            failed = pages.add(page, url, host).err();
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    pages.finish()?;
    export_links(space, Sink::create(format, &file("links"))?)?;
    export_missing_links(space, Sink::create(format, &file("missing_links"))?)?;
    Ok(folder.finish()?)
}

/// A file of either kind, fed with batches of columns.
enum Sink {
    Csv { writer: csv::Writer<File>, headed: bool },
    Parquet(TableWriter),
}

impl Sink {
    fn create(format: Format, path: &Path) -> Result<Sink, ExportError> {
        let file = File::create(path).map_err(FolderError::at(path))?;
        Ok(match format {
            Format::Csv => Sink::Csv { writer: csv::Writer::from_writer(file), headed: false },
            Format::Parquet => {
                Sink::Parquet(TableWriter::new(file, Packing { level: 3, dictionaries: true }))
            }
        })
    }

    fn write(&mut self, columns: Vec<(String, Values)>) -> Result<(), ExportError> {
        match self {
            Sink::Csv { writer, headed } => {
                if !std::mem::replace(headed, true) {
                    writer.write_record(columns.iter().map(|(name, _)| name))?;
                }
                for row in 0..columns[0].1.len() {
                    for (_, values) in &columns {
                        writer.write_field(values.text(row).as_bytes())?;
                    }
                    writer.write_record(None::<&[u8]>)?;
                }
            }
            Sink::Parquet(table) => table.write(columns)?,
        }
        Ok(())
    }

    fn finish(self) -> Result<(), ExportError> {
        match self {
            Sink::Csv { writer, .. } => {
                Ok(writer.into_inner().map_err(|error| error.into_error())?.flush()?)
            }
            Sink::Parquet(table) => Ok(table.finish()?),
        }
    }
}

struct PageTable<'s> {
    space: &'s Space,
    sink: Sink,
    first: u32,
    urls: Texts,
    hosts: Texts,
}

impl<'s> PageTable<'s> {
    fn new(space: &'s Space, sink: Sink) -> PageTable<'s> {
        PageTable { space, sink, first: 0, urls: Texts::default(), hosts: Texts::default() }
    }

    fn add(&mut self, page: PageId, url: &str, host: &str) -> Result<(), ExportError> {
        self.urls.push(url);
        self.hosts.push(host);
        if self.urls.len() == BATCH { self.flush(page.0 + 1) } else { Ok(()) }
    }

    fn flush(&mut self, next: u32) -> Result<(), ExportError> {
        let (space, manifest) = (self.space, self.space.manifest());
        let pages = || (self.first..next).map(|page| page as usize);
        let words = |table: &[String], codes: &crate::Codes| {
            Values::Text(pages().map(|page| Space::word(table, codes.get(page))).collect())
        };
        let host = |page: usize| space.host.as_slice()[page] as usize;
        let tld = |page: usize| Space::word(&manifest.tlds, space.host_tld.get(host(page)));
        let hosts = (0..self.hosts.len()).map(|row| self.hosts.get(row));
        let domains = hosts.map(registrable_domain).collect();
        let mut columns: Vec<(&str, Values)> = vec![
            ("id", Values::U32((self.first..next).collect())),
            ("url", Values::Text(std::mem::take(&mut self.urls))),
            ("host", Values::Text(std::mem::take(&mut self.hosts))),
            ("domain", Values::Text(domains)),
            ("tld", Values::Text(pages().map(tld).collect())),
            ("status", Values::U16(pages().map(|page| space.status.as_slice()[page]).collect())),
            ("mime", words(&manifest.mimes, &space.mime)),
            ("bytes", Values::U32(pages().map(|page| space.bytes.as_slice()[page]).collect())),
            ("charset", words(&manifest.charsets, &space.charset)),
            ("language", words(&manifest.languages, &space.language[0])),
        ];
        let rules: Vec<String> =
            manifest.labels[1..].iter().map(|rule| format!("language_{rule}")).collect();
        for (name, codes) in rules.iter().zip(&space.language[1..]) {
            columns.push((name, words(&manifest.languages, codes)));
        }
        columns.push((
            "latency_ms",
            Values::U16(pages().map(|page| space.latency_ms.as_slice()[page]).collect()),
        ));
        columns.push((
            "gateway",
            Values::Flag(pages().map(|page| space.gateway.as_slice()[page] == 1).collect()),
        ));
        columns.push((
            "seed",
            Values::Flag(pages().map(|page| manifest.seeds.contains(&(page as u32))).collect()),
        ));
        let scores = manifest.topics.iter().zip(&space.topics).map(|(topic, columns)| {
            let of_pages = pages().map(|page| columns.page.as_slice()[page]).collect();
            (scores::page_column(&topic.name), Values::F32(of_pages))
        });
        let columns = columns.into_iter().map(|(name, values)| (name.to_owned(), values));
        let columns = columns.chain(scores).collect();
        self.first = next;
        self.sink.write(columns)
    }

    fn finish(mut self) -> Result<(), ExportError> {
        self.flush(self.space.pages() as u32)?;
        self.sink.finish()
    }
}

/// A link, with its place in the document.
struct LinkLine {
    source: u32,
    target: u32,
    position: u32,
    /// Its place in the link columns.
    number: usize,
}

fn links(space: &Space) -> impl Iterator<Item = LinkLine> {
    let (offsets, targets) = (space.link_offsets.as_slice(), space.link_targets.as_slice());
    (0..space.pages()).flat_map(move |page| {
        let range = offsets[page] as usize..offsets[page + 1] as usize;
        let start = range.start;
        range.map(move |number| LinkLine {
            source: page as u32,
            target: targets[number],
            position: (number - start) as u32,
            number,
        })
    })
}

fn export_links(space: &Space, mut sink: Sink) -> Result<(), ExportError> {
    let pages = space.pages();
    let mut inside = links(space).filter(|link| (link.target as usize) < pages);
    loop {
        let batch: Vec<_> = inside.by_ref().take(BATCH).collect();
        let targets = Values::U32(batch.iter().map(|link| link.target).collect());
        sink.write(link_columns(space, &batch, ("target", targets)))?;
        if batch.len() < BATCH {
            return sink.finish();
        }
    }
}

fn export_missing_links(space: &Space, mut sink: Sink) -> Result<(), ExportError> {
    let pages = space.pages();
    let mut outside = links(space).filter(|link| link.target as usize >= pages);
    loop {
        let batch: Vec<_> = outside.by_ref().take(BATCH).collect();
        let urls = Values::Text(batch.iter().map(|link| space.url(PageId(link.target))).collect());
        sink.write(link_columns(space, &batch, ("target_url", urls)))?;
        if batch.len() < BATCH {
            return sink.finish();
        }
    }
}

fn link_columns(
    space: &Space,
    batch: &[LinkLine],
    target: (&str, Values),
) -> Vec<(String, Values)> {
    let languages = &space.manifest().languages;
    let anchor = |link: &LinkLine| Space::word(languages, space.link_anchors.get(link.number));
    let mut columns = vec![
        ("source".to_owned(), Values::U32(batch.iter().map(|link| link.source).collect())),
        (target.0.to_owned(), target.1),
        ("position".to_owned(), Values::U32(batch.iter().map(|link| link.position).collect())),
        ("anchor_language".to_owned(), Values::Text(batch.iter().map(anchor).collect())),
    ];
    for (topic, scores) in space.manifest().topics.iter().zip(&space.topics) {
        let bytes = [scores.anchor.as_slice(), scores.context.as_slice()];
        for (name, bytes) in scores::link_columns(&topic.name).into_iter().zip(bytes) {
            let score = |link: &LinkLine| f32::from(bytes[link.number]) / 255.0;
            columns.push((name, Values::F32(batch.iter().map(score).collect())));
        }
    }
    columns
}
