//! How well bytes read as one of the charsets with one byte a character.
//!
//! Bytes are counted in pairs, once for all charsets. A reading is a charset and a language written
//! in it, and costs the bits that its pairs of letters cost in the language (`frequency`). The
//! letters decide: Я for я within a word, a letter that no Russian word begins with, ő where no
//! Frenchman writes õ.

use super::Charset;
use super::frequency as f;
use super::frequency::Levels;
use super::multibyte::Reading;
use encoding_rs as e;
use std::collections::HashMap;

/// Pairs of bytes of which at least one is not ASCII, with how often they occur.
pub(super) struct Pairs {
    counted: Vec<(u8, u8, u32)>,
    /// How often each byte that is not ASCII occurs.
    singles: [u32; 256],
    /// How often each stands between two letters.
    within_words: [u32; 256],
    /// Bytes that are not ASCII, behind so many others that no word would be so long.
    in_long_words: u64,
    /// Bytes that are not ASCII and stand alone, as a sign does between numbers or words.
    alone: u64,
}

/// Longer words are none, except in Thai, which does not part them.
const LONG_WORD: usize = 24;

impl Pairs {
    /// Counts in one pass. The text is as if between spaces.
    pub(super) fn count(bytes: &[u8]) -> Pairs {
        let mut counts = vec![0u32; 0x10000];
        let (mut singles, mut within_words) = ([0u32; 256], [0u32; 256]);
        let (mut at, mut in_long_words, mut alone) = (0, 0, 0);
        while let Some(next) = super::multibyte::next_high(bytes, at) {
            at = next;
            let begin = at;
            let mut before = if at == 0 { b' ' } else { bytes[at - 1] };
            loop {
                let byte = bytes.get(at).copied().unwrap_or(b' ');
                let code = u16::from_be_bytes([before, byte]) as usize;
                counts[code] = counts[code].saturating_add(1);
                if byte < 0x80 {
                    break;
                }
                singles[byte as usize] += 1;
                let within = is_letter(before) && bytes.get(at + 1).is_some_and(|b| is_letter(*b));
                within_words[byte as usize] += within as u32;
                // Lines drawn with one character are no words.
                in_long_words += (at - begin >= LONG_WORD && byte != before) as u64;
                before = byte;
                at += 1;
            }
            at = at.min(bytes.len());
            let is_apart = |byte: Option<&u8>| !byte.is_some_and(|byte| is_letter(*byte));
            let before = begin.checked_sub(1).and_then(|before| bytes.get(before));
            alone += u64::from(at == begin + 1 && is_apart(before) && is_apart(bytes.get(at)));
        }
        let counted = (counts.iter().enumerate().filter(|(_, count)| **count > 0))
            .map(|(code, count)| ((code >> 8) as u8, code as u8, *count))
            .collect();
        Pairs { counted, singles, within_words, in_long_words, alone }
    }

    /// Bytes that are not ASCII.
    pub(super) fn high(&self) -> u64 {
        self.singles.iter().map(|n| *n as u64).sum()
    }

    /// The pairs that two charsets read differently.
    pub(super) fn read_differently(&self, one: Charset, other: Charset) -> Pairs {
        let differs: Vec<bool> = (0..=255).map(|b| one.meaning(b) != other.meaning(b)).collect();
        let counted = (self.counted.iter().copied())
            .filter(|(a, b, _)| differs[*a as usize] || differs[*b as usize])
            .collect();
        let mut within_words = self.within_words;
        for (count, differs) in within_words.iter_mut().zip(&differs) {
            *count *= *differs as u32;
        }
        Pairs { counted, singles: self.singles, within_words, in_long_words: 0, alone: self.alone }
    }

    /// How many bytes two charsets read differently: all, unless both have one byte a character.
    pub(super) fn difference(&self, one: Charset, other: Charset) -> u64 {
        (0x80..=255u8)
            .map(|byte| {
                (self.singles[byte as usize] as u64, one.meaning(byte), other.meaning(byte))
            })
            .filter(|(count, one, other)| *count > 0 && (one != other || one.is_none()))
            .map(|(count, ..)| count)
            .sum()
    }

    /// Bytes that mean nothing in a charset, or a control code.
    pub(super) fn odd(&self, charset: Charset) -> u64 {
        (0x80..=255u8)
            .filter(|byte| self.singles[*byte as usize] > 0)
            .filter(|byte| charset.meaning(*byte).is_none_or(char::is_control))
            .map(|byte| self.singles[byte as usize] as u64)
            .sum()
    }
}

/// Whether a byte is a letter in nearly every charset.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte >= 0xc0
}

/// A charset and a language written in it.
pub(super) struct SingleByte {
    pub(super) charset: Charset,
    pub(super) language: &'static str,
    /// What it costs to believe in a charset that hardly any page is written in.
    pub(super) prior: u64,
    model: usize,
    classes: [u8; 256],
    cases: [u8; 256],
    quotes: Vec<u8>,
}

pub(super) struct SingleBytes {
    models: Vec<Model>,
    pub(super) readings: Vec<SingleByte>,
}

/// Costs by class of letter: a class each for the letters of the language, and six more.
struct Model {
    classes: HashMap<char, u8>,
    latin: bool,
    count: usize,
    /// By the class before and the class itself; what ASCII costs on average is taken off already.
    costs: Vec<i8>,
}

const LATIN: [(&str, Levels); 30] = [
    ("de", f::DE),
    ("fr", f::FR),
    ("es", f::ES),
    ("pt", f::PT),
    ("it", f::IT),
    ("nl", f::NL),
    ("sv", f::SV),
    ("da", f::DA),
    ("nb", f::NB),
    ("fi", f::FI),
    ("is", f::IS),
    ("ca", f::CA),
    ("ga", f::GA),
    ("sq", f::SQ),
    ("et", f::ET),
    ("tr", f::TR),
    ("az", f::AZ),
    ("cs", f::CS),
    ("sk", f::SK),
    ("pl", f::PL),
    ("hu", f::HU),
    ("hr", f::HR),
    ("sl", f::SL),
    ("ro", f::RO),
    ("lt", f::LT),
    ("lv", f::LV),
    ("eo", f::EO),
    ("mt", f::MT),
    ("vi", f::VI),
    ("vi (1258)", f::VI_1258),
];

const OTHERS: [(&str, Levels); 13] = [
    ("ru", f::RU),
    ("uk", f::UK),
    ("be", f::BE),
    ("bg", f::BG),
    ("sr", f::SR),
    ("mk", f::MK),
    ("el", f::EL),
    ("he", f::HE),
    ("he (visual)", f::HE_VISUAL),
    ("ar", f::AR),
    ("fa", f::FA),
    ("ur", f::UR),
    ("th", f::TH),
];

/// Which languages pages write in which charset, and what it costs to believe it.
fn written() -> Vec<(Charset, u64, &'static [&'static str])> {
    const WEST: &[&str] =
        &["de", "fr", "es", "pt", "it", "nl", "sv", "da", "nb", "fi", "is", "ca", "ga", "sq", "et"];
    const CENTRE: &[&str] = &["cs", "sk", "pl", "hu", "hr", "sl", "ro", "sq", "de"];
    const CYRILLIC: &[&str] = &["ru", "uk", "be", "bg", "sr", "mk"];
    vec![
        (e::WINDOWS_1252.into(), 0, WEST),
        (e::ISO_8859_15.into(), 3, &["de", "fr", "es", "pt", "it", "nl", "fi", "et", "da", "sv"]),
        (e::MACINTOSH.into(), 30, &["de", "fr", "es", "pt", "it", "sv", "da"]),
        (e::WINDOWS_1250.into(), 2, CENTRE),
        (e::ISO_8859_2.into(), 3, CENTRE),
        (e::ISO_8859_16.into(), 24, &["ro", "hu", "pl"]),
        (e::WINDOWS_1254.into(), 2, &["tr", "az"]),
        (e::ISO_8859_3.into(), 16, &["eo", "mt", "tr"]),
        (e::WINDOWS_1257.into(), 11, &["lt", "lv", "et"]),
        (e::ISO_8859_13.into(), 14, &["lt", "lv", "et"]),
        (e::ISO_8859_4.into(), 24, &["lt", "lv", "et"]),
        (e::ISO_8859_10.into(), 26, &["lt", "lv", "et", "is"]),
        (e::WINDOWS_1258.into(), 6, &["vi (1258)"]),
        (Charset::VISCII, 16, &["vi"]),
        (e::WINDOWS_1251.into(), 0, CYRILLIC),
        (e::KOI8_R.into(), 3, &["ru"]),
        (e::KOI8_U.into(), 4, &["uk", "be"]),
        (e::ISO_8859_5.into(), 6, CYRILLIC),
        (e::IBM866.into(), 10, &["ru", "uk", "be", "bg"]),
        (e::X_MAC_CYRILLIC.into(), 8, CYRILLIC),
        (Charset::IBM855, 18, CYRILLIC),
        (e::WINDOWS_1253.into(), 2, &["el"]),
        (e::ISO_8859_7.into(), 3, &["el"]),
        (e::WINDOWS_1255.into(), 0, &["he", "he (visual)"]),
        (e::ISO_8859_8.into(), 3, &["he (visual)", "he"]),
        (e::WINDOWS_1256.into(), 0, &["ar", "fa", "ur"]),
        (e::ISO_8859_6.into(), 4, &["ar"]),
        (e::WINDOWS_874.into(), 0, &["th"]),
    ]
}

/// Letters of the tables that no word of the language has: they come from texts that somebody had
/// decoded with the wrong charset: Czech of ISO-8859-2 as windows-1250.
fn mistaken(language: &str) -> &'static str {
    match language {
        "cs" => "ąľĺăˇ",
        _ => "",
    }
}

const SPACE: u8 = 0;
/// The classes behind those of the letters.
const FOREIGN: usize = 0;
const MARK: usize = 1;
const SYMBOL: usize = 2;
const ODD: usize = 3;
/// Marks that close or join and do not open: they do not follow a space.
const CLOSING: usize = 4;
const SIGN: usize = 5;
const EXTRA: usize = 6;

/// What a pair of the alphabet costs that hardly occurs.
const UNSEEN: i8 = 13;
/// What the tables add to the cost of ASCII after another letter, lest it be negative.
const ASCII_OFFSET: i8 = 4;

/// Marks that any page may have: quotes, dashes, bullets, spaces, signs.
const MARKS: &str = "«»„“‘‚–—·•\u{a0}™№°§€£ªº¿¡´×µ±¥ـ،؟؛฿\u{200e}\u{200f}\u{200c}\u{ad}";

const CLOSING_MARKS: &str = "’”…";

/// Marks that begin or end a word and do not stand in one: there, windows-1250 reads » for the ť of
/// ISO-8859-2, and windows-1252 ½ for the œ of ISO-8859-15.
const QUOTES: &str = "«»„“½¼¾²³";
/// What a quote in a word costs on top of a mark: together as much as a symbol.
const QUOTE_WITHIN: i64 = 7;

/// What a letter costs that stands alone, in a script that is not Latin: it has words of one letter, but far more often it
/// is a sign on a page in Latin letters.
const ALONE: i64 = 8;

/// Marks that no letter follows: Š and Ž of ISO-8859-2, read as windows-1250.
const SIGNS: &str = "©®½¼¾²³";

impl SingleBytes {
    pub(super) fn new() -> SingleBytes {
        let named: Vec<(&str, Levels, bool)> =
            (LATIN.iter().map(|(name, levels)| (*name, *levels, true)))
                .chain(OTHERS.iter().map(|(name, levels)| (*name, *levels, false)))
                .collect();
        let models: Vec<Model> = named
            .iter()
            .map(|(name, levels, latin)| Model::new(levels, *latin, mistaken(name)))
            .collect();
        let mut readings = Vec::new();
        for (charset, prior, languages) in written() {
            for language in languages {
                let model = named.iter().position(|(name, ..)| name == language);
                let model = model.expect("every language that is written has its letters");
                let (mut classes, mut cases) = ([0; 256], [0; 256]);
                for byte in 0..=255u8 {
                    let meaning = charset.meaning(byte);
                    classes[byte as usize] = models[model].class(meaning);
                    cases[byte as usize] = match meaning {
                        Some(c) if c.is_lowercase() => 1,
                        Some(c) if c.is_uppercase() => 2,
                        _ => 0,
                    };
                }
                let is_quote = |c: char| QUOTES.contains(c);
                let quotes =
                    (0x80..=255u8).filter(|b| charset.meaning(*b).is_some_and(is_quote)).collect();
                readings.push(SingleByte {
                    charset,
                    language,
                    prior,
                    model,
                    classes,
                    cases,
                    quotes,
                });
            }
        }
        SingleBytes { models, readings }
    }

    pub(super) fn read(&self, pairs: &Pairs, as_: &SingleByte) -> Reading {
        let model = &self.models[as_.model];
        let mut bits = 0i64;
        for &(a, b, count) in &pairs.counted {
            let classes = (as_.classes[a as usize] as usize, as_.classes[b as usize] as usize);
            let mut cost = model.costs[classes.0 * model.count + classes.1] as i64;
            // Words are in small letters, or begin with a capital, or are all capitals.
            cost += match (as_.cases[a as usize], as_.cases[b as usize]) {
                (1, 2) if a >= 0x80 && b >= 0x80 => 10,
                (1, 2) => 7,
                (0, 2) if b >= 0x80 => 2,
                (2, 2) => 1,
                _ => 0,
            };
            bits += cost * count as i64;
        }
        let within = as_.quotes.iter().map(|quote| pairs.within_words[*quote as usize] as i64);
        bits += QUOTE_WITHIN * within.sum::<i64>();
        if !model.latin {
            bits += ALONE * pairs.alone as i64;
        }
        if as_.language != "th" {
            bits += 3 * pairs.in_long_words as i64;
        }
        let odd = pairs.odd(as_.charset);
        let characters = pairs.high() - odd;
        Reading { bits: bits.max(0) as u64, characters, odd, lacks_kana: false }
    }
}

impl Model {
    fn new(levels: Levels, latin: bool, mistaken: &str) -> Model {
        let mut classes: HashMap<char, u8> = HashMap::new();
        classes.insert(' ', SPACE);
        let ascii = if latin { 'a'..='z' } else { 'a'..='a' };
        let seen = levels.iter().flat_map(|(_, pairs)| pairs.chars());
        let seen = seen.filter(|letter| !mistaken.contains(*letter));
        for letter in ascii.chain(seen) {
            let next = classes.len() as u8;
            classes.entry(letter).or_insert(next);
        }
        let letters = classes.len();
        let count = letters + EXTRA;
        let mut letter_of = vec![' '; letters];
        for (c, class) in &classes {
            letter_of[*class as usize] = *c;
        }
        let is_ascii = |class: usize| class < letters && letter_of[class].is_ascii();
        let mut costs = vec![0i8; count * count];
        for a in 0..count {
            for b in 0..count {
                costs[a * count + b] = match b.checked_sub(letters) {
                    Some(ODD) => 22,
                    Some(SYMBOL) if a == SPACE as usize => 11,
                    Some(SYMBOL) => 14,
                    Some(CLOSING) if a == SPACE as usize => 11,
                    Some(MARK | CLOSING | SIGN) => 7,
                    Some(FOREIGN) => 15,
                    _ if a >= letters && is_ascii(b) => match a - letters {
                        FOREIGN if b != SPACE as usize => 3,
                        SYMBOL | SIGN if b != SPACE as usize => 6,
                        _ => 0,
                    },
                    // After a mark begins a word; the true costs are copied below.
                    _ if a >= letters => 9,
                    _ if is_ascii(a) && is_ascii(b) => 0,
                    _ if is_ascii(b) => 7,
                    _ => UNSEEN,
                };
            }
        }
        for &(cost, pairs) in levels {
            let mut letters = pairs.chars();
            while let (Some(a), Some(b)) = (letters.next(), letters.next()) {
                let (Some(a), Some(class)) = (classes.get(&a), classes.get(&b)) else { continue };
                let at = *a as usize * count + *class as usize;
                costs[at] = cost as i8 - if b.is_ascii() { ASCII_OFFSET } else { 0 };
            }
        }
        for b in 0..letters {
            if !is_ascii(b) {
                costs[(letters + MARK) * count + b] = costs[b];
                costs[(letters + CLOSING) * count + b] = costs[b];
            }
        }
        Model { classes, latin, count, costs }
    }

    fn class(&self, meaning: Option<char>) -> u8 {
        let extra = |class: usize| (self.count - EXTRA + class) as u8;
        let Some(c) = meaning else { return extra(ODD) };
        if c.is_ascii() {
            return match c.to_ascii_lowercase() {
                'a'..='z' if !self.latin => self.classes[&'a'],
                lower @ 'a'..='z' => self.classes[&lower],
                _ => SPACE,
            };
        }
        // İ is two characters in small letters, and Turkish is the only one to write it.
        let lower = if c == 'İ' { 'i' } else { c.to_lowercase().next().unwrap_or(c) };
        match self.classes.get(&lower) {
            Some(class) => *class,
            None if c.is_control() => extra(ODD),
            None if CLOSING_MARKS.contains(c) => extra(CLOSING),
            None if SIGNS.contains(c) => extra(SIGN),
            None if MARKS.contains(c) => extra(MARK),
            None if c.is_alphabetic() => extra(FOREIGN),
            None => extra(SYMBOL),
        }
    }
}
