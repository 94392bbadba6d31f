//! Why something could not be read.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why something could not be read: what, where, and what to do.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The address of the store is not one.
    #[error(
        "\"{address}\" is not a place to read files from: {why}\n  give a folder, file://, http://, https:// or s3://bucket/prefix"
    )]
    Address {
        /// What was given.
        address: String,
        /// What is wrong with it.
        why: String,
    },
    /// The folder is not there, or is none.
    #[error("there is no folder \"{}\"", .0.display())]
    NoFolder(PathBuf),
    /// A name that would lead out of the store, or is none.
    #[error(
        "\"{0}\" is not the name of a file: names are relative, without \"..\" and empty parts"
    )]
    Name(String),
    /// Nothing has this name.
    #[error("{at} is not there{}\n  check the name, or list what is there", answered(.status))]
    NotThere {
        /// Its full address.
        at: String,
        /// What a server answered.
        status: Option<u16>,
    },
    /// It may not be read.
    #[error(
        "{at} may not be read ({said})\n  check its name, which some servers answer like this too if it is wrong, or the credentials (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION)"
    )]
    Denied {
        /// Its full address.
        at: String,
        /// What was answered.
        said: String,
    },
    /// The range does not lie within the file.
    #[error("{at} has no bytes {start} to {end}: it is {} bytes long\n  it was probably cut short, or the index belongs to another version of it", .length.map_or("fewer".to_owned(), |n| n.to_string()))]
    PastTheEnd {
        /// Its full address.
        at: String,
        /// The first byte asked for.
        start: u64,
        /// The end of what was asked for.
        end: u64,
        /// How long it is, where that is known.
        length: Option<u64>,
    },
    /// The server sends whole files only.
    #[error(
        "the server of {at} does not send parts of files\n  use one that knows range requests, or copy the files to a folder"
    )]
    NoRanges {
        /// The full address.
        at: String,
    },
    /// A file too large to be taken whole.
    #[error("{at} is {length} bytes long, and at most {limit} are read at once")]
    TooLarge {
        /// Its full address.
        at: String,
        /// Its length.
        length: u64,
        /// The limit.
        limit: u64,
    },
    /// The server answers something else than the file.
    #[error("{at} cannot be read: the server answered {said}{}", repeated(*.times))]
    Refused {
        /// Its full address.
        at: String,
        /// What was answered.
        said: String,
        /// How often it was asked.
        times: u32,
    },
    /// The server says to come back later than one is ready to wait.
    #[error("{at} cannot be read now: the server asks to wait {seconds} seconds\n  try again then")]
    Later {
        /// Its full address.
        at: String,
        /// How long.
        seconds: u64,
    },
    /// No answer, or a broken one.
    #[error("{at} cannot be reached: {why}{}\n  check the address and the network", repeated(*.times))]
    Unreachable {
        /// Its full address.
        at: String,
        /// What happened.
        why: String,
        /// How often it was asked.
        times: u32,
    },
    /// The server sends elsewhere. Another host is another source, which a reader must choose to trust.
    #[error("{at} is said to be at {to}\n  give that address, if it is the one that is meant")]
    Moved {
        /// Its full address.
        at: String,
        /// Where it is said to be.
        to: String,
    },
    /// It is no longer what it was.
    #[error("{at} was changed while it was being read\n  start again")]
    Changed {
        /// Its full address.
        at: String,
    },
    /// A place that cannot tell what lies there.
    #[error(
        "the files of {0} cannot be listed over plain HTTP\n  name those that are meant, or give the folder or bucket behind it"
    )]
    NoListing(String),
    /// The system said no.
    #[error("cannot read {}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The cache cannot be used.
    #[error("cannot keep files in \"{}\": {source}\n  choose another folder for the cache", .folder.display())]
    Cache {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The network cannot be used at all.
    #[error("cannot start reading from the network: {0}")]
    Network(String),
}

impl StoreError {
    /// Whether it is simply not there.
    pub fn is_not_there(&self) -> bool {
        matches!(self, StoreError::NotThere { .. })
    }
}

impl From<StoreError> for io::Error {
    fn from(error: StoreError) -> io::Error {
        let kind = match &error {
            StoreError::NotThere { .. } => io::ErrorKind::NotFound,
            StoreError::Denied { .. } => io::ErrorKind::PermissionDenied,
            StoreError::PastTheEnd { .. } => io::ErrorKind::UnexpectedEof,
            _ => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}

fn answered(status: &Option<u16>) -> String {
    status.map_or_else(String::new, |status| format!(" ({status})"))
}

fn repeated(times: u32) -> String {
    match times {
        0 | 1 => String::new(),
        times => format!(", {times} times"),
    }
}
