//! Payloads that are archived already.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;

use crate::journal::Moment;
use crate::known::Text;

/// A SHA-1.
pub type Digest = [u8; 20];

/// The capture that first had a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// Where in the journal its URL lies.
    pub url: Text,
    /// When it was captured, in seconds since 1970.
    pub at: u32,
}

/// The payloads of all answers in the archive. Only what the journal knows of is here, so that nothing ever refers to a
/// capture that was lost.
#[derive(Default)]
pub struct Payloads(Mutex<Rows>);

/// Rows, and their numbers by digest: a table of the rows themselves would be half empty much of the time.
#[derive(Default)]
struct Rows {
    rows: Vec<Row>,
    numbers: HashTable<u32>,
}

/// A payload in 28 bytes, for there is one for every page that was visited. 128 bits of the digest tell a billion payloads apart as
/// surely as all of them.
struct Row {
    digest: [u8; 16],
    url: [u8; 8],
    at: u32,
}

impl Row {
    /// Digests are as good as random.
    fn hash(&self) -> u64 {
        u64::from_le_bytes(self.digest[..8].try_into().expect("eight bytes"))
    }
}

impl Rows {
    fn find(&self, like: &Row) -> Option<&Row> {
        let is_it = |number: &u32| self.rows[*number as usize].digest == like.digest;
        self.numbers.find(like.hash(), is_it).map(|number| &self.rows[*number as usize])
    }

    fn add(&mut self, row: Row) {
        let number = self.rows.len() as u32;
        let hash = row.hash();
        self.rows.push(row);
        let rows = &self.rows;
        self.numbers.insert_unique(hash, number, |number| rows[*number as usize].hash());
    }
}

fn row(digest: &Digest, url: Text, at: u32) -> Row {
    let digest = digest[..16].try_into().expect("sixteen bytes");
    Row { digest, url: url.bits().to_le_bytes(), at }
}

impl Payloads {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first capture of a payload.
    pub fn find(&self, digest: &Digest) -> Option<First> {
        let rows = self.rows();
        let found = rows.find(&row(digest, Text::from_bits(0), 0))?;
        Some(First { url: Text::from_bits(u64::from_le_bytes(found.url)), at: found.at })
    }

    /// Takes note of a capture; the first stays.
    pub fn add(&self, digest: Digest, url: Text, at: Moment) {
        let row = row(&digest, url, u32::try_from(at / 1000).unwrap_or(u32::MAX));
        let mut rows = self.rows();
        if rows.find(&row).is_none() {
            rows.add(row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_capture_of_a_payload_stays() {
        let payloads = Payloads::default();
        let of = |number: u32| -> Digest {
            let mut digest = [7; 20];
            digest[4..8].copy_from_slice(&number.to_le_bytes());
            digest
        };
        for number in 0..1000 {
            payloads.add(of(number), Text::new(u64::from(number), 9), 5000);
            payloads.add(of(number), Text::new(1, 1), 9000);
        }
        let first = |number: u32| First { url: Text::new(u64::from(number), 9), at: 5 };
        assert!((0..1000).all(|number| payloads.find(&of(number)) == Some(first(number))));
        assert_eq!(payloads.find(&of(1000)), None);
    }
}
