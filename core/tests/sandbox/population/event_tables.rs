//! The table of life events: what is drawn, and that it is the same in parts and in longer histories.

use std::collections::{HashMap, HashSet};

use chrono::{Datelike, NaiveDate};
use xs2a::tables::{Population, PopulationOptions};
use xs2a::PopulationPlan;

use super::events::{day, events, of_kind, Event, NOW, PLAN};
use super::labels::{csv, labelled, options, rows};

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
            .and_then(|other| other.iter().copied().find(|other| shared(other)));
        assert_eq!(partner.is_some(), !event.partner.is_empty(), "{event:?}");
    }
    let ids: HashSet<_> = rows(&population, "life_events", ["id"]).into_iter().collect();
    assert_eq!(ids.len(), events.len());
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
            let texts: Vec<_> = parts.iter().map(|part| csv(part, table, None)).collect();
            let together = texts.iter().flat_map(|text| text.lines().skip(1));
            assert!(together.eq(csv(&whole, table, None).lines().skip(1)), "{table} in {of} parts");
        }
    }
}

#[test]
fn events_have_a_table_with_labels_alone_and_change_no_customer() {
    let plan = PopulationPlan { persons: 60, companies: 3, months: 1, ..PLAN };
    let [with, without] = [true, false].map(|events| labelled(PopulationPlan { events, months: 0, ..plan }));
    for table in without.tables() {
        assert_eq!(csv(&with, table, None), csv(&without, table, None), "{table}");
    }
    assert!(rows(&with, "life_events", ["id"]).is_empty(), "without a history nothing happens");
    let refused = without.table("life_events", None).map(|_| ()).unwrap_err();
    assert!(
        refused.text().contains("`life_events` is no table of a population without labels and events: "),
        "{refused}"
    );
    let plan = PopulationPlan { cases: 0, ..plan };
    let opened = |events| {
        let population = labelled(PopulationPlan { events, months: 2, ..plan });
        rows(&population, "accounts", ["id", "opening_balance"])
    };
    assert_eq!(opened(true), opened(false));
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
