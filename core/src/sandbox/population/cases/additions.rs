//! What cases add to a neighbourhood: lines, what has to be on accounts for them, and the cases themselves.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use chrono::NaiveDate;

use super::super::diary::{Diary, Payment, Use};
use super::super::holding::Holding;
use super::typology::Typology;
use crate::store::sqlite::sandbox::Counterpart;

/// What a line is in a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    /// The number of the case.
    pub(crate) case: u64,
    /// What the owner of the account is in it.
    pub(crate) role: &'static str,
    /// Which payment of the case it is, from 1.
    pub(crate) step: u32,
}

/// A case, where its subject lives.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "arrow"), expect(dead_code, reason = "tables alone show it"))]
pub(crate) struct CaseNote {
    pub(crate) number: u64,
    pub(crate) typology: Typology,
    /// The place of the subject among the customers of the neighbourhood.
    pub(crate) customer: usize,
    pub(crate) first: NaiveDate,
    pub(crate) last: NaiveDate,
}

/// The part of a customer's day in which a payment is made. Each kind of payment has about the same part as
/// in a life without cases, so that the order of ids does not show which lines were added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PartOfDay {
    /// Wages, and invoices that clients pay.
    Income,
    Transfers,
    Cash,
    Purchases,
}

/// Where a line is among those of its neighbourhood; in the order in which days are lived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    day: NaiveDate,
    /// Companies come first.
    is_person: bool,
    /// The place of the customer's current account.
    at: usize,
    part: PartOfDay,
}

impl Position {
    /// On the day of a person.
    pub(crate) fn of_person(day: NaiveDate, at: usize, part: PartOfDay) -> Self {
        Self { day, is_person: true, at, part }
    }

    /// On the day of a company.
    pub(crate) fn of_company(day: NaiveDate, at: usize, part: PartOfDay) -> Self {
        Self { day, is_person: false, at, part }
    }
}

/// A line without a number.
pub(super) struct AddedLine {
    /// The place of the account.
    pub(super) at: usize,
    pub(super) other: Arc<Counterpart>,
    /// What leaves the account is negative.
    pub(super) payment: Payment,
    /// A use of a card, and when it is booked.
    pub(super) card: Option<(Use, NaiveDate)>,
    /// `None` of a look-alike.
    pub(super) mark: Option<Mark>,
}

/// What the cases add to a neighbourhood.
#[derive(Default)]
pub(crate) struct Additions {
    lines: BTreeMap<Position, Vec<AddedLine>>,
    /// What is on accounts beside what their owners live on.
    openings: Vec<(usize, i64)>,
    /// The cases whose subject lives there.
    pub(crate) cases: Vec<CaseNote>,
    /// The marks of the lines that were written, by the numbers of their entries.
    pub(crate) marks: HashMap<u64, Mark>,
}

impl Additions {
    /// A line is added there.
    pub(super) fn add(&mut self, position: Position, line: AddedLine) {
        self.lines.entry(position).or_default().push(line);
    }

    /// So much more is on an account at first.
    pub(super) fn add_opening(&mut self, at: usize, sum: i64) {
        self.openings.push((at, sum));
    }

    /// After the last line: those of one position are sorted by time, and each account that pays more than it received
    /// has the difference at first.
    pub(super) fn complete(&mut self) {
        let mut held: BTreeMap<usize, (i64, i64)> = BTreeMap::new();
        for lines in self.lines.values_mut() {
            lines.sort_by_key(|line| line.payment.time);
            for line in lines {
                let (sum, least) = held.entry(line.at).or_default();
                *sum += line.payment.sum;
                *least = (*sum).min(*least);
            }
        }
        let short = held.into_iter().filter(|(_, (_, least))| *least < 0);
        self.openings.extend(short.map(|(at, (_, least))| (at, -least)));
    }

    /// Opens the accounts with what they have beside what their owners live on.
    pub(crate) fn open(&self, holdings: &mut [Holding], diary: &mut Diary) {
        for (at, sum) in &self.openings {
            if let Some(holding) = holdings.get_mut(*at) {
                holding.opening += sum;
                diary.add_to_balance(*at, *sum);
            }
        }
    }

    /// Writes the lines of a position.
    pub(crate) fn write(&mut self, position: &Position, diary: &mut Diary) {
        for AddedLine { at, other, payment, card, mark } in self.lines.remove(position).unwrap_or_default() {
            let number = diary.add(at, &other, payment, card);
            if let Some(mark) = mark {
                self.marks.insert(number, mark);
            }
        }
    }
}
