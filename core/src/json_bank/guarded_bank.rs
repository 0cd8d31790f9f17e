//! A bank that is asked by way of a guard: of its time, or of faults.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::method::BankMethod as Method;
use crate::account::record::{
    Account, Balance, CardAccount, CardTransaction, CorporateAgreement, Page, Transaction, TransactionQuery,
};
use crate::bank::{
    Bank, BankAccounts, BankAnswer, BankCall, BankCardAccounts, BankCustomers, BankOperations, BankPayments,
    BankRisk, Cancellation, OrderStatus, PaymentOrder, ScaDemand, ScaQuestion,
};
use crate::error::Result;
use crate::operation::Operation;
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::reason::Refusal;
use crate::types::{
    AccountId, AccountReference, ActingPsu, Bban, CardAccountId, Currency, DebtorAccount, IdentityNumber,
    KidAgreement, Money, PaymentId, PsuKey, TransactionId,
};

/// What a bank is asked, without the values.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question<'q> {
    /// The name of the method.
    pub(crate) method: &'static str,
    /// Whether the bank has changed something when it answers.
    pub(crate) is_deed: bool,
    /// The payment, for a method that submits or cancels one.
    pub(crate) payment: Option<&'q PaymentId>,
}

/// What happens around every question to a bank.
pub(crate) trait Guard: Send + Sync {
    /// Asks the bank, or fails in its place.
    fn ask<T>(&self, question: &Question<'_>, ask: impl FnOnce() -> Result<T>) -> Result<T>;
}

/// A bank behind a guard.
pub(crate) struct GuardedBank<G> {
    inner: Arc<dyn Bank>,
    guard: G,
}

impl<G: Guard> GuardedBank<G> {
    pub(crate) fn new(inner: Arc<dyn Bank>, guard: G) -> Self {
        Self { inner, guard }
    }

    /// Asks by one of the methods of the table.
    fn ask<T>(&self, method: Method, ask: impl FnOnce(&dyn Bank) -> Result<T>) -> Result<T> {
        self.ask_about(method, None, ask)
    }

    /// The same, about one payment where there is one.
    fn ask_about<T>(
        &self,
        method: Method,
        payment: Option<&PaymentId>,
        ask: impl FnOnce(&dyn Bank) -> Result<T>,
    ) -> Result<T> {
        let question = Question { method: method.name(), is_deed: method.is_deed(), payment };
        self.guard.ask(&question, || ask(self.inner.as_ref()))
    }
}

impl<G: Guard> Bank for GuardedBank<G> {
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

impl<G: Guard> BankCustomers for GuardedBank<G> {
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        self.ask(Method::Psu, |bank| bank.customers().psu(identity))
    }

    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        self.ask(Method::Agreements, |bank| bank.customers().agreements(psu))
    }
}

impl<G: Guard> BankAccounts for GuardedBank<G> {
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

impl<G: Guard> BankCardAccounts for GuardedBank<G> {
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

impl<G: Guard> BankPayments for GuardedBank<G> {
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
        self.ask_about(Method::SubmitPayment, Some(&order.payment_id), |bank| {
            bank.payments().submit_payment(order, now)
        })
    }

    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
        self.ask_about(Method::CancelPayment, Some(payment), |bank| {
            bank.payments().cancel_payment(payment, now)
        })
    }
}

impl<G: Guard> BankRisk for GuardedBank<G> {
    fn requires_sca(&self, question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        self.ask(Method::RequiresSca, |bank| bank.risk().requires_sca(question))
    }
}

impl<G: Guard> BankOperations for GuardedBank<G> {
    fn operations(&self) -> &'static [Operation] {
        self.inner.own_operations().operations()
    }

    fn perform(
        &self,
        call: &BankCall<'_>,
        now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>> {
        let question =
            Question { method: "perform", is_deed: call.operation.may_change_the_bank(), payment: None };
        self.guard.ask(&question, || self.inner.own_operations().perform(call, now))
    }
}
