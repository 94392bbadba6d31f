//! How much of what there is was found, and how soon.

use langur_crawl::{Observer, Time, Visited};

use crate::harvest::ratio;

/// The coverages, in percent, for which the number of fetches is kept.
pub const MILESTONES: [u64; 3] = [50, 90, 99];

/// Coverage: relevant pages fetched over relevant pages in the web space.
#[derive(Clone, Copy, Debug)]
pub struct Coverage {
    relevant: u64,
    found: u64,
    fetched: u64,
    reached: [Option<(u64, Time)>; 3],
    /// The sum, over the fetches so far, of relevant pages found by then.
    area: u128,
}

impl Coverage {
    /// For a web space with so many relevant pages.
    pub fn new(relevant: u64) -> Coverage {
        Coverage { relevant, found: 0, fetched: 0, reached: [None; 3], area: 0 }
    }

    /// The coverage so far.
    pub fn coverage(&self) -> f64 {
        ratio(self.found, self.relevant)
    }

    /// The number of fetches after which each of [`MILESTONES`] was reached, if it was.
    pub fn fetched_at(&self) -> [Option<u64>; 3] {
        self.reached.map(|reached| reached.map(|(fetched, _)| fetched))
    }

    /// When each of [`MILESTONES`] was reached, if it was.
    pub fn time_at(&self) -> [Option<Time>; 3] {
        self.reached.map(|reached| reached.map(|(_, time)| time))
    }

    /// The area under coverage against fetches: the mean coverage over a budget of so many fetches,
    /// the crawl resting once it is done.
    pub fn area(&self, budget: u64) -> f64 {
        let rest = u128::from(budget.saturating_sub(self.fetched)) * u128::from(self.found);
        let most = u128::from(budget) * u128::from(self.relevant);
        if most == 0 { 0.0 } else { (self.area + rest) as f64 / most as f64 }
    }

    /// Counts a fetch.
    #[inline]
    pub fn count(&mut self, relevant: bool, now: Time) {
        self.fetched += 1;
        if relevant {
            self.found += 1;
            for (reached, percent) in self.reached.iter_mut().zip(MILESTONES) {
                if reached.is_none() && self.found * 100 >= percent * self.relevant {
                    *reached = Some((self.fetched, now));
                }
            }
        }
        self.area += u128::from(self.found);
    }
}

impl<T> Observer<T> for Coverage {
    #[inline]
    fn visited(&mut self, visited: &Visited<T>, _: usize, now: Time) {
        self.count(visited.is_relevant(), now);
    }
}
