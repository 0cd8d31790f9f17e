//! SCA by risk: the demands of the simulated bank.

use super::sandbox::Sandbox;
use crate::engine::ScaOutcome;
use crate::error::Result;
use crate::sandbox::journal::Step;

impl Sandbox {
    /// Sets the result of the bank's risk analysis for a private customer from now on (contract: Authentication; the
    /// service may exempt or require SCA by risk analysis):
    ///
    /// - `demanded`: reading accounts is answered 401 SCA_INVALID with an `scaRedirect`, in every session, until this
    ///   person completes an SCA through [`Sandbox::authorise`] or the SCA site.
    /// - `exempt`: a payment created with their PSU-ID is authorised without an SCA, and an instant one settled when
    ///   [`Sandbox::handle`] returns; a TPP-Session-ID that was never seen reads accounts as a call without one does.
    /// - `as_ruled`: neither. This is the initial state of every customer.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a number that no private customer has, and for another demand;
    /// [`Error::Store`](crate::Error::Store).
    pub fn set_sca_demand(&self, customer_number: &str, demand: &str) -> Result<()> {
        let begun = self.begin();
        self.bank.set_sca_demand(customer_number, demand)?;
        let (customer_number, demand) = (customer_number.to_owned(), demand.to_owned());
        self.note(begun, Step::SetScaDemand { customer_number, demand });
        Ok(())
    }

    /// Ends a demand once the SCA is completed.
    pub(super) fn note_sca(&self, outcome: &ScaOutcome, approved: bool) -> Result<()> {
        match outcome {
            ScaOutcome::Approved { psu, .. } if approved => self.bank.note_sca(&psu.psu),
            _ => Ok(()),
        }
    }

    /// Hands over the order that a call made. Where that fails, the order stays and is handed over later: the call is
    /// answered all the same.
    pub(super) fn deliver(&self) {
        let _guard = self.moving.read();
        if let Err(error) = self.engine.run_due() {
            tracing::error!(%error, "an order waits, because the due orders could not be delivered");
        }
    }
}
