//! One SCA for all payments of a basket, one by one.

use serde_json::{json, Value};
use xs2a::engine::Subject;
use xs2a::payment::machine::PaymentStatus;
use xs2a::payment::record::Payment;
use xs2a::store::Store;
use xs2a::ScaAnswer;

use crate::setup::{approved, authorisation_id, Mood, Setup};
use crate::world::baskets::{names, own, BASKETS};
use crate::world::products::DOMESTIC;
use crate::world::*;

fn approve() -> ScaAnswer {
    ScaAnswer::approve(PAYER)
}

#[track_caller]
fn assert_statuses(world: &World, basket: &Value, expected: &str, payments: &[(&Value, &str)]) {
    for (payment, status) in payments {
        assert_eq!(world.transaction_status(payment), *status);
    }
    let shown = body(&world.get(&format!("{}/status", own(basket))));
    assert_eq!(text(&shown, "/transactionStatus"), expected);
}

#[test]
fn one_sca_authorises_every_payment() {
    let world = World::new();
    let instant = world.numbered(1);
    let batched = accepted(&world.create(DOMESTIC, &straks()));
    let abroad = accepted(&world.create(CROSS_BORDER, &cross_border()));
    let basket = world.basket(&[&instant, &batched, &abroad]);
    let callback = world.sign(&basket, &approve());
    assert!(parameter(&callback, "psu-id").is_some(), "{callback}");
    let statuses = [(&instant, "ACSC"), (&batched, "PDNG"), (&abroad, "PDNG")];
    assert_statuses(&world, &basket, "ACTC", &statuses);
    world.sandbox.advance(chrono::TimeDelta::days(1)).unwrap();
    let statuses = [(&instant, "ACSC"), (&batched, "ACSC"), (&abroad, "ACSC")];
    assert_statuses(&world, &basket, "ACTC", &statuses);
    world.assert_reconciled();
}

#[test]
fn the_psu_is_shown_every_order_that_waits() {
    let world = World::new();
    let (first, second) = (world.numbered(1), world.numbered(2));
    let basket = world.basket(&[&first, &second]);
    let started = accepted(&world.start(&basket));
    assert_eq!(started["scaStatus"], "started");
    let id = link(&started).rsplit('/').next().unwrap();
    let amounts = || {
        let shown = world.sandbox.engine().authorisation(id).unwrap().unwrap();
        let Subject::Basket(payments) = shown.subject else { panic!("{:?}", shown.subject) };
        let amount = |payment: &Payment| payment.order.transfers()[0].instructed_amount.to_string();
        payments.iter().map(amount).collect::<Vec<_>>()
    };
    assert_eq!(amounts(), ["1.00", "2.00"]);
    let cancelled = text(&first, "/paymentId");
    world.sandbox.engine().report_payment_status(cancelled, PaymentStatus::Canc, None).unwrap();
    assert_eq!(amounts(), ["2.00"]);
}

#[test]
fn a_payment_that_fails_is_rejected_and_the_others_go_on() {
    let world = World::new();
    let good = world.numbered(1);
    let from_another = world.numbered_from(2, PAYEE_ACCOUNT);
    let other_currency = changed(straks(), &[("/debtorAccount/currency", json!("EUR"))]);
    let in_another_currency = accepted(&world.create(STRAKS, &other_currency));
    let too_much = changed(straks(), &[("/instructedAmount/amount", json!("9999999.00"))]);
    let without_funds = accepted(&world.create(STRAKS, &too_much));
    let last = world.numbered(3);
    let basket = world.basket(&[&good, &from_another, &in_another_currency, &without_funds, &last]);
    let callback = world.sign(&basket, &approve());
    assert_eq!(parameter(&callback, "code"), None, "the SCA itself succeeded: {callback}");
    assert_statuses(
        &world,
        &basket,
        "RJCT",
        &[
            (&good, "ACSC"),
            (&from_another, "RJCT"),
            (&in_another_currency, "RJCT"),
            (&without_funds, "RJCT"),
            (&last, "ACSC"),
        ],
    );
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-3.00", "-1.00"]);
    assert!(world.booked(PAYEE_ACCOUNT).iter().all(|amount| !amount.starts_with('-')));
    assert_eq!(world.status(&without_funds)["fundsAvailable"], false);
    world.assert_reconciled();
}

#[test]
fn of_a_basket_only_the_payment_with_funds_and_not_cancelled_is_made() {
    let world = World::new();
    let too_much = changed(straks(), &[("/instructedAmount/amount", json!("100000.01"))]);
    let without_funds = accepted(&world.create(STRAKS, &too_much));
    let (cancelled, sound) = (world.numbered(2), world.numbered(3));
    let basket = world.basket(&[&without_funds, &cancelled, &sound]);
    let started = accepted(&world.start(&basket));
    let id = text(&cancelled, "/paymentId");
    world.sandbox.report_payment_status(id, PaymentStatus::Canc, None).unwrap();
    let callback = world.answer(&started, &approve());
    assert_eq!(parameter(&callback, "code"), None, "{callback}");
    let statuses = [(&without_funds, "RJCT"), (&cancelled, "CANC"), (&sound, "ACSC")];
    assert_statuses(&world, &basket, "RJCT", &statuses);
    assert_eq!(world.status(&without_funds)["fundsAvailable"], false);
    assert_eq!(world.status(&sound)["fundsAvailable"], true);
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-3.00"]);
    world.assert_reconciled();
}

#[test]
fn a_payment_ended_by_another_channel_stays_final_and_others_go_on() {
    for ended in [PaymentStatus::Canc, PaymentStatus::Rjct] {
        let world = World::new();
        let (first, second) = (world.numbered(1), world.numbered(2));
        let basket = world.basket(&[&first, &second]);
        let started = accepted(&world.start(&basket));
        world.sandbox.engine().report_payment_status(text(&first, "/paymentId"), ended, None).unwrap();
        assert_statuses(&world, &basket, "RJCT", &[(&first, &ended.to_string()), (&second, "RCVD")]);
        world.answer(&started, &approve());
        assert_statuses(&world, &basket, "RJCT", &[(&first, &ended.to_string()), (&second, "ACSC")]);
        assert_eq!(world.booked(PAYER_ACCOUNT), ["-2.00"]);
    }
}

#[test]
fn a_basket_of_an_identified_psu_is_approved_by_that_psu_alone() {
    let world = World::new();
    let payer = world.payer_id();
    let of_payer = world.numbered_of(&payer, 1, PAYER_ACCOUNT);
    let without_psu = world.numbered(2);
    let for_payer = accepted(&world.create_for(&payer, BASKETS, &names(&[text(&without_psu, "/paymentId")])));
    let derived = world.basket(&[&of_payer]);
    for (basket, payment) in [(&for_payer, &without_psu), (&derived, &of_payer)] {
        let callback = world.sign(basket, &ScaAnswer::approve(PAYEE));
        assert_eq!(parameter(&callback, "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
        assert_statuses(&world, basket, "RCVD", &[(payment, "RCVD")]);
        world.sign(basket, &approve());
        assert_statuses(&world, basket, "ACTC", &[(payment, "ACSC")]);
    }
}

#[test]
fn a_basket_for_a_company_is_approved_for_that_company_alone() {
    let world = World::new();
    let corporate = [("PSU-Context", "CORPORATE")];
    let order = changed(straks(), &[("/debtorAccount/bban", json!(COMPANY_ACCOUNT))]);
    let payment = accepted(&world.create_with(STRAKS, &corporate, &order));
    let sent = names(&[text(&payment, "/paymentId")]);
    // Known from an earlier payment for the company.
    let earlier = changed(order, &[("/instructedAmount/amount", json!("1.00"))]);
    let earlier = accepted(&world.create_with(STRAKS, &corporate, &earlier));
    let callback = world.answer(&earlier, &approve_for(COMPANY_AGREEMENT));
    let (psu_id, company) =
        (parameter(&callback, "psu-id").unwrap(), parameter(&callback, "psu-corporate-id").unwrap());
    let who = [("PSU-Context", "CORPORATE"), ("PSU-ID", &*psu_id), ("PSU-Corporate-ID", &*company)];
    let basket = accepted(&world.create_with(BASKETS, &who, &sent));
    let start = || accepted(&world.start_with(&basket, &corporate));
    let private = world.answer(&start(), &ScaAnswer::approve(PROXY));
    assert_eq!(parameter(&private, "code").as_deref(), Some("SCA_INVALID"));
    assert_statuses(&world, &basket, "RCVD", &[(&payment, "RCVD")]);
    world.answer(&start(), &approve_for(COMPANY_AGREEMENT));
    assert_statuses(&world, &basket, "ACTC", &[(&payment, "ACSC")]);
}

#[test]
fn a_payment_of_a_signed_basket_is_cancelled_by_an_sca_of_its_own() {
    let world = World::new();
    let payment = accepted(&world.create(DOMESTIC, &straks()));
    let basket = world.basket(&[&payment]);
    world.sign(&basket, &approve());
    assert_eq!(world.act("DELETE", own(&payment)).status(), 202);
    world.answer(&world.start_cancelling(&payment), &approve());
    assert_statuses(&world, &basket, "RJCT", &[(&payment, "CANC")]);
}

// What is written, and when.

impl Setup {
    /// The PSU-ID of the one person there is, from an order that the bank takes at once.
    fn psu_id(&self) -> String {
        let created = accepted(&self.create());
        let redirect = self.engine.complete_sca(authorisation_id(&created), &approved()).unwrap();
        self.engine.run_due().unwrap();
        parameter(&redirect.url, "psu-id").unwrap()
    }

    fn basket_of(&self, payments: &[&Value]) -> Value {
        let ids: Vec<_> = payments.iter().map(|created| text(created, "/paymentId")).collect();
        let sent = names(&ids).to_string();
        let psu_id = self.psu_id();
        let headers = replaced(creation_headers(), &[("PSU-ID", psu_id.as_str())]);
        accepted(&self.call("POST", BASKETS, &headers, sent.as_bytes()))
    }

    fn starts(&self, basket: &Value) -> Value {
        self.starts_with(basket, &[])
    }

    fn starts_with(&self, basket: &Value, headers: &[(&'static str, &'static str)]) -> Value {
        let headers = [creation_headers().as_slice(), headers].concat();
        accepted(&self.call("POST", &format!("{}/authorisations", own(basket)), &headers, b""))
    }

    /// A payment whose creation names the person by that number.
    fn named(&self, number: &'static str) -> Value {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let headers = replaced(creation_headers(), &[("X-PSU-IDENTITY", number)]);
        accepted(&self.call("POST", &target, &headers, straks().to_string().as_bytes()))
    }

    /// The numbers that the bank was asked about since the last time, in their order.
    fn numbers_asked(&self) -> Vec<String> {
        let mut asked: Vec<_> =
            self.bank.numbers.lock().drain(..).map(|number| number.as_str().to_owned()).collect();
        asked.sort();
        asked
    }
}

#[test]
fn an_approved_basket_is_one_commit_of_orders_and_events() {
    let setup = Setup::new();
    let payments = [accepted(&setup.create()), accepted(&setup.create())];
    let basket = setup.basket_of(&[&payments[0], &payments[1]]);
    for payment in &payments {
        assert!(setup.payment(payment).basket.is_some());
    }
    let started = setup.starts(&basket);
    let before = *setup.store.committed.lock();
    assert!(setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!(*setup.store.committed.lock(), before + 1);
    assert_eq!(setup.engine.run_due().unwrap().submitted, 2);
    for payment in &payments {
        let stored = setup.payment(payment);
        assert_eq!((stored.basket, stored.status), (None, PaymentStatus::Acsc));
        assert_eq!(stored.authorised_at, Some(setup.now()));
        let causes: Vec<_> =
            setup.store.payments().events(&stored.id).unwrap().into_iter().map(|event| event.cause).collect();
        assert_eq!(causes, ["sca completed", "bank: submitted"]);
    }
}

#[test]
fn a_bank_failure_at_one_payment_keeps_the_link_and_orders_nothing() {
    let setup = Setup::new();
    let payments = [accepted(&setup.create()), accepted(&setup.create())];
    let basket = setup.basket_of(&[&payments[0], &payments[1]]);
    let started = setup.starts(&basket);
    setup.bank.feel("debtor_account", Mood::Failing);
    assert!(setup.engine.complete_sca(authorisation_id(&started), &approved()).is_err());
    for payment in &payments {
        assert_eq!(setup.payment(payment).status, PaymentStatus::Rcvd);
    }
    assert_eq!(setup.engine.next_due().unwrap(), None);
    setup.bank.feel("", Mood::Well);
    assert!(setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!(setup.engine.run_due().unwrap().submitted, 2);
}

#[test]
fn whom_the_creation_of_a_payment_named_alone_signs_a_basket_with_it() {
    let setup = Setup::new();
    let payments = [accepted(&setup.create()), setup.named(PAYER)];
    let basket = setup.basket_of(&[&payments[0], &payments[1]]);
    *setup.bank.person.lock() = "ola";
    let redirect = setup.engine.complete_sca(authorisation_id(&setup.starts(&basket)), &approved()).unwrap();
    assert_eq!(parameter(&redirect.url, "code").as_deref(), Some("PSU_CREDENTIALS_INVALID"));
    for payment in &payments {
        assert_eq!(setup.payment(payment).status, PaymentStatus::Rcvd);
    }
    assert!(setup.payment(&payments[1]).identity.is_some());
    *setup.bank.person.lock() = "kari";
    let redirect = setup.engine.complete_sca(authorisation_id(&setup.starts(&basket)), &approved()).unwrap();
    assert!(redirect.approved, "{}", redirect.url);
    for payment in &payments {
        let signed = setup.payment(payment);
        assert_eq!((signed.status, signed.identity), (PaymentStatus::Pdng, None));
    }
}

#[test]
fn a_cancelled_payment_does_not_decide_the_psu_of_the_others() {
    let setup = Setup::new();
    let payments = [accepted(&setup.create()), setup.named(PAYER)];
    let basket = setup.basket_of(&[&payments[0], &payments[1]]);
    setup.report(&payments[1], PaymentStatus::Canc, None).unwrap();
    *setup.bank.person.lock() = "ola";
    let redirect = setup.engine.complete_sca(authorisation_id(&setup.starts(&basket)), &approved()).unwrap();
    assert!(redirect.approved, "{}", redirect.url);
}

#[test]
fn the_bank_is_asked_once_for_each_number_that_an_sca_is_about() {
    let setup = Setup::new();
    let payments = [setup.named(PAYER), setup.named(PAYEE), setup.named(PAYER), setup.named(PAYEE)];
    let basket = setup.basket_of(&payments.iter().collect::<Vec<_>>());
    setup.numbers_asked();
    let started = setup.starts_with(&basket, &[("X-PSU-IDENTITY", PAYEE)]);
    assert!(setup.engine.complete_sca(authorisation_id(&started), &approved()).unwrap().approved);
    assert_eq!(setup.numbers_asked(), [PAYEE, PAYER]);
    let single = setup.named(PAYER);
    assert!(setup.engine.complete_sca(authorisation_id(&single), &approved()).unwrap().approved);
    assert_eq!(setup.numbers_asked(), [PAYER]);
}
