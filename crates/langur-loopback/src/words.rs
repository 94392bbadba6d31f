//! Words of many languages, in the bytes of many character sets.
//!
//! A page is words of its language in an order of its own: enough for every judge of languages, and as hard to
//! compress as real text. The words come from a few sentences in `words.txt`, in which spaces part the words
//! also of languages that are written without.

use encoding_rs::{Encoding, UTF_8};
use langur_crawl::draw;

/// Languages that put no space between words.
const WITHOUT_SPACES: [&str; 3] = ["th", "ja", "zh"];

/// What is said where the language is not known: nothing that belongs to one.
const NO_LANGUAGE: &str = "10 27 38 41 53 64 76 82 95 117 2003 2004 2005 0.5 1.25 3/4 7/8 24 48 96";

/// Words in a sentence.
const SENTENCE: u64 = 11;

/// The words of one language in one character set.
pub(crate) struct Words {
    words: Vec<Vec<u8>>,
    space: &'static [u8],
}

impl Words {
    /// Words of a language, English ones where there are none, in a character set by its name.
    pub fn new(language: Option<&str>, charset: &str) -> Words {
        let text = language.map_or(NO_LANGUAGE, |language| {
            let (language, _) = language.split_once('-').unwrap_or((language, ""));
            text_in(language).or_else(|| text_in("en")).unwrap_or(NO_LANGUAGE)
        });
        let encoding = Encoding::for_label(charset.as_bytes()).unwrap_or(UTF_8);
        // What a character set lacks is written as HTML has it, `&#3652;`.
        let words = text.split(' ').map(|word| encoding.encode(word).0.into_owned()).collect();
        let is_dense = language.is_some_and(|language| WITHOUT_SPACES.contains(&language));
        Words { words, space: if is_dense { b"" } else { b" " } }
    }

    /// So many words.
    pub fn phrase(&self, out: &mut Vec<u8>, seed: u64, words: u64) {
        for number in 0..words {
            if number > 0 {
                out.extend_from_slice(self.space);
            }
            let at = draw(seed, number) as usize % self.words.len();
            out.extend_from_slice(&self.words[at]);
        }
    }

    /// Sentences until there are so many bytes more, about.
    pub fn text(&self, out: &mut Vec<u8>, seed: u64, bytes: usize) {
        let end = out.len() + bytes;
        for sentence in 0.. {
            if out.len() >= end {
                return;
            }
            self.phrase(out, draw(seed, sentence), SENTENCE);
            out.extend_from_slice(b". ");
        }
    }
}

fn text_in(language: &str) -> Option<&'static str> {
    let lines = include_str!("words.txt").lines();
    let mut lines = lines.filter_map(|line| line.split_once('\t'));
    lines.find_map(|(name, text)| (name == language).then_some(text))
}
