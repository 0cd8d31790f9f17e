//! The writes of one call, applied within a transaction that the caller begins and ends.

use rusqlite::ffi::{SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE};
use rusqlite::{Connection, Error, Result};

use super::{
    access_count, audit, authorisation, basket, block, consent, event, outbox, payment, psu, request_id,
    retention, session, statistics,
};
use crate::store::{CommitOutcome, Write};

/// Applies the writes of one call, up to the first that meets an obstacle.
pub(super) type Apply = fn(&Connection, &[Write]) -> Result<std::result::Result<(), CommitOutcome>>;

/// Applies writes to the tables of the engine, as [`Apply`].
pub(super) fn apply(
    connection: &Connection,
    writes: &[Write],
) -> Result<std::result::Result<(), CommitOutcome>> {
    for write in writes {
        match race_lost_if_taken(apply_one(connection, write))? {
            CommitOutcome::Applied => {}
            obstacle => return Ok(Err(obstacle)),
        }
    }
    Ok(Ok(()))
}

fn apply_one(connection: &Connection, write: &Write) -> Result<CommitOutcome> {
    match write {
        Write::UseRequestId(used) => request_id::mark_used(connection, used),
        Write::InsertPayment { payment, duplicate_window_start, alternative_fingerprints } => {
            payment::insert(connection, payment, *duplicate_window_start, alternative_fingerprints)
        }
        Write::UpdatePayment(payment) => payment::update(connection, payment),
        Write::InsertBasket(basket) => basket::insert(connection, basket),
        Write::UpdateBasket(basket) => basket::update(connection, basket),
        Write::InsertAuthorisation(authorisation) => authorisation::insert(connection, authorisation),
        Write::UpdateAuthorisation(authorisation) => authorisation::update(connection, authorisation),
        Write::RememberPsu { tpp, psu, psu_id } => psu::remember(connection, tpp, psu, *psu_id),
        Write::RememberCorporate { tpp, psu, corporate, corporate_id } => {
            psu::remember_corporate(connection, tpp, psu, corporate, *corporate_id)
        }
        Write::OpenSession(opened) => session::open(connection, opened),
        Write::GrantConsent(granted) => consent::grant(connection, granted),
        Write::RevokeConsent { at, tpp, psu } => consent::revoke(connection, tpp, psu, *at),
        Write::NoteAccess { tpp, psu, at } => consent::note_access(connection, tpp, psu, *at),
        Write::Block(new) => block::put(connection, new),
        Write::Unblock { subject, at } => block::remove(connection, subject, *at),
        Write::CountAccess { counted, limit } => access_count::count(connection, counted, *limit),
        Write::CountCalls { counted, sum } => statistics::count(connection, counted, *sum),
        Write::NoteOutage(outage) => statistics::note_outage(connection, *outage),
        Write::ErasePsu(psu) => retention::erase(connection, psu),
        Write::EnqueueOrder(order) => outbox::enqueue(connection, order),
        Write::RescheduleOrder { order, was_due } => outbox::reschedule(connection, order, *was_due),
        Write::AnswerOrder { payment_id, again_at } => outbox::answer(connection, payment_id, *again_at),
        Write::RemoveOrder(id) => outbox::remove(connection, id),
        Write::WithdrawOrder(id) => outbox::withdraw(connection, id),
        Write::MoveToDeadLetters { order, was_due } => outbox::to_dead_letter(connection, order, *was_due),
        Write::MoveUnreadableToDeadLetters { order, since } => {
            outbox::unreadable_to_dead_letter(connection, order, *since)
        }
        Write::RetryOrder { payment_id, due_at } => outbox::retry(connection, payment_id, *due_at),
        Write::ResolveOrder(id) => outbox::resolve(connection, id),
        Write::BeginCancelling(id) => outbox::begin_cancelling(connection, id),
        Write::EndCancelling(id) => outbox::end_cancelling(connection, id),
        Write::AppendEvent(event) => event::append(connection, event),
        Write::AppendAudit(event) => audit::append(connection, event),
    }
}

/// A unique value that exists already means that another node was first. Other broken constraints are bugs.
fn race_lost_if_taken(applied: Result<CommitOutcome>) -> Result<CommitOutcome> {
    match applied {
        Err(Error::SqliteFailure(failure, _))
            if matches!(failure.extended_code, SQLITE_CONSTRAINT_PRIMARYKEY | SQLITE_CONSTRAINT_UNIQUE) =>
        {
            Ok(CommitOutcome::VersionConflict)
        }
        other => other,
    }
}
