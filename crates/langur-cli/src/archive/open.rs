//! Which archive, and how it is read.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Result;
use clap::Args;
use langur_archive::Archive;
use langur_archive::index::{CommonCrawl, Timestamp};
use langur_live::crawl::journal_path;
use langur_store::{CacheFolder, StoreOptions};

use crate::crawl::quoted;
use crate::misuse::Misuse;
use crate::space::is_archive;

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
    match without_index(address).filter(|_| indexes.is_empty()) {
        Some(run) => Err(no_index_yet(&run).into()),
        None => Ok(Archive::open(address, indexes, options)?),
    }
}

/// The folder of the crawl whose archive this is, if that has no index yet, from the crawl itself or from anybody else.
fn without_index(address: &str) -> Option<PathBuf> {
    let archive = Path::new(address);
    let run = [Some(archive), archive.parent()].into_iter().flatten();
    let run = run.map(|run| if run.as_os_str().is_empty() { Path::new(".") } else { run });
    let run = run.map(Path::to_owned).find(|run| journal_path(run).exists())?;
    let is_index = |file: &Path| {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        [".cdxj", ".cdx", ".gz", ".idx"].iter().any(|ending| name.ends_with(ending))
            && !is_archive(file)
    };
    let has_index = has_file(&run.join("archive"), is_index) || has_file(archive, is_index);
    (!has_index).then_some(run)
}

fn no_index_yet(run: &Path) -> Misuse {
    let (name, shown) = (run.display(), quoted(run));
    Misuse(match has_file(&run.join("archive"), is_archive) {
        true => format!(
            "the crawl in {name} has not stopped, and its archive has an index when it has\n  look at it with: langur status {shown}   if nobody is at it, go on with: langur resume {shown}"
        ),
        false => format!(
            "the crawl in {name} has archived nothing yet\n  look at it with: langur status {shown}"
        ),
    })
}

/// Whether there is such a file in a folder.
fn has_file(folder: &Path, is_such: impl Fn(&Path) -> bool) -> bool {
    let files = fs::read_dir(folder).into_iter().flatten();
    files.flatten().any(|file| is_such(&file.path()))
}

/// A moment on the command line.
pub fn moment(text: &str) -> Result<Timestamp> {
    Timestamp::parse_strictly(text).ok_or_else(|| {
        let why = format!("\"{text}\" is no time; write it as 2024, 20240523143003 or 2024-05-23");
        Misuse(why).into()
    })
}
