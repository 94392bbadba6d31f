//! The model: what each feature says for each language.
//!
//! A feature that is more frequent in a language than a floor has an entry for it: by how much its
//! log probability lies above the floor, in [`STEP`]s. What lies below counts as nothing, so a text's
//! score for a language is a sum over the few entries of the features it has.
//!
//! In memory it is a hash table; [`crate::packed`] has it as bytes.

use langur_crawl::{Language, prefetch};

use crate::han::WRITERS;
use crate::letters::{ScriptNumber, of_one_language};
use crate::territories::is_national;

/// What one unit of an entry is worth, in nats.
pub const STEP: f32 = 0.2;

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
    /// Languages that their scripts give away, and nothing more is known of.
    pub(crate) alone: Vec<(ScriptNumber, Language)>,
    /// The numbers of those that write Chinese characters, in the order of [`WRITERS`].
    pub(crate) writers: [Option<usize>; WRITERS.len()],
    /// For every script the priors of its languages, side by side; all others are out of the question.
    priors: Vec<ByNumber>,
    /// How much more to expect each on the web than a country's language, in nats.
    pub(crate) expected: Box<ByNumber>,
    /// Whether a few words may be a name, in none of the languages.
    pub(crate) expects_names: bool,
    slots: Vec<Slot>,
    entries: Vec<Entry>,
}

/// Something for every number that a language can have, so that all are gone through many at a time.
pub(crate) type ByNumber = [f32; MOST_LANGUAGES];

/// A model has no more languages than this. Whatever is gone through for all numbers takes as long as there are numbers, so it is
/// the next multiple of 64 that is enough for those that there are.
pub(crate) const MOST_LANGUAGES: usize = 192;

fn by_number(languages: &[Known], of: impl Fn(&Known) -> f32) -> Box<ByNumber> {
    let mut numbers = Box::new([0.0; MOST_LANGUAGES]);
    numbers.iter_mut().zip(languages).for_each(|(number, known)| *number = of(known));
    numbers
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

impl Model {
    /// A model of these languages, without features yet: there will be so many, with so many entries.
    pub(crate) fn new(languages: Vec<Known>, features: usize, entries: usize) -> Model {
        let number = |tag| languages.iter().position(|known| known.tag.as_str() == tag);
        let by_script = by_script(&languages);
        let alone =
            of_one_language().filter(|(script, _)| by_script[usize::from(*script)].is_empty());
        Model {
            alone: alone.collect(),
            priors: priors(&languages, &by_script),
            by_script,
            writers: WRITERS.map(number),
            expected: by_number(&languages, expected),
            expects_names: true,
            languages,
            slots: vec![Slot::default(); (features * 4 / 3 + 2).next_power_of_two()],
            entries: Vec::with_capacity(entries),
        }
    }

    /// Takes in what a feature says.
    pub(crate) fn insert(&mut self, number: u64, entries: impl IntoIterator<Item = Entry>) {
        let first = self.entries.len();
        self.entries.extend(entries);
        let mask = self.slots.len() - 1;
        let mut at = place(number, mask);
        while self.slots[at].count > 0 {
            at = (at + 1) & mask;
        }
        let count = (self.entries.len() - first) as u16;
        self.slots[at] = Slot { check: check(number), count, first: first as u32 };
    }

    /// The numbers of the languages written in a script.
    #[inline]
    pub fn written_in(&self, script: ScriptNumber) -> &[u8] {
        &self.by_script[usize::from(script)]
    }

    /// The priors of the languages written in a script; those of all others are lower than any.
    #[inline]
    pub(crate) fn priors_in(&self, script: ScriptNumber) -> &ByNumber {
        &self.priors[usize::from(script)]
    }

    /// Tells this model from others that are there at the same time.
    pub(crate) fn identity(&self) -> usize {
        self.slots.as_ptr().addr()
    }

    /// Leaves out the languages that are not wanted. Who names those to choose among expects each of them, and nothing
    /// else.
    pub fn keep(&mut self, wanted: impl Fn(Language) -> bool) {
        self.expected.fill(0.0);
        self.expects_names = false;
        let languages = &self.languages;
        for numbers in &mut self.by_script {
            numbers.retain(|&number| wanted(languages[usize::from(number)].tag));
        }
        self.alone.retain(|(_, language)| wanted(*language));
        self.priors = priors(&self.languages, &self.by_script);
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

fn priors(languages: &[Known], by_script: &[Vec<u8>]) -> Vec<ByNumber> {
    let of_script = |numbers: &Vec<u8>| {
        let mut priors = [f32::NEG_INFINITY; MOST_LANGUAGES];
        for number in numbers.iter().map(|number| usize::from(*number)) {
            priors[number] = languages[number].prior;
        }
        priors
    };
    by_script.iter().map(of_script).collect()
}

/// How much more to expect a language on the web than a country's, in nats. Half of the web is in English. Of a language
/// that is no country's there is less, and hardly anything of one that no large corpus was made of, which is what
/// a low prior tells: "hello" is a page in Fula, and still is English wherever it stands alone.
fn expected(known: &Known) -> f32 {
    const NO_LARGE_CORPUS: f32 = -0.6;
    match known.tag {
        Language::ENGLISH => 3.0,
        tag if is_national(tag) => 0.0,
        _ if known.prior > NO_LARGE_CORPUS => -2.0,
        _ => -10.0,
    }
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
