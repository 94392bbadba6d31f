//! `langur eval …`

mod charset;
mod language;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Languages of labelled texts: accuracy, macro-F1, confusions and speed, beside other libraries
    Language(language::Language),
    /// Charsets of labelled documents: how many are decoded right, beside chardetng
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
