//! Counting n-grams.

use std::cmp::Reverse;

/// The longest n-gram, in symbols.
const LONGEST: usize = 5;

/// What an n-gram is made of.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Symbols {
    /// Bytes, as in libTextCat: for text in any encoding.
    Bytes,
    /// Characters of UTF-8, as in exttextcat. A byte that belongs to no character stands for itself.
    Utf8,
}

impl Symbols {
    /// The length of the symbol that a text starts with.
    fn first(self, text: &[u8]) -> usize {
        let announced = match (self, text[0]) {
            (Self::Bytes, _) | (_, ..0xc0) => 1,
            (_, 0xc0..0xe0) => 2,
            (_, 0xe0..0xf0) => 3,
            (_, 0xf0..) => 4,
        };
        let follows =
            text[1..].iter().take(announced - 1).take_while(|b| (0x80..0xc0).contains(*b));
        if follows.count() + 1 == announced { announced } else { 1 }
    }
}

/// Joins the words of a text by underscores, one before each and one at the end. White space and
/// digits are what is between words. A zero byte ends the text.
///
/// The last underscore is missing if the text ends in a word and something between words was more
/// than a single byte: libTextCat sees the end of its buffer before the end of the text otherwise.
pub fn joined(text: &[u8]) -> Vec<u8> {
    let text = text.split(|byte| *byte == 0).next().unwrap_or(text);
    let mut joined = Vec::with_capacity(text.len() + 2);
    let mut between = true;
    for &byte in text {
        if matches!(byte, b' ' | b'\t'..=b'\r' | b'0'..=b'9') {
            between = true;
            continue;
        }
        if between {
            joined.push(b'_');
            between = false;
        }
        joined.push(byte);
    }
    if between || joined.len() > text.len() {
        joined.push(b'_');
    }
    joined
}

/// The commonest n-grams of a text that was [`joined`], at most so many, the commonest first, equally
/// common ones as libTextCat leaves them. An n-gram has 1 to 5 symbols, and underscores only at
/// its ends. Where one reaches the end of a text without the last underscore, counting ends.
pub fn commonest(text: &[u8], symbols: Symbols, most: usize) -> Vec<&[u8]> {
    let mut counts = Counts::new(text);
    let mut start = 0;
    'text: while start < text.len() {
        let step = symbols.first(&text[start..]);
        let mut end = start + step;
        let mut hash = hash(0, &text[start..end]);
        counts.add(start, end, 1, hash);
        for length in 2..=LONGEST {
            if end == text.len() {
                break 'text;
            }
            let next = end + symbols.first(&text[end..]);
            hash = self::hash(hash, &text[end..next]);
            counts.add(start, next, length, hash);
            if text[end] == b'_' {
                break;
            }
            end = next;
        }
        if end == text.len() {
            break;
        }
        start += step;
    }
    counts.commonest(most)
}

/// A hash table whose keys lie in the text, so that counting an n-gram allocates nothing.
struct Counts<'t> {
    text: &'t [u8],
    /// One more than the number of a gram, or 0. The length is a power of two.
    slots: Vec<u32>,
    grams: Vec<Gram>,
}

#[derive(Clone, Copy)]
struct Gram {
    start: u32,
    bytes: u8,
    symbols: u8,
    hash: u32,
    count: u32,
}

impl<'t> Counts<'t> {
    fn new(text: &'t [u8]) -> Self {
        Self { text, slots: vec![0; 1 << 12], grams: Vec::new() }
    }

    fn add(&mut self, start: usize, end: usize, symbols: usize, hash: u32) {
        if 2 * self.grams.len() >= self.slots.len() {
            self.grow();
        }
        let mut at = self.slot(hash);
        while let Some(number) = self.slots[at].checked_sub(1) {
            let gram = &mut self.grams[number as usize];
            if gram.hash == hash && gram.of(self.text) == &self.text[start..end] {
                gram.count += 1;
                return;
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
        let (bytes, symbols) = ((end - start) as u8, symbols as u8);
        self.grams.push(Gram { start: start as u32, bytes, symbols, hash, count: 1 });
        self.slots[at] = self.grams.len() as u32;
    }

    fn grow(&mut self) {
        self.slots = vec![0; 4 * self.slots.len()];
        for number in 0..self.grams.len() {
            let mut at = self.slot(self.grams[number].hash);
            while self.slots[at] != 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = number as u32 + 1;
        }
    }

    fn slot(&self, hash: u32) -> usize {
        (hash ^ hash >> 15) as usize & (self.slots.len() - 1)
    }

    /// Most n-grams of a short text occur once or twice, so it is ties that decide which are in the
    /// profile, and at which rank: ordered by their bytes instead, one page in eight got other
    /// candidates. So the n-grams go through a heap as in libTextCat, in the order of its hash table.
    fn commonest(self, most: usize) -> Vec<&'t [u8]> {
        let mut order: Vec<(u32, Reverse<u32>)> = (0u32..)
            .zip(&self.grams)
            .map(|(number, gram)| (bucket(gram.of(self.text), gram.symbols), Reverse(number)))
            .collect();
        order.sort_unstable();
        let mut heap = Heap { most, items: Vec::with_capacity(most) };
        for (_, Reverse(number)) in order {
            heap.insert((self.grams[number as usize].count, number));
        }
        heap.emptied().into_iter().map(|number| self.grams[number as usize].of(self.text)).collect()
    }
}

impl Gram {
    fn of<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[self.start as usize..][..usize::from(self.bytes)]
    }
}

/// The bucket of an n-gram in libTextCat's hash table. Within one, the newest comes first.
fn bucket(gram: &[u8], symbols: u8) -> u32 {
    let signed = gram.iter().map(|byte| i32::from(byte.cast_signed()));
    let hash =
        signed.fold(i32::from(symbols) * 13, |hash, byte| hash.wrapping_mul(31).wrapping_add(byte));
    hash.cast_unsigned() & 0x1fff
}

/// A heap with the rarest on top, which keeps the commonest. Which of equal counts is kept, and in
/// which order they leave, follows from its every step.
struct Heap {
    most: usize,
    /// Counts and numbers.
    items: Vec<(u32, u32)>,
}

impl Heap {
    fn insert(&mut self, item: (u32, u32)) {
        if self.items.len() < self.most {
            self.items.push(item);
            let mut child = self.items.len() - 1;
            while child > 0 && self.items[(child - 1) / 2].0 > self.items[child].0 {
                self.items.swap(child, (child - 1) / 2);
                child = (child - 1) / 2;
            }
        } else if self.items.first().is_some_and(|rarest| item.0 >= rarest.0) {
            self.items[0] = item;
            self.sink();
        }
    }

    fn sink(&mut self) {
        let mut parent = 0;
        loop {
            let mut child = 2 * parent + 1;
            if child + 1 < self.items.len() && self.items[child].0 > self.items[child + 1].0 {
                child += 1;
            }
            if child >= self.items.len() || self.items[parent].0 <= self.items[child].0 {
                return;
            }
            self.items.swap(parent, child);
            parent = child;
        }
    }

    /// The numbers of what is left, the commonest first.
    fn emptied(mut self) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.items.len());
        while let Some(&(_, number)) = self.items.first() {
            numbers.push(number);
            self.items.swap_remove(0);
            self.sink();
        }
        numbers.reverse();
        numbers
    }
}

/// FNV-1a, continued symbol by symbol.
fn hash(before: u32, symbol: &[u8]) -> u32 {
    symbol.iter().fold(before ^ 0x811c_9dc5, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grams(text: &str, symbols: Symbols) -> Vec<String> {
        let joined = joined(text.as_bytes());
        let grams = commonest(&joined, symbols, 400);
        grams.into_iter().map(|gram| String::from_utf8_lossy(gram).into_owned()).collect()
    }

    #[test]
    fn words_are_joined_by_underscores() {
        assert_eq!(joined(b"one two"), b"_one_two_");
        assert_eq!(joined(b"  one 2 two\n"), b"_one_two_");
        assert_eq!(joined(b"one  two"), b"_one_two");
        assert_eq!(joined(b"a\0b"), b"_a_");
        assert_eq!(joined(b" 42 "), b"_");
    }

    /// Cavnar and Trenkle's own example is TEXT, with its bi- to quadgrams.
    #[test]
    fn underscores_stand_at_the_ends_alone() {
        let grams = grams("TEXT", Symbols::Bytes);
        let of = |length| {
            let mut of: Vec<_> = grams.iter().filter(|gram| gram.len() == length).collect();
            of.sort();
            of
        };
        assert_eq!(grams.len(), 4 + 5 + 4 + 3 + 2);
        assert_eq!(of(2), ["EX", "TE", "T_", "XT", "_T"]);
        assert_eq!(of(3), ["EXT", "TEX", "XT_", "_TE"]);
        assert_eq!(of(4), ["EXT_", "TEXT", "_TEX"]);
        assert_eq!(of(5), ["TEXT_", "_TEXT"]);
        assert!(!self::grams("a b", Symbols::Bytes).contains(&"a_b".to_owned()));
    }

    #[test]
    fn characters_of_utf_8_are_symbols() {
        assert!(grams("ไทย", Symbols::Utf8).contains(&"_ไทย_".to_owned()));
        assert_eq!(Symbols::Utf8.first("ท".as_bytes()), 3);
        assert_eq!(Symbols::Utf8.first(b"\xe0\xb8a"), 1);
    }

    proptest! {
        #[test]
        fn counts_as_a_plain_map_does(text in prop::collection::vec(prop::sample::select(b"ab \xe0\xb8\x81\xff7".to_vec()), 0..300)) {
            for symbols in [Symbols::Bytes, Symbols::Utf8] {
                let mut joined = joined(&text);
                joined.extend((joined.last() != Some(&b'_')).then_some(b'_'));
                let mut cuts = vec![0];
                while cuts[cuts.len() - 1] < joined.len() {
                    let at = cuts[cuts.len() - 1];
                    cuts.push(at + symbols.first(&joined[at..]));
                }
                let mut counts = std::collections::BTreeMap::<&[u8], u32>::new();
                for from in 0..cuts.len() - 1 {
                    for to in from + 1..cuts.len().min(from + 6) {
                        let gram = &joined[cuts[from]..cuts[to]];
                        if to - from < 3 || !joined[cuts[from + 1]..cuts[to - 1]].contains(&b'_') {
                            *counts.entry(gram).or_default() += 1;
                        }
                    }
                }
                let grams = commonest(&joined, symbols, 50);
                let found: Vec<_> = grams.iter().map(|gram| counts[gram]).collect();
                let mut plain: Vec<_> = counts.into_values().collect();
                plain.sort_by_key(|count| Reverse(*count));
                plain.truncate(50);
                prop_assert_eq!(found, plain);
            }
        }
    }
}
