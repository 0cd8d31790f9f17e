//! What events on given days do to the lives of a neighbourhood.

use std::collections::HashSet;

use super::*;
use crate::sandbox::population::country::PartyKind;
use crate::sandbox::population::events::Event;
use crate::sandbox::population::kind::Kind;
use crate::sandbox::PopulationPlan;

const SEED: u64 = 7;
const PERSONS: usize = 40;
const COMPANIES: usize = 3;
const FIRST_DAY: &str = "2024-09-01";
/// In øre.
const CHILD_BENEFIT: i64 = 196_800;

fn date(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// What happens to the person at that place.
type Happening = (usize, NaiveDate, LifeEvent);

/// A neighbourhood before its first day, to which these events will happen, in the order of their dates.
fn invented(happenings: &[Happening]) -> Neighbourhood {
    let plan = PopulationPlan { persons: 40, companies: 3, ..PopulationPlan::DEFAULT };
    let first_day = date(FIRST_DAY);
    let mut from = Inventing {
        numbers: &mut Numbers::of(plan, SEED, first_day, None),
        chance: &mut Chance::of_part(SEED, "lives", 0),
        world: World::norway().unwrap(),
        first_day,
        first: (0, 0),
        events: false,
    };
    let mut invented = Neighbourhood::invent(PERSONS, COMPANIES, &mut from).unwrap();
    for (at, person) in invented.persons.iter_mut().enumerate() {
        let own = happenings.iter().filter(|(person, ..)| *person == at);
        person.events =
            Events::of(own.map(|(_, date, what)| Event { date: *date, what: *what, partner: None }));
    }
    invented
}

/// What is booked before a day.
fn lived(happenings: &[Happening], until: &str) -> Vec<Entry> {
    let (mut neighbourhood, world) = (invented(happenings), World::norway().unwrap());
    let dates = date(FIRST_DAY).iter_days().take_while(|day| *day < date(until));
    let days: Vec<Day> = dates.map(|date| world.calendar.day(date)).collect();
    let mut diary = neighbourhood.diary(date(FIRST_DAY), days[0]);
    neighbourhood.live(&days, world, &Rates::default(), &mut diary, &mut Additions::default())
}

fn everyday(at: usize) -> usize {
    invented(&[]).persons[at].everyday().at
}

/// The places of both persons of each couple, and of their account.
fn couples() -> Vec<(usize, usize, usize)> {
    let persons = invented(&[]).persons;
    let heads = persons.iter().enumerate().filter_map(|(at, person)| Some((at, person.joint.as_ref()?)));
    let couple = |(head, joint): (usize, &super::super::person::Joint)| {
        let account = joint.purse.place.at;
        let other = (0..persons.len()).find(|at| *at != head && persons[*at].pays_to(account)).unwrap();
        (head, other, account)
    };
    heads.map(couple).collect()
}

/// The places of persons who live alone.
fn alone() -> Vec<usize> {
    let persons = invented(&[]).persons.into_iter().enumerate();
    persons
        .filter(|(_, person)| person.is_active && person.contribution.is_none())
        .map(|(at, _)| at)
        .collect()
}

fn benefit(entries: &[Entry], account: usize, month: &str) -> i64 {
    let of_month = entries.iter().filter(|entry| entry.day.to_string().starts_with(month));
    let benefits = of_month.filter(|entry| entry.at == account && entry.kind == Kind::ChildBenefit);
    benefits.map(|entry| entry.sum).sum()
}

/// Whether something is done on a day or after it; the bank's interest is not.
fn is_done_from(day: NaiveDate) -> impl Fn(&&Entry) -> bool {
    move |entry| {
        let done = entry.card.as_ref().map_or(entry.day, |used| used.day);
        done >= day && !matches!(entry.kind, Kind::Interest | Kind::Overdraft | Kind::CardInterest)
    }
}

#[test]
fn a_return_on_the_day_of_death_is_not_booked() {
    let until = "2025-01-01";
    let own = alone();
    let accounts: Vec<usize> = own.iter().map(|at| everyday(*at)).collect();
    let entries = lived(&[], until);
    let returned = entries.iter().find(|entry| entry.kind == Kind::Return && accounts.contains(&entry.at));
    let (account, day) = returned.map(|entry| (entry.at, entry.day)).unwrap();
    let person = own[accounts.iter().position(|at| *at == account).unwrap()];
    for (death, is_booked) in [(day, false), (day.succ_opt().unwrap(), true)] {
        let entries = lived(&[(person, death, LifeEvent::Death)], until);
        let mut of_account = entries.iter().filter(|entry| entry.at == account);
        let is_the_return = |entry: &Entry| entry.kind == Kind::Return && entry.day == day;
        assert_eq!(of_account.any(is_the_return), is_booked, "{death}");
    }
}

#[test]
fn after_both_of_a_couple_died_nothing_is_done_on_their_account() {
    let (first, second) = (date("2024-11-11"), date("2025-02-03"));
    let couples = couples();
    assert!(couples.len() > 3);
    // Of one couple after the other, the one who has the account dies first or second.
    let dying = |nth: usize, head: usize, other: usize| {
        if nth.is_multiple_of(2) {
            [head, other]
        } else {
            [other, head]
        }
    };
    let mut deaths = Vec::new();
    for (nth, (head, other, _)) in couples.iter().enumerate() {
        let [before, after] = dying(nth, *head, *other);
        deaths.extend([(before, first, LifeEvent::Death), (after, second, LifeEvent::Death)]);
    }
    let entries = lived(&deaths, "2025-06-01");
    for (nth, (head, other, account)) in couples.into_iter().enumerate() {
        let [before, after] = dying(nth, head, other).map(everyday);
        let of = |at: usize| entries.iter().filter(move |entry| entry.at == at);
        let late = |at: usize, day| of(at).filter(is_done_from(day)).count();
        assert_eq!([late(account, second), late(after, second), late(before, first)], [0; 3], "{account}");
        let between = of(account).filter(is_done_from(first)).filter(|entry| entry.sum < 0);
        assert!(between.count() > 5, "{account}");
    }
}

#[test]
fn child_benefit_for_a_newborn_goes_on_with_the_other_parent() {
    let (birth, death) = (date("2024-10-10"), date("2024-11-10"));
    let couples = couples();
    let happenings: Vec<Happening> = couples
        .iter()
        .flat_map(|(head, other, _)| {
            let born = |at: &usize| (*at, birth, LifeEvent::Child);
            [born(head), born(other), (*head, death, LifeEvent::Death)]
        })
        .collect();
    let entries = lived(&happenings, "2025-01-01");
    for (head, other, account) in couples {
        let of = |person: usize| {
            ["2024-10", "2024-11", "2024-12"].map(|month| benefit(&entries, everyday(person), month))
        };
        let before = of(head)[0];
        assert_eq!(of(head), [before, 0, 0], "{account}");
        assert_eq!(of(other), [0, before + CHILD_BENEFIT, before + CHILD_BENEFIT], "{account}");
    }
}

#[test]
fn child_benefit_of_a_parent_alone_ends_with_the_death() {
    let (birth, death) = (date("2024-10-10"), date("2024-12-10"));
    let alone = alone();
    let happenings: Vec<Happening> = alone
        .iter()
        .flat_map(|at| [(*at, birth, LifeEvent::Child), (*at, death, LifeEvent::Death)])
        .collect();
    let entries = lived(&happenings, "2025-02-01");
    assert!(alone.len() > 3);
    for account in alone.into_iter().map(everyday) {
        let paid =
            ["2024-10", "2024-11", "2024-12", "2025-01"].map(|month| benefit(&entries, account, month));
        assert_eq!(paid, [paid[0], paid[0] + CHILD_BENEFIT, 0, 0], "{account}");
    }
}

/// Where the other landlord is paid on the same day of the month, each month has one rent.
#[test]
fn a_move_changes_the_landlord_and_not_the_day_of_the_rent() {
    let (outside, moved) = (&World::norway().unwrap().outside, date("2024-11-15"));
    let alone: Vec<(usize, usize)> = alone().into_iter().map(|at| (at, everyday(at))).collect();
    let moves: Vec<Happening> =
        alone.iter().map(|(at, _)| (*at, moved, LifeEvent::Move { town: 1 })).collect();
    let [with, without] = [moves, Vec::new()].map(|happenings| lived(&happenings, "2025-02-01"));
    let rents = |entries: &[Entry], account: usize| -> Vec<(NaiveDate, Option<String>)> {
        let of_person = entries.iter().filter(|entry| entry.at == account);
        let rents = of_person.filter(|entry| outside.kind_of(&entry.other) == Some(PartyKind::Landlord));
        rents.map(|entry| (entry.day, entry.other.name.clone())).collect()
    };
    let mut paid = 0;
    for (_, account) in alone {
        let (with, without) = (rents(&with, account), rents(&without, account));
        let days =
            |rents: &[(NaiveDate, Option<String>)]| rents.iter().map(|(day, _)| *day).collect::<Vec<_>>();
        assert_eq!(days(&with), days(&without), "{account}");
        for (rent, before) in with.iter().zip(&without) {
            assert_eq!(rent.1 == before.1, rent.0 < moved, "{account} {rent:?}");
        }
        paid += with.len();
    }
    assert!(paid > 20, "{paid}");
}

/// Groceries for children are bought at home, unless the person is on a journey.
#[test]
fn a_person_on_a_journey_buys_nothing_at_home_for_a_child() {
    let persons = invented(&[]).persons;
    let travellers: Vec<(usize, usize, usize)> = alone()
        .into_iter()
        .filter_map(|at| Some((at, persons[at].everyday().at, persons[at].credit.as_ref()?.place.at)))
        .collect();
    let born = |at: usize| std::iter::repeat_n((at, date(FIRST_DAY), LifeEvent::Child), 8);
    let births: Vec<Happening> = travellers.iter().flat_map(|(at, ..)| born(*at)).collect();
    let entries = lived(&births, "2027-09-01");
    let (mut away, mut at_home) = (0, 0);
    for (_, own, credit) in travellers {
        let uses = |at: usize| {
            let of_account = entries.iter().filter(move |entry| entry.at == at && entry.sum < 0);
            of_account.filter(|entry| matches!(entry.kind, Kind::Purchase | Kind::CreditPurchase))
        };
        let used = |entry: &Entry| entry.card.as_ref().map(|used| (used.day, used.currency)).unwrap();
        let abroad = uses(credit).map(used).filter(|(_, currency)| *currency != Currency::NOK);
        let abroad: HashSet<NaiveDate> = abroad.map(|(day, _)| day).collect();
        assert!(uses(own).all(|entry| !abroad.contains(&used(entry).0)), "{own}");
        (away, at_home) = (away + abroad.len(), at_home + uses(own).count());
    }
    assert!(away > 0 && at_home > 1_000, "{away} {at_home}");
}
