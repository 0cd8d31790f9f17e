//! Numbers that no person and no company has.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use chrono::{Datelike, Days, Months, NaiveDate};
use serde::{Deserialize, Serialize};

use super::chance::Chance;
use super::plan::PopulationPlan;
use super::shuffle::Shuffle;
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
/// Of two numbers that differ in the last of these digits alone, one has a check digit.
const COMPANY_PAIRS: u64 = 5_000_000;
/// The years of birth that identity numbers can express, and the three digits that give the century.
const CENTURIES: [(RangeInclusive<i32>, (u64, u64)); 3] =
    [(1854..=1899, (500, 749)), (1900..=1999, (0, 499)), (2000..=2039, (500, 999))];
/// The age of persons when the history begins, in years: from the first to before the second. They are less than a
/// hundred apart, so that day, month and the last two digits of the year are of one day.
const AGES: (u32, u32) = (18, 90);
/// How many persons may be born on one day: each has a tenth of the three digits for itself.
const BORN_ON_A_DAY: u64 = 10;

/// Which account of its owner.
pub(super) enum Slot {
    /// A person's, from 0 to 3.
    Person(u64, u64),
    /// A company's, 0 or 1.
    Company(u64, u64),
}

const SLOTS_OF_PERSON: u64 = 4;
const SLOTS_OF_COMPANY: u64 = 2;

/// The numbers of one population. Each follows from the place of its owner in the population alone, and no two are the
/// same. A number that the books have already is replaced by one that the population has no place for.
pub(crate) struct Numbers<'b> {
    plan: PopulationPlan,
    born: Birthdays,
    persons: Numbering,
    companies: Numbering,
    accounts: Numbering,
    books: Option<&'b Books<'b>>,
}

/// Which days persons are born on.
#[derive(Clone, Copy)]
struct Birthdays {
    first: NaiveDate,
    count: u64,
}

/// Places of a population, and the spare places whose numbers they got.
pub(super) type Replacements = BTreeMap<u64, u64>;

/// The numbers that were taken when the population was generated.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Replaced {
    persons: Replacements,
    companies: Replacements,
    accounts: Replacements,
}

/// An order of numbers, and the next place that the population does not need itself.
struct Numbering {
    order: Shuffle,
    spare: u64,
    replaced: Replacements,
}

impl<'b> Numbers<'b> {
    /// Those of that seed, for a history that begins on that day; none of them is in the books.
    pub(super) fn of(plan: PopulationPlan, seed: u64, from: NaiveDate, books: Option<&'b Books<'b>>) -> Self {
        let order = |name, size| Shuffle::of(Chance::of_part(seed, name, 0).draw(), size);
        let born = Birthdays::before(from);
        let accounts = plan.persons * SLOTS_OF_PERSON + plan.companies * SLOTS_OF_COMPANY;
        let numbering = |name, size, spare| {
            let replaced = Replacements::new();
            Numbering { order: order(name, size), spare, replaced }
        };
        Self {
            plan,
            born,
            persons: numbering("persons", born.count * BORN_ON_A_DAY, plan.persons),
            companies: numbering("companies", COMPANY_PAIRS, plan.companies),
            accounts: numbering("accounts", free_number::PAIRS, accounts),
            books,
        }
    }

    /// The same as before, where these were replaced; nothing is looked up in books.
    pub(super) fn again(plan: PopulationPlan, seed: u64, from: NaiveDate, replaced: Replaced) -> Self {
        let mut numbers = Self::of(plan, seed, from, None);
        numbers.persons.replaced = replaced.persons;
        numbers.companies.replaced = replaced.companies;
        numbers.accounts.replaced = replaced.accounts;
        numbers
    }

    /// Which of those given out so far replace one that was taken.
    pub(super) fn replaced(&self) -> Replaced {
        Replaced {
            persons: self.persons.replaced.clone(),
            companies: self.companies.replaced.clone(),
            accounts: self.accounts.replaced.clone(),
        }
    }

    /// That of a person, and the day of birth that is in it.
    ///
    /// # Errors
    /// [`Error::Misuse`] where there is none left; [`Error::Store`].
    pub(super) fn person(&mut self, place: u64) -> Result<(CustomerNumber, NaiveDate)> {
        let (born, books) = (self.born, self.books);
        self.persons.free(place, |drawn| {
            let day = born.day(drawn / BORN_ON_A_DAY)?;
            let number = CustomerNumber::parse(&identity_number(day, drawn % BORN_ON_A_DAY)?)?;
            Some(is_free_customer(books, &number).map(|is_free| is_free.then_some((number, day))))
        })
    }

    /// That of a company.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(super) fn company(&mut self, place: u64) -> Result<CustomerNumber> {
        let books = self.books;
        self.companies.free(place, |drawn| {
            let number = CustomerNumber::parse(&organisation_number(drawn)?)?;
            Some(is_free_customer(books, &number).map(|is_free| is_free.then_some(number)))
        })
    }

    /// That of an account.
    ///
    /// # Errors
    /// As [`Numbers::person`].
    pub(super) fn account(&mut self, slot: &Slot) -> Result<(Bban, Iban)> {
        let place = match slot {
            Slot::Person(person, nth) => person * SLOTS_OF_PERSON + nth,
            Slot::Company(company, nth) => {
                self.plan.persons * SLOTS_OF_PERSON + company * SLOTS_OF_COMPANY + nth
            }
        };
        let books = self.books;
        self.accounts.free(place, |drawn| {
            let number = free_number::of_pair(drawn)?;
            let is_taken = books.map_or(Ok(false), |books| free_number::is_taken(books, &number.0));
            Some(is_taken.map(|is_taken| (!is_taken).then_some(number)))
        })
    }
}

impl Numbering {
    /// What is made of the number at a place or, where that is taken, of the next spare one. `None` of `made` is no
    /// number, and `Ok(None)` a number that is taken.
    fn free<T>(&mut self, place: u64, made: impl Fn(u64) -> Option<Result<Option<T>>>) -> Result<T> {
        let mut at = self.replaced.get(&place).copied().unwrap_or(place);
        loop {
            let number = self.order.at(at).ok_or_else(|| {
                Error::Misuse(
                    "the sandbox bank has no number left for another customer or account".to_owned(),
                )
            })?;
            if let Some(free) = made(number).transpose()?.flatten() {
                if at != place {
                    self.replaced.insert(place, at);
                }
                return Ok(free);
            }
            at = self.spare;
            self.spare += 1;
        }
    }
}

fn is_free_customer(books: Option<&Books<'_>>, number: &CustomerNumber) -> Result<bool> {
    let Some(books) = books else { return Ok(true) };
    Ok(books.customer_by_number(number.as_str())?.is_none())
}

impl Birthdays {
    /// Those of persons who have the age on that day.
    fn before(day: NaiveDate) -> Self {
        let years_before = |years: u32| day.checked_sub_months(Months::new(12 * years)).unwrap_or(day);
        let (first, last) = (years_before(AGES.1) + Days::new(1), years_before(AGES.0));
        Self { first, count: u64::try_from((last - first).num_days() + 1).unwrap_or_default() }
    }

    fn day(self, nth: u64) -> Option<NaiveDate> {
        self.first.checked_add_days(Days::new(nth))
    }
}

/// A synthetic fødselsnummer: day, month with 80 added, year, three digits that give the century, two check digits.
/// Those three are of the given tenth; `None` if no check digits fit any of it. A year that no number can express is
/// replaced by one with the same two digits that a number can express.
fn identity_number(born: NaiveDate, tenth: u64) -> Option<String> {
    let year = born.year().rem_euclid(100);
    let years_of_birth = [born.year(), 2000 + year, 1900 + year];
    let mut centuries = years_of_birth
        .iter()
        .flat_map(|years_of_birth| CENTURIES.iter().filter(|(years, _)| years.contains(years_of_birth)));
    let (_, (low, high)) = centuries.next()?;
    let size = (high - low + 1) / BORN_ON_A_DAY;
    let date = format!("{:02}{:02}{year:02}", born.day(), born.month() + SYNTHETIC_MONTHS);
    // Where the search begins is as good as any, and differs from day to day.
    let begin = Chance::of(u64::from(born.ordinal())).draw() % size;
    (0..size).find_map(|nth| {
        let individual = low + tenth * size + (begin + nth) % size;
        let number = IdentityNumber::completed(&format!("{date}{individual:03}"))?;
        Some(number.as_str().to_owned())
    })
}

/// A synthetic organisasjonsnummer.
fn organisation_number(pair: u64) -> Option<String> {
    (2 * pair..=2 * pair + 1).find_map(|number| {
        let digits = format!("{SYNTHETIC_COMPANY}{number:07}");
        check_digit(&digits, &COMPANY_WEIGHTS).map(|check| format!("{digits}{check}"))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::sandbox::fixture::Fixture;

    fn born(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn plan(persons: u64, companies: u64) -> PopulationPlan {
        PopulationPlan { persons, companies, ..PopulationPlan::DEFAULT }
    }

    #[test]
    fn a_person_is_marked_as_synthetic_and_has_the_digits_of_the_century() {
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
            for tenth in 0..BORN_ON_A_DAY {
                let number = identity_number(born(day), tenth).unwrap();
                assert!(IdentityNumber::parse(&number).unwrap().check_digits_ok(), "{number}");
                assert_eq!(number.get(..6), Some(date));
                assert!(individual.contains(&number.get(6..9).unwrap().parse::<u32>().unwrap()), "{number}");
            }
        }
    }

    #[test]
    fn a_company_has_a_check_digit_and_no_registered_number() {
        for pair in (0..100).chain(COMPANY_PAIRS - 100..COMPANY_PAIRS) {
            let number = organisation_number(pair).unwrap();
            let weighed =
                number.chars().map(|digit| digit.to_digit(10).unwrap()).zip([3, 2, 7, 6, 5, 4, 3, 2, 1]);
            assert_eq!(weighed.map(|(digit, weight)| digit * weight).sum::<u32>() % 11, 0, "{number}");
            assert!(number.starts_with('3') && number.len() == 9, "{number}");
        }
    }

    #[test]
    fn no_number_of_a_population_is_given_twice() {
        let mut numbers = Numbers::of(plan(20_000, 2_000), 7, born("2026-09-01"), None);
        let (mut customers, mut accounts) = (HashSet::new(), HashSet::new());
        for person in 0..20_000 {
            let (number, day) = numbers.person(person).unwrap();
            assert!((born("1936-09-02")..=born("2008-09-01")).contains(&day), "{day}");
            assert!(customers.insert(number));
            assert!((0..4).all(|nth| accounts.insert(numbers.account(&Slot::Person(person, nth)).unwrap().0)));
        }
        for company in 0..2_000 {
            assert!(customers.insert(numbers.company(company).unwrap()));
            assert!(
                (0..2).all(|nth| accounts.insert(numbers.account(&Slot::Company(company, nth)).unwrap().0))
            );
        }
        assert_eq!(numbers.persons.spare, 20_000, "every day has a number in each tenth");
    }

    #[test]
    fn a_number_that_is_taken_is_replaced_by_a_spare_one() {
        let fixture = Fixture::new();
        let taken = |books: &Books<'_>| {
            let mut numbers = Numbers::of(plan(1, 0), 7, born("2026-09-01"), Some(books));
            let (number, _) = numbers.person(0)?;
            Ok((number, numbers.persons.spare))
        };
        let (number, spare) = fixture.database().read_books(taken).unwrap();
        assert_eq!(spare, 1);
        let id = crate::types::CustomerId::from_bytes([7; crate::types::ID_BYTES]);
        let kind = crate::store::sqlite::sandbox::CustomerType::Private;
        let customer = crate::store::sqlite::sandbox::Customer {
            id,
            number: number.clone(),
            kind,
            name: "Lett Pølse".into(),
        };
        fixture.database().write_books(|books| books.insert_customer(&customer)).unwrap();
        let (replaced, spare) = fixture.database().read_books(taken).unwrap();
        assert_ne!(replaced, number);
        assert_eq!(spare, 2);
    }

    #[test]
    fn numbers_run_out_with_a_clear_error() {
        let mut numbers = Numbers::of(plan(1, 0), 7, born("2026-09-01"), None);
        numbers.accounts.spare = free_number::PAIRS;
        let end = numbers.accounts.free(0, |_| Some(Ok(None::<()>))).unwrap_err();
        assert!(matches!(end, Error::Misuse(text) if text.contains("no number left")));
    }
}
