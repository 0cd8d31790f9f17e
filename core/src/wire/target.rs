//! The request target: path segments and query parameters (RFC 9112, RFC 3986).

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::limits::TARGET_BYTES_MAX;
use crate::reason::{Reason, Violation};

/// A target in origin form, split but not yet routed.
#[derive(Debug, Clone)]
pub struct Target<'r> {
    segments: Vec<Cow<'r, str>>,
    query: Vec<(Cow<'r, str>, Cow<'r, str>)>,
}

impl<'r> Target<'r> {
    /// Splits a target and decodes its percent escapes.
    ///
    /// # Errors
    /// [`Reason::TargetMalformed`] for anything but an absolute path with an optional query, for escapes
    /// that are not UTF-8; [`Reason::TargetTooLong`].
    pub fn parse(text: &'r str) -> Result<Self, Violation> {
        if text.len() > TARGET_BYTES_MAX {
            return Err(Violation::with(Reason::TargetTooLong, &[&TARGET_BYTES_MAX]));
        }
        let is_plain = text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains('#');
        if !is_plain {
            return Err(Reason::TargetMalformed.into());
        }
        let (path, query) = text.split_once('?').unwrap_or((text, ""));
        let path = path.strip_prefix('/').ok_or(Reason::TargetMalformed)?;
        Ok(Self {
            segments: path.split('/').map(decode).collect::<Result<_, _>>()?,
            query: query.split('&').filter(|pair| !pair.is_empty()).map(pair).collect::<Result<_, _>>()?,
        })
    }

    /// The decoded segments. A trailing slash shows as an empty last one.
    pub fn segments(&self) -> &[Cow<'r, str>] {
        &self.segments
    }

    /// The decoded segments below a base path such as `/api`; all of them for an empty one. `None` where the
    /// target does not lie below it.
    pub fn segments_below(&self, base_path: &str) -> Option<&[Cow<'r, str>]> {
        base_path.split('/').skip(1).try_fold(self.segments(), |rest, wanted| {
            rest.split_first().filter(|(found, _)| *found == wanted).map(|(_, below)| below)
        })
    }

    /// The value of a query parameter.
    ///
    /// # Errors
    /// [`Reason::QueryParameterRepeated`] where it occurs twice.
    pub fn parameter(&self, name: &str) -> Result<Option<&str>, Reason> {
        let mut values =
            self.query.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_ref());
        match (values.next(), values.next()) {
            (_, Some(_)) => Err(Reason::QueryParameterRepeated),
            (value, None) => Ok(value),
        }
    }

    /// A query parameter that is `true` or `false`; absent is false.
    ///
    /// # Errors
    /// [`Reason::QueryNotBoolean`], [`Reason::QueryParameterRepeated`].
    pub fn switch(&self, name: &str) -> Result<bool, Reason> {
        self.parameter(name)?.map_or(Ok(false), switch)
    }
}

/// What the value of a switch says.
pub(crate) fn switch(text: &str) -> Result<bool, Reason> {
    match text {
        "false" => Ok(false),
        "true" => Ok(true),
        _ => Err(Reason::QueryNotBoolean),
    }
}

fn pair(text: &str) -> Result<(Cow<'_, str>, Cow<'_, str>), Reason> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    Ok((decode(name)?, decode(value)?))
}

fn decode(text: &str) -> Result<Cow<'_, str>, Reason> {
    if !text.contains('%') {
        return Ok(Cow::Borrowed(text));
    }
    let escapes = text.split('%').skip(1);
    for escape in escapes {
        let mut digits = escape.bytes();
        let is_hex = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_hexdigit());
        if !is_hex(digits.next()) || !is_hex(digits.next()) {
            return Err(Reason::TargetMalformed);
        }
    }
    percent_decode_str(text).decode_utf8().map_err(|_| Reason::TargetMalformed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Language;
    use proptest::prelude::*;

    #[test]
    fn segments_and_parameters_are_decoded() {
        let target = Target::parse("/v1/a%21%21b%3D/c?x=1&y=%20&z").unwrap();
        assert_eq!(target.segments(), ["v1", "a!!b=", "c"]);
        assert_eq!(target.parameter("x"), Ok(Some("1")));
        assert_eq!(target.parameter("y"), Ok(Some(" ")));
        assert_eq!(target.parameter("z"), Ok(Some("")));
        assert_eq!(target.parameter("w"), Ok(None));
    }

    #[test]
    fn an_escaped_slash_does_not_split() {
        assert_eq!(Target::parse("/a%2Fb").unwrap().segments(), ["a/b"]);
    }

    #[test]
    fn a_trailing_slash_is_another_path() {
        assert_ne!(Target::parse("/a").unwrap().segments(), Target::parse("/a/").unwrap().segments());
    }

    #[test]
    fn a_base_path_is_whole_segments() {
        let below = |base: &str| {
            let target = Target::parse("/api/v1/x").unwrap();
            target.segments_below(base).map(|segments| segments.join("/"))
        };
        assert_eq!(below("").as_deref(), Some("api/v1/x"));
        assert_eq!(below("/api").as_deref(), Some("v1/x"));
        assert_eq!(below("/api/v1").as_deref(), Some("x"));
        assert_eq!((below("/ap"), below("/api/v1/x/y"), below("/other")), (None, None, None));
    }

    #[test]
    fn other_forms_are_refused() {
        for text in
            ["", "*", "a", "https://a/b", "/a b", "/a#b", "/%", "/%2", "/%GG", "/%FF", "/a?x=%", "/æ", "/\r"]
        {
            assert_eq!(Target::parse(text).err(), Some(Reason::TargetMalformed.into()), "{text}");
        }
    }

    #[test]
    fn a_target_too_long_is_reported_as_that_and_not_as_no_path() {
        let target = |bytes: usize| format!("/{}", "a".repeat(bytes - 1));
        assert!(Target::parse(&target(TARGET_BYTES_MAX)).is_ok());
        let refused = Target::parse(&target(TARGET_BYTES_MAX + 1)).unwrap_err();
        assert_eq!(refused.text(Language::English), "the request target has more than 8192 bytes");
    }

    #[test]
    fn a_switch_is_true_or_false_and_given_once() {
        let switch = |query: &str| Target::parse(&format!("/?{query}")).unwrap().switch("s");
        assert_eq!((switch(""), switch("s=false"), switch("s=true")), (Ok(false), Ok(false), Ok(true)));
        assert_eq!(
            (switch("s"), switch("s=1")),
            (Err(Reason::QueryNotBoolean), Err(Reason::QueryNotBoolean))
        );
        assert_eq!(switch("s=true&s=true"), Err(Reason::QueryParameterRepeated));
    }

    proptest! {
        #[test]
        fn no_target_makes_the_parser_panic(text in ".{0,80}") {
            let _ = Target::parse(&text);
        }
    }
}
