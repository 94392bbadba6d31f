//! Files that only grow, on a disk that may be full.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A disk that is full is tried again after this time.
const PATIENCE: Duration = Duration::from_secs(1);

/// What to do when there is no room: nothing, or wait and say so.
#[derive(Clone, Default)]
pub struct Disk {
    is_full: Option<Arc<dyn Fn(bool) + Send + Sync>>,
}

impl Disk {
    /// A write for which there is no room is tried again until there is. `is_full` is told before every wait, and when it
    /// is over. By default a full disk is an error.
    pub fn patient(is_full: impl Fn(bool) + Send + Sync + 'static) -> Disk {
        Disk { is_full: Some(Arc::new(is_full)) }
    }

    /// Does something that needs room. What has failed must leave nothing behind.
    pub fn retry<T, E>(
        &self,
        is_full: impl Fn(&E) -> bool,
        mut what: impl FnMut() -> Result<T, E>,
    ) -> Result<T, E> {
        let mut waited = false;
        loop {
            match (what(), &self.is_full) {
                (Err(error), Some(told)) if is_full(&error) => {
                    told(true);
                    waited = true;
                    std::thread::sleep(PATIENCE);
                }
                (done, told) => {
                    if let Some(told) = told.as_ref().filter(|_| waited) {
                        told(false);
                    }
                    return done;
                }
            }
        }
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
        let (file, at) = (&self.file, self.length);
        self.disk.retry(is_full, || {
            file.write_all_at(bytes, at).inspect_err(|_| {
                // Half of what was written must not be taken for something whole.
                let _ = file.set_len(at);
            })
        })?;
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

/// Whether an error says that there is no room.
pub fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}
