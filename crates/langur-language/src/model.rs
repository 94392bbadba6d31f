//! The model: what each feature says for each language.
//!
//! A feature that is more frequent in a language than a floor has an entry for it: by how much its
//! log probability lies above the floor, in [`STEP`]s. What lies below counts as nothing, so a text's
//! score for a language is a sum over the few entries of the features it has.
//!
//! On disk the model is a list of languages and a list of features sorted by number, compressed;
//! `langur-train` writes it from the corpora that `models/fetch` brings. In memory it is a hash table.

use langur_crawl::{Language, prefetch};
use thiserror::Error;

use crate::letters::{ScriptNumber, script_number};

/// What one unit of an entry is worth, in nats.
pub const STEP: f32 = 0.2;
const MAGIC: &[u8; 8] = b"langur-2";

/// A language of the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Its tag.
    pub tag: Language,
    /// The scripts it is written in.
    pub scripts: Vec<ScriptNumber>,
    /// How much less to expect it than the most frequent, in nats; 0 or less.
    pub prior: f32,
}

/// One language's part of a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Entry {
    /// The number of the language.
    pub language: u8,
    /// How far above the floor.
    pub steps: u8,
}

/// What each feature says for each language.
pub struct Model {
    /// The languages, by number.
    pub languages: Vec<Known>,
    /// The numbers of those written in each script.
    by_script: Vec<Vec<u8>>,
    slots: Vec<Slot>,
    entries: Vec<Entry>,
}

/// A place of the hash table. 16 bits more of the feature's number tell strangers apart: one of some
/// thirty thousand slips through, and is outvoted.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Slot {
    check: u16,
    count: u16,
    first: u32,
}

/// The bytes are not a model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the language model is damaged: {0}")]
pub struct BadModel(pub &'static str);

impl Model {
    /// Reads a model.
    pub fn read(bytes: &[u8]) -> Result<Model, BadModel> {
        let mut rest = Reader(bytes);
        if rest.take(8)? != MAGIC {
            return Err(BadModel("it does not begin as one"));
        }
        let languages: Vec<Known> =
            (0..rest.number()?).map(|_| rest.language()).collect::<Result<_, _>>()?;
        let features = rest.number()?;
        if features > bytes.len() {
            return Err(BadModel("it has more features than bytes"));
        }
        let by_script = by_script(&languages);
        let mut model = Model { languages, by_script, slots: Vec::new(), entries: Vec::new() };
        model.slots = vec![Slot::default(); (features * 4 / 3 + 2).next_power_of_two()];
        // Numbers come as differences, then counts, then languages (how many are skipped) and steps: like beside like, which
        // compresses best.
        let numbers = rest.differences(features)?;
        let counts = rest.take(features)?;
        let total = counts.iter().map(|&count| count as usize).sum();
        let (skips, steps) = (rest.take(total)?, rest.take(total)?);
        model.entries.reserve_exact(total);
        for (number, &count) in numbers.into_iter().zip(counts) {
            let first = model.entries.len();
            let mut next = 0;
            for at in first..first + usize::from(count) {
                let language = next + u16::from(skips[at]);
                if usize::from(language) >= model.languages.len() {
                    return Err(BadModel("it names a language that it does not have"));
                }
                model.entries.push(Entry { language: language as u8, steps: steps[at] });
                next = language + 1;
            }
            model.insert(number, u16::from(count), first as u32);
        }
        Ok(model)
    }

    /// Writes a model; features are by number, each at most once.
    pub fn write(languages: &[Known], features: &[(u64, Vec<Entry>)]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put_number(&mut bytes, languages.len());
        for known in languages {
            put_text(&mut bytes, known.tag.as_str());
            put_number(&mut bytes, known.scripts.len());
            for &script in &known.scripts {
                put_text(&mut bytes, crate::letters::script_name(script));
            }
            bytes.extend(known.prior.to_le_bytes());
        }
        put_number(&mut bytes, features.len());
        let mut last = 0;
        for &(number, _) in features {
            put_number(&mut bytes, (number - last) as usize);
            last = number;
        }
        bytes.extend(features.iter().map(|(_, entries)| entries.len() as u8));
        for (_, entries) in features {
            let mut next = 0;
            for entry in entries {
                bytes.push((u16::from(entry.language) - next) as u8);
                next = u16::from(entry.language) + 1;
            }
        }
        bytes.extend(features.iter().flat_map(|(_, entries)| entries).map(|entry| entry.steps));
        bytes
    }

    /// The numbers of the languages written in a script.
    #[inline]
    pub fn written_in(&self, script: ScriptNumber) -> &[u8] {
        &self.by_script[usize::from(script)]
    }

    /// Tells this model from others that are there at the same time.
    pub(crate) fn identity(&self) -> usize {
        self.slots.as_ptr().addr()
    }

    /// Leaves out the languages that are not wanted.
    pub fn keep(&mut self, wanted: impl Fn(Language) -> bool) {
        let languages = &self.languages;
        for numbers in &mut self.by_script {
            numbers.retain(|&number| wanted(languages[usize::from(number)].tag));
        }
    }

    fn insert(&mut self, number: u64, count: u16, first: u32) {
        let mask = self.slots.len() - 1;
        let mut at = place(number, mask);
        while self.slots[at].count > 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = Slot { check: check(number), count, first };
    }

    /// Says that a feature will be asked for soon.
    #[inline]
    pub fn expect(&self, number: u64) {
        prefetch(&self.slots, place(number, self.slots.len() - 1));
    }

    /// Where to find what a feature says, for [`Model::found`]; asks for it, too.
    #[inline]
    pub fn find(&self, number: u64) -> u64 {
        let mask = self.slots.len() - 1;
        let mut at = place(number, mask);
        loop {
            let slot = self.slots[at];
            if slot.count == 0 {
                return 0;
            }
            if slot.check == check(number) {
                // They may lie in two lines of the cache.
                let (first, count) = (slot.first as usize, usize::from(slot.count));
                prefetch(&self.entries, first);
                prefetch(&self.entries, first + count - 1);
                return u64::from(slot.first) << 16 | u64::from(slot.count);
            }
            at = (at + 1) & mask;
        }
    }

    /// What the feature says that was found there.
    #[inline]
    pub fn found(&self, found: u64) -> &[Entry] {
        &self.entries[(found >> 16) as usize..][..(found & 0xffff) as usize]
    }
}

fn by_script(languages: &[Known]) -> Vec<Vec<u8>> {
    let mut by_script = vec![Vec::new(); 256];
    for (number, known) in languages.iter().enumerate() {
        for &script in &known.scripts {
            by_script[usize::from(script)].push(number as u8);
        }
    }
    by_script
}

/// Features are kept by this many bits of their number.
pub const BITS: u32 = 38;

/// The part of a feature's number that the model keeps.
pub fn kept(number: u64) -> u64 {
    number >> (64 - BITS)
}

fn place(number: u64, mask: usize) -> usize {
    (number >> 16) as usize & mask
}

fn check(number: u64) -> u16 {
    number as u16
}

struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, len: usize) -> Result<&'b [u8], BadModel> {
        let (taken, rest) = self.0.split_at_checked(len).ok_or(BadModel("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<usize, BadModel> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number as usize);
            }
        }
        Err(BadModel("a number has no end"))
    }

    fn text(&mut self) -> Result<&'b str, BadModel> {
        let len = self.number()?;
        std::str::from_utf8(self.take(len)?).map_err(|_| BadModel("a name is not text"))
    }

    fn language(&mut self) -> Result<Known, BadModel> {
        let tag = Language::parse(self.text()?).map_err(|_| BadModel("a tag is no language"))?;
        let scripts = (0..self.number()?)
            .map(|_| script_number(self.text()?).ok_or(BadModel("a script is unknown")))
            .collect::<Result<_, _>>()?;
        let prior = f32::from_le_bytes(self.take(4)?.try_into().expect("four bytes"));
        Ok(Known { tag, scripts, prior })
    }

    fn differences(&mut self, count: usize) -> Result<Vec<u64>, BadModel> {
        let mut last = 0u64;
        let mut next = || {
            last = last.wrapping_add(self.number()? as u64);
            Ok(last)
        };
        (0..count).map(|_| next()).collect()
    }
}

fn put_number(bytes: &mut Vec<u8>, number: usize) {
    let mut number = number as u64;
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_number(bytes, text.len());
    bytes.extend(text.as_bytes());
}
