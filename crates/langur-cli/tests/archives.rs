//! Archives through the built binary: indexed, read, built into web spaces, crawled and sampled.

mod archived;
mod command;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;
use langur_testkit::Warc;

use archived::{ENGLISH, Stopped, THAI, archive, gzip, page, site};
use command::{fail, json, langur, succeed};

#[test]
fn captures_that_cannot_be_read_by_range_are_left_out_aloud() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("web")).expect("a folder");
    fs::write(folder.join("web/whole.warc.gz"), gzip(site("a.example", 5).bytes())).expect("room");
    fail(folder, 1, &["archive", "index", "web"], "5 captures in compressed members with other");
    fail(folder, 1, &["archive", "index", "web"], "warcio recompress");
    assert!(!folder.join("web/index.cdxj").exists(), "an index of nothing is of no use");
    fs::write(folder.join("web/alone.warc.gz"), gzip(site("b.example", 1).bytes())).expect("room");
    let said = succeed(folder, &["archive", "index", "web"]);
    assert!(said.contains("1 capture in 2 files"), "{said}");
    assert!(said.contains("left out: 5 captures") && said.contains("whole.warc.gz"), "{said}");
    assert!(!said.contains("malformed"), "{said}");
    let said = json(&succeed(folder, &["archive", "index", "web", "--json"]));
    assert_eq!((&said["captures"], &said["left_out"]), (&1.into(), &5.into()), "{said}");
    // A build reads such files through, but not what a revisit of another URL repeats.
    let (body, other, at) = (page(THAI, &[]), "http://c.example/", "20200101000000");
    let mut warc = site("c.example", 1);
    warc.page(other, at, &body);
    let digest = langur_archive::digest::sha1(&body);
    warc.revisit_of("http://d.example/", "20210101000000", &digest, other, at);
    fs::write(folder.join("c.warc.gz"), gzip(warc.bytes())).expect("room");
    let said = succeed(folder, &["space", "build", "c.warc.gz", "-o", "c.space"]);
    assert!(said.contains("what a revisit repeats cannot be read by itself"), "{said}");
    assert!(said.contains("left out: 1 pages of which there is only a revisit"), "{said}");
}

#[test]
fn captures_are_found_by_url_and_time() {
    let scratch = archive();
    let folder = scratch.path();
    let index = fs::read_to_string(folder.join("web/index.cdxj")).expect("an index");
    let line = index.lines().next().expect("a line");
    assert!(
        line.starts_with("example,a)/0 20200102030405 {\"url\": \"http://a.example/0\""),
        "{line}"
    );
    assert!(line.contains("\"filename\": \"parts/a.warc\""), "{line}");
    let latest = succeed(folder, &["archive", "get", "web", "http://a.example/0"]);
    assert!(latest.contains(THAI));
    let older = succeed(folder, &["archive", "get", "web", "http://a.example/0", "--at", "2019"]);
    assert!(older.contains("An older page."));
    let head = json(&succeed(folder, &["archive", "get", "web", "http://a.example/0", "--json"]));
    assert_eq!(head["timestamp"], "20230102030405");
    assert_eq!(head["status"], 200);
    let list = succeed(folder, &["archive", "get", "web", "http://a.example/0", "--list"]);
    assert_eq!(list.lines().count(), 4, "{list}");
    succeed(folder, &["archive", "get", "web", "http://b.example/3", "-o", "b3.html"]);
    assert!(fs::read_to_string(folder.join("b3.html")).expect("a page").contains(THAI));

    fail(folder, 1, &["archive", "get", "web", "http://a.example/none"], "not in the archive");
    fail(
        folder,
        1,
        &["archive", "get", "web", "https://a.example/0"],
        "these are: http://a.example/0",
    );
    fail(folder, 2, &["archive", "get", "web", "not a url"], "not a URL");
    for at in ["soon", "20140230", "2014013"] {
        fail(folder, 2, &["archive", "get", "web", "http://a.example/0", "--at", at], "no time");
    }
    fail(folder, 2, &["archive", "get", "nowhere", "http://a.example/0"], "no folder");
    let list = ["archive", "get", "web", "http://a.example/none", "--list", "--json"];
    fail(folder, 1, &list, "not in the archive");
    let serve = ["archive", "serve", "web", "--listen", "127.0.0.1:0"];
    for (wrong, said) in [
        (&["--listen-tls", "127.0.0.1:0"][..], "--ca"),
        (&["--latency", "400-20"], "20-400"),
        (&["--refuse"], "--interval or --concurrent"),
    ] {
        fail(folder, 2, &[&serve[..], wrong].concat(), said);
    }
    fs::create_dir(folder.join("empty")).expect("a folder");
    fail(folder, 2, &["archive", "get", "empty", "http://a.example/"], "langur archive index");
    fail(folder, 2, &["archive", "index", "empty"], "no .warc or .arc files");
}

#[test]
fn a_revisit_of_what_is_not_there_is_called_so() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("web")).expect("a folder");
    let mut warc = Warc::default();
    warc.revisit("http://a.example/", "20230102030405", "sha1:AAAA");
    fs::write(folder.join("web/a.warc"), warc.bytes()).expect("room");
    succeed(folder, &["archive", "index", "web"]);
    let get = ["archive", "get", "web", "http://a.example/"];
    fail(folder, 1, &get, "there is only a revisit, of 20230102030405");
}

#[test]
fn a_revisit_is_one_capture_also_where_its_content_is_found_elsewhere() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    let thai = page(THAI, &[]);
    let digest = langur_archive::digest::sha1(&thai);
    let mut warc = Warc::default();
    let (of, at) = ("http://a.example/x", "20200101000000");
    warc.page(of, at, &thai);
    warc.page("http://a.example/y", at, &page(ENGLISH, &[]));
    warc.revisit_of("http://a.example/y", "20210101000000", &digest, of, at);
    fs::write(folder.join("a.warc"), warc.bytes()).expect("room");
    let said = succeed(folder, &["space", "build", "a.warc", "-o", "a.space"]);
    assert!(said.contains("2 pages on 1 host,"), "{said}");
    assert!(said.contains("left out: 1 captures of pages of which another was taken"), "{said}");
}

/// Two answers may have the same content and not be the same: what the later one was called counts.
#[test]
fn a_revisit_has_its_own_head() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("web")).expect("a folder");
    let thai = page(THAI, &[]);
    let digest = langur_archive::digest::sha1(&thai);
    let url = "http://a.example/x";
    let mut warc = Warc::default();
    warc.page(url, "20200101000000", &thai);
    warc.revisit_typed(url, "20210101000000", &digest, "application/octet-stream");
    fs::write(folder.join("web/a.warc"), warc.bytes()).expect("room");
    succeed(folder, &["archive", "index", "web"]);
    let head = succeed(folder, &["archive", "get", "web", url, "--head"]);
    assert!(head.contains("application/octet-stream") && !head.contains("text/html"), "{head}");
    for (at, relevant) in [(&[][..], 0), (&["--at", "20200101"], 1)] {
        let build = ["space", "build", "web", "-o", "a.space", "--force"];
        succeed(folder, &[&build[..], at].concat());
        let info = json(&succeed(folder, &["space", "info", "a.space", "--json"]));
        let thai = &info["languages"]["langur"]["th"];
        assert_eq!(thai.as_u64().unwrap_or(0), relevant, "{info}");
        fs::write(folder.join("seeds.txt"), url).expect("room");
        let crawl =
            ["crawl", "--web", "archive:web", "--target", "lang:th", "--seeds", "seeds.txt"];
        let found = json(&succeed(folder, &[&crawl[..], at, &["--json"]].concat()));
        assert_eq!(found["results"][0]["relevant"], relevant, "{found}");
    }
}

/// Digests of other kinds, redirects that lead elsewhere by now, heads without a type, revisits without a digest.
#[test]
fn revisits_of_all_kinds_are_the_same_to_a_crawl_and_to_a_web_space() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("web")).expect("a folder");
    let (old, new) = ("20200101000000", "20210101000000");
    let links = ["/copy", "/go", "/nohd", "/stat", "/lost", "/twin"].map(str::to_owned);
    let mut warc = Warc::default();
    warc.page("http://a.example/", old, &page(THAI, &links));
    let response = |headers: &str, body: &[u8]| {
        [format!("HTTP/1.1 {headers}\r\n\r\n").as_bytes(), body].concat()
    };
    let sha256 = "WARC-Payload-Digest: sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\r\n";
    let named = |url: &str| {
        format!("WARC-Refers-To-Target-URI: {url}\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n")
    };
    let html = "200 OK\r\nContent-Type: text/html";
    let body = page(THAI, &["/by-copy".to_owned()]);
    warc.record("response", "http://c.example/orig", old, sha256, &response(html, &body));
    let more = format!("{sha256}{}", named("http://c.example/orig"));
    warc.record("revisit", "http://a.example/copy", new, &more, &response(html, b""));

    let empty = "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n";
    for (kind, at, to) in [("response", old, "/old"), ("revisit", new, "/new")] {
        let head = response(&format!("301 Moved\r\nLocation: {to}"), b"");
        warc.record(kind, "http://a.example/go", at, empty, &head);
        warc.page(&format!("http://a.example{to}"), old, &page(THAI, &[]));
    }
    for (path, has_digest) in [("/nohd", true), ("/stat", false)] {
        let url = format!("http://a.example{path}");
        let body = page(THAI, &["/gone-by-now".to_owned(), path.to_owned()]);
        let digest = format!("WARC-Payload-Digest: {}\r\n", langur_archive::digest::sha1(&body));
        warc.record("response", &url, old, &digest, &response(html, &body));
        let more = if has_digest { digest } else { named(&url) };
        warc.record("revisit", &url, new, &more, &response("404 Gone", b""));
    }
    // Of two captures of one second the one with its digest.
    let (app, other) = (page(THAI, &["/by-twin".to_owned()]), page(THAI, &[]));
    let digest =
        |body: &[u8]| format!("WARC-Payload-Digest: {}\r\n", langur_archive::digest::sha1(body));
    let twin = "http://a.example/twin";
    for (body, status) in [(&app, "404 Gone"), (&other, html)] {
        warc.record("response", twin, old, &digest(body), &response(status, body));
    }
    let more = format!("{}{}", digest(&app), named(twin));
    warc.record("revisit", twin, new, &more, &response(html, b""));
    // What it repeats is not there, and what an earlier revisit repeats is another page.
    let other = "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n";
    let more = format!("{sha256}{}", named("http://c.example/orig"));
    warc.record("revisit", "http://a.example/lost", "20200601000000", &more, &response(html, b""));
    warc.record("revisit", "http://a.example/lost", new, other, &response(html, b""));
    for path in ["/by-copy", "/gone-by-now", "/by-twin"] {
        warc.page(&format!("http://a.example{path}"), old, &page(THAI, &[]));
    }
    fs::write(folder.join("web/a.warc"), warc.bytes()).expect("room");
    fs::write(folder.join("seeds.txt"), "http://a.example/").expect("room");
    succeed(folder, &["archive", "index", "web"]);
    succeed(folder, &["space", "build", "web", "-o", "a.space"]);
    let task = ["--target", "lang:th", "--seeds", "seeds.txt", "--strategy", "breadth-first"];
    let crawl = ["crawl", "--web", "archive:web", "--json", "-o", "crawled"];
    let simulate = ["simulate", "a.space", "--json", "-o", "simulated"];
    for missing in ["404", "skip"] {
        let results = [&crawl[..], &simulate[..]].map(|command| {
            let more = ["--missing", missing, "--force"];
            let found = json(&succeed(folder, &[command, &task[..], &more].concat()));
            let result = &found["results"][0];
            // The seed, copy, by-copy, go, new, the two that are gone, and the twin with its link.
            assert_eq!(
                (&result["fetched"], &result["relevant"]),
                (&9.into(), &6.into()),
                "{found}"
            );
            result["max_queue"].clone()
        });
        assert_eq!(results[0], results[1], "{missing}");
    }
}

/// Revisits without heads of their own, of another URL that was captured with the same body more than once, or that only a date
/// tells, or that is found under `www`.
#[test]
fn revisits_of_other_urls_are_the_captures_that_they_name() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("web")).expect("a folder");
    let (old, new, newest) = ("20200101000000", "20200601000000", "20210101000000");
    let (original, body) = ("http://c.example/orig", page(THAI, &["/by".to_owned()]));
    let digest = format!("WARC-Payload-Digest: {}\r\n", langur_archive::digest::sha1(&body));
    let mut warc = Warc::default();
    for (at, status) in [(old, "404 Gone"), (new, "200 OK")] {
        let block = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n");
        warc.record("response", original, at, &digest, &[block.as_bytes(), &body].concat());
    }
    let of = |url: &str, year: &str| {
        format!(
            "WARC-Refers-To-Target-URI: {url}\r\nWARC-Refers-To-Date: 2020-{year}T00:00:00Z\r\n"
        )
    };
    let wrong = "WARC-Payload-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n";
    let revisits = [
        ("/new", digest.clone() + &of(original, "06-01"), 200),
        ("/old", digest.clone() + &of(original, "01-01"), 404),
        ("/latest", digest.clone() + &of(original, "03-03"), 200),
        ("/dated", of(original, "01-01"), 404),
        ("/wrong", wrong.to_owned() + &of(original, "06-01"), 200),
        ("/www", of("https://www.c.example/orig", "06-01"), 200),
    ];
    for (path, more, _) in &revisits {
        warc.record("revisit", &format!("http://a.example{path}"), newest, more, b"");
    }
    let lost = wrong.to_owned() + &of(original, "03-03");
    warc.record("revisit", "http://a.example/lost", newest, &lost, b"");
    let paths = revisits.iter().map(|revisit| revisit.0.to_owned());
    let links: Vec<String> = paths.chain(["/lost".to_owned()]).collect();
    warc.page("http://a.example/", old, &page(THAI, &links));
    fs::write(folder.join("web/a.warc"), warc.bytes()).expect("room");
    fs::write(folder.join("seeds.txt"), "http://a.example/").expect("room");
    succeed(folder, &["archive", "index", "web"]);
    let built = json(&succeed(folder, &["space", "build", "web", "-o", "a.space", "--json"]));
    assert_eq!(built["built"]["joined"]["revisits_alone"], 1, "{built}");
    let task = ["--target", "lang:th", "--seeds", "seeds.txt", "--strategy", "breadth-first"];
    let crawl = ["crawl", "--web", "archive:web", "--json", "-o", "crawled"];
    let simulate = ["simulate", "a.space", "--json", "-o", "simulated"];
    for command in [&crawl[..], &simulate[..]] {
        let found = json(&succeed(folder, &[command, &task[..], &["--missing", "404"]].concat()));
        let result = &found["results"][0];
        // The seed, and those that are 200.
        assert_eq!((&result["ok_html"], &result["relevant"]), (&5.into(), &5.into()), "{found}");
    }
    for (path, _, status) in revisits {
        let url = format!("http://a.example{path}");
        let got = json(&succeed(folder, &["archive", "get", "web", &url, "--json"]));
        assert_eq!(got["status"], status, "{url}: {got}");
    }
}

#[test]
fn what_has_only_a_part_of_a_page_is_told() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("web")).expect("a folder");
    let at = "20200101000000";
    let block =
        [b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n", &page(THAI, &[])[..]].concat();
    let mut warc = Warc::default();
    warc.record("response", "http://a.example/cut", at, "WARC-Truncated: length\r\n", &block);
    warc.record("response", "http://a.example/one", at, "WARC-Segment-Number: 1\r\n", &block);
    let more = "WARC-Segment-Number: 2\r\nWARC-Segment-Origin-ID: <urn:x:1>\r\n";
    warc.record("continuation", "http://a.example/one", at, more, &block);
    warc.record("conversion", "http://a.example/text", at, "", b"only text");
    warc.record("response", "http://a.example/bare", at, "", &page(THAI, &[]));
    fs::write(folder.join("web/a.warc"), warc.bytes()).expect("room");
    let said = succeed(folder, &["archive", "index", "web"]);
    assert!(said.contains("3 captures") && said.contains("a response has no HTTP head"), "{said}");
    let said = succeed(folder, &["space", "build", "web", "-o", "a.space"]);
    for told in [
        "3 pages on 1 host",
        "left out: 1 ends of pages that were not archived",
        "left out: 1 parts of pages in records of their own",
        "left out: 1 texts of pages without their markup",
        "a response has no HTTP head",
    ] {
        assert!(said.contains(told), "{told}: {said}");
    }
    for (path, told) in [("cut", "cut off when it was archived, for length"), ("one", "segment 1")]
    {
        let ended = langur(folder, &["archive", "get", "web", &format!("http://a.example/{path}")]);
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert!(ended.status.success() && stderr.contains(told), "{stderr}");
    }
    let mut warc = Warc::default();
    warc.record("conversion", "http://a.example/text", at, "", b"only text");
    fs::write(folder.join("web/a.warc"), warc.bytes()).expect("room");
    let said = succeed(folder, &["archive", "index", "web"]);
    assert!(said.contains("texts without their pages (WET)"), "{said}");
    // Some crawlers write so of every revisit, whose content is elsewhere.
    let mut warc = Warc::default();
    let url = "http://a.example/whole";
    warc.page(url, at, &page(THAI, &[]));
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let digest = langur_archive::digest::sha1(&page(THAI, &[]));
    let more = format!("WARC-Truncated: length\r\nWARC-Payload-Digest: {digest}\r\n");
    warc.record("revisit", url, "20210101000000", &more, head);
    fs::write(folder.join("web/a.warc"), warc.bytes()).expect("room");
    let said = succeed(folder, &["space", "build", "web", "--force", "-o", "a.space"]);
    assert!(said.contains("1 page on 1 host") && !said.contains("ends of pages"), "{said}");
    succeed(folder, &["archive", "index", "web"]);
    let ended = langur(folder, &["archive", "get", "web", url]);
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success() && !stderr.contains("cut off"), "{stderr}");
}

#[test]
fn a_compressed_file_is_read_though_its_first_bytes_are_damaged() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("web")).expect("a folder");
    let mut file = Vec::new();
    for number in 0..3 {
        let mut warc = Warc::default();
        warc.page(&format!("http://a.example/{number}"), "20200101000000", &page(THAI, &[]));
        file.extend(gzip(warc.bytes()));
    }
    for damage in [0, 5] {
        file[damage] ^= 0xff;
        fs::write(folder.join("web/a.warc.gz"), &file).expect("room");
        let said = succeed(folder, &["archive", "index", "web"]);
        let index = fs::read_to_string(folder.join("web/index.cdxj")).expect("an index");
        assert_eq!(index.lines().count(), 2, "{said}{index}");
    }
}

#[test]
fn a_crawl_that_could_read_nothing_has_failed() {
    let scratch = archive();
    let folder = scratch.path();
    fs::create_dir(folder.join("bare")).expect("a folder");
    fs::copy(folder.join("web/index.cdxj"), folder.join("bare/index.cdxj")).expect("an index");
    let crawl = ["crawl", "--web", "archive:bare", "--target", "lang:th", "--seeds", "seeds.txt"];
    fail(folder, 1, &crawl, "no page could be read");
}

#[test]
fn an_archive_is_crawled_scored_and_reported() {
    let scratch = archive();
    let folder = scratch.path();
    succeed(folder, &["space", "build", "web", "--seeds", "seeds.txt", "-o", "web.space"]);
    let info = json(&succeed(folder, &["space", "info", "web.space", "--json"]));
    assert_eq!(info["counts"]["pages"], 41, "{info}");
    let crawl = ["crawl", "--web", "archive:web", "--target", "lang:th", "--seeds", "seeds.txt"];
    let crawl = [&crawl[..], &["--strategy", "breadth-first", "--space", "web.space"]].concat();
    let found = json(&succeed(folder, &[&crawl[..], &["-o", "run", "--json"]].concat()));
    let result = &found["results"][0];
    assert_eq!(result["fetched"], 40, "{found}");
    assert_eq!(result["coverage"], 1.0);
    assert_eq!(found["lost"]["count"], 0);
    assert!(folder.join("run/breadth-first/pages.parquet").is_file());
    let simulated = json(&succeed(
        folder,
        &[
            "simulate",
            "web.space",
            "--target",
            "lang:th",
            "--strategy",
            "breadth-first",
            "--missing",
            "404",
            "--json",
        ],
    ));
    for key in ["fetched", "relevant", "missing", "max_queue", "coverage", "area"] {
        assert_eq!(simulated["results"][0][key], result[key], "{key}");
    }
    // Seeds are begun with in the order in which they were given, in the web space too.
    fs::write(folder.join("two.txt"), "http://b.example/3\nhttp://a.example/0\n").expect("room");
    succeed(folder, &["space", "build", "web", "--seeds", "two.txt", "-o", "two.space"]);
    let manifest = json(&fs::read_to_string(folder.join("two.space/manifest.json")).expect("one"));
    // Pages are numbered by their hosts.
    let seed = |at: usize| manifest["seeds"][at].as_u64().expect("a page");
    assert!(seed(0) > seed(1), "{}", manifest["seeds"]);
    // What one web gave is what the simulator can crawl.
    let parquet = |name: &str| format!("run/breadth-first/{name}.parquet");
    let import = ["space", "import", "--pages", &parquet("pages"), "--links", &parquet("links")];
    succeed(folder, &[&import[..], &["-o", "seen.space"]].concat());
    let again =
        ["simulate", "seen.space", "--target", "lang:th", "--strategy", "breadth-first", "--json"];
    assert_eq!(json(&succeed(folder, &again))["results"][0]["fetched"], 40);
    succeed(folder, &["report", "run", "-o", "report.html"]);
    let unknown = json(&succeed(
        folder,
        &[
            "crawl",
            "--web",
            "archive:web",
            "--target",
            "lang:th",
            "--seeds",
            "seeds.txt",
            "--max-pages",
            "5",
            "--json",
        ],
    ));
    assert!(unknown["results"][0]["coverage"].is_null(), "nobody knows how much there is");

    fail(
        folder,
        2,
        &["crawl", "--web", "live", "--target", "lang:th", "--seeds", "seeds.txt"],
        "-o crawl/",
    );
    fail(
        folder,
        2,
        &["crawl", "--web", "web", "--target", "lang:th", "--seeds", "seeds.txt"],
        "archive:DIR",
    );
    fail(folder, 2, &[&crawl[..], &["--labels", "none"]].concat(), "it has: ");
    let oracle = ["crawl", "--web", "archive:web", "--target", "lang:th", "--seeds", "seeds.txt"];
    for name in ["perfect", "upper-bound"] {
        fail(folder, 2, &[&oracle[..], &["--strategy", name]].concat(), "on a simulated web only");
    }
}

#[test]
fn coverage_is_of_the_archive_that_was_crawled() {
    let scratch = archive();
    let folder = scratch.path();
    fs::write(folder.join("other.warc"), site("c.example", 4).bytes()).expect("room");
    succeed(folder, &["space", "build", "other.warc", "-o", "other.space"]);
    succeed(folder, &["space", "build", "web/parts/a.warc", "-o", "part.space"]);
    let crawl = ["crawl", "--web", "archive:web", "--target", "lang:th", "--seeds", "seeds.txt"];
    let other = [&crawl[..], &["--space", "other.space"]].concat();
    fail(folder, 2, &other, "none of the seeds is in web space other.space");
    let part = [&crawl[..], &["--space", "part.space", "--json"]].concat();
    let output = command::langur(folder, &part);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("it does not have 10 of 40 pages fetched"), "{said}");
    let found = json(&String::from_utf8(output.stdout).expect("text"));
    assert!(found["results"][0]["coverage"].is_null(), "{found}");
}

#[test]
fn the_papers_rules_can_be_left_out_of_a_web_space() {
    let scratch = archive();
    let folder = scratch.path();
    succeed(folder, &["space", "build", "web", "-o", "all.space"]);
    succeed(folder, &["space", "build", "web", "--labels", "langur", "-o", "one.space"]);
    let found = |space: &str, more: &[&str]| {
        let simulate =
            ["simulate", space, "--target", "lang:th", "--strategy", "breadth-first", "--json"];
        let found =
            json(&succeed(folder, &[&simulate[..], &["--seeds", "seeds.txt"], more].concat()));
        found["results"][0]["relevant"].as_u64().expect("a number")
    };
    assert_eq!(found("all.space", &[]), found("one.space", &[]));
    assert!(found("one.space", &[]) > 0 && found("all.space", &["--labels", "meta+textcat"]) > 0);
    let papers =
        ["simulate", "one.space", "--target", "lang:th", "--all", "--labels", "meta+textcat"];
    fail(folder, 2, &papers, "langur-second");
}

#[test]
fn an_archive_is_sampled() {
    let scratch = archive();
    let folder = scratch.path();
    let sample = ["archive", "sample", "web", "--target", "lang:th"];
    let some = json(&succeed(folder, &[&sample[..], &["--captures", "40", "--json"]].concat()));
    let share = some["share"].as_f64().expect("a share");
    assert!((0.1..0.6).contains(&share), "{some}");
    assert!((20.0..70.0).contains(&some["captures"].as_f64().expect("a number")), "{some}");
    // A second index of the same files adds nothing.
    fs::copy(folder.join("web/index.cdxj"), folder.join("web/again.cdxj")).expect("room");
    let all = json(&succeed(folder, &[&sample[..], &["--json"]].concat()));
    assert_eq!((&all["captures"], &all["drawn"]), (&42.0.into(), &42.into()), "{all}");
    assert_eq!((&all["relevant"], &all["exact"]), (&14.into(), &true.into()), "{all}");
    assert_eq!(all["share_interval"][0], all["share_interval"][1], "{all}");

    fs::remove_file(folder.join("web/parts/b.warc")).expect("gone");
    let said = succeed(folder, &sample);
    assert!(said.contains("lost: 10 captures could not be read"), "{said}");
    fs::remove_file(folder.join("web/parts/a.warc")).expect("gone");
    fail(folder, 1, &sample, "none of 42 captures can be read");
}

#[test]
fn a_crawl_that_cannot_find_anything_says_so() {
    let scratch = archive();
    let folder = scratch.path();
    fs::write(folder.join("gone.txt"), "http://gone.example/\nhttp://a.example/gone\n")
        .expect("room");
    let crawl = ["crawl", "--web", "archive:web", "--strategy", "breadth-first", "--seeds"];
    let gone = [&crawl[..], &["gone.txt", "--target", "lang:th"]].concat();
    let said = "none of the seeds is in web: http://gone.example/, http://a.example/gone";
    fail(folder, 2, &gone, said);
    fs::write(folder.join("some.txt"), "http://gone.example/\nhttp://a.example/0\n").expect("room");
    let some = langur(folder, &[&crawl[..], &["some.txt", "--target", "lang:th"]].concat());
    let said = String::from_utf8_lossy(&some.stderr);
    assert!(some.status.success(), "{said}");
    assert!(said.contains("seeds that the archive does not have: http://gone.example/"), "{said}");
    for target in ["lang:qq", "lang:th,qq"] {
        let unknown = [&crawl[..], &["seeds.txt", "--target", target]].concat();
        fail(folder, 2, &unknown, "no page is ever judged to be in \"qq\"");
    }
}

#[test]
fn files_that_are_not_there_and_folders_that_are_make_a_call_wrong() {
    let scratch = archive();
    let folder = scratch.path();
    let crawl = ["crawl", "--web", "archive:web", "--strategy", "breadth-first"];
    let crawl_from =
        |seeds, target| [&crawl[..], &["--seeds", seeds, "--target", target, "-o", "run"]].concat();
    fail(folder, 2, &crawl_from("no.txt", "lang:th"), "cannot read seeds from no.txt");
    fail(folder, 2, &crawl_from("seeds.txt", "topic:no.topic"), "cannot read the topic no.topic");
    let build = ["space", "build", "web", "-o", "a.space"];
    fail(folder, 2, &[&build[..], &["--topic", "no.topic"]].concat(), "the topic no.topic");
    succeed(folder, &crawl_from("seeds.txt", "lang:th"));
    fail(folder, 2, &crawl_from("seeds.txt", "lang:th"), "is already there");
    for command in ["resume", "status", "log"] {
        fail(folder, 2, &[command, "run"], "is not a crawl of the live web");
    }
    for call in [
        &["eval", "language", "no.jsonl"][..],
        &["eval", "charset", "no"],
        &["space", "import", "--pages", "no.csv", "--links", "no.csv", "-o", "b.space"],
        &["topic", "learn", "no", "-o", "a.topic"],
    ] {
        fail(folder, 2, call, "there is no file or folder no");
    }
    fail(folder, 2, &["report", "no.jsonl"], "there is no run folder and no request log no.jsonl");
    let live = ["crawl", "--config", "no.toml", "-o", "live"];
    fail(folder, 2, &live, "cannot read the settings no.toml");
    let from_none = ["crawl", "--target", "lang:th", "--seeds-from", "no", "-o", "live"];
    fail(folder, 2, &from_none, "no\" is not a crawl of the live web");
    let said = String::from_utf8(command::langur(folder, &live).stderr).expect("text");
    assert_eq!(said.matches("os error 2").count(), 1, "{said}");
    fs::write(folder.join("rq.jsonl"), "").expect("room");
    let serve = ["archive", "serve", "web", "--listen", "127.0.0.1:0", "--log", "rq.jsonl"];
    fail(folder, 2, &serve, "is already there");
}

#[test]
fn options_of_another_web_are_refused_by_name() {
    let scratch = archive();
    let folder = scratch.path();
    let archived = ["crawl", "--web", "archive:web", "--target", "lang:th", "--seeds", "seeds.txt"];
    let several = ["--exclude", "host:b.example", "--max-relevant", "5", "--log", "json"];
    let said = "--exclude, --max-relevant, --log are for the live web";
    fail(folder, 2, &[&archived[..], &several].concat(), said);
    for option in ["--per-host=1", "--max-depth=1", "--delay=2s", "--config=c.toml"] {
        let name = option.split('=').next().expect("a name");
        let said = format!("{name} is for the live web");
        fail(folder, 2, &[&archived[..], &[option]].concat(), &said);
    }
    let live = ["crawl", "--target", "lang:th", "--seeds", "seeds.txt", "-o", "run"];
    let several = ["--at", "2023", "--cache", "c"];
    fail(folder, 2, &[&live[..], &several].concat(), "--at, --cache are for archives");
    assert!(!folder.join("run").exists());
}

fn bytes_of(space: &Path) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(space).expect("a web space").map(|entry| entry.expect("a file"));
    let mut files: Vec<_> = entries
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("readable"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_build_that_was_killed_goes_on_and_gives_the_same_bytes() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    fs::create_dir(folder.join("web")).expect("a folder");
    for number in 0..24 {
        let warc = site(&format!("h{number}.example"), 150);
        fs::write(folder.join(format!("web/{number:02}.warc")), warc.bytes()).expect("room");
    }
    let started = Command::new(cargo_bin("langur"))
        .current_dir(folder)
        .args(["space", "build", "web", "-o", "killed.space", "--threads", "2"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut building = Stopped(started.expect("it starts"));
    let work = folder.join("killed.space.building");
    let finished = || {
        let files = fs::read_dir(&work).into_iter().flatten().flatten();
        files.filter(|file| file.path().extension().is_some_and(|e| e == "json")).count()
    };
    while finished() < 3 && building.0.try_wait().expect("a process").is_none() {
        std::thread::yield_now();
    }
    fail(folder, 1, &["space", "build", "web", "-o", "killed.space"], "built by another process");
    building.0.kill().expect("kill -9");
    building.0.wait().expect("it is gone");
    assert!(!folder.join("killed.space").exists(), "it was killed in the middle");
    let said = succeed(folder, &["space", "build", "web", "-o", "killed.space", "--threads", "1"]);
    assert!(said.contains("files taken apart before and not again"), "{said}");
    assert!(!work.exists(), "nothing is left behind");

    let mut files: Vec<String> = (0..24).rev().map(|n| format!("web/{n:02}.warc")).collect();
    files.swap(3, 17);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    succeed(
        folder,
        &[&["space", "build"], &files[..], &["-o", "whole.space", "--memory", "1"]].concat(),
    );
    for (killed, whole) in
        bytes_of(&folder.join("killed.space")).iter().zip(&bytes_of(&folder.join("whole.space")))
    {
        assert_eq!(killed.0, whole.0);
        assert!(killed.1 == whole.1, "{} differs", killed.0);
    }
}

#[test]
fn malformed_archives_are_reported_and_the_rest_is_read() {
    let scratch = tempfile::tempdir().expect("a scratch folder");
    let folder = scratch.path();
    let whole = site("a.example", 5);
    let mut broken = b"garbage before the first record\r\n".to_vec();
    broken.extend(whole.bytes());
    broken.extend(&whole.bytes()[..300]);
    fs::write(folder.join("broken.warc"), broken).expect("room");
    let said = succeed(folder, &["space", "build", "broken.warc", "-o", "a.space"]);
    assert!(said.contains("5 pages") || said.contains("6 pages"), "{said}");
    assert!(said.contains("malformed") && said.contains("broken.warc at byte 0"), "{said}");
    fs::write(folder.join("no.warc"), "nothing of the kind").expect("room");
    fail(folder, 1, &["space", "build", "no.warc", "-o", "b.space"], "no capture");
    assert!(!folder.join("b.space").exists() && !folder.join("b.space.building").exists());
    fail(folder, 2, &["space", "build", "none.warc", "-o", "b.space"], "is not there");
}
