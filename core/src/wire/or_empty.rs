//! Texts that may be empty: sent so, as forms and templates send what they have nothing for, they count as absent.

use super::json::Json;
use super::reader::{Member, Reader};

/// A member whose empty text counts as absent.
#[derive(Debug)]
pub(crate) struct OrEmpty<T>(pub(crate) Option<T>);

impl<T: Member> Member for OrEmpty<T> {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        match value {
            Json::String(text) if text.is_empty() => Some(Self(None)),
            value => T::read(value, reader).map(|value| Self(Some(value))),
        }
    }
}

impl<T> OrEmpty<T> {
    /// What is there.
    pub(crate) fn filled(self) -> Option<T> {
        self.0
    }
}

/// What is there of a member that may be absent, too.
pub(crate) fn filled<T>(member: Option<OrEmpty<T>>) -> Option<T> {
    member.and_then(OrEmpty::filled)
}
