//! The bank as one process of a node sees it.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use rust_decimal::Decimal;
use xs2a::bank::{
    Account, Balance, BalanceType, Bank, BankAccounts, BankCardAccounts, BankCustomers, BankPayments,
    Cancellation, CardAccount, CardTransaction, CorporateAgreement, Order, OrderStatus, Page, PaymentOrder,
    Product, Transaction, TransactionQuery,
};
use xs2a::types::{
    AccountId, AccountReference, ActingPsu, Bban, CardAccountId, Currency, DebtorAccount, IdentityNumber,
    KidAgreement, Money, PaymentId, PsuKey, TransactionId,
};
use xs2a::Result;

use crate::books::{owner, Books, Verdict, ACCOUNTS, PERSONS};
use crate::seams::{Operation, Seam};

pub(crate) struct SimulatedBank {
    pub(crate) books: Arc<Mutex<Books>>,
    pub(crate) seam: Seam,
}

/// The id of an account: the number of its owner and its own.
pub(crate) fn account_id(person: usize, account: usize) -> AccountId {
    AccountId::parse(&format!("enc!!{person}{account}{}", "A".repeat(22))).unwrap()
}

impl SimulatedBank {
    fn ask<T>(&self, name: &'static str, answer: impl FnOnce(&mut Books) -> T) -> Result<T> {
        self.seam.around(name, Operation::Question, || Ok(answer(&mut self.books.lock())))
    }
}

fn accounts_of(psu: &ActingPsu) -> Vec<Account> {
    let person = PERSONS.iter().position(|name| *name == psu.psu.as_str());
    let of_person = |person: usize| (0..ACCOUNTS[person].len()).map(move |number| account(person, number));
    person.map(|person| of_person(person).collect()).unwrap_or_default()
}

fn account(person: usize, number: usize) -> Account {
    Account {
        id: account_id(person, number),
        bban: Some(Bban::parse(ACCOUNTS[person][number]).unwrap()),
        iban: None,
        bic: None,
        currency: Currency::NOK,
        name: None,
        product: None,
        cash_account_type: None,
    }
}

impl Bank for SimulatedBank {
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
}

impl BankCustomers for SimulatedBank {
    fn psu(&self, _identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        Ok(None)
    }

    fn agreements(&self, _psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        Ok(Vec::new())
    }
}

impl BankAccounts for SimulatedBank {
    fn accounts(&self, psu: &ActingPsu) -> Result<Vec<Account>> {
        self.ask("accounts", |_| accounts_of(psu))
    }

    fn account(&self, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
        self.ask("account", |_| accounts_of(psu).into_iter().find(|account| account.id == *id))
    }

    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>> {
        self.ask("balances", |books| {
            let all = ACCOUNTS.iter().enumerate().flat_map(|(person, numbers)| {
                numbers.iter().enumerate().map(move |(account, number)| (account_id(person, account), number))
            });
            let number = all.into_iter().find(|(found, _)| found == id).map(|(_, number)| *number);
            let ore = number.and_then(|number| books.balances.get(number)).copied().unwrap_or_default();
            let amount = Money::of_minor_units(ore, Currency::NOK).unwrap();
            vec![Balance { kind: BalanceType::ClosingBooked, amount }]
        })
    }

    fn booked(&self, _id: &AccountId, _query: &TransactionQuery) -> Result<Page<Transaction>> {
        self.ask("booked", |_| Page { items: Vec::new(), total: 0 })
    }

    fn pending(&self, _id: &AccountId) -> Result<Vec<Transaction>> {
        self.ask("pending", |_| Vec::new())
    }

    fn transaction(&self, _account: &AccountId, _id: &TransactionId) -> Result<Option<Transaction>> {
        self.ask("transaction", |_| None)
    }
}

impl BankCardAccounts for SimulatedBank {
    fn card_accounts(&self, _psu: &ActingPsu) -> Result<Vec<CardAccount>> {
        Ok(Vec::new())
    }

    fn card_account(&self, _psu: &ActingPsu, _id: &CardAccountId) -> Result<Option<CardAccount>> {
        Ok(None)
    }

    fn card_balances(&self, _id: &CardAccountId) -> Result<Vec<Balance>> {
        Ok(Vec::new())
    }

    fn card_booked(&self, _id: &CardAccountId, _query: &TransactionQuery) -> Result<Page<CardTransaction>> {
        Ok(Page { items: Vec::new(), total: 0 })
    }

    fn card_pending(&self, _id: &CardAccountId) -> Result<Vec<CardTransaction>> {
        Ok(Vec::new())
    }
}

impl BankPayments for SimulatedBank {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        self.ask("debtor account", |_| {
            let is_own = owner(account.identification.as_str())
                .is_some_and(|person| PERSONS[person] == psu.psu.as_str());
            is_own.then(|| DebtorAccount { currency: Currency::NOK, other_numbers: Vec::new() })
        })
    }

    fn kid_agreement(&self, _creditor: &Bban) -> Result<Option<KidAgreement>> {
        self.ask("kid agreement", |_| None)
    }

    fn fee(&self, _product: Product, _order: &Order) -> Result<Money> {
        self.ask("fee", |_| Money::zero(Currency::NOK))
    }

    fn rate(&self, _from: Currency, _to: Currency) -> Result<Option<Decimal>> {
        self.ask("rate", |_| None)
    }

    fn submit_payment(&self, order: &PaymentOrder, _now: DateTime<Utc>) -> Result<OrderStatus> {
        // Looked at before another node is called.
        if let Some(world) = self.seam.world.upgrade() {
            world.check_submission(order);
        }
        let submit = || Ok(self.books.lock().submit(order));
        self.seam.around("submission", Operation::Deed, submit)
    }

    fn cancel_payment(&self, payment: &PaymentId, _now: DateTime<Utc>) -> Result<Cancellation> {
        let cancel = || Ok(self.books.lock().cancel(payment));
        Ok(match self.seam.around("cancellation", Operation::Deed, cancel)? {
            Verdict::Cancelled | Verdict::Waits => Cancellation::Cancelled,
            ended @ (Verdict::Executed | Verdict::Rejected) => {
                Cancellation::TooLate(OrderStatus::of(ended.status()))
            }
        })
    }
}
