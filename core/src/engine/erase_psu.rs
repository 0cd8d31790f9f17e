//! Erasing a person: what no law keeps is deleted, and what stays is named.

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use super::public_api::Engine;
use crate::error::{Error, Result};
use crate::pipeline::audit::{note, Cause};
use crate::store::{CommitOutcome, PsuRows, Write};
use crate::types::instant::rfc3339;
use crate::types::PsuKey;
use crate::wire::json;

/// What [`Engine::erase_psu`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Erasure {
    /// The rows before it. Consents, sessions, authorisations, ids and counts are deleted; payments stay.
    pub rows: PsuRows,
    /// Until when the payments stay at least; `None`: for ever, or there are none.
    pub payments_until: Option<DateTime<Utc>>,
}

impl Engine {
    /// Deletes what the database has of a person, by the bank's own reference, and no law keeps: consents, sessions,
    /// links, the ids by which TPPs know the person, counts of calls. Payments, their baskets, and the audit stay.
    /// The audit gets a line. A TPP that calls for the person is answered as for an unknown one.
    ///
    /// # Errors
    /// [`Error::Conflict`] if a payment of the person is open: authorised and without a final status, or with an order;
    /// the text names it, and nothing is deleted. [`Error::Misuse`] for a reference with U+0000. [`Error::Store`].
    pub fn erase_psu(&self, psu: &PsuKey) -> Result<Erasure> {
        self.at_present("erase_psu", |_, now| {
            if psu.as_str().contains('\0') {
                return Err(Error::Misuse("a reference to a person has no U+0000".to_owned()));
            }
            let policy = self.context.policy();
            let rows = self.rows_to_erase(psu)?;
            let mut writes = vec![Write::ErasePsu(psu.clone())];
            note(&policy, &mut writes, || Cause::of_host("erased at the bank", now))?;
            if self.context.store().commit(&writes)? != CommitOutcome::Applied {
                self.rows_to_erase(psu)?;
                return Err(Error::Conflict(
                    "a payment of this person is being changed: try again".to_owned(),
                ));
            }
            let days = (policy.payments_kept_days > 0).then(|| i64::from(policy.payments_kept_days));
            let until = |newest: DateTime<Utc>| newest.checked_add_signed(TimeDelta::days(days?));
            Ok(Erasure { payments_until: rows.newest_payment.and_then(until), rows })
        })
    }

    /// What there is of a person without an open payment.
    fn rows_to_erase(&self, psu: &PsuKey) -> Result<PsuRows> {
        let rows = self.context.store().retention().rows_of_psu(psu)?;
        match &rows.open_payment {
            None => Ok(rows),
            Some(id) => Err(Error::Conflict(format!(
                "the payment {id} of this person is open: erase the person once it is settled, rejected or cancelled"
            ))),
        }
    }

    /// As [`Engine::erase_psu`], as a JSON object: `erased` has the number of deleted rows by their kind, and `kept` is
    /// an array of `{"what","count","until","why"}`; `until` is absent for what stays for ever or until you delete it,
    /// `count` where it is not counted.
    ///
    /// # Errors
    /// As [`Engine::erase_psu`].
    pub fn erase_psu_json(&self, psu: &PsuKey) -> Result<String> {
        let Erasure { rows, payments_until } = self.erase_psu(psu)?;
        let erased = ErasedView {
            consents: rows.consents,
            sessions: rows.sessions,
            authorisations: rows.authorisations,
            psu_ids: rows.psu_ids,
            corporate_psus: rows.corporate_psus,
            access_counts: rows.access_counts,
        };
        let payments = KeptView {
            what: "payments",
            count: Some(rows.payments),
            until: payments_until.map(rfc3339),
            why: "accounts and anti-money-laundering",
        };
        let audit = KeptView { what: "audit", count: None, until: None, why: "evidence: you delete it" };
        let kept = (rows.payments > 0).then_some(payments).into_iter().chain([audit]).collect();
        json::write_text(&ErasureView { erased, kept })
    }
}

#[derive(Serialize)]
struct ErasureView {
    erased: ErasedView,
    kept: Vec<KeptView>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ErasedView {
    consents: u64,
    sessions: u64,
    authorisations: u64,
    psu_ids: u64,
    corporate_psus: u64,
    access_counts: u64,
}

#[derive(Serialize)]
struct KeptView {
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
    why: &'static str,
}
