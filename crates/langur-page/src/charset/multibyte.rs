//! How well bytes read as one of the charsets with two bytes a character.
//!
//! A reading costs the bits that its characters cost in the language (`frequency`): common ones few,
//! rare ones many, and a byte that makes no character most of all. Right readings cost 8 to 10 bits a
//! character, wrong ones 15 and more, since they hit rare characters.

use super::Charset;
use super::frequency::{HANS, HANT, JA, KO, Levels};
use super::legacy::{euc_tw_of_big5, johab_of_syllable};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};

/// What a byte costs that makes no character: more than the rarest one.
pub(super) const ODD: u8 = 28;

/// And one that puts what follows out of step.
const ASKEW: u8 = 50;

/// How bytes read in one charset.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// The cost of all that is not ASCII.
    pub(super) bits: u64,
    /// Characters that are not ASCII.
    pub(super) characters: u64,
    /// Bytes that make no character.
    pub(super) odd: u64,
    /// Whether it is Japanese, and has no kana.
    pub(super) lacks_kana: bool,
}

impl Reading {
    /// Whether the bytes are in this charset, but for the few that templates, advertisements and
    /// cut-off pages break: one, or one in fifty characters.
    pub(super) fn fits(&self) -> bool {
        self.odd <= 1 + self.characters / 50 && (self.odd == 0 || self.characters > 2 * self.odd)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    ShiftJis,
    EucJp,
    EucKr,
    Gb,
    Big5,
    EucTw,
    Johab,
}

pub(super) struct MultiByte {
    pub(super) charset: Charset,
    /// What it costs to believe in a charset that hardly any page is written in.
    pub(super) prior: u64,
    /// And for each hundred bits that it costs to read: where no reading is good, one that is a
    /// little better by chance must not win because the page repeats itself.
    pub(super) share: u64,
    form: Form,
    /// By two bytes; nothing where they make no character.
    costs: Box<[u8; 0x10000]>,
}

/// All of them, tables filled.
pub(super) fn all() -> Vec<MultiByte> {
    vec![
        table(SHIFT_JIS.into(), 0, Form::ShiftJis, JA, encode(SHIFT_JIS)),
        table(EUC_JP.into(), 0, Form::EucJp, JA, encode(EUC_JP)),
        table(EUC_KR.into(), 0, Form::EucKr, KO, encode(EUC_KR)),
        table(GB18030.into(), 0, Form::Gb, HANS, encode(GBK)),
        table(BIG5.into(), 0, Form::Big5, HANT, encode(BIG5)),
        table(Charset::EUC_TW, 30, Form::EucTw, HANT, |c| {
            encode(BIG5)(c).and_then(|(lead, trail)| euc_tw_of_big5(lead, trail))
        }),
        table(Charset::JOHAB, 24, Form::Johab, KO, johab_of_syllable),
    ]
}

fn encode(encoding: &'static Encoding) -> impl Fn(char) -> Option<(u8, u8)> {
    move |c| match *encoding.encode(c.encode_utf8(&mut [0; 4])).0 {
        [lead, trail] => Some((lead, trail)),
        _ => None,
    }
}

fn table(
    charset: Charset,
    prior: u64,
    form: Form,
    levels: Levels,
    encode: impl Fn(char) -> Option<(u8, u8)>,
) -> MultiByte {
    let mut costs = Box::new([0; 0x10000]);
    for (code, cost) in costs.iter_mut().enumerate() {
        let [lead, trail] = (code as u16).to_be_bytes();
        *cost = region(form, lead, trail).unwrap_or(0);
    }
    for &(bits, characters) in levels {
        for c in characters.chars() {
            if let Some((lead, trail)) = encode(c) {
                costs[u16::from_be_bytes([lead, trail]) as usize] = bits;
            }
        }
    }
    MultiByte { charset, prior, share: prior, form, costs }
}

/// The cost of a character that the frequency tables do not list, by where it stands: the first
/// level of a standard has the common ones, the second the rare ones, and extensions are rarer still.
fn region(form: Form, lead: u8, trail: u8) -> Option<u8> {
    let high = (0xa1..=0xfe).contains(&trail);
    Some(match (form, lead, trail) {
        (Form::ShiftJis, _, 0..=0x3f | 0x7f | 0xfd..) => return None,
        (Form::ShiftJis, 0x81..=0x83, _) => 14,
        (Form::ShiftJis, 0x84 | 0x87, _) => 17,
        (Form::ShiftJis, 0x88..=0x97, _) => 15,
        (Form::ShiftJis, 0x98..=0x9f | 0xe0..=0xea, _) => 18,
        (Form::ShiftJis, 0xed | 0xee | 0xfa..=0xfc, _) => 19,
        (Form::ShiftJis, 0xf0..=0xf9, _) => 21,
        (Form::EucJp, 0xa1..=0xa5, _) if high => 14,
        (Form::EucJp, 0xa6..=0xa8 | 0xad, _) if high => 17,
        (Form::EucJp, 0xb0..=0xcf, _) if high => 15,
        (Form::EucJp, 0xd0..=0xf4, _) if high => 18,
        (Form::EucJp, 0xa9..=0xaf | 0xf5..=0xfe, _) if high => 21,
        (Form::EucKr, 0xb0..=0xc8, _) if high => 17,
        (Form::EucKr, 0xa1..=0xa3, _) if high => 15,
        (Form::EucKr, 0xa4..=0xac, _) if high => 17,
        (Form::EucKr, 0xca..=0xfd, _) if high => 17,
        (Form::EucKr, 0x81..=0xc6, 0x41..=0x5a | 0x61..=0x7a | 0x81..=0xfe) => 20,
        (Form::EucKr, 0xc9 | 0xfe, _) if high => 21,
        (Form::Gb, _, 0..=0x3f | 0x7f | 0xff) => return None,
        (Form::Gb, 0xb0..=0xd7, _) if high => 15,
        (Form::Gb, 0xd8..=0xf7, _) if high => 18,
        (Form::Gb, 0xa1..=0xa3, _) if high => 15,
        (Form::Gb, 0xa4..=0xa9, _) if high => 17,
        (Form::Gb, 0x81..=0xa9, _) => 19,
        (Form::Gb, 0xaa..=0xfe, _) if !high => 20,
        (Form::Gb, 0xaa..=0xaf | 0xf8..=0xfe, _) => 21,
        (Form::Big5, _, 0..=0x3f | 0x7f..=0xa0 | 0xff) => return None,
        (Form::Big5, 0xa1..=0xa3, _) => 15,
        (Form::Big5, 0xa4..=0xc5, _) => 15,
        (Form::Big5, 0xc6, 0x40..=0x7e) => 15,
        (Form::Big5, 0xc9..=0xf9, _) => 18,
        (Form::Big5, 0x87..=0xa0 | 0xc6..=0xc8 | 0xfa..=0xfe, _) => 20,
        (Form::EucTw, 0xa1..=0xa4, _) if high => 15,
        (Form::EucTw, 0xa5..=0xa7 | 0xc2, _) if high => 18,
        (Form::EucTw, 0xc4..=0xfd, _) if high => 15,
        (Form::Johab, 0x84..=0xd3, 0x41..=0x7e | 0x81..=0xfe) => {
            let code = u16::from_be_bytes([lead, trail]);
            let (initial, vowel, last) = (code >> 10 & 31, code >> 5 & 31, code & 31);
            match (initial, vowel, last) {
                (2..=20, 3..=7 | 10..=15 | 18..=23 | 26..=29, 1..=17 | 19..=29) => 18,
                (1..=20, 2, 1) | (1, _, 1) => 17,
                _ => return None,
            }
        }
        (Form::Johab, 0xd9..=0xde, 0x31..=0x7e | 0x91..=0xfe) => 17,
        (Form::Johab, 0xe0..=0xf9, 0x31..=0x7e | 0x91..=0xfe) => 18,
        _ => return None,
    })
}

impl MultiByte {
    /// Reads all that is not ASCII.
    pub(super) fn read(&self, bytes: &[u8]) -> Reading {
        let mut reading = Reading::default();
        let (mut at, mut has_kana) = (0, false);
        while let Some(next) = next_high(bytes, at) {
            at = next;
            // One that finds an odd byte in every third character will not be the one.
            if reading.odd > 300 && reading.odd * 2 > reading.characters {
                let left = (bytes.len() - at) as u64;
                reading.bits += left * ODD as u64 / 2;
                break;
            }
            while at < bytes.len() && bytes[at] >= 0x80 {
                let (length, cost) = self.character(&bytes[at..]);
                has_kana = has_kana || self.is_kana(&bytes[at..]);
                at += length;
                reading.bits += cost as u64;
                if cost >= ODD {
                    reading.odd += 1;
                } else {
                    reading.characters += 1;
                }
            }
        }
        let is_japanese = matches!(self.form, Form::ShiftJis | Form::EucJp);
        reading.lacks_kana = is_japanese && !has_kana;
        reading
    }

    fn is_kana(&self, bytes: &[u8]) -> bool {
        matches!(
            (self.form, bytes),
            (Form::ShiftJis, [0x82, 0x9f..=0xf1, ..] | [0x83, 0x40..=0x96, ..] | [0xa6..=0xdd, ..])
                | (Form::EucJp, [0xa4 | 0xa5 | 0x8e, ..])
        )
    }

    /// The length and cost of what begins here, which is not ASCII.
    fn character(&self, bytes: &[u8]) -> (usize, u8) {
        let is_high = |at: usize| bytes.get(at).is_some_and(|b| (0xa1..=0xfe).contains(b));
        let lead = bytes[0];
        let Some(&trail) = bytes.get(1) else {
            let alone = self.form == Form::ShiftJis && (0xa1..=0xdf).contains(&lead);
            return (1, if alone { 9 } else { ODD });
        };
        match self.form {
            // Half-width katakana come in words; one alone is more likely something else.
            Form::ShiftJis if (0xa1..=0xdf).contains(&lead) => {
                return (1, if (0xa1..=0xdf).contains(&trail) { 8 } else { 10 });
            }
            Form::EucJp if lead == 0x8e && (0xa1..=0xdf).contains(&trail) => return (2, 13),
            Form::EucJp if lead == 0x8f && is_high(1) && is_high(2) => return (3, 20),
            Form::Gb
                if (0x30..=0x39).contains(&trail)
                    && bytes.get(2).is_some_and(|b| (0x81..=0xfe).contains(b))
                    && bytes.get(3).is_some_and(u8::is_ascii_digit) =>
            {
                return (4, 21);
            }
            Form::EucTw
                if lead == 0x8e && (0xa1..=0xb0).contains(&trail) && is_high(2) && is_high(3) =>
            {
                return (4, if trail == 0xa2 { 17 } else { 21 });
            }
            _ => {}
        }
        match self.costs[u16::from_be_bytes([lead, trail]) as usize] {
            // Titles are cut within a character, and then ASCII follows. Where another character
            // follows, all that come after it are read askew.
            0 if trail >= 0x80 => (1, ASKEW),
            0 => (1, ODD),
            cost => (2, cost),
        }
    }

    /// The cost of two bytes, for charsets that write them without their eighth bits.
    pub(super) fn cost(&self, lead: u8, trail: u8) -> u8 {
        match self.costs[u16::from_be_bytes([lead, trail]) as usize] {
            0 => ODD,
            cost => cost,
        }
    }
}

/// The next byte from here that is not ASCII.
pub(super) fn next_high(bytes: &[u8], from: usize) -> Option<usize> {
    let ascii = encoding_rs::Encoding::ascii_valid_up_to(&bytes[from..]);
    Some(from + ascii).filter(|at| *at < bytes.len())
}
