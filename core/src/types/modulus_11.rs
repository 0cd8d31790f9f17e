//! Check digits by modulus 11.

/// The digit that balances those before it, which weigh so much each, while it weighs 1 itself. `None` where none does.
/// Characters that are no digits count nothing.
pub(crate) fn check_digit(digits: &str, weights: &[u32]) -> Option<u32> {
    let weighed = digits.chars().filter_map(|digit| digit.to_digit(10)).zip(weights);
    let sum: u32 = weighed.map(|(digit, weight)| digit * weight).sum();
    Some((11 - sum % 11) % 11).filter(|check| *check < 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digit_from_0_to_9_or_none() {
        for (digits, expected) in [("0", Some(0)), ("5", Some(1)), ("1", Some(9)), ("6", None)] {
            assert_eq!(check_digit(digits, &[2]), expected, "{digits}");
        }
    }
}
