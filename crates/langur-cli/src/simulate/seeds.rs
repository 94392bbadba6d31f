//! Where crawls start.

use std::path::Path;

use anyhow::{Result, bail};
use langur_crawl::PageId;
use langur_lab::first_of;
use langur_sim::Space;

use crate::misuse::{Misuse, read_named};

/// Reads seeds: URLs or page numbers, one a line; empty lines and lines that begin with # are skipped.
pub fn from_file(space: &Space, file: &Path) -> Result<Vec<PageId>> {
    let text = read_named(file, "seeds from")?;
    let lines = text.lines().enumerate();
    let lines = lines.map(|(i, line)| (format!("{}:{}", file.display(), i + 1), line.trim()));
    find(space, lines, || format!("{}", file.display()))
}

/// Finds seeds that were given as a list.
pub fn from_list(space: &Space, task: &str, list: &[String]) -> Result<Vec<PageId>> {
    let lines = list.iter().map(|seed| (format!("task {task}"), seed.trim()));
    find(space, lines, || format!("task {task}"))
}

/// The pages of seeds, each given with where it was read. Those that the web space does not have are named
/// and left out, as a crawl of an archive does without them.
fn find<'a>(
    space: &Space,
    lines: impl Iterator<Item = (String, &'a str)>,
    source: impl Fn() -> String,
) -> Result<Vec<PageId>> {
    let (mut seeds, mut missing) = (Vec::new(), Vec::new());
    for (at, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        let seed = match line.parse::<u32>() {
            Ok(page) if (page as usize) < space.pages() => PageId(page),
            Ok(page) => bail!(Misuse(format!(
                "{at}: there is no page {page}; the web space has {}",
                space.pages()
            ))),
            Err(_) => match space.find(line) {
                Ok(Some(page)) => page,
                Ok(None) => {
                    missing.push(line);
                    continue;
                }
                Err(error) => bail!(Misuse(format!("{at}: {error}"))),
            },
        };
        seeds.push(seed);
    }
    if seeds.is_empty() && !missing.is_empty() {
        let missing = first_of(&missing);
        bail!(Misuse(format!("{}: none of the seeds is in the web space: {missing}", source())));
    }
    if !missing.is_empty() {
        eprintln!("langur: seeds that the web space does not have: {}", first_of(&missing));
    }
    if seeds.is_empty() {
        bail!(Misuse(format!("{} names no seeds", source())));
    }
    Ok(seeds)
}
