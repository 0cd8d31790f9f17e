//! What is recorded of a call beside its answer: for the host's log and figures, never sent.

use std::sync::Arc;
use std::time::Duration;

use crate::env::current_call::Waited;

/// What a call was, as far as its stages found it.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallRecord {
    pub(crate) operation: Option<&'static str>,
    /// The organisation identifier in a valid certificate.
    pub(crate) tpp: Option<Arc<str>>,
    pub(crate) tpp_name: Option<Arc<str>>,
    /// The roles in that certificate, by the names of ETSI TS 119 495.
    pub(crate) roles: Vec<&'static str>,
    pub(crate) timing: Timing,
}

/// How long a call took, in microseconds by a monotonic clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Timing {
    /// From the request to its complete answer.
    pub total_micros: u64,
    /// Of that, waiting for the bank.
    pub bank_micros: u64,
    /// Of that, waiting for the store.
    pub store_micros: u64,
}

impl Timing {
    pub(crate) fn new(total: Duration, waited: Waited) -> Self {
        let micros = |taken: Duration| u64::try_from(taken.as_micros()).unwrap_or(u64::MAX);
        let [total_micros, bank_micros, store_micros] = [total, waited.bank, waited.store].map(micros);
        Self { total_micros, bank_micros, store_micros }
    }
}
