//! Files that only grow, on a disk that may be full.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A disk that is full is tried again after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// What to do when there is no room: waits, and says so.
#[derive(Clone)]
pub struct Disk {
    full: Arc<dyn Fn(&io::Error) -> bool + Send + Sync>,
}

impl Disk {
    /// Calls `full` whenever there is no room; if it says yes, the write is tried again.
    pub fn new(full: impl Fn(&io::Error) -> bool + Send + Sync + 'static) -> Disk {
        Disk { full: Arc::new(full) }
    }

    /// Waits for a while before trying again, and says so once a call.
    pub fn patient(said: impl Fn(&io::Error) + Send + Sync + 'static) -> Disk {
        Disk::new(move |error| {
            said(error);
            std::thread::sleep(PATIENCE);
            true
        })
    }
}

impl Default for Disk {
    /// A full disk is an error.
    fn default() -> Disk {
        Disk::new(|_| false)
    }
}

/// A file that is only written at its end. A write that fails leaves it as it was.
pub struct GrowingFile {
    file: File,
    length: u64,
    disk: Disk,
}

impl GrowingFile {
    /// Begins a file that must not be there yet.
    pub fn create(path: &Path, disk: &Disk) -> io::Result<GrowingFile> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        Ok(GrowingFile { file, length: 0, disk: disk.clone() })
    }

    /// Goes on with a file of which the first `length` bytes count; the others are cut off.
    pub fn open(path: &Path, length: u64, disk: &Disk) -> io::Result<GrowingFile> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        if file.metadata()?.len() < length {
            return Err(io::Error::new(
                ErrorKind::UnexpectedEof,
                "the file is shorter than it was",
            ));
        }
        file.set_len(length)?;
        Ok(GrowingFile { file, length, disk: disk.clone() })
    }

    /// Adds some bytes, and says where they lie.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<u64> {
        while let Err(error) = self.file.write_all_at(bytes, self.length) {
            // Half of what was written must not be taken for something whole.
            let _ = self.file.set_len(self.length);
            if !(is_full(&error) && (self.disk.full)(&error)) {
                return Err(error);
            }
        }
        let at = self.length;
        self.length += bytes.len() as u64;
        Ok(at)
    }

    /// Reads what was written.
    pub fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        self.file.read_exact_at(bytes, at)
    }

    /// How long the file is.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Another handle to the file, for reading and for having it written to the disk itself.
    pub fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }
}

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}
