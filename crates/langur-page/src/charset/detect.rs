//! Which charset the bytes are in, from the bytes alone.
//!
//! Every charset is a way to read the bytes, and every reading has a length in bits: what its
//! letters and characters cost in the languages written so, and a charge for charsets that hardly
//! anybody uses. The shortest reading is the best one (minimum description length), and by how much
//! it is shorter than the next says how sure that is. Only what is not ASCII is read; the cost is one
//! pass for all charsets of one byte and one for each of two bytes, and nothing is decoded.

use super::Charset;
use super::multibyte::{self, MultiByte, Reading};
use super::singlebyte::{Pairs, SingleBytes};
use super::wide;
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
}

pub(super) fn rank(bytes: &[u8]) -> Ranking {
    let tables = &*TABLES;
    let pairs = Pairs::count(bytes);
    let mut ranked: Vec<Ranked> = Vec::new();
    for multi in &tables.multi {
        let reading = multi.read(bytes);
        let bits = reading.bits + multi.prior + reading.bits * multi.share / 100;
        ranked.push(Ranked { charset: multi.charset, bits, reading });
    }
    for single in &tables.single.readings {
        let reading = tables.single.read(&pairs, single);
        let (charset, bits) = (single.charset, reading.bits + single.prior);
        match ranked.iter_mut().find(|r| r.charset == charset) {
            Some(same) if same.bits <= bits => {}
            Some(same) => *same = Ranked { charset, bits, reading },
            None => ranked.push(Ranked { charset, bits, reading }),
        }
    }
    ranked.sort_by_key(|r| r.bits);
    Ranking { ranked, pairs }
}

impl Ranking {
    pub(super) fn best(&self) -> &Ranked {
        &self.ranked[0]
    }

    /// How the bytes read in one of the charsets, where it is among them.
    pub(super) fn of(&self, charset: Charset) -> Option<&Ranked> {
        self.ranked.iter().find(|r| r.charset.reads_like(charset))
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
        let margin = next.map_or(64, |next| next.bits - best.bits);
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
    Reading { bits: 0, characters: pairs.high() - odd, odd }
}
