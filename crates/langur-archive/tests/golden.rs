//! Every archive of the shared data, compared with what warcio finds in it.
//!
//! `golden/records.jsonl` is warcio's account, made by `golden/make`. Where a file is malformed the two
//! readers part: warcio gives up or guesses, this one reports the place and reads on. Those files stand
//! in [`DIFFERENT`] with the reason, and what is found in them, problems included, in
//! `golden/malformed.txt`.

use std::fmt::Write as _;
use std::path::Path;

use langur_archive::digest::{Verdict, verify};
use langur_archive::{Capture, HttpRequest, Kind, Problem, Record, Records};
use langur_testkit::shared;
use serde_json::{Value, json};
use sha1::{Digest, Sha1};

/// Files of which another account is given than warcio's, and why.
const DIFFERENT: [(&str, &str); 17] = [
    ("BUbiNG/misc.warc", "a digest \"dummy:\" cannot be checked, so it is not wrong"),
    ("BUbiNG/response.warc", "a digest \"dummy:\" cannot be checked, so it is not wrong"),
    ("aut/badexample.arc.gz", "many records in a member: read, without extents"),
    (
        "ipwb/broken.warc",
        "a block longer than its length: the rest is garbage, warcio gives up there",
    ),
    ("node-warc/parseMe.warc", "HTTP heads are read whatever the URL (chrome-extension:)"),
    ("node-warc/parseMe.warc.gz", "HTTP heads are read whatever the URL (chrome-extension:)"),
    ("solrwayback/Evil-Warc-Headers.warc", "the digest of a block that is cut short is wrong"),
    ("warcio/bad.arc", "a record without a length goes on to the next one"),
    ("warcio/example-bad-non-chunked.warc.gz", "many records in a member: read, without extents"),
    ("warcio/example-bad.warc.gz.bad", "many records in a member: read, without extents"),
    ("warcio/example-space-in-url.arc", "spaces become %20 in ARC files too"),
    ("warcio/example-wrong-chunks.warc.gz", "a record over two members is one record"),
    ("warcio/example.arc", "the length of the first record ends where its head says"),
    ("webarchive-commons/abcd.gz", "no archive: all garbage"),
    ("webarchive-commons/double-single-inflate-error.gz", "no archive, and damaged"),
    ("webarchive-commons/hi-2.gz", "no archive: all garbage"),
    ("webarchive-commons/hi.gz", "no archive: all garbage"),
];

#[test]
fn all_samples_read_as_warcio_reads_them() {
    let Some(data) = shared::file("warc") else { return };
    for (path, mut expected) in golden() {
        let (mut rows, _) = read(&data.join(&path));
        let different = DIFFERENT.iter().any(|(other, _)| *other == path);
        // warcio leaves the two lines about the format out of the first record of an ARC file.
        for row in rows.iter_mut().chain(&mut expected).filter(|row| row[0] == "arc_header") {
            row[6] = Value::Null;
        }
        let equal = rows == expected;
        assert!(equal || different, "{path}:\n{}\n{}", lines(&rows), lines(&expected));
        assert!(!(equal && different), "{path} need not stand in the list");
    }
}

#[test]
fn malformed_samples_are_reported_as_documented() {
    let Some(data) = shared::file("warc") else { return };
    let mut found = String::new();
    for (path, _) in golden() {
        let (rows, problems) = read(&data.join(&path));
        let different = DIFFERENT.iter().find(|(other, _)| *other == path);
        if problems.is_empty() && different.is_none() {
            continue;
        }
        let why = different.map_or(String::new(), |(_, why)| format!(" ({why})"));
        write!(found, "{path}{why}\n{}", lines(&rows)).expect("in memory");
        for problem in problems {
            writeln!(found, "  at {}: {}", problem.offset, problem.defect).expect("in memory");
        }
    }
    if found != include_str!("golden/malformed.txt") {
        let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("malformed.txt");
        std::fs::write(&place, found).expect("a scratch folder");
        panic!("not as in tests/golden/malformed.txt\n  what was found is in {}", place.display());
    }
}

/// A record read by its extent alone is the record read in its file.
#[test]
fn extents_are_exact() {
    let Some(data) = shared::file("warc") else { return };
    for (path, _) in golden() {
        let bytes = std::fs::read(data.join(&path)).expect("a file");
        let mut records = Records::new(&bytes[..], path.clone()).expect("in memory");
        let (mut block, mut again) = (Vec::new(), Vec::new());
        while let Some(mut record) = records.next().expect("in memory") {
            record.read_block(&mut block, usize::MAX).expect("in memory");
            let head = record.head.clone();
            let Some(extent) = record.finish().expect("in memory") else { continue };
            let part = &bytes[extent.offset as usize..(extent.offset + extent.length) as usize];
            let mut alone = Records::at(part, "part", extent.offset, &[]).expect("in memory");
            let mut record = alone.next().expect("in memory").expect("a record");
            record.read_block(&mut again, usize::MAX).expect("in memory");
            assert_eq!(record.offset(), extent.offset, "{path}");
            assert_eq!(record.head.url(), head.url(), "{path}");
            assert!(again == block, "{path} at {}", extent.offset);
            assert_eq!(record.finish().expect("in memory"), Some(extent), "{path}");
            assert!(alone.next().expect("in memory").is_none(), "{path}");
        }
    }
}

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("  {row}\n")).collect()
}

/// warcio's account: the files with their records.
fn golden() -> Vec<(String, Vec<Value>)> {
    let mut files: Vec<(String, Vec<Value>)> = Vec::new();
    for line in include_str!("golden/records.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("JSON");
        match row["path"].as_str() {
            Some(path) => files.push((path.to_owned(), Vec::new())),
            None => files.last_mut().expect("a file comes first").1.push(row),
        }
    }
    files
}

fn read(path: &Path) -> (Vec<Value>, Vec<Problem>) {
    let mut records = Records::open(path).expect("a file");
    let mut rows = Vec::new();
    let mut block = Vec::new();
    while let Some(mut record) = records.next().expect("a file that can be read") {
        rows.push(row(&mut record, &mut block));
        let extent = record.finish().expect("a file that can be read");
        let last = rows.last_mut().expect("just pushed");
        last[2] = json!(extent.map(|extent| extent.length));
    }
    (rows, records.problems())
}

fn row<R: std::io::Read>(record: &mut Record<'_, R>, block: &mut Vec<u8>) -> Value {
    let offset = record.offset();
    record.read_block(block, usize::MAX).expect("a file that can be read");
    let head = record.head;
    let capture = Capture::of(head, block);
    let content = match (&capture, head.kind()) {
        (Some(capture), _) => capture.payload(usize::MAX).bytes.into_owned(),
        (None, Kind::Request) => {
            let body = HttpRequest::parse(block).map_or(0, |request| request.body_at);
            block[body..].to_vec()
        }
        _ => block.clone(),
    };
    let status = capture.and_then(|capture| capture.http?.status).map(|status| status.to_string());
    let digest = match verify(head, &block[..]).expect("in memory") {
        Verdict::Pass => "pass",
        Verdict::Fail => "fail",
        Verdict::NoDigest => "none",
    };
    let mut sum = String::new();
    Sha1::digest(&content)[..6]
        .iter()
        .for_each(|byte| write!(sum, "{byte:02x}").expect("in memory"));
    json!([head.kind().name(), offset, null, head.url(), status, digest, sum])
}
