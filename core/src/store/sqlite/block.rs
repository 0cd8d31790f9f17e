//! TPPs and certificates whose calls are refused.

use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension, Result};

use super::columns::{micros, Columns};
use crate::store::{Block, BlockedKind, BlockedSubject, CommitOutcome};
use crate::types::CertificateHash;

/// Blocks a subject, in place of an earlier block of it.
pub(super) fn put(connection: &Connection, block: &Block) -> Result<CommitOutcome> {
    const PUT: &str = "INSERT INTO blocked (kind, subject, since, ends_at, why) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (kind, subject)
            DO UPDATE SET since = excluded.since, ends_at = excluded.ends_at, why = excluded.why";
    let since = micros(block.since);
    let (kind, subject) = block.subject.columns();
    connection.prepare_cached(PUT)?.execute((kind, subject, since, block.until.map(micros), &block.why))?;
    Ok(CommitOutcome::Applied)
}

/// Removes a block. Lost where there is none that has not ended.
pub(super) fn remove(
    connection: &Connection,
    subject: &BlockedSubject,
    at: DateTime<Utc>,
) -> Result<CommitOutcome> {
    const SQL: &str =
        "DELETE FROM blocked WHERE kind = ?1 AND subject = ?2 AND (ends_at IS NULL OR ends_at > ?3)";
    let (kind, subject) = subject.columns();
    let removed = connection.prepare_cached(SQL)?.execute((kind, subject, micros(at)))?;
    Ok(if removed == 0 { CommitOutcome::VersionConflict } else { CommitOutcome::Applied })
}

/// Whether a TPP (first) or its certificate is blocked at a time.
pub(super) fn find(
    connection: &Connection,
    tpp: &str,
    certificate: CertificateHash,
    now: DateTime<Utc>,
) -> Result<Option<BlockedKind>> {
    const SQL: &str = "SELECT kind FROM blocked
        WHERE ((kind = 'tpp' AND subject = ?1) OR (kind = 'certificate' AND subject = ?2))
            AND (ends_at IS NULL OR ends_at > ?3)
        ORDER BY kind DESC LIMIT 1";
    let key = (tpp, certificate.to_string(), micros(now));
    let mut statement = connection.prepare_cached(SQL)?;
    statement.query_row(key, |row| Columns::of(row).text(BlockedKind::parse)).optional()
}

/// All blocks that have not ended at a time.
pub(super) fn all(connection: &Connection, now: DateTime<Utc>) -> Result<Vec<Block>> {
    const SQL: &str = "SELECT kind, subject, since, ends_at, why FROM blocked
        WHERE ends_at IS NULL OR ends_at > ?1 ORDER BY kind DESC, subject";
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map([micros(now)], |row| {
        let mut columns = Columns::of(row);
        let kind: String = columns.value()?;
        Ok(Block {
            subject: columns.text(|subject| BlockedSubject::from_columns(&kind, subject))?,
            since: columns.time()?,
            until: columns.optional_time()?,
            why: columns.value()?,
        })
    })?;
    rows.collect()
}
