//! The history of a population adds up.

use std::collections::HashMap;

use chrono::{Datelike, NaiveDate};
use serde_json::Value;
use xs2a::{PopulationPlan, SandboxOptions};

use crate::world::{text, World};

pub(crate) const PLAN: PopulationPlan =
    PopulationPlan { persons: 90, companies: 5, months: 15, ..PopulationPlan::DEFAULT };
/// The first day of the history of [`PLAN`], and the day of the clock of [`World`].
const FROM: &str = "2025-06-01";
const TODAY: &str = "2026-09-01";

/// A sandbox with a population, the result of its creation, and the whole state.
pub(crate) fn populated(plan: PopulationPlan) -> (World, Value, Value) {
    let world = World::new();
    let report = serde_json::from_str(&world.sandbox.populate(plan).unwrap()).unwrap();
    let state = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    (world, report, state)
}

/// An array of the state.
pub(crate) fn rows<'s>(state: &'s Value, name: &str) -> &'s [Value] {
    state[name].as_array().unwrap()
}

/// A sum in its minor units: every currency of a population has two digits of them.
pub(crate) fn minor_units(sum: &str) -> i64 {
    sum.replace('.', "").parse().unwrap()
}

/// The lines of each account, in the order in which they were booked.
fn by_account(state: &Value) -> HashMap<&str, Vec<&Value>> {
    let mut lines: HashMap<&str, Vec<&Value>> = HashMap::new();
    for line in rows(state, "transactions") {
        lines.entry(text(line, "/account")).or_default().push(line);
    }
    for lines in lines.values_mut() {
        lines.sort_by_key(|line| (text(line, "/bookingDate"), line["number"].as_u64()));
    }
    lines
}

/// Balances are openings and what was booked, and no account was ever beyond its credit line.
pub(crate) fn never_overdrawn(state: &Value) {
    let lines = by_account(state);
    for account in rows(state, "accounts") {
        let floor = -minor_units(text(account, "/creditLine"));
        let mut balance = minor_units(text(account, "/opening"));
        for line in lines.get(text(account, "/id")).into_iter().flatten() {
            balance += minor_units(text(line, "/amount"));
            assert!(balance >= floor, "{account} {line}");
        }
        assert_eq!(balance, minor_units(text(account, "/booked")), "{account}");
    }
}

/// One population for all of these, because to create it takes longer than to look at it.
#[test]
fn a_history_of_fifteen_months_adds_up() {
    let (world, report, state) = populated(PLAN);
    world.assert_reconciled();
    never_overdrawn(&state);
    nothing_is_due_on_a_weekend(&state);
    every_day_lies_in_the_history_and_every_month_has_some(&report, &state);
    what_one_account_pays_the_other_receives(&state);
    incomes_rents_cards_and_taxes_are_among_it(&report, &state);
    the_report_matches_the_stored_rows(&world, &report, &state);
}

/// In five years a current account changes by less than a month's income, 40 000 kroner, on the average, be the krone
/// weak or strong, and that of a company by less than two months' trade.
#[test]
fn money_neither_piles_up_nor_runs_out() {
    let plan = PopulationPlan { persons: 15, companies: 2, months: 60, ..PopulationPlan::DEFAULT };
    let weak = r#"{"rates": {"EUR": "35", "SEK": "3", "DKK": "4.5", "USD": "30"}}"#;
    let strong = r#"{"rates": {"EUR": "3", "SEK": "0.3", "DKK": "0.45", "USD": "3"}}"#;
    for policy in ["{}", weak, strong] {
        let world = World::with_policy(policy);
        world.sandbox.populate(plan).unwrap();
        let state: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
        for (name, most) in [("Brukskonto", 4_000_000), ("Driftskonto", 80_000_000)] {
            let of_name = rows(&state, "accounts").iter().filter(|account| account["name"] == name);
            let grown = of_name.map(|account| {
                minor_units(text(account, "/booked")) - minor_units(text(account, "/opening"))
            });
            let grown: Vec<i64> = grown.filter(|grown| *grown != 0).collect();
            let mean = grown.iter().sum::<i64>() / i64::try_from(grown.len()).unwrap();
            assert!(mean.abs() < most, "{policy} {name}: {mean}");
        }
    }
}

/// What is due is paid from Monday to Friday; people shop and pay each other, and the bank takes and gives interest, on
/// any day.
fn nothing_is_due_on_a_weekend(state: &Value) {
    let mut due = 0;
    for line in rows(state, "transactions") {
        let any_day = ["VENNEBETALING", "INNSKUDD", "RENTER"];
        let is_use = text(line, "/bankTransactionCode").starts_with("PMNT-CCRD");
        if is_use || any_day.contains(&text(line, "/proprietaryCode")) {
            continue;
        }
        let day: NaiveDate = text(line, "/bookingDate").parse().unwrap();
        assert!(day.weekday().number_from_monday() <= 5, "{line}");
        due += 1;
    }
    assert!(due > 90 * 15 * 5, "{due}");
}

/// Rents are due from the first to the 28th. In 2026 the first of August is a Saturday.
#[test]
fn what_is_due_on_the_weekend_of_the_next_month_is_paid_in_this_one() {
    let now = Some("2026-08-01T10:00:00Z".parse().unwrap());
    let world = World::with(SandboxOptions { now, ..SandboxOptions::default() });
    world
        .sandbox
        .populate(PopulationPlan { persons: 200, companies: 0, months: 2, ..PopulationPlan::DEFAULT })
        .unwrap();
    let state: Value = serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap();
    let rents = rows(&state, "transactions").iter().filter(|line| line["remittance"] == "Husleie");
    let mut on_last_friday: HashMap<&str, usize> = HashMap::new();
    for line in rents.filter(|line| line["bookingDate"] == "2026-07-31") {
        *on_last_friday.entry(text(line, "/account")).or_default() += 1;
    }
    assert!(on_last_friday.len() > 2, "{on_last_friday:?}");
}

fn every_day_lies_in_the_history_and_every_month_has_some(report: &Value, state: &Value) {
    assert_eq!(report["from"], FROM);
    let days: Vec<&str> = rows(state, "transactions").iter().map(|line| text(line, "/bookingDate")).collect();
    assert!(days.iter().all(|day| (FROM..TODAY).contains(day)));
    let mut months: Vec<&str> = days.iter().filter_map(|day| day.get(..7)).collect();
    months.sort_unstable();
    months.dedup();
    assert_eq!(months.len(), 15);
}

/// On both sides the same sum on the same day, of the same words and codes that belong together.
fn what_one_account_pays_the_other_receives(state: &Value) {
    let mut numbers: HashMap<&str, &str> = HashMap::new();
    for account in rows(state, "accounts") {
        if let Some(bban) = account["bban"].as_str() {
            numbers.insert(bban, text(account, "/id"));
        }
    }
    for card in rows(state, "cardAccounts") {
        numbers.insert(text(card, "/accountNumber"), text(card, "/account"));
    }
    // From the payer's side: who pays whom, when, how much, for what. Each payment is taken away again by the payee's.
    let mut open: HashMap<(String, String, String, i64, String), i64> = HashMap::new();
    let mut inside = 0;
    for line in rows(state, "transactions") {
        let other = line["counterpartBban"].as_str().and_then(|bban| numbers.get(bban));
        let Some(other) = other else { continue };
        let (own, other) = (text(line, "/account").to_owned(), (*other).to_owned());
        let sum = minor_units(text(line, "/amount"));
        let (payer, payee) = if sum < 0 { (own, other) } else { (other, own) };
        let (day, words) = (text(line, "/bookingDate").to_owned(), text(line, "/remittance").to_owned());
        *open.entry((payer, payee, day, sum.abs(), words)).or_default() += sum.signum();
        inside += 1;
    }
    assert!(inside > 2_000, "{inside}");
    assert!(open.values().all(|count| *count == 0));
}

fn incomes_rents_cards_and_taxes_are_among_it(report: &Value, state: &Value) {
    let count = |pointer: &str, value: &str| {
        rows(state, "transactions").iter().filter(|line| line[pointer] == value).count()
    };
    for (name, value, least) in [
        ("purposeCode", "SALA", 90 * 8),
        ("purposeCode", "PENS", 15),
        ("purposeCode", "TAXS", 5),
        ("purposeCode", "BECH", 90),
        ("purposeCode", "TAXR", 30),
        ("bankTransactionCode", "PMNT-CCRD-POSD", 90 * 15 * 10),
        ("bankTransactionCode", "PMNT-CCRD-POSC", 90 * 15),
        ("bankTransactionCode", "PMNT-CCRD-CWDL", 90),
        ("bankTransactionCode", "PMNT-CCRD-RIMB", 20),
        ("bankTransactionCode", "PMNT-RCDT-SALA", 90 * 4),
        ("bankTransactionCode", "PMNT-ICDT-BOOK", 90 * 4),
        ("bankTransactionCode", "PMNT-ICDT-STDO", 90 * 8),
        ("bankTransactionCode", "ACMT-MCOP-INTR", 45),
        ("bankTransactionCode", "LDAS-MGLN-INTR", 100),
        ("bankTransactionCode", "LDAS-MGLN-PPAY", 100),
        ("bankTransactionCode", "LDAS-CSLN-PPAY", 50),
        ("proprietaryCode", "EFAKTURA", 90 * 15 * 3),
        ("proprietaryCode", "VENNEBETALING", 90 * 15),
        ("remittance", "Husleie", 90 * 3),
        ("exchangeTarget", "EUR", 20),
    ] {
        assert!(count(name, value) >= least, "{name} {value}: {}", count(name, value));
    }
    let uses = rows(state, "cardTransactions").len();
    assert_eq!(report["cardTransactions"], uses);
    assert_eq!(report["transactions"], rows(state, "transactions").len() - uses);
}

fn the_report_matches_the_stored_rows(world: &World, report: &Value, state: &Value) {
    let shapes = |report: &Value| {
        let of =
            |pointer: &str| report.pointer(pointer).unwrap().as_object().unwrap().keys().cloned().collect();
        ["/customers/0", "/customers/0/accounts/0", "/agreements/0"].map(of)
    };
    let default_data: Value = serde_json::from_str(&world.sandbox.default_data().unwrap()).unwrap();
    let usual: [Vec<String>; 3] = shapes(&default_data);
    assert_eq!(shapes(report), usual);
    let companies = |report: &Value| report["customerType"] == "CORPORATE";
    assert_eq!(rows(report, "customers").iter().filter(|customer| companies(customer)).count(), 5);
    assert_eq!(rows(report, "customers").len(), 95);
    assert_eq!(rows(report, "agreements").len(), 5);
    for customer in rows(report, "customers") {
        for account in rows(customer, "accounts") {
            assert_eq!(account["customerNumber"], customer["customerNumber"]);
            let ledger = world.ledger(text(account, "/bban"));
            for pointer in ["/resourceId", "/bban", "/iban", "/currency", "/name"] {
                assert_eq!(ledger["account"].pointer(pointer), account.pointer(pointer));
            }
            assert_eq!(ledger["balance"]["amount"], account["balance"]);
        }
        for card in rows(customer, "cardAccounts") {
            let id = text(card, "/resourceId");
            let found = rows(state, "cardAccounts").iter().find(|row| row["account"] == id).unwrap();
            assert_eq!(
                (&found["accountNumber"], &found["maskedPan"]),
                (&card["accountNumber"], &card["maskedPan"])
            );
            let booked = rows(state, "accounts").iter().find(|row| row["id"] == id).unwrap();
            assert_eq!((&booked["booked"], &booked["creditLine"]), (&card["balance"], &card["creditLimit"]));
        }
    }
    // The default set has as many beside them.
    let before: Value = serde_json::from_str(&World::new().sandbox.export_json().unwrap()).unwrap();
    for name in ["customers", "accounts", "cardAccounts", "agreements"] {
        assert!(rows(&before, name).iter().all(|row| rows(state, name).contains(row)), "{name}");
    }
}

#[test]
fn it_can_be_exported_and_read_again() {
    let (_, _, state) =
        populated(PopulationPlan { persons: 20, companies: 2, months: 2, ..PopulationPlan::DEFAULT });
    let other = World::new();
    other.sandbox.import_json(&state.to_string()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&other.sandbox.export_json().unwrap()).unwrap(), state);
}
