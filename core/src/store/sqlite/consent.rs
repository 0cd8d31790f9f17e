//! Consents and the accounts they open.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use rusqlite::{params, Connection, OptionalExtension, Result, Row};

use super::columns::{limit, micros, Columns};
use crate::consent::record::{granted_when_over_at, Consent, ConsentEnd, ListedConsent};
use crate::store::{CommitOutcome, ConsentFilter};
use crate::types::{AccountId, ActingPsu, CardAccountId, PsuKey};

const ACCOUNT: &str = "account";
const CARD: &str = "card";

/// Puts a consent in the place of the one before, whose row is kept.
pub(super) fn grant(connection: &Connection, consent: &Consent) -> Result<CommitOutcome> {
    const REPLACE: &str = "UPDATE consent SET ended_at = ?5, ended_why = 'replaced'
        WHERE tpp = ?1 AND psu = ?2 AND context = ?3 AND corporate = ?4 AND ended_at IS NULL";
    const GRANT: &str =
        "INSERT INTO consent (tpp, psu, context, corporate, granted_at, tpp_name, last_access_at,
            ended_at, ended_why)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) RETURNING number";
    const OPEN: &str = "INSERT INTO consent_account (consent, kind, account) VALUES (?1, ?2, ?3)";
    let psu = &consent.psu;
    let (tpp, person, context) = (&consent.tpp, psu.psu.as_str(), psu.context.as_str());
    let (corporate, granted_at) = (psu.stored_corporate(), micros(consent.granted_at));
    connection.prepare_cached(REPLACE)?.execute((tpp, person, context, corporate, granted_at))?;
    let ended = consent.is_revoked.then_some((granted_at, ConsentEnd::Revoked.as_str()));
    let (ended_at, ended_why) = ended.unzip();
    let last_access_at = consent.last_access_at.map(micros);
    let row = params![
        tpp,
        person,
        context,
        corporate,
        granted_at,
        consent.tpp_name,
        last_access_at,
        ended_at,
        ended_why
    ];
    let number: i64 = connection.prepare_cached(GRANT)?.query_row(row, |row| row.get(0))?;
    let mut open = connection.prepare_cached(OPEN)?;
    for account in &consent.accounts {
        open.execute((number, ACCOUNT, account.as_str()))?;
    }
    for card in &consent.card_accounts {
        open.execute((number, CARD, card.as_str()))?;
    }
    Ok(CommitOutcome::Applied)
}

/// Takes back what a person opened to a TPP, in every context. Lost where there is nothing to take back.
pub(super) fn revoke(
    connection: &Connection,
    tpp: &str,
    psu: &PsuKey,
    at: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE consent SET ended_at = ?3, ended_why = 'revoked'
        WHERE tpp = ?1 AND psu = ?2 AND ended_at IS NULL";
    let revoked = connection.prepare_cached(SQL)?.execute((tpp, psu.as_str(), micros(at)))?;
    Ok(if revoked == 0 { CommitOutcome::VersionConflict } else { CommitOutcome::Applied })
}

/// Notes that a TPP read under a consent that has not ended.
pub(super) fn note_access(
    connection: &Connection,
    tpp: &str,
    psu: &ActingPsu,
    at: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str = "UPDATE consent SET last_access_at = max(coalesce(last_access_at, ?5), ?5)
        WHERE tpp = ?1 AND psu = ?2 AND context = ?3 AND corporate = ?4 AND ended_at IS NULL";
    let role = (psu.psu.as_str(), psu.context.as_str(), psu.stored_corporate());
    connection.prepare_cached(SQL)?.execute((tpp, role.0, role.1, role.2, micros(at)))?;
    Ok(CommitOutcome::Applied)
}

/// The newest consent of a PSU in a role to a TPP.
pub(super) fn find(connection: &Connection, tpp: &str, psu: &ActingPsu) -> Result<Option<Consent>> {
    const SQL: &str = "SELECT number, tpp, tpp_name, psu, context, corporate, granted_at, last_access_at,
            ended_at, ended_why
        FROM consent WHERE tpp = ?1 AND psu = ?2 AND context = ?3 AND corporate = ?4
        ORDER BY number DESC LIMIT 1";
    let key = (tpp, psu.psu.as_str(), psu.context.as_str(), psu.stored_corporate());
    let found = connection.prepare_cached(SQL)?.query_row(key, read).optional()?;
    found.map(|listed| with_accounts(connection, listed).map(|listed| listed.consent)).transpose()
}

/// Selects consents with a number below ?1 by a condition on the person ?2 and the TPP ?3.
macro_rules! listing {
    ($condition:literal) => {
        concat!(
            "SELECT number, tpp, tpp_name, psu, context, corporate, granted_at, last_access_at, ended_at, ended_why
            FROM consent WHERE number < ?1 AND ",
            $condition,
            " ORDER BY number DESC LIMIT ?4"
        )
    };
}

const ALL: &str = listing!("?2 IS NULL AND ?3 IS NULL");
const OF_PSU: &str = listing!("psu = ?2 AND (?3 IS NULL OR tpp = ?3)");
const OF_TPP: &str = listing!("?2 IS NULL AND tpp = ?3");

/// The consents of a filter, the newest first.
pub(super) fn list(
    connection: &Connection,
    filter: &ConsentFilter,
    below: Option<i64>,
    at_most: usize,
) -> Result<Vec<ListedConsent>> {
    let sql = match (&filter.psu, &filter.tpp) {
        (Some(_), _) => OF_PSU,
        (None, Some(_)) => OF_TPP,
        (None, None) => ALL,
    };
    let psu = filter.psu.as_ref().map(PsuKey::as_str);
    let values = (below.unwrap_or(i64::MAX), psu, &filter.tpp, limit(at_most));
    let mut statement = connection.prepare_cached(sql)?;
    let listed = statement.query_map(values, read)?.collect::<Result<Vec<_>>>()?;
    listed.into_iter().map(|listed| with_accounts(connection, listed)).collect()
}

/// What a person opened to a TPP in every context and did not take back, without the accounts.
pub(super) fn of_person(connection: &Connection, tpp: &str, psu: &PsuKey) -> Result<Vec<Consent>> {
    const SQL: &str = "SELECT number, tpp, tpp_name, psu, context, corporate, granted_at, last_access_at,
            ended_at, ended_why
        FROM consent WHERE tpp = ?1 AND psu = ?2 AND ended_at IS NULL";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map((tpp, psu.as_str()), |row| read(row).map(|listed| listed.consent))?;
    rows.collect()
}

/// Deletes at most that many of the consents that ended or expired before a time.
pub(super) fn purge(connection: &Connection, before: DateTime<Utc>, at_most: usize) -> Result<usize> {
    const OLD: &str = "SELECT number FROM consent WHERE ended_at < ?1
        UNION ALL SELECT number FROM consent WHERE ended_at IS NULL AND granted_at < ?3 LIMIT ?2";
    const ACCOUNTS: &str = "DELETE FROM consent_account WHERE consent = ?1";
    const CONSENT: &str = "DELETE FROM consent WHERE number = ?1";
    let mut old = connection.prepare_cached(OLD)?;
    let numbers = old
        .query_map((micros(before), limit(at_most), micros(granted_when_over_at(before))), |row| {
            row.get(0)
        })?;
    let numbers = numbers.collect::<Result<Vec<i64>>>()?;
    for number in &numbers {
        connection.prepare_cached(ACCOUNTS)?.execute([number])?;
        connection.prepare_cached(CONSENT)?.execute([number])?;
    }
    Ok(numbers.len())
}

/// A row without its accounts.
fn read(row: &Row<'_>) -> Result<ListedConsent> {
    let mut columns = Columns::of(row);
    let number = columns.value()?;
    let mut consent = Consent {
        tpp: columns.value()?,
        tpp_name: columns.value()?,
        psu: columns.acting_psu()?,
        granted_at: columns.time()?,
        last_access_at: columns.optional_time()?,
        is_revoked: false,
        accounts: BTreeSet::new(),
        card_accounts: BTreeSet::new(),
    };
    let ended = columns.optional_time()?.zip(columns.optional_text(ConsentEnd::parse)?);
    consent.is_revoked = matches!(ended, Some((_, ConsentEnd::Revoked)));
    Ok(ListedConsent { number, consent, ended })
}

fn with_accounts(connection: &Connection, mut listed: ListedConsent) -> Result<ListedConsent> {
    listed.consent.accounts = opened(connection, listed.number, ACCOUNT, AccountId::parse)?;
    listed.consent.card_accounts = opened(connection, listed.number, CARD, CardAccountId::parse)?;
    Ok(listed)
}

/// The accounts of one kind that a consent opens.
fn opened<T: Ord>(
    connection: &Connection,
    number: i64,
    kind: &str,
    parse: fn(&str) -> Option<T>,
) -> Result<BTreeSet<T>> {
    const SQL: &str = "SELECT account FROM consent_account WHERE consent = ?1 AND kind = ?2";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map((number, kind), |row| Columns::of(row).text(parse))?;
    rows.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::sqlite::schema;

    #[test]
    fn each_page_of_consents_is_read_from_an_index_in_its_order() {
        for (sql, index) in [
            (ALL, "SEARCH consent USING INTEGER PRIMARY KEY (rowid<?)"),
            (OF_PSU, "consent_by_psu (psu=? AND rowid<?)"),
            (OF_TPP, "consent_by_tpp (tpp=? AND rowid<?)"),
        ] {
            let plan = schema::plan(sql);
            assert!(plan.contains(index) && !plan.contains("TEMP B-TREE"), "{sql}: {plan}");
        }
    }
}
