//! A TPP that calls its sandbox: what a recipe needs before its request.

use crate::error::{Error, Result};
use crate::sandbox_control::sandbox::Sandbox;
use crate::sandbox_control::sca_answer::ScaAnswer;
use crate::sandbox_control::test_tpp::TestTpp;
use crate::wire::json::Json;
use crate::wire::request::Request;
use crate::wire::response::Response;

/// A private customer of the default set, and what that person has.
const CUSTOMER: &str = "13039319955";
pub(super) const ACCOUNT: &str = "95360573002";
pub(super) const OTHER_ACCOUNT: &str = "95360573010";
/// The session that recipes use where one does.
pub(super) const SESSION: &str = "provoked";
const REDIRECT: (&str, &str) = ("TPP-Redirect-URI", "https://tpp.example/callback");

/// Header fields as recipes write them.
pub(super) type Fields<'f> = Vec<(&'f str, &'f str)>;

/// A request, signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signed {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Signed {
    /// Passes the request to `answer`.
    pub(super) fn ask(&self, answer: impl FnOnce(&Request<'_>) -> Response) -> Response {
        let headers = self.headers.iter().map(|(name, value)| (name.as_str(), value.as_bytes()));
        let headers: Vec<(&str, &[u8])> = headers.collect();
        answer(&Request {
            method: &self.method,
            target: &self.target,
            headers: &headers,
            body: self.body.as_bytes(),
            correlation_id: None,
        })
    }
}

/// A TPP made for one provoked request.
pub(super) struct Caller<'s> {
    pub(super) sandbox: &'s Sandbox,
    pub(super) tpp: TestTpp,
}

impl<'s> Caller<'s> {
    pub(super) fn register(sandbox: &'s Sandbox, roles: &[&str]) -> Result<Self> {
        Ok(Self { sandbox, tpp: sandbox.register_tpp("Provoked", roles)? })
    }

    /// A signed request; `path` follows the base path.
    pub(super) fn sign(&self, method: &str, path: &str, fields: &Fields<'_>, body: &str) -> Result<Signed> {
        let target = format!("{}{path}", self.sandbox.engine.policy().base_path);
        let owned: Vec<_> =
            fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let headers = self.tpp.sign(method, &target, &owned, body.as_bytes())?;
        Ok(Signed { method: method.to_owned(), target, headers, body: body.to_owned() })
    }

    /// A reading call, with more fields than every call has.
    pub(super) fn get(&self, path: &str, more: &[(&str, &str)]) -> Result<Signed> {
        self.sign("GET", path, &[&[REDIRECT], more].concat(), "")
    }

    /// A call that creates something, of a customer who is there: a single SCA.
    pub(super) fn create(&self, path: &str, body: &str) -> Result<Signed> {
        self.sign("POST", path, &creation(&[("PSU-Context", "PRIVATE")]), body)
    }

    /// As [`Caller::create`], for a customer that the TPP knows.
    pub(super) fn create_for(&self, psu_id: &str, path: &str, body: &str) -> Result<Signed> {
        self.sign("POST", path, &creation(&[("PSU-ID", psu_id)]), body)
    }

    /// Carries out a preparing call; fails if its answer has another status.
    pub(super) fn prepare(&self, request: &Signed, status: u16) -> Result<Prepared> {
        let response = request.ask(|request| self.sandbox.handle(request));
        if response.status() == status && response.header("Content-Encoding").is_none() {
            return Ok(Prepared(response));
        }
        Err(Error::Misuse(format!(
            "what must come before could not be done: {} {} was answered {} {}; the default data set is needed, and \
             no fault in the way",
            request.method,
            request.target,
            response.status(),
            response.reason().unwrap_or_default()
        )))
    }

    /// The customer opens accounts under a session: all of them, or those given. The PSU-ID.
    pub(super) fn consent(&self, session: &str, accounts: Option<&[&str]>) -> Result<String> {
        let fields = vec![REDIRECT, ("TPP-Session-ID", session)];
        let started = self.prepare(&self.sign("POST", "/v1/bank-offered-consents", &fields, "")?, 201)?;
        let link = started.text(&["_links", "scaRedirect", "href"])?;
        let accounts = accounts.map(|numbers| numbers.iter().map(ToString::to_string).collect());
        let url = self.sandbox.authorise(&link, &ScaAnswer { accounts, ..ScaAnswer::approve(CUSTOMER) })?;
        let query = url.split_once('?').map_or("", |(_, query)| query);
        let psu_id = query.split('&').find_map(|pair| pair.strip_prefix("psu-id="));
        psu_id.map(str::to_owned).ok_or_else(|| Error::Misuse(format!("the SCA for it failed: {url}")))
    }

    /// The customer takes back what it opened.
    pub(super) fn revoke(&self) -> Result<()> {
        self.sandbox.revoke_consent(CUSTOMER, self.tpp.organisation_id())
    }

    /// The path of an account that is open to the TPP: the first in the bank's list.
    pub(super) fn open_account(&self, psu_id: &str) -> Result<String> {
        let listed = self.prepare(&self.get("/v1/accounts", &[("PSU-ID", psu_id)])?, 200)?;
        listed.text(&["accounts", "0", "_links", "self", "href"])
    }
}

/// The set of a payment's or basket's creation, with the fields that say for whom.
pub(super) fn creation<'f>(for_whom: &[(&'f str, &'f str)]) -> Fields<'f> {
    let common = [
        ("x-accept-fix", ""),
        ("TPP-Session-ID", SESSION),
        REDIRECT,
        ("PSU-IP-Address", "192.0.2.1"),
        ("Content-Type", "application/json"),
    ];
    [&common, for_whom].concat()
}

/// An answer that is as it must be.
pub(super) struct Prepared(Response);

impl Prepared {
    /// A text in its body; a number in the path is the place in an array.
    pub(super) fn text(&self, path: &[&str]) -> Result<String> {
        let missing = || Error::Misuse(format!("an answer has no {}", path.join("/")));
        let body = Json::parse(self.0.body()).map_err(|_| missing())?;
        let found = path.iter().try_fold(&body, |value, name| match value {
            Json::Array(items) => name.parse().ok().and_then(|index: usize| items.get(index)),
            value => value.member(name),
        });
        match found {
            Some(Json::String(text)) => Ok(text.to_string()),
            _ => Err(missing()),
        }
    }
}
