//! The sandbox's own public-key infrastructure: one root, and certificates as an authority of Norway's
//! Finanstilsynet would have them (ETSI TS 119 495), issued on the spot.
//!
//! Key pairs are ready-made (`keys/`, by `make_keys.py`): making one costs a thousand times more than issuing a
//! certificate. They are public, and protect nothing. Root and key pairs are the same in every sandbox, for every seed:
//! a certificate issued by one leads to the root of any other. Only the serial numbers are drawn. Certificates are
//! valid from 1950 to the end of 9999, so that no manual clock makes them expire, and are the same bytes for the same
//! arguments.

use std::fmt;
use std::sync::{Arc, OnceLock};

use rcgen::{
    date_time_ymd, CertificateParams, CustomExtension, DistinguishedName, DnType, DnValue, IsCa, Issuer,
    KeyIdMethod, KeyUsagePurpose, PublicKeyData, SerialNumber, SignatureAlgorithm, SigningKey,
};

use crate::crypto::RsaPrivateKey;
use crate::error::{Error, Result};
use crate::tpp::bundle::parse_certificate;
use crate::tpp::certificate::Certificate;
use crate::tpp::qc_statement::Psd2Statement;
use crate::tpp::response_key::ResponseKey;
use crate::tpp::role::{Role, Roles};

/// The year from whose first day on certificates are valid.
pub(crate) const FIRST_YEAR: i32 = 1950;

/// The root's certificate.
pub const ROOT_PEM: &str = include_str!("keys/root.pem");

const ROOT_KEY_PEM: &str = include_str!("keys/ca.key.pem");

/// The key pairs that TPPs get, in turn.
pub const TEST_KEYS_PEM: [&str; 8] = [
    include_str!("keys/tpp_0.key.pem"),
    include_str!("keys/tpp_1.key.pem"),
    include_str!("keys/tpp_2.key.pem"),
    include_str!("keys/tpp_3.key.pem"),
    include_str!("keys/tpp_4.key.pem"),
    include_str!("keys/tpp_5.key.pem"),
    include_str!("keys/tpp_6.key.pem"),
    include_str!("keys/tpp_7.key.pem"),
];

/// The key pair of the sandbox's bank.
const BANK_KEY_PEM: &str = include_str!("keys/bank.key.pem");

/// Whom the bank's certificate is issued to: name, authorisation number, serial number.
const BANK: (&str, &str, [u8; 16]) = ("xs2a Sandbox Bank", "PSDNO-FSA-SANDBOX", [0x42; 16]);

/// The national competent authority that grants the roles.
const AUTHORITY_NAME: &str = "Finanstilsynet";
const AUTHORITY_ID: &str = "NO-FSA";

/// The issuing side.
pub struct TestPki {
    root: Arc<Certificate>,
    root_key: &'static KeyPair,
}

/// The root's certificate: the trust anchor of a sandbox.
///
/// # Errors
/// [`Error::Internal`] where the file of this library is damaged.
pub(crate) fn root() -> Result<Arc<Certificate>> {
    static ROOT: OnceLock<Arc<Certificate>> = OnceLock::new();
    let read = || parse_certificate(ROOT_PEM.as_bytes()).map_err(|_| broken("root certificate"));
    once(&ROOT, || read().map(Arc::new)).map(Arc::clone)
}

impl TestPki {
    /// Reads the root's key and certificate.
    ///
    /// # Errors
    /// [`Error::Internal`] where the files of this library are damaged.
    pub fn new() -> Result<Self> {
        static ROOT_KEY: OnceLock<KeyPair> = OnceLock::new();
        Ok(Self { root: root()?, root_key: once(&ROOT_KEY, || KeyPair::read(ROOT_KEY_PEM))? })
    }

    /// The root's certificate: the trust anchor of a sandbox.
    pub fn root(&self) -> &Arc<Certificate> {
        &self.root
    }

    /// Issues a certificate to an organisation: subject, organizationIdentifier, roles, and the key pair at
    /// `key_index` modulo 8. The serial number is taken as positive.
    ///
    /// # Errors
    /// [`Error::Internal`] where signing fails.
    pub fn issue(
        &self,
        name: &str,
        roles: Roles,
        organisation_id: &str,
        serial: [u8; 16],
        key_index: usize,
    ) -> Result<IssuedTpp> {
        let (pem, pair) = test_key(key_index)?;
        let certificate = Arc::new(self.certify(pair, leaf_params(name, roles, organisation_id, serial)?)?);
        Ok(IssuedTpp { certificate, private_key_pem: pem, key: Arc::clone(&pair.key) })
    }

    /// What a sandbox signs its answers with: the same for every sandbox.
    ///
    /// # Errors
    /// [`Error::Internal`] where a file of this library is damaged or signing fails.
    pub fn bank_key(&self) -> Result<ResponseKey> {
        let (name, number, serial) = BANK;
        let roles = Roles::from_iter([Role::AccountServicing]);
        let params = leaf_params(name, roles, number, serial)?;
        let certificate = self.certify(&KeyPair::read(BANK_KEY_PEM)?, params)?;
        ResponseKey::new(certificate.der(), BANK_KEY_PEM.as_bytes())
    }

    /// A certificate of the root for a key pair.
    fn certify(&self, pair: &KeyPair, params: CertificateParams) -> Result<Certificate> {
        let mut authority = CertificateParams::default();
        authority.distinguished_name = root_name()?;
        authority.key_identifier_method = KeyIdMethod::PreSpecified(self.root.subject_key_id().to_vec());
        let issuer = Issuer::from_params(&authority, self.root_key);
        let der = params.signed_by(pair, &issuer).map_err(|_| broken("issuing"))?;
        Certificate::from_der(der.der()).map_err(|_| broken("issued certificate"))
    }
}

impl fmt::Debug for TestPki {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TestPki")
    }
}

/// A certificate and the key it belongs to: what a TPP signs with.
#[derive(Clone)]
pub struct IssuedTpp {
    certificate: Arc<Certificate>,
    private_key_pem: &'static str,
    key: Arc<RsaPrivateKey>,
}

impl IssuedTpp {
    /// What was issued before: a certificate in DER, with the key pair at `key_index` modulo 8.
    ///
    /// # Errors
    /// [`Error::Store`] where the certificate cannot be read; [`Error::Internal`] where a file of this library
    /// is damaged.
    pub fn reissue(der: &[u8], key_index: usize) -> Result<Self> {
        let (private_key_pem, pair) = test_key(key_index)?;
        let unreadable = |_| Error::Store("the certificate of a TPP cannot be read".into());
        Ok(Self {
            certificate: Arc::new(Certificate::from_der(der).map_err(unreadable)?),
            private_key_pem,
            key: Arc::clone(&pair.key),
        })
    }

    /// Whether the certificate is one of that key pair.
    pub fn fits(&self) -> bool {
        const MESSAGE: &[u8] = b"what the one signs, the other verifies";
        let signature = self.key.sign_sha256(MESSAGE);
        let public = self.certificate.rsa_key();
        signature.zip(public).is_some_and(|(signature, public)| public.verify_sha256(MESSAGE, &signature))
    }

    /// The certificate.
    pub fn certificate(&self) -> &Arc<Certificate> {
        &self.certificate
    }

    /// The private key, PKCS#8 PEM. A public test key.
    pub fn private_key_pem(&self) -> &'static str {
        self.private_key_pem
    }

    /// The private key, ready to sign.
    pub fn key(&self) -> &RsaPrivateKey {
        &self.key
    }
}

impl fmt::Debug for IssuedTpp {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "IssuedTpp({:?})", self.certificate)
    }
}

/// One of the key pairs, counted around.
fn test_key(index: usize) -> Result<(&'static str, &'static KeyPair)> {
    static KEYS: [OnceLock<KeyPair>; TEST_KEYS_PEM.len()] = [const { OnceLock::new() }; TEST_KEYS_PEM.len()];
    let index = index % TEST_KEYS_PEM.len();
    let (pem, key) = TEST_KEYS_PEM.get(index).zip(KEYS.get(index)).ok_or_else(|| broken("key index"))?;
    Ok((pem, once(key, || KeyPair::read(pem))?))
}

/// What lies in files of this library is read once in a process: to read a key takes as long as to sign.
fn once<T>(place: &'static OnceLock<T>, read: impl FnOnce() -> Result<T>) -> Result<&'static T> {
    match place.get() {
        Some(known) => Ok(known),
        None => read().map(|read| place.get_or_init(|| read)),
    }
}

/// An RSA key pair in the form that `rcgen` asks for.
struct KeyPair {
    key: Arc<RsaPrivateKey>,
    public_pkcs1: Vec<u8>,
}

impl KeyPair {
    fn read(pem: &str) -> Result<Self> {
        let key = RsaPrivateKey::from_pkcs8(pem.as_bytes()).ok_or_else(|| broken("key"))?;
        let public_pkcs1 = key.public_key_pkcs1();
        Ok(Self { key: Arc::new(key), public_pkcs1 })
    }
}

impl PublicKeyData for KeyPair {
    fn der_bytes(&self) -> &[u8] {
        &self.public_pkcs1
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_RSA_SHA256
    }
}

impl SigningKey for KeyPair {
    fn sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, rcgen::Error> {
        self.key.sign_sha256(message).ok_or(rcgen::Error::RemoteKeyError)
    }
}

fn leaf_params(
    name: &str,
    roles: Roles,
    organisation_id: &str,
    serial: [u8; 16],
) -> Result<CertificateParams> {
    let statement = Psd2Statement {
        roles,
        authority_name: Some(AUTHORITY_NAME.to_owned()),
        authority_id: Some(AUTHORITY_ID.to_owned()),
    };
    let mut subject = country()?;
    subject.push(DnType::OrganizationName, name);
    subject.push(DnType::CustomDnType(vec![2, 5, 4, 97]), organisation_id);
    subject.push(DnType::CommonName, name);
    let mut params = CertificateParams::default();
    params.distinguished_name = subject;
    params.serial_number = Some(SerialNumber::from_slice(&serial));
    params.not_before = date_time_ymd(FIRST_YEAR, 1, 1);
    params.not_after = date_time_ymd(9999, 12, 31) + std::time::Duration::from_secs(86_399);
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.is_ca = IsCa::NoCa;
    params.use_authority_key_identifier_extension = true;
    params.custom_extensions =
        vec![CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 3], statement.to_extension())];
    Ok(params)
}

fn root_name() -> Result<DistinguishedName> {
    let mut name = country()?;
    name.push(DnType::OrganizationName, "xs2a");
    name.push(DnType::CommonName, "xs2a Sandbox Test CA");
    Ok(name)
}

fn country() -> Result<DistinguishedName> {
    let code = rcgen::string::PrintableString::try_from("NO").map_err(|_| broken("country"))?;
    let mut name = DistinguishedName::new();
    name.push(DnType::CountryName, DnValue::PrintableString(code));
    Ok(name)
}

fn broken(what: &str) -> Error {
    Error::Internal(format!("test PKI: {what}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tpp::chain::verify_chain;
    use crate::tpp::role::Role;
    use crate::tpp::trust::TrustAnchors;
    use chrono::DateTime;

    fn issue(serial: [u8; 16], key_index: usize) -> IssuedTpp {
        let roles = Roles::from_iter([Role::AccountInformation]);
        TestPki::new().unwrap().issue("Acme Pay", roles, "PSDNO-FSA-1", serial, key_index).unwrap()
    }

    #[test]
    fn an_issued_certificate_says_what_was_asked_and_leads_to_the_root() {
        let tpp = issue([1; 16], 0);
        let certificate = tpp.certificate();
        assert_eq!(certificate.organisation_id(), Some("PSDNO-FSA-1"));
        assert_eq!(certificate.subject().to_string(), "CN=Acme Pay,2.5.4.97=PSDNO-FSA-1,O=Acme Pay,C=NO");
        assert_eq!(certificate.roles().iter().collect::<Vec<_>>(), [Role::AccountInformation]);
        assert_eq!(certificate.serial_number().as_bytes(), [1; 16]);
        assert_eq!((certificate.check_signer(), certificate.check_organisation()), (Ok(()), Ok(())));
        let anchors = TrustAnchors::from_bundle(ROOT_PEM.as_bytes()).unwrap();
        let chain = verify_chain(certificate, &[], &anchors).unwrap();
        for now in ["1950-01-01T00:00:00Z", "2026-11-20T12:00:00Z", "9999-12-31T23:59:59Z"] {
            let now = DateTime::parse_from_rfc3339(now).unwrap().to_utc();
            assert!(chain.valid_at(now).is_ok(), "{now}");
        }
    }

    #[test]
    fn the_same_arguments_give_the_same_bytes() {
        assert_eq!(issue([7; 16], 2).certificate(), issue([7; 16], 2).certificate());
        assert_ne!(issue([7; 16], 2).certificate(), issue([8; 16], 2).certificate());
        assert_ne!(issue([7; 16], 2).private_key_pem(), issue([7; 16], 3).private_key_pem());
        assert_eq!(issue([7; 16], 2).private_key_pem(), issue([7; 16], 10).private_key_pem());
    }

    #[test]
    fn the_key_is_the_certificates() {
        for index in 0..TEST_KEYS_PEM.len() {
            let tpp = issue([1; 16], index);
            let signature = tpp.key().sign_sha256(b"x").unwrap();
            assert!(tpp.certificate().rsa_key().unwrap().verify_sha256(b"x", &signature));
            assert!(tpp.private_key_pem().starts_with("-----BEGIN PRIVATE KEY-----"));
        }
    }
}
