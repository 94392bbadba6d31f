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

/// A file that is only written at its end. What is added is kept in memory until it is [put down](GrowingFile::put_down),
/// in one piece; a write that fails leaves the file as it was.
pub struct GrowingFile {
    file: File,
    /// How much of it is in the file.
    written: u64,
    /// What comes behind.
    added: Vec<u8>,
    disk: Disk,
}

/// Room that is kept for what is added; more is given back once it was written.
const KEPT: usize = 1 << 20;

impl GrowingFile {
    /// Begins a file that must not be there yet.
    pub fn create(path: &Path, disk: &Disk) -> io::Result<GrowingFile> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        Ok(GrowingFile { file, written: 0, added: Vec::new(), disk: disk.clone() })
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
        Ok(GrowingFile { file, written: length, added: Vec::new(), disk: disk.clone() })
    }

    /// Adds some bytes, and says where they lie.
    pub fn add(&mut self, bytes: &[u8]) -> u64 {
        let at = self.length();
        self.added.extend_from_slice(bytes);
        at
    }

    /// Writes what was added: it survives the process from then on.
    pub fn put_down(&mut self) -> io::Result<()> {
        if self.added.is_empty() {
            return Ok(());
        }
        let (file, added, at) = (&self.file, &self.added, self.written);
        self.disk.retry(is_full, || {
            file.write_all_at(added, at).inspect_err(|_| {
                // Half of what was written must not be taken for something whole.
                let _ = file.set_len(at);
            })
        })?;
        self.written = self.length();
        self.added.clear();
        self.added.shrink_to(KEPT);
        Ok(())
    }

    /// Reads what was added, which was put down together.
    pub fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        let Some(from) = at.checked_sub(self.written) else {
            return self.file.read_exact_at(bytes, at);
        };
        let rest = self.added.get(from as usize..).and_then(|rest| rest.get(..bytes.len()));
        bytes.copy_from_slice(rest.ok_or(ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    /// How long the file is with all that was added.
    pub fn length(&self) -> u64 {
        self.written + self.added.len() as u64
    }

    /// How many bytes are in memory alone.
    pub fn in_memory(&self) -> usize {
        self.added.len()
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
