//! A crawl of an archive and a simulation over the web space built from it take the same way.

use std::fs;
use std::path::Path;

use langur_archive::index::{IndexWriter, WriteOptions};
use langur_archive::{Archive, captures_of};
use langur_build::{Build, build};
use langur_crawl::PageId;
use langur_lab::{Catalogue, Offline, OfflineSetting, Simulation, Switches, Target};
use langur_page::Address;
use langur_sim::{Missing, Space};
use langur_store::{Store, StoreOptions};
use langur_table::{Column, TableReader};
use langur_testkit::{Warc, site};
use langur_topic::Topic;

/// Every strategy that is no oracle, in a setting of its own.
const STRATEGIES: [&str; 8] = [
    "breadth-first",
    "hard-focused",
    "soft-focused",
    "limited-distance(n=2,prioritized)",
    "lswc(s=3,t=5)",
    "server-filter(aggressive)",
    "directory-filter",
    "tld-anchor(abstain=follow)",
];

/// A folder with archives, their index, and the web space built from them.
fn prepare(folder: &Path, archives: &[(&str, &Warc)], topics: &[Topic]) -> Archive {
    for (name, warc) in archives {
        fs::write(folder.join(name), warc.bytes()).expect("room on the disk");
    }
    let address = folder.display().to_string();
    let store = Store::open(&address, StoreOptions::default()).expect("a store");
    let writer = IndexWriter::create(&folder.join("index.cdxj"), WriteOptions::default());
    let writer = writer.expect("begun");
    for (name, _) in archives {
        captures_of(&store, name, |capture| Ok(writer.add(&capture)?)).expect("indexed");
    }
    writer.finish().expect("an index");
    let what = Build {
        papers: true,
        files: archives.iter().map(|(name, _)| folder.join(name)).collect(),
        topics: topics.iter().map(|topic| (topic.clone(), 0)).collect(),
        seeds: Vec::new(),
        at: None,
        threads: 2,
        memory: 64 << 20,
    };
    build(&what, &folder.join("web.space"), false, &|_| ()).expect("a web space");
    Archive::open(&address, &[], StoreOptions::default()).expect("an archive")
}

fn numbers(file: &Path, column: &str) -> Vec<u32> {
    let table = TableReader::open(file).expect("Parquet");
    let numbers = table.column(column, |column, row| column.natural(row)?.try_into().ok());
    numbers.expect("rows").into_iter().map(|number| number.expect("a number")).collect()
}

fn urls(file: &Path) -> Vec<String> {
    let table = TableReader::open(file).expect("Parquet");
    let text = |column: &Column, row| column.text(row).expect("a text").map(str::to_owned);
    table.column("url", text).expect("rows").into_iter().flatten().collect()
}

/// What is crawled, and for what.
struct Crawled<'a> {
    folder: &'a Path,
    archive: &'a Archive,
    target: &'a str,
    topic: Option<&'a Topic>,
    seeds: &'a [&'a str],
}

impl<'a> Crawled<'a> {
    /// A crawl for pages in a language.
    fn of(folder: &'a Path, archive: &'a Archive, target: &'a str, seeds: &'a [&'a str]) -> Self {
        Crawled { folder, archive, target, topic: None, seeds }
    }
}

/// The URLs that both crawls visit, in order; they must be the same.
#[track_caller]
fn same_way(what: &Crawled, strategy: &str, missing: Missing) -> Vec<String> {
    let Crawled { folder, archive, seeds, .. } = *what;
    let target: Target = what.target.parse().expect("a target");
    let contender = Catalogue::founding().parse(strategy).expect("a strategy");
    let switches = Switches { missing, ..Switches::default() };
    let addresses = seeds.iter().map(|seed| Address::parse(seed).expect("a URL")).collect();
    let setting = OfflineSetting { topic: what.topic.cloned(), ..OfflineSetting::default() };
    let offline = Offline::new(archive, target.clone(), switches.clone(), addresses, setting);
    let run = folder.join("offline");
    fs::create_dir_all(&run).expect("a folder");
    let crawled = offline.expect("a crawl").run(&contender, Some(&run), &|_| ()).expect("it runs");
    assert_eq!(crawled.lost.first, Vec::<String>::new());
    let offline = urls(&run.join("pages.parquet"));

    let space = Space::open(&folder.join("web.space")).expect("the web space");
    let find = |seed: &&str| space.find(seed).expect("a URL").expect("a page");
    let pages: Vec<PageId> = seeds.iter().map(find).collect();
    let simulation = Simulation::new(&space, target, None, switches, Some(pages)).expect("fits");
    let visits = folder.join("visits.parquet");
    let measured = simulation.run(&contender, Some(&visits), &|_| ()).expect("it runs");
    let simulated: Vec<String> =
        numbers(&visits, "page").into_iter().map(|page| space.url(PageId(page))).collect();
    assert_eq!(offline, simulated, "{strategy}");
    let (offline_result, simulated_result) = (&crawled.measured.result, &measured.result);
    assert_eq!(offline_result.relevant, simulated_result.relevant, "{strategy}");
    assert_eq!(offline_result.max_queue, simulated_result.max_queue, "{strategy}");
    assert_eq!(offline_result.missing, simulated_result.missing, "{strategy}");
    simulated
}

const THAI: &str =
    "ประเทศไทยเป็นรัฐชาติอันตั้งอยู่ในภูมิภาคเอเชียตะวันออกเฉียงใต้ มีพรมแดนด้านตะวันออกติดประเทศลาวและประเทศกัมพูชา";

fn thai(links: &[&str]) -> Vec<u8> {
    page(THAI, links)
}

fn english(links: &[&str]) -> Vec<u8> {
    page("The library keeps what was printed and what was written, and now the web as well.", links)
}

fn page(text: &str, links: &[&str]) -> Vec<u8> {
    let links: String =
        links.iter().map(|link| format!("<a href=\"{link}\">{link}</a> ")).collect();
    format!("<!doctype html><meta charset=utf-8><title>x</title><p>{text}</p>{links}").into_bytes()
}

#[test]
fn a_small_archive_is_crawled_as_its_web_space_is() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let (mut first, mut second) = (Warc::default(), Warc::default());
    let day = "20200101000000";
    first
        .page("http://a.th/", day, &thai(&["/1", "b?q=1", "http://b.com/", "http://gone.th/"]))
        .page("http://a.th/1", day, &english(&["/2", "http://c.com/x/y"]))
        .page("http://a.th/b?q=1", day, &english(&["/old"]))
        .redirect("http://a.th/old", day, "/new")
        .page("http://a.th/new", day, &thai(&["http://c.com/x/y", "#here"]));
    second
        .page("http://a.th/2", day, &thai(&["/1"]))
        .page("http://b.com/", day, &english(&["/1", "/2", "/3"]))
        .page("http://b.com/1", day, &english(&["http://a.th/2"]))
        .page("http://b.com/2", "20190101000000", &thai(&["http://d.th/"]))
        .page("http://b.com/2", "20210101000000", &english(&["http://a.th/only-later"]))
        .response("http://b.com/3", day, 404, &[("Content-Type", "text/html")], b"gone")
        .page("http://c.com/x/y", day, &thai(&["z", "../w"]))
        .page("http://c.com/x/z", day, &english(&[]))
        .page("http://d.th/", day, &thai(&[]));
    let archive = prepare(scratch.path(), &[("b.warc", &second), ("a.warc", &first)], &[]);
    let what = Crawled::of(scratch.path(), &archive, "lang:th", &["http://a.th/"]);
    for missing in [Missing::NotFound, Missing::Skip] {
        for strategy in STRATEGIES {
            same_way(&what, strategy, missing);
        }
    }
    let order = same_way(&what, "breadth-first", Missing::Skip);
    assert_eq!(order[..4], ["http://a.th/", "http://a.th/1", "http://a.th/b?q=1", "http://b.com/"]);
    assert!(order.contains(&"http://a.th/new".to_owned()), "the redirect is followed");
    assert!(!order.contains(&"http://d.th/".to_owned()), "the later capture of b.com/2 counts");
}

#[test]
fn a_revisit_has_the_links_of_what_it_repeats() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let mut warc = Warc::default();
    // The digest of the first capture is written into the second by the reader of the index: it is
    // computed from the body.
    let body = thai(&["/linked"]);
    let digest = langur_archive::digest::sha1(&body);
    warc.page("http://a.th/", "20200101000000", &body)
        .revisit("http://a.th/", "20210101000000", &digest)
        .page("http://a.th/linked", "20200101000000", &english(&[]));
    let archive = prepare(scratch.path(), &[("a.warc", &warc)], &[]);
    let what = Crawled::of(scratch.path(), &archive, "lang:th", &["http://a.th/"]);
    let order = same_way(&what, "breadth-first", Missing::Skip);
    assert_eq!(order, ["http://a.th/", "http://a.th/linked"]);
}

#[test]
fn a_revisit_of_another_url_has_links_of_its_own() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let body = thai(&["linked"]);
    let digest = langur_archive::digest::sha1(&body);
    let (mut first, mut second) = (Warc::default(), Warc::default());
    first.page("http://a.th/x/", "20200101000000", &body);
    second
        .revisit_of("http://a.th/y/", "20210101000000", &digest, "http://a.th/x/", "20200101000000")
        .page("http://a.th/y/linked", "20200101000000", &english(&[]))
        .page("http://a.th/x/linked", "20200101000000", &english(&["/y/"]));
    let archive = prepare(scratch.path(), &[("a.warc", &first), ("b.warc", &second)], &[]);
    let what = Crawled::of(scratch.path(), &archive, "lang:th", &["http://a.th/y/"]);
    let order = same_way(&what, "breadth-first", Missing::Skip);
    assert_eq!(order, ["http://a.th/y/", "http://a.th/y/linked"]);
}

#[test]
fn real_sites_are_crawled_as_their_web_space_is() {
    let names = ["httpd-docs-1.3", "rust-book-ja", "apache-www", "httpd-site", "boostjp"];
    let mut warcs = Vec::new();
    for name in names {
        let Some(made) = site(name) else { return };
        warcs.push((format!("{name}.warc"), made));
    }
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let archives: Vec<(&str, &Warc)> =
        warcs.iter().map(|(name, (warc, _))| (name.as_str(), warc)).collect();
    let archive = prepare(scratch.path(), &archives, &[]);
    let seeds: Vec<&str> = warcs.iter().map(|(_, (_, first))| first.as_str()).collect();
    let what = Crawled::of(scratch.path(), &archive, "lang:ja", &seeds);
    for strategy in ["breadth-first", "soft-focused", "lswc(s=3,t=5)", "tld-anchor(abstain=follow)"]
    {
        let order = same_way(&what, strategy, Missing::NotFound);
        assert!(order.len() > 20, "{strategy} visited {} pages", order.len());
    }
}

#[test]
fn topics_are_crawled_as_in_the_web_space() {
    let bikes = "a shop that sells bicycles, tyres, saddles and every bicycle part one needs";
    let other = "a library that keeps old books, papers and maps for everybody to read in peace";
    let link = |to: &str, text: &str| format!("<a href=\"{to}\">{text}</a>");
    let html = |text: &str, links: &[String]| {
        format!("<title>t</title><p>{text}</p><p>see {}</p>", links.join(" and ")).into_bytes()
    };
    let mut warc = Warc::default();
    for number in 0..40 {
        let text = if number % 3 == 0 { bikes } else { other };
        let words = ["bicycle tyres", "maps", "more", "saddles"];
        let links: Vec<String> = (1..5)
            .map(|step| {
                link(&format!("/{}", (number * step + step) % 40), words[(number + step) % 4])
            })
            .collect();
        warc.page(&format!("http://a.example/{number}"), "20200101000000", &html(text, &links));
    }
    let topic = Topic::parse(
        "bikes",
        "bicycle\t0.7\t4\nbicycles\t0.5\t4\ntyres\t0.4\t5\nsaddles\t0.3\t6\n",
    );
    let topic = topic.expect("a topic");
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let archive = prepare(scratch.path(), &[("a.warc", &warc)], std::slice::from_ref(&topic));
    let what = Crawled {
        folder: scratch.path(),
        archive: &archive,
        target: "topic:bikes",
        topic: Some(&topic),
        seeds: &["http://a.example/0"],
    };
    let mut orders = Vec::new();
    for strategy in ["shark", "fish", "opic", "opic(form=nutch)", "pvalue", "best-first"] {
        orders.push(same_way(&what, strategy, Missing::NotFound));
    }
    assert!(orders.iter().all(|order| order.len() > 30), "all of it is linked");
    assert_ne!(orders[0], orders[2], "shark goes by what links say");
}
