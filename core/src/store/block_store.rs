//! Whose calls are refused, in a store.

use chrono::{DateTime, Utc};

use crate::error::Result;
use crate::types::CertificateHash;

/// Whose calls are refused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockedSubject {
    /// A TPP, by its organisation identifier.
    Tpp(String),
    /// One certificate, by the SHA-256 of its DER.
    Certificate(CertificateHash),
}

impl BlockedSubject {
    /// The two columns of a row: which kind it is, and which one of the kind.
    pub(crate) fn columns(&self) -> (&'static str, String) {
        match self {
            Self::Tpp(organisation_id) => (BlockedKind::Tpp.as_str(), organisation_id.clone()),
            Self::Certificate(sha256) => (BlockedKind::Certificate.as_str(), sha256.to_string()),
        }
    }

    /// The subject of a row; `None` for columns that this library does not write.
    pub(crate) fn from_columns(kind: &str, subject: &str) -> Option<Self> {
        match BlockedKind::parse(kind)? {
            BlockedKind::Tpp => Some(Self::Tpp(subject.to_owned())),
            BlockedKind::Certificate => CertificateHash::parse(subject).map(Self::Certificate),
        }
    }
}

/// Which of both a block is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockedKind {
    /// All certificates of a TPP.
    Tpp,
    /// One certificate.
    Certificate,
}

impl BlockedKind {
    /// Its name in a row.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Tpp => "tpp",
            Self::Certificate => "certificate",
        }
    }

    /// The kind of that name.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        [Self::Tpp, Self::Certificate].into_iter().find(|kind| kind.as_str() == name)
    }
}

/// That calls are refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Whose calls.
    pub subject: BlockedSubject,
    /// From when on.
    pub since: DateTime<Utc>,
    /// Until when; `None`: until it is removed.
    pub until: Option<DateTime<Utc>>,
    /// Why, in the words of the operator.
    pub why: String,
}

/// Whose calls are refused.
pub trait BlockStore: Send + Sync {
    /// Whether a TPP (first) or its certificate is blocked at a time.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn find_block(
        &self,
        tpp: &str,
        certificate: CertificateHash,
        now: DateTime<Utc>,
    ) -> Result<Option<BlockedKind>>;

    /// All blocks that have not ended at a time, by kind and subject.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    fn list_blocks(&self, now: DateTime<Utc>) -> Result<Vec<Block>>;
}
