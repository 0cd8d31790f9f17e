//! The bank's own risk analysis (contract: Authentication; the service may exempt or require SCA by it).

use super::engine_context::EngineContext;
use super::stages::parse::Parsed;
use crate::bank::{ScaDemand, ScaOccasion, ScaQuestion};
use crate::error::Result;
use crate::types::ActingPsu;

/// What the bank says of a call. It is asked at most once of each.
pub(crate) fn sca_requirement(
    engine: &EngineContext,
    parsed: &Parsed<'_>,
    tpp: &str,
    psu: &ActingPsu,
    occasion: ScaOccasion<'_>,
) -> Result<ScaDemand> {
    let client = parsed.call_headers().psu_client();
    engine.bank().requires_sca(&ScaQuestion { occasion, tpp, psu, client: &client })
}
