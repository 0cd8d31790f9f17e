//! A bank of another process' lifetime, which is away or talks nonsense now and then.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use rust_decimal::Decimal;
use xs2a::account::record::CorporateAgreement;
use xs2a::bank::{
    Bank, BankAccounts, BankCardAccounts, BankCustomers, BankPayments, Cancellation, OrderStatus,
    PaymentOrder,
};
use xs2a::payment::machine::PaymentStatus;
use xs2a::payment::order::{Order, RemittanceInformation};
use xs2a::payment::product::Product;
use xs2a::sandbox::{Rates, SandboxBank};
use xs2a::store::sqlite::Database;
use xs2a::types::{
    AccountReference, ActingPsu, Bban, Currency, DebtorAccount, IdentityNumber, KidAgreement, Money,
    PaymentId, PsuKey,
};
use xs2a::{Error, Result};

use crate::kill::books::{Books, Verdict};
use crate::kill::plan::Trouble;
use crate::kill::steps::Steps;

pub(crate) struct Ledger {
    books: Books,
    steps: Arc<Steps>,
    /// The orders that this process brought.
    met: Mutex<HashSet<PaymentId>>,
    /// Whether this process asked it to give a payment up.
    is_asked_to_cancel: AtomicBool,
    /// Answers what this test does not ask.
    inner: SandboxBank,
}

/// The text that identifies a payment.
fn reference(order: &Order) -> &str {
    match order {
        Order::Single(transfer) => match &transfer.remittance {
            Some(RemittanceInformation::Unstructured(text)) => text.as_str(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn away() -> Error {
    Error::Bank("the line is dead".to_owned())
}

impl Ledger {
    pub(crate) fn new(folder: PathBuf, life: u64, steps: Arc<Steps>) -> Self {
        Self {
            books: Books::new(folder, life),
            steps,
            met: Mutex::default(),
            is_asked_to_cancel: AtomicBool::new(false),
            inner: SandboxBank::new(Arc::new(Database::open_memory_for_sandbox().unwrap()), Rates::default()),
        }
    }

    /// Takes an order, unless it has it: carries it out at once, or keeps it until its day.
    fn take(&self, order: &PaymentOrder) -> PaymentStatus {
        let (id, reference) = (&order.payment_id, reference(&order.order));
        if order.order.requested_execution_date().is_none() {
            return self.books.decide(id, &Verdict::Carried(reference.to_owned())).status();
        }
        self.books.take(id, reference);
        self.books.verdict(id).map_or(PaymentStatus::Pdng, |verdict| verdict.status())
    }

    /// The execution date of the orders in the bank's books: executes those that are not cancelled, and reports each.
    /// An order is reported once, but again if the process was killed before it was noted. A cancelled order is never
    /// reported.
    pub(crate) fn carry_out_what_is_kept(&self, mut report: impl FnMut(&PaymentId, PaymentStatus)) {
        for (id, reference) in self.books.kept() {
            if let carried @ Verdict::Carried(_) = self.books.decide(&id, &Verdict::Carried(reference)) {
                report(&id, carried.status());
            }
            self.books.note_reported(&id);
        }
    }
}

impl Bank for Ledger {
    fn customers(&self) -> &dyn BankCustomers {
        self
    }

    fn account_data(&self) -> &dyn BankAccounts {
        self.inner.account_data()
    }

    fn card_account_data(&self) -> &dyn BankCardAccounts {
        self.inner.card_account_data()
    }

    fn payments(&self) -> &dyn BankPayments {
        self
    }
}

impl BankCustomers for Ledger {
    fn psu(&self, _identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        Ok(Some(PsuKey::new("kari")))
    }

    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        self.inner.agreements(psu)
    }
}

impl BankPayments for Ledger {
    fn debtor_account(&self, _psu: &ActingPsu, _account: &AccountReference) -> Result<Option<DebtorAccount>> {
        Ok(Some(DebtorAccount { currency: Currency::NOK, other_numbers: Vec::new() }))
    }

    fn kid_agreement(&self, _creditor: &Bban) -> Result<Option<KidAgreement>> {
        Ok(None)
    }

    fn fee(&self, _product: Product, _order: &Order) -> Result<Money> {
        Ok(Money::zero(Currency::NOK))
    }

    fn rate(&self, _from: Currency, _to: Currency) -> Result<Option<Decimal>> {
        Ok(None)
    }

    fn submit_payment(&self, order: &PaymentOrder, _now: DateTime<Utc>) -> Result<OrderStatus> {
        self.steps.reach("before the bank");
        let is_first = self.met.lock().insert(order.payment_id.clone());
        let trouble = Trouble::of(reference(&order.order)).filter(|_| is_first);
        if trouble == Some(Trouble::Away) {
            return Err(away());
        }
        let status = self.take(order);
        self.steps.reach("after the bank");
        let status = if trouble == Some(Trouble::Nonsense) { PaymentStatus::Part } else { status };
        Ok(OrderStatus { status, funds_available: (status == PaymentStatus::Acsc).then_some(true) })
    }

    /// The first question of a process finds it away.
    fn cancel_payment(&self, payment: &PaymentId, _now: DateTime<Utc>) -> Result<Cancellation> {
        self.steps.reach("before the bank's cancelling");
        if !self.is_asked_to_cancel.swap(true, Ordering::Relaxed) {
            return Err(away());
        }
        let verdict = self.books.decide(payment, &Verdict::Cancelled);
        self.steps.reach("after the bank's cancelling");
        Ok(match verdict {
            Verdict::Cancelled => Cancellation::Cancelled,
            Verdict::Carried(_) => {
                Cancellation::TooLate(OrderStatus { status: verdict.status(), funds_available: Some(true) })
            }
        })
    }
}
