//! The `langur` command. One file a command, laid out as the commands are.

mod bench;
mod demo;
mod memory;
mod misuse;
mod progress;
mod report;
mod simulate;
mod space;
mod table;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[global_allocator]
static ALLOCATOR: memory::LargePages = memory::LargePages;

/// Collects the part of the web in one language, and shows beforehand which strategy will do it best.
#[derive(Parser)]
#[command(
    name = "langur",
    version,
    arg_required_else_help = true,
    after_help = "Start with: langur demo"
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// The whole story on a synthetic Thai web: build, simulate, report
    Demo(demo::Demo),
    /// Make, import, export and look at web spaces
    #[command(subcommand)]
    Space(space::Command),
    /// Crawl a web space with one strategy or many, and measure them
    Simulate(simulate::Simulate),
    /// Turn runs into one HTML file that works offline
    Report(report::Report),
    /// Measure speed as ratios within one run
    #[command(subcommand)]
    Bench(bench::Command),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        Command::Demo(command) => command.run(),
        Command::Space(command) => command.run(),
        Command::Simulate(command) => command.run(),
        Command::Report(command) => command.run(),
        Command::Bench(command) => command.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("langur: {error:#}");
            ExitCode::from(if misuse::is_misuse(&error) { 2 } else { 1 })
        }
    }
}

/// Whoever reads our output may stop early, as `head` does; that is no failure.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let io = error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    io.into_iter().any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}
