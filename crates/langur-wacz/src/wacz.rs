//! From an archive to a WACZ file.

use std::fs;
use std::path::{Path, PathBuf};

use langur_archive::Archive;
use langur_archive::index::{Capture, Timestamp};
use langur_page::Address;
use langur_store::{StoreError, StoreOptions};
use serde_json::{Map, Value};

use crate::files::WarcFiles;
use crate::package::Package;
use crate::{WaczError, index, pages, zipnum};

/// An index beyond this is compressed in blocks. Smaller ones are read whole by those who replay.
const LARGE_INDEX: u64 = 10_000_000;

/// What to pack, and what to say of it.
#[derive(Clone, Debug)]
pub struct WaczOptions {
    /// The archive: a folder with WARC files and their indexes.
    pub archive: PathBuf,
    /// The file to write.
    pub output: PathBuf,
    /// Whether a file that is already there is replaced.
    pub replace: bool,
    /// When the file is made, as it will say. Everything else follows from the archive.
    pub created: Timestamp,
    /// What the collection is called.
    pub title: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// The URL of the page to show first, which must be in the archive.
    pub main_page: Option<String>,
    /// What made the file.
    pub software: String,
}

impl WaczOptions {
    /// An archive as a file, made at this moment by this version of Langur, without further words.
    pub fn new(archive: PathBuf, output: PathBuf, created: Timestamp) -> WaczOptions {
        WaczOptions {
            archive,
            output,
            replace: false,
            created,
            title: None,
            description: None,
            main_page: None,
            software: format!("langur {}", env!("CARGO_PKG_VERSION")),
        }
    }
}

/// What was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaczSummary {
    /// WARC files.
    pub files: u64,
    /// Captures in the index.
    pub captures: u64,
    /// Pages in the list of pages.
    pub pages: u64,
    /// Lines of the archive's indexes that were left out, since they lead to no record of a WARC file: those
    /// of ARC files and of files that are not there, and lines that make no sense.
    pub left_out: u64,
    /// The length of the file.
    pub bytes: u64,
}

/// Writes an archive as a WACZ file, which appears whole or not at all. `progress` is told how many bytes of
/// the archive were read so far: all files once, and the records of pages once more.
pub fn write_wacz(options: &WaczOptions, progress: &dyn Fn(u64)) -> Result<WaczSummary, WaczError> {
    write(options, LARGE_INDEX, progress)
}

pub(crate) fn write(
    options: &WaczOptions,
    large_index: u64,
    progress: &dyn Fn(u64),
) -> Result<WaczSummary, WaczError> {
    let folder = &options.archive;
    if !folder.is_dir() {
        return Err(StoreError::NoFolder(folder.clone()).into());
    }
    if options.output.exists() && !options.replace {
        return Err(WaczError::Exists(options.output.clone()));
    }
    let address = folder.display().to_string();
    let store = langur_store::Store::open(&address, StoreOptions::default())?;
    let mut files = WarcFiles::of(&store, folder)?;
    let archive = Archive::open(&address, &[], StoreOptions::default())?;
    let main_page = options.main_page.as_deref().map(|url| main_page(&archive, url)).transpose()?;

    let failed = WaczError::writing(&options.output);
    let beside = match options.output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let scratch = tempfile::Builder::new().prefix(".wacz-").tempdir_in(beside).map_err(&failed)?;
    let at = |name: &str| scratch.path().join(name);
    let mut read = 0;
    let mut read = |bytes: u64| {
        read += bytes;
        progress(read);
    };

    let gathered = index::gather(&archive, &mut files, &at("index.cdxj"))?;
    let pages = pages::write(&archive, &at("index.cdxj"), &at("pages.jsonl"), &mut read)?;
    let mut package = Package::create(&at("wacz"), options.created)?;
    let mut count = 0;
    for (name, file) in files.iter() {
        package.add(&format!("archive/{name}"), &file.path, file.length, &mut read)?;
        count += 1;
    }
    let mut add = |folder: &str, name: &str| {
        let path = at(name);
        let length = fs::metadata(&path).map_err(WaczError::reading(&path))?.len();
        package.add(&format!("{folder}/{name}"), &path, length, &mut |_| ())
    };
    if fs::metadata(at("index.cdxj")).map_err(&failed)?.len() > large_index {
        let (blocks, summary) = ("index.cdx.gz", "index.idx");
        zipnum::compress(&at("index.cdxj"), &at(blocks), &at(summary), blocks)?;
        add("indexes", blocks)?;
        add("indexes", summary)?;
    } else {
        add("indexes", "index.cdxj")?;
    }
    add("pages", "pages.jsonl")?;
    let bytes = package.finish(description(options, main_page.as_ref()))?;
    fs::rename(at("wacz"), &options.output).map_err(failed)?;
    let index::Gathered { captures, left_out } = gathered;
    Ok(WaczSummary { files: count, captures, pages, left_out, bytes })
}

/// The latest capture of the main page.
fn main_page(archive: &Archive, url: &str) -> Result<Capture, WaczError> {
    let missing = || WaczError::NoMainPage(url.to_owned());
    let address = Address::parse(url).map_err(|_| missing())?;
    archive.captures(&address)?.pop().ok_or_else(missing)
}

/// What `datapackage.json` says, but for the resources.
fn description(options: &WaczOptions, main_page: Option<&Capture>) -> Map<String, Value> {
    let date = main_page.map(|page| page.timestamp.rfc3339());
    let said = [
        ("profile", Some("data-package".to_owned())),
        ("wacz_version", Some("1.1.1".to_owned())),
        ("title", options.title.clone()),
        ("description", options.description.clone()),
        ("created", Some(options.created.rfc3339())),
        ("software", Some(options.software.clone())),
        ("mainPageUrl", main_page.map(|page| page.url.clone())),
        ("mainPageDate", date),
    ];
    let said = said.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.into())));
    said.collect()
}
