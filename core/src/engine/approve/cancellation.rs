//! An authorised payment is given up, if the bank still can.

use super::{Given, Unfulfilled};
use crate::bank::{Cancellation, OrderStatus};
use crate::error::{Error, Result};
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::pipeline::change::change;
use crate::pipeline::parts::Parts;
use crate::reason::Reason;
use crate::sca::decide::check_owner;
use crate::store::Write;
use crate::types::PaymentId;

/// The bank is asked first, and keeps its word: an order it gave up is not carried out, even where the writes
/// are lost and it is asked again.
pub(super) fn approve(
    parts: &Parts,
    id: &PaymentId,
    given: &Given<'_>,
) -> Result<std::result::Result<Vec<Write>, Unfulfilled>> {
    let payment = parts.payment_to_approve(id)?;
    if let Err(violation) = check_owner(&payment, given.psu) {
        return Ok(Err(violation.into()));
    }
    if payment.status == PaymentStatus::Canc {
        // Another link, another channel or this very cancellation was faster: it is as the PSU wants it.
        return Ok(Ok(Vec::new()));
    }
    if !payment.status.may_become(PaymentStatus::Canc) {
        return Ok(Err(Unfulfilled { violation: Reason::CancellationTooLate.into(), writes: Vec::new() }));
    }
    match parts.bank().cancel_payment(id, parts.clock.now())? {
        Cancellation::Cancelled => {
            let changed = change(
                payment,
                OrderStatus::of(PaymentStatus::Canc),
                "cancellation: sca completed",
                given.stamp.time(),
            );
            changed.map(Ok).map_err(|refused| Error::Internal(refused.to_string()))
        }
        Cancellation::TooLate(stands) => {
            // News that the machine has no row for are none.
            let writes = change(payment, stands, "bank: too late to cancel", given.stamp.time());
            let writes = writes.unwrap_or_default();
            Ok(Err(Unfulfilled { violation: Reason::CancellationTooLate.into(), writes }))
        }
    }
}
