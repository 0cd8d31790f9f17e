//! Steps of a walk that no TPP takes: time passes, and the bank acts.

use std::collections::BTreeSet;

use xs2a::bank::PaymentStatus;

use super::{Walk, ROLES};

impl Walk {
    pub(super) fn pass_minutes(&mut self) {
        let minutes = [1, 4, 10, 11, 30, 61, 240][self.recorder.dice.below(7)];
        self.recorder.advance(minutes);
    }

    pub(super) fn pass_days(&mut self) {
        let days = [1, 1, 1, 1, 2, 2, 3, 7, 30, 91, 181][self.recorder.dice.below(11)];
        self.recorder.advance(days * 24 * 60);
    }

    pub(super) fn pass_to_next_event(&mut self) {
        let moved = self.recorder.sandbox.advance_to_next_event().unwrap();
        self.recorder.note("advance to the next event", &format!("{moved:?}"));
    }

    /// The bank demands or waives an SCA, reports a status, or a customer takes a consent back.
    pub(super) fn act_as_bank(&mut self) {
        let role = self.recorder.dice.below(ROLES.len());
        let customer = ROLES[role].customer_number;
        match self.recorder.dice.below(4) {
            0 => {
                let demand = self.recorder.dice.pick(&["demanded", "exempt", "as_ruled", "as_ruled"]);
                let ended = self.recorder.sandbox.set_sca_demand(customer, demand);
                self.recorder.note_ended(&format!("SCA {demand} of {customer}"), &ended);
            }
            1 => {
                let organisation = self.recorder.tpps[0].organisation_id().to_owned();
                let ended = self.recorder.sandbox.revoke_consent(customer, &organisation);
                self.recorder.note_ended(&format!("{customer} revokes"), &ended);
            }
            _ => self.report_status(),
        }
    }

    fn report_status(&mut self) {
        let statuses = [
            PaymentStatus::Canc,
            PaymentStatus::Rjct,
            PaymentStatus::Acsc,
            PaymentStatus::Acwp,
            PaymentStatus::Part,
            PaymentStatus::Pdng,
        ];
        let status = statuses[self.recorder.dice.below(statuses.len())];
        let Some(payment) = self.recorder.dice.choose(&self.payments) else { return };
        let ended = self.recorder.sandbox.report_payment_status(&payment.id, status, None);
        self.recorder.note_ended(&format!("the bank reports {status} of {}", payment.id), &ended);
    }

    /// The bookings at the end: they show what batches, fees and rates did.
    pub(super) fn note_ledgers(&mut self) {
        let accounts: BTreeSet<_> = ROLES.iter().flat_map(|role| role.accounts).collect();
        for account in accounts {
            let ledger = self.recorder.sandbox.ledger(account).unwrap().replace("},{", "},\n{");
            self.recorder.note(&format!("ledger of {account}"), &ledger);
        }
    }

    /// Takes a snapshot, goes on for some steps and restores it.
    pub(super) fn try_and_restore(&mut self) {
        let image = self.recorder.sandbox.snapshot().unwrap();
        self.recorder.note("snapshot", "");
        for _ in 0..12 {
            self.some_step();
        }
        let ended = self.recorder.sandbox.restore(&image);
        self.recorder.note_ended("restore", &ended);
    }
}
