//! Certificates as hosts and TPPs hand them over: PEM, DER, or base64 of DER.

use std::fmt::{self, Display, Formatter};

use super::certificate::Certificate;
use crate::crypto::pem;
use crate::error::Error;
use crate::reason::{Case, Reason, Violation};
use crate::wire::der;

/// Why a bundle cannot be used. Nothing of it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleFault {
    /// What is wrong.
    pub violation: Violation,
    /// With which of its certificates, from 1, and how many those are; `None` where there are not several.
    pub certificate: Option<(usize, usize)>,
}

impl Display for BundleFault {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        if let Some((number, all)) = self.certificate {
            write!(out, "certificate {number} of {all}: ")?;
        }
        self.violation.fmt(out)
    }
}

impl std::error::Error for BundleFault {}

impl<V: Into<Violation>> From<V> for BundleFault {
    fn from(violation: V) -> Self {
        Self { violation: violation.into(), certificate: None }
    }
}

/// What the host gave and cannot be used.
impl From<BundleFault> for Error {
    fn from(fault: BundleFault) -> Self {
        Self::Config(fault.to_string())
    }
}

/// Reads one certificate: PEM, DER, or base64 of DER; of a PEM bundle the first.
///
/// # Errors
/// [`Reason::CertificateNotDecodable`], [`Reason::CertificateMalformed`].
pub fn parse_certificate(input: &[u8]) -> Result<Certificate, Violation> {
    let certificates = parse_bundle(input).map_err(|fault| fault.violation)?;
    certificates.into_iter().next().ok_or_else(no_certificate)
}

/// Reads all certificates of a PEM bundle, or the one of DER, or of base64 of DER as a TPP sends it. Other PEM blocks
/// (keys) and text outside of blocks are skipped. A bundle that ends within a block is refused, because it is unknown
/// what is missing.
///
/// # Errors
/// [`Reason::CertificateNotDecodable`], [`Reason::CertificateMalformed`].
pub(crate) fn parse_bundle(input: &[u8]) -> Result<Vec<Certificate>, BundleFault> {
    // A comment outside of the blocks may be in any encoding, and begin as DER does: with a zero.
    let text = String::from_utf8_lossy(input);
    if input.first() == Some(&der::SEQUENCE) && pem::blocks(&text).next().is_none() {
        return Ok(vec![Certificate::from_der(input)?]);
    }
    if pem::is_cut_off(&text) {
        return Err(Reason::CertificateNotDecodable.into());
    }
    if let Some(der) = pem::decode_base64(text.as_bytes()).filter(|der| der.first() == Some(&der::SEQUENCE)) {
        return Ok(vec![Certificate::from_der(&der)?]);
    }
    let blocks = || pem::blocks(&text).filter(|(label, _)| is_certificate_label(label));
    let read = |(index, der): (usize, Option<Vec<u8>>)| {
        let certificate = der.ok_or_else(|| Reason::CertificateNotDecodable.into());
        certificate.and_then(|der| Certificate::from_der(&der)).map_err(|violation| {
            let all = blocks().count();
            BundleFault { violation, certificate: (all > 1).then_some((index + 1, all)) }
        })
    };
    let certificates = blocks().map(|(_, der)| der).enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    match certificates.is_empty() {
        true => Err(no_certificate().into()),
        false => Ok(certificates),
    }
}

/// For a text that may be PEM, but not of a certificate.
pub(super) fn no_certificate() -> Violation {
    Violation::of_case(Case::NoCertificate, &[])
}

/// Labels of RFC 7468 section 5.1 and its explanatory note.
pub(super) fn is_certificate_label(label: &str) -> bool {
    matches!(label, "CERTIFICATE" | "X509 CERTIFICATE" | "X.509 CERTIFICATE")
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::{ROOT_PEM, TEST_KEYS_PEM};

    #[test]
    fn what_is_no_certificate_differs_from_what_is_no_pem() {
        let reason = |input: &[u8]| parse_certificate(input).unwrap_err().reason;
        assert_eq!(reason(b"hello"), Reason::CertificateNotDecodable);
        assert_eq!(reason(b"\xff"), Reason::CertificateNotDecodable);
        assert_eq!(reason(&[0x30, 0]), Reason::CertificateMalformed);
    }

    #[test]
    fn a_certificate_is_read_from_base64_of_der_too() {
        use base64::Engine as _;
        let root = parse_certificate(ROOT_PEM.as_bytes()).unwrap();
        let base64 = base64::engine::general_purpose::STANDARD.encode(root.der());
        assert_eq!(parse_certificate(base64.as_bytes()).unwrap(), root);
        assert_eq!(parse_certificate(format!(" {base64}\n").as_bytes()).unwrap(), root);
        let cut_off = parse_certificate(&base64.as_bytes()[..40]).unwrap_err();
        assert_eq!(cut_off.reason, Reason::CertificateMalformed);
    }

    #[test]
    fn a_comment_outside_of_the_blocks_may_be_in_any_encoding() {
        let commented = [b"Utsteder: Bl\xe5 Bank\n", ROOT_PEM.as_bytes(), b"\xff\n"].concat();
        assert_eq!(parse_bundle(&commented).unwrap().len(), 1);
        // A zero begins DER as well.
        assert_eq!(parse_bundle(format!("0 s:CN = x\n{ROOT_PEM}").as_bytes()).unwrap().len(), 1);
        let within = commented.iter().map(|byte| if *byte == b'M' { 0xe5 } else { *byte });
        let within = parse_bundle(&within.collect::<Vec<_>>()).unwrap_err().violation;
        assert_eq!((within.reason, within.case), (Reason::CertificateNotDecodable, None));
    }

    #[test]
    fn where_no_certificate_is_that_is_said() {
        for input in [&b""[..], b" \n", b"hello", b"cGFzc3dvcmQ=", b"\xff", TEST_KEYS_PEM[0].as_bytes()] {
            let violation = parse_bundle(input).unwrap_err().violation;
            assert_eq!(violation.case, Some(Case::NoCertificate), "{}", input.escape_ascii());
        }
        let cut_off = parse_bundle(&ROOT_PEM.as_bytes()[..60]).unwrap_err().violation;
        assert_eq!((cut_off.reason, cut_off.case), (Reason::CertificateNotDecodable, None));
    }

    #[test]
    fn of_several_the_one_is_named_that_cannot_be_read() {
        const NONE: &str = "-----BEGIN CERTIFICATE-----\nAQID\n-----END CERTIFICATE-----\n";
        const NO_BASE64: &str = "-----BEGIN CERTIFICATE-----\n?\n-----END CERTIFICATE-----\n";
        let message = |bundle: &[&str]| parse_bundle(bundle.concat().as_bytes()).unwrap_err().to_string();
        let (malformed, no_base64) =
            ("the certificate cannot be read as X.509", "the certificate is neither base64 of DER nor PEM");
        assert_eq!(message(&[NONE]), malformed);
        assert_eq!(message(&[NONE, ROOT_PEM]), format!("certificate 1 of 2: {malformed}"));
        // A key is none of them.
        assert_eq!(
            message(&[ROOT_PEM, TEST_KEYS_PEM[0], NO_BASE64]),
            format!("certificate 2 of 2: {no_base64}")
        );
        assert_eq!(message(&[ROOT_PEM, NONE, NO_BASE64]), format!("certificate 2 of 3: {malformed}"));
    }
}
