//! What a crawl refuses before it asks anybody, and leaves as it was.

mod live;

use std::fs;
use std::path::Path;

use langur_testkit::{Answer, Loopback};
use live::{AT_ONCE, Live};

fn web() -> Loopback {
    Loopback::start(|_, path| match path {
        "/" => Answer::page("<a href=\"/1\">next</a>"),
        _ => Answer::status(404),
    })
}

fn crawl_of(web: &Loopback) -> Live {
    Live::on(web, AT_ONCE, &["http://a.example/"])
}

fn write(folder: &Path, name: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder");
    fs::write(path, "years of work").expect("a file");
}

#[test]
fn files_of_others_are_neither_crawled_over_nor_replaced() {
    let web = web();
    for name in ["run/thesis.txt", "thesis.txt", "archive/x.warc.gz", "crawl.toml", "manifest.json"]
    {
        for options in [&[][..], &["--force"]] {
            let live = crawl_of(&web).with(options);
            write(&live.crawl(), name);
            let ended = live.begin().fail(2);
            assert!(ended.stderr.contains("is not a crawl and not empty"), "{}", ended.stderr);
            let kept = fs::read_to_string(live.crawl().join(name)).expect(name);
            assert_eq!(kept, "years of work");
            assert_eq!(fs::read_dir(live.crawl()).expect("a folder").count(), 1);
        }
    }
    assert_eq!(web.count(), 0);
}

#[test]
fn only_what_a_crawl_has_written_is_replaced() {
    let web = web();
    let live = crawl_of(&web);
    live.run();
    let others = ["thesis.txt", "archive/x.txt", "run/notes/a.txt", "space/x.txt"];
    others.iter().for_each(|name| write(&live.crawl(), name));
    let crawl = live.crawl();
    let archives = || {
        let names = fs::read_dir(crawl.join("archive")).expect("an archive");
        names
            .filter(|it| it.as_ref().is_ok_and(|it| it.path().extension() == Some("gz".as_ref())))
            .count()
    };
    assert_eq!(archives(), 1);
    let simulate = ["simulate", "crawl", "--target", "lang:th", "--strategy", "breadth-first"];
    live.start(&simulate).succeed();
    live.resume().succeed();
    let again = live.with(&["--force"]);
    again.run();
    assert_eq!(archives(), 1);
    for name in others {
        let kept = fs::read_to_string(crawl.join(name)).expect(name);
        assert_eq!(kept, "years of work");
    }
}

#[test]
fn a_crawl_that_was_killed_while_it_was_begun_is_begun_again() {
    let web = web();
    let live = crawl_of(&web);
    for name in ["lock", "crawl.toml", "journal.partial"] {
        write(&live.crawl(), name);
    }
    fs::create_dir(live.crawl().join("archive")).expect("a folder");
    live.run();
}

/// What is refused leaves neither a folder nor a request behind.
#[track_caller]
fn refused(web: &Loopback, live: &Live, said: &str) {
    let ended = live.begin().fail(2);
    assert!(ended.stderr.contains(said), "{said:?} in {}", ended.stderr);
    assert!(!live.crawl().exists(), "{said}");
    assert_eq!(web.count(), 0);
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_written() {
    let web = web();
    for (options, said) in [
        (&["--contact", "foo"][..], "\"foo\" is no contact address"),
        (&["--contact", ""], "is no contact address"),
        (&["--include", "nonsense"], "nonsense"),
        (&["--include", "regex:("], "regex"),
        (&["--proxy", "gopher://x"], "gopher"),
        (&["--resolve", "a.example"], "HOST=ADDRESS:PORT"),
        (&["--sitemap", "nonsense"], "a sitemap"),
        (&["--min-harvest", "2"], "from 0 to 1"),
        (&["--min-harvest", "nan"], "from 0 to 1"),
        (&["--per-host", "0"], "budget.per_host"),
        (&["--max-pages", "0"], "stop.pages"),
        (&["--connections", "0"], "from 1 to 10000"),
        (&["--missing", "skip"], "--missing is for archives"),
        (&["--cache", "c"], "--cache is for archives"),
        (&["--space", "s"], "--space is for archives"),
        (&["--target", "lang:thai"], "did you mean lang:th?"),
    ] {
        refused(&web, &crawl_of(&web).with(options), said);
    }
    let settings = format!("{AT_ONCE}[fetch]\ntrust = [\"none.pem\"]\n");
    refused(&web, &Live::on(&web, &settings, &["http://a.example/"]), "none.pem in fetch.trust");
}

#[test]
fn a_user_agent_is_no_contact() {
    let web = web();
    let settings = format!("{AT_ONCE}[fetch]\nuser_agent = \"spider/1\"\n");
    let live = Live::new(&[], &settings, &["http://a.example/"]);
    refused(&web, &live, "needs a contact address");
}

#[test]
fn a_port_for_metrics_that_is_taken_is_noticed_before_anything_is_written() {
    let web = web();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("an address").to_string();
    let live = crawl_of(&web).with(&["--metrics", &address]);
    let ended = live.begin().fail(1);
    assert!(ended.stderr.contains("choose another port"), "{}", ended.stderr);
    assert!(!live.crawl().exists());
}

#[test]
fn a_crawl_is_not_removed_for_one_that_cannot_be_begun() {
    let web = web();
    let live = crawl_of(&web);
    live.run();
    let again = live.with(&["--force", "--include", "nonsense"]);
    again.begin().fail(2);
    assert_eq!(again.visits().len(), 2);
}

#[test]
fn seeds_are_a_url_a_line() {
    let web = web();
    for line in
        ["http://a.example/ # the first", "http://a.example/\tlabel", "http://a.example/a b"]
    {
        let live = Live::on(&web, AT_ONCE, &["# seeds", line]);
        refused(&web, &live, "seeds.txt:2: ");
    }
    let live = Live::on(&web, AT_ONCE, &["\u{feff}http://a.example/"]);
    live.run();
    assert_eq!(live.visits()[0].url, "http://a.example/");
}

#[test]
fn what_is_misspelt_afterwards_is_refused_or_overlooked() {
    let web = web();
    let live = crawl_of(&web);
    live.run();
    let ended = live.start(&["log", "crawl", "--only", "foo"]).fail(2);
    assert!(ended.stderr.contains("given-up"), "{}", ended.stderr);
    let ended = live.start(&["crawl", "--target", "topic:none.topic", "-o", "x"]).fail(2);
    assert_eq!(ended.stderr.matches("os error 2").count(), 1, "{}", ended.stderr);
    fs::write(live.crawl().join("crawl.toml"), "nonsense").expect("settings");
    let ended = live.start(&["status", "crawl"]).succeed();
    assert!(ended.stdout.contains("lang:th breadth-first"), "{}", ended.stdout);
    assert!(ended.stderr.contains("crawl.toml"), "{}", ended.stderr);
}

#[test]
fn a_crawl_that_has_archived_nothing_is_not_exported() {
    let web = web();
    let live = Live::new(&[], AT_ONCE, &["http://127.0.0.1:1/"]);
    let ended = live.begin().fail(1);
    assert!(ended.stderr.contains("nobody has answered"), "{}", ended.stderr);
    assert!(ended.stderr.contains("--allow-private"), "{}", ended.stderr);
    let ended = live.start(&["export", "wacz", "crawl", "-o", "crawl.wacz"]).fail(2);
    assert!(ended.stderr.contains("has archived nothing yet"), "{}", ended.stderr);
    let ended = live.start(&["archive", "get", "crawl", "http://127.0.0.1:1/"]).fail(2);
    assert!(ended.stderr.contains("the crawl in crawl has archived nothing"), "{}", ended.stderr);
    assert_eq!(web.count(), 0);
}
