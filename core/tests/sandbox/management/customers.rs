//! Mock customers, and the way back to the default set.

use serde_json::{json, Value};
use xs2a::store::BlockedSubject;

use crate::counter::{closing, long, paths, ACCOUNTS, AGREEMENTS, CARD_ACCOUNTS, COMPANY, CUSTOMERS, PERSON};
use crate::world::{body, refused, text, World, PROXY};

fn new_customer() -> Value {
    json!({"customerNumber": "123456", "customerType": "PRIVATE", "customerName": "Ny Kunde"})
}

#[test]
fn a_private_customer_is_made_with_an_agreement_of_its_own() {
    let world = World::new();
    let made = world.made(CUSTOMERS, &new_customer());
    let id = text(&made, "/customerId");
    let agreement = text(&made, "/agreements/0/id");
    let expected = json!({
        "customerId": id,
        "customerNumber": "123456",
        "customerType": "PRIVATE",
        "customerName": "Ny Kunde",
        "agreements": [{"id": agreement, "name": "Privatavtale", "engagements": []}],
        "accounts": [],
        "cardAccounts": [],
        "_links": {"self": {"href": format!("{CUSTOMERS}/{id}"), "verbs": ["GET", "DELETE"]}},
    });
    assert_eq!(made, expected);
    assert_eq!(world.found(&format!("{CUSTOMERS}/{id}")), expected);
    assert_eq!(world.found(&format!("{AGREEMENTS}/{agreement}"))["owner"], "123456");
}

#[test]
fn a_corporate_customer_is_made_without_one() {
    let world = World::new();
    let id = world.customer("123457", "CORPORATE");
    let shown = world.found(&format!("{CUSTOMERS}/{id}"));
    assert_eq!((&shown["customerType"], &shown["agreements"]), (&json!("CORPORATE"), &json!([])));
}

#[test]
fn the_answer_has_the_customers_location_below_the_base_path() {
    let world = World::with_policy(r#"{"base_path":"/api-sandbox"}"#);
    let response = world.post("/api-sandbox/v1/sandbox/customers", &new_customer());
    let href = text(&body(&response), "/_links/self/href").to_owned();
    assert_eq!(response.header("Location"), Some(format!("/api-sandbox{href}").as_str()));
    assert!(href.starts_with("/v1/sandbox/customers/enc!!"));
}

#[test]
fn the_type_is_read_in_any_case_and_short_member_names_are_accepted() {
    for (sent, kind) in [
        (json!({"customerNumber": "123456", "type": "private", "name": "Ny Kunde"}), "PRIVATE"),
        (json!({"customerNumber": "123456", "type": "Corporate", "customerName": "Ny Kunde"}), "CORPORATE"),
        (json!({"customerNumber": "123456", "customerType": "cOrPoRaTe", "name": "Ny Kunde"}), "CORPORATE"),
    ] {
        let made = World::new().made(CUSTOMERS, &sent);
        assert_eq!((&made["customerType"], &made["customerName"]), (&json!(kind), &json!("Ny Kunde")));
    }
}

#[test]
fn each_member_is_held_to_its_form() {
    let world = World::new();
    let (number, kind, name) = ("/customerNumber", "/customerType", "/customerName");
    world.assert_faults(
        "POST",
        CUSTOMERS,
        &new_customer(),
        &[
            (number, Value::Null, "BOD-01", number),
            (number, json!(""), "SBX-11", number),
            (number, json!("12345"), "SBX-11", number),
            (number, json!("123456789012"), "SBX-11", number),
            (number, json!("12345a"), "SBX-11", number),
            (number, json!(123_456), "BOD-02", number),
            (kind, Value::Null, "BOD-01", kind),
            (kind, json!(""), "BOD-08", kind),
            (kind, json!("PERSON"), "BOD-08", kind),
            (kind, json!(true), "BOD-02", kind),
            ("/type", json!("PRIVATE"), "BOD-09", "/type"),
            (name, Value::Null, "BOD-01", name),
            (name, json!(""), "BOD-05", name),
            (name, long(71), "BOD-06", name),
            (name, json!("Ny 😀"), "BOD-07", name),
            (name, json!(["Ny"]), "BOD-02", name),
            ("/name", json!("Ny Kunde"), "BOD-09", "/name"),
        ],
    );
    for number in ["234567", "12345678901"] {
        world.made(CUSTOMERS, &json!({"customerNumber": number, "type": "PRIVATE", "name": long(70)}));
    }
}

#[test]
fn every_fault_is_reported_at_once_and_an_array_is_no_customer() {
    let world = World::new();
    assert_eq!(
        paths(&world.post(CUSTOMERS, &json!({"customerNumber": "x"}))),
        ["/customerNumber", "/customerType", "/customerName"]
    );
    assert_eq!(refused(&world.post(CUSTOMERS, &json!([new_customer()]))).1, "BOD-03");
}

#[test]
fn a_number_in_use_is_a_conflict_and_free_again_after_deletion() {
    let world = World::new();
    let id = world.customer("123456", "PRIVATE");
    let again = refused(&world.post(CUSTOMERS, &new_customer()));
    assert_eq!(again, (409, "SBX-25", "CONFLICT".to_owned(), "/customerNumber".to_owned()));
    world.delete_twice(&format!("{CUSTOMERS}/{id}"), "SBX-01");
    assert_ne!(world.customer("123456", "PRIVATE"), id);
}

#[test]
fn the_list_shows_accounts_and_agreements_where_it_is_asked_to() {
    let world = World::new();
    for (query, accounts, agreements) in [
        ("", 0, 0),
        ("?includeAccounts=false&includeAgreements=false", 0, 0),
        ("?includeAccounts=true", 2, 0),
        ("?includeAgreements=true", 0, 1),
        ("?includeAccounts=true&includeAgreements=true", 2, 1),
    ] {
        let list = world.found(&format!("{CUSTOMERS}{query}"));
        let customers = list["customers"].as_array().unwrap();
        assert_eq!(customers.len(), 6);
        let person = &customers[0];
        assert_eq!(person["customerNumber"], PERSON);
        let count = |name: &str| person[name].as_array().unwrap().len();
        assert_eq!((count("accounts"), count("agreements")), (accounts, agreements), "{query}");
        assert_eq!(count("cardAccounts"), accounts / 2, "{query}");
    }
    for (query, reason) in
        [("includeAccounts=1", "QRY-02"), ("includeAgreements=true&includeAgreements=true", "QRY-01")]
    {
        let response = world.send("GET", &format!("{CUSTOMERS}?{query}"), &Value::Null);
        let name = query.split('=').next().unwrap();
        assert_eq!(refused(&response), (400, reason, "FORMAT_ERROR".to_owned(), name.to_owned()));
    }
}

#[test]
fn every_fault_of_the_lists_query_is_reported_at_once() {
    let world = World::new();
    let query = "includeAgreements=2&includeAccounts=1";
    let response = world.send("GET", &format!("{CUSTOMERS}?{query}"), &Value::Null);
    assert_eq!(response.status(), 400);
    assert_eq!(paths(&response), ["includeAccounts", "includeAgreements"]);
}

#[test]
fn a_person_is_shown_with_the_agreements_of_companies_too() {
    let world = World::new();
    let list = world.found(&format!("{CUSTOMERS}?includeAgreements=true"));
    let customers = list["customers"].as_array().unwrap();
    let proxy = customers.iter().find(|customer| customer["customerNumber"] == PROXY).unwrap();
    let counted: Vec<_> = proxy["agreements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agreement| (text(agreement, "/name"), agreement["engagements"].as_array().unwrap().len()))
        .collect();
    assert_eq!(
        counted,
        [
            ("Privatavtale", 3),
            ("Nettbank bedrift Fiktiv Handel AS", 2),
            ("Nettbank bedrift Oppdiktet Fisk AS", 2)
        ]
    );
}

#[test]
fn deleting_a_customer_takes_accounts_cards_and_engagements_along() {
    let world = World::new();
    let customers = world.found(CUSTOMERS);
    let id_of = |number: &str| {
        let all = customers["customers"].as_array().unwrap();
        let found = all.iter().find(|customer| customer["customerNumber"] == number).unwrap();
        text(found, "/customerId").to_owned()
    };
    let counted = || {
        let count = |path: &str, name: &str| world.found(path)[name].as_array().unwrap().len();
        (count(ACCOUNTS, "accounts"), count(CARD_ACCOUNTS, "cardAccounts"), count(AGREEMENTS, "agreements"))
    };
    let engagements = || {
        let agreements = world.found(AGREEMENTS);
        let all = agreements["agreements"].as_array().unwrap();
        all.iter().map(|agreement| agreement["engagements"].as_array().unwrap().len()).sum::<usize>()
    };
    assert_eq!((counted(), engagements()), ((12, 3, 5), 13));
    world.delete_twice(&format!("{CUSTOMERS}/{}", id_of(PROXY)), "SBX-01");
    assert_eq!((counted(), engagements()), ((10, 2, 4), 6), "two companies lost their proxy");
    world.delete_twice(&format!("{CUSTOMERS}/{}", id_of(COMPANY)), "SBX-01");
    assert_eq!(counted(), (8, 2, 3));
}

#[test]
fn an_unknown_customer_is_not_found() {
    let world = World::new();
    for id in ["enc!!AAAAAAAAAAAAAAAAAAAAAAAA", "x", "%20"] {
        for method in ["GET", "DELETE"] {
            world.assert_unknown(method, &format!("{CUSTOMERS}/{id}"), &Value::Null, "SBX-01");
        }
    }
}

#[test]
fn initialising_forgets_what_was_made_and_shows_the_default_set() {
    let world = World::new();
    let before = world.found(&format!("{CUSTOMERS}?includeAccounts=true&includeAgreements=true"));
    world.customer("123456", "PRIVATE");
    world.made(ACCOUNTS, &json!({"customerNumber": PERSON, "currency": "NOK", "balances": [closing(5)]}));
    let engine = world.sandbox.engine();
    engine.block(BlockedSubject::named(Some("PSDNO-FSA-1"), None).unwrap(), None, "").unwrap();
    let response = world.send("POST", "/v1/sandbox/initialize", &Value::Null);
    assert_eq!((response.status(), body(&response)), (201, before));
    assert_eq!(engine.blocked().unwrap(), []);
    world.assert_reconciled();
    assert_eq!(world.found(ACCOUNTS)["accounts"].as_array().unwrap().len(), 12);
}
