//! Records in memory.

use std::cmp::Ordering;

use rayon::prelude::*;

/// Records one after the other, and where each lies.
#[derive(Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    records: Vec<Record>,
}

#[derive(Clone, Copy)]
struct Record {
    /// The first eight bytes as a number, which settles most comparisons without touching the rest.
    prefix: u64,
    from: u64,
    len: u32,
}

impl Buffer {
    pub fn push(&mut self, record: &[u8]) {
        let mut prefix = [0; 8];
        let known = record.len().min(8);
        prefix[..known].copy_from_slice(&record[..known]);
        self.records.push(Record {
            prefix: u64::from_be_bytes(prefix),
            from: self.bytes.len() as u64,
            len: u32::try_from(record.len()).expect("a record is smaller than 4 GiB"),
        });
        self.bytes.extend_from_slice(record);
    }

    pub fn sort(&mut self) {
        let bytes = &self.bytes;
        self.records.par_sort_unstable_by(|a, b| match a.prefix.cmp(&b.prefix) {
            Ordering::Equal => a.of(bytes).cmp(b.of(bytes)),
            settled => settled,
        });
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

impl Record {
    fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.from as usize..self.from as usize + self.len as usize]
    }
}
