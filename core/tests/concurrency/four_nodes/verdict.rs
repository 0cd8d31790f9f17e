//! Compares the contents of the database at the end with the results that the nodes received.

use std::collections::{BTreeMap, BTreeSet};

use crate::four_nodes::journal::Journal;
use crate::four_nodes::node::{Node, TPP};
use crate::four_nodes::{NODES, ROUNDS};
use xs2a::bank::PaymentStatus;
use xs2a::internal::oslo_day;
use xs2a::store::CountedAccess;
use xs2a::types::{Machine as _, PaymentId};

pub(crate) fn judge(host: &Node, journals: &[Journal]) {
    let reported =
        |what: &str| journals.iter().flat_map(|journal| journal.reported(what)).collect::<Vec<_>>();
    of_like_payments_one_was_made(&reported("won"));
    calls_were_counted(host, &reported("read"));
    one_session_is_open(host, &reported("session"));
    what_was_approved_was_carried_out_once(host, &reported("approved"), &reported("cancelled"));
    let created = reported("created");
    assert!(created.len() >= ROUNDS * (1 + 2 * NODES), "{}", created.len());
    created.iter().for_each(|id| has_a_sound_history(host, id));
}

/// Each of them once.
fn unique(reported: &[String]) -> BTreeSet<&str> {
    let unique: BTreeSet<_> = reported.iter().map(String::as_str).collect();
    assert_eq!(unique.len(), reported.len(), "something twice in {reported:?}");
    unique
}

fn of_like_payments_one_was_made(won: &[String]) {
    assert_eq!(unique(won).len(), ROUNDS);
}

fn calls_were_counted(host: &Node, read: &[String]) {
    let mut counts = BTreeMap::<&str, u32>::new();
    read.iter().for_each(|account| *counts.entry(account).or_default() += 1);
    assert_eq!(counts.len(), 2);
    for (account, answered) in counts {
        let counted = CountedAccess {
            tpp: TPP.into(),
            psu: host.bank.payer().psu,
            account: account.to_owned(),
            operation: "getTransactions".to_owned(),
            day: oslo_day(crate::world::at("2026-09-01T10:00:00Z")),
        };
        assert_eq!((answered, host.store.quotas().access_count(&counted).unwrap()), (4, 4));
    }
}

/// All sessions are of one TPP, PSU and context: each replaced all others. An SCA that began before the open session's
/// opened none.
fn one_session_is_open(host: &Node, sessions: &[String]) {
    let sessions: BTreeSet<_> = sessions.iter().collect();
    assert!(sessions.len() > ROUNDS, "{}", sessions.len());
    let is_open = |id: &&&String| {
        host.store.sca().session(TPP, id).unwrap().is_some_and(|session| !session.is_replaced)
    };
    assert_eq!(sessions.iter().filter(is_open).count(), 1);
}

fn what_was_approved_was_carried_out_once(host: &Node, approved: &[String], cancelled: &[String]) {
    let (approved, cancelled) = (unique(approved), unique(cancelled));
    let carried_out = host.bank.carried_out();
    assert!(carried_out.iter().all(|(_, times)| *times == 1), "{carried_out:?}");
    let carried_out: BTreeSet<_> = carried_out.iter().map(|(id, _)| id.as_str()).collect();
    assert_eq!(carried_out, approved);
    assert!(carried_out.is_disjoint(&cancelled));
    for (ids, status) in [(&approved, PaymentStatus::Acsc), (&cancelled, PaymentStatus::Canc)] {
        assert!(!ids.is_empty());
        for id in ids {
            let payment = host.store.payments().payment(&PaymentId::parse(id).unwrap()).unwrap().unwrap();
            assert_eq!((payment.status, payment.basket), (status, None), "{id}");
        }
    }
}

/// The history leads from the beginning to the present status by steps that there are.
fn has_a_sound_history(host: &Node, id: &str) {
    let id = PaymentId::parse(id).unwrap();
    let payment = host.store.payments().payment(&id).unwrap().unwrap();
    let mut status = PaymentStatus::Rcvd;
    for step in host.store.payments().events(&id).unwrap() {
        assert_eq!(step.from, status, "{id:?}");
        assert!(step.from.may_become(step.to), "{id:?}: {step:?}");
        status = step.to;
    }
    assert_eq!(status, payment.status, "{id:?}");
}
