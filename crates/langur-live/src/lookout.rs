//! How a crawl stood a moment ago, while nobody else can say.

use std::sync::{Mutex, PoisonError};

use crate::journal::Moment;
use crate::status::Status;

/// Looks after a crawl whose owner waits for a full disk, and so cannot be asked.
#[derive(Debug, Default)]
pub struct Lookout {
    wait: Mutex<Wait>,
    last: Mutex<Status>,
}

/// Waiting for room on the disk.
#[derive(Debug, Default)]
struct Wait {
    /// Since when.
    since: Option<Moment>,
    /// The last one that is over, from when to when.
    over: Option<(Moment, Moment)>,
}

impl Lookout {
    /// The disk is full, or is no more; says whether it was.
    pub fn disk_is_full(&self, full: bool, now: Moment) -> bool {
        let mut wait = self.wait.lock().unwrap_or_else(PoisonError::into_inner);
        let since = wait.since;
        wait.since = full.then(|| since.unwrap_or(now));
        if let (false, Some(since)) = (full, since) {
            let begun = wait.over.map_or(since, |(begun, _)| begun);
            wait.over = Some((begun, now));
        }
        since.is_some()
    }

    /// From when to when the crawl waited since this was last asked.
    pub fn waited(&self) -> Option<(Moment, Moment)> {
        self.wait.lock().unwrap_or_else(PoisonError::into_inner).over.take()
    }

    /// How the crawl stands now.
    pub fn note(&self, status: &Status) {
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone_from(status);
    }

    /// How it stands while the disk is full; nothing if it is not, and the crawl itself can be asked.
    pub fn while_full(&self) -> Option<Status> {
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let is_full = self.wait.lock().unwrap_or_else(PoisonError::into_inner).since.is_some();
        is_full.then(|| Status {
            phase: "paused".to_owned(),
            why: Some("the disk is full; it goes on when there is room".to_owned()),
            ..last()
        })
    }
}
