//! The records of an answer.

use std::net::IpAddr;

use langur_archive::index::{Capture, Timestamp};
use langur_archive::{About, Compression, HttpResponse, WarcWriter};
use langur_fetch::{Protocol, Response};
use sha1::{Digest as _, Sha1};

use super::{Ask, moment};
use crate::archiving::Packed;
use crate::journal::Moment;
use crate::repeated::Digest;

/// What the records of all pages say of the crawl.
#[derive(Clone, Debug, Default)]
pub struct Provenance {
    /// What is wanted.
    pub target: String,
    /// By which strategy.
    pub strategy: String,
}

impl Provenance {
    /// How the crawl came to a page, as fields of a record.
    pub(super) fn fields(&self, ask: &Ask) -> Vec<(&'static str, String)> {
        let mut fields = vec![("target", self.target.clone()), ("strategy", self.strategy.clone())];
        fields.extend(ask.via.clone().map(|via| ("via", via)));
        fields.push(("depth", ask.depth.to_string()));
        fields.push(("priority", ask.priority.to_string()));
        fields.extend(ask.crossed.map(|crossed| ("trail-irrelevant", crossed.to_string())));
        fields
    }
}

/// A capture that has the same content.
pub(super) struct Original {
    pub url: String,
    /// In seconds since 1970.
    pub at: u32,
}

/// SHA-1 of the content, without chunks.
pub(super) fn digest<'b>(http: Option<&HttpResponse<'b>>, body: &'b [u8]) -> Digest {
    match http {
        Some(http) => Sha1::digest(http.content(body)).into(),
        None => Sha1::digest(body).into(),
    }
}

/// Room that is kept for records; more is given back.
const KEPT: usize = 1 << 20;

/// Packs records, and keeps the memory for it.
pub(super) struct Packer {
    writer: WarcWriter<Vec<u8>>,
}

impl Packer {
    pub fn new(seed: u128) -> Packer {
        Packer { writer: WarcWriter::new(Vec::new(), Compression::Gzip, seed) }
    }

    /// The answer, whose content has this digest, or that it repeats another; the request; and the fields, if there are any.
    pub fn pack(
        &mut self,
        url: &str,
        response: &Response,
        http: Option<&HttpResponse>,
        content: (&Digest, Option<&Original>),
        fields: &[(&'static str, String)],
    ) -> Packed {
        let start = self.writer.position();
        let at = moment(response.began) / 1000;
        let (date, ip) = (date(at), response.address.ip().to_string());
        let truncated = response.truncated.map(|why| why.to_string());
        let protocol = [("WARC-Protocol", "h2")];
        let about = About {
            url,
            date: &date,
            ip: Some(&ip),
            truncated: truncated.as_deref(),
            more: if response.protocol == Protocol::Http2 { &protocol } else { &[] },
            ..About::default()
        };
        let (digest, original) = content;
        let answer = self.answer(&about, response, http, digest, original);
        let about = About { truncated: None, concurrent_to: Some(&answer.id), ..about };
        let memory = "memory takes every record";
        self.writer.request(&about, &response.sent).expect(memory);
        if !fields.is_empty() {
            let about = About { more: &[], ip: None, ..about };
            let block = warc_fields(fields, response);
            self.writer.metadata(&about, "application/warc-fields", &block).expect(memory);
        }
        let timestamp = Timestamp::from_unix(i64::try_from(at).unwrap_or(0));
        let capture = Capture {
            mime: match original {
                Some(_) => Some("warc/revisit".to_owned()),
                None => http.and_then(mime),
            },
            status: Some(response.status),
            digest: answer.payload_digest.map(|text| without_name(&text).to_owned()),
            ..Capture::new(url, timestamp)
        };
        Packed {
            bytes: self.taken(),
            answer: (answer.extent.offset - start, answer.extent.length),
            capture: Some(capture),
        }
    }

    /// The addresses of a host, as other crawlers write them.
    pub fn pack_addresses(&mut self, host: &str, addresses: &[IpAddr], at: Moment) -> Packed {
        let seconds = at / 1000;
        let timestamp = Timestamp::from_unix(i64::try_from(seconds).unwrap_or(0));
        let mut block = timestamp.to_string();
        for address in addresses {
            let kind = if address.is_ipv4() { "A" } else { "AAAA" };
            block.push_str(&format!("\n{host}.\t0\tIN\t{kind}\t{address}"));
        }
        block.push('\n');
        let (url, date) = (format!("dns:{host}"), date(seconds));
        let about = About { url: &url, date: &date, ..About::default() };
        let written = self.writer.resource(&about, "text/dns", block.as_bytes());
        let written = written.expect("memory takes every record");
        let bytes = self.taken();
        let capture = Capture {
            mime: Some("text/dns".to_owned()),
            digest: written.payload_digest.map(|text| without_name(&text).to_owned()),
            ..Capture::new(&url, timestamp)
        };
        Packed { bytes, answer: (0, written.extent.length), capture: Some(capture) }
    }

    /// What was packed, in as much memory as it needs: the room for it is kept for the next.
    fn taken(&mut self) -> Vec<u8> {
        let packed = self.writer.get_mut();
        let bytes = packed.clone();
        packed.clear();
        packed.shrink_to(KEPT);
        bytes
    }

    fn answer(
        &mut self,
        about: &About,
        response: &Response,
        http: Option<&HttpResponse>,
        digest: &Digest,
        original: Option<&Original>,
    ) -> langur_archive::Written {
        let memory = "memory takes every record";
        let digest = format!("sha1:{}", data_encoding::BASE32.encode(digest));
        let Some(original) = original else {
            let in_chunks = http.is_some_and(HttpResponse::is_chunked);
            let content = langur_archive::Content { digest, in_chunks };
            let received = &response.received;
            return self.writer.response_known(about, received, content).expect(memory);
        };
        let head = http.map_or(0, |http| http.body_at);
        let original = langur_archive::Original {
            url: &original.url,
            date: &date(u64::from(original.at)),
            payload_digest: &digest,
            id: None,
        };
        self.writer.revisit(about, &response.received[..head], &original).expect(memory)
    }
}

/// `name: value` a line, as WARC has it. Values are one line each.
fn warc_fields(fields: &[(&'static str, String)], response: &Response) -> Vec<u8> {
    let mut block = Vec::new();
    let lasted = ("fetchTimeMs", response.lasted.as_millis().to_string());
    let tls = response.tls.clone().map(|tls| ("tls", tls));
    for (name, value) in fields.iter().chain([&lasted]).chain(tls.as_ref()) {
        let value = value.bytes().map(|b| if matches!(b, b'\r' | b'\n') { b' ' } else { b });
        block.extend_from_slice(name.as_bytes());
        block.extend_from_slice(b": ");
        block.extend(value);
        block.extend_from_slice(b"\r\n");
    }
    block
}

/// The media type, as other indexes have it.
fn mime(http: &HttpResponse) -> Option<String> {
    let said = http.headers.text("content-type")?;
    let mime = said.split(';').next()?.trim();
    (!mime.is_empty()).then(|| mime.to_ascii_lowercase())
}

fn without_name(digest: &str) -> &str {
    digest.strip_prefix("sha1:").unwrap_or(digest)
}

/// As WARC has it, to the second.
pub(crate) fn date(seconds: u64) -> String {
    Timestamp::from_unix(i64::try_from(seconds).unwrap_or(i64::MAX)).rfc3339()
}
