//! `langur archive get`

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use langur_archive::index::{Capture as Indexed, IndexError};
use langur_archive::{Archive, Capture, Chosen, Head, Oddity};
use langur_page::Address;
use serde_json::{Value, json};
use tempfile::NamedTempFile;

use super::open::{OpenArgs, Place, moment};
use crate::misuse::{Misuse, file_place};
use crate::table::{Align, table};

/// Print or save a capture of a URL
#[derive(Args)]
#[command(after_help = "\
Examples:
  langur archive get crawl/ https://example.org/ > page.html
  langur archive get crawl/ https://example.org/ --list
  langur archive get commoncrawl:CC-MAIN-2024-22 https://example.org/ --head")]
pub struct Get {
    /// The archive: a folder, an address, or commoncrawl:CC-MAIN-YYYY-WW
    #[arg(value_name = "DIR")]
    archive: Place,
    /// The URL
    url: String,
    /// Take the capture nearest to this time, as in 2024 or 20240523143003, and not the latest
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Say when, where and how it was captured, with the HTTP headers, and not what it holds
    #[arg(long, conflicts_with = "output")]
    head: bool,
    /// List all captures of the URL
    #[arg(long, conflicts_with_all = ["at", "head", "output"])]
    list: bool,
    /// The file to write, if not to print
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    open: OpenArgs,
    /// Print as JSON what --head or --list would say
    #[arg(long)]
    json: bool,
}

/// The longest payload that is printed.
const LONGEST: usize = 1 << 30;

impl Get {
    pub fn run(self) -> Result<()> {
        let wanted = Wanted::named(&self.url)?;
        let at = self.at.as_deref().map(moment).transpose()?;
        let archive = self.open.open(&self.archive)?;
        if self.list {
            return self.print_list(&wanted.captures(&archive)?);
        }
        let Some(chosen) = archive.choose_among(wanted.captures(&archive)?, at)? else {
            bail!(why_not(&archive, &wanted)?);
        };
        let record = archive.content(&chosen)?;
        if !record.is_whole && !self.head && !self.json {
            return self.copy(&archive, &chosen.content);
        }
        // A revisit may have a head of its own; whether there is all of the content, the record of that says.
        let of_content = match chosen.capture.is_revisit() {
            true => archive.record(&chosen.content)?.head,
            false => record.head.clone(),
        };
        if let Some(why) = in_part(&of_content) {
            eprintln!("langur: {wanted}: {why}");
        }
        let capture = Capture::of(&record.head, &record.block)
            .with_context(|| format!("the record of {wanted} holds no page"))?;
        if self.head || self.json {
            return self.print_head(&chosen, &capture, record.is_whole);
        }
        let location = capture.http.as_ref().and_then(|http| http.headers.text("location"));
        if let (Some(status @ 300..=399), Some(location)) = (capture.status, location) {
            eprintln!("langur: {wanted} is a redirect ({status}) to {location}");
        }
        let payload = capture.payload(LONGEST);
        for oddity in &payload.oddities {
            eprintln!("langur: {wanted}: {oddity}");
        }
        match &self.output {
            Some(file) => langur_folder::write_file(file, &payload.bytes)
                .with_context(|| format!("cannot write {}", file.display()))?,
            None => std::io::stdout().lock().write_all(&payload.bytes)?,
        }
        ensure!(
            !payload.oddities.iter().any(Oddity::is_loss),
            "the content is not whole; what there is of it was written"
        );
        Ok(())
    }

    /// Writes what is too long to be held in memory, or longer than the index says.
    fn copy(&self, archive: &Archive, capture: &Indexed) -> Result<()> {
        let problems = match &self.output {
            Some(path) => {
                let cannot = || format!("cannot write {}", path.display());
                let path = &*file_place(path)?;
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or(Path::new("."));
                let mut file = NamedTempFile::new_in(folder).with_context(cannot)?;
                let problems = archive.copy(capture, &mut file)?;
                if problems.is_empty() {
                    file.persist(path).with_context(cannot)?;
                }
                problems
            }
            None => archive.copy(capture, &mut std::io::stdout().lock())?,
        };
        match problems.first() {
            Some(problem) => bail!("the capture is not whole: {problem}"),
            None => Ok(()),
        }
    }

    fn print_list(&self, captures: &[Indexed]) -> Result<()> {
        if captures.is_empty() {
            bail!("{} is not in the archive", self.url);
        }
        if self.json {
            println!("{}", Value::from_iter(captures.iter().map(as_json)));
            return Ok(());
        }
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "–".to_owned());
        let row = |capture: &Indexed| {
            vec![
                capture.timestamp.to_string(),
                capture.status.map_or("–".to_owned(), |status| status.to_string()),
                text(&capture.mime),
                text(&capture.digest),
                text(&capture.filename),
            ]
        };
        let head = ["captured", "status", "media type", "digest", "file"].map(|n| (n, Align::Left));
        print!("{}", table(&head, &captures.iter().map(row).collect::<Vec<_>>()));
        Ok(())
    }

    fn print_head(&self, chosen: &Chosen, capture: &Capture, is_whole: bool) -> Result<()> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let headers = capture.http.iter().flat_map(|http| http.headers.iter());
        let headers: Vec<(String, String)> =
            headers.map(|(name, value)| (text(name), text(value))).collect();
        if self.json {
            let mut found = as_json(&chosen.capture);
            // A revisit without a head of its own has that of what it repeats.
            found["status"] = json!(capture.status);
            found["headers"] = json!(headers);
            found["bytes"] = match is_whole {
                true => json!(capture.payload(LONGEST).bytes.len()),
                false => Value::Null,
            };
            println!("{found}");
            return Ok(());
        }
        let place = chosen.content.place();
        println!("{}", chosen.capture.url);
        println!("captured {}", chosen.capture.timestamp);
        if let Some(place) = place {
            println!("in {} at byte {}", place.filename, place.offset);
        }
        if chosen.capture.is_revisit() {
            println!("a revisit: its content is that of {}", chosen.content.timestamp);
        }
        println!("status {}", capture.status.map_or("unknown".to_owned(), |s| s.to_string()));
        headers.iter().for_each(|(name, value)| println!("{name}: {value}"));
        Ok(())
    }
}

/// Why a record has not all of a page, if it says so.
fn in_part(head: &Head) -> Option<String> {
    let segment = head.get("warc-segment-number").map(|number| {
        format!("this is segment {number} of its record; others lie in records of their own")
    });
    let cut = || Some(format!("it was cut off when it was archived, for {}", head.truncated()?));
    segment.or_else(cut)
}

/// What a capture is wanted of.
enum Wanted {
    /// A page of the web.
    Page(Address),
    /// Something else that is archived by a name, as `dns:` records are.
    Other(String),
}

impl Wanted {
    fn named(name: &str) -> Result<Wanted, Misuse> {
        match Address::parse(name) {
            Ok(address) => Ok(Wanted::Page(address)),
            Err(_) if has_other_scheme(name) => Ok(Wanted::Other(name.to_owned())),
            Err(error) => Err(Misuse(error.to_string())),
        }
    }

    fn captures(&self, archive: &Archive) -> Result<Vec<Indexed>, IndexError> {
        match self {
            Wanted::Page(address) => archive.captures(address),
            Wanted::Other(name) => archive.captures_named(name),
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Page(address) => address.fmt(f),
            Wanted::Other(name) => name.fmt(f),
        }
    }
}

/// Whether a name has a scheme that is not the web's, and is not a host with its port.
fn has_other_scheme(name: &str) -> bool {
    name.split_once(':').is_some_and(|(scheme, rest)| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-'))
            && !["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web))
            && !is_port(rest.split('/').next().unwrap_or(rest))
    })
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit())
}

fn as_json(capture: &Indexed) -> Value {
    json!({
        "url": capture.url,
        "timestamp": capture.timestamp.to_string(),
        "status": capture.status,
        "mime": capture.mime,
        "digest": capture.digest,
        "filename": capture.filename,
        "offset": capture.offset,
        "length": capture.length,
    })
}

/// Why nothing can be shown of a URL.
fn why_not(archive: &Archive, wanted: &Wanted) -> Result<String> {
    if let Some(revisit) = wanted.captures(archive)?.last() {
        return Ok(format!(
            "of {wanted} there is only a revisit, of {}, and what it repeats is not in the archive\n  it may be in other files of the same crawl: index them too",
            revisit.timestamp
        ));
    }
    let others = archive.index().captures(&wanted.to_string())?;
    Ok(format!("{wanted} is not in the archive{}", same_key(&others)))
}

/// URLs that an index cannot tell from the one asked for, and that are there.
fn same_key(others: &[Indexed]) -> String {
    let mut urls: Vec<&str> = others.iter().map(|capture| capture.url.as_str()).collect();
    urls.dedup();
    match urls.as_slice() {
        [] => String::new(),
        urls => format!("\n  these are: {}", urls.join(", ")),
    }
}
