//! `langur bench live`

mod bare;
mod crawled;
mod server;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, thread};

use anyhow::Result;
use clap::Args;
use langur_lab::Catalogue;
use langur_sim::Space;
use langur_sim::synth::{Preset, Synthesis};
use serde_json::json;

use crate::crawl::loopback;
use crate::space;
use crate::table::{Align, bytes, count, table};
use bare::Then;
use crawled::Crawled;
use server::ServerProcess;

/// About a third of the pages of a synthetic web are HTML, and not all of them can be reached.
const PAGES_A_FETCH: usize = 4;

/// A live crawl over loopback with everything on, against a bare HTTP client on the same server
///
/// A synthetic web is served by a process of its own under the names of thousands of hosts. It is crawled with robots.txt,
/// WARC, CDXJ, language judge, journal and metrics, without delays; and its pages are fetched in the same order by an HTTP
/// client that throws them away, and once more by one that makes WARC records of them and nothing else: what archiving
/// alone costs with our writer. All have as many connections and threads, and take turns.
#[derive(Args)]
pub struct BenchLive {
    /// How many pages are fetched
    #[arg(long, default_value_t = 30_000)]
    pages: u64,
    /// How long pages are at most, links not counted
    #[arg(long, default_value_t = 4096)]
    page_bytes: usize,
    /// Requests under way at once
    #[arg(long, default_value_t = 64)]
    connections: usize,
    /// How often everything is measured; the median counts
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// The strategy of the crawl
    #[arg(long, default_value = "breadth-first")]
    strategy: String,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// Only serve this web space, until the input ends
    #[arg(long, hide = true)]
    serve: Option<PathBuf>,
    /// Where to serve it
    #[arg(long, hide = true, default_value = "127.0.0.1:0")]
    listen: SocketAddr,
}

impl BenchLive {
    pub fn run(self, catalogue: &Catalogue) -> Result<()> {
        if let Some(space) = &self.serve {
            return server::serve(space, self.listen, self.page_bytes);
        }
        let scratch = tempfile::Builder::new().prefix("langur-bench-").tempdir()?;
        let result = self.measure(catalogue, scratch.path())?;
        match self.json {
            true => println!("{}", result.json()),
            false => result.print(),
        }
        Ok(())
    }

    fn measure(&self, catalogue: &Catalogue, scratch: &Path) -> Result<Measured> {
        let place = scratch.join("bench.space");
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let (preset, pages) = (Preset::load("thai-2004")?, self.pages as usize * PAGES_A_FETCH);
        space::synth::make(&Synthesis { preset, pages, seed: 1, threads }, &place, false)?;
        let server = ServerProcess::start(&place, self.page_bytes)?;
        let mut settings = loopback::settings(server.address, "lang:th", &Space::open(&place)?);
        settings.strategy.0.clone_from(&self.strategy);
        settings.fetch.connections = self.connections;
        settings.stop.pages = Some(self.pages);
        // The first crawl shows which pages there are, and the memory that a crawl takes: later ones are
        // given what it leaves behind.
        eprintln!("once to see what there is");
        let folder = scratch.join("crawl");
        let first = crawled::crawl(&folder, &settings, catalogue)?;
        let archive = size_of(&folder.join("archive"))?;
        let urls = Arc::new(crawled::visited(&folder)?);
        let (mut bare, mut packed, mut crawls) = (Vec::new(), Vec::new(), Vec::new());
        for round in 1..=self.rounds {
            eprintln!("round {round} of {}", self.rounds);
            for (then, times) in [(Then::Nothing, &mut bare), (Then::Packed, &mut packed)] {
                let busy = cpu_seconds();
                let seconds = bare::fetch(&urls, server.address, self.connections, then)?;
                times.push(Timed { seconds, busy: cpu_seconds() - busy });
            }
            fs::remove_dir_all(&folder)?;
            let busy = cpu_seconds();
            let seconds = crawled::crawl(&folder, &settings, catalogue)?.seconds;
            crawls.push(Timed { seconds, busy: cpu_seconds() - busy });
        }
        let (resume_seconds, events) = crawled::resume(&folder, &settings, catalogue)?;
        Ok(Measured { first, archive, bare, packed, crawls, resume_seconds, events })
    }
}

fn size_of(folder: &Path) -> Result<u64> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.metadata()?.len())).sum()
}

/// A round of one of them.
#[derive(Clone, Copy)]
struct Timed {
    seconds: f64,
    /// Seconds of all cores: what other work on the machine disturbs less.
    busy: f64,
}

/// Seconds that all cores spent on this process so far.
fn cpu_seconds() -> f64 {
    // SAFETY: an all-zero rusage is a valid one, and the system only writes into it.
    let usage = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        libc::getrusage(libc::RUSAGE_SELF, &raw mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

struct Measured {
    first: Crawled,
    archive: u64,
    bare: Vec<Timed>,
    packed: Vec<Timed>,
    crawls: Vec<Timed>,
    resume_seconds: f64,
    events: u64,
}

impl Measured {
    /// Pages a second, and microseconds of one core a page.
    fn rate(&self, rounds: &[Timed]) -> (f64, f64) {
        let fetched = self.first.fetched as f64;
        let seconds = median(rounds.iter().map(|round| round.seconds));
        (fetched / seconds, median(rounds.iter().map(|round| round.busy)) / fetched * 1e6)
    }

    /// The median of the rounds' own ratios to the bare client, since what disturbs a round disturbs both.
    fn ratio(&self, rounds: &[Timed]) -> f64 {
        median(self.bare.iter().zip(rounds).map(|(bare, other)| bare.seconds / other.seconds))
    }

    fn json(&self) -> serde_json::Value {
        let ((bare, bare_busy), (packed, packed_busy), (crawl, crawl_busy)) =
            (self.rate(&self.bare), self.rate(&self.packed), self.rate(&self.crawls));
        let seconds = |rounds: &[Timed]| rounds.iter().map(|it| it.seconds).collect::<Vec<_>>();
        json!({
            "fetched": self.first.fetched,
            "known": self.first.known,
            "hosts": self.first.hosts,
            "received_bytes": self.first.received,
            "archive_bytes": self.archive,
            "bare_seconds": seconds(&self.bare),
            "packed_seconds": seconds(&self.packed),
            "crawl_seconds": seconds(&self.crawls),
            "bare_pages_per_second": bare,
            "packed_pages_per_second": packed,
            "crawl_pages_per_second": crawl,
            "bare_cpu_us_a_page": bare_busy,
            "packed_cpu_us_a_page": packed_busy,
            "crawl_cpu_us_a_page": crawl_busy,
            "packed_ratio": self.ratio(&self.packed),
            "ratio": self.ratio(&self.crawls),
            "memory_growth_bytes": self.first.growth,
            "memory_bytes_a_known_page": self.first.bytes_a_known_page,
            "resume_seconds": self.resume_seconds,
            "resume_events": self.events,
        })
    }

    fn print(&self) {
        let first = &self.first;
        println!(
            "{} pages fetched of {} heard of on {} hosts, {} received, {} archived\n",
            count(first.fetched),
            count(first.known),
            count(first.hosts),
            bytes(first.received),
            bytes(self.archive)
        );
        let head = [
            ("", Align::Left),
            ("pages/s", Align::Right),
            ("of bare", Align::Right),
            ("µs of a core a page", Align::Right),
        ];
        let row = |name: &str, rounds: &[Timed], ratio: f64| {
            let (rate, busy) = self.rate(rounds);
            vec![name.to_owned(), count(rate as u64), format!("{ratio:.2}"), format!("{busy:.0}")]
        };
        let rows = [
            row("a bare HTTP client", &self.bare, 1.0),
            row("the same, packing WARC records", &self.packed, self.ratio(&self.packed)),
            row("the whole crawl", &self.crawls, self.ratio(&self.crawls)),
        ];
        println!("{}", table(&head, &rows));
        if let Some(growth) = first.growth {
            println!("memory: {} more than before at most", bytes(growth));
        }
        if let Some(slope) = first.bytes_a_known_page {
            println!("  in the second half {slope:.0} bytes for every page heard of");
        }
        println!("taken up again in {:.2} s: {} events", self.resume_seconds, count(self.events));
    }
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}
