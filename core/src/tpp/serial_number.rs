//! The serial number of a certificate (RFC 5280 section 4.1.2.2), of any length, compared as a number.

use std::fmt::{self, Write as _};

use crate::limits::SERIAL_BYTES_MAX;

/// A serial number: unsigned, big-endian, without leading zeros. `Display` is upper-case hexadecimal, as the
/// contract writes it in keyId.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SerialNumber(Box<[u8]>);

impl SerialNumber {
    /// From the content of a DER INTEGER. A negative one, which RFC 5280 forbids, is filled up with ones to a byte more
    /// than a positive one may have, so that it is never taken for another number.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        if bytes.first().is_some_and(|first| *first >= 0x80) && bytes.len() <= SERIAL_BYTES_MAX {
            let ones = std::iter::repeat_n(0xff, SERIAL_BYTES_MAX + 1 - bytes.len());
            return Self(ones.chain(bytes.iter().copied()).collect());
        }
        let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        Self(bytes.get(zeros..).unwrap_or_default().into())
    }

    /// The magnitude, big-endian, without leading zeros.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Whether a hexadecimal text, in either case and with any number of leading zeros, is this number.
    pub fn is_hex(&self, text: &str) -> bool {
        let digits = text.trim_start_matches('0').bytes().rev();
        let own = self.0.iter().rev().flat_map(|byte| [byte & 0x0f, byte >> 4]);
        // The top half of the first byte may be a leading zero of our own.
        let length = self.0.len() * 2 - usize::from(self.0.first().is_some_and(|byte| byte >> 4 == 0));
        digits.len() == length
            && digits.zip(own).all(|(digit, own)| crate::wire::mime_word::hex_digit(digit) == Some(own))
    }
}

impl fmt::Display for SerialNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.0.split_first() else { return out.write_char('0') };
        write!(out, "{first:X}")?;
        rest.iter().try_for_each(|byte| write!(out, "{byte:02X}"))
    }
}

impl fmt::Debug for SerialNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "SerialNumber({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn case_and_leading_zeros_do_not_matter() {
        let serial = SerialNumber::from_bytes(&[0, 0x0a, 0xbc]);
        assert_eq!(serial.to_string(), "ABC");
        assert!(serial.is_hex("ABC") && serial.is_hex("abc") && serial.is_hex("000aBc"));
        assert!(
            !serial.is_hex("ABD") && !serial.is_hex("ABC0") && !serial.is_hex("BC") && !serial.is_hex("")
        );
        assert!(!serial.is_hex("xyz"));
    }

    #[test]
    fn zero_is_a_number_too() {
        let zero = SerialNumber::from_bytes(&[0]);
        assert_eq!(zero.to_string(), "0");
        assert!(zero.is_hex("0") && zero.is_hex("00") && !zero.is_hex("1"));
    }

    #[test]
    fn a_negative_number_is_no_positive_one() {
        let number = SerialNumber::from_bytes;
        assert_ne!(number(&[0xff]), number(&[0, 0xff]));
        assert_eq!(number(&[0xff]), number(&[0xff, 0xff]));
        assert_eq!(number(&[0xff]).as_bytes(), [0xff; SERIAL_BYTES_MAX + 1]);
        assert_eq!(number(&[0x7f]).as_bytes(), [0x7f]);
    }

    proptest! {
        #[test]
        fn what_is_displayed_is_the_number(bytes in proptest::collection::vec(any::<u8>(), 0..24)) {
            let serial = SerialNumber::from_bytes(&bytes);
            prop_assert!(serial.is_hex(&serial.to_string()));
            prop_assert!(serial.is_hex(&serial.to_string().to_lowercase()));
        }
    }
}
