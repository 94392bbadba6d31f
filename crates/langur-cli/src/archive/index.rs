//! `langur archive index`

use std::fmt;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use langur_archive::index::{INDEX, IndexWriter, WriteOptions};
use langur_archive::{CaptureError, Defect, Problem, captures_of};
use langur_store::{Store, StoreOptions};
use serde_json::json;

use crate::misuse::{Misuse, file_place};
use crate::progress::Bars;
use crate::table::counted;

/// Make an index of the captures in an archive, so that they can be found by URL
///
/// The index is CDXJ: a line a capture, sorted by SURT key, with URL, media type, status, digest, length,
/// offset and file name. pywb and other replay tools read it too.
#[derive(Args)]
pub struct MakeIndex {
    /// The archive: a folder, or the address of one behind HTTP or in a bucket
    #[arg(value_name = "DIR")]
    archive: String,
    /// Archive files by name, if not all that lie there
    #[arg(value_name = "FILES")]
    files: Vec<String>,
    /// The index to write, if not index.cdxj in the folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// How many files to read at a time
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

/// Problems that are shown.
const SHOWN: usize = 10;

impl MakeIndex {
    pub fn run(self) -> Result<()> {
        let began = Instant::now();
        let store = Store::open(&self.archive, StoreOptions::default())?;
        let names = self.names(&store)?;
        let output = match (&self.output, store.local(INDEX)) {
            (Some(output), _) => file_place(output)?,
            (None, Some(there)) => there,
            (None, None) => bail!(Misuse(format!(
                "{} is not a folder here: say with -o where to write the index",
                self.archive
            ))),
        };
        let writer = IndexWriter::create(&output, WriteOptions::default())?;
        let (problems, left_out) = without_shared(self.read_all(&store, &names, &writer)?);
        if writer.is_empty() && (left_out.captures > 0 || !problems.is_empty()) {
            bail!("nothing in {} can be indexed\n  {}", self.archive, why(&problems, &left_out));
        }
        let lines = writer.finish()?;
        let seconds = began.elapsed().as_secs_f64();
        if self.json {
            let problems: Vec<String> = problems.iter().map(Problem::to_string).collect();
            let index = json!({ "index": output, "files": names.len(), "captures": lines, "left_out": left_out.captures, "malformed": problems, "seconds": seconds });
            println!("{index}");
            return Ok(());
        }
        println!(
            "{}: {} in {}, in {seconds:.1} s",
            output.display(),
            counted(lines, "capture"),
            counted(names.len() as u64, "file")
        );
        if lines == 0 {
            println!(
                "there are only requests, metadata, or texts without their pages (WET), which are not indexed"
            );
        }
        if left_out.captures > 0 {
            println!("left out: {left_out}");
        }
        if !problems.is_empty() {
            let places = counted(problems.len() as u64, "place");
            println!("malformed: {places}; the rest was read");
        }
        problems.iter().take(SHOWN).for_each(|problem| println!("  {problem}"));
        Ok(())
    }

    fn names(&self, store: &Store) -> Result<Vec<String>> {
        if !self.files.is_empty() {
            return Ok(self.files.clone());
        }
        let all = store.list()?.into_iter();
        let names: Vec<String> = all.filter(|name| is_archive(name)).collect();
        if names.is_empty() {
            bail!(Misuse(format!("there are no .warc or .arc files in {}", self.archive)));
        }
        Ok(names)
    }

    /// Reads all files, several at a time, and gives back what is malformed in the order of the files.
    fn read_all(
        &self,
        store: &Store,
        names: &[String],
        writer: &IndexWriter,
    ) -> Result<Vec<Problem>> {
        let bars = Bars::new();
        let bar = (!self.json).then(|| bars.bar("indexing files", names.len() as u64));
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let made: Mutex<Vec<(usize, Result<Vec<Problem>>)>> = Mutex::default();
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, names.len()) {
                scope.spawn(|| {
                    while let Some(at) = Some(next.fetch_add(1, Ordering::Relaxed))
                        && at < names.len()
                    {
                        let add = |capture| writer.add(&capture).map_err(CaptureError::from);
                        let read = captures_of(store, &names[at], add)
                            .with_context(|| format!("cannot index {}", names[at]));
                        made.lock().expect("no thread panicked").push((at, read));
                        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                        bar.iter().for_each(|bar| bar.set(done as u64));
                    }
                });
            }
        });
        let mut made = made.into_inner().expect("no thread panicked");
        made.sort_by_key(|(at, _)| *at);
        let problems: Result<Vec<Vec<Problem>>> = made.into_iter().map(|(_, read)| read).collect();
        Ok(problems?.concat())
    }
}

/// Captures that no index can point at, and the files they lie in.
#[derive(Default)]
struct LeftOut {
    captures: u64,
    files: Vec<String>,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = &self.files[..self.files.len().min(SHOWN)];
        let more = if shown.len() < self.files.len() { ", …" } else { "" };
        write!(
            f,
            "{} in compressed members with other records, which cannot be read by range: {}{more}\n  compress the files a record at a time, as with: warcio recompress IN OUT (of .zst files: decompress them first)",
            counted(self.captures, "capture"),
            shown.join(", ")
        )
    }
}

/// What is malformed, and apart from it what is only left out.
fn without_shared(problems: Vec<Problem>) -> (Vec<Problem>, LeftOut) {
    let (mut others, mut left_out) = (Vec::new(), LeftOut::default());
    for problem in problems {
        match problem.defect {
            Defect::SharedMember(captures) => {
                left_out.captures += captures;
                left_out.files.push(problem.file.to_string());
            }
            _ => others.push(problem),
        }
    }
    (others, left_out)
}

/// Why there is nothing to index.
fn why(problems: &[Problem], left_out: &LeftOut) -> String {
    let left_out = (left_out.captures > 0).then(|| left_out.to_string());
    let problems = problems.iter().take(SHOWN).map(Problem::to_string);
    left_out.into_iter().chain(problems).collect::<Vec<_>>().join("\n  ")
}

fn is_archive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    name.ends_with(".warc") || name.ends_with(".arc")
}
