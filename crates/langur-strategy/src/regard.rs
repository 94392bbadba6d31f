//! What the filters of Tamura et al. (2006) think of a server or a directory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use langur_crawl::{Lead, Outcome, Priority, Visited};

use crate::{Arguments, Kind, Parameter};

/// Counts, for every server or directory, the pages downloaded and the relevant ones among them,
/// and decides about links by it. The paper is known to us only as retold by Chan and Yamana (2010).
pub(crate) struct Regard<K> {
    counts: HashMap<K, Counts, BuildHasherDefault<Spread>>,
    theta: f64,
    count_all: bool,
    conservative: bool,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    relevant: u32,
    downloaded: u32,
}

pub(crate) const THETA: Parameter = Parameter {
    name: "theta",
    kind: Kind::Fraction,
    default: "0",
    about: "relevant share of the downloads that makes it a relevant one; 0 means one page is enough. The paper does not say",
};

pub(crate) const COUNT: Parameter = Parameter {
    name: "count",
    kind: Kind::Choice(&["html", "all"]),
    default: "html",
    about: "which downloads count; the paper does not say",
};

impl<K: Hash + Eq + Copy> Regard<K> {
    pub fn new(arguments: &Arguments, conservative: bool) -> Regard<K> {
        let (theta, count_all) = (arguments.fraction("theta"), arguments.word("count") == "all");
        Regard { counts: HashMap::default(), theta, count_all, conservative }
    }

    pub fn visited<T>(&mut self, key: K, visited: &Visited<T>) {
        if self.count_all || visited.outcome == Outcome::OkHtml {
            let counts = self.counts.entry(key).or_default();
            counts.downloaded += 1;
            counts.relevant += u32::from(visited.is_relevant());
        }
    }

    fn is_relevant(&self, counts: Counts) -> bool {
        counts.relevant >= 1
            && f64::from(counts.relevant) >= self.theta * f64::from(counts.downloaded)
    }

    /// Whether a link between two of them should be followed: to a known one if it is relevant; to a
    /// new one always, or (conservative) only from a relevant page of a relevant one.
    pub fn accepts<T>(&self, from: K, visited: &Visited<T>, to: K) -> bool {
        match self.counts.get(&to) {
            Some(&counts) => self.is_relevant(counts),
            None if self.conservative => {
                visited.is_relevant()
                    && self.counts.get(&from).is_some_and(|&counts| self.is_relevant(counts))
            }
            None => true,
        }
    }
}

/// Spreads numbers that are handed out in order, or are hashes already. They come from our own tables,
/// so nobody can choose them to collide.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(u64::from(byte)));
    }
    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }
    fn write_u64(&mut self, number: u64) {
        // The map takes its bucket from the lowest bits and its tag from the highest.
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(26);
    }
}

/// Links of relevant pages go first.
pub(crate) fn lead<T>(from: &Visited<T>) -> Lead<()> {
    Lead { priority: Priority::tier(u8::from(!from.is_relevant())), trail: () }
}
