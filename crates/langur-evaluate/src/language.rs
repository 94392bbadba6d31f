//! How well the language of a text is told.

use std::collections::BTreeMap;
use std::time::Instant;

use langur_crawl::Language;
use rayon::prelude::*;
use serde::Serialize;

use crate::confusion::{Confusion, Counts, confusions, macro_f1};
use crate::{Answer, Identifier, Ours, Row};

/// The figures of Somboonviwat et al. (2006) for Thai: accuracy, precision and recall to beat.
pub const S2: (f64, f64, f64) = (0.94, 0.91, 0.94);
/// Languages with fewer rows are not held to them.
pub const ENOUGH_ROWS: usize = 50;

/// How one identifier did on the rows of one kind whose language it knows.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    /// The identifier.
    pub identifier: String,
    /// The kind of rows.
    pub kind: String,
    /// Rows whose language it knows, and how many languages these are.
    pub rows: usize,
    /// The languages among them.
    pub languages: usize,
    /// The share it got right.
    pub accuracy: f64,
    /// The mean over languages of the harmonic mean of precision and recall.
    pub macro_f1: f64,
    /// The share on which it gave no answer.
    pub abstained: f64,
    /// By how much its probabilities are off on average, where it gives any: in ten bins of equal width,
    /// the difference between the mean probability and the share that is right.
    pub calibration_error: Option<f64>,
    /// What the first identifier got right of the same rows.
    pub ours: f64,
    /// Its macro-F1 there.
    pub ours_macro_f1: f64,
    /// The same, had it only the languages to choose from that this identifier has.
    pub ours_among: f64,
    /// Its macro-F1 then.
    pub ours_among_macro_f1: f64,
    /// Bytes of text a second, on one core.
    pub bytes_per_second: f64,
}

/// How one language fares with the first identifier.
#[derive(Clone, Debug, Serialize)]
pub struct LanguageScore {
    /// The language.
    pub language: String,
    /// The kind of rows.
    pub kind: String,
    /// Its rows.
    pub rows: usize,
    /// Of these, the share found.
    pub recall: f64,
    /// Of the rows taken for it, the share that are.
    pub precision: f64,
    /// Of all rows, the share that is rightly in or out.
    pub accuracy: f64,
}

impl LanguageScore {
    /// Whether it is better than S2's figures.
    pub fn beats_s2(&self) -> bool {
        self.accuracy > S2.0 && self.precision > S2.1 && self.recall > S2.2
    }
}

/// Everything measured.
#[derive(Clone, Debug, Serialize)]
pub struct Evaluation {
    /// Every identifier on every kind; the first identifier first.
    pub scores: Vec<Score>,
    /// The first identifier's languages.
    pub languages: Vec<LanguageScore>,
    /// Its confusions, the most frequent first.
    pub confusions: Vec<Confusion>,
    /// Rows in languages it does not know.
    pub unknown_rows: usize,
}

/// Measures identifiers on rows; the first is ours, and `among` makes ours with fewer languages to choose
/// from.
pub fn evaluate(
    identifiers: &[&dyn Identifier],
    among: impl Fn(&[Language]) -> Ours,
    rows: &[Row],
    mut progress: impl FnMut(&str),
) -> Evaluation {
    let mut kinds: Vec<&str> = rows.iter().map(|row| row.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let mut evaluation = Evaluation {
        scores: Vec::new(),
        languages: Vec::new(),
        confusions: Vec::new(),
        unknown_rows: 0,
    };
    let mut ours = Vec::new();
    for (number, identifier) in identifiers.iter().enumerate() {
        progress(identifier.name());
        let answers: Vec<Option<Answer>> =
            rows.par_iter().map(|row| identifier.identify(&row.text)).collect();
        let known = identifier.languages();
        let judged = judged(rows, &answers, &known);
        if number == 0 {
            evaluation.unknown_rows = rows.len() - judged.len();
            evaluation.languages =
                kinds.iter().flat_map(|kind| by_language(&judged, kind)).collect();
            evaluation.confusions = confusions(wrong(&judged));
            ours = answers;
        }
        let same: Vec<Option<Answer>> = match number {
            0 => ours.clone(),
            _ => {
                let same = among(&known);
                rows.par_iter().map(|row| same.identify(&row.text)).collect()
            }
        };
        let same = judged_at(rows, &same, &judged);
        let ours = judged_at(rows, &ours, &judged);
        for kind in &kinds {
            let of_kind: Vec<&Judged> = judged.iter().filter(|row| row.kind == *kind).collect();
            if of_kind.is_empty() {
                continue;
            }
            let ours: Vec<&Judged> = ours.iter().filter(|row| row.kind == *kind).collect();
            let same: Vec<&Judged> = same.iter().filter(|row| row.kind == *kind).collect();
            evaluation.scores.push(Score {
                identifier: identifier.name().to_owned(),
                kind: (*kind).to_owned(),
                rows: of_kind.len(),
                languages: by_label(&of_kind).len(),
                accuracy: accuracy(&of_kind),
                macro_f1: macro_f1(counts(&of_kind).values()),
                abstained: share(&of_kind, |row| row.answer.is_none()),
                calibration_error: calibration_error(&of_kind),
                ours: accuracy(&ours),
                ours_macro_f1: macro_f1(counts(&ours).values()),
                ours_among: accuracy(&same),
                ours_among_macro_f1: macro_f1(counts(&same).values()),
                bytes_per_second: speed(*identifier, rows, kind),
            });
        }
    }
    evaluation
}

struct Judged<'r> {
    row: usize,
    kind: &'r str,
    label: Language,
    answer: Option<Language>,
    probability: Option<f32>,
}

/// The same language, as far as both say: `zh` is `zh-Hans`, and `zh-Hant` is not.
fn same(a: Language, b: Language) -> bool {
    a.is_within(b) || b.is_within(a)
}

/// Whether who knows this language can be asked for the label. A language in a script that it is rarely
/// written in is another matter, unless it is known by that script.
fn knows(language: Language, label: Language) -> bool {
    let chinese = label.as_str().starts_with("zh-");
    language == label || language.is_within(label) || (chinese && label.is_within(language))
}

impl<'r> Judged<'r> {
    fn new(number: usize, row: &'r Row, answer: Option<Answer>) -> Judged<'r> {
        Judged {
            row: number,
            kind: &row.kind,
            label: row.label,
            answer: answer.map(|answer| answer.language),
            probability: answer.and_then(|answer| answer.probability),
        }
    }

    fn is_right(&self) -> bool {
        self.answer.is_some_and(|answer| same(answer, self.label))
    }
}

fn judged<'r>(rows: &'r [Row], answers: &[Option<Answer>], known: &[Language]) -> Vec<Judged<'r>> {
    let of_known = |row: &&Row| known.iter().any(|&language| knows(language, row.label));
    rows.iter()
        .zip(answers)
        .enumerate()
        .filter(|(_, (row, _))| of_known(row))
        .map(|(number, (row, &answer))| Judged::new(number, row, answer))
        .collect()
}

/// Other answers to the same rows.
fn judged_at<'r>(rows: &'r [Row], answers: &[Option<Answer>], at: &[Judged]) -> Vec<Judged<'r>> {
    at.iter()
        .map(|judged| Judged::new(judged.row, &rows[judged.row], answers[judged.row]))
        .collect()
}

fn share(rows: &[&Judged], is: impl Fn(&Judged) -> bool) -> f64 {
    rows.iter().filter(|row| is(row)).count() as f64 / rows.len().max(1) as f64
}

fn accuracy(rows: &[&Judged]) -> f64 {
    share(rows, |row| row.is_right())
}

fn calibration_error(rows: &[&Judged]) -> Option<f64> {
    let mut bins = [(0usize, 0.0, 0usize); 10];
    for row in rows {
        let Some(probability) = row.probability else { continue };
        let bin = &mut bins[((probability * 10.0) as usize).min(9)];
        bin.0 += 1;
        bin.1 += f64::from(probability);
        bin.2 += usize::from(row.is_right());
    }
    let all: usize = bins.iter().map(|bin| bin.0).sum();
    let off: f64 = bins.iter().map(|&(_, sum, right)| (sum - right as f64).abs()).sum();
    (all > 0).then(|| off / all as f64)
}

fn by_label(rows: &[&Judged]) -> BTreeMap<Language, usize> {
    let mut labels = BTreeMap::new();
    for row in rows {
        *labels.entry(row.label).or_insert(0) += 1;
    }
    labels
}

fn counts(rows: &[&Judged]) -> BTreeMap<Language, Counts> {
    let mut counts: BTreeMap<Language, Counts> = BTreeMap::new();
    for row in rows {
        let count = counts.entry(row.label).or_default();
        count.all += 1;
        count.right += usize::from(row.is_right());
    }
    let labels: Vec<Language> = counts.keys().copied().collect();
    for row in rows {
        let Some(answer) = row.answer else { continue };
        // An answer that fits the label is counted for the label; another for the language it names.
        let taken = if row.is_right() {
            Some(row.label)
        } else {
            labels.iter().copied().find(|&l| same(l, answer))
        };
        if let Some(taken) = taken {
            counts.entry(taken).or_default().taken += 1;
        }
    }
    counts
}

fn by_language(judged: &[Judged], kind: &str) -> Vec<LanguageScore> {
    let rows: Vec<&Judged> = judged.iter().filter(|row| row.kind == kind).collect();
    let total = rows.len();
    let score = |(language, Counts { all, right, taken }): (Language, Counts)| LanguageScore {
        language: language.to_string(),
        kind: kind.to_owned(),
        rows: all,
        recall: right as f64 / all as f64,
        precision: right as f64 / taken.max(1) as f64,
        accuracy: (total - (all - right) - (taken - right)) as f64 / total as f64,
    };
    counts(&rows).into_iter().map(score).collect()
}

fn wrong(judged: &[Judged]) -> impl Iterator<Item = (String, Option<String>)> {
    let wrong = judged.iter().filter(|row| !row.is_right());
    wrong.map(|row| (row.label.to_string(), row.answer.map(|answer| answer.to_string())))
}

/// On one core, over as many rows as are soon done.
fn speed(identifier: &dyn Identifier, rows: &[Row], kind: &str) -> f64 {
    let (began, mut bytes) = (Instant::now(), 0);
    for row in rows.iter().filter(|row| row.kind == kind).take(500) {
        identifier.identify(&row.text);
        bytes += row.text.len();
    }
    bytes as f64 / began.elapsed().as_secs_f64()
}
