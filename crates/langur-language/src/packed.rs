//! The model as bytes, which `langur-train` writes and then compresses.
//!
//! The languages come first, then the features by number: the upper parts of their numbers as differences, the lower parts
//! as they are, how many entries each has, the languages of the entries, and their steps. Like stands beside like, which
//! compresses best: a language among those that followed the same language in a feature with as many entries, steps among those of
//! features with as many entries.

use langur_crawl::Language;
use thiserror::Error;

use crate::letters::{script_name, script_number};
use crate::model::{Entry, Known, MOST_LANGUAGES, Model};

const MAGIC: &[u8; 8] = b"langur-3";

/// Features are written by this many bits of their number: as many as a table of a million slots looks at.
const BITS: u32 = 36;
/// The lower part of a number, which nothing compresses.
const LOWER_BITS: u32 = 16;

/// The bytes are not a model.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the language model is damaged: {0}")]
pub struct BadModel(pub &'static str);

impl Model {
    /// Reads a model.
    pub fn read(bytes: &[u8]) -> Result<Model, BadModel> {
        let mut rest = Reader(bytes);
        if rest.take(MAGIC.len())? != MAGIC {
            return Err(BadModel("it does not begin as one"));
        }
        let languages: Vec<Known> =
            (0..rest.number()?).map(|_| rest.language()).collect::<Result<_, _>>()?;
        let known = languages.len();
        if known > MOST_LANGUAGES {
            return Err(BadModel("it has more languages than there is room for"));
        }
        let features = rest.number()?;
        if features > bytes.len() {
            return Err(BadModel("it has more features than bytes"));
        }
        let numbers = rest.numbers(features)?;
        let counts = rest.take(features)?;
        let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
        let (mut followers, mut steps) = (rest.streams()?, rest.streams()?);
        let mut model = Model::new(languages, features, total.min(bytes.len()));
        let mut entries = Vec::new();
        for (number, &count) in numbers.into_iter().zip(counts) {
            let mut before = None;
            entries.clear();
            for _ in 0..count {
                let language = next(&mut followers, context(count, before))?;
                if usize::from(language) >= known {
                    return Err(BadModel("it names a language that it does not have"));
                }
                entries.push(Entry { language, steps: next(&mut steps, usize::from(count))? });
                before = Some(language);
            }
            model.insert(number, entries.iter().copied());
        }
        Ok(model)
    }

    /// Writes a model of features, each with at most one entry for a language. Of features whose numbers agree in the bits
    /// that are kept the first one stays.
    pub fn write(languages: &[Known], features: &[(u64, Vec<Entry>)]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        put_number(&mut bytes, languages.len());
        for known in languages {
            put_language(&mut bytes, known);
        }
        let kept = |number: u64| number & ((1 << BITS) - 1);
        let mut features: Vec<_> =
            features.iter().map(|(number, entries)| (kept(*number), entries)).collect();
        features.sort_by_key(|&(number, _)| number);
        features.dedup_by_key(|&mut (number, _)| number);
        put_number(&mut bytes, features.len());
        put_numbers(&mut bytes, features.iter().map(|&(number, _)| number));
        bytes.extend(features.iter().map(|(_, entries)| entries.len() as u8));
        let (mut followers, mut steps) = (Vec::new(), Vec::new());
        for (_, entries) in features {
            let count = entries.len() as u8;
            let mut before = None;
            for entry in entries {
                push(&mut followers, context(count, before), entry.language);
                push(&mut steps, usize::from(count), entry.steps);
                before = Some(entry.language);
            }
        }
        put_streams(&mut bytes, &followers);
        put_streams(&mut bytes, &steps);
        bytes
    }
}

/// The stream of the languages that follow this one in a feature with so many entries; where there are many, their number says
/// no more.
fn context(count: u8, before: Option<u8>) -> usize {
    const MANY: u8 = 7;
    usize::from(count.min(MANY)) << 9 | before.map_or(0, |language| usize::from(language) + 1)
}

fn push(streams: &mut Vec<Vec<u8>>, stream: usize, byte: u8) {
    if streams.len() <= stream {
        streams.resize(stream + 1, Vec::new());
    }
    streams[stream].push(byte);
}

fn next(streams: &mut [&[u8]], stream: usize) -> Result<u8, BadModel> {
    let rest = streams.get_mut(stream).and_then(|stream| stream.split_off_first());
    rest.copied().ok_or(BadModel("a feature has fewer entries than it says"))
}

struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    fn take(&mut self, len: usize) -> Result<&'b [u8], BadModel> {
        self.0.split_off(..len).ok_or(BadModel("it ends too early"))
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

    fn numbers(&mut self, count: usize) -> Result<Vec<u64>, BadModel> {
        let mut upper = 0u64;
        let mut numbers = Vec::with_capacity(count);
        for _ in 0..count {
            upper = upper.wrapping_add(self.number()? as u64);
            numbers.push(upper << LOWER_BITS);
        }
        for number in &mut numbers {
            *number |= u64::from(u16::from_le_bytes(self.take(2)?.try_into().expect("two bytes")));
        }
        Ok(numbers)
    }

    fn streams(&mut self) -> Result<Vec<&'b [u8]>, BadModel> {
        let lengths: Vec<usize> =
            (0..self.number()?).map(|_| self.number()).collect::<Result<_, _>>()?;
        lengths.into_iter().map(|length| self.take(length)).collect()
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

fn put_language(bytes: &mut Vec<u8>, known: &Known) {
    put_text(bytes, known.tag.as_str());
    put_number(bytes, known.scripts.len());
    for &script in &known.scripts {
        put_text(bytes, script_name(script));
    }
    bytes.extend(known.prior.to_le_bytes());
}

fn put_numbers(bytes: &mut Vec<u8>, numbers: impl Iterator<Item = u64> + Clone) {
    let mut last = 0;
    for upper in numbers.clone().map(|number| number >> LOWER_BITS) {
        put_number(bytes, (upper - last) as usize);
        last = upper;
    }
    bytes.extend(numbers.flat_map(|number| (number as u16).to_le_bytes()));
}

fn put_streams(bytes: &mut Vec<u8>, streams: &[Vec<u8>]) {
    put_number(bytes, streams.len());
    for stream in streams {
        put_number(bytes, stream.len());
    }
    bytes.extend(streams.iter().flatten());
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::letters::LATIN;

    fn known(tag: &str) -> Known {
        Known { tag: Language::parse(tag).expect("a tag"), scripts: vec![LATIN], prior: -0.5 }
    }

    proptest! {
        #[test]
        fn a_model_is_read_as_it_was_written(
            // The lower parts differ, for by them features are told apart.
            features in prop::collection::btree_map(
                any::<u16>(),
                (0u64..1 << (BITS - LOWER_BITS), prop::collection::btree_map(0u8..3, 1u8.., 1..4)),
                0..40,
            ),
        ) {
            let languages = ["de", "en", "fr"].map(known);
            let entries = |by_language: BTreeMap<u8, u8>| -> Vec<Entry> {
                by_language.into_iter().map(|(language, steps)| Entry { language, steps }).collect()
            };
            let features: Vec<_> = features
                .into_iter()
                .map(|(lower, (upper, of))| (upper << LOWER_BITS | u64::from(lower), entries(of)))
                .collect();
            let bytes = Model::write(&languages, &features);
            let model = Model::read(&bytes).expect("it was just written");
            prop_assert_eq!(&model.languages, &languages);
            for (number, entries) in &features {
                prop_assert_eq!(model.found(model.find(*number)), entries);
            }
            for cut in 0..bytes.len() {
                prop_assert!(Model::read(&bytes[..cut]).is_err());
            }
        }
    }

    #[test]
    fn of_features_that_agree_in_what_is_kept_the_first_stays() {
        let says = |steps| vec![Entry { language: 0, steps }];
        let features = [(5, says(1)), (1 << BITS | 5, says(2)), (1 << BITS, says(3))];
        let model = Model::read(&Model::write(&[known("de")], &features)).expect("a model");
        assert_eq!(model.found(model.find(5)), says(1));
        assert_eq!(model.found(model.find(0)), says(3));
    }
}
