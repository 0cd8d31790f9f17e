//! A sandbox in which nearly everything has happened once.

use serde_json::{json, Value};
use xs2a::ScaAnswer;

use crate::aisp::{consent, Aisp};
use crate::counter::{closing, ACCOUNTS, CARD_ACCOUNTS, PERSON};
use crate::world::authority::Authority;
use crate::world::*;

pub(crate) struct Busy {
    pub(crate) world: World,
    /// A payment that waits for its PSU, named by number.
    pub(crate) open: Value,
    /// A payment that waits for the bank's batch.
    pub(crate) pending: Value,
}

impl Busy {
    pub(crate) fn new() -> Self {
        Self::of(World::new())
    }

    pub(crate) fn of(world: World) -> Self {
        let root = Authority::root("Rot CA", 1, ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z"));
        world.sandbox.trust(&root.pem).unwrap();
        world.sandbox.register_tpp("Zweiter Zahler", &["PSP_PI"]).unwrap();
        audited(&world, || world.pay(STRAKS, &straks(), PAYER));
        world.sandbox.set_sca_demand("12085592767", "demanded").unwrap();
        world.pay(STRAKS, &with_kid(), PAYER);
        let pending = world.pay(CROSS_BORDER, &cross_border(), PAYER);
        cards_and_balances(&world);
        baskets_and_cancellations(&world);
        // Everything the payer and a company have, and a call without the PSU.
        consent(&world, "session-c", &approve_for(COMPANY_AGREEMENT));
        let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
        assert_eq!(
            aisp.get_alone(&format!("{}/transactions?bookingStatus=booked", aisp.account_path())).status(),
            200
        );
        let world = aisp.world;
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let open = accepted(&world.create_with(&target, &[("X-PSU-IDENTITY", PAYER)], &straks()));
        Self { world, open, pending }
    }
}

/// What is done leaves lines in the audit. What follows leaves none: the policy is not part of the state.
fn audited<T>(world: &World, done: impl FnOnce() -> T) -> T {
    let switch = |is_on| world.sandbox.set_policy(&json!({ "audit": is_on }).to_string()).unwrap();
    switch(true);
    let done = done();
    switch(false);
    done
}

/// To the creditor with a KID agreement.
fn with_kid() -> Value {
    changed(
        straks(),
        &[
            ("/creditorAccount/bban", json!("91351631959")),
            ("/remittanceInformationUnstructured", Value::Null),
            ("/remittanceInformationStructured", json!({"reference": "1234567897", "referenceType": "SCOR"})),
        ],
    )
}

fn cards_and_balances(world: &World) {
    world.pay(STRAKS, &changed(straks(), &[("/creditorAccount/bban", json!(PAYER_CARD))]), PAYER);
    let card = world.found(CARD_ACCOUNTS)["cardAccounts"][0].clone();
    let used = json!([{
        "bookingDate": "2026-08-10",
        "transactionAmount": {"currency": "NOK", "amount": 50},
        "originalAmount": {"currency": "EUR", "amount": 5},
        "markupFee": {"currency": "NOK", "amount": 1},
        "cardAcceptorAddress": {"city": "Berlin", "country": "DE"},
        "invoiced": "false",
    }]);
    world.made(&format!("{CARD_ACCOUNTS}/{}/transactions", text(&card, "/resourceId")), &used);
    let account = world
        .made(ACCOUNTS, &json!({"customerNumber": PERSON, "currency": "NOK", "accountName": "Æøå \"1\""}));
    world.put(&format!("{ACCOUNTS}/{}/balances", text(&account, "/id")), &json!([closing(700)]));
}

fn baskets_and_cancellations(world: &World) {
    let psu_id = world.payer_id();
    let payments = [2, 3].map(|number| world.numbered_of(&psu_id, number, PAYER_ACCOUNT));
    world.basket(&[&payments[0]]);
    let deleted = world.basket(&[&payments[1]]);
    world.gives_up(text(&deleted, "/_links/self/href"));
    let given_up = world.numbered(4);
    world.gives_up(text(&given_up, "/_links/self/href"));
}
