//! The [`Bank`] over a bank that is asked in JSON. What it answers is read strictly: a bank that answers what it
//! must not is an error of the host, never something a TPP sees or a record that is kept. Whether a list is the part
//! that was asked for is looked at where every bank's answer is read.

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;

use super::answer::{
    Accounts, Agreements, Balances, Booked, Cancelled, CardAccounts, CardBooked, CardPending, Debtor, Demand,
    Fee, Pending, Person, Rate, Status,
};
use super::calls::{AnswerWriter, BankCalls};
use super::method::BankMethod;
use super::question::{
    AccountQuestion, Always, BookedQuestion, CancelQuestion, CardBookedQuestion, CardQuestion,
    CreditorQuestion, DebtorQuestion, FeeQuestion, OfAccountQuestion, OfCardQuestion, OwnerQuestion,
    PersonQuestion, PsuQuestion, RateQuestion, RiskQuestion, SubmitQuestion, TransactionQuestion,
};
use super::read_answer::{error, read_answer, wrong};
use super::shape::Part;
use crate::account::record::{
    Account, Balance, CardAccount, CardTransaction, CorporateAgreement, Page, Transaction, TransactionQuery,
};
use crate::bank::{
    Bank, BankAccounts, BankCardAccounts, BankCustomers, BankPayments, BankRisk, Cancellation, OrderStatus,
    PaymentOrder, ScaDemand, ScaQuestion,
};
use crate::env::current_call::current_call;
use crate::error::Result;
use crate::payment::order::Order;
use crate::payment::product::Product;
use crate::reason::Language;
use crate::types::instant::rfc3339;
use crate::types::{
    AccountId, AccountReference, ActingPsu, Bban, CallIds, CardAccountId, CorrelationId, Currency,
    DebtorAccount, IdentityNumber, KidAgreement, Money, PaymentId, PsuKey, TraceParent, TransactionId,
};
use crate::wire::json::{self, Json};

/// A bank that is asked in JSON.
#[derive(Debug)]
pub struct JsonBank<C>(C);

impl<C: BankCalls> JsonBank<C> {
    /// The bank that these calls reach.
    pub fn new(calls: C) -> Self {
        Self(calls)
    }

    /// Asks, and reads the answer; `None` for null.
    fn ask<A: Part>(&self, method: BankMethod, question: &impl Serialize) -> Result<Option<A::Held>> {
        let CallIds { traceparent, correlation_id, .. } = current_call();
        let request = json::write_text(&Asked { question, traceparent, correlation_id })?;
        let mut writer = AnswerWriter::default();
        let called = self.0.call(method, &request, &mut writer);
        // A callback that stops because the answer is too long only fails; the length is the better reason.
        if !writer.is_too_long() {
            called?;
        }
        let bytes = writer.finished().map_err(|text| error(method, "", &text))?;
        let answer =
            Json::parse(&bytes).map_err(|violation| error(method, "", &violation.text(Language::English)))?;
        read_answer::<A>(method, &request, answer).map_err(|fault| wrong(method, &fault))
    }

    /// As [`Self::ask`], where null is no answer.
    fn demand<A: Part>(&self, method: BankMethod, question: &impl Serialize) -> Result<A::Held> {
        self.ask::<A>(method, question)?.ok_or_else(|| error(method, "", "is null"))
    }
}

/// A question with the ids of the call that asks it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Asked<'q, Q> {
    #[serde(flatten)]
    question: &'q Q,
    #[serde(skip_serializing_if = "Option::is_none")]
    traceparent: Option<TraceParent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation_id: Option<CorrelationId>,
}

impl<C: BankCalls> Bank for JsonBank<C> {
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
}

impl<C: BankCalls> BankCustomers for JsonBank<C> {
    fn psu(&self, identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        let question = PsuQuestion { identity: Always(identity.as_str()) };
        Ok(self.ask::<Person>(BankMethod::Psu, &question)?.map(|Person { person }| person))
    }

    fn agreements(&self, psu: &PsuKey) -> Result<Vec<CorporateAgreement>> {
        let question = PersonQuestion { person: Always(psu.as_str()) };
        let Agreements { agreements } = self.demand::<Agreements>(BankMethod::Agreements, &question)?;
        Ok(agreements)
    }
}

impl<C: BankCalls> BankAccounts for JsonBank<C> {
    fn accounts(&self, psu: &ActingPsu) -> Result<Vec<Account>> {
        let Accounts { accounts } =
            self.demand::<Accounts>(BankMethod::Accounts, &OwnerQuestion { psu: psu.into() })?;
        Ok(accounts)
    }

    fn account(&self, psu: &ActingPsu, id: &AccountId) -> Result<Option<Account>> {
        let question = AccountQuestion { psu: psu.into(), account_id: Always(id.as_str()) };
        self.ask::<Account>(BankMethod::Account, &question)
    }

    fn balances(&self, id: &AccountId) -> Result<Vec<Balance>> {
        let question = OfAccountQuestion { account_id: Always(id.as_str()) };
        let Balances { balances } = self.demand::<Balances>(BankMethod::Balances, &question)?;
        Ok(balances)
    }

    fn booked(&self, id: &AccountId, query: &TransactionQuery) -> Result<Page<Transaction>> {
        let question = BookedQuestion::new(id.as_str(), query);
        let Booked { transactions, total } = self.demand::<Booked>(BankMethod::Booked, &question)?;
        Ok(Page { items: transactions, total })
    }

    fn pending(&self, id: &AccountId) -> Result<Vec<Transaction>> {
        let question = OfAccountQuestion { account_id: Always(id.as_str()) };
        let Pending { transactions } = self.demand::<Pending>(BankMethod::Pending, &question)?;
        Ok(transactions)
    }

    fn transaction(&self, account: &AccountId, id: &TransactionId) -> Result<Option<Transaction>> {
        let question =
            TransactionQuestion { account_id: Always(account.as_str()), transaction_id: Always(id.as_str()) };
        self.ask::<Transaction>(BankMethod::Transaction, &question)
    }
}

impl<C: BankCalls> BankCardAccounts for JsonBank<C> {
    fn card_accounts(&self, psu: &ActingPsu) -> Result<Vec<CardAccount>> {
        let CardAccounts { card_accounts } =
            self.demand::<CardAccounts>(BankMethod::CardAccounts, &OwnerQuestion { psu: psu.into() })?;
        Ok(card_accounts)
    }

    fn card_account(&self, psu: &ActingPsu, id: &CardAccountId) -> Result<Option<CardAccount>> {
        let question = CardQuestion { psu: psu.into(), card_account_id: Always(id.as_str()) };
        self.ask::<CardAccount>(BankMethod::CardAccount, &question)
    }

    fn card_balances(&self, id: &CardAccountId) -> Result<Vec<Balance>> {
        let question = OfCardQuestion { card_account_id: Always(id.as_str()) };
        let Balances { balances } = self.demand::<Balances>(BankMethod::CardBalances, &question)?;
        Ok(balances)
    }

    fn card_booked(&self, id: &CardAccountId, query: &TransactionQuery) -> Result<Page<CardTransaction>> {
        let question = CardBookedQuestion::new(id.as_str(), query);
        let CardBooked { transactions, total } =
            self.demand::<CardBooked>(BankMethod::CardBooked, &question)?;
        Ok(Page { items: transactions, total })
    }

    fn card_pending(&self, id: &CardAccountId) -> Result<Vec<CardTransaction>> {
        let question = OfCardQuestion { card_account_id: Always(id.as_str()) };
        let CardPending { transactions } = self.demand::<CardPending>(BankMethod::CardPending, &question)?;
        Ok(transactions)
    }
}

impl<C: BankCalls> BankPayments for JsonBank<C> {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        let question = DebtorQuestion::new(psu, account);
        let found = self.ask::<Debtor>(BankMethod::DebtorAccount, &question)?;
        Ok(found.map(|Debtor { currency, other_numbers }| DebtorAccount { currency, other_numbers }))
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        let question = CreditorQuestion { bban: Always(creditor.as_str()) };
        self.ask::<KidAgreement>(BankMethod::KidAgreement, &question)
    }

    fn fee(&self, product: Product, order: &Order) -> Result<Money> {
        let Fee { fee } = self.demand::<Fee>(BankMethod::Fee, &FeeQuestion::new(product, order))?;
        Ok(fee)
    }

    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>> {
        let question = RateQuestion { source: Always(from.code()), target: Always(to.code()) };
        Ok(self.ask::<Rate>(BankMethod::Rate, &question)?.map(|Rate { rate }| rate))
    }

    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus> {
        let Status { status, funds_available } =
            self.demand::<Status>(BankMethod::SubmitPayment, &SubmitQuestion::new(order, now))?;
        Ok(OrderStatus { status, funds_available })
    }

    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
        let method = BankMethod::CancelPayment;
        let question = CancelQuestion { payment_id: Always(payment.as_str()), now: Always(rfc3339(now)) };
        let Cancelled { status, funds_available, .. } = self.demand::<Cancelled>(method, &question)?;
        Ok(match status {
            // A payment that is cancelled has no other status.
            None => Cancellation::Cancelled,
            Some(status) => Cancellation::TooLate(OrderStatus { status, funds_available }),
        })
    }
}

impl<C: BankCalls> BankRisk for JsonBank<C> {
    fn requires_sca(&self, question: &ScaQuestion<'_>) -> Result<ScaDemand> {
        let found = self.ask::<Demand>(BankMethod::RequiresSca, &RiskQuestion::from(question))?;
        Ok(found.map(|Demand { demand }| demand).unwrap_or_default())
    }
}
