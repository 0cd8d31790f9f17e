//! A call that authentication refused, with what explains it.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use crate::explain::{explain, ExplainOptions, Explanation};
use crate::policy::KeyIdIssuer;
use crate::sandbox::journal::{Fields, RecordedCall};
use crate::tpp::certificate::Certificate;
use crate::tpp::trust::TrustAnchors;
use crate::wire::request::Request;

/// The reasons that authentication refuses by.
const FAMILIES: [&str; 4] = ["CRT-", "DIG-", "DAT-", "SIG-"];

/// Returns true if authentication refuses by this reason.
pub(super) fn is_of_authentication(reason: &str) -> bool {
    FAMILIES.iter().any(|family| reason.starts_with(family))
}

/// What the bank knows beside a call.
#[derive(Debug)]
pub(super) struct BankKnowledge {
    pub(super) base_path: String,
    pub(super) key_id_issuer: KeyIdIssuer,
    pub(super) trust_anchors: TrustAnchors,
    pub(super) certificates: Vec<Arc<Certificate>>,
}

/// A request, owned.
#[derive(Debug)]
pub(super) struct SentRequest {
    method: String,
    target: String,
    headers: Fields,
    body: Vec<u8>,
}

impl SentRequest {
    pub(super) fn of_request(request: &Request<'_>) -> Self {
        let owned = |(name, value): &(&str, &[u8])| ((*name).to_owned(), Arc::from(*value));
        Self {
            method: request.method.to_owned(),
            target: request.target.to_owned(),
            headers: request.headers.iter().map(owned).collect(),
            body: request.body.to_vec(),
        }
    }

    pub(super) fn of_call(call: RecordedCall) -> Self {
        let RecordedCall { method, target, headers, body, .. } = call;
        Self { method, target, headers, body }
    }

    fn fields(&self) -> Vec<(&str, &[u8])> {
        self.headers.iter().collect()
    }

    fn with_fields<'a>(&'a self, headers: &'a [(&'a str, &'a [u8])]) -> Request<'a> {
        Request {
            method: &self.method,
            target: &self.target,
            headers,
            body: &self.body,
            correlation_id: None,
        }
    }
}

/// A call that authentication refused, with what explains it: a copy, which may outlive the sandbox.
#[derive(Debug)]
pub struct RefusedCall {
    pub(super) request: SentRequest,
    pub(super) reason: &'static str,
    pub(super) at: DateTime<Utc>,
    pub(super) bank: Arc<BankKnowledge>,
    /// Calls before this one, the oldest first.
    pub(super) earlier: Vec<SentRequest>,
}

impl RefusedCall {
    /// The mistake that was made, found within the default budget.
    pub fn explain(&self) -> Explanation {
        let bank = &self.bank;
        let earlier: Vec<_> = self.earlier.iter().map(|call| (call, call.fields())).collect();
        let options = ExplainOptions {
            now: Some(self.at),
            certificates: bank.certificates.clone(),
            base_paths: Some(&bank.base_path).filter(|path| !path.is_empty()).cloned().into_iter().collect(),
            earlier: earlier.iter().map(|(call, fields)| call.with_fields(fields)).collect(),
            trust_anchors: Some(bank.trust_anchors.clone()),
            key_id_issuer: bank.key_id_issuer,
            ..ExplainOptions::default()
        };
        let found = explain(&self.request.with_fields(&self.request.fields()), &options);
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
