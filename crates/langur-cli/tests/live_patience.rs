//! How much a crawl bears of a host before it gives it up, and what it takes for rules.

mod live;

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use flate2::write::GzEncoder;
use langur_testkit::{Answer, Loopback};
use live::pages::page;
use live::{AT_ONCE, Live};
use serde_json::Value;

const SOON: &str = "[fetch]\nretry_after = \"5ms\"\n";

const GOOD: [&str; 10] = ["/0", "/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"];

/// The paths that were answered with 200.
fn kept(live: &Live) -> BTreeSet<String> {
    let visits = live.visits().into_iter().filter(|visit| visit.status == 200);
    visits.map(|visit| visit.url.replace("http://a.example", "")).collect()
}

fn set(paths: &[&str]) -> BTreeSet<String> {
    paths.iter().map(|&path| path.to_owned()).collect()
}

#[test]
fn bad_pages_do_not_cost_a_host_its_good_ones() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/" => page(&[&["/bad1", "/bad2", "/bad3"], &GOOD[..]].concat()),
        path if path.starts_with("/bad") => Answer::silence(),
        _ => page(&[]),
    });
    let live = Live::on(&web, &format!("{AT_ONCE}{SOON}"), &["http://a.example/"]);
    live.run();
    assert_eq!(kept(&live), set(&[&["/"], &GOOD[..]].concat()));
    assert_eq!(live.status()["hosts"]["given_up"], 0);
    // What failed was asked for again, after the others; at once only where a connection that was used before broke.
    let asked: Vec<String> = web.asked().into_iter().map(|asked| asked.path).collect();
    assert!((4..8).contains(&asked.iter().filter(|path| *path == "/bad1").count()), "{asked:?}");
    let last_good = asked.iter().rposition(|path| GOOD.contains(&path.as_str()));
    assert!(asked[last_good.expect("some") + 1..].iter().all(|path| path.starts_with("/bad")));
}

#[test]
fn a_host_that_answers_nobody_any_more_is_given_up() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/" => page(&GOOD),
        _ => Answer::silence(),
    });
    let live = Live::on(&web, &format!("{AT_ONCE}{SOON}"), &["http://a.example/"]);
    live.run();
    assert!(live.waits()["a.example"].ends_with("the last of 5 failures in a row"));
    let pages: BTreeSet<String> = web.asked().into_iter().map(|asked| asked.path).collect();
    assert_eq!(pages.len(), 2 + 5, "{pages:?}");
}

/// A web whose host `a.example` answers nobody but for its first pages, until it is well again. Another goes on for as long.
fn ailing_web(is_well: &'static AtomicBool) -> Loopback {
    Loopback::start(|host, path| match (host, path) {
        (_, "/robots.txt") => Answer::status(404),
        ("a.example", "/") => page(&GOOD),
        ("a.example", path) if !is_well.load(Ordering::Relaxed) || path == "/none" => {
            Answer::silence()
        }
        ("a.example", _) => page(&[]),
        (_, path) if is_well.load(Ordering::Relaxed) && path.len() > 4 => page(&[]),
        (_, path) => page(&[&format!("{path}1")]).after(Duration::from_millis(5)),
    })
}

/// The pages of GOOD that were fetched, and how many were passed over.
fn came_of(live: &Live) -> (usize, Value) {
    let fetched = GOOD.iter().filter(|path| kept(live).contains(**path)).count();
    (fetched, live.status()["troubles"]["host_given_up"].clone())
}

#[test]
fn hosts_that_were_given_up_are_asked_again_if_the_user_wants_it() {
    static IS_WELL: AtomicBool = AtomicBool::new(false);
    let web = ailing_web(&IS_WELL);
    let live = Live::on(&web, &format!("{AT_ONCE}{SOON}"), &["http://a.example/"]);
    live.run();
    assert_eq!(came_of(&live), (0, 10.into()));
    IS_WELL.store(true, Ordering::Relaxed);
    let asked = web.count();
    // By itself nobody is asked again.
    let ended = live.resume().succeed();
    assert!(
        ended.stdout.ends_with("are asked again with: langur resume crawl --retry-given-up\n"),
        "{}",
        ended.stdout
    );
    assert_eq!(web.count(), asked);
    let ended = live.start(&["resume", "crawl", "--retry-given-up"]).succeed();
    assert!(ended.stderr.contains("hosts that are asked again: 1"), "{}", ended.stderr);
    assert_eq!(came_of(&live), (10, 0.into()));
    assert_eq!(live.status()["hosts"]["given_up"], 0);
}

#[test]
fn sitemaps_of_a_host_that_is_asked_again_are_asked_for_again() {
    static IS_WELL: AtomicBool = AtomicBool::new(false);
    let web = Loopback::start(|_, path| match path {
        _ if !IS_WELL.load(Ordering::Relaxed) => Answer::silence(),
        "/robots.txt" => Answer::status(404),
        "/sitemap.xml" => Answer::text("http://a.example/1\nhttp://a.example/2\n"),
        _ => page(&[]),
    });
    let sitemap = ["--sitemap", "http://a.example/sitemap.xml"];
    let live = Live::on(&web, &format!("{AT_ONCE}{SOON}"), &[]).with(&sitemap);
    let ended = live.begin().fail(1);
    let line =
        "hosts that were given up are asked again with: langur resume crawl --retry-given-up\n";
    assert!(ended.stdout.ends_with(line), "{}", ended.stdout);
    IS_WELL.store(true, Ordering::Relaxed);
    live.start(&["resume", "crawl", "--retry-given-up"]).succeed();
    assert_eq!(kept(&live), set(&["/1", "/2"]));
}

#[test]
fn a_crawl_that_runs_can_be_told_to_ask_a_host_again() {
    static IS_WELL: AtomicBool = AtomicBool::new(false);
    let web = ailing_web(&IS_WELL);
    let seeds = ["http://a.example/", "http://b.example/1"];
    let live = Live::on(&web, &format!("{AT_ONCE}{SOON}"), &seeds);
    let running = live.begin();
    assert!(web.wait_until(Duration::from_secs(20), |asked| asked.len() > 10));
    let begun = Instant::now();
    while live.status()["troubles"]["host_given_up"] != 10 {
        assert!(begun.elapsed() < Duration::from_secs(20), "{}", live.status());
    }
    let refused = live.start(&["tell", "crawl", "retry", "b.example"]).fail(1);
    assert!(refused.stderr.contains("b.example is not given up"), "{}", refused.stderr);
    let said = live.tell(&["retry", "http://A.example/3"]);
    assert!(
        said.contains("a.example is asked again; its pages that were passed over: 10"),
        "{said}"
    );
    // What it was killed in the middle of is not forgotten either.
    assert!(running.kill());
    IS_WELL.store(true, Ordering::Relaxed);
    live.resume().succeed();
    assert_eq!(came_of(&live), (10, 0.into()));
    let log = live.start(&["log", "crawl", "--only", "retried"]).succeed().stdout;
    assert!(log.contains("a.example by the operator"), "{log}");
}

#[test]
fn a_host_that_asks_for_patience_gets_it() {
    let refused = Mutex::new(HashSet::new());
    let web = Loopback::start(move |_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/" => page(&GOOD),
        path if refused.lock().expect("whole").insert(path.to_owned()) => {
            Answer::status(503).with("Retry-After", "0")
        }
        _ => page(&[]),
    });
    let live = Live::on(&web, &format!("{AT_ONCE}{SOON}"), &["http://a.example/"]);
    live.run();
    assert_eq!(kept(&live), set(&[&["/"], &GOOD[..]].concat()));
}

#[test]
fn rules_of_which_a_part_is_missing_forbid_everything() {
    let mut rules = GzEncoder::new(Vec::new(), flate2::Compression::default());
    rules.write_all(b"User-agent: *\nDisallow: /secret\n").expect("in memory");
    let rules = rules.finish().expect("in memory");
    let web = Loopback::start(move |host, path| match (host, path) {
        ("whole.example", "/robots.txt") => {
            Answer::of("text/plain", rules.clone()).with("Content-Encoding", "gzip")
        }
        (_, "/robots.txt") => {
            Answer::of("text/plain", &rules[..20]).with("Content-Encoding", "gzip")
        }
        _ => page(&["/secret"]),
    });
    let seeds = ["http://whole.example/", "http://cut.example/"];
    let live = Live::on(&web, &format!("{AT_ONCE}{SOON}"), &seeds);
    live.run();
    let visited: Vec<String> = live.visits().into_iter().map(|visit| visit.url).collect();
    assert_eq!(visited, ["http://whole.example/"]);
    assert!(live.waits()["cut.example"].contains("its robots.txt: it broke off"));
}

#[test]
fn rules_that_are_not_to_be_kept_are_good_for_a_page() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/" => page(&["/0"]),
        _ => page(&[]),
    });
    let settings = format!("{AT_ONCE}robots_cache = \"0s\"\n");
    let live = Live::on(&web, &settings, &["http://a.example/"]);
    live.run();
    assert_eq!(kept(&live), set(&["/", "/0"]));
}

#[test]
fn all_pages_of_a_sitemap_that_was_named_are_seeds() {
    let listed = "<urlset><url><loc>http://b.example/listed</loc></url></urlset>";
    let web = Loopback::start(move |_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/sitemap.xml" => Answer::of("text/xml", listed),
        _ => page(&[]),
    });
    let live = Live::on(&web, AT_ONCE, &[]).with(&["--sitemap", "http://a.example/sitemap.xml"]);
    live.run();
    let visited: Vec<String> = live.visits().into_iter().map(|visit| visit.url).collect();
    assert_eq!(visited, ["http://b.example/listed"]);
}
