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
        self.deadline.min(after(Instant::now(), self.head_timeout))
    }
}

/// So much later. A time that no clock will show, for those who set no limit, is in thirty years.
pub(crate) fn after(now: Instant, time: Duration) -> Instant {
    const FAR: Duration = Duration::from_secs(30 * 365 * 86_400);
    now + time.min(FAR)
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
        Some(limits.deadline.min(after(now, limits.idle_timeout)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            deadline: after(Instant::now(), Duration::from_secs(120)),
            head_timeout: Duration::MAX,
            idle_timeout: Duration::from_secs(20),
            min_bytes_per_second: 100,
            max_bytes: u64::MAX,
            max_head: 1000,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_body_is_given_ten_seconds() {
        let (limits, pace) = (limits(), Pace::begin());
        tokio::time::advance(Duration::from_millis(9_999)).await;
        assert!(pace.wait(&limits, 1).is_some());
        tokio::time::advance(Duration::from_millis(1)).await;
        assert_eq!(pace.wait(&limits, 999), None);
        assert_eq!(pace.wait(&limits, 1000), Some(Instant::now() + limits.idle_timeout));
        // It must go on as it began.
        tokio::time::advance(Duration::from_secs(10)).await;
        assert_eq!(pace.wait(&limits, 1999), None);
        assert!(pace.wait(&limits, 2000).is_some());
    }

    #[tokio::test(start_paused = true)]
    async fn the_deadline_stands_above_all() {
        let limits = limits();
        assert_eq!(limits.head_by(), limits.deadline);
        tokio::time::advance(Duration::from_secs(110)).await;
        assert_eq!(Pace::begin().wait(&limits, 0), Some(limits.deadline));
    }
}
