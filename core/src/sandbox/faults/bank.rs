//! The simulated bank as the engine meets it: it fails where a fault has it fail.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;

use super::set::Faults;
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
use crate::sandbox::SandboxBank;
use crate::types::{
    AccountId, AccountReference, ActingPsu, Bban, CardAccountId, Currency, DebtorAccount, IdentityNumber,
    KidAgreement, Money, PaymentId, PsuKey, TransactionId,
};

/// The simulated bank behind its faults.
pub(crate) struct FaultyBank {
    inner: SandboxBank,
    faults: Arc<Faults>,
}

impl FaultyBank {
    pub(crate) fn new(inner: SandboxBank, faults: Arc<Faults>) -> Self {
        Self { inner, faults }
    }

    /// The bank, where it can be asked now.
    fn asked(&self) -> Result<&SandboxBank> {
        self.faults.ask().map(|()| &self.inner)
    }
}

impl Bank for FaultyBank {
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

impl BankCustomers for FaultyBank {
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        self.asked()?.psu(identity)
    }

    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        self.asked()?.agreements(psu)
    }
}

impl BankAccounts for FaultyBank {
    fn accounts(&self, psu: &ActingPsu) -> Result<Vec<Account>> {
        self.asked()?.accounts(psu)
    }

    fn account(&self, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
        self.asked()?.account(psu, id)
    }

    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>> {
        self.asked()?.balances(id)
    }

    fn booked(&self, id: &AccountId, query: &TransactionQuery) -> Result<Page<Transaction>> {
        self.asked()?.booked(id, query)
    }

    fn pending(&self, id: &AccountId) -> Result<Vec<Transaction>> {
        self.asked()?.pending(id)
    }

    fn transaction(&self, account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>> {
        self.asked()?.transaction(account, id)
    }
}

impl BankCardAccounts for FaultyBank {
    fn card_accounts(&self, psu: &ActingPsu) -> Result<Vec<CardAccount>> {
        self.asked()?.card_accounts(psu)
    }

    fn card_account(&self, psu: &ActingPsu, id: &CardAccountId) -> Result<Option<CardAccount>> {
        self.asked()?.card_account(psu, id)
    }

    fn card_balances(&self, id: &CardAccountId) -> Result<Vec<Balance>> {
        self.asked()?.card_balances(id)
    }

    fn card_booked(&self, id: &CardAccountId, query: &TransactionQuery) -> Result<Page<CardTransaction>> {
        self.asked()?.card_booked(id, query)
    }

    fn card_pending(&self, id: &CardAccountId) -> Result<Vec<CardTransaction>> {
        self.asked()?.card_pending(id)
    }
}

impl BankPayments for FaultyBank {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        self.asked()?.debtor_account(psu, account)
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        self.asked()?.kid_agreement(creditor)
    }

    fn fee(&self, product: Product, order: &Order) -> Result<Money> {
        self.asked()?.fee(product, order)
    }

    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>> {
        let bank = self.asked()?;
        match self.faults.has_rates() {
            true => bank.rate(from, to),
            false => Ok(None),
        }
    }

    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus> {
        self.faults.submit(order.product.as_str())?;
        self.asked()?.submit_payment(order, now)
    }

    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
        self.asked()?.cancel_payment(payment, now)
    }
}

impl BankRisk for FaultyBank {
    fn requires_sca(&self, question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        self.asked()?.requires_sca(question)
    }
}

impl BankOperations for FaultyBank {
    fn operations(&self) -> &'static [Operation] {
        self.inner.operations()
    }

    fn perform(
        &self,
        call: &BankCall<'_>,
        now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>> {
        self.asked()?.perform(call, now)
    }
}
