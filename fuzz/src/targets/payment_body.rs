//! Bodies of payments, by product: what is accepted is JSON for another reader too, and is accepted in that reader's
//! spelling with the same findings. The first byte chooses the product.

use std::collections::BTreeSet;

use serde_json::Value;
use xs2a::bank::Product;
use xs2a::tools::{validate_payment, TppMessage};

fn findings(product: Product, body: &[u8]) -> Vec<TppMessage> {
    let (service, name) = product.path().split_once('/').expect("service and product");
    let at = "2026-09-01T10:00:00Z".parse().ok();
    validate_payment(service, name, body, at, "sandbox", &[]).expect("a time of the calendar")
}

fn is_accepted(findings: &[TppMessage]) -> bool {
    findings.iter().all(|message| message.category == "WARNING")
}

pub(super) fn check(input: &[u8]) {
    let Some((chosen, body)) = input.split_first() else { return };
    let product = Product::ALL[usize::from(*chosen) % Product::ALL.len()];
    let found = findings(product, body);
    assert!(found.len() <= 100, "{} findings", found.len());
    if !is_accepted(&found) {
        return;
    }
    let value: Value = serde_json::from_slice(body).expect("JSON");
    let again = findings(product, value.to_string().as_bytes());
    assert!(is_accepted(&again), "refused in another spelling: {value}");
    // A member that is unknown may be there twice; the other reader keeps one.
    let places =
        |found: &[TppMessage]| found.iter().map(|message| message.path.clone()).collect::<BTreeSet<_>>();
    assert_eq!(places(&found), places(&again), "{value}");
    let amounts = value.pointer("/instructedAmount/amount").and_then(Value::as_str);
    if let Some(amount) = amounts {
        let number: f64 = amount.parse().expect("a number");
        assert!(number > 0.0 && number.is_finite(), "an amount of {amount}");
    }
}
