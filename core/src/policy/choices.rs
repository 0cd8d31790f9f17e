//! The values of those policies that are a choice between names.

use serde::{Deserialize, Serialize};

use crate::reason::Category;

/// Production or sandbox: what differs is the default of some policies, never the SCA flow a TPP sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Environment {
    /// Fake customers, simulated transactions.
    Sandbox,
    /// Real PSU data.
    Production,
}

/// How strictly `keyId`'s issuer is compared with the certificate's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum KeyIdIssuer {
    /// Attributes other than CN, O, OU, L, ST and C may be left out, and the order does not count.
    Lenient,
    /// Every attribute is required, in the issuer's order.
    Exact,
}

/// What happens where the check digit of a Norwegian account number does not fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CheckDigit {
    /// The payment is refused: the default in production.
    Refuse,
    /// The answer warns: the default in the sandbox.
    Warn,
}

/// Which qualified certificates may sign requests (ETSI EN 319 412-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum CertificateType {
    /// Every certificate that chains to an anchor: the default.
    Any,
    /// Those for electronic seals, QSealC.
    Qseal,
    /// Those for website authentication, QWAC.
    Qwac,
}

impl CertificateType {
    /// The type by its name in a policy.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            "any" => Some(Self::Any),
            "qseal" => Some(Self::Qseal),
            "qwac" => Some(Self::Qwac),
            _ => None,
        }
    }

    /// The field's name of the type.
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Qseal => "QSealC",
            Self::Qwac => "QWAC",
        }
    }
}

/// Which values of `X-Request-ID` are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RequestIdForm {
    /// 1 to 64 visible ASCII characters: the default.
    Text,
    /// A UUID.
    Uuid,
}

/// When evidence of a read is written into the audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum AuditReads {
    /// With the answer, in a commit of its own: the default in a sandbox, whose snapshots hold everything.
    Committed,
    /// With others, about a second later: the default in production.
    Batched,
    /// Not at all.
    Off,
}

/// What happens with a certificate whose revocation status is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum OnUnknownRevocation {
    /// The call is refused.
    Refuse,
    /// The certificate counts.
    Accept,
}

impl From<CheckDigit> for Category {
    fn from(policy: CheckDigit) -> Self {
        match policy {
            CheckDigit::Refuse => Self::Error,
            CheckDigit::Warn => Self::Warning,
        }
    }
}
