//! The serial number of a certificate (RFC 5280 section 4.1.2.2), of any length, compared as a number.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use crate::limits::SERIAL_BYTES_MAX;

/// A serial number. `Display` is upper-case hexadecimal, as the contract writes it in keyId; of a negative one, which
/// RFC 5280 forbids and some authorities gave all the same, its magnitude behind a minus sign.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SerialNumber {
    is_negative: bool,
    /// As [`as_bytes`](Self::as_bytes) gives them.
    bytes: Box<[u8]>,
}

impl SerialNumber {
    /// From the content of a DER INTEGER.
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let is_negative = bytes.first().is_some_and(|first| *first >= 0x80);
        let bytes = match is_negative {
            true => {
                let ones = (SERIAL_BYTES_MAX + 1).saturating_sub(bytes.len());
                std::iter::repeat_n(0xff, ones).chain(bytes.iter().copied()).collect()
            }
            false => without_zeros(bytes).into(),
        };
        Self { is_negative, bytes }
    }

    /// As revocation lists compare it: big-endian, without leading zeros. A negative one is filled up with ones to a
    /// byte more than a positive one may have, so that it is never taken for another number.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns true if a revocation list can name it: at most [`SERIAL_BYTES_MAX`] bytes, a byte more if negative.
    /// Certificates and lists have this one rule, so that each certificate that is accepted can be revoked.
    pub(crate) fn is_revocable(&self) -> bool {
        self.bytes.len() <= SERIAL_BYTES_MAX + usize::from(self.is_negative)
    }

    /// Big-endian; of a negative number with leading zeros.
    fn magnitude(&self) -> Cow<'_, [u8]> {
        match self.is_negative {
            true => Cow::Owned(negated(&self.bytes)),
            false => Cow::Borrowed(&self.bytes),
        }
    }

    /// Whether a hexadecimal text is this number: in either case, with any number of leading zeros, and a minus sign
    /// before a negative one.
    pub fn is_hex(&self, text: &str) -> bool {
        let (is_negative, digits) = match text.strip_prefix('-') {
            Some(digits) => (true, digits),
            None => (false, text),
        };
        is_negative == self.is_negative && self.has_digits(digits)
    }

    fn has_digits(&self, text: &str) -> bool {
        let digits = text.trim_start_matches('0').bytes().rev();
        let magnitude = self.magnitude();
        let magnitude = without_zeros(&magnitude);
        let own = magnitude.iter().rev().flat_map(|byte| [byte & 0x0f, byte >> 4]);
        // The top half of the first byte may be a leading zero of our own.
        let length = magnitude.len() * 2 - usize::from(magnitude.first().is_some_and(|byte| byte >> 4 == 0));
        digits.len() == length
            && digits.zip(own).all(|(digit, own)| crate::wire::mime_word::hex_digit(digit) == Some(own))
    }
}

/// The magnitude of a negative number in two's complement: all bits inverted, and one more.
fn negated(bytes: &[u8]) -> Vec<u8> {
    let mut magnitude: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
    for byte in magnitude.iter_mut().rev() {
        let (sum, has_carry) = byte.overflowing_add(1);
        *byte = sum;
        if !has_carry {
            break;
        }
    }
    magnitude
}

fn without_zeros(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    bytes.get(zeros..).unwrap_or_default()
}

impl fmt::Display for SerialNumber {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let magnitude = self.magnitude();
        let Some((first, rest)) = without_zeros(&magnitude).split_first() else { return out.write_char('0') };
        if self.is_negative {
            out.write_char('-')?;
        }
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
        assert_ne!(number(&[0xff; 21]), number(&[&[0], &[0xff; 21][..]].concat()));
        assert_eq!(number(&[0xff]), number(&[0xff, 0xff]));
        assert_eq!(number(&[0xff]).as_bytes(), [0xff; SERIAL_BYTES_MAX + 1]);
        assert_eq!(number(&[0x7f]).as_bytes(), [0x7f]);
    }

    #[test]
    fn a_number_of_twenty_bytes_is_the_longest_and_of_a_negative_one_21() {
        for (bytes, is_revocable) in [
            (vec![0x7f; 20], true),
            ([&[0][..], &[0xff; 20]].concat(), true),
            (vec![0; 40], true),
            (vec![0xff; 21], true),
            (vec![0x80; 21], true),
            (vec![1; 21], false),
            ([&[0][..], &[0xff; 21]].concat(), false),
            (vec![0x80; 22], false),
        ] {
            assert_eq!(SerialNumber::from_bytes(&bytes).is_revocable(), is_revocable, "{bytes:02x?}");
        }
    }

    #[test]
    fn a_negative_number_is_its_magnitude_behind_a_minus_sign() {
        for (bytes, shown) in [
            (&[0xfb][..], "-5"),
            (&[0xff], "-1"),
            (&[0x80], "-80"),
            (&[0xff, 0x7f], "-81"),
            (&[0x80, 0], "-8000"),
            (&[0x7f], "7F"),
        ] {
            let serial = SerialNumber::from_bytes(bytes);
            assert_eq!(serial.to_string(), shown);
            assert!(serial.is_hex(shown), "{shown}");
        }
        let five = SerialNumber::from_bytes(&[0xfb]);
        assert!(five.is_hex("-05") && !five.is_hex("5") && !five.is_hex("-") && !five.is_hex("--5"));
        let positive = SerialNumber::from_bytes(&[5]);
        assert!(positive.is_hex("05") && !positive.is_hex("-5"));
        assert!(!SerialNumber::from_bytes(&[0]).is_hex("-0"));
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
