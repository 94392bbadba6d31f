//! The words of a text, joined by underscores.

use std::collections::HashMap;

use foldhash::fast::RandomState;

/// The words of a text, joined by underscores: one before each, and one at the end.
///
/// No n-gram reaches over an underscore, so a word that stands in the text a hundred times has the same n-grams a hundred
/// times: it is kept where it stands first, with its number, and half of a page need not be looked at.
pub struct Joined {
    /// Each word once, in the order they come.
    pub text: Vec<u8>,
    /// Where each ends, and how often it stands in the text.
    pub words: Vec<Word>,
    /// How long the text would be with all its words.
    pub length: usize,
}

/// A word with the underscore before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Word {
    pub end: usize,
    pub count: u32,
}

impl Joined {
    /// White space and digits are what is between words. A zero byte ends the text, and so does its second gibibyte.
    ///
    /// The last underscore is missing if the text ends in a word and something between words was more
    /// than a single byte: libTextCat sees the end of its buffer before the end of the text otherwise.
    pub fn of(text: &[u8]) -> Joined {
        let text = &text[..text.len().min(1 << 31)];
        let text = text.split(|byte| *byte == 0).next().unwrap_or(text);
        let mut joined =
            Joined { text: Vec::with_capacity(text.len() + 2), words: Vec::new(), length: 0 };
        let mut known: HashMap<&[u8], usize, _> =
            HashMap::with_capacity_and_hasher(text.len() / 16, RandomState::default());
        let mut words = text.split(is_between).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            joined.length += word.len() + 1;
            // Where the text ends without an underscore, the n-grams of the last word are not those of the others.
            let is_cut =
                words.peek().is_none() && !ends_between(text) && joined.length <= text.len();
            if is_cut {
                joined.push(word);
                return joined;
            }
            match known.get(word) {
                Some(&number) => joined.words[number].count += 1,
                None => {
                    known.insert(word, joined.words.len());
                    joined.push(word);
                }
            }
        }
        joined.length += 1;
        joined.push(b"");
        joined
    }

    fn push(&mut self, word: &[u8]) {
        self.text.push(b'_');
        self.text.extend(word);
        self.words.push(Word { end: self.text.len(), count: 1 });
    }
}

fn is_between(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | b'0'..=b'9')
}

fn ends_between(text: &[u8]) -> bool {
    text.last().is_none_or(is_between)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_by_underscores() {
        for (text, joined) in [
            (&b"one two"[..], &b"_one_two_"[..]),
            (b"  one 2 two\n", b"_one_two_"),
            (b"one  two", b"_one_two"),
            (b"a\0b", b"_a_"),
            (b" 42 ", b"_"),
            (b"", b"_"),
        ] {
            let Joined { text, length, .. } = Joined::of(text);
            assert_eq!((&*text, length), (joined, joined.len()));
        }
    }

    #[test]
    fn words_are_kept_once_but_for_one_that_is_cut() {
        let joined = Joined::of(b"one two one");
        assert_eq!((&*joined.text, joined.length), (&b"_one_two_"[..], b"_one_two_one_".len()));
        let words = [(4, 2), (8, 1), (9, 1)].map(|(end, count)| Word { end, count });
        assert_eq!(joined.words, words);
        assert_eq!(Joined::of(b"one two  one").text, b"_one_two_one");
    }
}
