//! Which profiles have an n-gram.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Profile;

/// Where n-grams stand in profiles. It is made once and asked hundreds of times for every text, so it
/// lies in few pieces of memory.
#[derive(Clone, Debug)]
pub struct Index {
    /// A hash table, less than half full. Its length is a power of two.
    slots: Vec<Slot>,
    /// The n-grams, one after the other.
    grams: Vec<u8>,
    entries: Vec<Entry>,
}

/// That a profile has an n-gram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The number of the profile, in the order they were given. Small, since tens of thousands of entries are gone
    /// through for every text.
    pub profile: u16,
    /// The rank of the n-gram.
    pub rank: u16,
}

/// Where an n-gram and its entries are. A slot without entries is free.
#[derive(Clone, Debug, Default)]
struct Slot {
    hash: u32,
    gram: Range<u32>,
    entries: Range<u32>,
}

impl Index {
    /// An index of profiles, of which there are at most 65,536.
    pub fn new<'p>(profiles: impl IntoIterator<Item = &'p Profile>) -> Index {
        let mut ranks = BTreeMap::<&[u8], Vec<Entry>>::new();
        for (profile, grams) in (0..=u16::MAX).zip(profiles) {
            for (rank, gram) in (0..).zip(grams.grams()) {
                ranks.entry(gram).or_default().push(Entry { profile, rank });
            }
        }
        let slots = vec![Slot::default(); (2 * ranks.len() + 1).next_power_of_two()];
        let mut index = Index { slots, grams: Vec::new(), entries: Vec::new() };
        for (gram, entries) in &ranks {
            let hash = hash(gram);
            let free = index.probes(hash).find(|at| index.slots[*at].entries.is_empty());
            index.slots[free.expect("half of the slots are free")] = Slot {
                hash,
                gram: append(&mut index.grams, gram),
                entries: append(&mut index.entries, entries),
            };
        }
        index
    }

    /// The profiles that have an n-gram.
    pub fn of(&self, gram: &[u8]) -> &[Entry] {
        let hash = hash(gram);
        for at in self.probes(hash) {
            let slot = &self.slots[at];
            let entries = &self.entries[slot.entries.start as usize..slot.entries.end as usize];
            let is_this = || {
                slot.hash == hash
                    && &self.grams[slot.gram.start as usize..slot.gram.end as usize] == gram
            };
            if entries.is_empty() || is_this() {
                return entries;
            }
        }
        unreachable!("half of the slots are free")
    }

    /// The slots that an n-gram may be in, the likeliest first.
    fn probes(&self, hash: u32) -> impl Iterator<Item = usize> + use<> {
        let mask = self.slots.len() - 1;
        let first = (hash ^ hash >> 15) as usize;
        (0..=mask).map(move |more| first.wrapping_add(more) & mask)
    }
}

fn append<T: Copy>(all: &mut Vec<T>, more: &[T]) -> Range<u32> {
    let start = all.len() as u32;
    all.extend(more);
    start..all.len() as u32
}

/// FNV-1a.
fn hash(gram: &[u8]) -> u32 {
    gram.iter().fold(0x811c_9dc5, |hash, &byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn finds_what_a_plain_map_does(
            files in prop::collection::vec("[ab\\n]{0,60}", 0..6),
            others in prop::collection::vec("[abc]{0,3}", 0..20),
        ) {
            let profiles: Vec<_> = files.iter().map(|lm| Profile::parse(lm.as_bytes())).collect();
            let index = Index::new(&profiles);
            let mut ranks = HashMap::<&[u8], Vec<Entry>>::new();
            for (number, profile) in profiles.iter().enumerate() {
                for (rank, gram) in profile.grams().enumerate() {
                    let entry = Entry { profile: number as u16, rank: rank as u16 };
                    ranks.entry(gram).or_default().push(entry);
                }
            }
            for gram in ranks.keys().copied().chain(others.iter().map(String::as_bytes)) {
                prop_assert_eq!(index.of(gram), ranks.get(gram).map_or(&[][..], Vec::as_slice));
            }
        }
    }
}
