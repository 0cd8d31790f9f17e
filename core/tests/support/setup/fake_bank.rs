//! A bank that fails, refuses and answers what a test sets.

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use rust_decimal::Decimal;
use xs2a::bank::{
    Account, Balance, Bank, BankAccounts, BankAnswer, BankCall, BankCardAccounts, BankCustomers,
    BankOperations, BankPayments, Cancellation, CardAccount, CardTransaction, CorporateAgreement, HeaderSet,
    Operation, OperationId, Order, OrderStatus, Page, PaymentOrder, Product, RoleNeeded, Transaction,
    TransactionQuery,
};
use xs2a::internal::SandboxBank;
use xs2a::reason::{Reason, Refusal};
use xs2a::types::{
    AccountId, AccountReference, ActingPsu, Bban, CardAccountId, Currency, DebtorAccount, IdentityNumber,
    KidAgreement, Money, PaymentId, PsuKey, TransactionId,
};
use xs2a::{Error, Result};

/// What a fake does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mood {
    Well,
    Failing,
    Panicking,
    /// Of a store: another transaction holds the payments.
    Locked,
    /// Of a store: nothing that is only evidence can be written.
    Unaudited,
}

/// What a bank does with an order.
pub(crate) type Script = Box<dyn FnMut(&PaymentOrder) -> Result<OrderStatus> + Send>;

/// What happens while a bank answers.
pub(crate) type Aside = Box<dyn Fn() + Send>;

/// A bank in one mood per question.
pub(crate) struct FakeBank {
    /// What it does with orders, in place of its answer.
    pub(crate) script: Mutex<Option<Script>>,
    pub(crate) mood: Mutex<(&'static str, Mood)>,
    /// What it fails with.
    pub(crate) trouble: Mutex<Error>,
    /// What happens while it answers what its mood is asked about.
    pub(crate) while_asked: Mutex<Option<Aside>>,
    pub(crate) answer: Mutex<OrderStatus>,
    pub(crate) taken: Mutex<Vec<PaymentId>>,
    /// The accounts whose agreements it was asked about.
    pub(crate) creditors: Mutex<Vec<Bban>>,
    /// What it charges.
    pub(crate) fee: Mutex<Money>,
    /// What one unit of every currency is worth in every other.
    pub(crate) rate: Mutex<Decimal>,
    /// What it answers to a request to cancel.
    pub(crate) cancellation: Mutex<Cancellation>,
    /// What it was asked to cancel.
    pub(crate) given_up: Mutex<Vec<PaymentId>>,
    /// The person behind every number.
    pub(crate) person: Mutex<&'static str>,
    /// The numbers it was asked about.
    pub(crate) numbers: Mutex<Vec<IdentityNumber>>,
    /// The accounts that any PSU may give access to.
    pub(crate) accounts: Mutex<Vec<Account>>,
    /// The card accounts that any PSU may give access to.
    pub(crate) cards: Mutex<Vec<CardAccount>>,
    /// The booked transactions of every account; its list of them is whole for every part that is requested.
    pub(crate) transactions: Mutex<Vec<Transaction>>,
    /// The same of every card account.
    pub(crate) card_transactions: Mutex<Vec<CardTransaction>>,
    /// How many there are in such a list, as it says.
    pub(crate) total: Mutex<u64>,
    /// The pending transactions of every account.
    pub(crate) pending: Mutex<Vec<Transaction>>,
    /// The same of every card account.
    pub(crate) card_pending: Mutex<Vec<CardTransaction>>,
    /// What it answers to its own operations, in place of what it was given.
    pub(crate) performed: Mutex<Option<BankAnswer>>,
    /// Its own operations.
    pub(crate) operations: Mutex<&'static [Operation]>,
    /// The question that it answers for another thing than the one it is asked for.
    pub(crate) mixed_up: Mutex<&'static str>,
    /// Answers what is not asked by mood.
    pub(crate) inner: SandboxBank,
}

impl FakeBank {
    pub(crate) fn feel(&self, question: &'static str, mood: Mood) {
        *self.mood.lock() = (question, mood);
    }

    pub(crate) fn asked(&self, question: &str) -> Result<()> {
        if let Some(aside) = self.while_asked.lock().as_ref() {
            aside();
        }
        let (troubled, mood) = *self.mood.lock();
        match mood {
            Mood::Failing if troubled == question => Err(self.trouble.lock().clone()),
            Mood::Panicking if troubled == question => panic!("the bank panics"),
            _ => Ok(()),
        }
    }

    fn is_mixed_up(&self, question: &str) -> bool {
        *self.mixed_up.lock() == question
    }

    /// Does with orders what the script says from now on.
    pub(crate) fn follow(&self, script: impl FnMut(&PaymentOrder) -> Result<OrderStatus> + Send + 'static) {
        *self.script.lock() = Some(Box::new(script));
    }

    pub(crate) fn taken(&self) -> usize {
        self.taken.lock().len()
    }
}

impl Bank for FakeBank {
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

    fn own_operations(&self) -> &dyn BankOperations {
        self
    }
}

impl BankCustomers for FakeBank {
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        self.numbers.lock().push(*identity);
        self.asked("psu").map(|()| Some(PsuKey::new(*self.person.lock())))
    }

    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        self.inner.agreements(psu)
    }
}

impl BankAccounts for FakeBank {
    fn accounts(&self, _psu: &ActingPsu) -> Result<Vec<Account>> {
        Ok(self.accounts.lock().clone())
    }

    fn account(&self, _psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
        let is_other = self.is_mixed_up("account");
        Ok(self.accounts.lock().iter().find(|account| (account.id == *id) != is_other).cloned())
    }

    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>> {
        self.inner.balances(id)
    }

    fn booked(&self, _id: &AccountId, _query: &TransactionQuery) -> Result<Page<Transaction>> {
        Ok(Page { items: self.transactions.lock().clone(), total: *self.total.lock() })
    }

    fn pending(&self, _id: &AccountId) -> Result<Vec<Transaction>> {
        Ok(self.pending.lock().clone())
    }

    fn transaction(&self, _account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>> {
        let is_other = self.is_mixed_up("transaction");
        let all = self.transactions.lock();
        Ok(all.iter().find(|found| (found.id.as_ref() == Some(id)) != is_other).cloned())
    }
}

impl BankCardAccounts for FakeBank {
    fn card_accounts(&self, _psu: &ActingPsu) -> Result<Vec<CardAccount>> {
        Ok(self.cards.lock().clone())
    }

    fn card_account(&self, _psu: &ActingPsu, id: &CardAccountId) -> Result<Option<CardAccount>> {
        let is_other = self.is_mixed_up("card_account");
        Ok(self.cards.lock().iter().find(|card| (card.id == *id) != is_other).cloned())
    }

    fn card_balances(&self, id: &CardAccountId) -> Result<Vec<Balance>> {
        self.inner.card_balances(id)
    }

    fn card_booked(&self, _id: &CardAccountId, _query: &TransactionQuery) -> Result<Page<CardTransaction>> {
        Ok(Page { items: self.card_transactions.lock().clone(), total: *self.total.lock() })
    }

    fn card_pending(&self, _id: &CardAccountId) -> Result<Vec<CardTransaction>> {
        Ok(self.card_pending.lock().clone())
    }
}

impl BankPayments for FakeBank {
    fn debtor_account(&self, _psu: &ActingPsu, _account: &AccountReference) -> Result<Option<DebtorAccount>> {
        self.asked("debtor_account")
            .map(|()| Some(DebtorAccount { currency: Currency::NOK, other_numbers: Vec::new() }))
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        self.creditors.lock().push(*creditor);
        self.asked("kid_agreement").map(|()| None)
    }

    fn fee(&self, _product: Product, _order: &Order) -> Result<Money> {
        self.asked("fee").map(|()| *self.fee.lock())
    }

    fn rate(&self, _from: Currency, _to: Currency) -> Result<Option<Decimal>> {
        self.asked("rate").map(|()| Some(*self.rate.lock()))
    }

    fn submit_payment(&self, order: &PaymentOrder, _now: DateTime<Utc>) -> Result<OrderStatus> {
        self.asked("submit_payment")?;
        self.taken.lock().push(order.payment_id.clone());
        // Taken out while it runs: it may have the engine ask again.
        let script = self.script.lock().take();
        let Some(mut script) = script else { return Ok(*self.answer.lock()) };
        let answered = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| script(order)));
        *self.script.lock() = Some(script);
        answered.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    fn cancel_payment(&self, payment: &PaymentId, _now: DateTime<Utc>) -> Result<Cancellation> {
        self.asked("cancel_payment")?;
        self.given_up.lock().push(payment.clone());
        Ok(*self.cancellation.lock())
    }
}

impl BankOperations for FakeBank {
    fn operations(&self) -> &'static [Operation] {
        *self.operations.lock()
    }

    /// Returns its input, unless an answer is set.
    fn perform(
        &self,
        call: &BankCall<'_>,
        _now: DateTime<Utc>,
    ) -> Result<std::result::Result<BankAnswer, Refusal>> {
        self.asked("perform")?;
        if call.parameters == ["unknown"] {
            return Ok(Err(Reason::PathUnknown.into()));
        }
        if let Some(answer) = self.performed.lock().clone() {
            return Ok(Ok(answer));
        }
        let switched = call.target.switch("on").unwrap();
        let sent = String::from_utf8_lossy(call.body);
        let given = (call.operation.name, call.parameters, switched, sent, call.tpp);
        let body = serde_json::to_vec(&given).unwrap();
        Ok(Ok(BankAnswer { status: 202, body, location: Some("/v1/own/made".to_owned()) }))
    }
}

/// The bank's own operations.
pub(crate) const OF_BANK: &[Operation] = &[own("GET"), own("POST")];

pub(crate) const fn own(method: &'static str) -> Operation {
    Operation {
        id: OperationId::OfBank,
        name: "own",
        method,
        path: "/v1/own/{id}",
        headers: HeaderSet::Sandbox,
        role: RoleNeeded::Any,
        takes_body: false,
        about: "",
        query: &[],
    }
}
