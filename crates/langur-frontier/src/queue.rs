//! A first-in first-out queue that never copies and gives memory back.

use std::collections::VecDeque;

/// Entries a chunk: 64 KiB, large enough to be read at full speed, small enough to waste little.
const CHUNK: usize = 16 * 1024;

/// A queue of small numbers in chunks. Unlike a ring buffer it has no moment at which everything is
/// copied and twice the memory is needed.
#[derive(Default)]
pub(crate) struct Queue {
    chunks: VecDeque<Box<[u32]>>,
    /// Where the next entry leaves, in the first chunk.
    head: usize,
    /// Where the next entry enters, in the last chunk.
    tail: usize,
    /// An emptied chunk kept for the next push.
    spare: Option<Box<[u32]>>,
}

impl Queue {
    #[inline]
    pub fn push(&mut self, entry: u32) {
        if self.chunks.is_empty() || self.tail == CHUNK {
            let chunk = self.spare.take().unwrap_or_else(|| vec![0; CHUNK].into_boxed_slice());
            self.chunks.push_back(chunk);
            self.tail = 0;
        }
        let last = self.chunks.back_mut().expect("a chunk was just made sure of");
        last[self.tail] = entry;
        self.tail += 1;
    }

    #[inline]
    pub fn pop(&mut self) -> Option<u32> {
        let first = self.chunks.front()?;
        if self.chunks.len() == 1 && self.head == self.tail {
            return None;
        }
        let entry = first[self.head];
        self.head += 1;
        if self.head == CHUNK {
            self.spare = self.chunks.pop_front();
            self.head = 0;
        }
        Some(entry)
    }

    /// The number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        (self.chunks.len() * CHUNK + self.tail).saturating_sub(self.head + CHUNK)
    }

    /// The entry that will leave after `ahead` others.
    #[inline]
    pub fn peek(&self, ahead: usize) -> Option<u32> {
        let at = self.head + ahead;
        let (chunk, slot) = (at / CHUNK, at % CHUNK);
        let is_last = chunk + 1 == self.chunks.len();
        if is_last && slot >= self.tail {
            return None;
        }
        self.chunks.get(chunk).map(|chunk| chunk[slot])
    }

    /// Removes every entry for which `keep` says no, in time linear in the queue.
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        let mut old = std::mem::take(self);
        while let Some(entry) = old.pop() {
            if keep(entry) {
                self.push(entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_leave_in_the_order_they_came_across_chunks() {
        let mut queue = Queue::default();
        assert_eq!((queue.pop(), queue.len()), (None, 0));
        let (mut pushed, mut popped) = (0, 0);
        for round in 0..6_u32 {
            for _ in 0..CHUNK as u32 / 2 + round {
                queue.push(pushed);
                pushed += 1;
            }
            assert_eq!(queue.peek(3), Some(popped + 3));
            assert_eq!(queue.len() as u32, pushed - popped);
            for _ in 0..CHUNK / 3 {
                assert_eq!(queue.pop(), Some(popped));
                popped += 1;
            }
        }
        queue.retain(|entry| entry % 2 == 0);
        while let Some(entry) = queue.pop() {
            popped += popped % 2;
            assert_eq!(entry, popped);
            popped += 1;
        }
        assert_eq!(popped, pushed);
        assert_eq!(queue.peek(0), None);
    }
}
