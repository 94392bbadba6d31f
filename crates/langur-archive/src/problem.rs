//! What can be wrong with an archive.
//!
//! What is malformed in a file is data: a [`Problem`] with its place, after which reading goes on. Only
//! what the system says (a disk that fails, a file that is not there) is an [`ArchiveError`].

use std::fmt;
use std::io;
use std::sync::Arc;

use thiserror::Error;

/// Why an archive cannot be read any further.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// The system said no.
    #[error("cannot read {file}: {source}")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        source: io::Error,
    },
}

/// Something malformed in an archive, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: Arc<str>,
    /// Where: of the member, if the file is compressed and the trouble lies inside one; otherwise of
    /// the byte in the file.
    pub offset: u64,
    /// What is wrong.
    pub defect: Defect,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}: {}", self.file, self.offset, self.defect)
    }
}

/// What is wrong at one place of an archive.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Defect {
    /// The compressed data of a member does not make sense.
    #[error("the compressed member is damaged ({0}); what could be read of it was")]
    DamagedMember(String),
    /// The file ends before a member does.
    #[error("a compressed member has no end; it was probably cut short")]
    CutMember,
    /// A member's content is not what it was when it was written.
    #[error("the checksum of the compressed member is wrong")]
    WrongChecksum,
    /// Compressed bytes between members.
    #[error("{0} bytes between compressed members belong to none, and were skipped")]
    StrayBytes(u64),
    /// Bytes between records.
    #[error("{0} bytes belong to no record, and were skipped")]
    Garbage(u64),
    /// So many captures in compressed members that hold other records too. The place is that of the first.
    #[error(
        "captures that share a compressed member with other records, and so cannot be read by range: {0}"
    )]
    SharedMember(u64),
    /// A record's head does not end where a head can end.
    #[error("the head of a record goes on for more than {0} bytes; the record was left out")]
    LongHead(usize),
    /// A record ends inside its head.
    #[error("a record ends inside its head, and was left out")]
    CutHead,
    /// A line of a record's head that is no header.
    #[error("a line in the head of a record is not a header: \"{0}\"")]
    NotAHeader(String),
    /// No empty line between a record's head and its block.
    #[error("there is no empty line between the head of a record and its block")]
    NoEmptyLine,
    /// A header that every record must have.
    #[error("a record has no {0}")]
    Missing(&'static str),
    /// A capture that cannot be asked for.
    #[error("a capture has no {0} that can be read, and was left out")]
    NotToBeFound(&'static str),
    /// A response that is said to be HTTP.
    #[error("a response has no HTTP head; it counts as a page that was there")]
    NoHttpHead,
    /// A length that is not a number.
    #[error(
        "the length of a record is \"{0}\", which is no length; it was read up to the next record"
    )]
    NotALength(String),
    /// A block that is shorter than its head says.
    #[error("a record should have {declared} bytes and has {found}")]
    ShortBlock {
        /// What the head says.
        declared: u64,
        /// What was there.
        found: u64,
    },
    /// Too many problems to keep; some were not listed.
    #[error("and {0} more problems")]
    Unlisted(u64),
}

/// Problems that nobody asked for are not kept without end: a hostile file could have one a byte.
const MOST: usize = 1000;

/// The problems of one file.
pub(crate) struct Problems {
    file: Arc<str>,
    list: Vec<Problem>,
    unlisted: u64,
}

impl Problems {
    pub fn new(file: String) -> Problems {
        Problems { file: file.into(), list: Vec::new(), unlisted: 0 }
    }

    pub fn file(&self) -> &str {
        &self.file
    }

    pub fn report(&mut self, offset: u64, defect: Defect) {
        if self.list.len() < MOST {
            self.list.push(Problem { file: self.file.clone(), offset, defect });
        } else {
            self.unlisted += 1;
        }
    }

    pub fn drain(&mut self) -> Vec<Problem> {
        let mut list = std::mem::take(&mut self.list);
        if self.unlisted > 0 {
            let offset = list.last().map_or(0, |problem| problem.offset);
            let defect = Defect::Unlisted(std::mem::take(&mut self.unlisted));
            list.push(Problem { file: self.file.clone(), offset, defect });
        }
        list
    }
}
