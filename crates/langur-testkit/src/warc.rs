//! Archives small enough to write down, and archives of the real sites.

use std::fmt::Write as _;

use crate::shared;

/// A WARC file that a test makes, uncompressed. It is written here by hand, so that what reads and what
/// writes archives is not tested by itself.
#[derive(Default)]
pub struct Warc {
    bytes: Vec<u8>,
    records: u32,
}

impl Warc {
    /// Adds a page of HTML, captured at this time (14 digits).
    pub fn page(&mut self, url: &str, at: &str, html: &[u8]) -> &mut Warc {
        self.response(url, at, 200, &[("Content-Type", "text/html")], html)
    }

    /// Adds a redirect.
    pub fn redirect(&mut self, url: &str, at: &str, to: &str) -> &mut Warc {
        self.response(url, at, 302, &[("Location", to)], b"")
    }

    /// Adds a response.
    pub fn response(
        &mut self,
        url: &str,
        at: &str,
        status: u16,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> &mut Warc {
        let mut head = format!("HTTP/1.1 {status} Said\r\n");
        for (name, value) in headers {
            write!(head, "{name}: {value}\r\n").expect("text can be written to");
        }
        write!(head, "Content-Length: {}\r\n\r\n", body.len()).expect("text can be written to");
        let block = [head.as_bytes(), body].concat();
        self.record("response", url, at, "", &block)
    }

    /// Adds a capture whose content is that of another, which has this digest (`sha1:…`).
    pub fn revisit(&mut self, url: &str, at: &str, digest: &str) -> &mut Warc {
        let more = format!("WARC-Payload-Digest: {digest}\r\n");
        self.record("revisit", url, at, &more, b"HTTP/1.1 200 Said\r\n\r\n")
    }

    /// The same, with a head that says this type.
    pub fn revisit_typed(&mut self, url: &str, at: &str, digest: &str, mime: &str) -> &mut Warc {
        let more = format!("WARC-Payload-Digest: {digest}\r\n");
        let block = format!("HTTP/1.1 200 Said\r\nContent-Type: {mime}\r\n\r\n");
        self.record("revisit", url, at, &more, block.as_bytes())
    }

    /// The same, for a capture that was of another URL.
    pub fn revisit_of(
        &mut self,
        url: &str,
        at: &str,
        digest: &str,
        other: &str,
        other_at: &str,
    ) -> &mut Warc {
        let more = format!(
            "WARC-Payload-Digest: {digest}\r\nWARC-Refers-To-Target-URI: {other}\r\nWARC-Refers-To-Date: {}\r\n",
            iso(other_at)
        );
        self.record("revisit", url, at, &more, b"HTTP/1.1 200 Said\r\n\r\n")
    }

    /// Adds a record of any kind, with more headers, each with its line end.
    pub fn record(
        &mut self,
        kind: &str,
        url: &str,
        at: &str,
        more: &str,
        block: &[u8],
    ) -> &mut Warc {
        self.records += 1;
        let date = iso(at);
        let head = format!(
            "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nWARC-Date: {date}\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{:012}>\r\n\
             Content-Type: application/http;msgtype=response\r\n{more}Content-Length: {}\r\n\r\n",
            self.records,
            block.len()
        );
        self.bytes.extend(head.as_bytes());
        self.bytes.extend(block);
        self.bytes.extend(b"\r\n\r\n");
        self
    }

    /// The file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// 14 digits as a date.
fn iso(at: &str) -> String {
    let part = |from: usize| &at[from..from + 2];
    let (year, month, day) = (&at[..4], part(4), part(6));
    format!("{year}-{month}-{day}T{}:{}:{}Z", part(8), part(10), part(12))
}

/// The pages of a real site of `../shared/data/sites` as a WARC file, and the URL of its first page.
pub fn site(name: &str) -> Option<(Warc, String)> {
    let mut warc = Warc::default();
    let mut first = None;
    for document in shared::documents(&format!("sites/{name}.tar.zst"))? {
        let charset = document.text("charset");
        let content_type = format!("text/html; charset={charset}");
        let url = document.text("url");
        first.get_or_insert_with(|| url.to_owned());
        warc.response(
            url,
            "20240523143003",
            200,
            &[("Content-Type", &content_type)],
            &document.bytes,
        );
    }
    first.map(|first| (warc, first))
}
