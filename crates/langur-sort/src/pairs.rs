//! Keys of which many are alike, each with a number.
//!
//! The links of a web lead to far fewer pages than there are links. A [`PairSorter`] keeps every key once, sorts
//! the keys alone and puts the numbers where they belong.

use std::hash::BuildHasher;
use std::io;
use std::path::Path;

use foldhash::fast::RandomState;
use hashbrown::HashTable;

use crate::buffer::Buffer;
use crate::runs::Runs;
use crate::{Sorted, Source};

/// The bytes of a number at the end of a record, the highest first.
const NUMBER: usize = size_of::<u64>();

/// Takes pairs of a key and a number in any order, and gives them back as records: the key, and the number in eight bytes,
/// the highest first. No key may begin with another.
pub struct PairSorter {
    runs: Runs,
    memory: usize,
    pairs: Pairs,
}

impl PairSorter {
    /// A sorter that keeps about `memory` bytes and puts the rest into files in `folder`, which must be
    /// there. They begin with `name`, and are gone when the records are.
    pub fn new(folder: &Path, name: &str, memory: usize) -> PairSorter {
        PairSorter { runs: Runs::new(folder, name), memory, pairs: Pairs::default() }
    }

    /// Adds a pair.
    pub fn push(&mut self, key: &[u8], number: u64) -> io::Result<()> {
        if !self.pairs.numbers.is_empty() && self.pairs.bytes() + key.len() > self.memory {
            self.spill()?;
        }
        self.pairs.push(key, number);
        Ok(())
    }

    /// Ends the adding: the records in order.
    pub fn sorted(mut self) -> io::Result<Sorted> {
        if self.runs.is_empty() {
            return Ok(Sorted(Source::Pairs(self.pairs.ordered())));
        }
        if !self.pairs.numbers.is_empty() {
            self.spill()?;
        }
        Ok(Sorted(Source::Runs(self.runs.merged()?)))
    }

    fn spill(&mut self) -> io::Result<()> {
        let mut ordered = std::mem::take(&mut self.pairs).ordered();
        self.runs.write(|writer| {
            while let Some(record) = ordered.next() {
                writer.write(record)?;
            }
            Ok(())
        })
    }
}

#[derive(Default)]
struct Pairs {
    /// Every key once, in the order in which they came.
    keys: Buffer,
    /// The numbers of the keys, by what they are.
    known: HashTable<u32>,
    hash: RandomState,
    /// For every pair the number of its key, and its own.
    of: Vec<u32>,
    numbers: Vec<u64>,
}

impl Pairs {
    fn push(&mut self, key: &[u8], number: u64) {
        let Pairs { keys, known, hash, .. } = self;
        let of = |key: &[u8]| hash.hash_one(key);
        let entry = known.entry(
            of(key),
            |&at| keys.get(at as usize) == key,
            |&at| of(keys.get(at as usize)),
        );
        let at = *entry.or_insert(keys.len() as u32).get();
        if at as usize == keys.len() {
            keys.push(key);
        }
        self.of.push(at);
        self.numbers.push(number);
    }

    /// The memory they take, with what it takes to put them in order.
    fn bytes(&self) -> usize {
        let of_pairs = self.numbers.len() * (size_of::<u32>() + 2 * size_of::<u64>());
        self.keys.bytes() + self.keys.len() * 4 * size_of::<u32>() + of_pairs
    }

    fn ordered(mut self) -> Ordered {
        self.keys.sort();
        let mut places = vec![0; self.keys.len()];
        for place in 0..self.keys.len() {
            places[self.keys.came_as(place)] = place;
        }
        // Behind each place the first number of the next one.
        let mut ends = vec![0; self.keys.len()];
        self.of.iter().for_each(|&of| ends[places[of as usize]] += 1);
        let mut sum = 0;
        for end in &mut ends {
            (*end, sum) = (sum, sum + *end);
        }
        let mut numbers = vec![0; self.numbers.len()];
        for (&of, &number) in self.of.iter().zip(&self.numbers) {
            let at = &mut ends[places[of as usize]];
            numbers[*at] = number;
            *at += 1;
        }
        let mut from = 0;
        for &end in &ends {
            let of_key = &mut numbers[from..end];
            if !of_key.is_sorted() {
                of_key.sort_unstable();
            }
            from = end;
        }
        Ordered { keys: self.keys, ends, numbers, place: 0, at: 0, record: Vec::new() }
    }
}

/// Pairs in order.
pub struct Ordered {
    keys: Buffer,
    /// For every key where its numbers end.
    ends: Vec<usize>,
    numbers: Vec<u64>,
    /// The place of the key whose numbers are being given, and the next of all numbers.
    place: usize,
    at: usize,
    record: Vec<u8>,
}

impl Ordered {
    pub fn next(&mut self) -> Option<&[u8]> {
        let number = self.numbers.get(self.at)?.to_be_bytes();
        let is_new = self.ends[self.place] == self.at;
        if is_new || self.at == 0 {
            self.place += usize::from(is_new);
            self.record.clear();
            self.record.extend_from_slice(self.keys.get(self.place));
            self.record.extend_from_slice(&number);
        } else {
            let key = self.record.len() - NUMBER;
            self.record[key..].copy_from_slice(&number);
        }
        self.at += 1;
        Some(&self.record)
    }
}
