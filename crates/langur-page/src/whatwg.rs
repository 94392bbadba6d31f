//! URLs as the WHATWG standard reads them.
//!
//! A [`Url`] is the standard's *URL record*, made by its basic URL parser from any text, with or
//! without a base, with the query in any encoding. Every scheme is read; which of them can be crawled
//! is for [`Address`] to say.
//!
//! The crate `url` reads URLs too. It was not enough: it refuses links such as `///host/path`, which
//! browsers follow, and host names with a label that starts with `xn--` and is no Punycode, which the
//! standard has allowed since 2025; and it leaves `^` in paths. Here the standard's own test suite
//! passes whole (`tests/url_conformance.rs`), and where `url` is right, a property holds the two
//! together.

mod host;
mod parser;
mod percent;
pub mod setters;

use std::fmt;

use encoding_rs::Encoding;
use thiserror::Error;

use crate::Address;

pub use host::Host;
pub(crate) use host::{v4_number, v4_of_numbers};
pub(crate) use parser::split_scheme;
pub(crate) use percent::{escaped, push_escape};

/// A URL record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    scheme: String,
    username: String,
    password: String,
    host: Option<Host>,
    /// `None` for the scheme's own.
    port: Option<u16>,
    /// A list of segments, each after its slash, unless `opaque`.
    path: String,
    opaque: bool,
    query: Option<String>,
    fragment: Option<String>,
}

/// Why a text is not a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotAUrl {
    /// No scheme, and no base to take it from.
    #[error("it has no scheme and stands alone")]
    Relative,
    /// A scheme or user name, and no host where one is needed.
    #[error("the host is missing")]
    NoHost,
    /// A host that no host can be called.
    #[error("the host name is not valid")]
    BadHost,
    /// A host that looks like an address and is none.
    #[error("the host's address is not valid")]
    BadAddress,
    /// A port that is not a number up to 65535.
    #[error("the port is not valid")]
    BadPort,
}

impl Url {
    /// Reads a URL that stands alone.
    pub fn parse(text: &str) -> Result<Url, NotAUrl> {
        parser::parse(text, None, encoding_rs::UTF_8)
    }

    /// Reads a URL that may be relative to this one.
    pub fn join(&self, text: &str) -> Result<Url, NotAUrl> {
        parser::parse(text, Some(self), encoding_rs::UTF_8)
    }

    /// Reads a URL that may be relative to this one, on a page in this encoding, which is the encoding
    /// of its query.
    pub fn join_encoded(&self, text: &str, encoding: &'static Encoding) -> Result<Url, NotAUrl> {
        parser::parse(text, Some(self), encoding)
    }

    /// The scheme, without the colon.
    pub fn scheme(&self) -> &str {
        &self.scheme
    }

    /// The user name; empty without one.
    pub fn username(&self) -> &str {
        &self.username
    }

    /// The password; empty without one.
    pub fn password(&self) -> &str {
        &self.password
    }

    /// The host.
    pub fn host(&self) -> Option<&Host> {
        self.host.as_ref()
    }

    /// The port, if it is not the scheme's own.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The path. It starts with a slash if the scheme is special.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The query, without the question mark.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    /// The fragment, without the hash sign.
    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// Whether the path is one opaque text, as in `mailto:me@example.org`, so that nothing can be
    /// relative to it.
    pub fn is_opaque(&self) -> bool {
        self.opaque
    }

    /// The origin, serialised; `null` for an opaque one.
    pub fn origin(&self) -> String {
        match self.scheme.as_str() {
            "blob" => match Url::parse(&self.path) {
                Ok(inner) if matches!(inner.scheme.as_str(), "http" | "https") => inner.origin(),
                _ => "null".to_owned(),
            },
            "file" => "null".to_owned(),
            scheme if is_special(scheme) => format!("{scheme}://{}", self.host_and_port()),
            _ => "null".to_owned(),
        }
    }

    /// The host with the port if it is not the scheme's own.
    pub fn host_and_port(&self) -> String {
        match (&self.host, self.port) {
            (None, _) => String::new(),
            (Some(host), None) => host.to_string(),
            (Some(host), Some(port)) => format!("{host}:{port}"),
        }
    }

    fn special(&self) -> bool {
        is_special(&self.scheme)
    }

    fn has_credentials(&self) -> bool {
        !self.username.is_empty() || !self.password.is_empty()
    }
}

impl From<&Address> for Url {
    fn from(address: &Address) -> Url {
        let (path, query) = match address.path.split_once('?') {
            Some((path, query)) => (path, Some(query.to_owned())),
            None => (address.path.as_str(), None),
        };
        let (host, port) = parser::split_port(&address.host);
        Url {
            scheme: address.scheme.name().to_owned(),
            host: Some(Host::Name(host.to_owned())),
            port: port.and_then(|port| port.parse().ok()),
            path: path.to_owned(),
            query,
            ..Url::empty()
        }
    }
}

impl fmt::Display for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.scheme)?;
        if let Some(host) = &self.host {
            f.write_str("//")?;
            if self.has_credentials() {
                f.write_str(&self.username)?;
                if !self.password.is_empty() {
                    write!(f, ":{}", self.password)?;
                }
                f.write_str("@")?;
            }
            write!(f, "{host}")?;
            if let Some(port) = self.port {
                write!(f, ":{port}")?;
            }
        } else if !self.opaque && self.path.starts_with("//") {
            // Or the path's first segments would be read as a host.
            f.write_str("/.")?;
        }
        f.write_str(&self.path)?;
        if let Some(query) = &self.query {
            write!(f, "?{query}")?;
        }
        if let Some(fragment) = &self.fragment {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

/// Whether a scheme is one of those whose URLs have a host and a path like the web's.
fn is_special(scheme: &str) -> bool {
    matches!(scheme, "http" | "https" | "ws" | "wss" | "ftp" | "file")
}

fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(base: &str, link: &str, url: &str) {
        let base = Url::parse(base).expect("a base");
        assert_eq!(base.join(link).map(|url| url.to_string()), Ok(url.to_owned()));
    }

    #[test]
    fn slashes_do_not_count_before_a_host() {
        check("http://a.example/", "///b.example/c", "http://b.example/c");
        check("http://a.example/", "\\\\\\b.example", "http://b.example/");
        check("http://a.example/", "https:b.example", "https://b.example/");
        check("foo://a/b", "///c", "foo:///c");
    }

    #[test]
    fn what_cannot_be_a_host_is_told() {
        let error = |text| Url::parse(text).expect_err("no URL");
        assert_eq!(error("http://a b/"), NotAUrl::BadHost);
        assert_eq!(error("http://1.2.3.256/"), NotAUrl::BadAddress);
        assert_eq!(error("http://[::1/"), NotAUrl::BadAddress);
        assert_eq!(error("http://a:65536/"), NotAUrl::BadPort);
        assert_eq!(error("http://me@/"), NotAUrl::NoHost);
        assert_eq!(error("a.example"), NotAUrl::Relative);
    }

    #[test]
    fn addresses_have_one_form() {
        let host = |text| Host::parse(text).map(|host| host.to_string());
        assert_eq!(host("0x7F.1"), Ok("127.0.0.1".to_owned()));
        assert_eq!(host("[1:0::0:2:0:0]"), Ok("[1::2:0:0]".to_owned()));
        assert_eq!(host("[::ffff:1.2.3.4]"), Ok("[::ffff:102:304]".to_owned()));
    }
}
