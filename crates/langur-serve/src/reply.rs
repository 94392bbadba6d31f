//! An archived answer as one that can be sent now.
//!
//! Status, headers and body are the archived ones. Left out is what concerned the connection to the
//! host, what would be untrue here, and what HTTP does not allow in a header; so nothing in an archive
//! can end the headers early or begin a second answer.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use http_body::{Body, Frame, SizeHint};

use crate::answer::Answer;
use crate::traffic::Place;

/// The most headers of an archived answer that are sent.
const HEADERS: usize = 256;

/// Headers of the connection to the host (RFC 9110, 7.6.1), and of the bytes that went over it.
const OF_THE_CONNECTION: &[&str] = &[
    "accept-ranges",
    "connection",
    "content-length",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authentication-info",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Headers that bind a client to the real host: it would come by another way, or not at all.
const OF_THE_HOST: &[&str] =
    &["alt-svc", "public-key-pins", "public-key-pins-report-only", "strict-transport-security"];

/// What is sent, before it is known to whom.
pub(crate) struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Reply {
    /// The archived answer, or why it cannot be sent.
    pub fn archived(answer: Answer) -> Result<Reply, String> {
        let status =
            StatusCode::from_u16(answer.status).ok().filter(|status| status.as_u16() >= 200);
        let status = status.ok_or_else(|| format!("the archived status is {}", answer.status))?;
        let mut headers = HeaderMap::new();
        let named = named_by_connection(&answer.headers);
        for (name, value) in answer.headers.iter().take(HEADERS) {
            let name = name.to_ascii_lowercase();
            let own = OF_THE_CONNECTION.iter().chain(OF_THE_HOST).any(|own| name == *own);
            if own || named.contains(&name) {
                continue;
            }
            if let (Ok(name), Ok(value)) = (
                HeaderName::from_bytes(name.as_bytes()),
                HeaderValue::from_bytes(value.trim_ascii()),
            ) {
                headers.append(name, value);
            }
        }
        if let Some(fetched_at) = answer.fetched_at {
            let date = HeaderValue::try_from(httpdate::fmt_http_date(fetched_at));
            headers.insert("memento-datetime", date.expect("a date is a header"));
        }
        Ok(Reply { status, headers, body: answer.body })
    }

    /// An answer of the server's own: `what` for programs, `why` for people.
    pub fn own(status: StatusCode, what: &'static str, why: &str) -> Reply {
        let mut headers = HeaderMap::new();
        let plain = HeaderValue::from_static("text/plain; charset=utf-8");
        headers.insert(header::CONTENT_TYPE, plain);
        headers.insert("x-langur", HeaderValue::from_static(what));
        Reply { status, headers, body: Bytes::from(format!("{why}\n")) }
    }

    pub fn with(mut self, name: HeaderName, value: impl Into<HeaderValue>) -> Reply {
        self.headers.insert(name, value.into());
        self
    }

    /// Without the body, as HEAD wants it, and as some statuses must be.
    pub fn into_response(mut self, head: bool, place: Option<Place>) -> Response<Outgoing> {
        let bodiless = matches!(self.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
        if bodiless {
            self.body = Bytes::new();
        } else {
            self.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(self.body.len()));
        }
        let left = if head { Bytes::new() } else { self.body };
        let mut response = Response::new(Outgoing { left, _place: place });
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

/// Headers that the archived `connection` header says concern the connection only.
fn named_by_connection(headers: &[(String, Vec<u8>)]) -> Vec<String> {
    let connections = headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("connection"));
    let names = connections.flat_map(|(_, value)| value.split(|&byte| byte == b','));
    names.map(|name| String::from_utf8_lossy(name.trim_ascii()).to_ascii_lowercase()).collect()
}

/// A body on its way. The request counts as under way to its host until this is sent or given up.
pub(crate) struct Outgoing {
    left: Bytes,
    _place: Option<Place>,
}

impl Outgoing {
    /// Nothing, for a request to no host.
    pub fn empty() -> Outgoing {
        Outgoing { left: Bytes::new(), _place: None }
    }
}

impl Body for Outgoing {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let all = std::mem::take(&mut self.left);
        Poll::Ready((!all.is_empty()).then(|| Ok(Frame::data(all))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn answer(status: u16, headers: &[(&str, &[u8])]) -> Answer {
        let headers = headers.iter().map(|(n, v)| (n.to_string(), v.to_vec())).collect();
        Answer { status, headers, body: Bytes::from_static(b"body"), fetched_at: None }
    }

    #[test]
    fn what_concerned_the_connection_is_left_out() {
        let archived = answer(
            200,
            &[
                ("Transfer-Encoding", b"chunked"),
                ("Content-Length", b"999"),
                ("Connection", b"close, X-Hop"),
                ("x-hop", b"1"),
                ("Set-Cookie", b"a=1"),
                ("Set-Cookie", b" b=2 "),
                ("X-Name", "caf\u{e9}".as_bytes()),
            ],
        );
        let reply = Reply::archived(archived).expect("a reply");
        let response = reply.into_response(false, None);
        let headers: Vec<_> =
            response.headers().iter().map(|(n, v)| (n.as_str(), v.as_bytes())).collect();
        let expected: [(&str, &[u8]); 4] = [
            ("set-cookie", b"a=1"),
            ("set-cookie", b"b=2"),
            ("x-name", "caf\u{e9}".as_bytes()),
            ("content-length", b"4"),
        ];
        assert_eq!(headers, expected);
    }

    #[test]
    fn a_status_that_is_no_answer_is_an_error() {
        for status in [0, 42, 100, 101, 1000] {
            assert!(Reply::archived(answer(status, &[])).is_err(), "{status}");
        }
        assert!(Reply::archived(answer(999, &[])).is_ok());
    }

    #[test]
    fn not_modified_has_no_body_and_no_length() {
        let response =
            Reply::archived(answer(304, &[])).expect("a reply").into_response(false, None);
        assert!(response.body().is_end_stream() && response.headers().is_empty());
    }

    proptest! {
        #[test]
        fn no_header_ends_the_headers(name: String, value: Vec<u8>) {
            let split = [b"a\r\nb: c".to_vec(), b"a\nb".to_vec(), value].concat();
            let headers = vec![(name, split.clone()), ("x-a".to_owned(), split)];
            let answer = Answer { headers, ..answer(200, &[]) };
            prop_assert!(Reply::archived(answer).expect("a reply").headers.is_empty());
        }
    }
}
