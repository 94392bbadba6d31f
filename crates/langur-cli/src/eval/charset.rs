//! `langur eval charset`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use langur_evaluate::charset::{Score, documents, evaluate};

use crate::misuse::must_exist;
use crate::table::{Align, count, percent, table};

/// Measures how many documents are decoded to the right text, with nothing said by HTTP, and how many
/// chardetng would decode right: accuracy, macro-F1, what was taken for what, and speed.
#[derive(Args)]
#[command(after_help = "\
FOLDER holds documents and manifest.jsonl, whose lines are {\"path\": \"a/b.html\", \"charset\": \"windows-874\"};
a .tar.zst of the same will do.")]
pub struct Charset {
    /// Labelled documents: a folder or a .tar.zst
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Charset {
    pub fn run(self) -> Result<()> {
        must_exist(std::slice::from_ref(&self.folder))?;
        let (documents, unknown) = documents(&self.folder)?;
        let evaluation = evaluate(&documents, unknown);
        if self.json {
            println!("{}", serde_json::to_string_pretty(&evaluation)?);
            return Ok(());
        }
        let head = [
            ("charset", Align::Left),
            ("documents", Align::Right),
            ("langur", Align::Right),
            ("chardetng", Align::Right),
        ];
        let row = |score: &Score| {
            let share = |right: usize| {
                format!(
                    "{} ({})",
                    count(right as u64),
                    percent(right as f64 / score.documents.max(1) as f64)
                )
            };
            let documents = count(score.documents as u64);
            vec![score.charset.clone(), documents, share(score.langur), share(score.chardetng)]
        };
        let rows: Vec<Vec<String>> =
            evaluation.charsets.iter().chain([&evaluation.total]).map(row).collect();
        println!("{}", table(&head, &rows));
        let (ours, theirs) = evaluation.macro_f1;
        println!("macro-F1: langur {}, chardetng {}", percent(ours), percent(theirs));
        let (ours, theirs) = evaluation.bytes_per_second;
        println!("langur {:.0} MB/s, chardetng {:.0} MB/s", ours / 1e6, theirs / 1e6);
        if !evaluation.confusions.is_empty() {
            println!("\n{}", super::confusions(&evaluation.confusions));
        }
        for (path, taken) in &evaluation.misses {
            println!("missed: {path}, taken for {taken}");
        }
        for label in &evaluation.unknown_labels {
            println!("not measured, the label names no charset: {label}");
        }
        Ok(())
    }
}
