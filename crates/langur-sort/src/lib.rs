//! Sorting more than fits into memory.
//!
//! A [`Sorter`] takes records, which are strings of bytes, and gives them back in the order of their
//! bytes. What exceeds its memory goes to disk in sorted runs, which are merged at the end. Who wants
//! another order writes numbers with the highest byte first, so that bytes and numbers sort alike.
//!
//! Equal records stay, each as often as it came. The result depends on the records alone, not on their
//! order, the memory or the number of threads.

mod buffer;
mod merge;
mod run;

use std::io;
use std::path::{Path, PathBuf};

use buffer::Buffer;
use merge::Merge;
use run::Run;

/// Runs merged at once. More would mean more files open, and smaller reads of each.
const FAN_IN: usize = 128;

/// Takes records in any order.
pub struct Sorter {
    folder: PathBuf,
    name: String,
    memory: usize,
    buffer: Buffer,
    runs: Vec<Run>,
    written: usize,
}

impl Sorter {
    /// A sorter that keeps about `memory` bytes and puts the rest into files in `folder`, which must be
    /// there. They begin with `name`, and are gone when the records are.
    pub fn new(folder: &Path, name: &str, memory: usize) -> Sorter {
        Sorter {
            folder: folder.to_owned(),
            name: name.to_owned(),
            memory,
            buffer: Buffer::default(),
            runs: Vec::new(),
            written: 0,
        }
    }

    /// Adds a record.
    pub fn push(&mut self, record: &[u8]) -> io::Result<()> {
        if !self.buffer.is_empty() && self.buffer.bytes() + record.len() > self.memory {
            self.spill()?;
        }
        self.buffer.push(record);
        Ok(())
    }

    /// Whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty() && self.runs.is_empty()
    }

    /// Ends the adding: the records in order.
    pub fn sorted(mut self) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            self.buffer.sort();
            return Ok(Sorted(Source::Memory(self.buffer, 0)));
        }
        if !self.buffer.is_empty() {
            self.spill()?;
        }
        while self.runs.len() > FAN_IN {
            let some: Vec<Run> = self.runs.drain(..FAN_IN).collect();
            let mut merge = Merge::new(some)?;
            let mut writer = run::Writer::create(self.next_path())?;
            while let Some(record) = merge.next()? {
                writer.write(record)?;
            }
            self.runs.push(writer.finish()?);
        }
        Ok(Sorted(Source::Runs(Merge::new(self.runs)?)))
    }

    /// Ends the adding: the records in order, in a file that stays. It is written under another name and
    /// then renamed, so that it is whole or not there.
    pub fn write_to(self, path: &Path) -> io::Result<()> {
        let partial = path.with_extension("partial");
        let mut sorted = self.sorted()?;
        let mut writer = run::Writer::create(partial.clone())?;
        while let Some(record) = sorted.next()? {
            writer.write(record)?;
        }
        writer.keep()?;
        std::fs::rename(partial, path)
    }

    /// Adds the records of files that [`Sorter::write_to`] wrote, which stay.
    pub fn add_files(&mut self, files: impl IntoIterator<Item = PathBuf>) {
        self.runs.extend(files.into_iter().map(Run::kept_at));
    }

    fn next_path(&mut self) -> PathBuf {
        self.written += 1;
        self.folder.join(format!("{}.{}.run", self.name, self.written))
    }

    fn spill(&mut self) -> io::Result<()> {
        self.buffer.sort();
        let mut writer = run::Writer::create(self.next_path())?;
        for at in 0..self.buffer.len() {
            writer.write(self.buffer.get(at))?;
        }
        self.runs.push(writer.finish()?);
        self.buffer.clear();
        Ok(())
    }
}

/// Gives records in order.
pub struct Sorted(Source);

enum Source {
    /// They never left memory: the next is the one with this number.
    Memory(Buffer, usize),
    Runs(Merge),
}

impl Sorted {
    /// The next record.
    #[expect(
        clippy::should_implement_trait,
        reason = "a record is lent until the next is asked for"
    )]
    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        match &mut self.0 {
            Source::Memory(buffer, at) => {
                *at += 1;
                Ok((*at <= buffer.len()).then(|| buffer.get(*at - 1)))
            }
            Source::Runs(merge) => merge.next(),
        }
    }
}
