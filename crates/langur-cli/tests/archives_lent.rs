//! Archives that lie elsewhere, and archives that are lent to others.

mod archived;
mod command;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::cargo_bin;

use langur_testkit::{Fault, FolderServer, Warc};

use archived::{ENGLISH, Stopped, THAI, archive, gzip, site};
use command::{fail, json, succeed};

/// A copy of Common Crawl's layout: one index block, and the archives.
fn common_crawl(folder: &Path) {
    let index = fs::read_to_string(folder.join("web/index.cdxj")).expect("an index");
    let crawl = "crawl-data/CC-MAIN-2024-22/segments/1/warc";
    let lines = index.replace("parts/", &format!("{crawl}/"));
    let (indexes, warcs) = (
        folder.join("cc/cc-index/collections/CC-MAIN-2024-22/indexes"),
        folder.join("cc").join(crawl),
    );
    fs::create_dir_all(&indexes).expect("a folder");
    fs::create_dir_all(&warcs).expect("a folder");
    for name in ["a.warc", "b.warc"] {
        fs::copy(folder.join("web/parts").join(name), warcs.join(name)).expect("copied");
    }
    let block = gzip(lines.as_bytes());
    fs::write(indexes.join("cdx-00000.gz"), &block).expect("room");
    let first: Vec<&str> = lines.splitn(3, ' ').take(2).collect();
    let summary = format!("{}\tcdx-00000.gz\t0\t{}\t1\n", first.join(" "), block.len());
    fs::write(indexes.join("cluster.idx"), summary).expect("room");
}

#[test]
fn archives_are_read_from_afar() {
    let scratch = archive();
    let folder = scratch.path();
    let server = FolderServer::start(folder);
    let web = format!("{}web", server.address());
    let get = ["archive", "get", &web, "http://a.example/0", "--index", "index.cdxj"];
    assert!(succeed(folder, &[&get[..], &["--cache", "cache"]].concat()).contains(THAI));
    server.misbehave([Fault::Answer(503, Vec::new()), Fault::Cut(20)]);
    assert!(succeed(folder, &get).contains(THAI), "troubles are overcome");
    assert!(succeed(folder, &["archive", "get", &web, "http://a.example/0"]).contains(THAI));
    let parts = format!("{web}/parts");
    let unnamed = ["archive", "get", &parts, "http://a.example/0"];
    fail(folder, 2, &unnamed, "there is no index.cdxj at");
    fail(folder, 2, &unnamed, "name the index with --index");
    // The index lies here, and the archive there.
    fs::create_dir(folder.join("mine")).expect("room");
    fs::rename(folder.join("web/index.cdxj"), folder.join("mine/own.cdxj")).expect("there");
    for place in ["./mine/own.cdxj", &format!("{}mine/own.cdxj", server.address())] {
        let apart = ["archive", "get", &web, "http://a.example/0", "--index", place];
        assert!(succeed(folder, &apart).contains(THAI), "{place}");
    }
    let folder_named = ["archive", "get", &web, "http://a.example/0", "--index", "./mine"];
    fail(folder, 2, &folder_named, "--index ./mine is a folder: name the index in it");
    fs::rename(folder.join("mine/own.cdxj"), folder.join("web/index.cdxj")).expect("there");
    fail(
        folder,
        2,
        &["archive", "index", &web, "-o", "x.cdxj"],
        "cannot be listed over plain HTTP",
    );

    common_crawl(folder);
    let base = format!("{}cc/", server.address());
    let crawl =
        ["crawl", "--web", "commoncrawl:CC-MAIN-2024-22", "--base", &base, "--target", "lang:th"];
    let crawl =
        [&crawl[..], &["--seeds", "seeds.txt", "--strategy", "soft-focused", "--json"]].concat();
    let found = json(&succeed(folder, &crawl));
    assert_eq!(found["results"][0]["fetched"], 40, "{found}");
    assert_eq!(found["lost"]["count"], 0, "{found}");
    let sample = ["archive", "sample", "commoncrawl:CC-MAIN-2024-22", "--base", &base];
    let sample = [&sample[..], &["--target", "lang:th", "--captures", "60", "--json"]].concat();
    assert_eq!(json(&succeed(folder, &sample))["lost"], 0);
    let wrong =
        ["archive", "get", "commoncrawl:CC-MAIN-1066-01", "http://a.example/0", "--base", &base];
    fail(folder, 2, &wrong, "CC-MAIN-1066-01");
}

fn get(address: &str, url: &str) -> String {
    get_as("Test/1.0", address, url)
}

fn get_as(agent: &str, address: &str, url: &str) -> String {
    let request = format!(
        "GET {url} HTTP/1.1\r\nHost: a.example\r\nUser-Agent: {agent}\r\nConnection: close\r\n\r\n"
    );
    asked(address, &request)
}

fn asked(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn an_archive_is_lent_to_any_crawler_and_the_crawler_scored() {
    let scratch = archive();
    let folder = scratch.path();
    succeed(folder, &["space", "build", "web", "-o", "web.space"]);
    let mut server = Stopped(
        Command::new(cargo_bin("langur"))
            .current_dir(folder)
            .args([
                "archive",
                "serve",
                "web",
                "--listen",
                "127.0.0.1:0",
                "--log",
                "requests.jsonl",
                "--json",
            ])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts"),
    );
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().expect("its output"))
        .read_line(&mut line)
        .expect("a line");
    let address = json(&line)["listen"].as_str().expect("an address").to_owned();
    assert!(asked(&address, "GET\r\n\r\n").starts_with("HTTP/1.1 400"));
    assert!(get(&address, "http://a.example/0").contains(THAI));
    assert!(get(&address, "/3").contains(THAI), "by Host header");
    assert!(get(&address, "http://a.example/7").contains(ENGLISH));
    assert!(get(&address, "http://a.example/robots.txt").contains("Disallow: /7"));
    assert!(get(&address, "http://a.example/gone/1").starts_with("HTTP/1.1 404"));
    assert!(get_as("Other/2.0", &address, "http://a.example/1").contains(ENGLISH));
    drop(server);
    let report = [
        "report",
        "requests.jsonl",
        "--space",
        "web.space",
        "--target",
        "lang:th",
        "-o",
        "scored.html",
    ];
    let said = succeed(folder, &report);
    assert!(said.contains("Test: 5 requests, 1 disallowed by robots.txt"), "{said}");
    assert!(said.contains("Other: 1 request, 0 disallowed by robots.txt"), "{said}");
    let html = fs::read_to_string(folder.join("scored.html")).expect("a report");
    assert!(html.contains("disallowed by robots.txt"));
    let said = json(&succeed(folder, &[&report[..], &["--json"]].concat()));
    assert_eq!(
        said["crawlers"].as_array().map(Vec::len),
        Some(2),
        "what cannot be read is nobody's"
    );
    let (test, other) = (&said["crawlers"][0], &said["crawlers"][1]);
    assert_eq!((&test["crawler"], &other["crawler"]), (&"Test".into(), &"Other".into()), "{said}");
    assert_eq!((&test["result"]["fetched"], &test["result"]["relevant"]), (&3.into(), &2.into()));
    assert!(test["result"]["coverage"].as_f64().is_some_and(|share| share > 0.0), "{said}");
    assert_eq!(
        (&other["result"]["fetched"], &other["result"]["harvest"]),
        (&1.into(), &0.0.into())
    );
    assert_eq!(test["politeness"]["disallowed by robots.txt"], 1, "{said}");
    fail(folder, 2, &["report", "requests.jsonl"], "--space");

    fs::write(folder.join("other.warc"), site("c.example", 4).bytes()).expect("room");
    succeed(folder, &["space", "build", "other.warc", "-o", "other.space"]);
    let other = ["report", "requests.jsonl", "--space", "other.space", "--target", "lang:th"];
    fail(folder, 2, &other, "web space other.space has none of the pages");
}

#[test]
fn what_is_too_long_to_be_served_is_called_so() {
    let scratch = archive();
    let folder = scratch.path();
    let mut plain = Warc::default();
    plain.response("http://c.example/plain", "20200101000000", 200, &[], &vec![0; 65 << 20]);
    let mut coded = Warc::default();
    let bomb = gzip(&vec![0; 257 << 20]);
    let headers = [("Content-Encoding", "gzip")];
    coded.response("http://c.example/coded", "20200101000000", 200, &headers, &bomb);
    let members = [plain, coded].map(|warc| gzip(warc.bytes())).concat();
    fs::write(folder.join("web/c.warc.gz"), members).expect("room");
    succeed(folder, &["archive", "index", "web"]);
    let serving = Command::new(cargo_bin("langur"))
        .current_dir(folder)
        .args(["archive", "serve", "web", "--listen", "127.0.0.1:0", "--json"])
        .stdout(Stdio::piped())
        .spawn();
    let mut server = Stopped(serving.expect("it starts"));
    let mut line = String::new();
    let mut output = BufReader::new(server.0.stdout.take().expect("its output"));
    output.read_line(&mut line).expect("a line");
    let address = json(&line)["listen"].as_str().expect("an address").to_owned();
    for (url, why) in [
        ("http://c.example/plain", "http://c.example/plain is longer than 64 MiB, the most"),
        ("http://c.example/coded", "http://c.example/coded is longer than 256 MiB, decoded"),
    ] {
        let answer = get(&address, url);
        assert!(answer.starts_with("HTTP/1.1 502") && answer.contains(why), "{answer}");
    }
}

#[test]
fn a_server_that_stops_says_how_its_log_is_scored() {
    let scratch = archive();
    let serving = Command::new(cargo_bin("langur"))
        .current_dir(scratch.path())
        .args(["archive", "serve", "web", "--listen", "127.0.0.1:0", "--log", "rq.jsonl"])
        .stdout(Stdio::piped())
        .spawn();
    let mut server = Stopped(serving.expect("it starts"));
    let mut output = BufReader::new(server.0.stdout.take().expect("its output"));
    output.read_line(&mut String::new()).expect("it listens");
    let stop = Command::new("kill").args(["-INT", &server.0.id().to_string()]).status();
    assert!(stop.expect("kill runs").success());
    let mut said = String::new();
    output.read_to_string(&mut said).expect("its last words");
    assert!(said.contains("langur report rq.jsonl --space SPACE --target TARGET"), "{said}");
}
