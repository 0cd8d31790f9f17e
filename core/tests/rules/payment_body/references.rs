//! KID: what a Norwegian domestic payment may refer to.

use serde_json::{json, Value};

use crate::payment_body::bench::{changed, error, Bench, Product};
use crate::world::PAYEE_ACCOUNT;

const KID_ACCOUNT: &str = "91351631959";

const SINGLE: &str = "/remittanceInformationStructured/reference";
const FIRST: &str = "/remittanceInformationStructuredArray/0/reference";

/// A payment with a reference, in the single form and in the preferred one, with the place of the reference.
fn referring(product: Product, creditor: &str, reference: &Value) -> [(Value, &'static str); 2] {
    let changes = |form: &'static str, value: Value| {
        let mut changes = vec![("/remittanceInformationUnstructured", Value::Null), (form, value)];
        if product.is_domestic() {
            changes.push(("/creditorAccount/bban", json!(creditor)));
        }
        changed(product, &changes)
    };
    [
        (changes("/remittanceInformationStructured", reference.clone()), SINGLE),
        (changes("/remittanceInformationStructuredArray", json!([reference])), FIRST),
    ]
}

#[test]
fn a_reference_without_type_or_of_type_scor_is_a_kid() {
    let bench = Bench::new();
    // The shortest by modulus 10, by modulus 11 and by 11 with its dash, longer ones, the longest.
    let good = ["18", "19", "6-", "12344", "1234567897", "0000000000000000000000018"];
    let bad = [
        "12345",
        "1",
        "",
        "1234 4",
        "12-4",
        "A2344",
        "00000000000000000000000000",
        "1234567890123456789012345678901234",
    ];
    for product in Product::at_home() {
        for kind in [json!(null), json!("SCOR")] {
            let sent = |kid: &str| {
                referring(product, PAYEE_ACCOUNT, &json!({"reference": kid, "referenceType": kind}))
            };
            for kid in good {
                sent(kid).iter().for_each(|(body, _)| bench.assert(product, body, &[]));
            }
            for kid in bad {
                let row = if kid.is_empty() { "BOD-05" } else { "KID-02" };
                for (body, pointer) in sent(kid) {
                    bench.assert(product, &body, &[error(row, pointer)]);
                }
            }
        }
    }
}

#[test]
fn a_reference_whose_type_is_faulty_is_not_judged_as_a_kid() {
    let bench = Bench::new();
    for product in Product::at_home() {
        for (kind, row) in [(json!("Ł"), "BOD-07"), (json!("x".repeat(36)), "BOD-06"), (json!(7), "BOD-02")]
        {
            let reference = json!({"reference": "12345", "referenceType": kind});
            for (body, pointer) in referring(product, PAYEE_ACCOUNT, &reference) {
                bench.assert(product, &body, &[error(row, &format!("{pointer}Type"))]);
            }
        }
    }
    let list = json!([{"reference": "12345", "referenceType": 7}, {"reference": "12345"}]);
    let changes = [
        ("/remittanceInformationUnstructured", Value::Null),
        ("/remittanceInformationStructuredArray", list),
    ];
    let found = [
        error("BOD-02", "/remittanceInformationStructuredArray/0/referenceType"),
        error("KID-02", "/remittanceInformationStructuredArray/1/reference"),
    ];
    bench.assert(Product::Straks, &changed(Product::Straks, &changes), &found);
}

#[test]
fn a_reference_whose_type_is_empty_is_judged_as_one_without_a_type() {
    let bench = Bench::new();
    for product in Product::at_home() {
        let reference = json!({"reference": "12345", "referenceType": "", "referenceIssuer": ""});
        for (body, pointer) in referring(product, PAYEE_ACCOUNT, &reference) {
            bench.assert(product, &body, &[error("KID-02", pointer)]);
        }
    }
}

#[test]
fn a_faulty_reference_hides_no_fault_of_those_beside_it() {
    let bench = Bench::new();
    let list = json!([{"reference": "12345"}, {"reference": ""}, 7, {"reference": "12345"}]);
    let changes = [
        ("/remittanceInformationUnstructured", Value::Null),
        ("/remittanceInformationStructuredArray", list),
    ];
    let found = [
        error("BOD-05", "/remittanceInformationStructuredArray/1/reference"),
        error("BOD-03", "/remittanceInformationStructuredArray/2"),
        error("KID-02", "/remittanceInformationStructuredArray/0/reference"),
        error("KID-02", "/remittanceInformationStructuredArray/3/reference"),
    ];
    bench.assert(Product::Straks, &changed(Product::Straks, &changes), &found);
}

#[test]
fn a_reference_of_another_type_or_of_a_payment_abroad_is_no_kid() {
    let bench = Bench::new();
    for product in Product::ALL {
        let kind = if product.is_domestic() { json!("CINV") } else { Value::Null };
        for (body, _) in
            referring(product, PAYEE_ACCOUNT, &json!({"reference": "12345", "referenceType": kind}))
        {
            bench.assert(product, &body, &[]);
        }
    }
}

#[test]
fn every_reference_of_an_array_is_judged() {
    let bench = Bench::new();
    let list = json!([
        {"reference": "12344"},
        {"reference": "12345"},
        {"reference": "x", "referenceType": "CINV"},
        {"reference": "1"},
    ]);
    let body = changed(
        Product::Straks,
        &[
            ("/remittanceInformationUnstructured", Value::Null),
            ("/remittanceInformationStructuredArray", list),
        ],
    );
    let at =
        |index: usize| error("KID-02", &format!("/remittanceInformationStructuredArray/{index}/reference"));
    bench.assert(Product::Straks, &body, &[at(1), at(3)]);
}

#[test]
fn the_kid_creditor_takes_5_to_25_digits_by_modulus_10_only() {
    let bench = Bench::new();
    let judge = |reference: Value, row: Option<&str>| {
        for product in Product::at_home() {
            for (body, pointer) in referring(product, KID_ACCOUNT, &reference) {
                let expected: Vec<_> = row.map(|row| error(row, pointer)).into_iter().collect();
                bench.assert(product, &body, &expected);
            }
        }
    };
    for kid in ["12344", "1234567897", "1234567890123456789012340"] {
        judge(json!({"reference": kid}), None);
        judge(json!({"reference": kid, "referenceType": "SCOR", "referenceIssuer": "X"}), None);
    }
    // Too short; by modulus 11 alone; no KID at all; one digit too long to be one.
    for (kid, row) in [
        ("1230", "KID-03"),
        ("12343", "KID-03"),
        ("12345", "KID-02"),
        ("00000000000000000000000000", "KID-02"),
    ] {
        judge(json!({"reference": kid}), Some(row));
    }
}

#[test]
fn every_kid_of_an_array_is_checked_against_the_agreement() {
    let bench = Bench::new();
    let array = |references: Value| {
        let changes = [
            ("/creditorAccount/bban", json!(KID_ACCOUNT)),
            ("/remittanceInformationUnstructured", Value::Null),
            ("/remittanceInformationStructuredArray", references),
        ];
        changed(Product::Straks, &changes)
    };
    let at =
        |row, index: usize| error(row, &format!("/remittanceInformationStructuredArray/{index}/reference"));
    let invoice = json!({"reference": "x", "referenceType": "CINV"});
    let (good, short, other) =
        (json!({"reference": "12344"}), json!({"reference": "1230"}), json!({"reference": "12343"}));
    for (references, expected) in [
        (json!([good, good]), vec![]),
        (json!([good, invoice]), vec![]),
        (json!([good, short]), vec![at("KID-03", 1)]),
        (json!([good, invoice, other, short]), vec![at("KID-03", 2), at("KID-03", 3)]),
        (json!([other, good]), vec![at("KID-03", 0)]),
    ] {
        bench.assert(Product::Straks, &array(references), &expected);
    }
}

#[test]
fn a_payment_to_the_kid_creditor_needs_a_kid() {
    let bench = Bench::new();
    let missing = [error("KID-01", SINGLE)];
    for product in Product::at_home() {
        for remittance in [
            ("/remittanceInformationUnstructured", json!("12344")),
            ("/remittanceInformationUnstructured", json!(null)),
        ] {
            let body = changed(product, &[("/creditorAccount/bban", json!(KID_ACCOUNT)), remittance]);
            bench.assert(product, &body, &missing);
        }
        for (body, _) in
            referring(product, KID_ACCOUNT, &json!({"reference": "12344", "referenceType": "CINV"}))
        {
            bench.assert(product, &body, &missing);
        }
        // The dots that people write do not make it another account.
        let body = changed(product, &[("/creditorAccount/bban", json!("9135.16.31959"))]);
        bench.assert(product, &body, &missing);
    }
}

#[test]
fn what_only_the_bank_knows_is_named_beside_every_other_fault() {
    let bench = Bench::new();
    let kid_account = ("/creditorAccount/bban", json!(KID_ACCOUNT));
    let nameless = ("/creditorName", json!(""));
    for product in Product::at_home() {
        let body = changed(product, &[kid_account.clone(), nameless.clone()]);
        bench.assert(product, &body, &[error("BOD-05", "/creditorName"), error("KID-01", SINGLE)]);
        let unreadable = [
            kid_account.clone(),
            ("/remittanceInformationUnstructured", Value::Null),
            ("/remittanceInformationStructured", json!({"reference": 7})),
        ];
        // What cannot be read may have been a KID, and so may what has a type that is none.
        bench.assert(product, &changed(product, &unreadable), &[error("BOD-02", SINGLE)]);
        for (body, pointer) in
            referring(product, KID_ACCOUNT, &json!({"reference": "1230", "referenceType": 7}))
        {
            bench.assert(product, &body, &[error("BOD-02", &format!("{pointer}Type"))]);
        }
    }
}
