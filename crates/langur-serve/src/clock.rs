//! What time it is.

use std::time::Instant;

/// A clock that the request log and the politeness checks go by.
pub trait Clock: Send + Sync + 'static {
    /// Milliseconds since the server was started; never less than before.
    fn now_ms(&self) -> u64;
}

/// The time that has really passed.
pub struct SinceStart(Instant);

impl SinceStart {
    /// A clock that stands at zero now.
    pub fn now() -> SinceStart {
        SinceStart(Instant::now())
    }
}

impl Clock for SinceStart {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}
