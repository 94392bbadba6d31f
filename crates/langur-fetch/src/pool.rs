//! Connections that wait for the next request to their host.
//!
//! A crawler asks a host for one page at a time, so that one connection a host is enough. A broad
//! crawl meets many hosts once: those connections that have waited longest are closed when there are
//! too many, or when their time is up and another comes to wait.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::pace::after;

/// Connections that wait at a time, whatever the system allows. With fewer, a crawl of sixteen thousand hosts connects half as
/// often again; with half as many again, the system looks long for a port that is free, if all hosts are at one address.
const MOST: usize = 7000;

/// Of the files that a process may have open, so many are for connections that wait: one of this number.
const SHARE: u64 = 2;

/// How many connections may wait. To connect again takes longer than to fetch a page, so there are many; but the other half of
/// the files is for what is under way.
fn most_waiting() -> usize {
    let open = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    open.map_or(MOST, |open| MOST.min((open / SHARE) as usize))
}

/// Which server a connection is to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    pub(crate) secure: bool,
    /// Host and port as they stand in the URL.
    pub(crate) authority: String,
}

/// Connections that wait.
pub(crate) struct Pool<C> {
    time: Duration,
    most: usize,
    waiting: Mutex<Waiting<C>>,
}

struct Waiting<C> {
    connections: HashMap<Place, (C, u64)>,
    /// In the order they came. A connection that was taken leaves its place behind, told by the
    /// number.
    order: VecDeque<(Place, u64, Instant)>,
    next: u64,
}

impl<C> Pool<C> {
    /// For connections that wait so long at most; none does if that is zero.
    pub(crate) fn new(time: Duration) -> Pool<C> {
        Pool::of(time, most_waiting())
    }

    /// For so many.
    fn of(time: Duration, most: usize) -> Pool<C> {
        let (connections, order) = (HashMap::new(), VecDeque::new());
        Pool { time, most, waiting: Mutex::new(Waiting { connections, order, next: 0 }) }
    }

    /// Takes the connection to a place, if one waits.
    pub(crate) fn take(&self, place: &Place) -> Option<C> {
        let (closed, taken);
        {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            closed = waiting.sweep(Instant::now(), self.most);
            taken = waiting.connections.remove(place).map(|(connection, _)| connection);
        }
        drop(closed);
        taken
    }

    /// Lets a connection wait. One to the same place that waits already is closed.
    pub(crate) fn put(&self, place: Place, connection: C) {
        if self.time.is_zero() {
            return;
        }
        let now = Instant::now();
        let (closed, replaced);
        {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let number = waiting.next;
            waiting.next += 1;
            waiting.order.push_back((place.clone(), number, after(now, self.time)));
            replaced = waiting.connections.insert(place, (connection, number));
            closed = waiting.sweep(now, self.most);
        }
        // Closing takes a call of the system each, for which nobody should wait.
        drop((closed, replaced));
    }
}

impl<C> Waiting<C> {
    /// Takes out those whose time is up, and the oldest of too many.
    fn sweep(&mut self, now: Instant, most: usize) -> Vec<C> {
        let mut closed = Vec::new();
        while let Some((place, number, until)) = self.order.front() {
            let waits = self.connections.get(place).is_some_and(|(_, n)| n == number);
            if waits && now < *until && self.connections.len() <= most {
                break;
            }
            if waits {
                closed.extend(self.connections.remove(place).map(|(connection, _)| connection));
            }
            self.order.pop_front();
        }
        // Behind one that waits, the places of those that were taken must not pile up.
        if self.order.len() > 2 * most {
            let connections = &self.connections;
            self.order.retain(|(place, number, _)| {
                connections.get(place).is_some_and(|(_, n)| n == number)
            });
        }
        closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(authority: impl ToString) -> Place {
        Place { secure: false, authority: authority.to_string() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_waits_for_its_time() {
        let pool = Pool::new(Duration::from_secs(30));
        pool.put(place("a"), 1);
        pool.put(place("a"), 2);
        assert_eq!(pool.take(&place("b")), None);
        assert_eq!(pool.take(&place("a")), Some(2));
        assert_eq!(pool.take(&place("a")), None);
        pool.put(place("a"), 3);
        tokio::time::advance(Duration::from_secs(29)).await;
        pool.put(place("b"), 4);
        tokio::time::advance(Duration::from_secs(2)).await;
        assert_eq!(pool.take(&place("a")), None);
        assert_eq!(pool.take(&place("b")), Some(4));
    }

    #[tokio::test(start_paused = true)]
    async fn the_oldest_of_too_many_go() {
        const MOST: usize = 20;
        let pool = Pool::of(Duration::from_secs(30), MOST);
        for number in 0..MOST + 10 {
            pool.put(place(number), number);
        }
        assert_eq!(pool.take(&place(9)), None);
        assert_eq!(pool.take(&place(10)), Some(10));
        // Nor do taken ones pile up.
        for number in 0..10_000 {
            pool.put(place("a"), number);
            assert_eq!(pool.take(&place("a")), Some(number));
        }
        let waiting = pool.waiting.lock().expect("nobody panicked");
        assert!(waiting.order.len() <= 2 * MOST + 1, "{}", waiting.order.len());
    }

    #[tokio::test]
    async fn without_time_none_waits() {
        let pool = Pool::new(Duration::ZERO);
        pool.put(place("a"), 1);
        assert_eq!(pool.take(&place("a")), None);
    }
}
