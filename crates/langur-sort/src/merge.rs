//! Many sorted runs as one.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::io;

use crate::run::{Reader, Run};

/// The runs, by the record each stands at.
pub struct Merge {
    heads: BinaryHeap<Head>,
    /// Whether the first of them was given out and must go on before the next is.
    given: bool,
}

struct Head(Reader);

impl Merge {
    pub fn new(runs: Vec<Run>) -> io::Result<Merge> {
        let mut heads = BinaryHeap::new();
        for run in runs {
            let mut reader = Reader::open(run)?;
            if reader.advance()? {
                heads.push(Head(reader));
            }
        }
        Ok(Merge { heads, given: false })
    }

    pub fn next(&mut self) -> io::Result<Option<&[u8]>> {
        if self.given
            && let Some(mut first) = self.heads.peek_mut()
            && !first.0.advance()?
        {
            std::collections::binary_heap::PeekMut::pop(first);
        }
        self.given = true;
        Ok(self.heads.peek().map(|head| head.0.record.as_slice()))
    }
}

/// The smallest record is the greatest head: the heap gives the greatest.
impl Ord for Head {
    fn cmp(&self, other: &Head) -> Ordering {
        other.0.record.cmp(&self.0.record)
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Head) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Head) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head {}
