//! What is written is read again; and whatever is read, reading ends.

use std::io::Read;

use langur_archive::digest::{Verdict, verify};
use langur_archive::{
    About, Compression, Extent, HttpRequest, HttpResponse, Records, WarcWriter, WriteError,
    digests_of,
};
use proptest::collection::vec;
use proptest::prelude::*;

#[path = "../examples/write_sample.rs"]
#[allow(dead_code, reason = "its main function")]
mod write_sample;

use write_sample::sample;

const DATE: &str = "2024-05-23T14:30:03Z";

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_come_back(
        contents in vec(vec(any::<u8>(), 0..3000), 1..8),
        gzip: bool,
        seed: u64,
    ) {
        let compression = if gzip { Compression::Gzip } else { Compression::Plain };
        let mut writer = WarcWriter::new(Vec::new(), compression, u128::from(seed));
        let mut written = Vec::new();
        for (number, content) in contents.iter().enumerate() {
            let url = format!("http://a.b/{number}");
            let about = About { url: &url, date: DATE, ..About::default() };
            let block = [b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", &content[..]].concat();
            // Every other one as a stream.
            let one = if number % 2 == 0 {
                writer.response(&about, &block).expect("in memory")
            } else {
                let digests = digests_of(&block[..], 30).expect("in memory");
                let length = block.len() as u64;
                writer.response_from(&about, &block[..], length, digests).expect("in memory")
            };
            written.push((url.clone(), block, one));
        }
        let file = writer.into_inner();
        let mut records = Records::new(&file[..], "test").expect("in memory");
        let mut block = Vec::new();
        for (url, content, one) in written {
            let mut record = records.next().expect("in memory").expect("a record");
            prop_assert_eq!(record.head.url(), Some(&*url));
            prop_assert_eq!(record.head.id(), Some(&*one.id));
            record.read_block(&mut block, usize::MAX).expect("in memory");
            prop_assert_eq!(&block, &content);
            prop_assert_eq!(verify(record.head, &block[..]).expect("in memory"), Verdict::Pass);
            // The empty lines after a plain record are not part of its extent when it is read.
            let separator = if gzip { 0 } else { 4 };
            let Extent { offset, length } = one.extent;
            let extent = Extent { offset, length: length - separator };
            prop_assert_eq!(record.finish().expect("in memory"), Some(extent));
        }
        prop_assert!(records.next().expect("in memory").is_none());
        prop_assert_eq!(records.problems(), vec![]);
    }

    #[test]
    fn any_bytes_are_read_to_their_end(bytes in archive_like()) {
        let mut records = Records::new(&bytes[..], "test").expect("in memory");
        let mut block = Vec::new();
        let mut count = 0;
        while let Some(mut record) = records.next().expect("in memory") {
            record.read_block(&mut block, 1000).expect("in memory");
            if let Some(extent) = record.finish().expect("in memory") {
                prop_assert!(extent.offset + extent.length <= bytes.len() as u64);
            }
            count += 1;
        }
        prop_assert!(count <= bytes.len());
    }

    #[test]
    fn any_bytes_are_a_message_or_none(bytes in vec(any::<u8>(), 0..500), known in vec(0..12usize, 0..9)) {
        let words = [
            "HTTP/1.1 200 OK\r\n", "\r\n", "Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n", "0\r\n",
            "Content-Encoding: gzip\r\n", "Content-Encoding: br\r\n", " folded\r\n", "GET / HTTP/1.1\r\n",
            "Content-Encoding: deflate\r\n", "Content-Encoding: zstd\r\n", "\x1f\u{8b}\x08",
        ];
        let mut block: Vec<u8> = known.iter().flat_map(|&word| words[word].bytes()).collect();
        block.extend_from_slice(&bytes);
        if let Some(response) = HttpResponse::parse(&block) {
            let payload = response.payload(&block[response.body_at..], 1000);
            prop_assert!(payload.bytes.len() <= 1000);
        }
        if let Some(request) = HttpRequest::parse(&block) {
            prop_assert!(request.body_at <= block.len());
        }
    }
}

/// Pieces of archives, and noise, in any order.
fn archive_like() -> impl Strategy<Value = Vec<u8>> {
    let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip, 1);
    let about = About { url: "http://a.b/", date: DATE, ..About::default() };
    writer.response(&about, b"HTTP/1.1 200 OK\r\n\r\nhello").expect("in memory");
    let member = writer.into_inner();
    let piece = prop_oneof![
        vec(any::<u8>(), 0..40),
        (0..member.len(), 0..member.len())
            .prop_map(move |(one, other)| member[one.min(other)..one.max(other)].to_vec()),
        prop::sample::select(vec![
            "WARC/1.0\r\n",
            "WARC/",
            "WARC-Type: response\r\n",
            "Content-Length: 5\r\n",
            "Content-Length: 99999999999999999999\r\n",
            "Content-Length: 300\r\n",
            "\r\n",
            "\n",
            "http://a/ 1.1.1.1 20200101000000 text/html 7\n",
            "filedesc://a 1.1.1.1 2 t 3\n",
            "\x1f\u{8b}",
            "(\u{b5}/\u{fd}",
            "HTTP/1.1 200 OK\r\n",
        ])
        .prop_map(|text| text.chars().map(|c| c as u8).collect()),
    ];
    vec(piece, 0..20).prop_map(|pieces| pieces.concat())
}

#[test]
fn all_kinds_of_records() {
    let file = sample(Compression::Gzip).expect("in memory");
    let mut records = Records::new(&file[..], "test").expect("in memory");
    let mut kinds = Vec::new();
    while let Some(mut record) = records.next().expect("in memory") {
        let head = record.head;
        if head.kind().name() != "warcinfo" {
            assert!(head.get("WARC-Warcinfo-ID").is_some());
        }
        kinds.push((head.kind().name().to_owned(), verify(head, &mut record).expect("in memory")));
    }
    let pass = |kind: &str| (kind.to_owned(), Verdict::Pass);
    let expected = [
        pass("warcinfo"),
        pass("response"),
        pass("request"),
        pass("metadata"),
        ("revisit".to_owned(), Verdict::NoDigest),
        pass("resource"),
        pass("response"),
        pass("response"),
    ];
    assert_eq!(kinds, expected);
    assert_eq!(records.problems(), []);
    let again = sample(Compression::Gzip).expect("in memory");
    assert_eq!(file, again, "the same calls write the same bytes");
}

#[test]
fn a_block_of_the_wrong_length_is_not_written() {
    let about = About { url: "http://a.b/", date: DATE, ..About::default() };
    for length in [3, 8] {
        let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip, 1);
        writer.resource(&about, "text/plain", b"first").expect("in memory");
        let place = writer.position();
        let failed =
            writer.resource_from(&about, "text/plain", &b"hello"[..], length, Default::default());
        assert!(matches!(failed, Err(WriteError::Length { at, .. }) if at == place));
        assert_eq!(writer.position(), place);
    }
}

/// A record over 1 GB goes through without ever being in memory.
#[test]
fn large_records_are_streamed() {
    // Without optimisation a tenth of it takes as long.
    const LENGTH: u64 = if cfg!(debug_assertions) { 60_000_000 } else { 1_200_000_000 };
    let mut writer = WarcWriter::new(Vec::new(), Compression::Gzip, 1);
    let about = About { url: "http://a.b/", date: DATE, ..About::default() };
    let block = std::io::repeat(b'x').take(LENGTH);
    let written = writer
        .resource_from(&about, "text/plain", block, LENGTH, Default::default())
        .expect("in memory");
    let file = writer.into_inner();
    assert_eq!(written.extent.length, file.len() as u64);
    let mut records = Records::new(&file[..], "test").expect("in memory");
    let record = records.next().expect("in memory").expect("a record");
    assert_eq!(record.head.content_length(), Some(LENGTH));
    assert_eq!(record.finish().expect("in memory"), Some(written.extent));
    assert_eq!(records.problems(), []);
}
