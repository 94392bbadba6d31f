//! `langur classify`

mod fetch;
mod inputs;
mod lines;
mod verdict;

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write, stdin, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use langur_crawl::Language;
use langur_language::{Verdict, declared};
use langur_page::Address;
use langur_reader::{Reader, Rule, Said, profiles, profiles_of};
use langur_textcat::Profile;
use langur_topic::Topic;
use rayon::prelude::*;
use serde_json::Value;

use crate::files;
use crate::misuse::{Misuse, read_named, told};
use crate::progress::Bars;
use crate::table::visible;
use inputs::{Document, Input, Manner};
use lines::Lines;

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
    inputs: Vec<OsString>,
    /// Every line of files or of - is a text of its own, judged as it comes: in UTF-8, or else in the
    /// charset that the lines which are not are found to be in
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
            return self.judge_all_lines(&reader);
        }
        let address = self.url.as_deref().map(Address::parse).transpose();
        let address = address.map_err(|error| Misuse(format!("--url: {error}")))?;
        let inputs: Result<Vec<_>> = self.inputs.iter().map(|input| Input::all(input)).collect();
        let inputs = inputs?.into_iter().flatten().collect::<Vec<_>>();
        if inputs.is_empty() {
            let what = format!("there is nothing to judge: no file in {}", shown(&self.inputs[0]));
            return Err(Misuse(what).into());
        }
        if self.url.is_some() && inputs.len() > 1 {
            return Err(
                Misuse("--url is the URL of one file, and there are several".to_owned()).into()
            );
        }
        self.judge_documents(&reader, &inputs, address.as_ref())
    }

    fn judge_documents(
        &self,
        reader: &Reader,
        inputs: &[Input],
        address: Option<&Address>,
    ) -> Result<()> {
        let manner = Manner {
            content_type: self.content_type.as_deref(),
            address,
            allow_private: self.allow_private,
            is_only_input: inputs.len() == 1,
        };
        let bars = Bars::new();
        let bar = bars.bar("pages", inputs.len() as u64);
        let done = AtomicU64::new(0);
        let mut lost = Vec::new();
        for some in inputs.chunks(AT_ONCE) {
            let judge = |input: &Input| {
                let document = input.document(&manner);
                let verdict = document.map(|document| self.show(reader, &document));
                bar.set(done.fetch_add(1, Ordering::Relaxed) + 1);
                verdict
            };
            let verdicts: Vec<Result<String>> = some.par_iter().map(judge).collect();
            for verdict in verdicts {
                match verdict {
                    Ok(text) => print!("{text}"),
                    Err(error) => lost.push(error),
                }
            }
        }
        drop(bar);
        lost.iter().for_each(tell);
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
        } else if !self.among.is_empty() && (self.by_url || !is_default) {
            "--among is for the default judge of texts and pages: URLs and the rules of the papers do not ask it"
        } else if self.profiles.is_some() && self.rule != "meta+textcat" {
            "--profiles are for --rule meta+textcat"
        } else if (self.lines || self.by_url) && (self.url.is_some() || self.allow_private) {
            "--url and --allow-private are for pages: lines and URLs that are only looked at are not fetched"
        } else if self.by_url && self.content_type.is_some() {
            "--content-type is for what is read: URLs that are only looked at have no content"
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
        let parse = |tag: &String| {
            let asked =
                Language::parse(tag).map_err(|error| Misuse(format!("--among: {error}")))?;
            // As pages write them: `no` is `nb`, and `iw` is `he`.
            let meant = [Some(asked), declared(tag)].into_iter().flatten().find(|it| known(*it));
            let unknown = || Misuse(format!("--among: the judge knows no language \"{tag}\""));
            Ok(meant.ok_or_else(unknown)?)
        };
        self.among.iter().map(parse).collect()
    }

    fn topics(&self) -> Result<Vec<Topic>> {
        let read = |path: &PathBuf| {
            // What is wrong in a file is told by its path.
            let topic = Topic::parse(&path.display().to_string(), &read_named(path, "the topic")?)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            Ok(Topic { name, ..topic })
        };
        self.topic.iter().map(read).collect()
    }

    fn show(&self, reader: &Reader, document: &Document) -> String {
        let said = Said {
            content_type: document.content_type.as_deref(),
            content_language: document.content_language.as_deref(),
        };
        let reading = reader.read(&document.bytes, said, document.address.as_ref());
        if self.json {
            format!(
                "{}\n",
                verdict::json(&document.name, reader, &reading, document.address.as_ref())
            )
        } else {
            verdict::text(&document.name, reader, &reading)
        }
    }

    fn judge_all_lines(&self, reader: &Reader) -> Result<()> {
        self.inputs.iter().try_for_each(|input| self.check_lines(input))?;
        let mut lost = 0;
        for input in &self.inputs {
            let judged = match inputs::url(input) {
                Some(url) => self.judge_batch(reader, &[url.to_owned()]),
                None if input == "-" => {
                    self.judge_lines(reader, stdin().lock(), "the standard input")
                }
                None => self
                    .open_lines(Path::new(input))
                    .and_then(|file| self.judge_lines(reader, file, &shown(input))),
            };
            lost += judged.unwrap_or_else(|error| {
                tell(&error);
                1
            });
        }
        if lost > 0 {
            let what = if self.by_url { "URLs and files" } else { "files" };
            bail!("{lost} of the {what} could not be judged");
        }
        Ok(())
    }

    /// Refuses what has no lines.
    fn check_lines(&self, input: &OsStr) -> Result<()> {
        let name = shown(input);
        let what = if self.lines && inputs::url(input).is_some() {
            format!("--lines takes files and -, and {name} is a URL")
        } else if Path::new(input).is_dir() {
            let option = if self.lines { "--lines" } else { "--by-url" };
            format!("{option} takes files and -, and {name} is a folder: name the files in it")
        } else {
            return Ok(());
        };
        Err(Misuse(what).into())
    }

    fn open_lines(&self, path: &Path) -> Result<std::fs::File> {
        if self.by_url && path.try_exists().is_ok_and(|exists| !exists) {
            bail!("{} is no URL of the web, and no file", path.display());
        }
        files::open(path, self.inputs.len() == 1)
    }

    /// Judges lines as they come; how many could not be.
    fn judge_lines(&self, reader: &Reader, from: impl Read, name: &str) -> Result<usize> {
        let mut lines = Lines::new(from, name, self.content_type.as_deref());
        let mut lost = 0;
        while let Some(batch) = lines.batch()? {
            lost += self.judge_batch(reader, &batch)?;
        }
        Ok(lost)
    }

    fn judge_batch(&self, reader: &Reader, lines: &[String]) -> Result<usize> {
        let is_asked = |line: &&String| !self.by_url || !line.trim().is_empty();
        let shown: Vec<Result<String>> =
            lines.par_iter().filter(is_asked).map(|line| self.show_line(reader, line)).collect();
        let (good, bad): (Vec<_>, Vec<_>) = shown.into_iter().partition(Result::is_ok);
        let text: String = good.into_iter().flatten().collect();
        // Whoever wrote the lines may wait for this before writing more.
        let mut out = stdout().lock();
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .context("the standard output cannot be written")?;
        bad.iter().filter_map(|line| line.as_ref().err()).for_each(tell);
        Ok(bad.len())
    }

    fn show_line(&self, reader: &Reader, line: &str) -> Result<String> {
        let verdict = if self.by_url { by_url(reader, line)? } else { reader.judge().text(line) };
        let topics = reader.score(line);
        if self.json {
            let mut object = verdict::language_json(&verdict, verdict.language);
            object.insert(if self.by_url { "url" } else { "text" }.to_owned(), Value::from(line));
            object.insert("topics".to_owned(), verdict::topics_json(reader, &topics));
            Ok(format!("{}\n", Value::Object(object)))
        } else {
            let topics = verdict::topics_of_line(reader, &topics);
            Ok(format!("{}{topics}\n", verdict::line(&verdict, line)))
        }
    }
}

/// An argument in messages.
fn shown(argument: &OsStr) -> String {
    argument.to_string_lossy().into_owned()
}

/// Says what is wrong with one input of many. What it quotes may come from the web.
fn tell(error: &anyhow::Error) {
    let text = format!("langur: {}", told(error));
    text.lines().for_each(|line| eprintln!("{}", visible(line)));
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
        if bytes.contains(&0) {
            bail!("{} is no fingerprint of a language: it is no text", path.display());
        }
        Ok((name, bytes))
    };
    paths.iter().map(read).collect()
}

/// What a URL alone says, as a verdict.
fn by_url(reader: &Reader, url: &str) -> Result<Verdict> {
    let address = Address::parse(url).map_err(|_| {
        anyhow!("\"{url}\" is no URL of the web, which begins with http:// or https:// and a host")
    })?;
    Ok(reader.judge().url(&address.to_string()))
}
