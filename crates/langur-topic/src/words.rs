//! The words of a text.
//!
//! Two ways to find them. [`Tokens::Published`] is the one of Gogar et al. (2015), to the letter,
//! for their topic vectors. [`Tokens::Unicode`] follows Unicode's word boundaries (UAX 29), with
//! dictionaries for the scripts without spaces: Thai, Lao, Khmer, Burmese, Chinese, Japanese.
//!
//! Both lower-case and leave out English stop words. Stop words of other languages are common words
//! like any other: their idf makes them small.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use icu_segmenter::options::WordBreakInvariantOptions;
use icu_segmenter::{WordSegmenter, WordSegmenterBorrowed};

/// How a text is taken apart into words.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Tokens {
    /// Split on ASCII punctuation and ASCII white space; words with a digit, of less than 3 or more
    /// than 24 UTF-16 units (the authors' Java counts so) and stop words are left out. A curly
    /// apostrophe does not split, and a language without spaces gives no words worth having.
    Published,
    /// Split at Unicode word boundaries; whatever holds no letter is left out, and so are words of
    /// more than 24 characters, stop words, and, in alphabets, words of less than 3.
    Unicode,
}

impl Tokens {
    /// As files and options call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Unicode => "unicode",
        }
    }

    /// The tokeniser of that name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Published, Self::Unicode].into_iter().find(|tokens| tokens.name() == name)
    }

    /// Calls `found` with every word of a text, lower-cased, in order, and tells how long the text
    /// is in words before any were left out.
    pub fn each(self, text: &str, mut found: impl FnMut(&str)) -> usize {
        match self {
            Self::Published => {
                published(text, &mut found);
                text.split_whitespace().count()
            }
            Self::Unicode => unicode(text, &mut found),
        }
    }

    /// The words of a text, counted.
    pub fn bag(self, text: &str) -> Bag {
        let mut bag = Bag::default();
        bag.length = self.each(text, |word| bag.add(word));
        bag
    }
}

/// The words of one text: in order, and how often each occurs.
#[derive(Clone, Debug, Default)]
pub struct Bag {
    index: HashMap<Box<str>, u32>,
    counts: Vec<u32>,
    order: Vec<u32>,
    length: usize,
}

impl Bag {
    /// How often a word occurs.
    pub fn count(&self, word: &str) -> u32 {
        self.number(word).map_or(0, |number| self.counts[number as usize])
    }

    /// How many words there are, repeated ones counted each time, stop words left out: the
    /// *effective words* of Mali and Meshram.
    pub fn total(&self) -> usize {
        self.order.len()
    }

    /// How many words the text has before any are left out.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Every distinct word once, with its count, in the order of first occurrence.
    pub fn distinct(&self) -> Vec<(&str, u32)> {
        let mut words = vec![""; self.counts.len()];
        for (word, &number) in &self.index {
            words[number as usize] = word;
        }
        words.into_iter().zip(self.counts.iter().copied()).collect()
    }

    /// The words in order, as numbers into [`Bag::distinct`].
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The place of a word in [`Bag::distinct`].
    pub fn number(&self, word: &str) -> Option<u32> {
        self.index.get(word).copied()
    }

    fn add(&mut self, word: &str) {
        let number = match self.index.get(word) {
            Some(&number) => number,
            None => {
                let number = self.counts.len() as u32;
                self.index.insert(word.into(), number);
                self.counts.push(0);
                number
            }
        };
        self.counts[number as usize] += 1;
        self.order.push(number);
    }
}

/// A page's text, taken apart at most once by each tokeniser however many topics judge it.
#[derive(Debug)]
pub struct Words<'t> {
    text: &'t str,
    published: OnceCell<Bag>,
    unicode: OnceCell<Bag>,
}

impl<'t> Words<'t> {
    /// The words of a text. Nothing is done until a topic asks.
    pub fn of(text: &'t str) -> Self {
        Self { text, published: OnceCell::new(), unicode: OnceCell::new() }
    }

    /// The words as a tokeniser finds them.
    pub fn by(&self, tokens: Tokens) -> &Bag {
        let bag = match tokens {
            Tokens::Published => &self.published,
            Tokens::Unicode => &self.unicode,
        };
        bag.get_or_init(|| tokens.bag(self.text))
    }
}

/// English function words, written out by class. The authors' list is another of about the same size
/// (that of the Glasgow Information Retrieval group); theirs is not ours to copy.
static STOP_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("stop-words.txt").split_ascii_whitespace().collect());

fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.contains(word)
}

fn published(text: &str, found: &mut impl FnMut(&str)) {
    // Java's \s, which unlike Rust's ASCII white space has the vertical tab.
    let splits = |c: char| c.is_ascii_punctuation() || matches!(c, ' ' | '\t'..='\r');
    let mut lower = String::new();
    for word in text.split(splits) {
        if word.is_empty() || word.bytes().any(|b| b.is_ascii_digit()) {
            continue;
        }
        lower_case(word, &mut lower);
        let units: usize = lower.chars().map(char::len_utf16).sum();
        if (3..25).contains(&units) && !is_stop_word(&lower) {
            found(&lower);
        }
    }
}

/// White space always ends a word, so the text is cut there first, and at the colon, which joins
/// words in Finnish and Swedish alone. What is ASCII in between is cut by hand, and only the rest
/// is given to the segmenter.
fn unicode(text: &str, found: &mut impl FnMut(&str)) -> usize {
    let mut lower = String::new();
    let mut length = 0;
    let mut word = |word: &str| {
        let Some(letter) = word.chars().find(|c| c.is_alphabetic()) else { return };
        length += 1;
        lower_case(word, &mut lower);
        let characters = lower.chars().count();
        // The alphabets, from Latin to Arabic, come before U+0900. In the scripts after it a
        // syllable or two make a word.
        let shortest = if letter < '\u{900}' { 3 } else { 1 };
        if (shortest..25).contains(&characters) && !is_stop_word(&lower) {
            found(&lower);
        }
    };
    for piece in text.split(|c: char| c.is_ascii_whitespace() || c == ':') {
        if piece.is_ascii() {
            ascii_words(piece, &mut word);
        } else {
            segmented_words(piece, &mut word);
        }
    }
    length
}

/// What UAX 29 says of ASCII: letters, digits and underscores join; `'` and `.` join letters to
/// letters and digits to digits; `,` and `;` join digits to digits.
fn ascii_words(piece: &str, found: &mut impl FnMut(&str)) {
    let bytes = piece.as_bytes();
    let joins = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut at = 0;
    while at < bytes.len() {
        if !joins(bytes[at]) {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        while at < bytes.len() {
            if joins(bytes[at]) {
                at += 1;
                continue;
            }
            let (before, after) = (bytes[at - 1], bytes.get(at + 1).copied().unwrap_or(b' '));
            let letters = before.is_ascii_alphabetic() && after.is_ascii_alphabetic();
            let digits = before.is_ascii_digit() && after.is_ascii_digit();
            match bytes[at] {
                b'\'' | b'.' if letters || digits => at += 2,
                b',' | b';' if digits => at += 2,
                _ => break,
            }
        }
        found(&piece[start..at]);
    }
}

/// Constructed once; the dictionaries are compiled in. ICU's neural models for Thai, Lao, Khmer and
/// Burmese (`new_auto`) were 150 times slower, 0.2 against 40 MB/s of Thai, and cut มาก in two.
static SEGMENTER: LazyLock<WordSegmenterBorrowed<'static>> =
    LazyLock::new(|| WordSegmenter::new_dictionary(WordBreakInvariantOptions::default()));

fn segmented_words(piece: &str, found: &mut impl FnMut(&str)) {
    let mut start = 0;
    for (end, kind) in SEGMENTER.segment_str(piece).iter_with_word_type() {
        // A vowel sign on a punctuation mark is a letter to Unicode, but makes no word; and the
        // segmenter does not always say so.
        let begins = piece[start..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        if kind.is_word_like() && begins {
            found(&piece[start..end]);
        }
        start = end;
    }
}

fn lower_case(word: &str, lower: &mut String) {
    lower.clear();
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
    } else if word.chars().any(char::is_uppercase) {
        lower.push_str(&word.to_lowercase());
    } else {
        lower.push_str(word);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(tokens: Tokens, text: &str, expected: &str) {
        let mut words = Vec::new();
        tokens.each(text, |word| words.push(word.to_owned()));
        assert_eq!(words.join(" "), expected);
    }

    #[test]
    fn published_words_are_split_at_ascii_punctuation_alone() {
        check(
            Tokens::Published,
            "The Museum's user’s guide, re-opened",
            "museum user’s guide opened",
        );
        check(Tokens::Published, "one\u{b}two\u{a0}three Linux", "two\u{a0}three linux");
    }

    #[test]
    fn published_words_with_digits_and_short_and_long_ones_are_left_out() {
        check(Tokens::Published, "ubuntu1404 ox cat", "cat");
        let longest = "x".repeat(24);
        check(Tokens::Published, &format!("{longest} {longest}x"), &longest);
    }

    #[test]
    fn unicode_words_of_languages_with_spaces() {
        check(Tokens::Unicode, "L’hôpital d'Été:\u{a0}re-opened 2014", "l’hôpital d'été opened");
        check(
            Tokens::Unicode,
            "Topic:Linux (e.g. www.kernel.org) x_y 3,5",
            "topic linux e.g www.kernel.org x_y",
        );
        check(Tokens::Unicode, "Größe МУЗЕЙ, Ελλάδα", "größe музей ελλάδα");
        check(Tokens::Unicode, "한국 역사 박물관", "한국 역사 박물관");
    }

    #[test]
    fn unicode_words_of_languages_without_spaces() {
        check(Tokens::Unicode, "ภาษาไทยง่ายมาก", "ภาษา ไทย ง่าย มาก");
        check(Tokens::Unicode, "東京都に住んでいます", "東京 都 に 住 んで いま す");
        check(Tokens::Unicode, "我爱北京天安门", "我 爱 北京 天安门");
        check(Tokens::Unicode, "ປະຊາຊົນລາວ", "ປະຊາຊົນ ລາວ");
        check(Tokens::Unicode, "ព្រះរាជាណាចក្រកម្ពុជា", "ព្រះរាជាណាចក្រ កម្ពុជា");
        check(Tokens::Unicode, "မြန်မာဘာသာစကား", "မြန်မာဘာသာ စကား");
        check(Tokens::Unicode, "พิพิธภัณฑ์ Museum กรุงเทพ", "พิพิธภัณฑ์ museum กรุงเทพ");
    }

    #[test]
    fn counts_in_order_of_first_occurrence() {
        let bag = Tokens::Unicode.bag("linux kernel, the linux shell");
        assert_eq!(bag.distinct(), [("linux", 2), ("kernel", 1), ("shell", 1)]);
        assert_eq!((bag.order(), bag.total(), bag.length()), (&[0, 1, 0, 2][..], 4, 5));
        assert_eq!((bag.count("linux"), bag.count("the")), (2, 0));
    }

    proptest! {
        /// The cut at white space and the ASCII cut by hand change nothing.
        #[test]
        fn the_short_cut_agrees_with_the_segmenter(text in "[a-zB-D0-9_'.,;/@# \t\nกขคาé漢字かな-]{0,40}") {
            let (mut short, mut whole) = (Vec::new(), Vec::new());
            let lettered = |word: &str| word.chars().any(char::is_alphabetic);
            let length = unicode(&text, &mut |word| short.push(word.to_owned()));
            segmented_words(&text, &mut |word| if lettered(word) { whole.push(word.to_lowercase()) });
            prop_assert_eq!(length, whole.len());
            whole.retain(|word| short.contains(word));
            prop_assert_eq!(short, whole);
        }

        #[test]
        fn marks_on_punctuation_make_no_words(text in "[#.&a-c\\u{9be}\\u{11347}º漢ก \t]{0,12}") {
            Tokens::Unicode.each(&text, |word| assert!(!word.starts_with('#'), "{word}"));
        }

        #[test]
        fn any_text_gives_words_that_fit_a_line(text in any::<String>()) {
            for tokens in [Tokens::Published, Tokens::Unicode] {
                tokens.each(&text, |word| {
                    assert!(!word.is_empty() && !word.contains(['\t', '\n', '\r', ' ']));
                    assert!(!word.starts_with('#'));
                });
            }
        }
    }
}
