//! The form of one value: its notation in a column and in a document, and its allowed values.

use std::borrow::Cow;
use std::fmt::Write as _;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Datelike, Utc};
use rusqlite::types::{Value, ValueRef};
use uuid::Uuid;

use crate::payment::stored;
use crate::tpp::certificate::Certificate;
use crate::types::instant::rfc3339_micros;
use crate::types::{Currency, Money};
use crate::wire::canonical;
use crate::wire::json::Json;

/// The form of a value.
#[derive(Clone, Copy)]
pub(super) enum Form {
    /// Any text.
    Text,
    /// A text that this takes, and what it must be.
    Known(fn(&str) -> bool, &'static str),
    /// Texts that this takes: in the database with spaces between, in a document an array.
    Words(fn(&str) -> bool, &'static str),
    /// An exact sum: a decimal text with the fraction digits of the currency in that column of the same row.
    Money(&'static str),
    /// What a payment orders: the members that its details show.
    Order,
    /// True or false.
    Flag,
    /// A whole number from the first to the second.
    Number(i64, i64),
    /// Microseconds since 1970, in a document a time by RFC 3339 in UTC.
    Time,
    /// That many bytes, in a document lower-case hexadecimal digits.
    Hex(usize),
    /// A UUID.
    Uuid,
    /// A certificate in DER, in a document base64.
    Certificate,
    /// A serial number, in a document lower-case hexadecimal digits.
    Serial,
    /// A small fact: a number, or bytes as lower-case hexadecimal digits.
    Fact,
}

/// A number of things.
pub(super) const COUNT: Form = Form::Number(0, u32::MAX as i64);
/// A sum of counts.
pub(super) const SUM: Form = Form::Number(0, canonical::INTEGER_MAX / 2);
/// The place of a row in the order of creation. After the largest number SQLite would choose at random. Rows that come
/// later are numbered on, and have to be written too.
pub(super) const ROW: Form = Form::Number(1, canonical::INTEGER_MAX / 2);

/// What a stored value is that its form does not have: the database holds what this library does not write.
pub(super) struct Foreign;

impl Form {
    /// A stored value as written in a document; `None` for null.
    pub(super) fn show(self, stored: ValueRef<'_>) -> Result<Option<Json<'static>>, Foreign> {
        let shown = match (self, stored) {
            (_, ValueRef::Null) => return Ok(None),
            (Self::Flag, ValueRef::Integer(number)) => Json::Bool(number != 0),
            (Self::Time, ValueRef::Integer(micros)) => text(time_text(micros)),
            (Self::Number(..) | Self::Fact, ValueRef::Integer(number)) => match canonical::is_exact(number) {
                true => Json::Integer(number),
                false => text(number.to_string()),
            },
            (Self::Hex(_) | Self::Serial | Self::Fact, ValueRef::Blob(bytes)) => text(hex(bytes)),
            (Self::Certificate, ValueRef::Blob(der)) => text(STANDARD.encode(der)),
            (Self::Uuid, ValueRef::Blob(bytes)) => {
                text(Uuid::from_slice(bytes).map_err(|_| Foreign)?.to_string())
            }
            (Self::Text | Self::Known(..) | Self::Money(_), ValueRef::Text(bytes)) => {
                text(utf8(bytes)?.to_owned())
            }
            (Self::Words(..), ValueRef::Text(bytes)) => {
                Json::Array(utf8(bytes)?.split_ascii_whitespace().map(|word| text(word.to_owned())).collect())
            }
            (Self::Order, ValueRef::Text(bytes)) => owned(Json::parse(bytes).map_err(|_| Foreign)?),
            _ => return Err(Foreign),
        };
        Ok(Some(shown))
    }

    /// A value of a document as it is stored; else what it must be. `beside` gives other values of the same row,
    /// by the name of their column.
    pub(super) fn read<'j>(
        self,
        shown: &Json<'_>,
        beside: impl Fn(&str) -> Option<&'j Json<'j>>,
    ) -> Result<Value, Cow<'static, str>> {
        let must = |what: &'static str| Cow::Borrowed(what);
        match (self, shown) {
            (Self::Text, Json::String(text)) => Ok(Value::Text(text.to_string())),
            (Self::Text, _) => Err(must("must be a text")),
            (Self::Known(takes, _), Json::String(text)) if takes(text) => Ok(Value::Text(text.to_string())),
            (Self::Known(_, what), _) => Err(format!("must be {what}").into()),
            (Self::Words(takes, what), Json::Array(items)) => {
                words(items, takes).ok_or_else(|| format!("must be an array of {what}").into())
            }
            (Self::Words(_, what), _) => Err(format!("must be an array of {what}").into()),
            (Self::Money(currency), shown) => money(shown, beside(currency)),
            (Self::Order, shown) => {
                order(shown).ok_or(must("must be what a payment orders, as its details show it"))
            }
            (Self::Flag, Json::Bool(flag)) => Ok(Value::Integer(i64::from(*flag))),
            (Self::Flag, _) => Err(must("must be true or false")),
            (Self::Number(min, max), shown) => {
                match integer(shown).filter(|number| (min..=max).contains(number)) {
                    Some(number) => Ok(Value::Integer(number)),
                    None => Err(format!("must be a whole number from {min} to {max}").into()),
                }
            }
            (Self::Time, Json::String(text)) => {
                let micros = time_of_text(text);
                micros.map(Value::Integer).ok_or(must("must be a time by RFC 3339, to the microsecond"))
            }
            (Self::Time, _) => Err(must("must be a time by RFC 3339, to the microsecond")),
            (Self::Hex(length), shown) => match bytes(shown).filter(|bytes| bytes.len() == length) {
                Some(bytes) => Ok(Value::Blob(bytes)),
                None => Err(format!("must be {length} bytes as lower-case hexadecimal digits").into()),
            },
            (Self::Serial, shown) => bytes(shown)
                .filter(|bytes| !bytes.is_empty())
                .map(Value::Blob)
                .ok_or(must("must be bytes as lower-case hexadecimal digits")),
            (Self::Fact, shown) => {
                integer_or_bytes(shown).ok_or(must("must be a whole number or hexadecimal digits"))
            }
            (Self::Uuid, shown) => uuid(shown).ok_or(must("must be a UUID in lower case")),
            (Self::Certificate, shown) => {
                certificate(shown).ok_or(must("must be a certificate, DER in base64"))
            }
        }
    }
}

/// Microseconds since 1970 as text: a time by RFC 3339 in UTC with six decimals, or the number where the calendar
/// of RFC 3339 does not go that far.
pub(crate) fn time_text(micros: i64) -> String {
    match DateTime::<Utc>::from_timestamp_micros(micros).filter(|time| (0..=9999).contains(&time.year())) {
        Some(time) => rfc3339_micros(time),
        None => micros.to_string(),
    }
}

/// What [`time_text`] writes, and any other time by RFC 3339 that has no more than six decimals.
pub(crate) fn time_of_text(text: &str) -> Option<i64> {
    match DateTime::parse_from_rfc3339(text) {
        Ok(time) => (time.timestamp_subsec_nanos() % 1000 == 0).then(|| time.timestamp_micros()),
        Err(_) => text.parse().ok().filter(|micros| time_text(*micros) == text),
    }
}

fn text(text: String) -> Json<'static> {
    Json::String(Cow::Owned(text))
}

fn utf8(bytes: &[u8]) -> Result<&str, Foreign> {
    std::str::from_utf8(bytes).map_err(|_| Foreign)
}

/// The same value with texts of its own.
fn owned(value: Json<'_>) -> Json<'static> {
    match value {
        Json::Null => Json::Null,
        Json::Bool(flag) => Json::Bool(flag),
        Json::Integer(number) => Json::Integer(number),
        Json::OtherNumber => Json::OtherNumber,
        Json::String(text) => Json::String(Cow::Owned(text.into_owned())),
        Json::Array(items) => Json::Array(items.into_iter().map(owned).collect()),
        Json::Object(members) => Json::Object(
            members.into_iter().map(|(name, value)| (Cow::Owned(name.into_owned()), owned(value))).collect(),
        ),
    }
}

fn words(items: &[Json<'_>], takes: fn(&str) -> bool) -> Option<Value> {
    let words = items.iter().map(|item| match item {
        Json::String(word) if !word.contains(char::is_whitespace) && takes(word) => Some(word.as_ref()),
        _ => None,
    });
    Some(Value::Text(words.collect::<Option<Vec<_>>>()?.join(" ")))
}

fn money(shown: &Json<'_>, currency: Option<&Json<'_>>) -> Result<Value, Cow<'static, str>> {
    let Json::String(text) = shown else { return Err("must be a sum as a text".into()) };
    let currency = match currency {
        Some(Json::String(code)) => Currency::parse(code).ok(),
        _ => None,
    };
    // That the currency is none is said at its own place.
    let Some(currency) = currency else { return Ok(Value::Null) };
    let sum = Money::parse(text, currency).ok().filter(|sum| sum.to_string() == text.as_ref());
    sum.map(|_| Value::Text(text.to_string()))
        .ok_or_else(|| "must be a sum with the fraction digits of its currency, such as \"-1.50\"".into())
}

/// The order as the engine writes it, independent of the sequence of members here.
fn order(shown: &Json<'_>) -> Option<Value> {
    let read = stored::from_text(&canonical::write(shown).ok()?).ok()?;
    stored::to_text(&read).ok().map(Value::Text)
}

fn integer(shown: &Json<'_>) -> Option<i64> {
    match shown {
        Json::Integer(number) => Some(*number),
        Json::String(digits) => digits.parse().ok().filter(|number| !canonical::is_exact(*number)),
        _ => None,
    }
}

fn integer_or_bytes(shown: &Json<'_>) -> Option<Value> {
    integer(shown).map(Value::Integer).or_else(|| bytes(shown).map(Value::Blob))
}

fn uuid(shown: &Json<'_>) -> Option<Value> {
    let Json::String(text) = shown else { return None };
    let uuid = Uuid::parse_str(text).ok().filter(|uuid| uuid.to_string() == text.as_ref())?;
    Some(Value::Blob(uuid.as_bytes().to_vec()))
}

fn certificate(shown: &Json<'_>) -> Option<Value> {
    let Json::String(text) = shown else { return None };
    let der = STANDARD.decode(text.as_ref()).ok()?;
    Certificate::from_der(&der).ok().map(|_| Value::Blob(der))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut digits, byte| {
        // Writing to a text does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

fn bytes(shown: &Json<'_>) -> Option<Vec<u8>> {
    let Json::String(digits) = shown else { return None };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    if digits.len() % 2 != 0 || !digits.bytes().all(is_digit) {
        return None;
    }
    let pair = |at: usize| digits.get(at..at + 2).and_then(|pair| u8::from_str_radix(pair, 16).ok());
    (0..digits.len()).step_by(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(form: Form, shown: &str) -> Result<Value, Cow<'static, str>> {
        let shown = Json::parse(shown.as_bytes()).unwrap();
        let currency = Json::String("NOK".into());
        form.read(&shown, |_| Some(&currency))
    }

    proptest! {
        #[test]
        fn every_time_comes_back(micros in any::<i64>()) {
            prop_assert_eq!(time_of_text(&time_text(micros)), Some(micros));
        }

        #[test]
        fn every_value_comes_back(number in any::<i64>(), blob in proptest::collection::vec(any::<u8>(), 1..40)) {
            let form = Form::Number(i64::MIN, i64::MAX);
            let shown = form.show(ValueRef::Integer(number)).ok().flatten().unwrap();
            prop_assert!(canonical::write(&shown).is_ok());
            prop_assert_eq!(form.read(&shown, |_| None), Ok(Value::Integer(number)));
            for form in [Form::Hex(blob.len()), Form::Serial] {
                let shown = form.show(ValueRef::Blob(&blob)).ok().flatten().unwrap();
                prop_assert_eq!(form.read(&shown, |_| None), Ok(Value::Blob(blob.clone())));
            }
        }
    }

    #[test]
    fn times_to_the_microsecond_are_read_and_finer_ones_are_not() {
        assert_eq!(time_text(0), "1970-01-01T00:00:00.000000Z");
        assert_eq!(time_of_text("1970-01-01T01:00:00+01:00"), Some(0));
        assert_eq!(time_of_text("1970-01-01T00:00:00.000001Z"), Some(1));
        assert_eq!(time_of_text("1970-01-01T00:00:00.0000001Z"), None);
        for text in ["", "1970-01-01", "1970-01-01T00:00:00", "0", "99999999999999999999"] {
            assert_eq!(time_of_text(text), None, "{text}");
        }
    }

    #[test]
    fn a_sum_has_the_fraction_digits_of_its_currency() {
        for text in ["\"1.50\"", "\"-1.50\"", "\"0.00\""] {
            assert!(read(Form::Money("currency"), text).is_ok(), "{text}");
        }
        for currency in ["\"QQQ\"", "1", "null"] {
            let (sum, currency) = (Json::String("1.5".into()), Json::parse(currency.as_bytes()).unwrap());
            let read = Form::Money("currency").read(&sum, |_| Some(&currency));
            assert_eq!(read, Ok(Value::Null), "the currency is at fault");
        }
        for text in ["\"1.5\"", "\"1.500\"", "\"+1.50\"", "\"01.50\"", "\"-0.00\"", "1", "\"\""] {
            assert!(read(Form::Money("currency"), text).is_err(), "{text}");
        }
    }

    #[test]
    fn each_form_takes_its_own_spelling_alone() {
        for (form, good, bad) in [
            (Form::Flag, "true", "1"),
            (Form::Number(0, 2), "2", "3"),
            (Form::Number(0, 2), "0", "-1"),
            (Form::Number(0, 2), "1", "\"1\""),
            (Form::Hex(2), "\"00ff\"", "\"00FF\""),
            (Form::Hex(2), "\"0000\"", "\"000000\""),
            (Form::Serial, "\"01\"", "\"1\""),
            (
                Form::Uuid,
                "\"6a2f41a3-c54c-4dd1-8d7a-2f0c9b6b7f10\"",
                "\"6A2F41A3-c54c-4dd1-8d7a-2f0c9b6b7f10\"",
            ),
            (Form::Text, "\"\"", "null"),
            (Form::Known(|text| text == "a", "a"), "\"a\"", "\"b\""),
            (Form::Words(|text| text == "a", "a"), "[\"a\",\"a\"]", "[\"a\",\"a b\"]"),
            (Form::Fact, "\"00\"", "true"),
            (Form::Time, "\"2026-09-01T10:00:00Z\"", "0"),
        ] {
            assert!(read(form, good).is_ok(), "{good}");
            assert!(read(form, bad).is_err(), "{bad}");
        }
        assert!(read(Form::Certificate, "\"AAAA\"").is_err());
        assert!(read(Form::Order, "{}").is_err());
    }
}
