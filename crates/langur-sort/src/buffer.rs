//! Records in memory.

use langur_crawl::prefetch;
use rayon::prelude::*;

/// A piece of memory is so large, or as large as the record in it. In a single piece all would be copied again and
/// again as it grows.
const PIECE: usize = 1 << 20;

/// Records one after the other, and where each lies.
#[derive(Default)]
pub struct Buffer {
    pieces: Vec<Vec<u8>>,
    records: Vec<Record>,
    bytes: usize,
}

#[derive(Clone, Copy)]
struct Record {
    /// Eight bytes as a number, which settles most comparisons without touching the rest: the first, and while
    /// records are sorted that are equal so far, those that follow.
    part: u64,
    piece: u32,
    from: u32,
    len: u32,
    /// How many came before it.
    number: u32,
}

impl Buffer {
    pub fn push(&mut self, record: &[u8]) {
        let has_room = |piece: &Vec<u8>| piece.capacity() - piece.len() >= record.len();
        if !self.pieces.last().is_some_and(has_room) {
            self.pieces.push(Vec::with_capacity(record.len().max(PIECE)));
        }
        let number = self.pieces.len() - 1;
        let piece = &mut self.pieces[number];
        self.records.push(Record {
            part: part(record, 0),
            piece: number as u32,
            from: piece.len() as u32,
            len: u32::try_from(record.len()).expect("a record is smaller than 4 GiB"),
            number: self.records.len() as u32,
        });
        piece.extend_from_slice(record);
        self.bytes += record.len();
    }

    pub fn sort(&mut self) {
        sort(&mut self.records, &self.pieces, 0);
    }

    /// A record; asks for one that comes soon, since in the order they are sorted in each lies elsewhere.
    pub fn get(&self, at: usize) -> &[u8] {
        expect(&self.records, at + AHEAD, &self.pieces);
        self.records[at].of(&self.pieces)
    }

    /// How many records came before this one.
    pub fn came_as(&self, at: usize) -> usize {
        self.records[at].number as usize
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        self.bytes + self.records.len() * size_of::<Record>()
    }

    pub fn clear(&mut self) {
        self.pieces.clear();
        self.records.clear();
        self.bytes = 0;
    }
}

/// The eight bytes of a record from this one on, as a number. Behind its end are zeroes.
fn part(record: &[u8], from: usize) -> u64 {
    let rest = record.get(from..).unwrap_or_default();
    let known = rest.len().min(8);
    let mut part = [0; 8];
    part[..known].copy_from_slice(&rest[..known]);
    u64::from_be_bytes(part)
}

/// So few records are compared whole.
const FEW: usize = 12;
/// So many are worth the trouble of sharing the work.
const MANY: usize = 1 << 14;

/// Sorts records that are equal up to their part, which begins with the byte `from`: by their parts, and where
/// these are equal by the next. Keys of pages have long beginnings in common, which would otherwise be compared
/// again and again, each time in another place of memory.
fn sort(records: &mut [Record], pieces: &[Vec<u8>], mut from: usize) {
    loop {
        if records.len() <= FEW {
            return records.sort_unstable_by(|a, b| a.of(pieces).cmp(b.of(pieces)));
        }
        records.par_sort_unstable_by_key(|record| record.part);
        let next = from + 8;
        if records[0].part != records[records.len() - 1].part {
            let sort_alike = |alike: &mut [Record]| {
                go_on(alike, pieces, next);
                sort(alike, pieces, next);
            };
            return match records.len() < MANY {
                true => records.chunk_by_mut(are_alike).for_each(sort_alike),
                false => records.par_chunk_by_mut(are_alike).for_each(sort_alike),
            };
        }
        if records.iter().all(|record| record.len as usize <= next) {
            // They differ in nothing but the number of zeroes at their ends.
            return records.sort_unstable_by_key(|record| record.len);
        }
        go_on(records, pieces, next);
        from = next;
    }
}

fn are_alike(one: &Record, other: &Record) -> bool {
    one.part == other.part
}

/// Takes the next parts of records.
fn go_on(records: &mut [Record], pieces: &[Vec<u8>], next: usize) {
    for at in 0..records.len() {
        expect(records, at + AHEAD, pieces);
        records[at].part = part(records[at].of(pieces), next);
    }
}

/// So many records ahead memory is asked for.
const AHEAD: usize = 16;

fn expect(records: &[Record], at: usize, pieces: &[Vec<u8>]) {
    if let Some(record) = records.get(at) {
        prefetch(&pieces[record.piece as usize], record.from as usize);
    }
}

impl Record {
    fn of(self, pieces: &[Vec<u8>]) -> &[u8] {
        &pieces[self.piece as usize][self.from as usize..][..self.len as usize]
    }
}
