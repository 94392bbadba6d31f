//! How a store is read.

use std::path::PathBuf;
use std::time::Duration;

use crate::Patience;

/// How a store is read. The defaults suit public archives read from anywhere.
#[derive(Clone, Debug)]
pub struct StoreOptions {
    /// Where to keep what came over the network; nowhere by default.
    pub cache: Option<CacheFolder>,
    /// How much of it to keep in memory, in bytes. The default is enough for the upper steps of a
    /// binary search over the largest indexes there are.
    pub memory: u64,
    /// How often to ask again, and how long to wait before.
    pub patience: Patience,
    /// Told, in words, when a server is waited for that failed more than once. Nobody is by default.
    pub on_wait: fn(&str),
    /// How long a server may say nothing.
    pub silence: Duration,
    /// The largest file [`Store::read_whole`](crate::Store::read_whole) takes into memory.
    pub largest_whole: u64,
}

impl Default for StoreOptions {
    fn default() -> StoreOptions {
        StoreOptions {
            cache: None,
            memory: 32 << 20,
            patience: Patience::default(),
            on_wait: |_| (),
            silence: Duration::from_secs(30),
            largest_whole: 256 << 20,
        }
    }
}

/// A folder that keeps what came over the network. Any number of processes may share one.
#[derive(Clone, Debug)]
pub struct CacheFolder {
    /// The folder; made if it is not there. Nothing else may lie in it.
    pub folder: PathBuf,
    /// How large it may become, in bytes. What was used least recently goes first.
    pub limit: u64,
}
