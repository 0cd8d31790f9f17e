//! Ids of what is generated.

use super::chance::Chance;
use crate::types::{put_rank, ID_BYTES};

/// More than the things of any neighbourhood.
const NEIGHBOURHOOD_BITS: u32 = 24;

/// The ids of one neighbourhood. Their rank has its number and a counter, so that no two ids of a population are the
/// same.
pub(super) struct Ids {
    chance: Chance,
    rank: u64,
}

impl Ids {
    /// Those of that neighbourhood.
    pub(super) fn of(seed: u64, neighbourhood: u64) -> Self {
        let rank = neighbourhood << NEIGHBOURHOOD_BITS;
        Self { chance: Chance::of_part(seed, "ids", neighbourhood), rank }
    }

    /// The next one.
    pub(super) fn next(&mut self) -> [u8; ID_BYTES] {
        let mut bytes = [0; ID_BYTES];
        for chunk in bytes.chunks_mut(size_of::<u64>()) {
            chunk.iter_mut().zip(self.chance.draw().to_be_bytes()).for_each(|(to, from)| *to = from);
        }
        put_rank(self.rank, &mut bytes);
        self.rank += 1;
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::TransactionId;

    #[test]
    fn ids_sort_by_neighbourhood_and_then_by_their_order() {
        let ids: Vec<String> = [0, 1, 255, 256]
            .into_iter()
            .flat_map(|neighbourhood| {
                let mut ids = Ids::of(7, neighbourhood);
                [(); 3].map(|()| TransactionId::from_bytes(ids.next()).to_string())
            })
            .collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
        assert_ne!(Ids::of(7, 0).next(), Ids::of(8, 0).next());
        assert_eq!(Ids::of(7, 0).next(), Ids::of(7, 0).next());
    }
}
