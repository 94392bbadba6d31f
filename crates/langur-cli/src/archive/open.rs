//! Which archive, and how it is read.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Result;
use clap::Args;
use langur_archive::Archive;
use langur_archive::index::{CommonCrawl, IndexError, Timestamp};
use langur_live::crawl::journal_path;
use langur_store::{CacheFolder, StoreOptions};

use crate::misuse::Misuse;

/// Where an archive is.
#[derive(Clone, Debug)]
pub enum Place {
    /// In a folder, behind HTTP or in a bucket.
    Store(String),
    /// A crawl of Common Crawl.
    CommonCrawl(String),
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Place, String> {
        Ok(match text.split_once(':') {
            Some(("commoncrawl", crawl)) => Place::CommonCrawl(crawl.to_owned()),
            Some(("archive", place)) => Place::Store(place.to_owned()),
            _ => Place::Store(text.to_owned()),
        })
    }
}

/// How an archive is read.
#[derive(Args)]
pub struct OpenArgs {
    /// The name of an index in the archive, if not all that lie there, or the path (./…, /…) or address of one elsewhere; may be given several times
    #[arg(long, value_name = "NAME")]
    index: Vec<String>,
    /// A folder to keep what comes over the network
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// How large that folder may become, in MiB
    #[arg(long, default_value_t = 4096, value_name = "MIB")]
    cache_size: u64,
    /// Where Common Crawl is kept: https://, s3:// or a folder
    #[arg(long, default_value = CommonCrawl::BASE, value_name = "ADDRESS")]
    base: String,
}

impl OpenArgs {
    /// Opens the archive at a place.
    pub fn open(&self, place: &Place) -> Result<Archive> {
        Ok(match place {
            Place::Store(address) => open_archive(address, &self.index, self.options())?,
            Place::CommonCrawl(crawl) => Archive::common_crawl(crawl, &self.base, self.options())?,
        })
    }

    /// How stores are read.
    pub fn options(&self) -> StoreOptions {
        let limit = self.cache_size << 20;
        let cache = self.cache.clone().map(|folder| CacheFolder { folder, limit });
        StoreOptions { cache, on_wait: |why| eprintln!("langur: {why}"), ..StoreOptions::default() }
    }
}

/// Opens an archive. The index of a live crawl's own is there when the crawl has stopped.
pub fn open_archive(address: &str, indexes: &[String], options: StoreOptions) -> Result<Archive> {
    Archive::open(address, indexes, options).map_err(|error| match unfinished(&error) {
        Some(run) => Misuse(format!(
            "the crawl in {0} has not stopped, and its archive has an index when it has\n  look at it with: langur status {0}   if nobody is at it, go on with: langur resume {0}",
            run.display()
        ))
        .into(),
        None => error.into(),
    })
}

/// The folder of the crawl whose archive has no index yet.
fn unfinished(error: &IndexError) -> Option<PathBuf> {
    let IndexError::NoIndex(address) = error else { return None };
    let archive = Path::new(address);
    let run = [Some(archive), archive.parent()].into_iter().flatten();
    run.map(Path::to_owned).find(|run| journal_path(run).exists())
}

/// A moment on the command line.
pub fn moment(text: &str) -> Result<Timestamp> {
    Timestamp::parse_strictly(text).ok_or_else(|| {
        let why = format!("\"{text}\" is no time; write it as 2024, 20240523143003 or 2024-05-23");
        Misuse(why).into()
    })
}
