//! The conditions a crawler meets: how slow hosts are, what fails, and what counts as polite.
//!
//! Nothing here is left to chance. How slow a host is and whether a URL fails follow from the seed
//! and the name, so that every crawler meets the same web, in whatever order it comes.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The conditions a crawler meets. By default hosts answer at once, nothing fails, and nothing is
/// called impolite but what robots.txt forbids.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Conditions {
    /// Decides which hosts are slow and which URLs fail.
    pub seed: u64,
    /// How long hosts take to answer.
    pub latency: Latency,
    /// The share of URLs that fail, from 0 to 1; those always fail. A robots.txt never does.
    pub error_rate: f64,
    /// How they fail.
    pub failure: Failure,
    /// What counts as polite.
    pub manners: Manners,
}

/// How long hosts take to answer, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Latency {
    /// They answer at once.
    #[default]
    None,
    /// All take the same time.
    Fixed(u32),
    /// Every host takes its own time, between these two, always the same.
    Spread(u32, u32),
}

/// How a URL fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// With status 503.
    #[default]
    Unavailable,
    /// The connection is closed without an answer.
    Closed,
}

/// What counts as polite. What is not is noted in the request log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manners {
    /// The least time between the beginnings of two requests of a client to a host, in milliseconds.
    pub interval_ms: Option<u64>,
    /// The most requests to a host at a time, of all clients together.
    pub concurrent: Option<u32>,
    /// Whether impolite requests are refused with status 429 and `retry-after`.
    pub refuse: bool,
}

impl Conditions {
    /// How long this host takes to answer.
    pub(crate) fn delay(&self, host: &str) -> Duration {
        let ms = match self.latency {
            Latency::None => 0,
            Latency::Fixed(ms) => ms,
            Latency::Spread(one, other) => {
                let (low, high) = (one.min(other), one.max(other));
                low + (self.share("latency", host) * f64::from(high - low)).round() as u32
            }
        };
        Duration::from_millis(u64::from(ms))
    }

    /// Whether this URL fails.
    pub(crate) fn fails(&self, url: &str) -> bool {
        self.share("failure", url) < self.error_rate
    }

    /// A number from 0 to below 1 for every name, the same for the same seed.
    fn share(&self, of: &str, name: &str) -> f64 {
        let seed = xxh3_64_with_seed(of.as_bytes(), self.seed);
        (xxh3_64_with_seed(name.as_bytes(), seed) >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl Manners {
    pub(crate) fn too_soon(&self, since_ms: Option<u64>) -> bool {
        matches!((self.interval_ms, since_ms), (Some(least), Some(since)) if since < least)
    }

    pub(crate) fn too_many(&self, concurrent: u32) -> bool {
        self.concurrent.is_some_and(|most| concurrent > most)
    }

    /// How many seconds to wait after a request that came `since_ms` after the last.
    pub(crate) fn retry_after(&self, since_ms: Option<u64>) -> u64 {
        let left = self.interval_ms.unwrap_or(0).saturating_sub(since_ms.unwrap_or(0));
        left.div_ceil(1000).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failing(conditions: &Conditions) -> Vec<u32> {
        (0..10_000).filter(|n| conditions.fails(&format!("http://host/{n}"))).collect()
    }

    #[test]
    fn the_same_seed_fails_the_same_urls() {
        let tenth = Conditions { seed: 1, error_rate: 0.1, ..Conditions::default() };
        let failed = failing(&tenth);
        assert!((900..1100).contains(&failed.len()), "{} of 10,000", failed.len());
        assert_eq!(failing(&tenth.clone()), failed);
        assert_ne!(failing(&Conditions { seed: 2, ..tenth.clone() }), failed);
        assert_eq!(failing(&Conditions { error_rate: 0.0, ..tenth.clone() }).len(), 0);
        assert_eq!(failing(&Conditions { error_rate: 1.0, ..tenth }).len(), 10_000);
    }

    #[test]
    fn every_host_has_a_latency_of_its_own() {
        let spread = Conditions { latency: Latency::Spread(100, 500), ..Conditions::default() };
        let delays = (0..1000).map(|n| spread.delay(&format!("host{n}")).as_millis());
        let (low, high) = delays.fold((u128::MAX, 0), |(l, h), d| (l.min(d), h.max(d)));
        assert!((100..110).contains(&low) && (490..=500).contains(&high), "{low} to {high}");
        assert_eq!(spread.delay("host7"), spread.delay("host7"));
    }

    #[test]
    fn a_refused_client_is_told_when_to_come_back() {
        let manners = Manners { interval_ms: Some(5000), ..Manners::default() };
        assert_eq!(manners.retry_after(Some(500)), 5);
        assert_eq!(manners.retry_after(Some(4999)), 1);
        assert_eq!(Manners::default().retry_after(None), 1);
    }
}
