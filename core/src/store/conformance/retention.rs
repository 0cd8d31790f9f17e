//! Rows are deleted by age, and those of a person at once; what others need stays.

use chrono::NaiveDate;

use super::samples::{
    acting, authorisation, basket, consent, counted, event, full_authorisation, insert, open_session, order,
    payment, payment_id, psu, remember_corporate, remember_psu, time, TPP,
};
use super::Backend;
use crate::payment::machine::PaymentStatus;
use crate::statistics::record::{CallEnd, CallSum, CountedCalls, Outage};
use crate::store::{Basket, CommitOutcome, CountedAccess, Payment, PsuRows, Store, Write};
use crate::types::Context;

fn commit(store: &dyn Store, writes: &[Write]) {
    assert_eq!(store.commit(writes).unwrap(), CommitOutcome::Applied);
}

fn of_psu(number: u8) -> Payment {
    Payment {
        psu: Some(psu(1)),
        status: PaymentStatus::Acsc,
        authorised_at: Some(time(1)),
        ..payment(number)
    }
}

fn rows(store: &dyn Store, person: u8) -> PsuRows {
    store.retention().rows_of_psu(&psu(person)).unwrap()
}

pub(crate) fn payments_that_others_need_are_not_deleted(backend: &impl Backend) {
    let store = backend.node();
    commit(&*store, &[1, 2, 3, 4, 5, 6].map(|number| insert(payment(number))));
    let in_basket = Payment { basket: Some(basket(9).id), ..payment(7) };
    let newer = Payment { created_at: time(1), ..payment(8) };
    commit(
        &*store,
        &[
            insert(in_basket),
            insert(newer),
            Write::AppendEvent(event(4, 0, "history")),
            Write::EnqueueOrder(order(5, 0, 0)),
            Write::InsertAuthorisation(authorisation(1, 6)),
        ],
    );
    assert_eq!(store.retention().purge_payments(time(0), 9).unwrap(), 0);
    assert_eq!(store.retention().purge_payments(time(1), 2).unwrap(), 2);
    assert_eq!(store.retention().purge_payments(time(1), 2).unwrap(), 1);
    assert_eq!(store.retention().purge_payments(time(1), 2).unwrap(), 0);
    let left = [1, 2, 3, 4, 5, 6, 7, 8]
        .into_iter()
        .filter(|number| store.payments().payment(&payment_id(*number)).unwrap().is_some());
    assert_eq!(left.collect::<Vec<_>>(), [4, 5, 6, 7, 8]);
}

pub(crate) fn open_payments_are_not_deleted(backend: &impl Backend) {
    let store = backend.node();
    let with = |number, status, authorised: bool| {
        let authorised_at = authorised.then(|| time(0));
        insert(Payment { status, authorised_at, ..payment(number) })
    };
    commit(
        &*store,
        &[
            with(1, PaymentStatus::Pdng, true),
            with(2, PaymentStatus::Acsp, true),
            with(3, PaymentStatus::Acsc, true),
            with(4, PaymentStatus::Rjct, true),
            with(5, PaymentStatus::Canc, true),
            with(6, PaymentStatus::Rcvd, false),
        ],
    );
    assert_eq!(store.retention().purge_payments(time(1), 9).unwrap(), 4);
    for (number, stays) in [(1, true), (2, true), (3, false)] {
        assert_eq!(store.payments().payment(&payment_id(number)).unwrap().is_some(), stays, "{number}");
    }
}

pub(crate) fn baskets_are_deleted_by_their_age(backend: &impl Backend) {
    let store = backend.node();
    let newer = Basket { created_at: time(1), ..basket(2) };
    commit(&*store, &[Write::InsertBasket(basket(1)), Write::InsertBasket(newer.clone())]);
    assert_eq!(store.retention().purge_baskets(time(0), 9).unwrap(), 0);
    assert_eq!(store.retention().purge_baskets(time(1), 9).unwrap(), 1);
    assert_eq!(store.payments().basket(&basket(1).id).unwrap(), None);
    assert_eq!(store.payments().basket(&newer.id).unwrap(), Some(newer));
}

pub(crate) fn statistics_are_deleted_by_their_age(backend: &impl Backend) {
    let store = backend.node();
    let day = |number| NaiveDate::from_ymd_opt(2026, 9, number).unwrap();
    let count = |number| {
        let (tpp, operation, end) = (TPP.into(), "getAccounts", CallEnd::Answered);
        let counted = CountedCalls { day: day(number), tpp, operation, end };
        Write::CountCalls { counted, sum: CallSum { calls: 1, micros: 1 } }
    };
    let outage = |from, to| Write::NoteOutage(Outage { from: time(from), to: time(to) });
    commit(&*store, &[count(1), count(2), count(3), outage(0, 5), outage(1, 6)]);
    assert_eq!(store.retention().purge_statistics(day(1), time(5), 9).unwrap(), 0);
    assert_eq!(store.retention().purge_statistics(day(3), time(6), 1).unwrap(), 1);
    assert_eq!(store.retention().purge_statistics(day(3), time(6), 9).unwrap(), 1);
    assert_eq!(store.statistics().day_calls(day(1), day(9), None).unwrap().len(), 1);
    let outages = store.statistics().outages(&(time(-9)..time(99)), None, 9).unwrap();
    assert_eq!(outages, [Outage { from: time(1), to: time(6) }]);
}

/// Something of a person in each table.
fn everything(person: u8) -> Vec<Write> {
    let counted = CountedAccess { psu: psu(person), ..counted(1) };
    let consent = consent(TPP, acting(person, Context::Private), &[person], &[person], 0);
    vec![
        remember_psu(TPP, person, person),
        remember_corporate(TPP, person, person, person + 100),
        insert(payment(person + 100)),
        Write::InsertAuthorisation(full_authorisation(person, person + 100)),
        open_session(TPP, &format!("session-{person}"), person, 0),
        Write::GrantConsent(consent),
        Write::CountAccess { counted, limit: 4 },
    ]
}

pub(crate) fn a_person_is_erased_and_payments_stay(backend: &impl Backend) {
    let store = backend.node();
    commit(&*store, &everything(1));
    commit(&*store, &everything(2));
    let newest = Payment { created_at: time(9), ..of_psu(4) };
    commit(&*store, &[insert(of_psu(3)), insert(newest)]);
    let whole = PsuRows {
        consents: 1,
        sessions: 1,
        authorisations: 1,
        psu_ids: 1,
        corporate_psus: 1,
        access_counts: 1,
        payments: 2,
        newest_payment: Some(time(9)),
        open_payment: None,
    };
    assert_eq!(rows(&*store, 1), whole);
    let other = rows(&*store, 2);
    commit(&*store, &[Write::ErasePsu(psu(1))]);
    let left = PsuRows { payments: 2, newest_payment: Some(time(9)), ..PsuRows::default() };
    assert_eq!((rows(&*store, 1), rows(&*store, 2)), (left, other));
    commit(&*store, &[Write::ErasePsu(psu(1)), Write::ErasePsu(psu(7))]);
    assert_eq!(rows(&*store, 7), PsuRows::default());
}

pub(crate) fn a_person_with_an_open_payment_is_not_erased(backend: &impl Backend) {
    let store = backend.node();
    commit(&*store, &[remember_psu(TPP, 1, 1)]);
    let never_approved = Payment { status: PaymentStatus::Rcvd, authorised_at: None, ..of_psu(1) };
    commit(&*store, &[insert(never_approved)]);
    assert_eq!(rows(&*store, 1).open_payment, None);
    let pending = Payment { status: PaymentStatus::Pdng, ..of_psu(2) };
    commit(&*store, &[insert(pending.clone())]);
    let refused = |open| {
        assert_eq!(rows(&*store, 1).open_payment, Some(payment_id(open)));
        assert_eq!(store.commit(&[Write::ErasePsu(psu(1))]).unwrap(), CommitOutcome::VersionConflict);
        assert_eq!(rows(&*store, 1).psu_ids, 1);
    };
    refused(2);
    for status in [PaymentStatus::Acsc, PaymentStatus::Rjct, PaymentStatus::Canc] {
        let version = store.payments().payment(&payment_id(2)).unwrap().unwrap().version + 1;
        commit(&*store, &[Write::UpdatePayment(Box::new(Payment { status, version, ..pending.clone() }))]);
        assert_eq!(rows(&*store, 1).open_payment, None, "{status:?}");
    }
    commit(&*store, &[Write::EnqueueOrder(order(2, 0, 0))]);
    refused(2);
    commit(&*store, &[Write::RemoveOrder(payment_id(2)), Write::ErasePsu(psu(1))]);
    assert_eq!(rows(&*store, 1).psu_ids, 0);
}
