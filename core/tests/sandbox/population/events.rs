//! Life events: they are drawn at their rates, and lives change with them on their day.

use std::collections::{HashMap, HashSet};

use chrono::{Datelike, Months, NaiveDate};
use xs2a::tables::{Population, PopulationOptions};
use xs2a::PopulationPlan;

use super::history::{never_overdrawn, populated};
use super::labels::{labelled, options, rows};

/// Two years from 2024-09-01 on.
const PLAN: PopulationPlan =
    PopulationPlan { persons: 4_000, companies: 200, months: 24, events: true, ..PopulationPlan::DEFAULT };
const FIRST_DAY: &str = "2024-09-01";
const NOW: &str = "2026-09-01";
/// Each neighbourhood of [`PLAN`] is a part of its own.
const PARTS: u64 = 100;
const NEIGHBOURS: u64 = 40;
const CHILD_BENEFIT: f64 = 1_968.0;

/// An event of a table.
#[derive(Debug, Clone, PartialEq)]
struct Event {
    person: String,
    kind: String,
    date: NaiveDate,
    partner: String,
    town: String,
}

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn events(population: &Population) -> Vec<Event> {
    let columns = ["customer_number", "kind", "date", "partner_customer_number", "town"];
    let event = |[person, kind, date, partner, town]: [String; 5]| Event {
        person,
        kind,
        date: day(&date),
        partner,
        town,
    };
    rows(population, "life_events", columns).into_iter().map(event).collect()
}

/// Persons are born from 1933 on.
fn born(number: &str) -> NaiveDate {
    let part = |range: std::ops::Range<usize>| number.get(range).unwrap().parse::<u32>().unwrap();
    let year = i32::try_from(part(4..6)).unwrap();
    let century = if year < 30 { 2000 } else { 1900 };
    NaiveDate::from_ymd_opt(century + year, part(2..4) - 80, part(0..2)).unwrap()
}

fn age(event: &Event) -> u32 {
    event.date.years_since(born(&event.person)).unwrap()
}

/// A line of an account.
struct Line {
    account: String,
    date: NaiveDate,
    /// When the card was used, for its uses; otherwise the booking date.
    used: NaiveDate,
    amount: f64,
    code: String,
    payer: String,
    /// Where it is an account of the part, its owner.
    other_owner: Option<String>,
    text: String,
    /// Of a use of a card in a town of the country.
    town: Option<String>,
}

/// By the owners of their accounts.
type Lines = HashMap<String, Vec<Line>>;

fn lines(population: &Population) -> Lines {
    let uses =
        rows(population, "card_transactions", ["transaction_id", "transaction_date", "city", "country"]);
    let at_home =
        |town, country: &str| Some(town).filter(|town: &String| country == "NO" && !town.is_empty());
    let uses: HashMap<String, (NaiveDate, Option<String>)> = uses
        .into_iter()
        .map(|[id, used, town, country]| (id, (day(&used), at_home(town, &country))))
        .collect();
    let accounts = rows(population, "accounts", ["bban", "customer_number"]).into_iter();
    let owners: HashMap<String, String> =
        accounts.filter(|[bban, _]| !bban.is_empty()).map(|[bban, owner]| (bban, owner)).collect();
    let columns = [
        "id",
        "account_id",
        "customer_number",
        "booking_date",
        "amount",
        "proprietary_code",
        "counterpart_name",
        "counterpart_bban",
        "remittance",
    ];
    let mut lines = Lines::new();
    for [id, account, owner, date, amount, code, payer, bban, text] in
        rows(population, "transactions", columns)
    {
        let (date, used) = (day(&date), uses.get(&id));
        lines.entry(owner).or_default().push(Line {
            account,
            date,
            used: used.map_or(date, |(used, _)| *used),
            amount: amount.parse().unwrap(),
            code,
            payer,
            other_owner: owners.get(&bban).cloned(),
            text,
            town: used.and_then(|(_, town)| town.clone()),
        });
    }
    lines
}

fn of<'l>(lines: &'l Lines, person: &str) -> &'l [Line] {
    lines.get(person).map_or(&[], Vec::as_slice)
}

/// So many neighbourhoods in which the most persons retire and die.
fn eventful_parts(plan: PopulationPlan, count: usize) -> Vec<Population> {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for [id, kind] in rows(&labelled(plan), "life_events", ["id", "kind"]) {
        let person: u64 = id.split('-').nth(1).unwrap().parse().unwrap();
        let rare = usize::from(["retirement", "death"].contains(&kind.as_str()));
        *counts.entry(person / NEIGHBOURS).or_default() += rare;
    }
    let mut parts: Vec<_> = counts.into_iter().collect();
    parts.sort_by_key(|(part, count)| (std::cmp::Reverse(*count), *part));
    let part = |(partition, _)| {
        Population::new(&PopulationOptions { partition, of: PARTS, ..options(plan, true) }).unwrap()
    };
    parts.into_iter().take(count).map(part).collect()
}

/// The accounts of couples.
fn joint_accounts(population: &Population) -> HashSet<String> {
    let accounts = rows(population, "accounts", ["id", "name"]).into_iter();
    accounts.filter_map(|[id, name]| (name == "Felleskonto").then_some(id)).collect()
}

fn of_kind<'e>(events: &'e [Event], kind: &'e str) -> impl Iterator<Item = &'e Event> {
    events.iter().filter(move |event| event.kind == kind)
}

/// Whether no other event of the person is nearer than so many months.
fn is_apart(event: &Event, events: &[Event], months: u32) -> bool {
    let (from, until) = (event.date - Months::new(months), event.date + Months::new(months));
    let near =
        events.iter().filter(|other| other.person == event.person && (from..until).contains(&other.date));
    near.count() == 1 && from >= day(FIRST_DAY) && until <= day(NOW)
}

/// A table of events alone is generated without any day of a life.
#[test]
fn events_happen_at_about_their_rates() {
    let population = labelled(PopulationPlan { persons: 8_000, companies: 0, months: 36, ..PLAN });
    let events = events(&population);
    let persons = rows(&population, "customers", ["customer_number"]);
    let middle = day("2025-03-01");
    let years = |ages: std::ops::Range<u32>| {
        let of_age = |[number]: &&[String; 1]| {
            let age = middle.years_since(born(number)).unwrap();
            ages.contains(&age)
        };
        persons.iter().filter(of_age).count() as f64 * 3.0
    };
    let count = |kind: &str, ages: std::ops::Range<u32>| {
        of_kind(&events, kind).filter(|event| ages.contains(&age(event))).count() as f64
    };
    for (kind, ages, least, greatest) in [
        ("death", 18..50, 0.000_3, 0.001_2),
        ("death", 60..70, 0.006, 0.012),
        ("death", 80..90, 0.050, 0.090),
        ("move", 20..30, 0.105, 0.140),
        ("move", 40..50, 0.020, 0.032),
        ("child", 25..30, 0.060, 0.090),
        ("child", 45..100, 0.0, 0.01),
        ("new_job", 25..35, 0.10, 0.17),
        ("new_job", 62..100, 0.0, 0.0),
        ("retirement", 18..62, 0.0, 0.0),
        ("retirement", 67..68, 0.1, 0.6),
        ("retirement", 71..120, 0.0, 0.0),
    ] {
        let rate = count(kind, ages.clone()) / years(ages.clone());
        assert!((least..=greatest).contains(&rate), "{kind} {ages:?}: {rate}");
    }
    assert!(of_kind(&events, "retirement").any(|event| age(event) == 62));
    assert!(of_kind(&events, "retirement").any(|event| age(event) == 70));
    assert!(count("child", 45..100) > 0.0, "with a younger partner");
}

#[test]
fn no_life_has_an_event_that_is_impossible() {
    let population = labelled(PopulationPlan { persons: 4_000, companies: 0, months: 120, ..PLAN });
    let events = events(&population);
    let mut by_person: HashMap<&str, Vec<&Event>> = HashMap::new();
    for event in &events {
        by_person.entry(&event.person).or_default().push(event);
    }
    let mut months_between_children = Vec::new();
    for events in by_person.values() {
        assert!(events.windows(2).all(|pair| pair[0].date <= pair[1].date), "{events:?}");
        let place = |kind: &str| events.iter().position(|event| event.kind == kind);
        let count = |kind: &str| events.iter().filter(|event| event.kind == kind).count();
        assert!(count("death") <= 1 && count("retirement") <= 1, "{events:?}");
        assert!(place("death").is_none_or(|death| death == events.len() - 1), "{events:?}");
        let jobs = events.iter().rposition(|event| event.kind == "new_job");
        assert!(place("retirement").zip(jobs).is_none_or(|(retired, job)| job < retired), "{events:?}");
        let births: Vec<i32> = events
            .iter()
            .filter(|event| event.kind == "child")
            .map(|event| event.date.year() * 12 + event.date.month0() as i32)
            .collect();
        months_between_children.extend(births.windows(2).map(|pair| pair[1] - pair[0]));
    }
    assert_eq!(months_between_children.iter().min(), Some(&12));
    for event in &events {
        let begins_month = event.date.day() == 1 && event.date > day("2016-09-01");
        assert!(begins_month || !["new_job", "retirement"].contains(&event.kind.as_str()), "{event:?}");
        assert_eq!(event.kind == "move", !event.town.is_empty(), "{event:?}");
        let shared = |other: &&Event| {
            (&other.kind, other.date, &other.town) == (&event.kind, event.date, &event.town)
                && other.partner == event.person
        };
        let partner = by_person
            .get(event.partner.as_str())
            .and_then(|other| other.iter().copied().find(|other| shared(&other)));
        assert_eq!(partner.is_some(), !event.partner.is_empty(), "{event:?}");
    }
    let ids: HashSet<_> = rows(&population, "life_events", ["id"]).into_iter().collect();
    assert_eq!(ids.len(), events.len());
}

#[test]
fn a_life_changes_on_the_day_of_an_event() {
    let mut seen = Seen::default();
    for population in eventful_parts(PLAN, 3) {
        let part = Part {
            events: events(&population),
            lines: lines(&population),
            joint: joint_accounts(&population),
        };
        seen.jobs += part.a_new_job_is_paid_by_another_employer();
        seen.pensions += part.a_pension_replaces_the_pay();
        seen.births += part.child_benefit_begins_in_the_month_after();
        seen.moves += part.shops_are_those_of_the_new_town();
        seen.deaths += part.nothing_happens_after_a_death();
        seen.survivors += part.a_survivor_goes_on_with_the_household();
    }
    let Seen { jobs, pensions, births, moves, deaths, survivors } = seen;
    assert!(jobs > 3 && pensions > 1 && births > 1 && moves > 1 && deaths > 3 && survivors > 0, "{seen:?}");
}

/// How many events of each kind were looked at.
#[derive(Debug, Default)]
struct Seen {
    jobs: usize,
    pensions: usize,
    births: usize,
    moves: usize,
    deaths: usize,
    survivors: usize,
}

/// A neighbourhood.
struct Part {
    events: Vec<Event>,
    lines: Lines,
    joint: HashSet<String>,
}

impl Part {
    /// Events of a kind that have no other one of the person nearby.
    fn apart(&self, kind: &'static str, months: u32) -> impl Iterator<Item = &Event> {
        of_kind(&self.events, kind).filter(move |event| is_apart(event, &self.events, months))
    }

    fn deaths(&self) -> HashMap<&str, NaiveDate> {
        of_kind(&self.events, "death").map(|event| (event.person.as_str(), event.date)).collect()
    }

    fn a_new_job_is_paid_by_another_employer(&self) -> usize {
        let mut jobs = 0;
        for event in self.apart("new_job", 2) {
            let pay = |from: NaiveDate, until: NaiveDate| -> Vec<(&str, f64)> {
                let wages = of(&self.lines, &event.person).iter().filter(|line| line.code == "LØNN");
                let in_time = wages.filter(|line| (from..until).contains(&line.date));
                in_time.map(|line| (line.payer.as_str(), line.amount)).collect()
            };
            let before = pay(event.date - Months::new(2), event.date);
            let after = pay(event.date, event.date + Months::new(2));
            assert_eq!((before.len(), after.len()), (2, 2), "{event:?}");
            assert!(before[0].0 == before[1].0 && after[0].0 == after[1].0, "{event:?}");
            assert_ne!(before[0].0, after[0].0, "{event:?}");
            jobs += 1;
        }
        jobs
    }

    fn a_pension_replaces_the_pay(&self) -> usize {
        let mut pensions = 0;
        for event in self.apart("retirement", 1) {
            let days = |code: &str| -> Vec<NaiveDate> {
                let of_code = of(&self.lines, &event.person).iter().filter(|line| line.code == code);
                of_code.map(|line| line.date).collect()
            };
            let (pay, pension) = (days("LØNN"), days("PENSJON"));
            assert!(pay.iter().all(|date| *date < event.date), "{event:?}");
            assert!(pension.iter().all(|date| *date >= event.date), "{event:?}");
            assert!(pay.last().is_some_and(|last| *last >= event.date - Months::new(1)), "{event:?}");
            assert!(pension.first().is_some_and(|first| *first < event.date + Months::new(1)), "{event:?}");
            pensions += 1;
        }
        pensions
    }

    fn child_benefit_begins_in_the_month_after(&self) -> usize {
        let paid = |person: &str, month: NaiveDate| -> f64 {
            let until = month + Months::new(1);
            let of_person = of(&self.lines, person).iter().filter(|line| line.text == "Barnetrygd");
            of_person.filter(|line| (month..until).contains(&line.date)).map(|line| line.amount).sum()
        };
        let mut births = 0;
        for event in self.apart("child", 2) {
            let month = event.date.with_day(1).unwrap();
            let household = |month| paid(&event.person, month) + paid(&event.partner, month);
            let before = household(month - Months::new(1));
            assert_eq!(household(month), before, "{event:?}");
            assert_eq!(household(month + Months::new(1)), before + CHILD_BENEFIT, "{event:?}");
            births += 1;
        }
        births
    }

    /// Most purchases are in the town where the person lives.
    fn shops_are_those_of_the_new_town(&self) -> usize {
        let mut moves = 0;
        for event in self.apart("move", 3) {
            let there = |from: NaiveDate, until: NaiveDate| {
                let own = of(&self.lines, &event.person).iter();
                let own = own.filter(|line| !self.joint.contains(&line.account) && line.code == "VAREKJØP");
                let own = own.filter(|line| (from..until).contains(&line.used));
                let towns = own.filter_map(|line| line.town.as_ref());
                towns.fold((0, 0), |(there, all), town| (there + usize::from(*town == event.town), all + 1))
            };
            let before = there(event.date - Months::new(3), event.date);
            let after = there(event.date, event.date + Months::new(3));
            if before.1 >= 20 && after.1 >= 20 {
                assert!(before.0 * 100 < before.1 * 40, "{event:?} {before:?}");
                assert!(after.0 * 100 > after.1 * 60, "{event:?} {after:?}");
                moves += 1;
            }
        }
        moves
    }

    /// On the accounts of a person alone. What was bought before is booked later, and the bank's interest goes on.
    /// Returns how many persons did something in the month before their death.
    fn nothing_happens_after_a_death(&self) -> usize {
        let mut alive_before = HashSet::new();
        for (person, death) in self.deaths() {
            for line in of(&self.lines, person).iter().filter(|line| !self.joint.contains(&line.account)) {
                let is_after = line.used >= death;
                assert!(!is_after || line.code == "RENTER", "{person} {death} {} {}", line.date, line.text);
                if !is_after && line.used >= death - Months::new(1) {
                    alive_before.insert(person);
                }
            }
        }
        alive_before.len()
    }

    /// The one who is left pays to the joint account, and the household's bills are paid from it.
    fn a_survivor_goes_on_with_the_household(&self) -> usize {
        let deaths = self.deaths();
        let mut payers: HashMap<&str, HashMap<&str, NaiveDate>> = HashMap::new();
        let of_joint = || self.lines.values().flatten().filter(|line| self.joint.contains(&line.account));
        for line in of_joint().filter(|line| line.text == "Til felleskonto") {
            let payer = line.other_owner.as_deref().unwrap();
            let last = payers.entry(&line.account).or_default().entry(payer).or_insert(line.date);
            *last = line.date.max(*last);
        }
        let mut survivors = 0;
        for (account, payers) in &payers {
            let died = payers.keys().filter_map(|payer| deaths.get(payer)).collect::<Vec<_>>();
            let [death] = died.as_slice() else { continue };
            if **death + Months::new(3) > day(NOW) {
                continue;
            }
            let later = payers.values().filter(|last| *last >= *death).count();
            assert_eq!(later, 1, "{account} {payers:?} {death}");
            let paid = of_joint().filter(|line| line.account == *account && line.amount < 0.0);
            assert!(paid.filter(|line| line.date > **death).count() > 5, "{account} {death}");
            survivors += 1;
        }
        survivors
    }
}

#[test]
fn balances_add_up_with_events_and_cases() {
    let plan = PopulationPlan { persons: 60, companies: 3, months: 18, cases: 500, ..PLAN };
    for plan in [PopulationPlan { cases: 0, ..plan }, plan] {
        let (world, _, state) = populated(plan);
        world.assert_reconciled();
        never_overdrawn(&state);
    }
}

/// In a history of two months, in which three of a thousand persons die, each of them is the subject of a case.
#[test]
fn a_dead_person_takes_part_in_no_case_and_no_look_alike() {
    let plan = PopulationPlan { months: 2, cases: 1_000, ..PLAN };
    let mut deaths = 0;
    for population in eventful_parts(plan, 2) {
        let part = Part {
            events: events(&population),
            lines: lines(&population),
            joint: joint_accounts(&population),
        };
        part.nothing_happens_after_a_death();
        let cases = rows(&population, "cases", ["customer_number", "last_date"]);
        for (person, death) in part.deaths() {
            let of_person: Vec<_> = cases.iter().filter(|[subject, _]| subject == person).collect();
            assert!(of_person.iter().all(|[_, last]| day(last) < death), "{person} {death} {of_person:?}");
            deaths += of_person.len();
        }
    }
    assert!(deaths > 0);
}

#[test]
fn parts_with_events_are_together_the_whole() {
    let plan = PopulationPlan { persons: 100, companies: 4, months: 2, cases: 100, ..PLAN };
    let whole = labelled(plan);
    let names = whole.tables();
    assert_eq!(names.last(), Some(&"life_events"));
    for of in [2, 3] {
        let part =
            |partition| Population::new(&PopulationOptions { partition, of, ..options(plan, true) }).unwrap();
        let parts: Vec<_> = (0..of).map(part).collect();
        for table in &names {
            let texts: Vec<_> = parts.iter().map(|part| super::labels::csv(part, table, None)).collect();
            let together = texts.iter().flat_map(|text| text.lines().skip(1));
            assert!(
                together.eq(super::labels::csv(&whole, table, None).lines().skip(1)),
                "{table} in {of} parts"
            );
        }
    }
}

#[test]
fn events_have_a_table_with_labels_alone_and_change_no_customer() {
    let plan = PopulationPlan { persons: 60, companies: 3, months: 1, ..PLAN };
    let [with, without] = [true, false].map(|events| labelled(PopulationPlan { events, months: 0, ..plan }));
    for table in without.tables() {
        assert_eq!(
            super::labels::csv(&with, table, None),
            super::labels::csv(&without, table, None),
            "{table}"
        );
    }
    assert!(rows(&with, "life_events", ["id"]).is_empty(), "without a history nothing happens");
    let refused = without.table("life_events", None).map(|_| ()).unwrap_err();
    assert!(refused.text().contains("`life_events` is no table of a population"), "{refused}");
    let unlabelled = Population::new(&options(plan, false)).unwrap();
    assert!(unlabelled.table("life_events", None).is_err());
    let ids = |events| -> HashSet<[String; 1]> {
        rows(&labelled(PopulationPlan { events, ..plan }), "transactions", ["id"]).into_iter().collect()
    };
    assert!(ids(true).is_disjoint(&ids(false)));
}

/// The last day of a history is in it, and the day of its end is not.
#[test]
fn a_longer_history_has_the_same_events_at_first() {
    let of = |now: NaiveDate, months| {
        let plan = PopulationPlan { persons: 2_000, companies: 0, months, ..PLAN };
        let now = format!("{now}T10:00:00Z").parse().unwrap();
        events(&Population::new(&PopulationOptions { now, ..options(plan, true) }).unwrap())
    };
    let long = of(day(NOW), 24);
    let later = long.iter().map(|event| event.date).filter(|date| *date > day("2025-09-10"));
    let some = later.min().unwrap();
    assert!(some < day("2025-10-01"));
    for (end, has_it) in [(some, false), (some.succ_opt().unwrap(), true)] {
        let short = of(end, 12);
        assert!(short.iter().eq(long.iter().filter(|event| event.date < end)), "{end}");
        assert_eq!(short.iter().any(|event| event.date == some), has_it, "{end}");
    }
}
