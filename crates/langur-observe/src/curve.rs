//! A crawl as a curve.

use langur_crawl::{Load, Observer, Outcome, Time, Visited};

use crate::MeanScores;

/// At the beginning of a crawl each point has this many times the fetches of the one before: about
/// forty points for each tenfold.
const GROWTH: f64 = 1.0575;
/// Points at equal distances over the whole budget.
const EVEN: u64 = 1000;

/// Fetches over which the recent harvest is taken, as in Gogar (2015).
pub const WINDOW: u64 = 500;

/// How a crawl stood after so many fetches.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Pages fetched.
    pub fetched: u64,
    /// Of these, OK HTML.
    pub ok_html: u64,
    /// Of these, relevant.
    pub relevant: u64,
    /// Pages waiting.
    pub queue: u64,
    /// The most pages that waited since the point before.
    pub queue_max: u64,
    /// Relevant pages among the last [`WINDOW`] fetches.
    pub recent: u64,
    /// How busy it was, in simulated time.
    pub load: Option<Load>,
    /// Mean scores, where a topic is wanted.
    pub relevancy: Option<MeanScores>,
}

/// The numbers of fetches at which crawls are sampled. They depend on the budget alone, so that the
/// curves of different strategies can be compared point by point.
#[derive(Clone, Debug)]
pub struct Grid {
    next: u64,
    budget: u64,
}

impl Grid {
    /// For crawls of at most `budget` fetches.
    pub fn new(budget: u64) -> Grid {
        Grid { next: 1, budget }
    }

    /// Whether to sample after this many fetches, which must be asked for every number in turn.
    #[inline]
    pub fn is_due(&mut self, fetched: u64) -> bool {
        if fetched != self.next {
            return false;
        }
        let step = (self.budget / EVEN).max(1);
        let even = (fetched / step + 1) * step;
        let grown = (fetched as f64 * GROWTH).ceil() as u64;
        self.next = even.min(grown.max(fetched + 1));
        true
    }
}

/// Samples a crawl on the [`Grid`].
#[derive(Clone, Debug)]
pub struct Curve {
    now: Point,
    points: Vec<Point>,
    grid: Grid,
    /// Whether each of the last [`WINDOW`] fetches was relevant, by number of the fetch.
    window: Box<[bool; WINDOW as usize]>,
}

impl Curve {
    /// For a crawl of at most `budget` fetches.
    pub fn new(budget: u64) -> Curve {
        let window = Box::new([false; WINDOW as usize]);
        Curve { now: Point::default(), points: Vec::new(), grid: Grid::new(budget), window }
    }

    /// The points, ending with how the crawl ended.
    pub fn points(mut self) -> Vec<Point> {
        if self.points.last().map(|last| last.fetched) != Some(self.now.fetched) {
            self.points.push(self.now);
        }
        self.points
    }

    /// Counts a fetch, after which so many pages wait.
    #[inline]
    pub fn count(&mut self, ok_html: bool, relevant: bool, waiting: u64) {
        let now = &mut self.now;
        let place = &mut self.window[(now.fetched % WINDOW) as usize];
        now.recent += u64::from(relevant);
        now.recent -= u64::from(std::mem::replace(place, relevant));
        now.fetched += 1;
        now.ok_html += u64::from(ok_html);
        now.relevant += u64::from(relevant);
        now.queue = waiting;
        now.queue_max = now.queue_max.max(waiting);
        if self.grid.is_due(now.fetched) {
            self.points.push(*now);
            now.queue_max = 0;
        }
    }
}

impl<T> Observer<T> for Curve {
    #[inline]
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, _: Time) {
        self.count(visited.outcome == Outcome::OkHtml, visited.is_relevant(), waiting as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recent_harvest_forgets() {
        let mut curve = Curve::new(2000);
        (0..2000).for_each(|fetch| curve.count(true, fetch < 600, 0));
        let points = curve.points();
        let recent = |fetched: u64| {
            points.iter().find(|point| point.fetched == fetched).map(|point| point.recent)
        };
        assert_eq!(recent(10), Some(10));
        assert_eq!(recent(600), Some(500));
        assert_eq!(recent(900), Some(200));
        assert_eq!(recent(1100), Some(0));
    }
}
