//! The id that a TPP gives to a call.

use std::fmt::{self, Debug, Display};

use uuid::Uuid;

use super::inline_ascii::InlineAscii;

/// The longest id, in characters.
pub const REQUEST_ID_CHARS_MAX: usize = 64;

/// An `X-Request-ID`: 1 to 64 visible ASCII characters. Of a UUID in its usual form the letters are lower-case: clients
/// that write them in either case mean one id.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RequestId(InlineAscii<REQUEST_ID_CHARS_MAX>);

impl RequestId {
    /// The id of that text; `None` if it is no id.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return None;
        }
        match hyphenated(text) {
            Some(uuid) => Some(uuid.into()),
            None => InlineAscii::copy(text).map(Self),
        }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The UUID that it is, if it is one with hyphens.
    pub fn uuid(&self) -> Option<Uuid> {
        hyphenated(self.as_str())
    }
}

fn hyphenated(text: &str) -> Option<Uuid> {
    Uuid::try_parse(text).ok().filter(|_| text.len() == uuid::fmt::Hyphenated::LENGTH)
}

impl From<Uuid> for RequestId {
    fn from(uuid: Uuid) -> Self {
        let mut buffer = [0; uuid::fmt::Hyphenated::LENGTH];
        Self(InlineAscii::copy(uuid.hyphenated().encode_lower(&mut buffer)).unwrap_or_default())
    }
}

impl Display for RequestId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Debug for RequestId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "RequestId({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_1_to_64_visible_characters() {
        let longest = "~".repeat(REQUEST_ID_CHARS_MAX);
        for text in
            ["x", "TEST_SCRIPT_REQUEST_ID_1", "!", longest.as_str(), "{67e55044-10b1-426f-9247-bb680e5fe0c8}"]
        {
            assert_eq!(RequestId::parse(text).unwrap().as_str(), text);
        }
        let too_long = "x".repeat(REQUEST_ID_CHARS_MAX + 1);
        for text in ["", " ", "a b", "a\t", "å", "\u{7f}", too_long.as_str()] {
            assert_eq!(RequestId::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_uuid_is_one_id_in_either_case_and_another_text_is_not() {
        let id = |text: &str| RequestId::parse(text).unwrap();
        let (lower, upper) =
            (id("67e55044-10b1-426f-9247-bb680e5fe0c8"), id("67E55044-10B1-426F-9247-BB680E5FE0C8"));
        assert_eq!(lower, upper);
        assert_eq!(lower.uuid().map(RequestId::from), Some(lower));
        let others = ["a", "A", "67e5504410b1426f9247bb680e5fe0c8"].map(id);
        assert!(others.iter().all(|other| other.uuid().is_none() && *other != lower));
        assert_ne!(others[0], others[1]);
    }
}
