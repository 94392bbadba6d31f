//! Blocks in a folder.
//!
//! One file a block, with a checksum before the bytes: `3f/3fa9…-12` is block 12 of a file. A small
//! file beside them, `3f/3f07….name`, says what has blocks here at all; without it nothing needs to be
//! asked about versions before a first read.
//!
//! Processes share the folder without knowing of each other. A block is written under a name of its
//! own and then moved into place, so that it is there whole or not at all; one that is damaged all the
//! same is deleted and fetched again; one that another process deletes is merely not there. Each
//! process looks through the folder when it has added a good share of the limit, so that the folder
//! may outgrow the limit by that share for every process, and no further.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use bytes::Bytes;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::{BLOCK, FileKey};
use crate::CacheFolder;

/// Blocks in a folder, up to a size; what was used least recently goes first.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: PathBuf,
    limit: u64,
    /// Bytes added since the folder was last looked through.
    added: AtomicU64,
    /// Makes names for unfinished files that no other thread uses.
    written: AtomicU64,
    /// Held by the one who looks through the folder.
    sweeping: Mutex<()>,
}

const CHECKSUM: usize = 8;

impl Disk {
    pub(crate) fn open(cache: &CacheFolder) -> io::Result<Disk> {
        fs::create_dir_all(&cache.folder)?;
        let disk = Disk {
            folder: cache.folder.clone(),
            limit: cache.limit,
            added: AtomicU64::new(0),
            written: AtomicU64::new(0),
            sweeping: Mutex::new(()),
        };
        // A folder that cannot be written to is better known now than in the middle of a crawl.
        disk.write(&disk.folder.join("try"), &[b"langur"])?;
        fs::remove_file(disk.folder.join("try"))?;
        disk.sweep();
        Ok(disk)
    }

    pub(crate) fn knows(&self, at: &str) -> bool {
        self.name(at).exists()
    }

    pub(crate) fn get(&self, file: FileKey, block: u64) -> Option<Bytes> {
        let path = self.block(file, block);
        let opened = File::open(&path).ok()?;
        let mut bytes = Vec::new();
        let longest = BLOCK + CHECKSUM as u64 + 1;
        (&opened).take(longest).read_to_end(&mut bytes).ok()?;
        let sum = bytes.get(..CHECKSUM)?.try_into().ok().map(u64::from_le_bytes);
        if sum != Some(checksum(file, block, &bytes[CHECKSUM..])) {
            let _ = fs::remove_file(&path);
            return None;
        }
        // The time of its last use, by which the oldest is found. It does not matter if this fails.
        let _ = opened.set_modified(SystemTime::now());
        Some(Bytes::from(bytes).slice(CHECKSUM..))
    }

    /// Keeps a block. A full disk is no reason to stop reading, so that failures are not reported.
    pub(crate) fn put(&self, at: &str, file: FileKey, block: u64, bytes: &Bytes) {
        let sum = checksum(file, block, bytes).to_le_bytes();
        let name = self.name(at);
        if !name.exists() {
            let _ = self.write(&name, &[at.as_bytes(), b"\n"]);
        }
        if self.write(&self.block(file, block), &[&sum, bytes]).is_err() {
            return;
        }
        let size = bytes.len() as u64;
        if self.added.fetch_add(size, Ordering::Relaxed) + size > self.limit / 16 {
            self.sweep();
        }
    }

    /// Deletes what was used least recently, until a good share of the limit is free again.
    fn sweep(&self) {
        let Ok(_held) = self.sweeping.try_lock() else { return };
        self.added.store(0, Ordering::Relaxed);
        let mut kept = Vec::new();
        for folder in entries(&self.folder) {
            for path in entries(&folder) {
                let Ok(meta) = path.metadata() else { continue };
                let used = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                kept.push((used, meta.len(), path));
            }
        }
        let mut size: u64 = kept.iter().map(|(_, size, _)| size).sum();
        if size <= self.limit - self.limit / 16 {
            return;
        }
        kept.sort();
        for (_, bytes, path) in kept {
            if size <= self.limit / 4 * 3 {
                break;
            }
            let _ = fs::remove_file(path);
            size -= bytes;
        }
    }

    fn block(&self, file: FileKey, block: u64) -> PathBuf {
        self.path(file.0, &format!("-{block}"))
    }

    fn name(&self, at: &str) -> PathBuf {
        self.path(xxh3_128(at.as_bytes()), ".name")
    }

    fn path(&self, hash: u128, end: &str) -> PathBuf {
        let hash = format!("{hash:032x}");
        self.folder.join(&hash[..2]).join(format!("{hash}{end}"))
    }

    fn write(&self, path: &Path, parts: &[&[u8]]) -> io::Result<()> {
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder)?;
        let number = self.written.fetch_add(1, Ordering::Relaxed);
        let partial = folder.join(format!(".partial-{}-{number}", std::process::id()));
        let written = (|| {
            let mut file = File::create(&partial)?;
            parts.iter().try_for_each(|part| file.write_all(part))?;
            fs::rename(&partial, path)
        })();
        if written.is_err() {
            let _ = fs::remove_file(&partial);
        }
        written
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Over the place as well, so that a block in the wrong file is noticed too.
fn checksum(file: FileKey, block: u64, bytes: &[u8]) -> u64 {
    let mut sum = Xxh3::new();
    sum.update(&file.0.to_le_bytes());
    sum.update(&block.to_le_bytes());
    sum.update(bytes);
    sum.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn disk(folder: &Path, limit: u64) -> Disk {
        Disk::open(&CacheFolder { folder: folder.to_owned(), limit }).expect("a cache")
    }

    fn size(folder: &Path) -> u64 {
        let files = entries(folder).into_iter().flat_map(|folder| entries(&folder));
        files.map(|path| path.metadata().map_or(0, |meta| meta.len())).sum()
    }

    #[test]
    fn blocks_are_found_by_another_process_unless_damaged() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let file = FileKey(7);
        let bytes = Bytes::from_static(b"a block");
        disk(folder.path(), 1000).put("http://h/a", file, 3, &bytes);

        let disk = disk(folder.path(), 1000);
        assert!(disk.knows("http://h/a") && !disk.knows("http://h/b"));
        assert_eq!(disk.get(file, 3), Some(bytes.clone()));
        assert_eq!(disk.get(file, 4), None);

        for damage in [&b"cut"[..], b"xxxxxxxxa block", &vec![0; 100_000]] {
            disk.put("http://h/a", file, 3, &bytes);
            fs::write(disk.block(file, 3), damage).expect("writable");
            assert_eq!(disk.get(file, 3), None);
        }
        disk.put("http://h/a", file, 3, &bytes);
        fs::copy(disk.block(file, 3), disk.block(file, 4)).expect("writable");
        assert_eq!(disk.get(file, 4), None);
    }

    #[test]
    fn the_folder_stays_within_its_limit_and_keeps_what_is_used() {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let disk = disk(folder.path(), 100_000);
        let bytes = Bytes::from(vec![1; 1000]);
        for block in 0..500 {
            disk.put("http://h/a", FileKey(1), block, &bytes);
            assert!(disk.get(FileKey(1), 0).is_some(), "used every time, and gone at {block}");
            assert!(size(folder.path()) <= 100_000 + 100_000 / 16 + 2000);
        }
        assert!(disk.get(FileKey(1), 499).is_some());
        assert!(disk.get(FileKey(1), 100).is_none());
    }
}
