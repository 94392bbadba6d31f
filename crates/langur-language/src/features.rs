//! What the model counts: the n-grams of words, and words.
//!
//! A word is a run of letters of one script. Its n-grams are those of one to five letters, with a sign
//! for the word's two ends; scripts that write Chinese characters have those of one and two, without
//! ends. Every feature is known by a 64-bit number alone.

use crate::letters::{HAN, Letters, MARK, ScriptNumber};

/// The longest n-gram.
pub const LONGEST: usize = 5;
/// Letters of a word beyond this are a word of their own, so that no run is without end.
const LONGEST_WORD: usize = 30;
/// The sign for the end of a word.
const END: u32 = 1;

/// The kinds of features, each with probabilities of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// n-grams inside words, by length.
    Inner(u8),
    /// n-grams that begin or end a word, by length.
    Edge(u8),
    /// Whole words.
    Word,
}

impl Kind {
    /// The letters of an n-gram, its ends counted; a word is longer than any.
    #[inline]
    pub fn length(self) -> u8 {
        match self {
            Kind::Inner(length) | Kind::Edge(length) => length,
            Kind::Word => u8::MAX,
        }
    }
}

/// A run of letters of one script, in small letters, with room for its ends.
#[derive(Debug)]
pub struct Word<'w> {
    /// The script of its letters.
    pub script: ScriptNumber,
    /// END, letters, END.
    pub letters: &'w [u32],
}

/// Hands every word of a text to `see`, until it answers `false`.
pub fn words(letters: &Letters, text: &str, mut see: impl FnMut(Word) -> bool) {
    let mut run = [END; LONGEST_WORD + 2];
    let (mut len, mut script) = (0, 0);
    for letter in text.chars() {
        let (of, small) = letters.of(letter);
        if of == MARK && len > 0 && len < LONGEST_WORD {
            len += 1;
            run[len] = small;
            continue;
        }
        if (of != script || len == LONGEST_WORD) && len > 0 {
            run[len + 1] = END;
            if !see(Word { script, letters: &run[..len + 2] }) {
                return;
            }
            len = 0;
        }
        script = of;
        if of != 0 && of != MARK {
            len += 1;
            run[len] = small;
        }
    }
    if len > 0 {
        run[len + 1] = END;
        see(Word { script, letters: &run[..len + 2] });
    }
}

impl Word<'_> {
    /// The number of letters.
    pub fn count(&self) -> usize {
        self.letters.len() - 2
    }

    /// The number of the word as a whole.
    #[inline]
    pub fn number(&self) -> u64 {
        Hash::of(self.letters)
    }

    /// Hands every feature of the word to `see`.
    #[inline]
    pub fn features(&self, mut see: impl FnMut(Kind, u64)) {
        if self.script == HAN {
            return self.han(see);
        }
        let letters = self.letters;
        for start in 0..letters.len() {
            let mut hash = Hash::new();
            for (length, &letter) in letters[start..].iter().take(LONGEST).enumerate() {
                hash.add(letter);
                let end = start + length + 1;
                let edge = start == 0 || end == letters.len();
                // The sign for an end is no feature by itself.
                if edge && length == 0 {
                    continue;
                }
                let length = length as u8 + 1;
                see(if edge { Kind::Edge(length) } else { Kind::Inner(length) }, hash.done());
            }
        }
        // Shorter words are n-grams with both ends.
        if letters.len() > LONGEST {
            see(Kind::Word, self.number());
        }
    }

    /// Hands every n-gram inside the word to `see`, as if the word went on at both ends.
    pub fn inner_features(&self, mut see: impl FnMut(u64)) {
        self.features(|kind, number| {
            if matches!(kind, Kind::Inner(_)) {
                see(number);
            }
        });
    }

    fn han(&self, mut see: impl FnMut(Kind, u64)) {
        let letters = &self.letters[1..self.letters.len() - 1];
        for start in 0..letters.len() {
            let mut hash = Hash::new();
            for (length, &letter) in letters[start..].iter().take(2).enumerate() {
                hash.add(letter);
                see(Kind::Inner(length as u8 + 1), hash.done());
            }
        }
    }
}

/// The number of an n-gram inside a word, given as text.
pub fn ngram(letters: &Letters, text: &str) -> u64 {
    let mut hash = Hash::new();
    text.chars().for_each(|letter| hash.add(letters.of(letter).1));
    hash.done()
}

/// The number of a feature.
#[derive(Clone, Copy)]
struct Hash(u64);

impl Hash {
    fn new() -> Hash {
        Hash(0x9e37_79b9_7f4a_7c15)
    }

    #[inline]
    fn add(&mut self, letter: u32) {
        self.0 = (self.0.rotate_left(23) ^ u64::from(letter)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    }

    #[inline]
    fn done(self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn of(letters: &[u32]) -> u64 {
        let mut hash = Hash::new();
        letters.iter().for_each(|&letter| hash.add(letter));
        hash.done()
    }
}
