//! What the model keeps of consents: every one that was granted, in this order.

use chrono::{DateTime, Utc};

use super::model_outbox::{done_if, Outcome};
use super::samples::{psu, OTHER_TPP, TPP};
use crate::consent::record::{Consent, ConsentEnd};
use crate::store::{CommitOutcome, ConsentFilter, Store, Write};
use crate::types::{ActingPsu, PsuKey};

type Kept = (Consent, Option<(DateTime<Utc>, ConsentEnd)>);

#[derive(Debug, Clone, Default)]
pub(super) struct Consents(Vec<Kept>);

impl Consents {
    pub(super) fn apply(&mut self, write: &Write) -> Outcome {
        match write {
            Write::GrantConsent(granted) => self.grant(granted),
            Write::RevokeConsent { at, tpp, psu } => return self.revoke(tpp, psu, *at),
            Write::NoteAccess { tpp, psu, at } => self.note_access(tpp, psu, *at),
            _ => return None,
        }
        Some(CommitOutcome::Applied)
    }

    fn open_of(&mut self, tpp: &str, psu: &ActingPsu) -> Option<&mut Kept> {
        let is_open =
            |(consent, ended): &&mut Kept| (&*consent.tpp, &consent.psu) == (tpp, psu) && ended.is_none();
        self.0.iter_mut().find(is_open)
    }

    fn grant(&mut self, granted: &Consent) {
        if let Some((_, ended)) = self.open_of(&granted.tpp, &granted.psu) {
            *ended = Some((granted.granted_at, ConsentEnd::Replaced));
        }
        self.0.push((granted.clone(), None));
    }

    fn revoke(&mut self, tpp: &str, psu: &PsuKey, at: DateTime<Utc>) -> Outcome {
        let mut revoked = 0;
        for (consent, ended) in &mut self.0 {
            if &*consent.tpp == tpp && consent.psu.psu == *psu && ended.is_none() {
                (consent.is_revoked, *ended) = (true, Some((at, ConsentEnd::Revoked)));
                revoked += 1;
            }
        }
        done_if(revoked > 0, CommitOutcome::VersionConflict)
    }

    fn note_access(&mut self, tpp: &str, psu: &ActingPsu, at: DateTime<Utc>) {
        if let Some((consent, _)) = self.open_of(tpp, psu) {
            consent.last_access_at = consent.last_access_at.max(Some(at));
        }
    }

    /// Compares the newest consent of each role, and pages of two of each filter.
    pub(super) fn assert_derived_from(&self, store: &dyn Store) {
        for (consent, _) in &self.0 {
            let is_of_role = |(other, _): &&Kept| (&other.tpp, &other.psu) == (&consent.tpp, &consent.psu);
            let newest = self.0.iter().rfind(is_of_role).map(|(newest, _)| newest);
            let found = store.consents().consent(&consent.tpp, &consent.psu).unwrap();
            assert_eq!(found.as_ref(), newest);
        }
        for person in [None, Some(psu(0)), Some(psu(1))] {
            for tpp in [None, Some(TPP.to_owned()), Some(OTHER_TPP.to_owned())] {
                let filter = ConsentFilter { psu: person.clone(), tpp };
                let is_listed = |(consent, _): &&Kept| {
                    filter.psu.as_ref().is_none_or(|psu| consent.psu.psu == *psu)
                        && filter.tpp.as_ref().is_none_or(|tpp| *consent.tpp == **tpp)
                };
                let expected: Vec<_> = self.0.iter().rev().filter(is_listed).cloned().collect();
                assert_eq!(listed(store, &filter), expected, "{filter:?}");
            }
        }
    }
}

/// All consents of a filter, in pages of two.
pub(super) fn listed(store: &dyn Store, filter: &ConsentFilter) -> Vec<Kept> {
    let (mut all, mut below) = (Vec::new(), None);
    loop {
        let page = store.consents().list_consents(filter, below, 2).unwrap();
        assert!(page.len() <= 2);
        let Some(last) = page.last() else { return all };
        below = Some(last.number);
        all.extend(page.into_iter().map(|listed| (listed.consent, listed.ended)));
    }
}
