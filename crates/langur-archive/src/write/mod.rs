//! Writing WARC 1.1.
//!
//! What is written depends on nothing but what is given: dates come from the caller, and record ids are
//! made from a seed and a counter. So the same calls write the same bytes, and a test can compare files.
//!
//! Every record has a digest of its block, and responses, requests with a body and resources have one of
//! their content, except where readers disagree about it ([`digest`](crate::digest)). Compressed, every record is a
//! gzip member of its own, written in one piece if its block is in memory.

mod code;
mod heading;
mod member;
mod short;

use std::io::{self, Read, Write};

use crate::digest::{Digester, sha1};
use crate::http::{HttpRequest, HttpResponse};
use crate::records::{Extent, Kind};
use heading::{Heading, bracketed, header, record_id};
use member::Gzip;

pub use heading::{About, Content, Digests, Original, WriteError, Written};

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
        let heading = Heading {
            more: filename.as_slice(),
            ..Heading::new(Kind::Warcinfo, &about, "application/warc-fields")
        };
        let warcinfo = self.write(&heading, &block, digests(&block, None))?;
        self.about = Some(warcinfo.id.clone());
        Ok(warcinfo)
    }

    /// Writes what a server answered: HTTP head and body, as they came.
    ///
    /// A body in chunks gets no digest of its content, since readers disagree about what that is; the
    /// one in [`Written`] is of what the chunks hold.
    pub fn response(&mut self, about: &About, block: &[u8]) -> Result<Written, WriteError> {
        let response = HttpResponse::parse(block);
        let body = &block[response.as_ref().map_or(0, |response| response.body_at)..];
        let unchunked = response.as_ref().map(|response| response.content(body));
        let digest = sha1(&unchunked.unwrap_or(body.into()));
        let in_chunks = response.is_some_and(|response| response.is_chunked());
        self.response_known(about, block, Content { digest, in_chunks })
    }

    /// The same, for whoever has looked at the content already.
    pub fn response_known(
        &mut self,
        about: &About,
        block: &[u8],
        content: Content,
    ) -> Result<Written, WriteError> {
        let heading = Heading::new(Kind::Response, about, RESPONSE);
        let Content { digest, in_chunks } = content;
        let payload = (!in_chunks).then(|| digest.clone());
        let digests = Digests { block: Some(sha1(block)), payload };
        let written = self.write(&heading, block, digests)?;
        Ok(Written { payload_digest: Some(digest), ..written })
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
        self.write_from(&Heading::new(Kind::Response, about, RESPONSE), block, length, digests)
    }

    /// Writes what a server was asked.
    pub fn request(&mut self, about: &About, block: &[u8]) -> Result<Written, WriteError> {
        let body = HttpRequest::parse(block).map_or(0, |request| request.body_at);
        let body = Some(body).filter(|&body| body < block.len());
        self.write(&Heading::new(Kind::Request, about, REQUEST), block, digests(block, body))
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
        let heading = Heading { more: &more, ..Heading::new(Kind::Revisit, about, RESPONSE) };
        self.write(&heading, http_head, digests)
    }

    /// Writes something about a capture.
    pub fn metadata(
        &mut self,
        about: &About,
        content_type: &str,
        block: &[u8],
    ) -> Result<Written, WriteError> {
        let heading = Heading::new(Kind::Metadata, about, content_type);
        self.write(&heading, block, digests(block, None))
    }

    /// Writes a document without an HTTP head.
    pub fn resource(
        &mut self,
        about: &About,
        content_type: &str,
        block: &[u8],
    ) -> Result<Written, WriteError> {
        let heading = Heading::new(Kind::Resource, about, content_type);
        self.write(&heading, block, digests(block, Some(0)))
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
        let heading = Heading::new(Kind::Resource, about, content_type);
        self.write_from(&heading, block, length, digests)
    }

    fn write(
        &mut self,
        heading: &Heading,
        block: &[u8],
        digests: Digests,
    ) -> Result<Written, WriteError> {
        let id = self.begin(heading, block.len() as u64, &digests);
        self.head.extend_from_slice(block);
        self.head.extend_from_slice(END);
        let bytes = match &mut self.gzip {
            None => &self.head[..],
            Some(gzip) => gzip.whole(&self.head, heading.is_like_others(block.len())),
        };
        self.out.write_all(bytes).map_err(WriteError::Write)?;
        let length = bytes.len() as u64;
        Ok(self.wrote(id, length, digests))
    }

    fn write_from(
        &mut self,
        heading: &Heading,
        mut block: impl Read,
        length: u64,
        digests: Digests,
    ) -> Result<Written, WriteError> {
        let id = self.begin(heading, length, &digests);
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

    /// Begins a record: its head is in `self.head` afterwards. Says what its id is.
    fn begin(&mut self, heading: &Heading, length: u64, digests: &Digests) -> String {
        let id = record_id(self.seed, self.written);
        self.written += 1;
        if let Some(gzip) = &mut self.gzip {
            gzip.start();
        }
        let warcinfo = self.about.as_deref();
        heading.write(&mut self.head, &id, warcinfo, length, digests);
        id
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
