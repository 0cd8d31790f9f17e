//! What a payment moves.

use std::fmt::{self, Display};

use rust_decimal::Decimal;

use super::plain_decimal::PlainDecimal;
use super::{Currency, Money};
use crate::limits::AMOUNT_INTEGER_DIGITS_MAX;
use crate::reason::{Reason, Violation};

/// A positive amount of a currency, as `instructedAmount` carries it: `100.00` NOK, `100` JPY.
///
/// Its `Display` is the spelling it was read from; there is only one for each value, except for XDR, whose
/// fraction digits stay as many as were written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Amount {
    value: Decimal,
    currency: Currency,
}

impl Amount {
    /// Reads plain decimal digits with exactly the currency's minor units and at most 13 digits before the
    /// point (contract: precision 18, scale 5).
    ///
    /// # Errors
    /// [`Reason::AmountMalformed`], [`Reason::AmountNotPositive`], [`Reason::AmountFractionDigits`],
    /// [`Reason::AmountTooLarge`], the first that applies.
    pub fn parse(text: &str, currency: Currency) -> Result<Self, Violation> {
        let value = Self::number(text)?.value(currency, AMOUNT_INTEGER_DIGITS_MAX)?;
        Ok(Self { value, currency })
    }

    /// What can be said of the digits where the currency is not known.
    ///
    /// # Errors
    /// [`Reason::AmountMalformed`], [`Reason::AmountNotPositive`].
    pub(crate) fn check_without_currency(text: &str) -> Result<(), Reason> {
        Self::number(text).map(drop)
    }

    fn number(text: &str) -> Result<PlainDecimal<'_>, Reason> {
        let number = PlainDecimal::read(text).ok_or(Reason::AmountMalformed)?;
        match number.is_zero() {
            true => Err(Reason::AmountNotPositive),
            false => Ok(number),
        }
    }

    /// The number.
    pub fn value(self) -> Decimal {
        self.value
    }

    /// Its currency.
    pub fn currency(self) -> Currency {
        self.currency
    }
}

/// The number alone, in exactly the currency's minor units.
impl Display for Amount {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(out)
    }
}

impl From<Amount> for Money {
    fn from(amount: Amount) -> Self {
        Self::of_amount(amount.value, amount.currency)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reason::Language;
    use crate::types::vectors;

    fn reason(text: &str, currency: Currency) -> Option<Reason> {
        Amount::parse(text, currency).err().map(|violation| violation.reason)
    }

    #[test]
    fn every_vector_is_read_or_refused_as_it_says() {
        for row in vectors::read("amounts.json") {
            let currency = Currency::parse(&row.text("currency")).unwrap();
            let refusal = reason(&row.text("amount"), currency).map(|reason| reason.id().to_owned());
            assert_eq!(refusal, row.text_or_null("expected"), "{}", row.text("id"));
        }
    }

    #[test]
    fn thirteen_digits_before_the_point_pass_and_fourteen_do_not() {
        assert_eq!(reason("9999999999999.99", Currency::NOK), None);
        assert_eq!(reason("10000000000000.00", Currency::NOK), Some(Reason::AmountTooLarge));
        assert_eq!(reason("9999999999999.99999", Currency::XDR), None);
    }

    #[test]
    fn one_unit_of_the_last_digit_passes_and_zero_does_not() {
        assert_eq!(reason("0.01", Currency::NOK), None);
        assert_eq!(reason("0.00", Currency::NOK), Some(Reason::AmountNotPositive));
        assert_eq!(reason("1", Currency::JPY), None);
        assert_eq!(reason("0", Currency::JPY), Some(Reason::AmountNotPositive));
    }

    #[test]
    fn fraction_digits_are_those_of_the_currency() {
        assert_eq!(reason("100.0", Currency::NOK), Some(Reason::AmountFractionDigits));
        assert_eq!(reason("100.000", Currency::NOK), Some(Reason::AmountFractionDigits));
        let violation = Amount::parse("1.123456", Currency::XDR).unwrap_err();
        assert_eq!(violation.text(Language::English), "the amount has 6 fraction digits; XDR has 0–5");
    }

    #[test]
    fn a_text_without_end_is_refused_without_an_overflow() {
        let nines = "9".repeat(1 << 20);
        assert_eq!(reason(&nines, Currency::JPY), Some(Reason::AmountTooLarge));
        assert_eq!(reason(&format!("0.{nines}"), Currency::NOK), Some(Reason::AmountFractionDigits));
    }

    #[test]
    fn an_amount_is_spelt_as_it_was_read() {
        for (text, currency) in [("100.00", Currency::NOK), ("7", Currency::ISK), ("1.50", Currency::XDR)] {
            assert_eq!(Amount::parse(text, currency).unwrap().to_string(), text);
        }
        let amount = Amount::parse("12.50", Currency::EUR).unwrap();
        assert_eq!((amount.value(), amount.currency()), (Decimal::new(1250, 2), Currency::EUR));
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in ".{0,40}", place in 0..Currency::LIST.len()) {
            let _ = Amount::parse(&text, Currency::LIST[place]);
        }

        #[test]
        fn spelling_and_reading_again_is_identity(
            units in 1_i64..10_000_000_000_000,
            place in 0..Currency::LIST.len(),
        ) {
            let currency = Currency::LIST[place];
            let text = Decimal::new(units, currency.minor_units().into()).to_string();
            let amount = Amount::parse(&text, currency).unwrap();
            prop_assert_eq!(amount.to_string(), text);
            prop_assert_eq!(Amount::parse(&amount.to_string(), currency).unwrap(), amount);
        }
    }
}
