//! What a sandbox does on purpose to a call that its TPP may make: it is refused, or answered later.

use super::engine_context::EngineContext;
use crate::env::interference::{Interfered, ObservedCall};

/// Asks what is done to the call; that lasts as long as its walk. A production engine does nothing.
pub(crate) fn interfere(call: &ObservedCall<'_>, engine: &EngineContext) -> Interfered {
    let interference = engine.interference.as_ref();
    interference.map_or_else(Interfered::default, |interference| interference.call_begins(call))
}
