//! Which charset the bytes are in, from the bytes alone.
//!
//! Every charset is a way to read the bytes, and every reading has a length in bits: what its
//! letters and characters cost in the languages written so, and a charge for charsets that hardly
//! anybody uses. The shortest reading is the best one (minimum description length), and by how much
//! it is shorter than the next says how sure that is. Only what is not ASCII is read; the cost is one
//! pass for all charsets of one byte and one for each of two bytes, and nothing is decoded.

use super::Charset;
use super::distinct::distinct;
use super::multibyte::{self, MultiByte, Reading};
use super::singlebyte::{Pairs, SingleBytes};
use super::wide;
use encoding_rs::WINDOWS_1252;
use std::sync::LazyLock;

struct Tables {
    multi: Vec<MultiByte>,
    single: SingleBytes,
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| Tables { multi: multibyte::all(), single: SingleBytes::new() });

pub(super) fn multibyte_tables() -> &'static [MultiByte] {
    &TABLES.multi
}

/// A heading of Japanese may have no kana. Text of so many bytes that are not ASCII, without one, is Chinese, and every
/// character speaks against the other reading with so many bits.
const LONG_HEADING: usize = 200;
const NO_KANA: u64 = 6;

/// How the bytes read in all charsets, the best first.
pub(super) struct Ranking {
    pub(super) ranked: Vec<Ranked>,
    pairs: Pairs,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub(super) charset: Charset,
    pub(super) bits: u64,
    pub(super) reading: Reading,
    /// Which of the readings of one byte a character.
    single: Option<usize>,
}

pub(super) fn rank(page: &[u8]) -> Ranking {
    let tables = &*TABLES;
    let bytes = &*distinct(page);
    let pairs = Pairs::count(bytes);
    let is_long = page.iter().filter(|byte| !byte.is_ascii()).nth(LONG_HEADING).is_some();
    let mut ranked: Vec<Ranked> = Vec::new();
    for multi in &tables.multi {
        let mut reading = multi.read(bytes);
        if reading.lacks_kana && is_long {
            reading.bits += NO_KANA * reading.characters;
        }
        let bits = reading.bits + multi.prior + reading.bits * multi.share / 100;
        ranked.push(Ranked { charset: multi.charset, bits, reading, single: None });
    }
    for (at, single) in tables.single.readings.iter().enumerate() {
        let reading = tables.single.read(&pairs, single);
        let (charset, bits) = (single.charset, reading.bits + single.prior);
        let this = Ranked { charset, bits, reading, single: Some(at) };
        match ranked.iter_mut().find(|r| r.charset == charset) {
            Some(same) if same.bits <= bits => {}
            Some(same) => *same = this,
            None => ranked.push(this),
        }
    }
    ranked.sort_by_key(|r| r.bits);
    let mut ranking = Ranking { ranked, pairs };
    ranking.prefer_western();
    ranking
}

impl Ranking {
    pub(super) fn best(&self) -> &Ranked {
        &self.ranked[0]
    }

    /// How the bytes read in one of the charsets, where it is among them.
    pub(super) fn of(&self, charset: Charset) -> Option<&Ranked> {
        self.ranked.iter().find(|r| r.charset.reads_like(charset))
    }

    /// Western and Central European charsets share most letters, and which language has more of
    /// the shared ones says little about the charset. So the most common charset goes first if it is
    /// not much worse, and no worse in the letters that are not shared.
    fn prefer_western(&mut self) {
        let Some(at) = self.ranked.iter().position(|r| r.charset.is(WINDOWS_1252)) else { return };
        let (western, best) = (self.ranked[at], self.ranked[0]);
        let is_near = western.bits - best.bits <= 3 * self.high();
        if at > 0 && best.single.is_some() && is_near && self.excess(&western, &best) <= 0 {
            self.ranked[..=at].rotate_right(1);
        }
    }

    /// By how many bits one reads longer than the other, where they read differently.
    pub(super) fn excess(&self, one: &Ranked, other: &Ranked) -> i64 {
        let (Some(a), Some(b)) = (one.single, other.single) else {
            return one.bits as i64 - other.bits as i64;
        };
        let single = &TABLES.single;
        let pairs = self.pairs.read_differently(one.charset, other.charset);
        let bits = |at: usize| single.read(&pairs, &single.readings[at]).bits as i64;
        bits(a) - bits(b)
    }

    /// Bytes that are not ASCII.
    pub(super) fn high(&self) -> u64 {
        self.pairs.high()
    }

    /// How many bytes the two charsets read differently.
    pub(super) fn difference(&self, one: Charset, other: Charset) -> u64 {
        if one.reads_like(other) {
            return 0;
        }
        self.pairs.difference(one, other)
    }

    /// How sure the first is, from 0 to 1, against the next that reads another text. Neighbouring
    /// characters are no independent witnesses, so eight bits count as one.
    pub(super) fn certainty(&self) -> f32 {
        let best = self.best();
        let next = self.ranked[1..].iter().find(|r| self.difference(r.charset, best.charset) > 0);
        let margin = next.map_or(64, |next| next.bits.saturating_sub(best.bits));
        1.0 / (1.0 + (-(margin as f32) / 8.0).exp2())
    }
}

/// How the bytes read in a charset that a label names.
pub(super) fn read_as(bytes: &[u8], charset: Charset) -> Reading {
    if charset == Charset::UTF_8 {
        return wide::read_utf_8(bytes);
    }
    if let Some(multi) = TABLES.multi.iter().find(|m| m.charset.reads_like(charset)) {
        return multi.read(bytes);
    }
    let pairs = Pairs::count(bytes);
    let odd = pairs.odd(charset);
    Reading { characters: pairs.high() - odd, odd, ..Reading::default() }
}
