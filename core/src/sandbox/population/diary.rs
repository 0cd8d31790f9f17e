//! What happens on the accounts of a neighbourhood, before it is booked.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};

use super::calendar::Day;
use super::holding::Holding;
use super::kind::Kind;
use super::merchants::Branch;
use crate::store::sqlite::sandbox::Counterpart;
use crate::types::Currency;

/// An account, as those who pay to it and from it know it.
#[derive(Clone)]
pub(super) struct Place {
    /// Its place among the accounts of the neighbourhood.
    pub(super) at: usize,
    /// Whom and what it is to others.
    pub(super) party: Arc<Counterpart>,
}

/// A use of a card.
#[derive(Debug, Clone)]
pub(super) struct Use {
    /// What the sum was in that place, in minor units.
    pub(super) original: i64,
    /// In that currency.
    pub(super) currency: Currency,
    pub(super) branch: Arc<Branch>,
    /// When the card was used.
    pub(super) day: NaiveDate,
}

/// A line to be booked.
pub(super) struct Entry {
    /// The place of the account.
    pub(super) at: usize,
    /// When it is booked.
    pub(super) day: NaiveDate,
    /// From when on it bears interest.
    pub(super) value_date: NaiveDate,
    pub(super) created_at: DateTime<Utc>,
    /// In minor units of the account's currency; what leaves the account is negative.
    pub(super) sum: i64,
    pub(super) kind: Kind,
    pub(super) other: Arc<Counterpart>,
    pub(super) text: Cow<'static, str>,
    /// A KID.
    pub(super) reference: Option<String>,
    pub(super) card: Option<Use>,
    /// Whether cases or what looks like them added it.
    pub(super) is_added: bool,
    /// Which entry of the neighbourhood it is.
    pub(super) number: u64,
}

/// A payment, by any payer, on the present day.
#[derive(Clone)]
pub(super) struct Payment {
    /// In minor units.
    pub(super) sum: i64,
    pub(super) kind: Kind,
    pub(super) text: Cow<'static, str>,
    /// In seconds since the day began.
    pub(super) time: u32,
    pub(super) reference: Option<String>,
}

impl Payment {
    /// One in the morning, as most payments are that no person makes by hand.
    pub(super) fn of(sum: i64, kind: Kind, text: impl Into<Cow<'static, str>>) -> Self {
        Self { sum, kind, text: text.into(), time: MORNING, reference: None }
    }

    /// The same at another time.
    pub(super) fn at(self, time: u32) -> Self {
        Self { time, ..self }
    }
}

/// When payments are made that are due, in seconds: a quarter past six.
pub(super) const MORNING: u32 = 22_500;

/// What an account has, and how far it may go.
struct Till {
    /// The balance less what is authorised and not booked yet, without what cases add.
    available: i64,
    floor: i64,
    /// What cases added, which the life does not react to.
    added: i64,
}

/// The entries of a neighbourhood, and the balances they leave.
pub(super) struct Diary {
    /// What has a value date before this day is not kept.
    since: NaiveDate,
    day: Day,
    tills: Vec<Till>,
    entries: Vec<Entry>,
    /// What is booked on days to come, in the order in which it happened.
    pending: Vec<Entry>,
    next_number: u64,
}

impl Diary {
    /// An empty one of these accounts, before that day.
    pub(super) fn of(holdings: &[Holding], since: NaiveDate, day: Day) -> Self {
        let till =
            |holding: &Holding| Till { available: holding.opening, floor: -holding.credit_line, added: 0 };
        let tills = holdings.iter().map(till).collect();
        Self { since, day, tills, entries: Vec::new(), pending: Vec::new(), next_number: 0 }
    }

    /// A day begins: what is pending and due on it is booked.
    pub(super) fn begin(&mut self, day: Day) {
        self.day = day;
        let due = self.pending.extract_if(.., |entry| entry.day <= day.date).collect::<Vec<_>>();
        for entry in due {
            // What is authorised was taken from what is available when it was authorised.
            if let Some(till) = self.tills.get_mut(entry.at).filter(|_| entry.sum > 0) {
                till.available += entry.sum;
            }
            self.keep(Entry { created_at: day.made_at(MORNING), ..entry });
        }
    }

    /// What may still be taken from an account.
    pub(super) fn free(&self, at: usize) -> i64 {
        self.tills.get(at).map_or(0, |till| till.available - till.floor)
    }

    /// The balance less what is authorised, without what cases add.
    pub(super) fn available(&self, at: usize) -> i64 {
        self.tills.get(at).map_or(0, |till| till.available)
    }

    /// The balance less what is authorised, with what cases add.
    pub(super) fn balance(&self, at: usize) -> i64 {
        self.tills.get(at).map_or(0, |till| till.available + till.added)
    }

    /// So much more is on an account, or less if it is negative, beside what the life reacts to.
    pub(super) fn add_to_balance(&mut self, at: usize, sum: i64) {
        if let Some(till) = self.tills.get_mut(at) {
            till.added += sum;
        }
    }

    /// A line that cases add, of which the sum is negative if it leaves the account; a use of a card with the day on
    /// which it is booked. Returns its number.
    pub(super) fn add(
        &mut self,
        at: usize,
        other: &Arc<Counterpart>,
        payment: Payment,
        card: Option<(Use, NaiveDate)>,
    ) -> u64 {
        let entry = Entry { is_added: true, ..self.entry(at, other, payment) };
        let number = entry.number;
        self.add_to_balance(at, entry.sum);
        match card {
            Some((used, booked)) => self.keep_use(entry, used, booked),
            None => self.keep(entry),
        }
        number
    }

    /// Money that goes to a party outside; whether there was enough.
    pub(super) fn pay(&mut self, from: &Place, other: &Arc<Counterpart>, payment: Payment) -> bool {
        let is_covered = payment.sum > 0 && self.free(from.at) >= payment.sum;
        if is_covered {
            self.line(from.at, other, Payment { sum: -payment.sum, ..payment });
        }
        is_covered
    }

    /// Money that comes from a party outside.
    pub(super) fn receive(&mut self, to: &Place, other: &Arc<Counterpart>, payment: Payment) {
        if payment.sum > 0 {
            self.line(to.at, other, payment);
        }
    }

    /// Money that goes from one account of the neighbourhood to another: a line on both. Whether there was enough.
    pub(super) fn transfer(&mut self, from: &Place, to: &Place, payment: Payment) -> bool {
        let is_paid = self.pay(from, &to.party, payment.clone());
        if is_paid {
            self.receive(to, &from.party, payment);
        }
        is_paid
    }

    /// A use of a card that is booked on a day, today or later; whether there was enough.
    pub(super) fn authorise(&mut self, at: usize, payment: Payment, used: Use, booked: NaiveDate) -> bool {
        let is_covered = payment.sum > 0 && self.free(at) >= payment.sum;
        if is_covered {
            let other = Arc::clone(&used.branch.party);
            let entry = self.entry(at, &other, Payment { sum: -payment.sum, ..payment });
            if let Some(till) = self.tills.get_mut(at) {
                till.available += entry.sum;
            }
            self.keep_use(entry, used, booked);
        }
        is_covered
    }

    fn keep_use(&mut self, entry: Entry, used: Use, booked: NaiveDate) {
        match booked > self.day.date {
            true => self.pending.push(Entry { day: booked, value_date: booked, card: Some(used), ..entry }),
            false => self.keep(Entry { card: Some(used), ..entry }),
        }
    }

    /// Money back for a use of a card, on a day to come.
    pub(super) fn return_on(&mut self, at: usize, payment: Payment, used: Use, booked: NaiveDate) {
        let other = Arc::clone(&used.branch.party);
        let entry = self.entry(at, &other, payment);
        self.pending.push(Entry { day: booked, value_date: booked, card: Some(used), ..entry });
    }

    /// What was to come back to an account does not.
    pub(super) fn cancel_returns(&mut self, at: usize) {
        self.pending.retain(|entry| entry.at != at || entry.sum < 0);
    }

    fn line(&mut self, at: usize, other: &Arc<Counterpart>, payment: Payment) {
        let entry = self.entry(at, other, payment);
        if let Some(till) = self.tills.get_mut(at) {
            till.available += entry.sum;
        }
        self.keep(entry);
    }

    fn entry(&mut self, at: usize, other: &Arc<Counterpart>, payment: Payment) -> Entry {
        let Payment { sum, kind, text, time, reference } = payment;
        let created_at = self.day.made_at(time);
        let (day, value_date, number) = (self.day.date, self.day.value_date(), self.next_number);
        self.next_number += 1;
        let other = Arc::clone(other);
        let (card, is_added) = (None, false);
        Entry { at, day, value_date, created_at, sum, kind, other, text, reference, card, is_added, number }
    }

    /// The uses of cards that are authorised and not booked, or not visible yet because of their value date, the oldest
    /// first.
    pub(super) fn authorised(&self) -> Vec<&Entry> {
        let entries = self.pending.iter().chain(&self.entries);
        let mut authorised: Vec<_> = entries.filter(|entry| entry.card.is_some() && entry.sum < 0).collect();
        authorised.sort_by_key(|entry| entry.number);
        authorised
    }

    fn keep(&mut self, entry: Entry) {
        if entry.value_date >= self.since {
            self.entries.push(entry);
        }
    }

    /// The entries with a value date up to the present day that were not taken yet, by account and then by day.
    pub(super) fn take_entries(&mut self) -> Vec<Entry> {
        let today = self.day.date;
        let mut entries: Vec<_> = self.entries.extract_if(.., |entry| entry.value_date <= today).collect();
        entries.sort_by_key(|entry| (entry.at, entry.day));
        entries
    }
}
