//! Blocks in memory.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::FileKey;

/// Blocks in memory, up to a size; what was used least recently goes first.
#[derive(Debug)]
pub(crate) struct Memory {
    limit: u64,
    blocks: Mutex<Blocks>,
}

#[derive(Debug, Default)]
struct Blocks {
    held: HashMap<(FileKey, u64), (u64, Bytes)>,
    /// Who was used when: the first is the one to go.
    used: BTreeMap<u64, (FileKey, u64)>,
    uses: u64,
    size: u64,
}

impl Memory {
    pub(crate) fn new(limit: u64) -> Memory {
        Memory { limit, blocks: Mutex::default() }
    }

    pub(crate) fn get(&self, file: FileKey, block: u64) -> Option<Bytes> {
        let mut blocks = self.lock();
        let blocks = &mut *blocks;
        let (used, bytes) = blocks.held.get_mut(&(file, block))?;
        blocks.used.remove(used);
        blocks.uses += 1;
        *used = blocks.uses;
        blocks.used.insert(blocks.uses, (file, block));
        Some(bytes.clone())
    }

    pub(crate) fn put(&self, file: FileKey, block: u64, bytes: Bytes) {
        let size = bytes.len() as u64;
        if size > self.limit {
            return;
        }
        // A slice would hold on to all that was fetched together with it.
        let bytes = Bytes::copy_from_slice(&bytes);
        let mut blocks = self.lock();
        blocks.remove((file, block));
        while blocks.size + size > self.limit {
            let Some((_, &oldest)) = blocks.used.first_key_value() else { break };
            blocks.remove(oldest);
        }
        blocks.uses += 1;
        blocks.size += size;
        let now = blocks.uses;
        blocks.used.insert(now, (file, block));
        blocks.held.insert((file, block), (now, bytes));
    }

    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Blocks {
    fn remove(&mut self, block: (FileKey, u64)) {
        if let Some((used, bytes)) = self.held.remove(&block) {
            self.used.remove(&used);
            self.size -= bytes.len() as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_least_recently_goes_first() {
        let memory = Memory::new(20);
        let block = |n: u8| Bytes::from(vec![n; 10]);
        let file = FileKey(1);
        memory.put(file, 0, block(0));
        memory.put(file, 1, block(1));
        assert_eq!(memory.get(file, 0), Some(block(0)));
        memory.put(file, 2, block(2));
        assert_eq!(memory.get(file, 1), None);
        assert_eq!(memory.get(file, 0), Some(block(0)));
        assert_eq!(memory.get(file, 2), Some(block(2)));
        assert_eq!(memory.get(FileKey(2), 2), None);
        memory.put(file, 3, vec![0; 21].into());
        assert_eq!(memory.get(file, 3), None);
    }
}
