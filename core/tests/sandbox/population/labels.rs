//! Labels of a population: tables of their own, which make no difference to those of the bank.

use std::collections::{HashMap, HashSet};

use chrono::Datelike;
use xs2a::tables::{Population, PopulationOptions, LABEL_TABLES};
use xs2a::PopulationPlan;

const PLAN: PopulationPlan =
    PopulationPlan { persons: 300, companies: 12, months: 1, cases: 200, ..PopulationPlan::DEFAULT };
const SMALL: PopulationPlan = PopulationPlan { persons: 100, companies: 4, ..PLAN };

pub(crate) fn options(plan: PopulationPlan, labels: bool) -> PopulationOptions {
    let now = "2026-09-01T10:00:00Z".parse().unwrap();
    PopulationOptions { plan, now, seed: 3, partition: 0, of: 1, labels }
}

pub(crate) fn labelled_with(plan: PopulationPlan, seed: u64) -> Population {
    Population::new(&PopulationOptions { seed, ..options(plan, true) }).unwrap()
}

pub(crate) fn labelled(plan: PopulationPlan) -> Population {
    Population::new(&options(plan, true)).unwrap()
}

pub(crate) fn csv(population: &Population, table: &str, columns: Option<&[&str]>) -> String {
    let file = tempfile::NamedTempFile::new().unwrap();
    population.table(table, columns).unwrap().write_csv(file.path()).unwrap();
    std::fs::read_to_string(file.path()).unwrap()
}

/// Of columns that have no comma in any value.
pub(crate) fn rows<const N: usize>(
    population: &Population,
    table: &str,
    columns: [&str; N],
) -> Vec<[String; N]> {
    let text = csv(population, table, Some(&columns));
    let row = |line: &str| -> Vec<String> { line.split(',').map(str::to_owned).collect() };
    text.lines().skip(1).map(|line| row(line).try_into().unwrap()).collect()
}

#[test]
fn labels_and_no_cases_leave_the_tables_of_the_bank_as_they_are() {
    let plan = PopulationPlan { cases: 0, ..SMALL };
    let plain = Population::new(&options(plan, false)).unwrap();
    let with_labels = labelled(plan);
    for table in plain.tables() {
        assert_eq!(csv(&plain, table, None), csv(&with_labels, table, None), "{table}");
    }
    assert!(rows(&with_labels, "cases", ["id"]).is_empty());
    assert!(rows(&with_labels, "case_transactions", ["case_id"]).is_empty());
    let refused = plain.table("cases", None).map(|_| ()).unwrap_err();
    assert!(refused.text().contains("`cases` is no table of a population without labels: "), "{refused}");
}

#[test]
fn labels_make_no_difference_to_a_population_with_cases() {
    let plain = Population::new(&options(SMALL, false)).unwrap();
    let with_labels = labelled(SMALL);
    for table in plain.tables() {
        assert_eq!(csv(&plain, table, None), csv(&with_labels, table, None), "{table}");
    }
}

#[test]
fn every_transaction_has_one_label() {
    let population = labelled(PLAN);
    let ids = rows(&population, "transactions", ["id"]);
    assert_eq!(ids, rows(&population, "transaction_labels", ["transaction_id"]));
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

#[test]
fn any_number_of_parts_has_the_same_cases() {
    let whole = labelled(SMALL);
    for of in [2, 3] {
        let parts = (0..of).map(|partition| {
            Population::new(&PopulationOptions { partition, of, ..options(SMALL, true) }).unwrap()
        });
        let parts: Vec<_> = parts.collect();
        for table in whole.tables() {
            let texts: Vec<_> = parts.iter().map(|part| csv(part, table, None)).collect();
            let together = texts.iter().flat_map(|text| text.lines().skip(1));
            assert!(together.eq(csv(&whole, table, None).lines().skip(1)), "{table} in {of} parts");
        }
    }
}

#[test]
fn every_typology_occurs_and_every_case_has_transactions() {
    let population = labelled(PLAN);
    let cases: HashMap<String, String> = rows(&population, "cases", ["id", "typology"])
        .into_iter()
        .map(|[id, typology]| (id, typology))
        .collect();
    assert_eq!(cases.len(), 60, "a fifth of 300 persons");
    assert_eq!(cases.values().collect::<HashSet<_>>().len(), 12, "{cases:?}");
    let lines: HashSet<String> = rows(&population, "transactions", ["id"]).into_iter().flatten().collect();
    let of_cases = rows(&population, "case_transactions", ["case_id", "transaction_id", "role", "step"]);
    assert!(of_cases.iter().all(|[case, line, ..]| cases.contains_key(case) && lines.contains(line)));
    assert_eq!(of_cases.iter().map(|[case, ..]| case).collect::<HashSet<_>>().len(), cases.len());
    assert!(of_cases.iter().all(|[_, _, role, step]| !role.is_empty() && step.parse::<u32>().unwrap() > 0));
}

/// A neighbourhood has at most forty persons: 300 of them live in eight.
#[test]
fn cases_cross_the_groups_that_are_generated_together() {
    const PARTS: u64 = 8;
    let mut parts_of_case: HashMap<String, HashSet<u64>> = HashMap::new();
    for partition in 0..PARTS {
        let part = PopulationOptions { partition, of: PARTS, ..options(PLAN, true) };
        for [case] in rows(&Population::new(&part).unwrap(), "case_transactions", ["case_id"]) {
            parts_of_case.entry(case).or_default().insert(partition);
        }
    }
    let crossing = parts_of_case.values().filter(|parts| parts.len() > 1).count();
    assert!(crossing * 2 > parts_of_case.len(), "{crossing} of {}", parts_of_case.len());
}

/// Neither its id nor its place among those of its account shows which transaction belongs to a case.
#[test]
fn the_ids_of_an_account_follow_its_days_with_cases_too() {
    let population = labelled(PLAN);
    let mut last: HashMap<String, (String, String)> = HashMap::new();
    let cards: HashSet<String> =
        rows(&population, "card_transactions", ["transaction_id"]).into_iter().flatten().collect();
    for [account, day, id] in rows(&population, "transactions", ["account_id", "booking_date", "id"]) {
        if cards.contains(&id) {
            continue; // those that are booked late have the id of the day of use
        }
        if let Some((last_day, last_id)) = last.insert(account, (day.clone(), id.clone())) {
            assert!(last_day <= day && last_id < id, "{last_day} {last_id} {day} {id}");
        }
    }
}

/// What leaves the accounts of a customer on a day, or comes from other banks, has ids that follow each other: none of
/// another customer is between them. A use of a card that is booked later has the id of the day of use.
#[test]
fn the_ids_of_a_day_do_not_show_what_cases_added() {
    let population = labelled(PLAN);
    let booked_late: HashSet<String> =
        rows(&population, "card_transactions", ["transaction_id", "transaction_date", "value_date"])
            .into_iter()
            .filter_map(|[id, used, valued]| (used != valued).then_some(id))
            .collect();
    let mut of_day: HashMap<String, Vec<(String, String)>> = HashMap::new();
    let accounts: HashSet<String> = rows(&population, "accounts", ["bban"]).into_iter().flatten().collect();
    let columns = ["id", "customer_number", "booking_date", "amount", "counterpart_bban"];
    for [id, customer, day, amount, other] in rows(&population, "transactions", columns) {
        let is_from_customer = !amount.starts_with('-') && accounts.contains(&other);
        if !is_from_customer && !booked_late.contains(&id) {
            of_day.entry(day).or_default().push((id, customer));
        }
    }
    for (day, mut lines) in of_day {
        lines.sort();
        let owners: Vec<&str> = lines.iter().map(|(_, customer)| customer.as_str()).collect();
        let runs: Vec<&str> = owners.chunk_by(|one, other| one == other).map(|run| run[0]).collect();
        assert_eq!(runs.len(), runs.iter().collect::<HashSet<_>>().len(), "{day}");
    }
}

#[test]
fn a_line_has_another_id_if_the_rate_of_cases_is_another_one() {
    let ids = |cases| -> HashSet<[String; 1]> {
        rows(&labelled(PopulationPlan { cases, ..SMALL }), "transactions", ["id"]).into_iter().collect()
    };
    let (without, few, many) = (ids(0), ids(10), ids(200));
    assert!(without.is_disjoint(&few) && without.is_disjoint(&many) && few.is_disjoint(&many));
}

/// What cases pay does not make a life pay interest for what it never owed.
#[test]
fn overdraft_interest_is_charged_on_negative_balances_alone() {
    let population = labelled(PopulationPlan { cases: 1_000, months: 3, ..PLAN });
    let openings = rows(&population, "accounts", ["id", "opening_balance"]);
    let mut balances: HashMap<String, f64> =
        openings.into_iter().map(|[id, sum]| (id, sum.parse().unwrap())).collect();
    let overdrawn = balances.iter().filter(|(_, balance)| **balance < 0.0);
    let mut was_negative: HashSet<String> = overdrawn.map(|(id, _)| id.clone()).collect();
    let mut charged = 0;
    let columns = ["account_id", "amount", "remittance"];
    for [account, amount, remittance] in rows(&population, "transactions", columns) {
        if remittance == "Debetrenter" {
            charged += 1;
            assert!(was_negative.contains(&account), "{account}");
        }
        let balance = balances.get_mut(&account).unwrap();
        *balance += amount.parse::<f64>().unwrap();
        if *balance < 0.0 {
            was_negative.insert(account);
        }
    }
    assert!(charged > 5, "{charged}");
}

/// The opening balance of a dormant person who pays nothing is above a krone for about three of ten, as it is for those
/// who pay in a case. Without cases it is below a krone.
#[test]
fn opening_balances_do_not_show_which_dormant_person_pays() {
    let plan = PopulationPlan { persons: 2_000, companies: 0, ..PLAN };
    let [without, with] = [0, 100].map(|cases| labelled(PopulationPlan { cases, ..plan }));
    let owners = |population: &Population, is_paid_too: bool| -> HashSet<String> {
        rows(population, "transactions", ["customer_number", "amount"])
            .into_iter()
            .filter_map(|[owner, amount]| (is_paid_too || amount.starts_with('-')).then_some(owner))
            .collect()
    };
    let (active, paying) = (owners(&without, true), owners(&with, false));
    let above_a_krone = |population: &Population| {
        let accounts = rows(population, "accounts", ["customer_number", "name", "opening_balance"]);
        let of_dormant = accounts.iter().filter(|[owner, name, _]| {
            name == "Brukskonto" && !active.contains(owner) && !paying.contains(owner)
        });
        let openings: Vec<f64> = of_dormant.map(|[.., sum]| sum.parse().unwrap()).collect();
        (openings.iter().filter(|sum| **sum > 1.0).count(), openings.len())
    };
    let (above, all) = above_a_krone(&with);
    assert!(above > 1 && above * 2 < all, "{above} of {all}");
    assert_eq!(above_a_krone(&without).0, 0);
}

#[test]
fn tables_without_a_history_are_those_without_cases() {
    let [with, without] =
        [1_000, 0].map(|cases| labelled(PopulationPlan { cases, months: 0, companies: 4, ..SMALL }));
    for table in with.tables() {
        assert_eq!(csv(&with, table, None), csv(&without, table, None), "{table}");
    }
}

/// A case may end on any day of the history, and what persons pay by hand is paid on any day of the week.
#[test]
fn cases_lie_on_all_days_of_a_history() {
    let population = labelled(PopulationPlan { cases: 1_000, months: 2, ..PLAN });
    let cases = rows(&population, "cases", ["id", "typology", "first_date", "last_date"]);
    let typology: HashMap<&str, &str> =
        cases.iter().map(|[id, typology, ..]| (id.as_str(), typology.as_str())).collect();
    let last = |name: &str| {
        let of_typology = cases.iter().filter(|[_, typology, ..]| typology == name);
        of_typology.map(|[.., last]| last.as_str()).max().unwrap().to_owned()
    };
    for name in typology.values() {
        assert!(last(name).as_str() >= "2026-08-24", "{name} {}", last(name));
    }
    let days: HashMap<String, chrono::Weekday> = rows(&population, "transactions", ["id", "booking_date"])
        .into_iter()
        .map(|[id, day]| (id, day.parse::<chrono::NaiveDate>().unwrap().weekday()))
        .collect();
    let weekend = |name: &str| {
        let lines = rows(&population, "case_transactions", ["case_id", "transaction_id"]).into_iter();
        let of_typology = lines.filter(|[case, _]| typology[case.as_str()] == name);
        let days = of_typology.map(|[_, line]| days[&line]);
        days.filter(|day| matches!(day, chrono::Weekday::Sat | chrono::Weekday::Sun)).count()
    };
    assert!(weekend("fan_in") > 0 && weekend("mule") > 0);
}

/// Without cases the opening balance of a company is a whole percent of its monthly trade; with cases that of none is.
#[test]
fn opening_balances_do_not_show_who_pays_in_a_case() {
    let follow = |cases| {
        let population = labelled(PopulationPlan { cases, companies: 60, ..PLAN });
        let accounts = rows(&population, "accounts", ["name", "opening_balance", "credit_line"]);
        let whole_percents = accounts.iter().filter(|[name, opening, line]| {
            let [opening, line] = [opening, line].map(|sum| sum.parse::<f64>().unwrap());
            let percents = opening / (line / 2.0) * 100.0;
            name == "Driftskonto" && (percents - percents.round()).abs() < 0.01
        });
        whole_percents.count()
    };
    assert!(follow(0) > 55, "{}", follow(0));
    assert!(follow(100) < 5, "{}", follow(100));
}

#[test]
fn an_authorisation_has_an_id_of_its_own_with_cases_too() {
    let population = labelled(PLAN);
    let booked: HashSet<[String; 1]> = rows(&population, "transactions", ["id"]).into_iter().collect();
    let authorised = rows(&population, "card_authorisations", ["id"]);
    assert!(authorised.len() > 50, "{}", authorised.len());
    assert!(authorised.iter().all(|id| !booked.contains(id)));
}

#[test]
fn every_person_one_person_and_no_history_have_clear_outcomes() {
    let of = |persons, months, cases| {
        let plan = PopulationPlan { persons, companies: 0, months, cases, ..PopulationPlan::DEFAULT };
        let population = labelled(plan);
        let subjects = rows(&population, "cases", ["customer_number"]);
        (subjects.len(), subjects.iter().collect::<HashSet<_>>().len())
    };
    let (cases, subjects) = of(50, 2, 1_000);
    assert_eq!(cases, 50);
    assert!(subjects >= 48, "a dormant person may be the subject of two cases: {subjects}");
    assert_eq!(of(1, 2, 1_000), (1, 1));
    assert_eq!(of(1, 2, 1), (1, 1), "rounded up");
    assert_eq!(of(1, 2, 0), (0, 0));
    assert_eq!(of(1, 0, 1_000), (0, 0), "without a history nothing is paid");
    assert_eq!(of(0, 2, 1_000), (0, 0));
}

#[test]
fn wages_that_are_paid_once_are_no_series() {
    let population = labelled(PLAN);
    let diverted: HashSet<String> = rows(&population, "cases", ["id", "typology"])
        .into_iter()
        .filter_map(|[id, typology]| (typology == "payroll_diversion").then_some(id))
        .collect();
    let of_cases: HashSet<String> = rows(&population, "case_transactions", ["case_id", "transaction_id"])
        .into_iter()
        .filter_map(|[case, line]| diverted.contains(&case).then_some(line))
        .collect();
    let labels = rows(&population, "transaction_labels", ["transaction_id", "category", "series"]);
    let wages: Vec<_> =
        labels.iter().filter(|[id, category, _]| category == "salary" && of_cases.contains(id)).collect();
    assert!(wages.len() >= 4 && wages.iter().all(|[.., series]| series.is_empty()), "{wages:?}");
}

#[test]
fn what_recurs_is_a_series_and_shops_have_one_name_in_all_towns() {
    let population = labelled(PopulationPlan { cases: 0, months: 12, persons: 40, ..PLAN });
    let labels =
        rows(&population, "transaction_labels", ["transaction_id", "category", "merchant", "series"]);
    let mut of_series: HashMap<&str, Vec<&str>> = HashMap::new();
    for [_, category, _, series] in labels.iter().filter(|[.., series]| !series.is_empty()) {
        of_series.entry(series).or_default().push(category);
    }
    assert!(of_series
        .values()
        .all(|categories| categories.iter().all(|category| category == &categories[0])));
    assert!(of_series.iter().all(|(first, _)| labels.iter().any(|[id, ..]| id == first)));
    let wages: Vec<usize> =
        of_series.values().filter(|categories| categories[0] == "salary").map(Vec::len).collect();
    assert!(wages.iter().filter(|count| **count == 12).count() * 10 > wages.len() * 9, "{wages:?}");
    let categories: HashSet<&str> = labels.iter().map(|[_, category, ..]| category.as_str()).collect();
    for wanted in
        ["groceries", "housing", "electricity", "mortgage", "person_to_person", "own_transfer", "tax"]
    {
        assert!(categories.contains(wanted), "{wanted}");
    }
    assert!(!categories.contains("other_shopping"));
    let towns = ["Oslo", "Bergen", "Trondheim"];
    assert!(labels.iter().all(|[_, _, merchant, _]| !towns.iter().any(|town| merchant.ends_with(town))));
    assert_eq!(LABEL_TABLES.len(), 3);
}
