//! Whether a PSU is the person that the creation of a payment named by X-PSU-IDENTITY. A later call can neither take
//! that name away nor put another in its place: no PSU can complete an authorisation that names another person.

use std::collections::HashSet;

use crate::bank::Bank;
use crate::error::Result;
use crate::payment::record::Payment;
use crate::types::{IdentityNumber, PsuKey};

/// Whether no payment names another person. The bank is asked once for each number, and not for `proven`: the one that
/// was found to be the PSU's before.
pub(crate) fn matches_psu_identity<'p>(
    psu: &PsuKey,
    payments: impl IntoIterator<Item = &'p Payment>,
    proven: Option<IdentityNumber>,
    bank: &dyn Bank,
) -> Result<bool> {
    let mut proven: HashSet<_> = proven.into_iter().collect();
    for identity in payments.into_iter().filter_map(|payment| payment.identity) {
        if proven.insert(identity) && bank.customers().psu(&identity)?.as_ref() != Some(psu) {
            return Ok(false);
        }
    }
    Ok(true)
}
