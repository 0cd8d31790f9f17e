//! Stage 9, the only exit: status, body, links and headers of every answer.

use std::sync::Arc;

use std::io::Write as _;

use chrono::{DateTime, TimeDelta, Utc};
use flate2::write::GzEncoder;
use flate2::Compression;
use serde::Serialize;

use super::commit::Committed;
use crate::account::agreement_view::AgreementsView;
use crate::account::card_view::{
    CardAccountsView, CardBalancesView, CardTransactionsView, OneCardAccountView,
};
use crate::account::transaction_view::{DetailsView as TransactionDetailsView, TransactionsView};
use crate::account::view::{AccountsView, BalancesView, OneAccountView};
use crate::bank::BankAnswer;
use crate::basket;
use crate::basket::view::BasketView;
use crate::error::{Error, Result};
use crate::handler_error::{reason_of, HandlerError};
use crate::limits::{GZIP_BYTES_MIN, TPP_MESSAGES_MAX};
use crate::payment::view::{path, CancellationView, CreatedView, DetailsView, StatusView};
use crate::pipeline::account_read::{AccountRead, Answered};
use crate::pipeline::outcome::Outcome;
use crate::pipeline::trace::Trace;
use crate::policy::Policy;
use crate::reason::{Finding, Language, Reason, Refusal};
use crate::sca::view::{sca_redirect, LinkView, StartedView};
use crate::types::date::seconds_left_of_day;
use crate::types::{AuthorisationId, Context, RequestId};
use crate::wire::call_record::CallRecord;
use crate::wire::headers::Headers;
use crate::wire::http_date::format_http_date;
use crate::wire::json;
use crate::wire::message::TppMessage;
use crate::wire::negotiation::Negotiated;
use crate::wire::response::{Response, ResponseHeaders};

/// What every answer to a request has in common.
pub(crate) struct AnswerFrame {
    negotiated: Negotiated,
    /// As it was sent, because callers compare it as text.
    request_id: Option<String>,
    now: DateTime<Utc>,
    /// Scheme and host of the SCA site.
    sca_origin: Arc<str>,
    /// The path that takes the place of the call's, with the base path.
    successor: Option<String>,
}

impl AnswerFrame {
    pub(crate) fn new(
        headers: &Headers<'_>,
        negotiated: Negotiated,
        now: DateTime<Utc>,
        sca_origin: Arc<str>,
        successor: Option<String>,
    ) -> Self {
        let sent = headers.text("X-Request-ID").and_then(std::result::Result::ok);
        let request_id = sent.filter(|text| RequestId::parse(text).is_some()).map(Into::into);
        Self { negotiated, request_id, now, sca_origin, successor }
    }

    /// The same for an answer that comes later than its call.
    pub(crate) fn later_by(&self, delay: TimeDelta) -> Self {
        let now = self.now.checked_add_signed(delay).unwrap_or(self.now);
        Self {
            request_id: self.request_id.clone(),
            sca_origin: Arc::clone(&self.sca_origin),
            successor: self.successor.clone(),
            now,
            ..*self
        }
    }

    pub(crate) fn negotiated(&self) -> Negotiated {
        self.negotiated
    }

    /// The answer where the walk panicked.
    pub(crate) fn internal_error(&self) -> Response {
        finish(self, refusal(self, &Reason::Internal.into(), None, Vec::new()))
    }

    /// The answer in place of one that could not be signed: what it was about may be done.
    pub(crate) fn unsigned(&self) -> Response {
        finish(self, refusal(self, &Reason::OutcomeUnknown.into(), None, Vec::new()))
    }

    /// The answer to a call that is not processed because its answer could not be signed.
    pub(crate) fn without_seal(&self) -> Response {
        finish(self, refusal(self, &Reason::BankFailed.into(), None, Vec::new()))
    }

    fn language(&self) -> Language {
        self.negotiated.language
    }
}

/// A status, a body and the headers of its own that an answer has.
struct Answer {
    status: u16,
    body: Vec<u8>,
    extra: Vec<(&'static str, String)>,
    reason: Option<Reason>,
}

/// Shapes the answer to a walk that came to its goal, or to its stop.
pub(crate) fn respond(
    frame: &AnswerFrame,
    policy: &Policy,
    walked: std::result::Result<Committed, HandlerError>,
    trace: &Trace,
) -> Response {
    let answer = match walked {
        Ok(committed) => success(frame, policy, committed)
            .unwrap_or_else(|error| failure(frame, &HandlerError::Failed(error), trace)),
        Err(stop) => failure(frame, &stop, trace),
    };
    finish(frame, answer)
}

fn success(frame: &AnswerFrame, policy: &Policy, committed: Committed) -> Result<Answer> {
    let (language, psu_language) = (frame.language(), frame.negotiated.psu_language);
    let sca_redirect = |id: &AuthorisationId| sca_redirect(&frame.sca_origin, policy, id);
    match committed.into_outcome() {
        Outcome::Created { payment, sca, warnings } => {
            let link = sca.map(|id| sca_redirect(&id));
            let view = CreatedView::new(&payment, link, messages(warnings.iter(), language), psu_language);
            let mut answer = ok(201, &view)?;
            // Unlike the links, this one is resolved by any HTTP client.
            answer.extra.push(("Location", policy.base_path.clone() + &path(&payment)));
            Ok(answer)
        }
        Outcome::Details(payment) => ok(200, &DetailsView::new(&payment)),
        Outcome::Status(payment) => ok(200, &StatusView::new(&payment, psu_language)),
        Outcome::GivenUp => Ok(Answer { status: 204, body: Vec::new(), extra: Vec::new(), reason: None }),
        Outcome::CancellationNeedsSca(payment) => ok(202, &CancellationView::new(&payment)),
        Outcome::BasketCreated(basket, payments) => {
            let mut answer = ok(201, &BasketView::new(&basket, &payments))?;
            answer.extra.push(("Location", policy.base_path.clone() + &basket::view::path(&basket)));
            Ok(answer)
        }
        Outcome::BasketDetails(basket, payments) => {
            ok(200, &BasketView::new(&basket, &payments).with_payments(&basket))
        }
        Outcome::BasketStatus(basket, payments) => ok(200, &BasketView::new(&basket, &payments)),
        Outcome::AuthorisationStarted(id) => ok(201, &StartedView::new(sca_redirect(&id))),
        Outcome::ScaRequired { refusal: refused, sca } => {
            Ok(refusal(frame, &refused, Some(LinkView::new(sca_redirect(&sca))), Vec::new()))
        }
        Outcome::ConsentStarted(id) => ok(201, &LinkView::new(sca_redirect(&id))),
        Outcome::IdentificationStarted(id) => ok(200, &LinkView::new(sca_redirect(&id))),
        Outcome::AccountsRead { psu, read } => account_data(&read, psu.context),
        Outcome::Agreements(agreements) => ok(200, &AgreementsView::new(&agreements)),
        Outcome::OfBank(Some(answer)) => Ok(of_bank(policy, answer)),
        Outcome::OfBank(None) => {
            Err(Error::Internal("an operation of the bank was not performed".to_owned()))
        }
    }
}

/// Since when a path with a successor is deprecated (RFC 9745: a date of RFC 9651). The contract names no day: this is
/// the first of the year of the documentation that announces it.
const DEPRECATED_SINCE: &str = "@1767225600";

/// The headers of a path that another takes the place of, on every answer. The link is of RFC 8288 and RFC 5829.
fn deprecation(frame: &AnswerFrame) -> impl Iterator<Item = (&'static str, String)> + '_ {
    frame.successor.iter().flat_map(|successor| {
        let link = format!("<{successor}>; rel=\"successor-version\"");
        [("Deprecation", DEPRECATED_SINCE.to_owned()), ("Link", link)]
    })
}

fn account_data(read: &AccountRead<Answered>, context: Context) -> Result<Answer> {
    match read {
        AccountRead::Accounts { accounts, .. } => {
            let accounts = accounts.iter().map(|(account, balances)| (account, balances.as_deref()));
            ok(200, &AccountsView::new(accounts))
        }
        AccountRead::Account { account, balances, .. } => {
            ok(200, &OneAccountView::new(account, balances.as_deref()))
        }
        AccountRead::Balances { account, balances } => ok(200, &BalancesView::new(account, balances)),
        AccountRead::Transactions { account, query, listing } => {
            ok(200, &TransactionsView::new(account, context, query, listing))
        }
        AccountRead::Transaction { account, transaction } => {
            ok(200, &TransactionDetailsView::new(account, context, transaction))
        }
        AccountRead::CardAccounts { cards } => {
            let cards = cards.iter().map(|(card, balances)| (card, balances.as_slice()));
            ok(200, &CardAccountsView::new(cards))
        }
        AccountRead::CardAccount { card, balances } => ok(200, &OneCardAccountView::new(card, balances)),
        AccountRead::CardBalances { card, balances } => ok(200, &CardBalancesView::new(card, balances)),
        AccountRead::CardTransactions { card, query, listing } => {
            ok(200, &CardTransactionsView::new(card, query, listing))
        }
    }
}

/// The bank's own answer as it is, with the base path before its path.
fn of_bank(policy: &Policy, answer: BankAnswer) -> Answer {
    let location = answer.location.map(|path| ("Location", policy.base_path.clone() + &path));
    Answer { status: answer.status, body: answer.body, extra: location.into_iter().collect(), reason: None }
}

fn ok(status: u16, view: &impl Serialize) -> Result<Answer> {
    Ok(Answer { status, body: json::write(view)?, extra: Vec::new(), reason: None })
}

fn failure(frame: &AnswerFrame, stop: &HandlerError, trace: &Trace) -> Answer {
    match stop {
        HandlerError::Refused(refused) => refusal(frame, refused, None, required_headers(frame, refused)),
        HandlerError::Failed(error) => {
            log_failure(frame, error, trace);
            refusal(frame, &reason_of(error).into(), None, Vec::new())
        }
    }
}

/// What finds the call in the other logs, and its payment at the bank. The name is of a certificate that counts, and
/// cannot end the line all the same.
fn log_failure(frame: &AnswerFrame, error: &Error, trace: &Trace) {
    tracing::error!(
        request_id = frame.request_id.as_deref(),
        operation = trace.operation().map(|operation| operation.name),
        tpp = trace.claimed_tpp(),
        payment_id = trace.payment().map(display),
        %error,
        "a request could not be processed"
    );
}

/// What RFC 9110 wants beside a refusal: a 405 lists the methods that the resource takes in its present state; a 415
/// for a coding says which are taken; a 429 says when to come again. Calls without the PSU are counted by the day in
/// Oslo.
fn required_headers(frame: &AnswerFrame, refused: &Refusal) -> Vec<(&'static str, String)> {
    match refused.reason() {
        Reason::MethodNotAllowed => vec![("Allow", allowed_methods(refused))],
        Reason::PaymentNotCancellable | Reason::FaultConflictOfMethod => vec![("Allow", "GET".to_owned())],
        Reason::BodyEncoded => vec![("Accept-Encoding", "identity".to_owned())],
        // An empty list says that the resource takes no method for now (RFC 9110: Allow).
        Reason::FaultMethod => vec![("Allow", String::new())],
        Reason::AccessExceeded | Reason::FaultAccessExceeded => {
            vec![("Retry-After", seconds_left_of_day(frame.now).to_string())]
        }
        _ => Vec::new(),
    }
}

/// The methods that the path takes, as the stage that routes left them in the refusal.
fn allowed_methods(refused: &Refusal) -> String {
    let argument = refused.findings().next().and_then(|finding| finding.violation.arguments.first());
    argument.cloned().unwrap_or_default()
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RefusalView {
    tpp_messages: Vec<TppMessage>,
    #[serde(flatten)]
    cure: Option<LinkView>,
}

fn refusal(
    frame: &AnswerFrame,
    refused: &Refusal,
    cure: Option<LinkView>,
    extra: Vec<(&'static str, String)>,
) -> Answer {
    let view = RefusalView { tpp_messages: messages(refused.findings(), frame.language()), cure };
    Answer {
        status: refused.status(),
        body: json::write(&view).unwrap_or_default(),
        extra,
        reason: Some(refused.reason()),
    }
}

fn messages<'f>(findings: impl Iterator<Item = &'f Finding>, language: Language) -> Vec<TppMessage> {
    findings.take(TPP_MESSAGES_MAX).map(|finding| TppMessage::new(finding, language)).collect()
}

/// As many headers as most answers have; those of a bank that signs are more.
const HEADERS_CAPACITY: usize = 8;

fn finish(frame: &AnswerFrame, answer: Answer) -> Response {
    let mut headers = ResponseHeaders::with_capacity(HEADERS_CAPACITY);
    if !answer.body.is_empty() {
        headers.push(("Content-Type".into(), "application/json".into()));
        headers.push(("Content-Language".into(), frame.language().tag().into()));
    }
    headers.push(("Date".into(), format_http_date(frame.now).into()));
    headers.extend(frame.request_id.clone().map(|id| ("X-Request-ID".into(), id.into())));
    let extra = answer.extra.into_iter().chain(deprecation(frame));
    headers.extend(extra.map(|(name, value)| (name.into(), value.into())));
    let compressed =
        (frame.negotiated.gzip && answer.body.len() >= GZIP_BYTES_MIN).then(|| gzip(&answer.body));
    let body = match compressed.flatten() {
        Some(compressed) => {
            headers.push(("Content-Encoding".into(), "gzip".into()));
            compressed
        }
        None => answer.body,
    };
    let reason = answer.reason.map(Reason::id);
    Response { status: answer.status, headers, body, reason, call: CallRecord::default() }
}

/// Not inlined: the compressor takes half of the stack that a call needs, for answers that it compresses alone.
#[inline(never)]
fn gzip(body: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 2), Compression::fast());
    encoder.write_all(body).ok()?;
    encoder.finish().ok()
}
