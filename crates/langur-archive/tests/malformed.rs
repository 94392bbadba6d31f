//! Archives with one thing wrong: what is read of them, and what is reported.

use std::io::Write;

use flate2::write::GzEncoder;
use langur_archive::{Capture, Extent, PlainText, Records};
use langur_testkit::shared;

/// A response record with this URL and content.
fn record(url: &str, content: &str) -> String {
    record_of_length(url, content, HTTP.len() + content.len())
}

const HTTP: &str = "HTTP/1.1 200 OK\r\n\r\n";

fn record_of_length(url: &str, content: &str, length: usize) -> String {
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:x>\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n\
         WARC-Target-URI: {url}\r\nContent-Length: {length}\r\n\r\n{HTTP}{content}\r\n\r\n"
    )
}

fn gzip(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes.as_ref()).expect("in memory");
    encoder.finish().expect("in memory")
}

fn zstd(bytes: &str, dictionary: &[u8]) -> Vec<u8> {
    let mut encoder =
        zstd::Encoder::with_dictionary(Vec::new(), 3, dictionary).expect("an encoder");
    encoder.write_all(bytes.as_bytes()).expect("in memory");
    encoder.finish().expect("in memory")
}

/// Text that does not compress to nothing, different for every seed.
fn noise(seed: u64, length: usize) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut letter = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'a' + (state % 23) as u8)
    };
    (0..length).map(|_| letter()).collect()
}

/// Reads all records: `URL=content` each, and the problems as `offset: what`.
fn read(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let mut records = Records::new(bytes, "test").expect("in memory");
    let (mut found, mut block) = (Vec::new(), Vec::new());
    while let Some(mut record) = records.next().expect("in memory") {
        record.read_block(&mut block, usize::MAX).expect("in memory");
        let capture = Capture::of(record.head, &block).expect("a capture");
        let content = String::from_utf8_lossy(capture.body);
        found.push(format!("{}={content}", capture.url));
    }
    let problems = records.problems();
    (found, problems.iter().map(|p| format!("{}: {}", p.offset, p.defect)).collect())
}

#[track_caller]
fn check(bytes: &[u8], records: &[&str], problems: &[&str]) {
    let (found, reported) = read(bytes);
    assert_eq!(found, records);
    assert_eq!(reported.len(), problems.len(), "{reported:?}");
    for (reported, problem) in reported.iter().zip(problems) {
        assert!(reported.contains(problem), "{reported}");
    }
}

#[test]
fn good_archives_of_all_kinds() {
    let (one, two) = (record("http://a/", "one"), record("http://b/", "two"));
    let expected = ["http://a/=one", "http://b/=two"];
    check(format!("{one}{two}").as_bytes(), &expected, &[]);
    check(&[gzip(&one), gzip(&two)].concat(), &expected, &[]);
    check(&[zstd(&one, &[]), zstd(&two, &[])].concat(), &expected, &[]);
    check(b"", &[], &[]);
}

#[test]
fn zstd_with_a_dictionary() {
    let (one, two) = (record("http://a/", "one"), record("http://b/", "two"));
    let dictionary = record("http://c/", "");
    let frames = [zstd(&one, dictionary.as_bytes()), zstd(&two, dictionary.as_bytes())];
    for stored in [dictionary.clone().into_bytes(), zstd(&dictionary, &[])] {
        let mut file = vec![0x5d, 0x2a, 0x4d, 0x18];
        file.extend_from_slice(&(stored.len() as u32).to_le_bytes());
        file.extend_from_slice(&stored);
        let first = file.len() as u64;
        file.extend_from_slice(&frames.concat());
        check(&file, &["http://a/=one", "http://b/=two"], &[]);

        let mut records = Records::new(&file[..], "test").expect("in memory");
        assert_eq!(records.dictionary(), Some(dictionary.as_bytes()));
        let record = records.next().expect("in memory").expect("a record");
        let extent = record.finish().expect("in memory");
        assert_eq!(extent, Some(Extent { offset: first, length: frames[0].len() as u64 }));
    }
    let mut alone =
        Records::at(&frames[1][..], "part", 99, dictionary.as_bytes()).expect("in memory");
    let record = alone.next().expect("in memory").expect("a record");
    assert_eq!((record.head.url(), record.offset()), (Some("http://b/"), 99));
    let (found, problems) = read(&frames.concat());
    assert_eq!((found.len(), problems.len()), (0, 2), "{problems:?}");
}

#[test]
fn heads_as_they_should_not_be_written() {
    let lenient = "\n\nWARC/0.18 \nwarc-type:RESPONSE\nWarc-Target-Uri: <http://a/b c>\n\
        WARC-Record-Id:<urn:x>\nWARC-Date:\n 2024-01-01\n\t and later\nX-Latin: \u{fffd}\ncontent-LENGTH : 3\n\nabc";
    let bytes = lenient.replace('\u{fffd}', "?").into_bytes();
    let bytes: Vec<u8> = bytes.into_iter().map(|b| if b == b'?' { 0xe4 } else { b }).collect();
    let mut records = Records::new(&bytes[..], "test").expect("in memory");
    let record = records.next().expect("in memory").expect("a record");
    assert_eq!(record.head.version(), "WARC/0.18");
    assert_eq!(record.head.url(), Some("http://a/b%20c"));
    assert_eq!(record.head.id(), Some("urn:x"));
    assert_eq!(record.head.date(), Some("2024-01-01 and later"));
    assert_eq!(record.head.timestamp().as_deref(), Some("20240101000000"));
    assert_eq!(record.head.get("x-latin"), Some("ä"));
    assert_eq!(record.offset(), 2);
    let extent = record.finish().expect("in memory");
    assert_eq!(extent, Some(Extent { offset: 2, length: bytes.len() as u64 - 2 }));
    assert_eq!(records.problems(), []);
}

#[test]
fn headers_that_are_missing_or_none() {
    let odd = record("http://a/", "one")
        .replace("WARC-Record-ID: <urn:x>\r\n", "what is this\r\n")
        .replace("WARC-Date: 2024-01-01T00:00:00Z\r\n", "");
    let problems = ["not a header: \"what is this\"", "no WARC-Record-ID", "no WARC-Date"];
    check(
        (odd + &record("http://b/", "two")).as_bytes(),
        &["http://a/=one", "http://b/=two"],
        &problems,
    );
    let unspaced = record("http://a/", "one").replace("\r\n\r\nHTTP", "\r\nHTTP");
    check(unspaced.as_bytes(), &["http://a/=one"], &["no empty line"]);
}

#[test]
fn lengths_that_are_missing_or_wrong() {
    let two = record("http://b/", "two");
    let expected = ["http://a/=one", "http://b/=two"];
    for (length, problem) in [("twenty", "is \"twenty\""), ("-3", "is \"-3\"")] {
        let bad = record("http://a/", "one").replace("Length: 22", &format!("Length: {length}"));
        check(format!("{bad}{two}").as_bytes(), &expected, &[problem]);
    }
    let missing = record("http://a/", "one").replace("Content-Length: 22\r\n", "");
    check(format!("{missing}{two}").as_bytes(), &expected, &["no Content-Length"]);
    for long in [30, 40, 300, 1_000_000] {
        let bad = record_of_length("http://a/", "one", long);
        let problem = format!("0: a record should have {long} bytes and has 22");
        check(format!("{bad}{two}").as_bytes(), &expected, &[&problem]);
        check(
            &[gzip(&bad), gzip(&two)].concat(),
            &["http://a/=one\r\n\r\n", expected[1]],
            &["bytes and has 26"],
        );
    }
    let short = record_of_length("http://a/", "one, and more", 22);
    let problem = "14 bytes belong to no record";
    check(format!("{short}{two}").as_bytes(), &expected, &[problem]);
    check(&[gzip(&short), gzip(&two)].concat(), &expected, &[problem]);
}

#[test]
fn garbage_between_records() {
    let (one, two) = (record("http://a/", "one"), record("http://b/", "two"));
    let expected = ["http://a/=one", "http://b/=two"];
    let at = one.len();
    check(format!("{one}garbage{two}").as_bytes(), &expected, &[&format!("{at}: 7 bytes belong")]);
    check(format!("{one}\0\0\r\nWARC/x\r\n{two}").as_bytes(), &expected, &["12 bytes belong"]);
    check(format!("garbage\r\n{one}{two}").as_bytes(), &expected, &["0: 9 bytes belong"]);
    let (one, two) = (gzip(one), gzip(two));
    let stray = [&one[..], b"\x1f\x8bgarbage", &two].concat();
    let at = one.len();
    check(&stray, &expected, &[&format!("{at}: 9 bytes between compressed members")]);
    // A hole is worth a word; a file that is filled up at its end is not.
    let hole = [&one[..], &[0; 600], &two, &[0; 512]].concat();
    check(&hole, &expected, &[&format!("{at}: 600 bytes between compressed members")]);
    check(&[&one[..], &two, &[0; 512]].concat(), &expected, &[]);
    check(b"%PDF-1.4 and so on", &[], &["0: 18 bytes belong to no record"]);
}

#[test]
fn damaged_members_cost_no_other() {
    let content: Vec<String> = (0..4).map(|seed| noise(seed, 40_000)).collect();
    let urls = ["http://a/", "http://b/", "http://c/", "http://d/"];
    let members: Vec<Vec<u8>> =
        urls.iter().zip(&content).map(|(url, content)| gzip(record(url, content))).collect();
    let good = |index: usize| format!("{}={}", urls[index], content[index]);

    let cut = [&members[0][..], &members[1][..9_000], &members[2], &members[3]].concat();
    let (found, problems) = read(&cut);
    assert_eq!(found.len(), 4);
    assert_eq!((&found[0], &found[2], &found[3]), (&good(0), &good(2), &good(3)));
    assert!(found[1].starts_with(&good(1)[..9_000]));
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].starts_with(&format!("{}: ", members[0].len())), "{problems:?}");

    let mut flipped = members.concat();
    let sum = members[0].len() + members[1].len() - 6;
    flipped[sum] ^= 1;
    let all: Vec<String> = (0..4).map(good).collect();
    let (found, problems) = read(&flipped);
    assert_eq!(found, all);
    assert_eq!(
        problems,
        [format!("{}: the checksum of the compressed member is wrong", members[0].len())]
    );

    let whole = members.concat();
    let (found, problems) = read(&whole[..whole.len() - 5_000]);
    assert_eq!(found[..3], all[..3]);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(problems[0].contains("a compressed member has no end"));
}

#[test]
fn files_that_were_cut_short() {
    let whole = record("http://a/", "one") + &record("http://b/", "two, cut");
    check(
        &whole.as_bytes()[..whole.len() - 9],
        &["http://a/=one", "http://b/=two"],
        &["27 bytes and has 22"],
    );
    let head = whole.len() - 60;
    check(&whole.as_bytes()[..head], &["http://a/=one"], &["ends inside its head"]);
}

#[test]
fn many_records_in_a_member_and_many_members_for_a_record() {
    let content = noise(7, 5_000);
    let all =
        record("http://a/", &content) + &record("http://b/", "two") + &record("http://c/", "three");
    let expected = [&format!("http://a/={content}"), "http://b/=two", "http://c/=three"];
    let shared = "0: captures that share a compressed member with other records, and so cannot be read by range: 3";
    check(&gzip(&all), &expected, &[shared]);
    check(&zstd(&all, &[]), &expected, &[shared]);
    let alone = gzip(record("http://d/", "four"));
    let expected_too = [&expected[..], &["http://d/=four"]].concat();
    check(&[gzip(&all), alone].concat(), &expected_too, &[shared]);

    // Cut anywhere, even inside heads.
    let pieces: Vec<Vec<u8>> = all.as_bytes().chunks(700).map(gzip).collect();
    let (found, _) = read(&pieces.concat());
    assert_eq!(found, expected);
}

#[test]
fn arc_files() {
    let http = "HTTP/1.0 200 OK\nContent-Type: text/html\n\n<p>";
    let about = "1 0 Test\nURL IP-address Archive-date Content-type Archive-length\n";
    let arc = |length: usize| {
        format!(
            "filedesc://x.arc 0.0.0.0 20240101000000 text/plain {}\n{about}\n\
             http://a/b c 1.2.3.4 20240101000001 text/html {length}\n{http}\n\
             http://d/ 1.2.3.4 20240101000002 text/html 200 - - 0 x.arc {}\n{http}\n",
            about.len(),
            http.len()
        )
    };
    for (length, problems) in [(http.len(), 0), (4_000, 1), (10, 1)] {
        let file = arc(length);
        for bytes in [file.clone().into_bytes(), gzip(&file)] {
            let mut records = Records::new(&bytes[..], "test").expect("in memory");
            let mut urls = Vec::new();
            while let Some(record) = records.next().expect("in memory") {
                urls.push(format!("{} {}", record.head.kind(), record.head.url().expect("a URL")));
            }
            let expected =
                ["arc_header filedesc://x.arc", "response http://a/b%20c", "response http://d/"];
            assert_eq!(urls, expected);
            let gzip = usize::from(bytes[0] == 0x1f);
            assert_eq!(records.problems().len(), problems + gzip, "length {length}");
        }
    }
}

#[test]
fn wet_and_wat_files() {
    let Some(wet) = shared::file("warc/whirlwind-python/whirlwind.warc.wet.gz") else { return };
    let mut records = Records::open(&wet).expect("a file");
    let (mut block, mut languages) = (Vec::new(), Vec::new());
    while let Some(mut record) = records.next().expect("a file") {
        record.read_block(&mut block, usize::MAX).expect("a file");
        if let Some(page) = PlainText::of(record.head, &block) {
            assert!(page.text.starts_with("Escopete - Biquipedia"));
            languages.extend(page.languages.iter().map(|&code| code.to_owned()));
        }
    }
    assert_eq!(languages, ["spa"]);
    let Some(wat) = shared::file("warc/whirlwind-python/whirlwind.warc.wat.gz") else { return };
    let mut records = Records::open(&wat).expect("a file");
    let mut found = Vec::new();
    while let Some(mut record) = records.next().expect("a file") {
        record.read_block(&mut block, usize::MAX).expect("a file");
        found.extend(langur_archive::wat::Description::parse(&block));
    }
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].url.as_deref(), Some("https://an.wikipedia.org/wiki/Escopete"));
    assert_eq!((found[0].kind.as_deref(), found[0].offset), (Some("request"), Some(80_610_308)));
}

#[test]
fn dates_need_not_be_whole() {
    for (date, timestamp) in [
        ("2024-05-06T07:08:09Z", Some("20240506070809")),
        ("2024-05-06T07:08:09.123456Z", Some("20240506070809")),
        ("2024-05-06", Some("20240506000000")),
        ("2024-05", Some("20240501000000")),
        ("2024", Some("20240101000000")),
        ("20240506070809", Some("20240506070809")),
        ("soon", None),
    ] {
        let warc = record("http://a/", "one").replace("2024-01-01T00:00:00Z", date);
        let mut records = Records::new(warc.as_bytes(), "test").expect("in memory");
        let record = records.next().expect("in memory").expect("a record");
        assert_eq!(record.head.timestamp().as_deref(), timestamp, "{date}");
    }
}
