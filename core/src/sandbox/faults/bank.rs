//! The simulated bank as the engine meets it: it fails where a fault has it fail.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::set::Faults;
use crate::bank::{
    Bank, BankAccounts, BankCardAccounts, BankCustomers, BankOperations, BankPayments, BankRisk,
    Cancellation, OrderStatus, PaymentOrder,
};
use crate::error::Result;
use crate::json_bank::guarded_bank::{Guard, GuardedBank, Question};
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::sandbox::SandboxBank;
use crate::types::{
    AccountReference, ActingPsu, Bban, Currency, DebtorAccount, KidAgreement, Money, PaymentId,
};

/// The simulated bank behind its faults.
pub(crate) struct FaultyBank {
    /// It fails while a fault keeps it from being asked.
    inner: GuardedBank<Arc<Faults>>,
    faults: Arc<Faults>,
}

impl FaultyBank {
    pub(crate) fn new(inner: SandboxBank, faults: Arc<Faults>) -> Self {
        Self { inner: GuardedBank::new(Arc::new(inner), Arc::clone(&faults)), faults }
    }
}

impl Guard for Arc<Faults> {
    fn ask<T>(&self, _question: &Question<'_>, ask: impl FnOnce() -> Result<T>) -> Result<T> {
        Faults::ask(self)?;
        ask()
    }
}

impl Bank for FaultyBank {
    fn customers(&self) -> &dyn BankCustomers {
        self.inner.customers()
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

    fn risk(&self) -> &dyn BankRisk {
        self.inner.risk()
    }

    fn own_operations(&self) -> &dyn BankOperations {
        self.inner.own_operations()
    }
}

impl BankPayments for FaultyBank {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        self.inner.debtor_account(psu, account)
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        self.inner.kid_agreement(creditor)
    }

    fn fee(&self, product: Product, order: &Order) -> Result<Money> {
        self.inner.fee(product, order)
    }

    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>> {
        let rate = self.inner.rate(from, to)?;
        Ok(if self.faults.has_rates() { rate } else { None })
    }

    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus> {
        self.faults.submit(order.product.as_str())?;
        self.inner.submit_payment(order, now)
    }

    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
        self.inner.cancel_payment(payment, now)
    }
}
