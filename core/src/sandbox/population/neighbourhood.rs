//! A neighbourhood: persons and companies that pay each other, and no other customer of this bank. So a population of
//! any size is invented and booked piece by piece.

use std::sync::Arc;

use chrono::{Datelike, NaiveDate};

use super::calendar::Day;
use super::cases::Additions;
use super::chance::Chance;
use super::company::Company;
use super::credit::CREDIT_LIMIT;
use super::diary::{Diary, Entry, Place};
use super::draft::{Accounts, Contributions, Draft};
use super::events::{Events, LifeEvent};
use super::holding::{broken, Form, Holding};
use super::household::Part;
use super::names;
use super::numbers::{Numbers, Slot};
use super::person::Person;
#[cfg(feature = "arrow")]
use super::personas::Profile;
use super::scene::Scene;
use super::sketch::{couples, Sketch};
use super::unit::UNIT;
use super::world::World;
use crate::error::Result;
use crate::sandbox::default_set::{AccountKind, BUSINESS, EVERYDAY, FOREIGN, JOINT, SAVINGS, TAX};
use crate::sandbox::Rates;
use crate::store::sqlite::sandbox::{Counterpart, CustomerNumber, CustomerType};
use crate::types::Currency;

/// Of a hundred persons so many have a savings account, and so many of those without a joint one an account in euro.
const WITH_SAVINGS: i64 = 82;
const WITH_EURO: i64 = 6;
/// On an account in euro at first.
const EURO_OPENING: (i64, i64) = (50, 2_000);

/// A customer to be.
pub(super) struct Resident {
    pub(super) number: CustomerNumber,
    pub(super) kind: CustomerType,
    pub(super) name: String,
    /// Of a company: the place of the person who acts for it, where there is one.
    pub(super) engaged: Option<usize>,
}

/// A neighbourhood as it is before its first day.
#[derive(Default)]
pub(super) struct Neighbourhood {
    pub(super) residents: Vec<Resident>,
    pub(super) holdings: Vec<Holding>,
    /// What the persons are and have, in their order.
    #[cfg(feature = "arrow")]
    pub(super) profiles: Vec<Profile>,
    persons: Vec<Person>,
    companies: Vec<Company>,
}

/// What a neighbourhood is invented from.
pub(super) struct Inventing<'a, 'b> {
    pub(super) numbers: &'a mut Numbers<'b>,
    pub(super) chance: &'a mut Chance,
    pub(super) world: &'static World,
    /// With which the history begins.
    pub(super) first_day: NaiveDate,
    /// The places in the population of its first person and its first company.
    pub(super) first: (u64, u64),
    /// Whether there are life events.
    pub(super) events: bool,
}

impl Neighbourhood {
    /// So many persons and companies, and their accounts.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(super) fn invent(persons: usize, companies: usize, from: &mut Inventing<'_, '_>) -> Result<Self> {
        let mut invented = Self::default();
        let mut sketches = Vec::new();
        for (person, _) in (from.first.0..).zip(0..persons) {
            sketches.extend(invented.add_person(person, companies, from)?);
        }
        let couples = couples(&sketches, from.world, from.chance);
        invented.add_accounts(sketches, &couples, from)?;
        for (company, place) in (from.first.1..).zip(0..companies) {
            invented.add_company(company, place, from)?;
        }
        Ok(invented)
    }

    /// Before its first day; what has a value date before `since` is not kept.
    pub(super) fn diary(&self, since: NaiveDate, first: Day) -> Diary {
        Diary::of(&self.holdings, since, first)
    }

    /// The current accounts of those who pay each other.
    fn friends(&self) -> Vec<Place> {
        let active = self.persons.iter().filter(|person| person.is_active);
        active.map(|person| person.everyday().clone()).collect()
    }

    /// The current accounts of its persons, and whether anything happens on them.
    pub(super) fn everyday(&self) -> impl Iterator<Item = (&Place, bool)> {
        self.persons.iter().map(|person| (person.everyday(), person.is_active))
    }

    /// The life events of its persons, in their order.
    pub(super) fn events(&self) -> impl Iterator<Item = &Events> {
        self.persons.iter().map(|person| &person.events)
    }

    /// The current accounts of its companies.
    pub(super) fn main_accounts(&self) -> impl Iterator<Item = &Place> {
        self.companies.iter().map(|company| &company.main)
    }

    /// What happens on its accounts on these days, by account and then by day.
    pub(super) fn live(
        &mut self,
        days: &[Day],
        world: &'static World,
        rates: &Rates,
        diary: &mut Diary,
        additions: &mut Additions,
    ) -> Vec<Entry> {
        let mut friends = self.friends();
        for day in days {
            // Before what is due today is booked: to a person who dies today nothing comes back.
            if self.meet_events(day, world, diary) {
                friends = self.friends();
            }
            diary.begin(*day);
            let mut scene = Scene { day, world, rates, friends: &friends, diary, additions };
            self.companies.iter_mut().for_each(|company| company.live(&self.persons, &mut scene));
            self.persons.iter_mut().for_each(|person| person.live(&mut scene));
        }
        diary.take_entries()
    }

    /// What happens to its persons today; whether one of them dies.
    fn meet_events(&mut self, day: &Day, world: &'static World, diary: &mut Diary) -> bool {
        if day.begins_month() {
            self.persons.iter_mut().for_each(|person| person.count_newborn(world));
        }
        let (companies, mut has_died) = (self.companies.len(), false);
        for at in 0..self.persons.len() {
            while let Some(person) = self.persons.get_mut(at) {
                let Some(event) = person.events.next(day.date) else { break };
                person.change(&event, companies, world);
                if event.what == LifeEvent::Death {
                    self.lose(at, diary);
                    has_died = true;
                }
            }
        }
        has_died
    }

    /// The person at that place dies, and the other one of a couple goes on.
    fn lose(&mut self, at: usize, diary: &mut Diary) {
        let Some(person) = self.persons.get_mut(at) else { return };
        person.own_cards().for_each(|card| diary.cancel_returns(card));
        let shared = person.contribution.as_ref().map(|(joint, _)| joint.at);
        let legacy = person.die();
        let survivor = shared.and_then(|joint| self.persons.iter_mut().find(|other| other.pays_to(joint)));
        match (survivor, legacy.joint.as_ref()) {
            (Some(survivor), _) => survivor.survive(legacy),
            (None, Some(joint)) => diary.cancel_returns(joint.purse.place.at),
            (None, None) => {}
        }
    }

    fn add_person(
        &mut self,
        person: u64,
        companies: usize,
        from: &mut Inventing<'_, '_>,
    ) -> Result<Option<Sketch>> {
        let ((number, born), name) = (from.numbers.person(person)?, names::of_person(from.chance));
        self.residents.push(Resident { number, kind: CustomerType::Private, name, engaged: None });
        let age = from.first_day.years_since(born);
        let age = age.and_then(|years| i32::try_from(years).ok()).unwrap_or_default();
        Ok(Sketch::invent((born, age), companies, from.world, from.chance))
    }

    /// Opens the accounts of all persons, and computes what they may spend.
    fn add_accounts(
        &mut self,
        sketches: Vec<Sketch>,
        couples: &[Option<usize>],
        from: &mut Inventing<'_, '_>,
    ) -> Result<()> {
        let incomes: Vec<i64> = sketches.iter().map(|sketch| sketch.income.mean()).collect();
        let mut contributions: Vec<Option<(Place, i64)>> = vec![None; sketches.len()];
        let events = if from.events {
            Events::of_neighbourhood(&sketches, couples, from.first_day, from.world)
        } else {
            Vec::new()
        };
        for (at, sketch) in sketches.into_iter().enumerate() {
            let partner = couples.get(at).copied().flatten();
            let other_income = partner.and_then(|partner| incomes.get(partner)).copied().unwrap_or_default();
            let is_second = couples.contains(&Some(at));
            let accounts = self.open_accounts(at, &sketch, partner.is_none() && !is_second, from)?;
            let joint = partner.map(|partner| self.open_joint(at, partner, from)).transpose()?;
            let part = match &joint {
                Some(joint) => Part::First { joint: joint.clone(), other_income },
                None if is_second => Part::Second,
                None => Part::Alone,
            };
            let mut draft = Draft::of(sketch, accounts, &part, from.world, from.chance);
            if let (Some(joint), Some(partner)) = (joint, partner) {
                let Contributions { own, other } = draft.share(&joint, other_income, from.chance);
                for (at, sum) in [(at, own), (partner, other)] {
                    if let Some(contribution) = contributions.get_mut(at) {
                        *contribution = Some((joint.clone(), sum));
                    }
                }
            }
            let contribution = contributions.get_mut(at).and_then(Option::take);
            self.move_in(draft, contribution, from);
        }
        for (person, events) in self.persons.iter_mut().zip(events) {
            person.events = events;
        }
        Ok(())
    }

    fn move_in(&mut self, draft: Draft, contribution: Option<(Place, i64)>, from: &mut Inventing<'_, '_>) {
        let savings = draft.savings_opening(from.chance);
        let joint = draft.joint_opening();
        let credit_line = draft.sketch.segment.credit_line * UNIT;
        #[cfg(feature = "arrow")]
        let profile = Profile::of(&draft.sketch, from.world);
        let person = draft.settle(contribution, from.world, from.chance);
        #[cfg(feature = "arrow")]
        self.profiles.push(profile.having(&person));
        let savings = person.savings.as_ref().map(|account| (account.place.at, savings));
        let everyday = (person.everyday().at, person.purse.opening);
        for (at, opening) in savings.into_iter().chain(joint).chain([everyday]) {
            if let Some(holding) = self.holdings.get_mut(at) {
                holding.opening = opening;
            }
        }
        if let Some(holding) = self.holdings.get_mut(everyday.0) {
            holding.credit_line = credit_line;
        }
        self.persons.push(person);
    }

    /// The accounts of the person at that place.
    fn open_accounts(
        &mut self,
        at: usize,
        sketch: &Sketch,
        is_alone: bool,
        from: &mut Inventing<'_, '_>,
    ) -> Result<Accounts> {
        let has_savings = from.chance.happens(WITH_SAVINGS);
        let has_euro = from.chance.happens(WITH_EURO) && is_alone && sketch.is_active();
        let euro_opening = from.chance.between(EURO_OPENING.0, EURO_OPENING.1) * UNIT;
        let slot = |nth| from.slot_of(at, nth);
        let [everyday, savings, euro, credit] = [0, 1, SHARED_SLOT, 3].map(slot);
        let euro_account =
            NewAccount { currency: Currency::EUR, opening: euro_opening, ..with_card(&FOREIGN) };
        let mut open = |is_wanted: bool, account: NewAccount, slot: Slot| {
            is_wanted.then(|| self.open(at, account, &slot, from)).transpose()
        };
        Ok(Accounts {
            everyday: open(true, with_card(&EVERYDAY), everyday)?.ok_or_else(broken)?,
            savings: open(has_savings, without_card(&SAVINGS), savings)?,
            foreign: open(has_euro, euro_account, euro)?,
            credit: open(sketch.has_card, CREDIT_CARD, credit)?,
        })
    }

    fn open_joint(&mut self, at: usize, partner: usize, from: &mut Inventing<'_, '_>) -> Result<Place> {
        let slot = from.slot_of(at, SHARED_SLOT);
        self.open(at, NewAccount { partner: Some(partner), ..with_card(&JOINT) }, &slot, from)
    }

    fn add_company(&mut self, company: u64, place: usize, from: &mut Inventing<'_, '_>) -> Result<()> {
        let (number, name) = (from.numbers.company(company)?, names::of_company(from.chance));
        let owner = self.residents.len();
        let engaged = from.chance.place(self.persons.len());
        self.residents.push(Resident { number, kind: CustomerType::Corporate, name, engaged });
        let [first, second] = [0, 1].map(|nth| Slot::Company(company, nth));
        let main = self.open(owner, without_card(&BUSINESS), &first, from)?;
        let tax = self.open(owner, without_card(&TAX), &second, from)?;
        let month = from.first_day.month();
        let company = Company::invent((main, tax), place, &self.persons, month, from.world, from.chance);
        for (at, opening, credit_line) in
            [(company.main.at, company.opening, company.credit_line), (company.tax.at, company.withheld, 0)]
        {
            if let Some(holding) = self.holdings.get_mut(at) {
                (holding.opening, holding.credit_line) = (opening, credit_line);
            }
        }
        self.companies.push(company);
        Ok(())
    }

    fn open(
        &mut self,
        owner: usize,
        account: NewAccount,
        slot: &Slot,
        from: &mut Inventing<'_, '_>,
    ) -> Result<Place> {
        let NewAccount { form, currency, partner, has_card, opening, credit_line } = account;
        let (bban, iban) = from.numbers.account(slot)?;
        let masked_pan = has_card.then(|| format!("123456******{:04}", from.chance.between(0, 9_999)));
        let name = self.residents.get(owner).map(|resident| resident.name.clone());
        let party = Arc::new(Counterpart { name, bban: Some(bban), iban: Some(iban) });
        let at = self.holdings.len();
        self.holdings.push(Holding {
            owner,
            partner,
            form,
            currency,
            bban,
            iban,
            opening,
            credit_line,
            masked_pan,
        });
        Ok(Place { at, party })
    }
}

impl Inventing<'_, '_> {
    fn slot_of(&self, at: usize, nth: u64) -> Slot {
        Slot::Person(self.first.0 + u64::try_from(at).unwrap_or_default(), nth)
    }
}

/// An account in euro, or that of a couple: no person has both.
const SHARED_SLOT: u64 = 2;

/// An account to be.
struct NewAccount {
    form: Form,
    currency: Currency,
    partner: Option<usize>,
    has_card: bool,
    opening: i64,
    credit_line: i64,
}

/// A credit card, on which nothing is owed.
const CREDIT_CARD: NewAccount =
    NewAccount { form: Form::Card, credit_line: CREDIT_LIMIT, has_card: true, ..without_card(&EVERYDAY) };

/// An account in NOK with nothing on it.
const fn without_card(kind: &'static AccountKind) -> NewAccount {
    NewAccount {
        form: Form::Ordinary(kind),
        currency: Currency::NOK,
        partner: None,
        has_card: false,
        opening: 0,
        credit_line: 0,
    }
}

/// The same with a debit card.
const fn with_card(kind: &'static AccountKind) -> NewAccount {
    NewAccount { has_card: true, ..without_card(kind) }
}

#[cfg(test)]
mod tests;
