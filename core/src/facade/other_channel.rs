//! What happens to a payment by another way than this interface: in the bank's own app, at its desk.

use super::sandbox::Sandbox;
use crate::bank::Bank;
use crate::env::clock::Clock;
use crate::error::Result;
use crate::payment::machine::PaymentStatus;
use crate::types::PaymentId;

impl Sandbox {
    /// Notes where a payment stands, as [`Engine::report_payment_status`](crate::Engine::report_payment_status)
    /// does for a bank. A payment that is cancelled or rejected so is not carried out by the simulated bank
    /// either. Its id stays readable.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for an unknown payment and for a change the state machine does
    /// not have; [`Error::Store`](crate::Error::Store).
    pub fn report_payment_status(
        &self,
        payment_id: &str,
        status: PaymentStatus,
        funds_available: Option<bool>,
    ) -> Result<()> {
        // No batch may settle the order between the two.
        let _standing = self.moving.lock();
        self.engine.report_payment_status(payment_id, status, funds_available)?;
        let ends_unexecuted = matches!(status, PaymentStatus::Canc | PaymentStatus::Rjct);
        if let Some(id) = PaymentId::parse(payment_id).filter(|_| ends_unexecuted) {
            self.bank.cancel_payment(&id, self.clock.now())?;
        }
        Ok(())
    }
}
