//! The operator's plane of errors: the host's own mistakes and its environment. What a TPP sent never
//! ends up here; it is answered with a [`Refusal`](crate::reason::Refusal).

use crate::reason::{Reason, Violation};

/// What went wrong on the host's side. `Display` is safe to log: it holds no data of a PSU and no key.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The configuration cannot be used: a policy key, a trust anchor, a path.
    #[error("configuration: {0}")]
    Config(String),
    /// The database cannot be reached, is of another version, or refused an operation.
    #[error("store: {0}")]
    Store(String),
    /// The database is well, and one record in it cannot be read, or not be written as it is: waiting does not help, as
    /// it may with [`Error::Store`].
    #[error("store: {0}")]
    Record(String),
    /// The bank behind the engine failed, is away, or answered too late. The text is logged: a bank names the fault in
    /// it, and not the customer.
    #[error("bank: {0}")]
    Bank(String),
    /// The bank behind the engine answered something that cannot be used. To the outbox this is the order's fault,
    /// while a bank that is away is nobody's.
    #[error("bank's answer: {0}")]
    BankAnswer(String),
    /// A call that the host should not have made, such as authorising a link twice.
    #[error("misuse: {0}")]
    Misuse(String),
    /// A bug of this library. Please report it.
    #[error("internal: {0}")]
    Internal(String),
}

impl Error {
    /// A certificate of the host's that cannot be used, with where it stood.
    pub(crate) fn unusable(place: &str, violation: &Violation) -> Self {
        Self::Config(format!("{place}: {violation}"))
    }
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
/// let told = read(b"no certificate").unwrap_err();
/// assert!(matches!(told, xs2a::Error::Config(_)), "{told}");
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
