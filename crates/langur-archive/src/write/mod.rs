//! Writing WARC 1.1.
//!
//! What is written depends on nothing but what is given: dates come from the caller, and record ids are
//! made from a seed and a counter. So the same calls write the same bytes, and a test can compare files.
//!
//! Every record has a digest of its block, and responses, requests with a body and resources have one of
//! their content, except where readers disagree about it ([`digest`](crate::digest)). Compressed, every record is a
//! gzip member of its own, written in one piece if its block is in memory.

mod member;

use std::io::{self, Read, Write};

use sha1::{Digest, Sha1};
use thiserror::Error;

use crate::digest::{Digester, sha1};
use crate::http::{HttpRequest, HttpResponse};
use crate::records::{Extent, Kind};
use member::Gzip;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    Plain,
    /// Every record as a gzip member.
    Gzip,
}

/// Writes the records of a WARC file.
pub struct WarcWriter<W> {
    out: W,
    gzip: Option<Gzip>,
    position: u64,
    seed: u128,
    written: u64,
    /// The `warcinfo` record that the others are described by.
    about: Option<String>,
    head: Vec<u8>,
}

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

impl<W: Write> WarcWriter<W> {
    /// Writes to the start of a file. No two files of an archive should have the same seed, for their
    /// records would have the same ids.
    pub fn new(out: W, compression: Compression, seed: u128) -> WarcWriter<W> {
        WarcWriter::at(out, compression, seed, 0)
    }

    /// Goes on with a file that has `position` bytes already.
    pub fn at(out: W, compression: Compression, seed: u128, position: u64) -> WarcWriter<W> {
        let gzip = (compression == Compression::Gzip).then(Gzip::new);
        WarcWriter { out, gzip, position, seed, written: 0, about: None, head: Vec::new() }
    }

    /// How long the file is: everything before was written whole.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// What is written to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.out
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }

    /// Describes the file: name and value of every field. All records after this one refer to it.
    pub fn warcinfo(
        &mut self,
        date: &str,
        filename: Option<&str>,
        fields: &[(&str, &str)],
    ) -> Result<Written, WriteError> {
        let mut block = Vec::new();
        for (name, value) in fields {
            header(&mut block, name, value);
        }
        self.about = None;
        let about = About { date, ..About::default() };
        let filename = filename.map(|name| ("WARC-Filename", name));
        let warcinfo = self.write(
            &Kind::Warcinfo,
            &about,
            "application/warc-fields",
            filename.as_slice(),
            &block,
            Digests { block: Some(sha1(&block)), payload: None },
        )?;
        self.about = Some(warcinfo.id.clone());
        Ok(warcinfo)
    }

    /// Writes what a server answered: HTTP head and body, as they came.
    ///
    /// A body in chunks gets no digest of its content, since readers disagree about what that is; the
    /// one in [`Written`] is of what the chunks hold.
    pub fn response(&mut self, about: &About, block: &[u8]) -> Result<Written, WriteError> {
        let response = HttpResponse::parse(block);
        let body = response.as_ref().map_or(0, |response| response.body_at);
        let Some(response) = response.filter(HttpResponse::is_chunked) else {
            return self.write(
                &Kind::Response,
                about,
                RESPONSE,
                &[],
                block,
                digests(block, Some(body)),
            );
        };
        let digests = digests(block, None);
        let written = self.write(&Kind::Response, about, RESPONSE, &[], block, digests)?;
        let body = &block[body..];
        let content = response.unchunked(body).unwrap_or_else(|| body.to_vec());
        Ok(Written { payload_digest: Some(sha1(&content)), ..written })
    }

    /// Writes an answer of `length` bytes that does not fit into memory. Its digests stand before it in the
    /// file, so they must be known: see [`digests_of`]. Leave the one of the content out if it is in
    /// chunks.
    pub fn response_from(
        &mut self,
        about: &About,
        block: impl Read,
        length: u64,
        digests: Digests,
    ) -> Result<Written, WriteError> {
        self.write_from(&Kind::Response, about, RESPONSE, &[], block, length, digests)
    }

    /// Writes what a server was asked.
    pub fn request(&mut self, about: &About, block: &[u8]) -> Result<Written, WriteError> {
        let body = HttpRequest::parse(block).map_or(0, |request| request.body_at);
        let body = Some(body).filter(|&body| body < block.len());
        self.write(&Kind::Request, about, REQUEST, &[], block, digests(block, body))
    }

    /// Writes that a server answered with this head, and with content that is archived already.
    pub fn revisit(
        &mut self,
        about: &About,
        http_head: &[u8],
        original: &Original,
    ) -> Result<Written, WriteError> {
        let id = original.id.map(bracketed);
        let mut more = vec![
            ("WARC-Profile", SAME_CONTENT),
            ("WARC-Refers-To-Target-URI", original.url),
            ("WARC-Refers-To-Date", original.date),
        ];
        more.extend(id.as_deref().map(|id| ("WARC-Refers-To", id)));
        let payload = Some(original.payload_digest.to_owned());
        let digests = Digests { block: Some(sha1(http_head)), payload };
        self.write(&Kind::Revisit, about, RESPONSE, &more, http_head, digests)
    }

    /// Writes something about a capture.
    pub fn metadata(
        &mut self,
        about: &About,
        content_type: &str,
        block: &[u8],
    ) -> Result<Written, WriteError> {
        self.write(&Kind::Metadata, about, content_type, &[], block, digests(block, None))
    }

    /// Writes a document without an HTTP head.
    pub fn resource(
        &mut self,
        about: &About,
        content_type: &str,
        block: &[u8],
    ) -> Result<Written, WriteError> {
        self.write(&Kind::Resource, about, content_type, &[], block, digests(block, Some(0)))
    }

    /// Writes a document that does not fit into memory.
    pub fn resource_from(
        &mut self,
        about: &About,
        content_type: &str,
        block: impl Read,
        length: u64,
        digests: Digests,
    ) -> Result<Written, WriteError> {
        self.write_from(&Kind::Resource, about, content_type, &[], block, length, digests)
    }

    fn write(
        &mut self,
        kind: &Kind,
        about: &About,
        content_type: &str,
        more: &[(&str, &str)],
        block: &[u8],
        digests: Digests,
    ) -> Result<Written, WriteError> {
        let length = block.len() as u64;
        let id = self.put_head(kind, about, content_type, more, length, &digests);
        self.head.extend_from_slice(block);
        self.head.extend_from_slice(END);
        let bytes = match &mut self.gzip {
            None => &self.head[..],
            Some(gzip) => gzip.whole(&self.head),
        };
        self.out.write_all(bytes).map_err(WriteError::Write)?;
        let length = bytes.len() as u64;
        Ok(self.wrote(id, length, digests))
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of a record")]
    fn write_from(
        &mut self,
        kind: &Kind,
        about: &About,
        content_type: &str,
        more: &[(&str, &str)],
        mut block: impl Read,
        length: u64,
        digests: Digests,
    ) -> Result<Written, WriteError> {
        let id = self.put_head(kind, about, content_type, more, length, &digests);
        let mut piece = std::mem::take(&mut self.head);
        let (mut found, mut bytes) = (0, self.put(&piece)?);
        loop {
            piece.clear();
            block.by_ref().take(PIECE).read_to_end(&mut piece).map_err(WriteError::Read)?;
            found += piece.len() as u64;
            if found > length || (piece.is_empty() && found < length) {
                return Err(WriteError::Length { found, expected: length, at: self.position });
            }
            if piece.is_empty() {
                break;
            }
            bytes += self.put(&piece)?;
        }
        bytes += self.put(END)?;
        if let Some(gzip) = &mut self.gzip {
            let rest = gzip.finish();
            self.out.write_all(rest).map_err(WriteError::Write)?;
            bytes += rest.len() as u64;
        }
        self.head = piece;
        Ok(self.wrote(id, bytes, digests))
    }

    /// Writes a part of a record; says how many bytes went into the file.
    fn put(&mut self, part: &[u8]) -> Result<u64, WriteError> {
        let bytes = match &mut self.gzip {
            None => part,
            Some(gzip) => gzip.part(part),
        };
        self.out.write_all(bytes).map_err(WriteError::Write)?;
        Ok(bytes.len() as u64)
    }

    fn wrote(&mut self, id: String, length: u64, digests: Digests) -> Written {
        let extent = Extent { offset: self.position, length };
        self.position += length;
        Written { id, extent, payload_digest: digests.payload }
    }

    /// Puts the head of a record into `self.head`, and says what its id is.
    fn put_head(
        &mut self,
        kind: &Kind,
        about: &About,
        content_type: &str,
        more: &[(&str, &str)],
        length: u64,
        digests: &Digests,
    ) -> String {
        let id = record_id(self.seed, self.written);
        self.written += 1;
        if let Some(gzip) = &mut self.gzip {
            gzip.start();
        }
        let head = &mut self.head;
        head.clear();
        head.extend_from_slice(b"WARC/1.1\r\n");
        header(head, "WARC-Type", kind.name());
        header(head, "WARC-Record-ID", &bracketed(&id));
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
        for (name, id) in [
            ("WARC-Concurrent-To", about.concurrent_to),
            ("WARC-Warcinfo-ID", self.about.as_deref()),
        ] {
            id.iter().for_each(|id| header(head, name, &bracketed(id)));
        }
        for (name, value) in more.iter().chain(about.more) {
            header(head, name, value);
        }
        header(head, "Content-Type", content_type);
        header(head, "Content-Length", &length.to_string());
        head.extend_from_slice(b"\r\n");
        id
    }
}

const RESPONSE: &str = "application/http; msgtype=response";
const REQUEST: &str = "application/http; msgtype=request";
const SAME_CONTENT: &str = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

/// What ends a record.
const END: &[u8] = b"\r\n\r\n";

/// Blocks that are not in memory are copied in pieces of this size.
const PIECE: u64 = 64 << 10;

fn digests(block: &[u8], body: Option<usize>) -> Digests {
    Digests { block: Some(sha1(block)), payload: body.map(|body| sha1(&block[body..])) }
}

/// Reads a block once to learn its digests, before it is written with
/// [`WarcWriter::response_from`]. `body_at` is where its content starts.
pub fn digests_of(mut block: impl Read, body_at: u64) -> io::Result<Digests> {
    let (mut whole, mut payload) = (Digester::sha1(), Digester::sha1());
    let mut piece = Vec::new();
    let mut skip = body_at;
    loop {
        piece.clear();
        block.by_ref().take(PIECE).read_to_end(&mut piece)?;
        if piece.is_empty() {
            return Ok(Digests { block: Some(whole.finish()), payload: Some(payload.finish()) });
        }
        whole.update(&piece);
        let skipped = skip.min(piece.len() as u64);
        payload.update(&piece[skipped as usize..]);
        skip -= skipped;
    }
}

/// A line of a head. Line ends inside a value would make two lines of it.
fn header(head: &mut Vec<u8>, name: &str, value: &str) {
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(b": ");
    head.extend(value.bytes().map(|byte| if byte.is_ascii_control() { b' ' } else { byte }));
    head.extend_from_slice(b"\r\n");
}

fn bracketed(id: &str) -> String {
    if id.starts_with('<') { id.to_owned() } else { format!("<{id}>") }
}

/// The id of a record: a UUID of version 5, which is made from a SHA-1 (RFC 9562, 5.5).
fn record_id(seed: u128, number: u64) -> String {
    let mut hash = Sha1::new();
    hash.update(seed.to_be_bytes());
    hash.update(number.to_be_bytes());
    let hash = hash.finalize();
    let mut bytes: [u8; 16] = hash[..16].try_into().expect("a SHA-1 has 20 bytes");
    bytes[6] = bytes[6] & 0x0f | 0x50;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let digits = data_encoding::HEXLOWER.encode(&bytes);
    let [a, b, c, d, e] = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &digits[range]);
    format!("urn:uuid:{a}-{b}-{c}-{d}-{e}")
}
