//! Hostile servers, traps and ways into one's own network: none stalls, crashes or fills a crawl.

mod live;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use langur_live::journal::Event;
use langur_testkit::{Answer, Loopback, zoo};
use live::archive::{archived, archived_urls, files};
use live::pages::THAI;
use live::{AT_ONCE, Live};

/// Short limits, so that the tests end soon.
const SETTINGS: &str = r#"
[manners]
delay = "0ms"
address_delay = "0ms"
slow_factor = 0.0
[budget]
per_host = 15
per_domain = 40
[fetch]
contact = "https://library.example/crawls"
connect_timeout = "500ms"
head_timeout = "300ms"
idle_timeout = "300ms"
total_timeout = "800ms"
longest = "100kB"
retries = 1
retry_after = "10ms"
give_up_after = 2
"#;

/// Every animal of the zoo, by the name of its host.
fn animals() -> Vec<(&'static str, SocketAddr)> {
    let pause = Duration::from_millis(20);
    vec![
        ("endless-body", zoo::endless_body()),
        ("endless-chunks", zoo::endless_chunks()),
        ("endless-headers", zoo::endless_headers()),
        ("endless-hints", zoo::endless_hints()),
        ("slow-head", zoo::slow_head(pause)),
        ("slow-body", zoo::slow_body(pause)),
        ("redirect-loop", zoo::redirect_loop()),
        ("gzip-bomb", zoo::gzip_bomb()),
        ("zstd-bomb", zoo::zstd_bomb()),
        ("huge-robots", zoo::huge_robots()),
        ("closes-at-once", zoo::closes_at_once()),
        ("closes-when-asked", zoo::closes_when_asked()),
        ("closes-within-the-head", zoo::closes_within_the_head()),
        ("closes-within-the-body", zoo::closes_within_the_body()),
        ("closes-within-the-chunks", zoo::closes_within_the_chunks()),
        ("understates-its-length", zoo::understates_its_length()),
        ("senseless-length", zoo::senseless_length()),
        ("injected-header", zoo::injected_header()),
        ("nul-in-headers", zoo::nul_in_headers()),
        ("careless-headers", zoo::careless_headers()),
        ("split-response", zoo::split_response()),
        ("never-answers", zoo::never_answers()),
        ("speaks-ssh", zoo::speaks_ssh()),
        ("overflowing-chunk", zoo::overflowing_chunk()),
        ("plain-on-https", zoo::plain_on_https()),
        ("self-signed", zoo::self_signed()),
        ("session-trap", zoo::session_trap()),
        ("calendar-trap", zoo::calendar_trap()),
    ]
}

/// Ten pages in a row.
fn healthy(path: &str) -> Answer {
    if path == "/robots.txt" {
        return Answer::status(404);
    }
    let number: usize = path.trim_start_matches('/').parse().unwrap_or(0);
    let next =
        if number < 9 { format!("<a href=\"/{}\">next</a>", number + 1) } else { String::new() };
    Answer::page(format!("<p>{THAI}</p>{next}"))
}

/// What lies in a folder.
fn names(folder: &std::path::Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|it| it.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn a_zoo_of_hostile_servers_is_survived_and_what_is_healthy_is_archived() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let _inside = runtime.enter();
    let web = Loopback::start(|_, path| healthy(path));
    let mut resolve = vec![format!("healthy.example={}", web.address())];
    let mut seeds = vec!["http://healthy.example/".to_owned()];
    let animals = animals();
    for (name, address) in &animals {
        resolve.push(format!("{name}.example={address}"));
        let is_tls = matches!(*name, "plain-on-https" | "self-signed");
        seeds.push(format!("{}://{name}.example/", if is_tls { "https" } else { "http" }));
    }
    let seeds: Vec<&str> = seeds.iter().map(String::as_str).collect();
    let live = Live::new(&resolve, SETTINGS, &seeds);
    let start = Instant::now();
    live.run();
    println!("{} hostile hosts took {:?}", animals.len(), start.elapsed());

    // What is healthy is there, and what is archived can be read.
    let urls = archived_urls(&live.crawl());
    for number in 1..10 {
        assert!(urls.contains(&format!("http://healthy.example/{number}")), "page {number}");
    }
    let longest = archived(&live.crawl()).iter().map(|it| it.payload.len()).max();
    println!("the longest payload unpacks to {longest:?} bytes");
    let archive = fs::read_dir(live.crawl().join("archive")).expect("an archive");
    let bytes: u64 = archive.map(|it| it.expect("a file").metadata().expect("a size").len()).sum();
    assert!(bytes < 10 << 20, "{bytes} bytes were archived");

    // Nothing lies where it should not.
    let mut beside = names(live.path());
    beside.retain(|name| !name.starts_with("stdout") && !name.starts_with("stderr"));
    assert_eq!(beside, set(&["crawl", "crawl.toml", "seeds.txt"]));

    // Whatever was not brought has a reason, and nobody was asked too often.
    let mut asked: BTreeMap<u32, u32> = BTreeMap::new();
    live.events(|event| match event {
        Event::Asked { host, .. } => *asked.entry(host).or_default() += 1,
        Event::GivenUp { why, .. } | Event::Postponed { why, .. } => assert!(!why.is_empty()),
        Event::Visited(visited) if visited.status == 0 => assert!(!visited.failure.is_empty()),
        _ => {}
    });
    assert!(asked.values().all(|times| *times <= 15), "{asked:?}");
    let status = live.status();
    assert_eq!((&status["waiting"], &status["hosts"]["waiting"]), (&0.into(), &0.into()));
    let reasons = status["waits"].as_array().expect("reasons");
    assert!(
        reasons
            .iter()
            .all(|it| it["why"].as_str().is_some_and(|why| why.starts_with("given up: ")))
    );
    assert_eq!(status["hosts"]["given_up"].as_u64(), Some(reasons.len() as u64));
    for reason in reasons {
        println!("{}: {}", reason["host"], reason["why"]);
    }
}

#[test]
fn traps_are_left_when_the_budget_of_their_host_or_domain_is_spent() {
    let web = Loopback::start(|host, path| match host {
        "healthy.example" => healthy(path),
        _ if path == "/robots.txt" => Answer::status(404),
        // Every page names hosts that nobody has heard of.
        _ => {
            let name = host.trim_end_matches(".trap.example");
            let link =
                |number: usize| format!("<a href=\"http://{name}{number}.trap.example/\">x</a>");
            Answer::page(format!("<p>{THAI}</p>{}", (0..5).map(link).collect::<String>()))
        }
    });
    let seeds = ["http://a.trap.example/", "http://healthy.example/"];
    let live = Live::on(&web, SETTINGS, &seeds);
    live.run();
    let of_trap = web.asked().iter().filter(|asked| asked.host.ends_with(".trap.example")).count();
    assert_eq!(of_trap, 40, "robots.txt counts too");
    let healthy = archived_urls(&live.crawl()).into_iter().filter(|url| url.contains("healthy"));
    assert_eq!(healthy.count(), 11);
    assert!(live.status()["troubles"]["over_budget"].as_u64() > Some(0));
}

/// A page that links to addresses of this machine and its network, and URLs that send there.
fn tempting(own: &str, path: &str) -> Answer {
    let port = own.rsplit(':').next().expect("a port");
    let inside = [
        format!("http://{own}/secret"),
        format!("http://localhost:{port}/secret"),
        format!("http://[::1]:{port}/secret"),
        format!("http://2130706433:{port}/secret"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://10.0.0.1/".to_owned(),
    ];
    match path {
        "/robots.txt" => {
            let moved = "http://open.example/moved-map";
            Answer::text(format!(
                "User-agent: *\nSitemap: http://{own}/sitemap.xml\nSitemap: {moved}\n"
            ))
        }
        "/moved-map" => Answer::redirect(&format!("http://{own}/secret-map")),
        "/" => {
            let links = inside.iter().map(|url| format!("<a href=\"{url}\">in</a>"));
            let redirects = (0..inside.len()).map(|number| format!("<a href=\"/{number}\">in</a>"));
            Answer::page(format!("<p>{THAI}</p>{}", links.chain(redirects).collect::<String>()))
        }
        _ => match path.trim_start_matches('/').parse::<usize>().ok().and_then(|it| inside.get(it))
        {
            Some(url) => Answer::redirect(url),
            None => Answer::page("<p>secret"),
        },
    }
}

fn tempting_web() -> (Loopback, Live) {
    // What it sends to is itself, whose port is not known before it is there.
    let own = std::sync::OnceLock::<String>::new();
    let own = std::sync::Arc::new(own);
    let told = std::sync::Arc::clone(&own);
    let web = Loopback::start(move |host, path| match host {
        "robots.example" if path == "/robots.txt" => {
            Answer::redirect(&format!("http://{}/secret-robots", told.get().expect("known")))
        }
        _ => tempting(told.get().expect("known"), path),
    });
    own.set(web.address().to_string()).expect("set once");
    let resolve = [format!("*.example={}", web.address())];
    let seeds = ["http://open.example/", "http://robots.example/"];
    let live = Live::new(&resolve, SETTINGS, &seeds);
    (web, live)
}

#[test]
fn private_addresses_are_not_asked_whoever_sends_there() {
    let (web, live) = tempting_web();
    live.run();
    let hosts: BTreeSet<String> = web.asked().into_iter().map(|asked| asked.host).collect();
    assert_eq!(hosts, set(&["open.example", "robots.example"]));
    let waits = live.waits();
    for host in ["169.254.169.254", "10.0.0.1"] {
        assert!(waits[host].contains("private"), "{waits:?}");
    }
    assert!(waits["robots.example"].contains("its robots.txt is at "), "{waits:?}");
    let asked: Vec<String> = web.asked().into_iter().map(|asked| asked.path).collect();
    assert!(
        !asked.iter().any(|path| path.contains("secret") || path.contains("sitemap")),
        "{asked:?}"
    );
}

#[test]
fn private_addresses_are_asked_if_the_operator_says_so() {
    let (web, live) = tempting_web();
    let scope = ["--exclude", "host:169.254.169.254", "--exclude", "host:10.0.0.1"];
    let live = live.with(&["--allow-private"]).with(&scope);
    live.run();
    let asked = web.asked();
    for path in ["/secret", "/secret-map"] {
        let is_it = |asked: &langur_testkit::Asked| {
            asked.host.starts_with("127.0.0.1:") && asked.path == path
        };
        assert!(asked.iter().any(is_it), "{path}");
    }
}

/// Crawls a web whose host is an address, by default and by leave of the operator.
#[track_caller]
fn crawl_an_address(address: &str) {
    let Ok(web) = Loopback::start_at(&format!("{address}:0"), |_, path| healthy(path)) else {
        println!("this machine has no address {address}: nothing was tested");
        return;
    };
    let (host, settings) = (web.address().to_string(), format!("{AT_ONCE}[archive]\ndns = true\n"));
    let seed = format!("http://{host}/");
    // Without a contact address, for it is this machine.
    let live = Live::new(&[], &settings, &[&seed]);
    live.begin().fail(1);
    assert_eq!(web.count(), 0);
    assert!(live.waits()[&host].contains("private address"), "{:?}", live.waits());

    let live = Live::new(&[], &settings, &[&seed]).with(&["--allow-private"]);
    live.run();
    let mut expected: BTreeSet<String> = (1..10).map(|page| format!("{seed}{page}")).collect();
    expected.extend([seed.clone(), format!("{seed}robots.txt")]);
    assert_eq!(archived_urls(&live.crawl()), expected);
    assert!(web.asked().iter().all(|asked| asked.host == host));
    // What is an address was not looked up.
    let file = fs::read(&files(&live.crawl(), "warc.gz")[0]).expect("an archive file");
    let mut text = String::new();
    let read = flate2::read::MultiGzDecoder::new(&file[..]).read_to_string(&mut text);
    read.expect("text in gzip");
    assert!(!text.contains("WARC-Target-URI: dns:"), "{text}");
}

#[test]
fn a_host_that_is_an_ipv4_address_is_crawled() {
    crawl_an_address("127.0.0.1");
}

#[test]
fn a_host_that_is_an_ipv6_address_is_crawled() {
    crawl_an_address("[::1]");
}

#[test]
fn addresses_of_this_machine_need_no_contact_address_with_or_without_a_port() {
    for seed in ["http://[::1]/", "http://[::1]:9/", "http://127.0.0.1/", "http://127.0.0.1:9/"] {
        let live = Live::new(&[], AT_ONCE, &[seed]);
        live.begin().fail(1);
        let host = seed.trim_start_matches("http://").trim_end_matches('/');
        assert!(live.waits()[host].contains("private address"), "{:?}", live.waits());
    }
}
