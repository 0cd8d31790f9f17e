//! New customers give consents, are read, pay and are paid, as the default customers do.

use serde_json::{json, Value};
use xs2a::{PopulationPlan, ScaAnswer};

use crate::aisp::{answered, Aisp};
use crate::population::history::{populated, rows};
use crate::world::{body, changed, straks, text, STRAKS};

const PLAN: PopulationPlan =
    PopulationPlan { persons: 12, companies: 2, months: 4, ..PopulationPlan::DEFAULT };

fn persons(report: &Value) -> Vec<&Value> {
    rows(report, "customers").iter().filter(|customer| customer["customerType"] == "PRIVATE").collect()
}

#[test]
fn a_person_consents_and_the_whole_history_is_read() {
    let (world, report, _) = populated(PLAN);
    let person = *persons(&report).iter().find(|person| !rows(person, "cardAccounts").is_empty()).unwrap();
    let aisp = Aisp::of(world, &ScaAnswer::approve(text(person, "/customerNumber")));
    let accounts = answered(&aisp.get("/v1/accounts?withBalance=true"));
    // A joint account that belongs to the other one of a couple comes last.
    assert!(rows(&accounts, "accounts").len() <= rows(person, "accounts").len() + 1);
    for (shown, own) in rows(&accounts, "accounts").iter().zip(rows(person, "accounts")) {
        assert_eq!((&shown["bban"], &shown["resourceId"]), (&own["bban"], &own["resourceId"]));
        let query = "bookingStatus=booked&dateFrom=2026-06-05&dateTo=2026-09-01";
        let target = format!("/v1/accounts/{}/transactions?{query}", text(own, "/resourceId"));
        assert!(answered(&aisp.get(&target))["transactions"]["booked"].is_array());
    }
    let card = &rows(person, "cardAccounts")[0];
    let query = "bookingStatus=booked&dateFrom=2026-06-05&dateTo=2026-09-01";
    let target = format!("/v1/card-accounts/{}/transactions?{query}", text(card, "/resourceId"));
    let uses = answered(&aisp.get(&target));
    assert!(!rows(&uses["cardTransactions"], "booked").is_empty(), "{uses}");
}

#[test]
fn one_person_pays_another_and_both_balances_move() {
    let (world, report, _) = populated(PLAN);
    let [payer, payee] = [0, 1].map(|nth| persons(&report)[nth]);
    let account = |person: &Value| text(person, "/accounts/0/bban").to_owned();
    let order = changed(
        straks(),
        &[
            ("/debtorAccount/bban", json!(account(payer))),
            ("/creditorAccount/bban", json!(account(payee))),
            ("/creditorName", payee["customerName"].clone()),
            ("/instructedAmount/amount", json!("10.00")),
        ],
    );
    let created = body(&world.create(STRAKS, &order));
    world.answer(&created, &ScaAnswer::approve(text(payer, "/customerNumber")));
    assert_eq!(world.transaction_status(&created), "ACSC");
    for (person, sign) in [(payer, "-10.00"), (payee, "10.00")] {
        assert_eq!(world.ledger(&account(person))["bookings"][0]["amount"], sign);
    }
    world.assert_reconciled();
}

#[test]
fn the_person_of_an_agreement_pays_for_the_company() {
    let (world, report, _) = populated(PLAN);
    let agreement = &rows(&report, "agreements")[0];
    let company =
        rows(&report, "customers").iter().find(|row| row["customerNumber"] == agreement["owner"]).unwrap();
    let account = text(company, "/accounts/0/bban");
    let order = changed(straks(), &[("/debtorAccount/bban", json!(account))]);
    let created = body(&world.create_with(STRAKS, &[("PSU-Context", "CORPORATE")], &order));
    let answer = ScaAnswer {
        context: xs2a::Context::Corporate,
        agreement: Some(text(agreement, "/name").to_owned()),
        ..ScaAnswer::approve(text(agreement, "/person"))
    };
    world.answer(&created, &answer);
    assert_eq!(world.transaction_status(&created), "ACSC");
}

#[test]
fn the_sandboxs_own_routes_show_them_and_initialising_takes_them_away() {
    let (world, report, _) = populated(PLAN);
    let customers =
        |world: &crate::world::World| rows(&body(&world.get("/v1/sandbox/customers")), "customers").len();
    assert_eq!(customers(&world), rows(&report, "customers").len() + 6);
    let account = text(persons(&report)[0], "/accounts/0/resourceId");
    let lines = body(&world.get(&format!("/v1/sandbox/accounts/{account}/transactions")));
    assert!(!lines.as_array().unwrap().is_empty());
    world.sandbox.initialize().unwrap();
    assert_eq!(customers(&world), 6);
    world.assert_reconciled();
}
