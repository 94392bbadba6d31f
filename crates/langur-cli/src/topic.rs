//! `langur topic …`

mod learn;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Learn a topic from example pages
    Learn(learn::Learn),
    /// Count in how many pages each word occurs, for `topic learn --idf`
    Idf(learn::CountIdf),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Command::Learn(command) => command.run(),
            Command::Idf(command) => command.run(),
        }
    }
}
