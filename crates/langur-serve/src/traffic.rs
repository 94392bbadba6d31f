//! What else is under way: when a client last asked a host, and how many requests a host has now.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clock::Clock;
use crate::recent::Recent;

/// Pairs of a client and a host whose last request is remembered.
const REMEMBERED: usize = 1 << 16;

/// The requests of all clients to all hosts.
pub(crate) struct Traffic {
    clock: Box<dyn Clock>,
    state: Mutex<State>,
}

struct State {
    arrived: u64,
    last_ms: Recent<(String, String), u64>,
    under_way: HashMap<String, u32>,
}

/// A request that has come in.
pub(crate) struct Arrival {
    /// Its number, from 1.
    pub number: u64,
    /// When it came.
    pub at_ms: u64,
    /// How long after the last request of this client to this host.
    pub since_ms: Option<u64>,
    /// How many requests this host has now, with this one.
    pub concurrent: u32,
    /// The request's place among them.
    pub place: Place,
}

/// A request under way to a host, until dropped.
pub(crate) struct Place {
    traffic: Arc<Traffic>,
    host: String,
}

impl Traffic {
    pub fn new(clock: Box<dyn Clock>) -> Arc<Traffic> {
        let state =
            State { arrived: 0, last_ms: Recent::new(REMEMBERED), under_way: HashMap::new() };
        Arc::new(Traffic { clock, state: Mutex::new(state) })
    }

    pub fn arrive(self: &Arc<Traffic>, client: &str, host: &str) -> Arrival {
        let mut state = self.state();
        // The clock is read under the lock, so that numbers and times have the same order.
        let at_ms = self.clock.now_ms();
        state.arrived += 1;
        let number = state.arrived;
        let pair = (client.to_owned(), host.to_owned());
        let since_ms = state.last_ms.get(&pair).map(|last| at_ms.saturating_sub(last));
        state.last_ms.insert(pair, at_ms);
        let under_way = state.under_way.entry(host.to_owned()).or_default();
        *under_way += 1;
        let concurrent = *under_way;
        let place = Place { traffic: Arc::clone(self), host: host.to_owned() };
        Arrival { number, at_ms, since_ms, concurrent, place }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code under this lock can leave the numbers half changed.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut state = self.traffic.state();
        if let Some(under_way) = state.under_way.get_mut(&self.host) {
            *under_way -= 1;
            if *under_way == 0 {
                state.under_way.remove(&self.host);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    struct Ticking(AtomicU64);

    impl Clock for Ticking {
        fn now_ms(&self) -> u64 {
            self.0.fetch_add(100, Ordering::Relaxed)
        }
    }

    #[test]
    fn intervals_are_by_client_and_numbers_under_way_by_host() {
        let traffic = Traffic::new(Box::new(Ticking(AtomicU64::new(0))));
        let first = traffic.arrive("one", "a");
        assert_eq!((first.number, first.since_ms, first.concurrent), (1, None, 1));
        let second = traffic.arrive("two", "a");
        assert_eq!((second.number, second.since_ms, second.concurrent), (2, None, 2));
        drop(first);
        let third = traffic.arrive("one", "a");
        assert_eq!((third.number, third.since_ms, third.concurrent), (3, Some(200), 2));
        let elsewhere = traffic.arrive("one", "b");
        assert_eq!((elsewhere.since_ms, elsewhere.concurrent), (None, 1));
        drop((second, third, elsewhere));
        assert!(traffic.state().under_way.is_empty());
    }
}
