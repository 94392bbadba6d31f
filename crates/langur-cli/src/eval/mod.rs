//! `langur eval …`

mod charset;
mod language;

use anyhow::Result;
use clap::Subcommand;
use langur_evaluate::Confusion;

use crate::table::{Align, count, table};

/// How many confusions are printed.
const CONFUSIONS: usize = 20;

#[derive(Subcommand)]
pub enum Command {
    /// Languages of labelled texts: accuracy, macro-F1, confusions and speed, beside other libraries
    Language(language::Language),
    /// Charsets of labelled documents: how many are decoded right, macro-F1, confusions and speed, beside chardetng
    Charset(charset::Charset),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Command::Language(command) => command.run(),
            Command::Charset(command) => command.run(),
        }
    }
}

/// The most frequent confusions as a table.
fn confusions(confusions: &[Confusion]) -> String {
    let head = [("is", Align::Left), ("taken for", Align::Left), ("times", Align::Right)];
    let row = |confusion: &Confusion| {
        let taken = confusion.taken_for.clone().unwrap_or_else(|| "—".to_owned());
        vec![confusion.is.clone(), taken, count(confusion.times as u64)]
    };
    table(&head, &confusions.iter().take(CONFUSIONS).map(row).collect::<Vec<_>>())
}
