//! The bank's own operations.

use std::fmt::{self, Debug};

use chrono::{DateTime, Utc};

use crate::env::entropy::Entropy;
use crate::error::{Error, Result};
use crate::operation::Operation;
use crate::policy::Policy;
use crate::reason::Refusal;
use crate::wire::target::Target;

/// A call of one of the bank's own operations, as the engine hands it over: routed, signed, not replayed, of a
/// registered TPP with the role it takes. Only the body and the query are unread.
#[derive(Clone, Copy)]
pub struct BankCall<'c> {
    /// The row of [`BankOperations::operations`].
    pub operation: &'static Operation,
    /// The values of its path parameters, in the order of the path.
    pub parameters: &'c [String],
    /// The path and the query.
    pub target: &'c Target<'c>,
    /// The body as it came.
    pub body: &'c [u8],
    /// The organisation identifier of the calling TPP.
    pub tpp: &'c str,
    /// The engine's policy.
    pub policy: &'c Policy,
    /// The engine's randomness.
    pub entropy: &'c dyn Entropy,
}

/// What the bank answers to a call of its own operations. Another status, body or path than is said here counts as
/// [`Error::BankAnswer`](crate::Error::BankAnswer).
#[derive(Clone, PartialEq, Eq)]
pub struct BankAnswer {
    /// The HTTP status, from 200 to 399: what is refused is a [`Refusal`].
    pub status: u16,
    /// The body in JSON; empty where there is none, as of a 204.
    pub body: Vec<u8>,
    /// The path of what was made: it begins with `/v1/`, and is printable ASCII without spaces.
    pub location: Option<String>,
}

/// Log-safe: what was asked, not what it was about.
impl Debug for BankCall<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BankCall").field("operation", &self.operation.name).finish_non_exhaustive()
    }
}

/// Log-safe: the status alone.
impl Debug for BankAnswer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("BankAnswer").field("status", &self.status).finish_non_exhaustive()
    }
}

/// Operations of the bank beside those of the engine.
pub trait BankOperations: Send + Sync {
    /// The operations of the bank's own: rows with the id [`OperationId::OfBank`](crate::operation::OperationId),
    /// which the engine answers beside its own; it is not built over others. A path of the engine's own table comes
    /// first.
    fn operations(&self) -> &'static [Operation];

    /// Performs one of [`Self::operations`], whole or not at all.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank). What is the TPP's doing is a [`Refusal`] instead.
    fn perform(
        &self,
        call: &BankCall<'_>,
        now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>>;
}

/// A bank without operations of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoOwnOperations;

impl BankOperations for NoOwnOperations {
    fn operations(&self) -> &'static [Operation] {
        &[]
    }

    fn perform(
        &self,
        call: &BankCall<'_>,
        _now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>> {
        Err(Error::Internal(format!("the bank does not perform {}", call.operation.name)))
    }
}
