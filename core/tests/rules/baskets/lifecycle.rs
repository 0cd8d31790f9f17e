//! From open to authorised or deleted, and the transitions of the payments in between.

use serde_json::{json, Value};
use xs2a::payment::machine::PaymentStatus;
use xs2a::ScaAnswer;

use crate::world::baskets::{own, BASKETS};
use crate::world::*;

fn approve() -> ScaAnswer {
    ScaAnswer::approve(PAYER)
}

fn status(world: &World, basket: &Value) -> Value {
    body(&world.get(&format!("{}/status", own(basket))))
}

#[test]
fn before_its_sca_a_basket_is_deleted_and_its_payments_are_free_again() {
    let world = World::new();
    let (first, second) = (world.numbered(1), world.numbered(2));
    let basket = world.basket(&[&first, &second]);
    let started = accepted(&world.start(&basket));
    world.gives_up(own(&basket));
    for target in [own(&basket).to_owned(), format!("{}/status", own(&basket))] {
        assert_refused(&world.get(&target), 404, "RESOURCE_UNKNOWN", "");
    }
    assert_refused(&world.act("DELETE", own(&basket)), 404, "RESOURCE_UNKNOWN", "");
    assert_refused(&world.start(&basket), 404, "RESOURCE_UNKNOWN", "");
    // The link that was open leads nowhere.
    let callback = world.answer(&started, &approve());
    assert_eq!(parameter(&callback, "code").as_deref(), Some("CONFLICT"));
    for payment in [&first, &second] {
        assert_eq!(world.transaction_status(payment), "RCVD");
    }
    world.answer(&accepted(&world.start(&first)), &approve());
    assert_eq!(world.transaction_status(&first), "ACSC");
    world.gives_up(own(&second));
}

#[test]
fn after_its_sca_a_basket_cannot_be_deleted_or_authorised_again() {
    let world = World::new();
    let basket = world.basket(&[&world.numbered(1)]);
    world.sign(&basket, &approve());
    assert_refused(&world.act("DELETE", own(&basket)), 409, "CONFLICT", "");
    assert_refused(&world.start(&basket), 409, "CONFLICT", "");
    let links = status(&world, &basket)["_links"].clone();
    assert_eq!(links["self"]["verbs"], json!(["GET"]));
    assert!(links.get("startAuthorisation").is_none(), "{links}");
}

#[test]
fn a_payment_in_an_open_basket_is_not_authorised_or_cancelled_alone() {
    let world = World::new();
    let payment = world.numbered(1);
    let basket = world.basket(&[&payment]);
    assert_refused(&world.start(&payment), 409, "CONFLICT", "");
    assert_refused(&world.act("DELETE", own(&payment)), 409, "CONFLICT", "");
    let cancelling = format!("{}/cancellation-authorisations", own(&payment));
    assert_refused(&world.act("POST", &cancelling), 409, "CONFLICT", "");
    // Nor by the link that its creation was answered with.
    let callback = world.answer(&payment, &approve());
    assert_eq!(parameter(&callback, "code").as_deref(), Some("CONFLICT"));
    let shown = world.status(&payment);
    assert_eq!(text(&shown, "/transactionStatus"), "RCVD");
    assert_eq!(shown["_links"]["self"]["verbs"], json!(["GET"]));
    assert!(shown["_links"].get("startAuthorisation").is_none());
    assert_eq!(text(&status(&world, &basket), "/transactionStatus"), "RCVD");
}

#[test]
fn after_an_aborted_or_failed_sca_a_basket_can_be_authorised_again() {
    let world = World::new();
    let (first, second) = (world.numbered(1), world.numbered(2));
    let basket = world.basket(&[&first, &second]);
    for answer in [abort(), ScaAnswer::approve("00000000000")] {
        let callback = world.sign(&basket, &answer);
        assert!(parameter(&callback, "code").is_some(), "{callback}");
        assert_eq!(text(&status(&world, &basket), "/transactionStatus"), "RCVD");
        for payment in [&first, &second] {
            assert_eq!(world.transaction_status(payment), "RCVD");
        }
        assert!(world.booked(PAYER_ACCOUNT).is_empty());
    }
    world.sign(&basket, &approve());
    assert_eq!(text(&status(&world, &basket), "/transactionStatus"), "ACTC");
    assert_eq!(world.booked(PAYER_ACCOUNT).len(), 2);
}

#[test]
fn several_links_of_one_basket_are_open_and_one_authorises_it() {
    let world = World::new();
    let basket = world.basket(&[&world.numbered(1)]);
    let links: Vec<_> = (0..3).map(|_| accepted(&world.start(&basket))).collect();
    world.answer(&links[0], &abort());
    world.answer(&links[1], &approve());
    let callback = world.answer(&links[2], &approve());
    assert_eq!(parameter(&callback, "code").as_deref(), Some("CONFLICT"));
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-1.00"]);
}

#[test]
fn a_basket_of_which_no_payment_waits_any_more_cannot_be_authorised() {
    let world = World::new();
    let payment = world.numbered(1);
    let basket = world.basket(&[&payment]);
    let started = accepted(&world.start(&basket));
    let id = text(&payment, "/paymentId");
    world.sandbox.engine().report_payment_status(id, PaymentStatus::Canc, None).unwrap();
    assert_eq!(text(&status(&world, &basket), "/transactionStatus"), "RJCT");
    assert_refused(&world.start(&basket), 409, "CONFLICT", "");
    let callback = world.answer(&started, &approve());
    assert_eq!(parameter(&callback, "code").as_deref(), Some("CONFLICT"));
    // It is still there to be deleted; what is cancelled stays so.
    world.gives_up(own(&basket));
    assert_eq!(world.transaction_status(&payment), "CANC");
}

#[test]
fn a_basket_survives_a_snapshot_and_not_the_sandboxs_reset() {
    let world = World::new();
    let basket = world.basket(&[&world.numbered(1)]);
    let image = world.sandbox.snapshot().unwrap();
    world.sandbox.initialize().unwrap();
    assert_refused(&world.get(own(&basket)), 404, "RESOURCE_UNKNOWN", "");
    world.sandbox.restore(&image).unwrap();
    assert_eq!(world.get(own(&basket)).status(), 200);
}

#[test]
fn an_id_may_come_percent_encoded_and_a_trailing_slash_is_another_path() {
    let world = World::new();
    let basket = world.basket(&[&world.numbered(1)]);
    let encoded = own(&basket).replacen("signing-baskets/enc!!", "signing-baskets/%65nc%21%21", 1);
    assert_ne!(encoded, own(&basket));
    assert_eq!(body(&world.get(&encoded)), body(&world.get(own(&basket))));
    for path in [format!("{}/", own(&basket)), format!("{BASKETS}/"), format!("{}/x", own(&basket))] {
        assert_refused(&world.get(&path), 404, "NOT_FOUND", "");
    }
    accepted(&world.act("POST", &format!("{encoded}/authorisations")));
    world.gives_up(&encoded);
}

#[test]
fn the_status_of_a_basket_is_computed_without_an_engine_too() {
    let status = xs2a::tools::basket_status;
    assert_eq!(status(&["RCVD", "PDNG"]).unwrap(), "PATC");
    assert_eq!(status(&["RCVD", "CANC"]).unwrap(), "RJCT");
    for wrong in [&[][..], &["rcvd"], &["RCVD", "PATC"]] {
        assert!(matches!(status(wrong), Err(xs2a::Error::Misuse(_))), "{wrong:?}");
    }
}
