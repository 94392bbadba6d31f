//! A map that remembers what was used lately.
//!
//! Clients choose the hosts they ask for, and could ask for any number. The map holds two
//! generations: what is used moves to the young one, and when that is full the old one is forgotten.
//! So the last `limit` keys used are known, and never more than twice as many are held.

use std::collections::HashMap;
use std::hash::Hash;

pub(crate) struct Recent<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    limit: usize,
}

impl<K: Hash + Eq, V: Clone> Recent<K, V> {
    pub fn new(limit: usize) -> Recent<K, V> {
        Recent { young: HashMap::new(), old: HashMap::new(), limit }
    }

    pub fn get(&mut self, key: &K) -> Option<V> {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, value) = self.old.remove_entry(key)?;
        self.insert(key, value.clone());
        Some(value)
    }

    pub fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.limit && !self.young.contains_key(&key) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_the_rest_is_forgotten() {
        let mut recent = Recent::new(10);
        recent.insert(0, "kept");
        recent.insert(1, "forgotten");
        for key in 2..100 {
            recent.insert(key, "one of many");
            assert_eq!(recent.get(&0), Some("kept"));
            assert!(recent.young.len() + recent.old.len() <= 20);
        }
        assert_eq!(recent.get(&1), None);
    }
}
