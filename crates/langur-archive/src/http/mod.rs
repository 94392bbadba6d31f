//! HTTP messages as archives hold them.
//!
//! An archive keeps what a server sent, and servers send anything: status lines without a text or a
//! number, headers without a colon, line ends of all kinds. So parsing takes what it can understand, and
//! notes what was odd. The bytes stay as they are; [`HttpResponse::payload`] takes off the codings around
//! the content.

mod chunked;
mod coding;
mod headers;
mod revisit;

use std::borrow::Cow;

pub use headers::Headers;
pub use revisit::answer_of_revisit;

/// What a server answered.
#[derive(Clone, Debug)]
pub struct HttpResponse<'b> {
    /// The protocol of the first line: `HTTP/1.1`, `ICY`.
    pub version: &'b [u8],
    /// The status; nothing if it is not a number.
    pub status: Option<u16>,
    /// The words after it, often none.
    pub reason: &'b [u8],
    /// The headers.
    pub headers: Headers<'b>,
    /// Where in the block the body starts.
    pub body_at: usize,
    /// What was odd in the head.
    pub oddities: Vec<Oddity>,
}

/// What a server was asked.
#[derive(Clone, Debug)]
pub struct HttpRequest<'b> {
    /// `GET`, `POST`, …
    pub method: &'b [u8],
    /// What was asked for: path and query, as a rule.
    pub target: &'b [u8],
    /// The protocol: `HTTP/1.1`.
    pub version: &'b [u8],
    /// The headers.
    pub headers: Headers<'b>,
    /// Where in the block the body starts.
    pub body_at: usize,
    /// What was odd in the head.
    pub oddities: Vec<Oddity>,
}

/// The content of a message, without the codings it was sent in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload<'b> {
    /// The content, or as much of it as was asked for.
    pub bytes: Cow<'b, [u8]>,
    /// What was odd.
    pub oddities: Vec<Oddity>,
}

/// Something in a message that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Oddity {
    /// The status is not a number.
    #[error("the status line has no status")]
    NoStatus,
    /// A line of the head that is no header.
    #[error("a line of the head is not a header")]
    NotAHeader,
    /// There is no empty line after the headers.
    #[error("there is no empty line after the headers")]
    NoEmptyLine,
    /// The body should be in chunks and is not; it was left as it is.
    #[error("the body is not in chunks, as the headers say")]
    NotChunked,
    /// A chunk is malformed; the body was left as it is from there on.
    #[error("a chunk is malformed")]
    BrokenChunk,
    /// The body ends before its last chunk.
    #[error("the body ends before its last chunk")]
    CutChunks,
    /// A coding that is not known; the body was left as it is.
    #[error("the coding \"{0}\" is not known")]
    UnknownCoding(String),
    /// The body is not in this coding; it was left as it is.
    #[error("the body is not in {0}, as the headers say")]
    NotCoded(&'static str),
    /// The coded body is damaged or cut short; what came before is there.
    #[error("the {0} body is damaged or cut short")]
    BrokenCoding(&'static str),
    /// There is more content than was asked for.
    #[error("the content is longer than {0} bytes, and was cut there")]
    Limited(usize),
}

impl Oddity {
    /// Whether some of the content is missing.
    pub fn is_loss(&self) -> bool {
        matches!(self, Oddity::CutChunks | Oddity::BrokenCoding(_) | Oddity::Limited(_))
    }
}

impl<'b> HttpResponse<'b> {
    /// Reads the head of a response from its block; nothing if it has none.
    pub fn parse(block: &'b [u8]) -> Option<HttpResponse<'b>> {
        let lead = leading_line_ends(block);
        let start = &block[lead..];
        // Not `HTTP/`: there are servers that call it something longer.
        let is_http = start.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP"));
        if !is_http && !start.starts_with(b"ICY ") {
            return None;
        }
        let (line, headers, oddities, length) = headers::parse(start);
        let mut response = HttpResponse {
            version: b"",
            status: None,
            reason: b"",
            headers,
            body_at: lead + length,
            oddities,
        };
        let (version, rest) = word(line);
        let (status, reason) = word(rest);
        response.version = version;
        response.status = number(status);
        // Some servers write `HTTP/1.1 200OK`, and some leave the number out.
        response.reason = if response.status.is_some() { reason } else { rest };
        if response.status.is_none() {
            response.oddities.push(Oddity::NoStatus);
        }
        Some(response)
    }

    /// The content in `body`, without transfer and content codings, and `most` bytes of it at most.
    /// Where a coding does not fit the bytes, they stay as they are, which is what browsers and archive
    /// readers do.
    pub fn payload(&self, body: &'b [u8], most: usize) -> Payload<'b> {
        let mut payload = Payload { bytes: Cow::Borrowed(body), oddities: Vec::new() };
        for name in ["transfer-encoding", "content-encoding"] {
            // The coding applied last stands last.
            for coding in self.headers.codings(name).into_iter().rev() {
                coding::decode(&coding, &mut payload, most);
            }
        }
        if payload.bytes.len() > most {
            match &mut payload.bytes {
                Cow::Borrowed(bytes) => *bytes = &bytes[..most],
                Cow::Owned(bytes) => bytes.truncate(most),
            }
            payload.oddities.push(Oddity::Limited(most));
        }
        payload
    }
}

impl<'b> HttpResponse<'b> {
    /// Whether the headers say that the body is in chunks.
    pub fn is_chunked(&self) -> bool {
        self.headers.codings("transfer-encoding").last().is_some_and(|last| last == "chunked")
    }

    /// Whether the body has to be decoded.
    pub fn is_coded(&self) -> bool {
        let codings =
            ["transfer-encoding", "content-encoding"].map(|name| self.headers.codings(name));
        codings.iter().any(|codings| !codings.is_empty())
    }

    /// The content in `body` as its digest is taken: without chunks, if it is in chunks and nothing is wrong with
    /// them, and with all other codings.
    pub fn content(&self, body: &'b [u8]) -> Cow<'b, [u8]> {
        self.unchunked(body).map_or(Cow::Borrowed(body), Cow::Owned)
    }

    /// What the chunks of a body hold, if it is in chunks and nothing is wrong with them.
    pub(crate) fn unchunked(&self, body: &[u8]) -> Option<Vec<u8>> {
        if !self.is_chunked() {
            return None;
        }
        let (content, oddity) = chunked::unchunk(body).ok()?;
        oddity.is_none().then_some(content)
    }
}

impl<'b> HttpRequest<'b> {
    /// Reads the head of a request from its block; nothing if it has none.
    pub fn parse(block: &'b [u8]) -> Option<HttpRequest<'b>> {
        let lead = leading_line_ends(block);
        let (line, headers, oddities, length) = headers::parse(&block[lead..]);
        let (method, rest) = word(line);
        if method.is_empty() || !method.iter().all(u8::is_ascii_uppercase) {
            return None;
        }
        let (target, version) = match memchr::memrchr(b' ', rest) {
            Some(blank) if rest[blank + 1..].starts_with(b"HTTP/") => {
                (rest[..blank].trim_ascii(), &rest[blank + 1..])
            }
            _ => (rest, &b""[..]),
        };
        let body_at = lead + length;
        Some(HttpRequest { method, target, version, headers, body_at, oddities })
    }
}

/// Line ends before the first line, which RFC 9112 (2.2) asks to ignore.
fn leading_line_ends(block: &[u8]) -> usize {
    block.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// The first word, and the rest without the blanks around it.
fn word(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii();
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

fn number(text: &[u8]) -> Option<u16> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits == 3).then(|| text[..3].iter().fold(0, |sum, digit| sum * 10 + u16::from(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(block: &str) -> HttpResponse<'_> {
        HttpResponse::parse(block.as_bytes()).expect("a response")
    }

    #[test]
    fn status_lines_of_all_kinds() {
        let check = |line: &str, status: Option<u16>, reason: &str| {
            let block = format!("{line}\r\nA: b\r\n\r\nbody");
            let response = parse(&block);
            assert_eq!(response.status, status, "{line}");
            assert_eq!(response.reason, reason.as_bytes(), "{line}");
            assert_eq!(&block[response.body_at..], "body", "{line}");
        };
        check("HTTP/1.1 200 OK", Some(200), "OK");
        check("HTTP/1.1 200", Some(200), "");
        check("HTTP/1.1 204 ", Some(204), "");
        check("HTTP/1.0  404   Not  Found", Some(404), "Not  Found");
        check("HTTP/2 200", Some(200), "");
        check("http/1.0 301 Moved", Some(301), "Moved");
        check("HTTPX/1.1 200 OK", Some(200), "OK");
        check("ICY 200 OK", Some(200), "OK");
        check("HTTP/1.1 OK", None, "OK");
        check("HTTP/1.1 99999 x", None, "99999 x");
        check("HTTP/1.1", None, "");
        assert!(HttpResponse::parse(b"<html>").is_none());
    }

    #[test]
    fn requests_are_taken_apart() {
        let request =
            HttpRequest::parse(b"GET /a b HTTP/1.1\r\nHost: x\r\n\r\n").expect("a request");
        assert_eq!((request.method, request.target), (&b"GET"[..], &b"/a b"[..]));
        assert_eq!(request.headers.text("HOST").as_deref(), Some("x"));
        assert!(HttpRequest::parse(b"HTTP/1.1 200 OK\r\n\r\n").is_none());
    }

    fn payload(head: &str, body: &[u8]) -> (Vec<u8>, Vec<Oddity>) {
        let head = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n");
        let payload = parse(&head).payload(body, 1 << 20);
        (payload.bytes.into_owned(), payload.oddities)
    }

    #[test]
    fn codings_come_off_in_order() {
        use std::io::Write;
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"hello").expect("in memory");
        let gzip = gzip.finish().expect("in memory");
        assert_eq!(payload("Content-Encoding: x-gzip", &gzip), (b"hello".to_vec(), vec![]));
        let mut chunked = format!("{:x};a=b\r\n", gzip.len()).into_bytes();
        chunked.extend_from_slice(&gzip);
        chunked.extend_from_slice(b"\r\n0\r\nTrailer: x\r\n\r\n");
        let head = "Transfer-Encoding: Chunked\r\nContent-Encoding: gzip";
        assert_eq!(payload(head, &chunked), (b"hello".to_vec(), vec![]));
        let twice = zstd::encode_all(&gzip[..], 1).expect("in memory");
        assert_eq!(payload("Content-Encoding: gzip, zstd", &twice), (b"hello".to_vec(), vec![]));
        let brotli = [0x0b, 0x02, 0x80, b'h', b'e', b'l', b'l', b'o', 0x03];
        assert_eq!(payload("Content-Encoding: br", &brotli), (b"hello".to_vec(), vec![]));
    }

    #[test]
    fn deflate_is_zlib_or_raw() {
        use std::io::Write;
        let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        zlib.write_all(b"hello").expect("in memory");
        let zlib = zlib.finish().expect("in memory");
        let raw = &zlib[2..zlib.len() - 4];
        assert_eq!(payload("Content-Encoding: deflate", &zlib), (b"hello".to_vec(), vec![]));
        assert_eq!(payload("Content-Encoding: deflate", raw), (b"hello".to_vec(), vec![]));
    }

    #[test]
    fn what_cannot_be_decoded_stays_as_it_is() {
        let plain = b"<html>plain</html>";
        for (head, oddity) in [
            ("Content-Encoding: gzip", Oddity::NotCoded("gzip")),
            ("Content-Encoding: br", Oddity::NotCoded("br")),
            ("Content-Encoding: zstd", Oddity::NotCoded("zstd")),
            ("Content-Encoding: utf-8", Oddity::UnknownCoding("utf-8".to_owned())),
            ("Transfer-Encoding: chunked", Oddity::NotChunked),
        ] {
            assert_eq!(payload(head, plain), (plain.to_vec(), vec![oddity]), "{head}");
        }
        assert_eq!(payload("Content-Encoding: gzip", b""), (vec![], vec![]));
    }

    #[test]
    fn bombs_are_cut() {
        let zeros = zstd::encode_all(&vec![0; 10 << 20][..], 1).expect("in memory");
        let (bytes, oddities) = payload("Content-Encoding: zstd", &zeros);
        assert_eq!((bytes.len(), oddities), (1 << 20, vec![Oddity::Limited(1 << 20)]));
    }
}
