//! Where rows stand, by a key that nearly always has one row.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// What rows are looked for by, cut or hashed to this size: another row may have the same by chance.
pub(super) type Key = u64;

/// The numbers of rows and when they were added, by their keys.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Of each key the row with the highest number: one look finds it, however many there are.
    highest: HashMap<Key, Place>,
    /// The rows below it, of keys that have more.
    others: BTreeMap<(Key, i64), i64>,
}

#[derive(Debug, Clone, Copy)]
struct Place {
    number: i64,
    at: i64,
}

impl Places {
    /// How many rows there are.
    pub(super) fn len(&self) -> usize {
        self.highest.len() + self.others.len()
    }

    /// Notes a row, or another time of one.
    pub(super) fn insert(&mut self, key: Key, number: i64, at: i64) {
        let place = Place { number, at };
        let below = match self.highest.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(place);
                return;
            }
            Entry::Occupied(highest) if highest.get().number > number => place,
            Entry::Occupied(mut highest) => match highest.insert(place) {
                same if same.number == number => return,
                other => other,
            },
        };
        self.others.insert((key, below.number), below.at);
    }

    /// Takes a row out.
    pub(super) fn remove(&mut self, key: Key, number: i64) {
        match self.highest.get(&key) {
            Some(highest) if highest.number == number => self.remove_highest(key),
            _ => drop(self.others.remove(&(key, number))),
        }
    }

    /// The numbers of the rows of a key, the highest first.
    pub(super) fn numbers(&self, key: Key) -> Vec<i64> {
        let Some(highest) = self.highest.get(&key) else { return Vec::new() };
        let below = self.others.range((key, i64::MIN)..=(key, i64::MAX)).rev();
        std::iter::once(highest.number).chain(below.map(|((_, number), _)| *number)).collect()
    }

    /// Drops what was added before a time.
    pub(super) fn drop_before(&mut self, since: i64) {
        self.others.retain(|_, at| *at >= since);
        let old = self.highest.iter().filter(|(_, highest)| highest.at < since).map(|(key, _)| *key);
        let old: Vec<Key> = old.collect();
        old.into_iter().for_each(|key| self.remove_highest(key));
        self.highest.shrink_to_fit();
    }

    fn remove_highest(&mut self, key: Key) {
        let below = self.others.range((key, i64::MIN)..=(key, i64::MAX)).next_back();
        match below.map(|((_, number), at)| Place { number: *number, at: *at }) {
            Some(next) => {
                self.others.remove(&(key, next.number));
                self.highest.insert(key, next);
            }
            None => drop(self.highest.remove(&key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Event {
        Insert(Key, i64, i64),
        Remove(Key, i64),
        DropBefore(i64),
    }

    fn an_event() -> impl Strategy<Value = Event> {
        let row = || (0..3_u64, 0..6_i64);
        prop_oneof![
            6 => (row(), 0..9_i64).prop_map(|((key, number), at)| Event::Insert(key, number, at)),
            2 => row().prop_map(|(key, number)| Event::Remove(key, number)),
            1 => (0..9_i64).prop_map(Event::DropBefore),
        ]
    }

    proptest! {
        #[test]
        fn they_are_a_map_of_keys_and_numbers(events in prop::collection::vec(an_event(), 0..40)) {
            let (mut places, mut map) = (Places::default(), BTreeMap::new());
            for event in events {
                match event {
                    Event::Insert(key, number, at) => {
                        places.insert(key, number, at);
                        map.insert((key, number), at);
                    }
                    Event::Remove(key, number) => {
                        places.remove(key, number);
                        map.remove(&(key, number));
                    }
                    Event::DropBefore(since) => {
                        places.drop_before(since);
                        map.retain(|_, at| *at >= since);
                    }
                }
                prop_assert_eq!(places.len(), map.len());
                for key in 0..3 {
                    let of_key = map.range((key, i64::MIN)..=(key, i64::MAX)).rev();
                    let numbers: Vec<i64> = of_key.map(|((_, number), _)| *number).collect();
                    prop_assert_eq!(places.numbers(key), numbers);
                }
            }
        }
    }
}
