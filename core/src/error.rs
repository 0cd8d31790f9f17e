//! The operator's plane of errors: the host's own mistakes and its environment. What a TPP sent never
//! ends up here; it is answered with a [`Refusal`](crate::reason::Refusal).

use std::borrow::Cow;

use crate::reason::{Reason, Violation};

/// What went wrong on the host's side. `Display` is one line and safe to log: it holds no data of a PSU and no key,
/// but may repeat a text of the host's, escaped.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The configuration cannot be used: a policy key, a trust anchor, a path.
    #[error("configuration: {}", self.text())]
    Config(String),
    /// The database cannot be reached, is of another version, or refused an operation.
    #[error("store: {}", self.text())]
    Store(String),
    /// The database works, but one record in it cannot be read or written. Waiting does not help, unlike with
    /// [`Error::Store`].
    #[error("store: {}", self.text())]
    Record(String),
    /// The connection to PostgreSQL was lost during a commit, and its outcome is unknown: the operation may have been
    /// done. Every function that can return [`Error::Store`] can return this too.
    #[error("store: {}", self.text())]
    OutcomeUnknown(String),
    /// The bank behind the engine failed, is unavailable, or answered too late. The text is logged, so it must name the
    /// fault and not the customer.
    #[error("bank: {}", self.text())]
    Bank(String),
    /// The bank behind the engine gave an invalid answer. The outbox counts it as a failure of the order, unlike a bank
    /// that is unavailable.
    #[error("bank's answer: {}", self.text())]
    BankAnswer(String),
    /// A call that the host should not have made, such as authorising a link twice.
    #[error("misuse: {}", self.text())]
    Misuse(String),
    /// A bug of this library. Please report it.
    #[error("internal: {}", self.text())]
    Internal(String),
}

impl Error {
    /// What `Display` writes after the kind. Line breaks and control characters of repeated texts are escaped, so that
    /// a text cannot forge a line of a log.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        let (Self::Config(text)
        | Self::Store(text)
        | Self::Record(text)
        | Self::OutcomeUnknown(text)
        | Self::Bank(text)
        | Self::BankAnswer(text)
        | Self::Misuse(text)
        | Self::Internal(text)) = self;
        match text.contains(must_be_escaped) {
            true => Cow::Owned(text.chars().fold(String::new(), |line, character| {
                match must_be_escaped(character) {
                    true => line + &character.escape_default().to_string(),
                    false => line + character.encode_utf8(&mut [0; 4]),
                }
            })),
            false => Cow::Borrowed(text),
        }
    }

    /// A certificate of the host's that cannot be used, with its place.
    pub(crate) fn unusable(place: &str, fault: &impl std::fmt::Display) -> Self {
        Self::Config(format!("{place}: {fault}"))
    }
}

/// Controls, and Unicode's own ends of a line and of a paragraph.
fn must_be_escaped(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}')
}

/// What the host itself gave and cannot be used, such as a bundle of certificates. What a TPP sent becomes a
/// [`Refusal`](crate::reason::Refusal) instead, and what comes out of a [`Bank`](crate::bank::Bank) is the bank's.
///
/// ```
/// use xs2a::tpp::trust::TrustAnchors;
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
        assert_eq!(Error::Store(text.to_owned()).text(), text);
        assert!(matches!(Error::Store(text.to_owned()).text(), Cow::Borrowed(_)));
    }
}
