//! The commonest n-grams of a text.

use std::cmp::Reverse;

use crate::joined::Joined;
use crate::windows::{BUCKETS, Gram, Windows};

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
    pub(crate) fn first(self, text: &[u8]) -> usize {
        let announced = match (self, text[0]) {
            (Self::Bytes, _) | (_, ..0xc0) => return 1,
            (_, 0xc0..0xe0) => 2,
            (_, 0xe0..0xf0) => 3,
            (_, 0xf0..) => 4,
        };
        let follows =
            text[1..].iter().take(announced - 1).take_while(|b| (0x80..0xc0).contains(*b));
        if follows.count() + 1 == announced { announced } else { 1 }
    }
}

/// The commonest n-grams of a text, at most so many, the commonest first, equally
/// common ones as libTextCat leaves them. An n-gram has 1 to 5 symbols, and underscores only at
/// its ends. Where one reaches the end of a text without the last underscore, counting ends.
///
/// Most n-grams of a short text occur once or twice, so it is ties that decide which are in the
/// profile, and at which rank: ordered by their bytes instead, one page in eight got other
/// candidates. So the n-grams go through a heap as in libTextCat, in the order of its hash table.
pub fn commonest(text: &Joined, symbols: Symbols, most: usize) -> Vec<&[u8]> {
    let windows = Windows::of(text, symbols);
    let mut grams = Vec::with_capacity(text.text.len());
    let mut sizes = vec![0; BUCKETS];
    windows.repeated(|gram| {
        let bucket = windows.bucket(&gram);
        sizes[usize::from(bucket)] += 1;
        grams.push((bucket, gram));
    });
    // Once the heap is full of n-grams that occur twice, those that occur once, which are the most,
    // change nothing.
    let full = reached(&sizes, most);
    windows.once(|gram| {
        let bucket = windows.bucket(&gram);
        if bucket <= full {
            sizes[usize::from(bucket)] += 1;
            grams.push((bucket, gram));
        }
    });
    let grams = in_order(&grams, sizes);
    let mut heap = Heap { most, items: Vec::with_capacity(most) };
    for (number, (_, gram)) in (0..).zip(&grams) {
        heap.insert((gram.count, number));
    }
    let of = |number: u32| &text.text[windows.place(&grams[number as usize].1)];
    heap.emptied().into_iter().map(of).collect()
}

/// The bucket with which, from the first on, so many n-grams are reached; beyond the last if they never
/// are.
fn reached(sizes: &[u32], most: usize) -> u16 {
    let mut sum = 0;
    let bucket = sizes.iter().position(|&size| {
        sum += size as usize;
        sum >= most
    });
    bucket.unwrap_or(BUCKETS) as u16
}

/// N-grams in the order of their buckets, whose sizes are given. Within one, the newest comes first.
fn in_order(grams: &[(u16, Gram)], sizes: Vec<u32>) -> Vec<(u16, Gram)> {
    let (mut places, mut sum) = (sizes, 0);
    for place in &mut places {
        (*place, sum) = (sum, sum + *place);
    }
    let mut ordered = grams.to_vec();
    for gram in grams {
        let place = &mut places[usize::from(gram.0)];
        ordered[*place as usize] = *gram;
        *place += 1;
    }
    for bucket in ordered.chunk_by_mut(|one, other| one.0 == other.0) {
        bucket.sort_unstable_by_key(|(_, gram)| Reverse((gram.window, gram.symbols)));
    }
    ordered
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
            self.sink(item);
        }
    }

    /// Puts an item in the place of the topmost, and lets it sink.
    fn sink(&mut self, item: (u32, u32)) {
        let items = &mut self.items[..];
        let (mut place, mut child) = (0, 1);
        while child < items.len() {
            if child + 1 < items.len() {
                child += usize::from(items[child].0 > items[child + 1].0);
            }
            if item.0 <= items[child].0 {
                break;
            }
            items[place] = items[child];
            (place, child) = (child, 2 * child + 1);
        }
        items[place] = item;
    }

    /// The numbers of what is left, the commonest first.
    fn emptied(mut self) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.items.len());
        while let Some(last) = self.items.pop() {
            let Some(&(_, number)) = self.items.first() else {
                numbers.push(last.1);
                break;
            };
            numbers.push(number);
            self.sink(last);
        }
        numbers.reverse();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    fn grams(text: &str, symbols: Symbols) -> Vec<String> {
        let joined = Joined::of(text.as_bytes());
        let grams = commonest(&joined, symbols, 400);
        grams.into_iter().map(|gram| String::from_utf8_lossy(gram).into_owned()).collect()
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

    /// All words of a text joined, as libTextCat does it.
    fn joined(text: &[u8]) -> Vec<u8> {
        let text = text.split(|byte| *byte == 0).next().unwrap_or(text);
        let mut joined = Vec::new();
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

    /// The same by libTextCat's own steps, with a plain map for its table.
    fn by_steps(text: &[u8], symbols: Symbols, most: usize) -> Vec<&[u8]> {
        let mut known = HashMap::<&[u8], usize>::new();
        let mut grams: Vec<(&[u8], i32, u32)> = Vec::new();
        let mut add = |gram, length| {
            let number = *known.entry(gram).or_insert(grams.len());
            match grams.get_mut(number) {
                Some((.., count)) => *count += 1,
                None => grams.push((gram, length, 1)),
            }
        };
        let mut start = 0;
        'text: while start < text.len() {
            let step = symbols.first(&text[start..]);
            let mut end = start + step;
            add(&text[start..end], 1);
            for length in 2..=5 {
                if end == text.len() {
                    break 'text;
                }
                let next = end + symbols.first(&text[end..]);
                add(&text[start..next], length);
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
        let bucket = |gram: &[u8], length: i32| {
            let signed = gram.iter().map(|byte| i32::from(byte.cast_signed()));
            let hash = |hash: i32, byte| hash.wrapping_mul(31).wrapping_add(byte);
            signed.fold(length * 13, hash) & 0x1fff
        };
        let mut order: Vec<usize> = (0..grams.len()).collect();
        order.sort_by_key(|at| (bucket(grams[*at].0, grams[*at].1), Reverse(*at)));
        let mut heap: Vec<(u32, usize)> = Vec::new();
        for at in order {
            let count = grams[at].2;
            if heap.len() < most {
                heap.push((count, at));
                let mut child = heap.len() - 1;
                while child > 0 && heap[(child - 1) / 2].0 > heap[child].0 {
                    heap.swap(child, (child - 1) / 2);
                    child = (child - 1) / 2;
                }
            } else if most > 0 && count >= heap[0].0 {
                heap[0] = (count, at);
                sift(&mut heap);
            }
        }
        let mut commonest = Vec::new();
        while let Some(&(_, at)) = heap.first() {
            commonest.push(grams[at].0);
            heap.swap_remove(0);
            sift(&mut heap);
        }
        commonest.reverse();
        commonest
    }

    fn sift(heap: &mut [(u32, usize)]) {
        let mut parent = 0;
        while 2 * parent + 1 < heap.len() {
            let (left, right) = (2 * parent + 1, 2 * parent + 2);
            let child =
                if right < heap.len() && heap[left].0 > heap[right].0 { right } else { left };
            if heap[parent].0 <= heap[child].0 {
                return;
            }
            heap.swap(parent, child);
            parent = child;
        }
    }

    fn texts() -> impl Strategy<Value = Vec<u8>> {
        let few = prop::sample::select(b"ab \xe0\xb8\x81\xff7".to_vec());
        let words = "[a-h]{1,4}( [a-hกขด漢😀]{1,7}){0,200} ?".prop_map(String::into_bytes);
        let repeated = "([ab]{1,2}_?[  \\n]){0,200}[ab]{0,3}".prop_map(String::into_bytes);
        prop_oneof![
            prop::collection::vec(few, 0..300),
            prop::collection::vec(any::<u8>(), 0..300),
            words,
            repeated,
        ]
    }

    proptest! {
        #[test]
        fn goes_by_libtextcats_steps(text in texts(), most in 0usize..60) {
            let (all, joined) = (joined(&text), Joined::of(&text));
            prop_assert_eq!(all.len(), joined.length);
            for symbols in [Symbols::Bytes, Symbols::Utf8] {
                for most in [most, 400] {
                    let grams = commonest(&joined, symbols, most);
                    prop_assert_eq!(grams, by_steps(&all, symbols, most));
                }
            }
        }

        #[test]
        fn counts_as_a_plain_map_does(text in prop::collection::vec(prop::sample::select(b"ab \xe0\xb8\x81\xff7".to_vec()), 0..300)) {
            for symbols in [Symbols::Bytes, Symbols::Utf8] {
                let text = [&text[..], b" "].concat();
                let joined = joined(&text);
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
                let of = Joined::of(&text);
                let grams = commonest(&of, symbols, 50);
                let found: Vec<_> = grams.iter().map(|gram| counts[gram]).collect();
                let mut plain: Vec<_> = counts.into_values().collect();
                plain.sort_by_key(|count| Reverse(*count));
                plain.truncate(50);
                prop_assert_eq!(found, plain);
            }
        }
    }
}
