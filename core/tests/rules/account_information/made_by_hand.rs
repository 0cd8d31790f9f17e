//! What the sandbox's own routes make, change and delete is what account information shows.

use serde_json::{json, Value};
use xs2a::{Context, ScaAnswer};

use crate::account_information::order::debit;
use crate::aisp::{answered, assert_refused, bbans, consent, Aisp, OTHER_ACCOUNT, SESSION};
use crate::world::{
    body, changed, parameter, text, World, COMPANY_ACCOUNT, COMPANY_AGREEMENT, PAYEE, PAYER, PAYER_ACCOUNT,
    PROXY,
};

const NEW: &str = "12345678901";

impl World {
    /// The body of a 2xx of a route of the sandbox.
    fn managed(&self, method: &str, target: &str, sent: &Value) -> Value {
        let bytes = if sent.is_null() { String::new() } else { sent.to_string() };
        let response = self.call(method, target, &[], bytes.as_bytes());
        let answer = if response.body().is_empty() { Value::Null } else { body(&response) };
        assert!(response.status() < 300, "{answer}");
        answer
    }
}

fn card(owner: &str) -> Value {
    json!({
        "customerNumber": owner, "maskedPan": "123456******0009", "currency": "NOK",
        "creditLimit": {"currency": "NOK", "amount": 5000}, "balances": [], "cardId": "C", "cardIdVNo": "01",
        "accountNumber": "95360573320", "expiry": "2030-01", "name": "Reisekort", "product": "KORT",
        "status": "enabled",
    })
}

#[test]
fn a_psu_with_nothing_to_open_consents_to_nothing() {
    let world = World::new();
    let customer = json!({"customerNumber": NEW, "customerType": "PRIVATE", "customerName": "Ny Kunde"});
    world.managed("POST", "/v1/sandbox/customers", &customer);
    let aisp = Aisp::of(world, &ScaAnswer::approve(NEW));
    assert_eq!(answered(&aisp.get("/v1/accounts"))["accounts"], json!([]));
    assert_eq!(answered(&aisp.get("/v1/card-accounts"))["cardAccounts"], json!([]));
}

/// A private customer with an account, a card, and something booked on both.
#[test]
fn a_customer_made_by_hand_consents_and_is_read() {
    let world = World::new();
    let customer = json!({"customerNumber": NEW, "customerType": "PRIVATE", "customerName": "Ny Kunde"});
    world.managed("POST", "/v1/sandbox/customers", &customer);
    let account = json!({
        "customerNumber": NEW, "currency": "NOK", "bban": "95360573312", "accountName": "Ferie",
        "balances": [{"balanceType": "closingBooked", "balanceAmount": {"amount": 1000, "currency": "NOK"}}],
    });
    let account = world.managed("POST", "/v1/sandbox/accounts", &account);
    let made_card = world.managed("POST", "/v1/sandbox/card-accounts", &card(NEW));
    let line = changed(debit(30, "2026-08-10"), &[("/debtorAccount", json!({"bban": "95360573312"}))]);
    let lines = format!("/v1/sandbox/accounts/{}/transactions", text(&account, "/id"));
    world.managed("POST", &lines, &json!([line]));
    let used = json!({
        "bookingDate": "2026-08-11", "transactionAmount": {"currency": "NOK", "amount": 50},
        "originalAmount": {"currency": "NOK", "amount": 50}, "markupFee": {"currency": "NOK", "amount": 0},
        "cardAcceptorAddress": {},
    });
    let uses = format!("/v1/sandbox/card-accounts/{}/transactions", text(&made_card, "/resourceId"));
    world.managed("POST", &uses, &json!([used]));

    let aisp = Aisp::of(world, &ScaAnswer::approve(NEW));
    let accounts = answered(&aisp.get("/v1/accounts?withBalance=true"));
    let found = &accounts["accounts"][0];
    assert_eq!((&found["bban"], &found["name"]), (&json!("95360573312"), &json!("Ferie")));
    assert_eq!(found["balances"][0]["balanceAmount"], json!({"amount": "970.00", "currency": "NOK"}));
    let path = format!("/v1/accounts/{}", text(found, "/resourceId"));
    let list = answered(&aisp.get(&format!("{path}/transactions?bookingStatus=booked")));
    assert_eq!(list["transactions"]["booked"][0]["transactionAmount"]["amount"], "-30.00");
    let card = aisp.card_path();
    let shown = answered(&aisp.get(&card));
    assert_eq!(shown["cardAccount"]["maskedPan"], "123456******0009");
    assert_eq!(shown["cardAccount"]["balances"][0]["balanceAmount"]["amount"], "-50.00");
    let list = answered(&aisp.get(&format!("{card}/transactions?bookingStatus=booked")));
    assert_eq!(list["cardTransactions"]["booked"].as_array().unwrap().len(), 1);
}

/// A fee, for example, has no creditor account.
#[test]
fn of_an_unknown_counterpart_no_account_is_shown() {
    let aisp = Aisp::new();
    let path = aisp.account_path();
    let id = path.rsplit('/').next().unwrap();
    let line = changed(debit(30, "2026-08-10"), &[("/creditorAccount", json!({"iban": "", "bban": ""}))]);
    aisp.world.managed("POST", &format!("/v1/sandbox/accounts/{id}/transactions"), &json!([line]));
    let list = answered(&aisp.get(&format!("{path}/transactions?bookingStatus=booked")));
    let reported = &list["transactions"]["booked"][0];
    assert_eq!(reported["transactionAmount"]["amount"], "-30.00");
    assert!(
        reported.get("debtorAccount").is_some() && reported.get("creditorAccount").is_none(),
        "{reported}"
    );
}

/// A consent opens what was chosen: what comes later takes another consent.
#[test]
fn an_account_made_after_the_consent_is_closed_until_the_next_one() {
    let aisp = Aisp::new();
    let account = json!({"customerNumber": PAYER, "currency": "NOK", "bban": "95360573312"});
    let made = aisp.world.managed("POST", "/v1/sandbox/accounts", &account);
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [PAYER_ACCOUNT, OTHER_ACCOUNT]);
    let path = format!("/v1/accounts/{}/balances", text(&made, "/id"));
    crate::aisp::assert_needs_sca(&aisp.get(&path), 401, "CONSENT_INVALID");
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [PAYER_ACCOUNT, OTHER_ACCOUNT, "95360573312"]);
    answered(&aisp.get(&path));
}

#[test]
fn an_account_that_is_deleted_is_gone_though_it_was_consented_to() {
    let aisp = Aisp::new();
    let path = aisp.account_path();
    let id = path.rsplit('/').next().unwrap();
    aisp.world.managed("DELETE", &format!("/v1/sandbox/accounts/{id}"), &Value::Null);
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [OTHER_ACCOUNT]);
    for rest in ["", "/balances", "/transactions?bookingStatus=both"] {
        assert_refused(&aisp.get(&format!("{path}{rest}")), 404, "RESOURCE_UNKNOWN");
    }
}

#[test]
fn a_blocked_card_is_read_and_a_deleted_one_is_gone() {
    let aisp = Aisp::new();
    let path = aisp.card_path();
    let id = path.rsplit('/').next().unwrap();
    let cards = || answered(&aisp.get("/v1/card-accounts"))["cardAccounts"].as_array().unwrap().len();
    aisp.world.sandbox.set_card_status(id, "blocked").unwrap();
    assert_eq!(cards(), 1);
    answered(&aisp.get(&path));
    aisp.world.managed("DELETE", &format!("/v1/sandbox/card-accounts/{id}"), &Value::Null);
    assert_eq!(cards(), 0);
    for rest in ["", "/balances", "/transactions?bookingStatus=both"] {
        assert_refused(&aisp.get(&format!("{path}{rest}")), 404, "RESOURCE_UNKNOWN");
    }
    let listed = aisp.world.managed("GET", &format!("/v1/sandbox/card-accounts/{id}"), &Value::Null);
    assert_eq!(listed["status"], "deleted");
}

/// A corporate owner's account is visible to the persons that an agreement engages, and to no person before.
#[test]
fn a_companys_account_is_visible_once_an_agreement_engages_a_person() {
    const COMPANY: &str = "18129215603";
    let world = World::new();
    let account = json!({"customerNumber": COMPANY, "currency": "NOK", "bban": "95360573312"});
    world.managed("POST", "/v1/sandbox/accounts", &account);
    let seen =
        |world: &World, answer: &ScaAnswer| bbans(&Aisp::of(world.clone(), answer).get("/v1/accounts"));
    assert!(!seen(&world, &crate::world::approve_for(COMPANY_AGREEMENT)).contains(&"95360573312".to_owned()));
    let engagement = json!({
        "customer": PAYEE, "account": {"bban": "95360573312"}, "roles": ["REGISTER", "VIEW"],
        "registerLimit": 0, "approvalLimit": 0,
    });
    let agreement = json!({"name": "Ny avtale", "owner": COMPANY, "engagements": [engagement]});
    let made = world.managed("POST", "/v1/sandbox/agreements", &agreement);
    let answer = ScaAnswer {
        context: Context::Corporate,
        agreement: Some("Ny avtale".to_owned()),
        ..ScaAnswer::approve(PAYEE)
    };
    assert_eq!(seen(&world, &answer), ["95360573312"]);
    let aisp = Aisp::of(world, &answer);
    let engagement = text(&made, "/engagements/0/id");
    let path = format!("/v1/sandbox/agreements/{}/engagements/{engagement}", text(&made, "/id"));
    aisp.world.managed("DELETE", &path, &Value::Null);
    assert_eq!(bbans(&aisp.get("/v1/accounts")), [""; 0], "who is no longer engaged sees it no longer");
}

/// The id of a corporate customer is that of one TPP, and does not depend on the person who acts for the customer.
#[test]
fn two_persons_of_one_company_bring_one_corporate_id() {
    let world = World::new();
    let agreements = world.managed("GET", "/v1/sandbox/agreements", &Value::Null);
    let all = agreements["agreements"].as_array().unwrap();
    let of_company = all.iter().find(|agreement| agreement["name"] == COMPANY_AGREEMENT).unwrap();
    let engagement = json!({
        "customer": PAYER, "account": {"bban": COMPANY_ACCOUNT}, "roles": ["REGISTER", "VIEW"],
        "registerLimit": 0, "approvalLimit": 0,
    });
    let target = format!("/v1/sandbox/agreements/{}/engagements", text(of_company, "/id"));
    world.managed("POST", &target, &engagement);
    let ids = |world: &World, customer: &str| {
        let answer = ScaAnswer {
            customer_number: customer.to_owned(),
            ..crate::world::approve_for(COMPANY_AGREEMENT)
        };
        let callback = consent(world, &format!("of {customer}"), &answer);
        ["psu-id", "psu-corporate-id"].map(|name| parameter(&callback, name).unwrap())
    };
    let ([first, company], [second, same]) = (ids(&world, PROXY), ids(&world, PAYER));
    assert_ne!(first, second);
    assert_eq!(company, same);
    let mut other = world.clone();
    other.tpp = other.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    let [of_other, company_of_other] = ids(&other, PROXY);
    assert!(of_other != first && company_of_other != company);
}
