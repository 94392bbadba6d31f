//! `langur export wacz`

use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime};

use anyhow::{Context, Result, bail};
use clap::Args;
use langur_archive::index::Timestamp;
use langur_live::Settings;
use langur_page::Address;
use langur_store::StoreOptions;
use langur_wacz::{WaczOptions, WaczSummary, write_wacz};
use serde_json::json;

use crate::archive::open_archive;
use crate::crawl::quoted;
use crate::misuse::{Misuse, file_place};
use crate::progress::Bars;
use crate::table::{count, counted};

/// Write an archive as one WACZ file, which opens in ReplayWeb.page
///
/// The file holds the WARC files as they are, an index of all captures, a list of the pages with their titles,
/// and the SHA-256 of everything. The archive needs an index: a crawl of the live web writes one, and
/// `langur archive index` makes one.
#[derive(Args)]
#[command(after_help = "\
Examples:
  langur archive index crawl/
  langur export wacz crawl/ -o crawl.wacz --title \"Lao news\" --main-page https://example.org/
  langur export wacz run/ -o run.wacz")]
pub struct Wacz {
    /// The archive: a folder with WARC files, or the run folder of a crawl of the live web
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// The file to write
    #[arg(short, long, value_name = "FILE.wacz")]
    output: PathBuf,
    /// What the collection is called
    #[arg(long)]
    title: Option<String>,
    /// What it is about
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// The page to show first; if none is given, the first seed of a run
    #[arg(long, value_name = "URL")]
    main_page: Option<String>,
    /// Replace a file that is already there
    #[arg(long)]
    force: bool,
    /// Print what was written as JSON
    #[arg(long)]
    json: bool,
}

impl Wacz {
    pub fn run(self) -> Result<()> {
        let began = Instant::now();
        let run = Some(&self.folder).filter(|folder| is_run(folder));
        let archive = run.map_or(self.folder.clone(), |run| run.join("archive"));
        if run.is_some() && is_empty(&archive)? {
            bail!(Misuse(format!(
                "the crawl in {0} has archived nothing yet\n  go on with it: langur resume {0}",
                quoted(&self.folder)
            )));
        }
        let main_page = match (&self.main_page, run) {
            (Some(url), _) => Some(url.clone()),
            (None, Some(run)) => archived_seed(run, &archive)?,
            (None, None) => None,
        };
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_secs());
        let created = Timestamp::from_unix(i64::try_from(now).unwrap_or(i64::MAX));
        let options = WaczOptions {
            replace: self.force,
            title: self.title.clone(),
            description: self.description.clone(),
            main_page,
            ..WaczOptions::new(archive, file_place(&self.output)?, created)
        };
        let bars = Bars::new();
        // How many bytes the pages have is not known beforehand.
        let bar = (!self.json).then(|| bars.bar("packing bytes", 0));
        let summary = write_wacz(&options, &|bytes| bar.iter().for_each(|bar| bar.set(bytes)))?;
        drop(bar);
        self.print(&summary, began.elapsed().as_secs_f64());
        Ok(())
    }

    fn print(&self, summary: &WaczSummary, seconds: f64) {
        let WaczSummary { files, captures, pages, left_out, bytes } = *summary;
        if self.json {
            let written = json!({ "file": self.output, "files": files, "captures": captures, "pages": pages, "left_out": left_out, "bytes": bytes, "seconds": seconds });
            println!("{written}");
            return;
        }
        println!(
            "{}: {} and {} in {}, {} bytes, in {seconds:.1} s",
            self.output.display(),
            counted(pages, "page"),
            counted(captures, "capture"),
            counted(files, "WARC file"),
            count(bytes)
        );
        if left_out > 0 {
            println!("left out: {} lines of the index that lead to no WARC file", count(left_out));
        }
    }
}

/// Whether a folder is that of a run and not of an archive.
fn is_run(folder: &Path) -> bool {
    folder.join(Settings::FILE).is_file() && folder.join("archive").is_dir()
}

fn is_empty(folder: &Path) -> Result<bool> {
    Ok(std::fs::read_dir(folder)?.next().is_none())
}

/// The first seed of a run, if it was fetched.
fn archived_seed(run: &Path, archive: &Path) -> Result<Option<String>> {
    let settings = Settings::of(run).context("the main page is the first seed")?;
    let first = settings.seeds.urls.first();
    let Some(address) = first.and_then(|url| Address::parse(url).ok()) else { return Ok(None) };
    let opened = open_archive(&archive.display().to_string(), &[], StoreOptions::default())?;
    let captured = !opened.captures(&address)?.is_empty();
    Ok(captured.then(|| address.to_string()))
}
