//! Links that need no repair.
//!
//! Most links are in canonical form already: all that is to be done is to put the base before them.
//! Whatever is not certain to come out of the URL parser and the canonical form as it went in is left to
//! them; a property holds what is done here to what they do.

use super::host_name::HostNames;
use super::tidy::{is_plain, is_unreserved, tidy};
use super::{Address, HostName, Scheme};
use crate::whatwg::{Url, escaped};

/// A base as plain links need it.
#[derive(Clone, Debug)]
pub struct Plain {
    scheme: Scheme,
    host: HostName,
    /// Other hosts that links lead to.
    others: HostNames,
    /// In canonical form, and without the query.
    path: String,
    /// The length of its directory.
    directory: usize,
}

impl Plain {
    /// Of a base that is of the web.
    pub fn new(base: &Url) -> Option<Plain> {
        let Address { scheme, host, .. } = Address::from_url(base)?;
        let path = tidy(base.path());
        let directory = super::directory(&path).len();
        path.starts_with('/').then(|| Plain {
            scheme,
            host,
            others: HostNames::default(),
            path,
            directory,
        })
    }

    /// The page a link leads to, if the link is plain.
    pub fn resolve(&mut self, link: &str) -> Option<Address> {
        let (scheme, rest) = if let Some(rest) = link.strip_prefix("http://") {
            (Scheme::Http, rest)
        } else if let Some(rest) = link.strip_prefix("https://") {
            (Scheme::Https, rest)
        } else if let Some(rest) = link.strip_prefix("//") {
            (self.scheme, rest)
        } else {
            let path = self.relative(link)?;
            return Some(Address { scheme: self.scheme, host: self.host.clone(), path });
        };
        let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
        let (host, rest) = rest.split_at(end.unwrap_or(rest.len()));
        let path = joined(if rest.starts_with('/') { "" } else { "/" }, rest)?;
        let host = match self.host == host {
            true => self.host.clone(),
            false => is_plain_host(host).then(|| self.others.share(host))?,
        };
        Some(Address { scheme, host, path })
    }

    /// The path and query of a link without a host.
    fn relative(&self, link: &str) -> Option<String> {
        match link.as_bytes().first()? {
            b'/' => return joined("", link),
            b'?' => return joined(&self.path, link),
            b'#' => return None, // keeps the base's query
            _ => {}
        }
        let (mut directory, mut rest) = (&self.path[..self.directory], link);
        loop {
            if let Some(behind) = rest.strip_prefix("../") {
                (directory, rest) = (parent(directory), behind);
            } else if let Some(behind) = rest.strip_prefix("./") {
                rest = behind;
            } else {
                break;
            }
        }
        // What stands before a colon may be a scheme.
        let first = rest.bytes().find(|byte| matches!(byte, b':' | b'/' | b'?'));
        if first == Some(b':') { None } else { joined(directory, rest) }
    }
}

/// A directory without its last segment, if it has one.
fn parent(directory: &str) -> &str {
    let inner = directory.strip_suffix('/').unwrap_or(directory);
    let slash = inner.bytes().rposition(|byte| byte == b'/');
    slash.map_or(directory, |slash| &directory[..=slash])
}

/// A link behind its base, without its fragment, if it is plain: no segment begins with a dot, and all
/// its characters are such that nobody encodes or decodes them.
fn joined(base: &str, link: &str) -> Option<String> {
    let bytes = link.as_bytes();
    let (mut at, mut before, mut query) = (0, b'/', None);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'#' => break,
            b'?' => query = query.or(Some(at)),
            b'.' if before == b'/' && query.is_none() => return None,
            b'%' if stays(&bytes[at..]) => at += 2,
            b'\'' => return None, // may stand in a path, and not in a query
            _ if is_plain(byte) => {}
            _ => return None,
        }
        before = byte;
        at += 1;
    }
    // A question mark with nothing behind it says nothing.
    let end = if query.is_some_and(|query| query + 1 == at) { at - 1 } else { at };
    let mut path = String::with_capacity(base.len() + end);
    path.push_str(base);
    path.push_str(&link[..end]);
    Some(path)
}

/// Whether the text starts with an escape as it is in canonical form.
fn stays(text: &[u8]) -> bool {
    let lower = |text: &[u8]| text.iter().take(3).any(u8::is_ascii_lowercase);
    escaped(text).is_some_and(|byte| !is_unreserved(byte)) && !lower(text)
}

/// Whether a host is a name in lower case that cannot be taken for an address.
fn is_plain_host(host: &str) -> bool {
    let in_names = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_');
    let last = host.rsplit('.').next().unwrap_or(host);
    let is_name = host.bytes().all(in_names) && last.starts_with(|c: char| c.is_ascii_lowercase());
    // Not everything that looks like an encoded name is one.
    is_name && !host.contains("xn--")
}

#[cfg(test)]
mod tests {
    use encoding_rs::{ISO_2022_JP, UTF_8, WINDOWS_874};
    use proptest::prelude::*;

    use super::*;

    fn plain(base: &str, link: &str) -> Option<String> {
        let mut base = Plain::new(&Url::parse(base).expect("a URL")).expect("a URL of the web");
        base.resolve(link).map(|page| page.to_string())
    }

    #[test]
    fn the_links_of_most_pages_are_plain() {
        for (link, page) in [
            ("e.html", "http://a.example:81/b/e.html"),
            ("/e/f/?g=h&i=%2F#j", "http://a.example:81/e/f/?g=h&i=%2F"),
            ("?e", "http://a.example:81/b/c?e"),
            ("?", "http://a.example:81/b/c"),
            ("../../e/", "http://a.example:81/e/"),
            ("./", "http://a.example:81/b/"),
            ("https://www.e.example", "https://www.e.example/"),
            ("//e.example?f:g", "http://e.example/?f:g"),
            ("/%E0%B8%81", "http://a.example:81/%E0%B8%81"),
        ] {
            assert_eq!(plain("http://a.example:81/b/c?d", link).as_deref(), Some(page), "{link}");
        }
    }

    #[test]
    fn what_may_change_is_left_to_the_parser() {
        for link in [
            "",
            "#e",
            "e:f",
            "http:e",
            "HTTP://e.example/",
            "//E.example/",
            "//1.2.3.4/",
            "//xn--a/",
            "//0x1/",
            "//e.example:80/",
            "//me@e.example/",
            "///e",
            "e/..",
            "e/./f",
            ".e",
            "/%2e",
            "/%c3%a4",
            "/%41",
            "/%",
            "e f",
            "e\tf",
            "/\\e",
            "ä",
            "?'",
            "/[e]",
            "/|",
        ] {
            assert_eq!(plain("http://a.example/b/c?d", link), None, "{link}");
        }
    }

    fn link() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            8 => prop::sample::select(vec!["/", ".", "..", "../", "./", "?", "#", "&", "=", ":", "//"]),
            2 => prop::sample::select(vec!["%", "%2e", "%2F", "%2f", "%25", "%41", "%E0", "%zz"]),
            2 => prop::sample::select(vec!["@", "'", "[", "\\", "|", " ", "\t", "ä", "~", "(", ","]),
            8 => prop::sample::select(vec!["a", "b.c", "A", "e.example", "www.", "0", "1", "0x1", "-", "_", "xn--a"]),
        ];
        let start = vec!["", "", "http://", "https://", "//", "/", "http:", "http://e.example"];
        (prop::sample::select(start), prop::collection::vec(piece, 0..8))
            .prop_map(|(start, pieces)| start.to_owned() + &pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5000))]

        #[test]
        fn plain_links_are_as_the_parser_has_them(base in link(), link in link()) {
            let page = Url::parse("http://a.example/b/c?d").expect("a URL");
            let base = page.join(&base).unwrap_or(page);
            let Some(plain) = Plain::new(&base).and_then(|mut base| base.resolve(&link)) else {
                return Ok(());
            };
            for encoding in [UTF_8, WINDOWS_874, ISO_2022_JP] {
                let url = base.join_encoded(&link, encoding);
                let address = url.ok().and_then(|url| Address::from_url(&url));
                prop_assert_eq!(address.as_ref(), Some(&plain));
            }
        }
    }
}
