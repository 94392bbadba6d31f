//! Across a few irrelevant pages.

use langur_crawl::{Lead, Link, Priority, Strategy, Visited};

use crate::{Arguments, Kind, Named, Parameter, Setting, SpecError};

/// Crosses at most `n` irrelevant pages in a row, as they come or the nearest to relevance first:
/// the limited distance of Somboonviwat, Tamura and Kitsuregawa (2005).
pub struct LimitedDistance {
    limit: u8,
    prioritized: bool,
    strict: bool,
}

impl Strategy for LimitedDistance {
    type Trail = u8; // irrelevant pages in a row on the way here

    fn tiers(&self) -> Option<u8> {
        match (self.prioritized, self.limit) {
            (false, _) => Some(1),
            (true, limit @ ..16) => Some(limit + 1),
            (true, _) => None,
        }
    }

    #[inline]
    fn outlook(&self, from: &Visited<u8>) -> Option<Priority> {
        self.follow(from).map(|lead| lead.priority)
    }

    #[inline]
    fn consider(&mut self, from: &Visited<u8>, _: &impl Link) -> Option<Lead<u8>> {
        self.follow(from)
    }
}

impl LimitedDistance {
    #[inline]
    fn follow(&self, from: &Visited<u8>) -> Option<Lead<u8>> {
        let crossed = if from.is_relevant() { 0 } else { from.lead.trail.saturating_add(1) };
        // "until a number of irrelevant pages, say N, are encountered consecutively" can also be
        // read as fewer than N; then N = 1 is hard-focused.
        let allowed = if self.strict { crossed < self.limit } else { crossed <= self.limit };
        allowed.then(|| self.lead(crossed))
    }

    #[inline]
    fn lead(&self, crossed: u8) -> Lead<u8> {
        Lead {
            priority: Priority::tier(if self.prioritized { crossed } else { 0 }),
            trail: crossed,
        }
    }
}

impl Named for LimitedDistance {
    const NAME: &'static str = "limited-distance";
    const ABOUT: &'static str =
        "crosses at most n irrelevant pages in a row (Somboonviwat et al. 2005)";
    const PARAMETERS: &'static [Parameter] = &[
        Parameter {
            name: "n",
            kind: Kind::Number(0, 100),
            default: "2",
            about: "irrelevant pages in a row that may be crossed",
        },
        Parameter {
            name: "prioritized",
            kind: Kind::Switch,
            default: "false",
            about: "whether the links nearest to a relevant page go first",
        },
        Parameter {
            name: "strict",
            kind: Kind::Switch,
            default: "false",
            about: "read the paper's limit as fewer than n, which makes n=1 hard-focused; it can be read both ways",
        },
    ];
    const VARIANTS: &'static [&'static str] = &[
        "n=1",
        "n=2",
        "n=3",
        "n=4",
        "n=1,prioritized",
        "n=2,prioritized",
        "n=3,prioritized",
        "n=4,prioritized",
    ];

    fn build(arguments: &Arguments, _: &Setting) -> Result<Self, SpecError> {
        Ok(LimitedDistance {
            limit: arguments.number("n") as u8,
            prioritized: arguments.switch("prioritized"),
            strict: arguments.switch("strict"),
        })
    }
}
