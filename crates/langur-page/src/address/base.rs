//! What the links of a page point to.

use encoding_rs::Encoding;
use thiserror::Error;

use super::plain::Plain;
use super::{Address, Scheme};
use crate::whatwg::{NotAUrl, Url};

/// What the links of one page are relative to: made once for a page, asked for every link.
#[derive(Clone, Debug)]
pub struct Base {
    url: Url,
    /// The same for links that need no repair, if it is of the web.
    plain: Option<Plain>,
    encoding: &'static Encoding,
    /// Whether this is the page itself, so that a fragment alone leads nowhere.
    is_page: bool,
    /// Whether the page has a base too long for anything to be relative to.
    is_too_long: bool,
}

/// A base of more bytes is a trap: each link of a page would be as long, and a page has a million links.
const LONGEST: usize = 4096;

/// Why a link leads to no other page. There are many such links, so this allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum NotAPage {
    /// A fragment, or nothing: the page itself.
    #[error("it stays on the page")]
    SamePage,
    /// `mailto:`, `javascript:`, `data:` and all else that is not `http` or `https`.
    #[error("it is not an http or https URL")]
    NotWeb,
    /// Not a URL.
    #[error("it is not a URL: {0}")]
    NotAUrl(#[from] NotAUrl),
    /// Relative to a base that is too long.
    #[error("the page's base has more than {LONGEST} bytes")]
    LongBase,
}

impl Base {
    /// Links are relative to the page's own URL. Their queries are in the page's encoding; whatever it
    /// has no character for becomes a character reference, as in browsers.
    pub fn new(page: &Address, encoding: &'static Encoding) -> Base {
        let url = Url::from(page);
        Base { plain: Plain::new(&url), url, encoding, is_page: true, is_too_long: false }
    }

    /// Links are relative to the `href` of the page's first `base` element that has one. One that is no
    /// URL counts for nothing, nor does a `data:` or `javascript:` URL. With one that is too long, only links that name their
    /// host lead anywhere.
    pub fn with_href(self, href: &str) -> Base {
        match self.url(href) {
            Err(_) => self,
            Ok(url) if matches!(url.scheme(), "data" | "javascript") => self,
            Ok(url) if url.to_string().len() > LONGEST => {
                Base { is_page: false, is_too_long: true, ..self }
            }
            Ok(url) => Base { plain: Plain::new(&url), url, is_page: false, ..self },
        }
    }

    /// The URL a link means, of whatever scheme, as the WHATWG standard has it: not canonical, and with
    /// its fragment.
    pub fn url(&self, link: &str) -> Result<Url, NotAUrl> {
        self.url.join_encoded(link, self.encoding)
    }

    /// The page a link leads to.
    pub fn resolve(&mut self, link: &str) -> Result<Address, NotAPage> {
        let is_bare = |byte: Option<&u8>| byte.is_some_and(|&byte| byte > b' ');
        let bytes = link.as_bytes();
        let link = match is_bare(bytes.first()) && is_bare(bytes.last()) {
            true => link,
            false => link.trim_matches(|c: char| c <= ' '),
        };
        if self.is_page && (link.is_empty() || link.starts_with('#')) {
            return Err(NotAPage::SamePage);
        }
        if self.is_too_long && !names_its_host(link) {
            return Err(NotAPage::LongBase);
        }
        if let Some(page) = self.plain.as_mut().and_then(|plain| plain.resolve(link)) {
            return Ok(page);
        }
        if !may_be_web(link) {
            return Err(NotAPage::NotWeb);
        }
        Address::from_url(&self.url(link)?).ok_or(NotAPage::NotWeb)
    }
}

fn names_its_host(link: &str) -> bool {
    let begins = |with: &str| link.get(..with.len()).is_some_and(|l| l.eq_ignore_ascii_case(with));
    ["//", "http://", "https://"].into_iter().any(begins)
}

/// Whether a link is relative or has a scheme that can be crawled.
fn may_be_web(link: &str) -> bool {
    let blank = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r');
    let in_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let mut rest = link.bytes().filter(|byte| !blank(byte)).skip_while(in_scheme);
    if rest.next() != Some(b':') || !link.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return true;
    }
    let scheme = || link.bytes().filter(|byte| !blank(byte)).take_while(in_scheme);
    let is = |name: Scheme| scheme().map(|byte| byte.to_ascii_lowercase()).eq(name.name().bytes());
    is(Scheme::Http) || is(Scheme::Https)
}

#[cfg(test)]
mod tests {
    use encoding_rs::{EUC_JP, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16LE, WINDOWS_874, WINDOWS_1252};

    use super::*;

    fn base(encoding: &'static Encoding) -> Base {
        let page = Address::parse("http://a.example/b/c?d").expect("a URL");
        Base::new(&page, encoding)
    }

    #[track_caller]
    fn check(encoding: &'static Encoding, link: &str, page: &str) {
        assert_eq!(base(encoding).resolve(link).map(|page| page.to_string()), Ok(page.to_owned()));
    }

    #[test]
    fn links_are_relative_to_the_page() {
        check(UTF_8, "e", "http://a.example/b/e");
        check(UTF_8, "/e", "http://a.example/e");
        check(UTF_8, "?e", "http://a.example/b/c?e");
        check(UTF_8, "//e.example", "http://e.example/");
        check(UTF_8, "///e.example/f", "http://e.example/f");
        check(UTF_8, "../../e#f", "http://a.example/e");
        check(UTF_8, "https:e", "https://e/");
        check(UTF_8, "http:e", "http://a.example/b/e");
        check(UTF_8, "  h\nttp://e.exa\tmple/f g \r\n", "http://e.example/f%20g");
        check(UTF_8, "1:2", "http://a.example/b/1:2");
    }

    #[test]
    fn paths_are_in_utf_8_and_queries_in_the_encoding_of_the_page() {
        check(UTF_8, "ä?ä", "http://a.example/b/%C3%A4?%C3%A4");
        check(WINDOWS_1252, "ä?ä", "http://a.example/b/%C3%A4?%E4");
        check(WINDOWS_874, "ก?ก", "http://a.example/b/%E0%B8%81?%A1");
        check(EUC_JP, "?日本", "http://a.example/b/c?%C6%FC%CB%DC");
        check(SHIFT_JIS, "?ソ", "http://a.example/b/c?%83%5C");
        check(ISO_2022_JP, "?日", "http://a.example/b/c?%1B$BF%7C%1B(B");
        check(UTF_16LE, "?ä", "http://a.example/b/c?%C3%A4");
        check(encoding_rs::REPLACEMENT, "?ä", "http://a.example/b/c?%C3%A4");
    }

    #[test]
    fn what_the_encoding_lacks_becomes_a_reference() {
        check(WINDOWS_1252, "?日&x", "http://a.example/b/c?%26%2326085%3B&x");
    }

    #[test]
    fn links_share_the_names_of_hosts() {
        let mut base = base(UTF_8);
        let mut host = |link: &str| base.resolve(link).expect("a page").host;
        let (own, other) = (host("e"), host("//e.example/f"));
        assert!(own.is_shared_with(&host("http://a.example/g")));
        assert!(other.is_shared_with(&host("https://e.example/h")));
        // More hosts than are remembered.
        for number in 0..40 {
            assert_eq!(
                host(&format!("//n{number}.example/")),
                format!("n{number}.example").as_str()
            );
        }
        assert!(own.is_shared_with(&host("?i")));
        assert_eq!(other, host("//e.example/"));
    }

    #[test]
    fn links_that_lead_nowhere_are_told_apart() {
        for link in ["", "  ", "#top", "\n#"] {
            assert_eq!(base(UTF_8).resolve(link), Err(NotAPage::SamePage), "{link}");
        }
        for link in ["mailto:a@b.c", "JavaScript:void(0)", "java\nscript:1", "data:,x", "tel:1"] {
            assert_eq!(base(UTF_8).resolve(link), Err(NotAPage::NotWeb), "{link}");
        }
        assert_eq!(base(UTF_8).resolve("http://"), Err(NotAPage::NotAUrl(NotAUrl::NoHost)));
    }

    #[test]
    fn a_base_element_moves_the_base() {
        let moved = |href: &str, link: &str| {
            base(UTF_8).with_href(href).resolve(link).map(|page| page.to_string())
        };
        assert_eq!(moved("/x/", "y"), Ok("http://a.example/x/y".to_owned()));
        assert_eq!(moved("/x/", "#y"), Ok("http://a.example/x/".to_owned()));
        assert_eq!(moved("data:,", "y"), Ok("http://a.example/b/y".to_owned()));
        let long = format!("data:,{}", "x".repeat(LONGEST));
        assert_eq!(moved(&long, "y"), Ok("http://a.example/b/y".to_owned()));
        assert_eq!(moved("http://", "#y"), Err(NotAPage::SamePage));
        assert_eq!(moved("ftp://x/", "y"), Err(NotAPage::NotWeb));
    }

    #[test]
    fn a_base_without_end_is_a_trap() {
        let long = format!("http://x.example/{}", "x/".repeat(LONGEST / 2));
        let mut base = base(UTF_8).with_href(&long);
        for link in ["y", "/y", "../y", "?y", "#y"] {
            assert_eq!(base.resolve(link), Err(NotAPage::LongBase), "{link}");
        }
        for link in ["http://y.example/z", "HTTP://Y.example/z", "//y.example/z"] {
            let page = base.resolve(link).map(|page| page.to_string());
            assert_eq!(page, Ok("http://y.example/z".to_owned()), "{link}");
        }
    }
}
