//! Paths, and the patterns that rules have for them.

use std::fmt::Write;

/// The path and query of a URL, in the one encoding that patterns are compared in.
pub(crate) fn path(url: &str) -> String {
    encoded(path_and_query(url).as_bytes(), |_, byte| matches!(byte, b'*' | b'$'))
}

/// A pattern in the encoding of paths; `*` and the `$` at its end keep their meaning.
pub(crate) fn pattern(text: &[u8]) -> String {
    encoded(text, |at, byte| byte == b'$' && at + 1 < text.len())
}

/// Path and query as in a URL, whatever stands before them; they start with a slash.
fn path_and_query(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let start = |text: &str| text.find(['/', '?', ';']);
    let host = match url.find("://") {
        // The slashes after a scheme are the first of a URL.
        Some(scheme) if start(url) == Some(scheme + 1) => &url[scheme + 3..],
        _ => url.strip_prefix("//").unwrap_or(url),
    };
    match start(host).map(|at| &host[at..]) {
        None => "/".to_owned(),
        Some(path) if path.starts_with('/') => path.to_owned(),
        Some(path) => format!("/{path}"),
    }
}

/// As RFC 9309 asks before a comparison: letters, digits and `-._~` as themselves, what is not ASCII or
/// has no place in a URL as percent signs and upper case. What has a meaning in URLs stays as it is,
/// encoded or not; `literal` says which such bytes are meant as themselves, and are therefore encoded.
fn encoded(text: &[u8], literal: impl Fn(usize, u8) -> bool) -> String {
    let mut encoded = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let escape = (byte == b'%').then(|| escaped(text.get(at + 1..at + 3)?)).flatten();
        let plain = escape.unwrap_or(byte);
        let stays =
            is_unreserved(plain) || (escape.is_none() && has_meaning(plain) && !literal(at, plain));
        if stays {
            encoded.push(char::from(plain));
        } else {
            write!(encoded, "%{plain:02X}").expect("a string takes all");
        }
        at += if escape.is_some() { 3 } else { 1 };
    }
    encoded
}

/// The byte of two hexadecimal digits.
fn escaped(digits: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(digits[0])? << 4 | digit(digits[1])?).ok()
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn has_meaning(byte: u8) -> bool {
    b":/?#@!$&'()*+,;=".contains(&byte)
}

/// Whether the path begins as the pattern says, in time linear in both. `*` is any text; `$` is the end,
/// at the end.
pub(crate) fn matches(path: &str, pattern: &str) -> bool {
    let (pattern, to_the_end) = match pattern.strip_suffix('$') {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let Some((first, others)) = pattern.split_once('*') else {
        return if to_the_end { path == pattern } else { path.starts_with(pattern) };
    };
    let Some(mut rest) = path.strip_prefix(first) else { return false };
    let (between, last) = others.rsplit_once('*').unwrap_or(("", others));
    // Taking each piece where it first occurs leaves the most room for the next.
    for piece in between.split('*') {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    if to_the_end { rest.ends_with(last) } else { rest.contains(last) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_path_is_found_in_any_url() {
        for (url, expected) in [
            ("http://a.example", "/"),
            ("http://a.example/b?c=http://d#e", "/b?c=http://d"),
            ("http://a.example?b", "/?b"),
            ("//a.example/b", "/b"),
            ("a.example/b://c", "/b://c"),
            ("#a/b", "/"),
            ("", "/"),
        ] {
            assert_eq!(path(url), expected, "{url}");
        }
    }

    #[test]
    fn texts_that_mean_the_same_become_the_same() {
        assert_eq!(path("/%7euser/%2fa b[é]%"), "/~user/%2Fa%20b%5B%C3%A9%5D%25");
        assert_eq!(path("/*$"), "/%2A%24");
        assert_eq!(pattern(b"/%2a*$a$"), "/%2A*%24a$");
    }

    /// What the documentation of the matcher says, letter by letter.
    fn by_letters(path: &[u8], pattern: &[u8]) -> bool {
        match (pattern, path) {
            ([], _) => true,
            ([b'$'], path) => path.is_empty(),
            ([b'*', rest @ ..], path) => (0..=path.len()).any(|at| by_letters(&path[at..], rest)),
            ([one, rest @ ..], [first, path @ ..]) => one == first && by_letters(path, rest),
            _ => false,
        }
    }

    proptest! {
        #[test]
        fn patterns_match_as_documented(path in "/[ab$]{0,8}", pattern in "[/*ab$]{0,8}") {
            let expected = by_letters(path.as_bytes(), pattern.as_bytes());
            prop_assert_eq!(matches(&path, &pattern), expected);
        }

        #[test]
        fn encoding_again_changes_nothing(url in "/[a%2fF é*$?\\[]{0,12}") {
            let once = path(&url);
            prop_assert_eq!(path(&once), once);
        }
    }
}
