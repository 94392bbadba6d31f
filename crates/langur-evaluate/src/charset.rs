//! How well the charset of a document is told.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use langur_page::{Charset, decide};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::confusion::{Confusion, Counts, confusions, macro_f1};

/// A document and the charset it is said to be in.
pub struct Labelled {
    path: String,
    charset: Charset,
    label: String,
    bytes: Vec<u8>,
}

/// How one charset fares.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    /// The label.
    pub charset: String,
    /// Documents with it.
    pub documents: usize,
    /// Those decoded to the right text, by us.
    pub langur: usize,
    /// The same, by chardetng.
    pub chardetng: usize,
}

/// Everything measured.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// By label.
    pub charsets: Vec<Score>,
    /// All of them.
    pub total: Score,
    /// The mean over labels of the harmonic mean of precision and recall: ours and chardetng's.
    pub macro_f1: (f64, f64),
    /// What we took for what, the most frequent first.
    pub confusions: Vec<Confusion>,
    /// The documents that we got wrong, and what we took them for.
    pub misses: Vec<(String, String)>,
    /// Documents whose label names no charset we know.
    pub unknown_labels: Vec<String>,
    /// Bytes a second on one core, ours and chardetng's.
    pub bytes_per_second: (f64, f64),
}

#[derive(Deserialize)]
struct Line {
    path: String,
    charset: Option<String>,
}

/// Reads labelled documents: a folder or `.tar.zst` with `manifest.jsonl`, whose lines are
/// `{"path": …, "charset": …}`. Labels that name no charset are returned beside.
pub fn documents(path: &Path) -> Result<(Vec<Labelled>, Vec<String>)> {
    let mut files = if path.is_dir() { folder(path)? } else { archive(path)? };
    let manifest = files.remove("manifest.jsonl").with_context(|| {
        format!(
            "{} has no manifest.jsonl, whose lines are {{\"path\": …, \"charset\": …}}",
            path.display()
        )
    })?;
    let (mut documents, mut unknown) = (Vec::new(), Vec::new());
    for (number, line) in String::from_utf8_lossy(&manifest).lines().enumerate() {
        let line: Line = serde_json::from_str(line).with_context(|| {
            format!("manifest.jsonl of {}, line {}", path.display(), number + 1)
        })?;
        let label = line.charset.unwrap_or_default();
        let Some(bytes) = files.remove(&line.path) else {
            bail!("manifest.jsonl names {}, which is not in {}", line.path, path.display());
        };
        match meant(&label, &bytes) {
            Some(charset) => documents.push(Labelled { path: line.path, charset, label, bytes }),
            None => unknown.push(format!("{}: {label}", line.path)),
        }
    }
    Ok((documents, unknown))
}

/// The charset a label means; some say no byte order and leave it to the first bytes.
fn meant(label: &str, bytes: &[u8]) -> Option<Charset> {
    let (big, little) = (bytes.starts_with(b"\xfe\xff"), bytes.starts_with(b"\xff\xfe"));
    match label {
        "utf-8-bom" => Charset::for_label("utf-8"),
        "utf-16" => Charset::for_label(if big { "utf-16be" } else { "utf-16le" }),
        "utf-32" => Charset::for_label(if little { "utf-32le" } else { "utf-32be" }),
        _ => Charset::for_label(label),
    }
}

fn folder(path: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let at = entry?.path();
            if at.is_dir() {
                folders.push(at);
            } else {
                let name = at.strip_prefix(path)?.to_string_lossy().into_owned();
                files.insert(name, fs::read(&at).with_context(|| at.display().to_string())?);
            }
        }
    }
    Ok(files)
}

fn archive(path: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let file = File::open(path).with_context(|| format!("{} cannot be opened", path.display()))?;
    let mut files = BTreeMap::new();
    for entry in tar::Archive::new(zstd::Decoder::new(file)?).entries()? {
        let mut entry = entry.with_context(|| format!("{} is no .tar.zst", path.display()))?;
        let name = entry.path()?.to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        files.insert(name, bytes);
    }
    Ok(files)
}

/// What was decided on a document.
#[derive(Clone, Copy)]
struct Answer {
    charset: Charset,
    is_right: bool,
}

/// Decides on every document, without any HTTP header, and compares texts.
pub fn evaluate(documents: &[Labelled], unknown_labels: Vec<String>) -> Evaluation {
    let answered = |decide: fn(&[u8]) -> Charset| -> Vec<Answer> {
        let answers = documents.par_iter().map(|document| {
            let charset = decide(&document.bytes);
            Answer { charset, is_right: is_right(document, charset) }
        });
        answers.collect()
    };
    let (ours, theirs) = (answered(langur), answered(chardetng));
    let mut charsets: BTreeMap<&str, Score> = BTreeMap::new();
    let score =
        |name: &str| Score { charset: name.to_owned(), documents: 0, langur: 0, chardetng: 0 };
    let mut total = score("all");
    for (document, (ours, theirs)) in documents.iter().zip(ours.iter().zip(&theirs)) {
        for score in [charsets.entry(&document.label).or_insert(score(&document.label)), &mut total]
        {
            score.documents += 1;
            score.langur += usize::from(ours.is_right);
            score.chardetng += usize::from(theirs.is_right);
        }
    }
    let wrong = || documents.iter().zip(&ours).filter(|(_, answer)| !answer.is_right);
    let name = |answer: &Answer| answer.charset.name().to_owned();
    Evaluation {
        charsets: charsets.into_values().collect(),
        total,
        macro_f1: (
            macro_f1(counts(documents, &ours).values()),
            macro_f1(counts(documents, &theirs).values()),
        ),
        confusions: confusions(wrong().map(|(of, answer)| (of.label.clone(), Some(name(answer))))),
        misses: wrong().map(|(of, answer)| (of.path.clone(), name(answer))).collect(),
        unknown_labels,
        bytes_per_second: (speed(documents, langur), speed(documents, chardetng)),
    }
}

/// A wrong answer is counted for the label that means the same charset, where there is one.
fn counts<'d>(documents: &'d [Labelled], answers: &[Answer]) -> BTreeMap<&'d str, Counts> {
    let mut counts: BTreeMap<&str, Counts> = BTreeMap::new();
    let labels: BTreeMap<&str, &str> =
        documents.iter().map(|of| (of.charset.name(), of.label.as_str())).collect();
    for (document, answer) in documents.iter().zip(answers) {
        let count = counts.entry(&document.label).or_default();
        count.all += 1;
        count.right += usize::from(answer.is_right);
        let taken = match answer.is_right {
            true => Some(document.label.as_str()),
            false => labels.get(answer.charset.name()).copied(),
        };
        if let Some(label) = taken {
            counts.entry(label).or_default().taken += 1;
        }
    }
    counts
}

fn langur(bytes: &[u8]) -> Charset {
    decide(bytes, None).charset
}

/// Right is what gives the same text; a few letters may differ where charsets differ in little.
fn is_right(document: &Labelled, charset: Charset) -> bool {
    if charset == document.charset {
        return true;
    }
    let (meant, ours) = (document.charset.decode(&document.bytes), charset.decode(&document.bytes));
    let letters = meant.chars().count();
    let differ = meant.chars().zip(ours.chars()).filter(|(a, b)| a != b).count();
    ours.chars().count().abs_diff(letters) + differ <= letters / 1000
}

fn chardetng(bytes: &[u8]) -> Charset {
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow);
    detector.feed(bytes, true);
    detector.guess(None, chardetng::Utf8Detection::Allow).into()
}

fn speed(documents: &[Labelled], decide: impl Fn(&[u8]) -> Charset) -> f64 {
    let (began, mut bytes) = (Instant::now(), 0);
    for document in documents {
        decide(&document.bytes);
        bytes += document.bytes.len();
    }
    bytes as f64 / began.elapsed().as_secs_f64()
}
