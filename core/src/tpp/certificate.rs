//! A certificate (RFC 5280) read once: what the engine asks of a TPP's certificate and of the authorities
//! above it.

use std::fmt;
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, Utc};
use x509_parser::certificate::X509CertificateParser;
use x509_parser::extensions::KeyUsage;
use x509_parser::nom::Parser as _;

use super::distinguished_name::{DistinguishedName, Value};
use super::extension::Extensions;
use super::qc_statement::Psd2Statement;
use super::qualification::Qualification;
use super::role::Roles;
use super::serial_number::SerialNumber;
use super::shape;
use crate::crypto::scheme::Hash;
use crate::crypto::{self, pem, RefusedScheme, RsaPublicKey, SignatureScheme};
use crate::limits::{ORGANISATION_ID_CHARS_MAX, RSA_BITS_MAX, RSA_BITS_MIN};
use crate::reason::{Case, Reason, Violation};
use crate::types::instant::is_in_calendar;
use crate::types::{has_visible, is_hidden, shown_name};
use crate::wire::der;

/// The subject attribute that carries the authorisation number (ETSI EN 319 412-1, TS 119 495).
const ORGANISATION_IDENTIFIER: &str = "2.5.4.97";

const ORGANISATION_NAME: &str = "2.5.4.10";
const COMMON_NAME: &str = "2.5.4.3";

/// The one organizationIdentifier of a subject, without spaces around it, or why it names no organisation. Only the
/// space is removed: another blank that is not seen would make two identifiers that look the same.
fn organisation_id(subject: &DistinguishedName) -> Result<Arc<str>, Reason> {
    let mut values = subject.values_of(ORGANISATION_IDENTIFIER);
    let Some(value) = values.next() else { return Err(Reason::CertificateOrganisationMissing) };
    if values.next().is_some() {
        return Err(Reason::CertificateOrganisationRepeated);
    }
    let id = value.as_text().ok_or(Reason::CertificateOrganisationMalformed)?.trim_matches(' ');
    match id {
        "" => Err(Reason::CertificateOrganisationMissing),
        _ if is_printable(id) && id.chars().count() <= ORGANISATION_ID_CHARS_MAX => Ok(id.into()),
        _ => Err(Reason::CertificateOrganisationMalformed),
    }
}

/// The name of the organisation in a subject: organizationName, else commonName.
fn organisation_name(subject: &DistinguishedName) -> Option<Arc<str>> {
    let named = |oid| subject.values_of(oid).filter_map(Value::as_text).find_map(shown_name);
    named(ORGANISATION_NAME).or_else(|| named(COMMON_NAME))
}

fn is_printable(id: &str) -> bool {
    has_visible(id) && !id.chars().any(is_hidden)
}

/// A certificate. `Debug` shows serial number and fingerprint alone.
pub struct Certificate {
    der: Box<[u8]>,
    fingerprint: OnceLock<[u8; 32]>,
    serial_number: SerialNumber,
    issuer: DistinguishedName,
    issuer_der: Box<[u8]>,
    subject: DistinguishedName,
    /// Whether subject and issuer are one name: a search for a chain asks it of each certificate at each step.
    self_issued: bool,
    organisation_id: Result<Arc<str>, Reason>,
    organisation_name: Option<Arc<str>>,
    not_before: DateTime<Utc>,
    not_after: DateTime<Utc>,
    public_key: Box<[u8]>,
    rsa_key: Option<RsaPublicKey>,
    extensions: Extensions,
    signed: Box<[u8]>,
    scheme: Result<SignatureScheme, RefusedScheme>,
    signature: Box<[u8]>,
}

impl Certificate {
    /// Reads one certificate from DER. Any X.509 certificate is read; whether it may sign requests is
    /// [`check_signer`](Self::check_signer).
    ///
    /// # Errors
    /// [`Reason::CertificateMalformed`] for malformed DER, bytes after it, an extension that occurs twice, two
    /// different signature algorithms, more than `RDN_ATTRIBUTES_MAX` attributes in one RDN of a name, or a serial
    /// number that no revocation list can name.
    pub fn from_der(input: &[u8]) -> Result<Self, Violation> {
        let certificate = Self::read(input).ok_or(Reason::CertificateMalformed)?;
        match certificate.serial_number.is_revocable() {
            true => Ok(certificate),
            false => Err(Violation::of_case(Case::SerialTooLong, &[])),
        }
    }

    fn read(input: &[u8]) -> Option<Self> {
        let (rest, x509) =
            X509CertificateParser::new().with_deep_parse_extensions(false).parse(input).ok()?;
        let shell = Shell::read(input)?;
        let sound = rest.is_empty() && x509.signature_algorithm == x509.tbs_certificate.signature;
        sound.then_some(())?;
        let tbs = &x509.tbs_certificate;
        let issuer = DistinguishedName::from_der(tbs.issuer.as_raw())?;
        let subject = DistinguishedName::from_der(tbs.subject.as_raw())?;
        Some(Self {
            der: input.into(),
            fingerprint: OnceLock::new(),
            serial_number: SerialNumber::from_bytes(tbs.raw_serial()),
            self_issued: issuer == subject,
            organisation_id: organisation_id(&subject),
            organisation_name: organisation_name(&subject),
            issuer,
            issuer_der: tbs.issuer.as_raw().into(),
            subject,
            not_before: instant(tbs.validity.not_before.timestamp())?,
            not_after: instant(tbs.validity.not_after.timestamp())?,
            public_key: tbs.subject_pki.raw.into(),
            rsa_key: RsaPublicKey::from_spki(tbs.subject_pki.raw),
            extensions: Extensions::read(&x509)?,
            signed: tbs.as_ref().into(),
            scheme: shell.scheme,
            signature: shell.signature.into(),
        })
    }

    /// The issuer's name in DER, by which revocation lists go.
    pub fn issuer_der(&self) -> &[u8] {
        &self.issuer_der
    }

    /// The DER it was read from.
    pub fn der(&self) -> &[u8] {
        &self.der
    }

    /// The certificate as PEM.
    pub fn to_pem(&self) -> String {
        pem::encode("CERTIFICATE", &self.der)
    }

    /// SHA-256 over the DER, computed when it is first asked for.
    pub fn fingerprint(&self) -> &[u8; 32] {
        self.fingerprint.get_or_init(|| crypto::sha256(&self.der))
    }

    /// The serial number that the issuer gave it.
    pub fn serial_number(&self) -> &SerialNumber {
        &self.serial_number
    }

    /// Who issued it.
    pub fn issuer(&self) -> &DistinguishedName {
        &self.issuer
    }

    /// Whose it is.
    pub fn subject(&self) -> &DistinguishedName {
        &self.subject
    }

    /// First instant of validity.
    pub fn not_before(&self) -> DateTime<Utc> {
        self.not_before
    }

    /// Last instant of validity, included.
    pub fn not_after(&self) -> DateTime<Utc> {
        self.not_after
    }

    /// Whether its validity is yet to begin.
    pub fn is_early_at(&self, now: DateTime<Utc>) -> bool {
        now < self.not_before
    }

    /// Whether its validity is over. It ends with a whole second, all of which belongs to it.
    pub fn is_expired_at(&self, now: DateTime<Utc>) -> bool {
        now.timestamp() > self.not_after.timestamp()
    }

    /// The roles of its PSD2 statement, none where it has no such statement.
    pub fn roles(&self) -> Roles {
        self.psd2_statement().map(|statement| statement.roles).unwrap_or_default()
    }

    /// The PSD2 statement (ETSI TS 119 495).
    pub fn psd2_statement(&self) -> Option<&Psd2Statement> {
        self.extensions.statement.as_ref()
    }

    /// The authorisation number, such as `PSDNO-FSA-123456789`, from the subject's organizationIdentifier, without
    /// spaces around it. `None` unless the subject has exactly one, of at most
    /// `ORGANISATION_ID_CHARS_MAX` printable characters.
    pub fn organisation_id(&self) -> Option<&str> {
        self.organisation_id.as_deref().ok()
    }

    /// The same, shared by all records of that TPP.
    pub(crate) fn shared_organisation_id(&self) -> Option<Arc<str>> {
        self.organisation_id.clone().ok()
    }

    /// The organisation's name in the subject, for a reader: not unique, and in the words of the TPP.
    pub(crate) fn shared_organisation_name(&self) -> Option<Arc<str>> {
        self.organisation_name.clone()
    }

    /// The key, where it is RSA of 2048 to 8192 bits.
    pub fn rsa_key(&self) -> Option<&RsaPublicKey> {
        self.rsa_key.as_ref()
    }

    /// The key: SubjectPublicKeyInfo in DER.
    pub fn public_key(&self) -> &[u8] {
        &self.public_key
    }

    /// Which kind of qualified certificate it states to be.
    pub fn qualification(&self) -> Qualification {
        self.extensions.qualification
    }

    /// The identifier of its key, empty where it states none.
    pub fn subject_key_id(&self) -> &[u8] {
        self.extensions.subject_key_id.as_deref().unwrap_or_default()
    }

    /// Whether its basicConstraints mark it as an authority's, independent of its key usage.
    pub fn names_an_authority(&self) -> bool {
        self.extensions.constraints.as_ref().is_some_and(|constraints| constraints.ca)
    }

    /// The value of its extension cRLDistributionPoints (RFC 5280 section 4.2.1.13) in DER, empty where it has none.
    pub fn distribution_points(&self) -> &[u8] {
        &self.extensions.distribution_points
    }

    /// Whether it may sign requests: key, critical extensions, key usage.
    ///
    /// # Errors
    /// In this order: [`Reason::CertificateKeyUnsupported`], [`Reason::CertificateExtensionUnknown`],
    /// [`Reason::CertificateKeyUsage`].
    pub fn check_signer(&self) -> Result<(), Violation> {
        if self.rsa_key.is_none() {
            return Err(Violation::with(Reason::CertificateKeyUnsupported, &[&RSA_BITS_MIN, &RSA_BITS_MAX]));
        }
        if let Some(oid) = self.unknown_critical_extension() {
            return Err(Violation::with(Reason::CertificateExtensionUnknown, &[&oid]));
        }
        match self.extensions.key_usage {
            Some(usage) if !usage.digital_signature() && !usage.non_repudiation() => {
                Err(Reason::CertificateKeyUsage.into())
            }
            _ => Ok(()),
        }
    }

    /// Whether it names one organisation: one authorisation number in its subject, and at most one PSD2 statement in
    /// QCStatements that are read to their end.
    ///
    /// # Errors
    /// In this order: [`Reason::CertificateOrganisationMissing`], [`Reason::CertificateOrganisationRepeated`] or
    /// [`Reason::CertificateOrganisationMalformed`]; [`Reason::QcStatementsMalformed`],
    /// [`Reason::Psd2StatementRepeated`].
    pub fn check_organisation(&self) -> Result<(), Violation> {
        if let Err(reason) = self.organisation_id {
            return Err(Violation::with(reason, &[&ORGANISATION_ID_CHARS_MAX]));
        }
        match self.extensions.statements_fault {
            Some(reason) => Err(reason.into()),
            None => Ok(()),
        }
    }

    /// The dotted identifier of a critical extension that is not understood.
    pub(super) fn unknown_critical_extension(&self) -> Option<&str> {
        self.extensions.unknown_critical.as_deref()
    }

    /// The dotted identifier of an extension that binds what this authority issues, critical or not, and is not
    /// interpreted.
    pub(super) fn binding_extension(&self) -> Option<&str> {
        self.extensions.binding
    }

    /// Whether it may sign certificates: basic constraints and key usage. A certificate without extensions (X.509
    /// version 1) has no such statement; as a trust anchor it may.
    pub(super) fn is_authority(&self) -> bool {
        self.names_an_authority() && self.extensions.key_usage.is_none_or(|usage| usage.key_cert_sign())
    }

    /// Whether it names itself as issuer and states nothing about its use: a root of X.509 version 1.
    pub(super) fn is_bare_root(&self) -> bool {
        !self.extensions.present && self.is_self_issued()
    }

    /// How many intermediates are allowed between it and the leaf.
    pub(super) fn path_length(&self) -> Option<u32> {
        self.extensions.constraints.as_ref().and_then(|constraints| constraints.path_len_constraint)
    }

    /// Whether subject and issuer are one name.
    pub(super) fn is_self_issued(&self) -> bool {
        self.self_issued
    }

    /// Whether the key identifiers speak against `issuer` having signed this one. A hint alone: both are
    /// optional.
    pub(super) fn key_identifier_differs(&self, issuer: &Self) -> bool {
        match (&self.extensions.authority_key_id, &issuer.extensions.subject_key_id) {
            (Some(wanted), Some(offered)) => wanted != offered,
            _ => false,
        }
    }

    /// Whether it may sign revocation lists: key usage (RFC 5280 section 4.2.1.3).
    pub(crate) fn may_sign_lists(&self) -> bool {
        self.extensions.key_usage.as_ref().is_none_or(KeyUsage::crl_sign)
    }

    /// Whether its key made the signature over the message.
    pub(crate) fn verifies(&self, scheme: SignatureScheme, message: &[u8], signature: &[u8]) -> bool {
        match (&self.rsa_key, scheme) {
            // The key is parsed already.
            (Some(key), SignatureScheme::RsaPkcs1(Hash::Sha256)) => key.verify_sha256(message, signature),
            _ => crypto::verify_certificate(&self.public_key, scheme, message, signature),
        }
    }

    /// How it is signed, where that is not supported.
    pub(super) fn refused_scheme(&self) -> Option<&RefusedScheme> {
        self.scheme.as_ref().err()
    }

    /// Its kind of key, where no signature by it can be verified.
    pub(crate) fn refused_key(&self) -> Option<RefusedScheme> {
        match self.rsa_key {
            Some(_) => None,
            None => crypto::refused_key(&self.public_key),
        }
    }

    /// Whether the key of `issuer` made this certificate's signature.
    pub(super) fn is_signed_by(&self, issuer: &Self) -> bool {
        self.scheme.as_ref().is_ok_and(|scheme| issuer.verifies(*scheme, &self.signed, &self.signature))
    }
}

impl fmt::Debug for Certificate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Certificate({}, sha256 ", self.serial_number)?;
        self.fingerprint().iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
        out.write_str(")")
    }
}

impl PartialEq for Certificate {
    fn eq(&self, other: &Self) -> bool {
        self.der == other.der
    }
}

impl Eq for Certificate {}

/// The time, if it is in the years of RFC 3339; no other time can be shown.
fn instant(seconds: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(seconds, 0).filter(|instant| is_in_calendar(*instant))
}

/// The parts outside of the signed part.
struct Shell<'a> {
    scheme: Result<SignatureScheme, RefusedScheme>,
    signature: &'a [u8],
}

impl<'a> Shell<'a> {
    /// Reads strictly what no signature covers, so that one certificate has one encoding: `x509-parser` is
    /// lenient about the classes of tags there. Of what it covers, the shape is looked at.
    fn read(certificate: &'a [u8]) -> Option<Self> {
        let outer = der::read_all(certificate).filter(|outer| outer.tag == der::SEQUENCE)?;
        let (signed, rest) = der::read_tagged(outer.content, der::SEQUENCE)?;
        shape::check(signed)?;
        let (algorithm, rest) = der::read_tagged(rest, der::SEQUENCE)?;
        let (oid, parameters) = der::read_tagged(algorithm, der::OBJECT_IDENTIFIER)?;
        let bits = der::read_all(rest).filter(|bits| bits.tag == der::BIT_STRING)?;
        let parameters = Some(parameters).filter(|parameters| !parameters.is_empty());
        let signature = bits.content.strip_prefix(&[0])?;
        Some(Self { scheme: SignatureScheme::from_parts(oid, parameters), signature })
    }
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::{TestPki, ROOT_PEM};
    use crate::tpp::bundle::{parse_bundle, parse_certificate};
    use proptest::prelude::*;

    #[test]
    fn pem_and_der_are_one_certificate_and_pem_comes_back() {
        let root = parse_certificate(ROOT_PEM.as_bytes()).unwrap();
        assert_eq!(parse_certificate(root.der()).unwrap(), root);
        assert_eq!(root.to_pem(), ROOT_PEM);
    }

    /// The root with another serial number; its signature does not fit.
    fn with_serial(serial: &[u8]) -> Vec<u8> {
        let root = parse_certificate(ROOT_PEM.as_bytes()).unwrap();
        let whole = der::read_all(root.der()).unwrap().content;
        let (tbs, rest) = der::read_tagged(whole, der::SEQUENCE).unwrap();
        let mut parts: Vec<_> =
            der::elements(tbs).map(|part| der::encode(part.tag, &[part.content])).collect();
        parts[1] = der::encode(der::INTEGER, &[serial]);
        der::encode(der::SEQUENCE, &[&der::encode(der::SEQUENCE, &[&parts.concat()]), rest])
    }

    #[test]
    fn a_serial_number_that_no_list_can_name_is_refused() {
        for serial in [vec![0x7f; 20], [&[0][..], &[0xff; 20]].concat(), vec![0x80; 21]] {
            let read = Certificate::from_der(&with_serial(&serial)).unwrap();
            assert_eq!(read.serial_number(), &SerialNumber::from_bytes(&serial));
        }
        for serial in [vec![1; 21], [&[0][..], &[0xff; 21]].concat(), vec![0x7f; 200], vec![0x80; 22]] {
            let refused = Certificate::from_der(&with_serial(&serial)).unwrap_err();
            assert_eq!(refused, Violation::of_case(Case::SerialTooLong, &[]), "{serial:02x?}");
        }
    }

    #[test]
    fn an_organisation_is_needed_only_where_it_is_asked_for() {
        let root = parse_certificate(ROOT_PEM.as_bytes()).unwrap();
        let reason = root.check_organisation().unwrap_err().reason;
        assert_eq!(reason, Reason::CertificateOrganisationMissing);
        let pki = TestPki::new().unwrap();
        let blank = pki.issue("Acme", Roles::NONE, " ", [1; 16], 0).unwrap();
        assert!(blank.certificate().check_organisation().is_err());
    }

    #[test]
    fn an_authority_that_may_only_sign_certificates_signs_no_requests() {
        let root = parse_certificate(ROOT_PEM.as_bytes()).unwrap();
        assert_eq!(root.check_signer().unwrap_err().reason, Reason::CertificateKeyUsage);
        assert!(root.is_authority() && root.is_self_issued() && !root.is_bare_root());
    }

    #[test]
    fn any_one_bit_change_of_a_certificate_breaks_its_signature() {
        let root = parse_certificate(ROOT_PEM.as_bytes()).unwrap();
        let mut der = root.der().to_vec();
        for at in 0..der.len() {
            for bit in 0..8 {
                der[at] ^= 1 << bit;
                let is_accepted =
                    Certificate::from_der(&der).is_ok_and(|changed| changed.is_signed_by(&root));
                assert!(!is_accepted, "byte {at}, bit {bit}");
                der[at] ^= 1 << bit;
            }
        }
    }

    proptest! {
        #[test]
        fn no_input_panics(start in 0usize..900, junk in proptest::collection::vec(any::<u8>(), 1..40)) {
            let mut der = parse_certificate(ROOT_PEM.as_bytes()).unwrap().der().to_vec();
            let start = start % der.len();
            let end = der.len().min(start + junk.len());
            der[start..end].copy_from_slice(&junk[..end - start]);
            let _ = Certificate::from_der(&der);
            let _ = parse_bundle(&junk);
        }
    }
}
