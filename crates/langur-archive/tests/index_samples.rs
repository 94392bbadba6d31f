//! The indexes that others wrote, among the real data.

use std::fs::File;
use std::io::{BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use langur_archive::index::{
    Capture, CaptureReader, Index, IndexError, IndexFile, Keys, Near, Timestamp, WrongLine, ZipNum,
    closest,
};
use langur_page::canon::archive::cdx_key;
use langur_store::{Store, StoreOptions};
use langur_testkit::shared;

fn store(folder: &str) -> Option<Store> {
    let folder = shared::file(&format!("warc/{folder}"))?;
    Some(Store::open(&folder.display().to_string(), StoreOptions::default()).expect("a folder"))
}

/// All sample indexes of lines. The blocks of a cluster, which end without an end of their last line, are
/// no lines on their own.
fn samples() -> Option<Vec<PathBuf>> {
    let store = store(".")?;
    let names = store.list().expect("listed").into_iter();
    let lines = names.filter(|name| name.contains(".cdx") && !name.contains("zipnum"));
    Some(lines.filter_map(|name| store.local(&name)).collect())
}

fn read(path: &Path) -> (Vec<Capture>, Vec<WrongLine>) {
    let file = File::open(path).expect("a sample");
    let lines: Box<dyn Read> = match path.extension().is_some_and(|end| end == "gz") {
        true => Box::new(MultiGzDecoder::new(file)),
        false => Box::new(file),
    };
    let (mut captures, mut wrong) = (Vec::new(), Vec::new());
    for found in CaptureReader::new(BufReader::new(lines), &path.display().to_string()) {
        match found.expect("readable") {
            Ok(capture) => captures.push(capture),
            Err(line) => wrong.push(line),
        }
    }
    (captures, wrong)
}

/// The line formats, by the name of the sample: captures, wrong lines, captures whose key is not that of
/// their URL (other things than pages, forms sent by POST, and keys changed by hand), captures without a
/// place.
#[test]
fn every_sample_is_read_and_wrong_lines_are_told() {
    let Some(samples) = samples() else { return };
    let mut table = String::new();
    for path in samples {
        let (captures, wrong) = read(&path);
        let odd = captures.iter().filter(|capture| capture.key != cdx_key(&capture.url)).count();
        let nowhere = captures.iter().filter(|capture| capture.place().is_none()).count();
        let name = path.file_name().expect("a name").to_string_lossy();
        table += &format!("{name} {} {} {odd} {nowhere}\n", captures.len(), wrong.len());
        for line in wrong {
            table += &format!("  {}\n", line.to_string().rsplit('/').next().expect("a name"));
        }
    }
    assert_eq!(table, SAMPLES);
}

const SAMPLES: &str = "\
5mementos.cdxj 0 5 0 0
  5mementos.cdxj:7: it does not begin with a key and a timestamp
  5mementos.cdxj:8: it does not begin with a key and a timestamp
  5mementos.cdxj:9: it does not begin with a key and a timestamp
  5mementos.cdxj:10: it does not begin with a key and a timestamp
  5mementos.cdxj:11: it does not begin with a key and a timestamp
salam-home.cdxj 1 0 1 1
test1.cdx 3 0 0 0
test2.cdx 3 0 0 0
bad.cdx 4 0 0 0
dupes.cdx 12 0 0 0
dupes.cdxj 12 0 0 0
example-arc-test.cdx 2 0 2 0
example-extra.cdx 2 0 0 0
example-no-digest.cdxj 3 0 0 0
example-non-surt.cdx 3 0 3 0
example.cdx 3 0 0 0
example.cdx.gz 1 0 0 0
example.cdxj 3 0 0 0
example2.cdxj 1 0 0 0
httpbin-resource.cdxj 1 0 0 0
iana.cdx 171 0 0 0
iana.cdxj 171 0 0 0
missing-status-text.cdxj 1 0 0 0
post-test.cdx 3 0 3 0
post-test.cdxj 3 0 3 0
url-agnost-example.cdx 2 0 0 0
url-agnost-example.cdxj 2 0 0 0
IAH-20080430204825-00000-blackbook.warc.gz.cdx 822 0 39 0
";

#[test]
fn every_capture_of_every_sample_is_found_by_its_url() {
    let Some(samples) = samples() else { return };
    for path in samples {
        let folder = path.parent().expect("a folder").display().to_string();
        let store = Store::open(&folder, StoreOptions::default()).expect("a folder");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let (captures, wrong) = read(&path);
        let index = match Index::open(&store, &[name]) {
            Err(_) if captures.is_empty() && !wrong.is_empty() => continue,
            index => index.expect("an index"),
        };
        for capture in captures {
            let plain = path.ends_with("example-non-surt.cdx");
            if plain || capture.key.trim_end_matches('/') == cdx_key(&capture.url) {
                let key = cdx_key(&capture.url);
                let mut found = index.captures(&capture.url).expect("looked for");
                assert!(found.is_sorted_by_key(|capture| capture.timestamp));
                if plain {
                    assert!(found.iter().all(|found| found.key == key));
                    found.iter_mut().for_each(|found| found.key.clone_from(&capture.key));
                }
                assert!(found.contains(&capture), "{} of {}", capture.url, path.display());
            }
        }
    }
}

#[test]
fn a_zipnum_cluster_holds_what_its_files_hold() {
    let Some(store) = store("pywb") else { return };
    let cluster = Index::from(ZipNum::open(&store, "zipnum-sample.idx").expect("a cluster"));
    let parts = ["iana.cdx", "dupes.cdx", "example.cdx"].map(str::to_owned);
    let files = Index::open(&store, &parts).expect("indexes");
    for prefix in ["", "org,iana)/_css", "com,", "zz", "org,iana)/domains"] {
        let found = |index: &Index| {
            let mut found = Vec::new();
            index
                .scan(Keys::Prefix(prefix), &mut |capture| {
                    found.push(capture.to_cdxj());
                    ControlFlow::Continue(())
                })
                .expect("scanned");
            found.sort();
            found
        };
        let (cluster, files) = (found(&cluster), found(&files));
        let missing: Vec<_> = files.iter().filter(|line| !cluster.contains(line)).collect();
        // The cluster has two captures of its own.
        let further: Vec<_> = cluster
            .iter()
            .filter(|line| !files.contains(line) && !line.starts_with("org,iana)/time-zones/"))
            .collect();
        assert!(missing.is_empty() && further.is_empty(), "{prefix} {missing:?} {further:?}");
    }
    let found = cluster.captures("https://www.iana.org/_css/2013.1/fonts/OpenSans-Bold.ttf");
    let expected = files.captures("http://iana.org/_css/2013.1/fonts/opensans-bold.ttf");
    let (found, expected) = (found.expect("found"), expected.expect("found"));
    assert!(found.len() > 5 && found == expected);
    assert_eq!(cluster.wrong_lines(), []);
}

#[test]
fn a_cluster_that_lacks_a_part_says_which() {
    let Some(store) = store("pywb") else { return };
    let cluster = Index::from(ZipNum::open(&store, "zipnum-bad.idx").expect("a summary"));
    let error = |url| cluster.captures(url).expect_err("a missing part").to_string();
    let unnamed = error("http://example.com/");
    assert!(unnamed.contains("\"foo\"") && unnamed.contains("zipnum-bad.idx"), "{unnamed}");
    assert!(unnamed.contains("(.loc)"), "{unnamed}");
    let absent = error("http://iana.org/about");
    assert!(absent.contains("\"bar\"") && absent.contains("invalid is not there"), "{absent}");
}

#[test]
fn a_folder_of_indexes_is_one_index() {
    let Some(store) = store("pywb") else { return };
    let names = store.list().expect("listed").into_iter();
    let whole = names.filter(|name| name.starts_with("zipnum-sample") || name.starts_with("iana"));
    let index = Index::open(&store, &whole.collect::<Vec<_>>()).expect("indexes");
    // The same captures, from CDX, CDXJ and ZipNum, are one.
    let captures = index.captures("http://www.iana.org/").expect("found");
    assert_eq!(captures.len(), 3);
    let at = Timestamp::parse("20140127").expect("a timestamp");
    assert_eq!(
        closest(&captures, at, Near::Either).expect("one").timestamp.to_string(),
        "20140126200624"
    );
}

#[test]
fn the_sample_without_reversed_hosts_is_searched_all_the_same() {
    let Some(store) = store("pywb") else { return };
    let index = IndexFile::open(&store, "example-non-surt.cdx").expect("an index");
    let mut keys = Vec::new();
    let flow = index.scan(Keys::Prefix("org,"), &mut |found| {
        keys.extend(found.map(|capture| capture.key));
        ControlFlow::Continue(())
    });
    assert!(flow.expect("scanned").is_continue());
    assert_eq!(keys, ["org,iana)/domains/example"]);
}

#[test]
fn a_folder_without_an_index_says_how_to_make_one() {
    let Some(store) = store("warcio") else { return };
    let error = Index::open(&store, &[]).err().expect("no index");
    assert!(matches!(error, IndexError::NoIndex(_)));
    assert!(error.to_string().contains("langur archive index"), "{error}");
}
