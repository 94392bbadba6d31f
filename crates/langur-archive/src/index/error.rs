//! Why an index could not be used.

use langur_store::StoreError;
use thiserror::Error;

use super::{INDEX, LineError};

/// Why an index could not be used.
#[derive(Debug, Error)]
pub enum IndexError {
    /// It could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is none.
    #[error("there is no index in {0}\n  make one with: langur archive index {0}")]
    NoIndex(String),
    /// There is none of the usual name, where no others can be looked for.
    #[error(
        "there is no {INDEX} at {0}, and plain HTTP cannot tell what else is there\n  name the index with --index, as in --index 2024.cdxj"
    )]
    NotNamed(String),
    /// A folder was named instead.
    #[error("--index {0} is a folder: name the index in it")]
    Folder(String),
    /// Its lines are not in order, so that nothing can be found in it.
    #[error(
        "index {at} is not sorted by its bytes: \"{line}\" comes too late\n  sort it with: LC_ALL=C sort, or make it anew with: langur archive index"
    )]
    NotSorted {
        /// The index.
        at: String,
        /// A line that should stand further up.
        line: String,
    },
    /// It is something else, or too much.
    #[error("{at} cannot be used as an index: {why}")]
    Unusable {
        /// What was taken for an index.
        at: String,
        /// Why it cannot be used.
        why: String,
    },
    /// It is not as it was written.
    #[error(
        "index {at} is damaged: {why}\n  it was probably cut short; copy it again, or make it anew"
    )]
    Damaged {
        /// The index.
        at: String,
        /// What is wrong with it.
        why: String,
    },
    /// There is no line of an index in it.
    #[error(
        "index {at} is damaged, or none at all: of its first lines, none is one of an index ({why})\n  make it anew with: langur archive index, or name those that are meant with --index"
    )]
    NoLine {
        /// The index.
        at: String,
        /// What is wrong with the first.
        why: LineError,
    },
    /// A part of a ZipNum cluster is missing.
    #[error("the part \"{part}\" of index {at} cannot be read: {why}")]
    Part {
        /// The summary of the cluster.
        at: String,
        /// What it calls the part.
        part: String,
        /// Why it cannot be read.
        why: String,
    },
    /// There is no such crawl.
    #[error(
        "Common Crawl has no index of \"{crawl}\" at {base}: {why}\n  is it spelt right? crawls are called like CC-MAIN-2024-22, and https://index.commoncrawl.org/collinfo.json lists them"
    )]
    NoCrawl {
        /// The crawl.
        crawl: String,
        /// Where it was looked for.
        base: String,
        /// What was found instead.
        why: String,
    },
    /// It could not be written.
    #[error("cannot write index {at}: {source}")]
    Write {
        /// The index.
        at: String,
        /// What the system said.
        source: std::io::Error,
    },
}
