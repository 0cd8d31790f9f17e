//! Every way through a payment's life, walked over the real engine and the simulated bank: no sequence of up to
//! six events brings a payment to an executed status without a completed SCA, takes a row that the table does
//! not have, or moves what is final.
//!
//! The walk is a search in breadth. A state is the database; two databases that differ in nothing the rules look
//! at are one state, so each is walked on from once.

mod explorer;

use std::collections::HashSet;

use crate::world::products::{bulk, BULK, DOMESTIC};
use crate::world::straks;
use explorer::{Event, Setup, State};
use xs2a::machine::Machine;
use xs2a::payment::machine::PaymentStatus;

/// What a walk came across.
#[derive(Default)]
struct Seen {
    states: usize,
    steps: usize,
    statuses: HashSet<PaymentStatus>,
}

/// Walks from nothing, that many events deep, with at most so many payments, of which the setup has the first.
fn walk(setup: &Setup, depth: usize, payments: usize, reports: &[PaymentStatus]) -> Seen {
    let mut seen = Seen::default();
    let mut known = HashSet::new();
    let mut edge = vec![State::empty()];
    for _ in 0..depth {
        let mut next = Vec::new();
        for state in edge {
            for event in state.events(payments, reports) {
                let after = setup.after(&state, event);
                assert_sound(&state, event, &after);
                seen.steps += 1;
                seen.statuses.extend(after.statuses());
                if known.insert(after.key()) {
                    next.push(after);
                }
            }
        }
        seen.states += next.len();
        edge = next;
    }
    seen
}

/// What must hold of every step.
fn assert_sound(before: &State, event: Event, after: &State) {
    let reported =
        || format!("{event:?} after {:?}: {:?}, then {:?}", before.path, before.payments, after.payments);
    for (index, payment) in after.payments.iter().enumerate() {
        let ends_unexecuted = matches!(payment.status, PaymentStatus::Rjct | PaymentStatus::Canc);
        let is_executed = payment.status != PaymentStatus::Rcvd && !ends_unexecuted;
        assert!(!is_executed || payment.sca_completed, "executed without an SCA: {}", reported());
        assert!(payment.authorised || !is_executed, "{}", reported());
        assert!(!payment.authorised || payment.sca_completed, "{}", reported());
        // Only what was authorised waits for the bank, and nothing that has come to its end does.
        assert!(!payment.in_outbox || (payment.authorised && !payment.status.is_final()), "{}", reported());
        // A payment in a basket waits with it, or was ended by another channel.
        assert!(!payment.in_basket || !payment.authorised, "{}", reported());
        let Some(earlier) = before.payments.get(index) else {
            assert_eq!(payment.status, PaymentStatus::Rcvd, "{}", reported());
            continue;
        };
        assert!(!earlier.status.is_final() || payment.status == earlier.status, "{}", reported());
        let stays_or_has_a_row =
            payment.status == earlier.status || reaches(earlier.status, payment.status, event);
        assert!(stays_or_has_a_row, "no row of the table: {}", reported());
    }
}

/// Whether the table leads there: in one step, or in two for the events that take two.
fn reaches(from: PaymentStatus, to: PaymentStatus, event: Event) -> bool {
    let takes_two = matches!(event, Event::Batch | Event::Deliver);
    from.may_become(to) || (takes_two && from.targets().iter().any(|between| between.may_become(to)))
}

#[test]
fn one_payment_never_executes_without_its_sca_in_any_six_events() {
    let all: HashSet<_> = PaymentStatus::STATES.iter().copied().collect();
    let whole = all.iter().copied().filter(|status| *status != PaymentStatus::Part).collect();
    for (target, order, statuses) in [(DOMESTIC, straks(), whole), (BULK, bulk(2), all)] {
        let seen = walk(&Setup::new(target, order), 6, 1, PaymentStatus::STATES);
        assert!(seen.states > 100 && seen.steps > 1_000, "{} states, {} steps", seen.states, seen.steps);
        // The walk is not empty: it came by every status, and to PART with a bulk alone.
        assert_eq!(seen.statuses, statuses, "{target}");
    }
}

#[test]
fn two_payments_and_their_baskets_never_execute_without_an_sca() {
    let reports = [PaymentStatus::Canc];
    let seen = walk(&Setup::new(DOMESTIC, straks()), 6, 2, &reports);
    assert!(seen.states > 200 && seen.steps > 2_000, "{} states, {} steps", seen.states, seen.steps);
    for status in [PaymentStatus::Rcvd, PaymentStatus::Pdng, PaymentStatus::Acsc, PaymentStatus::Canc] {
        assert!(seen.statuses.contains(&status), "{status}");
    }
}
