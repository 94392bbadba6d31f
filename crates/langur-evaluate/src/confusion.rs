//! What was taken for what.

use std::collections::BTreeMap;

use serde::Serialize;

/// How often one thing was taken for another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Confusion {
    /// What it is.
    pub is: String,
    /// What it was taken for; nothing if there was no answer.
    pub taken_for: Option<String>,
    /// How often.
    pub times: usize,
}

/// Of one label: how many there are, how many of them were found, and how many were taken for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub all: usize,
    pub right: usize,
    pub taken: usize,
}

/// Counts wrong answers, given as what it is and what it was taken for; the most frequent come first.
pub(crate) fn confusions(wrong: impl Iterator<Item = (String, Option<String>)>) -> Vec<Confusion> {
    let mut times: BTreeMap<(String, Option<String>), usize> = BTreeMap::new();
    wrong.for_each(|pair| *times.entry(pair).or_default() += 1);
    let confusion = |((is, taken_for), times)| Confusion { is, taken_for, times };
    let mut all: Vec<Confusion> = times.into_iter().map(confusion).collect();
    all.sort_by_key(|confusion| std::cmp::Reverse(confusion.times));
    all
}

/// The mean over labels of the harmonic mean of precision and recall.
pub(crate) fn macro_f1<'c>(counts: impl ExactSizeIterator<Item = &'c Counts>) -> f64 {
    let labels = counts.len().max(1) as f64;
    let f1 = |of: &Counts| 2.0 * of.right as f64 / (of.all + of.taken).max(1) as f64;
    // The sum of nothing is -0.
    (counts.map(f1).sum::<f64>() + 0.0) / labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f1_is_the_mean_over_labels() {
        let counts = |all, right, taken| Counts { all, right, taken };
        // Precision 1 and recall 1/2; never found.
        assert_eq!(macro_f1([counts(4, 2, 2), counts(3, 0, 1)].iter()), (2.0 / 3.0) / 2.0);
        assert!(macro_f1([].iter()).is_sign_positive());
    }

    #[test]
    fn the_most_frequent_confusion_comes_first() {
        let wrong = [("a", Some("b")), ("c", None), ("c", None)];
        let wrong = wrong.map(|(is, taken)| (is.to_owned(), taken.map(str::to_owned)));
        let found = confusions(wrong.into_iter());
        assert_eq!((found[0].is.as_str(), found[0].times), ("c", 2));
        assert_eq!((found[1].taken_for.as_deref(), found[1].times), (Some("b"), 1));
    }
}
