//! Samples of a language, as short as anchors and as long as sentences, drawn from its corpora.

use anyhow::{Context, Result};
use langur_language::features::{LONGEST, Word, words};
use langur_language::letters::{HAN, Letters};
use langur_language::model::kept;

use crate::corpus::{self, Files};
use crate::source::has_frequencies;

/// Lines kept of each source.
const MOST_LINES: usize = 20_000;
/// How many words a sample has.
const LENGTHS: [usize; 10] = [1, 1, 2, 2, 2, 3, 4, 6, 9, 14];

/// What samples of one language are drawn from.
pub struct Samples {
    lines: Vec<String>,
    words: Weighted,
    ngrams: Weighted,
}

/// Texts with the sums of their weights.
#[derive(Default)]
struct Weighted {
    texts: Vec<String>,
    sums: Vec<f64>,
}

impl Weighted {
    fn push(&mut self, text: &str, weight: f64) {
        self.sums.push(self.sums.last().unwrap_or(&0.0) + weight);
        self.texts.push(text.to_owned());
    }

    fn draw(&self, random: &mut Random) -> &str {
        let at = random.fraction() * self.sums.last().expect("there is something to draw from");
        &self.texts[self.sums.partition_point(|&sum| sum <= at).min(self.texts.len() - 1)]
    }
}

impl Samples {
    /// Reads a language's corpora again, as text.
    pub fn read(letters: &Letters, files: &Files) -> Result<Samples> {
        let mut lines = Vec::new();
        for path in &files.texts {
            let text = corpus::text(path)?;
            lines.extend(text.lines().take(MOST_LINES).map(str::to_owned));
        }
        let mut words = Weighted::default();
        for path in &files.words {
            for line in corpus::text(path)?.lines().take(60_000) {
                let (word, frequency) = line.split_once('\t').context("a word, its frequency")?;
                // Rare words come up more often than they would, or few of them would be learned.
                let rare = if has_frequencies(path) { 1.0 } else { 2e-5 };
                words.push(word, (frequency.parse::<f64>()? * rare).powf(0.7));
            }
        }
        let mut ngrams = Weighted::default();
        for path in &files.ngrams {
            for line in corpus::text(path)?.lines() {
                let (gram, frequency) =
                    line.split_once('\t').context("an n-gram, its frequency")?;
                let han = gram.chars().any(|letter| letters.of(letter).0 == HAN);
                let frequency: f64 = frequency.parse()?;
                if gram.chars().count() == (if han { 2 } else { LONGEST }) && frequency > 3e-7 {
                    ngrams.push(gram, frequency);
                }
            }
        }
        Ok(Samples { lines, words, ngrams })
    }

    /// The features of one sample, and its letters.
    pub fn draw(&self, letters: &Letters, random: &mut Random) -> (Vec<u64>, u32) {
        let length = LENGTHS[random.below(LENGTHS.len())];
        let kinds =
            [!self.lines.is_empty(), !self.words.texts.is_empty(), !self.ngrams.texts.is_empty()];
        let (mut numbers, mut count) = (Vec::new(), 0);
        let there: Vec<usize> = (0..3).filter(|&kind| kinds[kind]).collect();
        if there.is_empty() {
            return (numbers, count);
        }
        let kind = there[random.below(there.len())];
        let mut see = |word: Word| {
            word.features(|_, number| numbers.push(kept(number)));
            count += word.count() as u32;
            true
        };
        match kind {
            0 => words(letters, self.fragment(length, random), see),
            1 => (0..length).for_each(|_| words(letters, self.words.draw(random), &mut see)),
            _ => {
                for _ in 0..length {
                    words(letters, self.ngrams.draw(random), |word| {
                        word.inner_features(|number| numbers.push(kept(number)));
                        count += word.count() as u32;
                        true
                    });
                }
            }
        }
        (numbers, count)
    }

    fn fragment(&self, length: usize, random: &mut Random) -> &str {
        let line = &self.lines[random.below(self.lines.len())];
        let starts: Vec<usize> =
            std::iter::once(0).chain(line.match_indices(' ').map(|(at, _)| at + 1)).collect();
        if starts.len() < 3 {
            // Words are not set apart: some letters of the line.
            let letters: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
            let from = random.below(letters.len().max(1));
            let to = (from + 3 * length).min(letters.len());
            return &line[letters.get(from).copied().unwrap_or(0)
                ..letters.get(to).copied().unwrap_or(line.len())];
        }
        let from = random.below(starts.len());
        let to = starts.get(from + length).copied().unwrap_or(line.len());
        &line[starts[from]..to]
    }
}

/// Numbers that look random and are the same in every run.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
