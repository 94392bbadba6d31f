//! Builds the language model from the corpora that `models/fetch` brings.

mod corpus;
mod profile;
mod refine;
mod sample;
mod select;
mod source;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Context, Result, bail};
use corpus::Files;
use langur_language::letters::Letters;
use langur_language::model::{Known, Model};
use rayon::prelude::*;
use refine::Weights;
use sample::Samples;
use source::Spoken;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

/// Not learned: Chinese whose characters are not said, transliterations by machine, Zawgyi (which is
/// told by rules), constructed languages that nobody publishes in, and dialects whose corpora are too
/// near to their standard language to be told from it.
const LEFT_OUT: [&str; 26] = [
    "zh", "kk-Latn", "kk-Arab", "tt-Latn", "tg-Latn", "be-Latn", "my-Qaag", "tok", "vo", "ie",
    "prg", "bgn", "bqi", "kcg", "ses", "ks", "gan", "lld", "bew", "sgs", "nr", "la-Latn", "yue",
    "kok-Latn", "ks-Deva", "sat-Deva",
];

/// How much less to expect a language that no large corpus was made of, in nats.
const RARE: f32 = -1.5;

/// Samples of each language that the weights are refined on, and how fast they move.
const SAMPLES: usize = 200_000;
const RATE: f32 = 0.1;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [corpus, language, reader] => {
            build(Path::new(corpus), Path::new(language), Path::new(reader))
        }
        _ => bail!(
            "langur-train CORPUS MODEL PROFILES: reads what models/fetch wrote, writes the two"
        ),
    }
}

fn build(corpus: &Path, model: &Path, profiles: &Path) -> Result<()> {
    let letters = Letters::new();
    let files = corpus::files(corpus)?;
    let named = named(corpus)?;
    let wanted = |tag: &str, files: &Files| {
        let primary = tag.split('-').next().unwrap_or(tag);
        !LEFT_OUT.contains(&tag) && (!files.ngrams.is_empty() || named.contains(primary))
    };
    let wanted: Vec<(&String, &Files)> =
        files.iter().filter(|(tag, files)| wanted(tag, files)).collect();
    let read = wanted.par_iter().map(|(tag, files)| {
        let Some(spoken) = source::read(&letters, tag, files)? else { return Ok(None) };
        let profile = profile::learn(tag, files)?;
        Ok(Some((spoken, Samples::read(&letters, files)?, profile)))
    });
    let read: Vec<Option<(Spoken, Samples, Vec<u8>)>> = read.collect::<Result<_>>()?;
    let (mut spoken, mut samples, mut grams) = (Vec::new(), Vec::new(), Vec::new());
    for (language, sample, profile) in read.into_iter().flatten() {
        spoken.push(language);
        samples.push(sample);
        grams.extend(profile);
    }
    std::fs::write(profiles, packed(&grams, None)?)?;

    let mut languages: Vec<Known> = spoken.iter().map(known).collect();
    let mut features = select::select(spoken);
    println!("{} languages, {} features", languages.len(), features.len());
    let mut weights = Weights::new(&features, languages.len());
    weights.learn(&letters, &samples, &languages, SAMPLES, RATE);
    weights.done(&mut features, &mut languages);
    let entries: usize = features.iter().map(|(_, entries)| entries.len()).sum();
    let bytes = Model::write(&languages, &features);
    let packed = packed(&bytes, Some(6))?;
    println!("{entries} entries, {} bytes, {} compressed", bytes.len(), packed.len());
    std::fs::write(model, packed)?;
    Ok(())
}

/// Compressed at once: who knows the length compresses better. In tables of numbers short matches are chance and cost more
/// than they save, which the compressor does not see by itself.
fn packed(bytes: &[u8], shortest_match: Option<u32>) -> Result<Vec<u8>> {
    let mut compressor = Compressor::new(18)?;
    if let Some(length) = shortest_match {
        compressor.set_parameter(CParameter::MinMatch(length))?;
    }
    Ok(compressor.compress(bytes)?)
}

fn known(spoken: &Spoken) -> Known {
    let prior = if spoken.well_known { 0.0 } else { RARE };
    Known { tag: spoken.tag, scripts: spoken.scripts.clone(), prior }
}

/// The languages that CLDR has letters of.
fn named(corpus: &Path) -> Result<BTreeSet<String>> {
    let text = corpus::text(&corpus.join("cldr/exemplars.tsv"))?;
    text.lines()
        .map(|line| Ok(line.split(['\t', '-']).next().context("a tag")?.to_owned()))
        .collect()
}
