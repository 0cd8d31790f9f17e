//! What the simulated bank holds: persons, accounts with money, and the orders it took. It outlives every process.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use xs2a::bank::{Order, OrderStatus, PaymentOrder, PaymentStatus, RemittanceInformation};
use xs2a::internal::sha256;
use xs2a::types::PaymentId;

/// The persons, each with two accounts.
pub(crate) const PERSONS: [&str; 3] = ["kari", "ola", "eva"];
pub(crate) const ACCOUNTS: [[&str; 2]; 3] =
    [["95360573002", "95360573010"], ["95360573037", "95360573061"], ["95360573118", "95360573134"]];
/// What each account holds at the beginning, in øre.
const OPENING_BALANCE: i64 = 100_000_000;

/// Whose account it is.
pub(crate) fn owner(account: &str) -> Option<usize> {
    ACCOUNTS.iter().position(|accounts| accounts.contains(&account))
}

/// What became of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Waits,
    Executed,
    Rejected,
    Cancelled,
}

impl Verdict {
    pub(crate) fn status(self) -> PaymentStatus {
        match self {
            Self::Waits => PaymentStatus::Pdng,
            Self::Executed => PaymentStatus::Acsc,
            Self::Rejected => PaymentStatus::Rjct,
            Self::Cancelled => PaymentStatus::Canc,
        }
    }
}

/// A transfer as the bank was ordered to carry it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transfer {
    pub(crate) reference: String,
    pub(crate) ore: i64,
    pub(crate) debtor: String,
    pub(crate) creditor: String,
    pub(crate) person: String,
    pub(crate) day: Option<NaiveDate>,
}

/// An order in the books; one that was cancelled before the bank got it has no transfer.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) transfer: Option<Transfer>,
    pub(crate) verdict: Verdict,
}

#[derive(Debug)]
pub(crate) struct Books {
    pub(crate) orders: BTreeMap<String, Entry>,
    pub(crate) balances: BTreeMap<String, i64>,
    /// What was executed, in this order: payment id and transfer.
    pub(crate) executed: Vec<(String, Transfer)>,
}

impl Books {
    pub(crate) fn new() -> Self {
        let accounts = ACCOUNTS.iter().flatten();
        Self {
            orders: BTreeMap::new(),
            balances: accounts.map(|account| ((*account).to_owned(), OPENING_BALANCE)).collect(),
            executed: Vec::new(),
        }
    }

    /// Takes an order once: executes it, rejects it, or keeps it for later. Which of them follows from its id.
    pub(crate) fn submit(&mut self, order: &PaymentOrder) -> OrderStatus {
        let id = order.payment_id.as_str();
        if let Some(entry) = self.orders.get(id) {
            return OrderStatus::of(entry.verdict.status());
        }
        let transfer = transfer(order);
        let drawn = sha256(id.as_bytes())[0];
        let verdict = match drawn {
            _ if transfer.day.is_some() => Verdict::Waits,
            0..=29 => Verdict::Rejected,
            30..=119 => Verdict::Waits,
            _ => Verdict::Executed,
        };
        self.orders.insert(id.to_owned(), Entry { transfer: Some(transfer), verdict: Verdict::Waits });
        self.decide(id, verdict);
        OrderStatus::of(verdict.status())
    }

    /// Cancels an order that waits, or one that never comes. Returns what became of it.
    pub(crate) fn cancel(&mut self, payment: &PaymentId) -> Verdict {
        let id = payment.as_str();
        let entry = self.orders.entry(id.to_owned());
        let entry = entry.or_insert(Entry { transfer: None, verdict: Verdict::Waits });
        if entry.verdict == Verdict::Waits {
            entry.verdict = Verdict::Cancelled;
        }
        entry.verdict
    }

    /// Ends an order that waits.
    pub(crate) fn decide(&mut self, id: &str, verdict: Verdict) {
        let Some(entry) = self.orders.get_mut(id).filter(|entry| entry.verdict == Verdict::Waits) else {
            return;
        };
        entry.verdict = verdict;
        if let (Verdict::Executed, Some(transfer)) = (verdict, entry.transfer.clone()) {
            *self.balances.entry(transfer.debtor.clone()).or_default() -= transfer.ore;
            *self.balances.entry(transfer.creditor.clone()).or_default() += transfer.ore;
            self.executed.push((id.to_owned(), transfer));
        }
    }

    /// The orders that wait and are due on a day.
    pub(crate) fn waiting(&self, today: Option<NaiveDate>) -> Vec<String> {
        let is_due = |entry: &Entry| {
            let day = entry.transfer.as_ref().and_then(|transfer| transfer.day);
            entry.verdict == Verdict::Waits && day.is_none_or(|day| today.is_none_or(|today| day <= today))
        };
        self.orders.iter().filter(|(_, entry)| is_due(entry)).map(|(id, _)| id.clone()).collect()
    }

    /// What became of the order of a payment.
    pub(crate) fn verdict(&self, id: &str) -> Option<Verdict> {
        self.orders.get(id).map(|entry| entry.verdict)
    }

    /// Returns true if all accounts together hold what they held at the beginning.
    pub(crate) fn is_balanced(&self) -> bool {
        let accounts = i64::try_from(ACCOUNTS.as_flattened().len()).unwrap();
        self.balances.values().sum::<i64>() == accounts * OPENING_BALANCE
    }
}

fn transfer(order: &PaymentOrder) -> Transfer {
    let Order::Single(single) = &order.order else { panic!("no other order was sent") };
    let reference = match &single.remittance {
        Some(RemittanceInformation::Unstructured(text)) => text.as_str().to_owned(),
        other => format!("{other:?}"),
    };
    let ore = single.instructed_amount.value() * rust_decimal::Decimal::ONE_HUNDRED;
    Transfer {
        reference,
        ore: i64::try_from(ore).unwrap(),
        debtor: single.debtor_account.identification.as_str().to_owned(),
        creditor: single.creditor_account.identification.as_str().to_owned(),
        person: order.psu.psu.as_str().to_owned(),
        day: single.requested_execution_date,
    }
}
