//! What a page says about its own charset.
//!
//! The prescan of the HTML standard (§ 13.2.3.2), over the whole head where that is longer than 1,024 bytes: it goes
//! on until the body begins, and to the end of a page that has no body. Two things differ. A META
//! inside a script, a style or the like counts only when there is no other, it stands in the first
//! 1,024 bytes, where the standard reads it too, and the bytes do not say otherwise. And labels that name nothing are kept as
//! evidence, though they decide nothing.

use super::Charset;
use memchr::{memchr, memmem};

/// Labels in the order they stand, until one names a charset.
#[derive(Default)]
pub(super) struct Declared {
    /// From META elements. At most the last one names a charset.
    pub(super) meta: Vec<String>,
    /// Whether that META is none: it stands in a script, a style or the like.
    pub(super) in_script: bool,
    /// From the XML declaration.
    pub(super) xml: Option<String>,
}

/// Where the standard stops looking.
const PRESCAN: usize = 1024;

pub(super) fn scan(page: &[u8]) -> Declared {
    let mut declared = Declared { xml: xml_encoding(page), ..Declared::default() };
    let mut in_script: Option<String> = None;
    let mut at = 0;
    while let Some(next) = memchr(b'<', &page[at..]) {
        at += next;
        let rest = &page[at..];
        if rest.starts_with(b"<!--") {
            // `<!-->` is a whole comment, so the search starts at the first two dashes.
            at += match memmem::find(&rest[2..], b"-->") {
                Some(end) => 2 + end + 3,
                None => break,
            };
            continue;
        }
        if matches!(rest.get(1), Some(b'!' | b'?')) {
            at += match memchr(b'>', rest) {
                Some(end) => end + 1,
                None => break,
            };
            continue;
        }
        let name_at = if rest.get(1) == Some(&b'/') { 2 } else { 1 };
        if !rest.get(name_at).is_some_and(u8::is_ascii_alphabetic) {
            let end = match name_at {
                1 => Some(0),
                _ => memchr(b'>', rest),
            };
            let Some(end) = end else { break };
            at += end + 1;
            continue;
        }
        let name_end =
            rest[name_at..].iter().position(|b| is_space(*b) || matches!(b, b'/' | b'>'));
        let Some(name_end) = name_end.map(|end| name_at + end) else { break };
        let name = &rest[name_at..name_end];
        let opens = name_at == 1;
        if at >= PRESCAN && opens && is_any(name, &["body", "frameset"]) {
            break;
        }
        let mut tag = Attributes { page, at: at + name_end };
        if opens && name.eq_ignore_ascii_case(b"meta") {
            if let Some(label) = label_of_meta(&mut tag) {
                let names = Charset::for_label(&label).is_some();
                declared.meta.push(label);
                if names {
                    return declared;
                }
            }
        } else {
            while tag.next().is_some() {}
        }
        at = tag.at;
        if opens && is_any(name, &["script", "style", "title", "textarea", "noframes", "xmp"]) {
            let end = end_of_raw_text(page, at, name);
            if in_script.is_none() && at < PRESCAN {
                in_script = meta_within(&page[at..end.min(PRESCAN)]);
            }
            at = end;
        }
    }
    if declared.meta.is_empty() {
        declared.in_script = in_script.is_some();
        declared.meta.extend(in_script);
    }
    declared
}

fn is_any(name: &[u8], names: &[&str]) -> bool {
    names.iter().any(|n| name.eq_ignore_ascii_case(n.as_bytes()))
}

fn is_space(b: u8) -> bool {
    matches!(b, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// Where `</name` stands, or the end: text until there is no markup.
fn end_of_raw_text(page: &[u8], from: usize, name: &[u8]) -> usize {
    for found in memmem::find_iter(&page[from..], b"</") {
        let end = from + found;
        let tail = &page[end + 2..];
        if tail.len() >= name.len() && tail[..name.len()].eq_ignore_ascii_case(name) {
            return end;
        }
    }
    page.len()
}

/// The first META in a text that is no markup.
fn meta_within(text: &[u8]) -> Option<String> {
    memchr::memchr_iter(b'<', text).find_map(|at| {
        let name = text.get(at + 1..at + 5)?;
        let after = *text.get(at + 5)?;
        if !name.eq_ignore_ascii_case(b"meta") || !(is_space(after) || after == b'/') {
            return None;
        }
        let label = label_of_meta(&mut Attributes { page: text, at: at + 5 })?;
        Charset::for_label(&label).map(|_| label)
    })
}

/// `charset=`, or `content=` beside `http-equiv=content-type`. A tag that the page cuts off says
/// nothing.
fn label_of_meta(tag: &mut Attributes<'_>) -> Option<String> {
    let (mut label, mut needs_pragma, mut has_pragma) = (None, false, false);
    let (mut seen_charset, mut seen_content, mut seen_pragma) = (false, false, false);
    for (name, value) in tag.by_ref() {
        if name.eq_ignore_ascii_case(b"http-equiv") && !seen_pragma {
            seen_pragma = true;
            has_pragma = value.eq_ignore_ascii_case(b"content-type");
        } else if name.eq_ignore_ascii_case(b"content") && !seen_content {
            seen_content = true;
            if label.is_none()
                && let Some(found) = charset_in(value)
            {
                label = Some(found);
                needs_pragma = true;
            }
        } else if name.eq_ignore_ascii_case(b"charset") && !seen_charset {
            seen_charset = true;
            label = Some(text(value));
            needs_pragma = false;
        }
    }
    if tag.at >= tag.page.len() && tag.page.last() != Some(&b'>') {
        return None;
    }
    label.filter(|_| !needs_pragma || has_pragma)
}

fn text(value: &[u8]) -> String {
    String::from_utf8_lossy(value).trim().to_string()
}

/// The charset in a `Content-Type` value, as the standard extracts it from META: after the first
/// `charset` that an equals sign follows.
pub(super) fn charset_in(value: &[u8]) -> Option<String> {
    let mut rest = value;
    loop {
        let at = rest.windows(7).position(|w| w.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[at + 7..].trim_ascii_start();
        if let Some(after) = rest.strip_prefix(b"=") {
            rest = after.trim_ascii_start();
            break;
        }
    }
    match rest.first()? {
        quote @ (b'"' | b'\'') => {
            let end = memchr(*quote, &rest[1..])?;
            Some(text(&rest[1..1 + end]))
        }
        _ => {
            let end = rest.iter().position(|b| is_space(*b) || matches!(b, b';' | b','));
            Some(text(&rest[..end.unwrap_or(rest.len())])).filter(|label| !label.is_empty())
        }
    }
}

/// `<?xml … encoding="…"?>` at the very beginning (white space and a byte order mark apart).
fn xml_encoding(page: &[u8]) -> Option<String> {
    let page = page.strip_prefix(b"\xef\xbb\xbf").unwrap_or(page).trim_ascii_start();
    let declaration = page.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr(b'>', declaration)?];
    let after = &declaration[memmem::find(declaration, b"encoding")? + 8..];
    let value = after.trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
    let (quote, value) = value.split_first().filter(|(q, _)| matches!(q, b'"' | b'\''))?;
    Some(text(&value[..memchr(*quote, value)?]))
}

/// The attributes of a tag; afterwards `at` is behind the tag.
struct Attributes<'p> {
    page: &'p [u8],
    at: usize,
}

impl<'p> Iterator for Attributes<'p> {
    type Item = (&'p [u8], &'p [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let page = self.page;
        while page.get(self.at).is_some_and(|b| is_space(*b) || *b == b'/') {
            self.at += 1;
        }
        if *page.get(self.at)? == b'>' {
            self.at += 1;
            return None;
        }
        let from = self.at;
        self.at += 1; // a name may begin with an equals sign
        while page.get(self.at).is_some_and(|b| !is_space(*b) && !matches!(b, b'/' | b'>' | b'=')) {
            self.at += 1;
        }
        let name = &page[from..self.at];
        let mut after = self.at;
        while page.get(after).is_some_and(|b| is_space(*b)) {
            after += 1;
        }
        if page.get(after) != Some(&b'=') {
            return Some((name, &[]));
        }
        self.at = after + 1;
        while page.get(self.at).is_some_and(|b| is_space(*b)) {
            self.at += 1;
        }
        let value = match page.get(self.at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let from = self.at + 1;
                let Some(length) = memchr(quote, &page[from..]) else {
                    self.at = page.len();
                    return None;
                };
                self.at = from + length + 1;
                &page[from..from + length]
            }
            _ => {
                let from = self.at;
                while page.get(self.at).is_some_and(|b| !is_space(*b) && *b != b'>') {
                    self.at += 1;
                }
                &page[from..self.at]
            }
        };
        Some((name, value))
    }
}
