//! Why a revocation list is not taken.

use thiserror::Error;

use crate::crypto::RefusedScheme;
use crate::limits::CRL_BYTES_MAX;

/// Why a list is not taken.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
#[non_exhaustive]
pub enum ListFault {
    /// Neither DER nor PEM with an `X509 CRL` in it.
    #[error("it is neither DER nor PEM of a revocation list")]
    NotDecodable,
    /// Larger than [`CRL_BYTES_MAX`].
    #[error("it is larger than {CRL_BYTES_MAX} bytes")]
    TooLarge,
    /// Not a list of RFC 5280.
    #[error("it is not a revocation list of RFC 5280")]
    Malformed,
    /// A list without nextUpdate would never expire.
    #[error("it does not say when the next list comes (nextUpdate)")]
    NoNextUpdate,
    /// A delta list names changes alone.
    #[error("it is a delta list; the complete one is needed")]
    Delta,
    /// By its issuingDistributionPoint it covers some reasons alone, attribute certificates, or those of other issuers.
    #[error("it covers only some reasons, only attribute certificates, or other issuers' certificates")]
    Partial,
    /// A critical extension that is not understood.
    #[error("it has a critical extension that is not understood")]
    ExtensionUnknown,
    /// None of the authorities given has the issuer's name and may sign lists.
    #[error("no authority was given that has its issuer's name and may sign revocation lists")]
    IssuerUnknown,
    /// The scheme, or the key of such an authority, is not supported: the signature was not checked.
    #[error("it is signed in a way that is not accepted: {0}")]
    SignatureRefused(RefusedScheme),
    /// No such authority's key made the signature.
    #[error("its signature does not verify")]
    SignatureInvalid,
    /// A newer list of the issuer is there.
    #[error("it is older than the list that is there")]
    Outdated,
    /// More lists than `REVOCATION_LISTS_MAX`.
    #[error("there are too many lists")]
    TooMany,
}
