//! Life events: they are drawn at their rates, and lives change with them on their day.

use std::collections::{HashMap, HashSet};

use chrono::{Datelike, Months, NaiveDate};
use xs2a::tables::{Population, PopulationOptions};
use xs2a::PopulationPlan;

use super::history::{never_overdrawn, populated};
use super::labels::{labelled, options, rows};

/// Three years from 2023-09-01 on.
const PLAN: PopulationPlan =
    PopulationPlan { persons: 200, companies: 8, months: 36, events: true, ..PopulationPlan::DEFAULT };
const FIRST_DAY: &str = "2023-09-01";
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
    let part = |range| number.get(range).unwrap().parse::<u32>().unwrap();
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
    owner: String,
    date: NaiveDate,
    /// When the card was used, for its uses; otherwise the booking date.
    used: NaiveDate,
    amount: f64,
    code: String,
    payer: String,
    text: String,
    town: Option<String>,
}

fn lines(population: &Population) -> Vec<Line> {
    let uses = rows(population, "card_transactions", ["transaction_id", "transaction_date", "city"]);
    let uses: HashMap<String, (NaiveDate, String)> =
        uses.into_iter().map(|[id, used, town]| (id, (day(&used), town))).collect();
    let columns = [
        "id",
        "account_id",
        "customer_number",
        "booking_date",
        "amount",
        "proprietary_code",
        "counterpart_name",
        "remittance",
    ];
    let lines = rows(population, "transactions", columns).into_iter();
    let line = |[id, account, owner, date, amount, code, payer, text]: [String; 8]| {
        let (date, used) = (day(&date), uses.get(&id));
        Line {
            account,
            owner,
            date,
            used: used.map_or(date, |(used, _)| *used),
            amount: amount.parse().unwrap(),
            code,
            payer,
            text,
            town: used.map(|(_, town)| town.clone()),
        }
    };
    lines.map(line).collect()
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
    near.count() == 1 && from >= day(FIRST_DAY) && until <= day("2026-09-01")
}

/// A table of events alone is generated without any day of a life.
#[test]
fn events_happen_at_about_their_rates() {
    let population = labelled(PopulationPlan { persons: 20_000, companies: 0, ..PLAN });
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
    let population = labelled(PLAN);
    let (events, lines) = (events(&population), lines(&population));
    let joint = joint_accounts(&population);
    a_new_job_is_paid_by_another_employer(&events, &lines);
    a_pension_replaces_the_pay(&events, &lines);
    child_benefit_begins_in_the_month_after(&events, &lines);
    shops_are_those_of_the_new_town(&events, &lines, &joint);
    nothing_happens_after_a_death(&events, &lines, &joint);
    a_survivor_goes_on_with_the_household(&population, &events, &lines, &joint);
}

fn a_new_job_is_paid_by_another_employer(events: &[Event], lines: &[Line]) {
    let (mut changed, mut raised) = (0, HashSet::new());
    for event in of_kind(events, "new_job").filter(|event| is_apart(event, events, 2)) {
        let pay = |from: NaiveDate, until: NaiveDate| -> Vec<(&str, f64)> {
            let of_person = lines.iter().filter(|line| line.owner == event.person && line.code == "LØNN");
            let in_time = of_person.filter(|line| (from..until).contains(&line.date));
            in_time.map(|line| (line.payer.as_str(), line.amount)).collect()
        };
        let (before, after) =
            (pay(event.date - Months::new(2), event.date), pay(event.date, event.date + Months::new(2)));
        assert_eq!((before.len(), after.len()), (2, 2), "{event:?}");
        assert!(before[0].0 == before[1].0 && after[0].0 == after[1].0, "{event:?}");
        assert_ne!(before[0].0, after[0].0, "{event:?}");
        changed += 1;
        raised.insert(before[1].1 < after[0].1);
    }
    assert!(changed > 10 && raised.len() == 2, "{changed}");
}

fn a_pension_replaces_the_pay(events: &[Event], lines: &[Line]) {
    let mut retired = 0;
    for event in of_kind(events, "retirement").filter(|event| is_apart(event, events, 1)) {
        let months = |code: &str| -> Vec<NaiveDate> {
            let of_person = lines.iter().filter(|line| line.owner == event.person && line.code == code);
            of_person.map(|line| line.date).collect()
        };
        let (pay, pension) = (months("LØNN"), months("PENSJON"));
        assert!(pay.iter().all(|date| *date < event.date), "{event:?}");
        assert!(pension.iter().all(|date| *date >= event.date), "{event:?}");
        assert!(pay.last().is_some_and(|last| *last >= event.date - Months::new(1)), "{event:?}");
        assert!(pension.first().is_some_and(|first| *first < event.date + Months::new(1)), "{event:?}");
        retired += 1;
    }
    assert!(retired > 1, "{retired}");
}

fn child_benefit_begins_in_the_month_after(events: &[Event], lines: &[Line]) {
    let paid = |person: &str, month: NaiveDate| -> f64 {
        let until = month + Months::new(1);
        let of_person = lines.iter().filter(|line| line.owner == person && line.text == "Barnetrygd");
        of_person.filter(|line| (month..until).contains(&line.date)).map(|line| line.amount).sum()
    };
    let mut births = 0;
    for event in of_kind(events, "child").filter(|event| is_apart(event, events, 2)) {
        if !event.partner.is_empty() && event.partner < event.person {
            continue; // once for both
        }
        let month = event.date.with_day(1).unwrap();
        let household = |month| paid(&event.person, month) + paid(&event.partner, month);
        let before = household(month - Months::new(1));
        assert_eq!(household(month), before, "{event:?}");
        assert_eq!(household(month + Months::new(1)), before + CHILD_BENEFIT, "{event:?}");
        births += 1;
    }
    assert!(births > 3, "{births}");
}

/// Most purchases are in the town where the person lives.
fn shops_are_those_of_the_new_town(events: &[Event], lines: &[Line], joint: &HashSet<String>) {
    let mut moves = 0;
    for event in of_kind(events, "move").filter(|event| is_apart(event, events, 3)) {
        let share = |from: NaiveDate, until: NaiveDate| {
            let own =
                lines.iter().filter(|line| line.owner == event.person && !joint.contains(&line.account));
            let towns = own.filter(|line| (from..until).contains(&line.used) && line.code == "VAREKJØP");
            let towns: Vec<_> =
                towns.filter_map(|line| line.town.as_deref()).filter(|town| !town.is_empty()).collect();
            (towns.iter().filter(|town| **town == event.town).count(), towns.len())
        };
        let (before, after) =
            (share(event.date - Months::new(3), event.date), share(event.date, event.date + Months::new(3)));
        if before.1 < 20 || after.1 < 20 {
            continue;
        }
        assert!(before.0 * 100 < before.1 * 40, "{event:?} {before:?}");
        assert!(after.0 * 100 > after.1 * 50, "{event:?} {after:?}");
        moves += 1;
    }
    assert!(moves > 5, "{moves}");
}

/// On the accounts of a person alone. What was bought before is booked later, and the bank's interest goes on.
fn nothing_happens_after_a_death(events: &[Event], lines: &[Line], joint: &HashSet<String>) {
    let deaths: HashMap<&str, NaiveDate> =
        of_kind(events, "death").map(|event| (event.person.as_str(), event.date)).collect();
    let (mut day_before, mut interest) = (HashSet::new(), 0);
    for line in lines.iter().filter(|line| !joint.contains(&line.account)) {
        let Some(death) = deaths.get(line.owner.as_str()) else { continue };
        if line.used >= *death {
            assert_eq!(line.code, "RENTER", "{} {} {}", line.owner, line.date, line.text);
            interest += 1;
        } else if line.used >= *death - Months::new(1) {
            day_before.insert(line.owner.as_str());
        }
    }
    assert!(deaths.len() > 3, "{deaths:?}");
    assert!(day_before.len() + 2 >= deaths.len() && interest > 0, "{day_before:?} {interest}");
}

fn a_survivor_goes_on_with_the_household(
    population: &Population,
    events: &[Event],
    lines: &[Line],
    joint: &HashSet<String>,
) {
    let names: HashMap<String, String> = rows(population, "customers", ["customer_number", "name"])
        .into_iter()
        .map(|[number, name]| (number, name))
        .collect();
    let deaths: HashMap<&str, NaiveDate> =
        of_kind(events, "death").map(|event| (event.person.as_str(), event.date)).collect();
    let contributions =
        lines.iter().filter(|line| joint.contains(&line.account) && line.text == "Til felleskonto");
    let mut payers: HashMap<&str, HashMap<&str, NaiveDate>> = HashMap::new();
    for line in contributions {
        let last = payers.entry(&line.account).or_default().entry(&line.payer).or_insert(line.date);
        *last = line.date.max(*last);
    }
    let mut survivors = 0;
    for (account, payers) in &payers {
        let dead: Vec<_> = payers
            .keys()
            .filter_map(|payer| deaths.iter().find(|(number, _)| names[**number] == **payer))
            .collect();
        let [(_, death)] = dead.as_slice() else { continue };
        if **death > day("2026-06-01") {
            continue;
        }
        let later = payers.values().filter(|last| **last >= **death).count();
        assert_eq!(later, 1, "{account} {payers:?} {death}");
        let paid =
            lines.iter().filter(|line| line.account == *account && line.date > **death && line.amount < 0.0);
        assert!(paid.count() > 5, "{account} {death}");
        survivors += 1;
    }
    assert!(survivors > 0);
}

#[test]
fn balances_add_up_with_events_and_cases() {
    let plan = PopulationPlan { persons: 120, companies: 5, months: 24, cases: 500, ..PLAN };
    for plan in [PopulationPlan { cases: 0, ..plan }, plan] {
        let (world, _, state) = populated(plan);
        world.assert_reconciled();
        never_overdrawn(&state);
    }
}

#[test]
fn a_dead_person_takes_part_in_no_case_and_no_look_alike() {
    let population = labelled(PopulationPlan { persons: 400, cases: 1_000, ..PLAN });
    let (events, lines) = (events(&population), lines(&population));
    nothing_happens_after_a_death(&events, &lines, &joint_accounts(&population));
    let cases = rows(&population, "cases", ["customer_number", "first_date", "last_date"]);
    assert!(cases.len() >= 396, "{}", cases.len());
    let mut of_dead = 0;
    for event in of_kind(&events, "death") {
        for [_, _, last] in cases.iter().filter(|[subject, ..]| *subject == event.person) {
            assert!(day(last) < event.date, "{event:?}");
            of_dead += 1;
        }
    }
    assert!(of_dead > 3, "{of_dead}");
}

#[test]
fn parts_with_events_are_together_the_whole() {
    let plan = PopulationPlan { persons: 100, companies: 4, months: 6, cases: 100, ..PLAN };
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

#[test]
fn a_longer_history_has_the_same_events_at_first() {
    let of = |now: &str, months| {
        let plan = PopulationPlan { persons: 2_000, companies: 0, months, ..PLAN };
        let now = now.parse().unwrap();
        events(&Population::new(&PopulationOptions { now, ..options(plan, true) }).unwrap())
    };
    let (short, long) = (of("2024-09-11T10:00:00Z", 12), of("2026-09-01T10:00:00Z", 36));
    let until = |date: &str| -> Vec<&Event> { long.iter().filter(|event| event.date <= day(date)).collect() };
    assert!(short.len() > 100);
    assert!(short.iter().eq(until("2024-09-10")));
    assert!(short.iter().any(|event| event.date == day("2024-09-10")), "the last day is in it");
}
