//! Robots.txt and sitemaps that are elsewhere, that ask for patience, or that are not wanted.

mod live;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use langur_testkit::{Answer, Loopback};
use live::pages::page;
use live::{AT_ONCE, Live};

/// Hosts are asked as `host/path`.
fn asked(web: &Loopback) -> BTreeSet<String> {
    web.asked().into_iter().map(|asked| format!("{}{}", asked.host, asked.path)).collect()
}

fn visited(live: &Live) -> BTreeSet<String> {
    live.visits().into_iter().map(|visit| visit.url.replace("http://", "")).collect()
}

fn set(all: &[&str]) -> BTreeSet<String> {
    all.iter().map(|&one| one.to_owned()).collect()
}

fn urls(pages: &[&str]) -> Answer {
    let entries: String = pages.iter().map(|it| format!("<url><loc>{it}</loc></url>")).collect();
    Answer::of("text/xml", format!("<urlset>{entries}</urlset>"))
}

fn index(sitemaps: &[&str]) -> Answer {
    let entry = |it: &&str| format!("<sitemap><loc>{it}</loc></sitemap>");
    let entries: String = sitemaps.iter().map(entry).collect();
    Answer::of("text/xml", format!("<sitemapindex>{entries}</sitemapindex>"))
}

#[test]
fn a_host_whose_robots_txt_is_at_a_host_that_is_given_up_is_given_up() {
    let web = Loopback::start(|host, path| match (host, path) {
        ("dead.example", _) => Answer::silence(),
        ("moved.example", "/robots.txt") => Answer::redirect("http://dead.example/robots.txt"),
        (_, "/robots.txt") => Answer::status(404),
        // By then the dead host is given up.
        ("start.example", "/") => {
            page(&["http://moved.example/"]).after(Duration::from_millis(300))
        }
        _ => page(&[]),
    });
    let settings = format!("{AT_ONCE}[fetch]\nretries = 0\ngive_up_after = 1\n");
    let seeds = ["http://dead.example/", "http://start.example/"];
    let live = Live::on(&web, &settings, &seeds);
    live.run();
    let why = &live.waits()["moved.example"];
    assert!(why.contains("its robots.txt is at dead.example, which is given up"), "{why}");
    let again = web.asked().into_iter().filter(|asked| asked.host == "moved.example").count();
    assert_eq!(again, 1);
}

#[test]
fn a_sitemap_that_asks_for_patience_gets_it() {
    let refused = AtomicUsize::new(0);
    let web = Loopback::start(move |_, path| match path {
        "/robots.txt" => Answer::status(404),
        "/sitemap.xml" if refused.fetch_add(1, Ordering::Relaxed) == 0 => {
            Answer::status(503).with("Retry-After", "0")
        }
        "/sitemap.xml" => urls(&["http://a.example/listed"]),
        _ => page(&[]),
    });
    let live = Live::on(&web, AT_ONCE, &[]).with(&["--sitemap", "http://a.example/sitemap.xml"]);
    live.run();
    assert_eq!(visited(&live), set(&["a.example/listed"]));
}

/// As it does for a sitemap that lists its pages itself.
#[test]
fn a_list_of_sitemaps_that_was_named_and_one_that_moved_bring_pages_of_all_hosts() {
    let web = Loopback::start(|host, path| match (host, path) {
        (_, "/robots.txt") => Answer::status(404),
        ("list.example", "/sitemap.xml") => {
            index(&["http://child.example/c.xml", "http://list.example/d.xml"])
        }
        ("child.example", "/c.xml") => urls(&["http://child.example/a"]),
        ("list.example", "/d.xml") => urls(&["http://other.example/a"]),
        ("moved.example", "/sitemap.xml") => Answer::redirect("http://www.moved.example/s.xml"),
        ("www.moved.example", "/s.xml") => urls(&["http://other.example/b"]),
        _ => page(&[]),
    });
    let live = Live::on(&web, AT_ONCE, &[]).with(&[
        "--sitemap",
        "http://list.example/sitemap.xml",
        "--sitemap",
        "http://moved.example/sitemap.xml",
    ]);
    live.run();
    let all = set(&["child.example/a", "other.example/a", "other.example/b"]);
    assert_eq!(visited(&live), all);
}

#[test]
fn no_host_out_of_the_scope_is_asked_for_a_sitemap() {
    let web = Loopback::start(|host, path| match (host, path) {
        ("a.example", "/robots.txt") => Answer::text(
            "User-agent: *\nSitemap: http://out.example/s.xml\nSitemap: http://a.example/index.xml\n",
        ),
        ("a.example", "/index.xml") => index(&["http://below.a.example/s.xml"]),
        _ => page(&[]),
    });
    let live =
        Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--include", "host:a.example"]);
    live.run();
    assert_eq!(asked(&web), set(&["a.example/", "a.example/index.xml", "a.example/robots.txt"]));
}

#[test]
fn a_limit_of_bytes_counts_all_that_is_received() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::text("User-agent: *\nSitemap: http://a.example/sitemap.xml\n"),
        "/sitemap.xml" => index(&[
            "http://a.example/1.xml",
            "http://a.example/2.xml",
            "http://a.example/3.xml",
            "http://a.example/4.xml",
        ]),
        "/" => page(&[]),
        _ => Answer::of("text/xml", format!("<urlset>{}</urlset>", " ".repeat(100_000))),
    });
    let live = Live::on(&web, AT_ONCE, &["http://a.example/"]).with(&["--max-bytes", "150kB"]);
    let ended = live.run();
    assert!(ended.stdout.contains("ended: 150kB were received"), "{}", ended.stdout);
    assert!(!asked(&web).contains("a.example/4.xml"));
    assert!(live.status()["received"].as_u64().expect("a number") >= 150_000);
}

/// Its sitemaps were passed over meanwhile, and nothing else.
#[test]
fn a_host_that_was_blocked_for_a_while_is_asked_again() {
    let web = Loopback::start(|host, path| match (host, path) {
        ("a.example", "/robots.txt") => Answer::text(
            "User-agent: *\nSitemap: http://a.example/1.xml\nSitemap: http://a.example/2.xml\n",
        ),
        (_, "/robots.txt") => Answer::status(404),
        ("a.example", _) => page(&[]),
        ("b.example", "/8") => page(&["http://a.example/later"]),
        (_, path) => {
            let next = path[1..].parse::<u32>().map_or(1, |number| number + 1);
            page(&[&format!("/{next}")])
        }
    });
    let settings = "[manners]\ndelay = \"150ms\"\naddress_delay = \"0ms\"\nslow_factor = 0.0\n\
                    [stop]\npages = 14\n";
    let live = Live::on(&web, settings, &["http://a.example/", "http://b.example/"]);
    let running = live.begin();
    let soon = Duration::from_secs(20);
    let of = |asked: &[langur_testkit::Asked], host: &str, path: &str| {
        asked.iter().any(|it| it.host == host && it.path == path)
    };
    assert!(web.wait_until(soon, |asked| of(asked, "a.example", "/")));
    live.tell(&["block", "a.example"]);
    assert!(web.wait_until(soon, |asked| of(asked, "b.example", "/6")));
    live.tell(&["unblock", "a.example"]);
    assert!(web.wait_until(soon, |asked| of(asked, "a.example", "/later")), "{:?}", asked(&web));
    running.succeed();
}
