//! The PSU's answer comes in: the authorisation ends, the payment becomes an order, the PSU goes back.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::approve::{self, Approval, CommitTimestamp};
use super::logging::WhichSca;
use super::open_authorisation::is_gone;
use crate::consent::record::Grant;
use crate::error::{Error, Result};
use crate::limits::{AUTHORISATION_LIFE_SECONDS, RACE_ATTEMPTS_MAX};
use crate::pipeline::audit::{note, Cause};
use crate::pipeline::corporate_id::corporate_id;
use crate::pipeline::engine_context::EngineContext;
use crate::reason::{Reason, Violation};
use crate::sca::callback::{failure, success, Approved, Redirect};
use crate::sca::machine::ScaStatus;
use crate::sca::record::Authorisation;
use crate::sca::sca_rules::check_named;
use crate::session::record::Session;
use crate::store::{CommitOutcome, Write};
use crate::types::{ActingPsu, AuthorisationId, Context};

/// How strong customer authentication ended at the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScaOutcome {
    /// The PSU was authenticated and approved.
    Approved {
        /// Who, and for whom.
        psu: ActingPsu,
        /// The accounts opened to the TPP; looked at where the SCA is for a consent.
        grant: Grant,
    },
    /// The PSU cancelled.
    Aborted,
    /// Authentication failed.
    Failed,
    /// The person who tried is unknown to the bank.
    PsuUnknown,
    /// The person who tried is not the person that the call named.
    OtherPsu,
}

pub(super) fn complete_sca(
    engine: &EngineContext,
    id: &AuthorisationId,
    outcome: &ScaOutcome,
    about: &WhichSca,
    now: DateTime<Utc>,
) -> Result<Redirect> {
    check_role(outcome)?;
    for _ in 0..RACE_ATTEMPTS_MAX {
        let authorisation = open(engine, id, now)?;
        about.note_authorisation(&authorisation);
        let timestamp = CommitTimestamp::of(engine.clock.as_ref());
        let completed = match outcome {
            ScaOutcome::Approved { psu, grant } => {
                match approve(engine, authorisation, &Approval { psu, grant, timestamp: &timestamp }) {
                    Err(_) if is_gone(engine, id)? => return Err(unknown()),
                    approved => approved?,
                }
            }
            ScaOutcome::Aborted => fail(authorisation, &Reason::ScaAborted.into()),
            ScaOutcome::Failed => fail(authorisation, &Reason::ScaFailed.into()),
            ScaOutcome::PsuUnknown => fail(authorisation, &Reason::ScaPsuUnknown.into()),
            ScaOutcome::OtherPsu => fail(authorisation, &Reason::ScaOtherPsu.into()),
        };
        let by = match outcome {
            ScaOutcome::Approved { psu, .. } => Some(psu),
            _ => None,
        };
        if let Some(redirect) = end(engine, completed, by, timestamp.time())? {
            return Ok(redirect);
        }
    }
    Err(Error::Store("other calls changed the authorisation at every attempt; try again".into()))
}

/// Commits how an authorisation ends; `None` where another commit was faster.
pub(super) fn end(
    engine: &EngineContext,
    completed: CompletedSca,
    by: Option<&ActingPsu>,
    now: DateTime<Utc>,
) -> Result<Option<Redirect>> {
    let mut writes = completed.writes;
    note(&engine.policy(), &mut writes, || Cause {
        psu: by,
        against: completed.against,
        ..Cause::of_host("sca completed", now)
    })?;
    let is_done = engine.store().commit(&writes)? == CommitOutcome::Applied;
    Ok(is_done.then_some(completed.redirect))
}

/// The authorisation behind a link, if it waits for its PSU.
pub(super) fn open(
    engine: &EngineContext,
    id: &AuthorisationId,
    now: DateTime<Utc>,
) -> Result<Authorisation> {
    let found = engine.store().sca().authorisation(id)?.ok_or_else(unknown)?;
    match found.is_open_at(now) {
        true => Ok(found),
        false => Err(over()),
    }
}

/// A link that is deleted a day after it expired, or that never was.
pub(super) fn unknown() -> Error {
    Error::NotFound("the authorisation is unknown".to_owned())
}

/// A link that no answer is possible to any more.
pub(super) fn over() -> Error {
    let minutes = AUTHORISATION_LIFE_SECONDS / 60;
    Error::Expired(format!("the authorisation is used, or older than {minutes} minutes"))
}

/// A corporate customer is always named in the corporate context, and only there; and both by what can be stored.
fn check_role(outcome: &ScaOutcome) -> Result<()> {
    match outcome {
        ScaOutcome::Approved { psu, .. } if !psu.is_storable() => Err(unstorable()),
        ScaOutcome::Approved { psu, .. }
            if (psu.context == Context::Corporate) != psu.corporate.is_some() =>
        {
            Err(Error::Misuse(
                "a corporate customer belongs to the corporate context, and to no other".to_owned(),
            ))
        }
        _ => Ok(()),
    }
}

/// A reference that no store could keep.
fn unstorable() -> Error {
    let text = "a reference to a person or a corporate customer has 1 to 256 characters, and no U+0000";
    Error::Misuse(text.to_owned())
}

/// How an authorisation ends.
pub(super) struct CompletedSca {
    writes: Vec<Write>,
    redirect: Redirect,
    /// Why it fails.
    against: Option<Reason>,
}

/// The authorisation ends without approval; what it was for stays as it is.
pub(super) fn fail(mut authorisation: Authorisation, violation: &Violation) -> CompletedSca {
    authorisation.end(ScaStatus::Failed);
    let redirect = failure(&authorisation, violation);
    let writes = vec![Write::UpdateAuthorisation(authorisation)];
    CompletedSca { writes, redirect, against: Some(violation.reason) }
}

fn approve(
    engine: &EngineContext,
    mut authorisation: Authorisation,
    approval: &Approval<'_>,
) -> Result<CompletedSca> {
    let named = match &authorisation.identity {
        Some(identity) => Some(engine.bank().customers().psu(identity)?),
        None => None,
    };
    if let Err(violation) = check_named(&authorisation, approval.psu, named.as_ref()) {
        return Ok(fail(authorisation, &violation));
    }
    let done = match approve::what_was_asked(engine, &authorisation, approval)? {
        Ok(done) => done,
        Err(failed) => {
            let mut completed = fail(authorisation, &failed.violation);
            completed.writes.extend(failed.writes);
            return Ok(completed);
        }
    };
    let (approved, mut writes) = identify(engine, &authorisation.tpp, approval.psu)?;
    authorisation.end(ScaStatus::Finalised);
    let redirect = success(&authorisation, &approved);
    let session = session(&authorisation, approval);
    if !engine.store().sca().is_session_outdated(&session)? {
        writes.push(Write::OpenSession(session));
    }
    writes.push(Write::UpdateAuthorisation(authorisation));
    writes.extend(done);
    Ok(CompletedSca { writes, redirect, against: None })
}

/// The session of the call that asked for the SCA, for any purpose of the SCA.
fn session(authorisation: &Authorisation, approval: &Approval<'_>) -> Session {
    Session {
        tpp: authorisation.tpp.clone(),
        id: authorisation.session_id.clone(),
        psu: approval.psu.clone(),
        opened_at: approval.timestamp.time(),
        first_sca: authorisation.id.clone(),
        is_replaced: false,
    }
}

/// The ids by which the TPP knows the PSU and, in a corporate context, the customer; made at first sight.
fn identify(engine: &EngineContext, tpp: &Arc<str>, acting: &ActingPsu) -> Result<(Approved, Vec<Write>)> {
    let mut writes = Vec::new();
    let psu_id = match engine.store().psus().psu_id(tpp, &acting.psu)? {
        Some(psu_id) => psu_id,
        None => {
            let psu_id = engine.entropy().uuid()?;
            writes.push(Write::RememberPsu { tpp: Arc::clone(tpp), psu: acting.psu.clone(), psu_id });
            psu_id
        }
    };
    let corporate = acting.corporate.as_ref();
    let corporate_id = corporate
        .map(|corporate| corporate_id(engine, tpp, &acting.psu, corporate, &mut writes))
        .transpose()?;
    Ok((Approved { psu_id, corporate_id, context: acting.context }, writes))
}
