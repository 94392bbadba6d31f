//! URLs in canonical form, and the order they are kept in.
//!
//! The canonical form is what the WHATWG URL standard makes of a URL, less what no server is told or
//! can tell apart: fragment, user name and password, the dot after a host, the question mark of an
//! empty query, and the different ways to percent-encode one text. Only `http` and `https` count.
//! Canonicalising twice changes nothing. `docs/urls.md` has every step, with its reason.
//!
//! Web spaces are sorted by the host with its labels reversed, then path and query, then scheme, so
//! that pages of one domain are neighbours.

mod base;
mod host_name;
mod limits;
mod plain;
mod tidy;

use std::net::IpAddr;

use memchr::{memchr, memrchr};
use thiserror::Error;

use crate::whatwg::{Host, NotAUrl, Url};

pub use base::{Base, NotAPage};
pub use host_name::HostName;
pub use limits::{Excess, Limits};
pub(crate) use tidy::{tidy, without_last_dot};

/// A canonical URL in its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Address {
    /// `http` or `https`.
    pub scheme: Scheme,
    /// The host, with the port if it is not the scheme's own.
    pub host: HostName,
    /// Path and query; starts with a slash.
    pub path: String,
}

/// The schemes that can be crawled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scheme {
    /// `http`
    Http,
    /// `https`
    Https,
}

impl Scheme {
    /// The scheme of this name, in lower case.
    pub fn named(name: &str) -> Option<Scheme> {
        match name {
            "http" => Some(Scheme::Http),
            "https" => Some(Scheme::Https),
            _ => None,
        }
    }

    /// As it stands in a URL, without colon and slashes.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

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
    NotAUrl(String, NotAUrl),
    /// A URL of something else.
    #[error("\"{0}\" is not an http or https URL")]
    NotWeb(String),
}

impl Address {
    /// Reads a URL and brings it into canonical form.
    pub fn parse(text: &str) -> Result<Address, AddressError> {
        let url =
            Url::parse(text).map_err(|error| AddressError::NotAUrl(text.to_owned(), error))?;
        Address::from_url(&url).ok_or_else(|| AddressError::NotWeb(text.to_owned()))
    }

    /// Brings a URL into canonical form; `None` if it is not of the web.
    pub fn from_url(url: &Url) -> Option<Address> {
        let scheme = Scheme::named(url.scheme())?;
        let mut host = match url.host()? {
            Host::Name(name) => without_last_dot(name.clone()),
            address => address.to_string(),
        };
        if let Some(port) = url.port() {
            host = format!("{host}:{port}");
        }
        let mut path = tidy(url.path());
        if let Some(query) = url.query().filter(|query| !query.is_empty()) {
            path.push('?');
            path.push_str(&tidy(query));
        }
        Some(Address { scheme, host: host.into(), path })
    }

    /// The SURT, by which pages of one domain sort together: `com,example,www)/path?query`. It is the
    /// [`host_key`], a parenthesis, and path and query as they are. The keys of CDX files look the
    /// same and say less: see [`cdx_key`](crate::canon::archive::cdx_key).
    pub fn surt(&self) -> String {
        format!("{}){}", host_key(&self.host), self.path)
    }

    /// Adds the whole URL to a text, for where many are written.
    pub fn write_to(&self, text: &mut String) {
        let parts = self.parts();
        text.reserve(parts.iter().map(|part| part.len()).sum());
        parts.iter().for_each(|part| text.push_str(part));
    }

    fn parts(&self) -> [&str; 3] {
        [self.scheme.prefix(), &self.host, &self.path]
    }

    /// The path up to and including its last slash, without the query.
    pub fn directory(&self) -> &str {
        directory(&self.path)
    }
}

impl std::fmt::Display for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.parts().into_iter().try_for_each(|part| f.write_str(part))
    }
}

/// The path up to and including its last slash, without the query.
pub fn directory(path: &str) -> &str {
    let bytes = path.as_bytes();
    let end = memchr(b'?', bytes).unwrap_or(bytes.len());
    let slash = memrchr(b'/', &bytes[..end]).map_or(0, |slash| slash + 1);
    &path[..slash]
}

/// The host with its labels reversed and separated by commas, so that hosts of one domain sort
/// together: `www.example.co.th:81` becomes `th,co,example,www:81`. Addresses stay as they are. A
/// comma in a label, which the standard allows and no real host has, becomes `%2C`.
pub fn host_key(host: &str) -> String {
    let (name, port) = split_port(host);
    if ip_address(name).is_some() {
        return host.to_owned();
    }
    if name.contains(',') {
        return reversed(&name.replace(',', COMMA), '.', ",") + port;
    }
    reversed(name, '.', ",") + port
}

/// The host that has this key.
pub fn host_from_key(key: &str) -> String {
    let (name, port) = split_port(key);
    let host = reversed(name, ',', ".") + port;
    if host.contains(COMMA) { host.replace(COMMA, ",") } else { host }
}

/// A comma in a host's key. No host holds a percent sign.
const COMMA: &str = "%2C";

fn reversed(labels: &str, between: char, joint: &str) -> String {
    let mut reversed = String::with_capacity(labels.len());
    for (at, label) in labels.rsplit(between).enumerate() {
        reversed.push_str(if at == 0 { "" } else { joint });
        reversed.push_str(label);
    }
    reversed
}

/// The registrable domain of a host by the public suffix list, or the host itself where it has none
/// (addresses, single labels, public suffixes).
pub fn registrable_domain(host: &str) -> &str {
    let (name, _) = split_port(host);
    registrable(host).unwrap_or(name)
}

/// The registrable domain of a host by the public suffix list, where it has one. The host must be as
/// in an [`Address`]: in lower case and ASCII.
pub fn registrable(host: &str) -> Option<&str> {
    let (name, _) = split_port(host);
    if ip_address(name).is_some() || name.starts_with('.') {
        return None;
    }
    psl::domain_str(name)
}

/// The last label of a host; `None` for addresses.
pub fn top_level_domain(host: &str) -> Option<&str> {
    let (name, _) = split_port(host);
    if ip_address(name).is_some() {
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

/// A host without its port.
pub fn without_port(host: &str) -> &str {
    split_port(host).0
}

/// The address that a host without its port is, if it is one. Those of IPv6 may stand in brackets.
pub fn ip_address(name: &str) -> Option<IpAddr> {
    name.trim_start_matches('[').trim_end_matches(']').parse().ok()
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
    fn what_servers_cannot_tell_apart_is_one() {
        check("http://example.com./", "http://example.com/");
        check("http://example.com.:81/", "http://example.com:81/");
        check("http://example.com../", "http://example.com../");
        check("http://example.com/?", "http://example.com/");
        check("http://example.com/%41%2d%7E%c3%a4/%2f", "http://example.com/A-~%C3%A4/%2F");
        check(
            "http://example.com/?a[]=1|2^3&b={4}`\\",
            "http://example.com/?a%5B%5D=1%7C2%5E3&b=%7B4%7D%60%5C",
        );
        check("http://example.com/[90%]?100%", "http://example.com/%5B90%25%5D?100%25");
        check("http://example.com/%2%65", "http://example.com/%252e");
    }

    #[test]
    fn what_servers_can_tell_apart_is_not() {
        for url in [
            "http://www.example.com/A//b/?b=2&a=1&a=&c",
            "http://example.com/%20+%2B;jsessionid=1?PHPSESSID=2",
            "http://example.com/index.html",
        ] {
            check(url, url);
        }
    }

    #[test]
    fn labels_that_claim_to_be_punycode_are_believed() {
        check("http://xn--a.XN--.example/", "http://xn--a.xn--.example/");
    }

    #[test]
    fn surts_are_host_key_and_path() {
        let surt = |url| Address::parse(url).expect("a URL").surt();
        assert_eq!(surt("https://www.example.co.th:81/A?b"), "th,co,example,www:81)/A?b");
        assert_eq!(surt("http://127.0.0.1/"), "127.0.0.1)/");
        assert_eq!(surt("http://[::1]:8080/"), "[::1]:8080)/");
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
            ("a,b.example", "example,a%2Cb"),
            ("1,2,3,4", "1%2C2%2C3%2C4"),
        ] {
            assert_eq!(host_key(host), key);
            assert_eq!(host_from_key(key), host);
        }
    }

    #[test]
    fn a_host_is_a_name_or_an_address_with_or_without_a_port() {
        for (host, name, is_address) in [
            ("a.example", "a.example", false),
            ("a.example:81", "a.example", false),
            ("127.0.0.1", "127.0.0.1", true),
            ("127.0.0.1:81", "127.0.0.1", true),
            ("[::1]", "[::1]", true),
            ("[2001:db8::2]:81", "[2001:db8::2]", true),
        ] {
            assert_eq!(without_port(host), name);
            assert_eq!(ip_address(name).is_some(), is_address, "{host}");
        }
    }

    #[test]
    fn domains_follow_the_public_suffix_list() {
        assert_eq!(registrable_domain("www.matichon.co.th"), "matichon.co.th");
        assert_eq!(registrable_domain("a.b.example.com:81"), "example.com");
        assert_eq!(registrable_domain("127.0.0.1"), "127.0.0.1");
        assert_eq!(registrable_domain("com"), "com");
        assert_eq!(registrable("com"), None);
        assert_eq!(registrable("[::1]:80"), None);
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
