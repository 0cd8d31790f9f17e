//! The bank's own risk analysis (contract: Authentication; the service may exempt or require SCA by it).

use crate::bank::{Bank, ScaDemand, ScaOccasion, ScaQuestion};
use crate::error::Result;
use crate::types::ActingPsu;
use crate::wire::call_headers::CallHeaders;

/// What the bank says of a call. It is asked at most once of each.
pub(crate) fn sca_requirement(
    bank: &dyn Bank,
    headers: &CallHeaders,
    tpp: &str,
    psu: &ActingPsu,
    occasion: ScaOccasion<'_>,
) -> Result<ScaDemand> {
    let client = headers.psu_client();
    bank.risk().requires_sca(&ScaQuestion { occasion, tpp, psu, client: &client })
}
