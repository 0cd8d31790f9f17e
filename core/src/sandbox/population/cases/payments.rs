//! What happens in a case: who takes part, and what is paid when.

use std::borrow::Cow;
use std::sync::Arc;

use super::super::chance::Chance;
use super::super::country::{Hours, PartyKind, Trade};
use super::super::diary::MORNING;
use super::super::kind::Kind;
use super::super::merchants::Branch;
use super::super::purse;
use super::super::unit::UNIT;
use super::super::world::World;
use super::strangers;
use crate::error::Result;
use crate::store::sqlite::sandbox::Counterpart;
use crate::types::Modulus;

/// Of a hundred persons and companies beside the subject so many are customers of this bank.
const CUSTOMERS_PERCENT: i64 = 60;
/// How often another customer is drawn where one takes part already.
const TRIALS: usize = 4;
/// Of a hundred payments that persons make by hand so many are made at night, between midnight and the given hour.
const NIGHT_PERCENT: i64 = 16;
const NIGHT_ENDS: u32 = 6 * HOUR;
/// The messages of large sums between persons.
const LARGE_TEXTS: [&str; 4] = ["Overføring", "Oppgjør", "Depositum", "Lån"];
/// How much a cash machine gives at once, and in which steps, in øre.
const CASH_MAX: i64 = 10_000 * UNIT;
const CASH_STEP: i64 = 100 * UNIT;
const MINUTE: u32 = 60;
pub(super) const HOUR: u32 = 3_600;
const DAY: u32 = 24 * HOUR;

/// Who the case is about: the first party.
pub(super) const SUBJECT: usize = 0;

/// A customer, by the place in the population.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Member {
    Person(u64),
    Company(u64),
}

/// Who takes part.
#[derive(Debug, Clone)]
pub(super) enum Who {
    Customer(Member),
    Outside(Arc<Counterpart>),
}

/// Who takes part, and as what.
#[derive(Debug, Clone)]
pub(super) struct Party {
    pub(super) who: Who,
    pub(super) role: &'static str,
}

/// When something happens: so many days after the case began, and the time of day in seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct When {
    pub(super) day: usize,
    pub(super) time: u32,
}

impl When {
    /// So many minutes later, on the same day.
    pub(super) fn later(self, minutes: u32) -> Self {
        Self { time: self.time + minutes * MINUTE, ..self }
    }
}

/// A payment.
#[derive(Debug, Clone)]
pub(super) struct CasePayment {
    pub(super) when: When,
    /// The payer; `None` for cash that is paid in.
    pub(super) from: Option<usize>,
    /// The payee; `None` where a card is used.
    pub(super) to: Option<usize>,
    /// In øre.
    pub(super) sum: i64,
    pub(super) kind: Kind,
    pub(super) text: Cow<'static, str>,
    /// A KID.
    pub(super) reference: Option<String>,
    /// Where a card is used, or cash is paid in.
    pub(super) branch: Option<Arc<Branch>>,
    /// After how many banking days the use of a card is booked.
    pub(super) delay: usize,
}

impl CasePayment {
    fn of(when: When, kind: Kind, sum: i64, text: &'static str) -> Self {
        let (text, reference, branch) = (Cow::Borrowed(text), None, None);
        Self { when, from: None, to: None, sum, kind, text, reference, branch, delay: 0 }
    }
}

/// What a case or what looks like one is written into.
pub(super) struct CasePayments {
    pub(super) chance: Chance,
    pub(super) world: &'static World,
    /// How many persons and companies the population has.
    persons: u64,
    companies: u64,
    pub(super) parties: Vec<Party>,
    pub(super) payments: Vec<CasePayment>,
    /// The day of the month on which it begins, where it does not begin on any day.
    pub(super) begins_on: Option<u32>,
}

impl CasePayments {
    /// One with the subject alone, in a population of so many persons and companies.
    pub(super) fn of(
        subject: Member,
        role: &'static str,
        (persons, companies): (u64, u64),
        chance: Chance,
    ) -> Result<Self> {
        let parties = vec![Party { who: Who::Customer(subject), role }];
        let (world, payments, begins_on) = (World::norway()?, Vec::new(), None);
        Ok(Self { chance, world, persons, companies, parties, payments, begins_on })
    }

    /// Another person takes part: a customer of this bank or another one.
    pub(super) fn person(&mut self, role: &'static str) -> usize {
        let who = self.customer(self.persons, Member::Person);
        let who = who.unwrap_or_else(|| Who::Outside(strangers::one(&mut self.chance)));
        self.add(who, role)
    }

    /// A company takes part: a customer of this bank or another one.
    pub(super) fn company(&mut self, role: &'static str) -> usize {
        match self.customer(self.companies, Member::Company) {
            Some(who) => self.add(who, role),
            None => self.outsider(PartyKind::Client, role),
        }
    }

    /// A person with an account at another bank takes part.
    pub(super) fn stranger(&mut self, role: &'static str) -> usize {
        let who = Who::Outside(strangers::one(&mut self.chance));
        self.add(who, role)
    }

    /// A party of that kind takes part.
    pub(super) fn outsider(&mut self, kind: PartyKind, role: &'static str) -> usize {
        let who = Who::Outside(self.world.outside.party(kind, &mut self.chance));
        self.add(who, role)
    }

    /// An employer outside takes part, and all begins on the day on which it pays wages.
    pub(super) fn employer(&mut self, role: &'static str) -> usize {
        let employer = self.world.outside.one(PartyKind::Employer, &mut self.chance);
        self.begins_on = employer.map(|employer| employer.payday);
        let party = employer.map(|employer| Arc::clone(&employer.party)).unwrap_or_default();
        self.add(Who::Outside(party), role)
    }

    fn customer(&mut self, count: u64, member: impl Fn(u64) -> Member) -> Option<Who> {
        if !self.chance.happens(CUSTOMERS_PERCENT) {
            return None;
        }
        let count = usize::try_from(count).ok()?;
        (0..TRIALS).find_map(|_| {
            let drawn = member(u64::try_from(self.chance.place(count)?).ok()?);
            let is_new = |party: &Party| !matches!(party.who, Who::Customer(other) if other == drawn);
            self.parties.iter().all(is_new).then_some(Who::Customer(drawn))
        })
    }

    fn add(&mut self, who: Who, role: &'static str) -> usize {
        self.parties.push(Party { who, role });
        self.parties.len() - 1
    }

    /// A sum in whole kroner, mostly a round one, in øre.
    pub(super) fn sum(&mut self, low: i64, high: i64) -> i64 {
        let kroner = self.chance.between(low, high);
        let step = *self.chance.pick(&[1, 10, 50, 100, 100, 500, 1_000]).unwrap_or(&1);
        (kroner / step * step).max(low) * UNIT
    }

    /// A sum as an invoice has it, round or with øre.
    pub(super) fn fee(&mut self, low: i64, high: i64) -> i64 {
        match self.chance.happens(50) {
            true => self.sum(low, high),
            false => self.chance.between(low * UNIT, high * UNIT),
        }
    }

    /// So many percent of a sum, as a cash machine gives them.
    pub(super) fn cash(&mut self, sum: i64, low: i64, high: i64) -> i64 {
        let sum = (sum * self.chance.between(low, high) / 100).min(CASH_MAX);
        (sum / CASH_STEP).max(1) * CASH_STEP
    }

    /// So many percent of a sum, in whole kroner.
    pub(super) fn share(&mut self, sum: i64, low: i64, high: i64) -> i64 {
        (sum * self.chance.between(low, high) / 100 / UNIT).max(1) * UNIT
    }

    /// Some time of the day when persons pay, rarely at night.
    pub(super) fn on(&mut self, day: usize) -> When {
        let time = match self.chance.happens(NIGHT_PERCENT) {
            true => self.chance.day(0, NIGHT_ENDS - 1),
            false => self.world.time(Hours::Online, &mut self.chance),
        };
        When { day, time }
    }

    /// The same, so early that the following minutes belong to that day.
    pub(super) fn before(&mut self, day: usize, minutes: u32) -> When {
        let (when, latest) = (self.on(day), DAY - 1 - minutes * MINUTE);
        match when.time > latest {
            true => When { time: self.chance.day(NIGHT_ENDS, latest), ..when },
            false => when,
        }
    }

    /// On one of these days.
    pub(super) fn between(&mut self, first: usize, last: usize) -> When {
        let day = first + self.chance.place(last - first + 1).unwrap_or_default();
        self.on(day)
    }

    /// A payment between persons: up to the greatest sum of friends as friends pay, beyond it by transfer.
    pub(super) fn pay(&mut self, when: When, from: usize, to: usize, sum: i64) {
        let habits = &self.world.country.habits;
        let is_large = sum > habits.gift_kroner.greatest() * UNIT;
        let (kind, text) = match is_large {
            true => (Kind::Transfer, self.chance.word(&LARGE_TEXTS)),
            false => (Kind::Gift, self.chance.pick(&habits.gift_texts).map_or("", String::as_str)),
        };
        self.transfer(when, from, to, sum, kind, text);
    }

    /// A payment of that kind.
    pub(super) fn transfer(
        &mut self,
        when: When,
        from: usize,
        to: usize,
        sum: i64,
        kind: Kind,
        text: &'static str,
    ) {
        self.payments.push(CasePayment {
            from: Some(from),
            to: Some(to),
            ..CasePayment::of(when, kind, sum, text)
        });
    }

    /// Wages.
    pub(super) fn wages(&mut self, from: usize, to: usize) {
        let sum = self.chance.between(18_000 * UNIT, 48_000 * UNIT);
        self.transfer(When { day: 0, time: MORNING }, from, to, sum, Kind::Salary, "Lønn");
    }

    /// A payment of an invoice to a company, when all of them are paid.
    pub(super) fn invoice(&mut self, day: usize, from: usize, to: usize, sum: i64) {
        let when = When { day, time: MORNING };
        let reference = Some(Modulus::Ten.completed(&format!("{:09}", self.chance.between(1, 999_999_999))));
        let payment = CasePayment::of(when, Kind::Bill, sum, "");
        self.payments.push(CasePayment { from: Some(from), to: Some(to), reference, ..payment });
    }

    /// Cash is withdrawn in some town, a sum that a machine gives.
    pub(super) fn withdraw(&mut self, day: usize, from: usize, sum: i64) {
        let branch = self.cash_machine();
        let when = When { day, time: self.world.time(Hours::Shop, &mut self.chance) };
        let payment = CasePayment::of(when, Kind::Withdrawal, sum, "Uttak minibank");
        self.payments.push(CasePayment { from: Some(from), branch, ..payment });
    }

    /// Cash is paid in.
    pub(super) fn deposit(&mut self, day: usize, to: usize, sum: i64) {
        let branch = self.cash_machine();
        let when = When { day, time: MORNING };
        let payment = CasePayment::of(when, Kind::Deposit, sum, "Innskudd kontanter");
        self.payments.push(CasePayment { to: Some(to), branch, ..payment });
    }

    /// The card is used in a shop of that category, at one of its hours and for one of its prices.
    pub(super) fn shop(&mut self, day: usize, from: usize, sum: i64, category: &str) {
        let trade = self.trade(category).map(|(_, trade)| trade);
        let time = trade.map_or(MORNING, |trade| self.world.time(trade.hours, &mut self.chance));
        self.buy(When { day, time }, from, sum, category);
    }

    /// The same at a time that is given.
    pub(super) fn buy(&mut self, when: When, from: usize, sum: i64, category: &str) {
        let Some((nth, trade)) = self.trade(category) else { return };
        let town = self.world.town(&mut self.chance);
        let branch = self.world.merchants.branch(nth, town, &mut self.chance);
        let delay = purse::delay(trade, 0, &mut self.chance);
        let payment = CasePayment::of(when, Kind::Purchase, trade.ending.price(sum), "Varekjøp");
        self.payments.push(CasePayment { from: Some(from), branch, delay, ..payment });
    }

    fn trade(&self, category: &str) -> Option<(usize, &'static Trade)> {
        let mut trades = self.world.country.trades.rows.iter().enumerate();
        trades.find(|(_, trade)| trade.mcc == category)
    }

    fn cash_machine(&mut self) -> Option<Arc<Branch>> {
        let town = self.world.town(&mut self.chance);
        self.world.merchants.cash_machines.get(town).cloned()
    }

    /// What a party received less what the party paid, in øre.
    pub(super) fn held(&self, party: usize) -> i64 {
        let of = |at: Option<usize>, sum: i64| if at == Some(party) { sum } else { 0 };
        self.payments.iter().map(|payment| of(payment.to, payment.sum) - of(payment.from, payment.sum)).sum()
    }
}
