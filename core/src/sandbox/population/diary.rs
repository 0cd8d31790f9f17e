//! What happens on the accounts of a neighbourhood, before it is booked.

use std::sync::Arc;

use chrono::NaiveDate;

use super::month::Period;
use crate::store::sqlite::sandbox::Counterpart;
use crate::types::Currency;

/// Minor units in a whole one: every currency of a population has two digits behind the point.
pub(super) const UNIT: i64 = 100;

/// An account, as those who pay to it and from it know it.
#[derive(Clone)]
pub(super) struct Place {
    /// Its place among the accounts of the neighbourhood.
    pub(super) at: usize,
    /// Whom and what it is to others.
    pub(super) party: Arc<Counterpart>,
}

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A payment to another party, or from one.
    Transfer,
    /// Between two accounts of one owner.
    OwnTransfer,
    /// Wages.
    Salary,
    /// A pension.
    Pension,
    /// To the state.
    Tax,
    /// Paid by debit card in a shop.
    Purchase,
    /// Paid by credit card.
    CreditPurchase,
    /// What the bank gives for savings.
    Interest,
}

impl Kind {
    /// In ISO 20022 (External Bank Transaction Codes): issued or received credit transfers, uses of a card,
    /// interest of an account.
    pub(super) fn bank_transaction_code(self, is_debit: bool) -> &'static str {
        match (self, is_debit) {
            (Self::Transfer | Self::Pension | Self::Tax, true) => "PMNT-ICDT-DMCT",
            (Self::Transfer | Self::Pension | Self::Tax, false) => "PMNT-RCDT-DMCT",
            (Self::OwnTransfer, true) => "PMNT-ICDT-BOOK",
            (Self::OwnTransfer, false) => "PMNT-RCDT-BOOK",
            (Self::Salary, true) => "PMNT-ICDT-SALA",
            (Self::Salary, false) => "PMNT-RCDT-SALA",
            (Self::Purchase, _) => "PMNT-CCRD-POSD",
            (Self::CreditPurchase, _) => "PMNT-CCRD-POSC",
            (Self::Interest, _) => "ACMT-MCOP-INTR",
        }
    }

    /// What this bank calls it.
    pub(super) fn proprietary_code(self) -> &'static str {
        match self {
            Self::Transfer | Self::Tax => "BETALING",
            Self::OwnTransfer => "OVERFØRING",
            Self::Salary => "LØNN",
            Self::Pension => "PENSJON",
            Self::Purchase | Self::CreditPurchase => "VAREKJØP",
            Self::Interest => "RENTER",
        }
    }

    /// Why it was paid, as a code (contract: Payment initiation request, purposeCode).
    pub(super) fn purpose_code(self) -> Option<&'static str> {
        match self {
            Self::Salary => Some("SALA"),
            Self::Pension => Some("PENS"),
            Self::Tax => Some("TAXS"),
            _ => None,
        }
    }
}

/// Where a credit card was used, and for how much there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use {
    /// What the sum was in that place, in minor units.
    pub(super) original: i64,
    /// In that currency.
    pub(super) currency: Currency,
    pub(super) city: &'static str,
    pub(super) country: &'static str,
    /// ISO 18245.
    pub(super) category: &'static str,
}

/// A line to be booked.
pub(super) struct Entry {
    /// The place of the account.
    pub(super) at: usize,
    pub(super) day: NaiveDate,
    /// In minor units of the account's currency; what leaves the account is negative.
    pub(super) sum: i64,
    pub(super) kind: Kind,
    pub(super) other: Arc<Counterpart>,
    pub(super) text: &'static str,
    pub(super) card: Option<Use>,
}

/// The entries of a neighbourhood.
pub(super) struct Diary {
    period: Period,
    entries: Vec<Entry>,
}

/// A payment, by any payer.
#[derive(Clone, Copy)]
pub(super) struct Payment {
    pub(super) day: NaiveDate,
    /// In minor units.
    pub(super) sum: i64,
    pub(super) kind: Kind,
    pub(super) text: &'static str,
}

impl Diary {
    /// An empty one.
    pub(super) fn of(period: Period) -> Self {
        Self { period, entries: Vec::new() }
    }

    /// Notes what happens within the period; what does not is left out. Whether it was noted.
    pub(super) fn note(&mut self, entry: Entry) -> bool {
        let is_noted = self.period.has(entry.day);
        if is_noted {
            self.entries.push(entry);
        }
        is_noted
    }

    /// Money that goes to a party outside.
    pub(super) fn pay(&mut self, from: &Place, other: &Arc<Counterpart>, payment: Payment) -> bool {
        self.line(from.at, other, Payment { sum: -payment.sum, ..payment })
    }

    /// Money that comes from a party outside.
    pub(super) fn receive(&mut self, to: &Place, other: &Arc<Counterpart>, payment: Payment) -> bool {
        self.line(to.at, other, payment)
    }

    /// Money that goes from one account of the neighbourhood to another: a line on both.
    pub(super) fn transfer(&mut self, from: &Place, to: &Place, payment: Payment) -> bool {
        self.pay(from, &to.party, payment) && self.receive(to, &from.party, payment)
    }

    fn line(&mut self, at: usize, other: &Arc<Counterpart>, payment: Payment) -> bool {
        let Payment { day, sum, kind, text } = payment;
        self.note(Entry { at, day, sum, kind, other: Arc::clone(other), text, card: None })
    }

    /// The entries, by account and then by day.
    pub(super) fn into_entries(mut self) -> Vec<Entry> {
        self.entries.sort_by_key(|entry| (entry.at, entry.day));
        self.entries
    }
}
