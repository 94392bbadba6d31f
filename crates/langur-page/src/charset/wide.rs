//! UTF-16 and UTF-32 without a byte order mark, and UTF-8 with a few bytes broken.

use super::Charset;
use super::frequency::{HANS, HANT, JA, KO};
use super::multibyte::Reading;
use encoding_rs::{UTF_16BE, UTF_16LE};
use std::sync::LazyLock;

/// UTF-16 or UTF-32, if the bytes are text read so and nonsense read otherwise.
pub(super) fn detect(bytes: &[u8]) -> Option<Charset> {
    let has_zero = memchr::memchr(0, bytes).is_some();
    if has_zero {
        for (charset, unit) in [
            (Charset::UTF_32BE, u32::from_be_bytes as fn([u8; 4]) -> u32),
            (Charset::UTF_32LE, u32::from_le_bytes),
        ] {
            // Every fourth byte is zero and every third nearly so: nothing else is like it.
            let units = bytes.as_chunks::<4>().0;
            let odd = units.iter().filter(|u| is_odd_unit(unit(**u))).count();
            if units.len() >= 4 && odd * 100 <= units.len() {
                return Some(charset);
            }
        }
    }
    let big = mean_cost(bytes, u16::from_be_bytes);
    let little = mean_cost(bytes, u16::from_le_bytes);
    let (charset, best, other) =
        if big <= little { (UTF_16BE, big, little) } else { (UTF_16LE, little, big) };
    (best <= 10.5 && best + 3.0 <= other).then_some(charset.into())
}

fn is_odd_unit(unit: u32) -> bool {
    char::from_u32(unit).is_none_or(|c| c == '\0' || c as u32 >= 0x30000)
}

/// The mean cost of a character: ASCII about 6 bits, a letter 7 to 11, common characters of Chinese,
/// Japanese and Korean up to 14, and what no text has, 24. Bytes of another charset cost 15 and more.
fn mean_cost(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> f64 {
    /// With so many units read and no sense in them, there is none.
    const ENOUGH: usize = 512;
    let costs = &*COSTS;
    let units = bytes.as_chunks::<2>().0;
    if units.len() < 8 {
        return f64::INFINITY;
    }
    let (mut bits, mut high) = (0u64, None);
    for (i, pair) in units.iter().enumerate() {
        let u = unit(*pair);
        bits += match (high.take(), u) {
            (Some(()), 0xdc00..=0xdfff) => 0,
            (Some(()), _) | (None, 0xdc00..=0xdfff) => 24,
            (None, 0xd800..=0xdbff) => {
                high = Some(());
                20
            }
            _ => costs[u as usize] as u64,
        };
        if i == ENOUGH && bits > 13 * ENOUGH as u64 {
            return f64::INFINITY;
        }
    }
    bits as f64 / units.len() as f64
}

static COSTS: LazyLock<Box<[u8; 0x10000]>> = LazyLock::new(|| {
    let mut costs = Box::new([24u8; 0x10000]);
    for (unit, cost) in costs.iter_mut().enumerate() {
        *cost = match unit {
            0x09 | 0x0a | 0x0d | 0x20..=0x7e => 6,
            0xa0..=0xff => 10,
            0x100..=0x24f | 0x2000..=0x206f => 11,
            0x370..=0x5ff | 0x600..=0x6ff | 0xe00..=0xe7f | 0xfeff => 8,
            0x900..=0xdff | 0xe80..=0x109f | 0x10a0..=0x10ff | 0x1780..=0x17ff => 9,
            0x1e00..=0x1fff => 10,
            0x2070..=0x2bff => 14,
            0x3000..=0x30ff => 10,
            0x4e00..=0x9fff => 16,
            0xac00..=0xd7a3 => 17,
            0xff00..=0xffef => 12,
            _ => 24,
        };
    }
    for (bits, characters) in [JA, KO, HANS, HANT].into_iter().flatten() {
        for c in characters.chars() {
            let cost = &mut costs[c as usize];
            // A character of three languages is cheap in the best of them; one bit says which.
            *cost = (*cost).min(bits + 1);
        }
    }
    costs
});

/// How the bytes read as UTF-8.
pub(super) fn read_utf_8(bytes: &[u8]) -> Reading {
    let mut reading = Reading::default();
    for chunk in bytes.utf8_chunks() {
        let starts = chunk.valid().bytes().filter(|b| *b >= 0xc0).count();
        reading.characters += starts as u64;
        reading.odd += !chunk.invalid().is_empty() as u64;
    }
    reading
}

/// Whether the bytes are UTF-8 with a few of them broken. Hardly anything else forms sequences of
/// UTF-8, so one in five may be broken.
pub(super) fn is_damaged_utf_8(reading: &Reading) -> bool {
    reading.characters >= 4 * reading.odd && reading.characters > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn utf_16_by_what_the_units_say() {
        for text in [
            "Plain English, in units of sixteen bits.",
            "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
            "Съешь ещё этих мягких французских булок",
            "모든 인간은 태어날 때부터 자유로우며",
            "ข้าพเจ้าได้ยินมาว่าท่านเป็นคนดี",
        ] {
            assert_eq!(detect(&wide(text, u16::to_be_bytes)), Some(UTF_16BE.into()), "{text}");
            assert_eq!(detect(&wide(text, u16::to_le_bytes)), Some(UTF_16LE.into()), "{text}");
            assert_eq!(detect(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn utf_32_by_its_zeros() {
        let bytes: Vec<u8> = "дом 家".chars().flat_map(|c| (c as u32).to_be_bytes()).collect();
        assert_eq!(detect(&bytes), Some(Charset::UTF_32BE));
    }
}
