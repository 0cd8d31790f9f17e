//! The operator's plane of errors: the host's own mistakes and its environment. What a TPP sent never
//! ends up here; it is answered with a [`Refusal`](crate::reason::Refusal).

mod store_fault;

use std::borrow::Cow;
use std::fmt;

pub use self::store_fault::StoreFault;
use crate::reason::{Reason, Violation};

/// What went wrong on the host's side. `Display` is one line and safe to log: it holds no data of a PSU and no key,
/// but may repeat a text of the host's, escaped.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Error {
    /// The configuration cannot be used: a policy key, a trust anchor, a path.
    Config(String),
    /// The database cannot be reached, is of another version, or refused an operation.
    Store(StoreFault),
    /// The database works, but one record in it cannot be read or written. Waiting does not help, unlike with
    /// [`Error::Store`].
    Record(StoreFault),
    /// The connection to PostgreSQL was lost during a commit, and its outcome is unknown: the operation may have been
    /// done. Every function that can return [`Error::Store`] can return this too.
    OutcomeUnknown(StoreFault),
    /// The bank behind the engine failed, is unavailable, or answered too late. The text is logged, so it must name the
    /// fault and not the customer.
    Bank(String),
    /// The bank behind the engine gave an invalid answer. The outbox counts it as a failure of the order, unlike a bank
    /// that is unavailable.
    BankAnswer(String),
    /// A call that the host should not have made, such as authorising a link twice.
    Misuse(String),
    /// What the call names does not exist: an authorisation, a payment, a dead letter. Normal in operation, such as for
    /// a link that was typed.
    NotFound(String),
    /// An authorisation that was used, or is older than 10 minutes. Normal in operation: a PSU came back late, or
    /// twice.
    Expired(String),
    /// The state of the resource does not allow the call: a status that cannot follow the present one. Normal in
    /// operation: another channel was faster.
    Conflict(String),
    /// An account of the choice is not among those that the bank offers this PSU now.
    NotOffered(String),
    /// A bug of this library. Please report it.
    Internal(String),
}

impl Error {
    /// What `Display` writes after the kind. Line breaks and control characters of repeated texts are escaped, so that
    /// a text cannot forge a line of a log.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        let (_, text) = self.kind_and_text();
        escaped_line(text)
    }

    /// Whether another process or transaction held the store for longer than the engine waits. The same call may
    /// succeed when it is repeated.
    #[must_use]
    pub fn is_locked(&self) -> bool {
        self.store_fault().is_some_and(StoreFault::is_locked)
    }

    /// Whether the store gave no answer: the server is down or does not respond, no connection is free, or the file
    /// cannot be opened or read. After [`Error::OutcomeUnknown`] the commit may have been done.
    #[must_use]
    pub fn is_unreachable(&self) -> bool {
        self.store_fault().is_some_and(StoreFault::is_unreachable)
    }

    /// Whether stored data is damaged: a file that is no database or has an invalid page, or a table or an index of
    /// which the server says so. Repeating the call does not help; restore a backup.
    #[must_use]
    pub fn is_damaged(&self) -> bool {
        self.store_fault().is_some_and(StoreFault::is_damaged)
    }

    /// Whether nothing failed: the call is not possible now, or should not have been made. Such an error is for its
    /// caller, and is not logged.
    #[must_use]
    pub fn is_of_caller(&self) -> bool {
        match self {
            Self::Misuse(_)
            | Self::NotFound(_)
            | Self::Expired(_)
            | Self::Conflict(_)
            | Self::NotOffered(_) => true,
            Self::Config(_)
            | Self::Store(_)
            | Self::Record(_)
            | Self::OutcomeUnknown(_)
            | Self::Bank(_)
            | Self::BankAnswer(_)
            | Self::Internal(_) => false,
        }
    }

    /// The fault of a store's error.
    fn store_fault(&self) -> Option<&StoreFault> {
        match self {
            Self::Store(fault) | Self::Record(fault) | Self::OutcomeUnknown(fault) => Some(fault),
            _ => None,
        }
    }

    /// The word before the text, and the text as it was given.
    fn kind_and_text(&self) -> (&'static str, &str) {
        match self {
            Self::Config(text) => ("configuration", text),
            Self::Store(fault) | Self::Record(fault) | Self::OutcomeUnknown(fault) => ("store", fault.text()),
            Self::Bank(text) => ("bank", text),
            Self::BankAnswer(text) => ("bank's answer", text),
            Self::Misuse(text) => ("misuse", text),
            Self::NotFound(text) => ("not found", text),
            Self::Expired(text) => ("expired", text),
            Self::Conflict(text) => ("conflict", text),
            Self::NotOffered(text) => ("not offered", text),
            Self::Internal(text) => ("internal", text),
        }
    }

    /// A certificate of the host's that cannot be used, with its place.
    pub(crate) fn unusable(place: &str, fault: &impl fmt::Display) -> Self {
        Self::Config(format!("{place}: {fault}"))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, _) = self.kind_and_text();
        write!(out, "{kind}: {}", self.text())
    }
}

/// The cause is that of a store: an error of SQLite, of the operating system or of the network, or the SQLSTATE of
/// PostgreSQL.
impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.store_fault()?.source()
    }
}

/// A text as one line: line breaks and control characters are escaped.
pub(crate) fn escaped_line(text: &str) -> Cow<'_, str> {
    match text.contains(must_be_escaped) {
        true => {
            Cow::Owned(text.chars().fold(String::new(), |line, character| match must_be_escaped(character) {
                true => line + &character.escape_default().to_string(),
                false => line + character.encode_utf8(&mut [0; 4]),
            }))
        }
        false => Cow::Borrowed(text),
    }
}

/// Controls, and Unicode's own ends of a line and of a paragraph.
pub(crate) fn must_be_escaped(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// What the host itself gave and cannot be used, such as a bundle of certificates. What a TPP sent becomes a
/// [`Refusal`](crate::reason::Refusal) instead, and what comes out of a [`Bank`](crate::bank::Bank) is the bank's.
///
/// ```
/// use xs2a::trust::TrustAnchors;
/// use xs2a::types::{Bban, Currency, Money};
///
/// fn read(bundle: &[u8]) -> xs2a::Result<(TrustAnchors, Money, Bban)> {
///     let currency = Currency::parse("NOK")?;
///     Ok((TrustAnchors::from_bundle(bundle)?, Money::parse("12.50", currency)?, Bban::parse("95360573037")?))
/// }
///
/// let error = read(b"no certificate").unwrap_err();
/// assert!(matches!(error, xs2a::Error::Config(_)), "{error}");
/// ```
impl From<Violation> for Error {
    fn from(violation: Violation) -> Self {
        Self::Config(violation.to_string())
    }
}

/// As of a [`Violation`].
impl From<Reason> for Error {
    fn from(reason: Reason) -> Self {
        Violation::from(reason).into()
    }
}

/// `Result` with this library's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_would_end_the_line_or_work_on_a_terminal_is_escaped() {
        let message = |text: &str| Error::Misuse(text.to_owned()).to_string();
        assert_eq!(message("no `x\r\nERROR forged`"), r"misuse: no `x\r\nERROR forged`");
        assert_eq!(message("\u{1b}[2J\0\u{7f}\u{85}"), r"misuse: \u{1b}[2J\u{0}\u{7f}\u{85}");
        assert_eq!(message("\u{2028}\u{2029}"), r"misuse: \u{2028}\u{2029}");
    }

    #[test]
    fn every_other_text_is_repeated_as_it_is() {
        let text = "Blåbær \\ \"x\" ` \u{2027} \u{202a} \u{a0}";
        assert_eq!(Error::Store(text.into()).text(), text);
        assert!(matches!(Error::Store(text.into()).text(), Cow::Borrowed(_)));
    }

    #[test]
    fn a_store_error_has_one_condition_and_its_source() {
        use std::error::Error as _;
        let predicates = |error: &Error| [error.is_locked(), error.is_unreachable(), error.is_damaged()];
        let fault = || StoreFault::new("x");
        assert_eq!(predicates(&Error::Store(fault())), [false; 3]);
        assert_eq!(predicates(&Error::Store(fault().locked())), [true, false, false]);
        assert_eq!(predicates(&Error::OutcomeUnknown(fault().unreachable())), [false, true, false]);
        assert_eq!(predicates(&Error::Record(fault().damaged())), [false, false, true]);
        assert_eq!(predicates(&Error::Bank("locked".to_owned())), [false; 3]);
        let error = Error::Store(fault().caused_by(std::io::Error::other("cable")));
        assert_eq!(error.source().unwrap().to_string(), "cable");
        assert!(Error::Store(fault()).source().is_none());
        assert!(Error::Bank("x".to_owned()).source().is_none());
    }
}
