//! The sums that a text's features give.

use langur_crawl::Language;

use crate::features::words;
use crate::hints::Hints;
use crate::letters::{Letters, ScriptNumber};
use crate::model::{Known, Model, STEP, kept};

/// A long text is read in this many windows, evenly spread.
const WINDOWS: usize = 12;
/// Bytes of a window.
const WINDOW: usize = 240;

/// The sums over the words of one script.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The script.
    pub script: ScriptNumber,
    /// Letters of this script.
    pub letters: u32,
    /// Letters whose features were counted.
    pub counted: u32,
    /// Sums by language, in steps.
    pub steps: Vec<u32>,
}

/// How sure one may be of sums of features that are not independent of each other: the more there
/// are, the more of them say the same.
#[derive(Clone, Copy, Debug)]
pub struct Calibration {
    /// Divides the sums.
    pub scale: f32,
    /// How the divisor grows with the number of letters.
    pub growth: f32,
}

impl Calibration {
    /// What the model is refined with.
    pub const DEFAULT: Calibration = Calibration { scale: 2.0, growth: 0.3 };

    /// What sums over so many letters are divided by.
    pub fn divisor(self, letters: u32) -> f32 {
        self.scale * (letters.max(1) as f32).powf(self.growth)
    }
}

/// A text by script, and by window where it is long.
#[derive(Debug, Default)]
pub struct Windows {
    /// All of the text.
    pub scripts: Vec<Tally>,
    /// The windows, each once for every script in it.
    pub parts: Vec<Tally>,
}

impl Windows {
    /// Counts letters in all of the text, and features in all of it or in windows.
    pub fn read(model: &Model, letters: &Letters, text: &str) -> Windows {
        let mut windows = Windows::default();
        if text.len() <= WINDOWS * WINDOW {
            tally(model, letters, text, &mut windows.scripts);
            for piece in pieces(text, WINDOW) {
                if text.len() > 2 * WINDOW {
                    let from = windows.parts.len();
                    tally_from(model, letters, piece, &mut windows.parts, from);
                }
            }
            return windows;
        }
        let step = text.len() / WINDOWS;
        for number in 0..WINDOWS {
            let piece = word_piece(text, number * step, WINDOW);
            let from = windows.parts.len();
            tally_from(model, letters, piece, &mut windows.parts, from);
        }
        for part in &windows.parts {
            merge(&mut windows.scripts, part);
        }
        count_letters(letters, text, &mut windows.scripts);
        windows
    }
}

/// Pieces of about this many bytes, cut between words.
fn pieces(text: &str, len: usize) -> impl Iterator<Item = &str> {
    let mut from = 0;
    std::iter::from_fn(move || {
        if from >= text.len() {
            return None;
        }
        let piece = word_piece(text, from, len);
        from = piece.as_ptr() as usize - text.as_ptr() as usize + piece.len();
        (!piece.is_empty()).then_some(piece)
    })
}

/// About `len` bytes of the text from about `from`, without cutting a word in two if words are set
/// apart at all.
fn word_piece(text: &str, from: usize, len: usize) -> &str {
    let near = |at: usize| {
        let bytes = &text.as_bytes()[at..(at + 40).min(text.len())];
        let mut at = at + bytes.iter().position(|b| b.is_ascii_whitespace()).unwrap_or(0);
        while !text.is_char_boundary(at) {
            at += 1;
        }
        at
    };
    let from = if from == 0 { 0 } else { near(from) };
    let to = from + len;
    let to = if to >= text.len() { text.len() } else { near(to).max(from) };
    &text[from..to]
}

/// Counts the features of a text, by script.
pub fn tally(model: &Model, letters: &Letters, text: &str, into: &mut Vec<Tally>) {
    tally_from(model, letters, text, into, 0);
}

/// As [`tally`], into the tallies from `from` on.
fn tally_from(model: &Model, letters: &Letters, text: &str, into: &mut Vec<Tally>, from: usize) {
    let mut numbers = Vec::with_capacity(256);
    words(letters, text, |word| {
        let tally = of_script(&mut into[from..], word.script);
        let tally = match tally {
            Some(at) => &mut into[from + at],
            None => {
                let steps = vec![0; model.languages.len()];
                into.push(Tally { script: word.script, letters: 0, counted: 0, steps });
                into.last_mut().expect("it was just pushed")
            }
        };
        tally.letters += word.len() as u32;
        tally.counted += word.len() as u32;
        numbers.clear();
        word.features(|_, number| {
            let number = kept(number);
            model.expect(number);
            numbers.push(number);
        });
        for &number in &numbers {
            for entry in model.entries(number) {
                tally.steps[entry.language as usize] += u32::from(entry.steps);
            }
        }
        true
    });
}

fn of_script(tallies: &mut [Tally], script: ScriptNumber) -> Option<usize> {
    tallies.iter().position(|tally| tally.script == script)
}

fn merge(scripts: &mut Vec<Tally>, part: &Tally) {
    match of_script(scripts, part.script) {
        Some(at) => {
            let whole = &mut scripts[at];
            whole.counted += part.counted;
            whole.steps.iter_mut().zip(&part.steps).for_each(|(sum, steps)| *sum += steps);
        }
        None => scripts.push(Tally { letters: 0, ..part.clone() }),
    }
}

/// Counts the letters of all of a text; scripts that no window met are left out.
fn count_letters(letters: &Letters, text: &str, scripts: &mut Vec<Tally>) {
    let mut counts = [0u32; 256];
    for &byte in text.as_bytes() {
        // Latin letters are counted without decoding them.
        counts[1] += u32::from(byte.is_ascii_alphabetic());
    }
    if !text.is_ascii() {
        for letter in text.chars().filter(|letter| !letter.is_ascii()) {
            counts[letters.of(letter).0 as usize] += 1;
        }
    }
    for tally in scripts.iter_mut() {
        tally.letters = counts[tally.script as usize];
    }
    scripts.retain(|tally| tally.letters > 0);
}

impl Tally {
    /// Adds the sums to scores of all languages in order, weighed.
    pub fn add_to(&self, scores: &mut [(Language, f32)], weight: f32) {
        let divisor = Calibration::DEFAULT.divisor(self.counted);
        for ((_, score), &steps) in scores.iter_mut().zip(&self.steps) {
            *score += weight * steps as f32 * STEP / divisor;
        }
    }

    /// The probabilities of the languages written in this script, the most probable first.
    pub fn probabilities(&self, model: &Model, hints: &Hints) -> Vec<(Language, f32)> {
        let divisor = Calibration::DEFAULT.divisor(self.counted);
        let written = |known: &Known| known.scripts.contains(&self.script);
        let mut all: Vec<(Language, f32)> = model
            .languages
            .iter()
            .zip(&self.steps)
            .filter(|(known, _)| written(known))
            .map(|(known, &steps)| {
                let score = steps as f32 * STEP / divisor + known.prior;
                (known.tag, score + hints.bonus(known.tag))
            })
            .collect();
        let best = all.iter().map(|(_, score)| *score).fold(f32::MIN, f32::max);
        let sum: f32 = all.iter().map(|(_, score)| (score - best).exp()).sum();
        for (_, score) in &mut all {
            *score = (*score - best).exp() / sum;
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all
    }
}
