//! The `TPP-Signature-Certificate` header: base64 of DER or PEM, each with or without line breaks, plain or
//! URL-encoded. PEM may carry intermediates after the leaf.

use std::borrow::Cow;
use std::sync::Arc;

use percent_encoding::percent_decode;

use super::bundle::{is_certificate_label, no_certificate};
use super::certificate::Certificate;
use crate::crypto::pem;
use crate::limits::HEADER_CERTIFICATES_MAX;
use crate::reason::{Reason, Violation};

/// The certificates that a request carries, read.
#[derive(Debug, Clone)]
pub(crate) struct Presented {
    /// The certificate that signs.
    pub leaf: Arc<Certificate>,
    /// What came after it, in order; not trusted.
    pub intermediates: Vec<Arc<Certificate>>,
}

impl Presented {
    /// Reads the header's value.
    ///
    /// # Errors
    /// Those of [`decode_header_certificates`], and [`Reason::CertificateMalformed`].
    pub(crate) fn from_header(value: &[u8]) -> Result<Self, Violation> {
        let mut ders = decode_header_certificates(value)?.into_iter();
        let mut next = || ders.next().map(|der| Certificate::from_der(&der).map(Arc::new)).transpose();
        let leaf = next()?.ok_or(Reason::CertificateNotDecodable)?;
        let mut intermediates = Vec::new();
        while let Some(certificate) = next()? {
            intermediates.push(certificate);
        }
        Ok(Self { leaf, intermediates })
    }
}

/// The DER of each certificate in the header's value, the leaf first; at least one.
///
/// # Errors
/// [`Reason::CertificateNotDecodable`], and [`Reason::CertificatesTooMany`] for more than 8.
pub(crate) fn decode_header_certificates(value: &[u8]) -> Result<Vec<Vec<u8>>, Violation> {
    let text = unescape(value.trim_ascii());
    let text = std::str::from_utf8(&text).map_err(|_| Reason::CertificateNotDecodable)?;
    if !text.contains("-----BEGIN") {
        let der = pem::decode_base64(text.as_bytes()).filter(|der| !der.is_empty());
        return Ok(vec![der.ok_or(Reason::CertificateNotDecodable)?]);
    }
    let ders: Option<Vec<Vec<u8>>> = pem::blocks(text)
        .filter(|(label, _)| is_certificate_label(label))
        .map(|(_, content)| content)
        .take(HEADER_CERTIFICATES_MAX + 1)
        .collect();
    match ders.ok_or(Reason::CertificateNotDecodable)? {
        ders if ders.is_empty() && pem::is_cut_off(text) => Err(Reason::CertificateNotDecodable.into()),
        ders if ders.is_empty() => Err(no_certificate()),
        ders if ders.len() > HEADER_CERTIFICATES_MAX => {
            Err(Violation::with(Reason::CertificatesTooMany, &[&HEADER_CERTIFICATES_MAX]))
        }
        ders => Ok(ders),
    }
}

/// Undoes URL-encoding. Neither base64 nor PEM has a per cent sign. An encoder of forms writes a space as
/// `+`, and then every `+` of the base64 is escaped; encoders that leave `+` as it is escape none.
fn unescape(value: &[u8]) -> Cow<'_, [u8]> {
    if !value.contains(&b'%') {
        return Cow::Borrowed(value);
    }
    let form = value.windows(6).any(|window| window == b"BEGIN+")
        || value.windows(3).any(|window| window.eq_ignore_ascii_case(b"%2B"));
    let spaced: Vec<u8> = value.iter().map(|&byte| if form && byte == b'+' { b' ' } else { byte }).collect();
    Cow::Owned(percent_decode(&spaced).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reason::Case;
    use base64::engine::general_purpose::STANDARD;
    use base64::Engine as _;
    use percent_encoding::{percent_encode, NON_ALPHANUMERIC};
    use proptest::prelude::*;

    fn der() -> Vec<u8> {
        (0..=255u8).cycle().take(700).collect()
    }

    #[test]
    fn every_form_of_one_certificate_gives_its_der() {
        let armoured = pem::encode("CERTIFICATE", &der());
        let escape = |text: &str| percent_encode(text.as_bytes(), NON_ALPHANUMERIC).to_string();
        let escaped = escape(&armoured);
        let lines = armoured.lines().filter(|line| !line.contains('-')).collect::<Vec<_>>();
        for value in [
            STANDARD.encode(der()),
            STANDARD.encode(der()).trim_end_matches('=').to_owned(),
            armoured.clone(),
            armoured.replace('\n', ""),
            armoured.replace('\n', " "),
            armoured.replace('\n', "\r\n"),
            escaped.clone(),
            escaped.replace("%20", "+"),
            escaped.replace("%2D", "-"),
            lines.join("\n"),
            lines.join("\r\n") + "\r\n",
            lines.join("\r\n "),
            lines.join("\n\t"),
            lines.join(" "),
            escape(&lines.join("\n")),
            escape(&lines.join("\r\n\t")),
            escape(&lines.join(" ")).replace("%20", "+"),
            escape(&lines.join("\n")).replace("%2B", "+"),
        ] {
            assert_eq!(decode_header_certificates(value.as_bytes()).unwrap(), [der()], "{value}");
        }
    }

    #[test]
    fn a_bundle_gives_the_leaf_first_and_at_most_eight() {
        let bundle = |count: u8| (0..count).map(|n| pem::encode("CERTIFICATE", &[n, n])).collect::<String>();
        let ders = decode_header_certificates(bundle(8).as_bytes()).unwrap();
        assert_eq!((ders.len(), &ders[0][..], &ders[7][..]), (8, &[0, 0][..], &[7, 7][..]));
        let violation = decode_header_certificates(bundle(9).as_bytes()).unwrap_err();
        assert_eq!(violation.reason, Reason::CertificatesTooMany);
    }

    #[test]
    fn what_is_neither_base64_nor_pem_is_refused() {
        for value in [
            "",
            " ",
            "not base64!",
            "-----BEGIN CERTIFICATE-----AQID",
            "-----BEGIN CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----!!-----END CERTIFICATE-----",
            "-----BEGIN PRIVATE KEY-----AQID-----END PRIVATE KEY-----",
        ] {
            let violation = decode_header_certificates(value.as_bytes()).unwrap_err();
            assert_eq!(violation.reason, Reason::CertificateNotDecodable, "{value}");
            let is_key = value.contains("BEGIN PRIVATE");
            assert_eq!(violation.case, is_key.then_some(Case::NoCertificate), "{value}");
        }
    }

    #[test]
    fn bytes_that_are_no_certificate_are_malformed() {
        assert_eq!(Presented::from_header(b"AQID").unwrap_err().reason, Reason::CertificateMalformed);
    }

    proptest! {
        #[test]
        fn no_input_panics(value in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = Presented::from_header(&value);
            let _ = Presented::from_header(STANDARD.encode(&value).as_bytes());
        }
    }
}
