//! The n-grams of a text, counted by sorting.
//!
//! Every n-gram that starts at a symbol is a beginning of the five symbols there, its *window*. With the
//! windows in order each n-gram is a run of windows that begin alike, so one sort of small numbers
//! takes the place of five insertions into a hash table for every symbol, and no text makes it slow.

use std::ops::Range;

use crate::Symbols;
use crate::joined::Joined;

/// The longest n-gram, in symbols.
const LONGEST: usize = 5;

/// The windows of a text, in order.
pub struct Windows {
    /// Where each symbol of the text starts, and where the last one ends.
    cuts: Vec<Cut>,
    /// How many n-grams each window has.
    lengths: Vec<u8>,
    /// How often the text has the word that each starts in.
    counts: Vec<u32>,
    /// The windows, by the symbols that they start at.
    sorted: Vec<u32>,
    /// With how many equal symbols each begins as the one before in this order; none at both ends.
    alike: Vec<u8>,
}

/// A place between two symbols.
#[derive(Clone, Copy)]
struct Cut {
    at: u32,
    /// The hash of the text before it.
    hash: u32,
}

/// An n-gram and how often it occurs.
#[derive(Clone, Copy, Debug)]
pub struct Gram {
    pub count: u32,
    /// The first window that begins with it.
    pub window: u32,
    /// Its length in symbols.
    pub symbols: u8,
}

impl Windows {
    /// The windows of a text whose words are joined by underscores.
    pub fn of(joined: &Joined, kind: Symbols) -> Windows {
        let text = &joined.text[..];
        let mut cuts = Vec::with_capacity(text.len() + 1);
        let mut cut = Cut { at: 0, hash: 0 };
        let mut symbols = Vec::with_capacity(text.len() + LONGEST);
        let mut counts = Vec::with_capacity(text.len());
        let mut numbers = Numbers::new();
        for word in &joined.words {
            while (cut.at as usize) < word.end {
                let rest = &text[cut.at as usize..];
                let symbol = &rest[..kind.first(rest)];
                symbols.push(numbers.of(symbol));
                cuts.push(cut);
                cut.at += symbol.len() as u32;
                cut.hash = symbol.iter().fold(cut.hash, |hash, byte| step(hash, *byte));
            }
            counts.resize(symbols.len(), word.count);
        }
        cuts.push(cut);
        let lengths = lengths(&symbols);
        // So that the last windows have five symbols too.
        symbols.extend([0; LONGEST]);
        let sorted = sorted(&symbols, lengths.len(), numbers.given);
        let alike = sorted.array_windows().map(|&[one, other]| alike(&symbols, one, other));
        let alike = [0].into_iter().chain(alike).chain([0]).collect();
        Windows { cuts, lengths, counts, sorted, alike }
    }

    /// Hands every n-gram that occurs more than once to `see`, in no useful order.
    pub fn repeated(&self, mut see: impl FnMut(Gram)) {
        // Of each length, the n-gram that the windows at hand begin with: in how many it is the longest
        // so far, and the first of them.
        let mut runs = [(0, u32::MAX); LONGEST + 1];
        for (&window, &next) in self.sorted.iter().zip(&self.alike[1..]) {
            let (length, next) = (usize::from(self.lengths[window as usize]), usize::from(next));
            let count = self.counts[window as usize];
            runs[length] = (runs[length].0 + count, runs[length].1.min(window));
            // What the next window does not begin with is over.
            for symbols in (next + 1..=length).rev() {
                let (count, window) = std::mem::replace(&mut runs[symbols], (0, u32::MAX));
                if count > 1 {
                    see(Gram { count, window, symbols: symbols as u8 });
                }
                let shorter = &mut runs[symbols - 1];
                *shorter = (shorter.0 + count, shorter.1.min(window));
            }
        }
    }

    /// Hands every n-gram that occurs once to `see`: those of a window that neither neighbour begins with, in a word that
    /// occurs once.
    pub fn once(&self, mut see: impl FnMut(Gram)) {
        for (&window, alike) in self.sorted.iter().zip(self.alike.array_windows()) {
            if self.counts[window as usize] > 1 {
                continue;
            }
            let &[before, behind] = alike;
            for symbols in before.max(behind) + 1..=self.lengths[window as usize] {
                see(Gram { count: 1, window, symbols });
            }
        }
    }

    /// Where an n-gram stands in the text for the first time.
    pub fn place(&self, gram: &Gram) -> Range<usize> {
        let [from, to] = self.cuts(gram);
        from.at as usize..to.at as usize
    }

    /// The bucket of an n-gram in libTextCat's hash table. The hash of its bytes, which begins with 13
    /// times the number of its symbols, comes from the hashes of the text up to both its ends.
    pub fn bucket(&self, gram: &Gram) -> u16 {
        let [from, to] = self.cuts(gram);
        let before = (u32::from(gram.symbols) * 13).wrapping_sub(from.hash);
        let hash = before.wrapping_mul(POWERS[(to.at - from.at) as usize]).wrapping_add(to.hash);
        (hash as usize % BUCKETS) as u16
    }

    fn cuts(&self, gram: &Gram) -> [Cut; 2] {
        let window = gram.window as usize;
        [self.cuts[window], self.cuts[window + usize::from(gram.symbols)]]
    }
}

/// How many buckets libTextCat's hash table has.
pub const BUCKETS: usize = 0x2000;

/// What a hash is multiplied by for every byte.
const FACTOR: u32 = 31;

/// What a hash has been multiplied by after so many bytes.
const POWERS: [u32; 4 * LONGEST + 1] = {
    let mut powers = [1_u32; 4 * LONGEST + 1];
    let mut at = 1;
    while at < powers.len() {
        powers[at] = powers[at - 1].wrapping_mul(FACTOR);
        at += 1;
    }
    powers
};

/// The hash of a text that goes on with a byte, which is a number with a sign.
fn step(hash: u32, byte: u8) -> u32 {
    let byte = i32::from(byte.cast_signed()).cast_unsigned();
    hash.wrapping_mul(FACTOR).wrapping_add(byte)
}

/// How many n-grams start at each symbol: one ends at every symbol up to the next underscore. Where
/// that is out of sight and so is the end of the text, there are as many as the longest has symbols.
/// The first window that reaches the end without an underscore is the last: counting ends there.
fn lengths(symbols: &[u32]) -> Vec<u8> {
    let reaches_the_end = |start: &usize| !symbols[start + 1..].contains(&Numbers::UNDERSCORE);
    let last = (symbols.len().saturating_sub(LONGEST)..symbols.len()).find(reaches_the_end);
    let mut lengths = vec![0; last.map_or(0, |last| last + 1)];
    let mut length = last.map_or(0, |last| symbols.len() - last);
    for start in (0..lengths.len()).rev() {
        lengths[start] = length as u8;
        length = if symbols[start] == Numbers::UNDERSCORE { 2 } else { LONGEST.min(length + 1) };
    }
    lengths
}

/// With how many equal symbols two windows begin.
fn alike(symbols: &[u32], one: u32, other: u32) -> u8 {
    let (one, other) = (&symbols[one as usize..], &symbols[other as usize..]);
    // Without branches, since there is no telling which symbol is the first that differs.
    let mut differ = 1 << LONGEST;
    for (at, (one, other)) in one[..LONGEST].iter().zip(&other[..LONGEST]).enumerate() {
        differ |= u32::from(one != other) << at;
    }
    differ.trailing_zeros() as u8
}

/// The first so many windows in the order of their symbols, whose largest number is given.
fn sorted(symbols: &[u32], count: usize, largest: u32) -> Vec<u32> {
    let mut windows: Vec<u32> = (0..count as u32).collect();
    let bits = u32::BITS - largest.leading_zeros();
    let all_bits = LONGEST as u32 * bits;
    if all_bits > u64::BITS {
        // Thousands of different symbols: a long text in Chinese, or a trap.
        windows.sort_by_key(|&window| &symbols[window as usize..][..LONGEST]);
        return windows;
    }
    let mask = u64::MAX >> (u64::BITS - all_bits);
    let mut key = 0;
    let next = |symbol: &u32| {
        key = (key << bits | u64::from(*symbol)) & mask;
        key
    };
    let keys: Vec<u64> = symbols.iter().map(next).collect();
    radix_sort(&mut windows, &keys[LONGEST - 1..], all_bits);
    windows
}

/// Sorts numbers by their keys of so many bits: by the lowest digit first, counting how many have each.
fn radix_sort(numbers: &mut Vec<u32>, keys: &[u64], bits: u32) {
    /// So many counters fit into a processor's first cache.
    const MOST: u32 = 12;
    let digit_bits = bits.div_ceil(bits.div_ceil(MOST));
    let mut sorted = vec![0; numbers.len()];
    let mut places = vec![0_u32; 1 << digit_bits];
    for shift in (0..bits).step_by(digit_bits as usize) {
        let last = places.len() - 1;
        let digit = |key: u64| (key >> shift) as usize & last;
        places.fill(0);
        for &key in &keys[..numbers.len()] {
            places[digit(key)] += 1;
        }
        let mut sum = 0;
        for place in &mut places {
            (*place, sum) = (sum, sum + *place);
        }
        for &number in &*numbers {
            let place = &mut places[digit(keys[number as usize])];
            sorted[*place as usize] = number;
            *place += 1;
        }
        std::mem::swap(numbers, &mut sorted);
    }
}

/// The numbers of symbols, from 1 on, as they come.
struct Numbers {
    bytes: [u32; 256],
    longer: Longer,
    given: u32,
}

impl Numbers {
    /// What words are joined by.
    const UNDERSCORE: u32 = 1;

    fn new() -> Numbers {
        let mut bytes = [0; 256];
        bytes[usize::from(b'_')] = Numbers::UNDERSCORE;
        Numbers { bytes, longer: Longer::default(), given: Numbers::UNDERSCORE }
    }

    fn of(&mut self, symbol: &[u8]) -> u32 {
        let number = match *symbol {
            [byte] => &mut self.bytes[usize::from(byte)],
            _ => self.longer.of(symbol),
        };
        if *number == 0 {
            self.given += 1;
            *number = self.given;
        }
        *number
    }
}

/// The numbers of symbols of several bytes, by the last byte, in blocks by the bytes before it: a script
/// has few of them.
#[derive(Default)]
struct Longer {
    /// For each beginning one more than the number of its block, or 0.
    beginnings: Vec<u32>,
    blocks: Vec<[u32; 64]>,
}

impl Longer {
    fn of(&mut self, symbol: &[u8]) -> &mut u32 {
        let bits = |byte: u8| usize::from(byte & 0x3f);
        let (beginning, last) = match *symbol {
            [a, last] => (bits(a), last),
            [a, b, last] => (0x40 + (usize::from(a & 0xf) << 6 | bits(b)), last),
            [a, b, c, last] => {
                (0x800 + (usize::from(a & 0xf) << 12 | bits(b) << 6 | bits(c)), last)
            }
            _ => unreachable!("a symbol has one to four bytes"),
        };
        if beginning >= self.beginnings.len() {
            self.beginnings.resize(beginning + 1, 0);
        }
        let block = &mut self.beginnings[beginning];
        if *block == 0 {
            self.blocks.push([0; 64]);
            *block = self.blocks.len() as u32;
        }
        &mut self.blocks[*block as usize - 1][bits(last)]
    }
}
