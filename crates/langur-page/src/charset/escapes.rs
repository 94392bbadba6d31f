//! Charsets of seven bits, which say themselves when they change: by escapes, shifts or tildes.

use super::Charset;
use super::multibyte::MultiByte;
use encoding_rs::{GB18030, ISO_2022_JP};
use memchr::{memchr2_iter, memmem};

/// The charset that the escapes announce, where what they announce follows.
pub(super) fn detect(bytes: &[u8], tables: impl Fn() -> &'static [MultiByte]) -> Option<Charset> {
    let high = bytes.iter().filter(|b| **b >= 0x80).count();
    let mut japanese = 0;
    for at in memchr2_iter(0x1b, 0x0e, bytes) {
        let rest = &bytes[at..];
        if let [0x1b, b'$', b')', set, ..] = rest
            && memchr::memchr(0x0e, rest).is_some()
            && high < 4
        {
            return match set {
                b'C' => Some(Charset::ISO_2022_KR),
                b'A' | b'E' | b'G' => Some(Charset::ISO_2022_CN),
                _ => continue,
            };
        }
        if let [0x1b, b'$', b'@' | b'B', text @ ..] | [0x1b, b'$', b'(', b'D', text @ ..] = rest {
            let pairs = text.iter().take_while(|b| (0x21..=0x7e).contains(*b)).count() / 2;
            japanese += pairs;
        }
        if let [0x1b, b'(', b'I', text @ ..] = rest {
            japanese += text.iter().take_while(|b| (0x21..=0x5f).contains(*b)).count();
        }
    }
    // A page may have a few broken bytes; one with many is in a charset of eight bits.
    if japanese > 0 && high <= 2 + japanese / 20 {
        return Some(ISO_2022_JP.into());
    }
    if high == 0 && is_hz(bytes, tables) {
        return Some(Charset::HZ);
    }
    None
}

/// `~{` is seldom, but occurs in programs: what follows must be common characters up to `~}`.
fn is_hz(bytes: &[u8], tables: impl Fn() -> &'static [MultiByte]) -> bool {
    let (mut bits, mut characters) = (0u64, 0u64);
    for at in memmem::find_iter(bytes, b"~{") {
        let text = &bytes[at + 2..];
        let line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
        let Some(end) = memmem::find(line, b"~}") else { continue };
        let gb = tables().iter().find(|t| t.charset.is(GB18030)).expect("GB 18030 has a table");
        let (pairs, rest) = line[..end].as_chunks::<2>();
        bits += 22 * rest.len() as u64;
        for [lead, trail] in pairs {
            bits += gb.cost(lead | 0x80, trail | 0x80) as u64;
            characters += 1;
        }
    }
    characters >= 2 && bits <= 12 * characters
}
