//! The lines of robots.txt that say something.
//!
//! The format is what RFC 9309 says and what Google's parser forgives: a missing colon, the common ways
//! to misspell a name, names with something after them.

use std::borrow::Cow;

use crate::utf_8::utf_8;

/// As many bytes of robots.txt are read as RFC 9309 asks; the rest is left out.
pub const READ: usize = 500 << 10;

/// As many bytes of a line are read as Google's parser reads.
const LONGEST: usize = 2083 * 8 - 1;

/// What a line says. Values are without blanks around them.
pub(crate) enum Line<'a> {
    /// The group that begins, or has begun, is for this client too.
    Agent(&'a [u8]),
    Allow(&'a [u8]),
    Disallow(&'a [u8]),
    Delay(&'a [u8]),
    Sitemap(&'a [u8]),
}

/// The text of a robots.txt, as far as it is read.
pub(crate) fn text(body: &[u8]) -> Cow<'_, [u8]> {
    utf_8(&body[..body.len().min(READ)])
}

/// The lines that say something; all others are as if they were not there.
pub(crate) fn lines(text: &[u8]) -> impl Iterator<Item = Line<'_>> {
    text.split(|&byte| byte == b'\n' || byte == b'\r').filter_map(line)
}

fn line(line: &[u8]) -> Option<Line<'_>> {
    let line = &line[..line.len().min(LONGEST)];
    let line = line.split(|&byte| byte == b'#').next().unwrap_or_default().trim_ascii();
    let (name, value) = split(line)?;
    let named = |names: &[&str]| names.iter().any(|known| starts_with(name, known));
    if named(&["user-agent", "useragent", "user agent"]) {
        Some(Line::Agent(value))
    } else if named(&["allow"]) {
        Some(Line::Allow(value))
    } else if named(&["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"]) {
        Some(Line::Disallow(value))
    } else if named(&["crawl-delay"]) {
        Some(Line::Delay(value))
    } else if named(&["sitemap", "site-map"]) {
        Some(Line::Sitemap(value))
    } else {
        None
    }
}

/// Name and value. A blank is taken for a forgotten colon if there is only one run of them.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let at = match line.iter().position(|&byte| byte == b':') {
        Some(colon) => colon,
        None => {
            let at = line.iter().position(blank)?;
            if line[at..].trim_ascii().iter().any(blank) {
                return None;
            }
            at
        }
    };
    Some((line[..at].trim_ascii(), line[at + 1..].trim_ascii()))
}

/// Whether a text starts with this one, letters of either case being equal.
pub(crate) fn starts_with(text: &[u8], start: &str) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start.as_bytes()))
}
