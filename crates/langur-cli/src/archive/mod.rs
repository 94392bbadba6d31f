//! `langur archive …`

mod answers;
mod get;
mod index;
mod open;
mod sample;
mod serve;

use anyhow::Result;
use clap::Subcommand;

pub use open::{OpenArgs, Place, moment, open_archive};

#[derive(Subcommand)]
pub enum Command {
    /// Make an index of the captures in an archive, so that they can be found by URL
    Index(index::MakeIndex),
    /// Print or save a capture of a URL
    Get(get::Get),
    /// Estimate how many captures of an archive are wanted, from some drawn at random
    Sample(sample::Sample),
    /// Lend an archive to any crawler, as an HTTP proxy that logs what is asked
    Serve(serve::Serve),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Command::Index(command) => command.run(),
            Command::Get(command) => command.run(),
            Command::Sample(command) => command.run(),
            Command::Serve(command) => command.run(),
        }
    }
}
