//! Mock card accounts.

use serde_json::{json, Value};
use xs2a::Error;

use crate::counter::{balance, balances, closing, long, paths, CARD_ACCOUNTS, COMPANY, CUSTOMERS, PERSON};
use crate::world::{accepted, changed, parameter, straks, text, World, PAYER, STRAKS};

pub(crate) fn card() -> Value {
    json!({
        "customerNumber": PERSON,
        "maskedPan": "123456******0009",
        "currency": "NOK",
        "creditLimit": {"currency": "NOK", "amount": 5000},
        "balances": [closing(-200), balance("expected", -300, "NOK")],
        "cardId": "CARD9",
        "cardIdVNo": "02",
        "accountNumber": "95360573312",
        "expiry": "2030-01",
        "name": "Reisekort",
        "product": "GULLKORT",
        "status": "enabled",
    })
}

#[test]
fn a_card_account_is_made_as_it_is_described() {
    let world = World::new();
    let made = world.made(CARD_ACCOUNTS, &card());
    let path = format!("{CARD_ACCOUNTS}/{}", text(&made, "/resourceId"));
    let mut expected = card();
    expected["resourceId"] = made["resourceId"].clone();
    expected["_links"] = json!({
        "self": {"href": path, "verbs": ["GET", "DELETE"]},
        "balances": {"href": format!("{path}/balances"), "verbs": ["PUT"]},
        "transactions": {"href": format!("{path}/transactions"), "verbs": ["GET", "POST"]},
    });
    assert_eq!(made, expected);
    assert_eq!(world.found(&path), expected);
    assert_eq!(world.found(CARD_ACCOUNTS)["cardAccounts"][3], expected);
    let customers = world.found(&format!("{CUSTOMERS}?includeAccounts=true"));
    assert_eq!(customers["customers"][0]["cardAccounts"][1], made["resourceId"]);
}

#[test]
fn each_member_is_held_to_its_form() {
    let world = World::new();
    world.assert_faults(
        "POST",
        CARD_ACCOUNTS,
        &card(),
        &[
            ("/customerNumber", Value::Null, "BOD-01", "/customerNumber"),
            ("/customerNumber", json!("12345"), "SBX-11", "/customerNumber"),
            ("/customerNumber", json!("999999"), "SBX-21", "/customerNumber"),
            ("/currency", Value::Null, "BOD-01", "/currency"),
            ("/currency", json!("KRONER"), "CUR-01", "/currency"),
            ("/creditLimit", Value::Null, "BOD-01", "/creditLimit"),
            ("/creditLimit", json!(5000), "BOD-03", "/creditLimit"),
            ("/creditLimit/amount", Value::Null, "BOD-01", "/creditLimit/amount"),
            ("/creditLimit/amount", json!(-1), "BOD-24", "/creditLimit/amount"),
            ("/creditLimit/amount", json!("1"), "BOD-21", "/creditLimit/amount"),
            ("/creditLimit/currency", Value::Null, "BOD-01", "/creditLimit/currency"),
            ("/creditLimit/currency", json!("EUR"), "PAY-03", "/creditLimit/currency"),
            ("/balances", Value::Null, "BOD-01", "/balances"),
            ("/balances", json!({}), "BOD-04", "/balances"),
            (
                "/balances/0/balanceAmount/currency",
                json!("EUR"),
                "PAY-03",
                "/balances/0/balanceAmount/currency",
            ),
            ("/name", Value::Null, "BOD-01", "/name"),
            ("/name", json!(""), "BOD-05", "/name"),
            ("/name", long(71), "BOD-06", "/name"),
            ("/status", Value::Null, "BOD-01", "/status"),
            ("/status", json!("lost"), "BOD-08", "/status"),
            ("/status", json!(true), "BOD-02", "/status"),
        ],
    );
    for name in ["maskedPan", "cardId", "cardIdVNo", "accountNumber", "expiry", "product"] {
        let pointer: &'static str = Box::leak(format!("/{name}").into_boxed_str());
        world.assert_faults(
            "POST",
            CARD_ACCOUNTS,
            &changed(card(), &[(pointer, long(35))]),
            &[
                (pointer, Value::Null, "BOD-01", pointer),
                (pointer, json!(""), "BOD-05", pointer),
                (pointer, long(36), "BOD-06", pointer),
                (pointer, json!(1), "BOD-02", pointer),
            ],
        );
    }
    world.made(CARD_ACCOUNTS, &changed(card(), &[("/name", long(70))]));
}

#[test]
fn an_unknown_customer_is_reported_beside_malformed_members() {
    let world = World::new();
    let sent = changed(card(), &[("/customerNumber", json!("999999")), ("/name", json!(""))]);
    let response = world.post(CARD_ACCOUNTS, &sent);
    assert_eq!((response.status(), response.reason()), (400, Some("BOD-05")));
    assert_eq!(paths(&response), ["/name", "/customerNumber"]);
}

#[test]
fn a_foreign_currency_is_reported_beside_a_fault_of_its_sum() {
    let world = World::new();
    let wrong = json!({"currency": "EUR", "amount": -1});
    let balances = json!([{"balanceType": "expected", "balanceAmount": {"currency": "EUR", "amount": 1.5}}]);
    let response =
        world.post(CARD_ACCOUNTS, &changed(card(), &[("/creditLimit", wrong), ("/balances", balances)]));
    let expected = [
        "/creditLimit/amount",
        "/balances/0/balanceAmount/amount",
        "/creditLimit/currency",
        "/balances/0/balanceAmount/currency",
    ];
    assert_eq!(paths(&response), expected);
}

#[test]
fn the_status_is_read_in_any_case() {
    for (sent, kept) in [("ENABLED", "enabled"), ("Blocked", "blocked"), ("deleted", "deleted")] {
        let made = World::new().made(CARD_ACCOUNTS, &changed(card(), &[("/status", json!(sent))]));
        assert_eq!(made["status"], kept);
    }
}

#[test]
fn a_deleted_card_account_is_still_listed_and_pays_no_more() {
    let world = World::new();
    let made = world.made(CARD_ACCOUNTS, &card());
    let path = format!("{CARD_ACCOUNTS}/{}", text(&made, "/resourceId"));
    assert_eq!(pay_by_card(&world), Ok("ACSC".to_owned()));
    world.delete_twice(&path, "SBX-06");
    assert_eq!(world.found(&path)["status"], "deleted");
    assert_eq!(world.found(CARD_ACCOUNTS)["cardAccounts"][3]["status"], "deleted");
    assert_eq!(pay_by_card(&world), Err("RESOURCE_UNKNOWN".to_owned()));
}

/// A payment from the new card account: its status, or the code of the call-back.
fn pay_by_card(world: &World) -> Result<String, String> {
    let debtor = json!({
        "other": {"identification": "123456******0009", "schemeNameProprietary": "creditCardAccount"},
        "currency": "NOK",
    });
    let order = changed(straks(), &[("/debtorAccount", debtor)]);
    let created = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &order));
    let url = world.answer(&created, &xs2a::ScaAnswer::approve(PAYER));
    match parameter(&url, "code") {
        None => Ok(world.transaction_status(&created)),
        Some(code) => Err(code),
    }
}

#[test]
fn a_card_account_is_blocked_and_enabled_but_never_revived() {
    let world = World::new();
    let made = world.made(CARD_ACCOUNTS, &card());
    let id = text(&made, "/resourceId");
    let set = |status: &str| world.sandbox.set_card_status(id, status);
    let shown = || text(&world.found(&format!("{CARD_ACCOUNTS}/{id}")), "/status").to_owned();
    set("blocked").unwrap();
    assert_eq!((shown(), pay_by_card(&world)), ("blocked".to_owned(), Err("RESOURCE_UNKNOWN".to_owned())));
    set("enabled").unwrap();
    assert_eq!((shown(), pay_by_card(&world)), ("enabled".to_owned(), Ok("ACSC".to_owned())));
    assert!(matches!(set("Blocked"), Err(Error::Misuse(_))), "the controls take the names as they are");
    set("deleted").unwrap();
    assert!(matches!(set("enabled"), Err(Error::Misuse(_))));
    for unknown in ["enc!!AAAAAAAAAAAAAAAAAAAAAAAA", "", "a/b"] {
        assert!(matches!(world.sandbox.set_card_status(unknown, "blocked"), Err(Error::Misuse(_))));
    }
    assert_eq!(shown(), "deleted");
}

#[test]
fn balances_of_cards_are_set_like_those_of_accounts() {
    let world = World::new();
    let made = world.made(CARD_ACCOUNTS, &card());
    let target = format!("{CARD_ACCOUNTS}/{}/balances", text(&made, "/resourceId"));
    assert_eq!(balances(&world.put(&target, &json!([closing(-50)]))), (-50, -50));
    let both = json!([balance("expected", -80, "NOK"), closing(-60)]);
    assert_eq!(balances(&world.put(&target, &both)), (-60, -80));
    let response =
        world.send("PUT", &target, &json!([closing(1), closing(1), balance("expected", 1, "EUR")]));
    assert_eq!(paths(&response), ["/2/balanceAmount/currency"]);
    assert_eq!(balances(&world.found(target.trim_end_matches("/balances"))["balances"]), (-60, -80));
}

#[test]
fn a_corporate_owner_is_not_engaged_by_itself() {
    let world = World::new();
    world.made(CARD_ACCOUNTS, &changed(card(), &[("/customerNumber", json!(COMPANY))]));
    let agreements = world.found("/v1/sandbox/agreements");
    let all = agreements["agreements"].as_array().unwrap();
    let numbers = all.iter().flat_map(|row| row["engagements"].as_array().unwrap());
    assert_eq!(numbers.filter(|row| row["account"]["bban"] == "95360573312").count(), 0);
}

#[test]
fn an_unknown_card_account_is_not_found_and_neither_is_an_account() {
    let world = World::new();
    let account = text(&world.account_of("95360573002"), "/id").to_owned();
    for id in ["enc!!AAAAAAAAAAAAAAAAAAAAAAAA", &account, "%20"] {
        let path = format!("{CARD_ACCOUNTS}/{id}");
        world.assert_unknown("GET", &path, &Value::Null, "SBX-06");
        world.assert_unknown("DELETE", &path, &Value::Null, "SBX-06");
        world.assert_unknown("PUT", &format!("{path}/balances"), &json!([closing(1)]), "SBX-06");
    }
}
