//! Certificates of an authority of the test's own, each spoilt in one place. The keys are the public ones
//! of the sandbox.

use std::sync::Arc;

use rcgen::{
    date_time_ymd, BasicConstraints, CertificateParams, CustomExtension, DistinguishedName, DnType, IsCa,
    Issuer, KeyUsagePurpose, PublicKeyData, SignatureAlgorithm, SigningKey,
};
use xs2a::internal::{Psd2Statement, Role, Roles, RsaPrivateKey, TEST_KEYS_PEM};
use xs2a::trust::Certificate;

use crate::world::draft::Signer;

/// An unknown extension.
pub(crate) const UNKNOWN_EXTENSION: &str = "1.3.6.1.4.1.99999.1";
const UNKNOWN_EXTENSION_ARCS: &[u64] = &[1, 3, 6, 1, 4, 1, 99_999, 1];

/// A key pair of the sandbox, as rcgen wants it.
pub(crate) struct Key {
    pem: &'static str,
    private: RsaPrivateKey,
    public_pkcs1: Vec<u8>,
}

impl Key {
    pub(crate) fn numbered(number: usize) -> Self {
        let pem = TEST_KEYS_PEM[number];
        let private = RsaPrivateKey::from_pkcs8(pem.as_bytes()).unwrap();
        let public_pkcs1 = private.public_key_pkcs1();
        Self { pem, private, public_pkcs1 }
    }

    /// The same, said to be of 1024 bits in certificates.
    pub(crate) fn said_to_be_short(mut self) -> Self {
        let modulus = [0xC5; 128];
        self.public_pkcs1 =
            [&[0x30, 0x81, 0x89, 0x02, 0x81, 0x81, 0x00][..], &modulus, &[0x02, 0x03, 0x01, 0x00, 0x01]]
                .concat();
        self
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.public_pkcs1
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_RSA_SHA256
    }
}

impl SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        self.private.sign_sha256(message).ok_or(rcgen::Error::RemoteKeyError)
    }
}

/// A certificate with the key it belongs to.
pub(crate) struct Issued {
    params: CertificateParams,
    key: Key,
    certificate: rcgen::Certificate,
}

impl Issued {
    pub(crate) fn pem(&self) -> String {
        xs2a::internal::pem::encode("CERTIFICATE", self.certificate.der())
    }

    pub(crate) fn signer(&self) -> Signer {
        let certificate = Certificate::from_der(self.certificate.der()).unwrap();
        Signer::new(Arc::new(certificate), self.key.pem)
    }

    /// Issues a certificate for another key.
    pub(crate) fn issue(&self, params: CertificateParams, key: Key) -> Self {
        self.issue_with(params, key, &self.key)
    }

    /// As [`Issued::issue`], signed by a key that is not this one's.
    pub(crate) fn issue_with(&self, params: CertificateParams, key: Key, signing: &Key) -> Self {
        let issuer = Issuer::from_params(&self.params, signing);
        let certificate = params.signed_by(&key, &issuer).unwrap();
        Self { params, key, certificate }
    }
}

/// A root.
pub(crate) fn root(change: impl FnOnce(&mut CertificateParams)) -> Issued {
    let key = Key::numbered(7);
    let mut params = authority("Prøverot");
    change(&mut params);
    let certificate = params.self_signed(&key).unwrap();
    Issued { params, key, certificate }
}

/// What an authority's certificate says.
pub(crate) fn authority(name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = named(&[(DnType::CountryName, "NO"), (DnType::CommonName, name)]);
    params.serial_number = Some(0x4711.into());
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    params
}

/// What the certificate of a payment initiation service says.
pub(crate) fn tpp(change: impl FnOnce(&mut CertificateParams)) -> CertificateParams {
    let statement = Psd2Statement {
        roles: Roles::from_iter([Role::PaymentInitiation]),
        authority_name: Some("Finanstilsynet".to_owned()),
        authority_id: Some("NO-FSA".to_owned()),
    };
    let mut params = CertificateParams::default();
    params.distinguished_name = named(&[
        (DnType::CountryName, "NO"),
        (DnType::CustomDnType(vec![2, 5, 4, 97]), "PSDNO-FSA-777777"),
        (DnType::CommonName, "Betaling AS"),
    ]);
    params.serial_number = Some(0x1234_5678.into());
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.custom_extensions =
        vec![CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 3], statement.to_extension())];
    params.not_before = date_time_ymd(2026, 1, 1);
    params.not_after = date_time_ymd(2027, 1, 1);
    change(&mut params);
    params
}

/// A critical extension that is unknown.
pub(crate) fn unknown_extension() -> CustomExtension {
    let mut extension = CustomExtension::from_oid_content(UNKNOWN_EXTENSION_ARCS, vec![5, 0]);
    extension.set_criticality(true);
    extension
}

pub(crate) fn named(parts: &[(DnType, &str)]) -> DistinguishedName {
    let mut name = DistinguishedName::new();
    for (kind, value) in parts {
        name.push(kind.clone(), *value);
    }
    name
}
