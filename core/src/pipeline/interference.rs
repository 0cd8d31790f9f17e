//! Between stages 4 and 5, where an engine has somebody who interferes: a call that its TPP may make is refused on
//! purpose, or answered later.

use super::engine_context::EngineContext;
use super::stages::authorise::Authorised;
use crate::env::interference::{Interfered, ObservedCall};
use crate::payment::product::Product;

/// Asks whoever may interfere what is done to the call; that lasts as long as its walk.
pub(crate) fn interfere(authorised: &Authorised<'_>, engine: &EngineContext) -> Interfered {
    let Some(interference) = &engine.interference else { return Interfered::default() };
    let parsed = authorised.parsed();
    interference.call_begins(&ObservedCall {
        operation: parsed.operation(),
        tpp: authorised.tpp(),
        product: parsed.call().product().map(Product::as_str),
        request: parsed.request(),
    })
}
