//! The signing string (contract: Authentication, 4): for each listed name the lower-case name, a colon, a
//! space and the value, joined by newlines.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::reason::{Reason, Violation};
use crate::wire::headers::{joined, Headers};

/// The pseudo-header for method and target.
pub(crate) const REQUEST_TARGET: &str = "(request-target)";

/// What must be signed wherever the request has it, in the contract's order.
pub(crate) const MANDATORY: [&str; 6] =
    ["date", "digest", "x-request-id", "psu-id", "psu-corporate-id", "tpp-redirect-uri"];

/// Longest header name that a message repeats.
const NAME_CHARS_SHOWN: usize = 64;

/// The header fields of a request.
pub trait Fields {
    /// The value of a field, found without regard to case, without white space around it. Several fields of
    /// one name are joined by `, `, in order (RFC 9110 section 5.2). `None` where there is none.
    fn value(&self, name: &str) -> Option<Cow<'_, [u8]>>;
}

impl Fields for Headers<'_> {
    fn value(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        self.get(name)
    }
}

impl<N: AsRef<str>, V: AsRef<[u8]>> Fields for [(N, V)] {
    fn value(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let own = self.iter().filter(|(own, _)| own.as_ref().eq_ignore_ascii_case(name));
        joined(own.map(|(_, value)| value.as_ref().trim_ascii()))
    }
}

/// Builds the signing string. Names are written in lower case, also if the list has upper case.
///
/// # Errors
/// [`Reason::SignedHeaderAbsent`] for the first name that the request lacks, then
/// [`Reason::SignedHeaderRepeated`] for the first that is listed twice.
pub fn signing_string<F: Fields + ?Sized>(
    method: &str,
    target: &str,
    fields: &F,
    names: &[&str],
) -> Result<Vec<u8>, Violation> {
    let absent = |name: &str| Violation::with(Reason::SignedHeaderAbsent, &[&shown(name)]);
    // Looked for before anything is built: a short list of repeated names must not make a long string.
    if let Some(repeated) = first_repeated(names) {
        let present = |name: &str| name.eq_ignore_ascii_case(REQUEST_TARGET) || fields.value(name).is_some();
        return Err(match names.iter().find(|name| !present(name)) {
            Some(name) => absent(name),
            None => Violation::with(Reason::SignedHeaderRepeated, &[&shown(repeated)]),
        });
    }
    let mut out = Vec::with_capacity(512);
    for name in names {
        if !out.is_empty() {
            out.push(b'\n');
        }
        out.extend(name.bytes().map(|byte| byte.to_ascii_lowercase()));
        out.extend_from_slice(b": ");
        if name.eq_ignore_ascii_case(REQUEST_TARGET) {
            out.extend(method.bytes().map(|byte| byte.to_ascii_lowercase()));
            out.push(b' ');
            out.extend_from_slice(target.as_bytes());
        } else {
            let value = fields.value(name).ok_or_else(|| absent(name))?;
            out.extend_from_slice(&value);
        }
    }
    Ok(out)
}

/// Whether every listed name can be one: a token (RFC 9110), which may be in parentheses. Names joined by commas would
/// not be found.
///
/// # Errors
/// [`Reason::SignedNameMalformed`] for the first that cannot.
pub(crate) fn check_names(names: &[&str]) -> Result<(), Violation> {
    match names.iter().find(|name| !is_name(name)) {
        Some(name) => Err(Violation::with(Reason::SignedNameMalformed, &[&shown(name)])),
        None => Ok(()),
    }
}

fn is_name(name: &str) -> bool {
    let token = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name);
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !token.is_empty() && token.bytes().all(is_token)
}

/// The first of the contract's mandatory names that the request has and the list lacks.
///
/// # Errors
/// [`Reason::SignedHeadersIncomplete`].
pub(crate) fn check_complete<F: Fields + ?Sized>(fields: &F, names: &[&str]) -> Result<(), Violation> {
    let listed = |mandatory: &str| names.iter().any(|name| name.eq_ignore_ascii_case(mandatory));
    match MANDATORY.iter().find(|name| !listed(name) && fields.value(name).is_some()) {
        Some(name) => Err(Violation::with(Reason::SignedHeadersIncomplete, &[name])),
        None => Ok(()),
    }
}

/// The mandatory names that the request has, in the contract's order: what a TPP signs.
pub fn names_to_sign<F: Fields + ?Sized>(fields: &F) -> Vec<&'static str> {
    MANDATORY.into_iter().filter(|name| fields.value(name).is_some()).collect()
}

/// Lists are short; one that is not is looked through with a set, so that no list costs its square.
fn first_repeated<'n>(names: &[&'n str]) -> Option<&'n str> {
    if names.len() <= 32 {
        let earlier =
            |index: usize, name: &str| names.iter().take(index).any(|other| other.eq_ignore_ascii_case(name));
        return names.iter().enumerate().find(|(index, name)| earlier(*index, name)).map(|(_, name)| *name);
    }
    let mut seen = HashSet::new();
    names.iter().find(|name| !seen.insert(name.to_ascii_lowercase())).copied()
}

/// A name as a message may repeat it, with the blanks of a list that was taken for one.
fn shown(name: &str) -> String {
    name.chars().filter(|character| matches!(character, ' '..='~')).take(NAME_CHARS_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FIELDS: [(&str, &[u8]); 8] = [
        ("Date", b"Wed, 19 Jan 2022 12:53:05 GMT"),
        ("X-REQUEST-ID", b"  4eba4445-1a4b-47b8-bdd5-4e56ef026b19\t"),
        ("Accept", b"application/json"),
        ("accept", b"text/plain "),
        ("Empty", b""),
        ("Half", b"a"),
        ("Half", b""),
        ("TPP-Redirect-URI", "https://tpp.example/cb?state=å".as_bytes()),
    ];

    fn build(names: &[&str]) -> Result<String, Violation> {
        let built = signing_string("GET", "/v1/accounts?withBalance=true", &FIELDS[..], names);
        built.map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn names_are_lower_case_and_values_trimmed_without_a_newline_at_the_end() {
        assert_eq!(
            build(&["date", "X-Request-Id", "tpp-redirect-uri"]).unwrap(),
            "date: Wed, 19 Jan 2022 12:53:05 GMT\n\
             x-request-id: 4eba4445-1a4b-47b8-bdd5-4e56ef026b19\n\
             tpp-redirect-uri: https://tpp.example/cb?state=å"
        );
    }

    #[test]
    fn the_request_target_is_the_lower_case_method_and_the_target_as_sent() {
        assert_eq!(
            build(&["(request-target)"]).unwrap(),
            "(request-target): get /v1/accounts?withBalance=true"
        );
    }

    #[test]
    fn repeated_fields_are_joined_and_empty_ones_stay() {
        assert_eq!(build(&["accept", "empty"]).unwrap(), "accept: application/json, text/plain\nempty: ");
        assert_eq!(build(&["half"]).unwrap(), "half: a, ");
        assert_eq!(build(&[]).unwrap(), "");
    }

    #[test]
    fn absent_comes_before_repeated() {
        let reason = |names: &[&str]| build(names).unwrap_err().reason;
        assert_eq!(reason(&["date", "psu-id"]), Reason::SignedHeaderAbsent);
        assert_eq!(reason(&["date", "Date"]), Reason::SignedHeaderRepeated);
        assert_eq!(reason(&["date", "date", "(created)"]), Reason::SignedHeaderAbsent);
        assert_eq!(reason(&["(request-target)", "(Request-Target)"]), Reason::SignedHeaderRepeated);
        let long: Vec<&str> = std::iter::repeat_n("date", 10_000).collect();
        assert_eq!(reason(&long), Reason::SignedHeaderRepeated);
    }

    #[test]
    fn mandatory_names_count_only_where_the_request_has_them() {
        let complete = |names: &[&str]| check_complete(&FIELDS[..], names).is_ok();
        assert!(complete(&["tpp-redirect-uri", "DATE", "x-request-id"]));
        assert!(!complete(&["date", "x-request-id"]));
        assert_eq!(names_to_sign(&FIELDS[..]), ["date", "x-request-id", "tpp-redirect-uri"]);
    }

    #[test]
    fn a_listed_name_is_a_token_that_may_be_in_parentheses() {
        let refused =
            |names: &[&str]| check_names(names).map_err(|violation| (violation.reason, violation.arguments));
        assert_eq!(
            refused(&["date", "X-Request-ID", "(request-target)", "(created)", "!#$%&'*+-.^_`|~"]),
            Ok(())
        );
        assert_eq!(refused(&[]), Ok(()));
        for name in [
            "date,digest",
            "date,",
            ",",
            "date;digest",
            "date:",
            "()",
            "(date",
            "date)",
            "(a),(b)",
            "\"date\"",
            "a/b",
        ] {
            let expected = (Reason::SignedNameMalformed, vec![name.to_owned()]);
            assert_eq!(refused(&["date", name, "?"]), Err(expected));
        }
        assert_eq!(refused(&["dåte"]).unwrap_err().0, Reason::SignedNameMalformed);
    }

    #[test]
    fn a_message_repeats_no_more_than_a_name() {
        let violation = build(&[&"x\u{7}".repeat(100)]).unwrap_err();
        assert_eq!(violation.arguments, ["x".repeat(64)]);
        assert_eq!(build(&["date digest"]).unwrap_err().arguments, ["date digest"]);
    }

    proptest! {
        #[test]
        fn no_input_panics(names in proptest::collection::vec("\\PC{0,8}", 0..40)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let _ = build(&names);
        }
    }
}
