//! Properties: what is written is read, what is there is found, and nothing that is read makes it fail.

use std::io::Cursor;
use std::ops::ControlFlow;

use langur_archive::index::{
    Capture, CaptureReader, IndexFile, Keys, Layout, Timestamp, parse_line,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value};

/// Captures of few URLs, so that many have the same key.
fn captures() -> impl Strategy<Value = Capture> {
    captures_of("https?://(www\\.)?[ab]\\.(com|co\\.th)(:81)?/[a-c/]{0,3}(\\?[a-c=]{0,3})?")
}

fn captures_of(url: &'static str) -> impl Strategy<Value = Capture> {
    let text = || option::of("[^-].{0,12}");
    let number = || option::of(any::<u64>());
    (
        (url, 0i64..4_000_000_000, text(), option::of(any::<u16>())),
        (text(), text(), text(), number(), number()),
        vec(("x-[a-z\" ]{0,6}", any::<f64>().prop_map(Value::from)), 0..3),
    )
        .prop_map(
            |((url, time, mime, status), (digest, redirect, filename, offset, length), more)| {
                let mut capture = Capture::new(&url, Timestamp::from_unix(time));
                capture.key = capture.key.replace(char::is_whitespace, "%20");
                Capture {
                    // A URL of a single dash says that there is none.
                    url: if url == "-" { "a".to_owned() } else { url },
                    mime,
                    status,
                    digest,
                    redirect,
                    filename,
                    offset,
                    length,
                    more: more.into_iter().collect::<Map<_, _>>(),
                    ..capture
                }
            },
        )
}

fn found(index: &IndexFile, keys: Keys<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let flow = index
        .scan(keys, &mut |capture| {
            found.push(capture.expect("a right line").to_cdxj());
            ControlFlow::Continue(())
        })
        .expect("searched");
    assert!(flow.is_continue());
    found
}

proptest! {
    #[test]
    fn a_capture_is_read_back_as_it_was_written(capture in prop_oneof![captures(), captures_of(".{0,20}")]) {
        let line = capture.to_cdxj();
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(Capture::from_cdxj(&line).expect("a line"), capture.clone());
        prop_assert_eq!(parse_line(line.as_bytes(), None).expect("a line"), capture);
    }

    #[test]
    fn searching_finds_what_looking_at_every_line_finds(
        captures in vec(captures(), 0..30),
        prefix in "[a-c,)/]{0,6}",
        header in any::<bool>(),
    ) {
        let mut lines: Vec<String> = captures.iter().map(Capture::to_cdxj).collect();
        lines.sort();
        lines.dedup();
        let header = if header { "!meta {}\n CDX N b a\n" } else { "" };
        let text = format!("{header}{}", lines.iter().map(|line| format!("{line}\n")).collect::<String>());
        let index = IndexFile::in_memory("an index", text.into()).expect("an index");
        for capture in &captures {
            let expected: Vec<_> = lines.iter().filter(|line| line.split(' ').next() == Some(&capture.key)).cloned().collect();
            prop_assert!(!expected.is_empty());
            prop_assert_eq!(found(&index, Keys::Exact(&capture.key)), expected);
        }
        let expected: Vec<_> = lines.iter().filter(|line| line.starts_with(&prefix)).cloned().collect();
        prop_assert_eq!(found(&index, Keys::Prefix(&prefix)), expected);
        prop_assert_eq!(found(&index, Keys::Exact("com,nobody)/")), Vec::<String>::new());
    }

    #[test]
    fn lines_in_any_order_are_found_in_a_small_index(captures in vec(captures(), 1..20)) {
        let text: String = captures.iter().map(|capture| capture.to_cdxj() + "\n").collect();
        let index = IndexFile::in_memory("an index", text.into()).expect("an index");
        for capture in &captures {
            prop_assert!(found(&index, Keys::Exact(&capture.key)).contains(&capture.to_cdxj()));
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..300), key in ".{0,5}") {
        read_anything(&bytes, &key);
    }

    #[test]
    fn anything_like_an_index_is_read_or_refused(
        lines in vec("( CDX [A-Za-z ]{0,20}|[a-c,)/]{0,5} [0-9]{0,18} (\\{.{0,20}\\}?|[a-z 0-9-]{0,30}))", 0..8),
        key in "[a-c,)/]{0,4}",
    ) {
        read_anything(lines.join("\n").as_bytes(), &key);
    }
}

fn read_anything(bytes: &[u8], key: &str) {
    for capture in CaptureReader::new(Cursor::new(bytes), "bytes").flatten().flatten() {
        let again = Capture::from_cdxj(&capture.to_cdxj()).expect("what was read can be written");
        assert_eq!(again.timestamp, capture.timestamp);
    }
    if let Ok(index) = IndexFile::in_memory("bytes", bytes.to_vec().into()) {
        for keys in [Keys::Exact(key), Keys::Prefix(key)] {
            let _ = index.scan(keys, &mut |_| ControlFlow::Continue(()));
        }
    }
    let text = String::from_utf8_lossy(bytes);
    let _ = (Layout::from_header(&text), Timestamp::parse(&text));
}

#[test]
fn cdx_has_any_fields_in_any_order() {
    let layout = Layout::from_header(" CDX g b V a N c n\n").expect("a first line");
    let capture =
        layout.capture("x.arc.gz 2008 17 http://A.com/a b com,a)/a%20b XYZ 9\r\n").expect("a line");
    assert_eq!(capture.key, "com,a)/a%20b");
    assert_eq!(capture.url, "http://A.com/a%20b");
    assert_eq!(capture.digest.as_deref(), Some("XYZ"));
    let place = capture.place().expect("a place");
    assert_eq!((place.filename, place.offset, place.length), ("x.arc.gz", 17, None));
    let tabs = Layout::from_header("\tCDX\tN\tb\tg").expect("tabs between");
    assert_eq!(tabs.capture("a)/\t2008\tx y").expect("a line").filename.as_deref(), Some("x y"));
    assert_eq!(Layout::from_header("aCDXaNab"), None);
    assert_eq!(Layout::from_header(" CDX N a"), None);

    let nine = "com,a)/ 20080101000000 http://a.com/ text/html 200 XYZ - 17 x.arc.gz";
    let capture = parse_line(nine.as_bytes(), None).expect("nine fields");
    assert_eq!((capture.status, capture.offset), (Some(200), Some(17)));
}

#[test]
fn a_large_index_out_of_order_is_refused_with_what_to_do() {
    let line = |number: u64| format!("com,a)/{number:09} 20080101000000 {{}}\n");
    let text: String = (0..600_000).map(|number| line((number + 300_000) % 600_000)).collect();
    let error = IndexFile::in_memory("big.cdxj", text.into()).err().expect("refused").to_string();
    assert!(error.contains("big.cdxj is not sorted") && error.contains("LC_ALL=C sort"), "{error}");
}

#[test]
fn a_line_too_long_is_told_and_the_rest_read() {
    let long = "x".repeat(3 << 20);
    let text = format!("com,a)/ 2008 {{}}\n{long}\ncom,b)/ 2008 {{}}\n");
    let lines: Vec<_> = CaptureReader::new(Cursor::new(text), "long.cdxj").flatten().collect();
    assert_eq!(lines.len(), 3);
    let wrong = lines[1].as_ref().expect_err("too long").to_string();
    assert_eq!(wrong, "long.cdxj:2: it is longer than 1048576 bytes");
    assert_eq!(lines[2].as_ref().expect("read").key, "com,b)/");
}
