//! A crawl as a curve.

use langur_crawl::{Observer, Outcome, Time, Visited};

/// At the beginning of a crawl each point has this many times the fetches of the one before: about
/// forty points for each tenfold.
const GROWTH: f64 = 1.0575;
/// Points at equal distances over the whole budget.
const EVEN: u64 = 1000;

/// How a crawl stood after so many fetches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
}

/// Samples a crawl at numbers of fetches that depend on the budget alone, so that the curves of
/// different strategies can be compared point by point.
#[derive(Clone, Debug)]
pub struct Curve {
    now: Point,
    points: Vec<Point>,
    next: u64,
    budget: u64,
}

impl Curve {
    /// For a crawl of at most `budget` fetches.
    pub fn new(budget: u64) -> Curve {
        Curve { now: Point::default(), points: Vec::new(), next: 1, budget }
    }

    /// The points, ending with how the crawl ended.
    pub fn points(mut self) -> Vec<Point> {
        if self.points.last().map(|last| last.fetched) != Some(self.now.fetched) {
            self.points.push(self.now);
        }
        self.points
    }

    fn sample(&mut self) {
        self.points.push(self.now);
        self.now.queue_max = 0;
        let fetched = self.now.fetched;
        let step = (self.budget / EVEN).max(1);
        let even = (fetched / step + 1) * step;
        let grown = (fetched as f64 * GROWTH).ceil() as u64;
        self.next = even.min(grown.max(fetched + 1));
    }
}

impl<T> Observer<T> for Curve {
    #[inline]
    fn visited(&mut self, visited: &Visited<T>, waiting: usize, _: Time) {
        let now = &mut self.now;
        now.fetched += 1;
        now.ok_html += u64::from(visited.outcome == Outcome::OkHtml);
        now.relevant += u64::from(visited.is_relevant());
        now.queue = waiting as u64;
        now.queue_max = now.queue_max.max(now.queue);
        if now.fetched == self.next {
            self.sample();
        }
    }
}
