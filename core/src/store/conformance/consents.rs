//! One consent that counts per TPP and PSU in a role, and the ended ones.

use chrono::TimeDelta;

use super::model_consents::listed;
use super::samples::{acting, acting_for, audited, consent, psu, time, OTHER_TPP, TPP};
use super::Backend;
use crate::consent::record::{Consent, ConsentEnd};
use crate::store::{CommitOutcome, ConsentFilter, Store, Write};
use crate::types::Context;

fn commit(store: &dyn Store, write: Write) {
    assert_eq!(store.commit(&[write]).unwrap(), CommitOutcome::Applied);
}

fn grant(store: &dyn Store, consent: &Consent) {
    commit(store, Write::GrantConsent(consent.clone()));
}

pub(crate) fn every_field_comes_back(backend: &impl Backend) {
    let store = backend.node();
    let nothing = consent(TPP, acting(3, Context::Private), &[], &[], 1);
    let revoked = Consent { is_revoked: true, ..consent(TPP, acting(4, Context::Private), &[1], &[], 2) };
    let of_company = consent(OTHER_TPP, acting_for(1, 2), &[], &[3, 1], 3);
    for kept in [consent(TPP, acting(1, Context::Private), &[1, 2], &[2], 0), nothing, revoked, of_company] {
        grant(&*store, &kept);
        assert_eq!(store.consents().consent(&kept.tpp, &kept.psu).unwrap(), Some(kept));
    }
}

pub(crate) fn a_consent_is_of_one_tpp_person_context_and_customer(backend: &impl Backend) {
    let store = backend.node();
    grant(&*store, &consent(TPP, acting_for(1, 2), &[1], &[], 0));
    for (tpp, psu) in [
        (OTHER_TPP, acting_for(1, 2)),
        (TPP, acting_for(2, 2)),
        (TPP, acting_for(1, 1)),
        (TPP, acting(1, Context::Private)),
    ] {
        assert_eq!(store.consents().consent(tpp, &psu).unwrap(), None, "{tpp} {psu:?}");
    }
}

pub(crate) fn a_new_grant_replaces_the_whole_scope(backend: &impl Backend) {
    let store = backend.node();
    let person = || acting(1, Context::Private);
    grant(&*store, &consent(TPP, person(), &[1, 2], &[1], 0));
    grant(&*store, &consent(TPP, acting_for(1, 1), &[3], &[], 0));
    let next = consent(TPP, person(), &[2, 3], &[], 5);
    grant(&*store, &next);
    assert_eq!(store.consents().consent(TPP, &person()).unwrap(), Some(next));
    let other = consent(TPP, acting_for(1, 1), &[3], &[], 0);
    assert_eq!(store.consents().consent(TPP, &acting_for(1, 1)).unwrap(), Some(other));
}

pub(crate) fn revoking_takes_back_every_role_of_one_person_at_one_tpp(backend: &impl Backend) {
    let store = backend.node();
    let consents = [
        consent(TPP, acting(1, Context::Private), &[1], &[], 0),
        consent(TPP, acting_for(1, 1), &[2], &[], 0),
        consent(TPP, acting(2, Context::Private), &[3], &[], 0),
        consent(OTHER_TPP, acting(1, Context::Private), &[1], &[], 0),
    ];
    consents.iter().for_each(|consent| grant(&*store, consent));
    // Doing it again changes nothing, and so does revoking what was never granted; nor does what comes with it.
    for (person, expected) in [
        (1, CommitOutcome::Applied),
        (1, CommitOutcome::VersionConflict),
        (9, CommitOutcome::VersionConflict),
    ] {
        let revoke = Write::RevokeConsent { at: time(1), tpp: TPP.into(), psu: psu(person) };
        assert_eq!(store.commit(&[revoke, Write::AppendAudit(audited(1))]).unwrap(), expected);
    }
    assert_eq!(store.audit().audit_lines(&(time(0)..time(9)), None, 9).unwrap().len(), 1);
    let revoked: Vec<_> = consents
        .iter()
        .map(|consent| store.consents().consent(&consent.tpp, &consent.psu).unwrap().unwrap().is_revoked)
        .collect();
    assert_eq!(revoked, [true, true, false, false]);
    grant(&*store, &consents[0]);
    assert_eq!(store.consents().consent(TPP, &consents[0].psu).unwrap().as_ref(), Some(&consents[0]));
}

pub(crate) fn an_ended_consent_is_listed_until_it_is_purged(backend: &impl Backend) {
    let store = backend.node();
    let person = || acting(1, Context::Private);
    let all = || listed(&*store, &ConsentFilter::default());
    let first = consent(TPP, person(), &[1], &[2], 0);
    let second = consent(TPP, person(), &[2, 3], &[], 5);
    grant(&*store, &first);
    grant(&*store, &second);
    let replaced = (first, Some((time(5), ConsentEnd::Replaced)));
    assert_eq!(all(), [(second.clone(), None), replaced.clone()]);
    commit(&*store, Write::RevokeConsent { at: time(7), tpp: TPP.into(), psu: psu(1) });
    let revoked = (Consent { is_revoked: true, ..second }, Some((time(7), ConsentEnd::Revoked)));
    let third = consent(TPP, person(), &[4], &[], 9);
    grant(&*store, &third);
    assert_eq!(
        all(),
        [(third.clone(), None), revoked.clone(), replaced],
        "a new grant does not replace a revoked one"
    );
    let purge = |before, limit| store.consents().purge_consents(time(before), limit).unwrap();
    assert_eq!((purge(5, 9), purge(6, 9), purge(6, 9)), (0, 1, 0));
    assert_eq!(all(), [(third.clone(), None), revoked]);
    grant(&*store, &consent(OTHER_TPP, person(), &[1], &[], 10));
    assert_eq!((purge(99, 1), purge(99, 1)), (1, 0), "consents that count stay");
    assert_eq!(store.consents().consent(TPP, &person()).unwrap(), Some(third.clone()));
    let expired = |micros| third.valid_until() + TimeDelta::microseconds(micros);
    assert_eq!(store.consents().purge_consents(expired(0), 9).unwrap(), 0);
    assert_eq!(store.consents().purge_consents(expired(1), 9).unwrap(), 1);
    assert_eq!(store.consents().consent(TPP, &person()).unwrap(), None);
}

pub(crate) fn a_read_is_noted_at_the_consent_that_counts(backend: &impl Backend) {
    let store = backend.node();
    let person = || acting(1, Context::Private);
    let note = |psu, at| commit(&*store, Write::NoteAccess { tpp: TPP.into(), psu, at: time(at) });
    let last = |psu| store.consents().consent(TPP, &psu).unwrap().and_then(|consent| consent.last_access_at);
    note(person(), 1);
    grant(&*store, &consent(TPP, person(), &[1], &[], 0));
    grant(&*store, &consent(TPP, acting_for(1, 2), &[1], &[], 0));
    assert_eq!(last(person()), None);
    for (at, expected) in [(5, 5), (3, 5), (6, 6)] {
        note(person(), at);
        assert_eq!((last(person()), last(acting_for(1, 2))), (Some(time(expected)), None));
    }
    grant(&*store, &consent(TPP, person(), &[1], &[], 7));
    assert_eq!(last(person()), None, "nothing was read under the new one");
    commit(&*store, Write::RevokeConsent { at: time(8), tpp: TPP.into(), psu: psu(1) });
    note(person(), 9);
    assert_eq!(last(person()), None);
}
