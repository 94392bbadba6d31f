//! Cookies, which a crawl sends back only if it is told to.

mod live;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use langur_testkit::{Answer, Asked, Loopback};
use live::archive::files;
use live::pages::{chain, page};
use live::{AT_ONCE, Live};

const COOKIES: &str = "[fetch]\ncookies = true\n";

/// Two hosts that give cookies with every answer, one of them also for TLS alone.
fn giving(host: &str, path: &str) -> Answer {
    let answer = match (host, path) {
        (_, "/robots.txt") => Answer::status(404),
        ("a.example", "/") => page(&["https://a.example/s1", "http://b.example/", "/p1"]),
        ("a.example", "/s1") => {
            let answer = page(&["/s2", "http://a.example/p2", "http://www.a.example/"]);
            answer.with("Set-Cookie", "safe=1; Path=/; Secure")
        }
        _ => page(&[]),
    };
    let all = "example";
    let answer = answer.with("Set-Cookie", &format!("plain={}; Path=/", &host[..1]));
    answer.with("Set-Cookie", &format!("everywhere=1; Path=/; Domain={all}"))
}

/// The cookies that each request came with, by URL.
fn cookies_sent(settings: &str) -> (BTreeMap<String, String>, Live) {
    let hosts = ["a.example", "b.example", "www.a.example"].map(str::to_owned);
    let (web, certificate) = Loopback::start_with_tls(&hosts, giving);
    let live = Live::on(&web, "", &["http://a.example/"]);
    let trusted = live.path().join("certificate.pem");
    fs::write(&trusted, certificate).expect("written");
    let trust = format!("trust = [{:?}]\n", trusted.to_string_lossy());
    fs::write(live.path().join("crawl.toml"), format!("{AT_ONCE}{settings}{trust}"))
        .expect("written");
    live.run();
    let sent = web.asked().into_iter().map(|asked| {
        let cookie = asked.head.lines().find_map(|line| line.strip_prefix("cookie: "));
        (format!("{}{}", asked.host, asked.path), cookie.unwrap_or_default().to_owned())
    });
    (sent.collect(), live)
}

#[test]
fn cookies_are_not_sent_unless_they_are_wanted() {
    let (sent, _) = cookies_sent("[fetch]\n");
    assert_eq!(sent.len(), 10, "{sent:?}");
    assert!(sent.values().all(String::is_empty), "{sent:?}");
}

#[test]
fn cookies_go_back_to_their_host_alone_and_over_tls_if_they_say_so() {
    let (sent, live) = cookies_sent(COOKIES);
    for (asked, cookie) in [
        ("a.example/robots.txt", ""),
        ("a.example/", "plain=a"),
        ("a.example/s1", "plain=a"),
        ("a.example/p1", "plain=a"),
        ("a.example/s2", "plain=a; safe=1"),
        ("a.example/p2", "plain=a"),
        ("b.example/robots.txt", ""),
        ("b.example/", "plain=b"),
        ("www.a.example/robots.txt", ""),
        ("www.a.example/", "plain=w"),
    ] {
        assert_eq!(sent[asked], cookie, "{asked}");
    }
    assert_eq!(sent.len(), 10, "{sent:?}");
    // What is archived is what was sent.
    let mut text = String::new();
    for path in files(&live.crawl(), "warc.gz") {
        let file = fs::File::open(path).expect("an archive file");
        let read = flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text);
        read.expect("text in gzip");
    }
    let archived = text.lines().filter_map(|line| line.strip_prefix("Cookie: "));
    let archived: BTreeSet<&str> = archived.collect();
    assert_eq!(archived, BTreeSet::from(["plain=a", "plain=a; safe=1", "plain=b", "plain=w"]));
}

#[test]
fn after_a_restart_there_are_no_cookies() {
    let web = Loopback::start(|_, path| match path {
        "/robots.txt" => Answer::status(404),
        path => chain(path, 8)
            .with("Set-Cookie", "id=7; Path=/; Max-Age=9999")
            .after(Duration::from_millis(30)),
    });
    let live = Live::on(&web, &format!("{AT_ONCE}{COOKIES}"), &["http://a.example/"]);
    let running = live.begin();
    assert!(web.wait_until(Duration::from_secs(20), |asked| asked.len() >= 4));
    assert!(running.kill());
    let before = web.count();
    live.resume().succeed();
    let has_cookie = |asked: &Asked| asked.head.contains("cookie: id=7");
    let asked = web.asked();
    assert!(has_cookie(&asked[before - 1]) && !has_cookie(&asked[before]));
    assert!(asked[before + 1..].iter().all(has_cookie));
}

#[test]
fn cookies_make_no_trap_worse() {
    let visits = |settings: &str| {
        let asked = AtomicUsize::new(0);
        // Whoever comes is a new visitor, in the cookie and in all links.
        let web = Loopback::start(move |_, path| {
            let session = asked.fetch_add(1, Ordering::Relaxed);
            let link =
                |name: &str| format!("/{name};jsessionid={session:032X}?PHPSESSID={session:032x}");
            match path {
                "/robots.txt" => Answer::status(404),
                _ => page(&[&link("a"), &link("b"), &link("c")])
                    .with("Set-Cookie", &format!("JSESSIONID={session:032X}; Path=/"))
                    .with("Set-Cookie", &format!("visit{session}=1; Path=/")),
            }
        });
        let settings = format!("{AT_ONCE}[budget]\nper_host = 100\n{settings}");
        let live = Live::on(&web, &settings, &["http://trap.example/"]);
        live.run();
        live.visits().len()
    };
    let (without, with) = (visits(""), visits(COOKIES));
    assert_eq!((without, with), (4, 4));
}
