//! One place to read files from.

use std::collections::HashMap;
use std::io::{self, Read};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::{Bytes, BytesMut};

use crate::address::{Place, check_name};
use crate::cache::{BLOCK, Cache, FileKey, LONGEST};
use crate::folder::Folder;
use crate::remote::{Remote, Version};
use crate::{StoreError, StoreOptions, StoreReader};

/// One place to read files from, by name and range. Clones are the same store.
#[derive(Clone, Debug)]
pub struct Store {
    address: String,
    largest_whole: u64,
    inner: Inner,
}

#[derive(Clone, Debug)]
enum Inner {
    Folder(Arc<Folder>),
    Remote(Arc<Cached>),
}

/// A remote store, and what is known of it.
#[derive(Debug)]
struct Cached {
    remote: Arc<Remote>,
    cache: Cache,
    /// The version of every file read so far. A file that changes while it is read is noticed.
    versions: Mutex<HashMap<String, Version>>,
}

/// How many versions are remembered. Common Crawl has 90,000 files a crawl.
const VERSIONS: usize = 1 << 18;

impl Store {
    /// Opens a folder (`path`, `file://`), a web server (`http://`, `https://`) or a bucket (`s3://`).
    /// Only a folder is looked at at once.
    pub fn open(address: &str, options: StoreOptions) -> Result<Store, StoreError> {
        let place = Place::parse(address)?;
        let inner = match &place {
            Place::Folder(path) => Inner::Folder(Arc::new(Folder::open(path)?)),
            _ => Inner::Remote(Arc::new(Cached {
                remote: Arc::new(Remote::open(&place, &options)?),
                cache: Cache::open(&options)?,
                versions: Mutex::default(),
            })),
        };
        Ok(Store { address: place.address(), largest_whole: options.largest_whole, inner })
    }

    /// The address, with a slash at the end.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The full address of a file, to be shown.
    pub fn at(&self, name: &str) -> String {
        format!("{}{name}", self.address)
    }

    /// Whether files lie on this machine.
    pub fn is_local(&self) -> bool {
        matches!(self.inner, Inner::Folder(_))
    }

    /// Where a file lies on this machine, to be mapped or opened directly; `None` if it is elsewhere.
    /// It need not be there.
    pub fn local(&self, name: &str) -> Option<PathBuf> {
        match &self.inner {
            Inner::Folder(folder) => check_name(name).ok().map(|()| folder.path(name)),
            Inner::Remote(_) => None,
        }
    }

    /// How long a file is.
    pub fn len(&self, name: &str) -> Result<u64, StoreError> {
        check_name(name)?;
        match &self.inner {
            Inner::Folder(folder) => folder.file(name).map(|(_, length)| length),
            Inner::Remote(cached) => cached.version(name).map(|version| version.length),
        }
    }

    /// Exactly these bytes of a file.
    pub fn read(&self, name: &str, range: Range<u64>) -> Result<Bytes, StoreError> {
        check_name(name)?;
        match &self.inner {
            Inner::Folder(folder) => folder.read(name, range),
            Inner::Remote(cached) => cached.read(name, range),
        }
    }

    /// A whole file, if it is not too large ([`StoreOptions::largest_whole`]).
    pub fn read_whole(&self, name: &str) -> Result<Bytes, StoreError> {
        let length = self.len(name)?;
        if length > self.largest_whole {
            let limit = self.largest_whole;
            return Err(StoreError::TooLarge { at: self.at(name), length, limit });
        }
        match self.read(name, 0..length) {
            // A server that sends no parts can still send all of it.
            Err(StoreError::NoRanges { .. }) => {
                let mut whole = Vec::new();
                let read = self.reader(name)?.read_to_end(&mut whole);
                let failed = |error: io::Error| StoreError::Unreachable {
                    at: self.at(name),
                    why: error.to_string(),
                    times: 1,
                };
                read.map(|_| whole.into()).map_err(failed)
            }
            read => read,
        }
    }

    /// A file from its first byte to its last, of any size.
    pub fn reader(&self, name: &str) -> Result<StoreReader, StoreError> {
        check_name(name)?;
        match &self.inner {
            Inner::Folder(folder) => folder.file(name).map(|(file, _)| StoreReader::file(file)),
            Inner::Remote(cached) => StoreReader::remote(Arc::clone(&cached.remote), name),
        }
    }

    /// The names of all files, sorted. Those in a folder that begin with a dot are left out.
    pub fn list(&self) -> Result<Vec<String>, StoreError> {
        match &self.inner {
            Inner::Folder(folder) => folder.list(),
            Inner::Remote(cached) => cached.remote.list(),
        }
    }
}

impl Cached {
    fn read(&self, name: &str, range: Range<u64>) -> Result<Bytes, StoreError> {
        let Range { start, end } = range;
        let past = |length| StoreError::PastTheEnd { at: self.remote.at(name), start, end, length };
        if start > end {
            return Err(past(None));
        }
        // Where an earlier process kept something, it is worth asking which version it must be of.
        let version = match self.known(name) {
            None if start == end || self.cache.knows(&self.remote.at(name)) => {
                Some(self.version(name)?)
            }
            known => known,
        };
        if let Some(length) = version.as_ref().map(|version| version.length)
            && end > length
        {
            return Err(past(Some(length)));
        }
        if start == end {
            return Ok(Bytes::new());
        }
        let blocks = start / BLOCK..end.div_ceil(BLOCK);
        let (from, bytes) = match version {
            _ if end - start > LONGEST => (start, self.fetch(name, start..end)?.1),
            Some(version) => (blocks.start * BLOCK, self.blocks(name, &version, blocks)?),
            None => (blocks.start * BLOCK, self.fetch_blocks(name, blocks)?),
        };
        let (first, last) = ((start - from) as usize, (end - from) as usize);
        if last > bytes.len() {
            return Err(past(Some(from + bytes.len() as u64)));
        }
        Ok(bytes.slice(first..last))
    }

    /// Blocks of a file in a row: those that are kept, and the others, fetched together.
    fn blocks(
        &self,
        name: &str,
        version: &Version,
        blocks: Range<u64>,
    ) -> Result<Bytes, StoreError> {
        let key = FileKey::new(&self.remote.at(name), version);
        let kept: Vec<Option<Bytes>> =
            blocks.clone().map(|block| self.cache.get(key, block)).collect();
        if let [Some(only)] = kept.as_slice() {
            return Ok(only.clone());
        }
        let first = kept.iter().position(Option::is_none);
        let last = kept.iter().rposition(Option::is_none);
        let (Some(first), Some(last)) = (first, last) else {
            return Ok(join(kept.into_iter().flatten()));
        };
        let missing = blocks.start + first as u64..blocks.start + last as u64 + 1;
        let fetched = self.fetch_blocks(name, missing)?;
        let before = kept[..first].iter().flatten().cloned();
        let after = kept[last + 1..].iter().flatten().cloned();
        Ok(join(before.chain([fetched]).chain(after)))
    }

    fn fetch_blocks(&self, name: &str, blocks: Range<u64>) -> Result<Bytes, StoreError> {
        let (version, bytes) = self.fetch(name, blocks.start * BLOCK..blocks.end * BLOCK)?;
        let at = self.remote.at(name);
        let key = FileKey::new(&at, &version);
        for (number, start) in blocks.zip((0..bytes.len()).step_by(BLOCK as usize)) {
            let end = bytes.len().min(start + BLOCK as usize);
            self.cache.put(&at, key, number, bytes.slice(start..end));
        }
        Ok(bytes)
    }

    fn fetch(&self, name: &str, range: Range<u64>) -> Result<(Version, Bytes), StoreError> {
        let (version, bytes) = self.remote.fetch(name, range)?;
        self.remember(name, &version)?;
        Ok((version, bytes))
    }

    fn version(&self, name: &str) -> Result<Version, StoreError> {
        if let Some(version) = self.known(name) {
            return Ok(version);
        }
        let version = self.remote.version(name)?;
        self.remember(name, &version)?;
        Ok(version)
    }

    fn known(&self, name: &str) -> Option<Version> {
        self.versions().get(name).cloned()
    }

    fn remember(&self, name: &str, version: &Version) -> Result<(), StoreError> {
        let mut versions = self.versions();
        match versions.get(name) {
            Some(known) if known == version => Ok(()),
            // Whoever reads it anew reads the new version.
            Some(_) => {
                versions.remove(name);
                Err(StoreError::Changed { at: self.remote.at(name) })
            }
            None => {
                if versions.len() >= VERSIONS {
                    versions.clear();
                }
                versions.insert(name.to_owned(), version.clone());
                Ok(())
            }
        }
    }

    fn versions(&self) -> MutexGuard<'_, HashMap<String, Version>> {
        self.versions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn join(parts: impl Iterator<Item = Bytes>) -> Bytes {
    let mut joined = BytesMut::new();
    parts.for_each(|part| joined.extend_from_slice(&part));
    joined.freeze()
}
