//! Common Crawl's layout, small and on loopback: its index, its lists, its WARC files.

use std::fs;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use langur_archive::index::{Capture, CommonCrawl, Index, IndexError, Keys, Timestamp};
use langur_store::{Patience, Store, StoreOptions};
use langur_testkit::FolderServer;

const CRAWL: &str = "CC-MAIN-2024-22";

/// A copy of the layout, with a page for every host and two captures of some.
struct Copy {
    folder: tempfile::TempDir,
    captures: Vec<Capture>,
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("compressed");
    encoder.finish().expect("compressed")
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::write(path, bytes).expect("written");
}

fn record(url: &str, date: &str) -> Vec<u8> {
    let page = format!("<title>{url} at {date}</title>");
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}");
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\nContent-Length: {}\r\n\r\n",
        http.len()
    );
    format!("{head}{http}\r\n\r\n").into_bytes()
}

impl Copy {
    fn make() -> Copy {
        let folder = tempfile::tempdir().expect("a scratch folder");
        let mut copy = Copy { folder, captures: Vec::new() };
        let names: Vec<String> = (0..2)
            .map(|n| {
                format!("crawl-data/{CRAWL}/segments/1716/warc/CC-MAIN-20240522-{n:05}.warc.gz")
            })
            .collect();
        for (file, name) in names.iter().enumerate() {
            let mut warc = Vec::new();
            for page in 0..100 {
                let url = format!("https://www.host{}.example/page/{}", page % 20, page % 7);
                let date = format!("2024-05-{:02}T12:00:00Z", 20 + file);
                let member = gzip(&record(&url, &date));
                let timestamp = Timestamp::parse(&date).expect("a date");
                copy.captures.push(Capture {
                    mime: Some("text/html".to_owned()),
                    status: Some(200),
                    offset: Some(warc.len() as u64),
                    length: Some(member.len() as u64),
                    filename: Some(name.clone()),
                    more: [("languages".to_owned(), "eng".into())].into_iter().collect(),
                    ..Capture::new(&url, timestamp)
                });
                warc.extend(member);
            }
            write(copy.folder.path(), name, &warc);
        }
        let paths = gzip((names.join("\n") + "\n").as_bytes());
        write(copy.folder.path(), &format!("crawl-data/{CRAWL}/warc.paths.gz"), &paths);
        copy.write_index();
        copy
    }

    /// Blocks of seven lines, in two files.
    fn write_index(&self) {
        let mut lines: Vec<String> = self.captures.iter().map(Capture::to_cdxj).collect();
        lines.sort();
        let mut summary = String::new();
        let mut files = [Vec::new(), Vec::new()];
        let half = lines.len().div_ceil(14);
        for (number, block) in lines.chunks(7).enumerate() {
            let file = usize::from(number >= half);
            let member = gzip((block.join("\n") + "\n").as_bytes());
            let first: Vec<&str> = block[0].splitn(3, ' ').take(2).collect();
            summary += &format!(
                "{}\tcdx-{file:05}.gz\t{}\t{}\t{}\n",
                first.join(" "),
                files[file].len(),
                member.len(),
                number + 1
            );
            files[file].extend(member);
        }
        let indexes = format!("cc-index/collections/{CRAWL}/indexes");
        write(self.folder.path(), &format!("{indexes}/cluster.idx"), summary.as_bytes());
        for (file, bytes) in files.iter().enumerate() {
            write(self.folder.path(), &format!("{indexes}/cdx-{file:05}.gz"), bytes);
        }
    }
}

fn options() -> StoreOptions {
    let patience = Patience { first_wait: Duration::ZERO, ..Patience::default() };
    StoreOptions { patience, ..StoreOptions::default() }
}

fn inflated(bytes: &[u8]) -> Vec<u8> {
    let mut inflated = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut inflated).expect("a gzip member");
    inflated
}

#[test]
fn a_crawl_is_read_by_its_name_alone() {
    let copy = Copy::make();
    let server = FolderServer::start(copy.folder.path());
    // A server that is busy now and then, as the real one is.
    server.be_busy(2);
    let crawl = CommonCrawl::open(CRAWL, &server.address(), options()).expect("a crawl");
    for capture in &copy.captures {
        let url = capture.url.replace("https://www.", "http://").to_uppercase();
        let found = crawl.captures(&url).expect("looked for");
        assert!(found.contains(capture) && found.is_sorted_by_key(|found| found.timestamp));
        assert!(found.iter().all(|found| found.key == capture.key));

        let place = capture.place().expect("a place");
        let end = place.offset + place.length.expect("a length");
        let bytes = crawl.store().read(place.filename, place.offset..end).expect("read");
        let date = if place.filename.contains("00000") { "20" } else { "21" };
        let date = format!("2024-05-{date}T12:00:00Z");
        assert_eq!(inflated(&bytes), record(&capture.url, &date));
    }
    assert_eq!(crawl.captures("http://nobody.example/").expect("looked for"), []);
    let names = crawl.warc_names().expect("listed");
    assert_eq!(names.len(), 2);
    assert!(names.iter().all(|name| crawl.store().len(name).is_ok()));
    // All of it fits into a block each: one request for each of six files, and the summary's length.
    let requests = server.requests();
    assert!(requests.len() < 16, "{requests:?}");
    assert!(crawl.index().wrong_lines().is_empty());
}

#[test]
fn a_host_is_one_stretch_of_the_index() {
    let copy = Copy::make();
    let store =
        Store::open(&copy.folder.path().display().to_string(), options()).expect("a folder");
    let summary = format!("cc-index/collections/{CRAWL}/indexes/cluster.idx");
    for index in [Index::open(&store, &[summary]), Index::open(&store, &[])] {
        let index = index.expect("an index");
        let mut found = 0;
        index
            .scan(Keys::Prefix("example,host1)/"), &mut |capture| {
                assert!(capture.url.starts_with("https://www.host1.example/"));
                found += 1;
                if found == 7 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            })
            .expect("scanned");
        assert_eq!(found, 7);
    }
}

#[test]
fn a_crawl_that_is_not_there_is_told_by_name() {
    let copy = Copy::make();
    let server = FolderServer::start(copy.folder.path());
    let open = |crawl| {
        CommonCrawl::open(crawl, &server.address(), options()).err().expect("no such crawl")
    };
    let error = open("CC-MAIN-2042-22");
    assert!(matches!(error, IndexError::NoCrawl { .. }));
    let says = error.to_string();
    assert!(says.contains("\"CC-MAIN-2042-22\"") && says.contains("is not there (404)"), "{says}");
    assert!(says.contains("spelt right") && says.contains("collinfo.json"), "{says}");
    server.requests();
    for wrong in ["", "2024-22", "CC-MAIN-2024-22/..", "../CC-MAIN-2024-22"] {
        assert!(matches!(open(wrong), IndexError::NoCrawl { .. }));
    }
    assert_eq!(server.requests(), []);
}

#[test]
fn damage_is_told_by_file_and_place() {
    let copy = Copy::make();
    let indexes = copy.folder.path().join(format!("cc-index/collections/{CRAWL}/indexes"));
    let base = copy.folder.path().display().to_string();
    let error = || {
        let crawl = CommonCrawl::open(CRAWL, &base, options()).expect("a crawl");
        let each = copy.captures.iter().map(|capture| crawl.captures(&capture.url));
        each.filter_map(Result::err).next().expect("damage is noticed").to_string()
    };
    let file = indexes.join("cdx-00001.gz");
    let whole = fs::read(&file).expect("there");
    let mut flipped = whole.clone();
    flipped[40] ^= 0xff;
    fs::write(&file, &flipped).expect("written");
    let says = error();
    assert!(says.contains("cdx-00001.gz is damaged") && says.contains("the block of"), "{says}");
    fs::write(&file, &whole[..whole.len() - 10]).expect("written");
    let says = error();
    assert!(says.contains("cdx-00001.gz has no bytes"), "{says}");
    fs::remove_file(&file).expect("removed");
    assert!(error().contains("cdx-00001.gz is not there"));
    fs::write(indexes.join("cluster.idx"), "example,host1)/ 2024\tcdx-00000.gz\tx\t1\t1\n")
        .expect("written");
    assert!(error().contains("does not say where a block lies"));
    fs::write(indexes.join("cluster.idx"), "a\tcdx-00000.gz\t18446744073709551615\t9\t1\n")
        .expect("written");
    assert!(error().contains("beyond all files"));
}

#[test]
fn a_plain_index_is_searched_from_afar_in_few_requests() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let line = |number: u32| {
        let url = format!("http://host{:05}.example/{number}", number / 10);
        Capture { offset: Some(number.into()), ..Capture::new(&url, Timestamp::from_unix(0)) }
    };
    let mut lines: Vec<String> = (0..60_000).map(|number| line(number).to_cdxj() + "\n").collect();
    lines.sort();
    write(folder.path(), "index.cdxj", lines.concat().as_bytes());
    let server = FolderServer::start(folder.path());
    let store = Store::open(&server.address(), options()).expect("a store");
    let index = Index::open(&store, &["index.cdxj".to_owned()]).expect("an index");
    let first = server.requests().len();
    for number in [0, 59_999, 31_415, 31_416] {
        let found = index.captures(&format!("http://host{:05}.example/{number}", number / 10));
        assert_eq!(found.expect("looked for"), [line(number)]);
    }
    let requests = server.requests().len();
    assert!(first + requests < 30, "{first} to open, {requests} to search");
    Index::open(&store, &[]).expect("an index of the usual name needs no naming");
    let empty = Store::open(&format!("{}none/", server.address()), options()).expect("a store");
    let error = Index::open(&empty, &[]).err().expect("cannot be listed").to_string();
    assert!(error.contains("there is no index.cdxj") && error.contains("--index"), "{error}");
}
