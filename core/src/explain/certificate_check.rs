//! Why the certificate header is refused.

use super::case::Case;
use super::explanation::Proof;
use super::finding::Finding;
use super::signature_form::{from_hex, LENIENT_BASE64URL};
use super::table;
use crate::crypto::pem;
use crate::reason::Reason;
use crate::tpp::certificate::Certificate;
use crate::tpp::certificate_header::decode_header_certificates;
use crate::wire::der;
use crate::wire::headers::TPP_CERTIFICATE;

use base64::Engine as _;

/// Explains the refusals of the family `CRT` that the header itself shows.
pub(super) fn explain_certificate(case: &Case<'_>, reason: Reason) -> Option<Finding> {
    let value = case.headers.get(TPP_CERTIFICATE)?;
    match reason {
        Reason::CertificateNotDecodable => not_decodable(&String::from_utf8_lossy(&value)),
        Reason::CertificateMalformed => {
            let ders = decode_header_certificates(&value).ok()?;
            ders.iter().find_map(|der| encoded_again(&value, der).or_else(|| malformed(der)))
        }
        _ => {
            let ders = decode_header_certificates(&value).ok()?;
            let certificate = Certificate::from_der(ders.first()?).ok()?;
            let finding = Finding::new(&table::CERTIFICATE_OF_ISSUER, Proof::Form);
            certificate.names_an_authority().then(|| {
                finding.with_detail(format!(
                    "The certificate is that of the authority {}.",
                    certificate.subject()
                ))
            })
        }
    }
}

fn not_decodable(text: &str) -> Option<Finding> {
    let form = |mistake| Some(Finding::new(mistake, Proof::Form));
    if pem::blocks(text).any(|(label, _)| label.contains("KEY")) {
        return form(&table::CERTIFICATE_IS_KEY);
    }
    if pem::is_cut_off(text) {
        return form(&table::CERTIFICATE_CUT);
    }
    let packed: String = text.chars().filter(|character| !character.is_whitespace()).collect();
    if let Ok(der) = LENIENT_BASE64URL.decode(&packed) {
        if packed.contains(['-', '_']) && der.first() == Some(&der::SEQUENCE) {
            return form(&table::CERTIFICATE_BASE64URL);
        }
    }
    // Four characters of base64 are three bytes; what is left of a text that was cut may be one character alone.
    let whole = packed.get(..packed.len() / 4 * 4)?;
    malformed(&pem::decode_base64(whole.as_bytes())?)
}

/// A certificate in hexadecimal, whose digits are base64 too, or in base64 of base64.
fn encoded_again(value: &[u8], bytes: &[u8]) -> Option<Finding> {
    let is_certificate = |der: &[u8]| Certificate::from_der(der).is_ok();
    let hex = std::str::from_utf8(value).ok().and_then(|text| from_hex(text.trim()));
    if hex.is_some_and(|der| is_certificate(&der)) {
        return Some(Finding::new(&table::CERTIFICATE_HEX, Proof::Form));
    }
    let ders = decode_header_certificates(bytes).ok()?;
    let is_twice = ders.first().is_some_and(|der| is_certificate(der));
    is_twice.then(|| Finding::new(&table::CERTIFICATE_BASE64_TWICE, Proof::Form))
}

/// What bytes that are no certificate are.
fn malformed(bytes: &[u8]) -> Option<Finding> {
    let length = announced_length(bytes)?;
    if bytes.len() < length {
        let detail = format!("Its first bytes announce {length} bytes; {} arrived.", bytes.len());
        return Some(Finding::new(&table::CERTIFICATE_CUT, Proof::Form).with_detail(detail));
    }
    crate::crypto::key::KeyShell::from_spki(bytes)?;
    Some(Finding::new(&table::CERTIFICATE_IS_KEY, Proof::Form))
}

/// How long a SEQUENCE in DER is with its tag and its length.
fn announced_length(bytes: &[u8]) -> Option<usize> {
    let [tag, first, rest @ ..] = bytes else { return None };
    (*tag == der::SEQUENCE).then_some(())?;
    let count = usize::from(first.checked_sub(0x80)?);
    let digits = rest.get(..count).filter(|_| (1..=3).contains(&count))?;
    Some(digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)) + 2 + count)
}
