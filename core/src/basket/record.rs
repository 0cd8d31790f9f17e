//! What is kept of a signing basket.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::machine::BasketState;
use crate::machine::Machine;
use crate::types::{BasketId, Context, CorporateKey, Party, PaymentId, PsuKey};

/// A signing basket as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Basket {
    /// Its id.
    pub id: BasketId,
    /// Counts the changes, for compare-and-swap. A new basket has 1.
    pub version: u32,
    /// The organisation identifier of the TPP that created it.
    pub tpp: Arc<str>,
    /// Its payments in the order they were named: 1 to 10, all different. They never change.
    pub payments: Vec<PaymentId>,
    /// Who is to authorise it: the person the call named.
    pub psu: PsuKey,
    /// The context that person acts in: that of the payments, where they have one.
    pub context: Context,
    /// The corporate customer that person acts for, where that is known already.
    pub corporate: Option<CorporateKey>,
    /// Its state. Changed by [`Basket::become_state`] alone.
    pub state: BasketState,
    /// When it was created.
    pub created_at: DateTime<Utc>,
}

impl Basket {
    /// Whom it belongs to.
    pub(crate) fn party(&self) -> Party {
        Party { psu: Some(self.psu.clone()), context: Some(self.context), corporate: self.corporate.clone() }
    }

    /// Moves the basket to another state and counts the change. `false`, and nothing is changed, where the
    /// table has no such row.
    pub fn become_state(&mut self, to: BasketState) -> bool {
        let may = self.state.may_become(to);
        if may {
            self.state = to;
            self.version += 1;
        }
        may
    }
}
