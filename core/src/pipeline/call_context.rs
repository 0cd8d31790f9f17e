//! One call: its request, and what is fixed for it before the first stage.

use chrono::{DateTime, NaiveDate, Utc};

use super::engine_context::EngineContext;
use crate::bank::Bank;
use crate::policy::Policy;
use crate::reason::Language;
use crate::store::Store;
use crate::types::{date, CallIds};
use crate::wire::headers::Headers;
use crate::wire::negotiation::Negotiated;
use crate::wire::request::Request;

/// What every stage may read. The clock and the policy are read once for each call, so that all of it is answered under
/// the same time and the same policy.
#[derive(Clone, Copy)]
pub(crate) struct CallContext<'r> {
    pub(crate) engine: &'r EngineContext,
    pub(crate) request: &'r Request<'r>,
    /// As they were sent: a refusal is worded and noted with them before they are checked.
    pub(crate) unchecked_headers: &'r Headers<'r>,
    pub(crate) ids: CallIds,
    pub(crate) negotiated: Negotiated,
    pub(crate) policy: &'r Policy,
    pub(crate) now: DateTime<Utc>,
}

impl<'r> CallContext<'r> {
    pub(crate) fn bank(&self) -> &'r dyn Bank {
        self.engine.bank()
    }

    pub(crate) fn store(&self) -> &'r dyn Store {
        self.engine.store()
    }

    /// The language of texts in the answer, and of the SCA site.
    pub(crate) fn language(&self) -> Language {
        self.negotiated.language
    }

    /// The day of the call at the bank.
    pub(crate) fn today(&self) -> NaiveDate {
        date::oslo_day(self.now)
    }
}
