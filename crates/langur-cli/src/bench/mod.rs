//! `langur bench …`

mod simulate;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Simulation against a bare traversal of the same graph
    Simulate(simulate::Simulate),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Command::Simulate(command) => command.run(),
        }
    }
}
