//! What ledgers, balances and fees hold.

use std::fmt::{self, Display};

use rust_decimal::{Decimal, RoundingStrategy};

use super::plain_decimal::PlainDecimal;
use super::{Currency, FractionDigits};
use crate::reason::{Reason, Violation};

/// How many digits a ledger holds before the point: a hundred thousand of the largest amounts, and whole
/// units that fit an `i64`.
const INTEGER_DIGITS_MAX: usize = 18;
/// The first whole number of units that is too large.
const BOUND: i64 = 10_i64.pow(INTEGER_DIGITS_MAX as u32);

/// A signed sum of a currency, always in exactly its minor units and less than 10^18 either way.
///
/// XDR has no minor units: a sum of it has the fraction digits that were given or computed, five at the most. Padding
/// to five would add digits that were not sent, cutting would lose money. Zero has no sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Money {
    value: Decimal,
    currency: Currency,
}

impl Money {
    /// Nothing of a currency.
    pub fn zero(currency: Currency) -> Self {
        Self::from_whole_units(0, currency)
    }

    /// Whole units of a currency, as sandbox bodies carry them.
    pub fn from_whole_units(units: i32, currency: Currency) -> Self {
        Self::in_minor_units(Decimal::from(units), currency)
    }

    /// So many minor units of a currency: 2110 of NOK are 21.10. `None` where that would have more than 18 digits.
    pub fn of_minor_units(units: i64, currency: Currency) -> Option<Self> {
        Self::rounded(Decimal::new(units, currency.minor_units().into()), currency)
    }

    /// The nearest sum in minor units; halves go away from zero, which is how customers round by hand and
    /// how Regulation (EC) 1103/97 article 5 rounds conversions. A debit and its reversal stay equal.
    /// `None` where the sum would have more than 18 digits before the point.
    pub fn rounded(value: Decimal, currency: Currency) -> Option<Self> {
        let money = Self::in_minor_units(value, currency);
        let is_in_bound = money.value.trunc().abs() < Decimal::from(BOUND);
        debug_assert!(
            !is_in_bound || money.has_its_form(),
            "a rounded sum has its minor units and no signed zero"
        );
        is_in_bound.then_some(money)
    }

    /// Reads what `Display` writes: `-21.10` NOK, `0` JPY.
    ///
    /// # Errors
    /// [`Reason::AmountMalformed`] (of a signed zero too), [`Reason::AmountFractionDigits`],
    /// [`Reason::AmountTooLarge`].
    pub fn parse(text: &str, currency: Currency) -> Result<Self, Violation> {
        let (negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        let number = PlainDecimal::read(digits).ok_or(Reason::AmountMalformed)?;
        if negative && number.is_zero() {
            return Err(Reason::AmountMalformed.into());
        }
        let mut value = number.value(currency, INTEGER_DIGITS_MAX)?;
        value.set_sign_negative(negative);
        let money = Self { value, currency };
        debug_assert!(money.has_its_form(), "a sum that was read has its minor units and no signed zero");
        Ok(money)
    }

    /// A positive amount, already in its minor units.
    pub(super) fn of_amount(value: Decimal, currency: Currency) -> Self {
        let money = Self { value, currency };
        debug_assert!(
            money.has_its_form() && value > Decimal::ZERO,
            "an amount is positive and has its minor units"
        );
        money
    }

    /// The number.
    pub fn value(self) -> Decimal {
        self.value
    }

    /// Its currency.
    pub fn currency(self) -> Currency {
        self.currency
    }

    /// The whole units as sandbox answers show them (contract: Conventions): the fraction cut off, towards zero, and of
    /// what does not go into 32 bits the nearest that does.
    pub fn whole_units(self) -> i32 {
        let nearest = self.value.trunc().clamp(Decimal::from(i32::MIN), Decimal::from(i32::MAX));
        i32::try_from(nearest).unwrap_or_default()
    }

    /// How many minor units it is; `None` of more than fit.
    pub fn minor_units(self) -> Option<i64> {
        let one = Decimal::new(1, self.currency.minor_units().into());
        self.value.checked_div(one).and_then(|units| i64::try_from(units).ok())
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.value.is_zero()
    }

    /// Whether it is less than nothing.
    pub fn is_negative(self) -> bool {
        self.value.is_sign_negative()
    }

    /// The same sum the other way.
    #[must_use]
    pub fn negated(self) -> Self {
        Self::in_minor_units(-self.value, self.currency)
    }

    /// The sum of both; `None` where the currencies differ or it would have more than 18 digits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        (self.currency == other.currency)
            .then(|| self.value.checked_add(other.value))
            .flatten()
            .and_then(|value| Self::rounded(value, self.currency))
    }

    /// The difference of both; `None` where the currencies differ or it would have more than 18 digits.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.checked_add(other.negated())
    }

    /// This sum in another currency, `rate` being what one unit of this one costs in it; rounded as
    /// [`Money::rounded`] says. `None` where it would have more than 18 digits.
    pub fn converted(self, rate: Decimal, currency: Currency) -> Option<Self> {
        let converted = self.value.checked_mul(rate).and_then(|value| Self::rounded(value, currency));
        let is_negative = self.is_negative() != rate.is_sign_negative();
        debug_assert!(
            converted.is_none_or(|sum| sum.is_zero() || sum.is_negative() == is_negative),
            "a conversion keeps the sign"
        );
        converted
    }

    /// Whether the fraction digits are those of the currency, and zero has no sign: what every constructor ensures.
    fn has_its_form(self) -> bool {
        let digits = usize::try_from(self.value.scale()).unwrap_or(usize::MAX);
        self.currency.fraction_digits().admit(digits) && !(self.is_zero() && self.is_negative())
    }

    fn in_minor_units(value: Decimal, currency: Currency) -> Self {
        let digits = currency.fraction_digits();
        let scale = u32::from(digits.most());
        let mut value = value.round_dp_with_strategy(scale, RoundingStrategy::MidpointAwayFromZero);
        if let FractionDigits::Exactly(_) = digits {
            value.rescale(scale);
        }
        if value.is_zero() {
            value.set_sign_positive(true);
        }
        Self { value, currency }
    }
}

/// The signed number alone, in exactly the currency's minor units: `-21.10`.
impl Display for Money {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::types::Amount;

    fn money(text: &str, currency: Currency) -> Money {
        Money::parse(text, currency).unwrap()
    }

    fn rounded(text: &str, currency: Currency) -> String {
        Money::rounded(text.parse().unwrap(), currency).unwrap().to_string()
    }

    #[test]
    fn minor_units_are_read_and_written_by_currency() {
        for (units, currency, text) in [
            (2_110, Currency::NOK, "21.10"),
            (-1, Currency::NOK, "-0.01"),
            (7, Currency::JPY, "7"),
            (1_234, Currency::KWD, "1.234"),
            (i64::MAX, Currency::NOK, "92233720368547758.07"),
        ] {
            let money = Money::of_minor_units(units, currency).unwrap();
            assert_eq!((money.to_string().as_str(), money.minor_units()), (text, Some(units)));
        }
        assert_eq!(Money::of_minor_units(i64::MAX, Currency::JPY), None);
        assert_eq!(Money::parse("922337203685477580.00", Currency::NOK).unwrap().minor_units(), None);
    }

    #[test]
    fn halves_go_away_from_zero() {
        let cases = [("0.005", "0.01"), ("-0.005", "-0.01"), ("0.0049", "0.00"), ("-0.0049", "0.00")];
        for (value, expected) in cases {
            assert_eq!(rounded(value, Currency::NOK), expected);
        }
        assert_eq!(rounded("2.5", Currency::JPY), "3");
        assert_eq!(rounded("-2.5", Currency::JPY), "-3");
    }

    #[test]
    fn a_sum_is_spelt_in_exactly_its_minor_units() {
        assert_eq!(rounded("7", Currency::NOK), "7.00");
        assert_eq!(rounded("7", Currency::KWD), "7.000");
        assert_eq!(Money::from_whole_units(-7, Currency::ISK).to_string(), "-7");
        assert_eq!(Money::zero(Currency::NOK).negated().to_string(), "0.00");
    }

    #[test]
    fn special_drawing_rights_keep_up_to_five_digits() {
        assert_eq!(rounded("1.5", Currency::XDR), "1.5");
        assert_eq!(rounded("1.123456", Currency::XDR), "1.12346");
        let sum = money("1.5", Currency::XDR).checked_add(money("0.25", Currency::XDR)).unwrap();
        assert_eq!(sum.to_string(), "1.75");
    }

    #[test]
    fn another_spelling_is_refused() {
        for text in ["", "-", "--1.00", "+1.00", "1", "1.0", "-0.00", "01.00", "1,00", " 1.00", "1e2"] {
            assert!(Money::parse(text, Currency::NOK).is_err(), "{text}");
        }
    }

    #[test]
    fn eighteen_digits_before_the_point_are_kept_and_nineteen_are_not() {
        let most = "9".repeat(18);
        let full = money(&format!("{most}.99999"), Currency::XDR);
        assert_eq!(full.to_string(), format!("{most}.99999"));
        assert!(full.checked_add(money("0.00001", Currency::XDR)).is_none());
        assert!(Money::parse(&format!("-1{most}.00"), Currency::NOK).is_err());
        assert!(Money::rounded(Decimal::MAX, Currency::NOK).is_none());
        assert!(Money::rounded(Decimal::MIN, Currency::NOK).is_none());
        assert!(full.converted(Decimal::MAX, Currency::NOK).is_none());
    }

    #[test]
    fn sums_of_different_currencies_are_none() {
        let kroner = money("1.00", Currency::NOK);
        assert!(kroner.checked_add(money("1.00", Currency::SEK)).is_none());
        assert_eq!(kroner.checked_sub(money("2.50", Currency::NOK)).unwrap().to_string(), "-1.50");
    }

    #[test]
    fn whole_units_are_cut_towards_zero() {
        assert_eq!(money("1.99", Currency::NOK).whole_units(), 1);
        assert_eq!(money("-1.99", Currency::NOK).whole_units(), -1);
    }

    #[test]
    fn whole_units_stay_within_32_bits() {
        for (sum, units) in [
            ("2147483646.00", i32::MAX - 1),
            ("2147483647.99", i32::MAX),
            ("2147483648.00", i32::MAX),
            ("999999999999999999.99", i32::MAX),
            ("-2147483648.99", i32::MIN),
            ("-2147483649.00", i32::MIN),
        ] {
            assert_eq!(money(sum, Currency::NOK).whole_units(), units, "{sum}");
        }
    }

    #[test]
    fn a_conversion_rounds_to_the_other_currencys_minor_units() {
        let rate = Decimal::new(115_050, 4);
        assert_eq!(
            money("10.01", Currency::EUR).converted(rate, Currency::NOK).unwrap().to_string(),
            "115.17"
        );
        assert_eq!(money("10.01", Currency::EUR).converted(rate, Currency::JPY).unwrap().to_string(), "115");
    }

    #[test]
    fn an_amount_becomes_the_same_money() {
        let amount = Amount::parse("12.50", Currency::NOK).unwrap();
        assert_eq!(Money::from(amount), money("12.50", Currency::NOK));
        assert_eq!(Money::from(amount).negated().to_string(), "-12.50");
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "-?.{0,40}", place in 0..Currency::LIST.len()) {
            let _ = Money::parse(&text, Currency::LIST[place]);
        }

        #[test]
        fn spelling_and_reading_again_is_identity(
            units in any::<i64>(),
            scale in 0_u32..=18,
            place in 0..Currency::LIST.len(),
        ) {
            let currency = Currency::LIST[place];
            if let Some(money) = Money::rounded(Decimal::new(units, scale), currency) {
                prop_assert_eq!(Money::parse(&money.to_string(), currency).unwrap().to_string(), money.to_string());
            }
        }
    }
}
