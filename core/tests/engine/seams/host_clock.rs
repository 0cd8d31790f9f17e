//! What the host's own calls make of its clock.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use xs2a::bank::PaymentStatus;
use xs2a::env::Clock;
use xs2a::internal::from_micros;
use xs2a::types::PsuKey;
use xs2a::{Engine, Error, Result};

use crate::setup::{approved, authorisation_id, Setup, TPP};
use crate::world::{accepted, text};

/// A clock that can be read once, as soon as it is to fail.
#[derive(Default)]
struct ReadOnce(Mutex<Option<usize>>);

impl Clock for ReadOnce {
    fn now(&self) -> DateTime<Utc> {
        if let Some(left) = &mut *self.0.lock() {
            *left = left.checked_sub(1).expect("the clock is read again");
        }
        from_micros(1_795_176_000_000_000)
    }
}

#[test]
fn a_list_is_of_one_time() {
    let clock = Arc::new(ReadOnce::default());
    let of_engine = Arc::clone(&clock);
    let engine = Setup::with(|builder| builder.clock(of_engine)).engine;
    for list in [Engine::consents_json, Engine::payments_json] {
        *clock.0.lock() = Some(1);
        assert_eq!(list(&engine, "").unwrap(), "[]");
        assert!(matches!(list(&engine, ""), Err(Error::Internal(_))), "a panic of the clock ends here");
    }
}

#[test]
fn the_hosts_own_calls_do_nothing_by_a_clock_beyond_the_calendar() {
    let setup = Setup::new();
    let (open, ordered) = (accepted(&setup.create()), setup.ordered());
    let (link, id) = (authorisation_id(&open), text(&ordered, "/paymentId"));
    let engine = &setup.engine;
    // The last microsecond that every language binding can express, and the first that none can.
    for (micros, is_beyond) in [(253_402_300_799_999_999, false), (253_402_300_800_000_000, true)] {
        setup.clock.set(from_micros(micros)).unwrap();
        let before = *setup.store.committed.lock();
        let calls: [(&str, Result<()>); 8] = [
            ("authorisation", engine.authorisation(link).map(drop)),
            ("complete_sca", engine.complete_sca(link, &approved()).map(drop)),
            ("next_due", engine.next_due().map(drop)),
            ("retry_order", engine.retry_order(id)),
            ("revoke_consent", engine.revoke_consent(TPP, &PsuKey::new("kari")).map(drop)),
            ("report_payment_status", engine.report_payment_status(id, PaymentStatus::Acsp, None)),
            ("run_due", engine.run_due().map(drop)),
            ("run_due_while", engine.run_due_while(|| true).map(drop)),
        ];
        for (name, called) in calls {
            let of_clock = "a clock shows the years 1 to 9999 (UTC), not ";
            let is_refused = matches!(&called, Err(Error::Misuse(message)) if message.starts_with(of_clock));
            assert_eq!(is_refused, is_beyond, "{name}: {called:?}");
        }
        assert_eq!(*setup.store.committed.lock() == before, is_beyond);
    }
}
