//! JSON in its canonical form (RFC 8785): no blanks, members by name, one spelling of each string. Equal values are
//! equal texts.
//!
//! There are no fractions: sums are strings here.

use std::borrow::Cow;

use serde::ser::{Error as _, SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

use super::json::Json;
use crate::error::{Error, Result};

/// The largest whole number that every reader of JSON gets exactly (RFC 8785, section 3.2.2.3).
pub(crate) const INTEGER_MAX: i64 = 9_007_199_254_740_991;

/// Writes a value.
///
/// # Errors
/// [`Error::Internal`] for [`Json::OtherNumber`] and for a whole number beyond 2^53: this library makes none.
pub(crate) fn write(value: &Json<'_>) -> Result<String> {
    serde_json::to_string(&Canonical(value)).map_err(|error| Error::Internal(format!("JSON: {error}")))
}

/// An object of members that are written already, in any order.
pub(crate) fn object(mut members: Vec<(&str, String)>) -> String {
    members.sort_by_key(|(name, _)| sort_key(name));
    let mut text =
        String::with_capacity(members.iter().map(|(name, value)| name.len() + value.len() + 4).sum());
    for (index, (name, value)) in members.iter().enumerate() {
        text.push_str(if index == 0 { "{" } else { "," });
        // A name of ours holds nothing that is escaped.
        text.extend(["\"", name, "\":", value]);
    }
    text.push_str(if members.is_empty() { "{}" } else { "}" });
    text
}

/// Whether a whole number can be written as a number.
pub(crate) fn is_exact(number: i64) -> bool {
    (-INTEGER_MAX..=INTEGER_MAX).contains(&number)
}

struct Canonical<'v>(&'v Json<'v>);

impl Serialize for Canonical<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0 {
            Json::Null => serializer.serialize_unit(),
            Json::Bool(value) => serializer.serialize_bool(*value),
            Json::Integer(number) if is_exact(*number) => serializer.serialize_i64(*number),
            Json::Integer(_) | Json::OtherNumber => Err(S::Error::custom("a number that is not exact")),
            Json::String(text) => serializer.serialize_str(text),
            Json::Array(items) => {
                let mut array = serializer.serialize_seq(Some(items.len()))?;
                items.iter().try_for_each(|item| array.serialize_element(&Canonical(item)))?;
                array.end()
            }
            Json::Object(members) => {
                let mut sorted: Vec<&(Cow<'_, str>, Json<'_>)> = members.iter().collect();
                sorted.sort_by_cached_key(|(name, _)| sort_key(name));
                let mut object = serializer.serialize_map(Some(sorted.len()))?;
                sorted
                    .into_iter()
                    .try_for_each(|(name, value)| object.serialize_entry(name.as_ref(), &Canonical(value)))?;
                object.end()
            }
        }
    }
}

/// Names are sorted by their UTF-16 code units.
fn sort_key(name: &str) -> Vec<u16> {
    name.encode_utf16().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        write(&Json::parse(text.as_bytes()).unwrap()).unwrap()
    }

    #[test]
    fn members_are_sorted_by_utf16_as_the_example_of_the_rfc() {
        // RFC 8785, section 3.2.3.
        let given = [
            r#"{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","#,
            r#""1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","#,
            r#""\u00f6":"Latin Small Letter O With Diaeresis"}"#,
        ];
        let order = ["Carriage Return", "One", "Control", "Latin Small", "Euro Sign", "Emoji", "Hebrew"];
        let written = rewritten(&given.concat());
        let places: Vec<_> = order.iter().map(|value| written.find(value).unwrap()).collect();
        assert!(places.is_sorted(), "{written}");
    }

    #[test]
    fn strings_and_literals_are_spelled_as_the_rfc_spells_them() {
        // RFC 8785, section 3.2.4, its numbers aside.
        let given = [
            r#"{"string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "#,
            r#""literals": [null, true, false], "n": [-1, 0]}"#,
        ];
        let expected =
            "{\"literals\":[null,true,false],\"n\":[-1,0],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}";
        assert_eq!(rewritten(&given.concat()), expected);
    }

    #[test]
    fn nine_quadrillion_is_a_number_and_one_more_than_2_to_the_53_is_none() {
        assert_eq!(rewritten("9007199254740991"), "9007199254740991");
        assert!(write(&Json::Integer(INTEGER_MAX + 1)).is_err());
        assert!(write(&Json::parse(b"1.5").unwrap()).is_err());
    }

    #[test]
    fn an_object_of_written_members_is_sorted_too() {
        assert_eq!(object(vec![]), "{}");
        assert_eq!(object(vec![("b", "1".to_owned()), ("a", "[]".to_owned())]), "{\"a\":[],\"b\":1}");
    }
}
