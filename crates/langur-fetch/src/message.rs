//! What is asked for, and what comes back.

use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

/// What to fetch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// An absolute http or https URL in canonical form. A user name and a password in it are not sent.
    pub url: String,
    /// Further headers, such as `If-None-Match`; one of ours of the same name gives way. Left out are
    /// those that HTTP cannot carry (a line break in an entity tag), and those that say how a message
    /// is framed and routed, which is not the caller's to say.
    pub headers: Vec<(String, String)>,
    /// The most bytes of the body, instead of the settings'.
    pub max_bytes: Option<u64>,
    /// How long to leave the server alone before it is asked a second time, over a new connection, because it
    /// closed the one that was kept without an answer: it may have read the request.
    pub respite: Duration,
}

impl Request {
    /// For a URL and nothing more.
    pub fn of(url: impl Into<String>) -> Request {
        Request { url: url.into(), ..Request::default() }
    }
}

/// What came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The request as sent; one of HTTP/2 as HTTP/1.1 would have written it.
    pub sent: Vec<u8>,
    /// Head and body exactly as received, chunks and all. One of HTTP/2 is written as HTTP/1.1, with
    /// the length of what came of the body. Responses with a status below 200 are not part of it, nor
    /// is what the server sends after the end of the message.
    pub received: Vec<u8>,
    /// How many bytes of `received` are the head, with its empty line.
    pub head: usize,
    /// The status.
    pub status: u16,
    /// The address that was connected to: the server's, or the proxy's.
    pub address: SocketAddr,
    /// The protocol that was spoken.
    pub protocol: Protocol,
    /// Version and cipher suite, as in `TLSv1.3 TLS_AES_128_GCM_SHA256`.
    pub tls: Option<String>,
    /// Why the body is not whole, if it is not.
    pub truncated: Option<Truncated>,
    /// When the fetch began.
    pub began: SystemTime,
    /// From then to the first byte, with all that it took to connect.
    pub waited: Duration,
    /// From then to the last byte.
    pub lasted: Duration,
}

/// What was spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// HTTP/1.0
    Http10,
    /// HTTP/1.1
    Http11,
    /// HTTP/2
    Http2,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Http10 => "HTTP/1.0",
            Protocol::Http11 => "HTTP/1.1",
            Protocol::Http2 => "HTTP/2",
        })
    }
}

/// Why a body is not whole. Written as WARC's `WARC-Truncated` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Truncated {
    /// It is longer than wanted.
    Length,
    /// It took longer than a limit, or came too slowly.
    Time,
    /// The connection broke off, or what came could not be understood any more, so that we did.
    Disconnect,
}

impl fmt::Display for Truncated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Truncated::Length => "length",
            Truncated::Time => "time",
            Truncated::Disconnect => "disconnect",
        })
    }
}
