//! The extensions of certificates that are read or known. Their identifiers are the content of the DER.

use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::{BasicConstraints, KeyUsage, X509Extension};
use x509_parser::prelude::FromDer;

use super::qc_statement::{self, Psd2Statement};
use super::qualification::Qualification;
use crate::reason::Reason;
use crate::wire::der;

/// 2.5.29.14, subjectKeyIdentifier.
const SUBJECT_KEY_ID: &[u8] = &[0x55, 0x1d, 14];
/// 2.5.29.15, keyUsage.
const KEY_USAGE: &[u8] = &[0x55, 0x1d, 15];
/// 2.5.29.17, subjectAltName.
const SUBJECT_NAMES: &[u8] = &[0x55, 0x1d, 17];
/// 2.5.29.18, issuerAltName.
const ISSUER_NAMES: &[u8] = &[0x55, 0x1d, 18];
/// 2.5.29.19, basicConstraints.
const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 19];
/// 2.5.29.30, nameConstraints.
const NAME_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 30];
/// 2.5.29.31, cRLDistributionPoints.
const DISTRIBUTION_POINTS: &[u8] = &[0x55, 0x1d, 31];
/// 2.5.29.32, certificatePolicies.
const POLICIES: &[u8] = &[0x55, 0x1d, 32];
/// 2.5.29.35, authorityKeyIdentifier.
const AUTHORITY_KEY_ID: &[u8] = &[0x55, 0x1d, 35];
/// 2.5.29.36, policyConstraints.
const POLICY_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 36];
/// 2.5.29.37, extKeyUsage.
const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 37];
/// 1.3.6.1.5.5.7.1.3, qcStatements.
const QC_STATEMENTS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 1, 3];

/// Extensions that may be critical. Those not read here bind nothing that is asked of a certificate: names of the
/// subject, policies (any is acceptable), uses in TLS and mail. Name and policy constraints are not on the list: a
/// chain that needs them is refused.
const UNDERSTOOD: [&[u8]; 10] = [
    SUBJECT_KEY_ID,
    KEY_USAGE,
    SUBJECT_NAMES,
    ISSUER_NAMES,
    BASIC_CONSTRAINTS,
    DISTRIBUTION_POINTS,
    POLICIES,
    AUTHORITY_KEY_ID,
    EXTENDED_KEY_USAGE,
    QC_STATEMENTS,
];

/// What is kept of the extensions.
#[derive(Default)]
pub(super) struct Extensions {
    pub(super) present: bool,
    pub(super) key_usage: Option<KeyUsage>,
    pub(super) constraints: Option<BasicConstraints>,
    pub(super) subject_key_id: Option<Box<[u8]>>,
    pub(super) authority_key_id: Option<Box<[u8]>>,
    pub(super) statement: Option<Psd2Statement>,
    /// Why the QCStatements say nothing for certain.
    pub(super) statements_fault: Option<Reason>,
    pub(super) qualification: Qualification,
    /// The first extension that constrains the certificates issued under this one, critical or not.
    pub(super) binding: Option<&'static str>,
    pub(super) distribution_points: Box<[u8]>,
    pub(super) unknown_critical: Option<String>,
}

impl Extensions {
    pub(super) fn read(x509: &X509Certificate<'_>) -> Option<Self> {
        let extensions = x509.tbs_certificate.extensions();
        let mut identifiers: Vec<&[u8]> =
            extensions.iter().map(|extension| extension.oid.as_bytes()).collect();
        identifiers.sort_unstable();
        identifiers.is_sorted_by(|one, next| one != next).then_some(())?;
        let mut kept = Self { present: !extensions.is_empty(), ..Self::default() };
        for extension in extensions {
            kept.take(extension)?;
        }
        Some(kept)
    }

    fn take(&mut self, extension: &X509Extension<'_>) -> Option<()> {
        let (oid, value) = (extension.oid.as_bytes(), extension.value);
        match oid {
            SUBJECT_KEY_ID => self.subject_key_id = der::read_all(value).map(|id| id.content.into()),
            KEY_USAGE => self.key_usage = Some(KeyUsage::from_der(value).ok()?.1),
            BASIC_CONSTRAINTS => self.constraints = Some(BasicConstraints::from_der(value).ok()?.1),
            AUTHORITY_KEY_ID => self.authority_key_id = authority_key_id(value),
            NAME_CONSTRAINTS => _ = self.binding.get_or_insert("2.5.29.30"),
            POLICY_CONSTRAINTS if requires_policy(value) => {
                _ = self.binding.get_or_insert("2.5.29.36");
            }
            DISTRIBUTION_POINTS => self.distribution_points = value.into(),
            QC_STATEMENTS => match qc_statement::check(value) {
                Ok(()) => {
                    self.statement = Psd2Statement::from_extension(value);
                    self.qualification = Qualification::from_extension(value);
                }
                Err(reason) => self.statements_fault = Some(reason),
            },
            _ => {}
        }
        if extension.critical && !UNDERSTOOD.contains(&oid) && self.unknown_critical.is_none() {
            self.unknown_critical = Some(der::dotted(oid)?);
        }
        Some(())
    }
}

/// Whether a PolicyConstraints has requireExplicitPolicy, `[0]`; what cannot be read may have it, and only what is
/// inhibitPolicyMapping, `[1]`, alone has it not. Without that the policies of a chain never speak against it.
fn requires_policy(value: &[u8]) -> bool {
    let members = der::read_all(value).filter(|outer| outer.tag == der::SEQUENCE);
    members.and_then(|members| der::read_all(members.content)).is_none_or(|only| only.tag != 0x81)
}

/// The keyIdentifier, `[0]`, of an AuthorityKeyIdentifier.
fn authority_key_id(value: &[u8]) -> Option<Box<[u8]>> {
    let (members, _) = der::read_tagged(value, der::SEQUENCE)?;
    der::read_tagged(members, 0x80).map(|(id, _)| id.into())
}
