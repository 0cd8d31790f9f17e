//! The check of a signed request, in the order of the table of reasons: certificate, Digest, Date, Signature.
//! The engine's pipeline and the pure function of the tools take the same steps.

use std::fmt::Display;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::certificate::Certificate;
use super::certificate_header::Presented;
use super::chain::{verify_chain, Chain};
use super::digest::verify_digest;
use super::known_key_id::KnownKeyId;
use super::response_key;
use super::signature_header::{signature_text, SignatureHeader};
use super::signing_string::{check_complete, check_names, signing_string, Fields, REQUEST_TARGET};
use super::trust::TrustAnchors;
use crate::limits::DATE_DEVIATION_SECONDS_MAX;
use crate::policy::KeyIdIssuer;
use crate::reason::{Case, Finding, Reason, Refusal, Violation};
use crate::wire::headers::TPP_CERTIFICATE;
use crate::wire::http_date::parse_http_date_at;

const DIGEST: &str = "Digest";
const DATE: &str = "Date";
const SIGNATURE: &str = "Signature";

/// The seconds of a leap year. A larger difference is not shown: it is of no use, and it may have as many digits as an
/// identity number, which no answer shows.
const YEAR_SECONDS: u64 = 366 * 24 * 60 * 60;

/// A request as it was received.
pub struct SignedRequest<'a, F: Fields + ?Sized> {
    /// The method.
    pub method: &'a str,
    /// Path and query as sent.
    pub target: &'a str,
    /// The header fields.
    pub fields: &'a F,
    /// The bytes of the body.
    pub body: &'a [u8],
}

/// A TPP's certificate that leads to trust. Independent of time and revocation, so it may be kept by the
/// header's value; its validity and revocation are looked at on every call.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The certificate that signs.
    pub certificate: Arc<Certificate>,
    /// Its ways to trust.
    pub chain: Chain,
    known_key_id: KnownKeyId,
}

impl Identity {
    /// Reads the value of `TPP-Signature-Certificate` and checks the certificate: key, critical extensions,
    /// key usage, organisation, chain.
    ///
    /// # Errors
    /// The rows of the family `CRT` in their order, validity and revocation excepted.
    pub fn from_header(value: &[u8], anchors: &TrustAnchors) -> Result<Self, Refusal> {
        Self::read(value, anchors).map_err(|violation| Refusal::at(violation, TPP_CERTIFICATE))
    }

    fn read(value: &[u8], anchors: &TrustAnchors) -> Result<Self, Violation> {
        let presented = Presented::from_header(value)?;
        presented.leaf.check_signer()?;
        presented.leaf.check_organisation()?;
        let chain = verify_chain(&presented.leaf, &presented.intermediates, anchors)?;
        Ok(Self { certificate: presented.leaf, chain, known_key_id: KnownKeyId::default() })
    }

    /// As [`authenticate`], with the certificate of this identity. A keyId that named it before is not read again.
    ///
    /// # Errors
    /// As [`authenticate`].
    pub fn authenticate<F: Fields + ?Sized>(
        &self,
        request: &SignedRequest<'_, F>,
        now: DateTime<Utc>,
        key_id_issuer: KeyIdIssuer,
    ) -> Result<DateTime<Utc>, Refusal> {
        authenticate_by(request, &self.certificate, now, |header| self.check_key_id(header, key_id_issuer))
    }

    fn check_key_id(&self, header: &SignatureHeader<'_>, policy: KeyIdIssuer) -> Result<(), Violation> {
        if !self.known_key_id.is(header.key_id(), policy) {
            header.check_key_id(&self.certificate, policy)?;
            self.known_key_id.keep(header.key_id(), policy);
        }
        Ok(())
    }
}

/// Checks Digest (where there is one), Date and Signature of a request against the certificate that it came
/// with. That one must be checked already. Gives the Date.
///
/// # Errors
/// [`Reason::HeaderMissing`] for Date and Signature, then the rows of `DIG`, `DAT` and `SIG` in their order, among them
/// [`Reason::HeaderByteForbidden`] for a certificate of several lines that is signed over; each at the header's name.
pub fn authenticate<F: Fields + ?Sized>(
    request: &SignedRequest<'_, F>,
    certificate: &Certificate,
    now: DateTime<Utc>,
    key_id_issuer: KeyIdIssuer,
) -> Result<DateTime<Utc>, Refusal> {
    authenticate_by(request, certificate, now, |header| header.check_key_id(certificate, key_id_issuer))
}

fn authenticate_by<F: Fields + ?Sized>(
    request: &SignedRequest<'_, F>,
    certificate: &Certificate,
    now: DateTime<Utc>,
    check_key_id: impl FnOnce(&SignatureHeader<'_>) -> Result<(), Violation>,
) -> Result<DateTime<Utc>, Refusal> {
    let (Some(date), Some(signature)) = (request.fields.value(DATE), request.fields.value(SIGNATURE)) else {
        return Err(missing(request.fields, &[DATE, SIGNATURE]));
    };
    if let Some(digest) = request.fields.value(DIGEST) {
        verify_digest(&digest, request.body).map_err(|violation| Refusal::at(violation, DIGEST))?;
    }
    let date = check_date(&date, now).map_err(|violation| Refusal::at(violation, DATE))?;
    let text = signature_text(&signature).map_err(at_signature)?;
    let header = read_complete(&text, request.fields).map_err(at_signature)?;
    check_lines(request.fields, header.names())
        .map_err(|violation| Refusal::at(violation, TPP_CERTIFICATE))?;
    check_signature(request, &header, certificate, check_key_id).map_err(at_signature)?;
    Ok(date)
}

/// Reads `Date`, which must be within the window around the clock; both ends are inside.
///
/// # Errors
/// [`Reason::DateMalformed`], [`Reason::DateOutsideWindow`].
pub(crate) fn check_date(date: &[u8], now: DateTime<Utc>) -> Result<DateTime<Utc>, Violation> {
    let date = std::str::from_utf8(date).map_err(|_| Reason::DateMalformed)?;
    let date = parse_http_date_at(date, now)?;
    // Dates have whole seconds, so the clock is taken in whole seconds too.
    let deviation = now.timestamp().abs_diff(date.timestamp());
    if deviation <= DATE_DEVIATION_SECONDS_MAX {
        return Ok(date);
    }
    let arguments: [&dyn Display; 2] = [&deviation, &DATE_DEVIATION_SECONDS_MAX];
    Err(match deviation <= YEAR_SECONDS {
        true => Violation::with(Reason::DateOutsideWindow, &arguments),
        false => Violation::of_case(Case::DateFarOff, &arguments),
    })
}

fn at_signature(violation: Violation) -> Refusal {
    Refusal::at(violation, SIGNATURE)
}

/// Reads the header, which must list what the request has of the headers to sign.
fn read_complete<'t, F: Fields + ?Sized>(
    text: &'t str,
    fields: &F,
) -> Result<SignatureHeader<'t>, Violation> {
    let header = SignatureHeader::parse(text)?;
    check_names(header.names())?;
    check_complete(fields, header.names())?;
    Ok(header)
}

fn check_signature<F: Fields + ?Sized>(
    request: &SignedRequest<'_, F>,
    header: &SignatureHeader<'_>,
    certificate: &Certificate,
    check_key_id: impl FnOnce(&SignatureHeader<'_>) -> Result<(), Violation>,
) -> Result<(), Violation> {
    let signed = signing_string(request.method, request.target, request.fields, header.names())?;
    check_key_id(header)?;
    match certificate.rsa_key() {
        Some(key) if key.verify_sha256(&signed, header.signature()) => Ok(()),
        _ => Err(Reason::SignatureInvalid.into()),
    }
}

/// The one header that may have several lines is not signed over with them: it could be taken for more than one header.
fn check_lines<F: Fields + ?Sized>(fields: &F, names: &[&str]) -> Result<(), Violation> {
    let Some(name) = names.iter().find(|name| name.eq_ignore_ascii_case(TPP_CERTIFICATE)) else {
        return Ok(());
    };
    let value = fields.value(name).unwrap_or_default();
    match value.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        Some(at) => Err(Violation::with(Reason::HeaderByteForbidden, &[&(at + 1)])),
        None => Ok(()),
    }
}

/// The refusal for those of the headers that are absent, all in one.
fn missing<F: Fields + ?Sized>(fields: &F, names: &[&str]) -> Refusal {
    let absent = names.iter().filter(|name| fields.value(name).is_none());
    let findings = absent.map(|name| Finding::error(Reason::HeaderMissing, *name)).collect();
    Refusal::from_findings(findings).unwrap_or(Refusal::new(Reason::HeaderMissing))
}

/// What [`verify_request`] found.
#[derive(Debug, Clone)]
pub struct Verification {
    /// The certificate of the request, where it could be read.
    pub certificate: Option<Arc<Certificate>>,
    /// Why the request is refused; `None` if it is accepted.
    pub refusal: Option<Refusal>,
}

impl Verification {
    /// Whether the request is accepted.
    pub fn is_ok(&self) -> bool {
        self.refusal.is_none()
    }
}

/// Checks a signed request from its bytes alone.
///
/// Without anchors the chain is not looked at, and so neither are issuer, validity nor revocation: the check
/// is that the certificate may sign, that keyId names it, and that its key made the signature. An
/// organisation's number is not asked for; that is a matter of admission, not of the signature.
pub fn verify_request<F: Fields + ?Sized>(
    request: &SignedRequest<'_, F>,
    now: DateTime<Utc>,
    anchors: Option<&TrustAnchors>,
    key_id_issuer: KeyIdIssuer,
) -> Verification {
    verify(request, &[TPP_CERTIFICATE, DATE, SIGNATURE], now, anchors, key_id_issuer)
}

/// Checks a signed answer from its header fields and the bytes of its body, compressed where they were sent so: as
/// [`verify_request`] checks a request. Digest must be there, and `(request-target)`, of which an answer knows
/// nothing, must not.
pub(crate) fn verify_response<F: Fields + ?Sized>(
    fields: &F,
    body: &[u8],
    now: DateTime<Utc>,
    anchors: Option<&TrustAnchors>,
    key_id_issuer: KeyIdIssuer,
) -> Verification {
    let answer = SignedRequest { method: "", target: "", fields, body };
    let names = [response_key::CERTIFICATE_HEADER, DIGEST, DATE, SIGNATURE];
    let mut found = verify(&answer, &names, now, anchors, key_id_issuer);
    found.refusal = match found.refusal {
        Some(refusal) => Some(refusal.in_cases(case_of_answer)),
        None => check_names_no_request(fields).err().map(|violation| Refusal::at(violation, SIGNATURE)),
    };
    found
}

/// The row speaks of the bank's clock, which made this date.
fn case_of_answer(violation: &Violation) -> Option<Case> {
    match (violation.reason, violation.case) {
        (Reason::DateOutsideWindow, None) => Some(Case::AnswerOutsideWindow),
        (Reason::DateOutsideWindow, Some(_)) => Some(Case::AnswerFarOff),
        (_, case) => case,
    }
}

fn check_names_no_request<F: Fields + ?Sized>(fields: &F) -> Result<(), Violation> {
    let value = fields.value(SIGNATURE).unwrap_or_default();
    let text = signature_text(&value)?;
    let header = SignatureHeader::parse(&text)?;
    match header.names().iter().any(|name| name.eq_ignore_ascii_case(REQUEST_TARGET)) {
        true => Err(Violation::with(Reason::SignedHeaderAbsent, &[&REQUEST_TARGET])),
        false => Ok(()),
    }
}

/// Checks what is signed, the certificate being in the first of the headers that must be there.
fn verify<F: Fields + ?Sized>(
    signed: &SignedRequest<'_, F>,
    names: &[&str],
    now: DateTime<Utc>,
    anchors: Option<&TrustAnchors>,
    key_id_issuer: KeyIdIssuer,
) -> Verification {
    let refused = |refusal| Verification { certificate: None, refusal: Some(refusal) };
    let certificate = names.first().copied().unwrap_or_default();
    let value = signed.fields.value(certificate);
    let Some(value) = value.filter(|_| names.iter().all(|name| signed.fields.value(name).is_some())) else {
        return refused(missing(signed.fields, names));
    };
    let presented = match Presented::from_header(&value) {
        Ok(presented) => presented,
        Err(violation) => return refused(Refusal::at(violation, certificate)),
    };
    let refusal = check_presented(&presented, now, anchors)
        .map_err(|violation| Refusal::at(violation, certificate))
        .and_then(|()| authenticate(signed, &presented.leaf, now, key_id_issuer))
        .err();
    Verification { certificate: Some(presented.leaf), refusal }
}

fn check_presented(
    presented: &Presented,
    now: DateTime<Utc>,
    anchors: Option<&TrustAnchors>,
) -> Result<(), Violation> {
    presented.leaf.check_signer()?;
    if let Some(anchors) = anchors {
        verify_chain(&presented.leaf, &presented.intermediates, anchors)?.valid_at(now)?;
    }
    Ok(())
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::{IssuedTpp, TestPki};
    use crate::sandbox::sign::Unsigned;
    use crate::tpp::role::Roles;
    use uuid::Uuid;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_795_176_000, 0).unwrap()
    }

    fn tpp() -> (IssuedTpp, TrustAnchors) {
        let pki = TestPki::new().unwrap();
        let mut anchors = TrustAnchors::new();
        anchors.add(pki.root().clone());
        (pki.issue("Acme", Roles::NONE, "PSDNO-FSA-1", [1; 16], 0).unwrap(), anchors)
    }

    type Headers = Vec<(String, String)>;

    fn signed(tpp: &IssuedTpp) -> Headers {
        tpp.sign(Unsigned { method: "POST", target: "/v1/x", headers: &[], body: b"{}" }, now(), Uuid::nil())
            .unwrap()
    }

    fn set(headers: &mut Headers, name: &str, value: &str) {
        headers.retain(|(own, _)| own != name);
        headers.push((name.to_owned(), value.to_owned()));
    }

    fn check(headers: &Headers, anchors: &TrustAnchors) -> Option<Reason> {
        let request =
            SignedRequest { method: "POST", target: "/v1/x", fields: headers.as_slice(), body: b"{}" };
        let verification = verify_request(&request, now(), Some(anchors), KeyIdIssuer::Lenient);
        verification.refusal.map(|refusal| refusal.reason())
    }

    #[test]
    fn the_first_row_answers() {
        let (tpp, anchors) = tpp();
        let mut headers = signed(&tpp);
        assert_eq!(check(&headers, &anchors), None);
        set(&mut headers, "Signature", "x");
        assert_eq!(check(&headers, &anchors), Some(Reason::SignatureMalformed));
        set(&mut headers, "Date", "x");
        assert_eq!(check(&headers, &anchors), Some(Reason::DateMalformed));
        set(&mut headers, "Digest", "SHA-256=AAAA");
        assert_eq!(check(&headers, &anchors), Some(Reason::DigestMismatch));
        set(&mut headers, "TPP-Signature-Certificate", "AQID");
        assert_eq!(check(&headers, &anchors), Some(Reason::CertificateMalformed));
        headers.retain(|(name, _)| name != "Date");
        assert_eq!(check(&headers, &anchors), Some(Reason::HeaderMissing));
    }

    #[test]
    fn a_signed_certificate_of_several_lines_is_refused_at_its_header() {
        let (tpp, _) = tpp();
        let mut headers = signed(&tpp);
        let (_, signature) = headers.iter().find(|(name, _)| name == SIGNATURE).unwrap();
        let listed = signature.replace("headers=\"", "headers=\"tpp-signature-certificate ");
        set(&mut headers, SIGNATURE, &listed);
        let pem = tpp.certificate().to_pem();
        for (value, reason, place) in [
            (pem.clone(), Reason::HeaderByteForbidden, TPP_CERTIFICATE),
            (pem.replace('\n', ""), Reason::SignatureInvalid, SIGNATURE),
        ] {
            set(&mut headers, TPP_CERTIFICATE, &value);
            let request =
                SignedRequest { method: "POST", target: "/v1/x", fields: headers.as_slice(), body: b"{}" };
            let refusal = verify_request(&request, now(), None, KeyIdIssuer::Lenient).refusal.unwrap();
            let path = refusal.findings().next().unwrap().path.clone();
            assert_eq!((refusal.reason(), path.as_deref()), (reason, Some(place)));
        }
    }

    #[test]
    fn all_missing_headers_are_reported_at_once() {
        let request =
            SignedRequest::<[(String, String)]> { method: "GET", target: "/", fields: &[], body: b"" };
        let refusal = verify_request(&request, now(), None, KeyIdIssuer::Lenient).refusal.unwrap();
        let paths: Vec<_> = refusal.findings().filter_map(|finding| finding.path.as_deref()).collect();
        assert_eq!(paths, [TPP_CERTIFICATE, DATE, SIGNATURE]);
    }

    #[test]
    fn sixty_seconds_pass_and_sixty_one_do_not() {
        let at = |seconds| {
            let date = crate::wire::http_date::format_http_date(now() + chrono::Duration::seconds(seconds));
            check_date(date.as_bytes(), now())
        };
        assert!(at(60).is_ok() && at(-60).is_ok());
        let late = at(61).unwrap_err();
        assert_eq!(
            (late.reason, late.arguments),
            (Reason::DateOutsideWindow, vec!["61".into(), "60".into()])
        );
        assert_eq!(at(-61).unwrap_err().reason, Reason::DateOutsideWindow);
        let case = |seconds| at(seconds).unwrap_err().case;
        assert_eq!((case(31_622_400), case(-31_622_400)), (None, None), "a year");
        assert_eq!((case(31_622_401), case(-31_622_401)), (Some(Case::DateFarOff), Some(Case::DateFarOff)));
        // Fractions of the clock's second do not count.
        let fraction = now() + chrono::Duration::milliseconds(60_999);
        let date = crate::wire::http_date::format_http_date(now());
        assert!(check_date(date.as_bytes(), fraction).is_ok());
    }

    #[test]
    fn a_policy_may_ask_for_the_whole_issuer() {
        let (tpp, _) = tpp();
        let header = |issuer: &str| {
            format!(
                "keyId=\"SN={},CA={issuer}\",algorithm=\"rsa-sha256\",headers=\"\",signature=\"\"",
                tpp.certificate().serial_number()
            )
        };
        let text = header("CN=xs2a Sandbox Test CA,O=xs2a,C=NO");
        let parsed = SignatureHeader::parse(&text).unwrap();
        assert_eq!(parsed.check_key_id(tpp.certificate(), KeyIdIssuer::Exact), Ok(()));
        let text = header("CN=xs2a Sandbox Test CA,C=NO");
        let parsed = SignatureHeader::parse(&text).unwrap();
        let refused = parsed.check_key_id(tpp.certificate(), KeyIdIssuer::Lenient).unwrap_err();
        assert_eq!(refused.reason, Reason::KeyIdIssuer);
    }

    #[test]
    fn a_key_id_that_is_known_names_its_certificate_and_no_other_text_does() {
        let (tpp, anchors) = tpp();
        let identity = Identity::from_header(tpp.certificate().to_pem().as_bytes(), &anchors).unwrap();
        let whole = identity.certificate.issuer().to_string();
        let serial = identity.certificate.serial_number().to_string();
        let outcome = |serial: &str, issuer: &str, policy| {
            let text = format!(
                "keyId=\"SN={serial},CA={issuer}\",algorithm=\"rsa-sha256\",headers=\"\",signature=\"\""
            );
            let header = SignatureHeader::parse(&text).unwrap();
            let found = identity.check_key_id(&header, policy);
            assert_eq!(found, header.check_key_id(&identity.certificate, policy), "{text}");
            found.is_ok()
        };
        // In any order, and any number of times: a refused keyId is refused again.
        for _ in 0..3 {
            for policy in [KeyIdIssuer::Lenient, KeyIdIssuer::Exact] {
                assert!(!outcome("1F", &whole, policy));
                assert!(outcome(&serial, &whole, policy));
                assert!(outcome(&format!("0{serial}"), &whole, policy));
                assert!(!outcome(&serial, "CN=x", policy));
            }
        }
        assert!(identity.known_key_id.is(&format!("SN={serial},CA={whole}"), KeyIdIssuer::Lenient));
    }

    #[test]
    fn a_known_key_id_replaces_no_other_check() {
        let (tpp, anchors) = tpp();
        let identity = Identity::from_header(tpp.certificate().to_pem().as_bytes(), &anchors).unwrap();
        let headers = signed(&tpp);
        let reason = |body: &[u8], target: &str| {
            let request = SignedRequest { method: "POST", target, fields: headers.as_slice(), body };
            let outcome = identity.authenticate(&request, now(), KeyIdIssuer::Lenient);
            outcome.err().map(|refusal| refusal.reason())
        };
        assert_eq!(reason(b"{}", "/v1/x"), None);
        assert_eq!(reason(b"{}", "/v1/x"), None);
        assert_eq!(reason(b"{ }", "/v1/x"), Some(Reason::DigestMismatch));
        let mut headers = headers.clone();
        set(&mut headers, "X-Request-ID", "another");
        let request =
            SignedRequest { method: "POST", target: "/v1/x", fields: headers.as_slice(), body: b"{}" };
        let refusal = identity.authenticate(&request, now(), KeyIdIssuer::Lenient).unwrap_err();
        assert_eq!(refusal.reason(), Reason::SignatureInvalid);
    }

    #[test]
    fn an_identity_needs_an_organisation_and_a_chain() {
        let pki = TestPki::new().unwrap();
        let (tpp, anchors) = tpp();
        let value = |tpp: &IssuedTpp| tpp.certificate().to_pem().into_bytes();
        assert_eq!(Identity::from_header(&value(&tpp), &anchors).unwrap().certificate, *tpp.certificate());
        let reason = |tpp: &IssuedTpp, anchors: &TrustAnchors| {
            let refusal = Identity::from_header(&value(tpp), anchors).unwrap_err();
            assert_eq!(refusal.findings().next().unwrap().path.as_deref(), Some(TPP_CERTIFICATE));
            refusal.reason()
        };
        assert_eq!(reason(&tpp, &TrustAnchors::new()), Reason::ChainUnknown);
        let nameless = pki.issue("Acme", Roles::NONE, "", [2; 16], 0).unwrap();
        assert_eq!(reason(&nameless, &anchors), Reason::CertificateOrganisationMissing);
        // The certificate's own row comes before those of the chain.
        assert_eq!(reason(&nameless, &TrustAnchors::new()), Reason::CertificateOrganisationMissing);
    }
}
