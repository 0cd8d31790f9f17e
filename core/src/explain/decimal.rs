//! Serial numbers in decimal digits.

/// The decimal digits of a number in hexadecimal digits; `None` if it has another character.
pub(super) fn from_hex(digits: &str) -> Option<String> {
    // Decimal digits, the lowest first: each hexadecimal digit multiplies by 16 and adds.
    let mut decimal: Vec<u32> = vec![0];
    for digit in digits.chars() {
        let mut carry = digit.to_digit(16)?;
        for place in &mut decimal {
            let value = *place * 16 + carry;
            *place = value % 10;
            carry = value / 10;
        }
        while carry > 0 {
            decimal.push(carry % 10);
            carry /= 10;
        }
    }
    Some(decimal.iter().rev().filter_map(|digit| char::from_digit(*digit, 10)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length_become_decimal() {
        for (hex, decimal) in [
            ("0", "0"),
            ("1F", "31"),
            ("FFFFFFFFFFFFFFFF", "18446744073709551615"),
            ("100000000000000000000000000000000", "340282366920938463463374607431768211456"),
        ] {
            assert_eq!(from_hex(hex).as_deref(), Some(decimal));
        }
        assert_eq!(from_hex("xyz"), None);
    }
}
