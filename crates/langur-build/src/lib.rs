//! Web spaces from archives.
//!
//! Every archive file is taken apart by itself into [rows](row::Row), a row a capture, by [`rows_of`]; all
//! rows are then [joined](join()) into one web space. The parts of a file are taken apart in parallel, and so are
//! files where there are threads for more than one; what is done
//! stays in a folder beside the web space until that is there, so a build that was killed goes on. Memory
//! does not grow with the number or the size of the files, and the result depends on neither their
//! order nor the number of threads.

mod batches;
mod file;
mod join;
mod key;
mod links;
mod revisits;
mod row;
mod rows;
mod work;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use langur_extract::{BadProfiles, Extractor, LABELS, PAPERS, Wants};
use langur_page::Address;
use langur_sim::TopicFacts;
use langur_sim::parallel::in_order;
use langur_sort::Sorter;
use langur_topic::Topic;
use serde::Serialize;
use serde_json::json;
use thiserror::Error;

pub use file::{FileError, FileSummary, rows_of};
pub use join::{JoinError, Joined, Joining, Words, join};
pub use key::Keys;
pub use links::{Link, Links};
pub use row::{Captured, Row};
pub use rows::{About, Rows};

use key::key_of;
use revisits::Resolved;
use work::Work;

/// What to build a web space from, and how.
pub struct Build {
    /// The archive files, in any order.
    pub files: Vec<PathBuf>,
    /// Topics to score pages and links on, each with the checksum of its file.
    pub topics: Vec<(Topic, u64)>,
    /// The pages that crawls start from, unless they are told otherwise.
    pub seeds: Vec<Address>,
    /// Which capture a page is taken from: that nearest to this moment, in seconds since 1970, or the latest.
    pub at: Option<u32>,
    /// Whether languages are told by the founding papers' rules too.
    pub papers: bool,
    /// How many take files apart.
    pub threads: usize,
    /// Memory for sorting, in bytes.
    pub memory: usize,
}

impl Build {
    fn labels(&self) -> &'static [&'static str] {
        if self.papers { &LABELS } else { &LABELS[..PAPERS] }
    }

    fn extractor(&self) -> Result<Extractor, BadProfiles> {
        let topics = self.topics.iter().map(|(topic, _)| topic.clone()).collect();
        Extractor::new(topics, Wants { all_labels: self.papers, ..Wants::ALL })
    }
}

/// Why there is no web space.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A file could not be taken apart.
    #[error(transparent)]
    File(#[from] FileError),
    /// The folder of the build could not be used.
    #[error("cannot work in {}: {source}", .folder.display())]
    Work {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Another process builds it.
    #[error(
        "web space \"{}\" is being built by another process\n  wait for it, or choose another name",
        .0.display()
    )]
    Taken(PathBuf),
    /// A file that is asked for is not there.
    #[error("cannot read {}: {source}", .file.display())]
    NotThere {
        /// The file.
        file: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is nothing in the files.
    #[error("the files hold no capture of a page{}", listed(.0))]
    Nothing(Vec<String>),
    /// The models that come with Langur are damaged.
    #[error(transparent)]
    Model(#[from] BadProfiles),
    /// Rows could not be joined.
    #[error(transparent)]
    Join(#[from] JoinError),
}

fn listed(problems: &[String]) -> String {
    problems.iter().take(5).map(|problem| format!("\n  {problem}")).collect()
}

/// What a build did.
#[derive(Clone, Debug, Serialize)]
pub struct Built {
    /// Files that were taken apart in an earlier attempt.
    pub files_done_before: u64,
    /// What came of every file, by name.
    pub files: Vec<FileSummary>,
    /// What was left out where all was joined.
    pub joined: Joined,
}

/// How far a build is.
#[derive(Clone, Copy, Debug)]
pub enum Stage {
    /// Bytes of the files that have been taken apart, of all bytes.
    Files {
        /// So far.
        read: u64,
        /// In all.
        of: u64,
    },
    /// Pages that have been joined.
    Pages(u64),
}

/// Builds a web space. `progress` is called from several threads.
pub fn build(
    what: &Build,
    place: &Path,
    replace: bool,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<Built, BuildError> {
    let topics: Vec<TopicFacts> = what.topics.iter().map(facts_of).collect();
    let settings = json!({ "labels": what.labels(), "topics": topics }).to_string();
    let work = Work::open(place, &settings)?;
    let folder = work.folder().to_owned();
    let working = |source| BuildError::Work { folder, source };
    let (mut summaries, names, files_done_before) = match take_apart(what, &work, progress) {
        Err(error) if work.is_empty() => {
            work.remove().map_err(working)?;
            return Err(error);
        }
        taken_apart => taken_apart?,
    };
    if summaries.iter().all(|summary| summary.captures == 0) {
        work.remove().map_err(working)?;
        let problems = summaries.into_iter().flat_map(|summary| summary.problems).collect();
        return Err(BuildError::Nothing(problems));
    }
    let mut rows: Vec<PathBuf> = names.iter().map(|name| work.rows(name)).collect();
    let repeated = resolve_revisits(what, &work, &rows, &summaries)?;
    if repeated.summary.captures > 0 {
        rows.push(work.rows("revisits"));
    }
    note_unread(&mut summaries, &repeated.unread);
    let joining = Joining {
        rows,
        words: words(summaries.iter().chain([&repeated.summary])),
        labels: what.labels().iter().map(|&label| label.to_owned()).collect(),
        topics,
        seeds: places(what.seeds.iter().map(key_of)),
        at: what.at,
        provenance: provenance(what, &summaries),
        scratch: work.folder(),
        memory: what.memory,
    };
    let joined = join(&joining, place, replace, |pages| progress(Stage::Pages(pages)))?;
    drop(joining);
    work.remove().map_err(working)?;
    Ok(Built { files_done_before, files: summaries, joined })
}

/// Tells what revisits repeat and nobody could read, with the files that it is in.
fn note_unread(summaries: &mut [FileSummary], unread: &BTreeSet<Captured>) {
    let by_file = summaries.iter_mut().map(|summary| (summary.file.clone(), summary));
    let mut by_file: HashMap<String, &mut FileSummary> = by_file.collect();
    for Captured { file, offset, .. } in unread {
        if let Some(summary) = by_file.get_mut(file) {
            summary.note(&format!(
                "{file} at byte {offset}: what a revisit repeats cannot be read by itself: the file is compressed as a whole or has changed, or the record is too long"
            ));
        }
    }
}

fn facts_of((topic, checksum): &(Topic, u64)) -> TopicFacts {
    let xxh3 = format!("{checksum:016x}");
    TopicFacts { name: topic.name.clone(), threshold: topic.threshold(), xxh3 }
}

/// How many take one file apart before another is begun.
const PER_FILE: usize = 4;

/// Takes all files apart that have not been before: their summaries, the names of their rows, and how many
/// were done before, all in the order of the files' names.
fn take_apart(
    what: &Build,
    work: &Work,
    progress: &(dyn Fn(Stage) + Sync),
) -> Result<(Vec<FileSummary>, Vec<String>, u64), BuildError> {
    let mut files = Vec::new();
    let (mut of, read) = (0, AtomicU64::new(0));
    for file in &what.files {
        let not_there = |source| BuildError::NotThere { file: file.clone(), source };
        let name = work.name(file).map_err(not_there)?;
        let bytes = std::fs::metadata(file).map_err(not_there)?.len();
        of += bytes;
        files.push((file.file_name().unwrap_or_default().to_owned(), name, file, bytes));
    }
    files.sort();
    files.dedup_by(|a, b| a.1 == b.1);
    let extractor = what.extractor()?;
    let mut done_before = 0;
    let mut summaries = Vec::new();
    // One that reads keeps so many others busy. The fewer files at a time, the fewer cores wait for the last one.
    let at_a_time = what.threads.div_ceil(PER_FILE).clamp(1, files.len().max(1));
    let threads = what.threads.div_ceil(at_a_time);
    in_order(
        at_a_time,
        files.iter(),
        || (),
        |(), (_, name, file, bytes)| {
            if let Some(summary) = work.finished(name) {
                progress(Stage::Files {
                    read: read.fetch_add(*bytes, Ordering::Relaxed) + bytes,
                    of,
                });
                return Ok((summary, true));
            }
            let mut sorter = Sorter::new(work.folder(), name, what.memory / at_a_time);
            let mut told = 0;
            let summary = rows_of(file, &extractor, threads, &mut sorter, &mut |at| {
                let more = at.saturating_sub(told);
                told = told.max(at);
                progress(Stage::Files { read: read.fetch_add(more, Ordering::Relaxed) + more, of });
            })?;
            sorter.write_to(&work.rows(name)).map_err(FileError::Rows)?;
            work.finish(name, &summary).map_err(FileError::Rows)?;
            read.fetch_add(bytes.saturating_sub(told), Ordering::Relaxed);
            Ok::<_, BuildError>((summary, false))
        },
        |made| {
            let (summary, before) = made?;
            done_before += u64::from(before);
            summaries.push(summary);
            Ok::<(), BuildError>(())
        },
    )?;
    Ok((summaries, files.into_iter().map(|(_, name, ..)| name).collect(), done_before))
}

/// Rows for revisits that repeat captures of other URLs, where there are any.
fn resolve_revisits(
    what: &Build,
    work: &Work,
    rows: &[PathBuf],
    summaries: &[FileSummary],
) -> Result<Resolved, BuildError> {
    if summaries.iter().all(|summary| !summary.records.contains_key("revisit")) {
        return Ok(Resolved::default());
    }
    let mut extractor = what.extractor()?;
    let (scratch, output) = (work.folder(), work.rows("revisits"));
    let found = revisits::resolve(rows, &what.files, &mut extractor, scratch, what.memory, &output);
    Ok(found?)
}

/// Where each of these stands first.
fn places(keys: impl Iterator<Item = Vec<u8>>) -> HashMap<Vec<u8>, usize> {
    let mut places = HashMap::new();
    for (place, key) in keys.enumerate() {
        places.entry(key).or_insert(place);
    }
    places
}

/// The most words that codes can tell apart.
const MOST_WORDS: usize = 60_000;

/// All words that were met in any file.
fn words<'s>(summaries: impl Iterator<Item = &'s FileSummary> + Clone) -> Words {
    let all = |words: fn(&FileSummary) -> &std::collections::BTreeSet<String>| {
        let mut all: Vec<String> = summaries.clone().flat_map(words).cloned().collect();
        all.sort_unstable();
        all.dedup();
        all.truncate(MOST_WORDS);
        all
    };
    Words {
        languages: all(|summary| &summary.languages),
        media_types: all(|summary| &summary.media_types),
        charsets: all(|summary| &summary.charsets),
    }
}

fn provenance(what: &Build, summaries: &[FileSummary]) -> serde_json::Value {
    let mut files: BTreeMap<&str, u64> = BTreeMap::new();
    for summary in summaries {
        *files.entry(&summary.file).or_default() += summary.captures;
    }
    json!({
        "made_by": concat!("langur ", env!("CARGO_PKG_VERSION"), " space build"),
        "captures_by_file": files,
        "at": what.at,
    })
}
