//! What came over the network, kept in blocks.
//!
//! Files are cut into blocks of one size, so that reads that overlap share what they have in common:
//! every binary search over an index begins with the same few. A block belongs to one version of one
//! file; when the file changes, its blocks are simply never asked for again, and leave when their turn
//! comes. Memory is asked first, then the folder, if there is one.

mod disk;
mod memory;

use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_128;

use crate::remote::Version;
use crate::{StoreError, StoreOptions};
use disk::Disk;
use memory::Memory;

/// The size of a block. A search needs few bytes at each step, a record often fits into one.
pub(crate) const BLOCK: u64 = 64 << 10;

/// Reads longer than this pass by the cache, which they would empty of everything else.
pub(crate) const LONGEST: u64 = 16 << 20;

/// One version of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FileKey(u128);

impl FileKey {
    pub(crate) fn new(at: &str, version: &Version) -> FileKey {
        FileKey(xxh3_128(format!("{at}\n{}\n{}", version.length, version.mark).as_bytes()))
    }
}

/// The blocks in memory and in a folder.
#[derive(Debug)]
pub(crate) struct Cache {
    memory: Memory,
    disk: Option<Disk>,
}

impl Cache {
    pub(crate) fn open(options: &StoreOptions) -> Result<Cache, StoreError> {
        let disk = options.cache.as_ref().map(|cache| {
            Disk::open(cache)
                .map_err(|source| StoreError::Cache { folder: cache.folder.clone(), source })
        });
        Ok(Cache { memory: Memory::new(options.memory), disk: disk.transpose()? })
    }

    /// Whether something of this file may have been kept by an earlier process.
    pub(crate) fn knows(&self, at: &str) -> bool {
        self.disk.as_ref().is_some_and(|disk| disk.knows(at))
    }

    pub(crate) fn get(&self, file: FileKey, block: u64) -> Option<Bytes> {
        self.memory.get(file, block).or_else(|| {
            let bytes = self.disk.as_ref()?.get(file, block)?;
            self.memory.put(file, block, bytes.clone());
            Some(bytes)
        })
    }

    pub(crate) fn put(&self, at: &str, file: FileKey, block: u64, bytes: Bytes) {
        if let Some(disk) = &self.disk {
            disk.put(at, file, block, &bytes);
        }
        self.memory.put(file, block, bytes);
    }
}
