//! What a host's bank answers, looked at before it goes to third parties or into the store.
//!
//! The tables of answers say what their members may hold, and a bank in Rust is held to them as one that answers in
//! JSON: the same faults, in the same words. Its records could hold more, since they are made without being read.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::answer::{
    Accounts, Agreements, Balances, Booked, CardAccounts, CardBooked, CardPending, Debtor, Fee, Pending,
    Person, Rate,
};
use super::method::BankMethod as Method;
use super::read_answer::wrong;
use super::shape::Part;
use crate::account::record::{
    Account, Balance, CardAccount, CardTransaction, CorporateAgreement, Page, Transaction, TransactionQuery,
};
use crate::bank::{
    Bank, BankAccounts, BankAnswer, BankCall, BankCardAccounts, BankCustomers, BankOperations, BankPayments,
    BankRisk, Cancellation, OrderStatus, PaymentOrder, ScaDemand, ScaQuestion,
};
use crate::error::{Error, Result};
use crate::operation::Operation;
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::reason::Refusal;
use crate::types::{
    AccountId, AccountReference, ActingPsu, Bban, CardAccountId, Currency, DebtorAccount, IdentityNumber,
    KidAgreement, Money, PaymentId, PsuKey, TransactionId,
};

/// A bank of the host of which nothing comes that an answer may not hold.
pub(crate) struct CheckedBank(Arc<dyn Bank>);

impl CheckedBank {
    pub(crate) fn new(inner: Arc<dyn Bank>) -> Self {
        Self(inner)
    }

    /// Asks the bank. Every failure within it is the bank's: its store is not the engine's, its misuse is not that of
    /// the host's site, and its bug is not one of this library. A store that fails may recover; a fault in its own
    /// data, or a bug, counts as an answer that cannot be used.
    fn ask<T>(&self, ask: impl FnOnce(&dyn Bank) -> Result<T>) -> Result<T> {
        ask(self.0.as_ref()).map_err(|error| match error {
            Error::Bank(_) | Error::BankAnswer(_) => error,
            Error::Store(_) | Error::Record(_) | Error::OutcomeUnknown(_) => Error::Bank(error.to_string()),
            Error::Config(_)
            | Error::Internal(_)
            | Error::Misuse(_)
            | Error::NotFound(_)
            | Error::Expired(_)
            | Error::Conflict(_)
            | Error::NotOffered(_) => Error::BankAnswer(error.to_string()),
        })
    }
}

/// What the bank performed, where HTTP can carry the answer: what is refused is a [`Refusal`], and a path stays within
/// the interface and its header.
fn performed(operation: &Operation, answer: BankAnswer) -> Result<BankAnswer> {
    const BODILESS: [u16; 3] = [204, 205, 304];
    let is_path =
        |path: &String| path.starts_with("/v1/") && path.bytes().all(|byte| byte.is_ascii_graphic());
    let rules = [
        ((200..400).contains(&answer.status), "the status is not from 200 to 399"),
        (answer.body.is_empty() || !BODILESS.contains(&answer.status), "the status has no body, and there is one"),
        (
            answer.location.as_ref().is_none_or(is_path),
            "the location does not begin with /v1/, or holds a space, a control character or what is not ASCII",
        ),
    ];
    match rules.iter().find(|(is_kept, _)| !is_kept) {
        None => Ok(answer),
        Some((_, text)) => Err(Error::BankAnswer(format!("perform: {}: {text}", operation.name))),
    }
}

/// The answer, where it may be one to that question.
fn checked<A: Part>(method: Method, answer: A::Held) -> Result<A::Held> {
    match A::check(&answer) {
        Ok(()) => Ok(answer),
        Err(fault) => Err(wrong(method, &fault)),
    }
}

/// The same of an answer that may be none.
fn checked_if_any<A: Part>(method: Method, answer: Option<A::Held>) -> Result<Option<A::Held>> {
    answer.map(|answer| checked::<A>(method, answer)).transpose()
}

impl Bank for CheckedBank {
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

impl BankCustomers for CheckedBank {
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        let found = self.ask(|bank| bank.customers().psu(identity))?.map(|person| Person { person });
        Ok(checked_if_any::<Person>(Method::Psu, found)?.map(|Person { person }| person))
    }

    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        let agreements = self.ask(|bank| bank.customers().agreements(psu))?;
        Ok(checked::<Agreements>(Method::Agreements, Agreements { agreements })?.agreements)
    }
}

impl BankAccounts for CheckedBank {
    fn accounts(&self, psu: &ActingPsu) -> Result<Vec<Account>> {
        let accounts = self.ask(|bank| bank.account_data().accounts(psu))?;
        Ok(checked::<Accounts>(Method::Accounts, Accounts { accounts })?.accounts)
    }

    fn account(&self, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
        checked_if_any::<Account>(Method::Account, self.ask(|bank| bank.account_data().account(psu, id))?)
    }

    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>> {
        let balances = self.ask(|bank| bank.account_data().balances(id))?;
        Ok(checked::<Balances>(Method::Balances, Balances { balances })?.balances)
    }

    fn booked(&self, id: &AccountId, query: &TransactionQuery) -> Result<Page<Transaction>> {
        let Page { items: transactions, total } = self.ask(|bank| bank.account_data().booked(id, query))?;
        let Booked { transactions, total } =
            checked::<Booked>(Method::Booked, Booked { transactions, total })?;
        Ok(Page { items: transactions, total })
    }

    fn pending(&self, id: &AccountId) -> Result<Vec<Transaction>> {
        let transactions = self.ask(|bank| bank.account_data().pending(id))?;
        Ok(checked::<Pending>(Method::Pending, Pending { transactions })?.transactions)
    }

    fn transaction(&self, account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>> {
        checked_if_any::<Transaction>(
            Method::Transaction,
            self.ask(|bank| bank.account_data().transaction(account, id))?,
        )
    }
}

impl BankCardAccounts for CheckedBank {
    fn card_accounts(&self, psu: &ActingPsu) -> Result<Vec<CardAccount>> {
        let card_accounts = self.ask(|bank| bank.card_account_data().card_accounts(psu))?;
        Ok(checked::<CardAccounts>(Method::CardAccounts, CardAccounts { card_accounts })?.card_accounts)
    }

    fn card_account(&self, psu: &ActingPsu, id: &CardAccountId) -> Result<Option<CardAccount>> {
        checked_if_any::<CardAccount>(
            Method::CardAccount,
            self.ask(|bank| bank.card_account_data().card_account(psu, id))?,
        )
    }

    fn card_balances(&self, id: &CardAccountId) -> Result<Vec<Balance>> {
        let balances = self.ask(|bank| bank.card_account_data().card_balances(id))?;
        Ok(checked::<Balances>(Method::CardBalances, Balances { balances })?.balances)
    }

    fn card_booked(&self, id: &CardAccountId, query: &TransactionQuery) -> Result<Page<CardTransaction>> {
        let Page { items: transactions, total } =
            self.ask(|bank| bank.card_account_data().card_booked(id, query))?;
        let page = checked::<CardBooked>(Method::CardBooked, CardBooked { transactions, total })?;
        Ok(Page { items: page.transactions, total: page.total })
    }

    fn card_pending(&self, id: &CardAccountId) -> Result<Vec<CardTransaction>> {
        let transactions = self.ask(|bank| bank.card_account_data().card_pending(id))?;
        Ok(checked::<CardPending>(Method::CardPending, CardPending { transactions })?.transactions)
    }
}

impl BankPayments for CheckedBank {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        let found = self.ask(|bank| bank.payments().debtor_account(psu, account))?;
        let found = found.map(|DebtorAccount { currency, other_numbers }| Debtor { currency, other_numbers });
        let found = checked_if_any::<Debtor>(Method::DebtorAccount, found)?;
        Ok(found.map(|Debtor { currency, other_numbers }| DebtorAccount { currency, other_numbers }))
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        checked_if_any::<KidAgreement>(
            Method::KidAgreement,
            self.ask(|bank| bank.payments().kid_agreement(creditor))?,
        )
    }

    fn fee(&self, product: Product, order: &Order) -> Result<Money> {
        let fee = self.ask(|bank| bank.payments().fee(product, order))?;
        Ok(checked::<Fee>(Method::Fee, Fee { fee })?.fee)
    }

    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>> {
        let found = self.ask(|bank| bank.payments().rate(from, to))?.map(|rate| Rate { rate });
        Ok(checked_if_any::<Rate>(Method::Rate, found)?.map(|Rate { rate }| rate))
    }

    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus> {
        self.ask(|bank| bank.payments().submit_payment(order, now))
    }

    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
        self.ask(|bank| bank.payments().cancel_payment(payment, now))
    }
}

impl BankRisk for CheckedBank {
    fn requires_sca(&self, question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        self.ask(|bank| bank.risk().requires_sca(question))
    }
}

impl BankOperations for CheckedBank {
    fn operations(&self) -> &'static [Operation] {
        self.0.own_operations().operations()
    }

    fn perform(
        &self,
        call: &BankCall<'_>,
        now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>> {
        match self.ask(|bank| bank.own_operations().perform(call, now))? {
            Ok(answer) => performed(call.operation, answer).map(Ok),
            Err(refusal) => Ok(Err(refusal)),
        }
    }
}
