//! `langur eval language`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use langur_crawl::Language as Tag;
use langur_evaluate::language::{ENOUGH_ROWS, Evaluation, S2, evaluate};
use langur_evaluate::{Identifier, Ours, peers, rows};
use langur_language::Judge;
use serde_json::json;

use crate::misuse::must_exist;
use crate::table::{Align, count, percent, table};

/// Measures how well the language of texts is told, and how well other libraries would do it: on the
/// rows whose language each of them knows, with ours on the same rows beside it: as it is, and choosing among
/// the same languages only.
#[derive(Args)]
#[command(after_help = "\
A row is a line of JSON: {\"lang\": \"th\", \"kind\": \"sentence\", \"text\": \"…\"}. Kinds are measured apart;
\"words\" of one word count as \"word\"; a text that begins with http:// or https:// is judged as a URL.

Example: langur eval language sentences.jsonl pages.jsonl.zst")]
pub struct Language {
    /// Labelled texts, .jsonl or .jsonl.zst
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// Print JSON, with every language and every confusion
    #[arg(long)]
    json: bool,
}

impl Language {
    pub fn run(self) -> Result<()> {
        must_exist(&self.data)?;
        let ours = Ours(Judge::new());
        let peers = peers();
        let mut identifiers: Vec<&dyn Identifier> = vec![&ours];
        identifiers.extend(peers.iter().map(|peer| &**peer));
        let mut all = Vec::new();
        for path in &self.data {
            let rows = rows(path)?;
            let name = path.display().to_string();
            let among = |languages: &[Tag]| Ours(Judge::new().among(languages));
            let say = |peer: &str| eprintln!("{name}: {peer}");
            let evaluation = evaluate(&identifiers, among, &rows, say);
            if self.json {
                all.push(json!({ "data": name, "rows": rows.len(), "evaluation": evaluation }));
            } else {
                print(&name, rows.len(), &evaluation);
            }
        }
        if self.json {
            println!("{}", serde_json::to_string_pretty(&all)?);
        }
        Ok(())
    }
}

fn print(name: &str, rows: usize, evaluation: &Evaluation) {
    let unknown = evaluation.unknown_rows as u64;
    println!(
        "{name}: {} rows, {} of them in languages we do not know",
        count(rows as u64),
        count(unknown)
    );
    println!("\n{}", scores(evaluation));
    let below: Vec<_> = evaluation
        .languages
        .iter()
        .filter(|language| language.rows >= ENOUGH_ROWS && !language.beats_s2())
        .collect();
    let held = evaluation.languages.iter().filter(|language| language.rows >= ENOUGH_ROWS).count();
    let (accuracy, precision, recall) = S2;
    println!(
        "{} of {held} languages with at least {ENOUGH_ROWS} rows of a kind beat accuracy {}, precision {}, recall {}",
        held - below.len(),
        percent(accuracy),
        percent(precision),
        percent(recall)
    );
    if !below.is_empty() {
        let head = [
            ("below", Align::Left),
            ("kind", Align::Left),
            ("rows", Align::Right),
            ("precision", Align::Right),
            ("recall", Align::Right),
        ];
        let rows: Vec<Vec<String>> = below
            .iter()
            .map(|language| {
                vec![
                    language.language.clone(),
                    language.kind.clone(),
                    count(language.rows as u64),
                    percent(language.precision),
                    percent(language.recall),
                ]
            })
            .collect();
        println!("\n{}", table(&head, &rows));
    }
    if !evaluation.confusions.is_empty() {
        println!("{}", super::confusions(&evaluation.confusions));
    }
}

fn scores(evaluation: &Evaluation) -> String {
    let head = [
        ("kind", Align::Left),
        ("identifier", Align::Left),
        ("languages", Align::Right),
        ("rows", Align::Right),
        ("accuracy", Align::Right),
        ("macro-F1", Align::Right),
        ("no answer", Align::Right),
        ("calibration off by", Align::Right),
        ("langur there", Align::Right),
        ("its macro-F1", Align::Right),
        ("among the same", Align::Right),
        ("its macro-F1", Align::Right),
        ("MB/s", Align::Right),
    ];
    let mut scores: Vec<_> = evaluation.scores.iter().collect();
    scores.sort_by(|a, b| a.kind.cmp(&b.kind));
    let rows: Vec<Vec<String>> = scores
        .iter()
        .map(|score| {
            vec![
                score.kind.clone(),
                score.identifier.clone(),
                score.languages.to_string(),
                count(score.rows as u64),
                percent(score.accuracy),
                percent(score.macro_f1),
                percent(score.abstained),
                score.calibration_error.map_or("—".to_owned(), percent),
                percent(score.ours),
                percent(score.ours_macro_f1),
                percent(score.ours_among),
                percent(score.ours_among_macro_f1),
                format!("{:.1}", score.bytes_per_second / 1e6),
            ]
        })
        .collect();
    table(&head, &rows)
}
