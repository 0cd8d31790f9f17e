//! Whether an engine can do its work, for a load balancer and for alerts.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::host_trust::HostTrust;
use super::logging::caught;
use super::validity::is_invalid;
use crate::env::clock::{within_calendar, SystemClock};
use crate::env::Clock as _;
use crate::error::{Error, Result};
use crate::limits::DEAD_LETTERS_LISTED_MAX;
use crate::pipeline::engine_context::EngineContext;
use crate::tpp::certificate::Certificate;
use crate::types::instant::rfc3339;
use crate::wire::json;

/// What an engine depends on, as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Health {
    /// Whether calls can be answered: the store is well, an anchor is valid, and so is the seal, where there is one.
    pub ok: bool,
    /// The database.
    pub store: StoreHealth,
    /// The orders; `None` if they cannot be read.
    pub outbox: Option<OutboxHealth>,
    /// The trust anchors.
    pub trust_anchors: AnchorHealth,
    /// The certificate that answers are signed with; `None` without one.
    pub seal: Option<SealHealth>,
    /// The revocation lists that the host supplied by plain bytes; `None` without one.
    pub revocation_lists: Option<ListHealth>,
    /// What failed first, of clock and database, in words for the log.
    pub error: Option<String>,
}

/// The database of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StoreHealth {
    /// Whether it can be read.
    pub reachable: bool,
    /// Whether this process may write to it: no migration of a newer library excludes this one.
    pub current: bool,
}

/// The orders of an engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct OutboxHealth {
    /// How long the oldest due order waits, in seconds; 0 if none is due. Orders that a node has claimed do not count.
    pub overdue_seconds: i64,
    /// How many dead letters there are, at most 1000. An unreadable order is counted once a run has met it.
    pub dead_letters: usize,
}

/// The trust anchors of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AnchorHealth {
    /// How many there are.
    pub count: usize,
    /// How many are valid now.
    pub valid: usize,
    /// When the first of the valid ones expires.
    #[serde(serialize_with = "time", skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<DateTime<Utc>>,
}

/// The seal of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SealHealth {
    /// Whether it is valid now.
    pub valid: bool,
    /// Whether the last signature was made, and verified.
    pub signs: bool,
    /// When it expires.
    #[serde(serialize_with = "own_time")]
    pub valid_until: DateTime<Utc>,
}

/// The revocation lists of an engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ListHealth {
    /// How many there are.
    pub count: usize,
    /// The earliest nextUpdate.
    #[serde(serialize_with = "time", skip_serializing_if = "Option::is_none")]
    pub next_update: Option<DateTime<Utc>>,
}

fn time<S: serde::Serializer>(time: &Option<DateTime<Utc>>, out: S) -> std::result::Result<S::Ok, S::Error> {
    out.collect_str(&time.map(rfc3339).unwrap_or_default())
}

fn own_time<S: serde::Serializer>(time: &DateTime<Utc>, out: S) -> std::result::Result<S::Ok, S::Error> {
    out.serialize_str(&rfc3339(*time))
}

impl Health {
    /// The text of a JSON object, with times by RFC 3339 in UTC.
    ///
    /// # Errors
    /// [`Error::Internal`]: a bug.
    pub fn to_json(&self) -> Result<String> {
        json::write_text(self)
    }
}

/// `host`: what the host supplied by plain bytes.
pub(super) fn health(engine: &EngineContext, host: Option<&HostTrust>) -> Health {
    let shown = asked(|| within_calendar(engine.clock.now()));
    let clock_error = shown.as_ref().err().map(Error::to_string);
    // Where the clock fails, certificates are judged by the machine's.
    let now = shown.unwrap_or_else(|_| SystemClock.now());
    let outbox = asked(|| of_outbox(engine, now));
    let writable = asked(|| engine.store().check_writable());
    let store = StoreHealth { reachable: outbox.is_ok(), current: writable.is_ok() };
    let store_error = outbox.as_ref().err().or(writable.as_ref().err()).map(Error::to_string);
    let error = clock_error.or(store_error);
    let trust_anchors = engine.with_trust(|anchors| of_anchors(anchors.certificates(), now));
    let seal = engine.response_key().map(|key| {
        let certificate = key.certificate();
        let (valid, valid_until) = (!is_invalid(certificate, now), certificate.not_after());
        SealHealth { valid, signs: !key.fails(), valid_until }
    });
    let is_signed_well = seal.as_ref().is_none_or(|seal| seal.valid && seal.signs);
    Health {
        ok: error.is_none() && trust_anchors.valid > 0 && is_signed_well,
        store,
        outbox: outbox.ok(),
        trust_anchors,
        seal,
        revocation_lists: host.and_then(of_lists),
        error,
    }
}

/// What the host's clock or the store answers; a panic is an error too.
fn asked<T>(ask: impl FnOnce() -> Result<T>) -> Result<T> {
    caught("health", ask).unwrap_or_else(|| Err(Error::Internal("health panicked".to_owned())))
}

fn of_outbox(engine: &EngineContext, now: DateTime<Utc>) -> Result<OutboxHealth> {
    let outbox = engine.store().outbox();
    let overdue = outbox.next_order_due()?.map_or(0, |due| now.signed_duration_since(due).num_seconds());
    let dead_letters = outbox.count_dead_letters(DEAD_LETTERS_LISTED_MAX)?;
    Ok(OutboxHealth { overdue_seconds: overdue.max(0), dead_letters })
}

fn of_anchors<'a>(anchors: impl Iterator<Item = &'a Arc<Certificate>>, now: DateTime<Utc>) -> AnchorHealth {
    let mut health = AnchorHealth { count: 0, valid: 0, valid_until: None };
    for anchor in anchors {
        health.count += 1;
        if !is_invalid(anchor, now) {
            health.valid += 1;
            let expires = anchor.not_after();
            health.valid_until = Some(health.valid_until.map_or(expires, |first| first.min(expires)));
        }
    }
    health
}

fn of_lists(host: &HostTrust) -> Option<ListHealth> {
    let lists = host.lists.as_ref()?;
    let count = lists.lists().len();
    (count > 0).then(|| ListHealth { count, next_update: lists.next_due() })
}
