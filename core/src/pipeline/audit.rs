//! What the audit notes of a commit: one line for each thing that changes hands, written with the change itself.
//!
//! The transitions of a payment are in its history, and are read from there.

pub(crate) mod details;
pub(crate) mod reads;
pub(crate) mod refusal_counts;
pub(crate) mod refusals;

use chrono::{DateTime, Utc};

use self::details::{of_authorisation, of_basket, of_consent, of_payment, CertificateView, Details};
use crate::audit::kind::AuditKind;
use crate::audit::record::AuditEvent;
use crate::basket::machine::BasketState;
use crate::error::Result;
use crate::payment::machine::PaymentStatus;
use crate::policy::Policy;
use crate::reason::Reason;
use crate::sca::machine::ScaStatus;
use crate::store::{BlockedSubject, DeadLetter, Event, Write};
use crate::types::instant::rfc3339;
use crate::types::{ActingPsu, CallIds, Context, CorporateKey, PaymentId, PsuClient, PsuKey, RequestId};

/// What brings a commit about.
pub(crate) struct Cause<'c> {
    /// The name of the operation, or what the host did.
    pub(crate) name: &'c str,
    /// The TPP, where it is the TPP that acts.
    pub(crate) tpp: Option<&'c str>,
    /// The person who acts, where that is known beyond what is written.
    pub(crate) psu: Option<&'c ActingPsu>,
    /// The X-Request-ID of the call.
    pub(crate) request_id: Option<RequestId>,
    /// The ids of the call in other systems.
    pub(crate) ids: CallIds,
    /// What the TPP forwarded of the PSU's own call.
    pub(crate) client: PsuClient,
    /// Why what was asked for fails.
    pub(crate) against: Option<Reason>,
    /// The present.
    pub(crate) now: DateTime<Utc>,
}

impl<'c> Cause<'c> {
    /// Something that the host does.
    pub(crate) fn of_host(name: &'c str, now: DateTime<Utc>) -> Self {
        let (ids, client) = (CallIds::default(), PsuClient::default());
        Self { name, tpp: None, psu: None, request_id: None, ids, client, against: None, now }
    }
}

/// Adds to the writes of a commit the lines of the audit that belong to them. None where the policy has no audit.
///
/// # Errors
/// [`Error::Internal`](crate::Error::Internal): a bug.
pub(crate) fn note<'c>(
    policy: &Policy,
    writes: &mut Vec<Write>,
    cause: impl FnOnce() -> Cause<'c>,
) -> Result<()> {
    if !policy.audit {
        return Ok(());
    }
    let cause = &cause();
    let mut lines = Vec::new();
    for write in &*writes {
        if let Some((event, mut details)) = line(write, cause) {
            // What came with the call is in the first line alone.
            if lines.is_empty() {
                details.psu_client = details::of_client(&cause.client);
            }
            let details = details.of_call(cause.ids).into_text()?;
            lines.push(Write::AppendAudit(AuditEvent { details, ..event }));
        }
    }
    writes.append(&mut lines);
    Ok(())
}

/// The line that belongs to a write. A write that changes nothing a bank is asked about has none.
fn line<'w>(write: &'w Write, cause: &Cause<'_>) -> Option<(AuditEvent, Details<'w>)> {
    match write {
        Write::InsertPayment { payment, .. } => {
            let by = payment.psu.as_ref().map(|psu| (psu, payment.context, payment.corporate.as_ref()));
            let created = event(AuditKind::PaymentCreated, Some(payment.id.as_str()), &payment.tpp, cause);
            Some((acted_by(created, by), of_payment(payment)))
        }
        Write::AppendEvent(change) => given_up(change, cause).map(|event| (event, Details::default())),
        Write::InsertBasket(basket) | Write::UpdateBasket(basket) => {
            let kind = match basket.state {
                BasketState::Open => AuditKind::BasketCreated,
                BasketState::Authorised => AuditKind::BasketAuthorised,
                BasketState::Deleted => AuditKind::BasketDeleted,
            };
            let by = Some((&basket.psu, Some(basket.context), basket.corporate.as_ref()));
            let changed = event(kind, Some(basket.id.as_str()), &basket.tpp, cause);
            Some((acted_by(changed, by), of_basket(basket)))
        }
        Write::InsertAuthorisation(authorisation) | Write::UpdateAuthorisation(authorisation) => {
            let kind = match authorisation.status {
                ScaStatus::Started => AuditKind::AuthorisationStarted,
                ScaStatus::Finalised => AuditKind::AuthorisationFinalised,
                ScaStatus::Failed => AuditKind::AuthorisationFailed,
            };
            let named = authorisation
                .psu
                .as_ref()
                .filter(|_| !is_of_another(cause.against))
                .map(|psu| (psu, authorisation.context, authorisation.corporate.as_ref()));
            let changed = event(kind, Some(authorisation.id.as_str()), &authorisation.tpp, cause);
            Some((acted_by(changed, named), of_authorisation(authorisation, cause.against)))
        }
        Write::OpenSession(session) => {
            let opened = event(AuditKind::SessionOpened, Some(&session.id), &session.tpp, cause);
            Some((acted_by(opened, Some(whole(&session.psu))), Details::default()))
        }
        Write::GrantConsent(consent) => {
            let granted = event(AuditKind::ConsentGranted, None, &consent.tpp, cause);
            Some((acted_by(granted, Some(whole(&consent.psu))), of_consent(consent)))
        }
        Write::RevokeConsent { tpp, psu, .. } => {
            let revoked = event(AuditKind::ConsentRevoked, None, tpp, cause);
            Some((acted_by(revoked, Some((psu, None, None))), Details::default()))
        }
        Write::Block(block) => {
            let certificate = CertificateView::of_subject(&block.subject);
            let until = block.until.map(rfc3339);
            let why = Some(block.why.as_str()).filter(|why| !why.is_empty());
            let blocked = of_subject(AuditKind::Blocked, &block.subject, cause);
            Some((blocked, Details { why, until, certificate, ..Details::default() }))
        }
        Write::Unblock { subject, .. } => {
            let certificate = CertificateView::of_subject(subject);
            let unblocked = of_subject(AuditKind::Unblocked, subject, cause);
            Some((unblocked, Details { certificate, ..Details::default() }))
        }
        Write::ErasePsu(psu) => {
            let erased = caused(AuditKind::PsuErased, None, None, cause);
            Some((acted_by(erased, Some((psu, None, None))), Details::default()))
        }
        Write::MoveToDeadLetters { order, .. } => {
            let moved = of_order(AuditKind::OrderDeadLetter, &order.payment_id, cause);
            Some((moved, Details { why: Some(&order.why), ..Details::default() }))
        }
        Write::MoveUnreadableToDeadLetters { order, .. } => {
            let payment_id = order.payment_id.as_ref().map(PaymentId::as_str);
            let moved = caused(AuditKind::OrderDeadLetter, payment_id, None, cause);
            Some((moved, Details { why: Some(DeadLetter::UNREADABLE), ..Details::default() }))
        }
        Write::RetryOrder { payment_id, .. } => {
            Some((of_order(AuditKind::OrderRetried, payment_id.as_str(), cause), Details::default()))
        }
        Write::ResolveOrder(id) => {
            Some((of_order(AuditKind::OrderResolved, id.as_str(), cause), Details::default()))
        }
        // Replays are kept for two minutes, ids and counts follow from calls, other orders from the history of their
        // payment; a payment that only changes its place in a basket is in the line of the basket.
        Write::UseRequestId(_)
        | Write::UpdatePayment(_)
        | Write::RememberPsu { .. }
        | Write::RememberCorporate { .. }
        | Write::NoteAccess { .. }
        | Write::CountAccess { .. }
        | Write::CountCalls { .. }
        | Write::NoteOutage(_)
        | Write::EnqueueOrder(_)
        | Write::RescheduleOrder { .. }
        | Write::AnswerOrder { .. }
        | Write::RemoveOrder(_)
        | Write::WithdrawOrder(_)
        | Write::BeginCancelling(_)
        | Write::EndCancelling(_)
        | Write::AppendAudit(_) => None,
    }
}

/// That a TPP cancels a payment: its history says what happened, and not which call did it.
fn given_up(change: &Event, cause: &Cause<'_>) -> Option<AuditEvent> {
    let tpp = cause.tpp.filter(|_| change.to == PaymentStatus::Canc)?;
    let cancelled = event(AuditKind::PaymentCancelled, Some(change.payment_id.as_str()), tpp, cause);
    Some(acted_by(cancelled, None))
}

/// What the operator does to a TPP, or to a certificate, of which the TPP is not known.
fn of_subject(kind: AuditKind, subject: &BlockedSubject, cause: &Cause<'_>) -> AuditEvent {
    let tpp = match subject {
        BlockedSubject::Tpp(organisation_id) => Some(organisation_id.as_str()),
        BlockedSubject::Certificate(_) => None,
    };
    caused(kind, None, tpp, cause)
}

/// What the operator and the outbox do with an order: no TPP has a part in it, and no PSU.
fn of_order(kind: AuditKind, payment_id: &str, cause: &Cause<'_>) -> AuditEvent {
    caused(kind, Some(payment_id), None, cause)
}

fn event(kind: AuditKind, id: Option<&str>, tpp: &str, cause: &Cause<'_>) -> AuditEvent {
    caused(kind, id, Some(tpp), cause)
}

fn caused(kind: AuditKind, id: Option<&str>, tpp: Option<&str>, cause: &Cause<'_>) -> AuditEvent {
    let by = cause.psu;
    AuditEvent {
        at: cause.now,
        kind,
        id: id.map(str::to_owned),
        tpp: tpp.map(str::to_owned),
        psu: by.map(|by| by.psu.clone()),
        context: by.map(|by| by.context),
        corporate: by.and_then(|by| by.corporate.clone()),
        cause: cause.name.to_owned(),
        request_id: cause.request_id,
        details: None,
    }
}

/// Whether an SCA fails because another person came than the call named: the line must not say it was.
fn is_of_another(against: Option<Reason>) -> bool {
    matches!(against, Some(Reason::ScaOtherPsu | Reason::ScaPsuUnknown))
}

type Role<'w> = (&'w PsuKey, Option<Context>, Option<&'w CorporateKey>);

fn whole(psu: &ActingPsu) -> Role<'_> {
    (&psu.psu, Some(psu.context), psu.corporate.as_ref())
}

/// The line with the PSU that the written record names, where the cause names none.
fn acted_by(event: AuditEvent, named: Option<Role<'_>>) -> AuditEvent {
    match (&event.psu, named) {
        (None, Some((psu, context, corporate))) => {
            AuditEvent { psu: Some(psu.clone()), context, corporate: corporate.cloned(), ..event }
        }
        _ => event,
    }
}
