//! What is left to chance, the same in every run and on every machine.

use chrono::{Datelike, NaiveDate};

/// How many times a day is tried for something that happens several times on it.
const TRIALS: i64 = 6;
/// An odd number without a pattern in its bits: days that follow each other have seeds far apart.
const DAY_FACTOR: u64 = 0xD6E8_FEB8_6659_FD93;

/// A stream of numbers: SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
/// It makes stories and nothing secret.
#[derive(Debug)]
pub(super) struct Chance(u64);

impl Chance {
    /// The stream of that seed.
    pub(super) fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// A stream for one part of what a seed makes: the parts are independent of each other.
    pub(super) fn of_part(seed: u64, name: &str, number: u64) -> Self {
        let named = name.bytes().fold(seed, |seed, byte| Self(seed ^ u64::from(byte)).draw());
        Self(Self(named ^ number).draw())
    }

    /// The stream of one day of a life: no day depends on what was drawn on another.
    pub(super) fn of_day(seed: u64, day: NaiveDate) -> Self {
        let day = u64::from(day.num_days_from_ce().unsigned_abs());
        Self(Self(seed ^ day.wrapping_mul(DAY_FACTOR)).draw())
    }

    /// Any number.
    pub(super) fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number between two, both included; the first one where the second lies below it.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = u128::try_from(high.saturating_sub(low)).unwrap_or_default() + 1;
        let above = (u128::from(self.draw()) * span) >> u64::BITS;
        low.saturating_add(i64::try_from(above).unwrap_or_default())
    }

    /// A day of a month between two.
    pub(super) fn day(&mut self, first: u32, last: u32) -> u32 {
        u32::try_from(self.between(first.into(), last.into())).unwrap_or(first)
    }

    /// True in so many cases of a hundred.
    pub(super) fn happens(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// How often something happens on a day, given its mean in thousandths; at most [`TRIALS`] times.
    pub(super) fn count(&mut self, per_mille: i64) -> usize {
        let share = per_mille.clamp(0, 1_000 * TRIALS);
        (0..TRIALS).filter(|_| self.between(1, 1_000 * TRIALS) <= share).count()
    }

    /// A place among so many, counted from 0; `None` where there are none.
    pub(super) fn place(&mut self, count: usize) -> Option<usize> {
        let last = i64::try_from(count).unwrap_or_default() - 1;
        usize::try_from(self.between(0, last)).ok().filter(|place| *place < count)
    }

    /// One of a table; `None` of an empty one.
    pub(super) fn pick<'t, T>(&mut self, table: &'t [T]) -> Option<&'t T> {
        self.place(table.len()).and_then(|place| table.get(place))
    }

    /// A word of a table.
    pub(super) fn word(&mut self, table: &[&'static str]) -> &'static str {
        self.pick(table).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        // The reference output of splitmix64.c by Vigna for this seed, as Rosetta Code prints it too.
        let mut chance = Chance::of(1_234_567);
        let drawn: Vec<u64> = (0..5).map(|_| chance.draw()).collect();
        assert_eq!(
            drawn,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821
            ]
        );
    }

    #[test]
    fn both_ends_are_drawn_and_nothing_beyond_them() {
        let mut chance = Chance::of(1);
        let drawn: Vec<i64> = (0..1_000).map(|_| chance.between(-2, 3)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-2), Some(&3)));
        assert_eq!(chance.between(7, 7), 7);
        assert_eq!(chance.between(7, 3), 7);
        assert!((0..100).all(|_| chance.happens(100) && !chance.happens(0)));
        assert_eq!(chance.pick::<u8>(&[]), None);
    }

    #[test]
    fn counts_have_the_mean_and_end_at_the_trials() {
        let mut chance = Chance::of(1);
        let sum: usize = (0..10_000).map(|_| chance.count(1_500)).sum();
        assert!((14_500..15_500).contains(&sum), "{sum}");
        assert_eq!((chance.count(-1), chance.count(0), chance.count(i64::MAX)), (0, 0, 6));
    }

    #[test]
    fn days_have_streams_of_their_own() {
        let day = |text: &str| Chance::of_day(7, text.parse().unwrap()).draw();
        assert_eq!(day("2026-09-01"), day("2026-09-01"));
        assert_ne!(day("2026-09-01"), day("2026-09-02"));
        assert_ne!(day("2026-09-01"), Chance::of_day(8, "2026-09-01".parse().unwrap()).draw());
    }
}
