//! A store with a step before and after each change.

use std::sync::Arc;

use xs2a::store::{ClaimedOrders, Committed, Store, Write};
use xs2a::Result;

use crate::fakes::reads_of_the_store_inside;
use crate::steps::Steps;

pub(crate) struct SteppingStore {
    pub(crate) inner: Arc<dyn Store>,
    pub(crate) steps: Arc<Steps>,
}

/// What a commit is about.
fn name(writes: &[Write]) -> &'static str {
    let named = writes.iter().find_map(|write| match write {
        Write::InsertPayment { .. } => Some("creation"),
        Write::EnqueueOrder(_) => Some("approval"),
        Write::RescheduleOrder(_) => Some("postponing"),
        Write::SetOrderAside(_) => Some("setting aside"),
        Write::RetryOrder { .. } => Some("retrying"),
        Write::RemoveOrder(_) => Some("answer"),
        _ => None,
    });
    named.unwrap_or("refusal")
}

impl SteppingStore {
    fn around<T>(&self, name: &str, work: impl FnOnce() -> T) -> T {
        self.steps.reach(&format!("before {name}"));
        let done = work();
        self.steps.reach(&format!("after {name}"));
        done
    }
}

impl Store for SteppingStore {
    fn is_shared(&self) -> bool {
        self.inner.is_shared()
    }

    fn commit(&self, writes: &[Write]) -> Result<Committed> {
        self.around(name(writes), || self.inner.commit(writes))
    }

    fn claim_orders(
        &self,
        now: chrono::DateTime<chrono::Utc>,
        until: chrono::DateTime<chrono::Utc>,
        limit: usize,
    ) -> Result<ClaimedOrders> {
        self.around("claim", || self.inner.claim_orders(now, until, limit))
    }

    reads_of_the_store_inside!(but claim_orders);
}
