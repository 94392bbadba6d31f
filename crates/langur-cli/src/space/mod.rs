//! `langur space …`

pub mod analyze;
mod build;
mod export;
mod import;
mod info;
mod of_crawl;
pub mod synth;

pub use build::{archives, is_archive, read_addresses};
pub use of_crawl::open_space;

use anyhow::Result;
use clap::Subcommand;

#[derive(Subcommand)]
pub enum Command {
    /// Make a synthetic web from published statistics
    Synth(synth::Synth),
    /// Make a web space from WARC, ARC and WAT files
    Build(build::BuildSpace),
    /// Make a web space from anyone's crawl log and link list, or from a WebGraph
    Import(import::Import),
    /// Write a web space as CSV, Parquet or WebGraph
    Export(export::Export),
    /// Say what is in a web space
    Info(info::Info),
    /// Say what a web space looks like: languages, locality, distances, degrees, hosts, components
    Analyze(analyze::Analyze),
}

impl Command {
    pub fn run(self) -> Result<()> {
        match self {
            Command::Synth(command) => command.run(),
            Command::Build(command) => command.run(),
            Command::Import(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Info(command) => command.run(),
            Command::Analyze(command) => command.run(),
        }
    }
}
