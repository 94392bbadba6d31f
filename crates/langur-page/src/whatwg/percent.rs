//! Percent-encoding, and the sets of what must be encoded where.

use std::borrow::Cow;

use encoding_rs::{EncoderResult, Encoding};

/// Bytes that are percent-encoded in one part of a URL.
#[derive(Clone, Copy)]
pub struct Set(u128);

/// Bytes above ASCII, which are in every set, do not count here.
pub const C0_CONTROL: Set = Set(((1 << 0x20) - 1) | (1 << 0x7F));
pub const FRAGMENT: Set = C0_CONTROL.and(b" \"<>`");
pub const QUERY: Set = C0_CONTROL.and(b" \"#<>");
pub const SPECIAL_QUERY: Set = QUERY.and(b"'");
pub const PATH: Set = QUERY.and(b"?^`{}");
pub const USERINFO: Set = PATH.and(b"/:;=@[\\]|");

impl Set {
    const fn and(self, more: &[u8]) -> Set {
        let (mut bits, mut at) = (self.0, 0);
        while at < more.len() {
            bits |= 1 << more[at];
            at += 1;
        }
        Set(bits)
    }

    pub fn holds(self, byte: u8) -> bool {
        !byte.is_ascii() || self.0 >> byte & 1 == 1
    }
}

/// Appends text in UTF-8, percent-encoded where it must be.
pub fn encode(text: &str, set: Set, to: &mut String) {
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate().filter(|&(_, byte)| set.holds(byte)) {
        if plain < at {
            to.push_str(&text[plain..at]);
        }
        push_escape(byte, to);
        plain = at + 1;
    }
    to.push_str(&text[plain..]);
}

/// Appends text in an encoding, percent-encoded where it must be. What the encoding does not have
/// becomes a character reference, itself percent-encoded: `%26%238364%3B` for the euro sign.
pub fn encode_as(text: &str, encoding: &'static Encoding, set: Set, to: &mut String) {
    let encoding = encoding.output_encoding();
    if encoding == encoding_rs::UTF_8 || (text.is_ascii() && encoding.is_ascii_compatible()) {
        return encode(text, set, to);
    }
    let mut encoder = encoding.new_encoder();
    let (mut rest, mut bytes) = (text, [0; 1024]);
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(rest, &mut bytes, true);
        rest = &rest[read..];
        for &byte in &bytes[..written] {
            if set.holds(byte) { push_escape(byte, to) } else { to.push(char::from(byte)) }
        }
        match result {
            EncoderResult::InputEmpty => return,
            EncoderResult::OutputFull => {}
            EncoderResult::Unmappable(character) => {
                to.push_str(&format!("%26%23{}%3B", u32::from(character)));
            }
        }
    }
}

/// Appends a byte as a percent sign and two digits in upper case.
pub fn push_escape(byte: u8, to: &mut String) {
    const DIGITS: [u8; 16] = *b"0123456789ABCDEF";
    to.push('%');
    to.push(char::from(DIGITS[usize::from(byte >> 4)]));
    to.push(char::from(DIGITS[usize::from(byte & 15)]));
}

/// The bytes that percent-encoded text stands for. A percent sign without two digits stays.
pub fn decode(text: &str) -> Cow<'_, [u8]> {
    if !text.contains('%') {
        return text.as_bytes().into();
    }
    let (bytes, mut decoded, mut at) = (text.as_bytes(), Vec::with_capacity(text.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let (byte, length) = match escaped(&bytes[at..]) {
            Some(escaped) => (escaped, 3),
            None => (byte, 1),
        };
        decoded.push(byte);
        at += length;
    }
    decoded.into()
}

/// The byte whose escape the text starts with.
pub fn escaped(text: &[u8]) -> Option<u8> {
    match *text {
        [b'%', high, low, ..] => Some(hex_value(high)? << 4 | hex_value(low)?),
        _ => None,
    }
}

/// The value of a hexadecimal digit.
pub fn hex_value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}
