//! The `langur` command. One file a command, laid out as the commands are.
//!
//! It is a library so that a strategy from elsewhere can be run by the same commands:
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     langur_cli::Langur::default().with::<MyStrategy>().main()
//! }
//! ```

mod archive;
mod bench;
mod classify;
mod crawl;
mod demo;
mod eval;
mod experiment;
mod export;
mod files;
mod log;
mod memory;
mod misuse;
mod progress;
mod report;
mod simulate;
mod space;
mod status;
mod table;
mod topic;

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use langur_lab::Catalogue;
use langur_strategy::Named;

pub use memory::LargePages;

/// The `langur` command with the strategies it knows.
pub struct Langur {
    catalogue: Catalogue,
}

impl Default for Langur {
    fn default() -> Langur {
        Langur { catalogue: Catalogue::founding() }
    }
}

impl Langur {
    /// Adds a strategy, which can then be asked for by its name.
    #[must_use]
    pub fn with<S: Named>(mut self) -> Langur {
        self.catalogue.add::<S>();
        self
    }

    /// Does what the command line says.
    pub fn main(self) -> ExitCode {
        memory::map_large_memory();
        end_quietly_on_closed_pipes();
        say_when_nothing_can_be_printed();
        let help = simulate::strategies_help(&self.catalogue);
        let command = Cli::command().mut_subcommand("simulate", |command| command.after_help(help));
        let cli = Cli::from_arg_matches(&command.get_matches());
        let cli = cli.unwrap_or_else(|error| error.exit());
        let done = match cli.command {
            Command::Demo(command) => command.run(&self.catalogue),
            Command::Space(command) => command.run(),
            Command::Simulate(command) => command.run(&self.catalogue),
            Command::Experiment(command) => command.run(&self.catalogue),
            Command::Crawl(command) => command.run(&self.catalogue),
            Command::Resume(command) => command.run(&self.catalogue),
            Command::Status(command) => command.run(&self.catalogue),
            Command::Log(command) => command.run(),
            Command::Tell(command) => command.run(),
            Command::Archive(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Classify(command) => command.run(),
            Command::Topic(command) => command.run(),
            Command::Eval(command) => command.run(),
            Command::Bench(command) => command.run(&self.catalogue),
        };
        // What is printed last may still wait to be written.
        let done = done.and_then(|()| Ok(std::io::stdout().flush()?));
        match done {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                let told = format!("langur: {}", misuse::told(&error));
                told.lines().for_each(|line| eprintln!("{}", table::visible(line)));
                ExitCode::from(if misuse::is_misuse(&error) { 2 } else { 1 })
            }
        }
    }
}

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
    /// The whole story on a synthetic Thai web: build, simulate, crawl, report
    Demo(demo::Demo),
    /// Make, import, export and look at web spaces
    #[command(subcommand)]
    Space(space::Command),
    /// Crawl a web space with one strategy or many, and measure them
    Simulate(simulate::Simulate),
    /// Run an experiment file: web spaces × targets × strategies × switches × random seeds
    Experiment(experiment::Experiment),
    /// Crawl the live web or an archive for pages in a language or about a topic
    Crawl(Box<crawl::Crawl>),
    /// Go on with a crawl that was stopped, or was killed
    Resume(status::Resume),
    /// Say how a crawl stands, and what every host waits for
    Status(status::Status),
    /// Say what happened in a live crawl, a line an event
    Log(log::Log),
    /// Tell a crawl that runs something: pause, resume, stop, add seeds, block, unblock and retry hosts
    Tell(status::Tell),
    /// Index, read and lend archives
    #[command(subcommand)]
    Archive(archive::Command),
    /// Write archives in other forms
    #[command(subcommand)]
    Export(export::Command),
    /// Turn runs into one HTML file that works offline
    Report(report::Report),
    /// Say what pages say: charset, language, topics, links, and the evidence for it
    Classify(classify::Classify),
    /// Learn topics from example pages
    #[command(subcommand)]
    Topic(topic::Command),
    /// Measure how well languages and charsets are told, beside other libraries
    #[command(subcommand)]
    Eval(eval::Command),
    /// Measure speed as ratios within one run
    #[command(subcommand)]
    Bench(bench::Command),
}

/// `println!` panics when a disk is full; that is a failure like others, and no fault of the program.
fn say_when_nothing_can_be_printed() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or_default();
        match message.strip_prefix("failed printing to stdout: ") {
            Some(why) => {
                eprintln!("langur: cannot write to standard output: {why}");
                std::process::exit(1);
            }
            None => usual(panic),
        }
    }));
}

/// Whoever reads our output may stop early, as `head` does; then there is nothing left to do.
fn end_quietly_on_closed_pipes() {
    on_closed_pipes(libc::SIG_DFL);
}

/// Until this is dropped, nothing ends for a lack of readers: a crawl has more to do than to be watched.
pub(crate) fn outlive_readers() -> impl Drop {
    struct Unread;
    impl Drop for Unread {
        fn drop(&mut self) {
            on_closed_pipes(libc::SIG_DFL);
        }
    }
    on_closed_pipes(libc::SIG_IGN);
    Unread
}

fn on_closed_pipes(what: libc::sighandler_t) {
    // SAFETY: the default action for a signal, and none, are always sound.
    unsafe {
        libc::signal(libc::SIGPIPE, what);
    }
}
