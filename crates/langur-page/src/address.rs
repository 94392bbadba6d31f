//! URLs in canonical form, and the order they are kept in.
//!
//! The canonical form is what the WHATWG URL standard makes of a URL, less its fragment, user name
//! and password; default ports vanish and host names are in lower case and ASCII. Only `http` and
//! `https` count. Canonicalising twice changes nothing.
//!
//! Web spaces are sorted by the host with its labels reversed, then path and query, then scheme, so
//! that pages of one domain are neighbours.

use std::net::{Ipv4Addr, Ipv6Addr};

use thiserror::Error;
use url::Url;

/// A canonical URL in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// `http` or `https`.
    pub scheme: Scheme,
    /// The host, with the port if it is not the scheme's own.
    pub host: String,
    /// Path and query; starts with a slash.
    pub path: String,
}

/// The schemes that can be crawled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scheme {
    /// `http`
    Http,
    /// `https`
    Https,
}

impl Scheme {
    /// As it stands in a URL, with the slashes.
    pub fn prefix(self) -> &'static str {
        match self {
            Scheme::Http => "http://",
            Scheme::Https => "https://",
        }
    }
}

/// Why something is not the URL of a page.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AddressError {
    /// Not a URL at all.
    #[error("\"{0}\" is not a URL: {1}")]
    NotAUrl(String, url::ParseError),
    /// A URL of something else.
    #[error("\"{0}\" is not an http or https URL")]
    NotWeb(String),
}

impl Address {
    /// Reads a URL and brings it into canonical form.
    pub fn parse(text: &str) -> Result<Address, AddressError> {
        let url =
            Url::parse(text).map_err(|error| AddressError::NotAUrl(text.to_owned(), error))?;
        let scheme = match url.scheme() {
            "http" => Scheme::Http,
            "https" => Scheme::Https,
            _ => return Err(AddressError::NotWeb(text.to_owned())),
        };
        let name = url.host_str().ok_or_else(|| AddressError::NotWeb(text.to_owned()))?;
        let host = match url.port() {
            Some(port) => format!("{name}:{port}"),
            None => name.to_owned(),
        };
        let path = match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        };
        Ok(Address { scheme, host, path })
    }

    /// The path up to and including its last slash, without the query.
    pub fn directory(&self) -> &str {
        directory(&self.path)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}{}", self.scheme.prefix(), self.host, self.path)
    }
}

fn directory(path: &str) -> &str {
    let end = path.find('?').unwrap_or(path.len());
    let slash = path[..end].rfind('/').map_or(0, |slash| slash + 1);
    &path[..slash]
}

/// The host with its labels reversed and separated by commas, so that hosts of one domain sort
/// together: `www.example.co.th:81` becomes `th,co,example,www:81`. Addresses stay as they are.
pub fn host_key(host: &str) -> String {
    let (name, port) = split_port(host);
    if is_ip(name) {
        return host.to_owned();
    }
    reversed(name, '.', ",") + port
}

/// The host that has this key.
pub fn host_from_key(key: &str) -> String {
    let (name, port) = split_port(key);
    if !name.contains(',') {
        return key.to_owned();
    }
    reversed(name, ',', ".") + port
}

fn reversed(labels: &str, between: char, joint: &str) -> String {
    labels.rsplit(between).collect::<Vec<_>>().join(joint)
}

/// The registrable domain of a host by the public suffix list, or the host itself where it has none
/// (addresses, single labels, public suffixes).
pub fn registrable_domain(host: &str) -> &str {
    let (name, _) = split_port(host);
    if is_ip(name) {
        return name;
    }
    psl::domain_str(name).unwrap_or(name)
}

/// The last label of a host; `None` for addresses.
pub fn top_level_domain(host: &str) -> Option<&str> {
    let (name, _) = split_port(host);
    if is_ip(name) {
        return None;
    }
    name.trim_end_matches('.').rsplit('.').next().filter(|tld| !tld.is_empty())
}

/// Splits off the port, colon included.
fn split_port(host: &str) -> (&str, &str) {
    let colon =
        host.rfind(':').filter(|&colon| host[colon + 1..].bytes().all(|b| b.is_ascii_digit()));
    match colon {
        Some(colon) if !host[..colon].contains(':') || host[..colon].ends_with(']') => {
            host.split_at(colon)
        }
        _ => (host, ""),
    }
}

fn is_ip(name: &str) -> bool {
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<Ipv4Addr>().is_ok() || bare.parse::<Ipv6Addr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, canonical: &str) {
        let address = Address::parse(url).expect("a URL").to_string();
        assert_eq!(address, canonical);
        assert_eq!(Address::parse(&address).expect("a canonical URL").to_string(), canonical);
    }

    #[test]
    fn urls_become_canonical() {
        check("HTTP://WWW.Example.Com:80/a/../b?q=1#frag", "http://www.example.com/b?q=1");
        check("https://user:secret@example.com:8443", "https://example.com:8443/");
        check(
            "http://ไทย.ไทย/หน้า",
            "http://xn--o3cw4h.xn--o3cw4h/%E0%B8%AB%E0%B8%99%E0%B9%89%E0%B8%B2",
        );
        check("http://[::1]:8080/", "http://[::1]:8080/");
        check("http://010.0.0.1/", "http://8.0.0.1/");
    }

    #[test]
    fn what_cannot_be_crawled_is_refused() {
        assert!(matches!(Address::parse("mailto:a@b.c"), Err(AddressError::NotWeb(_))));
        assert!(matches!(Address::parse("no url"), Err(AddressError::NotAUrl(..))));
    }

    #[test]
    fn host_keys_go_both_ways() {
        for (host, key) in [
            ("www.example.co.th", "th,co,example,www"),
            ("example.com:81", "com,example:81"),
            ("localhost", "localhost"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("[::1]:8080", "[::1]:8080"),
        ] {
            assert_eq!(host_key(host), key);
            assert_eq!(host_from_key(key), host);
        }
    }

    #[test]
    fn domains_follow_the_public_suffix_list() {
        assert_eq!(registrable_domain("www.matichon.co.th"), "matichon.co.th");
        assert_eq!(registrable_domain("a.b.example.com:81"), "example.com");
        assert_eq!(registrable_domain("127.0.0.1"), "127.0.0.1");
        assert_eq!(registrable_domain("com"), "com");
        assert_eq!(top_level_domain("www.matichon.co.th"), Some("th"));
        assert_eq!(top_level_domain("127.0.0.1:8080"), None);
    }

    #[test]
    fn directories_end_at_the_last_slash_of_the_path() {
        let directory = |url| Address::parse(url).expect("a URL").directory().to_owned();
        assert_eq!(directory("http://a.b/c/d.html"), "/c/");
        assert_eq!(directory("http://a.b/c/d?e=/f/g"), "/c/");
        assert_eq!(directory("http://a.b"), "/");
    }
}
