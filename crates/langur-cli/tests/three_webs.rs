//! One trace in three webs: a synthetic web is simulated, crawled from its archive, and crawled over HTTP from a server
//! on loopback. With one connection every strategy visits the same pages in the same order, and its queue is as long
//! after each visit.

mod command;

use std::path::Path;
use std::sync::Arc;

use langur_crawl::PageId;
use langur_lab::{Catalogue, Live};
use langur_live::settings::{Settings, Span};
use langur_live::{Begin, LiveCrawl, LiveError, log};
use langur_loopback::{LoopbackServer, PageOptions, Pages, ServerOptions, write_warc};
use langur_sim::Space;
use langur_table::{Column, TableReader};

use command::succeed;

/// With tiers and without, with trails, with hosts that are raised and abandoned, with scores.
const STRATEGIES: [&str; 6] = [
    "breadth-first",
    "hard-focused",
    "soft-focused",
    "limited-distance(n=2,prioritized)",
    "lswc(s=3,t=5)",
    "best-first",
];

/// A visit: the page, and how many wait after it.
type Trace = Vec<(String, u64)>;

#[test]
fn every_strategy_leaves_one_trace_in_three_webs() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    succeed(folder, &["space", "synth", "--pages", "1500", "--seed", "7", "-o", "made.space"]);
    let made = Arc::new(Space::open(&folder.join("made.space")).expect("a web space"));
    let seeds: Vec<String> =
        made.manifest().seeds.iter().map(|seed| made.url(PageId(*seed))).collect();
    std::fs::write(folder.join("seeds.txt"), seeds.join("\n")).expect("room");
    let robots = Some("User-agent: *\nAllow: /\n".to_owned());
    let options = PageOptions { robots, longest: 1000, ..PageOptions::default() };
    let pages = Pages::new(made, options);
    std::fs::create_dir(folder.join("web")).expect("room");
    write_warc(&pages, &folder.join("web/web.warc.gz")).expect("an archive");
    succeed(folder, &["archive", "index", "web"]);
    succeed(folder, &["space", "build", "web/web.warc.gz", "-o", "built.space"]);
    let server =
        LoopbackServer::start(pages, &ServerOptions { record: true, ..Default::default() })
            .expect("a server");
    for strategy in STRATEGIES {
        let simulated = simulated(folder, strategy);
        assert!(simulated.len() > 100, "{strategy} visits {} pages", simulated.len());
        compare(strategy, "archive", &simulated, &archived(folder, strategy));
        compare(strategy, "live", &simulated, &live(folder, strategy, &seeds, &server));
        // Nothing was asked for twice, nor anything that was not visited.
        let asked = server.asked();
        let asked: Vec<&String> =
            asked.iter().filter(|url| !url.ends_with("/robots.txt")).collect();
        assert!(asked.iter().copied().eq(simulated.iter().map(|(url, _)| url)), "{strategy}");
    }
}

#[track_caller]
fn compare(strategy: &str, web: &str, simulated: &Trace, found: &Trace) {
    let differs = simulated.iter().zip(found).position(|(one, other)| one != other);
    if let Some(at) = differs {
        panic!("{strategy}: visit {at} is {:?} simulated, {:?} {web}", simulated[at], found[at]);
    }
    assert_eq!(simulated.len(), found.len(), "{strategy}, {web}: visits");
}

fn simulated(folder: &Path, strategy: &str) -> Trace {
    let run = ["-o", "simulated", "--force", "--seeds", "seeds.txt", "--target", "lang:th"];
    let command = ["simulate", "built.space", "--strategy", strategy];
    succeed(folder, &[&command[..], &run].concat());
    let space = Space::open(&folder.join("built.space")).expect("a web space");
    trace(&folder.join("simulated"), |page| space.url(PageId(page)))
}

fn archived(folder: &Path, strategy: &str) -> Trace {
    let run = ["-o", "archived", "--force", "--seeds", "seeds.txt", "--target", "lang:th"];
    let command = ["crawl", "--web", "archive:web", "--strategy", strategy];
    succeed(folder, &[&command[..], &run].concat());
    let run = folder.join("archived");
    let pages = table(&the_one_strategy(&run).join("pages.parquet"));
    let text = |column: &Column, row| column.text(row).expect("a text").map(str::to_owned);
    let texts = pages.column("url", text).expect("URLs").into_iter().flatten();
    let urls: std::collections::HashMap<u32, String> = numbers(&pages, "id").zip(texts).collect();
    trace(&run, |page| urls[&page].clone())
}

fn live(folder: &Path, strategy: &str, seeds: &[String], server: &LoopbackServer) -> Trace {
    let mut settings = Settings { target: "lang:th".to_owned(), ..Settings::default() };
    settings.seeds.urls = seeds.to_vec();
    settings.manners.delay = Span::ms(0);
    settings.manners.address_delay = Span::ms(0);
    settings.manners.slow_factor = 0.0;
    settings.fetch.connections = 1;
    settings.fetch.allow_private = true;
    settings.fetch.resolve = vec![format!("*={}", server.address())];
    let lab = Live::new("lang:th".parse().expect("a target"), None, "langur", None).expect("a lab");
    let contender = Catalogue::founding().parse(strategy).expect("a strategy");
    let run = folder.join("live");
    if run.exists() {
        std::fs::remove_dir_all(&run).expect("ours to remove");
    }
    std::fs::create_dir_all(run.join("run/it")).expect("room");
    let parts = lab.parts(&contender, Some(&run.join("run/it/visits.parquet"))).expect("parts");
    let begin = Begin {
        folder: run.clone(),
        settings,
        decisions: parts.decisions,
        extractor: lab.extractor().expect("an extractor"),
        label: lab.label(),
        kept: Vec::new(),
        warn: Arc::new(|what| panic!("{what}")),
    };
    let mut crawl = LiveCrawl::begin(begin).expect("a crawl");
    let finished = crawl.run(|_| ()).expect("it ends well");
    assert!(!finished.can_resume, "{strategy}: {}", finished.why);
    drop(crawl);
    parts.measures.finish(true).expect("measures");
    let mut visited = Vec::new();
    log::each_visit(&run, |visit, urls| {
        visited.push(urls.url(visit.page).expect("a URL"));
        Ok::<_, LiveError>(())
    })
    .expect("a journal");
    let mut visited = visited.into_iter();
    let trace = trace(&run.join("run"), |_| visited.next().expect("a visit in the journal"));
    assert_eq!(visited.next(), None, "{strategy}: a visit that was not observed");
    trace
}

/// The visits of a run, in order.
fn trace(run: &Path, mut url: impl FnMut(u32) -> String) -> Trace {
    let visits = table(&the_one_strategy(run).join("visits.parquet"));
    let queues = visits.column("queue", Column::natural).expect("queues");
    let queues = queues.into_iter().map(|queue| queue.expect("a queue"));
    numbers(&visits, "page").map(&mut url).zip(queues).collect()
}

fn the_one_strategy(run: &Path) -> std::path::PathBuf {
    let mut entries =
        std::fs::read_dir(run).expect("a run").map(|entry| entry.expect("an entry").path());
    entries.find(|path| path.is_dir()).expect("a strategy")
}

fn table(path: &Path) -> TableReader {
    TableReader::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn numbers(table: &TableReader, column: &str) -> impl Iterator<Item = u32> {
    let numbers = table.column(column, |column, row| column.natural(row)?.try_into().ok());
    numbers.expect("rows").into_iter().map(|number| number.expect("a number"))
}
