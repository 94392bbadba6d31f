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
mod pairs;
mod run;
mod runs;

use std::io;
use std::path::{Path, PathBuf};

use buffer::Buffer;
use merge::Merge;
pub use pairs::PairSorter;
use runs::Runs;

/// Takes records in any order.
pub struct Sorter {
    memory: usize,
    buffer: Buffer,
    runs: Runs,
}

impl Sorter {
    /// A sorter that keeps about `memory` bytes and puts the rest into files in `folder`, which must be
    /// there. They begin with `name`, and are gone when the records are.
    pub fn new(folder: &Path, name: &str, memory: usize) -> Sorter {
        Sorter { memory, buffer: Buffer::default(), runs: Runs::new(folder, name) }
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
        Ok(Sorted(Source::Runs(self.runs.merged()?)))
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
        self.runs.add_files(files);
    }

    fn spill(&mut self) -> io::Result<()> {
        let buffer = &mut self.buffer;
        buffer.sort();
        self.runs
            .write(|writer| (0..buffer.len()).try_for_each(|at| writer.write(buffer.get(at))))?;
        buffer.clear();
        Ok(())
    }
}

/// Gives records in order.
pub struct Sorted(Source);

enum Source {
    /// They never left memory: the next is the one with this number.
    Memory(Buffer, usize),
    Pairs(pairs::Ordered),
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
            Source::Pairs(pairs) => Ok(pairs.next()),
            Source::Runs(merge) => merge.next(),
        }
    }
}
