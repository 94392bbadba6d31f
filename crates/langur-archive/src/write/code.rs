//! The code of a block of deflate (RFC 1951): how bytes, and references to what was there before, are written.

/// How many symbols there are: bytes, the end and lengths; and distances.
const LITERALS: usize = 286;
const DISTANCES: usize = 30;
pub(super) const END_OF_BLOCK: usize = 256;
const FIRST_LENGTH: usize = END_OF_BLOCK + 1;

/// The least length, and the least distance, of each symbol; what goes beyond is said in bits of their own (RFC 1951,
/// 3.2.5).
const LEAST_LENGTHS: [u16; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
];
const LEAST_DISTANCES: [u16; DISTANCES] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
];

/// How a symbol is written; one of no bits is not.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Symbol {
    pub bits: u32,
    pub count: u8,
}

/// A code, as a block of deflate begins with it.
pub(super) struct Code {
    /// The beginning of a block.
    pub head: Vec<Symbol>,
    /// The symbols of bytes, of the end and of lengths.
    pub literals: [Symbol; LITERALS],
    distances: [Symbol; DISTANCES],
    /// For every length the longest, up to it, that can be said, and the number of the symbol for that.
    lengths: [(u16, u8); LONGEST_MATCH + 1],
}

/// What repeats less is not worth a reference, and none is longer.
pub(super) const SHORTEST_MATCH: usize = 4;
pub(super) const LONGEST_MATCH: usize = 258;

impl Code {
    /// The code of the first block, if it has one of its own.
    pub fn of(block: &[u8]) -> Option<Code> {
        let mut bits = Bits { bytes: block, at: 0 };
        let (_is_last, kind) = (bits.take(1)?, bits.take(2)?);
        if kind != 2 {
            return None;
        }
        let (literals, distances) = bits.code_lengths()?;
        let all = (0..bits.at).map(|at| Symbol { bits: bit(block, at), count: 1 });
        let mut head: Vec<Symbol> = all.collect();
        // The records of an archive have one block each, which is the last.
        head[0].bits = 1;
        let mut lengths = [(0, 0); LONGEST_MATCH + 1];
        for (length, number) in length_symbols().filter(|of| literals[FIRST_LENGTH + of.1] > 0) {
            lengths[length..].fill((length as u16, number as u8));
        }
        let (literals, distances) = (symbols(&literals), symbols(&distances));
        Some(Code { head: joined(&head), literals, distances, lengths })
    }

    /// How a repetition of so many bytes, or as many of them as can be said, is said, if it is worth it: how many, and the
    /// symbols with what goes beyond them.
    pub fn reference(&self, length: usize, distance: usize) -> Option<(usize, [Symbol; 4])> {
        let (length, number) = self.lengths[length];
        let (length, number) = (usize::from(length), usize::from(number));
        let offset = distance_symbol(distance);
        let symbol = self.distances[offset];
        if length < SHORTEST_MATCH || symbol.count == 0 {
            return None;
        }
        let beyond = |value: usize, least: u16, count: usize| Symbol {
            bits: (value - usize::from(least)) as u32,
            count: count as u8,
        };
        // The longest has a symbol to itself.
        let length_bits = if length == LONGEST_MATCH { 0 } else { (number / 4).saturating_sub(1) };
        let symbols = [
            self.literals[FIRST_LENGTH + number],
            beyond(length, LEAST_LENGTHS[number], length_bits),
            symbol,
            beyond(distance, LEAST_DISTANCES[offset], (offset / 2).saturating_sub(1)),
        ];
        Some((length, symbols))
    }
}

/// The number of the symbol of a distance: two for every power of two, from the third on.
fn distance_symbol(distance: usize) -> usize {
    let beyond = distance - 1;
    match beyond.checked_ilog2() {
        None | Some(0) => beyond,
        Some(power) => 2 * power as usize + (beyond >> (power - 1) & 1),
    }
}

/// All lengths, each with the number of its symbol.
fn length_symbols() -> impl Iterator<Item = (usize, usize)> {
    let number =
        |length: usize| LEAST_LENGTHS.partition_point(|&least| usize::from(least) <= length) - 1;
    (usize::from(LEAST_LENGTHS[0])..=LONGEST_MATCH).map(move |length| (length, number(length)))
}

/// Bits on their way in.
struct Bits<'b> {
    bytes: &'b [u8],
    at: usize,
}

fn bit(bytes: &[u8], at: usize) -> u32 {
    u32::from(bytes[at / 8] >> (at % 8) & 1)
}

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Option<u32> {
        if self.at + count > 8 * self.bytes.len() {
            return None;
        }
        let value = (0..count).map(|more| bit(self.bytes, self.at + more) << more).sum();
        self.at += count;
        Some(value)
    }

    /// The next symbol of a code, whose symbols are written the highest bit first.
    fn symbol(&mut self, code: &[Symbol]) -> Option<usize> {
        let (mut bits, mut count) = (0, 0);
        while count < 15 {
            bits |= self.take(1)? << count;
            count += 1;
            let is_it = |symbol: &Symbol| symbol.count == count && symbol.bits == bits;
            if let Some(found) = code.iter().position(is_it) {
                return Some(found);
            }
        }
        None
    }

    /// How many bits each symbol has, of literals and of distances (RFC 1951, 3.2.7).
    fn code_lengths(&mut self) -> Option<([u8; LITERALS], [u8; DISTANCES])> {
        const ORDER: [usize; 19] =
            [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
        let literals = self.take(5)? as usize + FIRST_LENGTH;
        let distances = self.take(5)? as usize + 1;
        let given = self.take(4)? as usize + 4;
        let mut lengths = [0; 19];
        for &symbol in &ORDER[..given] {
            lengths[symbol] = self.take(3)? as u8;
        }
        let code: [Symbol; 19] = symbols(&lengths);
        let mut all: Vec<u8> = Vec::new();
        while all.len() < literals + distances {
            let (length, times) = match self.symbol(&code)? {
                16 => (*all.last()?, 3 + self.take(2)?),
                17 => (0, 3 + self.take(3)?),
                18 => (0, 11 + self.take(7)?),
                length => (length as u8, 1),
            };
            all.extend(std::iter::repeat_n(length, times as usize));
        }
        let mut both = ([0; LITERALS], [0; DISTANCES]);
        both.0.get_mut(..literals)?.copy_from_slice(&all[..literals]);
        both.1.get_mut(..distances)?.copy_from_slice(all.get(literals..)?.get(..distances)?);
        Some(both)
    }
}

/// The symbols of a code of which the lengths are given, as RFC 1951 numbers them (3.2.2).
fn symbols<const COUNT: usize>(lengths: &[u8; COUNT]) -> [Symbol; COUNT] {
    let mut symbols = [Symbol::default(); COUNT];
    let mut next = 0_u32;
    for count in 1..=15 {
        next <<= 1;
        for (symbol, _) in symbols.iter_mut().zip(lengths).filter(|(_, length)| **length == count) {
            let bits = next.reverse_bits() >> (u32::BITS - u32::from(count));
            *symbol = Symbol { bits, count };
            next += 1;
        }
    }
    symbols
}

/// The same bits, sixteen at a time.
fn joined(bits: &[Symbol]) -> Vec<Symbol> {
    let join = |bits: &[Symbol]| Symbol {
        bits: bits.iter().rev().fold(0, |joined, bit| joined << 1 | bit.bits),
        count: bits.len() as u8,
    };
    bits.chunks(16).map(join).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_have_the_symbol_of_the_longest_up_to_them() {
        for distance in 1..=32_768 {
            let least = LEAST_DISTANCES.partition_point(|&least| usize::from(least) <= distance);
            assert_eq!(distance_symbol(distance), least - 1, "{distance}");
        }
    }
}
