//! An archive: records that are found by URL.
//!
//! An [`Archive`] is a store of archive files and an index of the captures in them. Which capture of a page
//! is taken, and what a revisit stands for, is decided here, by the same rules as in `space build`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use langur_page::Address;
use langur_store::{Store, StoreError, StoreOptions};
use thiserror::Error;

use crate::digest::canonical;
use crate::http::answer_of_revisit;
use crate::index::{Capture, CommonCrawl, Index, IndexError, RecordPlace, Timestamp};
use crate::members::Whole;
use crate::problem::ArchiveError;
use crate::records::{Head, Records, alone};

/// A record is read into memory up to so many bytes of its block.
pub const LONGEST_BLOCK: usize = 64 << 20;
/// Where the index does not say how long a record is, so much is read at first, and then more.
const FIRST_GUESS: u64 = 1 << 20;

/// Captures by URL.
pub struct Archive {
    store: Store,
    index: Index,
    /// Dictionaries of zstd files, by name; those of other files are empty.
    dictionaries: Mutex<HashMap<String, Arc<[u8]>>>,
    /// All files of the store by their last names, once they were asked for.
    by_last_name: OnceLock<HashMap<String, String>>,
}

/// Why a capture cannot be had.
#[derive(Debug, Error)]
pub enum CaptureError {
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The archive file cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The archive file cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// There is no record where the index says.
    #[error(
        "there is no record at byte {offset} of {file}, where the index says there is one\n  the index probably belongs to another version of the file: make it anew with langur archive index"
    )]
    NoRecord {
        /// The archive file.
        file: String,
        /// Where.
        offset: u64,
    },
    /// It has to be held in memory to be decoded, and is too long for that.
    #[error(
        "the capture of {url} is longer than {} MiB and in chunks or compressed, so it cannot be copied\n  take its record out of the archive file", LONGEST_BLOCK >> 20
    )]
    TooLong {
        /// The page.
        url: String,
    },
    /// It could not be written where it was to be copied to.
    #[error("cannot write: {0}")]
    Write(std::io::Error),
    /// The index does not say where the record is.
    #[error("the index says that {url} was captured at {at}, and not where it is kept")]
    NoPlace {
        /// The page.
        url: String,
        /// When.
        at: Timestamp,
    },
}

/// Whether an index lies elsewhere than in the archive.
fn is_elsewhere(name: &str) -> bool {
    name.contains("://") || name.starts_with(['/', '.'])
}

/// A record in memory.
#[derive(Clone, Debug)]
pub struct StoredRecord {
    /// What it says of itself.
    pub head: Head,
    /// Its block, or the beginning of a very long one.
    pub block: Vec<u8>,
    /// Whether the block is all there.
    pub is_whole: bool,
}

/// A capture that was chosen, and the record with its content.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// The capture.
    pub capture: Capture,
    /// The record that holds its content: its own or, for a revisit, that of the capture it repeats.
    pub content: Capture,
}

impl Archive {
    /// Opens the archive in a folder, behind HTTP or in a bucket, by the index that lies in it; or by the
    /// indexes named. One that lies elsewhere is named by its address, or by a path that starts with `/` or `.`.
    pub fn open(
        address: &str,
        indexes: &[String],
        options: StoreOptions,
    ) -> Result<Archive, IndexError> {
        let store = Store::open(address, options.clone())?;
        let (elsewhere, here): (Vec<String>, Vec<String>) =
            indexes.iter().cloned().partition(|name| is_elsewhere(name));
        let mut found = Vec::new();
        if !here.is_empty() || elsewhere.is_empty() {
            found.push(Index::open(&store, &here)?);
        }
        for place in elsewhere {
            if Path::new(&place).is_dir() {
                return Err(IndexError::Folder(place));
            }
            let (folder, name) = place.rsplit_once('/').unwrap_or((".", &place));
            let other = Store::open(&format!("{folder}/"), options.clone())?;
            found.push(Index::open(&other, &[name.to_owned()])?);
        }
        Ok(Archive::new(store, found.into_iter().collect()))
    }

    /// A crawl of Common Crawl, by its name and where it is kept.
    pub fn common_crawl(
        crawl: &str,
        base: &str,
        options: StoreOptions,
    ) -> Result<Archive, IndexError> {
        let (store, index) = CommonCrawl::open(crawl, base, options)?.into_parts();
        Ok(Archive::new(store, index))
    }

    fn new(store: Store, index: Index) -> Archive {
        Archive { store, index, dictionaries: Mutex::default(), by_last_name: OnceLock::new() }
    }

    /// Where it lies.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Its index.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// All captures of a page, the earliest first: of this very URL, and not of others with the same key.
    pub fn captures(&self, address: &Address) -> Result<Vec<Capture>, IndexError> {
        let url = address.to_string();
        let mut captures = self.index.captures(&url)?;
        let is_of = |found: &str| found == url || Address::parse(found).as_ref() == Ok(address);
        captures.retain(|capture| is_of(&capture.url));
        captures.sort_by(|a, b| order(a).cmp(&order(b)));
        Ok(captures)
    }

    /// All captures of what is no page of the web but archived by a name, as `dns:` records are, the earliest first.
    pub fn captures_named(&self, name: &str) -> Result<Vec<Capture>, IndexError> {
        let mut captures = self.index.captures(name)?;
        captures.retain(|capture| capture.url == name);
        captures.sort_by(|a, b| order(a).cmp(&order(b)));
        Ok(captures)
    }

    /// The capture of a page that is nearest to a moment (the later of two), or the latest; with the capture
    /// that has its content.
    pub fn choose(
        &self,
        address: &Address,
        at: Option<Timestamp>,
    ) -> Result<Option<Chosen>, CaptureError> {
        self.choose_among(self.captures(address)?, at)
    }

    /// The same among captures of one URL.
    pub fn choose_among(
        &self,
        captures: Vec<Capture>,
        at: Option<Timestamp>,
    ) -> Result<Option<Chosen>, CaptureError> {
        choose(captures, at, |revisit| self.original(revisit))
    }

    /// A revisit with the capture that it repeats, if that is there: of its own URL, or of another.
    pub fn resolve(&self, revisit: &Capture) -> Result<Option<Chosen>, CaptureError> {
        let captures = self.index.captures(&revisit.url)?;
        resolve(revisit, &captures, |revisit| self.original(revisit))
    }

    /// What a revisit repeats, where that is the capture of another URL: its record says which. Of several with the same digest
    /// it is that of the date that it names, or the latest; where none has the digest, the one of that date.
    fn original(&self, revisit: &Capture) -> Result<Option<Capture>, CaptureError> {
        if revisit.place().is_none() {
            return Ok(None);
        }
        let record = self.record(revisit)?;
        let Some(url) = record.head.refers_to_url() else { return Ok(None) };
        let mut captures = self.index.captures(url)?;
        captures.retain(|capture| !capture.is_revisit() && capture.place().is_some());
        captures.sort_by(|a, b| order(a).cmp(&order(b)));
        let date = record.head.refers_to_date().and_then(Timestamp::parse);
        let repeated = digest(revisit);
        let same = |capture: &Capture| repeated.is_some() && digest(capture) == repeated;
        let dated = |capture: &Capture| Some(capture.timestamp) == date;
        let both = captures.iter().rposition(|capture| same(capture) && dated(capture));
        let found = both.or_else(|| captures.iter().rposition(same));
        let found = found.or_else(|| captures.iter().rposition(dated));
        Ok(found.map(|at| captures.swap_remove(at)))
    }

    /// The record of a capture that was chosen. That of a revisit has the head of its own answer, if it was kept, and the
    /// content of the one it repeats.
    pub fn content(&self, chosen: &Chosen) -> Result<StoredRecord, CaptureError> {
        let record = self.record(&chosen.content)?;
        if !chosen.capture.is_revisit() || chosen.capture.place().is_none() {
            return Ok(record);
        }
        let revisit = self.record(&chosen.capture)?;
        Ok(match answer_of_revisit(&revisit.block, &record.block) {
            Some(block) => StoredRecord { head: revisit.head, block, is_whole: record.is_whole },
            None => record,
        })
    }

    /// The record of a capture.
    pub fn record(&self, capture: &Capture) -> Result<StoredRecord, CaptureError> {
        let nowhere = || CaptureError::NoPlace { url: capture.url.clone(), at: capture.timestamp };
        let place = capture.place().ok_or_else(nowhere)?;
        match self.record_in(place.filename, &place) {
            Err(CaptureError::Store(error)) if error.is_not_there() => {
                let Some(name) = self.elsewhere(place.filename) else { return Err(error.into()) };
                self.record_in(&name, &place)
            }
            read => read,
        }
    }

    /// The name of a file that the index may name without its folder.
    pub(crate) fn name_of(&self, name: &str) -> String {
        let is_there = self.store.len(name).is_ok();
        let elsewhere = (!is_there).then(|| self.elsewhere(name)).flatten();
        elsewhere.unwrap_or_else(|| name.to_owned())
    }

    fn record_in(&self, name: &str, place: &RecordPlace) -> Result<StoredRecord, CaptureError> {
        let dictionary = self.dictionary(name)?;
        let missing = || CaptureError::NoRecord { file: self.store.at(name), offset: place.offset };
        if let (None, Some(path)) = (place.length, self.store.local(name)) {
            let failed = |source| ArchiveError::Read { file: path.display().to_string(), source };
            let mut file = File::open(&path).map_err(failed)?;
            file.seek(SeekFrom::Start(place.offset)).map_err(failed)?;
            return self.first(file, name, place, &dictionary)?.ok_or_else(missing);
        }
        let end = match place.length {
            Some(length) => place.offset.saturating_add(length),
            None => self.store.len(name)?,
        };
        let mut wanted = if place.length.is_some() { end - place.offset } else { FIRST_GUESS };
        loop {
            let until = end.min(place.offset.saturating_add(wanted));
            let bytes = self.store.read(name, place.offset..until)?;
            match self.first_of(&bytes, name, place, &dictionary)? {
                Some(record) if record.is_whole || until == end => return Ok(record),
                None if until == end => return Err(missing()),
                _ => wanted = wanted.saturating_mul(16),
            }
        }
    }

    /// The first record of some bytes of a file. Where the index knows the
    /// length these are a member and nothing else; what is wrong with one is found piece by piece.
    fn first_of(
        &self,
        bytes: &[u8],
        name: &str,
        place: &RecordPlace,
        dictionary: &[u8],
    ) -> Result<Option<StoredRecord>, CaptureError> {
        let at_once = place.length.and_then(|_| {
            gunzip(bytes, |plain| {
                let (head, block) = alone(plain)?;
                Some(StoredRecord { head, block: block.to_vec(), is_whole: true })
            })
        });
        match at_once {
            Some(found) => Ok(Some(found)),
            None => self.first(Cursor::new(bytes), name, place, dictionary),
        }
    }

    /// The first record of a part of a file.
    fn first(
        &self,
        source: impl Read,
        name: &str,
        place: &RecordPlace,
        dictionary: &[u8],
    ) -> Result<Option<StoredRecord>, CaptureError> {
        let mut records = Records::at(source, self.store.at(name), place.offset, dictionary)?;
        let Some(mut record) = records.next()? else { return Ok(None) };
        let mut block = Vec::new();
        let failed = |source| ArchiveError::Read { file: self.store.at(name), source };
        let whole = record.read_block(&mut block, LONGEST_BLOCK).map_err(failed)?;
        let (head, is_whole) = (record.head.clone(), whole == crate::Amount::Whole);
        Ok(Some(StoredRecord { head, block, is_whole }))
    }

    /// The dictionary that the records of a zstd file need; most files have none.
    pub(crate) fn dictionary(&self, name: &str) -> Result<Arc<[u8]>, CaptureError> {
        if !name.ends_with(".zst") {
            return Ok(Arc::default());
        }
        let lock = || self.dictionaries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(name) {
            return Ok(Arc::clone(known));
        }
        let records = Records::new(self.store.reader(name)?, self.store.at(name))?;
        let dictionary: Arc<[u8]> = records.dictionary().unwrap_or_default().into();
        lock().insert(name.to_owned(), Arc::clone(&dictionary));
        Ok(dictionary)
    }

    /// Where a file lies that the index names without its folder, or in another one.
    fn elsewhere(&self, name: &str) -> Option<String> {
        let by_last_name = self.by_last_name.get_or_init(|| {
            let names = self.store.list().unwrap_or_default();
            names.into_iter().map(|name| (last_name(&name).to_owned(), name)).collect()
        });
        by_last_name.get(last_name(name)).filter(|found| *found != name).cloned()
    }
}

fn last_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

fn digest(capture: &Capture) -> Option<String> {
    capture.digest.as_deref().map(canonical)
}

/// The order of captures of one page. Of those of one second, the file and the place decide, so that the
/// choice does not depend on the order of the files.
fn order(capture: &Capture) -> (i64, &str, Option<u64>) {
    let name = capture.filename.as_deref().unwrap_or_default();
    (capture.timestamp.unix(), last_name(name), capture.offset)
}

/// Chooses among the captures of one page, which are in order.
fn choose(
    captures: Vec<Capture>,
    at: Option<Timestamp>,
    original: impl Fn(&Capture) -> Result<Option<Capture>, CaptureError>,
) -> Result<Option<Chosen>, CaptureError> {
    let chosen = match at {
        None => captures.last(),
        // The last of the nearest: `min_by_key` gives the first.
        Some(at) => captures.iter().rev().min_by_key(|capture| capture.timestamp.distance(at)),
    };
    let Some(chosen) = chosen else { return Ok(None) };
    if !chosen.is_revisit() {
        return Ok(Some(Chosen { capture: chosen.clone(), content: chosen.clone() }));
    }
    if let Some(resolved) = resolve(chosen, &captures, original)? {
        return Ok(Some(resolved));
    }
    // What it repeats is not there: the nearest whole capture stands in.
    let whole = captures.iter().rev().filter(|capture| !capture.is_revisit());
    let nearest = whole.min_by_key(|other| other.timestamp.distance(chosen.timestamp));
    Ok(nearest.map(|nearest| Chosen { capture: nearest.clone(), content: nearest.clone() }))
}

/// A revisit with what it repeats: the latest of the captures of its URL with the same digest, or else the original.
fn resolve(
    revisit: &Capture,
    captures: &[Capture],
    original: impl Fn(&Capture) -> Result<Option<Capture>, CaptureError>,
) -> Result<Option<Chosen>, CaptureError> {
    let repeated = digest(revisit);
    let same =
        |other: &&Capture| !other.is_revisit() && repeated.is_some() && digest(other) == repeated;
    let content = match captures.iter().rev().find(same) {
        Some(same) => Some(same.clone()),
        None => original(revisit)?,
    };
    Ok(content.map(|content| Chosen { capture: revisit.clone(), content }))
}

/// Lends the content of a gzip member, if that is what the bytes are, and it is whole.
fn gunzip<T>(member: &[u8], use_it: impl FnOnce(&[u8]) -> Option<T>) -> Option<T> {
    /// What is longer is not kept to be used again.
    const KEPT: usize = 1 << 20;
    thread_local! {
        static WHOLE: RefCell<Whole> = RefCell::new(Whole::new());
    }
    WHOLE.with_borrow_mut(|whole| {
        let used = whole.decode(member, LONGEST_BLOCK).and_then(use_it);
        whole.shrink(KEPT);
        used
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::write::GzEncoder;

    use super::*;

    fn capture(at: &str, digest: &str, revisit: bool) -> Capture {
        let timestamp = Timestamp::parse(at).expect("a timestamp");
        Capture {
            digest: Some(digest.to_owned()),
            mime: revisit.then(|| "warc/revisit".to_owned()),
            ..Capture::new("http://a.example/", timestamp)
        }
    }

    fn chosen(captures: &[Capture], at: Option<&str>) -> Option<(String, String)> {
        let at = at.map(|at| Timestamp::parse(at).expect("a timestamp"));
        let chosen = choose(captures.to_vec(), at, |_| Ok(None)).expect("no trouble");
        chosen.map(|chosen| {
            (chosen.capture.timestamp.to_string(), chosen.content.digest.unwrap_or_default())
        })
    }

    #[test]
    fn the_latest_the_nearest_and_what_revisits_repeat() {
        let captures =
            [capture("2010", "A", false), capture("2012", "B", false), capture("2016", "A", true)];
        let answer = |at: &str, digest: &str| Some((format!("{at}0101000000"), digest.to_owned()));
        assert_eq!(chosen(&captures, None), answer("2016", "A"));
        assert_eq!(chosen(&captures, Some("2011")), answer("2012", "B"));
        assert_eq!(chosen(&captures, Some("2009")), answer("2010", "A"));
        let lost = [capture("2010", "A", false), capture("2016", "C", true)];
        assert_eq!(chosen(&lost, None), answer("2010", "A"));
        assert_eq!(chosen(&lost[1..], None), None);
    }

    #[test]
    fn a_member_is_decoded_at_once_only_if_it_is_whole() {
        let member = |content: &[u8]| {
            let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::fast());
            packed.write_all(content).expect("memory takes it");
            packed.finish().expect("memory takes it")
        };
        let content = b"WARC/1.1\r\n".repeat(50);
        let whole = member(&content);
        let gunzip = |member: &[u8]| super::gunzip(member, |plain| Some(plain.to_vec()));
        assert_eq!(gunzip(&whole), Some(content.clone()));
        let last = whole.len() - 1;
        let changed = |at: usize, by: u8| {
            let mut bytes = whole.clone();
            bytes[at] ^= by;
            bytes
        };
        // Cut, damaged, of another length than it says, followed by another, no gzip at all.
        assert_eq!(gunzip(&whole[..last]), None);
        assert_eq!(gunzip(&changed(last - 6, 1)), None);
        assert_eq!(gunzip(&changed(last, 0xff)), None);
        assert_eq!(gunzip(&changed(last - 3, 1)), None);
        assert_eq!(gunzip(&[whole.clone(), member(b"more")].concat()), None);
        assert_eq!(gunzip(b"WARC"), None);
        assert_eq!(gunzip(b""), None);
    }
}
