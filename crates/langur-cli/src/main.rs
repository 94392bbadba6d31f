//! The `langur` command.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: langur_cli::LargePages = langur_cli::LargePages;

fn main() -> ExitCode {
    langur_cli::Langur::default().main()
}
