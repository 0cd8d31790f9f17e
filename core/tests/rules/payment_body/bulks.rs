//! What holds of a bulk as a whole: how many payments it has, and where the faults of each are named.

use serde_json::{json, Value};

use crate::payment_body::bench::{error, set, warning, Bench, Found, Product};
use crate::world::products::bulk;

fn assert(bench: &Bench, body: &Value, expected: &[Found]) {
    assert_eq!(bench.judge_sent(Product::Bulk, body), expected);
}

fn with(body: &Value, pointer: &str, value: Value) -> Value {
    let mut body = body.clone();
    set(&mut body, pointer, value);
    body
}

#[test]
fn a_bulk_has_one_to_a_thousand_payments() {
    let bench = Bench::new();
    for entries in [1, 2, 1000] {
        assert(&bench, &bulk(entries), &[]);
    }
    for entries in [0, 1001] {
        assert(&bench, &bulk(entries), &[error("BLK-01", "/payments")]);
    }
}

#[test]
fn payments_are_a_list_of_objects() {
    let bench = Bench::new();
    for value in [json!(null), json!({}), json!("x"), json!(1)] {
        assert(&bench, &with(&bulk(1), "/payments", value), &[error("BOD-04", "/payments")]);
    }
    let mut without = bulk(1);
    without.as_object_mut().unwrap().remove("payments");
    assert(&bench, &without, &[error("BOD-01", "/payments")]);
    for value in [json!(null), json!([]), json!("x"), json!(1)] {
        assert(&bench, &with(&bulk(3), "/payments/1", value), &[error("BOD-03", "/payments/1")]);
    }
}

#[test]
fn three_faults_among_a_thousand_payments_are_named_and_nothing_else() {
    let bench = Bench::new();
    let mut body = bulk(1000);
    set(&mut body, "/payments/0/instructedAmount/amount", "1");
    set(&mut body, "/payments/17/creditorAccount/bban", "9536057303");
    set(&mut body, "/payments/999/creditorName", "");
    let expected = [
        error("AMT-03", "/payments/0/instructedAmount/amount"),
        error("ACC-02", "/payments/17/creditorAccount/bban"),
        error("BOD-05", "/payments/999/creditorName"),
    ];
    assert(&bench, &body, &expected);
}

#[test]
fn what_only_the_bank_knows_is_named_with_its_payment_too() {
    let bench = Bench::new();
    let mut body = bulk(1000);
    set(&mut body, "/payments/3/creditorAccount/bban", "91351631959");
    set(&mut body, "/payments/998/creditorAccount/bban", "91351631959");
    set(&mut body, "/payments/998/remittanceInformationUnstructured", Value::Null);
    set(&mut body, "/payments/998/remittanceInformationStructuredArray", json!([{"reference": "1230"}]));
    let expected = [
        error("KID-01", "/payments/3/remittanceInformationStructured/reference"),
        error("KID-03", "/payments/998/remittanceInformationStructuredArray/0/reference"),
    ];
    assert(&bench, &body, &expected);
}

#[test]
fn faults_of_the_whole_come_before_those_of_its_payments() {
    let mut body = bulk(2);
    set(&mut body, "/debtorAccount/bban", "1");
    set(&mut body, "/requestedExecutionDate", "2026-08-31");
    set(&mut body, "/payments/0/purposeCode", "GIFT");
    let expected = [
        error("DAY-02", "/requestedExecutionDate"),
        error("ACC-02", "/debtorAccount/bban"),
        error("BOD-08", "/payments/0/purposeCode"),
    ];
    assert(&Bench::new(), &body, &expected);
}

#[test]
fn more_faults_than_an_answer_takes_are_cut() {
    let mut body = bulk(101);
    for index in 0..101 {
        set(&mut body, &format!("/payments/{index}/creditorName"), 7);
    }
    let expected: Vec<_> =
        (0..100).map(|index| error("BOD-02", &format!("/payments/{index}/creditorName"))).collect();
    assert(&Bench::new(), &body, &expected);
}

#[test]
fn members_of_a_bulk_are_unknown_in_its_entries_and_vice_versa() {
    let bench = Bench::new();
    for (name, value) in [
        ("debtorAccount", json!({"bban": "95360573002", "currency": "NOK"})),
        ("debtorAccount", json!({"bban": "9536.05.73002"})),
        ("debtorAccount", json!({"iban": "NO09 9536 0573 002", "currency": "NOK"})),
        ("debtorAccount", Value::Null),
        ("requestedExecutionDate", json!("2026-09-01")),
        ("paymentInformationId", json!("X")),
        ("payments", Value::Null),
        ("payments", json!([])),
    ] {
        let pointer = format!("/payments/1/{name}");
        assert(&bench, &with(&bulk(2), &pointer, value), &[warning("WRN-01", &pointer)]);
    }
    for name in ["creditorName", "instructedAmount", "remittanceInformationUnstructured", "startDate"] {
        let pointer = format!("/{name}");
        assert(&bench, &with(&bulk(1), &pointer, json!("x")), &[warning("WRN-01", &pointer)]);
    }
}

#[test]
fn what_would_change_what_is_paid_is_an_error_at_its_place() {
    let bench = Bench::new();
    for (name, value) in [
        ("debtorAccount", json!({"bban": "95360573010", "currency": "NOK"})),
        ("debtorAccount", json!({"bban": "95360573002", "currency": "EUR"})),
        ("debtorAccount", json!({"iban": "NO8795360573010", "currency": "NOK"})),
        ("debtorAccount", json!({"other": {"identification": "95360573010"}})),
        ("debtorAccount", json!({})),
        ("debtorAccount", json!("95360573002")),
        ("requestedExecutionDate", json!("2026-09-02")),
        ("requestedExecutionDate", json!("tomorrow")),
        ("payments", json!([1])),
    ] {
        let pointer = format!("/payments/1/{name}");
        assert(&bench, &with(&bulk(2), &pointer, value), &[error("BOD-09", &pointer)]);
    }
    // The day of the bulk is that of its payments.
    let later = with(&bulk(1), "/requestedExecutionDate", json!("2026-09-02"));
    let pointer = "/payments/0/requestedExecutionDate";
    assert(&bench, &with(&later, pointer, json!("2026-09-02")), &[warning("WRN-01", pointer)]);
    assert(&bench, &with(&later, pointer, json!("2026-09-01")), &[error("BOD-09", pointer)]);
    for (name, value) in [
        ("instructedAmount", json!({"amount": "1.00", "currency": "NOK"})),
        ("creditorAccount", json!({"bban": "95360573037", "currency": "NOK"})),
    ] {
        let pointer = format!("/{name}");
        assert(&bench, &with(&bulk(1), &pointer, value), &[error("BOD-09", &pointer)]);
    }
    for product in Product::ALL.into_iter().filter(|product| *product != Product::Bulk) {
        let body = with(&product.body(), "/payments", bulk(1)["payments"].clone());
        assert_eq!(bench.judge_sent(product, &body), [error("BOD-09", "/payments")], "{product:?}");
    }
}

#[test]
fn a_payment_of_a_bulk_needs_a_town_where_money_is_exchanged() {
    let bench = Bench::new();
    let abroad = json!({"country": "NO"});
    let mut body = with(&bulk(2), "/payments/1/creditorAddress", abroad);
    assert(&bench, &body, &[]);
    set(&mut body, "/payments/1/creditorAccount/currency", "EUR");
    assert(&bench, &body, &[error("ADR-01", "/payments/1/creditorAddress/townName")]);
    // Both accounts in one currency again, and the amount too.
    set(&mut body, "/debtorAccount/currency", "EUR");
    set(&mut body, "/payments/0/creditorAddress/townName", "Oslo");
    assert(&bench, &body, &[error("ADR-01", "/payments/1/creditorAddress/townName")]);
    set(&mut body, "/payments/1/instructedAmount/currency", "EUR");
    assert(&bench, &body, &[]);
}
