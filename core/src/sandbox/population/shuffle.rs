//! The numbers of a range in an order that shows no pattern, each once.

use super::chance::Chance;

/// How often both halves of a number are mixed.
const ROUNDS: u64 = 4;
/// Beyond what a half of a number has.
const ROUND_BITS: u32 = 40;

/// The order of the numbers from 0 up to a size: a Feistel network over a power of four, repeated until it arrives in
/// the range (cycle walking: Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002). So the number at each
/// place is known without the others, and no two places have the same.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shuffle {
    seed: u64,
    size: u64,
    half_bits: u32,
}

impl Shuffle {
    /// The order of that seed.
    pub(super) fn of(seed: u64, size: u64) -> Self {
        let bits = u64::BITS - size.saturating_sub(1).leading_zeros();
        Self { seed, size, half_bits: bits.div_ceil(2).max(1) }
    }

    /// The number at a place; `None` beyond the last one.
    pub(super) fn at(self, place: u64) -> Option<u64> {
        if place >= self.size {
            return None;
        }
        let mut number = self.mixed(place);
        while number >= self.size {
            number = self.mixed(number);
        }
        Some(number)
    }

    fn mixed(self, number: u64) -> u64 {
        let mask = (1 << self.half_bits) - 1;
        let (mut left, mut right) = (number >> self.half_bits, number & mask);
        for round in 0..ROUNDS {
            let drawn = Chance::of(self.seed ^ (round << ROUND_BITS | right)).draw();
            (left, right) = (right, left ^ (drawn & mask));
        }
        left << self.half_bits | right
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_number_has_one_place_and_the_order_shows_no_pattern() {
        for size in [1, 2, 3, 16, 17, 1_000, 4_097] {
            let shuffle = Shuffle::of(7, size);
            let numbers: Vec<u64> = (0..size).map_while(|place| shuffle.at(place)).collect();
            assert_eq!(numbers.iter().copied().collect::<BTreeSet<_>>(), (0..size).collect());
            assert_eq!(shuffle.at(size), None);
        }
        let steps = |seed| -> BTreeSet<i64> {
            let shuffle = Shuffle::of(seed, 1_000);
            let number = |place| i64::try_from(shuffle.at(place).unwrap()).unwrap();
            (1..1_000).map(|place| number(place) - number(place - 1)).collect()
        };
        assert!(steps(1).len() > 500, "{}", steps(1).len());
        assert_ne!(Shuffle::of(1, 1_000).at(0), Shuffle::of(2, 1_000).at(0));
        assert_eq!(Shuffle::of(1, 0).at(0), None);
    }
}
