//! Between stages 4 and 5, where an engine has somebody who interferes: a call that its TPP may make is refused on
//! purpose, or answered later.

use chrono::{DateTime, TimeDelta, Utc};

use super::admit::{admit, refuse, Admitted};
use super::authorise::Authorised;
use super::parts::Parts;
use super::stop::Stop;
use crate::env::interference::{Interfered, ObservedCall};
use crate::payment::product::Product;
use crate::reason::Refusal;

/// What is done to the call; it lasts as long as its walk.
pub(crate) struct Interference {
    done: Interfered,
}

/// Asks whoever may interfere.
pub(crate) fn interfere(authorised: &Authorised<'_>, parts: &Parts) -> Interference {
    let done = parts.interference.as_ref().map(|interference| {
        let parsed = authorised.parsed();
        interference.call_begins(&ObservedCall {
            operation: parsed.operation(),
            tpp: authorised.tpp(),
            product: parsed.call().product().map(Product::as_str),
            request: parsed.request(),
        })
    });
    Interference { done: done.unwrap_or_default() }
}

impl Interference {
    /// How long after the call its answer comes.
    pub(crate) fn delay(&self) -> TimeDelta {
        self.done.delay
    }

    /// Stage 5, unless the call is refused.
    pub(crate) fn admit<'r>(
        &self,
        authorised: Authorised<'r>,
        parts: &Parts,
        now: DateTime<Utc>,
    ) -> Result<Admitted<'r>, Stop> {
        match self.done.refusal {
            None => admit(authorised, parts, now),
            Some(reason) => refuse(authorised, Refusal::new(reason), parts),
        }
    }
}
