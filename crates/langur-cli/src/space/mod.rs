//! `langur space …`

mod info;
pub mod synth;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Make a synthetic web from published statistics
    Synth(synth::Synth),
    /// Say what is in a web space
    Info(info::Info),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Command::Synth(command) => command.run(),
            Command::Info(command) => command.run(),
        }
    }
}
