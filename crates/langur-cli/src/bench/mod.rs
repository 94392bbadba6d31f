//! `langur bench …`

mod archive;
mod live;
mod page;
mod simulate;

use anyhow::Result;
use clap::Subcommand;
use langur_lab::Catalogue;

#[derive(Subcommand)]
pub enum Command {
    /// Simulation against a bare traversal of the same graph, or the polite clock against the step clock
    Simulate(simulate::Simulate),
    /// Reading archives and building web spaces, against merely decompressing the same files
    Archive(archive::BenchArchive),
    /// A live crawl over loopback with everything on, against a bare HTTP client on the same server
    Live(live::BenchLive),
    /// Charset, links, text and language of pages, against tokenizers that only find tags
    Page(page::Page),
}

impl Command {
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        match self {
            Command::Simulate(command) => command.run(catalogue),
            Command::Archive(command) => command.run(),
            Command::Live(command) => command.run(catalogue),
            Command::Page(command) => command.run(),
        }
    }
}
