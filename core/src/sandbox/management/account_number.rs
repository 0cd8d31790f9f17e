//! Account numbers in bodies of the sandbox.

use crate::reason::{Reason, Violation};
use crate::types::{Bban, Iban};
use crate::wire::json::Json;
use crate::wire::reader::{Member, Reader};

const BBAN: &str = "bban";
const IBAN: &str = "iban";
const NAMES: [&str; 2] = [BBAN, IBAN];

/// That an account goes without a number.
pub(super) fn none() -> Violation {
    Violation::with(Reason::MembersOneRequired, &[&NAMES.join(", ")])
}

/// `{bban, iban}`: either, or both where they agree. An empty text counts as absent, as the other of the two
/// may be all that an account abroad has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AccountNumbers {
    pub(crate) bban: Option<Bban>,
    pub(crate) iban: Option<Iban>,
}

impl AccountNumbers {
    /// What the docs call them.
    pub(super) const NAME: &'static str = "account-numbers";

    /// Whether these are numbers of the account that has those.
    pub(super) fn name(&self, bban: &Bban, iban: &Iban) -> bool {
        self.bban.is_none_or(|own| own == *bban) && self.iban.is_none_or(|own| own == *iban)
    }

    /// Both forms, where one follows from the other.
    pub(super) fn completed(self) -> Self {
        let from_iban = self.iban.and_then(|iban| iban.bban());
        let from_bban = self.bban.and_then(|bban| Iban::of_norwegian(&bban));
        Self { bban: self.bban.or(from_iban), iban: self.iban.or(from_bban) }
    }
}

impl Member for AccountNumbers {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        reader.members(value, |name| NAMES.contains(&name))?;
        let (bban, iban) = (number::<Bban>(value, BBAN, reader), number::<Iban>(value, IBAN, reader));
        let (bban, iban) = (bban?, iban?);
        match (bban, iban) {
            (None, None) => reader.keep(Err(none())),
            (Some(bban), Some(iban)) if differ(&bban, &iban) => {
                reader.keep(Err(Reason::AccountNumbersDiffer))
            }
            _ => Some(Self { bban, iban }),
        }
    }
}

/// As [`AccountNumbers`], but the texts may all be empty, as in an answer about an unknown party. One member must be
/// there, so that a misspelt name is not read as an unknown account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NumbersIfKnown(pub(crate) Option<AccountNumbers>);

impl NumbersIfKnown {
    /// Whether these are numbers of the account that has those.
    pub(super) fn name(&self, bban: &Bban, iban: &Iban) -> bool {
        self.0.is_some_and(|numbers| numbers.name(bban, iban))
    }
}

impl Member for NumbersIfKnown {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let sent = NAMES.map(|name| value.member(name).filter(|value| **value != Json::Null));
        let is_empty = |value: &Json<'_>| matches!(value, Json::String(text) if text.is_empty());
        let is_unknown = sent.iter().any(Option::is_some) && sent.into_iter().flatten().all(is_empty);
        if !is_unknown {
            return AccountNumbers::read(value, reader).map(|numbers| Self(Some(numbers)));
        }
        reader.members(value, |name| NAMES.contains(&name)).map(|_| Self(None))
    }
}

/// Whether an IBAN of Norway has another account number in it.
pub(super) fn differ(bban: &Bban, iban: &Iban) -> bool {
    iban.bban().is_some_and(|inside| inside != *bban)
}

/// A number, absent or empty; `None` where it has a fault.
#[expect(clippy::option_option, reason = "the outer one is None for a fault")]
fn number<T: Member>(object: &Json<'_>, name: &'static str, reader: &mut Reader) -> Option<Option<T>> {
    match object.member(name) {
        None | Some(Json::Null) => Some(None),
        Some(Json::String(text)) if text.is_empty() => Some(None),
        Some(value) => reader.within(name, |reader| T::read(value, reader)).map(Some),
    }
}
