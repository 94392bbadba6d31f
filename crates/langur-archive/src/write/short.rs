//! Short records, which are alike.
//!
//! What was asked, and what is said about a capture, differ in little but names and numbers, so that a good code for one of
//! them is a good code for all. libdeflate makes one for a sample, once; records are packed with that. A code and tables of
//! its own for each cost libdeflate twice as long, most of it for clearing the tables (docs/decisions/0013).

use std::sync::LazyLock;

use libdeflater::{CompressionLvl, Compressor};

use super::code::{Code, END_OF_BLOCK, LONGEST_MATCH, SHORTEST_MATCH, Symbol};

/// Longer records are worth a code of their own.
const LONGEST: usize = 4096;

/// What stands in such records, each thing as often as in one of them.
const SAMPLE: &str = include_str!("sample.txt");

static CODE: LazyLock<Option<Code>> = LazyLock::new(|| {
    let mut sample: Vec<u8> =
        SAMPLE.lines().flat_map(|line| [line, "\r\n"]).collect::<String>().into();
    // Every byte that a URL may have.
    sample.extend(b'!'..=b'~');
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut block = vec![0; compressor.deflate_compress_bound(sample.len())];
    let length = compressor.deflate_compress(&sample, &mut block).ok()?;
    block.truncate(length);
    Code::of(&block)
});

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

    /// Puts a record, packed, behind what is in `out`; says whether it was one that the code is of use for.
    pub fn pack(&mut self, record: &[u8], out: &mut Vec<u8>) -> bool {
        let Some(code) = CODE.as_ref().filter(|_| record.len() <= LONGEST) else { return false };
        let before = out.len();
        let is_shorter = self.pack_with(code, record, out) && out.len() - before < record.len();
        if !is_shorter {
            out.truncate(before);
        }
        is_shorter
    }

    /// Says whether the code has symbols for all that is in the record.
    fn pack_with(&mut self, code: &Code, record: &[u8], out: &mut Vec<u8>) -> bool {
        self.seen.fill(0);
        let from = out.len();
        out.resize(from + most_packed(code, record), 0);
        let mut into = Packed { room: &mut out[from..], at: 0, bits: 0, count: 0 };
        code.head.iter().for_each(|symbol| into.put(*symbol));
        let mut at = 0;
        while at < record.len() {
            match self.find(record, at, code) {
                Some((length, reference)) => {
                    reference.into_iter().for_each(|symbol| into.put(symbol));
                    at += length;
                }
                None => {
                    let literal = code.literals[usize::from(record[at])];
                    if literal.count == 0 {
                        return false;
                    }
                    into.put(literal);
                    at += 1;
                }
            }
        }
        into.put(code.literals[END_OF_BLOCK]);
        let length = into.finish();
        out.truncate(from + length);
        true
    }

    /// How much of what comes next was there before, and how that is said.
    fn find(&mut self, record: &[u8], at: usize, code: &Code) -> Option<(usize, [Symbol; 4])> {
        let next = word(record, at)?;
        let hash = next.wrapping_mul(0x9e37_79b1) >> (u32::BITS - HASH_BITS);
        let seen = std::mem::replace(&mut self.seen[hash as usize], at as u16 + 1);
        // Where nothing was seen, there is no place before the first.
        let before = usize::from(seen).wrapping_sub(1);
        if word(record, before) != Some(next) {
            return None;
        }
        let pairs = record[before..].iter().zip(&record[at..]).take(LONGEST_MATCH);
        code.reference(pairs.take_while(|(one, other)| one == other).count(), at - before)
    }
}

/// The bytes that are compared at once.
fn word(record: &[u8], at: usize) -> Option<u32> {
    let bytes: &[u8; SHORTEST_MATCH] = record.get(at..)?.first_chunk()?;
    Some(u32::from_le_bytes(*bytes))
}

/// Room for a record however it is packed: no symbol of a byte has more than 15 bits, and a reference takes less than the bytes
/// that it stands for would.
fn most_packed(code: &Code, record: &[u8]) -> usize {
    2 * (code.head.len() + record.len() + 1) + 2 * size_of::<u64>()
}

/// Bits on their way out, the lowest first.
struct Packed<'o> {
    room: &'o mut [u8],
    at: usize,
    bits: u64,
    count: u32,
}

impl Packed<'_> {
    #[inline]
    fn put(&mut self, symbol: Symbol) {
        self.bits |= u64::from(symbol.bits) << self.count;
        self.count += u32::from(symbol.count);
        // No symbol has more than sixteen bits, so there is room for another.
        if self.count >= u64::BITS - u16::BITS {
            self.put_down();
        }
    }

    /// All bits at hand are put down; those that do not fill a byte come again with the next.
    fn put_down(&mut self) {
        self.room[self.at..self.at + size_of::<u64>()].copy_from_slice(&self.bits.to_le_bytes());
        let whole = self.count / u8::BITS;
        self.at += whole as usize;
        self.bits >>= whole * u8::BITS;
        self.count %= u8::BITS;
    }

    /// How many bytes there are.
    fn finish(mut self) -> usize {
        self.put_down();
        self.at + usize::from(self.count > 0)
    }
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
    fn what_is_long_or_of_other_bytes_is_left_to_others() {
        let signs = b"{`~^|\\}".repeat(3);
        for record in [&[b'a'; LONGEST + 1][..], "é".as_bytes(), b"\0", &signs] {
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
            let mut out = b"before".to_vec();
            let was_packed = Short::new().pack(&record, &mut out);
            let read = out.strip_prefix(b"before").expect("what was there stays");
            prop_assert_eq!(if was_packed { unpacked(read) } else { read.to_vec() }, if was_packed { record } else { Vec::new() });
        }
    }
}
