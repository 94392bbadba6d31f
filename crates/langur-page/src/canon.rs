//! Forms in which different URLs of one page are equal.
//!
//! The canonical form of an [`Address`](crate::Address) changes nothing that a server can tell apart.
//! The forms here go further, each as far as its name says, and are made to compare URLs, not to fetch
//! them: two URLs with one [`semantic`] form are almost surely one page, with one [`aggressive`] form
//! probably. They are those of the IIPC's *urlcanon*, and work as it does on bytes, on every scheme,
//! and without ever failing; so what comes of a text that is no URL is not a URL either. [`archive`]
//! is the form behind the keys of CDX files, and [`crawler`] that of crawler-commons' *basic
//! normalizer*, which Nutch and StormCrawler use.

pub mod archive;
mod crawler;
mod parts;
mod steps;

pub use crawler::crawler;
pub use parts::{Parts, Surt};
pub use steps::resolve_dots;

/// A URL tidied as browsers do, whatever it is: blanks around it, tabs and newlines inside, the
/// scheme's case, slashes, dots, the default port, the host and percent-encoding. It differs from
/// [`whatwg::Url`](crate::whatwg::Url) in what that refuses.
pub fn whatwg(url: &[u8]) -> Parts {
    let mut parts = Parts::parse(url);
    parts.remove_junk();
    parts.remove_tabs_and_newlines();
    parts.lowercase_scheme();
    parts.elide_default_port();
    parts.clean_up_userinfo();
    parts.two_slashes();
    parts.decode_host();
    parts.normalize_ip();
    parts.punycode_host();
    parts.encode_host();
    parts.fix_backslashes();
    parts.encode_path();
    parts.leading_slash();
    parts.normalize_dots();
    parts.empty_path_to_slash();
    parts.encode_userinfo();
    parts.encode_query();
    parts.encode_fragment();
    parts
}

/// A URL that means the same to a person: what [`whatwg`] does, and `http` where there is no scheme,
/// one way to percent-encode, no user, single slashes and dots, and the query's parameters in order.
/// The fragment stays.
pub fn semantic_precise(url: &[u8]) -> Parts {
    let mut parts = Parts::parse(url);
    parts.remove_junk();
    parts.default_scheme();
    parts.remove_tabs_and_newlines();
    parts.lowercase_scheme();
    parts.elide_default_port();
    parts.clean_up_userinfo();
    parts.two_slashes();
    parts.decode_all_but_query();
    parts.normalize_ip();
    parts.fix_host_dots();
    parts.punycode_host();
    parts.remove_userinfo();
    parts.encode_all_but_query();
    parts.recode_query();
    parts.fix_backslashes();
    parts.leading_slash();
    parts.normalize_dots();
    parts.collapse_slashes();
    parts.empty_path_to_slash();
    parts.sort_query();
    parts
}

/// What [`semantic_precise`] does, without the fragment.
pub fn semantic(url: &[u8]) -> Parts {
    let mut parts = semantic_precise(url);
    parts.remove_fragment();
    parts
}

/// What [`semantic`] does, and what sites usually do not care for: `https`, `www`, upper case, session
/// numbers, the last slash and empty parameters. It makes some URLs of different pages equal.
pub fn aggressive(url: &[u8]) -> Parts {
    let mut parts = semantic(url);
    parts.https_to_http();
    parts.strip_www();
    parts.lowercase_path_and_query();
    parts.strip_sessions();
    parts.strip_trailing_slash();
    parts.remove_empty_parameters();
    parts.sort_query(); // the order may differ in lower case
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(form: fn(&[u8]) -> Parts, url: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&form(url.as_bytes()).to_bytes()), expected);
    }

    #[test]
    fn every_form_goes_further_than_the_one_before() {
        let url = " https://me@WWW.Example.com:443/a/../%7eB//?d=%63&&c#E ";
        check(whatwg, url, "https://me@www.example.com/%7eB//?d=%63&&c#E");
        check(semantic_precise, url, "https://www.example.com/~B/?&c&d=c#E");
        check(semantic, url, "https://www.example.com/~B/?&c&d=c");
        check(aggressive, url, "http://example.com/~b?c&d=c");
    }

    #[test]
    fn a_host_without_a_scheme_is_taken_for_the_web() {
        check(semantic, "example.com/a", "http://example.com/a");
        check(semantic, "//example.com/a", "http://example.com/a");
    }

    #[test]
    fn sessions_do_not_tell_pages_apart() {
        let number = "0123456789abcdef";
        let url = format!("http://a.b/?SID={number}&x&PHPSESSID={number}&cfid=1&cftoken=a-2");
        check(aggressive, &url, "http://a.b/?x");
        let url = format!("http://a.b/c;jsessionid={number}{number}");
        check(aggressive, &url, "http://a.b/c");
    }

    #[test]
    fn the_form_of_crawler_commons_sorts_parameters() {
        let form = |url| crawler(url);
        assert_eq!(form("a.example//b?d=&c=2&=3#e").as_deref(), Some("http://a.example/b?c=2&d"));
        assert_eq!(form("http://a.example.:80/%7e%2f").as_deref(), Some("http://a.example/~%2F"));
        assert_eq!(form("http://%/"), None);
    }
}
