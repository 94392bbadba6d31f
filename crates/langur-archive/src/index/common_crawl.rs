//! A crawl of Common Crawl, by its name.
//!
//! Every crawl has a ZipNum index of its own, beside lists of its files:
//!
//! ```text
//! cc-index/collections/CC-MAIN-2024-22/indexes/cluster.idx, cdx-00000.gz, …
//! crawl-data/CC-MAIN-2024-22/warc.paths.gz
//! crawl-data/CC-MAIN-2024-22/segments/…/warc/CC-MAIN-….warc.gz
//! ```
//!
//! Nothing of it needs to be downloaded: a URL costs a dozen blocks of the summary, most of them kept
//! from the search before, one block of the index, and the record itself.

use std::io::{BufRead, BufReader, Read};

use flate2::read::MultiGzDecoder;
use langur_store::{Store, StoreError, StoreOptions};

use super::{Capture, Index, IndexError, ZipNum};

/// A crawl of Common Crawl.
pub struct CommonCrawl {
    crawl: String,
    store: Store,
    index: Index,
}

impl CommonCrawl {
    /// Where Common Crawl is read from without an account.
    pub const BASE: &'static str = "https://data.commoncrawl.org/";

    /// Opens a crawl by its name, `CC-MAIN-2024-22`. The base may be any place with the same layout:
    /// [`CommonCrawl::BASE`], `s3://commoncrawl/`, a folder.
    pub fn open(crawl: &str, base: &str, options: StoreOptions) -> Result<CommonCrawl, IndexError> {
        let no_crawl = |why: String| IndexError::NoCrawl {
            crawl: crawl.to_owned(),
            base: base.to_owned(),
            why,
        };
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-';
        if !crawl.starts_with("CC-") || !crawl.bytes().all(plain) {
            return Err(no_crawl("this is not the name of a crawl".to_owned()));
        }
        let store = Store::open(base, options)?;
        let summary = format!("cc-index/collections/{crawl}/indexes/cluster.idx");
        let index = ZipNum::open(&store, &summary).map_err(|error| match error {
            IndexError::Store(
                missing @ (StoreError::NotThere { .. } | StoreError::Denied { .. }),
            ) => no_crawl(first_line(&missing.to_string())),
            other => other,
        })?;
        Ok(CommonCrawl { crawl: crawl.to_owned(), store, index: index.into() })
    }

    /// The name of the crawl.
    pub fn crawl(&self) -> &str {
        &self.crawl
    }

    /// The place it is read from, by the names of its files.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Its index. The files that captures name lie in [`CommonCrawl::store`].
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Its store and its index.
    pub fn into_parts(self) -> (Store, Index) {
        (self.store, self.index)
    }

    /// All captures of a URL in this crawl, the earliest first.
    pub fn captures(&self, url: &str) -> Result<Vec<Capture>, IndexError> {
        self.index.captures(url)
    }

    /// The names of the crawl's WARC files, in the order it lists them.
    pub fn warc_names(&self) -> Result<Vec<String>, IndexError> {
        self.names("warc.paths.gz")
    }

    fn names(&self, list: &str) -> Result<Vec<String>, IndexError> {
        let name = format!("crawl-data/{}/{list}", self.crawl);
        let lines = MultiGzDecoder::new(self.store.reader(&name)?);
        // A hundred thousand names make about fifteen megabytes.
        let lines = BufReader::new(lines.take(1 << 30)).lines();
        let names: Result<Vec<String>, _> = lines.collect();
        let damaged = |error: std::io::Error| IndexError::Damaged {
            at: self.store.at(&name),
            why: error.to_string(),
        };
        Ok(names.map_err(damaged)?.into_iter().filter(|name| !name.is_empty()).collect())
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}
