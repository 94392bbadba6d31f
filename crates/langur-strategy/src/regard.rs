//! What the filters of Tamura et al. (2006) think of a server or a directory.

use std::marker::PhantomData;

use langur_crawl::{DirectoryId, HostId, Lead, Outcome, Priority, Visited};

use crate::{Arguments, Kind, Parameter};

/// Counts, for every server or directory, the pages downloaded and the relevant ones among them,
/// and decides about links by it. The paper is known to us only as retold by Chan and Yamana (2010).
pub(crate) struct Regard<K> {
    counts: Vec<Counts>,
    theta: f64,
    count_all: bool,
    conservative: bool,
    of: PhantomData<K>,
}

/// Servers and directories are numbered from 0.
pub(crate) trait Numbered: Copy {
    fn number(self) -> usize;
}

impl Numbered for HostId {
    fn number(self) -> usize {
        self.0 as usize
    }
}

impl Numbered for DirectoryId {
    fn number(self) -> usize {
        self.0 as usize
    }
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

impl<K: Numbered> Regard<K> {
    pub fn new(arguments: &Arguments, conservative: bool) -> Regard<K> {
        let (theta, count_all) = (arguments.fraction("theta"), arguments.word("count") == "all");
        Regard { counts: Vec::new(), theta, count_all, conservative, of: PhantomData }
    }

    pub fn visited<T>(&mut self, key: K, visited: &Visited<T>) {
        if self.count_all || visited.outcome == Outcome::OkHtml {
            if key.number() >= self.counts.len() {
                self.counts.resize(key.number() + 1, Counts::default());
            }
            let counts = &mut self.counts[key.number()];
            counts.downloaded += 1;
            counts.relevant += u32::from(visited.is_relevant());
        }
    }

    fn counts(&self, key: K) -> Counts {
        self.counts.get(key.number()).copied().unwrap_or_default()
    }

    fn is_relevant(&self, counts: Counts) -> bool {
        counts.relevant >= 1
            && f64::from(counts.relevant) >= self.theta * f64::from(counts.downloaded)
    }

    /// Whether a link between two of them should be followed: to a known one if it is relevant; to a
    /// new one always, or (conservative) only from a relevant page of a relevant one.
    pub fn accepts<T>(&self, from: K, visited: &Visited<T>, to: K) -> bool {
        let there = self.counts(to);
        if there.downloaded > 0 {
            return self.is_relevant(there);
        }
        !self.conservative || visited.is_relevant() && self.is_relevant(self.counts(from))
    }
}

/// Links of relevant pages go first.
pub(crate) fn lead<T>(from: &Visited<T>) -> Lead<()> {
    Lead { priority: Priority::tier(u8::from(!from.is_relevant())), trail: () }
}
