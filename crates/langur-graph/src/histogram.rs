//! Counting in bins that double.

use serde::Serialize;

/// How many pages have a number of something from `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The least.
    pub from: u64,
    /// The most.
    pub to: u64,
    /// Pages.
    pub pages: u64,
}

/// The number of the bin that holds a value of at least 1: 1, 2–3, 4–7, …
pub(crate) fn bin(value: u64) -> usize {
    value.ilog2() as usize
}

/// The least and the most that a bin holds.
pub(crate) fn bounds(bin: usize) -> (u64, u64) {
    (1 << bin, (2 << bin) - 1)
}
