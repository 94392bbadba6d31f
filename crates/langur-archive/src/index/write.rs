//! Making an index.
//!
//! The captures of many archives come from many threads, in any order and any number, and are sorted as
//! lines, on disk if there are too many. The index is the sorted set of its lines, so that it is the same
//! whatever the order, the number of threads and the memory; and it appears whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use langur_sort::Sorter;
use tempfile::TempDir;

use super::{Capture, IndexError};

/// How an index is made.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// How many bytes of lines to hold in memory.
    pub memory: usize,
}

impl Default for WriteOptions {
    fn default() -> WriteOptions {
        // A run of a million lines: the index of a whole month of Common Crawl is a few thousand.
        WriteOptions { memory: 256 << 20 }
    }
}

/// An index being made. Dropped before [`IndexWriter::finish`], it vanishes.
pub struct IndexWriter {
    place: PathBuf,
    /// Where lines are put aside, and the index written: a hidden folder beside its place.
    scratch: TempDir,
    lines: Mutex<Sorter>,
}

impl IndexWriter {
    /// Begins an index that will lie at `place`. What is there is kept until the new one is whole.
    pub fn create(place: &Path, options: WriteOptions) -> Result<IndexWriter, IndexError> {
        let folder = match place.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let scratch = tempfile::Builder::new().prefix(".index-").tempdir_in(folder);
        let scratch = scratch.map_err(|source| failed(place, source))?;
        let lines = Mutex::new(Sorter::new(scratch.path(), "lines", options.memory));
        Ok(IndexWriter { place: place.to_owned(), scratch, lines })
    }

    /// Adds a capture. Any thread may, at any time.
    pub fn add(&self, capture: &Capture) -> Result<(), IndexError> {
        self.add_line(capture.to_cdxj().as_bytes())
    }

    /// Adds a capture that is a line of CDXJ already, without its end.
    pub fn add_line(&self, line: &[u8]) -> Result<(), IndexError> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line).map_err(|source| failed(&self.place, source))
    }

    /// Whether nothing was added yet.
    pub fn is_empty(&self) -> bool {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Sorts everything, and moves the index to its place. Returns how many lines it has.
    pub fn finish(self) -> Result<u64, IndexError> {
        let IndexWriter { place, scratch, lines } = self;
        let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        write(lines, &scratch.path().join("index"), &place).map_err(|source| failed(&place, source))
    }
}

/// Writes the lines without repeated ones, and counts them.
fn write(lines: Sorter, partial: &Path, place: &Path) -> io::Result<u64> {
    let mut sorted = lines.sorted()?;
    let mut file = BufWriter::with_capacity(1 << 20, File::create(partial)?);
    let (mut last, mut count) = (Vec::new(), 0);
    while let Some(line) = sorted.next()? {
        if line != last {
            file.write_all(line)?;
            file.write_all(b"\n")?;
            count += 1;
            last.clear();
            last.extend_from_slice(line);
        }
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?;
    fs::rename(partial, place)?;
    Ok(count)
}

fn failed(place: &Path, source: io::Error) -> IndexError {
    IndexError::Write { at: place.display().to_string(), source }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::index::Timestamp;

    fn capture(number: u64) -> Capture {
        let timestamp = Timestamp::from_unix(number as i64 * 1000);
        let url = format!("http://h{}.example/{}", number * 7919 % 101, number % 13);
        Capture { offset: Some(number), ..Capture::new(&url, timestamp) }
    }

    #[test]
    fn the_index_is_the_same_for_any_order_memory_and_number_of_threads() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let mut lines: Vec<String> = (0..2000).map(|n| capture(n).to_cdxj() + "\n").collect();
        lines.sort();
        let expected = lines.concat();
        for (threads, memory) in [(1, 1 << 20), (1, 1), (3, 5000), (4, 100_000)] {
            let place = scratch.path().join("index.cdxj");
            let writer = IndexWriter::create(&place, WriteOptions { memory }).expect("begun");
            thread::scope(|scope| {
                for thread in 0..threads {
                    let writer = &writer;
                    scope.spawn(move || {
                        let numbers = (0..2000).filter(|n| n % threads == thread);
                        for number in numbers.rev().chain(0..50) {
                            writer.add(&capture(number)).expect("added");
                        }
                    });
                }
            });
            assert_eq!(writer.finish().expect("written"), 2000);
            assert_eq!(fs::read_to_string(&place).expect("there"), expected);
        }
        assert_eq!(fs::read_dir(scratch.path()).expect("readable").count(), 1);
    }

    #[test]
    fn an_index_that_is_given_up_leaves_nothing() {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        let place = scratch.path().join("index.cdxj");
        let writer = IndexWriter::create(&place, WriteOptions { memory: 1 }).expect("begun");
        writer.add(&capture(1)).expect("added");
        drop(writer);
        assert_eq!(fs::read_dir(scratch.path()).expect("readable").count(), 0);
        let error = IndexWriter::create(&scratch.path().join("no/index"), WriteOptions::default());
        assert!(matches!(error, Err(IndexError::Write { .. })));
    }
}
