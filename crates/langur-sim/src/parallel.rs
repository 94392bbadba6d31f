//! Working on all cores without the number of cores showing in the result.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex};

/// Parts that may be finished ahead of the one that is wanted next, for each worker. More would only
/// cost memory.
const AHEAD: usize = 4;

/// Makes something of every part on several threads and hands it to `consume` one after the other, in
/// the order of the parts, on this thread. At most a few are in memory at a time. The workers take the
/// parts from the source themselves, one at a time, so that it may be a file that is being read. Each
/// worker has a workshop of its own, made by `workshop`. An error of `consume` stops everything.
pub fn in_order<P, W, T: Send, E>(
    threads: usize,
    source: impl Iterator<Item = P> + Send,
    workshop: impl Fn() -> W + Sync,
    make: impl Fn(&mut W, P) -> T + Sync,
    mut consume: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let most = source.size_hint().1.unwrap_or(usize::MAX);
    let threads = threads.clamp(1, most.max(1));
    // Behind the last part comes the end, once for every worker.
    let parts = source.map(Some).chain(std::iter::repeat_with(|| None)).enumerate();
    let parts = Mutex::new(parts);
    let next = || parts.lock().expect("nobody panics with the lock").next();
    let shelf = Shelf { state: Mutex::new(State::default()), changed: Condvar::new() };
    std::thread::scope(|scope| {
        // Nor may workers wait for what is taken here if nothing is any more.
        let _guard = StopOnPanic(&shelf);
        for _ in 0..threads {
            scope.spawn(|| {
                let mut bench = workshop();
                // A worker that panics must not leave the others waiting for its part.
                let _guard = StopOnPanic(&shelf);
                while let Some((number, part)) = next() {
                    let Some(part) = part else { return shelf.put(number, None) };
                    if !shelf.wait_until_wanted(number, threads * AHEAD) {
                        return;
                    }
                    let made = make(&mut bench, part);
                    shelf.put(number, Some(made));
                }
            });
        }
        for number in 0.. {
            let Some(made) = shelf.take(number) else { break };
            if let Err(error) = consume(made) {
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
    /// What was made of the parts, by number; nothing of the one behind the last.
    made: BTreeMap<usize, Option<T>>,
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

    fn put(&self, part: usize, made: Option<T>) {
        self.state.lock().expect("nobody panics with the lock").made.insert(part, made);
        self.changed.notify_all();
    }

    fn take(&self, part: usize) -> Option<T> {
        let state = self.state.lock().expect("nobody panics with the lock");
        let state = self
            .changed
            .wait_while(state, |state| !state.stopped && !state.made.contains_key(&part));
        let mut state = state.expect("nobody panics with the lock");
        let made = state.made.remove(&part).flatten();
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
            // Where the source ends is not known before.
            let source = (0..).take_while(|part| *part < 100);
            let done: Result<(), ()> = in_order(
                threads,
                source,
                || 0,
                |made, part| {
                    *made += 1;
                    part * part
                },
                |square| {
                    seen.push(square);
                    Ok(())
                },
            );
            assert_eq!(done, Ok(()));
            assert_eq!(seen, (0..100).map(|part| part * part).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "too much")]
    fn whoever_takes_the_parts_may_panic() {
        let take = |part: usize| {
            assert!(part < 5, "too much");
            Ok::<(), ()>(())
        };
        let _ = in_order(2, 0..1000, || (), |(), part| part, take);
    }

    #[test]
    fn an_error_stops_the_work() {
        let stop = |part| if part == 5 { Err("five") } else { Ok(()) };
        assert_eq!(in_order(2, 0..1000, || (), |(), part| part, stop), Err("five"));
    }

    #[test]
    fn nothing_comes_of_nothing() {
        assert_eq!(in_order(2, 0..0, || (), |(), part: u8| part, |_| Err("a part")), Ok(()));
    }
}
