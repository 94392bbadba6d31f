//! One way to write what servers cannot tell apart.

use crate::whatwg::{escaped, push_escape};

/// Percent-encodes a path or query in one way, so that it is as RFC 3986 wants it: unreserved
/// characters are not encoded, digits are in upper case, a percent sign that starts no escape is
/// encoded itself, and so is whatever RFC 3986 does not allow and the WHATWG standard leaves.
///
/// Nothing that is decoded is a percent sign, and none is left alone, so doing it twice is doing it
/// once. Dots are decoded too: segments that are only dots were taken out before, encoded or not.
pub fn tidy(text: &str) -> String {
    let bytes = text.as_bytes();
    let Some(first) = bytes.iter().position(|&byte| !is_plain(byte)) else {
        return text.to_owned();
    };
    let mut tidied = String::with_capacity(text.len() + 8);
    tidied.push_str(&text[..first]);
    let mut at = first;
    while let Some(&byte) = bytes.get(at) {
        match escaped(&bytes[at..]) {
            Some(inner) if is_unreserved(inner) => tidied.push(char::from(inner)),
            Some(inner) => push_escape(inner, &mut tidied),
            None if is_plain(byte) => tidied.push(char::from(byte)),
            None => push_escape(byte, &mut tidied),
        }
        at += if escaped(&bytes[at..]).is_some() { 3 } else { 1 };
    }
    tidied
}

/// Whether a byte may stand in a path or query as it is. Looked up, since it is asked of every byte of every link.
pub(super) fn is_plain(byte: u8) -> bool {
    PLAIN[usize::from(byte)]
}

const PLAIN: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0_u8;
    loop {
        plain[byte as usize] = is_unreserved(byte);
        match byte.checked_add(1) {
            Some(next) => byte = next,
            None => break,
        }
    }
    let others = b"/?:@!$&'()*+,;=";
    let mut at = 0;
    while at < others.len() {
        plain[others[at] as usize] = true;
        at += 1;
    }
    plain
};

/// Whether nobody can tell a byte from its escape.
pub(super) const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// A host name without the dot that says it is complete, before the port if there is one. Names with
/// empty labels stay: they are no names at all, and without the dot could look like an address.
pub fn without_last_dot(host: String) -> String {
    let end = host.rfind(':').filter(|_| !host.ends_with(']')).unwrap_or(host.len());
    match host[..end].strip_suffix('.') {
        Some(name) if !name.is_empty() && !name.ends_with('.') => format!("{name}{}", &host[end..]),
        _ => host,
    }
}
