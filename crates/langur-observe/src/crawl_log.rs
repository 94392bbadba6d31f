//! The crawl log and the link database of a crawl, as `space import` reads them.

use std::path::Path;

use langur_table::{TableWriter, Texts, Values};

use crate::run::RunError;
use crate::table;

/// Rows a batch: so few that they stay near the processor until they are written.
const BATCH: usize = 1 << 11;

/// Writes `pages.parquet` and `links.parquet`, a row a page that was fetched and a row a link of it: what
/// one web gave is what the simulator can crawl.
pub struct CrawlLog {
    pages: TableWriter,
    links: TableWriter,
    page_rows: PageRows,
    link_rows: LinkRows,
    labels: Vec<String>,
    /// The first thing that went wrong; whoever watches cannot stop a crawl.
    error: Option<RunError>,
}

/// A page that was fetched.
#[derive(Clone, Copy, Debug)]
pub struct LoggedPage<'a> {
    /// Its number.
    pub id: u32,
    /// Its URL.
    pub url: &'a str,
    /// HTTP's status.
    pub status: u16,
    /// Media type.
    pub mime: &'a str,
    /// Size.
    pub bytes: u32,
    /// Charset.
    pub charset: &'a str,
    /// Whether it is only a way in.
    pub gateway: bool,
    /// Whether the crawl started from it.
    pub seed: bool,
}

#[derive(Default)]
struct PageRows {
    id: Vec<u32>,
    url: Texts,
    status: Vec<u16>,
    mime: Texts,
    bytes: Vec<u32>,
    charset: Texts,
    gateway: Vec<bool>,
    seed: Vec<bool>,
    languages: Vec<Texts>,
}

#[derive(Default)]
struct LinkRows {
    source: Vec<u32>,
    target: Texts,
    position: Vec<u32>,
    anchor: Texts,
}

impl CrawlLog {
    /// Begins both files in a folder. The first labelling rule is the one that is used if nothing else is
    /// said.
    pub fn create(folder: &Path, labels: &[String]) -> Result<CrawlLog, RunError> {
        Ok(CrawlLog {
            pages: table::create(&folder.join("pages.parquet"))?,
            links: table::create(&folder.join("links.parquet"))?,
            page_rows: PageRows::default(),
            link_rows: LinkRows::default(),
            labels: labels.to_vec(),
            error: None,
        })
    }

    /// Adds a page with its language by each rule, unknown ones being empty.
    pub fn page<'l>(&mut self, page: &LoggedPage, languages: impl Iterator<Item = &'l str>) {
        let rows = &mut self.page_rows;
        rows.languages.resize(self.labels.len(), Texts::default());
        rows.id.push(page.id);
        rows.url.push(page.url);
        rows.status.push(page.status);
        rows.mime.push(page.mime);
        rows.bytes.push(page.bytes);
        rows.charset.push(page.charset);
        rows.gateway.push(page.gateway);
        rows.seed.push(page.seed);
        for (column, language) in rows.languages.iter_mut().zip(languages) {
            column.push(language);
        }
        if rows.id.len() == BATCH {
            self.flush_pages();
        }
    }

    /// Adds a link of a page.
    pub fn link(&mut self, source: u32, target: &str, position: u32, anchor_language: &str) {
        let rows = &mut self.link_rows;
        rows.source.push(source);
        rows.target.push(target);
        rows.position.push(position);
        rows.anchor.push(anchor_language);
        if rows.source.len() == BATCH {
            self.flush_links();
        }
    }

    fn flush_pages(&mut self) {
        let rows = std::mem::take(&mut self.page_rows);
        let mut columns = vec![
            ("id".to_owned(), Values::U32(rows.id)),
            ("url".to_owned(), Values::Text(rows.url)),
            ("status".to_owned(), Values::U16(rows.status)),
            ("mime".to_owned(), Values::Text(rows.mime)),
            ("bytes".to_owned(), Values::U32(rows.bytes)),
            ("charset".to_owned(), Values::Text(rows.charset)),
            ("gateway".to_owned(), Values::Flag(rows.gateway)),
            ("seed".to_owned(), Values::Flag(rows.seed)),
        ];
        let languages = rows.languages.into_iter().chain(std::iter::repeat(Texts::default()));
        for (label, tags) in self.labels.iter().zip(languages) {
            columns.push((format!("language_{label}"), Values::Text(tags)));
        }
        if let Err(error) = self.pages.write(columns) {
            self.error.get_or_insert(RunError::Parquet(error));
        }
    }

    fn flush_links(&mut self) {
        let rows = std::mem::take(&mut self.link_rows);
        let columns = vec![
            ("source", Values::U32(rows.source)),
            ("target", Values::Text(rows.target)),
            ("position", Values::U32(rows.position)),
            ("anchor_language", Values::Text(rows.anchor)),
        ];
        if let Err(error) = self.links.write(columns) {
            self.error.get_or_insert(RunError::Parquet(error));
        }
    }

    /// Closes both files, and tells what went wrong if anything did.
    pub fn finish(mut self) -> Result<(), RunError> {
        self.flush_pages();
        self.flush_links();
        if let Some(error) = self.error {
            return Err(error);
        }
        self.pages.finish()?;
        Ok(self.links.finish()?)
    }
}
