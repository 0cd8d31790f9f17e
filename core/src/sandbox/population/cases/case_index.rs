//! The cases that concern a part of a population, by neighbourhood.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDate;

use super::super::calendar::Day;
use super::super::chance::Chance;
use super::super::diary::{Payment, Use};
use super::super::kind::Kind;
use super::super::neighbourhood::Neighbourhood;
use super::additions::{AddedLine, Additions, CaseNote, Mark, PartOfDay, Position};
use super::directory::{Directory, Inventing, Layout};
use super::openings;
use super::pattern::{cases, look_alikes, takes_part, Pattern};
use super::payments::{CasePayment, CasePayments, Member, Party, Who, SUBJECT};
use super::strangers;
use crate::error::Result;
use crate::store::sqlite::sandbox::Counterpart;
use crate::types::Currency;

/// The cases and look-alikes in which customers of a part of a population take part.
#[derive(Debug)]
pub(crate) struct CaseIndex {
    seed: u64,
    directory: Directory,
    by_neighbourhood: HashMap<u64, Vec<Pattern>>,
    days: Vec<Day>,
}

impl CaseIndex {
    /// That of the neighbourhoods in `part`, in a population of so many `(persons, companies, neighbourhoods)` of which
    /// so many of a thousand persons are the subject of a case. A history without any day has none.
    ///
    /// # Errors
    /// Those of `invent`.
    pub(crate) fn of(
        seed: u64,
        of_a_thousand: u64,
        (persons, companies, neighbourhoods): (u64, u64, u64),
        part: &Range<u64>,
        days: &[Day],
        invent: Inventing<'_>,
    ) -> Result<Self> {
        let last_day = days.last().map_or(NaiveDate::MIN, |day| day.date);
        let directory = Directory::of(Layout { persons, companies, neighbourhoods }, last_day);
        let mut index = Self { seed, directory, by_neighbourhood: HashMap::new(), days: days.to_vec() };
        if days.is_empty() {
            return Ok(index);
        }
        let mut members = HashSet::new();
        let cases = cases(seed, of_a_thousand, &mut index.directory, invent)?;
        let count = u64::try_from(days.len()).unwrap_or_default();
        for pattern in cases.into_iter().chain(look_alikes(seed, persons, count)) {
            index.add_to_neighbourhoods(pattern, part, &mut members)?;
        }
        index.directory.load(&members, invent)?;
        Ok(index)
    }

    /// Adds a pattern to the neighbourhoods of those who take part, and these to `members`, if one of them is in
    /// `part`.
    fn add_to_neighbourhoods(
        &mut self,
        pattern: Pattern,
        part: &Range<u64>,
        members: &mut HashSet<Member>,
    ) -> Result<()> {
        let parties = pattern.payments(self.seed, &self.directory)?.parties;
        let taking_part = parties.iter().filter_map(Party::member);
        let mut homes: Vec<u64> =
            taking_part.clone().map(|member| self.directory.layout.home(member).0).collect();
        homes.retain(|home| part.contains(home));
        homes.sort_unstable();
        homes.dedup();
        if !homes.is_empty() {
            members.extend(taking_part);
        }
        for home in homes {
            self.by_neighbourhood.entry(home).or_default().push(pattern);
        }
        Ok(())
    }

    /// What the cases add to that neighbourhood.
    ///
    /// # Errors
    /// As [`Pattern::payments`].
    pub(crate) fn additions(&self, nth: u64, neighbourhood: &Neighbourhood) -> Result<Additions> {
        let mut additions = Additions::default();
        if self.days.is_empty() {
            return Ok(additions);
        }
        openings::add(self.seed, nth, neighbourhood, &mut additions);
        for pattern in self.by_neighbourhood.get(&nth).into_iter().flatten() {
            self.add_pattern(*pattern, nth, neighbourhood, &mut additions)?;
        }
        additions.complete();
        Ok(additions)
    }

    fn add_pattern(
        &self,
        pattern: Pattern,
        nth: u64,
        neighbourhood: &Neighbourhood,
        additions: &mut Additions,
    ) -> Result<()> {
        let CasePayments { mut chance, mut parties, mut payments, begins_on, .. } =
            pattern.payments(self.seed, &self.directory)?;
        let is_possible = match pattern.typology {
            Some(_) => self.replace_dying(&mut parties, &mut chance),
            None => parties.iter().all(|party| self.takes_part(party)),
        };
        if !is_possible {
            return Ok(());
        }
        payments.sort_by_key(|payment| payment.when);
        let begin = begin(&self.days, begins_on, &payments, &mut chance);
        let days: Vec<&Day> = days_from(&self.days, begin, &payments).collect();
        if !self.are_alive(&parties, days.last().copied()) {
            return Ok(());
        }
        let accounts: Vec<Option<usize>> =
            parties.iter().map(|party| self.account(party, nth, neighbourhood)).collect();
        let account = |party: Option<usize>| party.and_then(|party| accounts.get(party).copied()?);
        let of = |party: Option<usize>| party.and_then(|party| parties.get(party));
        let mut period = None;
        for ((step, payment), day) in (1..).zip(&payments).zip(days) {
            let (first, _) = *period.get_or_insert((day.date, day.date));
            period = Some((first, day.date));
            // A payment within the neighbourhood has both lines in the day of the payer.
            let payer = of(payment.from).zip(account(payment.from));
            let Some(position) = payer
                .or_else(|| of(payment.to).zip(account(payment.to)))
                .map(|(party, at)| position(party, at, day, payment))
            else {
                continue;
            };
            for (own, other, sum) in
                [(payment.from, payment.to, -payment.sum), (payment.to, payment.from, payment.sum)]
            {
                let Some(at) = account(own) else { continue };
                let role = of(own).map_or("", |party| party.role);
                let mark = pattern.typology.map(|_| Mark { case: pattern.number, role, step });
                let other = self.counterpart(of(other), payment);
                additions.add(position, AddedLine { mark, ..line(at, sum, other, day, payment) });
            }
        }
        if let (Some(typology), Some((first, last)), Some(at)) =
            (pattern.typology, period, account(Some(SUBJECT)))
        {
            let customer = neighbourhood.holdings.get(at).map_or(0, |holding| holding.owner);
            additions.cases.push(CaseNote { number: pattern.number, typology, customer, first, last });
        }
        Ok(())
    }

    /// The place of the current account of a party who lives in that neighbourhood.
    fn account(&self, party: &Party, nth: u64, neighbourhood: &Neighbourhood) -> Option<usize> {
        let member = party.member()?;
        let (home, at) = self.directory.layout.home(member);
        if home != nth {
            return None;
        }
        match member {
            Member::Person(_) => neighbourhood.everyday().nth(at).map(|(place, _)| place.at),
            Member::Company(_) => neighbourhood.main_accounts().nth(at).map(|place| place.at),
        }
    }

    /// How the other side is named in a line.
    fn counterpart(&self, other: Option<&Party>, payment: &CasePayment) -> Arc<Counterpart> {
        let party = match other.map(|party| &party.who) {
            Some(Who::Customer(member)) => self.directory.party(*member),
            Some(Who::Outside(party)) => Some(party),
            None => payment.branch.as_ref().map(|branch| &branch.party),
        };
        party.cloned().unwrap_or_default()
    }

    /// Whether a party takes part in look-alikes. Most dormant persons do not: otherwise none would be dormant.
    fn takes_part(&self, party: &Party) -> bool {
        match party.member() {
            Some(Member::Person(place)) if self.directory.is_dormant(Member::Person(place)) => {
                takes_part(self.seed, place)
            }
            _ => true,
        }
    }

    /// Who dies within the history takes part in no case: the subject is another person of the neighbourhood then, and
    /// the others are strangers. Whether there is such a subject.
    fn replace_dying(&self, parties: &mut [Party], chance: &mut Chance) -> bool {
        let dies = |party: &Party| party.member().is_some_and(|member| self.directory.dies(member));
        let Some((subject, others)) = parties.split_first_mut() else { return false };
        if let Some(substitute) = subject.member().and_then(|member| self.directory.substitute_of(member)) {
            subject.who = Who::Customer(substitute);
        }
        let is_subject = |other: &Party| other.member().is_some() && other.member() == subject.member();
        for other in others.iter_mut().filter(|other| dies(other) || is_subject(other)) {
            other.who = Who::Outside(strangers::one(chance));
        }
        !dies(subject)
    }

    /// Whether all who take part are alive on a day.
    fn are_alive(&self, parties: &[Party], day: Option<&Day>) -> bool {
        let mut members = parties.iter().filter_map(Party::member);
        day.is_none_or(|day| members.all(|member| self.directory.is_alive(member, day.date)))
    }
}

/// The place of the day on which a case begins: so early that it ends within the days, if possible.
fn begin(days: &[Day], begins_on: Option<u32>, payments: &[CasePayment], chance: &mut Chance) -> usize {
    let is_complete = |begin: &usize| days_from(days, *begin, payments).count() == payments.len();
    let Some(due) = begins_on else {
        let length = payments.last().map_or(0, |payment| payment.when.day);
        let drawn = chance.place(days.len().saturating_sub(length).max(1)).unwrap_or_default();
        return (0..=drawn).rev().find(is_complete).unwrap_or_default();
    };
    let due_days = days.iter().enumerate().filter(|(_, day)| day.pays(due));
    let due_days: Vec<usize> = due_days.map(|(place, _)| place).collect();
    let complete: Vec<usize> = due_days.iter().copied().filter(is_complete).collect();
    let possible = if complete.is_empty() { due_days } else { complete };
    chance.pick(&possible).copied().unwrap_or_default()
}

/// The days of payments that are in order, from the day at that place on: where one waits for a banking day, all after
/// it are later too. Those after the last day have none.
fn days_from<'s>(
    days: &'s [Day],
    begin: usize,
    payments: &'s [CasePayment],
) -> impl Iterator<Item = &'s Day> + use<'s> {
    payments.iter().scan(begin, move |begin, payment| {
        let mut days = days.iter().enumerate().skip(*begin + payment.when.day);
        let (place, day) = days.find(|(_, day)| day.is_banking || is_made_on_any_day(payment.kind))?;
        *begin = place - payment.when.day;
        Some(day)
    })
}

impl Party {
    fn member(&self) -> Option<Member> {
        match self.who {
            Who::Customer(member) => Some(member),
            Who::Outside(_) => None,
        }
    }
}

/// Whether such a payment is made on weekends and holidays too.
fn is_made_on_any_day(kind: Kind) -> bool {
    matches!(kind, Kind::Gift | Kind::Purchase | Kind::Withdrawal)
}

/// Where the lines of a payment are among those of the neighbourhood of that party.
fn position(party: &Party, at: usize, day: &Day, payment: &CasePayment) -> Position {
    let part = match payment.kind {
        Kind::Salary | Kind::Bill => PartOfDay::Income,
        Kind::Withdrawal | Kind::Deposit => PartOfDay::Cash,
        Kind::Purchase => PartOfDay::Purchases,
        _ => PartOfDay::Transfers,
    };
    match party.member() {
        Some(Member::Company(_)) => Position::of_company(day.date, at, part),
        _ => Position::of_person(day.date, at, part),
    }
}

/// A line of a payment, without a mark.
fn line(at: usize, sum: i64, other: Arc<Counterpart>, day: &Day, payment: &CasePayment) -> AddedLine {
    // Cash that is paid in has no card.
    let branch = payment.branch.as_ref().filter(|_| sum < 0);
    let card = branch.map(|branch| {
        let (branch, currency) = (Arc::clone(branch), Currency::NOK);
        (Use { original: payment.sum, currency, branch, day: day.date }, day.booked_after(payment.delay))
    });
    let (text, reference) = (Cow::clone(&payment.text), payment.reference.clone());
    let payment = Payment { sum, kind: payment.kind, text, time: payment.when.time, reference };
    AddedLine { at, other, payment, card, mark: None }
}
