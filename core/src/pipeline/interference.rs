//! What a sandbox does on purpose to a call that its TPP may make: it is refused, or answered later.

use std::sync::Arc;

use super::engine_context::EngineContext;
use crate::env::interference::{Interfered, Interference, ObservedCall};
use crate::policy::Policy;

/// Asks what is done to the call; that lasts as long as its walk. A production engine does nothing.
pub(crate) fn interfere(call: &ObservedCall<'_>, engine: &EngineContext, policy: &Policy) -> Interfered {
    let interference = engine.interference.as_ref();
    let begins =
        |interference: &Arc<dyn Interference>| interference.call_begins(call, policy.takes_scenarios());
    interference.map_or_else(Interfered::default, begins)
}
