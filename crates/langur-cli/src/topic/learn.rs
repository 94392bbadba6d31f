//! `langur topic learn` and `langur topic idf`

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use langur_archive::{Capture, Records};
use langur_folder::write_file;
use langur_offline::LONGEST_PAYLOAD;
use langur_page::html::Document;
use langur_page::{decide, is_binary};
use langur_topic::{Idf, LinearOptions, Tokens, Topic, VectorOptions};
use rayon::prelude::*;

use crate::files::{files_in, read};
use crate::misuse::{Misuse, must_exist, read_named};
use crate::space::is_archive;

/// Learns a topic from example pages and writes it to a file for `langur classify --topic`.
#[derive(Args)]
#[command(after_help = "\
vector is the published topic vector (TF-IDF, relevant above 0.4); linear is a yes/no classifier and needs
pages that are off the topic too. Folders are read with all the files in them.

Examples:
  langur topic learn bikes/*.html -o bikes.topic
  langur topic learn on-topic/ --negative off-topic/ --kind linear -o bikes.topic
  langur topic idf corpus/ -o corpus.idf
  langur topic learn bikes/ --idf corpus.idf -o bikes.topic")]
pub struct Learn {
    /// Pages that are about the topic: files or folders
    #[arg(required = true, value_name = "SAMPLES")]
    samples: Vec<PathBuf>,
    /// Pages that are not: files or folders
    #[arg(long, num_args = 1.., value_name = "SAMPLES")]
    negative: Vec<PathBuf>,
    /// What kind of topic
    #[arg(long, value_enum, default_value = "vector")]
    kind: Kind,
    /// In how many pages of a corpus each word occurs, as `langur topic idf` writes it
    #[arg(long, value_name = "FILE")]
    idf: Option<PathBuf>,
    /// Where to write the topic
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Kind {
    /// The published TF-IDF topic vector
    Vector,
    /// A yes/no classifier from positive and negative pages
    Linear,
}

impl Learn {
    pub fn run(self) -> Result<()> {
        let (positive, negative) = (texts(&self.samples)?, texts(&self.negative)?);
        let name = self.output.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (positive, negative) = (borrowed(&positive), borrowed(&negative));
        let topic = match self.kind {
            Kind::Vector => {
                let idf = self.idf.as_deref().map(read_idf).transpose()?;
                let options = VectorOptions::default();
                Topic::learn_vector(&name, &positive, &negative, idf.as_ref(), options)?
            }
            Kind::Linear if negative.is_empty() => {
                let what =
                    "a linear topic is learned from pages on the topic and off it: add --negative";
                return Err(Misuse(what.to_owned()).into());
            }
            Kind::Linear => {
                Topic::learn_linear(&name, &positive, &negative, LinearOptions::default())?
            }
        };
        let text = topic.to_text();
        write_file(&self.output, text.as_bytes())
            .with_context(|| format!("{} cannot be written", self.output.display()))?;
        let words = text.lines().filter(|line| !line.starts_with('#')).count();
        println!(
            "{}: {} from {} pages on the topic and {} off it, {words} words",
            self.output.display(),
            topic.kind_name(),
            positive.len(),
            negative.len()
        );
        Ok(())
    }
}

/// Counts in how many pages of a corpus each word occurs.
///
/// The corpus of a web space is the archive that it was built from; that of a live crawl is its folder.
#[derive(Args)]
pub struct CountIdf {
    /// Pages of any kind: files, folders, and WARC or ARC files, of which every page of HTML counts. Of a folder with
    /// such archives in it, nothing else counts
    #[arg(required = true, value_name = "PAGES")]
    pages: Vec<PathBuf>,
    /// Where to write the counts
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

impl CountIdf {
    pub fn run(self) -> Result<()> {
        let (mut archives, mut pages) = (Vec::new(), Vec::new());
        for path in &self.pages {
            let files = all_files(std::slice::from_ref(path))?;
            let (in_archives, others): (Vec<_>, Vec<_>) =
                files.into_iter().partition(|file| is_archive(file));
            if in_archives.is_empty() {
                refuse_space(path)?;
                pages.extend(others);
            }
            archives.extend(in_archives);
        }
        let texts = texts(&pages)?;
        let mut idf = Idf::count(Tokens::Unicode, borrowed(&texts));
        let counted: Result<Vec<Idf>> =
            archives.par_iter().map(|file| count_archive(file)).collect();
        for other in counted? {
            idf.merge(&other)?;
        }
        if idf.documents() == 0 {
            return Err(nothing_in(&self.pages[0]));
        }
        write_file(&self.output, idf.to_text().as_bytes())
            .with_context(|| format!("{} cannot be written", self.output.display()))?;
        println!("{}: words of {} pages", self.output.display(), idf.documents());
        Ok(())
    }
}

/// A web space has no words, only what was made of them.
fn refuse_space(path: &Path) -> Result<()> {
    if langur_sim::Space::open(path).is_ok() {
        bail!(Misuse(format!(
            "{} is a web space, which has no text\n  name the archive files that it was built from",
            path.display()
        )));
    }
    Ok(())
}

/// Counts the words of every page of HTML in an archive file.
fn count_archive(file: &Path) -> Result<Idf> {
    let mut idf = Idf::new(Tokens::Unicode);
    let mut records = Records::open(file)?;
    let mut block = Vec::new();
    while let Some(mut record) = records.next()? {
        if *record.head.kind() != langur_archive::Kind::Response {
            continue;
        }
        record.read_block(&mut block, LONGEST_PAYLOAD)?;
        let Some(capture) = Capture::of(record.head, &block) else { continue };
        if capture.status == Some(200) && capture.mime().as_deref() == Some("text/html") {
            let payload = capture.payload(LONGEST_PAYLOAD);
            let text = text_of(&payload.bytes, capture.content_type.as_deref());
            idf.add(&Tokens::Unicode.bag(&text));
        }
    }
    Ok(idf)
}

/// The title and the visible text of a page.
fn text_of(bytes: &[u8], content_type: Option<&str>) -> String {
    let document = Document::of(&decide(bytes, content_type).decode(bytes));
    format!("{}\n{}", document.title(), document.text())
}

fn read_idf(path: &Path) -> Result<Idf> {
    let text = read_named(path, "document frequencies from")?;
    Ok(Idf::parse(&path.display().to_string(), &text)?)
}

fn borrowed(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

/// The visible text of every page, in the order of their paths.
fn texts(paths: &[PathBuf]) -> Result<Vec<String>> {
    let files = all_files(paths)?;
    let text = |path: &PathBuf| {
        let bytes = read(path, false)?;
        if is_binary(&bytes, decide(&bytes, None).charset) {
            eprintln!("langur: {} is no text, and left out", path.display());
            return Ok(None);
        }
        Ok(Some(text_of(&bytes, None)))
    };
    let texts: Result<Vec<Option<String>>> = files.par_iter().map(text).collect();
    let texts: Vec<String> = texts?.into_iter().flatten().collect();
    match paths {
        [path, ..] if texts.is_empty() => Err(nothing_in(path)),
        _ => Ok(texts),
    }
}

fn all_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    must_exist(paths)?;
    let files: Result<Vec<_>> = paths.iter().map(|path| files_in(path)).collect();
    Ok(files?.concat())
}

fn nothing_in(path: &Path) -> anyhow::Error {
    Misuse(format!("there is no page of text in {}", path.display())).into()
}
