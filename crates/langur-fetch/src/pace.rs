//! How long a body is waited for.

use std::time::Duration;

use tokio::time::Instant;

/// How long a body may come slowly before it is judged.
const GRACE: Duration = Duration::from_secs(10);

/// The limits of one exchange.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// When everything ends.
    pub(crate) deadline: Instant,
    pub(crate) head_timeout: Duration,
    pub(crate) idle_timeout: Duration,
    pub(crate) min_bytes_per_second: u64,
    pub(crate) max_bytes: u64,
    pub(crate) max_head: usize,
}

/// The pace of a body since it began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    began: Instant,
}

impl Limits {
    /// When a head is to have come that is asked for now.
    pub(crate) fn head_by(&self) -> Instant {
        self.deadline.min(Instant::now() + self.head_timeout)
    }
}

impl Pace {
    pub(crate) fn begin() -> Pace {
        Pace { began: Instant::now() }
    }

    /// Until when to wait for more of a body of which so many bytes have come; nothing if it is too
    /// slow already.
    pub(crate) fn wait(&self, limits: &Limits, bytes: usize) -> Option<Instant> {
        let now = Instant::now();
        let lasted = now - self.began;
        let wanted = u128::from(limits.min_bytes_per_second) * lasted.as_millis() / 1000;
        if lasted >= GRACE && (bytes as u128) < wanted {
            return None;
        }
        Some(limits.deadline.min(now + limits.idle_timeout))
    }
}
