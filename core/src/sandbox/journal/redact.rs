//! What leaves the journal for a ticket names no person: identity numbers are masked.

use std::borrow::Cow;

use percent_encoding::{percent_decode_str, utf8_percent_encode, CONTROLS};

use super::message_body::header_text;
use crate::types::IdentityNumber;

/// How many digits an identity number has.
const DIGITS: usize = 11;
/// How many digits stay: enough to distinguish the persons of a test.
const SHOWN: usize = 2;
/// Headers whose value is secret.
const SECRET_HEADERS: [&str; 4] = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"];
/// The header whose value is an identity number, with any check digits.
const IDENTITY_HEADER: &str = "X-PSU-IDENTITY";
/// The members of a body or a form whose value is one: who it is, whose an engagement is, and whose an agreement.
const IDENTITY_MEMBERS: [&str; 3] = ["customerNumber", "customer", "owner"];

/// Whether identity numbers are masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Redaction(pub(super) bool);

impl Redaction {
    /// Text of a target, a body or a message.
    pub(super) fn text<'t>(self, text: &'t str) -> Cow<'t, str> {
        if !self.0 {
            return Cow::Borrowed(text);
        }
        let masked = mask(text);
        if masked == text {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(masked)
        }
    }

    /// A target. What only its escapes hide is masked too, and then only control characters and what is not ASCII are
    /// escaped.
    pub(super) fn target(self, target: &str) -> Cow<'_, str> {
        let masked = self.text(target);
        let decoded = percent_decode_str(&masked).decode_utf8_lossy();
        match self.text(&decoded) {
            Cow::Owned(hidden) => Cow::Owned(utf8_percent_encode(&hidden, CONTROLS).to_string()),
            Cow::Borrowed(_) => masked.clone(),
        }
    }

    /// A customer number by itself, with any check digits.
    pub(super) fn customer_number(self, number: &str) -> Cow<'_, str> {
        match self.0 {
            true => Cow::Owned(mask_digits(number)),
            false => Cow::Borrowed(number),
        }
    }

    /// The value of a header.
    pub(super) fn header<'t>(self, name: &str, value: &'t str) -> Cow<'t, str> {
        if !self.0 {
            return Cow::Borrowed(value);
        }
        if SECRET_HEADERS.iter().any(|secret| name.eq_ignore_ascii_case(secret)) {
            return Cow::Borrowed("masked");
        }
        if name.eq_ignore_ascii_case(IDENTITY_HEADER) {
            return Cow::Owned(mask_digits(value));
        }
        self.text(value)
    }

    /// The value of a header as it was sent: what is no UTF-8 is masked as the Latin-1 that it is read as elsewhere.
    pub(super) fn header_bytes<'v>(self, name: &str, value: &'v [u8]) -> Cow<'v, [u8]> {
        masked_bytes(value, |text| self.header(name, text))
    }

    /// A body as it was sent, likewise.
    pub(super) fn bytes(self, bytes: &[u8]) -> Cow<'_, [u8]> {
        masked_bytes(bytes, |text| self.text(text))
    }
}

/// Bytes with what is masked in them as text: UTF-8, or else Latin-1, byte by byte.
fn masked_bytes<'b>(bytes: &'b [u8], mask: impl Fn(&str) -> Cow<'_, str>) -> Cow<'b, [u8]> {
    let text = header_text(bytes);
    let masked = mask(&text);
    if masked == text {
        return Cow::Borrowed(bytes);
    }
    Cow::Owned(match text {
        Cow::Borrowed(_) => masked.into_owned().into_bytes(),
        Cow::Owned(_) => masked.chars().map(|c| u8::try_from(c).unwrap_or(b'*')).collect(),
    })
}

/// The text with every identity number in it masked: each run of exactly 11 digits that can be one by date and
/// check digits, and the value of each member that names a customer, for test persons often have no right check
/// digits.
fn mask(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        masked.push_str(before);
        if is_customer_number(&masked) || may_be_identity_number(digits) {
            masked.push_str(&mask_digits(digits));
        } else {
            masked.push_str(digits);
        }
        rest = after;
    }
    masked.push_str(rest);
    masked
}

/// The characters that may separate a name from its value; in a form, `+` is a blank.
const BETWEEN: [char; 9] = ['"', ' ', '+', ':', '=', '\n', '\r', '\t', '\\'];

/// Whether the text before a value names it: `"customerNumber": "`, `customerNumber=`, and in a form
/// `name="customerNumber" value="`.
fn is_customer_number(before: &str) -> bool {
    let name = before.trim_end_matches(BETWEEN);
    let name = name.strip_suffix("value").map_or(name, |form| form.trim_end_matches(BETWEEN));
    let between = before.get(name.len()..).unwrap_or_default();
    between.contains(['"', '=']) && IDENTITY_MEMBERS.iter().any(|member| name.ends_with(member))
}

/// Digits by their check digits and by a date: of account numbers, which share a check digit, that leaves one in
/// two hundred.
fn may_be_identity_number(digits: &str) -> bool {
    let number =
        |range| digits.get(range).and_then(|part: &str| part.parse::<u32>().ok()).unwrap_or_default();
    // A D-number adds 40 to the day, synthetic persons have 40, 65 or 80 more in the month.
    let day = number(0..2) % 40;
    let month = match number(2..4) {
        month @ 1..=12 => month,
        month @ 41..=52 => month - 40,
        month @ 66..=77 => month - 65,
        month @ 81..=92 => month - 80,
        _ => 0,
    };
    digits.len() == DIGITS
        && (1..=31).contains(&day)
        && month > 0
        && IdentityNumber::parse(digits).is_ok_and(|number| number.check_digits_ok())
}

/// Every character but the last two.
fn mask_digits(text: &str) -> String {
    let shown_from = text.chars().count().saturating_sub(SHOWN);
    text.chars().enumerate().map(|(position, c)| if position < shown_from { '*' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::description;
    use crate::wire::json;

    const MASKED: Redaction = Redaction(true);

    #[test]
    fn escapes_hide_no_identity_number_in_a_target() {
        for (target, expected) in [
            ("/v1/a%20b?x=130393%31%39955&y=%C3%A6", "/v1/a b?x=*********55&y=%C3%A6"),
            ("/v1/a%20b?x=13039319955", "/v1/a%20b?x=*********55"),
            ("/v1/a%20b?customerNumber%3D123456", "/v1/a b?customerNumber=****56"),
            ("/v1/a?x=130393%31%39955%0A", "/v1/a?x=*********55%0A"),
            ("/v1/a%20b", "/v1/a%20b"),
        ] {
            assert_eq!(MASKED.target(target), expected);
            assert_eq!(Redaction(false).target(target), target);
        }
    }

    #[test]
    fn identity_numbers_are_masked_and_other_numbers_are_not() {
        for (text, expected) in [
            ("13039319955", "*********55"),
            (
                "/v1/sandbox/customers/13039319955?x=13039319955",
                "/v1/sandbox/customers/*********55?x=*********55",
            ),
            ("{\"customerNumber\": \"12345678901\"}", "{\"customerNumber\": \"*********01\"}"),
            ("customerNumber=123456&action=continue", "customerNumber=****56&action=continue"),
            ("customerNumber=+123456", "customerNumber=+****56"),
            (r#"{"customer":"123456","account":"123457"}"#, r#"{"customer":"****56","account":"123457"}"#),
            (r#"{"owner":"123456","account":"123457"}"#, r#"{"owner":"****56","account":"123457"}"#),
            ("for customer 123456", "for customer 123456"),
            ("customerNumberX=12345678901", "customerNumberX=12345678901"),
            ("customerNumber12345678901", "customerNumber12345678901"),
            ("13039319956", "13039319956"),
            ("113039319955", "113039319955"),
            ("user_13039319955", "user_*********55"),
            ("13039319955a", "*********55a"),
            (r#"name=\"customerNumber\" value=\"123456\""#, r#"name=\"customerNumber\" value=\"****56\""#),
            (r#"name="account" value="123456""#, r#"name="account" value="123456""#),
            ("95360573002", "95360573002"),
            ("æ 13039319955 ø", "æ *********55 ø"),
            ("", ""),
        ] {
            assert_eq!(MASKED.text(text), expected);
            assert_eq!(Redaction(false).text(text), text);
        }
    }

    #[test]
    fn of_the_default_set_the_customers_are_masked_and_the_accounts_are_not() {
        let text = json::write_text(&description::describe().unwrap()).unwrap();
        let masked = MASKED.text(&text);
        for customer in ["13039319955", "12085592767", "18129215603", "20079518612", "01085800481"] {
            assert!(text.contains(customer) && !masked.contains(customer), "{customer}");
        }
        for account in ["95360573002", "95360573037", "95360573118", "91351631959"] {
            assert!(masked.contains(account), "{account}");
        }
    }

    #[test]
    fn headers_are_masked_by_their_names() {
        assert_eq!(MASKED.header("x-psu-identity", "12345678901"), "*********01");
        assert_eq!(MASKED.header("X-Other", "12345678901"), "12345678901");
        assert_eq!(MASKED.header("cookie", "session=1"), "masked");
        assert_eq!(Redaction(false).header("cookie", "session=1"), "session=1");
    }

    #[test]
    fn headers_that_are_no_utf8_are_masked_as_those_that_are() {
        for (name, value, masked) in [
            ("Authorization", &b"Basic \xE6"[..], &b"masked"[..]),
            ("X-PSU-IDENTITY", b"13039319955\xE6", b"**********5\xE6"),
            ("X-Other", b"13039319955\xE6", b"*********55\xE6"),
            ("X-Other", b"12345678901\xE6", b"12345678901\xE6"),
            ("X-PSU-IDENTITY", "13039319955æ".as_bytes(), "**********5æ".as_bytes()),
        ] {
            assert_eq!(MASKED.header_bytes(name, value).as_ref(), masked, "{name}");
            assert_eq!(Redaction(false).header_bytes(name, value).as_ref(), value);
        }
    }

    #[test]
    fn a_body_of_any_encoding_is_masked_and_keeps_its_length() {
        for (body, masked) in [
            (&b"13039319955"[..], &b"*********55"[..]),
            (b"\xE6 13039319955 \xFF\x00", b"\xE6 *********55 \xFF\x00"),
            (
                b"{\"name\":\"\xE6\",\"customerNumber\":\"7654321\"}",
                b"{\"name\":\"\xE6\",\"customerNumber\":\"*****21\"}",
            ),
            (b"\xE6 12345678901", b"\xE6 12345678901"),
        ] {
            assert_eq!(MASKED.bytes(body).as_ref(), masked);
            assert_eq!(Redaction(false).bytes(body).as_ref(), body);
        }
    }
}
