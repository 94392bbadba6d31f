//! Why a WACZ file could not be written.

use std::io;
use std::path::{Path, PathBuf};

use langur_archive::index::IndexError;
use langur_archive::{ArchiveError, CaptureError};
use langur_store::StoreError;
use thiserror::Error;

/// Why a WACZ file could not be written: what, where, and what to do.
#[derive(Debug, Error)]
pub enum WaczError {
    /// Something is already there.
    #[error("\"{}\" is already there\n  choose another name, or replace it with --force", .0.display())]
    Exists(PathBuf),
    /// There is nothing to pack.
    #[error("there are no .warc.gz or .warc files in {}\n  give the folder of an archive, or of a run of the live crawler", .0.display())]
    NoWarc(PathBuf),
    /// A file would be there in vain, since nothing could be found in it.
    #[error("no index in {folder} knows the captures of {file}\n  make one with: langur archive index {folder}", folder = .folder.display())]
    NotIndexed {
        /// The archive.
        folder: PathBuf,
        /// The file in it.
        file: String,
    },
    /// The index leads out of a file.
    #[error("the index says that {file} has a record at byte {offset}, and it has {length} bytes\n  make the index anew with: langur archive index {folder}", folder = .folder.display())]
    PastTheEnd {
        /// The archive.
        folder: PathBuf,
        /// The file in it.
        file: String,
        /// Where the record should be.
        offset: u64,
        /// How long the file is.
        length: u64,
    },
    /// Two files that would have the same name.
    #[error(
        "{one} and {other} would have the same name: a WACZ file has all WARC files in one folder\n  rename one of them, and make the index anew with langur archive index"
    )]
    SameName {
        /// A file.
        one: String,
        /// Another one.
        other: String,
    },
    /// The main page is not there.
    #[error(
        "the main page {0} is not in the archive\n  name a page that is; langur archive get --list tells whether one is"
    )]
    NoMainPage(String),
    /// The index cannot be used.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A record cannot be read.
    #[error(transparent)]
    Capture(#[from] CaptureError),
    /// A file of the archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The archive cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file of the archive cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system said no.
    #[error("cannot write {}: {source}", .path.display())]
    Write {
        /// What was being written.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl WaczError {
    /// Turns what the system said about reading a path into a [`WaczError`].
    pub(crate) fn reading(path: &Path) -> impl Fn(io::Error) -> WaczError {
        let path = path.to_owned();
        move |source| WaczError::Read { path: path.clone(), source }
    }

    /// Turns what the system said about writing a path into a [`WaczError`].
    pub(crate) fn writing(path: &Path) -> impl Fn(io::Error) -> WaczError {
        let path = path.to_owned();
        move |source| WaczError::Write { path: path.clone(), source }
    }
}
