//! Writing a web space: all of it, or nothing.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use langur_folder::{FolderError, NewFolder};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use super::column::Element;
use super::manifest::{FileEntry, Manifest};

type Files = Arc<Mutex<BTreeMap<String, FileEntry>>>;

/// A web space being written. It appears at its place when [`NewSpace::finish`] is done, and leaves
/// nothing behind if it is dropped before.
pub struct NewSpace {
    folder: NewFolder,
    files: Files,
}

impl NewSpace {
    /// Begins a web space that will lie at `place`, where something may only be if `replace` says so.
    pub fn create(place: &Path, replace: bool) -> Result<NewSpace, FolderError> {
        Ok(NewSpace { folder: NewFolder::create(place, replace)?, files: Files::default() })
    }

    /// Begins a column.
    pub fn column(&self, name: &str) -> Result<ColumnWriter, FolderError> {
        let path = self.folder.path().join(name);
        let file = File::create(&path).map_err(FolderError::at(&path))?;
        Ok(ColumnWriter {
            name: name.to_owned(),
            path,
            file: BufWriter::with_capacity(1 << 16, file),
            checksum: Box::new(Xxh3::new()),
            written: 0,
            files: Arc::clone(&self.files),
        })
    }

    /// Writes the manifest and moves the whole folder to its place.
    pub fn finish(self, mut manifest: Manifest) -> Result<(), FolderError> {
        manifest.files = self.files.lock().expect("no writer panicked").clone();
        let mut text = serde_json::to_string_pretty(&manifest).expect("a manifest is plain JSON");
        text.push('\n');
        self.folder.write("manifest.json", text.as_bytes())?;
        self.folder
            .write("manifest.check", format!("{:016x}\n", xxh3_64(text.as_bytes())).as_bytes())?;
        self.folder.finish()
    }
}

/// Writes one column and its checksum.
pub struct ColumnWriter {
    name: String,
    path: PathBuf,
    file: BufWriter<File>,
    checksum: Box<Xxh3>,
    written: u64,
    files: Files,
}

impl ColumnWriter {
    /// Appends numbers.
    pub fn write<T: Element>(&mut self, numbers: &[T]) -> Result<(), FolderError> {
        let bytes: &[u8] = bytemuck::cast_slice(numbers);
        self.checksum.update(bytes);
        self.written += bytes.len() as u64;
        self.file.write_all(bytes).map_err(FolderError::at(&self.path))
    }

    /// The bytes written so far.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Closes the column.
    pub fn finish(mut self) -> Result<(), FolderError> {
        self.file.flush().map_err(FolderError::at(&self.path))?;
        let entry =
            FileEntry { bytes: self.written, xxh3: format!("{:016x}", self.checksum.digest()) };
        self.files.lock().expect("no writer panicked").insert(self.name, entry);
        Ok(())
    }
}
