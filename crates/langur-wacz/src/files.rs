//! The WARC files of an archive, by the names they will have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use langur_archive::{Kind, Records};
use langur_store::Store;

use crate::WaczError;

/// The WARC files of an archive. Within a WACZ file they lie in one folder, so they are known by their
/// last names.
pub(crate) struct WarcFiles {
    folder: PathBuf,
    by_last_name: BTreeMap<String, WarcFile>,
}

/// One of them.
pub(crate) struct WarcFile {
    /// Its name in the archive, with its folders.
    name: String,
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// Its length when it was looked at. A crawl that goes on may make it longer meanwhile.
    pub(crate) length: u64,
    /// Whether the index has captures of it.
    indexed: bool,
}

impl WarcFiles {
    /// Those in a folder, and in the folders of it.
    pub(crate) fn of(store: &Store, folder: &Path) -> Result<WarcFiles, WaczError> {
        let mut by_last_name = BTreeMap::<String, WarcFile>::new();
        for name in store.list()?.into_iter().filter(|name| is_warc(name)) {
            let length = store.len(&name)?;
            let last = last_name(&name).to_owned();
            let file = WarcFile { path: folder.join(&name), name, length, indexed: false };
            if let Some(taken) = by_last_name.get(&last) {
                return Err(WaczError::SameName { one: taken.name.clone(), other: file.name });
            }
            by_last_name.insert(last, file);
        }
        if by_last_name.is_empty() {
            return Err(WaczError::NoWarc(folder.to_owned()));
        }
        Ok(WarcFiles { folder: folder.to_owned(), by_last_name })
    }

    /// Whether the file that an index names is one of these. Fails if it is and ends before the record does.
    pub(crate) fn holds(
        &mut self,
        name: &str,
        offset: u64,
        length: Option<u64>,
    ) -> Result<bool, WaczError> {
        let Some(file) = self.by_last_name.get_mut(last_name(name)) else { return Ok(false) };
        // A record has one byte at least.
        let end = offset.saturating_add(length.unwrap_or(1).max(1));
        if end > file.length {
            return Err(WaczError::PastTheEnd {
                folder: self.folder.clone(),
                file: file.name.clone(),
                offset,
                length: file.length,
            });
        }
        file.indexed = true;
        Ok(true)
    }

    /// Fails if there is a file with captures that no index knows.
    pub(crate) fn check_indexed(&self) -> Result<(), WaczError> {
        for file in self.by_last_name.values().filter(|file| !file.indexed) {
            if has_captures(file)? {
                let (folder, file) = (self.folder.clone(), file.name.clone());
                return Err(WaczError::NotIndexed { folder, file });
            }
        }
        Ok(())
    }

    /// The files with their last names, sorted.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &WarcFile)> {
        self.by_last_name.iter().map(|(name, file)| (name.as_str(), file))
    }
}

/// Whether there is anything in a file that an index would have; one that was just begun has only a
/// description of itself.
fn has_captures(file: &WarcFile) -> Result<bool, WaczError> {
    let failed = WaczError::reading(&file.path);
    let source = std::fs::File::open(&file.path).map_err(failed)?;
    let mut records = Records::new(source, file.path.display().to_string())?;
    while let Some(record) = records.next()? {
        if matches!(record.head.kind(), Kind::Response | Kind::Resource | Kind::Revisit) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Readers of WACZ files know no other compression than gzip, and no ARC files.
fn is_warc(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".warc.gz") || name.ends_with(".warc")
}

/// A name without its folders.
pub(crate) fn last_name(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}
