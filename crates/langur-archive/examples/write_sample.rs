//! Writes WARC files with a record of each kind.
//!
//!     cargo run -p langur-archive --example write_sample -- FOLDER
//!
//! Other readers are run on them by `tests/readers/check FOLDER`.

use std::error::Error;
use std::path::PathBuf;

use langur_archive::{About, Compression, Original, WarcWriter, WriteError, digests_of};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("name a folder")?);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join("sample.warc.gz"), sample(Compression::Gzip)?)?;
    std::fs::write(folder.join("sample.warc"), sample(Compression::Plain)?)?;
    Ok(())
}

/// A file with a page, the request for it, what is known of it, a second visit, a document that came
/// without HTTP, an answer in chunks, and one that came as a stream.
pub fn sample(compression: Compression) -> Result<Vec<u8>, WriteError> {
    let mut writer = WarcWriter::new(Vec::new(), compression, 42);
    let fields = [("software", "langur"), ("format", "WARC File Format 1.1")];
    writer.warcinfo("2024-05-23T14:30:00Z", Some("sample.warc.gz"), &fields)?;

    let (url, date) = ("http://example.com/?q=%C3%A4", "2024-05-23T14:30:03Z");
    let about = About { url, date, ip: Some("127.0.0.1"), ..About::default() };
    let http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
    let response = writer.response(&about, &[http, &b"<title>hello</title>"[..]].concat())?;
    let with = About { concurrent_to: Some(&response.id), ..about };
    writer.request(&with, b"GET /?q=%C3%A4 HTTP/1.1\r\nHost: example.com\r\n\r\n")?;
    writer.metadata(&with, "application/warc-fields", b"fetchTimeMs: 12\r\n")?;

    let payload_digest = response.payload_digest.as_deref().unwrap_or_default();
    let original = Original { url, date, payload_digest, id: Some(&response.id) };
    let later = About { date: "2024-05-24T14:30:03Z", ..about };
    writer.revisit(&later, http, &original)?;

    let file = About { url: "http://example.com/robots.txt", ..about };
    writer.resource(&file, "text/plain", b"User-agent: *\r\nDisallow:\r\n")?;

    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let block = [chunked, &b"5\r\nhello\r\n0\r\n\r\n"[..]].concat();
    writer.response(&About { url: "http://example.com/chunks", ..about }, &block)?;

    let block = [http, &[b'x'; 200_000][..]].concat();
    let digests = digests_of(&block[..], http.len() as u64).map_err(WriteError::Read)?;
    let stream = About { url: "http://example.com/stream", ..about };
    writer.response_from(&stream, &block[..], block.len() as u64, digests)?;
    Ok(writer.into_inner())
}
