//! All rows become one web space.
//!
//! Three passes, each over a sorted stream, so that memory does not grow with the web:
//!
//! 1. captures in the order of their pages' keys: a page's number is its place in that order. What is known
//!    of a page by itself is written, and its links go to a sorter by the key they point to;
//! 2. these links and the pages, both in the order of keys, side by side: links learn the numbers of their
//!    targets, targets that are no page become missing pages, and all get their hosts and directories;
//! 3. the links, back in the order of their sources.

mod choose;
mod hosts;
mod pages;
mod places;
mod targets;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use langur_folder::FolderError;
use langur_sim::write::{AllColumns, CapturesWriter};
use langur_sim::{Manifest, NewSpace, TopicFacts};
use langur_sort::Sorter;
use serde::Serialize;
use thiserror::Error;

use self::hosts::Hosts;
use self::pages::PagesPass;
use self::places::PlacesPass;

/// The most pages, missing ones included, for their numbers must leave two bits free.
const MOST_PAGES: u64 = 1 << 30;

/// Why rows could not be joined.
#[derive(Debug, Error)]
pub enum JoinError {
    /// The web space could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Rows could not be sorted.
    #[error("cannot sort in {}: {source}\n  sorting needs about as much room as the web space", .folder.display())]
    Sort {
        /// The scratch folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A row that was written is not there any more.
    #[error("the rows in {} are damaged\n  remove that folder and build again", .0.display())]
    Damaged(PathBuf),
    /// There are too many pages for their numbers.
    #[error("a web space holds at most 1,073,741,824 pages, missing ones included")]
    TooMany,
}

/// What is joined, and how.
pub struct Joining<'a> {
    /// Files of sorted rows.
    pub rows: Vec<PathBuf>,
    /// All languages, media types and charsets in them, sorted.
    pub words: Words,
    /// Names of the labelling rules.
    pub labels: Vec<String>,
    /// The topics that pages were scored on.
    pub topics: Vec<TopicFacts>,
    /// The pages that crawls start from, by key, each with its place among them.
    pub seeds: HashMap<Vec<u8>, usize>,
    /// Which capture a page is taken from: that nearest to this moment, in seconds since 1970, or the latest.
    pub at: Option<u32>,
    /// Where the web space comes from.
    pub provenance: serde_json::Value,
    /// A folder for what does not fit into memory.
    pub scratch: &'a Path,
    /// Memory for sorting, in bytes.
    pub memory: usize,
}

/// The words that codes stand for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// Languages.
    pub languages: Vec<String>,
    /// Media types.
    pub media_types: Vec<String>,
    /// Charsets.
    pub charsets: Vec<String>,
}

/// What was left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Joined {
    /// Seeds that are there.
    pub seeds: u64,
    /// Captures of pages of which another was chosen.
    pub other_captures: u64,
    /// Pages whose chosen capture repeats one that is not there, so that another stands in.
    pub stand_ins: u64,
    /// Pages of which there is nothing but such repetitions.
    pub revisits_alone: u64,
}

/// Writes a web space. `progress` is told the pages written.
pub fn join(
    joining: &Joining,
    place: &Path,
    replace: bool,
    mut progress: impl FnMut(u64),
) -> Result<Joined, JoinError> {
    let space = NewSpace::create(place, replace)?;
    let mut manifest = Manifest::new(joining.provenance.clone());
    manifest.labels.clone_from(&joining.labels);
    manifest.languages.clone_from(&joining.words.languages);
    manifest.mimes.clone_from(&joining.words.media_types);
    manifest.charsets.clone_from(&joining.words.charsets);
    manifest.topics.clone_from(&joining.topics);
    let mut columns = AllColumns::new(&space, &manifest)?;
    let mut captures = CapturesWriter::new(&space, joining.topics.len())?;

    let mut pages = PagesPass::run(joining, &mut columns, &mut captures, &mut progress)?;
    captures.finish()?;
    manifest.counts.pages = pages.count;
    manifest.seeds = std::mem::take(&mut pages.seeds);
    let joined = pages.joined;
    let places = PlacesPass::run(joining, pages, &mut columns)?;
    manifest.counts.missing = places.missing;
    manifest.counts.links = places.links;
    manifest.counts.missing_links = places.missing_links;
    manifest.counts.directories = places.directories;
    places.targets.write(&mut columns)?;
    let Hosts { rows, tlds, domains } = places.hosts;
    manifest.counts.hosts = rows.len() as u64;
    manifest.counts.domains = domains;
    manifest.tlds = tlds;
    columns.finish(&space, &manifest, rows.iter().map(hosts::Host::row))?;
    space.finish(manifest)?;
    Ok(joined)
}

impl Joining<'_> {
    fn sorter(&self, name: &str) -> Sorter {
        Sorter::new(self.scratch, name, self.memory)
    }

    fn sorting(&self) -> impl Fn(io::Error) -> JoinError {
        |source| match source.raw_os_error() {
            Some(_) => JoinError::Sort { folder: self.scratch.to_owned(), source },
            // It is not the system that refuses: what was written is not what is read.
            None => self.damaged(),
        }
    }

    fn damaged(&self) -> JoinError {
        JoinError::Damaged(self.scratch.to_owned())
    }
}
