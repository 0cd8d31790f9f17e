//! Changes of a payment through another channel: in the bank's own app or in a branch.

use super::sandbox::Sandbox;
use crate::bank::{Bank, Cancellation};
use crate::error::{Error, Result};
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Service;
use crate::payment::record::Payment;
use crate::sandbox::journal::Step;
use crate::types::PaymentId;

impl Sandbox {
    /// Records the status of a payment, as [`Engine::report_payment_status`](crate::Engine::report_payment_status) does
    /// for a bank. The simulated bank does not carry out a payment that is cancelled or rejected this way, and its id
    /// stays readable. The same holds for a bulk in PART: what it has to pay was paid through the other channel. A
    /// payment settled this way (ACSC) is booked at once, before its batch; of a bulk in PART and of a periodic payment
    /// only the status changes.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for an unknown payment, for a change the state machine does not have,
    /// for the end of a payment that the simulated bank has settled already, for ACSC of one that it cannot book as a
    /// whole, for ACSC and PART of one that it has no order for yet, and for ACWP of a bulk that it is yet to book: if
    /// it books a part, there is no way from ACWP to PART. Nothing is changed then.
    /// [`Error::Store`](crate::Error::Store).
    pub fn report_payment_status(
        &self,
        payment_id: &str,
        status: PaymentStatus,
        funds_available: Option<bool>,
    ) -> Result<()> {
        let begun = self.begin();
        // No batch may settle the order between the two.
        let _guard = self.moving.write();
        let mut booked = None;
        match status {
            PaymentStatus::Canc | PaymentStatus::Rjct | PaymentStatus::Part => {
                self.give_up(payment_id, status)?;
            }
            PaymentStatus::Acsc => booked = self.carry_out(payment_id)?,
            PaymentStatus::Acwp => self.check_that_no_part_follows(payment_id)?,
            PaymentStatus::Pdng => self.let_go(payment_id)?,
            _ => {}
        }
        let known = funds_available.or(booked.as_ref().map(|_| true));
        self.engine.report_payment_status(payment_id, status, known)?;
        booked.iter().try_for_each(|id| self.bank.mark_reported(id))?;
        let payment_id = payment_id.to_owned();
        self.note(begun, Step::ReportPaymentStatus { payment_id, status, funds_available });
        Ok(())
    }

    /// Puts a payment on hold: it is PDNG, with a psuMessage of its own that ends with `why`, and no batch settles it
    /// until it is released, rejected or cancelled.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for an unknown payment, for one that is not authorised, that the
    /// simulated bank has no order for yet, or that it has settled, and for a `why` of more than 400 characters.
    /// [`Error::Store`](crate::Error::Store).
    pub fn hold(&self, payment_id: &str, why: Option<&str>) -> Result<()> {
        let begun = self.begin();
        // No batch may settle the order between the two.
        let _paused = self.moving.write();
        if let Some((id, _)) = self.payment_that_may_become(payment_id, PaymentStatus::Pdng)? {
            self.bank.hold(&id)?;
        }
        self.engine.report_payment_on_hold(payment_id, why)?;
        let (payment_id, why) = (payment_id.to_owned(), why.map(str::to_owned));
        self.note(begun, Step::Hold { payment_id, why });
        Ok(())
    }

    /// Releases a payment that is on hold. If its day came before, it is settled in the next batch.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for an unknown payment, and for one that is not on hold;
    /// [`Error::Store`](crate::Error::Store).
    pub fn release(&self, payment_id: &str) -> Result<()> {
        let begun = self.begin();
        let _paused = self.moving.write();
        let held = self.payment_that_may_become(payment_id, PaymentStatus::Pdng)?;
        if held.is_none_or(|(_, payment)| payment.on_hold.is_none()) {
            return Err(Error::Misuse(format!("payment {payment_id} is not on hold")));
        }
        self.let_go(payment_id)?;
        self.engine.report_payment_status(payment_id, PaymentStatus::Pdng, None)?;
        self.note(begun, Step::Release { payment_id: payment_id.to_owned() });
        Ok(())
    }

    /// The bank settles the order again, where it held it.
    fn let_go(&self, payment_id: &str) -> Result<()> {
        match self.payment_that_may_become(payment_id, PaymentStatus::Pdng)? {
            Some((id, _)) => self.bank.release(&id, self.now()),
            None => Ok(()),
        }
    }

    /// The bank gives the order up before the end is noted: what is given up and not noted can be reported again,
    /// what is noted and not given up would be carried out all the same.
    fn give_up(&self, payment_id: &str, status: PaymentStatus) -> Result<()> {
        let Some((id, payment)) = self.payment_that_may_become(payment_id, status)? else { return Ok(()) };
        let is_news = payment.status != status;
        // One that never came would be refused when it comes, and PART could only end in CANC.
        if status == PaymentStatus::Part && is_news && !self.bank.has_order(&id)? {
            return Err(Error::Misuse(format!("the bank has no order for payment {id} yet")));
        }
        match self.bank.payments().cancel_payment(&id, self.now())? {
            Cancellation::TooLate(at_bank)
                if is_news && at_bank.status != payment.status && at_bank.status != status =>
            {
                Err(Error::Misuse(format!("the bank has settled payment {id} already: {}", at_bank.status)))
            }
            _ => Ok(()),
        }
    }

    /// The bank books the order before the end is noted: were it not noted, the bank would report it. The payment, if
    /// it was booked now.
    fn carry_out(&self, payment_id: &str) -> Result<Option<PaymentId>> {
        match self.payment_that_may_become(payment_id, PaymentStatus::Acsc)? {
            Some((id, payment)) if !is_settled(payment.status) => {
                Ok(self.bank.settle_early(&id, self.now())?.then_some(id))
            }
            _ => Ok(None),
        }
    }

    fn check_that_no_part_follows(&self, payment_id: &str) -> Result<()> {
        match self.payment_that_may_become(payment_id, PaymentStatus::Acwp)? {
            Some((id, payment))
                if payment.product.service() == Service::BulkPayments && self.bank.is_to_settle(&id)? =>
            {
                let text = format!(
                    "payment {id} is a bulk that is not booked yet: from ACWP it could not become PART"
                );
                Err(Error::Misuse(text))
            }
            _ => Ok(()),
        }
    }

    /// The payment, unless the engine will refuse the status.
    fn payment_that_may_become(
        &self,
        payment_id: &str,
        status: PaymentStatus,
    ) -> Result<Option<(PaymentId, Payment)>> {
        let Some(id) = PaymentId::parse(payment_id) else { return Ok(None) };
        let payment = self.engine.context.store().payments().payment(&id)?;
        let may_become =
            |payment: &Payment| payment.status == status || payment.clone().become_status(status).is_ok();
        Ok(payment.filter(may_become).map(|payment| (id, payment)))
    }
}

/// Whether a report of this status leaves nothing more to book.
fn is_settled(status: PaymentStatus) -> bool {
    matches!(status, PaymentStatus::Part | PaymentStatus::Acsc)
}
