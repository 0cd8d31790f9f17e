//! An authority beside the sandbox's own, whose certificates run out: made of the ready-made test keys.

use std::time::Duration;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Datelike, Timelike, Utc};
use rcgen::{
    date_time_ymd, BasicConstraints, CertificateParams, CustomExtension, DistinguishedName, DnType, IsCa,
    Issuer, KeyUsagePurpose, PublicKeyData, SerialNumber, SignatureAlgorithm, SigningKey,
};
use xs2a::internal::{
    digest, format_http_date, names_to_sign, signature_header, signing_string, DigestAlgorithm,
    Psd2Statement, Role, RsaPrivateKey, TEST_KEYS_PEM,
};
use xs2a::trust::Certificate;

struct Key(RsaPrivateKey, Vec<u8>);

impl Key {
    fn new(index: usize) -> Self {
        let key = RsaPrivateKey::from_pkcs8(TEST_KEYS_PEM[index].as_bytes()).unwrap();
        let public = key.public_key_pkcs1();
        Self(key, public)
    }
}

impl PublicKeyData for Key {
    fn der_bytes(&self) -> &[u8] {
        &self.1
    }

    fn algorithm(&self) -> &'static SignatureAlgorithm {
        &rcgen::PKCS_RSA_SHA256
    }
}

impl SigningKey for Key {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, rcgen::Error> {
        self.0.sign_sha256(message).ok_or(rcgen::Error::RemoteKeyError)
    }
}

/// A root.
pub struct Authority {
    key: Key,
    params: CertificateParams,
    /// Its certificate.
    pub pem: String,
}

impl Authority {
    /// A root of that name with the first test key: called twice, the same authority renewed.
    pub fn root(name: &str, serial: u8, valid: (&str, &str)) -> Self {
        let key = Key::new(0);
        let mut params = params(name, serial, valid);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
        let der = params.self_signed(&key).unwrap();
        let pem = Certificate::from_der(der.der()).unwrap().to_pem();
        Self { key, params, pem }
    }

    /// A TPP's certificate with both roles, and its key.
    pub fn issue(&self, organisation_id: &str, serial: u8, valid: (&str, &str)) -> Signer {
        let key = Key::new(1);
        let statement = Psd2Statement {
            roles: [Role::AccountInformation, Role::PaymentInitiation].into_iter().collect(),
            authority_name: Some("Finanstilsynet".to_owned()),
            authority_id: Some("NO-FSA".to_owned()),
        };
        let mut params = params("Pay elsewhere", serial, valid);
        params.distinguished_name.push(DnType::CustomDnType(vec![2, 5, 4, 97]), organisation_id);
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.custom_extensions =
            vec![CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 3], statement.to_extension())];
        let issuer = Issuer::from_params(&self.params, &self.key);
        let certificate = params.signed_by(&key, &issuer).unwrap();
        Signer { certificate: Certificate::from_der(certificate.der()).unwrap(), key: key.0 }
    }
}

fn params(name: &str, serial: u8, (from, to): (&str, &str)) -> CertificateParams {
    let moment = |text: &str| {
        let time: DateTime<Utc> = text.parse().unwrap();
        let (month, day) = (u8::try_from(time.month()).unwrap(), u8::try_from(time.day()).unwrap());
        date_time_ymd(time.year(), month, day)
            + Duration::from_secs(u64::from(time.num_seconds_from_midnight()))
    };
    let mut params = CertificateParams::default();
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::OrganizationName, name);
    params.distinguished_name.push(DnType::CommonName, name);
    params.serial_number = Some(SerialNumber::from_slice(&[serial]));
    (params.not_before, params.not_after) = (moment(from), moment(to));
    params
}

/// A TPP's certificate with its key.
pub struct Signer {
    pub certificate: Certificate,
    key: RsaPrivateKey,
}

impl Signer {
    /// The headers with those that a signed request has beside them.
    pub fn sign(
        &self,
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        body: &[u8],
        now: DateTime<Utc>,
        request_id: u128,
    ) -> Vec<(String, String)> {
        let mut headers = super::owned(headers);
        let mut add = |name: &str, value: String| headers.push((name.to_owned(), value));
        add("Date", format_http_date(now));
        add("X-Request-ID", uuid::Uuid::from_u128(request_id).to_string());
        add("Digest", digest(body, DigestAlgorithm::Sha256));
        add("TPP-Signature-Certificate", STANDARD.encode(self.certificate.der()));
        let names = names_to_sign(headers.as_slice());
        let signed = signing_string(method, target, headers.as_slice(), &names).unwrap();
        let signature = signature_header(&self.certificate, &self.key, &names, &signed).unwrap();
        headers.push(("Signature".to_owned(), signature));
        headers
    }
}
