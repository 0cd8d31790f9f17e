//! Where cards are used, and what is spent there.

use super::diary::UNIT;
use crate::sandbox::default_set::CARD_CREDIT_LIMIT;
use crate::sandbox::Rates;
use crate::types::{Currency, Money};

/// A shop where the debit card is used.
pub(super) struct Shop {
    pub(super) name: &'static str,
    /// What is spent there at once, in whole kroner.
    kroner: (i64, i64),
    /// How often in a month.
    pub(super) times: (i64, i64),
}

/// The use of each by a person who has [`usual_spending`] left in a month.
pub(super) const SHOPS: &[Shop] = &[
    Shop { name: "Tenkt Dagligvare", kroner: (80, 900), times: (6, 12) },
    Shop { name: "Innbilt Bakeri og Kaffe", kroner: (35, 160), times: (2, 6) },
    Shop { name: "Oppdiktet Buss og Bane", kroner: (42, 120), times: (2, 6) },
    Shop { name: "Liksom Bensin", kroner: (300, 900), times: (0, 4) },
    Shop { name: "Fiktiv Apotek", kroner: (60, 400), times: (0, 2) },
    Shop { name: "Påfunn Klær", kroner: (200, 1_800), times: (0, 3) },
    Shop { name: "Skinnhus Bygg og Hage", kroner: (150, 4_000), times: (0, 2) },
    Shop { name: "Luftslott Møbler", kroner: (400, 6_000), times: (0, 1) },
    Shop { name: "Tenkt Tannlege", kroner: (800, 3_200), times: (0, 1) },
];

/// How much may be owed on a credit card, in øre.
pub(super) const CREDIT_LIMIT: i64 = CARD_CREDIT_LIMIT as i64 * UNIT;

/// Where the credit card is used.
pub(super) struct Stop {
    pub(super) name: &'static str,
    pub(super) city: &'static str,
    pub(super) country: &'static str,
    /// ISO 18245.
    pub(super) category: &'static str,
    pub(super) currency: Currency,
    /// What is spent there at once, in whole units.
    units: (i64, i64),
}

pub(super) const STOPS: &[Stop] = &[
    stop("Tenkt Reisebyrå", "Oslo", "NO", "4722", Currency::NOK, (400, 2_500)),
    stop("Fiktiv Spisestue", "Bergen", "NO", "5812", Currency::NOK, (150, 900)),
    stop("Liksom Elektro", "Trondheim", "NO", "5732", Currency::NOK, (199, 2_400)),
    stop("Oppdiktet Hotell", "Tromsø", "NO", "7011", Currency::NOK, (900, 2_500)),
    stop("Påhittad Mat", "Stockholm", "SE", "5411", Currency::SEK, (60, 900)),
    stop("Opdigtet Legetøj", "København", "DK", "5945", Currency::DKK, (80, 700)),
    stop("Erfundene Bücher", "Berlin", "DE", "5942", Currency::EUR, (8, 90)),
    stop("Imaginary Apps", "San Francisco", "US", "5817", Currency::USD, (1, 60)),
];
/// How often in a month.
pub(super) const STOP_TIMES: (i64, i64) = (1, 6);

const fn stop(
    name: &'static str,
    city: &'static str,
    country: &'static str,
    category: &'static str,
    currency: Currency,
    units: (i64, i64),
) -> Stop {
    Stop { name, city, country, category, currency, units }
}

impl Shop {
    /// What is spent there at once, in øre.
    pub(super) fn sums(&self) -> (i64, i64) {
        (self.kroner.0 * UNIT, self.kroner.1 * UNIT)
    }
}

impl Stop {
    /// What is spent there at once, in minor units.
    pub(super) fn sums(&self) -> (i64, i64) {
        (self.units.0 * UNIT, self.units.1 * UNIT)
    }
}

/// What a month in the shops costs on the average, in øre.
pub(super) fn usual_spending() -> i64 {
    let of_shop = |shop: &Shop| {
        let ((low, high), (least, most)) = (shop.sums(), shop.times);
        (low + high) * (least + most) / 4
    };
    SHOPS.iter().map(of_shop).sum()
}

/// What a month with the credit card costs on the average, in øre.
pub(super) fn usual_on_credit(rates: &Rates) -> i64 {
    let of_stop = |stop: &Stop| {
        let (low, high) = stop.sums();
        in_nok((low + high) / 2, stop.currency, rates).filter(|sum| *sum <= CREDIT_LIMIT).unwrap_or_default()
    };
    let stops = i64::try_from(STOPS.len()).unwrap_or_default();
    STOPS.iter().map(of_stop).sum::<i64>() * (STOP_TIMES.0 + STOP_TIMES.1) / (2 * stops)
}

/// A sum in minor units of a currency, in øre. `None` where the bank does not trade it, and of sums without bounds.
pub(super) fn in_nok(sum: i64, currency: Currency, rates: &Rates) -> Option<i64> {
    rates.convert(Money::of_minor_units(sum, currency)?, Currency::NOK)?.minor_units()
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;

    #[test]
    fn every_currency_has_two_digits_behind_the_point() {
        for currency in STOPS.iter().map(|stop| stop.currency).chain([Currency::NOK, Currency::EUR]) {
            assert_eq!(10_i64.pow(currency.minor_units().into()), UNIT, "{currency:?}");
        }
    }

    #[test]
    fn what_is_usual_follows_from_the_tables_and_the_rates() {
        assert_eq!(usual_spending(), 1_272_900);
        let at =
            |euro: i64| usual_on_credit(&Rates::default().with(Currency::EUR, Decimal::from(euro)).unwrap());
        assert_eq!(usual_on_credit(&Rates::default()), 305_463);
        // Of eight places one is in euro, where 49.00 are usual; a card is good for 50 000 kroner.
        assert_eq!(at(21) - at(11), 4_900 * 10 * 7 / 16);
        assert!(at(1_020) > at(21) && at(1_021) < at(1));
    }
}
