//! The host's bank, with an eye on the clock. A call cannot be cut off, because it runs on its caller's thread; what is
//! late is told, and not used where the bank has only said something.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;
use tracing::field::display;

use crate::account::record::{
    Account, Balance, CardAccount, CardTransaction, CorporateAgreement, Page, Transaction, TransactionQuery,
};
use crate::bank::{
    Bank, BankAccounts, BankAnswer, BankCall, BankCardAccounts, BankCustomers, BankOperations, BankPayments,
    BankRisk, Cancellation, OrderStatus, PaymentOrder, ScaDemand, ScaQuestion,
};
use crate::env::clock::Clock;
use crate::error::{Error, Result};
use crate::foreign_bank::BankMethod as Method;
use crate::operation::Operation;
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::reason::Refusal;
use crate::types::{
    AccountId, AccountReference, ActingPsu, Bban, CardAccountId, Currency, DebtorAccount, IdentityNumber,
    KidAgreement, Money, PaymentId, PsuKey, TransactionId,
};

/// A bank whose answers count while they come in time. What it did counts however late it says so: without that, bank
/// and engine would not agree on what happened.
pub(super) struct TimeoutBank {
    inner: Arc<dyn Bank>,
    clock: Arc<dyn Clock>,
    seconds_max: u32,
}

impl TimeoutBank {
    pub(super) fn new(inner: Arc<dyn Bank>, clock: Arc<dyn Clock>, seconds_max: u32) -> Self {
        Self { inner, clock, seconds_max }
    }

    /// Asks by one of the methods of the table.
    fn ask<T>(&self, method: Method, ask: impl FnOnce(&dyn Bank) -> Result<T>) -> Result<T> {
        self.timed(method.name(), method.is_deed(), None, ask)
    }

    /// The same about one payment.
    fn ask_about<T>(
        &self,
        method: Method,
        payment: &PaymentId,
        ask: impl FnOnce(&dyn Bank) -> Result<T>,
    ) -> Result<T> {
        self.timed(method.name(), method.is_deed(), Some(payment), ask)
    }

    /// Asks, and looks how long it took. What failed keeps its own error.
    fn timed<T>(
        &self,
        method: &'static str,
        is_deed: bool,
        payment: Option<&PaymentId>,
        ask: impl FnOnce(&dyn Bank) -> Result<T>,
    ) -> Result<T> {
        let begun = self.clock.now();
        let answered = ask(self.inner.as_ref());
        // A clock that was put back meanwhile shows less than nothing, which is in time.
        let taken = self.clock.now().signed_duration_since(begun);
        if taken <= TimeDelta::seconds(self.seconds_max.into()) {
            return answered;
        }
        let (seconds, bank_seconds_max) = (in_seconds(taken), self.seconds_max);
        if is_deed {
            let payment_id = payment.map(display);
            tracing::warn!(method, payment_id, %seconds, bank_seconds_max, "the bank was slow; its answer counts");
            return answered;
        }
        answered.and_then(|_| {
            Err(Error::Bank(format!(
                "{method}: the answer took {seconds} seconds and is not used: bank_seconds_max is {bank_seconds_max}"
            )))
        })
    }
}

/// To the microsecond, without zeros at the end.
fn in_seconds(taken: TimeDelta) -> Decimal {
    let micros = taken.num_microseconds().unwrap_or(i64::MAX);
    Decimal::new(micros, 6).normalize()
}

impl Bank for TimeoutBank {
    fn customers(&self) -> &dyn BankCustomers {
        self
    }

    fn account_data(&self) -> &dyn BankAccounts {
        self
    }

    fn card_account_data(&self) -> &dyn BankCardAccounts {
        self
    }

    fn payments(&self) -> &dyn BankPayments {
        self
    }

    fn risk(&self) -> &dyn BankRisk {
        self
    }

    fn own_operations(&self) -> &dyn BankOperations {
        self
    }
}

impl BankCustomers for TimeoutBank {
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        self.ask(Method::Psu, |bank| bank.customers().psu(identity))
    }

    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        self.ask(Method::Agreements, |bank| bank.customers().agreements(psu))
    }
}

impl BankAccounts for TimeoutBank {
    fn accounts(&self, psu: &ActingPsu) -> Result<Vec<Account>> {
        self.ask(Method::Accounts, |bank| bank.account_data().accounts(psu))
    }

    fn account(&self, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
        self.ask(Method::Account, |bank| bank.account_data().account(psu, id))
    }

    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>> {
        self.ask(Method::Balances, |bank| bank.account_data().balances(id))
    }

    fn booked(&self, id: &AccountId, query: &TransactionQuery) -> Result<Page<Transaction>> {
        self.ask(Method::Booked, |bank| bank.account_data().booked(id, query))
    }

    fn pending(&self, id: &AccountId) -> Result<Vec<Transaction>> {
        self.ask(Method::Pending, |bank| bank.account_data().pending(id))
    }

    fn transaction(&self, account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>> {
        self.ask(Method::Transaction, |bank| bank.account_data().transaction(account, id))
    }
}

impl BankCardAccounts for TimeoutBank {
    fn card_accounts(&self, psu: &ActingPsu) -> Result<Vec<CardAccount>> {
        self.ask(Method::CardAccounts, |bank| bank.card_account_data().card_accounts(psu))
    }

    fn card_account(&self, psu: &ActingPsu, id: &CardAccountId) -> Result<Option<CardAccount>> {
        self.ask(Method::CardAccount, |bank| bank.card_account_data().card_account(psu, id))
    }

    fn card_balances(&self, id: &CardAccountId) -> Result<Vec<Balance>> {
        self.ask(Method::CardBalances, |bank| bank.card_account_data().card_balances(id))
    }

    fn card_booked(&self, id: &CardAccountId, query: &TransactionQuery) -> Result<Page<CardTransaction>> {
        self.ask(Method::CardBooked, |bank| bank.card_account_data().card_booked(id, query))
    }

    fn card_pending(&self, id: &CardAccountId) -> Result<Vec<CardTransaction>> {
        self.ask(Method::CardPending, |bank| bank.card_account_data().card_pending(id))
    }
}

impl BankPayments for TimeoutBank {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        self.ask(Method::DebtorAccount, |bank| bank.payments().debtor_account(psu, account))
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        self.ask(Method::KidAgreement, |bank| bank.payments().kid_agreement(creditor))
    }

    fn fee(&self, product: Product, order: &Order) -> Result<Money> {
        self.ask(Method::Fee, |bank| bank.payments().fee(product, order))
    }

    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>> {
        self.ask(Method::Rate, |bank| bank.payments().rate(from, to))
    }

    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus> {
        self.ask_about(Method::SubmitPayment, &order.payment_id, |bank| {
            bank.payments().submit_payment(order, now)
        })
    }

    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
        self.ask_about(Method::CancelPayment, payment, |bank| bank.payments().cancel_payment(payment, now))
    }
}

impl BankRisk for TimeoutBank {
    fn requires_sca(&self, question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        self.ask(Method::RequiresSca, |bank| bank.risk().requires_sca(question))
    }
}

impl BankOperations for TimeoutBank {
    fn operations(&self) -> &'static [Operation] {
        self.inner.own_operations().operations()
    }

    fn perform(
        &self,
        call: &BankCall<'_>,
        now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>> {
        self.timed("perform", call.operation.may_change_the_bank(), None, |bank| {
            bank.own_operations().perform(call, now)
        })
    }
}
