//! Exchange rates against NOK: fixed, so that every run gives the same sums.

use std::collections::BTreeMap;

use rust_decimal::Decimal;

use super::sample_rates::SAMPLE_RATES_IN_NOK;
use crate::error::{Error, Result};
use crate::types::{Currency, Money};

/// A table of rates against NOK.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rates(BTreeMap<&'static str, Decimal>);

/// The sample rates.
impl Default for Rates {
    fn default() -> Self {
        let row = |&(currency, mantissa, decimals): &(Currency, i64, u32)| {
            (currency.code(), Decimal::new(mantissa, decimals))
        };
        Self(SAMPLE_RATES_IN_NOK.iter().map(row).collect())
    }
}

impl Rates {
    /// The table with one rate changed or added: what one unit is worth in NOK. `None` for a rate that is
    /// not above zero, and for another rate of NOK than one.
    pub fn with(mut self, currency: Currency, in_nok: Decimal) -> Option<Self> {
        let is_rate = in_nok > Decimal::ZERO && (currency != Currency::NOK || in_nok == Decimal::ONE);
        self.0.insert(currency.code(), in_nok);
        is_rate.then_some(self)
    }

    /// The table of a bank that does not trade a currency.
    pub fn without(mut self, currency: Currency) -> Self {
        self.0.remove(currency.code());
        self
    }

    /// The sample rates with those of a policy over them: currency codes, and what one unit is worth in NOK.
    ///
    /// # Errors
    /// [`Error::Config`] for a code that is no currency and for a rate that [`Rates::with`] does not take.
    pub fn over(policy: &BTreeMap<String, Decimal>) -> Result<Self> {
        Self::default().overridden(policy)
    }

    /// Those of [`Rates::in_nok_by_code`], and no others.
    ///
    /// # Errors
    /// As [`Rates::over`].
    pub(crate) fn only(in_nok: &BTreeMap<String, String>) -> Result<Self> {
        let unusable = |text| Error::Config(format!("the rate {text} cannot be used"));
        let rates = in_nok.iter().map(|(code, text)| {
            let rate = text.parse().map_err(|_| unusable(text))?;
            Ok((code.clone(), rate))
        });
        Self(BTreeMap::new()).overridden(&rates.collect::<Result<_>>()?)
    }

    fn overridden(self, in_nok: &BTreeMap<String, Decimal>) -> Result<Self> {
        in_nok.iter().try_fold(self, |rates, (code, in_nok)| {
            let changed = Currency::parse(code).ok().and_then(|currency| rates.with(currency, *in_nok));
            changed.ok_or_else(|| Error::Config(format!("the rate {in_nok} of {code} in NOK cannot be used")))
        })
    }

    /// What one unit of each currency is worth in NOK, by the code of the currency.
    pub(crate) fn in_nok_by_code(&self) -> BTreeMap<String, String> {
        self.0.iter().map(|(code, in_nok)| ((*code).to_owned(), in_nok.to_string())).collect()
    }

    /// How many units of the second currency one unit of the first is worth, to 28 digits. `None`: not
    /// traded.
    pub fn rate(&self, from: Currency, to: Currency) -> Option<Decimal> {
        self.in_nok(from)?.checked_div(self.in_nok(to)?).map(|rate| rate.normalize())
    }

    /// The sum in another currency, rounded once, to its minor units. `None` where a currency is not traded
    /// and where the sum would have more than 18 digits before the point.
    ///
    /// Multiplies before it divides: the product is exact, and a quotient that lies between two minor units
    /// as exactly half is seen as such, which a rate of 28 digits would miss.
    pub fn convert(&self, sum: Money, to: Currency) -> Option<Money> {
        if sum.currency() == to {
            return Some(sum);
        }
        Money::rounded(self.worth(sum, to)?, to)
    }

    /// What a sum is worth in another currency, before it is rounded. `None` as of [`Rates::convert`].
    pub fn worth(&self, sum: Money, to: Currency) -> Option<Decimal> {
        if sum.currency() == to {
            return Some(sum.value());
        }
        let in_nok = sum.value().checked_mul(self.in_nok(sum.currency())?)?;
        in_nok.checked_div(self.in_nok(to)?)
    }

    /// What one unit is worth in NOK. `None`: not traded.
    pub fn in_nok(&self, currency: Currency) -> Option<Decimal> {
        self.0.get(currency.code()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(text: &str, currency: Currency) -> Money {
        Money::parse(text, currency).unwrap()
    }

    fn converted(text: &str, from: Currency, to: Currency) -> String {
        Rates::default().convert(money(text, from), to).unwrap().to_string()
    }

    #[test]
    fn a_sum_is_rounded_once_to_the_minor_units() {
        assert_eq!(converted("1000.00", Currency::NOK, Currency::EUR), "85.29"); // 85.2878…
        assert_eq!(converted("1.00", Currency::EUR, Currency::NOK), "11.73"); // 11.725: half goes up
        assert_eq!(converted("100.00", Currency::NOK, Currency::JPY), "1527"); // 1526.7…
        assert_eq!(converted("100.00", Currency::NOK, Currency::KWD), "3.026"); // 3.02571…
        assert_eq!(converted("100", Currency::JPY, Currency::EUR), "0.56"); // 0.5586…
    }

    #[test]
    fn a_half_behind_an_endless_rate_is_seen() {
        // One KWD is a third of a USD here; 0.015 KWD are half a cent, and 0.014 KWD are less.
        let rates = Rates::default().with(Currency::USD, Decimal::from(3)).unwrap();
        let rates = rates.with(Currency::KWD, Decimal::ONE).unwrap();
        for (text, expected) in [("0.015", "0.01"), ("0.014", "0.00"), ("-0.015", "-0.01")] {
            let converted = rates.convert(money(text, Currency::KWD), Currency::USD).unwrap();
            assert_eq!(converted.to_string(), expected);
        }
    }

    #[test]
    fn the_same_currency_is_not_converted() {
        assert_eq!(converted("0.01", Currency::ZWD, Currency::ZWD), "0.01");
    }

    #[test]
    fn a_rate_is_the_quotient_of_two() {
        let rates = Rates::default();
        assert_eq!(rates.rate(Currency::EUR, Currency::NOK), Some(Decimal::new(117_250, 4)));
        let there = rates.rate(Currency::EUR, Currency::SEK).unwrap();
        let back = rates.rate(Currency::SEK, Currency::EUR).unwrap();
        assert!((there * back - Decimal::ONE).abs() < Decimal::new(1, 20));
    }

    #[test]
    fn every_accepted_currency_is_traded() {
        let rates = Rates::default();
        assert!(Currency::LIST.iter().all(|currency| rates.rate(*currency, Currency::NOK).is_some()));
    }

    #[test]
    fn a_currency_without_a_rate_is_not_traded() {
        let rates = Rates::default().without(Currency::ZWD).without(Currency::XDR);
        assert_eq!(rates.rate(Currency::NOK, Currency::XDR), None);
        assert_eq!(rates.convert(money("1.00", Currency::ZWD), Currency::NOK), None);
        let rates = rates.with(Currency::ZWD, Decimal::new(1, 3)).unwrap();
        assert_eq!(
            rates.convert(money("1000.00", Currency::ZWD), Currency::NOK),
            Some(money("1.00", Currency::NOK))
        );
    }

    #[test]
    fn a_rate_is_above_zero_and_that_of_nok_is_one() {
        for (currency, rate) in [(Currency::EUR, "0"), (Currency::EUR, "-1"), (Currency::NOK, "1.01")] {
            assert_eq!(Rates::default().with(currency, rate.parse().unwrap()), None);
        }
        assert_eq!(Rates::default().with(Currency::NOK, Decimal::ONE), Some(Rates::default()));
    }

    #[test]
    fn the_rates_of_a_policy_lie_over_the_table() {
        let over =
            |code: &str, rate: i64| Rates::over(&BTreeMap::from([(code.to_owned(), Decimal::from(rate))]));
        let rates = over("EUR", 12).unwrap();
        assert_eq!(rates.rate(Currency::EUR, Currency::NOK), Some(Decimal::from(12)));
        assert_eq!(
            rates.rate(Currency::SEK, Currency::NOK),
            Rates::default().rate(Currency::SEK, Currency::NOK)
        );
        for (code, rate) in [("EUR", 0), ("XXX", 1), ("eur", 12), ("NOK", 2)] {
            assert!(matches!(over(code, rate), Err(Error::Config(_))), "{code} {rate}");
        }
        assert_eq!(Rates::over(&BTreeMap::new()).unwrap(), Rates::default());
    }

    #[test]
    fn the_table_lists_no_currency_twice() {
        assert_eq!(Rates::default().0.len(), SAMPLE_RATES_IN_NOK.len());
    }
}
