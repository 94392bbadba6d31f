//! `langur archive serve`

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;
use langur_serve::{Conditions, Failure, Latency, Manners, ServeOptions, Server, SinceStart};
use serde_json::json;

use super::answers::ArchiveAnswers;
use super::open::{OpenArgs, Place, moment};
use crate::misuse::Misuse;

/// Lend an archive to any crawler, as an HTTP proxy that logs what is asked
///
/// A crawler that is told to use the proxy sees the archived web: every answer as it was captured, robots.txt
/// too, and 404 for what was not. HTTPS works once the crawler trusts the certificate authority that is
/// made in the folder of --ca. A request straight to the address is answered by its Host header, for
/// clients whose names all lead here. `langur report LOG --space … --target …` scores the crawler.
#[derive(Args)]
#[command(after_help = "\
Examples:
  langur archive serve crawl/ --listen 127.0.0.1:8080 --log requests.jsonl
  http_proxy=http://127.0.0.1:8080 wget --recursive --level=inf http://example.org/
  langur report requests.jsonl --space my.space --target lang:th -o report.html")]
pub struct Serve {
    /// The archive: a folder, an address, or commoncrawl:CC-MAIN-YYYY-WW
    #[arg(value_name = "DIR")]
    archive: Place,
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: SocketAddr,
    /// An address to listen on for TLS, for clients whose names all lead here
    #[arg(long, value_name = "ADDRESS", requires = "ca")]
    listen_tls: Option<SocketAddr>,
    /// A folder for the certificate authority that vouches for every host; made if it is not there
    #[arg(long, value_name = "DIR")]
    ca: Option<PathBuf>,
    /// A file to log every request in
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Answer with the captures nearest to this time, and not the latest
    #[arg(long, value_name = "TIME")]
    at: Option<String>,
    /// Wait so many milliseconds before an answer, or as many as the host is slow: 50 or 20-400
    #[arg(long, value_name = "MS", default_value = "0")]
    latency: String,
    /// Fail this share of the URLs, from 0 to 1
    #[arg(long, default_value_t = 0.0, value_name = "SHARE")]
    error_rate: f64,
    /// How they fail
    #[arg(long, value_enum, default_value_t)]
    error: ErrorArg,
    /// The seed of who is slow and what fails
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Note requests to a host that come sooner than so many milliseconds after the last
    #[arg(long, value_name = "MS")]
    interval: Option<u64>,
    /// Note more than so many requests to a host at once
    #[arg(long, value_name = "N")]
    concurrent: Option<u32>,
    /// Refuse such requests with 429, and do not only note them
    #[arg(long)]
    refuse: bool,
    #[command(flatten)]
    open: OpenArgs,
    /// Print where it listens as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum ErrorArg {
    /// Answered with 503
    #[default]
    Unavailable,
    /// The connection is closed without an answer
    Closed,
}

impl Serve {
    pub fn run(self) -> Result<()> {
        let at = self.at.as_deref().map(moment).transpose()?;
        let options = self.serve_options()?;
        let archive = self.open.open(&self.archive)?;
        let answers = Arc::new(ArchiveAnswers { archive, at });
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let server = Server::bind(options, answers, SinceStart::now()).await?;
            self.print(&server)?;
            server.run(stopped()).await;
            Ok::<(), anyhow::Error>(())
        })?;
        if let (Some(log), false) = (&self.log, self.json) {
            println!(
                "log: {0}   next: langur report {0} --space SPACE --target TARGET\n  with the web space that langur space build makes of the archive, and what was wanted, as in lang:th",
                log.display()
            );
        }
        Ok(())
    }

    fn serve_options(&self) -> Result<ServeOptions> {
        if !(0.0..=1.0).contains(&self.error_rate) {
            return Err(Misuse("--error-rate is a share from 0 to 1".to_owned()).into());
        }
        if self.refuse && self.interval.is_none() && self.concurrent.is_none() {
            let why = "--refuse says what becomes of requests that --interval or --concurrent note: give one of them";
            return Err(Misuse(why.to_owned()).into());
        }
        let manners = Manners {
            interval_ms: self.interval,
            concurrent: self.concurrent,
            refuse: self.refuse,
        };
        let failure = match self.error {
            ErrorArg::Unavailable => Failure::Unavailable,
            ErrorArg::Closed => Failure::Closed,
        };
        Ok(ServeOptions {
            listen_tls: self.listen_tls,
            authority: self.ca.clone(),
            log: self.log.clone(),
            conditions: Conditions {
                seed: self.seed,
                latency: latency(&self.latency)?,
                error_rate: self.error_rate,
                failure,
                manners,
            },
            ..ServeOptions::new(self.listen)
        })
    }

    fn print(&self, server: &Server) -> Result<()> {
        let address = server.local_addr().context("cannot tell where it listens")?;
        let tls = server.tls_addr().transpose().context("cannot tell where it listens")?;
        if self.json {
            let certificate = server.authority().map(|authority| authority.certificate());
            println!(
                "{}",
                json!({ "listen": address, "listen_tls": tls, "certificate": certificate })
            );
            return Ok(());
        }
        println!("serving on http://{address}, as a proxy and by Host header; Ctrl-C stops");
        if let Some(tls) = tls {
            println!("serving TLS on {tls}");
        }
        match server.authority() {
            Some(authority) => println!("{}", authority.how_to_trust()),
            None => println!("https is not served; give --ca DIR to have it"),
        }
        Ok(())
    }
}

/// `50`, or `20-400` for hosts that differ.
fn latency(text: &str) -> Result<Latency> {
    let number = |text: &str| {
        let wrong =
            || Misuse(format!("--latency \"{text}\" is not milliseconds, as in 50 or 20-400"));
        text.trim().parse::<u32>().map_err(|_| wrong())
    };
    Ok(match text.split_once('-') {
        Some((from, to)) => match (number(from)?, number(to)?) {
            (from, to) if from > to => {
                let why = format!("--latency \"{text}\" ends before it begins: write {to}-{from}");
                return Err(Misuse(why).into());
            }
            (from, to) => Latency::Spread(from, to),
        },
        None => match number(text)? {
            0 => Latency::None,
            fixed => Latency::Fixed(fixed),
        },
    })
}

/// Ends when the user or the system asks for it.
async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let (Ok(mut interrupt), Ok(mut terminate)) =
            (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
        else {
            return std::future::pending().await;
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    {
        let _ = tokio::signal::ctrl_c().await;
    }
}
