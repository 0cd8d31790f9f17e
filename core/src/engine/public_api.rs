//! What a host calls. Any thread may call any function of one engine at the same time.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::complete_sca::{complete_sca, unknown, ScaOutcome};
use super::dead_letters::{dead_letters, retry};
use super::host_trust::HostTrust;
use super::logging::{caught, with_span, Logging, WhichSca};
use super::metrics::Metrics;
use super::open_authorisation::{open_authorisation, OpenAuthorisation};
use super::refuse_sca::refuse_sca;
use super::report::{report, report_on_hold};
use super::run_due::{next_due, run_due, RunReport};
use crate::bank::OrderStatus;
use crate::env::clock::{within_calendar, Clock, Stopwatch, SystemClock};
use crate::env::current_call;
use crate::error::{Error, Result};
use crate::handler_error::HandlerError;
use crate::operation;
use crate::payment::machine::PaymentStatus;
use crate::pipeline::audit::refusals::{note_counts, note_refusal};
use crate::pipeline::audit::{note, Cause};
use crate::pipeline::call_context::CallContext;
use crate::pipeline::count_call::count_call;
use crate::pipeline::engine_context::EngineContext;
use crate::pipeline::explain_refusal::with_mistake;
use crate::pipeline::interference::interfere;
use crate::pipeline::response_signature::sign_response;
use crate::pipeline::stages::admit::admit;
use crate::pipeline::stages::authenticate::authenticate;
use crate::pipeline::stages::authorise::authorise;
use crate::pipeline::stages::commit::{commit, Committed};
use crate::pipeline::stages::decide::decide;
use crate::pipeline::stages::identify::identify;
use crate::pipeline::stages::parse::parse;
use crate::pipeline::stages::read_body::read_body;
use crate::pipeline::stages::respond::{respond, AnswerFrame};
use crate::pipeline::trace::Trace;
use crate::pipeline::waiting_writes::AT_ONCE;
use crate::pipeline::write_waiting::{write_due, write_waiting};
use crate::policy::Policy;
use crate::reason::Violation;
use crate::sca::callback::Redirect;
use crate::store::{CommitOutcome, DeadLetter, Write};
use crate::tpp::response_key::ResponseKey;
use crate::types::{AuthorisationId, CallIds, PaymentId, PsuKey, TraceParent};
use crate::wire::call_record::{CallRecord, Timing};
use crate::wire::headers::Headers;
use crate::wire::http::{self, HttpAnswer};
use crate::wire::negotiation::Negotiated;
use crate::wire::request::Request;
use crate::wire::response::Response;
use crate::wire::target::Target;

/// An access-to-account engine.
///
/// Failures within a call, other than misuse, are logged, and so is a panic of the host's bank, store or clock, which
/// the call returns as [`Error::Internal`]. If the clock shows a year outside of 1 to 9999, calls that need the time
/// return [`Error::Misuse`] and change nothing.
pub struct Engine {
    pub(crate) context: EngineContext,
    pub(super) logging: Logging,
    pub(super) metrics: Metrics,
    /// What a host in another language may replace; `None` where it holds that itself.
    pub(super) host_trust: Option<HostTrust>,
}

impl Engine {
    /// The present policy. A server can stop reading a body after its `body_bytes_max`.
    pub fn policy(&self) -> Arc<Policy> {
        self.context.policy()
    }

    /// The bank's complete answer to one request. Never panics, never fails: a failure on the host's side is
    /// logged and answered with SYSTEM_ERROR.
    pub fn handle(&self, request: &Request<'_>) -> Response {
        self.handle_traced(request).0
    }

    /// As [`Engine::handle`], and what the walk came to.
    pub(crate) fn handle_traced(&self, request: &Request<'_>) -> (Response, Trace) {
        self.logging.around(|| self.handle_logged(request))
    }

    /// The bank's complete answer to one HTTP/1.1 request as bytes, as [`Engine::handle`]. The message is one request,
    /// complete, and nothing after it; its body has a Content-Length. Another message is refused for `MSG-01`, and
    /// the answer says where it breaks RFC 9112.
    pub fn handle_http(&self, message: &[u8]) -> HttpAnswer {
        let body_bytes_max = self.policy().body_bytes_max;
        let refuse = |fields: &[(&str, &[u8])], violation| self.refuse(fields, violation);
        http::answer(message, body_bytes_max, |request| self.handle(request), refuse)
    }

    /// The answer to a message that is no request, of which these header fields could be read.
    pub(crate) fn refuse(&self, fields: &[(&str, &[u8])], violation: Violation) -> Response {
        let request = Request { method: "", target: "", headers: fields, body: &[], correlation_id: None };
        let refused = |context: &CallContext<'_>, frame: &AnswerFrame, trace: &mut Trace| {
            respond(frame, context.policy, Err(violation.into()), trace)
        };
        self.logging.around(|| self.answered(&request, refused)).0
    }

    fn handle_logged(&self, request: &Request<'_>) -> (Response, Trace) {
        self.answered(request, Self::answer)
    }

    /// The answer that `answer` gives, with the record of the call.
    fn answered(
        &self,
        request: &Request<'_>,
        answer: impl FnOnce(&CallContext<'_>, &AnswerFrame, &mut Trace) -> Response,
    ) -> (Response, Trace) {
        let stopwatch = Stopwatch::start();
        let headers = Headers::unchecked(request.headers);
        let ids = call_ids(&headers, request);
        let walked = || with_span(ids, || self.signed_answer(request, &headers, ids, answer));
        let ((mut response, trace), waited) = current_call::run(ids, walked);
        let took = stopwatch.elapsed();
        response.call = CallRecord { timing: Timing::new(took, waited), ..trace.record() };
        self.metrics.count(&response);
        count_call(&self.context, &trace, response.status(), took);
        (response, trace)
    }

    /// The answer that `answer` gives, or that of a panic, with the bank's signature.
    fn signed_answer(
        &self,
        request: &Request<'_>,
        headers: &Headers<'_>,
        ids: CallIds,
        answer: impl FnOnce(&CallContext<'_>, &AnswerFrame, &mut Trace) -> Response,
    ) -> (Response, Trace) {
        // The one reading of the clock, and the one look at the policy, that this call goes by. Where the host's clock
        // panics, the answer that says so is dated by the machine's.
        let now = caught("handle", || self.context.clock.now());
        let dated = now.unwrap_or_else(|| SystemClock.now());
        let policy = self.context.policy();
        let successor = successor(request, &policy);
        let negotiated = Negotiated::read(headers);
        let frame = AnswerFrame::new(headers, negotiated, dated, self.context.sca_origin(), successor);
        let mut trace = Trace::default();
        trace.note_time(within_calendar(dated).ok());
        let seal = self.context.response_key();
        if seal.as_ref().is_some_and(|key| !can_sign(key)) {
            self.metrics.count_unsigned();
            return (frame.without_seal(), trace);
        }
        // Nothing of ours is known to panic; a bug must not take the host's gateway down all the same.
        let answer_at = |now| {
            let context = CallContext {
                engine: &self.context,
                request,
                unchecked_headers: headers,
                ids,
                negotiated: frame.negotiated(),
                policy: &policy,
                now,
            };
            caught("handle", || answer(&context, &frame, &mut trace))
        };
        let answered = now.and_then(answer_at);
        let mut response = answered.unwrap_or_else(|| frame.internal_error());
        if let Some(key) = &seal {
            response = self.sealed(response, key, &frame, &policy);
        }
        (response, trace)
    }

    /// The answer with its signature. Where the key fails, another without one takes its place, so that a TPP never
    /// gets data of a PSU that the bank has not signed.
    fn sealed(
        &self,
        mut response: Response,
        key: &ResponseKey,
        frame: &AnswerFrame,
        policy: &Policy,
    ) -> Response {
        let stopwatch = Stopwatch::start();
        let is_signed = caught("sign", || sign_response(&mut response, key));
        if is_signed.is_none() {
            key.note_panic();
        }
        let is_signed = is_signed.unwrap_or(false);
        let taken = stopwatch.elapsed();
        self.metrics.count_signature(taken, is_signed);
        if policy.bank_seconds_max > 0 && taken.as_secs() >= policy.bank_seconds_max.into() {
            tracing::warn!(seconds = taken.as_secs(), "the signature of an answer took long");
        }
        match is_signed {
            true => response,
            false => frame.unsigned(),
        }
    }

    /// Walks, and makes an answer of what the walk came to.
    fn answer(context: &CallContext<'_>, frame: &AnswerFrame, trace: &mut Trace) -> Response {
        let walked = walk(context, trace)
            .map_err(|error| error.counting(|name| context.unchecked_headers.count(name)))
            .map_err(|error| with_mistake(context, error));
        match &walked {
            Ok(committed) => trace.note_end(committed.outcome().reasons(), committed.outcome().has_order()),
            Err(error) => trace.note_end(error.reasons(), false),
        }
        match &walked {
            Err(HandlerError::Refused(refusal)) => note_refusal(context, trace, refusal),
            _ => note_counts(context.engine, context.now),
        }
        write_due(context.engine, context.now);
        let later = (!trace.delay().is_zero()).then(|| frame.later_by(trace.delay()));
        respond(later.as_ref().unwrap_or(frame), context.policy, walked, trace)
    }

    /// What the bank's SCA site must show for the id in a link. `None`: unknown, used or expired.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn authorisation(&self, id: &str) -> Result<Option<OpenAuthorisation>> {
        let Some(id) = AuthorisationId::parse(id) else { return Ok(None) };
        self.at_present("authorisation", |_, now| open_authorisation(&self.context, &id, now))
    }

    /// Ends an authorisation with the PSU's answer and returns where to send the PSU.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown authorisation, [`Error::Expired`] for one that is used or older than 10
    /// minutes. [`Error::Misuse`] for a corporate customer outside of the corporate context or a missing one in it, and
    /// for an invalid reference; for a consent also for an empty choice, and [`Error::NotOffered`] for an account that
    /// the bank does not offer this PSU. [`Error::Store`],
    /// [`Error::Bank`], [`Error::BankAnswer`], and [`Error::Internal`] if bank or store panics; these are logged.
    /// After each error the link stays open.
    pub fn complete_sca(&self, id: &str, outcome: &ScaOutcome) -> Result<Redirect> {
        let id = AuthorisationId::parse(id)
            .ok_or_else(|| Error::NotFound("this is not a valid id of an authorisation".to_owned()))?;
        self.at_present("complete_sca", |about, now| {
            // A call of its own, whose questions have a time together.
            let complete = || complete_sca(&self.context, &id, outcome, about, now);
            current_call::run(CallIds::default(), complete).0
        })
    }

    /// Ends an authorisation because the bank refuses, for the reason given.
    pub(crate) fn refuse_sca(&self, id: &str, violation: &Violation) -> Result<Redirect> {
        let id = AuthorisationId::parse(id).ok_or_else(unknown)?;
        self.at_present("refuse_sca", |_, now| refuse_sca(&self.context, &id, violation, now))
    }

    /// Revokes the consents of a PSU to a TPP (its organisation identifier), in every context. Returns true if there
    /// was one that was not revoked before, an expired one included; otherwise nothing is changed. The TPP is not
    /// notified: its next call is answered CONSENT_UNKNOWN.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a person with U+0000 in the reference; [`Error::Store`].
    pub fn revoke_consent(&self, tpp: &str, psu: &PsuKey) -> Result<bool> {
        self.at_present("revoke_consent", |_, now| {
            // Of a reference that older versions took and this one does not, what was opened can be taken back.
            if psu.as_str().contains('\0') {
                return Err(Error::Misuse("a reference to a person has no U+0000".to_owned()));
            }
            let mut writes = vec![Write::RevokeConsent { at: now, tpp: tpp.into(), psu: psu.clone() }];
            note(&self.context.policy(), &mut writes, || Cause::of_host("revoked at the bank", now))?;
            // Lost where nothing was open: then nothing is changed, and the audit has no line.
            Ok(self.context.store().commit(&writes)? == CommitOutcome::Applied)
        })
    }

    /// Records a payment's status at the bank: settled, rejected, changed in another channel. A payment on hold is
    /// released by any status. A dead letter of the payment is resolved, unless the bank was asked to cancel the
    /// payment: then the order waits again.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown payment; [`Error::Conflict`] for a transition that the state machine does not
    /// have; [`Error::Store`].
    pub fn report_payment_status(
        &self,
        payment_id: &str,
        status: PaymentStatus,
        funds_available: Option<bool>,
    ) -> Result<()> {
        let id = parse_payment_id(payment_id)?;
        let reported = OrderStatus { status, funds_available };
        self.at_present("report_payment_status", |_, _| report(&self.context, &id, reported, None))
    }

    /// Records that the bank holds a payment: it is PDNG, with a psuMessage of its own, until
    /// [`Engine::report_payment_status`] reports a status, PDNG where it is merely released. `why` is part of that
    /// psuMessage, at most 400 characters.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown payment; [`Error::Conflict`] for one that cannot become PDNG;
    /// [`Error::Misuse`] for another `why`; [`Error::Store`].
    pub fn report_payment_on_hold(&self, payment_id: &str, why: Option<&str>) -> Result<()> {
        let id = parse_payment_id(payment_id)?;
        let why = why.unwrap_or_default();
        self.at_present("report_payment_on_hold", |_, _| report_on_hold(&self.context, &id, why))
    }

    /// Delivers the orders that are due to the bank, at most 10 000. The host's scheduler calls this; several nodes may
    /// at the same time. After three orders of a payment product in a row failed because the bank is unavailable, the
    /// run tries at most three more of that product, those that failed less often. All its other due orders are
    /// postponed as if they had been tried. Until the bank takes an order in the run, three failures of any products
    /// are enough, and each further product is tried once.
    ///
    /// It also writes evidence of reads and statistics that wait and deletes expired rows of the store, so a gateway
    /// without payments calls it from time to time too.
    ///
    /// # Errors
    /// [`Error::Store`]: orders that were not delivered are delivered again. Evidence that cannot be written is an
    /// error after the orders were delivered. A bank that fails is not an error here: the order is delivered again
    /// later, or becomes a dead letter.
    pub fn run_due(&self) -> Result<RunReport> {
        self.run_due_while(|| true)
    }

    /// As [`Engine::run_due`], until `goes_on` returns false, after which it is not called again; it is called before
    /// each order. For a host that shuts down. A call to the bank is not interrupted. After it no order is delivered,
    /// and the claims of this node on the other orders are released.
    ///
    /// # Errors
    /// As [`Engine::run_due`].
    pub fn run_due_while(&self, goes_on: impl Fn() -> bool) -> Result<RunReport> {
        current_call::outside(|| self.at_present("run_due", |_, now| run_due(&self.context, now, &goes_on)))
    }

    /// When [`Engine::run_due`] has something to do next: deliver an order, or write evidence of reads or statistics.
    /// `None`: nothing waits now. The next completed SCA may add an
    /// order, and so may the next call, if the bank exempts payments from their SCA. An order that another node has
    /// claimed is due when that claim ends. An order that is due later than the longest backoff, because a clock was
    /// ahead, is due now.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn next_due(&self) -> Result<Option<DateTime<Utc>>> {
        self.at_present("next_due", |_, now| next_due(&self.context, now))
    }

    /// The dead letters, the oldest first, at most 1000: orders that the bank answered with a status that their
    /// payments cannot get, orders that cannot be read, and orders that failed ten times by their own fault. Their
    /// payments do not change until [`Engine::retry_order`] or [`Engine::report_payment_status`]. An order that cannot
    /// be read is also listed before a run has met it.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn dead_letters(&self) -> Result<Vec<DeadLetter>> {
        self.logging.guard("dead_letters", || dead_letters(&self.context))
    }

    /// Lets a dead letter be delivered again, from now on.
    ///
    /// # Errors
    /// [`Error::NotFound`] if the payment has no dead letter; [`Error::Store`].
    pub fn retry_order(&self, payment_id: &str) -> Result<()> {
        let id = parse_payment_id(payment_id)?;
        self.at_present("retry_order", |_, now| retry(&self.context, id, now))
    }

    /// Writes what this engine keeps in memory: evidence of reads (policy `audit_reads`) and statistics. Call it after
    /// the last request, before the engine is dropped. The engine can still be used, and closed again.
    ///
    /// # Errors
    /// [`Error::Store`]: what is not written waits on.
    pub fn close(&self) -> Result<()> {
        self.logging.guard("close", || write_waiting(&self.context, AT_ONCE))
    }

    /// Runs a call of the host at the present time. If the clock shows a year beyond the calendar, as a clock in
    /// another unit does, nothing is done, because the audit and the histories are never corrected.
    pub(super) fn at_present<T>(
        &self,
        name: &'static str,
        call: impl FnOnce(&WhichSca, DateTime<Utc>) -> Result<T>,
    ) -> Result<T> {
        self.logging.guard_sca(name, |about| call(about, within_calendar(self.context.clock.now())?))
    }
}

/// Whether the seal works: it is tried again after a failure, before a call changes anything.
fn can_sign(key: &ResponseKey) -> bool {
    match caught("sign", || key.check()) {
        Some(Ok(())) => true,
        Some(Err(error)) => {
            tracing::error!(%error, "a request is not processed: its answer could not be signed");
            false
        }
        None => false,
    }
}

/// The walk of a request: each stage takes the value that only the stage before it can make.
fn walk<'r>(context: &'r CallContext<'r>, trace: &mut Trace) -> std::result::Result<Committed, HandlerError> {
    // A host's clock in another unit is no fault of a certificate or a Date.
    within_calendar(context.now)?;
    let parsed = parse(context, trace)?;
    trace.note_parsed(parsed.call().payment().cloned());
    let identified = identify(parsed)?;
    trace.note_tpp(identified.certificate());
    let authentic = authenticate(identified)?;
    trace.note_authentic();
    let authorised = authorise(authentic)?;
    trace.note_authorised();
    let interfered = interfere(&authorised.observed(), context.engine, context.policy);
    trace.note_delay(interfered.delay);
    let admitted = admit(authorised, interfered.refusal)?;
    let command = read_body(admitted)?;
    let decision = decide(command)?;
    commit(decision)
}

fn parse_payment_id(text: &str) -> Result<PaymentId> {
    PaymentId::parse(text).ok_or_else(|| Error::NotFound("this is not a valid id of a payment".to_owned()))
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Engine")
            .field("environment", &self.context.policy().environment)
            .finish_non_exhaustive()
    }
}

/// The ids that a request has. A malformed `traceparent` is ignored, as W3C Trace Context requires.
fn call_ids(headers: &Headers<'_>, request: &Request<'_>) -> CallIds {
    let sent = headers.text("traceparent").and_then(std::result::Result::ok);
    CallIds {
        traceparent: sent.and_then(|text| TraceParent::parse(&text)),
        correlation_id: request.correlation_id,
    }
}

/// The path that takes the place of a deprecated one, with the base path.
fn successor(request: &Request<'_>, policy: &Policy) -> Option<String> {
    // Without the query: a refusal of what it has is an answer for the path, too.
    let target = Target::parse(request.target.split('?').next()?).ok()?;
    let successor = operation::successor(target.segments_below(&policy.base_path)?)?;
    Some(policy.base_path.clone() + successor)
}
