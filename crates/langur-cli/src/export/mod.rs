//! `langur export …`

mod wacz;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Write an archive as one WACZ file, which opens in ReplayWeb.page
    Wacz(wacz::Wacz),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Command::Wacz(command) => command.run(),
        }
    }
}
