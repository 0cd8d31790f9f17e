//! What happens to a payment by another way than this interface: in the bank's own app, at its desk.

use super::sandbox::Sandbox;
use crate::bank::{Bank, Cancellation};
use crate::env::clock::Clock;
use crate::error::{Error, Result};
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::sandbox::journal::Step;
use crate::types::PaymentId;

impl Sandbox {
    /// Notes where a payment stands, as [`Engine::report_payment_status`](crate::Engine::report_payment_status)
    /// does for a bank. A payment that is cancelled or rejected so is not carried out by the simulated bank
    /// either. Its id stays readable.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for an unknown payment, for a change the state machine does not
    /// have, and for the end of a payment that the simulated bank has settled already;
    /// [`Error::Store`](crate::Error::Store).
    pub fn report_payment_status(
        &self,
        payment_id: &str,
        status: PaymentStatus,
        funds_available: Option<bool>,
    ) -> Result<()> {
        let begun = self.begin();
        // No batch may settle the order between the two.
        let _standing = self.moving.write();
        if matches!(status, PaymentStatus::Canc | PaymentStatus::Rjct) {
            self.give_up(payment_id, status)?;
        }
        self.engine.report_payment_status(payment_id, status, funds_available)?;
        let payment_id = payment_id.to_owned();
        self.note(begun, Step::ReportPaymentStatus { payment_id, status, funds_available });
        Ok(())
    }

    /// The bank gives the order up before the end is noted: what is given up and not noted can be reported again,
    /// what is noted and not given up would be carried out all the same.
    fn give_up(&self, payment_id: &str, status: PaymentStatus) -> Result<()> {
        let Some(id) = PaymentId::parse(payment_id) else { return Ok(()) };
        let Some(payment) = self.engine.parts.store().payment(&id)? else { return Ok(()) };
        let is_news = payment.status != status;
        if is_news && !payment.status.may_become(status) {
            // The engine refuses it.
            return Ok(());
        }
        match self.bank.cancel_payment(&id, self.clock.now())? {
            Cancellation::TooLate(stands)
                if is_news && stands.status != payment.status && stands.status != status =>
            {
                Err(Error::Misuse(format!("the bank has settled payment {id} already: {}", stands.status)))
            }
            _ => Ok(()),
        }
    }
}
