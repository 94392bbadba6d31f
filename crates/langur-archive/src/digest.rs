//! Digests of blocks and of their content.
//!
//! `WARC-Block-Digest` is over the block. `WARC-Payload-Digest` is over the content, and readers disagree
//! about what that is if the body is in chunks: the standard, and jwarc, take the chunks apart first; most
//! writers, and warcio and FastWARC when they check, take the body as it is stored. [`verify`] accepts both,
//! and [`WarcWriter`](crate::WarcWriter) writes none for such a body.

use std::io::{self, Read};

use data_encoding::{BASE32, BASE64, HEXLOWER, HEXLOWER_PERMISSIVE};
use sha1::Digest as _;

use crate::http::{HttpRequest, HttpResponse};
use crate::records::{Head, Kind};

/// Whether a record is what it was when its digests were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every digest that can be checked is right, and there is one.
    Pass,
    /// One is wrong.
    Fail,
    /// There is none, or none that can be checked. Those of a revisit are of another record.
    NoDigest,
}

/// A digest being computed.
#[derive(Clone)]
pub enum Digester {
    /// SHA-1, what nearly all archives have.
    Sha1(sha1::Sha1),
    /// SHA-256.
    Sha256(sha2::Sha256),
}

impl Digester {
    /// Begins a SHA-1.
    pub fn sha1() -> Digester {
        Digester::Sha1(sha1::Sha1::new())
    }

    /// Begins a SHA-256.
    pub fn sha256() -> Digester {
        Digester::Sha256(sha2::Sha256::new())
    }

    /// Goes on.
    pub fn update(&mut self, bytes: &[u8]) {
        match self {
            Digester::Sha1(hash) => hash.update(bytes),
            Digester::Sha256(hash) => hash.update(bytes),
        }
    }

    /// The digest as it stands in a record: `sha1:` in base 32, `sha256:` in hexadecimal digits.
    pub fn finish(self) -> String {
        match self {
            Digester::Sha1(hash) => ["sha1:", &BASE32.encode(&hash.finalize())].concat(),
            Digester::Sha256(hash) => ["sha256:", &HEXLOWER.encode(&hash.finalize())].concat(),
        }
    }

    fn bytes(self) -> Vec<u8> {
        match self {
            Digester::Sha1(hash) => hash.finalize().to_vec(),
            Digester::Sha256(hash) => hash.finalize().to_vec(),
        }
    }
}

/// The SHA-1 of some bytes as it stands in a record: `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`.
pub fn sha1(bytes: &[u8]) -> String {
    let mut digester = Digester::sha1();
    digester.update(bytes);
    digester.finish()
}

/// A digest as indexes have it, however it was written: SHA-1 in base 32 and without its name, others with theirs in small
/// letters, SHA-256 in hexadecimal digits.
pub fn canonical(text: &str) -> String {
    let text = text.trim();
    let (name, value) = text.split_once(':').unwrap_or(("sha1", text));
    let name = name.to_ascii_lowercase().replace('-', "");
    let (length, whole) = match &*name {
        "sha1" => (20, text.contains(':')),
        "sha256" => (32, true),
        _ => return format!("{name}:{value}"),
    };
    match decoded(value, length) {
        Some(bytes) if length == 20 => BASE32.encode(&bytes),
        Some(bytes) => format!("{name}:{}", HEXLOWER.encode(&bytes)),
        None if whole => format!("{name}:{value}"),
        None => value.to_owned(),
    }
}

/// The bytes of a SHA-1 in canonical form; `None` if it is another digest.
pub fn sha1_bytes(canonical: &str) -> Option<[u8; 20]> {
    BASE32.decode(canonical.as_bytes()).ok()?.try_into().ok()
}

/// So many bytes, in hexadecimal digits, in base 32 or in base 64, as writers have it.
fn decoded(value: &str, length: usize) -> Option<Vec<u8>> {
    let value = value.as_bytes();
    let padded = |to: usize, text: Vec<u8>| {
        let missing = text.len().next_multiple_of(to) - text.len();
        [text, vec![b'='; missing]].concat()
    };
    let standard = |byte: &u8| match byte {
        b'-' => b'+',
        b'_' => b'/',
        other => *other,
    };
    let all = [
        HEXLOWER_PERMISSIVE.decode(value).ok(),
        BASE32.decode(&padded(8, value.to_ascii_uppercase())).ok(),
        BASE64.decode(&padded(4, value.iter().map(standard).collect())).ok(),
    ];
    all.into_iter().flatten().find(|bytes| bytes.len() == length)
}

/// Reads a whole block and compares it with the digests in its head. The block may be a
/// [`Record`](crate::Record), or bytes in memory.
pub fn verify(head: &Head, mut block: impl Read) -> io::Result<Verdict> {
    let mut whole = head.block_digest().and_then(Expected::parse);
    // A segment has only a part of the content.
    let payload = head.payload_digest().filter(|_| head.get("WARC-Segment-Number").is_none());
    let mut payload = payload.and_then(Expected::parse);
    if *head.kind() == Kind::Revisit || (whole.is_none() && payload.is_none()) {
        return Ok(Verdict::NoDigest);
    }
    // The first piece has the HTTP head, if there is one.
    let mut piece = Vec::new();
    block.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
    let (body_at, unchunked) = body(head, &piece, payload.as_ref());
    let mut skip = body_at;
    while !piece.is_empty() {
        whole.iter_mut().for_each(|digest| digest.digester.update(&piece));
        payload.iter_mut().for_each(|digest| digest.digester.update(&piece[skip..]));
        skip = 0;
        piece.clear();
        block.by_ref().take(PIECE as u64).read_to_end(&mut piece)?;
    }
    let is_right =
        whole.is_none_or(Expected::agrees) && (unchunked || payload.is_none_or(Expected::agrees));
    Ok(if is_right { Verdict::Pass } else { Verdict::Fail })
}

const PIECE: usize = 1 << 20;

/// Where the body starts, and whether what its chunks hold has the digest; the latter only if it is all in
/// this first piece.
fn body(head: &Head, piece: &[u8], payload: Option<&Expected>) -> (usize, bool) {
    // Writers take the whole block for the content where the URL is not of the web.
    if !head.url().is_some_and(|url| url.starts_with("http")) {
        return (0, false);
    }
    if let Kind::Request = head.kind() {
        return (HttpRequest::parse(piece).map_or(0, |request| request.body_at), false);
    }
    if *head.kind() != Kind::Response {
        return (0, false);
    }
    let Some(response) = HttpResponse::parse(piece) else { return (0, false) };
    let unchunked = payload.is_some_and(|expected| {
        let mut expected = expected.clone();
        let content = response.unchunked(&piece[response.body_at..]);
        content.is_some_and(|content| {
            expected.digester.update(&content);
            expected.agrees()
        })
    });
    (response.body_at, unchunked && piece.len() < PIECE)
}

/// A digest as a record has it.
#[derive(Clone)]
struct Expected {
    digester: Digester,
    bytes: Vec<u8>,
}

impl Expected {
    /// Base 32, hexadecimal digits and base 64 all occur; their lengths differ.
    fn parse(text: &str) -> Option<Expected> {
        let (name, value) = text.trim().split_once(':')?;
        let (digester, length) = match name.to_ascii_lowercase().as_str() {
            "sha1" | "sha-1" => (Digester::sha1(), 20),
            "sha256" | "sha-256" => (Digester::sha256(), 32),
            _ => return None,
        };
        // A value that cannot be read is one that cannot be right.
        Some(Expected { digester, bytes: decoded(value, length).unwrap_or_default() })
    }

    fn agrees(self) -> bool {
        self.digester.bytes() == self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_in_all_their_forms() {
        for text in [
            "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
            "SHA-1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n",
            "sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d",
            "sha1:AAF4C61DDCC5E8A2DABEDE0F3B482CD9AEA9434D",
            "sha1:qvTGHdzF6KLavt4PO0gs2a6pQ00=",
            "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
            "sha256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====",
        ] {
            let mut expected = Expected::parse(text).expect("a digest");
            expected.digester.update(b"hello");
            assert!(expected.agrees(), "{text}");
        }
        assert_eq!(sha1(b"hello"), "sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N");
        assert!(Expected::parse("md5:5d41402abc4b2a76b9719d911017c592").is_none());
        assert!(!Expected::parse("sha1:nonsense").expect("a digest").agrees());
    }

    #[test]
    fn one_digest_has_one_form() {
        let [of_sha1, of_sha256] = [
            "VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N",
            "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
        ];
        for (text, form) in [
            ("sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N", of_sha1),
            ("SHA-1:vl2mmho4yxukfwv63yhtwsbm3gxksq2n", of_sha1),
            ("sha1:aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", of_sha1),
            ("vl2mmho4yxukfwv63yhtwsbm3gxksq2n", of_sha1),
            ("SHA256:2CF24DBA5FB0A30E26E83B2AC5B9E29E1B161E5C1FA7425E73043362938B9824", of_sha256),
            ("sha-256:FTZE3OS7WCRQ4JXIHMVMLOPCTYNRMHS4D6TUEXTTAQZWFE4LTASA====", of_sha256),
            ("MD5:5d41402a", "md5:5d41402a"),
            ("sha1:AAAA", "sha1:AAAA"),
            ("AAAA", "AAAA"),
        ] {
            assert_eq!(canonical(text), form, "{text}");
            assert_eq!(canonical(form), form);
        }
        assert_eq!(sha1_bytes(of_sha1).map(|bytes| bytes[0]), Some(0xaa));
        assert_eq!(sha1_bytes(of_sha256), None);
    }
}
