//! Records in memory.

use rayon::prelude::*;

/// Records one after the other, and where each lies.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    records: Vec<Record>,
}

#[derive(Clone, Copy)]
struct Record {
    /// Eight bytes as a number, which settles most comparisons without touching the rest: the first, and while
    /// records are sorted that are equal so far, those that follow.
    part: u64,
    from: u64,
    len: u32,
}

impl Buffer {
    pub fn push(&mut self, record: &[u8]) {
        self.records.push(Record {
            part: part(record, 0),
            from: self.bytes.len() as u64,
            len: u32::try_from(record.len()).expect("a record is smaller than 4 GiB"),
        });
        self.bytes.extend_from_slice(record);
    }

    pub fn sort(&mut self) {
        sort(&mut self.records, &self.bytes, 0);
    }

    pub fn get(&self, at: usize) -> &[u8] {
        self.records[at].of(&self.bytes)
    }

    pub fn len(&self) -> usize {
        self.records.len()
    }

    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The memory it takes.
    pub fn bytes(&self) -> usize {
        self.bytes.len() + self.records.len() * size_of::<Record>()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.records.clear();
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
fn sort(records: &mut [Record], bytes: &[u8], mut from: usize) {
    loop {
        if records.len() <= FEW {
            return records.sort_unstable_by(|a, b| a.of(bytes).cmp(b.of(bytes)));
        }
        records.par_sort_unstable_by_key(|record| record.part);
        let next = from + 8;
        if records[0].part != records[records.len() - 1].part {
            let sort_alike = |alike: &mut [Record]| {
                go_on(alike, bytes, next);
                sort(alike, bytes, next);
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
        go_on(records, bytes, next);
        from = next;
    }
}

fn are_alike(one: &Record, other: &Record) -> bool {
    one.part == other.part
}

fn go_on(records: &mut [Record], bytes: &[u8], next: usize) {
    records.iter_mut().for_each(|record| record.part = part(record.of(bytes), next));
}

impl Record {
    fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.from as usize..self.from as usize + self.len as usize]
    }
}
