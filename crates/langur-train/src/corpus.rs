//! How often each feature occurs in a language, by the corpora at hand.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use langur_language::features::{Kind, LONGEST, words};
use langur_language::letters::{Letters, ScriptNumber};

/// Features are hashes already.
#[derive(Default)]
pub struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, _: &[u8]) {
        unreachable!("features are 64-bit numbers")
    }
    fn write_u64(&mut self, number: u64) {
        self.0 = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// A relative frequency for every feature.
pub type Frequencies = HashMap<u64, f32, BuildHasherDefault<AsIs>>;

/// The kinds of features, numbered: inner n-grams, n-grams at an edge, words.
pub const KINDS: usize = 2 * LONGEST + 1;

pub fn kind_number(kind: Kind) -> usize {
    match kind {
        Kind::Inner(length) => length as usize - 1,
        Kind::Edge(length) => LONGEST + length as usize - 1,
        Kind::Word => 2 * LONGEST,
    }
}

/// What one source says of one language.
pub struct Counts {
    pub by_kind: Vec<Frequencies>,
    pub totals: [f64; KINDS],
    pub scripts: BTreeMap<ScriptNumber, f64>,
    pub letters: f64,
}

impl Counts {
    pub fn new() -> Counts {
        Counts {
            by_kind: (0..KINDS).map(|_| Frequencies::default()).collect(),
            totals: [0.0; KINDS],
            scripts: BTreeMap::new(),
            letters: 0.0,
        }
    }

    pub fn add_text(&mut self, letters: &Letters, text: &str, weight: f64) {
        words(letters, text, |word| {
            *self.scripts.entry(word.script).or_default() += weight * word.count() as f64;
            self.letters += weight * word.count() as f64;
            word.features(|kind, number| {
                let kind = kind_number(kind);
                *self.by_kind[kind].entry(number).or_default() += weight as f32;
                self.totals[kind] += weight;
            });
            true
        });
    }
}

/// The files that speak of one language.
#[derive(Default)]
pub struct Files {
    pub texts: Vec<PathBuf>,
    pub words: Vec<PathBuf>,
    pub ngrams: Vec<PathBuf>,
}

/// The files of every language.
pub fn files(corpus: &Path) -> Result<BTreeMap<String, Files>> {
    let mut all: BTreeMap<String, Files> = BTreeMap::new();
    for part in ["text", "words", "ngrams/lingua"] {
        let sources = match part {
            "ngrams/lingua" => BTreeSet::from([corpus.join(part)]),
            _ => sorted(&corpus.join(part))?,
        };
        for source in sources {
            for file in sorted(&source)? {
                let tag = file.file_stem().context("a name")?.to_string_lossy().into_owned();
                let of = all.entry(tag).or_default();
                match part {
                    "text" => of.texts.push(file),
                    "words" => of.words.push(file),
                    _ => of.ngrams.push(file),
                }
            }
        }
    }
    Ok(all)
}

fn sorted(folder: &Path) -> Result<BTreeSet<PathBuf>> {
    let read =
        fs::read_dir(folder).with_context(|| format!("{} is not there", folder.display()))?;
    read.map(|entry| Ok(entry?.path())).collect()
}

pub fn text(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
}
