//! From a refused request to the mistake behind it.

use std::borrow::Cow;
use std::sync::Arc;

use chrono::TimeDelta;

use super::budget::Budget;
use super::case::Case;
use super::certificate_check::explain_certificate;
use super::charset::from_latin1;
use super::date_check::explain_date;
use super::digest_search::explain_digest;
use super::explanation::{shown, Explanation, Proof};
use super::finding::Finding;
use super::key_id_check::explain_key_id;
use super::mistake::Mistake;
use super::options::ExplainOptions;
use super::signature_search::{search, Searched, Signers};
use super::table;
use crate::reason::{Case as ReasonCase, Reason, Refusal};
use crate::tools;
use crate::tpp::certificate_header::Presented;
use crate::tpp::signature_header::{signature_text, SignatureParts};
use crate::tpp::verify::{verify_request, SignedRequest};
use crate::wire::headers::{Headers, TPP_CERTIFICATE};
use crate::wire::request::Request;

const SIGNATURE: &str = "Signature";

/// Explains why certificate, Digest, Date or Signature of a request are refused. Whether the body, the consent or the
/// account are right is not looked at.
pub fn explain(request: &Request<'_>, options: &ExplainOptions<'_>) -> Explanation {
    let now = options.now.unwrap_or_else(|| options.clock.now());
    let time = TimeDelta::from_std(options.budget).unwrap_or(TimeDelta::MAX);
    let mut budget = Budget::new(options.clock, time);
    let headers = Headers::unchecked(request.headers);
    let value = headers.get(SIGNATURE).unwrap_or_default();
    let text = readable_signature(&value);
    let names = SignatureParts::read(&text).ok().and_then(|parts| parts.names());
    let names = names.unwrap_or_default().into_iter().flat_map(|names| names.split([',', ';']));
    let names = names.filter(|name| !name.is_empty()).collect();
    let case = Case { request: *request, headers, names, now, options };
    let expected = case.expected().filter(|draft| !draft.lines.is_empty()).map(|draft| shown(&draft.text()));
    let Some(refusal) = refusal(&case) else {
        return Explanation {
            ok: true,
            reason: None,
            mistake: None,
            text: "Certificate, Digest, Date and Signature are right.".to_owned(),
            proof: None,
            expected,
            signed: None,
            hypotheses: 0,
        };
    };
    let found = find(&case, &refusal, &mut budget);
    let text = match &found {
        Ok(finding) => finding.text(),
        Err(known) => format!("{}. {}", reason_text(&refusal), known.text()),
    };
    let finding = found.ok();
    Explanation {
        ok: false,
        reason: Some(refusal.reason().id()),
        mistake: finding.as_ref().map(|finding| finding.mistake.id),
        text,
        proof: finding.as_ref().map(|finding| finding.proof),
        expected,
        signed: finding.and_then(|finding| finding.signed).map(|signed| shown(&signed)),
        hypotheses: budget.hypotheses(),
    }
}

/// What is known where no mistake is proven.
enum Known {
    /// What the reason says.
    Reason,
    /// Key, padding and hash function are right.
    OtherText,
}

impl Known {
    fn text(&self) -> &'static str {
        match self {
            Self::Reason => "No known mistake explains it.",
            Self::OtherText => {
                "Key, padding and hash function are right; the text that was signed is another one than the bank \
                 builds, and no known mistake makes the one from the other. Log the text before it is signed, and \
                 compare it with the expected one."
            }
        }
    }
}

fn refusal(case: &Case<'_>) -> Option<Refusal> {
    let headers = match case.headers.checked() {
        Ok(headers) => headers,
        Err(refusal) => return Some(refusal),
    };
    let Request { method, target, body, .. } = case.request;
    let signed = SignedRequest { method, target, fields: &headers, body };
    let options = case.options;
    verify_request(&signed, case.now, options.trust_anchors.as_ref(), options.key_id_issuer).refusal
}

fn reason_text(refusal: &Refusal) -> String {
    refusal.findings().next().map(tools::located).unwrap_or_default()
}

fn find(case: &Case<'_>, refusal: &Refusal, budget: &mut Budget<'_>) -> Result<Finding, Known> {
    let reason = refusal.reason();
    let found = match reason.id().split('-').next().unwrap_or_default() {
        "CRT" => explain_certificate(case, reason),
        "DIG" => explain_digest(case, budget).or_else(|| by_reason(reason)),
        "DAT" => explain_date(case),
        "SIG" => return explain_signature(case, refusal, budget),
        _ if reason == Reason::HeaderByteForbidden => broken_header(refusal),
        _ => None,
    };
    found.ok_or(Known::Reason)
}

/// A line break in the signature is that of base64 in lines. The certificate may have them.
fn broken_header(refusal: &Refusal) -> Option<Finding> {
    let path = refusal.findings().next()?.path.as_deref()?;
    let is_signature = path.eq_ignore_ascii_case(SIGNATURE);
    is_signature.then(|| Finding::new(&table::SIGNATURE_LINE_BREAKS, Proof::Form))
}

/// The header as text; one that is not UTF-8 as ISO 8859-1.
fn readable_signature(value: &[u8]) -> Cow<'_, str> {
    signature_text(value).unwrap_or_else(|_| from_latin1(value).into())
}

fn explain_signature(case: &Case<'_>, refusal: &Refusal, budget: &mut Budget<'_>) -> Result<Finding, Known> {
    let reason = refusal.reason();
    let by_reason = || by_reason(reason).ok_or(Known::Reason);
    let value = case.headers.get(SIGNATURE).ok_or(Known::Reason)?;
    let text = readable_signature(&value);
    let Ok(parts) = SignatureParts::read(&text) else {
        return if is_cut(&text) {
            Ok(Finding::new(&table::SIGNATURE_CUT, Proof::Form))
        } else {
            by_reason()
        };
    };
    let certificate = case.headers.get(TPP_CERTIFICATE).unwrap_or_default();
    let presented = Presented::from_header(&certificate).map_err(|_| Known::Reason)?;
    let signers =
        Signers { leaf: &presented.leaf, others: presented.intermediates.iter().map(Arc::as_ref).collect() };
    if let Some(finding) = wrong_key_id(case, refusal, &signers, parts.key_id().unwrap_or_default()) {
        return Ok(finding);
    }
    let Some(signature) = parts.signature() else { return by_reason() };
    if matches!(reason, Reason::SignaturePartMissing | Reason::SignaturePartRepeated) {
        return by_reason();
    }
    match search(case, &signers, signature, budget) {
        Searched::Found(finding) => Ok(beside_the_reason(*finding, reason)),
        Searched::Verifies => {
            let finding = match reason {
                // The lines of the headers that arrived are all that was signed.
                Reason::SignedHeaderAbsent => Finding::new(&table::LISTED_NOT_SIGNED, Proof::Hash),
                _ => by_reason()?,
            };
            let text = case.expected().map(|draft| draft.text()).unwrap_or_default();
            Ok(Finding { proof: Proof::Hash, ..finding }.with_signed(text))
        }
        Searched::OtherText => by_reason().map_err(|_| Known::OtherText),
        Searched::Unknown => by_reason(),
    }
}

/// A name in `algorithm` or `headers` that the bank refuses is the mistake; another one comes second.
fn beside_the_reason(finding: Finding, reason: Reason) -> Finding {
    let is_about_names = finding.mistake.id == table::SIGNED_NOT_LISTED.id;
    match by_reason(reason) {
        Some(own)
            if matches!(reason, Reason::SignedHeadersIncomplete | Reason::SignatureAlgorithm)
                && !is_about_names =>
        {
            Finding { also: Some(finding.mistake), mistake: own.mistake, ..finding }
        }
        _ => finding,
    }
}

/// What is wrong with keyId, if that is why the signature is refused.
fn wrong_key_id(case: &Case<'_>, refusal: &Refusal, signers: &Signers<'_>, key_id: &str) -> Option<Finding> {
    let reason = refusal.reason();
    let case_of_reason = refusal.findings().next().and_then(|finding| finding.violation.case);
    if case_of_reason == Some(ReasonCase::SignatureNotUtf8) {
        // The only part whose characters may be outside of ASCII is the issuer's name.
        return Some(Finding::new(&table::ISSUER_CHARSET, Proof::Form));
    }
    explain_key_id(case, signers, key_id, reason)
}

/// Whether the last part of the header has no end.
fn is_cut(text: &str) -> bool {
    let quotes = text.bytes().filter(|byte| *byte == b'"').count();
    quotes % 2 == 1 && text.contains("signature=\"")
}

/// The mistake that a reason itself shows.
fn by_reason(reason: Reason) -> Option<Finding> {
    let mistake: &'static Mistake = match reason {
        Reason::DigestAlgorithmUnknown => &table::DIGEST_OTHER_ALGORITHM,
        Reason::SignatureEncodedWord => &table::ENCODED_WORD,
        Reason::SignatureMalformed => &table::SIGNATURE_HEADER_FORM,
        Reason::SignaturePartMissing => &table::SIGNATURE_PART_MISSING,
        Reason::SignaturePartRepeated => &table::SIGNATURE_PART_REPEATED,
        Reason::SignatureAlgorithm => &table::ALGORITHM_NAME,
        Reason::SignedNameMalformed => &table::NAMES_SEPARATED_OTHERWISE,
        Reason::SignedHeadersIncomplete => &table::MANDATORY_NOT_SIGNED,
        Reason::SignedHeaderAbsent => &table::LISTED_NOT_SENT,
        Reason::SignedHeaderRepeated => &table::LISTED_TWICE,
        _ => return None,
    };
    Some(Finding::new(mistake, Proof::Form))
}
