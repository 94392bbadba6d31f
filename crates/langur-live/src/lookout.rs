//! How a crawl stood a moment ago, while nobody else can say.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::status::Status;

/// Looks after a crawl whose owner waits for a full disk, and so cannot be asked.
#[derive(Debug, Default)]
pub struct Lookout {
    is_full: AtomicBool,
    last: Mutex<Status>,
}

impl Lookout {
    /// The disk is full, or is no more; says whether it was.
    pub fn disk_is_full(&self, full: bool) -> bool {
        self.is_full.swap(full, Ordering::Relaxed)
    }

    /// How the crawl stands now.
    pub fn note(&self, status: &Status) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone_from(status);
    }

    /// How it stands while the disk is full; nothing if it is not, and the crawl itself can be asked.
    pub fn while_full(&self) -> Option<Status> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.is_full.load(Ordering::Relaxed).then(|| Status {
            phase: "paused".to_owned(),
            why: Some("the disk is full; it goes on when there is room".to_owned()),
            ..last()
        })
    }
}
