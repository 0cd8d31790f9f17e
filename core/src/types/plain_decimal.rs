//! The one spelling of a decimal number that amounts use: `0` or digits without a leading zero, then
//! optionally a point and digits. No sign, exponent, group separator or digit outside ASCII.

use rust_decimal::Decimal;

use super::Currency;
use crate::reason::{Case, Reason, Violation};

/// A number that has the form; how large and how fine it is, is for its owner to judge.
#[derive(Clone, Copy)]
pub(super) struct PlainDecimal<'a> {
    integer: &'a str,
    fraction: &'a str,
}

impl<'a> PlainDecimal<'a> {
    /// Reads the form; `None` where the text has another.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        let (integer, fraction) = match text.split_once('.') {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (text, ""),
        };
        let leads_with_zero = integer.len() > 1 && integer.starts_with('0');
        let digits_only = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        let has_form =
            !integer.is_empty() && !leads_with_zero && digits_only(integer) && digits_only(fraction);
        has_form.then_some(Self { integer, fraction })
    }

    /// Whether every digit is zero.
    pub(super) fn is_zero(self) -> bool {
        self.integer == "0" && self.fraction.bytes().all(|digit| digit == b'0')
    }

    /// The number as an amount of the currency, its scale the fraction digits as written.
    ///
    /// # Errors
    /// [`Reason::AmountFractionDigits`], [`Reason::AmountTooLarge`].
    pub(super) fn value(self, currency: Currency, integer_digits_max: usize) -> Result<Decimal, Violation> {
        let digits = currency.fraction_digits();
        if !digits.admit(self.fraction.len()) {
            let arguments: [&dyn std::fmt::Display; 3] = [&currency, &digits, &self.fraction.len()];
            return Err(match self.fraction.len() {
                1 => Violation::of_case(Case::OneFractionDigit, &arguments),
                _ => Violation::with(Reason::AmountFractionDigits, &arguments),
            });
        }
        let too_large = || Violation::with(Reason::AmountTooLarge, &[&integer_digits_max]);
        if self.integer.len() > integer_digits_max {
            return Err(too_large());
        }
        let units = self.integer.bytes().chain(self.fraction.bytes());
        let units = units.fold(0_i128, |sum, digit| sum * 10 + i128::from(digit - b'0'));
        let scale = u32::try_from(self.fraction.len()).map_err(|_| too_large())?;
        Decimal::try_from_i128_with_scale(units, scale).map_err(|_| too_large())
    }
}
