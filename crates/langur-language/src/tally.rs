//! The sums that a text's features give.
//!
//! A text is read in windows, each a tally for every script in it. Of a long text the windows are spread
//! over it, a few at first, and more only if these do not settle the matter: the time a page takes hardly grows
//! with its length.

use std::borrow::Cow;
use std::ops::Range;

use langur_crawl::Language;

use crate::features::{Word, words};
use crate::han::WRITERS;
use crate::letters::{HAN, LATIN, Letters, ScriptNumber, script_name};
use crate::memory::{Memory, Place, Recalled};
use crate::model::{Model, STEP, kept};

/// Bytes of a window.
const WINDOW: usize = 96;
/// A text of no more bytes is read whole.
const READ_WHOLE: usize = 576;
/// Windows of a long text that are read at first, and their bytes: small ones, so that a second language is met.
const FIRST_WINDOWS: usize = 6;
const FIRST_WINDOW: usize = 64;
/// Windows that are read besides.
const MORE_WINDOWS: usize = 20;
/// The golden section, in thousandths: no multiples of another number are spread so unevenly and yet so well.
const GOLDEN: usize = 618;
/// Letters are counted in this many blocks of so many bytes.
const BLOCKS: usize = 32;
const BLOCK: usize = 64;
/// Of a text longer than this, n-grams of one and two letters are left out: nearly all languages have them all, and
/// what they would add is in the longer ones.
const SHORT_TEXT: usize = 400;
const LONG_TEXT: u8 = 3;
/// The first windows are enough if they are this sure, and none is of another language.
const SURE: f32 = 0.99;
/// A window that is this sure of another language than the page's is counted for it.
pub const SURE_WINDOW: f32 = 0.95;
/// A window with fewer letters than this is not asked, and of scripts whose letters take three bytes, and say more each,
/// one with fewer than that.
const LEAST_LETTERS: u32 = 24;
const LEAST_LONG_LETTERS: u32 = 14;
const SHORT_LETTERS: [&str; 6] = ["Latn", "Cyrl", "Grek", "Arab", "Hebr", "Armn"];

/// What is expected of the web counts in full for so many letters, and less for more: then the text speaks for itself.
const FEW_LETTERS: f32 = 6.0;
/// What a Chinese character speaks against each of [`WRITERS`] that does without it, in nats: how much rarer it is there
/// than with the others. The charset of Japanese is the first level of a larger one.
const STRANGE: [f32; WRITERS.len()] = [4.0, 4.0, 2.5];

/// Latin letters that are no text (checksums, genes, lists of names) are nearest to some language, too. So many steps a letter
/// the language of a text has at least, of a short one, whose shortest n-grams are counted, and of a long one; sentences
/// of 75 languages have 15.6 and more, home pages 10 (docs/language.md). Of fewer letters there is no telling.
const POOR_FIT: u32 = 14;
const POOR_FIT_LONG: u32 = 10;
const ENOUGH_LETTERS: u32 = 80;

/// The sums over the words of one script.
#[derive(Clone, Debug)]
pub struct Tally {
    /// The script.
    pub script: ScriptNumber,
    /// Letters of this script in all of the text, about.
    pub letters: u32,
    /// Letters whose features were counted.
    pub counted: u32,
    /// Sums by language, in steps; there is one for every number that a language can have.
    pub steps: Box<[u32; 256]>,
    /// Chinese characters that are strange to each of [`WRITERS`].
    strange: [u32; WRITERS.len()],
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

/// What texts are read with.
pub struct Source<'j> {
    /// What features say.
    pub model: &'j Model,
    /// The letters of all scripts.
    pub letters: &'j Letters,
    /// What words said before.
    pub memory: &'j mut Memory,
}

/// A text by script, and by window.
#[derive(Debug, Default)]
pub struct Windows {
    /// All windows together.
    pub scripts: Vec<Tally>,
    /// Each window by itself, once for every script in it, if there are several.
    pub parts: Vec<Tally>,
}

impl Windows {
    /// Reads all of a text, or windows of it, and counts its letters.
    pub fn read(source: &mut Source, text: &str) -> Windows {
        let mut windows = Windows::default();
        if text.len() <= WINDOW {
            // The one window is all of it.
            tally(source, &without_repetition(text), 1, &mut windows.scripts, 0);
            return windows;
        }
        if text.len() <= READ_WHOLE {
            let shortest = if text.len() > SHORT_TEXT { LONG_TEXT } else { 1 };
            for piece in pieces(text, WINDOW) {
                windows.add(source, piece, shortest);
            }
            return windows;
        }
        windows.spread(source, text, FIRST_WINDOWS, FIRST_WINDOW);
        if !windows.are_sure(source.model) {
            windows.spread(source, text, MORE_WINDOWS, WINDOW);
        }
        count_letters(source.letters, text, &mut windows.scripts);
        windows
    }

    /// Reads so many windows of so many bytes, one in every stretch of the text, each in another part of its stretch: at even
    /// distances they would all meet the same language where paragraphs of two take turns. Not in its last quarter, lest two
    /// windows be too far apart.
    fn spread(&mut self, source: &mut Source, text: &str, count: usize, bytes: usize) {
        // A text may be shorter than all its windows would be.
        let count = count.min(text.len() / bytes).max(1);
        let stretch = text.len() / count;
        let spare = (stretch - bytes.min(stretch)) * 3 / 4;
        for number in 0..count {
            let within = spare * ((number + 1) * GOLDEN % 1000) / 1000;
            self.add(source, piece(text, number * stretch + within, bytes), LONG_TEXT);
        }
    }

    fn add(&mut self, source: &mut Source, text: &str, shortest: u8) {
        let from = self.parts.len();
        tally(source, text, shortest, &mut self.parts, from);
        for part in &self.parts[from..] {
            merge(&mut self.scripts, part);
        }
    }

    /// Whether there is no doubt of the language of most of the text, in no window. Names and brands in another
    /// script are in no language to be sure of.
    fn are_sure(&self, model: &Model) -> bool {
        let Some(main) = self.scripts.iter().max_by_key(|tally| tally.counted) else { return true };
        let Some((best, score)) = main.best(model, &[]) else { return true };
        let contradicts = |part: &Tally| {
            let other = part.best(model, &[]).filter(|(number, _)| *number != best);
            other.is_some_and(|(other, score)| {
                part.probability(model, &[], other, score) > SURE_WINDOW
            })
        };
        let of_main = self.parts.iter().filter(|part| part.script == main.script);
        main.probability(model, &[], best, score) > SURE
            && !of_main.filter(|part| part.is_enough()).any(contradicts)
    }
}

/// A short text with every word once: to say it again makes nothing surer.
fn without_repetition(text: &str) -> Cow<'_, str> {
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let is_new = |at: &usize| !words[..*at].contains(&words[*at]);
    if (0..words.len()).all(|at| is_new(&at)) {
        return text.into();
    }
    let new: Vec<&str> = (0..words.len()).filter(is_new).map(|at| words[at]).collect();
    new.join(" ").into()
}

/// Pieces of about this many bytes, cut between words.
fn pieces(text: &str, len: usize) -> impl Iterator<Item = &str> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let to = cut(text, from + len);
        let piece = text.get(from..to).filter(|piece| !piece.is_empty())?;
        from = to;
        Some(piece)
    })
}

/// About `len` bytes of the text from about `from`.
fn piece(text: &str, from: usize, len: usize) -> &str {
    let from = if from == 0 { 0 } else { cut(text, from) };
    &text[from..cut(text, from + len)]
}

/// A place near `at`, between two words if words are set apart at all.
fn cut(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    let behind = &text.as_bytes()[at..(at + 32).min(text.len())];
    let at = at + behind.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(0);
    boundary(text, at)
}

/// Counts the features of a text, by script, into the tallies from `from` on. n-grams shorter than
/// `shortest` are left out. Where a script has one language, the script says it all.
pub fn tally(source: &mut Source, text: &str, shortest: u8, into: &mut Vec<Tally>, from: usize) {
    let Source { model, letters, memory } = source;
    let mut features = Features::new(model, from);
    words(letters, text, |word| {
        let known = into[from..].iter().position(|tally| tally.script == word.script);
        let at = known.map_or_else(
            || {
                let steps = Box::new([0; 256]);
                let strange = [0; WRITERS.len()];
                into.push(Tally { script: word.script, letters: 0, counted: 0, steps, strange });
                into.len() - 1
            },
            |at| from + at,
        );
        let tally = &mut into[at];
        tally.letters += word.count() as u32;
        tally.counted += word.count() as u32;
        if word.script == HAN {
            tally.count_strange(letters, &word);
        }
        if model.written_in(word.script).len() > 1 {
            match memory.recall(model, &word, shortest) {
                Recalled::Sums(sums) => tally.add(sums),
                Recalled::Nothing(place) => {
                    if features.of != at {
                        features.add_up(into, memory);
                        features.of = at;
                    }
                    features.gather(&word, shortest, place);
                }
            }
        }
        true
    });
    features.add_up(into, memory);
}

/// The features of some words of one script. They are gathered, looked up and added in three passes, so that memory is
/// asked for long before it is needed.
struct Features<'m> {
    model: &'m Model,
    numbers: Vec<u64>,
    /// Words to be remembered, and where their features lie.
    words: Vec<(Place, Range<usize>)>,
    /// The tally that they are for.
    of: usize,
}

impl<'m> Features<'m> {
    fn new(model: &'m Model, of: usize) -> Features<'m> {
        Features { model, numbers: Vec::with_capacity(512), words: Vec::new(), of }
    }

    fn gather(&mut self, word: &Word, shortest: u8, place: Option<Place>) {
        let shortest = if word.script == HAN { 1 } else { shortest };
        let first = self.numbers.len();
        word.features(|kind, number| {
            if kind.length() >= shortest {
                let number = kept(number);
                self.model.expect(number);
                self.numbers.push(number);
            }
        });
        self.words.extend(place.map(|place| (place, first..self.numbers.len())));
    }

    fn add_up(&mut self, tallies: &mut [Tally], memory: &mut Memory) {
        for number in &mut self.numbers {
            *number = self.model.find(*number);
        }
        for &found in self.numbers.iter().filter(|found| **found != 0) {
            let steps = &mut tallies[self.of].steps;
            for entry in self.model.found(found) {
                steps[usize::from(entry.language)] += u32::from(entry.steps);
            }
        }
        for (place, of) in self.words.drain(..) {
            let sums = memory.remember(&place);
            for &found in self.numbers[of].iter().filter(|found| **found != 0) {
                for entry in self.model.found(found) {
                    sums[usize::from(entry.language)] += u16::from(entry.steps);
                }
            }
        }
        self.numbers.clear();
    }
}

fn merge(scripts: &mut Vec<Tally>, part: &Tally) {
    match scripts.iter_mut().find(|tally| tally.script == part.script) {
        Some(whole) => {
            whole.letters += part.letters;
            whole.counted += part.counted;
            whole.steps.iter_mut().zip(&*part.steps).for_each(|(sum, steps)| *sum += steps);
            whole.strange.iter_mut().zip(part.strange).for_each(|(sum, strange)| *sum += strange);
        }
        None => scripts.push(part.clone()),
    }
}

/// Counts the letters of a text, in blocks spread over it where it is long. A script that was met in a
/// window and in no block keeps what the windows had of it.
fn count_letters(letters: &Letters, text: &str, scripts: &mut [Tally]) {
    let mut counts = [0u32; 256];
    let step = (text.len() / BLOCKS).max(BLOCK);
    for from in (0..text.len()).step_by(step) {
        let block = &text.as_bytes()[from..(from + BLOCK).min(text.len())];
        // Most letters of most pages are counted without decoding them.
        counts[usize::from(LATIN)] +=
            block.iter().filter(|byte| byte.is_ascii_alphabetic()).count() as u32;
        if !block.is_ascii() {
            let (from, to) = (boundary(text, from), boundary(text, from + block.len()));
            for letter in text[from..to].chars().filter(|letter| !letter.is_ascii()) {
                counts[usize::from(letters.of(letter).0)] += 1;
            }
        }
    }
    for tally in scripts.iter_mut() {
        let counted = u64::from(counts[usize::from(tally.script)]) * step as u64 / BLOCK as u64;
        tally.letters = tally.letters.max(counted as u32);
    }
}

fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

impl Tally {
    /// Whether a window has enough letters to be asked.
    pub fn is_enough(&self) -> bool {
        let is_short = SHORT_LETTERS.contains(&script_name(self.script));
        self.letters >= if is_short { LEAST_LETTERS } else { LEAST_LONG_LETTERS }
    }

    /// Adds what a word says.
    fn add(&mut self, sums: &[u16]) {
        self.steps.iter_mut().zip(sums).for_each(|(steps, sum)| *steps += u32::from(*sum));
    }

    fn count_strange(&mut self, letters: &Letters, word: &Word) {
        for &letter in word.letters {
            let to = letters.strange(letter);
            for (writer, strange) in self.strange.iter_mut().enumerate() {
                *strange += u32::from(to >> writer & 1);
            }
        }
    }

    /// Adds the sums to scores of all languages in order, weighed.
    pub fn add_to(&self, scores: &mut [(Language, f32)], weight: f32) {
        let divisor = Calibration::DEFAULT.divisor(self.counted);
        for ((_, score), &steps) in scores.iter_mut().zip(&*self.steps) {
            *score += weight * steps as f32 * STEP / divisor;
        }
    }

    /// The number and score of the most probable of the languages written in this script. `bonuses` are
    /// by language, in nats; none at all if empty.
    pub fn best(&self, model: &Model, bonuses: &[f32]) -> Option<(usize, f32)> {
        self.scores(model, bonuses).max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
    }

    /// Whether a language, though it may fit best, fits a text of so many bytes worse than any text in it.
    pub fn fits_poorly(&self, language: usize, bytes: usize) -> bool {
        let least = if bytes > SHORT_TEXT { POOR_FIT_LONG } else { POOR_FIT };
        self.script == LATIN
            && self.counted >= ENOUGH_LETTERS
            && self.steps[language] < least * self.counted
    }

    /// The probability of the best of them, by its number and score.
    pub fn probability(&self, model: &Model, bonuses: &[f32], best: usize, score: f32) -> f32 {
        let behind = self.scores(model, bonuses).filter(|&(number, _)| number != best);
        // What is far behind adds nothing.
        let near = behind.map(|(_, other)| other - score).filter(|behind| *behind > -16.0);
        1.0 / (1.0 + near.map(f32::exp).sum::<f32>())
    }

    fn scores(&self, model: &Model, bonuses: &[f32]) -> impl Iterator<Item = (usize, f32)> {
        let per_step = STEP / Calibration::DEFAULT.divisor(self.counted);
        let little = (FEW_LETTERS / self.counted.max(1) as f32).min(1.0);
        model.written_in(self.script).iter().map(move |&number| {
            let number = usize::from(number);
            let mut score = self.steps[number] as f32 * per_step + model.languages[number].prior;
            score += bonuses.get(number).copied().unwrap_or(0.0) + little * model.expected[number];
            if self.script == HAN {
                score -= self.strangeness(model, number);
            }
            (number, score)
        })
    }

    /// What Chinese characters speak against a language.
    fn strangeness(&self, model: &Model, number: usize) -> f32 {
        let writer = model.writers.iter().position(|writer| *writer == Some(number));
        writer.map_or(0.0, |writer| STRANGE[writer] * self.strange[writer] as f32)
    }
}
