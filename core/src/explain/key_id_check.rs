//! Why keyId does not name the certificate.

use super::case::Case;
use super::decimal;
use super::distinguished_name_check::explain_issuer;
use super::explanation::Proof;
use super::finding::Finding;
use super::signature_search::Signers;
use super::table;
use crate::reason::Reason;
use crate::tpp::certificate::Certificate;
use crate::tpp::signature_header::{unquote, KeyId};

/// Explains `SIG-10`, `SIG-11`, `SIG-12`, `SIG-15` and `SIG-16`.
pub(super) fn explain_key_id(
    case: &Case<'_>,
    signers: &Signers<'_>,
    key_id: &str,
    reason: Reason,
) -> Option<Finding> {
    let own = explain_reading(case, signers, key_id, reason);
    own.or_else(|| explain_reading(case, signers, &unquote(key_id), reason))
}

fn explain_reading(case: &Case<'_>, signers: &Signers<'_>, key_id: &str, reason: Reason) -> Option<Finding> {
    let form = |mistake| Some(Finding::new(mistake, Proof::Form));
    match reason {
        Reason::KeyIdMalformed => form(&table::KEY_ID_FORM),
        Reason::KeyIdIssuerMalformed => form(&table::ISSUER_FORM),
        Reason::KeyIdSerialMalformed => serial_form(signers.leaf, KeyId::split(key_id)?.0.trim()),
        Reason::KeyIdSerial => explain_serial(case, signers, KeyId::parse(key_id).ok()?),
        Reason::KeyIdIssuer => explain_issuer(signers.leaf, KeyId::parse(key_id).ok()?.issuer),
        _ => None,
    }
}

fn serial_form(leaf: &Certificate, serial: &str) -> Option<Finding> {
    let right = leaf.serial_number();
    let detail = format!("keyId has `{}`; the certificate's serial number is {right}.", shortened(serial));
    Some(Finding::new(&table::SERIAL_FORM, Proof::Form).with_detail(detail))
}

fn shortened(text: &str) -> String {
    text.chars().take(64).collect()
}

fn explain_serial(case: &Case<'_>, signers: &Signers<'_>, key_id: KeyId<'_>) -> Option<Finding> {
    let actual = signers.leaf.serial_number();
    let is_decimal = |hex: String| {
        decimal::from_hex(&hex).is_some_and(|decimal| decimal == key_id.serial.trim_start_matches('0'))
    };
    if is_decimal(actual.to_string()) {
        let detail = format!("{} in hexadecimal is {actual}.", key_id.serial);
        return Some(Finding::new(&table::SERIAL_DECIMAL, Proof::Form).with_detail(detail));
    }
    let is_named = |other: &Certificate| {
        let serial = other.serial_number();
        serial.is_hex(key_id.serial) || is_decimal(serial.to_string())
    };
    if signers.leaf.names_an_authority() {
        return Some(Finding::new(&table::CERTIFICATE_OF_ISSUER, Proof::Form));
    }
    let of_options = case.options.certificates.iter().map(AsRef::as_ref);
    let other = signers.others.iter().copied().chain(of_options).find(|other| is_named(other))?;
    let detail = format!(
        "{} is the serial number of the certificate of {}; that of the certificate sent is {actual}.",
        shortened(key_id.serial),
        other.subject()
    );
    Some(Finding::new(&table::SERIAL_OF_ANOTHER_CERTIFICATE, Proof::Form).with_detail(detail))
}
