//! A number's digits kept in place, so that an amount is written without allocating.

use std::fmt::{self, Debug, Write};

use rust_decimal::Decimal;
use serde::{Serialize, Serializer};

use super::inline_ascii::InlineAscii;

/// The longest is a sign, a zero, the point and 28 digits behind it, or a sign, 29 digits and the point among them.
const CHARS_MAX: usize = 31;

/// What the `Display` of a number writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct DecimalText(InlineAscii<CHARS_MAX>);

impl DecimalText {
    /// The digits as they are, zeros at the end included.
    pub(crate) fn of(value: Decimal) -> Self {
        let mut text = Self(InlineAscii::default());
        // The buffer fits the longest text: see the test.
        let _fits = write!(text, "{value}");
        text
    }

    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

impl Debug for DecimalText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Write for DecimalText {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.0.append(part).ok_or(fmt::Error)
    }
}

/// Written as the string, never as a number of JSON.
impl Serialize for DecimalText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_longest_numbers_fit() {
        for value in ["0", "0.00", "-12.50", "100", "0.0000000000000000000000000001"] {
            assert_eq!(DecimalText::of(value.parse().unwrap()).as_str(), value);
        }
        for value in [Decimal::MIN, Decimal::MAX] {
            for scale in [0, 1, Decimal::MAX_SCALE] {
                let mut value = value;
                value.set_scale(scale).unwrap();
                assert_eq!(DecimalText::of(value).as_str(), value.to_string());
            }
        }
        let least = Decimal::new(-1, Decimal::MAX_SCALE);
        assert_eq!(DecimalText::of(least).as_str().len(), CHARS_MAX);
    }

    proptest! {
        #[test]
        fn every_number_reads_as_it_is_displayed(
            low: u32, middle: u32, high: u32, is_negative: bool, scale in 0..=Decimal::MAX_SCALE,
        ) {
            let value = Decimal::from_parts(low, middle, high, is_negative, scale);
            let text = DecimalText::of(value);
            prop_assert_eq!(text.as_str(), value.to_string());
        }
    }
}
