//! Working on all cores without the number of cores showing in the result.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

/// Parts that may be finished ahead of the one that is wanted next, for each worker. More would only
/// cost memory.
const AHEAD: usize = 4;

/// Makes the parts `0..count` on several threads and hands them to `consume` one after the other, in
/// order, on this thread. At most a few parts are in memory at a time. Each worker has a workshop of
/// its own, made by `workshop`. An error of `consume` stops everything.
pub fn in_order<W, T: Send, E>(
    threads: usize,
    count: usize,
    workshop: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, usize) -> T + Sync,
    mut consume: impl FnMut(usize, T) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.clamp(1, count.max(1));
    let next = AtomicUsize::new(0);
    let shelf = Shelf { state: Mutex::new(State::default()), changed: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut bench = workshop();
                // A worker that panics must not leave the others waiting for its part.
                let _guard = StopOnPanic(&shelf);
                loop {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    if part >= count || !shelf.wait_until_wanted(part, threads * AHEAD) {
                        return;
                    }
                    let made = make(&mut bench, part);
                    shelf.put(part, made);
                }
            });
        }
        for part in 0..count {
            let Some(made) = shelf.take(part) else { break };
            if let Err(error) = consume(part, made) {
                shelf.stop();
                return Err(error);
            }
        }
        Ok(())
    })
}

struct Shelf<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    made: BTreeMap<usize, T>,
    wanted: usize,
    stopped: bool,
}

impl<T> Default for State<T> {
    fn default() -> Self {
        State { made: BTreeMap::new(), wanted: 0, stopped: false }
    }
}

impl<T> Shelf<T> {
    fn wait_until_wanted(&self, part: usize, ahead: usize) -> bool {
        let state = self.state.lock().expect("nobody panics with the lock");
        let state =
            self.changed.wait_while(state, |state| !state.stopped && part >= state.wanted + ahead);
        !state.expect("nobody panics with the lock").stopped
    }

    fn put(&self, part: usize, made: T) {
        self.state.lock().expect("nobody panics with the lock").made.insert(part, made);
        self.changed.notify_all();
    }

    fn take(&self, part: usize) -> Option<T> {
        let state = self.state.lock().expect("nobody panics with the lock");
        let state = self
            .changed
            .wait_while(state, |state| !state.stopped && !state.made.contains_key(&part));
        let mut state = state.expect("nobody panics with the lock");
        let made = state.made.remove(&part);
        state.wanted = part + 1;
        drop(state);
        self.changed.notify_all();
        made
    }

    fn stop(&self) {
        self.state.lock().expect("nobody panics with the lock").stopped = true;
        self.changed.notify_all();
    }
}

struct StopOnPanic<'a, T>(&'a Shelf<T>);

impl<T> Drop for StopOnPanic<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_arrive_in_order_whatever_the_number_of_threads() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            let done: Result<(), ()> = in_order(
                threads,
                100,
                || 0,
                |made, part| {
                    *made += 1;
                    part * part
                },
                |part, square| {
                    assert_eq!(square, part * part);
                    seen.push(part);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert_eq!(seen, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_stops_the_work() {
        let result = in_order(
            2,
            1000,
            || (),
            |(), part| part,
            |part, _| if part == 5 { Err("five") } else { Ok(()) },
        );
        assert_eq!(result, Err("five"));
    }
}
