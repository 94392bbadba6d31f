//! Going on with a crawl where it was left, from wherever, with what it was begun with.

mod live;

use std::fs;

use langur_testkit::{Answer, Loopback};
use live::{AT_ONCE, Live};
use serde_json::Value;

const HORSES: &str = "# kind: vector\n# tokens: unicode\n# threshold: 0.4\n# documents: 365063\n\
    horse\t0.75\t12.8\nfarm\t0.25\t12.8\n";

/// Pages about horses without end.
fn horses() -> Loopback {
    Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        _ => {
            let number: usize = path.trim_start_matches('/').parse().unwrap_or(0);
            let next = number + 1;
            Answer::page(format!(
                "<p>the horse on the farm is a horse</p><a href=\"/{next}\">horse {next}</a>"
            ))
        }
    })
}

#[test]
fn a_crawl_keeps_the_topic_that_it_was_begun_with() {
    let web = horses();
    let settings = format!("target = \"topic:horses.topic\"\n{AT_ONCE}");
    let live = Live::on(&web, "", &["http://a.example/"]);
    let folder = live.path().join("wanted");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("crawl.toml"), settings).expect("settings");
    fs::write(folder.join("horses.topic"), HORSES).expect("a topic");
    let resolve = format!("*={}", web.address());
    let crawl = ["crawl", "--config", "wanted/crawl.toml", "--seeds", "seeds.txt", "-o", "crawl"];
    let more = ["--strategy", "shark", "--max-pages", "5", "--resolve", &resolve];
    live.start(&[&crawl[..], &more].concat()).succeed();
    assert_eq!(live.status()["relevant"], 5);
    // What becomes of the file makes no difference, nor where one stands.
    fs::remove_dir_all(&folder).expect("removed");
    let status: Value = serde_json::from_str(
        &live
            .start(&["resume", live.crawl().to_str().expect("text"), "--max-pages", "9", "--json"])
            .succeed()
            .stdout,
    )
    .expect("a result in JSON");
    assert_eq!(status["status"]["relevant"], 9);
    assert_eq!(status["status"]["target"], "topic:horses.topic");
    let simulate = ["simulate", "crawl", "--target", "topic:horses", "--strategy", "shark"];
    live.start(&simulate).succeed();
    // Its own settings begin the same crawl again.
    let again = ["crawl", "--config", "crawl/crawl.toml", "-o", "again", "--max-pages", "3"];
    live.start(&again).succeed();
    assert!(live.path().join("again/horses.topic").exists());
}

#[test]
fn files_that_settings_name_lie_where_the_settings_do() {
    let (web, certificate) =
        Loopback::start_with_tls(&["a.example".to_owned()], |_, path| match path {
            "/" => Answer::page("hello"),
            _ => Answer::status(404),
        });
    let live = Live::new(&[], "", &["https://a.example/"]);
    fs::create_dir(live.path().join("sub")).expect("a folder");
    fs::write(live.path().join("sub/ca.pem"), certificate).expect("a certificate");
    let settings = format!("target = \"lang:th\"\n{AT_ONCE}[fetch]\ntrust = [\"ca.pem\"]\n");
    fs::write(live.path().join("sub/crawl.toml"), settings).expect("settings");
    let resolve = format!("*={}", web.address());
    let crawl = ["crawl", "--config", "sub/crawl.toml", "--seeds", "seeds.txt", "-o", "crawl"];
    live.start(&[&crawl[..], &["--resolve", &resolve]].concat()).succeed();
    assert_eq!(live.visits()[0].status, 200);
    let written = fs::read_to_string(live.crawl().join("crawl.toml")).expect("settings");
    let path = live.path().join("sub/ca.pem");
    assert!(written.contains(&format!("trust = [{:?}]", path.to_string_lossy())), "{written}");
}

#[test]
fn a_crawl_that_has_reached_a_limit_says_how_to_go_on() {
    let web = horses();
    for (options, said) in [
        (&["--max-pages", "3"][..], "--max-pages 6"),
        (&["--max-bytes", "1kb"], "--max-bytes 2kB"),
        (&["--max-time", "1s"], "--max-time 2s"),
    ] {
        let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(options);
        let ended = live.run();
        let line = format!("go on with: langur resume crawl {said}\n");
        assert!(ended.stdout.ends_with(&line), "{}", ended.stdout);
        let before = live.visits().len();
        let words: Vec<&str> = said.split(' ').collect();
        live.start(&[&["resume", "crawl"], &words[..]].concat()).succeed();
        assert!(live.visits().len() > before, "{said}");
    }
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--min-harvest", "0.5"]);
    let ended = live.run();
    assert!(ended.stdout.ends_with("langur resume crawl --min-harvest 0\n"), "{}", ended.stdout);
    live.start(&["resume", "crawl", "--min-harvest", "0", "--max-pages", "1100"]).succeed();
    assert_eq!(live.visits().len(), 1100);
}

#[test]
fn the_folder_of_a_crawl_is_simulated_as_it_was_crawled() {
    let web = horses();
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--max-pages", "3"]);
    live.run();
    let ended = live.start(&["simulate", "crawl"]).succeed();
    let said = "as in the crawl: --target lang:th --strategy \"breadth-first\"";
    assert!(ended.stderr.contains(said), "{}", ended.stderr);
    assert!(ended.stdout.contains("breadth-first"), "{}", ended.stdout);
    let info = live.start(&["space", "info", "crawl/space", "--json"]).succeed().stdout;
    let info: serde_json::Value = serde_json::from_str(&info).expect("JSON");
    // Nobody was asked by the other rules.
    assert_eq!(info["labels"], serde_json::json!(["langur", "langur-second"]));
    let ended = live.start(&["simulate", "crawl/space"]).fail(2);
    assert!(ended.stderr.contains("--target lang:th"), "{}", ended.stderr);
}

#[test]
fn redirects_without_end_are_a_trap() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        _ => {
            let number: usize = path.trim_start_matches('/').parse().unwrap_or(0);
            Answer::status(302).with("Location", &format!("/{}", number + 1))
        }
    });
    for (most, visits) in [("", 11), ("redirects = 3\n", 4), ("redirects = 0\n", 1)] {
        let settings = format!("{AT_ONCE}[fetch]\n{most}");
        let live = Live::on(&web, &settings, &["http://a.example/"]);
        live.run();
        assert_eq!(live.visits().len(), visits, "{most}");
        assert_eq!(live.status()["troubles"]["trapped"], 1);
        let text = live.start(&["status", "crawl"]).succeed().stdout;
        assert!(text.contains("1 links of traps"), "{text}");
    }
}

#[test]
fn a_scope_that_was_changed_holds_for_pages_that_wait() {
    let web = Loopback::start(|_, path| match path {
        "/" => Answer::page(
            (1..9)
                .map(|page| format!("<a href=\"/private/{page}\">{page}</a>"))
                .collect::<String>(),
        ),
        _ => Answer::page("hello"),
    });
    let seeds = ["http://a.example/", "http://b.example/private/"];
    let live = Live::on(&web, AT_ONCE, &seeds).with(&["--max-pages", "2"]);
    live.run();
    let file = live.crawl().join("crawl.toml");
    let settings = fs::read_to_string(&file).expect("settings");
    fs::write(&file, settings.replace("exclude = []", "exclude = [\"path:/private/\"]"))
        .expect("settings");
    live.start(&["resume", "crawl", "--max-pages", "0"]).succeed();
    let private = live.visits().into_iter().filter(|it| it.url.contains("a.example/private"));
    assert!(private.count() <= 1);
    assert!(live.visits().iter().any(|it| it.url == seeds[1]), "a seed is fetched all the same");
    assert!(live.status()["troubles"]["out_of_scope"].as_u64() >= Some(7), "{}", live.status());
}

#[test]
fn a_page_that_was_passed_over_becomes_a_seed() {
    let web = Loopback::start(|_, path| match path {
        "/" => Answer::page("<a href=/private/1>1</a><a href=/private/2>2</a>"),
        _ => Answer::page("hello"),
    });
    for strategy in ["breadth-first", "best-first"] {
        let options = ["--max-pages", "1", "--strategy", strategy];
        let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&options);
        live.run();
        let file = live.crawl().join("crawl.toml");
        let settings = fs::read_to_string(&file).expect("settings");
        let excluded = settings.replace("exclude = []", "exclude = [\"path:/private/\"]");
        fs::write(&file, &excluded).expect("settings");
        live.start(&["resume", "crawl", "--max-pages", "0"]).succeed();
        assert_eq!(live.visits().len(), 1, "both were passed over");
        let seeds = settings.replace(
            "\"http://a.example/\"",
            "\"http://a.example/\", \"http://a.example/private/2\"",
        );
        assert_ne!(seeds, settings);
        fs::write(&file, seeds).expect("settings");
        live.start(&["resume", "crawl", "--max-pages", "0"]).succeed();
        let visited: Vec<String> = live.visits().into_iter().map(|visit| visit.url).collect();
        assert_eq!(visited, ["http://a.example/", "http://a.example/private/2"], "{strategy}");
    }
}

#[test]
fn a_page_that_was_left_out_becomes_a_seed() {
    let web = Loopback::start(|host, path| match (host, path) {
        ("a.example", "/") => Answer::page("<a href=\"http://b.example/\">b</a><a href=/1>1</a>"),
        (_, "/") => Answer::page("<a href=/near>near</a>"),
        (_, "/1") => Answer::page("<a href=/2>2</a>"),
        (_, "/2") => Answer::page("<a href=/3>3</a>"),
        (_, "/robots.txt") => Answer::status(404),
        _ => Answer::page("hello"),
    });
    let seed = "http://a.example/";
    let options = ["--exclude", "host:b.example", "--max-depth", "1"];
    let live = Live::on(&web, AT_ONCE, &[seed]).with(&options);
    live.run();
    let visited = || live.visits().iter().map(|visit| visit.url.clone()).collect::<Vec<_>>();
    assert_eq!(visited(), [seed, "http://a.example/1"]);
    let file = live.crawl().join("crawl.toml");
    let settings = fs::read_to_string(&file).expect("settings");
    let seeds = settings.replace(
        "\"http://a.example/\"",
        "\"http://a.example/\", \"http://b.example/\", \"http://a.example/2\"",
    );
    assert_ne!(seeds, settings);
    fs::write(&file, seeds).expect("settings");
    live.start(&["resume", "crawl"]).succeed();
    // With what is one link away from it; one on a host that is excluded is not.
    let new = ["http://a.example/2", "http://b.example/", "http://a.example/3"];
    let mut found = visited().split_off(2);
    found.sort_unstable_by_key(|url| new.iter().position(|new| new == url));
    assert_eq!(found, new);
}

#[test]
fn all_hosts_that_wait_are_listed_if_all_are_asked_for() {
    let web = Loopback::start(|_, _| Answer::silence());
    let seeds: Vec<String> = (0..30).map(|host| format!("http://h{host}.example/")).collect();
    let settings = format!("{AT_ONCE}[fetch]\nretries = 0\ngive_up_after = 1\n");
    let live = Live::on(&web, &settings, &seeds.iter().map(String::as_str).collect::<Vec<_>>());
    live.begin().fail(1);
    assert_eq!(live.status()["waits"].as_array().expect("waits").len(), 30);
    let text = live.start(&["status", "crawl"]).succeed().stdout;
    assert!(text.contains("and 25 more hosts"), "{text}");
    let text = live.start(&["status", "crawl", "--all"]).succeed().stdout;
    assert_eq!(text.matches(".example (").count(), 30, "{text}");
}
