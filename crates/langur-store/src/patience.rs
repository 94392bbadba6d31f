//! Asking again.
//!
//! A server that is busy, or a connection that breaks, is no reason to give up a crawl. The waits
//! double, up to a limit, and are shortened by a share that depends on what is asked for, so that many
//! readers do not come back all at once. The share is drawn from a seed: the same run waits the same.

use std::time::Duration;

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// How often to ask again, and how long to wait before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// How often to ask in all.
    pub tries: u32,
    /// How long to wait after the first failure; twice as long after each further one.
    pub first_wait: Duration,
    /// The longest wait. A server that asks for a longer one (`Retry-After`) is given up.
    pub longest_wait: Duration,
    /// What the share by which waits are shortened is drawn from.
    pub seed: u64,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            tries: 6,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(60),
            seed: 0,
        }
    }
}

impl Patience {
    /// Asks once. For tests, and for those who would rather know at once.
    pub const NONE: Patience =
        Patience { tries: 1, first_wait: Duration::ZERO, longest_wait: Duration::ZERO, seed: 0 };

    /// How long to wait after this many failures to get `what`: between half of the doubled wait and
    /// all of it.
    pub(crate) fn wait(&self, what: &str, failures: u32) -> Duration {
        let doubled = 2u32.saturating_pow(failures.saturating_sub(1));
        let whole = self.first_wait.saturating_mul(doubled).min(self.longest_wait);
        let draw = xxh3_64_with_seed(what.as_bytes(), self.seed.wrapping_add(failures.into()));
        whole.mul_f64(0.5 + 0.5 * (draw >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// How long to wait if the server says how long; `None` if that is too long.
    pub(crate) fn told(&self, what: &str, failures: u32, told: Duration) -> Option<Duration> {
        (told <= self.longest_wait).then(|| self.wait(what, failures).max(told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_a_limit_and_are_the_same_in_every_run() {
        let patience = Patience { longest_wait: Duration::from_secs(3), ..Patience::default() };
        let waits = |what| (1..6).map(move |failures| patience.wait(what, failures));
        for (wait, whole) in waits("a").zip([0.5, 1.0, 2.0, 3.0, 3.0]) {
            assert!((0.5 * whole..=whole).contains(&wait.as_secs_f64()), "{wait:?} of {whole}");
        }
        assert!(waits("a").eq(waits("a")));
        assert!(waits("a").ne(waits("b")));
        assert!(patience.wait("a", 1000) <= patience.longest_wait);
    }

    #[test]
    fn a_server_that_says_when_to_come_back_is_obeyed_within_limits() {
        let patience = Patience::default();
        let told = |seconds| patience.told("a", 1, Duration::from_secs(seconds));
        assert_eq!(told(7), Some(Duration::from_secs(7)));
        assert_eq!(told(0), Some(patience.wait("a", 1)));
        assert_eq!(told(3600), None);
    }
}
