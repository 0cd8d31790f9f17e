//! Making a signature (contract: Authentication): as a TPP signs its requests, and a bank its answers.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::certificate::Certificate;
use super::digest::{digest, DigestAlgorithm};
use super::signature_header::ALGORITHM;
use super::signing_string::{names_to_sign, signing_string, Fields};
use crate::crypto::RsaPrivateKey;
use crate::error::{Error, Result};
use crate::wire::headers::TPP_CERTIFICATE;
use crate::wire::http_date::format_http_date;
use crate::wire::mime_word::encode_word;

/// A request before it is signed.
#[derive(Clone, Copy)]
pub struct Unsigned<'a> {
    /// The method.
    pub method: &'a str,
    /// Path and query.
    pub target: &'a str,
    /// The header fields that the caller sets.
    pub headers: &'a [(String, String)],
    /// The body, empty for none.
    pub body: &'a [u8],
}

/// The header fields that signing adds where they are absent, in its order.
pub(crate) const ADDED: [&str; 5] = ["Date", "X-Request-ID", "Digest", TPP_CERTIFICATE, "Signature"];

/// The given header fields, and after them those that are absent of `Date`, `X-Request-ID`, `Digest`,
/// `TPP-Signature-Certificate` and `Signature`. The signature covers the contract's mandatory names in the contract's
/// order. `Digest` is set for a body and for every POST, PUT and PATCH, whose operations may ask for it even over
/// nothing.
///
/// # Errors
/// [`Error::Internal`] where signing fails.
pub(crate) fn sign_request(
    signer: &Certificate,
    key: &RsaPrivateKey,
    request: Unsigned<'_>,
    now: DateTime<Utc>,
    request_id: Uuid,
) -> Result<Vec<(String, String)>> {
    let [date, id, content, certificate, signature] = ADDED;
    let mut headers = request.headers.to_vec();
    let mut add = |name: &str, value: &dyn Fn() -> String| {
        if headers.value(name).is_none() {
            headers.push((name.to_owned(), value()));
        }
    };
    add(date, &|| format_http_date(now));
    add(id, &|| request_id.to_string());
    if !request.body.is_empty() || matches!(request.method, "POST" | "PUT" | "PATCH") {
        add(content, &|| digest(request.body, DigestAlgorithm::Sha256));
    }
    add(certificate, &|| STANDARD.encode(signer.der()));
    if headers.value(signature).is_none() {
        let names = names_to_sign(headers.as_slice());
        let signed = signing_string(request.method, request.target, headers.as_slice(), &names)
            .map_err(|_| Error::Internal("signing string".to_owned()))?;
        let value = signature_header(signer, key, &names, &signed)?;
        headers.push((signature.to_owned(), value));
    }
    Ok(headers)
}

/// The value of `Signature` over a signing string; an encoded word where the issuer's name is not printable ASCII.
///
/// # Errors
/// [`Error::Internal`] where signing fails.
pub fn signature_header(
    certificate: &Certificate,
    key: &RsaPrivateKey,
    names: &[&str],
    signed: &[u8],
) -> Result<String> {
    let signature = key.sign_sha256(signed).ok_or_else(|| Error::Internal("signing".to_owned()))?;
    Ok(signature_value(certificate, names, &signature))
}

/// The value of `Signature` with a signature that was made.
pub(super) fn signature_value(certificate: &Certificate, names: &[&str], signature: &[u8]) -> String {
    let text = format!(
        "keyId=\"SN={},CA={}\",algorithm=\"{ALGORITHM}\",headers=\"{}\",signature=\"{}\"",
        certificate.serial_number(),
        certificate.issuer(),
        names.join(" "),
        STANDARD.encode(signature),
    );
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if is_plain {
        text
    } else {
        encode_word(&text)
    }
}
