//! Files in a folder of this machine.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use crate::StoreError;

/// A folder of this machine.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
}

impl Folder {
    pub(crate) fn open(path: &Path) -> Result<Folder, StoreError> {
        if !path.is_dir() {
            return Err(StoreError::NoFolder(path.to_owned()));
        }
        Ok(Folder { path: path.to_owned() })
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub(crate) fn file(&self, name: &str) -> Result<(File, u64), StoreError> {
        let path = self.path(name);
        let file = File::open(&path).map_err(|source| refused(&path, source))?;
        let meta = file.metadata().map_err(|source| refused(&path, source))?;
        if !meta.is_file() {
            return Err(StoreError::NotThere { at: path.display().to_string(), status: None });
        }
        Ok((file, meta.len()))
    }

    pub(crate) fn read(&self, name: &str, range: Range<u64>) -> Result<Bytes, StoreError> {
        let (mut file, length) = self.file(name)?;
        let path = self.path(name);
        let at = || path.display().to_string();
        if range.start > range.end || range.end > length {
            let Range { start, end } = range;
            return Err(StoreError::PastTheEnd { at: at(), start, end, length: Some(length) });
        }
        // No longer than the file, so that it is safe to make room for it.
        let wanted = range.end - range.start;
        let mut bytes = Vec::with_capacity(wanted as usize);
        file.seek(SeekFrom::Start(range.start))
            .and_then(|_| file.take(wanted).read_to_end(&mut bytes))
            .map_err(|source| refused(&path, source))?;
        if bytes.len() as u64 != wanted {
            return Err(refused(&path, io::ErrorKind::UnexpectedEof.into()));
        }
        Ok(bytes.into())
    }

    /// The names of all files, in folders too, in order. What begins with a dot is left out, as by
    /// `ls`: these are unfinished files and the like.
    pub(crate) fn list(&self) -> Result<Vec<String>, StoreError> {
        let mut names = Vec::new();
        let mut entered = BTreeSet::new();
        let mut folders = vec![(self.path.clone(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let real = folder.canonicalize().map_err(|source| refused(&folder, source))?;
            if !entered.insert(real) {
                // Reached by a symbolic link, perhaps its own.
                continue;
            }
            for entry in fs::read_dir(&folder).map_err(|source| refused(&folder, source))? {
                let path = entry.map_err(|source| refused(&folder, source))?.path();
                let Some(last) = path.file_name().and_then(|last| last.to_str()) else { continue };
                if last.starts_with('.') {
                    continue;
                }
                if path.is_dir() {
                    folders.push((path.clone(), format!("{prefix}{last}/")));
                } else if path.is_file() {
                    names.push(format!("{prefix}{last}"));
                }
            }
        }
        names.sort();
        Ok(names)
    }
}

fn refused(path: &Path, source: io::Error) -> StoreError {
    match source.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            StoreError::NotThere { at: path.display().to_string(), status: None }
        }
        _ => StoreError::Read { path: path.to_owned(), source },
    }
}
