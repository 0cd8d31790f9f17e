//! Which cases there are, and which payments look like them: each follows from the seed and its number.

use std::collections::BTreeSet;

use super::super::chance::Chance;
use super::super::shuffle::Shuffle;
use super::directory::{Directory, Inventing};
use super::payments::{CasePayments, Member};
use super::typology::Typology;
use super::{look_alikes, schemes};
use crate::error::Result;

/// A person is the subject of a look-alike once in so many days, on the average.
const DAYS_OF_A_LOOK_ALIKE: u64 = 90;
/// A shorter history has as many look-alikes as one of so many days, because it has no fewer cases.
const DAYS_MIN: u64 = 60;
/// Of a hundred dormant persons so many take part in look-alikes.
const DORMANT_PERCENT: i64 = 20;
/// In how many neighbourhoods a dormant account is looked for.
const NEIGHBOURHOODS_TRIED: u64 = 12;

/// A case, or what looks like one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern {
    pub(super) number: u64,
    /// `None` of a look-alike.
    pub(super) typology: Option<Typology>,
    /// The place of the subject among the persons.
    subject: u64,
}

/// How many cases there are: so many for a thousand persons, rounded up.
pub(crate) fn cases_count(persons: u64, of_a_thousand: u64) -> u64 {
    (persons * of_a_thousand).div_ceil(1_000)
}

/// How many look-alikes there are in a history of so many days: as many for any number of cases.
pub(crate) fn look_alikes_count(persons: u64, days: u64) -> u64 {
    (persons * days.max(DAYS_MIN)).div_ceil(DAYS_OF_A_LOOK_ALIKE)
}

/// All cases of a population.
///
/// # Errors
/// Those of `invent`.
pub(super) fn cases(
    seed: u64,
    of_a_thousand: u64,
    directory: &mut Directory,
    invent: Inventing<'_>,
) -> Result<Vec<Pattern>> {
    let persons = directory.layout.persons;
    let subjects = Shuffle::of(Chance::of_part(seed, "subjects", 0).draw(), persons);
    let mut cases = Vec::new();
    let first = Chance::of_part(seed, "typologies", 0).place(Typology::ALL.len()).unwrap_or_default();
    let mut awakened = BTreeSet::new();
    let typologies = Typology::ALL.into_iter().cycle().skip(first);
    for (number, typology) in (0..cases_count(persons, of_a_thousand)).zip(typologies) {
        if let Some(subject) = subjects.at(number) {
            let case = Pattern { number, typology: Some(typology), subject };
            cases.push(case.with_dormant_subject(seed, directory, &mut awakened, invent)?);
        }
    }
    Ok(cases)
}

/// The look-alikes of so many persons in a history of so many days.
pub(super) fn look_alikes(seed: u64, persons: u64, days: u64) -> impl Iterator<Item = Pattern> {
    let places = usize::try_from(persons).unwrap_or(usize::MAX);
    (0..look_alikes_count(persons, days)).filter_map(move |number| {
        let subject = Chance::of_part(seed, "look-alike", number).place(places)?;
        Some(Pattern { number, typology: None, subject: u64::try_from(subject).ok()? })
    })
}

/// Whether a dormant person takes part in look-alikes.
pub(super) fn takes_part(seed: u64, dormant: u64) -> bool {
    Chance::of_part(seed, "dormant in look-alikes", dormant).happens(DORMANT_PERCENT)
}

impl Pattern {
    /// A dormant account awakens: the nearest one that is not among those of other cases. Where there is none, the case
    /// is of another typology.
    fn with_dormant_subject(
        self,
        seed: u64,
        directory: &mut Directory,
        awakened: &mut BTreeSet<u64>,
        invent: Inventing<'_>,
    ) -> Result<Self> {
        if self.typology != Some(Typology::DormantAwakened) {
            return Ok(self);
        }
        let (home, _) = directory.layout.home(Member::Person(self.subject));
        let count = directory.layout.neighbourhoods;
        for further in 0..NEIGHBOURHOODS_TRIED.min(count) {
            let mut dormant = directory.dormant((home + further) % count, invent)?;
            dormant.retain(|subject| !awakened.contains(subject));
            if let Some(subject) = Chance::of_part(seed, "dormant", self.number).pick(&dormant) {
                awakened.insert(*subject);
                return Ok(Self { subject: *subject, ..self });
            }
        }
        Ok(Self { typology: Some(Typology::RapidPassThrough), ..self })
    }

    /// Who takes part, and what is paid.
    ///
    /// # Errors
    /// [`Error::Internal`](crate::Error::Internal) if the data of the country cannot be read.
    pub(super) fn payments(self, seed: u64, directory: &Directory) -> Result<CasePayments> {
        let size = (directory.layout.persons, directory.layout.companies);
        let subject = Member::Person(self.subject);
        match self.typology {
            Some(typology) => {
                let chance = Chance::of_part(seed, "case", self.number);
                let role = schemes::role_of_subject(typology);
                let mut payments = CasePayments::of(subject, role, size, chance)?;
                schemes::write(typology, &mut payments);
                Ok(payments)
            }
            None => {
                let chance = Chance::of_part(seed, "look-alike payments", self.number);
                let mut payments = CasePayments::of(subject, "subject", size, chance)?;
                look_alikes::write(&mut payments);
                Ok(payments)
            }
        }
    }
}
