//! What the corpora say of one language, as relative frequencies.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use langur_crawl::Language;
use langur_language::features::{LONGEST, ngram};
use langur_language::letters::{HAN, Letters, ScriptNumber};

use crate::corpus::{self, Counts, Files, Frequencies, KINDS};

/// Features rarer than this are not considered.
pub const RAREST: f64 = 1e-6;
/// A language with fewer letters of text than this, and no other source, is not learned.
const LEAST_LETTERS: f64 = 30_000.0;
/// A script with this share of a language's letters is one of its scripts.
const SCRIPT_SHARE: f64 = 0.15;

/// A language, its scripts and its features.
pub struct Spoken {
    pub tag: Language,
    pub scripts: Vec<ScriptNumber>,
    /// There are word frequencies or n-grams of large corpora.
    pub well_known: bool,
    /// Kind, number, frequency.
    pub features: Vec<(u8, u64, f32)>,
}

/// Reads all that there is on a language; `None` if it is too little.
pub fn read(letters: &Letters, tag: &str, files: &Files) -> Result<Option<Spoken>> {
    let Ok(tag) = Language::parse(tag) else { return Ok(None) };
    let mut text = Counts::new();
    for path in &files.texts {
        for line in corpus::text(path)?.lines() {
            text.add_text(letters, line, 1.0);
        }
    }
    let well_known =
        !files.ngrams.is_empty() || files.words.iter().any(|path| has_frequencies(path));
    if files.ngrams.is_empty() && text.letters < LEAST_LETTERS {
        return Ok(None);
    }
    let words = words(letters, &files.words)?;
    let ngrams = ngrams(letters, files)?;
    let scripts = scripts(&[&text, &words]);
    let features = merged(&text, &words, &ngrams, files);
    Ok(Some(Spoken { tag, scripts, well_known, features }))
}

/// Whether a list of words says how frequent they are.
pub fn has_frequencies(path: &Path) -> bool {
    path.parent()
        .is_some_and(|source| source.ends_with("wordfreq") || source.ends_with("pythainlp"))
}

/// The words of all lists. Those of a dictionary are all alike, and count for less.
fn words(letters: &Letters, paths: &[PathBuf]) -> Result<Counts> {
    let mut words = Counts::new();
    for path in paths {
        let text = corpus::text(path)?;
        let mut list = Vec::new();
        for line in text.lines() {
            let (word, frequency) = line.split_once('\t').context("a word and its frequency")?;
            list.push((word, frequency.parse::<f64>()?));
        }
        let total: f64 = list.iter().map(|(_, frequency)| frequency).sum();
        // In a dictionary of few words each would seem frequent.
        let weight =
            if has_frequencies(path) { 1.0 } else { 0.2 * (list.len() as f64 / 50_000.0).min(1.0) };
        for (word, frequency) in list {
            words.add_text(letters, word, frequency / total * weight * 1e6);
        }
    }
    Ok(words)
}

fn scripts(sources: &[&Counts]) -> Vec<ScriptNumber> {
    let mut scripts = Vec::new();
    for counts in sources {
        for (&script, &letters) in &counts.scripts {
            if letters / counts.letters > SCRIPT_SHARE && !scripts.contains(&script) {
                scripts.push(script);
            }
        }
    }
    scripts
}

fn ngrams(letters: &Letters, files: &Files) -> Result<Vec<Frequencies>> {
    let mut inner: Vec<Frequencies> = (0..LONGEST).map(|_| Frequencies::default()).collect();
    for path in &files.ngrams {
        for line in corpus::text(path)?.lines() {
            let (gram, frequency) = line.split_once('\t').context("an n-gram and its frequency")?;
            let len = gram.chars().count();
            let han = gram.chars().any(|letter| letters.of(letter).0 == HAN);
            let frequency: f32 = frequency.parse()?;
            if len <= LONGEST && !(han && len > 2) && f64::from(frequency) > RAREST / 2.0 {
                inner[len - 1].insert(ngram(letters, gram), frequency);
            }
        }
    }
    Ok(inner)
}

/// Each source's frequencies by its weight. Where large corpora speak, the text of user interfaces
/// and manuals counts for little; where they do not, it is all there is.
fn merged(
    text: &Counts,
    words: &Counts,
    ngrams: &[Frequencies],
    files: &Files,
) -> Vec<(u8, u64, f32)> {
    let (has_words, has_ngrams) = (!files.words.is_empty(), !files.ngrams.is_empty());
    let frequencies = files.words.iter().any(|path| has_frequencies(path));
    let mut features = Vec::new();
    for kind in 0..KINDS {
        let from_text = match frequencies || (has_ngrams && kind < LONGEST) {
            true => 0.3 * (text.letters / 300_000.0).min(1.0),
            false => 1.0,
        };
        let from_words = match (frequencies, has_words) {
            (true, _) => 0.4,
            (_, true) => 0.15,
            _ => 0.0,
        };
        let from_ngrams = if has_ngrams && kind < LONGEST { 0.4 } else { 0.0 };
        let sum = from_text + from_words + from_ngrams;
        let mut merged = Frequencies::default();
        let mut add = |from: &Frequencies, total: f64, weight: f64, discount: f32| {
            for (&number, &count) in from {
                let count = f64::from(count - discount);
                if count > 0.0 && total > 0.0 {
                    *merged.entry(number).or_default() += (count / total * weight / sum) as f32;
                }
            }
        };
        // What occurs once is more often chance than what occurs often.
        add(&text.by_kind[kind], text.totals[kind], from_text, 0.6);
        add(&words.by_kind[kind], words.totals[kind], from_words, 0.0);
        if let Some(grams) = ngrams.get(kind).filter(|_| from_ngrams > 0.0) {
            add(grams, 1.0, from_ngrams, 0.0);
        }
        let often = merged.into_iter().filter(|&(_, frequency)| f64::from(frequency) > RAREST);
        features.extend(often.map(|(number, frequency)| (kind as u8, number, frequency)));
    }
    features
}
