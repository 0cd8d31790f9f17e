//! What happens to a payment by another way than this interface: in the bank's own app, at its desk.

use super::sandbox::Sandbox;
use crate::bank::{Bank, Cancellation};
use crate::env::clock::Clock;
use crate::error::{Error, Result};
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::sandbox::journal::Step;
use crate::types::PaymentId;

impl Sandbox {
    /// Notes where a payment stands, as [`Engine::report_payment_status`](crate::Engine::report_payment_status)
    /// does for a bank. A payment that is cancelled or rejected so is not carried out by the simulated bank
    /// either, its id stays readable; one that is settled so (ACSC) is booked at once, before its batch. Of a bulk in
    /// PART and of a periodic payment the status alone changes: what is left of them was paid in that other way.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for an unknown payment, for a change the state machine does not
    /// have, for the end of a payment that the simulated bank has settled already, and for ACSC of one that it cannot
    /// book as a whole, or has no order for yet; nothing is changed then. [`Error::Store`](crate::Error::Store).
    pub fn report_payment_status(
        &self,
        payment_id: &str,
        status: PaymentStatus,
        funds_available: Option<bool>,
    ) -> Result<()> {
        let begun = self.begin();
        // No batch may settle the order between the two.
        let _standing = self.moving.write();
        let mut booked = None;
        match status {
            PaymentStatus::Canc | PaymentStatus::Rjct => self.give_up(payment_id, status)?,
            PaymentStatus::Acsc => booked = self.carry_out(payment_id)?,
            _ => {}
        }
        self.engine.report_payment_status(payment_id, status, funds_available)?;
        booked.iter().try_for_each(|id| self.bank.mark_reported(id))?;
        let payment_id = payment_id.to_owned();
        self.note(begun, Step::ReportPaymentStatus { payment_id, status, funds_available });
        Ok(())
    }

    /// The bank gives the order up before the end is noted: what is given up and not noted can be reported again,
    /// what is noted and not given up would be carried out all the same.
    fn give_up(&self, payment_id: &str, status: PaymentStatus) -> Result<()> {
        let Some((id, payment)) = self.payment_that_may_become(payment_id, status)? else { return Ok(()) };
        let is_news = payment.status != status;
        match self.bank.cancel_payment(&id, self.clock.now())? {
            Cancellation::TooLate(stands)
                if is_news && stands.status != payment.status && stands.status != status =>
            {
                Err(Error::Misuse(format!("the bank has settled payment {id} already: {}", stands.status)))
            }
            _ => Ok(()),
        }
    }

    /// The bank books the order before the end is noted: were it not noted, the bank would report it.
    fn carry_out(&self, payment_id: &str) -> Result<Option<PaymentId>> {
        let Some((id, _)) = self.payment_that_may_become(payment_id, PaymentStatus::Acsc)? else {
            return Ok(None);
        };
        self.bank.settle_early(&id, self.clock.now())?;
        Ok(Some(id))
    }

    /// The payment, unless the engine will refuse the status.
    fn payment_that_may_become(
        &self,
        payment_id: &str,
        status: PaymentStatus,
    ) -> Result<Option<(PaymentId, Payment)>> {
        let Some(id) = PaymentId::parse(payment_id) else { return Ok(None) };
        let payment = self.engine.parts.store().payment(&id)?;
        let may_become = |payment: &Payment| payment.status == status || payment.status.may_become(status);
        Ok(payment.filter(may_become).map(|payment| (id, payment)))
    }
}
