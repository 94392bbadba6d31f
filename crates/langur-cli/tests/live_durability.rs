//! A crawl that is killed again and again ends as one that was not.

mod live;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use langur_live::journal::Event;
use langur_testkit::{Answer, Loopback};
use live::archive::{archived, archived_urls, files};
use live::{AT_ONCE, Live, Running};

const HOSTS: usize = 30;
const PAGES: usize = 18;
const CONNECTIONS: usize = 6;
const KILLS: usize = 50;

/// Does not answer its first requests.
const DOWN_AT_FIRST: &str = "h7.example";
const DOWN_FOR: usize = 2;

/// What a host of the known web has, and what of it is to be found in the archive.
struct KnownWeb {
    asked: AtomicUsize,
}

impl KnownWeb {
    fn start() -> Loopback {
        let web = KnownWeb { asked: AtomicUsize::new(0) };
        Loopback::start(move |host, path| web.answer(host, path).after(Duration::from_millis(2)))
    }

    fn answer(&self, host: &str, path: &str) -> Answer {
        let number: usize =
            host.trim_start_matches('h').trim_end_matches(".example").parse().expect("a host");
        if host == DOWN_AT_FIRST && self.asked.fetch_add(1, Ordering::Relaxed) < DOWN_FOR {
            return Answer::silence();
        }
        match path {
            // Every third host has rules, every third none, and every third is at a loss.
            "/robots.txt" => match number % 3 {
                0 => Answer::text("User-agent: *\nDisallow: /private\nSitemap: /sitemap.xml\n"),
                1 => Answer::status(404),
                _ => Answer::text(format!(
                    "User-agent: *\nDisallow: /private\nSitemap: http://{host}/sitemap.xml\n"
                )),
            },
            // By way of the host itself, the sitemap is at its neighbour.
            "/sitemap.xml" => Answer::redirect("/moved.xml"),
            "/moved.xml" => Answer::redirect(&moved_sitemap(number)),
            "/neighbour.xml" => Answer::of(
                "text/xml",
                format!(
                    "<urlset><url><loc>http://h{}.example/by-sitemap</loc></url></urlset>",
                    number - 1
                ),
            ),
            "/by-sitemap" => Answer::page(format!("<p>{}", text(number))),
            "/same" => Answer::page(format!("<p>{}", "the same everywhere ".repeat(40))),
            "/moved" => Answer::redirect("/moved/here"),
            "/moved/here" => Answer::page(format!("<p>{} of {host}", text(number))),
            "/missing" => Answer::status(404),
            "/" => page(number, 0),
            _ => match path.strip_prefix("/p").and_then(|page| page.parse().ok()) {
                Some(of_host) if of_host < PAGES => page(number, of_host),
                _ => Answer::status(500),
            },
        }
    }

    /// All that belongs into the archive.
    fn urls() -> BTreeSet<String> {
        let mut urls = BTreeSet::new();
        for host in 0..HOSTS {
            let mut paths: Vec<String> = (1..PAGES).map(|page| format!("/p{page}")).collect();
            let others = ["/", "/same", "/moved", "/moved/here", "/missing", "/robots.txt"];
            paths.extend(others.map(str::to_owned));
            // Sitemaps are for hosts with relevant pages, and named by whole URLs alone.
            if host % 3 == 2 && is_thai(host) {
                paths.extend(["/sitemap.xml", "/moved.xml", "/by-sitemap"].map(str::to_owned));
                urls.insert(moved_sitemap(host));
            }
            urls.extend(paths.iter().map(|path| format!("http://h{host}.example{path}")));
        }
        urls
    }
}

fn moved_sitemap(host: usize) -> String {
    format!("http://h{}.example/neighbour.xml", host + 1)
}

fn is_thai(host: usize) -> bool {
    host.is_multiple_of(2)
}

fn text(host: usize) -> String {
    match is_thai(host) {
        true => "ภาษาไทยเป็นภาษาราชการของประเทศไทย และเป็นภาษาแม่ของคนไทยส่วนใหญ่ ".repeat(4),
        false => "English is the language of this page and of no other one. ".repeat(4),
    }
}

/// Pages of a host are a tree, and so are the hosts.
fn page(host: usize, page: usize) -> Answer {
    let mut links: Vec<String> = [2 * page + 1, 2 * page + 2]
        .into_iter()
        .filter(|below| *below < PAGES)
        .map(|below| format!("/p{below}"))
        .collect();
    if page == 0 {
        let below = [2 * host + 1, 2 * host + 2].into_iter().filter(|below| *below < HOSTS);
        links.extend(below.map(|below| format!("http://h{below}.example/")));
        links.extend(["/same", "/moved", "/missing"].map(str::to_owned));
        if host % 3 != 1 {
            links.push("/private/page".to_owned());
        }
    }
    let links: String = links.iter().map(|link| format!("<a href=\"{link}\">next</a> ")).collect();
    Answer::page(format!("<title>{page} of {host}</title><p>{}</p>{links}", text(host)))
}

fn settings(connections: usize) -> String {
    format!(
        "{AT_ONCE}[fetch]\nconnections = {connections}\nretry_after = \"20ms\"\n[archive]\nrotate = \"48KiB\"\n"
    )
}

fn known_crawl(web: &Loopback, connections: usize) -> Live {
    Live::on(web, &settings(connections), &["http://h0.example/"])
}

/// Numbers that look like chance and are the same every time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Kills the crawl again and again, then lets it end; says how often it was killed.
fn crawl_with_kills(live: &Live, web: &Loopback) -> usize {
    let mut chance = Chance(6);
    let mut kills = 0;
    let mut running = live.begin();
    while kills < KILLS {
        wait_for_a_moment(&mut running, web, &mut chance);
        if !running.kill() {
            panic!("it was done after {kills} kills: more pages are needed");
        }
        kills += 1;
        // A crawl that was killed before it had begun is begun again.
        running = if live.crawl().join("journal").exists() { live.resume() } else { live.begin() };
    }
    running.succeed();
    kills
}

/// Now and then while it starts, mostly after some more requests.
fn wait_for_a_moment(running: &mut Running, web: &Loopback, chance: &mut Chance) {
    match chance.below(5) {
        0 => {
            let time = Duration::from_millis(chance.below(60));
            assert!(running.ends_within(time).is_none(), "{}", running.stderr());
        }
        _ => {
            let enough = web.count() + 1 + chance.below(24) as usize;
            let came = web.wait_until(Duration::from_secs(20), |asked| asked.len() >= enough);
            assert!(came, "no request for a long time: {}", running.stderr());
        }
    }
}

#[test]
fn fifty_kills_lose_no_page_and_repeat_only_what_was_in_flight() {
    let clock = (Instant::now(), SystemTime::now());
    let web = KnownWeb::start();
    let live = known_crawl(&web, CONNECTIONS);
    let kills = crawl_with_kills(&live, &web);

    assert_eq!(archived_urls(&live.crawl()), KnownWeb::urls());
    assert!(files(&live.crawl(), "warc.gz").len() > 3, "files are rotated");
    assert_eq!(web.overlaps(), Vec::<String>::new());

    // No page was finished twice, and none was asked for after it was finished.
    let moment = |instant: Instant| {
        let time = clock.1 + (instant - clock.0);
        time.duration_since(UNIX_EPOCH).expect("after 1970").as_millis() as u64
    };
    let asked = web.asked();
    let mut finished = BTreeMap::new();
    for visit in live.visits() {
        let before = finished.insert(visit.url.clone(), visit.at);
        assert_eq!(before, None, "{} was finished twice", visit.url);
    }
    for request in &asked {
        if let Some(at) = finished.get(&request.url()) {
            assert!(moment(request.start) <= *at, "{} was asked for again", request.url());
        }
        assert!(!request.path.starts_with("/private"), "{}", request.url());
    }
    let repeats = asked.len() - KnownWeb::urls().len() - DOWN_FOR;
    assert!(repeats <= kills * CONNECTIONS, "{repeats} repeats");

    // Rules that are known are not asked for again.
    let mut rules_known = BTreeSet::new();
    live.events(|event| {
        if let Event::Robots(robots) = event {
            assert!(rules_known.insert(robots.host), "robots.txt of host {} twice", robots.host);
        }
    });
    assert_eq!(rules_known.len(), HOSTS);

    // What was repeated in the archive is referred to, and is the same.
    let answers = archived(&live.crawl());
    let same: Vec<_> = answers.iter().filter(|it| it.url.ends_with("/same")).collect();
    assert_eq!(same.len(), HOSTS);
    let whole = same.iter().filter(|it| !it.is_revisit).count();
    assert!((1..=CONNECTIONS).contains(&whole), "{whole} whole copies");

    // It ended as one that nobody killed.
    let undisturbed_web = KnownWeb::start();
    let undisturbed = known_crawl(&undisturbed_web, 1);
    undisturbed.run();
    assert_eq!(archived_urls(&undisturbed.crawl()), KnownWeb::urls());
    let (status, expected) = (live.status(), undisturbed.status());
    for key in ["fetched", "ok_html", "relevant", "known", "waiting", "phase", "why"] {
        assert_eq!(status[key], expected[key], "{key}");
    }
    assert_eq!(status["troubles"]["forbidden"], expected["troubles"]["forbidden"]);
    assert_eq!(status["waiting"], 0);
    println!("{kills} kills, {} requests, {repeats} of them repeats", asked.len());
}

#[test]
fn tails_of_journal_and_archive_are_cut_off_and_said_to_be() {
    let web = KnownWeb::start();
    let live = known_crawl(&web, CONNECTIONS);
    let running = live.begin();
    assert!(web.wait_until(Duration::from_secs(20), |asked| asked.len() > 100));
    assert!(running.kill());
    let last = files(&live.crawl(), "warc.gz").pop().expect("a file");
    append(&last, b"\x1f\x8b\x08\0half a member");
    // The head of a frame that is longer than what follows.
    append(&live.crawl().join("journal"), b"\xff\0\0\0\x01\x02\x03\x04half an event");
    // A file of which the journal knows nothing.
    let name = last.to_string_lossy().into_owned();
    let number: u32 = name[name.len() - 13..name.len() - 8].parse().expect("a number");
    fs::write(name.replace(&format!("-{number:05}."), &format!("-{:05}.", number + 1)), "?")
        .expect("written");
    let ended = live.resume().succeed();
    assert!(ended.stderr.contains("of what was half-written were cut off"), "{}", ended.stderr);
    assert_eq!(archived_urls(&live.crawl()), KnownWeb::urls());
}

#[test]
fn a_journal_that_is_damaged_in_the_middle_is_refused_with_the_place() {
    let web = KnownWeb::start();
    let live = known_crawl(&web, CONNECTIONS).with(&["--max-pages", "20"]);
    live.run();
    let path = live.crawl().join("journal");
    let whole = fs::read(&path).expect("a journal");
    // Wherever it is: the length of an event, its checksum, or the event.
    for at in whole.len() / 2..whole.len() / 2 + 40 {
        for bit in [1, 128] {
            let mut journal = whole.clone();
            journal[at] ^= bit;
            fs::write(&path, &journal).expect("written");
            let ended = live.resume().fail(1);
            assert!(ended.stderr.contains("is damaged at byte"), "{at}: {}", ended.stderr);
            assert_eq!(fs::read(&path).expect("a journal"), journal, "nothing was changed");
        }
    }
}

fn append(path: &std::path::Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).expect("a file");
    file.write_all(bytes).expect("written");
}
