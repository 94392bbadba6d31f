//! What exceeded the memory of a sorter, in sorted runs on disk.

use std::io;
use std::path::{Path, PathBuf};

use crate::merge::Merge;
use crate::run::{Run, Writer};

/// Runs merged at once. More would mean more files open, and smaller reads of each.
const FAN_IN: usize = 128;

/// The runs of one sorter.
pub struct Runs {
    folder: PathBuf,
    name: String,
    runs: Vec<Run>,
    written: usize,
}

impl Runs {
    /// None yet; their files will be in `folder`, and their names begin with `name`.
    pub fn new(folder: &Path, name: &str) -> Runs {
        Runs { folder: folder.to_owned(), name: name.to_owned(), runs: Vec::new(), written: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Adds runs that were written before, and stay.
    pub fn add_files(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        self.runs.extend(files.into_iter().map(Run::kept_at));
    }

    /// Writes another run: `records` writes its records, which must be in order.
    pub fn write(&mut self, records: impl FnOnce(&mut Writer) -> io::Result<()>) -> io::Result<()> {
        self.written += 1;
        let path = self.folder.join(format!("{}.{}.run", self.name, self.written));
        let mut writer = Writer::create(path)?;
        records(&mut writer)?;
        self.runs.push(writer.finish()?);
        Ok(())
    }

    /// All of them as one.
    pub fn merged(mut self) -> io::Result<Merge> {
        while self.runs.len() > FAN_IN {
            let mut some = Merge::new(self.runs.drain(..FAN_IN).collect())?;
            self.write(|writer| {
                while let Some(record) = some.next()? {
                    writer.write(record)?;
                }
                Ok(())
            })?;
        }
        Merge::new(self.runs)
    }
}
