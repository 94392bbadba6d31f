//! The commonest n-grams of a language, in order.

use std::collections::HashSet;

use crate::Symbols;
use crate::joined::Joined;
use crate::ngrams::commonest;

/// How many n-grams a profile has: Cavnar and Trenkle's 300 to 400.
pub(crate) const GRAMS: usize = 400;

/// Longer n-grams in a file are skipped, as exttextcat does: five characters of four bytes.
const LONGEST: usize = 20;

/// N-grams, the commonest first.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Profile {
    grams: Vec<Box<[u8]>>,
}

impl Profile {
    /// The profile of a text.
    pub fn learn(text: &[u8], symbols: Symbols) -> Self {
        let joined = Joined::of(text);
        let grams = commonest(&joined, symbols, GRAMS);
        Self { grams: grams.into_iter().map(Into::into).collect() }
    }

    /// Reads a fingerprint file (`.lm`) of libTextCat, TextCat or exttextcat: an n-gram a line, the
    /// commonest first, with or without its count after a space or a tab. What comes after 400
    /// n-grams is not read, and of an n-gram that stands twice the first counts.
    pub fn parse(file: &[u8]) -> Self {
        let mut seen = HashSet::new();
        let grams = file
            .split(|byte| *byte == b'\n')
            .map(|line| line.trim_ascii())
            .map(|line| line.split(|byte| matches!(byte, b' ' | b'\t')).next().unwrap_or(line))
            .filter(|gram| !gram.is_empty() && gram.len() <= LONGEST && seen.insert(*gram))
            .take(GRAMS)
            .map(Into::into)
            .collect();
        Self { grams }
    }

    /// Writes what [`Profile::parse`] reads, without counts, as libTextCat's `createfp`.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.grams.iter().flat_map(|gram| [&**gram, b"\n"].concat()).collect()
    }

    /// The n-grams, the commonest first.
    pub fn grams(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.grams.iter().map(|gram| &**gram)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn reads_files_with_counts_and_without() {
        let profile = Profile::parse(b"_\t 20326\ne 6617\r\nth\n\n\xa1\xd2\t5\ne 3\n");
        let grams: Vec<_> = profile.grams().collect();
        assert_eq!(grams, [&b"_"[..], b"e", b"th", b"\xa1\xd2"]);
    }

    #[test]
    fn reads_400_n_grams_and_no_more() {
        let file: String = (0..500).map(|at| format!("g{at}\n")).collect();
        assert_eq!(Profile::parse(file.as_bytes()).grams().len(), 400);
    }

    proptest! {
        #[test]
        fn learned_profiles_round_trip(text in prop::collection::vec(any::<u8>(), 0..500)) {
            for symbols in [Symbols::Bytes, Symbols::Utf8] {
                let profile = Profile::learn(&text, symbols);
                prop_assert_eq!(Profile::parse(&profile.to_bytes()), profile);
            }
        }
    }
}
