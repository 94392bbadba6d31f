//! The request as it is written.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Uri};
use http_body_util::Empty;

use crate::failed::{Failure, FailureKind};
use crate::target::Target;
use crate::{FetchSettings, Request, SettingsError};

/// What is understood, and preferred: pages over all else.
const ACCEPT: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
/// What langur-archive can decode.
const ACCEPT_ENCODING: &str = "gzip, deflate, br, zstd";
/// How messages are framed and routed, which is decided here.
const OURS: [&str; 7] =
    ["host", "connection", "content-length", "transfer-encoding", "te", "upgrade", "expect"];

/// The headers of every request.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    headers: Vec<(&'static str, String)>,
}

/// One request.
pub(crate) struct Asked<'a> {
    ask: &'a Ask,
    request: &'a Request,
    target: &'a Target,
    /// As HTTP/1.1 has it. To a proxy, the whole URL is written.
    pub(crate) bytes: Vec<u8>,
}

impl Asked<'_> {
    /// The same as HTTP/2 has it.
    pub(crate) fn http2(&self) -> Result<http::Request<Empty<Bytes>>, Failure> {
        let cannot = |why: http::Error| {
            Failure::new(FailureKind::BadUrl, format!("HTTP/2 cannot ask for it: {why}"))
        };
        let uri = Uri::builder()
            .scheme("https")
            .authority(self.target.authority.as_str())
            .path_and_query(self.target.path.as_str())
            .build()
            .map_err(cannot)?;
        let mut request = http::Request::get(uri);
        // How long a connection is kept is not said in HTTP/2.
        let headers = self.ask.headers(self.request).filter(|(name, _)| *name != "Connection");
        for (name, value) in headers {
            request = request.header(name, value.as_bytes());
        }
        request.body(Empty::new()).map_err(cannot)
    }
}

impl Ask {
    pub(crate) fn new(settings: &FetchSettings) -> Result<Ask, SettingsError> {
        let mut headers = vec![("User-Agent", settings.user_agent.clone())];
        headers.push(("Accept", ACCEPT.to_owned()));
        headers.extend(settings.accept_language.clone().map(|value| ("Accept-Language", value)));
        headers.push(("Accept-Encoding", ACCEPT_ENCODING.to_owned()));
        headers.extend(settings.from.clone().map(|value| ("From", value)));
        for (name, value) in &headers {
            if !is_value(value) {
                return Err(SettingsError::Header(name, value.clone()));
            }
        }
        if settings.idle_connections.is_zero() {
            headers.push(("Connection", "close".to_owned()));
        }
        Ok(Ask { headers })
    }

    /// The headers of one request but for `Host`, in the order they are sent.
    fn headers<'a>(&'a self, request: &'a Request) -> impl Iterator<Item = (&'a str, &'a str)> {
        let instead =
            |name: &str| given(request).any(|(other, _)| other.eq_ignore_ascii_case(name));
        let own = self.headers.iter().filter(move |(name, _)| !instead(name));
        own.map(|(name, value)| (*name, value.as_str())).chain(given(request))
    }

    /// A request, written.
    pub(crate) fn asked<'a>(
        &'a self,
        request: &'a Request,
        target: &'a Target,
        to_proxy: bool,
    ) -> Asked<'a> {
        Asked { ask: self, request, target, bytes: self.write(request, target, to_proxy) }
    }

    fn write(&self, request: &Request, target: &Target, to_proxy: bool) -> Vec<u8> {
        let mut line = Vec::with_capacity(512);
        line.extend_from_slice(b"GET ");
        if to_proxy {
            line.extend_from_slice(b"http://");
            line.extend_from_slice(target.authority.as_bytes());
        }
        for part in [target.path.as_str(), " HTTP/1.1\r\nHost: ", &target.authority, "\r\n"] {
            line.extend_from_slice(part.as_bytes());
        }
        for (name, value) in self.headers(request) {
            for part in [name, ": ", value, "\r\n"] {
                line.extend_from_slice(part.as_bytes());
            }
        }
        line.extend_from_slice(b"\r\n");
        line
    }
}

/// What the caller adds, as far as it can be sent.
fn given(request: &Request) -> impl Iterator<Item = (&str, &str)> {
    let sendable = |name: &str, value: &str| {
        is_value(value)
            && HeaderName::from_bytes(name.as_bytes()).is_ok()
            && !OURS.iter().any(|ours| ours.eq_ignore_ascii_case(name))
    };
    let headers = request.headers.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    headers.filter(move |(name, value)| sendable(name, value))
}

fn is_value(value: &str) -> bool {
    HeaderValue::from_bytes(value.as_bytes()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(headers: &[(&str, &str)], to_proxy: bool, expected: &str) {
        let from = Some("me@example.org".to_owned());
        let language = Some("th".to_owned());
        let settings =
            FetchSettings { from, accept_language: language, ..FetchSettings::default() };
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        let mut request = Request::of("http://a.example:81/b?c");
        request.headers = headers.iter().map(own).collect();
        let target = Target::of(&request.url).expect("a target");
        let written = Ask::new(&settings).expect("headers").write(&request, &target, to_proxy);
        assert_eq!(String::from_utf8(written).expect("text"), expected);
    }

    #[test]
    fn a_request_says_who_asks_and_what_is_understood() {
        let common = "Host: a.example:81\r\nUser-Agent: langur/0.1.0\r\nAccept: text/html,\
            application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: th\r\n\
            Accept-Encoding: gzip, deflate, br, zstd\r\nFrom: me@example.org\r\n";
        check(&[], false, &format!("GET /b?c HTTP/1.1\r\n{common}\r\n"));
        check(&[], true, &format!("GET http://a.example:81/b?c HTTP/1.1\r\n{common}\r\n"));
        let tag = ("If-None-Match", "\"x\"");
        let expected = format!("GET /b?c HTTP/1.1\r\n{common}If-None-Match: \"x\"\r\n\r\n");
        check(&[tag], false, &expected);
        // What would break the message, or is not the caller's to say.
        let bad = [tag, ("If-None-Match", "x\r\nX: y"), ("A b", "c"), ("host", "evil.example")];
        check(&bad, false, &expected);
    }

    #[test]
    fn the_caller_may_say_otherwise() {
        let given = [("accept", "text/plain"), ("accept-encoding", "identity"), ("From", "you")];
        let expected = "GET /b?c HTTP/1.1\r\nHost: a.example:81\r\nUser-Agent: langur/0.1.0\r\n\
            Accept-Language: th\r\naccept: text/plain\r\naccept-encoding: identity\r\nFrom: you\r\n\r\n";
        check(&given, false, expected);
    }

    #[test]
    fn a_name_of_two_lines_is_refused() {
        let settings = FetchSettings { user_agent: "a\r\nb".to_owned(), ..Default::default() };
        let refused = Ask::new(&settings).expect_err("two lines");
        assert_eq!(refused, SettingsError::Header("User-Agent", "a\r\nb".to_owned()));
    }
}
