//! A bounded memory of recent things.

use std::collections::HashMap;
use std::hash::Hash;

/// Two generations of entries. When the young one is full it becomes the old one, and what the old one
/// held is forgotten: constant time, and never more than twice the capacity.
#[derive(Debug)]
pub(crate) struct Recent<K, V> {
    young: HashMap<K, V>,
    old: HashMap<K, V>,
    capacity: usize,
    generation: u64,
}

impl<K: Eq + Hash + Clone, V: Clone> Recent<K, V> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), capacity, generation: 0 }
    }

    /// What is remembered of the key. A find in the old generation moves to the young one.
    pub(crate) fn get(&mut self, key: &K) -> Option<V> {
        if let Some(value) = self.young.get(key) {
            return Some(value.clone());
        }
        let value = self.old.remove(key)?;
        self.insert(key.clone(), value.clone());
        Some(value)
    }

    pub(crate) fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.capacity && !self.young.contains_key(&key) {
            self.age();
        }
        self.young.insert(key, value);
    }

    /// Starts a new generation.
    pub(crate) fn age(&mut self) {
        self.old = std::mem::take(&mut self.young);
        self.generation = self.generation.wrapping_add(1);
    }

    /// Another number for each generation.
    pub(crate) fn generation(&self) -> u64 {
        self.generation
    }

    pub(crate) fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.young.is_empty() && self.old.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.old.iter().chain(&self.young)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_holds_more_than_two_generations() {
        let mut recent = Recent::new(10);
        for key in 0..1_000 {
            recent.insert(key, ());
            assert!(recent.iter().count() <= 20);
        }
        assert!((991..1_000).all(|key| recent.get(&key).is_some()));
        assert!(recent.get(&900).is_none());
    }

    #[test]
    fn what_is_used_again_stays() {
        let mut recent = Recent::new(2);
        recent.insert("kept", 1);
        for key in ["a", "b", "c", "d", "e"] {
            recent.insert(key, 0);
            assert_eq!(recent.get(&"kept"), Some(1), "after {key}");
        }
    }
}
