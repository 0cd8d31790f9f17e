//! Distributions as the data of a country has them: quantiles, and weights.

use serde::Deserialize;

use super::chance::Chance;

/// A distribution by the least value, its quantiles at even steps, and the greatest value. Between two of them each
/// value is as likely.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<i64>")]
pub(super) struct Quantiles(Vec<i64>);

impl TryFrom<Vec<i64>> for Quantiles {
    type Error = &'static str;

    fn try_from(values: Vec<i64>) -> Result<Self, Self::Error> {
        match values.len() > 1 && values.is_sorted() {
            true => Ok(Self(values)),
            false => Err("quantiles are at least two numbers in their order"),
        }
    }
}

impl Quantiles {
    /// A value, in parts: with 100 a value in whole kroner is one in øre.
    pub(super) fn draw(&self, parts: i64, chance: &mut Chance) -> i64 {
        let place = chance.place(self.0.len() - 1).unwrap_or_default();
        match self.0.get(place..).unwrap_or_default() {
            [low, high, ..] => chance.between(low * parts, high * parts),
            _ => 0,
        }
    }

    /// The greatest value.
    pub(super) fn greatest(&self) -> i64 {
        self.0.last().copied().unwrap_or_default()
    }

    /// The mean, in parts.
    pub(super) fn mean(&self, parts: i64) -> i64 {
        let steps = i64::try_from(self.0.len() - 1).unwrap_or(1);
        let middles = self.0.windows(2).map(|pair| pair.iter().sum::<i64>());
        middles.sum::<i64>() * parts / (2 * steps)
    }
}

/// Weights of a row of things, of which one is drawn.
#[derive(Debug, Clone, Default)]
pub(super) struct Weights {
    /// The sum of the weights up to each of them.
    until: Vec<u64>,
}

impl FromIterator<u64> for Weights {
    fn from_iter<I: IntoIterator<Item = u64>>(weights: I) -> Self {
        let sums = weights.into_iter().scan(0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        Self { until: sums.collect() }
    }
}

impl Weights {
    /// Those of things by their rank: the weight of the nth is one nth of that of the first (Zipf's law).
    pub(super) fn by_rank(count: usize) -> Self {
        const FIRST: u64 = 1 << 20;
        (1..).take(count).map(|rank| FIRST / rank).collect()
    }

    /// The place of one of them; `None` if no thing has a weight.
    pub(super) fn draw(&self, chance: &mut Chance) -> Option<usize> {
        let sum = i64::try_from(*self.until.last()?).ok().filter(|sum| *sum > 0)?;
        let drawn = u64::try_from(chance.between(0, sum - 1)).ok()?;
        Some(self.until.partition_point(|until| *until <= drawn))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_keep_their_bounds_and_their_mean() {
        let quantiles = Quantiles::try_from(vec![10, 20, 100]).unwrap();
        let mut chance = Chance::of(3);
        let drawn: Vec<i64> = (0..10_000).map(|_| quantiles.draw(100, &mut chance)).collect();
        assert!(drawn.iter().all(|value| (1_000..=10_000).contains(value)));
        let below = drawn.iter().filter(|value| **value < 2_000).count();
        assert!((4_800..5_200).contains(&below), "{below}");
        assert_eq!(quantiles.mean(100), 3_750);
        for wrong in [vec![], vec![1], vec![2, 1]] {
            assert!(Quantiles::try_from(wrong).is_err());
        }
    }

    #[test]
    fn weights_are_kept_and_what_has_none_is_never_drawn() {
        let weights: Weights = [1, 0, 3].into_iter().collect();
        let mut chance = Chance::of(3);
        let mut drawn = [0; 3];
        (0..4_000).for_each(|_| drawn[weights.draw(&mut chance).unwrap()] += 1);
        assert!(drawn[1] == 0 && (900..1_100).contains(&drawn[0]), "{drawn:?}");
        assert_eq!(
            [Weights::default(), [0, 0].into_iter().collect()].map(|w| w.draw(&mut chance)),
            [None, None]
        );
    }

    #[test]
    fn the_nth_of_a_rank_has_one_nth() {
        let (weights, mut chance, mut drawn) = (Weights::by_rank(4), Chance::of(3), [0_i32; 4]);
        (0..25_000).for_each(|_| drawn[weights.draw(&mut chance).unwrap()] += 1);
        assert!((drawn[0] - 12_000).abs() < 400 && (drawn[3] - 3_000).abs() < 300, "{drawn:?}");
    }
}
