//! A neighbourhood: persons and companies that pay each other, and no other customer of this bank. So a population of
//! any size is invented and booked piece by piece.

use std::sync::Arc;

use super::chance::Chance;
use super::company::{Business, Company};
use super::diary::{Diary, Entry, Place, UNIT};
use super::holding::{Form, Holding, Opening};
use super::income::{Income, Payer};
use super::month::{Month, Period};
use super::names;
use super::numbers::{Numbers, Slot};
use super::outside::Outside;
use super::person::{Person, PersonAccounts, Savings};
use super::scene::{Scene, Surroundings};
use crate::error::Result;
use crate::sandbox::default_set::{AccountKind, BUSINESS, EVERYDAY, FOREIGN, SAVINGS, TAX};
use crate::store::sqlite::sandbox::{Counterpart, CustomerNumber, CustomerType};
use crate::types::{Bban, Currency, Iban};

/// A customer to be.
pub(super) struct Resident {
    pub(super) number: CustomerNumber,
    pub(super) kind: CustomerType,
    pub(super) name: String,
    /// Of a company: the place of the person who acts for it, where there is one.
    pub(super) engaged: Option<usize>,
}

/// A neighbourhood and what happened there.
#[derive(Default)]
pub(super) struct Neighbourhood {
    pub(super) residents: Vec<Resident>,
    pub(super) holdings: Vec<Holding>,
    persons: Vec<Person>,
    companies: Vec<Company>,
}

/// What a neighbourhood is invented from.
pub(super) struct Inventing<'a, 'b> {
    pub(super) numbers: &'a mut Numbers<'b>,
    pub(super) chance: &'a mut Chance,
    pub(super) outside: &'a Outside,
    pub(super) period: Period,
    /// The places in the population of its first person and its first company.
    pub(super) first: (u64, u64),
}

impl Neighbourhood {
    /// So many persons and companies, and their accounts.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(super) fn invent(persons: usize, companies: usize, from: &mut Inventing<'_, '_>) -> Result<Self> {
        let mut invented = Self::default();
        for (person, _) in (from.first.0..).zip(0..persons) {
            invented.add_person(person, companies, from)?;
        }
        for (company, place) in (from.first.1..).zip(0..companies) {
            invented.add_company(company, place, from)?;
        }
        Ok(invented)
    }

    /// What happens on its accounts, by account and then by day.
    pub(super) fn live(
        &mut self,
        period: Period,
        around: &Surroundings<'_>,
        chance: &mut Chance,
    ) -> Vec<Entry> {
        let mut diary = Diary::of(period);
        let friends: Vec<Place> = self.persons.iter().map(|person| person.everyday.clone()).collect();
        for month in period.months() {
            let mut scene = Scene { month, around, diary: &mut diary, chance };
            self.persons.iter_mut().for_each(|person| person.live(&friends, &mut scene));
            self.companies.iter_mut().for_each(|company| company.live(&self.persons, &mut scene));
        }
        diary.into_entries()
    }

    fn add_person(&mut self, person: u64, companies: usize, from: &mut Inventing<'_, '_>) -> Result<()> {
        let first = from.period.first();
        let ((number, born), name) = (from.numbers.person(person)?, names::of_person(from.chance));
        let owner = self.residents.len();
        self.residents.push(Resident { number, kind: CustomerType::Private, name, engaged: None });
        let age = first.years_since(born).and_then(|years| i32::try_from(years).ok()).unwrap_or_default();
        let income = Income::invent(age, companies, from.outside, from.chance);
        let cushion = |chance: &mut Chance, low, high| Opening::Above(chance.between(low, high) * UNIT);
        let in_kroner = cushion(from.chance, 500, 20_000);
        let in_euro = cushion(from.chance, 50, 2_000);
        let accounts = PersonAccounts {
            everyday: self.open(
                owner,
                &EVERYDAY,
                Currency::NOK,
                in_kroner,
                &Slot::Person(person, 0),
                from,
            )?,
            savings: self.open_savings(owner, income.net, &Slot::Person(person, 1), from)?,
            foreign: match from.chance.happens(6) {
                true => Some(self.open(
                    owner,
                    &FOREIGN,
                    Currency::EUR,
                    in_euro,
                    &Slot::Person(person, 2),
                    from,
                )?),
                false => None,
            },
            credit: match from.chance.happens(60) {
                true => Some(self.open_card(owner, &Slot::Person(person, 3), from)?),
                false => None,
            },
        };
        self.persons.push(Person::invent(accounts, income, from.outside, from.chance));
        Ok(())
    }

    fn open_savings(
        &mut self,
        owner: usize,
        income: i64,
        slot: &Slot,
        from: &mut Inventing<'_, '_>,
    ) -> Result<Option<Savings>> {
        if !from.chance.happens(80) {
            return Ok(None);
        }
        let balance = income * from.chance.between(0, 900) / 100 / UNIT * UNIT;
        let place = self.open(owner, &SAVINGS, Currency::NOK, Opening::Exactly(balance), slot, from)?;
        Ok(Some(Savings { place, balance }))
    }

    fn add_company(&mut self, company: u64, place: usize, from: &mut Inventing<'_, '_>) -> Result<()> {
        let (number, name) = (from.numbers.company(company)?, names::of_company(from.chance));
        let owner = self.residents.len();
        let engaged = from.chance.place(self.persons.len());
        self.residents.push(Resident { number, kind: CustomerType::Corporate, name, engaged });
        let month = Month::of(from.period.first()).number();
        let business = Business::invent(self.staff_of(place), &self.persons, month, from.chance);
        let opening = business.opening(from.chance);
        let [first, second] = [0, 1].map(|nth| Slot::Company(company, nth));
        let main = self.open(owner, &BUSINESS, Currency::NOK, opening, &first, from)?;
        let tax = self.open(owner, &TAX, Currency::NOK, business.tax_opening(), &second, from)?;
        self.companies.push(Company { business, main, tax });
        Ok(())
    }

    /// The places of those who work for the company at that place.
    fn staff_of(&self, company: usize) -> Vec<usize> {
        let works_there =
            |person: &Person| matches!(person.income.payer, Payer::Company(at) if at == company);
        self.persons.iter().enumerate().filter(|(_, person)| works_there(person)).map(|(at, _)| at).collect()
    }

    fn open(
        &mut self,
        owner: usize,
        kind: &'static AccountKind,
        currency: Currency,
        opening: Opening,
        slot: &Slot,
        from: &mut Inventing<'_, '_>,
    ) -> Result<Place> {
        let number = from.numbers.account(slot)?;
        Ok(self.hold(owner, Form::Ordinary(kind), currency, opening, number))
    }

    fn open_card(&mut self, owner: usize, slot: &Slot, from: &mut Inventing<'_, '_>) -> Result<Place> {
        let masked_pan = format!("123456******{:04}", from.chance.between(0, 9_999));
        let number = from.numbers.account(slot)?;
        Ok(self.hold(owner, Form::Card(masked_pan), Currency::NOK, Opening::Exactly(0), number))
    }

    fn hold(
        &mut self,
        owner: usize,
        form: Form,
        currency: Currency,
        opening: Opening,
        (bban, iban): (Bban, Iban),
    ) -> Place {
        let name = self.residents.get(owner).map(|resident| resident.name.clone());
        let party = Arc::new(Counterpart { name, bban: Some(bban), iban: Some(iban) });
        let at = self.holdings.len();
        self.holdings.push(Holding { owner, form, currency, bban, iban, opening });
        Place { at, party }
    }
}
