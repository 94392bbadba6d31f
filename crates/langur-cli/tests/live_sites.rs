//! Real sites, served on loopback under their own names and over TLS, crawled for one language.
//!
//! The truth is what the data says of each page. The pages are only read, never run.

mod live;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::sync::Arc;

use langur_page::Address;
use langur_testkit::shared::{self, Document};
use langur_testkit::{Answer, Loopback};
use live::archive::{Archived, archived};
use live::{AT_ONCE, Live};
use serde_json::Value;

const SITES: [&str; 3] = ["rust-book-ja", "httpd-docs-2.4", "httpd-docs-2.0"];

/// Fetches, about a fifth of the pages that there are.
const BUDGET: usize = 300;

/// The pages of the sites, and the URLs that lead to them by a rule of their servers.
struct Sites {
    pages: BTreeMap<String, Document>,
    aliases: HashMap<String, String>,
}

impl Sites {
    /// Nothing where the data is not there, which is said.
    fn read() -> Option<Sites> {
        let mut pages = BTreeMap::new();
        let mut numbers = HashMap::new();
        for site in SITES {
            for document in shared::documents(&format!("sites/{site}.tar.zst"))? {
                let url = canonical(document.text("url"));
                numbers.insert(document.row["id"].as_u64(), url.clone());
                pages.insert(url, document);
            }
        }
        let file = fs::File::open(shared::file("sites/aliases.jsonl.zst")?).expect("a file");
        let text = std::io::read_to_string(zstd::Decoder::new(file).expect("zstd")).expect("text");
        let mut aliases = HashMap::new();
        for line in text.lines() {
            let row: Value = serde_json::from_str(line).expect("a row in JSON");
            if let Some(to) = numbers.get(&row["to"].as_u64()) {
                aliases.insert(canonical(row["url"].as_str().expect("a URL")), to.clone());
            }
        }
        Some(Sites { pages, aliases })
    }

    fn hosts(&self) -> Vec<String> {
        let hosts = self.pages.keys().map(|url| Address::parse(url).expect("a URL").host);
        hosts.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn answer(&self, host: &str, path: &str) -> Answer {
        let url = format!("https://{host}{path}");
        if let Some(page) = self.pages.get(&url) {
            let media_type = format!("text/html; charset={}", page.text("charset"));
            return Answer::of(&media_type, page.bytes.clone());
        }
        match self.aliases.get(&url) {
            Some(to) => Answer::redirect(to),
            None => Answer::status(404),
        }
    }

    /// The pages in a language, by the data.
    fn of_language(&self, language: &str) -> BTreeSet<&str> {
        let pages = self.pages.iter().filter(|(_, page)| page.text("lang") == language);
        pages.map(|(url, _)| url.as_str()).collect()
    }

    /// The first page of each site that is in the language.
    fn seeds(&self, language: &str) -> Vec<&str> {
        let mut seeds = BTreeMap::new();
        for url in self.of_language(language) {
            if url.ends_with("/index.html") || url.ends_with('/') {
                let repository = self.pages[url].text("repo").to_owned();
                seeds.entry((repository, self.pages[url].text("commit"))).or_insert(url);
            }
        }
        seeds.into_values().collect()
    }
}

fn canonical(url: &str) -> String {
    Address::parse(url).expect("a URL").to_string()
}

/// What is archived is what was served, byte for byte.
#[track_caller]
fn same_bytes(sites: &Sites, answers: &[Archived]) -> usize {
    let mut compared = 0;
    for answer in answers.iter().filter(|it| it.status == 200 && !it.is_revisit) {
        // The sites are the same without TLS.
        if let Some(page) = sites.pages.get(&answer.url.replacen("http:", "https:", 1)) {
            assert!(answer.payload == page.bytes, "{} was archived otherwise", answer.url);
            compared += 1;
        }
    }
    compared
}

/// Crawls for a language; prints what was found, and gives back harvest and coverage by the data.
#[track_caller]
fn crawl(sites: &Arc<Sites>, language: &str, strategy: &str) -> (f64, f64) {
    let (served, folder) = (Arc::clone(sites), tempfile::tempdir().expect("a folder"));
    let (web, certificate) =
        Loopback::start_with_tls(&sites.hosts(), move |host, path| served.answer(host, path));
    let trusted = folder.path().join("certificate.pem");
    fs::write(&trusted, certificate).expect("written");
    let settings = format!("{AT_ONCE}[fetch]\ntrust = [{:?}]\n", trusted.to_string_lossy());
    // Pages lead everywhere; who is not of this web is no part of it.
    let mut options: Vec<String> = sites.hosts();
    options =
        options.iter().flat_map(|host| ["--include".to_owned(), format!("host:{host}")]).collect();
    let target = format!("lang:{language}");
    let budget = BUDGET.to_string();
    let mut options: Vec<&str> = options.iter().map(String::as_str).collect();
    options.extend(["--target", &target, "--strategy", strategy, "--max-pages", &budget]);
    let live = Live::on(&web, &settings, &sites.seeds(language)).with(&options);
    live.run();

    assert_eq!(web.overlaps(), Vec::<String>::new());
    let answers = archived(&live.crawl());
    let compared = same_bytes(sites, &answers);
    let visits = live.visits();
    let html = visits.iter().filter(|visit| visit.is_html).count();
    assert_eq!(compared + answers.iter().filter(|it| it.is_revisit).count(), html);

    let wanted = sites.of_language(language);
    let found = visits.iter().filter(|visit| wanted.contains(visit.url.as_str())).count();
    let (harvest, coverage) =
        (found as f64 / visits.len() as f64, found as f64 / wanted.len() as f64);
    let status = live.status();
    println!(
        "{language} {strategy}: {} visits, {found} of {} pages, harvest {:.1}%, coverage {:.1}%; judged relevant {}, {compared} payloads compared",
        visits.len(),
        wanted.len(),
        harvest * 100.0,
        coverage * 100.0,
        status["relevant"],
    );
    let judged = status["relevant"].as_u64().expect("a number") as f64;
    assert!((judged - found as f64).abs() <= 0.15 * found as f64, "{judged} judged, {found} true");
    (harvest, coverage)
}

#[track_caller]
fn check(language: &str) {
    let Some(sites) = Sites::read() else { return };
    let sites = Arc::new(sites);
    let share = sites.of_language(language).len() as f64 / sites.pages.len() as f64;
    println!("{language}: {:.1}% of {} pages", share * 100.0, sites.pages.len());
    let (harvest, coverage) = crawl(&sites, language, "lswc(s=3,t=5)");
    assert!(harvest > share, "better than asking anyone");
    assert!(coverage > 0.25, "{coverage}");
    crawl(&sites, language, "breadth-first");
}

#[test]
fn japanese_pages_of_real_sites_are_found_and_archived_byte_for_byte() {
    check("ja");
}

#[test]
fn korean_pages_of_real_sites_are_found_and_archived_byte_for_byte() {
    check("ko");
}
