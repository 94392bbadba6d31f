//! `langur space build`

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use langur_build::{Build, Built, Stage, build};
use langur_page::Address;
use langur_sim::Space;
use langur_topic::Topic;
use serde_json::json;
use xxhash_rust::xxh3::xxh3_64;

use crate::archive::moment;
use crate::files::files_in;
use crate::misuse::{Misuse, read_named};
use crate::progress::Bars;
use crate::table::{count, counted};

/// Make a web space from WARC, ARC and WAT files
///
/// Every page gets its status, media type, size, charset, digest, time, its language by every labelling rule
/// and its scores on the topics given; every link the language of its anchor and where it comes from. A build
/// that was killed goes on where it was when the same command is given again. The same files give the
/// same bytes, in any order and with any number of threads.
#[derive(Args)]
#[command(after_help = "\
Examples:
  langur space build crawl/*.warc.gz -o my.space
  langur space build archives/ --topic bikes.topic --seeds seeds.txt -o my.space
  langur space build archives/ --labels langur -o my.space
  langur simulate my.space --target lang:th --all -o run/")]
pub struct BuildSpace {
    /// Archive files, or folders with .warc, .arc and .wat files in them
    #[arg(required = true, value_name = "FILES")]
    files: Vec<PathBuf>,
    /// The web space to write
    #[arg(short, long)]
    output: PathBuf,
    /// A topic to score pages and links on, as `langur topic learn` writes it; may be given several times
    #[arg(long, value_name = "FILE")]
    topic: Vec<PathBuf>,
    /// A file of URLs that crawls start from, one a line
    #[arg(long, value_name = "FILE")]
    seeds: Option<PathBuf>,
    /// Take the capture of a page that is nearest to this time, as in 2024 or 20240523143003, and not the latest
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// The rules by which languages are told: all, or langur for the default judge alone, without the founding papers' rules,
    /// in about half the time
    #[arg(long, value_enum, default_value_t = Labels::All)]
    labels: Labels,
    /// Replace a web space that is already there
    #[arg(long)]
    force: bool,
    /// How many threads take files apart: several files at a time, and parts of one where there are fewer
    #[arg(long, default_value_t = std::thread::available_parallelism().map_or(1, usize::from))]
    threads: usize,
    /// Memory for sorting, in MiB
    #[arg(long, default_value_t = 512, value_parser = clap::value_parser!(u64).range(1..))]
    memory: u64,
    /// Print what was built as JSON
    #[arg(long)]
    json: bool,
}

/// Labelling rules.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Labels {
    All,
    Langur,
}

impl BuildSpace {
    pub fn run(self) -> Result<()> {
        let began = Instant::now();
        let what = Build {
            files: archives(&self.files)?,
            topics: topics(&self.topic)?,
            seeds: self.seeds.as_deref().map(read_addresses).transpose()?.unwrap_or_default(),
            at: self.at.as_deref().map(seconds).transpose()?,
            papers: self.labels == Labels::All,
            threads: self.threads.max(1),
            memory: (self.memory as usize) << 20,
        };
        // Before hours are spent on it.
        langur_folder::check(&self.output, self.force)?;
        let built = self.build(&what)?;
        let space = Space::open(&self.output)?;
        let (counts, seconds) = (space.manifest().counts, began.elapsed().as_secs_f64());
        if self.json {
            let summary = json!({
                "space": self.output, "counts": counts, "seconds": seconds, "built": built,
            });
            println!("{summary}");
            return Ok(());
        }
        println!(
            "{}: {} on {}, {} between them and {} to missing pages, in {seconds:.1} s",
            self.output.display(),
            counted(counts.pages, "page"),
            counted(counts.hosts, "host"),
            counted(counts.links, "link"),
            count(counts.missing_links),
        );
        print_left_out(&built, what.seeds.iter().collect::<HashSet<_>>().len() as u64);
        Ok(())
    }

    fn build(&self, what: &Build) -> Result<Built> {
        let bars = Bars::new();
        let all = what.files.iter().map(|file| fs::metadata(file).map_or(0, |facts| facts.len()));
        let files = counted(what.files.len() as u64, "file");
        let taking_apart = bars.bar(&format!("taking apart {files}"), all.sum());
        // It begins when it is first heard of, so that it is as fast as it says.
        let joining = OnceLock::new();
        Ok(build(what, &self.output, self.force, &|stage| match stage {
            Stage::Files { read, .. } => taking_apart.set(read),
            Stage::Pages(pages) => {
                joining.get_or_init(|| bars.bar("joining pages", 0)).set(pages);
            }
        })?)
    }
}

/// What was skipped, and why.
fn print_left_out(built: &Built, seeds: u64) {
    let mut left_out: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut problems, mut shown) = (0, Vec::new());
    for file in &built.files {
        for (why, number) in &file.left_out {
            *left_out.entry(why).or_default() += number;
        }
        if file.records.is_empty() {
            problems += 1;
            shown.push(format!("{}: it holds no record", file.file));
        }
        problems += file.problem_count;
        shown.extend(file.problems.iter().cloned());
    }
    let joined = &built.joined;
    for (why, number) in [
        ("captures of pages of which another was taken", joined.other_captures),
        ("pages whose capture repeats one that is not there; another was taken", joined.stand_ins),
        (
            "pages of which there is only a revisit, whose content was not found",
            joined.revisits_alone,
        ),
        ("seeds that are in no file", seeds - joined.seeds.min(seeds)),
    ] {
        if number > 0 {
            left_out.insert(why, number);
        }
    }
    if built.files_done_before > 0 {
        println!("files taken apart before and not again: {}", count(built.files_done_before));
    }
    for (why, number) in left_out {
        println!("left out: {} {why}", count(number));
    }
    if problems > 0 {
        println!("malformed: {}; the rest was read", counted(problems, "place"));
    }
    for problem in shown.iter().take(MOST_SHOWN) {
        println!("  {problem}");
    }
    if shown.len() > MOST_SHOWN || problems > shown.len() as u64 {
        println!("  … --json lists more");
    }
}

const MOST_SHOWN: usize = 10;

/// The archives among these files and in these folders.
pub fn archives(given: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in given {
        let here = path.to_str().and_then(|path| path.strip_prefix("file://")).map(Path::new);
        let path = here.unwrap_or(path);
        if !path.exists() {
            let remote = path.to_string_lossy().contains("://");
            let why = match remote {
                true => {
                    "is no file here, and only files are taken apart\n  download it first, or crawl it where it lies with --web archive:URL"
                }
                false => "is not there",
            };
            bail!(Misuse(format!("{} {why}", path.display())));
        }
        if path.is_file() {
            files.push(path.to_owned());
            continue;
        }
        let before = files.len();
        files.extend(files_in(path)?.into_iter().filter(|file| is_archive(file)));
        if files.len() == before {
            bail!(Misuse(format!("there are no .warc, .arc or .wat files in {}", path.display())));
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file is an archive, by its name.
pub fn is_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    [".warc", ".arc", ".wat"].iter().any(|ending| name.ends_with(ending))
}

/// Topics are wanted by name, so no two may have the same.
fn topics(files: &[PathBuf]) -> Result<Vec<(Topic, u64)>> {
    let mut topics: Vec<(Topic, u64)> = Vec::new();
    for file in files {
        let topic = read_topic(file)?;
        if topics.iter().any(|(other, _)| other.name == topic.0.name) {
            let name = &topic.0.name;
            bail!(Misuse(format!(
                "--topic: there are two topics \"{name}\": rename one of the files"
            )));
        }
        topics.push(topic);
    }
    Ok(topics)
}

fn read_topic(file: &Path) -> Result<(Topic, u64)> {
    let text = read_named(file, "the topic")?;
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok((Topic::parse(&name, &text)?, xxh3_64(text.as_bytes())))
}

/// URLs, one a line; empty lines and lines that begin with # are skipped.
pub fn read_addresses(file: &Path) -> Result<Vec<Address>> {
    let text = read_named(file, "seeds from")?;
    // Editors on Windows begin files with a mark of their encoding.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text.lines().map(str::trim).enumerate();
    let urls = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let address = |(number, line): (usize, &str)| {
        let at = |error| Misuse(format!("{}:{}: {error}", file.display(), number + 1));
        if line.contains(char::is_whitespace) {
            let why = format!(
                "\"{line}\" is more than a URL: write one a line, and a space in it as %20"
            );
            return Err(at(why).into());
        }
        Address::parse(line).map_err(|error| at(error.to_string()).into())
    };
    urls.map(address).collect()
}

/// A moment on the command line, in seconds since 1970.
fn seconds(text: &str) -> Result<u32> {
    Ok(u32::try_from(moment(text)?.unix()).unwrap_or(0))
}
