//! The exchange of one currency for another, as the simulated bank shows it.

use chrono::NaiveDate;
use rust_decimal::RoundingStrategy;

use crate::store::sqlite::sandbox::Exchange;
use crate::types::{Currency, Rates};

/// A shown rate has this many decimals at most.
const SHOWN_DECIMALS_MAX: u32 = 10;

impl Rates {
    /// The exchange of one currency for another as it is shown; `None` where nothing is exchanged.
    ///
    /// Against NOK the other currency is the unit, so that the rate is the exact one of the table; of two
    /// others the one worth more, so that no digits that count are lost.
    pub(crate) fn exchange(&self, source: Currency, target: Currency, day: NaiveDate) -> Option<Exchange> {
        if source == target {
            return None;
        }
        let (worth, other_worth) = (self.in_nok(source)?, self.in_nok(target)?);
        let source_is_unit = target == Currency::NOK || (source != Currency::NOK && worth >= other_worth);
        let (unit, quote) = if source_is_unit { (source, target) } else { (target, source) };
        let rate = self.rate(unit, quote)?;
        let rate = rate.round_dp_with_strategy(SHOWN_DECIMALS_MAX, RoundingStrategy::MidpointAwayFromZero);
        Some(Exchange { source, target, unit, rate: rate.normalize(), quotation_date: day })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchange_names_the_direction_and_the_exact_rate() {
        let rates = Rates::default();
        let day = NaiveDate::from_ymd_opt(2026, 11, 20).unwrap();
        for (source, target) in [(Currency::EUR, Currency::NOK), (Currency::NOK, Currency::EUR)] {
            let exchange = rates.exchange(source, target, day).unwrap();
            assert_eq!((exchange.source, exchange.target, exchange.unit), (source, target, Currency::EUR));
            assert_eq!(exchange.rate.to_string(), "11.725");
        }
        let exchange = rates.exchange(Currency::SEK, Currency::EUR, day).unwrap();
        assert_eq!((exchange.unit, exchange.rate.to_string().as_str()), (Currency::EUR, "11.0073225685"));
        assert_eq!(rates.exchange(Currency::NOK, Currency::NOK, day), None);
    }
}
