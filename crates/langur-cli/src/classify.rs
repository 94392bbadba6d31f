//! `langur classify`

mod fetch;
mod inputs;
mod verdict;

use std::io::{Read, stdin};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use langur_crawl::Language;
use langur_language::Verdict;
use langur_page::{Address, decide};
use langur_reader::{Reader, Rule, profiles, profiles_of};
use langur_textcat::Profile;
use langur_topic::Topic;
use rayon::prelude::*;
use serde_json::Value;

use crate::misuse::Misuse;
use crate::progress::Bars;
use inputs::{Document, Input};

/// Inputs read at the same time; their verdicts are printed in the order given.
const AT_ONCE: usize = 256;

/// Says what pages say: charset, language, topics, links, and every piece of evidence for it.
#[derive(Args)]
#[command(after_help = "\
The rule langur, the default judge, weighs the text, what the page declares, its charset and its domain.
The founding papers' rules know less: meta-charset tells Thai and Japanese by the declared charset alone,
meta+textcat asks TextCat too and prefers Thai.

Examples:
  langur classify page.html
  langur classify --json pages/*.html > verdicts.jsonl
  langur classify https://www.example.org/
  printf 'สวัสดีครับ\\nhello there\\n' | langur classify --lines -
  langur classify --by-url http://www.sanook.com/ https://example.jp/ja/index.html")]
pub struct Classify {
    /// Files, folders of files, URLs, or - for the standard input
    #[arg(required = true, value_name = "FILE|URL|-")]
    inputs: Vec<String>,
    /// Every line is a text of its own, in UTF-8 or in the charset that all of them are found to be in
    #[arg(long, conflicts_with = "by_url")]
    lines: bool,
    /// Judge URLs by what they look like, without fetching them; files hold one a line
    #[arg(long)]
    by_url: bool,
    /// Choose among these languages only, where no others are to be expected
    #[arg(long, value_delimiter = ',', value_name = "TAGS")]
    among: Vec<String>,
    /// How to tell the language: langur, meta-charset or meta+textcat
    #[arg(long, default_value = "langur", value_name = "RULE")]
    rule: String,
    /// A folder of TextCat fingerprint files (th.lm, …) for meta+textcat, in place of our own
    #[arg(long, value_name = "FOLDER")]
    profiles: Option<PathBuf>,
    /// Score pages on a topic, as `langur topic learn` writes it; may be given more than once
    #[arg(long, value_name = "FILE", conflicts_with = "by_url")]
    topic: Vec<PathBuf>,
    /// What HTTP would say of the files, such as "text/html; charset=tis-620"
    #[arg(long, value_name = "VALUE")]
    content_type: Option<String>,
    /// The URL that a file was found at, for its links and its domain
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// Fetch from private, loopback and link-local addresses too
    #[arg(long)]
    allow_private: bool,
    /// Print JSON, one object a document on a line of its own
    #[arg(long)]
    json: bool,
}

impl Classify {
    pub fn run(self) -> Result<()> {
        self.check()?;
        let mut reader = Reader::new(self.rule()?, self.topics()?);
        if !self.among.is_empty() {
            let among = self.among(&reader)?;
            reader = reader.among(&among);
        }
        if self.lines || self.by_url {
            return self.judge_lines(&reader);
        }
        let address = self.url.as_deref().map(Address::parse).transpose();
        let address = address.map_err(|error| Misuse(format!("--url: {error}")))?;
        let inputs: Result<Vec<_>> = self.inputs.iter().map(|input| Input::all(input)).collect();
        let inputs = inputs?.into_iter().flatten().collect::<Vec<_>>();
        if self.url.is_some() && inputs.len() > 1 {
            return Err(
                Misuse("--url is the URL of one file, and there are several".to_owned()).into()
            );
        }
        let bars = Bars::new();
        let bar = bars.bar("pages", inputs.len() as u64);
        let done = AtomicU64::new(0);
        let mut lost = Vec::new();
        for some in inputs.chunks(AT_ONCE) {
            let verdicts: Vec<Result<String>> = some
                .par_iter()
                .map(|input| {
                    let content_type = self.content_type.as_deref();
                    let document =
                        input.document(content_type, address.as_ref(), self.allow_private);
                    let verdict = document.map(|document| self.show(&reader, &document));
                    bar.set(done.fetch_add(1, Ordering::Relaxed) + 1);
                    verdict
                })
                .collect();
            for verdict in verdicts {
                match verdict {
                    Ok(text) => print!("{text}"),
                    Err(error) => lost.push(error),
                }
            }
        }
        drop(bar);
        for error in &lost {
            eprintln!("langur: {error:#}");
        }
        if !lost.is_empty() {
            bail!("{} of {} documents could not be read", lost.len(), inputs.len());
        }
        Ok(())
    }

    /// Refuses options that would do nothing.
    fn check(&self) -> Result<()> {
        let is_default = self.rule == Rule::NAMES[0];
        let what = if (self.lines || self.by_url) && !is_default {
            "--rule is for pages: lines and URLs have no META that a rule of the papers could read"
        } else if self.profiles.is_some() && self.rule != "meta+textcat" {
            "--profiles are for --rule meta+textcat"
        } else {
            return Ok(());
        };
        Err(Misuse(what.to_owned()).into())
    }

    fn rule(&self) -> Result<Rule> {
        Rule::named(&self.rule, || match &self.profiles {
            Some(folder) => Ok(profiles_of(fingerprints(folder)?)),
            None => Ok(profiles()?),
        })
        .ok_or_else(|| {
            Misuse(format!(
                "there is no rule \"{}\"; there are: {}",
                self.rule,
                Rule::NAMES.join(", ")
            ))
        })?
    }

    fn among(&self, reader: &Reader) -> Result<Vec<Language>> {
        let known = |of: Language| {
            reader.judge().languages().any(|tag| tag.is_within(of) || of.is_within(tag))
        };
        let parse = |tag: &String| match Language::parse(tag) {
            Ok(language) if known(language) => Ok(language),
            Ok(_) => Err(Misuse(format!("--among: the judge knows no language \"{tag}\"")).into()),
            Err(error) => Err(Misuse(format!("--among: {error}")).into()),
        };
        self.among.iter().map(parse).collect()
    }

    fn topics(&self) -> Result<Vec<Topic>> {
        let read = |path: &PathBuf| {
            let text = std::fs::read_to_string(path)
                .with_context(|| format!("topic {} cannot be read", path.display()))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            Topic::parse(&name, &text).with_context(|| path.display().to_string())
        };
        self.topic.iter().map(read).collect()
    }

    fn show(&self, reader: &Reader, document: &Document) -> String {
        let reading = reader.read(
            &document.bytes,
            document.content_type.as_deref(),
            document.address.as_ref(),
        );
        if self.json {
            format!(
                "{}\n",
                verdict::json(&document.name, reader, &reading, document.address.as_ref())
            )
        } else {
            verdict::text(&document.name, reader, &reading)
        }
    }

    fn judge_lines(&self, reader: &Reader) -> Result<()> {
        for input in &self.inputs {
            let lines: Vec<String> = match input.as_str() {
                url if self.by_url && Input::is_url(url) => vec![url.to_owned()],
                "-" => {
                    let mut bytes = Vec::new();
                    stdin().lock().read_to_end(&mut bytes).context("the standard input")?;
                    self.lines_of("the standard input", &bytes)
                }
                path => {
                    let bytes =
                        std::fs::read(path).with_context(|| format!("{path} cannot be read"))?;
                    self.lines_of(path, &bytes)
                }
            };
            let shown: Vec<String> =
                lines.par_iter().map(|line| self.show_line(reader, line)).collect();
            shown.iter().for_each(|line| println!("{line}"));
        }
        Ok(())
    }

    /// The lines of a file, decoded.
    fn lines_of(&self, name: &str, bytes: &[u8]) -> Vec<String> {
        let decoding = decide(bytes, self.content_type.as_deref());
        if decoding.charset.name() != "UTF-8" {
            eprintln!("langur: {name} is read in {}", decoding.charset.name());
        }
        decoding.decode(bytes).lines().map(str::to_owned).collect()
    }

    fn show_line(&self, reader: &Reader, line: &str) -> String {
        let verdict = if self.by_url { by_url(reader, line) } else { reader.judge().text(line) };
        let topics = reader.score(line);
        if self.json {
            let mut object = verdict::language_json(&verdict, verdict.language);
            object.insert(if self.by_url { "url" } else { "text" }.to_owned(), Value::from(line));
            object.insert("topics".to_owned(), verdict::topics_json(reader, &topics));
            Value::Object(object).to_string()
        } else {
            verdict::line(&verdict, line) + &verdict::topics_of_line(reader, &topics)
        }
    }
}

/// The fingerprint files of a folder.
fn fingerprints(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let entries = std::fs::read_dir(folder)
        .with_context(|| format!("{} cannot be read", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "lm"));
    paths.sort();
    if paths.is_empty() {
        bail!("{} has no fingerprint files, whose names end in .lm", folder.display());
    }
    let read = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes =
            std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        if Profile::parse(&bytes).grams().next().is_none() {
            bail!("{} is no fingerprint of a language: it has no n-grams", path.display());
        }
        Ok((name, bytes))
    };
    paths.iter().map(read).collect()
}

/// What a URL alone says, as a verdict.
fn by_url(reader: &Reader, url: &str) -> Verdict {
    let nothing = reader.judge().text("");
    match reader.judge().url(url) {
        Some((language, probability)) => {
            Verdict { language: Some(language), probability, ..nothing }
        }
        None => nothing,
    }
}
