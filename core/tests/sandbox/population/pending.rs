//! Uses of cards are pending from their authorisation until they are booked.

use chrono::{DateTime, TimeDelta, Utc};
use rust_decimal::Decimal;
use serde_json::{json, Value};
use xs2a::{Error, PopulationPlan, SandboxOptions, ScaAnswer};

use crate::aisp::{answered, Aisp};
use crate::population::history::rows;
use crate::world::{body, changed, straks, text, World, STRAKS};

const PLAN: PopulationPlan =
    PopulationPlan { persons: 40, companies: 0, months: 1, ..PopulationPlan::DEFAULT };
/// A Sunday: what was bought on Saturday has Monday as its value date.
const NOW: &str = "2026-03-15T10:00:00Z";

fn now() -> DateTime<Utc> {
    NOW.parse().unwrap()
}

fn populated(lives_on: bool) -> (World, Value) {
    let world = World::with(SandboxOptions { now: Some(now()), ..SandboxOptions::default() });
    let report = world.sandbox.populate(PopulationPlan { lives_on, ..PLAN }).unwrap();
    (world, serde_json::from_str(&report).unwrap())
}

fn state(world: &World) -> Value {
    world.assert_reconciled();
    serde_json::from_str(&world.sandbox.export_json().unwrap()).unwrap()
}

fn amount(row: &Value) -> Decimal {
    text(row, "/amount").parse().unwrap()
}

/// The sums of the authorisations of an account.
fn authorised(state: &Value, account: &str) -> Vec<Decimal> {
    let of_account = rows(state, "cardAuthorisations").iter().filter(|row| row["account"] == account);
    of_account.map(amount).collect()
}

/// The days of use of the authorisations of an account, the newest first.
fn used_on<'s>(state: &'s Value, account: &str) -> Vec<&'s str> {
    let of_account = rows(state, "cardAuthorisations").iter().filter(|row| row["account"] == account);
    of_account.map(|row| text(row, "/transactionDate")).rev().collect()
}

/// A person with authorisations on an account of that kind.
fn person<'r>(report: &'r Value, state: &Value, kind: &str) -> (&'r Value, &'r Value) {
    let persons = rows(report, "customers").iter();
    let mut with_account = persons.flat_map(|person| rows(person, kind).iter().map(move |row| (person, row)));
    with_account.find(|(_, account)| !authorised(state, text(account, "/resourceId")).is_empty()).unwrap()
}

#[test]
fn an_authorisation_becomes_a_transaction_when_it_is_booked() {
    for lives_on in [true, false] {
        let (world, _) = populated(lives_on);
        let before = state(&world);
        let pending = rows(&before, "cardAuthorisations");
        let days = pending.iter().map(|row| text(row, "/transactionDate"));
        assert!(pending.len() > 10 && days.clone().any(|day| day == "2026-03-14"), "{}", pending.len());
        for row in pending {
            let at: DateTime<Utc> = text(row, "/authorisedAt").parse().unwrap();
            assert!(at < now() && text(row, "/authorisedAt") >= text(row, "/transactionDate"), "{row}");
            assert!(rows(&before, "transactions").iter().all(|line| line["id"] != row["id"]));
        }
        world.sandbox.advance(TimeDelta::days(10)).unwrap();
        let after = state(&world);
        let is_pending = |id: &Value| rows(&after, "cardAuthorisations").iter().any(|row| row["id"] == *id);
        for row in pending {
            let line = rows(&after, "transactions").iter().find(|line| line["id"] == row["id"]);
            assert_eq!((line.is_some(), is_pending(&row["id"])), (lives_on, !lives_on), "{row}");
            if let Some(line) = line {
                assert_eq!((&line["account"], amount(line)), (&row["account"], amount(row)));
                let used =
                    rows(&after, "cardTransactions").iter().find(|used| used["transaction"] == line["id"]);
                for member in
                    ["transactionDate", "originalAmount", "merchantCategoryCode", "maskedPan", "city"]
                {
                    assert_eq!(used.unwrap().get(member), row.get(member), "{member}");
                }
            }
        }
        assert!(!rows(&after, "cardAuthorisations").is_empty());
    }
}

#[test]
fn a_tpp_sees_what_is_pending_and_the_expected_balance_counts_it() {
    let (world, report) = populated(false);
    let state = state(&world);
    for (kind, path, sign) in [("accounts", "accounts", 1), ("cardAccounts", "card-accounts", -1)] {
        let (person, account) = person(&report, &state, kind);
        let id = text(account, "/resourceId");
        let aisp = Aisp::of(world.clone(), &ScaAnswer::approve(text(person, "/customerNumber")));
        let query = "bookingStatus=pending&dateFrom=2026-03-01&dateTo=2026-03-15";
        let listed = answered(&aisp.get(&format!("/v1/{path}/{id}/transactions?{query}")));
        let list = if kind == "accounts" { &listed["transactions"] } else { &listed["cardTransactions"] };
        let pending = rows(list, "pending");
        assert!(pending.iter().all(|row| row.get("valueDate").is_none()));
        // An ordinary account has no member for the day of use.
        let day = if kind == "accounts" { "bookingDate" } else { "transactionDate" };
        let days = pending.iter().map(|row| text(row, &format!("/{day}")));
        assert!(days.eq(used_on(&state, id)), "{pending:?}");
        assert!(kind == "accounts" || pending.iter().all(|row| row.get("bookingDate").is_none()));
        let sums =
            pending.iter().map(|row| text(row, "/transactionAmount/amount").parse::<Decimal>().unwrap());
        let mut expected: Vec<_> = authorised(&state, id).into_iter().rev().collect();
        assert_eq!(
            sums.map(|sum| sum * Decimal::from(sign)).collect::<Vec<_>>(),
            expected,
            "the newest first"
        );
        let balances = answered(&aisp.get(&format!("/v1/{path}/{id}/balances")));
        let of_type = |name: &str| {
            let balance = rows(&balances, "balances").iter().find(|balance| balance["balanceType"] == name);
            text(balance.unwrap(), "/balanceAmount/amount").parse::<Decimal>().unwrap()
        };
        expected.push(of_type("closingBooked"));
        assert_eq!(expected.iter().sum::<Decimal>(), of_type("expected"));
    }
}

#[test]
fn a_period_has_what_was_authorised_in_it_if_pending_is_filtered() {
    let world = World::with(SandboxOptions {
        now: Some(now()),
        policy: Some(r#"{"pending_unfiltered": false}"#.to_owned()),
        ..SandboxOptions::default()
    });
    let report: Value = serde_json::from_str(&world.sandbox.populate(PLAN).unwrap()).unwrap();
    let state = state(&world);
    for (kind, path) in [("accounts", "accounts"), ("cardAccounts", "card-accounts")] {
        let (person, account) = person(&report, &state, kind);
        let id = text(account, "/resourceId");
        let aisp = Aisp::of(world.clone(), &ScaAnswer::approve(text(person, "/customerNumber")));
        let days = used_on(&state, id);
        let last = days[0];
        for (period, expected) in [
            (String::new(), days.len()),
            ("&dateFrom=2026-03-01&dateTo=2026-03-15".to_owned(), days.len()),
            (format!("&dateFrom={last}"), days.iter().filter(|day| **day == last).count()),
            ("&dateFrom=2026-01-01&dateTo=2026-02-28".to_owned(), 0),
        ] {
            let query = format!("bookingStatus=pending{period}");
            let listed = answered(&aisp.get(&format!("/v1/{path}/{id}/transactions?{query}")));
            let list = if kind == "accounts" { &listed["transactions"] } else { &listed["cardTransactions"] };
            assert_eq!(rows(list, "pending").len(), expected, "{kind} {period}");
        }
    }
}

#[test]
fn what_is_authorised_cannot_be_paid_again() {
    let (world, report) = populated(false);
    let state = state(&world);
    let (person, account) = person(&report, &state, "accounts");
    let row = rows(&state, "accounts").iter().find(|row| row["id"] == account["resourceId"]).unwrap();
    let credit: Decimal = text(row, "/creditLine").parse().unwrap();
    let booked: Decimal = text(row, "/booked").parse().unwrap();
    let left = booked + credit + authorised(&state, text(row, "/id")).iter().sum::<Decimal>();
    for (sum, status) in [(left + Decimal::new(1, 2), "RJCT"), (left, "ACSC")] {
        let order = changed(
            straks(),
            &[
                ("/debtorAccount/bban", row["bban"].clone()),
                ("/instructedAmount/amount", json!(sum.to_string())),
            ],
        );
        let created = body(&world.create(STRAKS, &order));
        world.answer(&created, &ScaAnswer::approve(text(person, "/customerNumber")));
        assert_eq!(world.transaction_status(&created), status);
    }
}

#[test]
fn an_imported_authorisation_is_in_the_currency_of_its_account() {
    let (world, _) = populated(false);
    let mut document = state(&world);
    document["cardAuthorisations"][0]["currency"] = json!("EUR");
    match world.sandbox.import_json(&document.to_string()) {
        Err(Error::Misuse(text)) => {
            assert!(text.contains("/cardAuthorisations/0/currency: is not its account's"), "{text}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_imported_authorisation_takes_money_on_a_day_that_has_come() {
    let (world, _) = populated(false);
    let document = state(&world);
    let row = &document["cardAuthorisations"][0];
    let day: chrono::NaiveDate = text(row, "/transactionDate").parse().unwrap();
    let date = |days| json!(day.checked_add_signed(TimeDelta::days(days)).unwrap().to_string());
    let fault_of = |member: &str, value: Value| {
        let mut document = document.clone();
        document["cardAuthorisations"][0][member] = value;
        match world.sandbox.import_json(&document.to_string()) {
            Ok(()) => None,
            Err(Error::Misuse(text)) => text.rsplit_once(": ").map(|(_, fault)| fault.to_owned()),
            Err(other) => panic!("{other:?}"),
        }
    };
    for (member, value, fault) in [
        ("amount", json!("-0.01"), None),
        ("amount", json!("0.00"), Some("holds a value that cannot be")),
        ("amount", json!("0.01"), Some("holds a value that cannot be")),
        ("originalAmount", json!("0.00"), None),
        ("originalAmount", json!("-0.01"), Some("must not be negative")),
        ("transactionDate", date(-1), None),
        ("transactionDate", date(0), None),
        ("transactionDate", date(1), Some("lies after the day on which the use was authorised")),
    ] {
        assert_eq!(fault_of(member, value.clone()).as_deref(), fault, "{member}: {value}");
    }
}

/// Two uses whose sum is beyond any sum: no order takes money from the account, and all of it can be read.
#[test]
fn authorised_uses_beyond_any_sum_leave_no_money_and_no_error() {
    let (world, report) = populated(false);
    let mut document = state(&world);
    let (person, account) = person(&report, &document, "accounts");
    let id = account["resourceId"].clone();
    let uses = document["cardAuthorisations"].as_array_mut().unwrap();
    let used = uses.iter_mut().find(|row| row["account"] == id).unwrap();
    used["amount"] = json!("-900000000000000000.00");
    let mut again = used.clone();
    (again["id"], again["number"]) = (json!("again"), json!(1_000_000));
    uses.push(again);
    world.sandbox.import_json(&document.to_string()).unwrap();
    let row = rows(&document, "accounts").iter().find(|row| row["id"] == id).unwrap().clone();
    let order = changed(
        straks(),
        &[("/debtorAccount/bban", row["bban"].clone()), ("/instructedAmount/amount", json!("1.00"))],
    );
    let created = body(&world.create(STRAKS, &order));
    world.answer(&created, &ScaAnswer::approve(text(person, "/customerNumber")));
    assert_eq!(world.transaction_status(&created), "RJCT");
    world.assert_reconciled();
}
