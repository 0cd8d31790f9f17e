//! Refused calls of a sandbox, to be explained when that is asked for.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::sandbox::Sandbox;
use crate::explain::{explain, ExplainOptions, Explanation};
use crate::policy::KeyIdIssuer;
use crate::sandbox::journal::{Fields, JournalEntry, RecordedCall, Step};
use crate::tpp::certificate::Certificate;
use crate::tpp::trust::TrustAnchors;
use crate::wire::request::Request;
use crate::wire::response::Response;

/// How many calls before a refused one are looked at.
const EARLIER_CALLS_MAX: usize = 16;

/// The reasons that authentication refuses by.
const FAMILIES: [&str; 4] = ["CRT-", "DIG-", "DAT-", "SIG-"];

/// A call that authentication refused, with what explains it: a copy, which the sandbox may outlive or not.
#[derive(Debug)]
pub struct RefusedCall {
    sent: Sent,
    reason: &'static str,
    at: DateTime<Utc>,
    base_path: String,
    key_id_issuer: KeyIdIssuer,
    trust_anchors: TrustAnchors,
    certificates: Vec<Arc<Certificate>>,
    earlier: Vec<RecordedCall>,
}

/// The request as it came in.
#[derive(Debug)]
struct Sent {
    method: String,
    target: String,
    headers: Fields,
    body: Vec<u8>,
}

impl Sandbox {
    /// What explains an answer to a call at that time; `None` if it was not refused by authentication.
    pub fn refused_call(
        &self,
        request: &Request<'_>,
        answer: &Response,
        at: DateTime<Utc>,
    ) -> Option<RefusedCall> {
        let reason = of_authentication(answer.reason())?;
        let owned = |(name, value): &(&str, &[u8])| ((*name).to_owned(), Arc::from(*value));
        let sent = Sent {
            method: request.method.to_owned(),
            target: request.target.to_owned(),
            headers: request.headers.iter().map(owned).collect(),
            body: request.body.to_vec(),
        };
        Some(self.explainable(sent, reason, at, &self.journal()))
    }

    /// As [`Sandbox::refused_call`], of the call with that number in the journal; `None` also if the journal has no
    /// such call.
    pub fn refused_entry(&self, number: u64) -> Option<RefusedCall> {
        let entries = self.journal();
        let place = entries.binary_search_by_key(&number, |entry| entry.number).ok()?;
        let (entry, earlier) = entries.get(..=place)?.split_last()?;
        let Step::Call(call) = &entry.step else { return None };
        let RecordedCall { method, target, headers, body, reason, .. } = call.unpack();
        let reason = of_authentication(reason)?;
        Some(self.explainable(Sent { method, target, headers, body }, reason, entry.at, earlier))
    }

    /// The call, with the bank's part of what explains it.
    fn explainable(
        &self,
        sent: Sent,
        reason: &'static str,
        at: DateTime<Utc>,
        earlier: &[Arc<JournalEntry>],
    ) -> RefusedCall {
        let policy = self.engine.policy();
        RefusedCall {
            sent,
            reason,
            at,
            base_path: policy.base_path.clone(),
            key_id_issuer: policy.key_id_issuer,
            trust_anchors: self.engine.context.with_trust(TrustAnchors::clone),
            certificates: self.certificates_of_tpps(),
            earlier: newest_calls(earlier),
        }
    }

    /// Certificates that cannot be read are left out: the explanation is then shorter, but still right.
    fn certificates_of_tpps(&self) -> Vec<Arc<Certificate>> {
        let tpps = self.database.read_books(|books| books.tpps()).unwrap_or_default();
        tpps.iter().filter_map(|tpp| Certificate::from_der(&tpp.certificate).ok()).map(Arc::new).collect()
    }
}

/// The reason, if it is one that authentication refuses by.
fn of_authentication(reason: Option<&'static str>) -> Option<&'static str> {
    reason.filter(|reason| FAMILIES.iter().any(|family| reason.starts_with(family)))
}

/// The last calls among journal entries, oldest first.
fn newest_calls(entries: &[Arc<JournalEntry>]) -> Vec<RecordedCall> {
    let calls = entries.iter().rev().filter_map(|entry| match &entry.step {
        Step::Call(call) => Some(call.unpack()),
        _ => None,
    });
    let mut calls: Vec<RecordedCall> = calls.take(EARLIER_CALLS_MAX).collect();
    calls.reverse();
    calls
}

impl RefusedCall {
    /// The mistake that was made, found within the default budget.
    pub fn explain(&self) -> Explanation {
        let Sent { method, target, headers, body } = &self.sent;
        let headers: Vec<_> = headers.iter().collect();
        let earlier: Vec<Vec<_>> = self.earlier.iter().map(|call| call.headers.iter().collect()).collect();
        let earlier = self.earlier.iter().zip(&earlier).map(|(call, headers)| Request {
            method: &call.method,
            target: &call.target,
            headers,
            body: &call.body,
        });
        let options = ExplainOptions {
            now: Some(self.at),
            certificates: self.certificates.clone(),
            base_paths: Some(&self.base_path).filter(|path| !path.is_empty()).cloned().into_iter().collect(),
            earlier: earlier.collect(),
            trust_anchors: Some(self.trust_anchors.clone()),
            key_id_issuer: self.key_id_issuer,
            ..ExplainOptions::default()
        };
        let found = explain(&Request { method, target, headers: &headers, body }, &options);
        match found.ok {
            true => self.refused_by_the_bank(found),
            false => found,
        }
    }

    /// Revocation and the type of a certificate are known to the bank alone.
    fn refused_by_the_bank(&self, found: Explanation) -> Explanation {
        let text =
            "The request is right by itself. The bank refuses its certificate by a revocation list or by a \
                    policy.";
        Explanation { ok: false, reason: Some(self.reason), text: text.to_owned(), ..found }
    }
}
