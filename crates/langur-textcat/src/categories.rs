//! Which profile is nearest.

use crate::index::Index;
use crate::joined::Joined;
use crate::ngrams::commonest;
use crate::profile::GRAMS;
use crate::{Profile, Symbols};

/// What an n-gram costs that the profile does not have.
const OUT_OF_PLACE: u32 = 400;

/// As many as there are numbers for.
const MOST: usize = 1 << 16;

/// Profiles by name, and how to decide among them.
#[derive(Clone, Debug)]
pub struct Categories {
    options: Options,
    names: Vec<String>,
    index: Index,
}

/// How a text's category is decided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// What n-grams are made of.
    pub symbols: Symbols,
    /// Categories are listed whose distance is less than so many times the smallest. libTextCat
    /// and exttextcat have 1.03, the original TextCat 1.05.
    pub within: f64,
    /// With more candidates than this, the category is unknown.
    pub most_candidates: usize,
    /// Texts of fewer bytes are too short. libTextCat has 25, exttextcat 1.
    pub min_bytes: usize,
}

impl Options {
    /// Those of libTextCat 2.2.
    pub const LIBTEXTCAT: Self =
        Self { symbols: Symbols::Bytes, within: 1.03, most_candidates: 5, min_bytes: 25 };

    /// Those of exttextcat 3.4.5.
    pub const EXTTEXTCAT: Self = Self { symbols: Symbols::Utf8, min_bytes: 1, ..Self::LIBTEXTCAT };
}

/// What a text is.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict<'c> {
    /// There is too little of it.
    TooShort,
    /// Too many categories are about as near.
    Unknown,
    /// One of these, the nearest first, and each once. Never empty.
    Candidates(Vec<&'c str>),
}

impl Categories {
    /// These profiles, of which the first 65,536 count. Several may have one name.
    pub fn new(profiles: impl IntoIterator<Item = (String, Profile)>, options: Options) -> Self {
        let (names, profiles): (Vec<_>, Vec<_>) = profiles.into_iter().take(MOST).unzip();
        Self { options, names, index: Index::new(&profiles) }
    }

    /// Decides as libTextCat does, except that the nearest category is always a candidate.
    /// (libTextCat compares with a rounded threshold, and for tiny distances finds none.)
    pub fn classify(&self, text: &[u8]) -> Verdict<'_> {
        let Some(distances) = self.distances(text) else { return Verdict::TooShort };
        let Some(&best) = distances.iter().min() else { return Verdict::Unknown };
        let threshold = (f64::from(best) * self.options.within) as u32;
        let mut near: Vec<(u32, &str)> = distances
            .into_iter()
            .zip(&self.names)
            .filter(|(distance, _)| *distance == best || *distance < threshold)
            .map(|(distance, name)| (distance, &**name))
            .collect();
        if near.len() > self.options.most_candidates {
            return Verdict::Unknown;
        }
        near.sort_by_key(|(distance, _)| *distance);
        let mut names: Vec<&str> = Vec::with_capacity(near.len());
        for (_, name) in near {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        Verdict::Candidates(names)
    }

    /// How much the text's n-grams are out of place in each profile, in the order the profiles were
    /// given; None if the text is too short. The sum, over the text's n-grams, of the difference in
    /// rank, or of 400 where the profile lacks the n-gram.
    pub fn distances(&self, text: &[u8]) -> Option<Vec<u32>> {
        let joined = Joined::of(text);
        // libTextCat counts the zero byte at the end of the joined text.
        if text.len().min(joined.length + 1) < self.options.min_bytes {
            return None;
        }
        let grams = commonest(&joined, self.options.symbols, GRAMS);
        let mut distances = vec![OUT_OF_PLACE * grams.len() as u32; self.names.len()];
        // All are looked up before any is counted, so that memory is waited for once and not for each.
        let found: Vec<_> = grams.into_iter().map(|gram| self.index.of(gram)).collect();
        for (rank, entries) in (0u16..).zip(found) {
            for entry in entries {
                let out_of_place = u32::from(entry.rank.abs_diff(rank));
                distances[usize::from(entry.profile)] -= OUT_OF_PLACE - out_of_place;
            }
        }
        Some(distances)
    }

    /// What n-grams are made of.
    pub fn symbols(&self) -> Symbols {
        self.options.symbols
    }

    /// The names, in the order the profiles were given.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }
}

/// The fingerprint files that a configuration (`fpdb.conf`, `conf.txt`) lists, with the names of their
/// categories. A `#` starts a comment; a line without two columns is skipped.
pub fn parse_conf(conf: &str) -> Vec<(&str, &str)> {
    conf.lines()
        .map(|line| line.split('#').next().unwrap_or(line))
        .filter_map(|line| {
            let mut columns = line.split_ascii_whitespace();
            Some((columns.next()?, columns.next()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn categories(texts: &[(&str, &str)], options: Options) -> Categories {
        let learn = |text: &str| Profile::learn(text.as_bytes(), options.symbols);
        Categories::new(texts.iter().map(|(name, text)| ((*name).to_owned(), learn(text))), options)
    }

    const ENGLISH: &str = "all human beings are born free and equal in dignity and rights they are \
        endowed with reason and conscience and should act towards one another in a spirit";
    const GERMAN: &str = "alle menschen sind frei und gleich an würde und rechten geboren sie sind \
        mit vernunft und gewissen begabt und sollen einander im geiste begegnen";
    const THAI: &str = "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม";

    #[test]
    fn finds_the_language() {
        let texts = [("english", ENGLISH), ("german", GERMAN), ("thai", THAI)];
        for options in [Options::LIBTEXTCAT, Options::EXTTEXTCAT] {
            let categories = categories(&texts, options);
            let classify = |text: &str| {
                categories.classify(text.as_bytes()) == Verdict::Candidates(vec!["german"])
            };
            assert!(classify("und sie sind alle gleich an rechten"));
            let thai = categories.classify("มนุษย์มีสิทธิและเสรีภาพ".as_bytes());
            assert_eq!(thai, Verdict::Candidates(vec!["thai"]));
        }
    }

    /// `_ab_` has nine n-grams, `_` being the commonest. What the text lacks costs nothing.
    #[test]
    fn ranks_out_of_place_are_summed() {
        let options = Options { min_bytes: 0, ..Options::LIBTEXTCAT };
        let profile = |lm: &[u8]| ("x".to_owned(), Profile::parse(lm));
        let profiles = [profile(b"_\n"), profile(b"x\ny\nz\n_\n"), profile(b"x\n")];
        let categories = Categories::new(profiles, options);
        assert_eq!(categories.distances(b"ab"), Some(vec![8 * 400, 3 + 8 * 400, 9 * 400]));
    }

    #[test]
    fn candidates_near_the_best_are_listed_and_too_many_are_unknown() {
        let five: Vec<_> = ["a", "b", "c", "d", "e"].map(|name| (name, ENGLISH)).to_vec();
        let verdict = |texts: &[_]| match categories(texts, Options::LIBTEXTCAT)
            .classify(GERMAN.as_bytes())
        {
            Verdict::Candidates(names) => names.concat(),
            other => format!("{other:?}"),
        };
        assert_eq!(verdict(&five), "abcde");
        let six = [&five[..], &[("f", ENGLISH)]].concat();
        assert_eq!(verdict(&six), "Unknown");
        let nearest = [&six[..], &[("g", GERMAN)]].concat();
        assert_eq!(verdict(&nearest), "g");
    }

    #[test]
    fn short_texts_are_not_judged() {
        let short = |options, text: &[u8]| {
            categories(&[("english", ENGLISH)], options).classify(text) == Verdict::TooShort
        };
        assert!(short(Options::LIBTEXTCAT, b"twenty four bytes are 24"));
        assert!(!short(Options::LIBTEXTCAT, b"twenty five bytes are xxv"));
        assert!(short(Options::LIBTEXTCAT, &[b' '; 100]));
        assert!(short(Options::EXTTEXTCAT, b""));
    }

    #[test]
    fn reads_a_configuration() {
        let conf = "# languages\nLM/thai.lm\tthai # of Thailand\n\nlonely\nen.lm    en--utf8\n";
        assert_eq!(parse_conf(conf), [("LM/thai.lm", "thai"), ("en.lm", "en--utf8")]);
    }

    proptest! {
        #[test]
        fn any_bytes_get_a_verdict(text in prop::collection::vec(any::<u8>(), 0..200), lm in prop::collection::vec(any::<u8>(), 0..200)) {
            let profile = Profile::parse(&lm);
            for options in [Options::LIBTEXTCAT, Options::EXTTEXTCAT] {
                _ = Categories::new([("x".to_owned(), profile.clone())], options).classify(&text);
                _ = Categories::new([], options).classify(&text);
            }
        }
    }
}
