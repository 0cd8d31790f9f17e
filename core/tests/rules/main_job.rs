//! The main job, end to end: a signed payment comes in, is authorised, settles, and shows up in the ledger.

use crate::world::*;
use serde_json::json;
use xs2a::ScaAnswer;

#[test]
fn an_instant_payment_goes_from_request_to_ledger() {
    let world = World::new();
    let created = world.create(STRAKS, &straks());
    assert_eq!((created.status(), created.reason()), (201, None), "{}", body(&created));
    let created = body(&created);
    assert_eq!(text(&created, "/transactionStatus"), "RCVD");
    assert_eq!(created["transactionFees"], json!({"amount": "0.00", "currency": "NOK"}));
    assert_eq!(created["transactionFeeIndicator"], false);

    let link = text(&created, "/_links/scaRedirect/href");
    let callback = world.sandbox.authorise(link, &ScaAnswer::approve(PAYER)).unwrap();
    assert!(callback.starts_with("https://tpp.example/callback?state=42&psu-id="), "{callback}");
    assert!(callback.ends_with("&tpp-session-id=session-1&context=PRIVATE"), "{callback}");

    let status = body(&world.get(text(&created, "/_links/status/href")));
    assert_eq!(text(&status, "/transactionStatus"), "ACSC");
    assert_eq!(status["fundsAvailable"], true);

    let debtor = world.ledger(PAYER_ACCOUNT);
    assert_eq!(text(&debtor, "/bookings/0/amount"), "-250.00");
    let creditor = world.ledger(PAYEE_ACCOUNT);
    assert_eq!(text(&creditor, "/bookings/0/amount"), "250.00");
    assert!(world.sandbox.reconcile().unwrap().is_empty());
}
