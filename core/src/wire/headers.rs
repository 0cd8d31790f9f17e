//! The header fields of a request; look-up ignores their case.

use std::borrow::Cow;
use std::ops::Range;

use crate::limits::{HEADER_FIELDS_MAX, HEADER_VALUE_BYTES_MAX};
use crate::reason::{Reason, Refusal, Violation};

/// The header that the TPP shows its certificate in.
pub(crate) const TPP_CERTIFICATE: &str = "TPP-Signature-Certificate";

/// The separator of repeated fields that are joined (RFC 9110 section 5.2).
const SEPARATOR: &[u8] = b", ";

/// Header fields. Within the limits and free of control characters, unless it is said that they are unchecked.
#[derive(Debug, Clone, Copy)]
pub struct Headers<'r> {
    fields: &'r [(&'r str, &'r [u8])],
    places: Places,
    /// Whether more were sent than may be, and than are looked at.
    is_cut: bool,
}

/// The places of the fields of a name, by a hash that most names do not share: it shows the absence of a field, or the
/// place of the only one, without a look at the others.
#[derive(Debug, Clone, Copy)]
struct Places([Between; 64]);

/// Every field of some number is among those from one place up to another; none is where both are the same.
type Between = (u8, u8);

impl<'r> Headers<'r> {
    /// Checks number, size and bytes of the fields.
    ///
    /// # Errors
    /// [`Reason::HeaderFieldsTooMany`], [`Reason::HeaderTooLong`], [`Reason::HeaderByteForbidden`].
    pub fn parse(fields: &'r [(&'r str, &'r [u8])]) -> Result<Self, Refusal> {
        Self::unchecked(fields).checked()
    }

    /// The fields after the checks of [`Headers::parse`].
    ///
    /// # Errors
    /// As [`Headers::parse`].
    pub fn checked(self) -> Result<Self, Refusal> {
        if self.is_cut {
            return Err(Refusal::new(Violation::with(Reason::HeaderFieldsTooMany, &[&HEADER_FIELDS_MAX])));
        }
        if let Some(name) = self.too_long() {
            let violation = Violation::with(Reason::HeaderTooLong, &[&HEADER_VALUE_BYTES_MAX]);
            return Err(Refusal::at(violation, printable(name)));
        }
        for (name, value) in self.fields {
            match name.eq_ignore_ascii_case(TPP_CERTIFICATE) {
                true => check_bytes(value, is_forbidden_in_certificate),
                false => check_bytes(value, is_forbidden),
            }
            .map_err(|violation| Refusal::at(violation, printable(name)))?;
        }
        Ok(self)
    }

    /// The first header whose name, or whose value, repeated fields joined, is beyond the limit.
    fn too_long(&self) -> Option<&'r str> {
        let joined_length = |fields: &mut dyn Iterator<Item = &'r (&'r str, &'r [u8])>| {
            fields
                .map(|(_, value)| value.len() + SEPARATOR.len())
                .sum::<usize>()
                .saturating_sub(SEPARATOR.len())
        };
        let names: usize = self.fields.iter().map(|(name, _)| name.len()).sum();
        // None is longer than all of them together: most requests end here.
        if names.saturating_add(joined_length(&mut self.fields.iter())) <= HEADER_VALUE_BYTES_MAX {
            return None;
        }
        self.fields.iter().map(|(name, _)| *name).find(|name| {
            let mut same = self.fields.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name));
            name.len() > HEADER_VALUE_BYTES_MAX || joined_length(&mut same) > HEADER_VALUE_BYTES_MAX
        })
    }

    /// The fields without any check, for what must be known to word a refusal. Bounded.
    pub fn unchecked(fields: &'r [(&'r str, &'r [u8])]) -> Self {
        let is_cut = fields.len() > HEADER_FIELDS_MAX;
        let fields = fields.get(..HEADER_FIELDS_MAX).unwrap_or(fields);
        Self { fields, places: Places::of(fields.iter().map(|(name, _)| *name)), is_cut }
    }

    /// The value of a header, surrounding white space removed; repeated fields are joined by `, `.
    pub fn get(&self, name: &str) -> Option<Cow<'r, [u8]>> {
        joined(self.values(name))
    }

    /// As [`Headers::get`], as text. `Some(Err(NotText))` for bytes that are not UTF-8.
    pub fn text(&self, name: &str) -> Option<Result<Cow<'r, str>, NotText>> {
        self.get(name).map(|value| match value {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| NotText),
            Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|_| NotText),
        })
    }

    /// How many fields there are of a header.
    pub fn count(&self, name: &str) -> usize {
        self.values(name).count()
    }

    /// Whether the request has the header.
    pub fn has(&self, name: &str) -> bool {
        self.values(name).next().is_some()
    }

    fn values<'n>(&self, name: &'n str) -> impl Iterator<Item = &'r [u8]> + use<'r, 'n> {
        let fields = self.fields.get(self.places.among(name)).unwrap_or_default();
        fields
            .iter()
            // Most are spelt as they are looked for, which is the quicker question.
            .filter(move |(found, _)| *found == name || found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim_ascii())
    }
}

impl Places {
    fn of<'n>(names: impl Iterator<Item = &'n str>) -> Self {
        const { assert!(HEADER_FIELDS_MAX <= u8::MAX as usize) };
        let mut places = [(0, 0); 64];
        for (name, place) in names.zip(0..) {
            if let Some((from, to)) = places.get_mut(number(name)) {
                *from = if *to == 0 { place } else { *from };
                *to = place + 1;
            }
        }
        Self(places)
    }

    /// The places among which every field of that name is.
    fn among(&self, name: &str) -> Range<usize> {
        let (from, to) = self.0.get(number(name)).copied().unwrap_or_default();
        usize::from(from)..usize::from(to)
    }
}

/// One of 64 numbers that a name has, in any case. Its length, first and last byte distinguish most names.
fn number(name: &str) -> usize {
    let letter = |byte: Option<u8>| byte.map_or(0, |byte| usize::from(byte.to_ascii_lowercase()));
    let (first, last) = (letter(name.bytes().next()), letter(name.bytes().next_back()));
    (5 * first + 3 * name.len() + last) % 64
}

/// The one value of all fields of one name; `None` of none.
pub(crate) fn joined<'v>(mut values: impl Iterator<Item = &'v [u8]>) -> Option<Cow<'v, [u8]>> {
    let mut joined = Cow::Borrowed(values.next()?);
    for value in values {
        let bytes = joined.to_mut();
        bytes.extend_from_slice(SEPARATOR);
        bytes.extend_from_slice(value);
    }
    Some(joined)
}

/// A header value that is not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotText;

fn check_bytes(value: &[u8], is_forbidden: impl Fn(u8) -> bool) -> Result<(), Violation> {
    // Looks at every byte, so that the compiler can look at many at once; the place matters only to a refusal.
    if !value.iter().fold(false, |found, byte| found | is_forbidden(*byte)) {
        return Ok(());
    }
    let position = value.iter().take_while(|byte| !is_forbidden(**byte)).count() + 1;
    Err(Violation::with(Reason::HeaderByteForbidden, &[&position]))
}

/// PEM and base64 have line breaks if no HTTP was in between, as from a proxy's variable or a file.
fn is_forbidden_in_certificate(byte: u8) -> bool {
    is_forbidden(byte) && !matches!(byte, b'\r' | b'\n')
}

fn is_forbidden(byte: u8) -> bool {
    (byte < 0x20 && byte != b'\t') || byte == 0x7F
}

/// A header's name in the form that an answer may hold.
fn printable(name: &str) -> String {
    name.chars().filter(char::is_ascii_graphic).take(64).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn reason(value: &[u8]) -> Option<Reason> {
        Headers::parse(&[("X-Test", value)]).err().map(|refusal| refusal.reason())
    }

    #[test]
    fn repeated_fields_join_and_names_ignore_case() {
        let fields: [(&str, &[u8]); 3] = [("Digest", b" a "), ("X", b"1"), ("dIGEST", b"b")];
        let headers = Headers::parse(&fields).unwrap();
        assert_eq!(headers.get("digest").unwrap().as_ref(), b"a, b");
        assert!(headers.has("x") && !headers.has("y"));
    }

    #[test]
    fn every_field_is_found_in_any_case_and_among_any_others() {
        let names =
            ["", "a", "Å", "x-REQUEST-id", "DATE", "PSU-ID", "TPP-Signature-Certificate", "X-\u{212A}"];
        let fields: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, name.as_bytes())).collect();
        for count in 0..=fields.len() {
            let headers = Headers::unchecked(&fields[..count]);
            for (place, name) in names.iter().enumerate() {
                let expected = (place < count).then_some(name.as_bytes());
                for spelt in [(*name).to_owned(), name.to_ascii_uppercase(), name.to_ascii_lowercase()] {
                    assert_eq!(headers.get(&spelt).as_deref(), expected, "{spelt} of {count}");
                    assert_eq!(headers.count(&spelt), usize::from(place < count));
                }
            }
            assert!(!headers.has("Ax") && !headers.has("å") && !headers.has("X-k"));
        }
    }

    proptest! {
        /// Of names so short and so alike, many share a number.
        #[test]
        fn a_look_up_is_a_search_through_all_fields(
            sent in prop::collection::vec("[abAB]{1,2}[x-z]{0,9}[aA]?", 0..12),
            sought in "[abAB]{1,2}[x-z]{0,9}[aA]?",
        ) {
            let numbered: Vec<_> = (0..sent.len()).map(|place| place.to_string()).collect();
            let fields: Vec<_> = sent.iter().zip(&numbered).map(|(name, value)| (&**name, value.as_bytes())).collect();
            for name in sent.iter().chain([&sought]) {
                let all = fields.iter().filter(|(found, _)| found.eq_ignore_ascii_case(name));
                let all: Vec<_> = all.map(|(_, value)| std::str::from_utf8(value).unwrap()).collect();
                let expected = (!all.is_empty()).then(|| all.join(", "));
                let headers = Headers::unchecked(&fields);
                prop_assert_eq!(headers.text(name).map(|text| text.unwrap().into_owned()), expected);
                prop_assert_eq!(headers.count(name), all.len());
            }
        }
    }

    #[test]
    fn control_characters_are_named_by_position() {
        for byte in [0, b'\r', b'\n', 0x1F, 0x7F] {
            assert_eq!(reason(&[b'a', byte]), Some(Reason::HeaderByteForbidden));
        }
        assert_eq!(reason(b"a\tb \xE6"), None);
    }

    #[test]
    fn the_certificate_alone_has_line_breaks_and_no_other_control_character() {
        let reason =
            |name: &str, value: &[u8]| Headers::parse(&[(name, value)]).err().map(|refusal| refusal.reason());
        let pem = b"-----BEGIN CERTIFICATE-----\r\nAQID\n-----END CERTIFICATE-----\n";
        for value in [&pem[..], b"AQID\n", b"AQ\r\n ID\n\tBA==", b"\r\nAQID"] {
            assert_eq!(reason("tpp-signature-certificate", value), None, "{}", value.escape_ascii());
        }
        assert_eq!(
            reason("TPP-Signature-Certificate", &[&pem[..], b"\0"].concat()),
            Some(Reason::HeaderByteForbidden)
        );
        assert_eq!(reason("TPP-Signature-Certificate", b"AQ\x0bID"), Some(Reason::HeaderByteForbidden));
        assert_eq!(reason("TPP-Redirect-URI", pem), Some(Reason::HeaderByteForbidden));
    }

    #[test]
    fn the_longest_value_passes_and_one_byte_more_does_not() {
        assert_eq!(reason(&vec![b'a'; HEADER_VALUE_BYTES_MAX]), None);
        assert_eq!(reason(&vec![b'a'; HEADER_VALUE_BYTES_MAX + 1]), Some(Reason::HeaderTooLong));
    }

    #[test]
    fn a_name_has_the_limit_of_a_value() {
        let reason = |length: usize| {
            Headers::parse(&[("x", b"1"), (&"x".repeat(length), b"")]).err().map(|refusal| refusal.reason())
        };
        assert_eq!(reason(HEADER_VALUE_BYTES_MAX), None);
        for length in [HEADER_VALUE_BYTES_MAX + 1, 1 << 24] {
            assert_eq!(reason(length), Some(Reason::HeaderTooLong), "{length}");
        }
    }

    #[test]
    fn repeated_fields_have_one_limit_together() {
        let half = vec![b'a'; HEADER_VALUE_BYTES_MAX / 2];
        let rest = vec![b'a'; HEADER_VALUE_BYTES_MAX / 2 - SEPARATOR.len()];
        assert!(Headers::parse(&[("X", &half), ("y", &half), ("x", &rest)]).is_ok());
        let refusal = Headers::parse(&[("X", &half), ("y", b"\0"), ("x", &half)]).unwrap_err();
        assert_eq!(
            refusal.reason(),
            Reason::HeaderTooLong,
            "the length is checked before the control character"
        );
        assert_eq!(refusal.findings().next().unwrap().path.as_deref(), Some("X"));
    }

    #[test]
    fn two_hundred_fields_pass_and_one_more_does_not() {
        let field: (&str, &[u8]) = ("a", b"b");
        assert!(Headers::parse(&vec![field; HEADER_FIELDS_MAX]).is_ok());
        let refusal = Headers::parse(&vec![field; HEADER_FIELDS_MAX + 1]).unwrap_err();
        assert_eq!(refusal.reason(), Reason::HeaderFieldsTooMany);
    }
}
