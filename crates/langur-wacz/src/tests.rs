//! Archives packed, and taken apart again.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use langur_archive::index::{IndexWriter, Timestamp, WriteOptions, parse_line};
use langur_archive::{About, Archive, Compression, Original, WarcWriter, captures_of};
use langur_page::Address;
use langur_store::{Store, StoreOptions};
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::package::sha256;
use crate::wacz::write;
use crate::{WaczError, WaczOptions, WaczSummary, write_wacz};

const HTML: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";

struct Scratch(tempfile::TempDir);

impl Scratch {
    fn new() -> Scratch {
        let scratch = tempfile::tempdir().expect("a scratch folder");
        fs::create_dir_all(scratch.path().join("crawl/parts")).expect("a folder");
        Scratch(scratch)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Writes a WARC file of these URLs and HTTP answers.
    fn warc(&self, name: &str, answers: &[(&str, &[u8])]) {
        let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip, name.len() as u128);
        writer.warcinfo("2024-05-23T14:30:00Z", None, &[("software", "a test")]).expect("written");
        for (url, answer) in answers {
            let about = About { url, date: "2024-05-23T14:30:03Z", ..About::default() };
            let written = writer.response(&about, answer).expect("written");
            let digest = written.payload_digest.as_deref().unwrap_or_default();
            let original = Original { url, date: about.date, payload_digest: digest, id: None };
            let later = About { date: "2024-06-01T00:00:00Z", ..about };
            writer.revisit(&later, b"HTTP/1.1 200 OK\r\n\r\n", &original).expect("written");
        }
        fs::write(self.at("crawl").join(name), writer.into_inner()).expect("room");
    }

    /// Indexes WARC files.
    fn index(&self, index: &str, files: &[&str]) {
        let folder = self.at("crawl");
        let store =
            Store::open(&folder.display().to_string(), StoreOptions::default()).expect("a folder");
        let writer =
            IndexWriter::create(&folder.join(index), WriteOptions::default()).expect("begun");
        for file in files {
            captures_of(&store, file, |capture| Ok(writer.add(&capture)?)).expect("readable");
        }
        writer.finish().expect("written");
    }

    fn options(&self, output: &str) -> WaczOptions {
        let created = Timestamp::parse("2025-01-31T12:13:14Z").expect("a moment");
        WaczOptions::new(self.at("crawl"), self.at(output), created)
    }

    /// Two files, one of them in a folder, with an index each and one for both.
    fn two_files() -> Scratch {
        let scratch = Scratch::new();
        // "Thai language" in the charset that the page does not declare.
        let thai = b"<title> \xc0\xd2\xc9\xd2\xe4\xb7\xc2 </title><p>\xc0\xd2\xc9\xd2\xe4\xb7\xc2\xe0\xbb\xe7\xb9\xc0\xd2\xc9\xd2\xb7\xd5\xe8\xc1\xd5\xc3\xd0\xb4\xd1\xba\xe0\xca\xd5\xc2\xa7\xa2\xcd\xa7\xa4\xd3";
        let thai = [HTML.as_bytes(), thai].concat();
        let plain = format!("{HTML}<p>no title").into_bytes();
        let image = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\x89PNG".to_vec();
        let gone = b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<title>gone".to_vec();
        scratch.warc("A.warc.gz", &[("http://b.example/", &thai), ("http://a.example/x", &image)]);
        let second: [(&str, &[u8]); 2] =
            [("http://a.example/", &plain), ("http://a.example/gone", &gone)];
        scratch.warc("parts/b.warc.gz", &second);
        scratch.index("A.cdxj", &["A.warc.gz"]);
        scratch.index("index.cdxj", &["A.warc.gz", "parts/b.warc.gz"]);
        scratch
    }
}

fn entry(zip: &mut ZipArchive<File>, name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    zip.by_name(name).expect(name).read_to_end(&mut bytes).expect("readable");
    bytes
}

fn parsed(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).expect("JSON")
}

fn open(path: &Path) -> ZipArchive<File> {
    ZipArchive::new(File::open(path).expect("there")).expect("a ZIP file")
}

#[test]
fn what_is_packed_is_described_and_found_again() {
    let scratch = Scratch::two_files();
    let mut options = scratch.options("crawl.wacz");
    options.title = Some("ภาษาไทย".to_owned());
    options.main_page = Some("http://a.example".to_owned());
    let summary = write_wacz(&options, &|_| ()).expect("packed");
    let bytes = fs::metadata(&options.output).expect("there").len();
    assert_eq!(summary, WaczSummary { files: 2, captures: 8, pages: 5, left_out: 0, bytes });
    let left: Vec<_> = fs::read_dir(scratch.0.path()).expect("readable").collect();
    assert_eq!(left.len(), 2, "the archive and the file, and nothing beside them");

    let mut zip = open(&options.output);
    let package = entry(&mut zip, "datapackage.json");
    let digest = parsed(&entry(&mut zip, "datapackage-digest.json"));
    assert_eq!(digest["path"], "datapackage.json");
    assert_eq!(digest["hash"], sha256(&package));
    let package = parsed(&package);
    for (name, value) in [
        ("profile", "data-package"),
        ("wacz_version", "1.1.1"),
        ("title", "ภาษาไทย"),
        ("created", "2025-01-31T12:13:14Z"),
        ("mainPageUrl", "http://a.example/"),
        ("mainPageDate", "2024-06-01T00:00:00Z"),
    ] {
        assert_eq!(package[name], value, "{name}");
    }
    let resources = package["resources"].as_array().expect("resources");
    let paths: Vec<&str> = resources.iter().filter_map(|r| r["path"].as_str()).collect();
    let expected =
        ["archive/A.warc.gz", "archive/b.warc.gz", "indexes/index.cdxj", "pages/pages.jsonl"];
    assert_eq!(paths, expected);
    assert_eq!(zip.len(), expected.len() + 2);
    assert_eq!(resources[0]["name"], "a.warc.gz");
    for resource in resources {
        let bytes = entry(&mut zip, resource["path"].as_str().expect("a path"));
        assert_eq!(resource["hash"], sha256(&bytes));
        assert_eq!(resource["bytes"], bytes.len());
    }

    let pages = String::from_utf8(entry(&mut zip, "pages/pages.jsonl")).expect("text");
    let pages: Vec<Value> = pages.lines().map(|line| parsed(line.as_bytes())).collect();
    assert_eq!(pages[0]["format"], "json-pages-1.0");
    assert_eq!(pages[1]["url"], "http://a.example/");
    assert_eq!(pages[1].get("title"), None);
    // Revisits are pages too, with the title of what they repeat. One repeats a 404 and says 200 itself.
    assert_eq!(pages[2]["url"], "http://a.example/");
    assert_eq!(pages[3]["title"], "gone");
    for (page, at) in [(4, "2024-05-23T14:30:03Z"), (5, "2024-06-01T00:00:00Z")] {
        assert_eq!((&pages[page]["title"], &pages[page]["ts"]), (&json!("ภาษาไทย"), &json!(at)));
    }
    let ids: BTreeSet<_> = pages[1..].iter().map(|page| page["id"].to_string()).collect();
    assert_eq!(ids.len(), 5);
}

/// Readers do not unpack: they add the place of the entry to that of the record.
#[test]
fn records_are_read_out_of_the_middle_of_the_file() {
    let scratch = Scratch::two_files();
    let options = scratch.options("crawl.wacz");
    write_wacz(&options, &|_| ()).expect("packed");
    let mut zip = open(&options.output);
    let index = String::from_utf8(entry(&mut zip, "indexes/index.cdxj")).expect("text");
    assert!(index.lines().is_sorted());
    let mut file = File::open(&options.output).expect("there");
    for line in index.lines() {
        let capture = parse_line(line.as_bytes(), None).expect("a line");
        let place = capture.place().expect("a place");
        let entry = zip.by_name(&format!("archive/{}", place.filename)).expect("a WARC file");
        let start = entry.data_start().expect("it is known");
        drop(entry);
        file.seek(SeekFrom::Start(start + place.offset)).expect("within the file");
        let mut member = vec![0; place.length.expect("a length") as usize];
        file.read_exact(&mut member).expect("within the file");
        let mut bytes = Vec::new();
        // All of the range is one member: a second one would come out here too.
        MultiGzDecoder::new(&member[..]).read_to_end(&mut bytes).expect("gzip");
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.starts_with("WARC/1.1\r\n"), "{text}");
        assert_eq!(text.matches("WARC/1.1\r\n").count(), 1);
        assert!(text.contains(&format!("WARC-Target-URI: {}\r\n", capture.url)), "{text}");
    }
}

#[test]
fn the_same_archive_gives_the_same_bytes() {
    let scratch = Scratch::two_files();
    let mut options = scratch.options("one.wacz");
    write_wacz(&options, &|_| ()).expect("packed");
    options.output = scratch.at("two.wacz");
    write_wacz(&options, &|_| ()).expect("packed");
    let one = fs::read(scratch.at("one.wacz")).expect("there");
    assert!(one == fs::read(scratch.at("two.wacz")).expect("there"));
    assert!(matches!(write_wacz(&options, &|_| ()), Err(WaczError::Exists(_))));
    options.replace = true;
    options.title = Some("another".to_owned());
    write_wacz(&options, &|_| ()).expect("replaced");
    assert!(one != fs::read(scratch.at("two.wacz")).expect("there"));
}

#[test]
fn a_large_index_is_compressed_in_blocks_and_found_in() {
    let scratch = Scratch::new();
    let urls: Vec<String> =
        (0..700).map(|n| format!("http://h{}.example/{n}", n * 7919 % 101)).collect();
    let page = format!("{HTML}<title>t</title>").into_bytes();
    let answers: Vec<(&str, &[u8])> = urls.iter().map(|url| (url.as_str(), &page[..])).collect();
    scratch.warc("a.warc.gz", &answers);
    scratch.index("index.cdxj", &["a.warc.gz"]);
    let options = scratch.options("crawl.wacz");
    let summary = write(&options, 1000, &|_| ()).expect("packed");
    assert_eq!((summary.captures, summary.pages), (1400, 1400));

    let unpacked = scratch.at("unpacked");
    let mut zip = open(&options.output);
    for name in ["archive/a.warc.gz", "indexes/index.cdx.gz", "indexes/index.idx"] {
        let path = unpacked.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, entry(&mut zip, name)).expect("room");
    }
    assert!(zip.by_name("indexes/index.cdxj").is_err());
    let summary = fs::read_to_string(unpacked.join("indexes/index.idx")).expect("text");
    assert_eq!(summary.lines().count(), 3, "{summary}");
    let address = unpacked.display().to_string();
    let archive = Archive::open(&address, &[], StoreOptions::default()).expect("an archive");
    for url in &urls {
        let captures = archive.captures(&Address::parse(url).expect("a URL")).expect("readable");
        assert_eq!(captures.len(), 2, "{url}");
        let record = archive.record(&captures[0]).expect("a record");
        assert_eq!(record.head.url(), Some(url.as_str()));
    }
}

#[track_caller]
fn refused(options: &WaczOptions, said: &str) {
    let error = write_wacz(options, &|_| ()).expect_err("it is refused").to_string();
    assert!(error.contains(said), "{error}");
    assert!(!options.output.exists());
}

#[test]
fn what_cannot_be_packed_is_refused_with_advice() {
    let scratch = Scratch::new();
    let options = scratch.options("crawl.wacz");
    refused(&options, "no .warc.gz or .warc files");
    let page = format!("{HTML}<title>t</title>").into_bytes();
    scratch.warc("a.warc.gz", &[("http://a.example/", &page)]);
    refused(&options, "langur archive index");
    scratch.index("index.cdxj", &["a.warc.gz"]);
    // One that was just begun has nothing to index.
    scratch.warc("empty.warc.gz", &[]);
    let main_page = Some("http://a.example/none".to_owned());
    refused(&WaczOptions { main_page, ..options.clone() }, "http://a.example/none is not in");
    let archive = scratch.at("none");
    refused(&WaczOptions { archive, ..options.clone() }, "there is no folder");
    let output = scratch.at("none/crawl.wacz");
    refused(&WaczOptions { output, ..options.clone() }, "cannot write");
    scratch.warc("b.warc.gz", &[("http://b.example/", &page)]);
    refused(&options, "knows the captures of b.warc.gz");
    scratch.warc("parts/a.warc.gz", &[("http://b.example/", &page)]);
    refused(&options, "same name");
    fs::remove_file(scratch.at("crawl/parts/a.warc.gz")).expect("removed");
    fs::write(scratch.at("crawl/a.warc.gz"), b"short").expect("room");
    refused(&options, "and it has 5 bytes");
}

#[test]
fn captures_of_other_files_are_left_out() {
    let scratch = Scratch::two_files();
    fs::write(
        scratch.at("crawl/more.cdxj"),
        "example,c)/ 20240101000000 {\"url\": \"http://c.example/\", \"offset\": \"0\", \"filename\": \"c.arc.gz\"}\nno line\n",
    )
    .expect("room");
    let summary = write_wacz(&scratch.options("crawl.wacz"), &|_| ()).expect("packed");
    assert_eq!((summary.captures, summary.left_out), (8, 2));
}
