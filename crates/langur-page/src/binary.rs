//! What is no text at all: images, archives, programs.
//!
//! Any bytes can be read in some charset, and then have letters. What begins as a known kind of file, or has more control
//! characters than any text, is not read.

use crate::Charset;

/// How files that are no text begin, after the WHATWG MIME Sniffing Standard (§ 6), with what else is linked from pages.
const BEGINNINGS: [&[u8]; 21] = [
    b"%PDF-",
    b"%!PS-Adobe-",
    b"\x89PNG\r\n\x1a\n",
    b"GIF87a",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"\0\0\x01\0",
    b"OggS\0",
    b"\x1aE\xdf\xa3",
    b"FLV\x01",
    b"PK\x03\x04",
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf'\x1c",
    b"\x1f\x8b\x08",
    b"\xfd7zXZ\0",
    b"(\xb5/\xfd",
    b"\x7fELF",
    b"wOFF",
    b"wOF2",
    b"OTTO\0",
    b"\0\x01\0\0\0",
];
/// How far to look for control characters.
const LOOKED_AT: usize = 1 << 16;
/// A text has fewer than one in so many bytes.
const FEW: usize = 50;

/// Whether bytes that would be read in this charset are no text.
pub fn is_binary(bytes: &[u8], charset: Charset) -> bool {
    if BEGINNINGS.iter().any(|beginning| bytes.starts_with(beginning)) {
        return true;
    }
    // Charsets of two and four bytes a character are full of such bytes; those of ISO 2022 shift by them.
    let is_wide =
        ["UTF-16", "UTF-32", "ISO-2022"].iter().any(|wide| charset.name().starts_with(wide));
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    !is_wide && controls(start) * FEW > start.len()
}

/// How many bytes are control characters. Every page is gone through for this, so they are counted in bytes, of which
/// sixteen are added at a time, and so few in a row that a byte holds the sum.
fn controls(bytes: &[u8]) -> usize {
    let pieces = bytes.chunks(usize::from(u8::MAX));
    pieces
        .map(|piece| usize::from(piece.iter().map(|&byte| u8::from(is_control(byte))).sum::<u8>()))
        .sum()
}

/// The "binary data bytes" of the standard; escape is none, by which ISO-2022-JP changes its characters.
fn is_control(byte: u8) -> bool {
    (byte < 0x20)
        & (byte != b'\t')
        & (byte != b'\n')
        & (byte != 0x0c)
        & (byte != b'\r')
        & (byte != 0x1b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decide;

    #[test]
    fn control_characters_are_those_of_the_standard() {
        let is_binary_data =
            |byte: &u8| matches!(byte, 0x00..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
        let bytes: Vec<u8> = (0..=255).flat_map(|byte| vec![byte; usize::from(byte) + 3]).collect();
        assert_eq!(controls(&bytes), bytes.iter().filter(|byte| is_binary_data(byte)).count());
        assert_eq!(controls(&[0; 1000]), 1000);
    }

    #[test]
    fn files_are_told_from_texts() {
        let noise: Vec<u8> =
            (0..2000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for bytes in [&b"%PDF-1.4\n1 0 obj"[..], b"\x1f\x8b\x08\0\0", b"GIF89a\x01", &noise] {
            assert!(is_binary(bytes, decide(bytes, None).charset), "{bytes:?}");
        }
        let odd = "<p>one\0 in a page</p>".repeat(2) + &"and more text of it ".repeat(10);
        for text in ["", "<html>", "ข่าว", "\x1b$B$3$s\x1b(B", "ID 3", &odd] {
            let bytes = text.as_bytes();
            assert!(!is_binary(bytes, decide(bytes, None).charset), "{text:?}");
        }
        let korean = b"\x1b$)C\x0e0!\x0f \x0e3*\x0f \x0e4Y\x0f \x0e6s\x0f";
        assert!(!is_binary(korean, decide(korean, None).charset));
        let wide: Vec<u8> =
            "wide text of some length".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(!is_binary(&wide, decide(&wide, None).charset));
    }
}
