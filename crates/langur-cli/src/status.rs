//! `langur status`, `langur resume` and `langur tell`

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use langur_lab::Catalogue;
use langur_live::control::{Command, host_named, tell};
use langur_live::{LiveError, Status as LiveStatus};

use crate::crawl::{Changes, paragraph, status_at_rest};
use crate::misuse::Misuse;
use crate::space::read_addresses;

/// Say how a crawl stands, and what every host waits for
///
/// A crawl that runs is asked; of one that does not, the journal is read.
#[derive(Args)]
pub struct Status {
    /// The folder of the crawl
    crawl: PathBuf,
    /// List all hosts that wait or are given up, not only those with most pages
    #[arg(long)]
    all: bool,
    /// Print it as JSON, with all hosts
    #[arg(long)]
    json: bool,
}

impl Status {
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        let status = match told(&self.crawl, &Command::Status { all: self.all || self.json })? {
            Some(answer) => serde_json::from_str(&answer).context("the crawl talks nonsense")?,
            None => status_at_rest(&self.crawl, catalogue)?,
        };
        self.print(&status)
    }

    fn print(&self, status: &LiveStatus) -> Result<()> {
        if self.json {
            println!("{}", serde_json::to_string(status)?);
            return Ok(());
        }
        println!("{}", paragraph(status, self.all));
        for request in &status.under_way {
            println!("  under way for {:.1} s: {}", request.seconds, request.url);
        }
        Ok(())
    }
}

/// Go on with a crawl that was stopped, or was killed
///
/// The journal is replayed, half-written tails are cut off, and the crawl goes on as if nothing had happened. At most the pages that
/// were being fetched are fetched again.
#[derive(Args)]
pub struct Resume {
    /// The folder of the crawl
    crawl: PathBuf,
    #[command(flatten)]
    changes: Changes,
}

impl Resume {
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        crate::crawl::resume(&self.crawl, &self.changes, catalogue)
    }
}

/// Tell a crawl that runs something
#[derive(Args)]
pub struct Tell {
    /// The folder of the crawl
    crawl: PathBuf,
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Ask nobody for anything until told to go on
    Pause,
    /// Go on
    Resume,
    /// Stop, as Ctrl-C does
    Stop,
    /// Start from these pages too
    AddSeeds {
        /// A file of URLs, one a line
        file: PathBuf,
    },
    /// Want nothing more from a host, and those below it
    Block {
        /// Its name, or a URL on it
        host: String,
    },
    /// Take back that a host is blocked; pages that were passed over meanwhile stay so
    Unblock {
        /// Its name, as `langur status` lists it
        host: String,
    },
    /// Ask a host again that was given up, for all its pages that were passed over
    Retry {
        /// Its name, as `langur status` lists it; all that were given up, if none is named
        host: Option<String>,
    },
}

impl Tell {
    pub fn run(self) -> Result<()> {
        let command = match self.what {
            What::Pause => Command::Pause,
            What::Resume => Command::Resume,
            What::Stop => Command::Stop,
            What::AddSeeds { file } => Command::AddSeeds {
                urls: read_addresses(&file)?.iter().map(ToString::to_string).collect(),
            },
            What::Block { host } => Command::Block { host: host_named(&host).map_err(Misuse)? },
            What::Retry { host } => {
                let named = host.map(|host| host_named(&host)).transpose();
                Command::Retry { host: named.map_err(Misuse)? }
            }
            What::Unblock { host } => Command::Unblock { host: host_named(&host).map_err(Misuse)? },
        };
        let Some(answer) = told(&self.crawl, &command)? else {
            bail!(Misuse(format!(
                "no crawl runs in \"{0}\"\n  go on with it: langur resume {0}",
                self.crawl.display()
            )));
        };
        let answer: serde_json::Value = serde_json::from_str(&answer)?;
        match (&answer["done"], &answer["error"]) {
            (serde_json::Value::String(done), _) => println!("{done}"),
            (_, error) => bail!("{}", error.as_str().unwrap_or("the crawl talks nonsense")),
        }
        Ok(())
    }
}

fn told(crawl: &Path, command: &Command) -> Result<Option<String>> {
    if !langur_live::crawl::journal_path(crawl).exists() {
        bail!(Misuse(LiveError::NotACrawl(crawl.to_owned()).to_string()));
    }
    tell(crawl, command).with_context(|| format!("cannot talk to the crawl in {}", crawl.display()))
}
