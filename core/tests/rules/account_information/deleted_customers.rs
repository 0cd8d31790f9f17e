//! What a TPP reads of a customer that was deleted.

use serde_json::{json, Value};
use xs2a::ScaAnswer;

use crate::aisp::{answered, assert_needs_sca, assert_refused, bbans, consent, Aisp};
use crate::world::draft::database;
use crate::world::{
    accepted, approve_for, body, parameter, straks, text, World, COMPANY_ACCOUNT, COMPANY_AGREEMENT,
    OTHER_COMPANY_ACCOUNT, OTHER_COMPANY_AGREEMENT, PAYER, PROXY, STRAKS,
};

const CUSTOMERS: &str = "/v1/sandbox/customers";
const COMPANY: &str = "18129215603";

fn delete_customer(world: &World, number: &str) {
    let customers = answered(&world.call("GET", CUSTOMERS, &[], b""));
    let found = customers["customers"].as_array().unwrap().iter().find(|row| row["customerNumber"] == number);
    let path = format!("{CUSTOMERS}/{}", text(found.unwrap(), "/customerId"));
    assert_eq!(world.call("DELETE", &path, &[], b"").status(), 204);
}

fn post(world: &World, path: &str, sent: &Value) -> Value {
    accepted(&world.call("POST", path, &[], sent.to_string().as_bytes()))
}

/// The person under the same number, with an account again. Its bban.
fn post_again(world: &World, number: &str) -> String {
    post(world, CUSTOMERS, &json!({"customerNumber": number, "type": "PRIVATE", "name": "Ny Kunde"}));
    let account = post(world, "/v1/sandbox/accounts", &json!({"customerNumber": number, "currency": "NOK"}));
    text(&account, "/bban").to_owned()
}

#[test]
fn the_psu_id_of_a_deleted_person_is_unknown_on_every_path() {
    let aisp = Aisp::with_history();
    let paths = aisp.paths();
    delete_customer(&aisp.world, PAYER);
    for path in paths {
        assert_needs_sca(&aisp.get(&path), 401, "SCA_NOT_FOUND");
        let another = [("TPP-Session-ID", "another")];
        assert_needs_sca(&aisp.get_with(&path, &another), 401, "SCA_NOT_FOUND");
    }
    let with = [("PSU-ID", aisp.psu_id.as_str())];
    assert_refused(&aisp.world.create_with(STRAKS, &with, &straks()), 401, "PSU_CREDENTIALS_INVALID");
}

#[test]
fn a_reused_customer_number_is_another_person_who_may_open_accounts() {
    let aisp = Aisp::with_history();
    delete_customer(&aisp.world, PAYER);
    let bban = post_again(&aisp.world, PAYER);
    let refused = aisp.get("/v1/accounts");
    assert_needs_sca(&refused, 401, "SCA_NOT_FOUND");
    let callback = aisp.world.answer(&body(&refused), &ScaAnswer::approve(PAYER));
    assert_eq!(parameter(&callback, "code"), None, "{callback}");
    let psu_id = parameter(&callback, "psu-id").unwrap();
    assert_ne!(psu_id, aisp.psu_id);
    assert_eq!(bbans(&Aisp { psu_id, ..aisp }.get("/v1/accounts")), [bban]);
}

#[test]
fn only_the_corporate_id_of_a_deleted_company_is_unknown() {
    let world = World::new();
    let callback = consent(&world, "company", &approve_for(COMPANY_AGREEMENT));
    let company = parameter(&callback, "psu-corporate-id").unwrap();
    let aisp = Aisp::of(world, &approve_for(OTHER_COMPANY_AGREEMENT));
    let with = [("TPP-Session-ID", ""), ("PSU-Corporate-ID", company.as_str())];
    assert!(bbans(&aisp.get_with("/v1/accounts", &with)).contains(&COMPANY_ACCOUNT.to_owned()));
    delete_customer(&aisp.world, COMPANY);
    assert_refused(&aisp.get_with("/v1/accounts", &with), 401, "PSU_CREDENTIALS_INVALID");
    assert!(bbans(&aisp.get("/v1/accounts")).contains(&OTHER_COMPANY_ACCOUNT.to_owned()));
}

#[test]
fn a_deleted_person_takes_the_way_to_their_companies_along() {
    let aisp = Aisp::of(World::new(), &approve_for(COMPANY_AGREEMENT));
    answered(&aisp.get("/v1/accounts"));
    delete_customer(&aisp.world, PROXY);
    let unknown = aisp.get("/v1/accounts");
    assert_eq!(unknown.status(), 401, "{}", body(&unknown));
}

#[test]
fn payments_of_a_deleted_person_can_still_be_read_by_their_tpp() {
    let world = World::new();
    let created = world.pay(STRAKS, &straks(), PAYER);
    delete_customer(&world, PAYER);
    assert_eq!(world.transaction_status(&created), "ACSC");
}

/// How many rows these tables have.
fn rows<const N: usize>(world: &World, tables: [&str; N]) -> [i64; N] {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), database(&world.sandbox)).unwrap();
    let connection = rusqlite::Connection::open(file.path()).unwrap();
    tables.map(|table| {
        connection.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).unwrap()
    })
}

#[test]
fn ids_of_a_deleted_customer_are_gone_and_payments_are_kept() {
    const KNOWN: [&str; 7] = [
        "psu_id",
        "corporate_id",
        "corporate_psu",
        "consent",
        "consent_account",
        "sca_session",
        "access_count",
    ];
    const PAID: [&str; 3] = ["payment", "event", "authorisation"];
    let aisp = Aisp::with_history();
    answered(&aisp.get_alone(&aisp.transaction_path()));
    consent(&aisp.world, "company", &approve_for(COMPANY_AGREEMENT));
    let paid = rows(&aisp.world, PAID);
    assert!(rows(&aisp.world, KNOWN).into_iter().chain(paid).all(|count| count > 0));
    for customer in [PAYER, COMPANY, PROXY] {
        delete_customer(&aisp.world, customer);
    }
    assert_eq!((rows(&aisp.world, KNOWN), rows(&aisp.world, PAID)), ([0; 7], paid));
}
