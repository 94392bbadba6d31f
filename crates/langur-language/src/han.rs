//! Chinese characters that a language does without.
//!
//! Simplified Chinese, Traditional Chinese and Japanese have each a charset that was made for them. A character that is
//! not in it is hardly written in that language: 灣 is no character of GB 2312, nor 湾 one of Big5.

use encoding_rs::{BIG5, Encoding, GBK, SHIFT_JIS};

/// The languages, in the order of the bits of [`Strange`].
pub const WRITERS: [&str; 3] = ["zh-Hans", "zh-Hant", "ja"];

/// Where Chinese characters begin in Unicode, and how many there are in the block.
const FIRST: u32 = 0x4e00;
const COUNT: usize = 0x5200;

/// To which of the [`WRITERS`] each character is strange, a bit each.
pub struct Strange(Box<[u8; COUNT]>);

impl Strange {
    /// Goes through the charsets.
    pub fn new() -> Strange {
        let mut strange = Strange(Box::new([0b111; COUNT]));
        // GB 2312, which GBK begins with.
        strange.knows(0b001, GBK, 0xb0..=0xf7, 0xa1..=0xfe);
        // The two levels of Big5. Its second holds forms that are in use in Simplified Chinese alone, where they are in
        // the first level of GB 2312.
        strange.knows(0b010, BIG5, 0xc9..=0xf9, 0x40..=0xfe);
        strange.lacks(0b010, GBK, 0xb0..=0xd7, 0xa1..=0xfe);
        strange.knows(0b010, BIG5, 0xa4..=0xc6, 0x40..=0xfe);
        // The first level of JIS X 0208.
        strange.knows(0b100, SHIFT_JIS, 0x88..=0x97, 0x40..=0xfc);
        strange.knows(0b100, SHIFT_JIS, 0x98..=0x98, 0x40..=0x72);
        strange
    }

    /// To whom a character is strange.
    #[inline]
    pub fn of(&self, character: u32) -> u8 {
        self.0.get(character.wrapping_sub(FIRST) as usize).copied().unwrap_or(0)
    }

    fn knows(&mut self, writer: u8, encoding: &'static Encoding, lead: Bytes, trail: Bytes) {
        each(encoding, lead, trail, |at| self.0[at] &= !writer);
    }

    fn lacks(&mut self, writer: u8, encoding: &'static Encoding, lead: Bytes, trail: Bytes) {
        each(encoding, lead, trail, |at| self.0[at] |= writer);
    }
}

type Bytes = std::ops::RangeInclusive<u8>;

/// The Chinese characters of a part of a charset, by their place.
fn each(encoding: &'static Encoding, lead: Bytes, trail: Bytes, mut see: impl FnMut(usize)) {
    let codes: Vec<u8> = lead.flat_map(|a| trail.clone().flat_map(move |b| [a, b])).collect();
    let (text, _) = encoding.decode_without_bom_handling(&codes);
    let places = text.chars().map(|character| (character as u32).wrapping_sub(FIRST) as usize);
    places.filter(|at| *at < COUNT).for_each(&mut see);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_of_those_who_write_them() {
        let strange = Strange::new();
        for (characters, to) in [
            ("中文人今日我的政府", 0b000),
            ("嗎們妳", 0b101),
            ("灣發國學體會廣氣", 0b101),
            ("記議簡車問題", 0b001),
            ("们发说时书这", 0b110),
            ("国学体会", 0b010),
            ("桜広気円図", 0b011),
        ] {
            for character in characters.chars() {
                assert_eq!(strange.of(character as u32), to, "{character}");
            }
        }
        assert_eq!(strange.of('か' as u32) | strange.of('a' as u32), 0);
    }
}
