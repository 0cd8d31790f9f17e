//! How sums, days and account numbers are written for people.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use chrono_tz::Europe::Oslo;
use rust_decimal::Decimal;

use crate::reason::Language;
use crate::types::{AccountIdentification, Currency};

/// A space at which no line is broken.
const NO_BREAK: char = '\u{a0}';

const MONTHS: [(&str, &str); 12] = [
    ("January", "januar"),
    ("February", "februar"),
    ("March", "mars"),
    ("April", "april"),
    ("May", "mai"),
    ("June", "juni"),
    ("July", "juli"),
    ("August", "august"),
    ("September", "september"),
    ("October", "oktober"),
    ("November", "november"),
    ("December", "desember"),
];

/// A sum with its currency: `NOK 1,250.00`, in Bokmål `1 250,00 NOK`. Its fraction digits stay as they are.
pub(super) fn sum(value: Decimal, currency: Currency, language: Language) -> String {
    let (separator, point) = match language {
        Language::English => (',', '.'),
        Language::Bokmal => (NO_BREAK, ','),
    };
    let digits = value.abs().to_string();
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let sign = if value.is_sign_negative() { "\u{2212}" } else { "" };
    let mut number = format!("{sign}{}", grouped(whole, separator));
    if !fraction.is_empty() {
        number.push(point);
        number.push_str(fraction);
    }
    match language {
        Language::English => format!("{currency}{NO_BREAK}{number}"),
        Language::Bokmal => format!("{number}{NO_BREAK}{currency}"),
    }
}

/// Digits in threes from the right.
fn grouped(digits: &str, separator: char) -> String {
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(separator);
        }
        grouped.push(digit);
    }
    grouped
}

/// A day: `1 September 2026`, in Bokmål `1. september 2026`.
pub(super) fn day(date: NaiveDate, language: Language) -> String {
    let month = usize::try_from(date.month0()).ok().and_then(|index| MONTHS.get(index));
    let (english, bokmal) = month.copied().unwrap_or_default();
    match language {
        Language::English => format!("{} {english} {}", date.day(), date.year()),
        Language::Bokmal => format!("{}. {bokmal} {}", date.day(), date.year()),
    }
}

/// What clocks in Norway show: `12:10`.
pub(super) fn oslo_clock(instant: DateTime<Utc>) -> String {
    instant.with_timezone(&Oslo).format("%H:%M").to_string()
}

/// The number of an account, in groups: `9536 05 73002`, `NO08 9536 0573 002`. Those of cards stay as they are.
pub(super) fn account(number: &AccountIdentification) -> String {
    match number {
        AccountIdentification::Bban(bban) => domestic(bban.as_str()),
        AccountIdentification::Iban(iban) => international(iban.as_str()),
        AccountIdentification::Card(number) => number.clone(),
    }
}

/// A domestic account number; only Norwegian ones have groups of their own.
pub(super) fn domestic(bban: &str) -> String {
    let is_norwegian = bban.len() == 11 && bban.bytes().all(|byte| byte.is_ascii_digit());
    if is_norwegian {
        broken(bban, |index| index == 4 || index == 6)
    } else {
        bban.to_owned()
    }
}

/// An IBAN in fours, as ISO 13616 prints it.
pub(super) fn international(iban: &str) -> String {
    broken(iban, |index| index > 0 && index.is_multiple_of(4))
}

fn broken(text: &str, breaks_before: impl Fn(usize) -> bool) -> String {
    let mut broken = String::new();
    for (index, character) in text.chars().enumerate() {
        if breaks_before(index) {
            broken.push(NO_BREAK);
        }
        broken.push(character);
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{Bokmal, English};

    fn plain(text: &str) -> String {
        text.replace(NO_BREAK, " ")
    }

    #[test]
    fn sums_have_groups_a_point_or_comma_and_the_digits_of_their_currency() {
        for (value, currency, english, bokmal) in [
            ("0.00", Currency::NOK, "NOK 0.00", "0,00 NOK"),
            ("250.00", Currency::NOK, "NOK 250.00", "250,00 NOK"),
            ("999.99", Currency::EUR, "EUR 999.99", "999,99 EUR"),
            ("1000.00", Currency::EUR, "EUR 1,000.00", "1 000,00 EUR"),
            ("1234567890123.45", Currency::NOK, "NOK 1,234,567,890,123.45", "1 234 567 890 123,45 NOK"),
            ("100000", Currency::JPY, "JPY 100,000", "100 000 JPY"),
            ("-1250.50", Currency::NOK, "NOK \u{2212}1,250.50", "\u{2212}1 250,50 NOK"),
        ] {
            let value: Decimal = value.parse().unwrap();
            assert_eq!(plain(&sum(value, currency, English)), english);
            assert_eq!(plain(&sum(value, currency, Bokmal)), bokmal);
        }
    }

    #[test]
    fn days_have_the_name_of_their_month() {
        let date = |text: &str| text.parse().unwrap();
        assert_eq!(day(date("2026-09-01"), English), "1 September 2026");
        assert_eq!(day(date("2026-12-31"), Bokmal), "31. desember 2026");
        assert_eq!(day(date("2026-01-01"), Bokmal), "1. januar 2026");
    }

    #[test]
    fn the_clock_is_that_of_norway_in_winter_and_in_summer() {
        let clock = |text: &str| oslo_clock(text.parse().unwrap());
        assert_eq!(clock("2026-09-01T10:10:00Z"), "12:10");
        assert_eq!(clock("2026-12-01T23:05:00Z"), "00:05");
    }

    #[test]
    fn norwegian_numbers_and_ibans_have_groups_and_other_numbers_none() {
        assert_eq!(plain(&domestic("95360573002")), "9536 05 73002");
        assert_eq!(plain(&domestic("9536057300A")), "9536057300A");
        assert_eq!(plain(&domestic("370400440532013000")), "370400440532013000");
        assert_eq!(plain(&international("NO0895360573002")), "NO08 9536 0573 002");
        let card = AccountIdentification::Card("123456******0001".to_owned());
        assert_eq!(account(&card), "123456******0001");
    }
}
