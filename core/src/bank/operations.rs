//! The bank's own operations.

use std::fmt::{self, Debug};

use chrono::{DateTime, Utc};

use crate::env::entropy::Entropy;
use crate::error::{Error, Result};
use crate::operation::Operation;
use crate::policy::Policy;
use crate::reason::Refusal;
use crate::wire::target::Target;

/// A call of one of the bank's own operations, as the engine passes it on: routed, signed, not replayed, of a
/// registered TPP with the required role. Only the body and the query are not read yet.
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

/// What the bank answers to a call of its own operations. A value that breaks a rule below is
/// [`Error::BankAnswer`](crate::Error::BankAnswer).
#[derive(Clone, PartialEq, Eq)]
pub struct BankAnswer {
    /// The HTTP status, from 200 to 399: a refused call is a [`Refusal`] instead.
    pub status: u16,
    /// The body in JSON; empty if there is none, such as for a 204.
    pub body: Vec<u8>,
    /// The path of the created resource: it begins with `/v1/`, and is printable ASCII without spaces.
    pub location: Option<String>,
}

/// Log-safe: the operation without its parameters and body.
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
    /// which the engine serves beside its own; building the engine fails for other ids. A path of the engine's own
    /// table comes first.
    fn operations(&self) -> &'static [Operation];

    /// Performs one of [`Self::operations`] completely, or changes nothing.
    ///
    /// # Errors
    /// [`Error::Bank`](crate::Error::Bank). A mistake of the TPP is a [`Refusal`] instead.
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
