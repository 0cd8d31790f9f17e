//! The pure functions of the interface: functions without an engine, the same in every language.
//!
//! What a TPP sent is judged, never an error; [`Error::Misuse`] is for arguments that the caller got wrong.

use std::sync::LazyLock;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde::Serialize;

use crate::env::clock::{within_calendar, Clock, SystemClock};
use crate::error::{Error, Result};
use crate::limits::TPP_MESSAGES_MAX;
use crate::machine::Machine;
use crate::openapi;
use crate::payment::accept_fix::{asks_for_structured_addresses, unknown_fixes};
use crate::payment::body;
use crate::payment::body_context::{BankKnows, Rules};
use crate::payment::machine::PaymentStatus;
use crate::payment::product::{Product, Service};
use crate::policy::KeyIdIssuer;
use crate::policy::{CertificateType, Environment, Policy};
use crate::reason::{Category, Finding, Language, Reason, Refusal, Violation};
use crate::tpp::certificate::Certificate;
use crate::tpp::digest::DigestAlgorithm;
use crate::tpp::signing_string::check_names;
use crate::tpp::trust::TrustAnchors;
use crate::tpp::verify::{self, SignedRequest};
use crate::trust::TrustedList;
use crate::types::instant::{self, rfc3339_seconds};
use crate::types::{date, Bban, Currency, KidAgreement, Rates};
use crate::wire::headers::Headers;
use crate::wire::json;
use crate::wire::request::Request;

pub use crate::types::{account_number_is_valid, bic_is_valid, iban_is_valid, kid_is_valid};
pub use crate::wire::message::TppMessage;

/// The signing string over the named headers, in that order (contract: Authentication, 4).
///
/// # Errors
/// [`Error::Misuse`] for a name that cannot be one (RFC 9110: a token, which may be in parentheses), that the request
/// lacks or that is listed twice, and for header values that are not UTF-8.
pub fn signing_string(
    method: &str,
    target: &str,
    headers: &[(&str, &[u8])],
    names: &[&str],
) -> Result<String> {
    check_names(names).map_err(misuse)?;
    let signed =
        crate::tpp::signing_string::signing_string(method, target, headers, names).map_err(misuse)?;
    String::from_utf8(signed).map_err(|_| Error::Misuse("a header value is not UTF-8".to_owned()))
}

/// The value of a Digest header: `SHA-256=…` (RFC 3230). Algorithms are SHA-256 and SHA-512, in any case.
///
/// # Errors
/// [`Error::Misuse`] for another algorithm.
pub fn digest(body: &[u8], algorithm: &str) -> Result<String> {
    let unknown = || Error::Misuse(format!("`{algorithm}` is neither SHA-256 nor SHA-512"));
    Ok(crate::tpp::digest::digest(body, DigestAlgorithm::parse(algorithm).ok_or_else(unknown)?))
}

/// What [`verify_signature`] found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verification {
    /// Whether the request is signed as it must be.
    pub ok: bool,
    /// The id of the first reason against it, such as `SIG-13`.
    pub reason: Option<&'static str>,
    /// That reason in words, as a TPP would read them; before them the header, where they do not begin with it.
    pub text: Option<String>,
    /// The certificate that came with the request, where it could be read.
    pub certificate: Option<CertificateInfo>,
}

/// Judges certificate, Digest, Date and Signature of a request at that time, as the engine does. With trust
/// anchors (a PEM bundle) the certificate must chain to one of them and be valid; without, neither its chain
/// nor its validity is looked at.
///
/// # Errors
/// [`Error::Config`] for anchors that cannot be read.
pub fn verify_signature(
    request: &Request<'_>,
    now: DateTime<Utc>,
    trust_anchors: Option<&str>,
) -> Result<Verification> {
    let anchors = anchors(trust_anchors)?;
    let headers = match Headers::parse(request.headers) {
        Ok(headers) => headers,
        Err(refusal) => return Ok(Verification::new(request.headers, Some(refusal), None)),
    };
    let signed = SignedRequest {
        method: request.method,
        target: request.target,
        fields: &headers,
        body: request.body,
    };
    let found = verify::verify_request(&signed, now, anchors.as_ref(), KeyIdIssuer::Lenient);
    Ok(Verification::new(request.headers, found.refusal, found.certificate.as_deref()))
}

/// Judges certificate (`ASPSP-Signature-Certificate`), Digest, Date and Signature of a bank's answer at that time, the
/// present where none is given. The body is as it was received, before it is decompressed. Anchors are as for
/// [`verify_signature`].
///
/// Whose answer it is, the caller must see by the certificate's organisation: TPPs have certificates of the same
/// authorities. And what it is an answer to: that `X-Request-ID` is that of the request. The status and the other
/// headers are not signed.
///
/// # Errors
/// [`Error::Config`] for anchors that cannot be read.
pub fn verify_response(
    headers: &[(&str, &[u8])],
    body: &[u8],
    now: Option<DateTime<Utc>>,
    trust_anchors: Option<&str>,
) -> Result<Verification> {
    let anchors = anchors(trust_anchors)?;
    let parsed = match Headers::parse(headers) {
        Ok(parsed) => parsed,
        Err(refusal) => return Ok(Verification::new(headers, Some(refusal), None)),
    };
    let now = now.unwrap_or_else(|| SystemClock.now());
    let found = verify::verify_response(&parsed, body, now, anchors.as_ref(), KeyIdIssuer::Lenient);
    Ok(Verification::new(headers, found.refusal, found.certificate.as_deref()))
}

/// The anchors of a PEM bundle; those of an empty one are none.
fn anchors(bundle: Option<&str>) -> Result<Option<TrustAnchors>> {
    Ok(match bundle {
        Some(bundle) if bundle.trim().is_empty() => Some(TrustAnchors::new()),
        Some(bundle) => {
            let anchors = TrustAnchors::from_bundle(bundle.as_bytes());
            Some(anchors.map_err(|fault| Error::unusable("trust anchors", &fault))?)
        }
        None => None,
    })
}

impl Verification {
    fn new(headers: &[(&str, &[u8])], against: Option<Refusal>, certificate: Option<&Certificate>) -> Self {
        let headers = Headers::unchecked(headers);
        let against = against.map(|refusal| refusal.counting(|name| headers.count(name)));
        let finding = against.as_ref().and_then(|refusal| refusal.findings().next());
        Self {
            ok: against.is_none(),
            reason: against.as_ref().map(|refusal| refusal.reason().id()),
            text: finding.map(located),
            certificate: certificate.map(CertificateInfo::of),
        }
    }
}

/// A finding in one text: an answer has a member of its own for the place, a [`Verification`] has only the text.
pub(crate) fn located(finding: &Finding) -> String {
    let TppMessage { path, text, .. } = TppMessage::new(finding, Language::English);
    match path {
        Some(path) if text.split(' ').next() != Some(path.as_str()) => format!("{path}: {text}"),
        _ => text,
    }
}

/// The sample rates: a table that never changes is made once.
static SAMPLE_RATES: LazyLock<Rates> = LazyLock::new(Rates::default);

/// Judges the body of a payment initiation at a time, all findings at once, up to the 100 that an answer holds. An
/// empty list means that the payment would be created without warnings; a list without errors, that it would be
/// created.
///
/// The bank's own knowledge (accounts, KID agreements) is not asked; rates are samples, those of the sandbox.
///
/// # Errors
/// [`Error::Misuse`] for an environment other than `sandbox` and `production`, and for a time outside of the years 1 to
/// 9999 (UTC).
pub fn validate_payment(
    service: &str,
    product: &str,
    body: &[u8],
    at: Option<DateTime<Utc>>,
    environment: &str,
    accept_fix: &[&str],
) -> Result<Vec<TppMessage>> {
    let policy = Policy::new(environment_of(environment)?);
    let at = within_calendar(at.unwrap_or_else(|| SystemClock.now()))?;
    let product = match Service::parse(service) {
        Some(service) => Product::parse(service, product),
        None => Err(Reason::PathUnknown),
    };
    let product = match product {
        Ok(product) => product,
        Err(reason) => return Ok(messages(&[routing_fault(reason)])),
    };
    // One of the names may be the value of a header as it is.
    let fixes = || {
        accept_fix.iter().flat_map(|names| names.split(',')).map(str::trim).filter(|name| !name.is_empty())
    };
    let rules = Rules {
        policy: &policy,
        today: date::oslo_day(at),
        structured_addresses_early: asks_for_structured_addresses(fixes()),
        bank: &NoBank,
    };
    let mut findings = body::read(product, body, &rules)?.findings;
    findings.extend(unknown_fixes(fixes()));
    Ok(messages(&findings))
}

/// Replaces a bank: sample rates, every exchange of currencies, and no KID agreements.
struct NoBank;

impl BankKnows for NoBank {
    fn rate_to_nok(&self, currency: Currency) -> Result<Option<Decimal>> {
        Ok(SAMPLE_RATES.rate(currency, Currency::NOK))
    }

    fn exchanges(&self, _: Currency, _: Currency) -> Result<bool> {
        Ok(true)
    }

    fn kid_agreement(&self, _: &Bban) -> Result<Option<KidAgreement>> {
        Ok(None)
    }
}

/// The interface that TPPs call, as an OpenAPI 3.1 document in JSON: a sandbox's has its own routes, production's has
/// not. Paths begin with the base path, such as `/psd2` (policy `base_path`).
///
/// # Errors
/// [`Error::Misuse`] for an environment other than `sandbox` and `production`, and for `sandbox` where this library was
/// built without it; [`Error::Config`] for a base path that a policy would not take.
pub fn openapi(environment: &str, base_path: &str) -> Result<String> {
    let mut policy = Policy::new(environment_of(environment)?);
    if policy.environment == Environment::Sandbox && !cfg!(feature = "sandbox") {
        let text = "this library was built without the sandbox (feature `sandbox`)";
        return Err(Error::Misuse(text.to_owned()));
    }
    policy.set_base_path(base_path)?;
    json::write_text(&openapi::document(policy.environment, &policy.base_path))
}

fn environment_of(name: &str) -> Result<Environment> {
    match name {
        "sandbox" => Ok(Environment::Sandbox),
        "production" => Ok(Environment::Production),
        _ => Err(Error::Misuse(format!("`{name}` is neither sandbox nor production"))),
    }
}

fn routing_fault(reason: Reason) -> Finding {
    Finding { category: Category::Error, violation: reason.into(), path: None, joined: None }
}

fn messages(findings: &[Finding]) -> Vec<TppMessage> {
    let listed = findings.iter().take(TPP_MESSAGES_MAX);
    listed.map(|finding| TppMessage::new(finding, Language::English)).collect()
}

/// The certificates of an EU trusted list that may issue certificates of a type (`any`, `qseal`, `qwac`) at a time, as
/// PEM, each once: what trust anchors are replaced with. Empty where the list has none. The caller has verified the
/// list's signature. What cannot be read is left out, and logged.
///
/// # Errors
/// [`Error::Misuse`] for another type; [`Error::Config`] for what is no trusted list, and after its NextUpdate.
pub fn trusted_list_anchors(
    verified_xml: &[u8],
    certificate_type: &str,
    at: DateTime<Utc>,
) -> Result<String> {
    let unknown = || Error::Misuse(format!("`{certificate_type}` is none of any, qseal and qwac"));
    let kind = CertificateType::parse(certificate_type).ok_or_else(unknown)?;
    let config = |fault| Error::Config(format!("trusted list: {fault}"));
    let list = TrustedList::from_verified_xml(verified_xml).map_err(config)?;
    warn_of_unreadable(&list);
    list.anchors_pem(kind, at).map_err(config)
}

/// PEM alone does not show what is missing. Services are counted among those that issue qualified certificates.
fn warn_of_unreadable(list: &TrustedList) {
    for (service, found) in (1..).zip(list.services()) {
        let certificates = found.unreadable;
        if certificates > 0 {
            tracing::warn!(
                service,
                certificates,
                "certificates of a trusted list cannot be read and are no trust anchors"
            );
        }
        if found.granted && found.since.is_none() {
            tracing::warn!(service, "a service of a trusted list has no start of its status, and is ignored");
        }
    }
}

/// Every payment status with the statuses it may become (contract: States and transitions).
pub fn payment_transitions() -> Vec<(&'static str, Vec<&'static str>)> {
    let names = |states: &[PaymentStatus]| states.iter().map(|state| state.as_str()).collect();
    PaymentStatus::STATES.iter().map(|from| (from.as_str(), names(from.targets()))).collect()
}

/// The status of a signing basket of payments with these statuses: the worst case (contract: Signing basket).
///
/// # Errors
/// [`Error::Misuse`] for an empty list and for a text that is no status of a payment.
pub fn basket_status(payment_statuses: &[&str]) -> Result<&'static str> {
    let known = |name: &&str| {
        let unknown = || Error::Misuse(format!("`{name}` is no status of a payment"));
        PaymentStatus::parse(name).ok_or_else(unknown)
    };
    let statuses = payment_statuses.iter().map(known).collect::<Result<Vec<_>>>()?;
    let empty = || Error::Misuse("a signing basket has at least one payment".to_owned());
    Ok(crate::basket::status::basket_status(statuses).ok_or_else(empty)?.as_str())
}

/// How many fraction digits amounts of a currency have (ISO 4217). XDR alone has none laid down: its amounts have any
/// number of them up to five, and 5 is what this says.
///
/// # Errors
/// [`Error::Misuse`] for a code that is not accepted.
pub fn minor_units(currency: &str) -> Result<u8> {
    Currency::parse(currency).map(Currency::minor_units).map_err(misuse)
}

/// A distinguished name of RFC 2253 or RFC 4514 taken apart: RDNs as written, each a list of attribute type
/// (dotted OID) and value.
///
/// # Errors
/// [`Error::Misuse`] for a text that is none.
pub fn parse_distinguished_name(text: &str) -> Result<Vec<Vec<(String, String)>>> {
    crate::tpp::distinguished_name::parse_distinguished_name(text).map_err(|violation| {
        let place = violation.arguments.first().map(String::as_str).unwrap_or_default();
        let what = "this is not a distinguished name of RFC 2253 or RFC 4514";
        Error::Misuse(format!("{what} from character {place} on"))
    })
}

/// What a certificate says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CertificateInfo {
    /// Upper-case hex without leading zeros, a minus sign before a negative one, as keyId has it.
    pub serial_number: String,
    /// RFC 2253.
    pub issuer: String,
    /// RFC 2253.
    pub subject: String,
    /// RFC 3339, UTC.
    pub not_before: String,
    /// RFC 3339, UTC.
    pub not_after: String,
    /// The PSD2 roles: `PSP_AI`, `PSP_PI`, …
    pub roles: Vec<&'static str>,
    /// The authorisation number, from organizationIdentifier.
    pub organisation_id: Option<String>,
}

impl CertificateInfo {
    fn of(certificate: &Certificate) -> Self {
        Self {
            serial_number: certificate.serial_number().to_string(),
            issuer: certificate.issuer().to_string(),
            subject: certificate.subject().to_string(),
            not_before: rfc3339_seconds(certificate.not_before()),
            not_after: rfc3339_seconds(certificate.not_after()),
            roles: certificate.roles().iter().map(|role| role.as_str()).collect(),
            organisation_id: certificate.organisation_id().map(str::to_owned),
        }
    }
}

/// Reads a certificate in PEM or DER, or in base64 of DER as a TPP sends it.
///
/// # Errors
/// [`Error::Misuse`] for bytes that are none.
pub fn parse_certificate(pem_or_der: &[u8]) -> Result<CertificateInfo> {
    crate::tpp::bundle::parse_certificate(pem_or_der)
        .map(|certificate| CertificateInfo::of(&certificate))
        .map_err(misuse)
}

/// Reads an HTTP date in any of the forms that are accepted from TPPs.
///
/// # Errors
/// [`Error::Misuse`] for a text that is none.
pub fn parse_http_date(text: &str) -> Result<DateTime<Utc>> {
    crate::wire::http_date::parse_http_date(text)
        .map_err(|_| Error::Misuse(format!("`{}` is not a date of an HTTP header", shown(text))))
}

/// Decodes a header value that is an RFC 2047 encoded word; any other text comes back as it is.
///
/// # Errors
/// [`Error::Misuse`] for a word that cannot be decoded.
pub fn decode_encoded_word(text: &str) -> Result<String> {
    crate::wire::mime_word::decode_encoded_word(text).map_err(|_| {
        Error::Misuse(format!("`{}` begins as an RFC 2047 encoded word but cannot be decoded", shown(text)))
    })
}

/// Reads a time by ISO 8601 with its offset, such as `2026-09-01T10:00:00Z` or `2026-09-01T12:00+0200`.
///
/// # Errors
/// [`Error::Misuse`] for a text that is none, and for one without an offset: whose midnight it means is exactly what a
/// bank must not guess.
pub fn parse_time(text: &str) -> Result<DateTime<Utc>> {
    instant::parse(text).ok_or_else(|| {
        let shown = shown(text);
        Error::Misuse(format!(
            "`{shown}` is not an ISO 8601 time with its offset, such as 2026-09-01T10:00:00Z"
        ))
    })
}

/// As much of a text as a message shows.
fn shown(text: &str) -> String {
    text.chars().take(64).collect()
}

fn misuse(violation: impl Into<Violation>) -> Error {
    Error::Misuse(violation.into().text(Language::English))
}

#[cfg(test)]
#[cfg(not(feature = "sandbox"))]
mod tests {
    use super::*;

    #[test]
    fn the_interface_of_a_production_build_has_no_route_of_the_sandbox() {
        let document = openapi("production", "").unwrap();
        assert!(document.contains("/v1/accounts"));
        assert!(!document.contains("/v1/sandbox") && !document.contains("Mock"));
        match openapi("sandbox", "") {
            Err(Error::Misuse(text)) => assert!(text.contains("without the sandbox"), "{text}"),
            other => panic!("{other:?}"),
        }
    }
}
