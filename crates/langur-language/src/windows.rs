//! A text in windows.
//!
//! Each window has a tally for every script in it. Of a long text the windows are spread over it, a few at first, and
//! more only if these do not settle the matter: the time a page takes hardly grows with its length.

use std::borrow::Cow;

use crate::letters::{LATIN, Letters, ScriptNumber, script_name};
use crate::model::Model;
use crate::tally::{Source, Tally, tally};

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
/// The first windows are enough if they are this sure, and none is rather of another language than not: it
/// may be the second of a page in two.
const SURE: f32 = 0.99;
const DOUBTFUL: f32 = 0.5;
/// A window with fewer letters than this is not asked, and of scripts whose letters take three bytes, and say more each,
/// one with fewer than that.
const LEAST_LETTERS: u32 = 24;
const LEAST_LONG_LETTERS: u32 = 14;
const SHORT_LETTERS: [&str; 6] = ["Latn", "Cyrl", "Grek", "Arab", "Hebr", "Armn"];

/// A text by script, and by window.
#[derive(Debug, Default)]
pub struct Windows {
    /// All windows together.
    pub scripts: Vec<Tally>,
    /// Each window by itself, once for every script in it, if there are several.
    pub parts: Vec<Tally>,
    /// The script of most of a long text, if all of that is in one language without a doubt.
    pub settled: Option<ScriptNumber>,
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
        if let Some(few) = few_words(text) {
            return Windows::read(source, &few);
        }
        if text.len() <= READ_WHOLE {
            let shortest = if text.len() > SHORT_TEXT { LONG_TEXT } else { 1 };
            for piece in pieces(text, WINDOW) {
                windows.add(source, piece, shortest);
            }
            return windows;
        }
        windows.spread(source, text, FIRST_WINDOWS, FIRST_WINDOW);
        windows.settled = windows.sure(source.model);
        if windows.settled.is_none() {
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

    /// The script of most of the text, if there is no doubt of its language, in no window. Names and brands in another
    /// script are in no language to be sure of.
    fn sure(&self, model: &Model) -> Option<ScriptNumber> {
        let main = self.scripts.iter().max_by_key(|tally| tally.counted)?;
        let Some(best) = main.best(model, &[]) else { return Some(main.script) };
        let contradicts = |part: &Tally| {
            let other = part.best(model, &[]).filter(|number| *number != best);
            other.is_some_and(|other| part.probability(model, &[], other) > DOUBTFUL)
        };
        let of_main = self.parts.iter().filter(|part| part.script == main.script);
        let is_sure = main.probability(model, &[], best) > SURE
            && !of_main.filter(|part| part.is_enough()).any(contradicts);
        is_sure.then_some(main.script)
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

/// All words of a text that says nothing but a few again and again, as lists of chapters do: each once, in a text of one
/// window. Words are set apart by signs of ASCII.
fn few_words(text: &str) -> Option<String> {
    let is_between = |c: char| c.is_ascii() && !c.is_ascii_alphabetic();
    let (mut few, mut length) = (Vec::new(), 0);
    for word in text.split(is_between).filter(|word| !word.is_empty()) {
        if !few.contains(&word) {
            few.push(word);
            length += word.len() + 1;
        }
        if length > WINDOW {
            return None;
        }
    }
    Some(few.join(" "))
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

impl Tally {
    /// Whether a window has enough letters to be asked.
    pub fn is_enough(&self) -> bool {
        let is_short = SHORT_LETTERS.contains(&script_name(self.script));
        self.letters >= if is_short { LEAST_LETTERS } else { LEAST_LONG_LETTERS }
    }
}

fn merge(scripts: &mut Vec<Tally>, part: &Tally) {
    match scripts.iter_mut().find(|tally| tally.script == part.script) {
        Some(whole) => whole.merge(part),
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
        let is_latin = |byte: &u8| u8::from(byte.is_ascii_alphabetic());
        counts[usize::from(LATIN)] += u32::from(block.iter().map(is_latin).sum::<u8>());
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
