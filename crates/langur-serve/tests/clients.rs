//! Crawlers that know nothing of Langur crawl a toy web: wget and Scrapy.
//!
//! Run where the variable LANGUR_CLIENTS names a folder made by `tests/clients/prepare`.

mod toy;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::Command;

use langur_serve::score::{Politeness, fetches};
use toy::{Running, Toy};

const SEED: &str = "http://a.example/";

/// Three http hosts and an https host of seven pages each, linked in rings and with each other;
/// b forbids a part; something has moved, something is missing, and one page has no link to it.
fn web() -> Toy {
    let mut web = Toy::default();
    for host in
        ["http://a.example", "http://b.example", "http://www.c.example", "https://s.example"]
    {
        web = web.page(&format!("{host}/"), &links(&["/1", "/dir/2", "../3?q=1&amp;r=2", "/gone"]));
        web = web.page(&format!("{host}/1"), &links(&["dir/4#part", "/"]));
        web = web.page(&format!("{host}/dir/2"), &links(&["4", "/%E0%B9%84%E0%B8%97%E0%B8%A2"]));
        web = web.page(&format!("{host}/3?q=1&r=2"), &links(&["/old"]));
        web = web.page(&format!("{host}/dir/4"), &links(&["./2", "../1"]));
        web = web.page(&format!("{host}/%E0%B9%84%E0%B8%97%E0%B8%A2"), "the end");
        web = web.with(&format!("{host}/old"), 301, &[("Location", "/new")], "");
        web = web.page(&format!("{host}/new"), "moved here");
        web = web.page(&format!("{host}/orphan"), "no link leads here");
    }
    let between = [
        ("http://a.example/1", "http://b.example/"),
        ("http://b.example/1", "http://www.c.example/"),
        ("http://www.c.example/1", "https://s.example/"),
    ];
    for (from, to) in between {
        web = web.page(from, &links(&["dir/4#part", "/", to]));
    }
    web.page("http://b.example/new", &links(&["/private/a"]))
        .page("http://b.example/private/a", &links(&["/private/b"]))
        .page("http://b.example/private/b", "secret")
        .robots("http://b.example/robots.txt", "User-agent: *\nDisallow: /private/\n")
}

fn links(to: &[&str]) -> String {
    let links = to.iter().map(|to| format!("<p><a href=\"{to}\">a link</a>"));
    format!("<!doctype html><title>toy</title>{}", links.collect::<String>())
}

/// What a crawler that obeys robots.txt fetches.
fn allowed() -> BTreeSet<String> {
    let hosts =
        ["http://a.example", "http://b.example", "http://www.c.example", "https://s.example"];
    let thai = "/%E0%B9%84%E0%B8%97%E0%B8%A2";
    let paths = ["/", "/1", "/dir/2", "/3?q=1&r=2", "/dir/4", thai, "/old", "/new"];
    hosts.iter().flat_map(|host| paths.iter().map(move |path| format!("{host}{path}"))).collect()
}

/// Checks that the client fetched these pages and no others, and asked for what is missing.
#[track_caller]
fn check(server: &Running, pages: &BTreeSet<String>, robots: usize) -> Politeness {
    let log = server.log();
    let fetches = fetches(&log);
    let fetched: BTreeSet<String> = fetches.pages.iter().map(|row| row.url.clone()).collect();
    assert_eq!(&fetched, pages);
    let missing: BTreeSet<_> = fetches.missing.iter().map(|row| row.url.as_str()).collect();
    for host in
        ["http://a.example", "http://b.example", "http://www.c.example", "https://s.example"]
    {
        assert!(missing.contains(format!("{host}/gone").as_str()), "{host}");
    }
    assert_eq!(fetches.robots.len(), robots);
    let polite = Politeness::of(&log, 1);
    assert_eq!(polite.hosts, 4);
    polite
}

/// The folder of the clients, or a line that says it is not there.
fn clients(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("LANGUR_CLIENTS").map(PathBuf::from);
    if folder.is_none() {
        let prepare = "crates/langur-serve/tests/clients/prepare";
        println!("NOT RUN: {test}: LANGUR_CLIENTS names no folder made by {prepare}");
    }
    folder
}

fn wget(server: &Running) -> Command {
    let mut wget = Command::new("wget");
    let proxy = format!("http://{}", server.plain);
    wget.env("http_proxy", &proxy).env("https_proxy", &proxy).env_remove("no_proxy");
    wget.args(["--no-config", "--no-hsts", "--no-verbose", "--tries=1"]);
    wget.args(["--recursive", "--level=inf", "--span-hosts"]);
    wget.arg(format!("--ca-certificate={}", server.ca().display()));
    wget.arg(format!("--directory-prefix={}", server.scratch().join("wget").display()));
    wget.arg(SEED);
    wget
}

#[test]
fn wget_crawls_the_toy_web() {
    if clients("wget").is_none() {
        return;
    }
    let server = Running::start(web(), |_| {});
    let output = wget(&server).output().expect("wget");
    println!("{}", String::from_utf8_lossy(&output.stderr));
    // wget leaves with 8 where a page is missing.
    assert_eq!(output.status.code(), Some(8));
    let polite = check(&server, &allowed(), 1);
    assert_eq!((polite.repeated, polite.disallowed), (0, 0));
    // wget keeps what has moved under its old name.
    let saved = std::fs::read_to_string(server.scratch().join("wget/s.example/old"));
    assert_eq!(saved.expect("a page by https"), "moved here");
}

#[test]
fn wget_that_ignores_robots_txt_is_found_out() {
    if clients("wget without robots.txt").is_none() {
        return;
    }
    let server = Running::start(web(), |_| {});
    wget(&server).arg("--execute=robots=off").output().expect("wget");
    let private = ["a", "b"].map(|page| format!("http://b.example/private/{page}"));
    let pages = allowed().into_iter().chain(private).collect();
    assert_eq!(check(&server, &pages, 0).disallowed, 2);
}

#[test]
fn scrapy_crawls_the_toy_web() {
    let Some(folder) = clients("scrapy") else { return };
    let server = Running::start(web(), |_| {});
    let spider = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/clients/spider.py");
    let proxy = format!("http://{}", server.plain);
    let output = Command::new(folder.join("venv/bin/scrapy"))
        .arg("runspider")
        .arg(spider)
        .args(["-a", &format!("seed={SEED}")])
        .env("http_proxy", &proxy)
        .env("https_proxy", &proxy)
        .env_remove("no_proxy")
        .env("SSL_CERT_FILE", server.ca())
        .current_dir(server.scratch())
        .output()
        .expect("scrapy");
    println!("{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
    let polite = check(&server, &allowed(), 1);
    // Scrapy does not count its seeds among the pages seen, and follows the link back to this one.
    assert_eq!((polite.repeated, polite.disallowed), (1, 0));
    let spiders = polite.user_agents.get("toyspider/1.0").copied().unwrap_or(0);
    assert!(spiders >= 36, "{:?}", polite.user_agents);
}
