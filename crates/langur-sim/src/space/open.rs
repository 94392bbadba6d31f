//! Opening a web space.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use langur_crawl::{Language, PageId};
use langur_page::{Address, AddressError, Scheme, host_from_key, host_key};
use memmap2::Mmap;
use rayon::prelude::*;
use thiserror::Error;
use xxhash_rust::xxh3::Xxh3;

use super::captures::{Captures, TopicColumns};
use super::column::{Codes, Column, Element};
use super::dictionary::Dictionary;
use super::manifest::{Manifest, VERSION};

/// A web space, mapped into memory. Opening one takes milliseconds at any size: only lengths are
/// looked at. [`Space::verify`] reads all of it.
pub struct Space {
    path: PathBuf,
    manifest: Manifest,
    languages: Vec<Language>,
    /// The HTTP status of every page.
    pub status: Column<u16>,
    /// The media type of every page.
    pub mime: Codes,
    /// The size of every page in bytes.
    pub bytes: Column<u32>,
    /// The declared character set of every page.
    pub charset: Codes,
    /// How long every page took to answer.
    pub latency_ms: Column<u16>,
    /// 1 for pages that are only a way in (frames, Flash, image maps).
    pub gateway: Column<u8>,
    /// The language of every page, once for every labelling rule.
    pub language: Vec<Codes>,
    /// The host of every page and, after them, of every missing page.
    pub host: Column<u32>,
    /// The directory of every page and, after them, of every missing page.
    pub directory: Column<u32>,
    /// Where the links of every page begin, and a last entry for their end.
    pub link_offsets: Column<u64>,
    /// Where every link points; numbers from the number of pages on are missing pages.
    pub link_targets: Column<u32>,
    /// The language of every link's anchor.
    pub link_anchors: Codes,
    /// The first page of every host, and a last entry for the end.
    pub host_pages: Column<u32>,
    /// The domain of every host.
    pub host_domain: Column<u32>,
    /// The top-level domain of every host.
    pub host_tld: Codes,
    /// The first missing page of every host, less the number of pages, and a last entry for the end.
    pub host_missing: Column<u32>,
    /// What only a web space made from archives has.
    pub captures: Option<Captures>,
    /// The scores on each topic of the manifest.
    pub topics: Vec<TopicColumns>,
    host_names: Dictionary,
    page_urls: Dictionary,
    missing_urls: Dictionary,
}

/// Why a web space could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// There is none.
    #[error("there is no web space at \"{}\"\n  make one with: langur space synth --preset thai-2004 -o {}", .0.display(), .0.display())]
    NotThere(PathBuf),
    /// Something else is there.
    #[error("\"{}\" is not a web space: it has no manifest.json", .0.display())]
    NotASpace(PathBuf),
    /// A run is there.
    #[error("\"{}\" is the folder of a run, and not a web space\n  what an offline crawl visited becomes one with: langur space import --pages {}/*/pages.parquet --links {}/*/links.parquet -o my.space", .0.display(), .0.display(), .0.display())]
    ARun(PathBuf),
    /// It was written by a later Langur.
    #[error("web space \"{}\" has format version {found}, and this langur reads version {VERSION}\n  use the langur that wrote it, or write it anew", .path.display())]
    Version {
        /// The web space.
        path: PathBuf,
        /// Its version.
        found: u64,
    },
    /// It is not as it was written.
    #[error("web space \"{}\" is damaged: {damage}\n  it was probably copied while being written, or cut short\n  copy it again, or make it anew", .path.display())]
    Damaged {
        /// The web space.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
    /// It could not be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// What is wrong with a damaged web space.
#[derive(Debug, Error)]
pub enum Damage {
    /// The manifest is not what was written.
    #[error("manifest.json is not as it was written")]
    Manifest,
    /// A column is not there.
    #[error("{0} is missing")]
    Missing(String),
    /// A column has the wrong length.
    #[error("{name} holds {found} bytes and should hold {expected}")]
    Length {
        /// The column.
        name: String,
        /// Its length.
        found: u64,
        /// The length it should have.
        expected: u64,
    },
    /// A column's content has changed.
    #[error("{0} is not as it was written (its checksum differs)")]
    Checksum(String),
}

/// How much of a web space to verify.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parts {
    /// What a simulation reads: everything but the URLs.
    Crawled,
    /// Every file.
    Everything,
}

impl Space {
    /// Opens the web space in a folder.
    pub fn open(path: &Path) -> Result<Space, OpenError> {
        let manifest = read_manifest(path)?;
        let counts = manifest.counts;
        let (pages, hosts) = (counts.pages as usize, counts.hosts as usize);
        let known = pages + counts.missing as usize;
        let links = (counts.links + counts.missing_links) as usize;
        let files = Files { path, manifest: &manifest };
        let languages = manifest.languages.len();
        let mut tags = Vec::with_capacity(languages);
        for tag in &manifest.languages {
            tags.push(Language::parse(tag).map_err(|_| files.damaged(Damage::Manifest))?);
        }
        let label = |i: usize| files.codes(&format!("pages.language.{i}"), pages, languages);
        Ok(Space {
            status: files.column("pages.status", pages)?,
            mime: files.codes("pages.mime", pages, manifest.mimes.len())?,
            bytes: files.column("pages.bytes", pages)?,
            charset: files.codes("pages.charset", pages, manifest.charsets.len())?,
            latency_ms: files.column("pages.latency_ms", pages)?,
            gateway: files.column("pages.gateway", pages)?,
            language: (0..manifest.labels.len()).map(label).collect::<Result<_, _>>()?,
            host: files.column("pages.host", known)?,
            directory: files.column("pages.directory", known)?,
            link_offsets: files.column("links.offsets", pages + 1)?,
            link_targets: files.column("links.targets", links)?,
            link_anchors: files.codes("links.anchors", links, languages)?,
            host_pages: files.column("hosts.pages", hosts + 1)?,
            host_domain: files.column("hosts.domain", hosts)?,
            host_tld: files.codes("hosts.tld", hosts, manifest.tlds.len())?,
            host_missing: files.column("hosts.missing", hosts + 1)?,
            captures: Captures::open(&files, pages, links)?,
            topics: (0..manifest.topics.len())
                .map(|topic| TopicColumns::open(&files, topic, pages, links))
                .collect::<Result<_, _>>()?,
            host_names: files.dictionary("hosts.names", hosts)?,
            page_urls: files.dictionary("pages.urls", pages)?,
            missing_urls: files.dictionary("missing.urls", counts.missing as usize)?,
            languages: tags,
            path: path.to_owned(),
            manifest,
        })
    }

    /// Compares every file with its checksum, on all cores.
    pub fn verify(&self, parts: Parts) -> Result<(), OpenError> {
        let wanted = |name: &&String| parts == Parts::Everything || !name.contains(".urls.");
        let names: Vec<&String> = self.manifest.files.keys().filter(wanted).collect();
        names.par_iter().try_for_each(|name| {
            let path = self.path.join(name);
            let found = checksum(&path).map_err(|source| OpenError::Read { path, source })?;
            if format!("{found:016x}") == self.manifest.files[*name].xxh3 {
                return Ok(());
            }
            Err(OpenError::Damaged {
                path: self.path.clone(),
                damage: Damage::Checksum((*name).clone()),
            })
        })
    }

    /// The folder it lies in.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The last part of its path.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }

    /// What it says of itself.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The checksum of the manifest, which holds those of all columns: two web spaces with the same
    /// one are the same.
    pub fn fingerprint(&self) -> String {
        fs::read_to_string(self.path.join("manifest.check")).unwrap_or_default().trim().to_owned()
    }

    /// The number of pages in the crawl log.
    pub fn pages(&self) -> usize {
        self.manifest.counts.pages as usize
    }

    /// The language with this code.
    #[inline]
    pub fn language_of(&self, code: u16) -> Option<Language> {
        self.languages.get(usize::from(code).wrapping_sub(1)).copied()
    }

    /// The word with this code in one of the manifest's tables; empty if unknown.
    pub fn word(table: &[String], code: u16) -> &str {
        table.get(usize::from(code).wrapping_sub(1)).map_or("", String::as_str)
    }

    /// Which codes of media types stand for HTML.
    pub fn html_mimes(&self) -> Vec<bool> {
        let is_html =
            |mime: &String| matches!(mime.as_str(), "text/html" | "application/xhtml+xml");
        [false].into_iter().chain(self.manifest.mimes.iter().map(is_html)).collect()
    }

    /// The host with this number.
    pub fn host_name(&self, host: u32) -> String {
        host_from_key(&String::from_utf8_lossy(&self.host_names.get(host as usize)))
    }

    /// The URL of a page, missing ones included.
    pub fn url(&self, page: PageId) -> String {
        let number = page.0 as usize;
        let entry = match number.checked_sub(self.pages()) {
            None => self.page_urls.get(number),
            Some(missing) => self.missing_urls.get(missing),
        };
        let host = self.host_name(self.host.as_slice()[number]);
        let (scheme, path) = split_entry(&entry);
        format!("{}{host}{}", scheme.prefix(), String::from_utf8_lossy(path))
    }

    /// The page with this URL, if the crawl log has it.
    pub fn find(&self, url: &str) -> Result<Option<PageId>, AddressError> {
        let address = Address::parse(url)?;
        let key = host_key(&address.host);
        let Some(host) = self.host_names.find(key.as_bytes(), self.host_names.numbers()) else {
            return Ok(None);
        };
        let starts = self.host_pages.as_slice();
        let within = starts[host] as usize..starts[host + 1] as usize;
        let entry = url_entry(address.scheme, &address.path);
        Ok(self.page_urls.find(&entry, within).map(|page| PageId(page as u32)))
    }

    /// The URLs of pages and missing pages in order of their numbers, through `visit`.
    pub fn for_each_url(&self, mut visit: impl FnMut(PageId, &str, &str)) {
        let mut last = (u32::MAX, String::new());
        let mut each = |number: usize, entry: &[u8]| {
            let host = self.host.as_slice()[number];
            if last.0 != host {
                last = (host, self.host_name(host));
            }
            let (scheme, path) = split_entry(entry);
            let url = format!("{}{}{}", scheme.prefix(), last.1, String::from_utf8_lossy(path));
            visit(PageId(number as u32), &url, &last.1);
        };
        self.page_urls.for_each(&mut each);
        self.missing_urls.for_each(|number, entry| each(self.pages() + number, entry));
    }
}

/// How a URL stands in its host's part of a dictionary: the path, and a byte for the scheme that no
/// path contains and that sorts before all that a path may contain.
pub fn url_entry(scheme: Scheme, path: &str) -> Vec<u8> {
    let mut entry = Vec::new();
    push_url_entry(&mut entry, scheme, path);
    entry
}

/// Adds the entry of a URL to others.
pub fn push_url_entry(entries: &mut Vec<u8>, scheme: Scheme, path: &str) {
    entries.extend_from_slice(path.as_bytes());
    entries.push(scheme_byte(scheme));
}

pub(crate) fn scheme_byte(scheme: Scheme) -> u8 {
    match scheme {
        Scheme::Http => 1,
        Scheme::Https => 2,
    }
}

fn split_entry(entry: &[u8]) -> (Scheme, &[u8]) {
    match entry.split_last() {
        Some((2, path)) => (Scheme::Https, path),
        Some((_, path)) => (Scheme::Http, path),
        None => (Scheme::Http, entry),
    }
}

fn read_manifest(path: &Path) -> Result<Manifest, OpenError> {
    if !path.exists() {
        return Err(OpenError::NotThere(path.to_owned()));
    }
    let file = path.join("manifest.json");
    if !file.is_file() {
        return Err(OpenError::NotASpace(path.to_owned()));
    }
    let damaged = || OpenError::Damaged { path: path.to_owned(), damage: Damage::Manifest };
    let text = fs::read(&file).map_err(|source| OpenError::Read { path: file, source })?;
    let value: serde_json::Value = serde_json::from_slice(&text).map_err(|_| damaged())?;
    if value.get("format").and_then(serde_json::Value::as_str) == Some("langur run") {
        return Err(OpenError::ARun(path.to_owned()));
    }
    // The version is looked at before anything else, for a later version may differ in anything else.
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version == u64::from(VERSION) => {}
        Some(found) => return Err(OpenError::Version { path: path.to_owned(), found }),
        None => return Err(damaged()),
    }
    let check = fs::read_to_string(path.join("manifest.check")).unwrap_or_default();
    if check.trim() != format!("{:016x}", xxhash_rust::xxh3::xxh3_64(&text)) {
        return Err(damaged());
    }
    serde_json::from_value(value).map_err(|_| damaged())
}

fn checksum(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut buffer = vec![0; 1 << 20];
    let mut hash = Xxh3::new();
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.digest()),
            n => hash.update(&buffer[..n]),
        }
    }
}

/// The files of a web space as its manifest lists them.
pub(super) struct Files<'a> {
    path: &'a Path,
    manifest: &'a Manifest,
}

impl Files<'_> {
    fn damaged(&self, damage: Damage) -> OpenError {
        OpenError::Damaged { path: self.path.to_owned(), damage }
    }

    fn map<T: Element>(&self, name: &str, elements: Option<usize>) -> Result<Column<T>, OpenError> {
        let path = self.path.join(name);
        let entry = self.manifest.files.get(name).ok_or_else(|| self.damaged(Damage::Manifest))?;
        let elements =
            elements.map_or(entry.bytes, |elements| elements as u64 * size_of::<T>() as u64);
        if entry.bytes != elements {
            return Err(self.damaged(Damage::Manifest));
        }
        let file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(self.damaged(Damage::Missing(name.to_owned())));
            }
            opened => opened.map_err(|source| OpenError::Read { path: path.clone(), source })?,
        };
        let found =
            file.metadata().map_err(|source| OpenError::Read { path: path.clone(), source })?.len();
        if found != entry.bytes {
            return Err(self.damaged(Damage::Length {
                name: name.to_owned(),
                found,
                expected: entry.bytes,
            }));
        }
        if found == 0 {
            return Ok(Column::new(None));
        }
        // SAFETY: the map is only read. A web space is never written in place, only replaced as a
        // whole folder, so the bytes under the map do not change unless someone edits them by hand.
        let map = unsafe { Mmap::map(&file) }.map_err(|source| OpenError::Read { path, source })?;
        Ok(Column::new(Some(map)))
    }

    /// Whether there is a file of this name.
    pub fn has(&self, name: &str) -> bool {
        self.manifest.files.contains_key(name)
    }

    /// A column of so many numbers.
    pub fn column<T: Element>(&self, name: &str, elements: usize) -> Result<Column<T>, OpenError> {
        self.map(name, Some(elements))
    }

    fn codes(&self, name: &str, elements: usize, words: usize) -> Result<Codes, OpenError> {
        Ok(match Codes::is_wide(words) {
            false => Codes::Narrow(self.column(name, elements)?),
            true => Codes::Wide(self.column(name, elements)?),
        })
    }

    fn dictionary(&self, name: &str, strings: usize) -> Result<Dictionary, OpenError> {
        let blocks = self.column(&format!("{name}.blocks"), Dictionary::blocks(strings))?;
        Ok(Dictionary::new(blocks, self.map(&format!("{name}.bytes"), None)?, strings))
    }
}
