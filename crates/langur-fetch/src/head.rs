//! The head of an HTTP/1.x response: where it ends, and what it says of the body.
//!
//! Servers are many and few of them read the standard, so that whatever can be understood is: lines
//! that end without a carriage return, fields that continue on the next line, spaces before the
//! colon, fields that are none (they are passed over). What stands in the bytes is kept as it is.

use httparse::{Header, ParserConfig, Status};
use memchr::memchr_iter;

use crate::Protocol;
use crate::framing::Framing;

/// What a head says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    /// Its bytes, with the empty line.
    pub(crate) length: usize,
    pub(crate) status: u16,
    pub(crate) protocol: Protocol,
    pub(crate) framing: Framing,
    /// Whether the server means to keep the connection.
    pub(crate) keeps: bool,
}

/// Where the next head ends, if it is all there: after its empty line. Of the bytes, the first `seen`
/// were looked at before.
pub(crate) fn end(bytes: &[u8], seen: usize) -> Option<usize> {
    // The line end before the empty line may be among the bytes that were seen.
    let from = seen.saturating_sub(2);
    memchr_iter(b'\n', &bytes[from..]).find_map(|at| match bytes[from + at + 1..] {
        [b'\n', ..] => Some(from + at + 2),
        [b'\r', b'\n', ..] => Some(from + at + 3),
        _ => None,
    })
}

/// Whether this may be the beginning of a response.
pub(crate) fn may_begin(bytes: &[u8]) -> bool {
    let beginning = b"HTTP/1.";
    let length = bytes.len().min(beginning.len());
    bytes[..length] == beginning[..length]
}

/// Reads a head that is all there; the error is what is wrong with it.
pub(crate) fn read(bytes: &[u8]) -> Result<Head, String> {
    // A field takes a line at least, and so the limit on bytes is one on fields, too.
    let mut fields = Vec::<Header>::with_capacity(memchr_iter(b'\n', bytes).count());
    let mut response = httparse::Response::new(&mut []);
    let room = fields.spare_capacity_mut();
    let read = lenient().parse_response_with_uninit_headers(&mut response, bytes, room);
    let length = match read {
        Ok(Status::Complete(length)) => length,
        Ok(Status::Partial) => return Err("it is cut short".to_owned()),
        Err(error) => return Err(error.to_string()),
    };
    let (Some(status), Some(version)) = (response.code, response.version) else {
        return Err("no status".to_owned());
    };
    let protocol = if version == 0 { Protocol::Http10 } else { Protocol::Http11 };
    let framing = framing(status, response.headers);
    let keeps = framing != Framing::Close && keeps(protocol, response.headers);
    Ok(Head { length, status, protocol, framing, keeps })
}

fn lenient() -> ParserConfig {
    let mut config = ParserConfig::default();
    config
        .allow_spaces_after_header_name_in_responses(true)
        .allow_obsolete_multiline_headers_in_responses(true)
        .allow_multiple_spaces_in_response_status_delimiters(true)
        .ignore_invalid_headers_in_responses(true);
    config
}

/// RFC 9112, section 6.3, for the answer to a GET. Lengths that contradict each other are as good as
/// none.
fn framing(status: u16, fields: &[Header]) -> Framing {
    if status < 200 || status == 204 || status == 304 {
        return Framing::Length(0);
    }
    let coding = tokens(fields, "transfer-encoding").last();
    match coding {
        Some(coding) if coding.eq_ignore_ascii_case(b"chunked") => return Framing::chunked(),
        Some(coding) if !coding.eq_ignore_ascii_case(b"identity") => return Framing::Close,
        _ => {}
    }
    let mut lengths = tokens(fields, "content-length").map(number);
    match lengths.next() {
        Some(Some(length)) if lengths.all(|other| other == Some(length)) => Framing::Length(length),
        _ => Framing::Close,
    }
}

fn keeps(protocol: Protocol, fields: &[Header]) -> bool {
    let says = |what: &[u8]| tokens(fields, "connection").any(|t| t.eq_ignore_ascii_case(what));
    match protocol {
        Protocol::Http10 => says(b"keep-alive") && !says(b"close"),
        _ => !says(b"close"),
    }
}

/// What stands between the commas of all fields of a name.
fn tokens<'a>(fields: &'a [Header<'a>], name: &'a str) -> impl Iterator<Item = &'a [u8]> {
    let named = fields.iter().filter(move |field| field.name.eq_ignore_ascii_case(name));
    named.flat_map(|field| field.value.split(|&b| b == b',')).map(<[u8]>::trim_ascii)
}

/// Digits and nothing else, unlike what `parse` takes.
fn number(token: &[u8]) -> Option<u64> {
    let text = str::from_utf8(token).ok()?;
    if text.bytes().all(|b| b.is_ascii_digit()) { text.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, status: u16, framing: Framing, keeps: bool) {
        let bytes = head.as_bytes();
        assert_eq!(end(bytes, 0), Some(bytes.len()));
        let read = read(bytes).expect("a head");
        assert_eq!(read.length, bytes.len());
        assert_eq!((read.status, read.framing, read.keeps), (status, framing, keeps));
    }

    #[test]
    fn the_end_is_found_however_the_bytes_come() {
        let bytes = b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n<html>";
        for first in 0..bytes.len() {
            let found = end(&bytes[..first], 0).or_else(|| end(bytes, first));
            assert_eq!(found, Some(25), "{first} first");
        }
        assert_eq!(end(b"HTTP/1.1 200 OK\r\nA: b\r\n\r", 0), None);
    }

    #[test]
    fn a_body_is_framed_by_what_the_head_says() {
        check("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", 200, Framing::Length(5), true);
        check(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, Chunked\r\nContent-Length: 5\r\n\r\n",
            200,
            Framing::chunked(),
            true,
        );
        check("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", 200, Framing::Close, false);
        check("HTTP/1.1 200 OK\r\n\r\n", 200, Framing::Close, false);
        check(
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
            304,
            Framing::Length(0),
            true,
        );
        check(
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\ncontent-length: 5\r\n\r\n",
            200,
            Framing::Length(5),
            true,
        );
        check(
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
            200,
            Framing::Close,
            false,
        );
        check("HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\n", 200, Framing::Close, false);
    }

    #[test]
    fn a_connection_is_kept_by_the_custom_of_its_version() {
        check("HTTP/1.1 204 No\r\nConnection: close\r\n\r\n", 204, Framing::Length(0), false);
        check("HTTP/1.0 204 No\r\n\r\n", 204, Framing::Length(0), false);
        check("HTTP/1.0 204 No\r\nConnection: Keep-Alive\r\n\r\n", 204, Framing::Length(0), true);
    }

    #[test]
    fn servers_that_have_not_read_the_standard_are_understood() {
        check("HTTP/1.1 200\nContent-Length : 5\n\n", 200, Framing::Length(5), true);
        check("HTTP/1.1  200  OK\r\nContent-Length:5\r\n\r\n", 200, Framing::Length(5), true);
        check(
            "HTTP/1.1 200 OK\r\nnonsense\r\nContent-Length: 5\r\n\r\n",
            200,
            Framing::Length(5),
            true,
        );
        check(
            "HTTP/1.1 200 OK\r\nA b: c\r\nX: \u{e9}\r\nContent-Length: 5\r\n\r\n",
            200,
            Framing::Length(5),
            true,
        );
        check(
            "HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 5\r\n\r\n",
            200,
            Framing::Length(5),
            true,
        );
    }

    #[test]
    fn a_head_has_as_many_fields_as_it_has_room_for() {
        let many = "A:\n".repeat(10_000);
        check(
            &format!("HTTP/1.1 200 OK\n{many}Content-Length: 5\n\n"),
            200,
            Framing::Length(5),
            true,
        );
    }

    #[test]
    fn what_is_no_head_is_refused() {
        assert!(read(b"HTTP/1.1 two hundred\r\n\r\n").is_err());
        assert!(!may_begin(b"SSH-2.0"));
        assert!(!may_begin(b"HTTP/2"));
        assert!(may_begin(b"HTT"));
    }
}
