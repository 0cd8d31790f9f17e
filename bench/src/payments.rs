//! The requests that are measured: payments, signed in advance.

use std::path::PathBuf;

use xs2a::{Engine, Request, Response, Sandbox, SandboxOptions, ScaAnswer, TestTpp};

use crate::products::Product;
use crate::Outcome;

/// An id of the right form that no payment has.
const UNKNOWN_ID: &str = "00000000-0000-4000-8000-000000000000";
/// The first customer of the default data.
const CUSTOMER: &str = "13039319955";
/// The time of every sandbox that is measured.
pub(crate) const NOW: &str = "2026-09-01T10:00:00Z";

/// A signed request that owns its parts.
pub(crate) struct Signed {
    method: &'static str,
    target: String,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Signed {
    /// Gives the answer's status. Borrowing the parts is part of the call, as it is for a host.
    pub(crate) fn send(&self, sandbox: &Sandbox) -> u16 {
        self.answered_by(|request| sandbox.handle(request))
    }

    /// The body of the answer.
    pub(crate) fn answer(&self, sandbox: &Sandbox) -> Outcome<serde_json::Value> {
        let mut body = None;
        self.answered_by(|request| {
            let answer = sandbox.handle(request);
            body = Some(serde_json::from_slice(answer.body()));
            answer
        });
        Ok(body.ok_or("no answer")??)
    }

    /// The same, of an engine.
    pub(crate) fn send_to(&self, engine: &Engine) -> u16 {
        self.answered_by(|request| engine.handle(request))
    }

    fn answered_by(&self, handle: impl FnOnce(&Request<'_>) -> Response) -> u16 {
        let headers: Vec<_> =
            self.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
        let request = Request {
            method: self.method,
            target: &self.target,
            headers: &headers,
            body: &self.body,
            correlation_id: None,
        };
        handle(&request).status()
    }

    /// The value of a header that is known to be there.
    pub(crate) fn header(&self, name: &str) -> Outcome<&str> {
        let found = self.headers.iter().find(|(candidate, _)| candidate.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str()).ok_or_else(|| format!("no header {name}").into())
    }

    /// The parts of the call.
    pub(crate) fn parts(&self) -> (&'static str, &str, &[(String, String)], &[u8]) {
        (self.method, &self.target, &self.headers, &self.body)
    }
}

/// A sandbox with a TPP, and the payments that TPP makes there.
pub(crate) struct Payer {
    pub(crate) sandbox: Sandbox,
    pub(crate) tpp: TestTpp,
    debtor: String,
    creditor: String,
    made: usize,
}

impl Payer {
    /// A fresh sandbox, in memory or in a file.
    pub(crate) fn open(database: Option<PathBuf>) -> Outcome<Self> {
        Self::of(&options(database)?)
    }

    /// One of several that call one engine: the seed makes their request ids differ.
    pub(crate) fn of_seed(seed: u64) -> Outcome<Self> {
        Self::of(&SandboxOptions { seed, ..options(None)? })
    }

    /// A fresh sandbox in memory, of that policy.
    pub(crate) fn with_policy(policy: &str) -> Outcome<Self> {
        Self::of(&SandboxOptions { policy: Some(policy.to_owned()), ..options(None)? })
    }

    fn of(options: &SandboxOptions) -> Outcome<Self> {
        let sandbox = Sandbox::open(options)?;
        let tpp = sandbox.register_tpp("Acme Pay", &["AISP", "PISP"])?;
        let data: serde_json::Value = serde_json::from_str(&sandbox.default_data()?)?;
        let bban = |pointer: &str| data.pointer(pointer).and_then(|found| found.as_str()).map(str::to_owned);
        let debtor = bban("/customers/0/accounts/0/bban").ok_or("no account of the first customer")?;
        let creditor = bban("/customers/1/accounts/0/bban").ok_or("no account of the second customer")?;
        Ok(Self { sandbox, tpp, debtor, creditor, made: 0 })
    }

    /// The creation of one more instant payment.
    pub(crate) fn creation(&mut self) -> Outcome<Signed> {
        self.creation_of(Product::Straks)
    }

    /// The creation of one more payment: no two have the same amount, so that none is a duplicate.
    pub(crate) fn creation_of(&mut self, product: Product) -> Outcome<Signed> {
        self.made += 1;
        let amount = format!("{}.{:02}", 1 + self.made / 100, self.made % 100);
        self.create(product, &product.body(&self.debtor, &self.creditor, &amount))
    }

    fn create(&self, product: Product, body: &serde_json::Value) -> Outcome<Signed> {
        let fields = [
            ("x-accept-fix", ""),
            ("TPP-Session-ID", "session-1"),
            ("TPP-Redirect-URI", "https://tpp.example/callback?state=42"),
            ("PSU-Context", "PRIVATE"),
            ("PSU-IP-Address", "192.0.2.1"),
            ("Content-Type", "application/json"),
        ];
        self.sign("POST", product.target().to_owned(), &fields, body.to_string().into_bytes())
    }

    /// As [`Payer::creation`], unlike those of payers of another number.
    pub(crate) fn creation_by(&mut self, number: usize) -> Outcome<Signed> {
        self.made += 1;
        let amount = format!("{}.{:02}", 1 + self.made / 100, self.made % 100);
        let mut body = Product::Straks.body(&self.debtor, &self.creditor, &amount);
        if let Some(members) = body.as_object_mut() {
            let reference = format!("payer {number}");
            members.insert("remittanceInformationUnstructured".to_owned(), reference.into());
        }
        self.create(Product::Straks, &body)
    }

    /// The payer opens all accounts to the TPP. Returns the PSU-ID.
    pub(crate) fn consent(&self) -> Outcome<String> {
        let fields = [("TPP-Redirect-URI", "https://tpp.example/"), ("TPP-Session-ID", "session-1")];
        let target = "/v1/bank-offered-consents".to_owned();
        let started = self.sign("POST", target, &fields, Vec::new())?.answer(&self.sandbox)?;
        let link = started.pointer("/_links/scaRedirect/href").and_then(serde_json::Value::as_str);
        let callback = self.sandbox.authorise(link.ok_or("no link")?, &ScaAnswer::approve(CUSTOMER))?;
        let psu_id = callback.split(['?', '&']).find_map(|part| part.strip_prefix("psu-id="));
        Ok(psu_id.ok_or("no PSU-ID")?.to_owned())
    }

    /// A read of account data in the session of the consent.
    pub(crate) fn read(&self, target: String, psu_id: &str) -> Outcome<Signed> {
        let fields = [
            ("TPP-Session-ID", "session-1"),
            ("TPP-Redirect-URI", "https://tpp.example/"),
            ("PSU-ID", psu_id),
            ("PSU-IP-Address", "192.0.2.1"),
        ];
        self.sign("GET", target, &fields, Vec::new())
    }

    /// The cheapest call that must be authenticated all the same: the status of a payment that is not there.
    pub(crate) fn status_of_unknown(&self) -> Outcome<Signed> {
        let fields = [("TPP-Redirect-URI", "https://tpp.example/callback?state=42")];
        let target = format!("{}/{UNKNOWN_ID}/status", Product::Straks.target());
        self.sign("GET", target, &fields, Vec::new())
    }

    /// Signs any call of the TPP.
    pub(crate) fn sign(
        &self,
        method: &'static str,
        target: String,
        fields: &[(&str, &str)],
        body: Vec<u8>,
    ) -> Outcome<Signed> {
        let fields: Vec<_> =
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let headers = self.tpp.sign(method, &target, &fields, &body)?;
        Ok(Signed { method, target, headers, body })
    }
}

/// How every measured sandbox is opened.
pub(crate) fn options(database: Option<PathBuf>) -> Outcome<SandboxOptions> {
    Ok(SandboxOptions { database, now: Some(NOW.parse()?), seed: 1, ..SandboxOptions::default() })
}
