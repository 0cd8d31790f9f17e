//! Prices that end as prices do.

use super::country::Ending;
use super::unit::UNIT;

impl Ending {
    /// The price next to a sum in øre.
    pub(super) fn price(self, sum: i64) -> i64 {
        let kroner = sum / UNIT;
        match self {
            Self::Exact => sum.max(UNIT),
            Self::Krone => kroner.max(1) * UNIT,
            Self::Five => (kroner / 5 * 5).max(5) * UNIT,
            Self::Ninety => kroner * UNIT + 90,
            Self::Nine => (kroner / 10 * 10 + 9) * UNIT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ending_has_its_prices() {
        for (ending, sum, price) in [
            (Ending::Exact, 12_345, 12_345),
            (Ending::Exact, 7, 100),
            (Ending::Krone, 12_345, 12_300),
            (Ending::Krone, 7, 100),
            (Ending::Five, 12_345, 12_000),
            (Ending::Five, 7, 500),
            (Ending::Ninety, 12_345, 12_390),
            (Ending::Ninety, 7, 90),
            (Ending::Nine, 12_345, 12_900),
            (Ending::Nine, 7, 900),
        ] {
            assert_eq!(ending.price(sum), price, "{ending:?} {sum}");
        }
    }
}
