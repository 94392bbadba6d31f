//! Builds the language model from the corpora that `models/fetch` brings.

mod check;
mod corpus;
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
use langur_language::tally::Calibration;
use rayon::prelude::*;
use source::Spoken;

/// Not learned: Chinese whose characters are not said, transliterations by machine, Zawgyi (which is
/// told by rules), constructed languages that nobody publishes in, and dialects whose corpora are too
/// near to their standard language to be told from it.
const LEFT_OUT: [&str; 22] = [
    "zh", "kk-Latn", "kk-Arab", "tt-Latn", "tg-Latn", "be-Latn", "my-Qaag", "tok", "vo", "ie", "prg",
    "bgn", "bqi", "kcg", "ses", "ks", "gan", "lld", "bew", "sgs", "nr", "la-Latn",
];

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.as_slice() {
        [verb, corpus, model] if verb == "build" => build(Path::new(corpus), Path::new(model)),
        [verb, model, data @ ..] if verb == "check" => check::check(Path::new(model), data),
        _ => bail!("langur-train build CORPUS MODEL | check MODEL DATA.jsonl…"),
    }
}

fn build(corpus: &Path, model: &Path) -> Result<()> {
    let letters = Letters::new();
    let files = corpus::files(corpus)?;
    let named = named(corpus)?;
    let all: Vec<(&String, &Files)> = files
        .iter()
        .filter(|(tag, files)| {
            let primary = tag.split('-').next().unwrap_or(tag);
            !LEFT_OUT.contains(&tag.as_str()) && (!files.ngrams.is_empty() || named.contains(primary))
        })
        .collect();
    let spoken: Vec<Option<Spoken>> =
        all.par_iter().map(|(tag, files)| source::read(&letters, tag, files)).collect::<Result<_>>()?;
    let samples: Vec<sample::Samples> = all
        .par_iter()
        .zip(&spoken)
        .filter(|(_, spoken)| spoken.is_some())
        .map(|((_, files), _)| sample::Samples::read(&letters, files))
        .collect::<Result<_>>()?;
    let spoken: Vec<Spoken> = spoken.into_iter().flatten().collect();
    println!("{}", spoken.iter().map(|s| s.tag.to_string()).collect::<Vec<_>>().join(" "));
    let mut languages: Vec<Known> = spoken
        .iter()
        .map(|spoken| Known {
            tag: spoken.tag,
            scripts: spoken.scripts.clone(),
            prior: 0.0,
        })
        .collect();
    let mut features = select::select(spoken);
    let rounds = std::env::var("R").ok().and_then(|k| k.parse().ok()).unwrap_or(20_000);
    let rate = std::env::var("LR").ok().and_then(|k| k.parse().ok()).unwrap_or(0.1);
    eprintln!("{} features selected", features.len());
    let t = std::time::Instant::now();
    let mut weights = refine::Weights::new(&features, languages.len());
    weights.learn(&letters, &samples, &languages, rounds, rate, Calibration::DEFAULT);
    eprintln!("refined in {:?}", t.elapsed());
    weights.done(&mut features, &mut languages);
    let entries: usize = features.iter().map(|(_, entries)| entries.len()).sum();
    let bytes = Model::write(&languages, &features);
    let packed = zstd::encode_all(bytes.as_slice(), 19)?;
    println!(
        "{} languages, {} features, {entries} entries, {} bytes, {} compressed",
        languages.len(),
        features.len(),
        bytes.len(),
        packed.len()
    );
    std::fs::write(model, packed)?;
    Ok(())
}

/// The languages that CLDR has letters of.
fn named(corpus: &Path) -> Result<BTreeSet<String>> {
    let text = corpus::text(&corpus.join("cldr/exemplars.tsv"))?;
    text.lines()
        .map(|line| Ok(line.split(['\t', '-']).next().context("a tag")?.to_owned()))
        .collect()
}
