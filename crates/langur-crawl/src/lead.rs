//! Why a page waits.

/// How soon a waiting page should be visited. Smaller is sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub u32);

impl Priority {
    /// Nothing goes before it. A raised host's pages wait here.
    pub const BEST: Priority = Priority(0);

    /// A small-integer priority, 0 being the best.
    pub fn tier(tier: u8) -> Priority {
        Priority(u32::from(tier))
    }

    /// A priority from a score: the higher the score, the sooner. Any two different scores stay
    /// different; NaN is the last of all.
    pub fn score(score: f32) -> Priority {
        if score.is_nan() {
            return Priority(u32::MAX);
        }
        // The bits of floats sort as integers once negative ones are flipped (IEEE 754 totalOrder).
        let bits = (score + 0.0).to_bits();
        let ascending = if bits >> 31 == 0 { bits | 1 << 31 } else { !bits };
        Priority(!ascending)
    }
}

/// Why a page waits in the frontier: how soon it should be visited, and what the strategy remembers
/// of the way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lead<T> {
    /// How soon.
    pub priority: Priority,
    /// What is remembered of the way.
    pub trail: T,
}

/// What a strategy remembers of the way to a page.
///
/// The default is an empty trail: that of a seed.
pub trait Trail: Copy + Default + Send {
    /// Irrelevant pages in a row before the page, for strategies that remember it.
    fn crossed(self) -> Option<u32>;
}

impl Trail for () {
    fn crossed(self) -> Option<u32> {
        None
    }
}

impl Trail for u8 {
    fn crossed(self) -> Option<u32> {
        Some(u32::from(self))
    }
}

/// How a host comes to be regarded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// A relevant server: its waiting pages move to the best priority.
    Raised,
    /// An irrelevant server: its waiting pages are discarded.
    Abandoned,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_scores_come_sooner_and_nan_last() {
        let scores = [
            f32::INFINITY,
            2.0,
            1.0,
            0.5,
            f32::MIN_POSITIVE,
            0.0,
            -0.5,
            -1.0,
            f32::NEG_INFINITY,
            f32::NAN,
        ];
        assert!(scores.is_sorted_by(|a, b| Priority::score(*a) < Priority::score(*b)));
        assert_eq!(Priority::score(0.0), Priority::score(-0.0));
    }
}
