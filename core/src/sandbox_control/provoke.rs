//! A request for every code of the contract: what a bank can say to a TPP, on demand.

mod caller;
mod recipes;

use std::collections::BTreeSet;

use chrono::Datelike;
use serde::Serialize;

use self::caller::{Caller, Signed};
use self::recipes::RECIPES;
use super::sandbox::Sandbox;
use crate::error::{Error, Result};
use crate::reason::Reason;
use crate::sandbox::pki::FIRST_YEAR;
use crate::wire::json;
use crate::wire::response::Response;

/// A signed request that earns a refusal, if it is the next that the sandbox is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvokedRequest {
    signed: Signed,
    reason: Reason,
}

impl ProvokedRequest {
    /// The method.
    pub fn method(&self) -> &str {
        &self.signed.method
    }

    /// Path and query, the base path included.
    pub fn target(&self) -> &str {
        &self.signed.target
    }

    /// Name and value of each header, in the order they are to be sent.
    pub fn headers(&self) -> &[(String, String)] {
        &self.signed.headers
    }

    /// The body; empty where there is none.
    pub fn body(&self) -> &str {
        &self.signed.body
    }

    /// What it earns: its [`Reason::id`], its code and its status.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Hands it to a sandbox.
    pub fn send(&self, sandbox: &Sandbox) -> Response {
        self.signed.ask(|request| sandbox.handle(request))
    }

    /// As the text of a JSON object: `method`, `target`, `headers` (an array of `name` and `value`), `body` as text,
    /// and what it earns: `code`, `status`, `reason`.
    ///
    /// # Errors
    /// [`Error::Internal`]: a bug.
    pub fn to_json(&self) -> Result<String> {
        let headers = self.headers().iter().map(|(name, value)| HeaderView { name, value });
        json::write_text(&RequestView {
            method: self.method(),
            target: self.target(),
            headers: headers.collect(),
            body: self.body(),
            code: self.reason.code().as_str(),
            status: self.reason.status(),
            reason: self.reason.id(),
        })
    }
}

#[derive(Serialize)]
struct RequestView<'p> {
    method: &'p str,
    target: &'p str,
    headers: Vec<HeaderView<'p>>,
    body: &'p str,
    code: &'p str,
    status: u16,
    reason: &'p str,
}

#[derive(Serialize)]
struct HeaderView<'p> {
    name: &'p str,
    value: &'p str,
}

impl Sandbox {
    /// A request that earns a code of the contract's section "Errors", or the reason with that id, such as `DAT-02`,
    /// where there is a recipe for it.
    ///
    /// The sandbox is brought to where the request earns it: a TPP is registered, the first private customer of the
    /// default set may have opened accounts to it or ordered payments, `CONSENT_EXPIRED` moves the clock by 180 days,
    /// and `SYSTEM_ERROR` and `PAYMENT_FAILED` set a fault that strikes that TPP once. Where nothing of this may
    /// stay, ask a fork.
    ///
    /// # Errors
    /// [`Error::Misuse`] for a code or id that there is no recipe for, where the default set, or what the policy
    /// or faults make of it, no longer allows what must come before, and before 1950, when no certificate of the test
    /// PKI is valid; [`Error::Store`].
    pub fn provoke(&self, wanted: &str) -> Result<ProvokedRequest> {
        let is_wanted = |reason: Reason| reason.code().as_str() == wanted || reason.id() == wanted;
        let recipe = RECIPES.iter().find(|(reason, _)| is_wanted(*reason));
        let Some((reason, make)) = recipe else {
            let codes: BTreeSet<_> = RECIPES.iter().map(|(reason, _)| reason.code().as_str()).collect();
            let ids: BTreeSet<_> = RECIPES.iter().map(|(reason, _)| reason.id()).collect();
            let words: Vec<_> = codes.into_iter().chain(ids).collect();
            let words = words.join(", ");
            return Err(Error::Misuse(format!("`{wanted}` cannot be provoked; use one of {words}")));
        };
        if self.now().year() < FIRST_YEAR {
            let text = format!("before {FIRST_YEAR} nothing can be provoked: no certificate is valid yet");
            return Err(Error::Misuse(text));
        }
        let caller = Caller::register(self, &["AISP", "PISP"])?;
        Ok(ProvokedRequest { signed: make(&caller)?, reason: *reason })
    }
}
