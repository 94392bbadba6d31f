//! The folder in which a build keeps what it has done, so that it can be killed and go on.
//!
//! It lies beside the web space being built, and goes when that is there. Every archive file that was taken
//! apart has two files in it: its sorted rows, and its summary, which is written last and says that the rows
//! are whole. Their name is a hash of everything they depend on, so whatever has changed is done anew.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use xxhash_rust::xxh3::Xxh3;

use crate::BuildError;
use crate::file::FileSummary;

/// Changes whenever rows come out differently for the same file.
const VERSION: u32 = 7;

/// The folder.
pub struct Work {
    folder: PathBuf,
    settings: u64,
    /// Only one process may work in the folder: the one that has this file, as long as it has it.
    _lock: File,
}

impl Work {
    /// The folder of a build of the web space at `place`. `settings` is all that rows depend on beside the
    /// file they are from.
    pub fn open(place: &Path, settings: &str) -> Result<Work, BuildError> {
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folder = place.with_file_name(format!("{name}.building"));
        let failed = |source| BuildError::Work { folder: folder.clone(), source };
        fs::create_dir_all(&folder).map_err(failed)?;
        let lock = File::create(folder.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BuildError::Taken(place.to_owned())),
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        }
        let mut hash = Xxh3::new();
        hash.update(&VERSION.to_le_bytes());
        hash.update(env!("CARGO_PKG_VERSION").as_bytes());
        hash.update(settings.as_bytes());
        Ok(Work { folder, settings: hash.digest(), _lock: lock })
    }

    /// Where it lies.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The name under which the rows of a file are kept: of where it lies, its length and when it was
    /// changed. A file that has changed is another one.
    pub fn name(&self, file: &Path) -> io::Result<String> {
        let (facts, path) = (fs::metadata(file)?, fs::canonicalize(file)?);
        let changed = facts.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        let mut hash = Xxh3::new();
        hash.update(&self.settings.to_le_bytes());
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update(&facts.len().to_le_bytes());
        hash.update(&changed.as_nanos().to_le_bytes());
        Ok(format!("{:016x}", hash.digest()))
    }

    /// Where the rows of that name are kept.
    pub fn rows(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.rows"))
    }

    /// The summary of that name, if its rows are whole.
    pub fn finished(&self, name: &str) -> Option<FileSummary> {
        let summary = fs::read(self.folder.join(format!("{name}.json"))).ok()?;
        serde_json::from_slice(&summary).ok().filter(|_| self.rows(name).is_file())
    }

    /// Notes that the rows of that name are whole.
    pub fn finish(&self, name: &str, summary: &FileSummary) -> io::Result<()> {
        let text = serde_json::to_vec(summary).expect("a summary is plain data");
        langur_folder::write_file(&self.folder.join(format!("{name}.json")), text)
    }

    /// Whether no file was taken apart, so that there is nothing to go on with.
    pub fn is_empty(&self) -> bool {
        let names = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        !names.map(|entry| entry.path()).any(|path| path.extension().is_some_and(|e| e == "json"))
    }

    /// Removes the folder: the web space is there, or there will be none.
    pub fn remove(self) -> io::Result<()> {
        fs::remove_dir_all(&self.folder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_builds_a_web_space_at_a_time() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let place = scratch.path().join("a.space");
        let first = Work::open(&place, "").expect("nobody is there");
        assert!(matches!(Work::open(&place, ""), Err(BuildError::Taken(_))));
        drop(first);
        Work::open(&place, "").expect("nobody is there any more").remove().expect("removed");
    }
}
