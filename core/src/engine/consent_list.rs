//! The consents of a person or a TPP, as a permission dashboard shows them.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::page::{check_limit, limit_of, no_row, read_query};
use super::public_api::Engine;
use crate::consent::machine::ConsentStatus;
use crate::consent::record::{ConsentEnd, ListedConsent};
use crate::error::Result;
use crate::json_bank::shape::shape;
use crate::machine::Machine;
use crate::store::ConsentFilter;
use crate::types::instant::rfc3339;
use crate::types::{AccountId, CardAccountId, Context, CorporateKey, PsuKey};
use crate::wire::json;

/// How a listed consent is named that was replaced by a newer one: for a TPP, only the newest counts.
const REPLACED: &str = "replaced";

struct ConsentQuery {
    psu: Option<PsuKey>,
    tpp: Option<String>,
    after: Option<String>,
    limit: Option<u64>,
}

shape! {
    ConsentQuery "consent-query" {
        psu: PsuKey = optional "psu", "the person who granted it";
        tpp: String = optional "tpp", "the organisation identifier of the TPP";
        after: String = optional "after", "the id of the last row of the page before";
        limit: u64 = optional "limit", "the number of rows";
    }
}

impl Engine {
    /// Consents that count and ended ones, the newest first: those with a number below `below`, at most `limit`. A
    /// consent that was revoked or replaced is listed for two years from then.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for a limit other than 1 to 1000;
    /// [`Error::Store`](crate::Error::Store).
    pub fn consents(
        &self,
        filter: &ConsentFilter,
        below: Option<i64>,
        limit: usize,
    ) -> Result<Vec<ListedConsent>> {
        self.at_present("consents", |_, _| {
            self.context.store().consents().list_consents(filter, below, check_limit(limit)?)
        })
    }

    /// As [`Engine::consents`], as JSON. The query is an object with any of `psu`, `tpp`, `after` (the `id` of the last
    /// row of the page before) and `limit` (200 if absent). The answer is an array of objects:
    ///
    /// | member | value |
    /// |---|---|
    /// | `id` | of the row |
    /// | `state` | `valid`, `expired`, `revokedByPsu` or `replaced` |
    /// | `tpp`, `tppName` | the TPP: organisation identifier, and the name in its certificate if it has one |
    /// | `psu`, `context`, `corporate` | the PSU in its role; the last in the context `CORPORATE` alone |
    /// | `purpose` | `accountInformation` |
    /// | `accounts`, `cardAccounts` | the ids of the accounts, as the bank knows them |
    /// | `grantedAt`, `validUntil` | when the PSU granted it, and when it expires at the latest |
    /// | `lastAccessAt` | when the TPP last read under it, at most a minute too early; absent: never |
    /// | `endedAt`, `endedWhy` | when it ended, and why: `expired`, `revoked` or `replaced`; absent: it is valid |
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for another query, and as [`Engine::consents`].
    pub fn consents_json(&self, query: &str) -> Result<String> {
        let query: ConsentQuery = read_query(query)?;
        let number = |id: &str| id.parse().map_err(|_| no_row("after", "consent"));
        let below = query.after.as_deref().map(number).transpose()?;
        let filter = ConsentFilter { psu: query.psu, tpp: query.tpp };
        let limit = limit_of(query.limit);
        self.at_present("consents", |_, now| {
            let listed =
                self.context.store().consents().list_consents(&filter, below, check_limit(limit)?)?;
            let views: Vec<_> = listed.iter().map(|listed| ConsentView::new(listed, now)).collect();
            json::write_text(&views)
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ConsentView<'c> {
    id: String,
    state: &'static str,
    tpp: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tpp_name: Option<&'c str>,
    psu: &'c str,
    context: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    corporate: Option<&'c str>,
    purpose: &'static str,
    accounts: Vec<&'c str>,
    card_accounts: Vec<&'c str>,
    granted_at: String,
    valid_until: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_access_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_why: Option<&'static str>,
}

impl<'c> ConsentView<'c> {
    fn new(listed: &'c ListedConsent, now: DateTime<Utc>) -> Self {
        let consent = &listed.consent;
        let (state, ended) = state_at(listed, now);
        Self {
            id: listed.number.to_string(),
            state,
            tpp: &consent.tpp,
            tpp_name: consent.tpp_name.as_deref(),
            psu: consent.psu.psu.as_str(),
            context: Context::as_str(consent.psu.context),
            corporate: consent.psu.corporate.as_ref().map(CorporateKey::as_str),
            purpose: "accountInformation",
            accounts: consent.accounts.iter().map(AccountId::as_str).collect(),
            card_accounts: consent.card_accounts.iter().map(CardAccountId::as_str).collect(),
            granted_at: rfc3339(consent.granted_at),
            valid_until: rfc3339(consent.valid_until()),
            last_access_at: consent.last_access_at.map(rfc3339),
            ended_at: ended.map(|(at, _)| rfc3339(at)),
            ended_why: ended.map(|(_, why)| why),
        }
    }
}

/// The state of a listed consent, and when and why it ended: by what came first.
fn state_at(
    listed: &ListedConsent,
    now: DateTime<Utc>,
) -> (&'static str, Option<(DateTime<Utc>, &'static str)>) {
    let valid_until = listed.consent.valid_until();
    let ended = listed.ended.filter(|(at, _)| *at < valid_until);
    match ended {
        Some((at, end)) => {
            let state = match end {
                ConsentEnd::Revoked => ConsentStatus::RevokedByPsu.as_str(),
                ConsentEnd::Replaced => REPLACED,
            };
            (state, Some((at, end.as_str())))
        }
        None if valid_until <= now => {
            (ConsentStatus::Expired.as_str(), Some((valid_until, ConsentStatus::Expired.as_str())))
        }
        None => (ConsentStatus::Valid.as_str(), None),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chrono::TimeDelta;

    use super::*;
    use crate::consent::record::Consent;
    use crate::limits::CONSENT_LIFE_DAYS;
    use crate::types::ActingPsu;

    #[test]
    fn a_consent_ended_by_what_came_first() {
        let granted_at: DateTime<Utc> = "2026-09-01T12:00:00Z".parse().unwrap();
        let expiry = granted_at + TimeDelta::days(CONSENT_LIFE_DAYS);
        let micro = TimeDelta::microseconds(1);
        let listed = |ended| ListedConsent {
            number: 1,
            consent: Consent {
                tpp: "PSDNO-FSA-1".into(),
                tpp_name: None,
                psu: ActingPsu { psu: PsuKey::new("kari"), context: Context::Private, corporate: None },
                granted_at,
                last_access_at: None,
                is_revoked: false,
                accounts: BTreeSet::new(),
                card_accounts: BTreeSet::new(),
            },
            ended,
        };
        let expired = ("expired", Some((expiry, "expired")));
        for (ended, now, expected) in [
            (None, expiry - micro, ("valid", None)),
            (None, expiry, expired),
            (
                Some((expiry - micro, ConsentEnd::Revoked)),
                expiry,
                ("revokedByPsu", Some((expiry - micro, "revoked"))),
            ),
            (
                Some((granted_at, ConsentEnd::Replaced)),
                granted_at,
                ("replaced", Some((granted_at, "replaced"))),
            ),
            (Some((expiry, ConsentEnd::Revoked)), expiry, expired),
            (Some((expiry + micro, ConsentEnd::Replaced)), expiry + micro, expired),
        ] {
            assert_eq!(state_at(&listed(ended), now), expected, "{ended:?} {now}");
        }
    }
}
