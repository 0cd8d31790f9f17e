//! Ids of what is generated.

use super::chance::Chance;
use crate::types::{put_rank, ID_BYTES};

/// More than the things of any neighbourhood.
const NEIGHBOURHOOD_BITS: u32 = 24;

/// More than the customers, agreements, accounts and engagements of any neighbourhood: lines have the ranks from here.
const LINES: u64 = 1 << 12;

/// The ids of one neighbourhood. Their rank has its number and a counter, so that no two ids of a population are the
/// same.
pub(super) struct Ids {
    chance: Chance,
    rank: u64,
    /// The seed of the ids of lines.
    lines: u64,
}

impl Ids {
    /// Those of that neighbourhood, in a population with so many cases of a thousand persons and with life events or
    /// without. With either a line has another number than without them, and therefore another id: an id is that of one
    /// line alone.
    pub(super) fn of(seed: u64, neighbourhood: u64, cases: u64, events: bool) -> Self {
        let rank = neighbourhood << NEIGHBOURHOOD_BITS;
        let of_lines = if cases > 0 { Chance::of_part(seed, "lines with cases", cases).draw() } else { seed };
        let of_lines =
            if events { Chance::of_part(of_lines, "lines with events", 0).draw() } else { of_lines };
        let lines = Chance::of_part(of_lines, "lines", neighbourhood).draw();
        Self { chance: Chance::of_part(seed, "ids", neighbourhood), rank, lines }
    }

    /// That of a line, by its number in the neighbourhood: known without the lines before it.
    pub(super) fn line(&self, number: u64) -> [u8; ID_BYTES] {
        let rank = (self.rank >> NEIGHBOURHOOD_BITS << NEIGHBOURHOOD_BITS) + LINES + number;
        bytes(&mut Chance::of(Chance::of(self.lines ^ number).draw()), rank)
    }

    /// The next one.
    pub(super) fn next(&mut self) -> [u8; ID_BYTES] {
        let bytes = bytes(&mut self.chance, self.rank);
        self.rank += 1;
        bytes
    }
}

fn bytes(chance: &mut Chance, rank: u64) -> [u8; ID_BYTES] {
    let mut bytes = [0; ID_BYTES];
    for chunk in bytes.chunks_mut(size_of::<u64>()) {
        chunk.iter_mut().zip(chance.draw().to_be_bytes()).for_each(|(to, from)| *to = from);
    }
    put_rank(rank, &mut bytes);
    bytes
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
                let mut ids = Ids::of(7, neighbourhood, 0, false);
                [(); 3].map(|()| TransactionId::from_bytes(ids.next()).to_string())
            })
            .collect();
        assert!(ids.windows(2).all(|pair| pair[0] < pair[1]), "{ids:?}");
        assert_ne!(Ids::of(7, 0, 0, false).line(0), Ids::of(7, 0, 0, false).line(1));
        assert_ne!(Ids::of(7, 0, 0, false).line(0), Ids::of(8, 0, 0, false).line(0));
        assert_ne!(Ids::of(7, 0, 0, false).line(0), Ids::of(7, 0, 1, false).line(0));
        assert_ne!(Ids::of(7, 0, 1, false).line(0), Ids::of(7, 0, 2, false).line(0));
        assert_ne!(Ids::of(7, 0, 0, false).line(0), Ids::of(7, 0, 0, true).line(0));
        assert_ne!(Ids::of(7, 0, 1, false).line(0), Ids::of(7, 0, 1, true).line(0));
        assert_ne!(Ids::of(7, 0, 0, true).line(0), Ids::of(7, 0, 1, true).line(0));
        assert_ne!(Ids::of(7, 0, 0, false).next(), Ids::of(8, 0, 0, false).next());
        assert_eq!(Ids::of(7, 0, 0, false).next(), Ids::of(7, 0, 0, false).next());
        assert_eq!(
            Ids::of(7, 0, 0, false).next(),
            Ids::of(7, 0, 1, false).next(),
            "customers and accounts have the same ids"
        );
        assert_eq!(Ids::of(7, 0, 0, false).next(), Ids::of(7, 0, 0, true).next(), "with events too");
    }
}
