//! What a walk came to, for those who watch it: the audit of a bank, the journal of a sandbox.
//!
//! It decides nothing and is never answered.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use crate::operation::Operation;
use crate::reason::Reason;
use crate::tpp::certificate::Certificate;
use crate::tpp::role::{Role, Roles};
use crate::types::PaymentId;
use crate::wire::call_record::{CallRecord, Timing};

/// The stage that a walk ended in, as far as the question is who calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Stage {
    /// What is called, and how.
    #[default]
    Parse,
    /// Whose certificate it is.
    Identify,
    /// Whether they signed.
    Authenticate,
    /// Whether they may call.
    Authorise,
    /// Everything after.
    Within,
}

impl Stage {
    /// Its name in the audit.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Parse => "parse",
            Self::Identify => "identify",
            Self::Authenticate => "authenticate",
            Self::Authorise => "authorise",
            Self::Within => "within",
        }
    }
}

/// How far a call came, and what was said of it.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    began_at: Option<DateTime<Utc>>,
    stage: Stage,
    operation: Option<&'static Operation>,
    payment: Option<PaymentId>,
    claimed_tpp: Option<Arc<str>>,
    tpp_name: Option<Arc<str>>,
    roles: Roles,
    reasons: Vec<Reason>,
    delay: TimeDelta,
    has_order: bool,
}

impl Trace {
    /// When the call came, by the clock of the engine; `None` where that shows no time of the calendar.
    pub(crate) fn note_time(&mut self, began_at: Option<DateTime<Utc>>) {
        self.began_at = began_at;
    }

    /// The call is routed.
    pub(crate) fn note_operation(&mut self, operation: &'static Operation) {
        self.operation = Some(operation);
    }

    /// The call is in order as far as can be said without its certificate; its path names this payment.
    pub(crate) fn note_parsed(&mut self, payment: Option<PaymentId>) {
        self.payment = payment;
        self.stage = Stage::Identify;
    }

    /// The certificate counts, and names its TPP; the signature is not verified yet.
    pub(crate) fn note_tpp(&mut self, certificate: &Certificate) {
        self.claimed_tpp = certificate.shared_organisation_id();
        self.tpp_name = certificate.shared_organisation_name();
        self.roles = certificate.roles();
        self.stage = Stage::Authenticate;
    }

    /// The call is the TPP's.
    pub(crate) fn note_authentic(&mut self) {
        self.stage = Stage::Authorise;
    }

    /// The TPP may call.
    pub(crate) fn note_authorised(&mut self) {
        self.stage = Stage::Within;
    }

    /// The answer comes so much later than the call.
    pub(crate) fn note_delay(&mut self, delay: TimeDelta) {
        self.delay = delay;
    }

    /// The call ends: what is said of it, and whether it ordered something of the bank.
    pub(crate) fn note_end(&mut self, reasons: Vec<Reason>, has_order: bool) {
        self.reasons = reasons;
        self.has_order = has_order;
    }

    /// The stage that the walk ended in.
    pub(crate) fn stage(&self) -> Stage {
        self.stage
    }

    /// The operation that the call was routed to, also where it was refused for its headers or its size; `None`
    /// where there is none.
    pub(crate) fn operation(&self) -> Option<&'static Operation> {
        self.operation
    }

    /// The payment that the path names, whether there is such a one or not.
    pub(crate) fn payment(&self) -> Option<&PaymentId> {
        self.payment.as_ref()
    }

    /// The organisation identifier in the certificate, where that counts. Whether the call is really this TPP's
    /// is known only where it was not refused for its signature.
    pub(crate) fn claimed_tpp(&self) -> Option<&str> {
        self.claimed_tpp.as_deref()
    }

    /// The same, shared.
    pub(crate) fn shared_tpp(&self) -> Option<Arc<str>> {
        self.claimed_tpp.clone()
    }

    /// When the call came.
    pub(crate) fn began_at(&self) -> Option<DateTime<Utc>> {
        self.began_at
    }

    /// What is recorded of the call, without its times.
    pub(crate) fn record(&self) -> CallRecord {
        let roles = Role::ALL.into_iter().filter(|role| self.roles.contains(*role));
        CallRecord {
            operation: self.operation.map(|operation| operation.name),
            tpp: self.claimed_tpp.clone(),
            tpp_name: self.tpp_name.clone(),
            roles: roles.map(Role::as_str).collect(),
            timing: Timing::default(),
        }
    }

    /// How long after the call its answer comes, by the clock of the engine.
    pub(crate) fn delay(&self) -> TimeDelta {
        self.delay
    }

    /// Whether the call itself put an order into the outbox: a payment that the bank exempted from its SCA.
    pub(crate) fn has_order(&self) -> bool {
        self.has_order
    }

    /// Every reason and warning of the answer, in its order.
    pub(crate) fn reasons(&self) -> &[Reason] {
        &self.reasons
    }
}
