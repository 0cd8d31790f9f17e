//! What `run_due` deletes by age, and what erasing a person deletes.

use chrono::{Days, TimeDelta};
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::policy::{Environment, Policy};
use xs2a::types::PsuKey;
use xs2a::{Error, ScaAnswer};

use crate::audit::{all, consent, kinds, ON};
use crate::setup::{quiet_policy, Setup};
use crate::world::*;

fn kari() -> PsuKey {
    PsuKey::new("kari")
}

fn days_after(setup: &Setup, days: i64) {
    setup.wait(TimeDelta::days(days));
    setup.engine.run_due().unwrap();
}

#[test]
fn a_payment_without_history_is_deleted_after_its_days() {
    let mut policy = quiet_policy();
    policy.payments_kept_days = 30;
    let setup = Setup::with(|builder| builder.policy(policy));
    let (abandoned, paid) = (accepted(&setup.create()), setup.ordered());
    setup.engine.run_due().unwrap();
    let is_there = |created: &Value| setup.engine.payment(text(created, "/paymentId")).unwrap().is_some();
    days_after(&setup, 30);
    assert!(is_there(&abandoned) && is_there(&paid));
    // It is looked at once an hour.
    setup.wait(TimeDelta::seconds(3540));
    days_after(&setup, 0);
    assert!(is_there(&abandoned));
    setup.wait(TimeDelta::seconds(60));
    days_after(&setup, 0);
    // The history of the second is part of the audit, which the owner of the tables deletes.
    assert!(!is_there(&abandoned) && is_there(&paid));
}

#[test]
fn with_no_days_everything_is_kept() {
    let mut policy = Policy::new(Environment::Production);
    assert_eq!(
        (policy.consents_kept_days, policy.payments_kept_days, policy.statistics_kept_days),
        (731, 2192, 1096)
    );
    (policy.payments_kept_days, policy.statistics_kept_days) = (0, 0);
    let setup = Setup::with(|builder| builder.policy(policy));
    let created = accepted(&setup.create());
    let day = setup.now().date_naive();
    days_after(&setup, 8_000);
    assert!(setup.engine.payment(text(&created, "/paymentId")).unwrap().is_some());
    assert_eq!(setup.engine.statistics(day, day, None).unwrap()[0].all.requests(), 1);
}

#[test]
fn statistics_are_deleted_after_their_days() {
    let mut policy = Policy::new(Environment::Production);
    policy.statistics_kept_days = 10;
    let setup = Setup::with(|builder| builder.policy(policy));
    setup.create();
    let day = setup.now().date_naive();
    let requests = || setup.engine.statistics(day, day + Days::new(1), None).unwrap()[0].all.requests();
    days_after(&setup, 10);
    assert_eq!(requests(), 1);
    days_after(&setup, 1);
    assert_eq!(requests(), 0);
}

#[test]
fn an_erased_person_is_unknown_to_the_tpp() {
    let world = World::with_policy(ON);
    let engine = world.sandbox.engine();
    let back = consent(&world, &ScaAnswer::approve(PAYER));
    let psu_id = parameter(&back, "psu-id").unwrap();
    let psu = engine.consents(&Default::default(), None, 9).unwrap()[0].consent.psu.psu.clone();
    let read = || {
        let headers = [&plain_headers()[..], &[("PSU-ID", psu_id.as_str())]].concat();
        world.call("GET", "/v1/accounts", &headers, b"").status()
    };
    assert_eq!(read(), 200);
    let done: Value = serde_json::from_str(&engine.erase_psu_json(&psu).unwrap()).unwrap();
    assert_eq!((&done["erased"]["consents"], &done["erased"]["psuIds"]), (&json!(1), &json!(1)));
    assert_eq!(done["kept"], json!([{ "what": "audit", "why": "evidence: you delete it" }]));
    assert_eq!(read(), 401);
    assert!(engine.consents(&Default::default(), None, 9).unwrap().is_empty());
    let lines = all(engine);
    assert_eq!(kinds(&lines).iter().filter(|kind| **kind == "psu.erased").count(), 1);
    let again: Value = serde_json::from_str(&engine.erase_psu_json(&psu).unwrap()).unwrap();
    assert_eq!(again["erased"]["consents"], 0);
}

#[test]
fn a_person_with_an_open_payment_is_erased_once_it_ends() {
    let setup = Setup::new();
    let created = setup.ordered();
    let refused = setup.engine.erase_psu(&kari());
    let Err(Error::Conflict(why)) = refused else { panic!("{refused:?}") };
    assert!(why.contains(text(&created, "/paymentId")), "{why}");
    setup.engine.run_due().unwrap();
    assert_eq!(setup.payment(&created).status, PaymentStatus::Acsc);
    let erased = setup.engine.erase_psu(&kari()).unwrap();
    assert_eq!(erased.rows.payments, 1);
    let until = setup.payment(&created).created_at + TimeDelta::days(2192);
    assert_eq!(erased.payments_until, Some(until));
    assert!(matches!(setup.engine.erase_psu(&PsuKey::new("a\0")), Err(Error::Misuse(_))));
}

#[cfg(feature = "postgres")]
#[test]
fn on_postgresql_figures_erasure_and_age_are_the_same() {
    use std::sync::Arc;
    use xs2a::internal::PostgresStore;
    use xs2a::store::Store;

    use crate::postgres_server::Server;
    use crate::setup::{Mood, TPP};

    let Some(server) = Server::shared() else { return };
    let store: Arc<dyn Store> = Arc::new(PostgresStore::open(&server.database()).unwrap());
    let mut policy = Policy::new(Environment::Production);
    (policy.payments_kept_days, policy.statistics_kept_days) = (30, 30);
    let setup = Setup::with(|builder| builder.store(Arc::clone(&store)).policy(policy));
    let (abandoned, paid) = (accepted(&setup.create()), setup.ordered());
    let refused = setup.engine.erase_psu(&kari());
    assert!(matches!(refused, Err(Error::Conflict(_))), "{refused:?}");
    setup.engine.run_due().unwrap();
    setup.bank.feel("fee", Mood::Failing);
    for _ in 0..5 {
        assert_eq!(setup.create().status(), 500);
        setup.wait(TimeDelta::seconds(10));
    }
    setup.bank.feel("fee", Mood::Well);
    assert_eq!(setup.create().status(), 201);
    let day = setup.now().date_naive();
    let figures = |tpp| setup.engine.statistics(day, day, tpp).unwrap().remove(0);
    let all = figures(None);
    assert_eq!((all.pisp.requests(), all.pisp.errors, all.aisp.requests()), (8, 5, 0));
    assert!((all.downtime_seconds() - 50.0).abs() < 5.0, "{all:?}");
    assert_eq!((figures(Some(TPP)), figures(Some("other")).all.requests()), (all.clone(), 0));

    let erased = setup.engine.erase_psu(&kari()).unwrap().rows;
    assert_eq!((erased.payments, erased.open_payment), (1, None));
    assert_eq!(setup.engine.erase_psu(&kari()).unwrap().rows.psu_ids, 0);
    days_after(&setup, 32);
    let is_there = |created: &Value| setup.engine.payment(text(created, "/paymentId")).unwrap().is_some();
    assert!(!is_there(&abandoned) && is_there(&paid));
    assert_eq!(figures(None).all.requests(), 0);
}
