//! Short records, which are alike.
//!
//! What was asked, and what is said about a capture, differ in little but names and numbers, so that a good code for one of
//! them is a good code for all. libdeflate makes one for a sample, once; records are packed with that. A code and tables of
//! its own for each cost libdeflate five times as long, most of it for clearing the tables (docs/decisions/0013).

use std::sync::LazyLock;

use libdeflater::{CompressionLvl, Compressor};

/// Longer records are worth a code of their own.
pub(super) const LONGEST: usize = 4096;

/// What stands in records of the kinds that are packed so, each thing as often as in one of them; and every byte that a
/// URL may have.
static SAMPLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut sample = include_str!("sample.txt").replace('\n', "\r\n").into_bytes();
    sample.extend(b'!'..=b'~');
    sample
});

static CODE: LazyLock<Option<Code>> = LazyLock::new(|| {
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut block = vec![0; compressor.deflate_compress_bound(SAMPLE.len())];
    let length = compressor.deflate_compress(&SAMPLE, &mut block).ok()?;
    block.truncate(length);
    Code::of(&block)
});

/// How many symbols there are: bytes, the end and lengths; and distances.
const LITERALS: usize = 286;
const DISTANCES: usize = 30;
const END: usize = 256;
const FIRST_LENGTH: usize = 257;

/// The least length, and the least distance, of each symbol; what goes beyond is said in bits of their own (RFC 1951,
/// 3.2.5).
const LENGTHS: [u16; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
];
const OFFSETS: [u16; DISTANCES] = [
    1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
    2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
];

/// How a symbol is written; one of no bits is not.
#[derive(Clone, Copy, Debug, Default)]
struct Symbol {
    bits: u32,
    count: u8,
}

/// A code, as a block of deflate begins with it.
struct Code {
    /// The beginning of a block, bit by bit.
    head: Vec<Symbol>,
    literals: [Symbol; LITERALS],
    distances: [Symbol; DISTANCES],
    /// For every length the longest, up to it, that can be said, and the number of the symbol for that.
    lengths: [(u16, u8); LONGEST_MATCH + 1],
}

/// What repeats less is not worth a reference, and no reference reaches further.
const SHORTEST_MATCH: usize = 4;
const LONGEST_MATCH: usize = 258;

impl Code {
    /// The code of the first block, if it has one of its own.
    fn of(block: &[u8]) -> Option<Code> {
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

    /// Whether it has symbols for all that is in a record.
    fn knows(&self, record: &[u8]) -> bool {
        record.iter().all(|&byte| self.literals[usize::from(byte)].count > 0)
    }

    /// How a repetition of so many bytes, or as many of them as can be said, is said, if it is worth it: how many, and the
    /// symbols with what goes beyond them.
    fn reference(&self, length: usize, distance: usize) -> Option<(usize, [Symbol; 4])> {
        let (length, number) = self.lengths[length];
        let (length, number) = (usize::from(length), usize::from(number));
        let offset = OFFSETS.partition_point(|&least| usize::from(least) <= distance) - 1;
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
            beyond(length, LENGTHS[number], length_bits),
            symbol,
            beyond(distance, OFFSETS[offset], (offset / 2).saturating_sub(1)),
        ];
        Some((length, symbols))
    }
}

/// All lengths, each with the number of its symbol.
fn length_symbols() -> impl Iterator<Item = (usize, usize)> {
    let number = |length: usize| LENGTHS.partition_point(|&least| usize::from(least) <= length) - 1;
    (usize::from(LENGTHS[0])..=LONGEST_MATCH).map(move |length| (length, number(length)))
}

/// Packs short records, and keeps the memory for it.
pub(super) struct Short {
    /// For the hash of four bytes the place behind where they were last seen in a record, or 0.
    seen: Box<[u16; 1 << HASH_BITS]>,
}

const HASH_BITS: u32 = 11;

impl Short {
    pub fn new() -> Short {
        Short { seen: Box::new([0; 1 << HASH_BITS]) }
    }

    /// Puts a record, packed, behind what is in `out`; says whether it was one that can be packed so.
    pub fn pack(&mut self, record: &[u8], out: &mut Vec<u8>) -> bool {
        let can_pack = |code: &&Code| record.len() <= LONGEST && code.knows(record);
        let Some(code) = CODE.as_ref().filter(can_pack) else { return false };
        self.seen.fill(0);
        let mut into = Packed { out, bits: 0, count: 0 };
        code.head.iter().for_each(|symbol| into.put(*symbol));
        let mut at = 0;
        while at < record.len() {
            match self.find(record, at, code) {
                Some((length, reference)) => {
                    reference.into_iter().for_each(|symbol| into.put(symbol));
                    at += length;
                }
                None => {
                    into.put(code.literals[usize::from(record[at])]);
                    at += 1;
                }
            }
        }
        into.put(code.literals[END]);
        into.finish();
        true
    }

    /// How much of what comes next was there before, and how that is said.
    fn find(&mut self, record: &[u8], at: usize, code: &Code) -> Option<(usize, [Symbol; 4])> {
        let next = record.get(at..at + SHORTEST_MATCH)?;
        let hash = u32::from_le_bytes(next.try_into().ok()?).wrapping_mul(0x9e37_79b1);
        let seen = &mut self.seen[(hash >> (u32::BITS - HASH_BITS)) as usize];
        let before = usize::from(std::mem::replace(seen, at as u16 + 1)).checked_sub(1)?;
        let pairs = record[before..].iter().zip(&record[at..]).take(LONGEST_MATCH);
        code.reference(pairs.take_while(|(one, other)| one == other).count(), at - before)
    }
}

/// Bits on their way out, the lowest first.
struct Packed<'o> {
    out: &'o mut Vec<u8>,
    bits: u64,
    count: u32,
}

impl Packed<'_> {
    #[inline]
    fn put(&mut self, symbol: Symbol) {
        self.bits |= u64::from(symbol.bits) << self.count;
        self.count += u32::from(symbol.count);
        if self.count >= u32::BITS {
            self.out.extend_from_slice(&(self.bits as u32).to_le_bytes());
            self.bits >>= u32::BITS;
            self.count -= u32::BITS;
        }
    }

    fn finish(self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.bits.to_le_bytes()[..bytes]);
    }
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
    use std::io::Read;

    use proptest::prelude::*;

    use super::*;

    fn packed(record: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        assert!(Short::new().pack(record, &mut out), "the code of the sample is of use");
        out
    }

    fn unpacked(packed: &[u8]) -> Vec<u8> {
        let mut read = Vec::new();
        flate2::read::DeflateDecoder::new(packed).read_to_end(&mut read).expect("deflate");
        read
    }

    #[test]
    fn what_is_long_or_no_ascii_is_left_to_others() {
        for record in [&[b'a'; LONGEST + 1][..], "é".as_bytes(), b"\0"] {
            let mut out = Vec::new();
            assert!(!Short::new().pack(record, &mut out));
            assert!(out.is_empty());
        }
    }

    #[test]
    fn requests_are_packed_about_as_well_as_with_a_code_of_their_own() {
        let request = b"WARC/1.1\r\nWARC-Type: request\r\nWARC-Record-ID: \
            <urn:uuid:2ea36b41-12f2-5ed5-9f06-9069c0c94097>\r\nWARC-Target-URI: \
            http://www.other.example/news/today.html\r\nWARC-Date: 2031-02-03T04:05:06Z\r\n\
            WARC-IP-Address: 203.0.113.9\r\nWARC-Block-Digest: sha1:QFEV34WBNVSQMF5VUHTKD37BEPZZLPWB\r\n\
            Content-Type: application/http; msgtype=request\r\nContent-Length: 218\r\n\r\n\
            GET /news/today.html HTTP/1.1\r\nHost: www.other.example\r\nUser-Agent: somebody/2.0\r\n\
            Accept: text/html\r\n\r\n\r\n\r\n";
        let mut compressor = Compressor::new(CompressionLvl::new(1).expect("a level"));
        let mut own = vec![0; compressor.deflate_compress_bound(request.len())];
        let own = compressor.deflate_compress(request, &mut own).expect("room");
        let length = packed(request).len();
        assert!(length * 100 < own * 108, "{length} bytes, and {own} with a code of their own");
    }

    proptest! {
        #[test]
        fn records_are_read_as_they_were_written(
            words in prop::collection::vec("[a-z]{1,9}|WARC-Date: |[ -~]{1,40}|\\r\\n", 0..120),
            again in 0_usize..1200,
        ) {
            let mut record = words.concat().into_bytes();
            // Far and long repetitions, too.
            let again = record[..again.min(record.len())].to_vec();
            record.extend(&again);
            record.extend(std::iter::repeat_n(b'x', again.len()));
            record.truncate(LONGEST);
            prop_assert_eq!(unpacked(&packed(&record)), record);
        }
    }
}
