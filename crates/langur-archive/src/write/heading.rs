//! What a record says of itself, on its way into a file.

use std::io;

use sha1::{Digest, Sha1};
use thiserror::Error;

use crate::records::{Extent, Kind};

/// What a capture is of.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// The URL.
    pub url: &'a str,
    /// When it was captured, as RFC 3339 has it: `2024-05-23T14:30:03Z`.
    pub date: &'a str,
    /// The server's address.
    pub ip: Option<&'a str>,
    /// The id of a record that was captured together with this one.
    pub concurrent_to: Option<&'a str>,
    /// Why the block is not all there was: `length`, `time`, `disconnect`.
    pub truncated: Option<&'a str>,
    /// More headers.
    pub more: &'a [(&'a str, &'a str)],
}

/// The capture that a revisit repeats.
#[derive(Clone, Copy, Debug)]
pub struct Original<'a> {
    /// The URL.
    pub url: &'a str,
    /// Its date, as in its record.
    pub date: &'a str,
    /// The digest of its content.
    pub payload_digest: &'a str,
    /// Its id, if it is known.
    pub id: Option<&'a str>,
}

/// What is known of the content of an answer.
#[derive(Clone, Debug)]
pub struct Content {
    /// Its digest, that of what is in the chunks if it is in chunks.
    pub digest: String,
    /// Whether it is.
    pub in_chunks: bool,
}

/// The digests of a block that is not in memory.
#[derive(Clone, Debug, Default)]
pub struct Digests {
    /// Of the block.
    pub block: Option<String>,
    /// Of the content.
    pub payload: Option<String>,
}

/// A record that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its id, without angle brackets.
    pub id: String,
    /// Where it lies in the file.
    pub extent: Extent,
    /// The digest of its content, if it has one.
    pub payload_digest: Option<String>,
}

/// Why a record could not be written.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The system said no.
    #[error("cannot write the archive: {0}")]
    Write(#[source] io::Error),
    /// The block could not be read.
    #[error("cannot read what should be archived: {0}")]
    Read(#[source] io::Error),
    /// The block is not as long as was said.
    #[error(
        "what should be archived has {found} bytes and should have {expected}; the archive must be cut off at byte {at}"
    )]
    Length {
        /// What was there, or a part of it.
        found: u64,
        /// What was said.
        expected: u64,
        /// Where the half-written record starts.
        at: u64,
    },
}

/// What stands in the head of a record.
pub(super) struct Heading<'a> {
    pub kind: Kind,
    pub about: &'a About<'a>,
    pub content_type: &'a str,
    pub more: &'a [(&'a str, &'a str)],
}

impl<'a> Heading<'a> {
    pub fn new(kind: Kind, about: &'a About<'a>, content_type: &'a str) -> Heading<'a> {
        Heading { kind, about, content_type, more: &[] }
    }

    /// Whether records of this kind, with so many bytes in the block, mostly differ in little from one another. Of an answer without
    /// much of a body (a robots.txt, a redirect) most is its head.
    pub fn is_like_others(&self, length: usize) -> bool {
        const MOSTLY_HEAD: usize = 512;
        match self.kind {
            Kind::Request | Kind::Metadata => true,
            Kind::Response => length <= MOSTLY_HEAD,
            _ => false,
        }
    }

    /// Puts the head into `head`, replacing what is there.
    pub fn write(
        &self,
        head: &mut Vec<u8>,
        id: &str,
        warcinfo: Option<&str>,
        length: u64,
        digests: &Digests,
    ) {
        let about = self.about;
        head.clear();
        head.extend_from_slice(b"WARC/1.1\r\n");
        header(head, "WARC-Type", self.kind.name());
        header(head, "WARC-Record-ID", &bracketed(id));
        if !about.url.is_empty() {
            header(head, "WARC-Target-URI", about.url);
        }
        header(head, "WARC-Date", about.date);
        for (name, value) in [
            ("WARC-IP-Address", about.ip),
            ("WARC-Truncated", about.truncated),
            ("WARC-Block-Digest", digests.block.as_deref()),
            ("WARC-Payload-Digest", digests.payload.as_deref()),
        ] {
            value.iter().for_each(|value| header(head, name, value));
        }
        for (name, id) in
            [("WARC-Concurrent-To", about.concurrent_to), ("WARC-Warcinfo-ID", warcinfo)]
        {
            id.iter().for_each(|id| header(head, name, &bracketed(id)));
        }
        for (name, value) in self.more.iter().chain(about.more) {
            header(head, name, value);
        }
        header(head, "Content-Type", self.content_type);
        header(head, "Content-Length", &length.to_string());
        head.extend_from_slice(b"\r\n");
    }
}

/// A line of a head. Line ends inside a value would make two lines of it.
pub(super) fn header(head: &mut Vec<u8>, name: &str, value: &str) {
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(b": ");
    match value.bytes().any(|byte| byte.is_ascii_control()) {
        false => head.extend_from_slice(value.as_bytes()),
        true => head.extend(value.bytes().map(|b| if b.is_ascii_control() { b' ' } else { b })),
    }
    head.extend_from_slice(b"\r\n");
}

pub(super) fn bracketed(id: &str) -> String {
    if id.starts_with('<') { id.to_owned() } else { ["<", id, ">"].concat() }
}

/// The id of a record: a UUID of version 5, which is made from a SHA-1 (RFC 9562, 5.5).
pub(super) fn record_id(seed: u128, number: u64) -> String {
    let mut hash = Sha1::new();
    hash.update(seed.to_be_bytes());
    hash.update(number.to_be_bytes());
    let hash = hash.finalize();
    let mut bytes: [u8; 16] = hash[..16].try_into().expect("a SHA-1 has 20 bytes");
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = data_encoding::HEXLOWER.encode(&bytes);
    let [a, b, c, d, e] = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
    ["urn:uuid:", a, "-", b, "-", c, "-", d, "-", e].concat()
}
