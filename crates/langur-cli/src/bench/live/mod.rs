//! `langur bench live`

mod bare;
mod crawled;
mod library;
mod server;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, thread};

use anyhow::Result;
use clap::Args;
use langur_lab::Catalogue;
use langur_live::Settings;
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
/// WARC, CDXJ, language judge, journal and metrics, without delays; and its pages are fetched in the same order by loops
/// that throw them away: with the client of a library, which opens connections to every host as the crawl does (kept for a
/// short or a longer time, whichever is faster), and by hand over connections on which hosts are mixed, the least that
/// fetching can cost. The latter also makes WARC records once more and nothing else: what archiving alone costs with our
/// writer. All have as many requests under way and threads, and take turns.
#[derive(Args)]
pub struct BenchLive {
    /// How many pages are fetched
    #[arg(long, default_value_t = 120_000)]
    pages: u64,
    /// How long pages are at most, links not counted
    #[arg(long, default_value_t = 4096)]
    page_bytes: usize,
    /// Requests under way at once
    #[arg(long, default_value_t = Settings::default().fetch.connections)]
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
        let mut rounds = Vec::new();
        for round in 1..=self.rounds {
            eprintln!("round {round} of {}", self.rounds);
            let by_hand = |then| bare::fetch(&urls, server.address, self.connections, then);
            let library = library::IDLE.map(|idle| {
                timed(|| library::fetch(&urls, server.address, self.connections, idle))
            });
            let [one, other] = library;
            let library = faster(one?, other?);
            let bare = timed(|| by_hand(Then::Nothing))?;
            let packed = timed(|| by_hand(Then::Packed))?;
            fs::remove_dir_all(&folder)?;
            let crawl = timed(|| Ok(crawled::crawl(&folder, &settings, catalogue)?.seconds))?;
            rounds.push(Round { library, bare, packed, crawl });
        }
        let (resume_seconds, events) = crawled::resume(&folder, &settings, catalogue)?;
        Ok(Measured { first, archive, rounds, resume_seconds, events })
    }
}

fn size_of(folder: &Path) -> Result<u64> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.metadata()?.len())).sum()
}

/// What one of them took in a round.
#[derive(Clone, Copy)]
struct Timed {
    seconds: f64,
    /// Seconds of all cores: what other work on the machine disturbs less.
    busy: f64,
}

/// All of them, one after the other.
struct Round {
    library: Timed,
    bare: Timed,
    packed: Timed,
    crawl: Timed,
}

fn faster(one: Timed, other: Timed) -> Timed {
    if one.seconds <= other.seconds { one } else { other }
}

fn timed(work: impl FnOnce() -> Result<f64>) -> Result<Timed> {
    let busy = cpu_seconds();
    let seconds = work()?;
    Ok(Timed { seconds, busy: cpu_seconds() - busy })
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

/// Where a round has what one of them took.
type Of = fn(&Round) -> Timed;

/// What is measured: its name in JSON, its title, and where a round has it.
const ROWS: [(&str, &str, Of); 4] = [
    ("bare", "a bare HTTP client by hand (hyper), hosts mixed", |it| it.bare),
    ("packed", "the same, packing WARC records", |it| it.packed),
    ("library", "a bare loop with a library's client (reqwest)", |it| it.library),
    ("crawl", "the whole crawl", |it| it.crawl),
];

struct Measured {
    first: Crawled,
    archive: u64,
    rounds: Vec<Round>,
    resume_seconds: f64,
    events: u64,
}

impl Measured {
    /// Pages a second, and microseconds of one core a page.
    fn rate(&self, of: Of) -> (f64, f64) {
        let fetched = self.first.fetched as f64;
        let middle = |part: fn(Timed) -> f64| median(self.rounds.iter().map(|it| part(of(it))));
        (fetched / middle(|it| it.seconds), middle(|it| it.busy) / fetched * 1e6)
    }

    /// The median of the rounds' own ratios to a client, since what disturbs a round disturbs both.
    fn ratio(&self, of: Of, client: Of) -> f64 {
        median(self.rounds.iter().map(|it| client(it).seconds / of(it).seconds))
    }

    fn json(&self) -> serde_json::Value {
        let mut result = json!({
            "fetched": self.first.fetched,
            "known": self.first.known,
            "hosts": self.first.hosts,
            "received_bytes": self.first.received,
            "archive_bytes": self.archive,
            "ratio": self.ratio(|it| it.crawl, |it| it.bare),
            "library_ratio": self.ratio(|it| it.crawl, |it| it.library),
            "packed_ratio": self.ratio(|it| it.packed, |it| it.bare),
            "memory_growth_bytes": self.first.growth,
            "memory_bytes_a_known_page": self.first.bytes_a_known_page,
            "resume_seconds": self.resume_seconds,
            "resume_events": self.events,
        });
        for (name, _, of) in ROWS {
            let (rate, busy) = self.rate(of);
            let seconds: Vec<f64> = self.rounds.iter().map(|it| of(it).seconds).collect();
            result[format!("{name}_seconds")] = json!(seconds);
            result[format!("{name}_pages_per_second")] = json!(rate);
            result[format!("{name}_cpu_us_a_page")] = json!(busy);
        }
        result
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
            ("of by hand", Align::Right),
            ("of the library", Align::Right),
            ("µs of a core a page", Align::Right),
        ];
        let rows = ROWS.map(|(_, title, of)| {
            let (rate, busy) = self.rate(of);
            let ratio = |client| format!("{:.2}", self.ratio(of, client));
            let (by_hand, library) = (ratio(|it| it.bare), ratio(|it| it.library));
            vec![title.to_owned(), count(rate as u64), by_hand, library, format!("{busy:.0}")]
        });
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
    // One of an odd number, two of an even one.
    let middle = sorted.get(sorted.len().saturating_sub(1) / 2..=sorted.len() / 2);
    middle.map_or(f64::NAN, |middle| middle.iter().sum::<f64>() / middle.len() as f64)
}
