//! The extensions of certificates that are read or known, as the content of their identifiers in DER.

/// 2.5.29.14, subjectKeyIdentifier.
pub(super) const SUBJECT_KEY_ID: &[u8] = &[0x55, 0x1d, 14];
/// 2.5.29.15, keyUsage.
pub(super) const KEY_USAGE: &[u8] = &[0x55, 0x1d, 15];
/// 2.5.29.17, subjectAltName.
pub(super) const SUBJECT_NAMES: &[u8] = &[0x55, 0x1d, 17];
/// 2.5.29.18, issuerAltName.
pub(super) const ISSUER_NAMES: &[u8] = &[0x55, 0x1d, 18];
/// 2.5.29.19, basicConstraints.
pub(super) const BASIC_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 19];
/// 2.5.29.30, nameConstraints.
pub(super) const NAME_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 30];
/// 2.5.29.31, cRLDistributionPoints.
pub(super) const DISTRIBUTION_POINTS: &[u8] = &[0x55, 0x1d, 31];
/// 2.5.29.32, certificatePolicies.
pub(super) const POLICIES: &[u8] = &[0x55, 0x1d, 32];
/// 2.5.29.35, authorityKeyIdentifier.
pub(super) const AUTHORITY_KEY_ID: &[u8] = &[0x55, 0x1d, 35];
/// 2.5.29.36, policyConstraints.
pub(super) const POLICY_CONSTRAINTS: &[u8] = &[0x55, 0x1d, 36];
/// 2.5.29.37, extKeyUsage.
pub(super) const EXTENDED_KEY_USAGE: &[u8] = &[0x55, 0x1d, 37];
/// 1.3.6.1.5.5.7.1.3, qcStatements.
pub(super) const QC_STATEMENTS: &[u8] = &[0x2b, 6, 1, 5, 5, 7, 1, 3];

/// Extensions that may be critical. Those not read here bind nothing that is asked of a certificate: names of the
/// subject, policies (any is acceptable), uses in TLS and mail. Name and policy constraints are not on the list: a
/// chain that needs them is refused.
pub(super) const UNDERSTOOD: [&[u8]; 10] = [
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
