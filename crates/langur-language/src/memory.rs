//! What words said when they were met before.
//!
//! What a word says is the sum of what its n-grams say, whatever stands around it, and a few thousand words make up
//! most of what a crawl reads. So the sums of words that come again are kept, and adding one up takes the place of looking up
//! some thirty n-grams. What is remembered changes no verdict.

use crate::features::Word;
use crate::model::{MOST_LANGUAGES, Model};
use crate::tally::Gathered;

/// How many words are remembered: with 183 languages in 1.6 MB, which a processor's second cache holds most of.
const PLACES: usize = 1 << 12;
/// Longer words seldom come again.
const LONGEST: usize = 15;

/// What words said, for a thread of its own.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The model that said it.
    model: Option<usize>,
    /// The words, by place.
    words: Vec<Key>,
    /// For each place a part of the number of the word that was looked for in vain, which is remembered
    /// when it comes again: most words come once.
    missed: Vec<u32>,
    /// The sums for each place.
    sums: Vec<Sums>,
    /// Whether nothing is to be remembered.
    forgetful: bool,
    /// Room for features, kept from text to text.
    gathered: Gathered,
}

/// What a word says of every language, in steps. A word that is remembered has less than a hundred n-grams of at most 255 steps
/// each, so they fit.
pub(crate) type Sums = [u16; MOST_LANGUAGES];

/// A word, and which of its n-grams are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Key {
    letters: [u16; LONGEST],
    shortest: u16,
}

/// A word to be remembered once its sums are known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    at: usize,
    word: Key,
}

/// What is known of a word.
pub(crate) enum Recalled<'m> {
    /// What it said.
    Sums(&'m Sums),
    /// Nothing; its sums are to be remembered here, if anywhere.
    Nothing(Option<Place>),
}

impl Memory {
    /// A memory that keeps nothing, for a text by itself.
    pub fn none() -> Memory {
        Memory { forgetful: true, ..Memory::default() }
    }

    /// Looks for a word of which n-grams from `shortest` letters on are counted.
    pub(crate) fn recall(&mut self, model: &Model, word: &Word, shortest: u8) -> Recalled<'_> {
        if self.forgetful {
            return Recalled::Nothing(None);
        }
        if self.model != Some(model.identity()) {
            self.begin(model);
        }
        let Some(key) = Key::of(word, shortest) else { return Recalled::Nothing(None) };
        let number = word.number() ^ u64::from(shortest);
        let at = number as usize % PLACES;
        if self.words[at] == key {
            return Recalled::Sums(&self.sums[at]);
        }
        let part = (number >> 32) as u32;
        let again = std::mem::replace(&mut self.missed[at], part) == part;
        Recalled::Nothing(again.then_some(Place { at, word: key }))
    }

    /// Room for the features of a text, to be given back.
    pub(crate) fn lend(&mut self) -> Gathered {
        std::mem::take(&mut self.gathered)
    }

    pub(crate) fn take_back(&mut self, gathered: Gathered) {
        self.gathered = gathered;
    }

    /// Forgets all that another model said.
    fn begin(&mut self, model: &Model) {
        *self = Memory {
            model: Some(model.identity()),
            words: vec![Key::default(); PLACES],
            missed: vec![0; PLACES],
            sums: vec![[0; MOST_LANGUAGES]; PLACES],
            forgetful: false,
            gathered: Gathered::default(),
        };
    }

    /// Remembers a word. Its sums by language, now nothing, are to be filled in.
    pub(crate) fn remember(&mut self, place: &Place) -> &mut Sums {
        self.words[place.at] = place.word;
        let sums = &mut self.sums[place.at];
        sums.fill(0);
        sums
    }
}

impl Key {
    fn of(word: &Word, shortest: u8) -> Option<Key> {
        let within = &word.letters[1..word.letters.len() - 1];
        let mut letters = [0; LONGEST];
        for (to, &from) in letters.get_mut(..within.len())?.iter_mut().zip(within) {
            *to = u16::try_from(from).ok()?;
        }
        Some(Key { letters, shortest: u16::from(shortest) })
    }
}

#[cfg(test)]
mod tests {
    use langur_crawl::Language;
    use proptest::prelude::*;

    use super::*;
    use crate::features::words;
    use crate::letters::{LATIN, Letters};
    use crate::model::{Entry, Known, kept};
    use crate::{Evidence, Judge};

    /// Few words, so that they come again, of scripts with several languages and with one; long ones, too.
    fn texts() -> impl Strategy<Value = Vec<String>> {
        let word = prop::sample::select(vec![
            "the",
            "und",
            "nicht",
            "Straße",
            "год",
            "слово",
            "और",
            "ไทย",
            "日本語",
            "漢字",
            "𐐀𐐁",
            "donaudampfschifffahrtsgesellschaft",
        ]);
        let text = prop::collection::vec(word, 0..60).prop_map(|words| words.join(" "));
        prop::collection::vec(text, 1..12)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn changes_no_verdict(texts in texts()) {
            let judge = judge();
            let mut memory = Memory::default();
            for text in &texts {
                let page = Evidence { text, ..Evidence::default() };
                prop_assert_eq!(judge.page_with(page, &mut memory), judge.page(page));
            }
        }
    }

    fn judge() -> &'static Judge {
        static JUDGE: std::sync::LazyLock<Judge> = std::sync::LazyLock::new(Judge::new);
        &JUDGE
    }

    /// A judge that knows a single word, as one of this language.
    fn knows_nicht(language: u8) -> Judge {
        let known = |tag| Known {
            tag: Language::parse(tag).expect("a tag"),
            scripts: vec![LATIN],
            prior: 0.0,
        };
        let mut number = 0;
        words(&Letters::new(), "nicht", |word| {
            number = kept(word.number());
            true
        });
        let features = [(number, vec![Entry { language, steps: 200 }])];
        let model = Model::write(&["de", "en"].map(known), &features);
        let packed = zstd::encode_all(model.as_slice(), 1).expect("memory takes it");
        Judge::with_model(&packed).expect("a model")
    }

    #[test]
    fn forgets_what_another_model_said() {
        let (german, english) = (knows_nicht(0), knows_nicht(1));
        let mut memory = Memory::default();
        for (judge, tag) in [(&german, "de"), (&english, "en"), (&german, "de")] {
            for _ in 0..3 {
                let page = Evidence { text: "nicht nicht", ..Evidence::default() };
                let language = judge.page_with(page, &mut memory).language;
                assert_eq!(language.expect("an answer").as_str(), tag);
            }
        }
    }
}
