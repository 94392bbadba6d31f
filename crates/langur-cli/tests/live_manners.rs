//! What the servers of a web see of a crawl: who is asked, for what, and when.

mod live;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use langur_live::journal::Event;
use langur_testkit::{Answer, Asked, Loopback};
use live::archive::archived_urls;
use live::pages::{THAI, chain, page};
use live::{AT_ONCE, Live};

const MS: Duration = Duration::from_millis(1);

/// The crawl counts whole milliseconds, the server does not.
const ROUNDING: Duration = Duration::from_millis(2);

fn manners(settings: &str) -> String {
    format!("[manners]\naddress_delay = \"0ms\"\nslow_factor = 0.0\n{settings}\n")
}

/// The requests to each host, in the order they came.
fn by_host(web: &Loopback) -> BTreeMap<String, Vec<Asked>> {
    let mut hosts: BTreeMap<String, Vec<Asked>> = BTreeMap::new();
    for asked in web.asked() {
        hosts.entry(asked.host.clone()).or_default().push(asked);
    }
    hosts
}

/// From the end of each answer to the next request.
fn rests(asked: &[Asked]) -> Vec<Duration> {
    let end = |asked: &Asked| asked.end.expect("it was answered");
    asked.windows(2).map(|pair| pair[1].start.duration_since(end(&pair[0]))).collect()
}

/// Every host had at least this rest after every request, and only one request at a time.
#[track_caller]
fn rested(web: &Loopback, host: &str, least: Duration) {
    assert_eq!(web.overlaps(), Vec::<String>::new(), "one request at a time");
    let hosts = by_host(web);
    let rests = rests(&hosts[host]);
    assert!(!rests.is_empty(), "{host} was asked more than once");
    for (asked, rest) in hosts[host].iter().zip(&rests) {
        assert!(
            *rest + ROUNDING >= least,
            "{host} had {rest:?} after {}, not {least:?}",
            asked.path
        );
    }
}

/// The paths that a host was asked for.
fn paths(web: &Loopback, host: &str) -> BTreeSet<String> {
    let asked = web.asked().into_iter().filter(|asked| asked.host == host);
    asked.map(|asked| asked.path).collect()
}

#[track_caller]
fn asked_for(web: &Loopback, host: &str, expected: &[&str]) {
    assert_eq!(paths(web, host), expected.iter().map(|&path| path.to_owned()).collect(), "{host}");
}

#[test]
fn a_host_rests_after_every_answer_also_across_kills_and_redirects() {
    let delay = 60 * MS;
    let web = Loopback::start(|host, path| {
        let answer = match (host, path) {
            (_, "/robots.txt") => Answer::status(404),
            ("a.example", "/") => {
                page(&["/to-a", "/to-b", "/1", "http://b.example/", "http://c.example/"])
            }
            ("a.example", "/to-a") => Answer::redirect("/2"),
            ("a.example", "/to-b") => Answer::redirect("http://b.example/4"),
            (_, path) => chain(path, 6),
        };
        answer.after(15 * MS)
    });
    let settings = manners("delay = \"60ms\"");
    let live = Live::on(&web, &settings, &["http://a.example/"]);
    let mut running = live.begin();
    for kill in 1..=4 {
        // Half of the kills are in the middle of a request, or soon after one.
        assert!(web.wait_until(Duration::from_secs(20), |asked| asked.len() >= 4 * kill));
        assert!(running.kill());
        running = live.resume();
    }
    running.succeed();
    for host in ["a.example", "b.example", "c.example"] {
        rested(&web, host, delay);
    }
    let visited = live.visits();
    assert_eq!(visited.len(), 6 + 2 + 6 + 6, "{visited:?}");
}

#[test]
fn a_crawl_delay_is_honoured_up_to_a_cap() {
    let web = Loopback::start(|host, path| match (host, path) {
        ("asks.example", "/robots.txt") => Answer::text("User-agent: *\nCrawl-delay: 0.15\n"),
        ("overdoes.example", "/robots.txt") => Answer::text("User-agent: *\nCrawl-delay: 1000\n"),
        (_, path) => chain(path, 4),
    });
    let settings = manners("delay = \"10ms\"\nlongest_crawl_delay = \"250ms\"");
    let seeds = ["http://asks.example/", "http://overdoes.example/"];
    let live = Live::on(&web, &settings, &seeds);
    live.run();
    rested(&web, "asks.example", 150 * MS);
    rested(&web, "overdoes.example", 250 * MS);
    assert_eq!(live.visits().len(), 8);
}

#[test]
fn a_slow_host_rests_longer() {
    let web = Loopback::start(|host, path| {
        chain(path, 4).after(if host == "slow.example" { 60 * MS } else { Duration::ZERO })
    });
    let settings = "[manners]\ndelay = \"10ms\"\naddress_delay = \"0ms\"\nslow_factor = 3.0\n";
    let live = Live::on(&web, settings, &["http://slow.example/", "http://quick.example/"]);
    live.run();
    rested(&web, "slow.example", 180 * MS);
    rested(&web, "quick.example", 10 * MS);
}

#[test]
fn hosts_of_one_address_take_turns() {
    const HOSTS: usize = 6;
    let spacing = 50;
    let web = Loopback::start(|_, path| chain(path, 3));
    let settings = "[manners]\ndelay = \"0ms\"\naddress_delay = \"50ms\"\nslow_factor = 0.0\n";
    let seeds: Vec<String> = (0..HOSTS).map(|host| format!("http://h{host}.example/")).collect();
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let live = Live::on(&web, settings, &seeds);
    live.run();
    let mut sent = Vec::new();
    live.events(|event| {
        if let Event::Asked { at, .. } = event {
            sent.push(at);
        }
    });
    assert_eq!(sent.len(), HOSTS * 4);
    for pair in sent.windows(2) {
        assert!(pair[1] - pair[0] >= spacing, "{} ms between requests", pair[1] - pair[0]);
    }
    // The server sees the same, but for what requests take on their way.
    let starts: Vec<Instant> = web.asked().iter().map(|asked| asked.start).collect();
    let all = starts[starts.len() - 1] - starts[0];
    let least = MS * spacing as u32 * (starts.len() as u32 - 1);
    assert!(all + 50 * MS >= least, "{all:?} for {} requests", starts.len());
}

#[test]
fn retry_after_is_waited_for_and_the_page_then_kept() {
    let asked = AtomicUsize::new(0);
    let web = Loopback::start(move |host, path| match (host, path) {
        (_, "/robots.txt") => Answer::status(404),
        (_, "/1") if asked.fetch_add(1, Ordering::Relaxed) < 2 => {
            let status = if host == "busy.example" { 503 } else { 429 };
            Answer::status(status).with("Retry-After", "1")
        }
        _ => chain(path, 3),
    });
    let live = Live::on(&web, AT_ONCE, &["http://busy.example/", "http://strict.example/"]);
    live.run();
    for host in ["busy.example", "strict.example"] {
        let asked = &by_host(&web)[host];
        let refused = asked.iter().position(|it| matches!(it.status, Some(429 | 503)));
        let at = refused.expect("it was refused once");
        assert!(rests(asked)[at] + ROUNDING >= Duration::from_secs(1), "{:?}", rests(asked));
        assert_eq!(asked[at + 1].path, "/1");
    }
    assert!(live.visits().iter().all(|visit| visit.status == 200), "{:?}", live.visits());
    assert_eq!(live.status()["troubles"]["postponed"], 2);
}

#[test]
fn robots_txt_is_obeyed_wherever_it_lies_and_whatever_it_is() {
    let links = ["/yes", "/no", "/a.pdf", "/a.pdf?x", "/no/but-this"];
    let web = Loopback::start(move |host, path| match (host, path) {
        ("plain.example", "/robots.txt") => {
            Answer::text("User-agent: *\nDisallow: /no\nAllow: /no/but-this\n")
        }
        ("wild.example", "/robots.txt") => Answer::text("User-agent: *\nDisallow: /*.pdf$\n"),
        ("named.example", "/robots.txt") => {
            Answer::text("User-agent: *\nDisallow:\n\nUser-agent: Langur\nDisallow: /no\n")
        }
        ("none.example", "/robots.txt") => Answer::status(404),
        ("refuses.example", "/robots.txt") => Answer::status(403),
        ("broken.example", "/robots.txt") => Answer::status(500),
        ("away.example", "/robots.txt") => {
            Answer::redirect("http://rules.example/their/robots.txt")
        }
        ("rules.example", "/their/robots.txt") => Answer::text("User-agent: *\nDisallow: /no\n"),
        ("inside.example", "/robots.txt") => Answer::redirect("/real-robots.txt"),
        ("inside.example", "/real-robots.txt") => Answer::text("User-agent: *\nDisallow: /no\n"),
        ("huge.example", "/robots.txt") => {
            let filling = "# nothing to see here\n".repeat(20_000);
            let more = "Disallow: /nowhere\n".repeat(100_000);
            Answer::text(format!("User-agent: *\n{filling}Disallow: /no\n{more}"))
        }
        (_, "/") => page(&links),
        _ => page(&[]),
    });
    let hosts = ["plain", "wild", "named", "none", "refuses", "broken", "away", "inside", "huge"];
    let seeds = hosts.map(|host| format!("http://{host}.example/"));
    let settings = format!("{AT_ONCE}[fetch]\nretry_after = \"5ms\"\ngive_up_after = 3\n");
    let live = Live::on(&web, &settings, &seeds.each_ref().map(String::as_str));
    live.run();
    let all = [&["/", "/robots.txt"][..], &links].concat();
    let without = |left_out: &[&str]| -> Vec<&str> {
        all.iter().copied().filter(|path| !left_out.contains(path)).collect()
    };
    asked_for(&web, "plain.example", &without(&["/no"]));
    asked_for(&web, "wild.example", &without(&["/a.pdf"]));
    asked_for(&web, "named.example", &without(&["/no", "/no/but-this"]));
    asked_for(&web, "none.example", &all);
    asked_for(&web, "refuses.example", &all);
    asked_for(&web, "broken.example", &["/robots.txt"]);
    asked_for(&web, "away.example", &without(&["/no", "/no/but-this"]));
    asked_for(&web, "rules.example", &["/their/robots.txt"]);
    asked_for(&web, "huge.example", &without(&["/no", "/no/but-this"]));
    let inside = [&without(&["/no", "/no/but-this"])[..], &["/real-robots.txt"]].concat();
    asked_for(&web, "inside.example", &inside);
    let why = &live.waits()["broken.example"];
    assert_eq!(why, "given up: its robots.txt was answered 500, the last of 3 failures in a row");
    assert_eq!(live.status()["troubles"]["host_given_up"], 1);
}

#[test]
fn robots_txt_can_be_ignored_by_those_who_may() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::text("User-agent: *\nDisallow: /\n"),
        path => chain(path, 3),
    });
    let live =
        Live::on(&web, &manners("delay = \"0ms\"\nrobots = \"ignore\""), &["http://own.example/"]);
    live.run();
    asked_for(&web, "own.example", &["/", "/1", "/2"]);
}

#[test]
fn sitemaps_of_relevant_hosts_are_used() {
    let web = Loopback::start(|host, path| match path {
        "/robots.txt" => {
            Answer::text(format!("User-agent: *\nSitemap: http://{host}/sitemaps.xml\n"))
        }
        "/sitemaps.xml" => Answer::of(
            "text/xml",
            format!(
                "<sitemapindex><sitemap><loc>http://{host}/sitemap.xml</loc></sitemap></sitemapindex>"
            ),
        ),
        "/sitemap.xml" => Answer::of(
            "text/xml",
            format!(
                "<urlset><url><loc>http://{host}/listed</loc></url><url><loc>http://stranger.example/</loc></url></urlset>"
            ),
        ),
        _ if host == "thai.example" => page(&[]),
        _ => Answer::page("<p>This page is written in English and in no other language at all."),
    });
    let seeds = ["http://thai.example/", "http://english.example/"];
    let live = Live::on(&web, AT_ONCE, &seeds);
    live.run();
    let all = ["/", "/listed", "/robots.txt", "/sitemap.xml", "/sitemaps.xml"];
    asked_for(&web, "thai.example", &all);
    asked_for(&web, "english.example", &["/", "/robots.txt"]);
    asked_for(&web, "stranger.example", &[]);
    // No link leads to the page that is listed, so it is a seed of the web space that the crawl is.
    let simulate = ["simulate", "crawl", "--target", "lang:th", "--strategy", "breadth-first"];
    let found = live.start(&[&simulate[..], &["--json"]].concat()).succeed().stdout;
    let found: serde_json::Value = serde_json::from_str(&found).expect("results in JSON");
    assert_eq!(found["results"][0]["relevant"], 2, "{found}");
}

/// A list of pages.
fn urlset(urls: &[&str]) -> Answer {
    let urls: String = urls.iter().map(|url| format!("<url><loc>{url}</loc></url>")).collect();
    Answer::of("text/xml", format!("<urlset>{urls}</urlset>"))
}

#[test]
fn redirects_of_sitemaps_are_followed_politely() {
    let web = Loopback::start(|host, path| match (host, path) {
        ("a.example", "/robots.txt") => Answer::text(
            "User-agent: *\nSitemap: http://a.example/old.xml\nSitemap: http://a.example/loop.xml\n\
             Sitemap: http://a.example/hop0\nSitemap: http://a.example/out.xml\n\
             Sitemap: http://a.example/forbidden.xml\n",
        ),
        ("maps.a.example", "/robots.txt") => Answer::text("User-agent: *\nDisallow: /no\n"),
        (_, "/robots.txt") => Answer::status(404),
        ("a.example", "/old.xml") => Answer::redirect("/newer.xml"),
        ("a.example", "/newer.xml") => Answer::redirect("http://maps.a.example/newest.xml"),
        ("maps.a.example", "/newest.xml") => urlset(&["http://a.example/listed"]),
        ("a.example", "/loop.xml") => Answer::redirect("/pool.xml"),
        ("a.example", "/pool.xml") => Answer::redirect("/loop.xml"),
        ("a.example", "/out.xml") => Answer::redirect("http://stranger.example/map.xml"),
        ("a.example", "/forbidden.xml") => Answer::redirect("http://maps.a.example/no.xml"),
        (_, path) => match path.strip_prefix("/hop").and_then(|hop| hop.parse::<usize>().ok()) {
            Some(hop) => Answer::redirect(&format!("/hop{}", hop + 1)),
            None => page(&[]),
        },
    });
    let delay = 20 * MS;
    let live = Live::on(&web, &manners("delay = \"20ms\""), &["http://a.example/"])
        .with(&["--exclude", "host:stranger.example"]);
    live.run();
    let mut all = vec!["/", "/robots.txt", "/listed", "/old.xml", "/newer.xml", "/loop.xml"];
    all.extend(["/pool.xml", "/out.xml", "/forbidden.xml"]);
    all.extend(["/hop0", "/hop1", "/hop2", "/hop3", "/hop4", "/hop5"]);
    asked_for(&web, "a.example", &all);
    asked_for(&web, "maps.a.example", &["/robots.txt", "/newest.xml"]);
    asked_for(&web, "stranger.example", &[]);
    for host in ["a.example", "maps.a.example"] {
        rested(&web, host, delay);
        let asked = &by_host(&web)[host];
        let paths: BTreeSet<&String> = asked.iter().map(|asked| &asked.path).collect();
        assert_eq!(paths.len(), asked.len(), "{host} was asked for something twice");
    }
    assert!(archived_urls(&live.crawl()).contains("http://a.example/newer.xml"));
}

#[test]
fn a_sitemap_given_as_a_seed_is_read_though_the_robots_txt_of_its_host_lies_elsewhere_on_it() {
    let web = Loopback::start(|host, path| match path {
        "/robots.txt" => Answer::redirect("/real-robots.txt"),
        "/real-robots.txt" => Answer::text("User-agent: *\nDisallow: /no\n"),
        "/sitemap.xml" => Answer::of(
            "text/xml",
            format!(
                "<urlset><url><loc>http://{host}/listed</loc></url><url><loc>http://{host}/no</loc></url></urlset>"
            ),
        ),
        _ => page(&[]),
    });
    let live = Live::on(&web, AT_ONCE, &[]).with(&["--sitemap", "http://a.example/sitemap.xml"]);
    live.run();
    asked_for(&web, "a.example", &["/listed", "/real-robots.txt", "/robots.txt", "/sitemap.xml"]);
}

#[test]
fn strangers_are_not_asked_without_a_contact_address() {
    let live = Live::new(&[], "", &["http://www.example.com/"]);
    let ended = live.begin().fail(2);
    assert!(ended.stderr.contains("needs a contact address"), "{}", ended.stderr);
    assert!(!live.crawl().exists());
}

#[test]
fn every_request_says_who_asks() {
    let web = Loopback::start(|_, path| chain(path, 2));
    let contact = "https://library.example/crawls";
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--contact", contact]);
    live.run();
    assert_eq!(web.count(), 3);
    for asked in web.asked() {
        assert!(asked.head.contains("user-agent: ") && asked.head.contains(&format!("+{contact}")));
        assert!(!asked.head.contains("cookie"), "{}", asked.head);
    }
}

/// That a host asks for patience does not mean that it may be asked sooner.
#[test]
fn patience_never_shortens_a_rest() {
    let web = Loopback::start(|host, path| match (host, path) {
        (_, "/robots.txt") => Answer::text("User-agent: *\nCrawl-delay: 0.1\n"),
        (_, "/") => page(&["/1", "/2"]),
        ("busy.example", _) => Answer::status(429).with("Retry-After", "0"),
        _ => Answer::silence(),
    });
    let settings =
        format!("{}[fetch]\nretries = 1\nretry_after = \"1ms\"\n", manners("delay = \"0ms\""));
    let live = Live::on(&web, &settings, &["http://busy.example/", "http://closes.example/"]);
    live.run();
    let starts = |host: &str| -> Vec<Instant> {
        by_host(&web)[host]
            .iter()
            .filter(|it| it.path != "/robots.txt")
            .map(|it| it.start)
            .collect()
    };
    for host in ["busy.example", "closes.example"] {
        let starts = starts(host);
        assert!(starts.len() >= 5, "{host} was asked {} times", starts.len());
        // A connection that breaks where it was used before is tried once more, at once.
        let gaps = starts.windows(2).map(|pair| pair[1] - pair[0]);
        let short = gaps.filter(|gap| *gap + ROUNDING < 100 * MS).count();
        assert!(short <= usize::from(host == "closes.example"), "{host}: {starts:?}");
    }
}

#[test]
fn a_host_is_left_alone_as_long_as_it_says_also_when_it_is_not_asked_again() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/" => page(&["/1", "/2"]),
        _ => Answer::status(503).with("Retry-After", "1"),
    });
    let settings = format!("{}[fetch]\nretries = 0\n", manners("delay = \"0ms\""));
    let live = Live::on(&web, &settings, &["http://a.example/"]);
    live.run();
    let asked = &by_host(&web)["a.example"];
    let [one, two] =
        ["/1", "/2"].map(|path| asked.iter().find(|it| it.path == path).expect("asked"));
    let gap = two.start.max(one.start) - two.start.min(one.start);
    assert!(gap + ROUNDING >= 1000 * MS, "{gap:?}");
}

#[test]
fn nofollow_and_noindex_count_where_they_are_to_count() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/" => Answer::page(format!(
            "<p>{THAI}<a rel=\"nofollow\" href=\"/a\">a</a><a href=\"/a\">a</a><a rel=\"nofollow\" href=\"/b\">b</a><a href=\"/meta\">m</a><a href=\"/head\">h</a><a href=\"/named\">n</a><a href=\"/heads\">hs</a>"
        )),
        "/meta" => Answer::page(format!(
            "<meta name=\"robots\" content=\"nofollow, noindex\"><p>{THAI}<a href=\"/from-meta\">x</a>"
        )),
        "/head" => page(&["/from-head"]).with("X-Robots-Tag", "noindex"),
        "/named" => Answer::page(format!(
            "<meta name=\"otherbot\" content=\"nofollow\"><meta name=\"robots\" content=\"index\"><meta name=\"Langur\" content=\"noindex\"><p>{THAI}<a href=\"/from-named\">x</a>"
        )),
        "/heads" => page(&["/from-heads"])
            .with("X-Robots-Tag", "otherbot: nofollow")
            .with("X-Robots-Tag", "noindex"),
        _ => page(&[]),
    });
    let urls = |paths: &[&str]| -> BTreeSet<String> {
        paths.iter().map(|path| format!("http://a.example{path}")).collect()
    };
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]);
    live.run();
    let all = [
        "/",
        "/a",
        "/b",
        "/from-head",
        "/from-heads",
        "/from-meta",
        "/from-named",
        "/head",
        "/heads",
        "/meta",
        "/named",
        "/robots.txt",
    ];
    assert_eq!(archived_urls(&live.crawl()), urls(&all));

    let obeyed = manners("delay = \"0ms\"\nnofollow = \"obey\"\nnoindex = \"obey\"");
    let live = Live::on(&web, &obeyed, &["http://a.example/"]);
    live.run();
    assert_eq!(
        archived_urls(&live.crawl()),
        urls(&["/", "/a", "/from-head", "/from-heads", "/from-named", "/robots.txt"])
    );
    let visited: BTreeSet<String> = live.visits().into_iter().map(|visit| visit.url).collect();
    let seen = [
        "/",
        "/a",
        "/from-head",
        "/from-heads",
        "/from-named",
        "/head",
        "/heads",
        "/meta",
        "/named",
    ];
    assert_eq!(visited, urls(&seen));
}

#[test]
fn the_settings_are_written_down_whole() {
    let web = Loopback::start(|_, path| chain(path, 2));
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]);
    live.run();
    let written = fs::read_to_string(live.crawl().join("crawl.toml")).expect("settings");
    for expected in ["delay = \"0ms\"", "per_domain = 1000000", "urls = [\"http://a.example/\"]"] {
        assert!(written.contains(expected), "{written}");
    }
}
