//! How relevant the fetched pages are, by their scores.

use langur_crawl::{Observer, Time, Visited};
use serde::{Deserialize, Serialize};

use crate::{Grid, WINDOW};

/// The relevancy of a crawl, as Gogar (2015) measures it: mean scores of the pages it fetched. Pages that
/// are not OK HTML count with a score of 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeanScores {
    /// Of all fetches so far: overall relevancy.
    pub overall: f64,
    /// Of the last [`WINDOW`] fetches: sliding-window relevancy.
    pub recent: f64,
}

/// Samples relevancy on the same [`Grid`] as [`Curve`](crate::Curve).
///
/// Scores are added up as whole numbers, so that what leaves the window takes away exactly what it had
/// brought.
#[derive(Clone, Debug)]
pub struct Relevancy {
    fetched: u64,
    sum: u64,
    recent_sum: u64,
    window: Box<[u32; WINDOW as usize]>,
    grid: Grid,
    samples: Vec<MeanScores>,
    sampled_at: u64,
}

/// A score of 1 as a whole number.
const FULL: f64 = (1_u32 << 31) as f64;

impl Relevancy {
    /// For a crawl of at most `budget` fetches.
    pub fn new(budget: u64) -> Relevancy {
        Relevancy {
            fetched: 0,
            sum: 0,
            recent_sum: 0,
            window: Box::new([0; WINDOW as usize]),
            grid: Grid::new(budget),
            samples: Vec::new(),
            sampled_at: 0,
        }
    }

    /// How it stands.
    pub fn now(&self) -> MeanScores {
        let mean = |sum: u64, of: u64| sum as f64 / FULL / of.max(1) as f64;
        MeanScores {
            overall: mean(self.sum, self.fetched),
            recent: mean(self.recent_sum, self.fetched.min(WINDOW)),
        }
    }

    /// The samples, one for each point of the curve, ending with how the crawl ended.
    pub fn samples(mut self) -> Vec<MeanScores> {
        if self.samples.is_empty() || self.sampled_at != self.fetched {
            self.samples.push(self.now());
        }
        self.samples
    }

    /// Counts a fetch.
    #[inline]
    pub fn count(&mut self, score: f32) {
        let score = (f64::from(score).clamp(0.0, 1.0) * FULL).round() as u32;
        let place = &mut self.window[(self.fetched % WINDOW) as usize];
        self.recent_sum += u64::from(score);
        self.recent_sum -= u64::from(std::mem::replace(place, score));
        self.sum += u64::from(score);
        self.fetched += 1;
        if self.grid.is_due(self.fetched) {
            self.samples.push(self.now());
            self.sampled_at = self.fetched;
        }
    }
}

impl<T> Observer<T> for Relevancy {
    #[inline]
    fn visited(&mut self, visited: &Visited<T>, _: usize, _: Time) {
        self.count(visited.judgement.relevance.score);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Curve;

    #[test]
    fn means_are_over_all_and_over_the_last_500() {
        let (mut relevancy, mut curve) = (Relevancy::new(2000), Curve::new(2000));
        for fetch in 0..1999 {
            let score = if fetch < 600 { 0.75 } else { 0.25 };
            relevancy.count(score);
            curve.count(true, score > 0.4, 0);
        }
        let (points, samples) = (curve.points(), relevancy.samples());
        assert_eq!(points.len(), samples.len());
        let at = |fetched: u64| {
            let place = points.iter().position(|point| point.fetched == fetched);
            samples[place.expect("a point of the grid")]
        };
        assert_eq!(at(10), MeanScores { overall: 0.75, recent: 0.75 });
        assert_eq!(
            at(1000),
            MeanScores { overall: (600.0 * 0.75 + 400.0 * 0.25) / 1000.0, recent: 0.35 }
        );
        assert_eq!(at(1100).recent, 0.25);
        assert_eq!(points.last().map(|point| point.fetched), Some(1999));
    }
}
