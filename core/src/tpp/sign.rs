//! Making a signature (contract: Authentication): as a TPP signs its requests, and a bank its answers.

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;

use super::certificate::Certificate;
use super::signature_header::ALGORITHM;
use crate::crypto::RsaPrivateKey;
use crate::error::{Error, Result};
use crate::wire::mime_word::encode_word;

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
    let text = format!(
        "keyId=\"SN={},CA={}\",algorithm=\"{ALGORITHM}\",headers=\"{}\",signature=\"{}\"",
        certificate.serial_number(),
        certificate.issuer(),
        names.join(" "),
        STANDARD.encode(signature),
    );
    let is_plain = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    Ok(if is_plain { text } else { encode_word(&text) })
}
