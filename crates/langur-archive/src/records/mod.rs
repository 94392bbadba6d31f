//! The records of an archive file, one after the other.
//!
//! [`Records`] finds out by itself whether a file is WARC or ARC, and whether it is plain, gzip or zstd;
//! it looks at the bytes and never at the name. A record is lent until the next one is asked for. Its
//! head is in memory, its block is read by whoever wants it, and what nobody read is skipped.
//!
//! What is malformed is reported as a [`Problem`] with its place, and reading goes on: after a damaged
//! member with the next member, after garbage with the next thing that looks like a record. So a file
//! always ends, and one bad record costs no other, with two exceptions: in a *plain* file, a wrong length
//! of more than [`LOOK_AHEAD`] bytes that still ends inside the file hides the records it covers; and a
//! damaged member of more than 1 MiB hides the start of the next one if it was cut off.
//!
//! | how the file is compressed | what a record's [`Extent`] is |
//! |---|---|
//! | plain | the record, without the empty lines after it |
//! | a member a record | the member |
//! | a record over several members | those members |
//! | several records in a member | none: such a record cannot be read by itself |

mod alone;
mod arc;
mod block;
mod format;
mod head;
mod reading;

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use sha1::{Digest, Sha1};

use crate::members::Members;
use crate::problem::{ArchiveError, Problem};
use reading::Reading;

pub(crate) use alone::alone;
pub use head::{Head, Kind};
pub(crate) use head::{Lines, decoded};
pub use reading::LOOK_AHEAD;

/// The records of one archive file.
pub struct Records<R> {
    head: Head,
    reading: Reading<R>,
}

/// Where a record lies in its file, so that these bytes alone can be read as an archive of one record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Extent {
    /// The first byte.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
}

/// A record: its head, and its block to be read through [`Read`] or [`Record::read_block`].
pub struct Record<'r, R> {
    /// What it says of itself.
    pub head: &'r Head,
    reading: &'r mut Reading<R>,
}

/// How much of a block was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// All of it.
    Whole,
    /// Less than the record's head says: it was longer than asked for, or the file has no more of it.
    Cut,
}

impl Records<File> {
    /// Opens a file.
    pub fn open(path: &Path) -> Result<Records<File>, ArchiveError> {
        let name = path.display().to_string();
        let failed = |source| ArchiveError::Read { file: name.clone(), source };
        let file = File::open(path).map_err(failed)?;
        let size = file.metadata().map_err(failed)?.len();
        let mut records = Records::new(file, name.clone())?;
        records.reading.file_ends_at(size);
        Ok(records)
    }
}

impl<R: Read> Records<R> {
    /// The records of a stream, called `name` in problems. It needs no buffer of its own.
    pub fn new(source: R, name: impl Into<String>) -> Result<Records<R>, ArchiveError> {
        Records::at(source, name, 0, &[])
    }

    /// The records of a part of a file: the bytes of one [`Extent`], say, read by range. Its first byte
    /// lies at `offset` of the file. A zstd file may have a dictionary at its start, which a part of it
    /// needs too: see [`Records::dictionary`]. Otherwise it is empty.
    pub fn at(
        source: R,
        name: impl Into<String>,
        offset: u64,
        dictionary: &[u8],
    ) -> Result<Records<R>, ArchiveError> {
        let name = name.into();
        let members = Members::new(source, name.clone(), offset, dictionary)
            .map_err(|source| ArchiveError::Read { file: name, source })?;
        Ok(Records { head: Head::default(), reading: Reading::new(members) })
    }

    /// The dictionary of a zstd file, if it has one.
    pub fn dictionary(&self) -> Option<&[u8]> {
        self.reading.members.dictionary()
    }

    /// The next record; nothing after the last one.
    #[allow(clippy::should_implement_trait, reason = "a record is lent, which no iterator can")]
    pub fn next(&mut self) -> Result<Option<Record<'_, R>>, ArchiveError> {
        match self.reading.next(&mut self.head) {
            Ok(true) => Ok(Some(Record { head: &self.head, reading: &mut self.reading })),
            Ok(false) => Ok(None),
            Err(source) => Err(self.failed(source)),
        }
    }

    /// The problems met since they were last asked for. Those of a record are all known when the next
    /// one is there.
    pub fn problems(&mut self) -> Vec<Problem> {
        self.reading.members.problems.drain()
    }

    /// Where the record lies that was last finished: by [`Record::finish`], or by asking for the next.
    pub fn last_extent(&self) -> Option<Extent> {
        self.reading.extent()
    }

    fn failed(&self, source: io::Error) -> ArchiveError {
        ArchiveError::Read { file: self.reading.members.problems.file().to_owned(), source }
    }
}

impl<R: Read> Record<'_, R> {
    /// Where it starts in the file; where its member starts, if it is compressed.
    pub fn offset(&self) -> u64 {
        self.reading.offset()
    }

    /// Reads the block, or its first `most` bytes, into `into`, replacing what is there.
    pub fn read_block(&mut self, into: &mut Vec<u8>, most: usize) -> io::Result<Amount> {
        into.clear();
        while into.len() < most && self.reading.read_into(into, most - into.len())? {}
        let over = self.reading.ready()?.is_empty() && !self.reading.cut;
        Ok(if over { Amount::Whole } else { Amount::Cut })
    }

    /// Reads what is left of the block, which was preceded by `start`: the SHA-1 of both together, and their length.
    pub fn digest_from(&mut self, start: &[u8]) -> io::Result<([u8; 20], u64)> {
        let mut hash = Sha1::new_with_prefix(start);
        let mut length = start.len() as u64;
        loop {
            let more = self.reading.ready()?;
            if more.is_empty() {
                return Ok((hash.finalize().into(), length));
            }
            hash.update(more);
            length += more.len() as u64;
            let taken = more.len();
            self.reading.consume(taken);
        }
    }

    /// Skips what is left of the record, and says where it lies.
    pub fn finish(self) -> Result<Option<Extent>, ArchiveError> {
        self.reading.finish().map_err(|source| {
            let file = self.reading.members.problems.file().to_owned();
            ArchiveError::Read { file, source }
        })?;
        Ok(self.reading.extent())
    }
}

impl<R: Read> Read for Record<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let ready = self.reading.ready()?;
        let taken = ready.len().min(into.len());
        into[..taken].copy_from_slice(&ready[..taken]);
        self.reading.consume(taken);
        Ok(taken)
    }
}

impl<R: Read> BufRead for Record<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reading.ready()
    }

    fn consume(&mut self, bytes: usize) {
        self.reading.consume(bytes);
    }
}
