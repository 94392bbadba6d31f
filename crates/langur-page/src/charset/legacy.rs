//! Decoders of charsets that the WHATWG standard left behind.
//!
//! All of them rest on charsets the standard has: ISO-2022-KR and Johab are KS X 1001 as EUC-KR has
//! it, HZ and ISO-2022-CN are GB 2312, and planes 1 and 2 of CNS 11643, which EUC-TW encodes, are
//! Big5 in another order. What remains are two tables of 128 letters.

use super::legacy_tables::{CNS_ALONE, CNS_IN_BIG5, IBM855, VISCII, VISCII_CONTROLS};
use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, IBM866, UTF_8, WINDOWS_1258};

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Legacy {
    Utf32Le,
    Utf32Be,
    Iso2022Kr,
    Iso2022Cn,
    Hz,
    Johab,
    EucTw,
    Viscii,
    Ibm855,
}

impl Legacy {
    pub(super) fn name(self) -> &'static str {
        match self {
            Legacy::Utf32Le => "UTF-32LE",
            Legacy::Utf32Be => "UTF-32BE",
            Legacy::Iso2022Kr => "ISO-2022-KR",
            Legacy::Iso2022Cn => "ISO-2022-CN",
            Legacy::Hz => "HZ-GB-2312",
            Legacy::Johab => "Johab",
            Legacy::EucTw => "EUC-TW",
            Legacy::Viscii => "VISCII",
            Legacy::Ibm855 => "IBM855",
        }
    }

    pub(super) fn nearest(self) -> &'static Encoding {
        match self {
            Legacy::Utf32Le | Legacy::Utf32Be => UTF_8,
            Legacy::Iso2022Kr | Legacy::Johab => EUC_KR,
            Legacy::Iso2022Cn | Legacy::Hz => GBK,
            Legacy::EucTw => BIG5,
            Legacy::Viscii => WINDOWS_1258,
            Legacy::Ibm855 => IBM866,
        }
    }

    pub(super) fn decode(self, bytes: &[u8]) -> String {
        match self {
            Legacy::Utf32Le => utf_32(bytes, u32::from_le_bytes),
            Legacy::Utf32Be => utf_32(bytes, u32::from_be_bytes),
            Legacy::Iso2022Kr => iso_2022_kr(bytes),
            Legacy::Iso2022Cn => iso_2022_cn(bytes),
            Legacy::Hz => hz(bytes),
            Legacy::Johab => johab(bytes),
            Legacy::EucTw => euc_tw(bytes),
            Legacy::Viscii | Legacy::Ibm855 => {
                let meanings: Vec<char> =
                    (0..=255).map(|b| self.meaning(b).unwrap_or(LOST)).collect();
                bytes.iter().map(|&b| meanings[b as usize]).collect()
            }
        }
    }

    /// What a byte means, in the charsets that have one byte a character.
    pub(super) fn meaning(self, byte: u8) -> Option<char> {
        let upper = |table: &str| table.chars().nth(byte as usize - 128);
        match self {
            Legacy::Viscii if byte < 0x80 => {
                let letter = VISCII_CONTROLS.iter().find(|(code, _)| *code == byte);
                Some(letter.map_or(byte as char, |(_, letter)| *letter))
            }
            Legacy::Viscii => upper(VISCII),
            Legacy::Ibm855 if byte < 0x80 => Some(byte as char),
            Legacy::Ibm855 => upper(IBM855),
            _ => None,
        }
    }
}

const LOST: char = char::REPLACEMENT_CHARACTER;

fn utf_32(bytes: &[u8], unit: fn([u8; 4]) -> u32) -> String {
    let (units, rest) = bytes.as_chunks::<4>();
    let mut text: String =
        (units.iter()).map(|u| char::from_u32(unit(*u)).unwrap_or(LOST)).collect();
    if !rest.is_empty() {
        text.push(LOST);
    }
    text
}

/// The character of two bytes in a charset of the standard.
fn pair(encoding: &'static Encoding, lead: u8, trail: u8) -> char {
    let bytes = [lead, trail];
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes);
    let mut chars = text.as_deref().unwrap_or("\u{fffd}").chars();
    match (chars.next(), chars.next()) {
        (Some(c), None) => c,
        _ => LOST,
    }
}

/// ASCII as it is, and between shift out and shift in KS X 1001 without its eighth bits.
/// The announcement `ESC $ ) C` is no text. A line ends the shift, as the standard demands.
fn iso_2022_kr(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let (mut shifted, mut i) = (false, 0);
    while i < bytes.len() {
        match bytes[i] {
            0x0e => shifted = true,
            0x0f => shifted = false,
            0x1b if bytes[i..].starts_with(b"\x1b$)C") => i += 3,
            b'\n' => {
                shifted = false;
                text.push('\n');
            }
            b @ 0x21..=0x7e if shifted && i + 1 < bytes.len() => {
                text.push(pair(EUC_KR, b | 0x80, bytes[i + 1] | 0x80));
                i += 1;
            }
            // A stray pair of EUC-KR is what a server mixed in.
            b if b >= 0x80 && i + 1 < bytes.len() => {
                text.push(pair(EUC_KR, b, bytes[i + 1]));
                i += 1;
            }
            b if b < 0x80 => text.push(b as char),
            _ => text.push(LOST),
        }
        i += 1;
    }
    text
}

/// What is designated by an escape, written between shift out and shift in.
fn iso_2022_cn(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let (mut shifted, mut plane, mut i) = (false, 0, 0);
    while i < bytes.len() {
        let rest = &bytes[i..];
        match rest[0] {
            0x0e => shifted = true,
            0x0f => shifted = false,
            0x1b if rest.starts_with(b"\x1bN") && rest.len() >= 4 => {
                text.push(cns(2, rest[2] | 0x80, rest[3] | 0x80));
                i += 3;
            }
            0x1b if rest.starts_with(b"\x1b$)A") => (plane, i) = (0, i + 3),
            0x1b if rest.starts_with(b"\x1b$)G") => (plane, i) = (1, i + 3),
            0x1b if rest.starts_with(b"\x1b$*H") => i += 3,
            b'\n' => {
                shifted = false;
                text.push('\n');
            }
            b @ 0x21..=0x7e if shifted && rest.len() >= 2 => {
                let (lead, trail) = (b | 0x80, rest[1] | 0x80);
                text.push(if plane == 0 { pair(GBK, lead, trail) } else { cns(1, lead, trail) });
                i += 1;
            }
            b if b < 0x80 => text.push(b as char),
            _ => text.push(LOST),
        }
        i += 1;
    }
    text
}

/// RFC 1843: GB 2312 without its eighth bits between `~{` and `~}`, `~~` is a tilde, and a tilde
/// before the end of a line joins two lines.
fn hz(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let (mut chinese, mut i) = (false, 0);
    while i < bytes.len() {
        match (bytes[i], bytes.get(i + 1)) {
            (b'~', Some(b'{')) => (chinese, i) = (true, i + 1),
            (b'~', Some(b'}')) => (chinese, i) = (false, i + 1),
            (b'~', Some(b'~')) if !chinese => {
                text.push('~');
                i += 1;
            }
            (b'~', Some(b'\n')) if !chinese => i += 1,
            (b'\n', _) => {
                chinese = false;
                text.push('\n');
            }
            (b @ 0x21..=0x7e, Some(&trail)) if chinese => {
                text.push(pair(GBK, b | 0x80, trail | 0x80));
                i += 1;
            }
            (b, Some(&trail)) if b >= 0x80 => {
                text.push(pair(GBK, b, trail));
                i += 1;
            }
            (b, _) if b < 0x80 => text.push(b as char),
            _ => text.push(LOST),
        }
        i += 1;
    }
    text
}

/// A character of CNS 11643, by the two bytes of its place in the plane.
fn cns(plane: u8, lead: u8, trail: u8) -> char {
    if !(0xa1..=0xfe).contains(&lead) || !(0xa1..=0xfe).contains(&trail) {
        return LOST;
    }
    let place = (lead - 0xa1) as u16 * 94 + (trail - 0xa1) as u16;
    if let Some((lead, trail)) = big5_of_cns(plane, place) {
        return pair(BIG5, lead, trail);
    }
    let alone = CNS_ALONE.iter().find(|(p, at, _)| (*p, *at) == (plane, place));
    alone.map_or(LOST, |(_, _, c)| *c)
}

fn big5_of_cns(plane: u8, place: u16) -> Option<(u8, u8)> {
    let after = CNS_IN_BIG5.partition_point(|(p, first, ..)| (*p, *first) <= (plane, place));
    let (p, first, big5, length) = CNS_IN_BIG5[after.checked_sub(1)?];
    if p != plane || place - first >= length {
        return None;
    }
    let at = big5 + (place - first);
    let trail = (at % 157) as u8;
    Some((0xa1 + (at / 157) as u8, if trail < 63 { 0x40 + trail } else { 0x62 + trail }))
}

/// The two bytes of a character of Big5 in plane 1 of EUC-TW, for the tables of detection.
pub(super) fn euc_tw_of_big5(lead: u8, trail: u8) -> Option<(u8, u8)> {
    let column = trail.checked_sub(if trail < 0x7f { 0x40 } else { 0x62 })?;
    let at = (lead.checked_sub(0xa1)?) as u16 * 157 + column as u16;
    let run = (CNS_IN_BIG5.iter())
        .find(|(plane, _, big5, length)| *plane == 1 && (*big5..big5 + length).contains(&at));
    run.map(|(_, first, big5, _)| {
        let place = first + (at - big5);
        (0xa1 + (place / 94) as u8, 0xa1 + (place % 94) as u8)
    })
}

fn euc_tw(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3 / 2);
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i..] {
            [b, ..] if b < 0x80 => {
                text.push(b as char);
                i += 1;
            }
            [0x8e, plane @ 0xa1..=0xb0, lead @ 0xa1..=0xfe, trail @ 0xa1..=0xfe, ..] => {
                text.push(cns(plane - 0xa0, lead, trail));
                i += 4;
            }
            [lead @ 0xa1..=0xfe, trail @ 0xa1..=0xfe, ..] => {
                text.push(cns(1, lead, trail));
                i += 2;
            }
            _ => {
                text.push(LOST);
                i += 1;
            }
        }
    }
    text
}

const INITIALS: [char; 19] = [
    'ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ',
    'ㅌ', 'ㅍ', 'ㅎ',
];
const FINALS: [char; 27] = [
    'ㄱ', 'ㄲ', 'ㄳ', 'ㄴ', 'ㄵ', 'ㄶ', 'ㄷ', 'ㄹ', 'ㄺ', 'ㄻ', 'ㄼ', 'ㄽ', 'ㄾ', 'ㄿ', 'ㅀ', 'ㅁ',
    'ㅂ', 'ㅄ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ',
];

/// Where a Johab code keeps a vowel: the column of five bits, by the vowel's place among 21.
const VOWELS: [u16; 21] =
    [3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29];

/// Hangul is three times five bits: initial, vowel, final. Symbols and hanja are KS X 1001, two
/// rows of 94 to a row of 188.
fn johab_pair(lead: u8, trail: u8) -> Option<char> {
    match (lead, trail) {
        (0x84..=0xd3, 0x41..=0x7e | 0x81..=0xfe) => {
            let code = u16::from_be_bytes([lead, trail]);
            let (initial, vowel, last) = (code >> 10 & 31, code >> 5 & 31, code & 31);
            let initial = match initial {
                1 => None,
                2..=20 => Some(initial as u32 - 2),
                _ => return None,
            };
            let vowel = match vowel {
                2 => None,
                _ => Some(VOWELS.iter().position(|v| *v == vowel)? as u32),
            };
            let last = match last {
                1 => 0,
                2..=17 => last as u32 - 1,
                19..=29 => last as u32 - 2,
                _ => return None,
            };
            match (initial, vowel, last) {
                (Some(i), Some(v), f) => char::from_u32(0xac00 + (i * 21 + v) * 28 + f),
                (Some(i), None, 0) => Some(INITIALS[i as usize]),
                (None, Some(v), 0) => char::from_u32(0x314f + v),
                (None, None, 0) => Some('\u{3164}'),
                (None, None, f) => Some(FINALS[f as usize - 1]),
                _ => None,
            }
        }
        (0xd9..=0xde | 0xe0..=0xf9, 0x31..=0x7e | 0x91..=0xfe) => {
            let row = if lead < 0xe0 { 2 * (lead - 0xd9) } else { (2 * lead as u16 - 0x197) as u8 };
            let column = trail - if trail < 0x91 { 0x31 } else { 0x43 };
            let (row, column) = (row + column / 94, column % 94);
            Some(pair(EUC_KR, 0xa1 + row, 0xa1 + column)).filter(|c| *c != LOST)
        }
        _ => None,
    }
}

/// The two bytes of a syllable in Johab, for the tables of detection.
pub(super) fn johab_of_syllable(c: char) -> Option<(u8, u8)> {
    let n = (c as u32).checked_sub(0xac00).filter(|n| *n < 11172)? as u16;
    let (initial, vowel, last) = (n / 588, n / 28 % 21, n % 28);
    let last = if last < 17 { last + 1 } else { last + 2 };
    let code = 0x8000 | (initial + 2) << 10 | VOWELS[vowel as usize] << 5 | last;
    let [lead, trail] = code.to_be_bytes();
    Some((lead, trail))
}

fn johab(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 3 / 2);
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] < 0x80 {
            text.push(bytes[i] as char);
            i += 1;
        } else if let Some(c) = bytes.get(i + 1).and_then(|trail| johab_pair(bytes[i], *trail)) {
            text.push(c);
            i += 2;
        } else {
            text.push(LOST);
            i += 1;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes as glibc's iconv (HZ: Python) writes the text.
    #[track_caller]
    fn check(legacy: Legacy, bytes: &[u8], text: &str) {
        assert_eq!(legacy.decode(bytes), text);
    }

    #[test]
    fn johab_has_syllables_letters_hanja_and_symbols() {
        let bytes = b"\xd0e\x8bi\xb7e \xb9\xa1\xd0s\xd1w \x88A\x84a \xf7\xd3\xf1\xae \xd9j";
        check(Legacy::Johab, bytes, "한글은 조합형 ㄱㅏ 漢字 ★");
    }

    #[test]
    fn every_syllable_comes_back_from_johab() {
        for c in '가'..='힣' {
            let (lead, trail) = johab_of_syllable(c).expect("a syllable");
            assert_eq!(johab_pair(lead, trail), Some(c));
        }
    }

    #[test]
    fn euc_tw_has_two_planes_and_what_big5_lacks() {
        let bytes = b"\xf4\xed\xfc\xd5\xc4\xe3\xc5\xc6\xa1\xa2\xea\xd7\xfd\xa4\xa1\xa4\x8e\xa2\xf2\xc4 ABC \xf6\xc1";
        check(Legacy::EucTw, bytes, "繁體中文，臺灣。龘 ABC 彞");
        assert_eq!(euc_tw_of_big5(0xa4, 0xa4), Some((0xc4, 0xe3)), "中");
    }

    #[test]
    fn seven_bits_shift_out_and_in() {
        check(Legacy::Iso2022Kr, b"\x1b$)C\x0eGQ19>n\x0f text", "한국어 text");
        check(Legacy::Iso2022Cn, b"\x1b$)A\x0eVPND\x0f and \x1b$)G\x0eiGGs\x0f", "中文 and 漢字");
        check(Legacy::Hz, b"~{::WV~} a~~b", "汉字 a~b");
    }

    #[test]
    fn letters_of_one_byte() {
        check(
            Legacy::Viscii,
            b"Ti\xaang Vi\xaet: Qu\xafc ng\xe6 \x02\x05",
            "Tiếng Việt: Quốc ngữ ẲẴ",
        );
        check(Legacy::Ibm855, b"\xdd\xe1\xb7\xeb\xa8\xe5, \xd2\xb7\xe1 \xef", "Привет, мир №");
    }

    #[test]
    fn utf_32_replaces_what_is_no_character() {
        check(Legacy::Utf32Be, b"\0\0\0A\0\x11\0\0\0\x01\xf6\x00\0", "A\u{fffd}😀\u{fffd}");
    }
}
