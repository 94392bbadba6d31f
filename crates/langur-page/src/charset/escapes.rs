//! Charsets of seven bits, which say themselves when they change: by escapes, shifts or tildes.

use super::Charset;
use super::multibyte::MultiByte;
use encoding_rs::{GB18030, ISO_2022_JP};
use memchr::{memchr2_iter, memmem, memrchr};

/// The charset that the escapes announce, where what they announce follows.
pub(super) fn detect(bytes: &[u8], tables: impl Fn() -> &'static [MultiByte]) -> Option<Charset> {
    let high = bytes.iter().filter(|b| **b >= 0x80).count();
    let last_shift = memrchr(0x0e, bytes);
    let mut japanese = 0;
    for at in memchr2_iter(0x1b, 0x0e, bytes) {
        let rest = &bytes[at..];
        if let [0x1b, b'$', b')', set, ..] = rest
            && last_shift > Some(at)
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
    for text in hz_texts(bytes) {
        let gb = tables().iter().find(|t| t.charset.is(GB18030)).expect("GB 18030 has a table");
        let (pairs, rest) = text.as_chunks::<2>();
        bits += 22 * rest.len() as u64;
        for [lead, trail] in pairs {
            bits += gb.cost(lead | 0x80, trail | 0x80) as u64;
            characters += 1;
        }
    }
    characters >= 2 && bits <= 12 * characters
}

/// What stands between `~{` and `~}` on one line. Every search goes on where the one before ended,
/// lest a page of nothing but `~{` be read again for each of them.
fn hz_texts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        loop {
            let text = &rest[memmem::find(rest, b"~{")? + 2..];
            let end = memchr2_iter(b'~', b'\n', text)
                .find(|at| text[*at] == b'\n' || text.get(at + 1) == Some(&b'}'))?;
            rest = &text[end + 1..];
            if text[end] == b'~' {
                return Some(&text[..end]);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charset::detect::multibyte_tables;

    fn detected(page: &[u8]) -> Option<Charset> {
        detect(page, multibyte_tables)
    }

    #[test]
    fn hz_is_told_by_its_common_characters() {
        assert_eq!(detected(b"<p>~{VPND~} and ~{VPNDM\\Vx~}"), Some(Charset::HZ));
        assert_eq!(detected(b"a ~{ that nothing ends\n<p>~{VPND~}"), Some(Charset::HZ));
        assert_eq!(detected(b"~{!!~}~{x~}"), None);
        assert_eq!(detected(b"~{VPND"), None);
    }

    /// To read the rest of the page at each escape would take days.
    #[test]
    fn pages_of_escapes_without_an_end_are_read_once() {
        for escape in [&b"~{"[..], b"~{!!", b"~{<a> ", b"\x1b$)C", b"\x1b$)A<p>"] {
            assert_eq!(detected(&escape.repeat(8_000_000)), None);
        }
        // An end in the far, which every escape might be taken to lead to.
        for escape in [&b"~{"[..], b"~{~"] {
            assert_eq!(detected(&[&escape.repeat(8_000_000)[..], b"~}"].concat()), None);
        }
        for escape in [&b"~{~}"[..], b"~{\n"] {
            assert_eq!(detected(&escape.repeat(8_000_000)), None);
        }
    }
}
