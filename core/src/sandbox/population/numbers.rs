//! Numbers that no person and no company has.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use chrono::{Datelike, NaiveDate};

use super::chance::Chance;
use crate::error::{Error, Result};
use crate::sandbox::free_number;
use crate::store::sqlite::sandbox::{Books, CustomerNumber};
use crate::types::modulus_11::check_digit;
use crate::types::{Bban, Iban, IdentityNumber};

/// What is added to the month of a synthetic person (Skatteetaten, Tenor).
const SYNTHETIC_MONTHS: u32 = 80;
/// What the number of a synthetic company begins with: those that are registered begin with 8 or 9.
const SYNTHETIC_COMPANY: char = '3';
/// What the digits of an organisation number weigh before its check digit.
const COMPANY_WEIGHTS: [u32; 8] = [3, 2, 7, 6, 5, 4, 3, 2];
/// The years of birth that identity numbers can express, and the three digits that give the century.
const CENTURIES: [(RangeInclusive<i32>, (i64, i64)); 3] =
    [(1854..=1899, (500, 749)), (1900..=1999, (0, 499)), (2000..=2039, (500, 999))];
/// Enough to find a free one among hundreds.
const ATTEMPTS: usize = 1_000;

/// Gives numbers out, each once: those that are neither in the books nor given out already, to be booked together.
pub(super) struct Numbers<'b> {
    books: &'b Books<'b>,
    customers: HashSet<CustomerNumber>,
    accounts: HashSet<Bban>,
}

impl<'b> Numbers<'b> {
    /// Those that are free in these books.
    pub(super) fn of(books: &'b Books<'b>) -> Self {
        Self { books, customers: HashSet::new(), accounts: HashSet::new() }
    }

    /// A person's who was born on that day.
    ///
    /// # Errors
    /// [`Error::Misuse`] where there is hardly one left; [`Error::Store`].
    pub(super) fn person(&mut self, born: NaiveDate, chance: &mut Chance) -> Result<CustomerNumber> {
        self.customer(|| identity_number(born, chance))
    }

    /// A company's.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(super) fn company(&mut self, chance: &mut Chance) -> Result<CustomerNumber> {
        self.customer(|| organisation_number(chance))
    }

    /// An account's.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(super) fn account(&mut self, chance: &mut Chance) -> Result<(Bban, Iban)> {
        let is_taken =
            |bban: &Bban| Ok(self.accounts.contains(bban) || free_number::is_taken(self.books, bban)?);
        let drawn = free_number::draw(|| Ok(chance.draw()), is_taken)?;
        self.accounts.insert(drawn.0);
        Ok(drawn)
    }

    fn customer(&mut self, mut draw: impl FnMut() -> Option<String>) -> Result<CustomerNumber> {
        for _ in 0..ATTEMPTS {
            let Some(number) = draw().as_deref().and_then(CustomerNumber::parse) else { continue };
            if self.customers.contains(&number) || self.books.customer_by_number(number.as_str())?.is_some() {
                continue;
            }
            self.customers.insert(number.clone());
            return Ok(number);
        }
        Err(Error::Misuse("the sandbox bank has hardly a number left for another customer".to_owned()))
    }
}

/// A synthetic fødselsnummer: day, month with 80 added, year, three digits that give the century, two check digits.
/// `None` if no check digits fit. A year that no number can express is replaced by one with the same two digits that a
/// number can express.
fn identity_number(born: NaiveDate, chance: &mut Chance) -> Option<String> {
    let year = born.year().rem_euclid(100);
    let years_of_birth = [born.year(), 2000 + year, 1900 + year];
    let mut centuries = years_of_birth
        .iter()
        .flat_map(|years_of_birth| CENTURIES.iter().filter(|(years, _)| years.contains(years_of_birth)));
    let (_, (low, high)) = centuries.next()?;
    let (day, month, individual) = (born.day(), born.month() + SYNTHETIC_MONTHS, chance.between(*low, *high));
    let number = IdentityNumber::completed(&format!("{day:02}{month:02}{year:02}{individual:03}"));
    number.map(|number| number.as_str().to_owned())
}

/// A synthetic organisasjonsnummer. `None` where no check digit fits.
fn organisation_number(chance: &mut Chance) -> Option<String> {
    let digits = format!("{SYNTHETIC_COMPANY}{:07}", chance.between(0, 9_999_999));
    check_digit(&digits, &COMPANY_WEIGHTS).map(|check| format!("{digits}{check}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::fixture::Fixture;

    fn born(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn some<T>(draw: impl FnMut() -> Option<T>) -> T {
        std::iter::repeat_with(draw).flatten().next().unwrap()
    }

    #[test]
    fn a_person_is_marked_as_synthetic_and_has_the_digits_of_the_century() {
        let mut chance = Chance::of(1);
        for (day, date, individual) in [
            ("1853-12-31", "319253", 0..=499), // no number has it: as of 1953
            ("1854-01-01", "018154", 500..=749),
            ("1899-12-31", "319299", 500..=749),
            ("1900-01-01", "018100", 0..=499),
            ("1999-12-31", "319299", 0..=499),
            ("2000-02-29", "298200", 500..=999),
            ("2039-12-31", "319239", 500..=999),
            ("2040-01-01", "018140", 0..=499), // as of 1940
            ("9939-12-31", "319239", 500..=999),
            ("0001-01-01", "018101", 500..=999),
        ] {
            for _ in 0..100 {
                let number = some(|| identity_number(born(day), &mut chance));
                assert!(IdentityNumber::parse(&number).unwrap().check_digits_ok(), "{number}");
                assert_eq!(number.get(..6), Some(date));
                assert!(individual.contains(&number.get(6..9).unwrap().parse::<u32>().unwrap()), "{number}");
            }
        }
    }

    #[test]
    fn a_company_has_a_check_digit_and_no_registered_number() {
        let mut chance = Chance::of(1);
        for _ in 0..100 {
            let number = some(|| organisation_number(&mut chance));
            let weighed =
                number.chars().map(|digit| digit.to_digit(10).unwrap()).zip([3, 2, 7, 6, 5, 4, 3, 2, 1]);
            assert_eq!(weighed.map(|(digit, weight)| digit * weight).sum::<u32>() % 11, 0, "{number}");
            assert!(number.starts_with('3') && number.len() == 9, "{number}");
        }
    }

    #[test]
    fn no_number_is_given_out_twice_and_a_day_runs_out_of_them() {
        let fixture = Fixture::new();
        fixture
            .database()
            .read_books(|books| {
                let (mut numbers, mut chance) = (Numbers::of(books), Chance::of(1));
                let mut given = HashSet::new();
                let end = loop {
                    match numbers.person(born("1970-01-01"), &mut chance) {
                        Ok(number) => assert!(given.insert(number)),
                        Err(end) => break end,
                    }
                };
                assert!(matches!(end, Error::Misuse(_)));
                assert!(given.len() > 350, "of 500 numbers some have no check digits: {}", given.len());
                Ok(())
            })
            .unwrap();
    }
}
