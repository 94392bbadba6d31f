//! Making an index.
//!
//! The captures of many archives come from many threads, in any order and any number. They are held in
//! memory as lines until there are too many, then sorted and put aside as a run; in the end all runs
//! are merged. The index is the sorted set of its lines, so that it is the same whatever the order,
//! the number of threads and the memory; and it appears whole or not at all.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;

use super::{Capture, IndexError};

/// How an index is made.
#[derive(Clone, Copy, Debug)]
pub struct WriteOptions {
    /// How many bytes of lines to hold in memory. One thread may sort as many again while others add.
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
    memory: usize,
    /// Where runs are put aside: a hidden folder beside the place of the index.
    scratch: TempDir,
    held: Mutex<Lines>,
    runs: Mutex<Runs>,
}

#[derive(Default)]
struct Runs {
    files: Vec<PathBuf>,
    made: usize,
}

/// More runs than this are merged into one before there are more, for every run is an open file.
const MOST_RUNS: usize = 64;

impl IndexWriter {
    /// Begins an index that will lie at `place`. What is there is kept until the new one is whole.
    pub fn create(place: &Path, options: WriteOptions) -> Result<IndexWriter, IndexError> {
        let folder = match place.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let scratch = tempfile::Builder::new().prefix(".index-").tempdir_in(folder);
        let scratch = scratch.map_err(|source| failed(place, source))?;
        Ok(IndexWriter {
            place: place.to_owned(),
            memory: options.memory,
            scratch,
            held: Mutex::default(),
            runs: Mutex::default(),
        })
    }

    /// Adds a capture. Any thread may, at any time.
    pub fn add(&self, capture: &Capture) -> Result<(), IndexError> {
        let line = capture.to_cdxj();
        let full = {
            let mut held = lock(&self.held);
            held.push(line.as_bytes());
            (held.size() >= self.memory).then(|| std::mem::take(&mut *held))
        };
        match full {
            Some(lines) => self.put_aside(lines).map_err(|source| failed(&self.place, source)),
            None => Ok(()),
        }
    }

    /// Sorts what is left, merges everything, and moves the index to its place. Returns how many lines
    /// it has.
    pub fn finish(self) -> Result<u64, IndexError> {
        self.write().map_err(|source| failed(&self.place, source))
    }

    fn write(&self) -> io::Result<u64> {
        let rest = std::mem::take(&mut *lock(&self.held));
        self.put_aside(rest)?;
        let partial = self.scratch.path().join("index");
        let files = std::mem::take(&mut lock(&self.runs).files);
        let count = merge(&files, &partial)?;
        fs::rename(&partial, &self.place)?;
        Ok(count)
    }

    fn put_aside(&self, mut lines: Lines) -> io::Result<()> {
        let run = self.new_run();
        let mut file = BufWriter::new(File::create(&run)?);
        lines.sort();
        for line in lines.iter() {
            file.write_all(line)?;
            file.write_all(b"\n")?;
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let mut runs = lock(&self.runs);
        runs.files.push(run);
        if runs.files.len() < MOST_RUNS {
            return Ok(());
        }
        // Held until they are merged: whoever comes with another run waits.
        runs.made += 1;
        let merged = self.scratch.path().join(format!("run-{}", runs.made));
        merge(&runs.files, &merged)?;
        for file in std::mem::replace(&mut runs.files, vec![merged]) {
            fs::remove_file(file)?;
        }
        Ok(())
    }

    fn new_run(&self) -> PathBuf {
        let mut runs = lock(&self.runs);
        runs.made += 1;
        self.scratch.path().join(format!("run-{}", runs.made))
    }
}

/// Lines in memory, one behind the other.
#[derive(Default)]
struct Lines {
    bytes: Vec<u8>,
    /// Where each begins and how long it is.
    places: Vec<(usize, u32)>,
}

impl Lines {
    fn push(&mut self, line: &[u8]) {
        // A line beyond four gigabytes is no line of an index.
        let Ok(length) = u32::try_from(line.len()) else { return };
        self.places.push((self.bytes.len(), length));
        self.bytes.extend_from_slice(line);
    }

    fn size(&self) -> usize {
        self.bytes.len() + self.places.len() * size_of::<(usize, u32)>()
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.places.sort_unstable_by_key(|&(start, length)| &bytes[start..start + length as usize]);
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.places.iter().map(|&(start, length)| &self.bytes[start..start + length as usize])
    }
}

/// Merges sorted files into one, without repeated lines, and counts its lines.
fn merge(files: &[PathBuf], into: &Path) -> io::Result<u64> {
    let mut runs = Vec::new();
    for file in files {
        runs.push(BufReader::with_capacity(256 << 10, File::open(file)?));
    }
    let mut heads = BinaryHeap::new();
    for (number, run) in runs.iter_mut().enumerate() {
        let mut line = Vec::new();
        if run.read_until(b'\n', &mut line)? > 0 {
            heads.push(Reverse((line, number)));
        }
    }
    let mut merged = BufWriter::with_capacity(1 << 20, File::create(into)?);
    let mut last = Vec::new();
    let mut count = 0;
    while let Some(Reverse((line, number))) = heads.pop() {
        if line != last {
            merged.write_all(&line)?;
            count += 1;
        }
        // The memory of the line before takes the next one.
        let mut next = std::mem::replace(&mut last, line);
        next.clear();
        if runs[number].read_until(b'\n', &mut next)? > 0 {
            heads.push(Reverse((next, number)));
        }
    }
    merged.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(count)
}

fn failed(place: &Path, source: io::Error) -> IndexError {
    IndexError::Write { at: place.display().to_string(), source }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
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
