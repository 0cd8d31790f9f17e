//! Against the `openssl` command: certificates and signatures that it makes are accepted here, and those
//! made here are accepted there.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use chrono::{DateTime, Utc};
use xs2a::crypto;
use xs2a::policy::KeyIdIssuer;
use xs2a::sandbox::pki::{TestPki, ROOT_PEM, TEST_KEYS_PEM};
use xs2a::sandbox::sign::Unsigned;
use xs2a::tpp::bundle::parse_certificate;
use xs2a::tpp::digest::{digest, DigestAlgorithm};
use xs2a::tpp::role::{Role, Roles};
use xs2a::tpp::signing_string::{names_to_sign, signing_string, Fields};
use xs2a::tpp::trust::TrustAnchors;
use xs2a::tpp::verify::{verify_request, SignedRequest};
use xs2a::wire::http_date::format_http_date;

/// A directory of its own, removed at the end.
struct Workshop(PathBuf);

impl Workshop {
    fn open() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("xs2a-openssl-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        std::fs::write(self.0.join(name), content).unwrap();
        self
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }

    /// Runs `openssl` with the arguments of a line.
    fn openssl(&self, line: &str) -> String {
        let output = openssl(&self.0, line);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "openssl {line}: {error}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// A key, a request for it, and the certificate that `issuer` makes of it.
    fn certificate(&self, name: &str, issuer: &str, key: &str, section: &str) {
        self.openssl(&format!("genpkey {key} -out {name}.key"));
        self.openssl(&format!(
            "req -new -config pki.cnf -section req_{section} -key {name}.key -out {name}.csr"
        ));
        let signer = match issuer {
            "" => format!("-signkey {name}.key"),
            issuer => format!(
                "-CA {issuer}.pem -CAkey {issuer}.key -set_serial 0x00f0{name_len:02x}ab",
                name_len = name.len()
            ),
        };
        self.openssl(&format!(
            "x509 -req -in {name}.csr {signer} -days 2 -sha256 -extfile pki.cnf \
             -extensions ext_{section} -out {name}.pem"
        ));
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn openssl(folder: &Path, line: &str) -> std::process::Output {
    Command::new("openssl")
        .args(line.split_whitespace())
        .current_dir(folder)
        .output()
        .expect("openssl is installed")
}

const RSA: &str = "-algorithm RSA -pkeyopt rsa_keygen_bits:2048";
const P256: &str = "-algorithm EC -pkeyopt ec_paramgen_curve:P-256";
const P384: &str = "-algorithm EC -pkeyopt ec_paramgen_curve:P-384";

/// The statement of ETSI TS 119 495 as `openssl` writes it, its nesting given by the caller.
fn configuration(statement: &str) -> String {
    format!(
        r#"
[req_root]
prompt = no
distinguished_name = dn_root
[dn_root]
C = NO
O = Rot AS
CN = Rot CA
[ext_root]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign,cRLSign
[req_issuing]
prompt = no
distinguished_name = dn_issuing
[dn_issuing]
C = NO
ST = Oslo
O = Utsteder\, AS
organizationIdentifier = NTRNO-983163327
CN = Utsteder CA "G2"
[ext_issuing]
basicConstraints = critical,CA:true,pathlen:0
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
[req_leaf]
prompt = no
distinguished_name = dn_leaf
[dn_leaf]
C = NO
O = Betaling AS
organizationIdentifier = PSDNO-FSA-912345678
CN = betaling.example
[ext_leaf]
basicConstraints = critical,CA:false
keyUsage = critical,digitalSignature
extendedKeyUsage = clientAuth
subjectAltName = DNS:betaling.example
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
1.3.6.1.5.5.7.1.3 = ASN1:SEQUENCE:statements
{statement}
"#
    )
}

const WELL_NESTED: &str = "
[statements]
compliance = SEQUENCE:compliance
psd2 = SEQUENCE:psd2
[compliance]
id = OID:0.4.0.1862.1.1
[psd2]
id = OID:0.4.0.19495.2
info = SEQUENCE:info
[info]
roles = SEQUENCE:roles
name = UTF8:Finanstilsynet
id = UTF8:NO-FSA
[roles]
pi = SEQUENCE:pi
ai = SEQUENCE:ai
[pi]
oid = OID:0.4.0.19495.1.2
name = UTF8:PSP_PI
[ai]
oid = OID:0.4.0.19495.1.3
name = UTF8:PSP_AI
";

fn now() -> DateTime<Utc> {
    // The certificates are made at the machine's time; a test may ask for it.
    let seconds = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    DateTime::from_timestamp(i64::try_from(seconds).unwrap(), 0).unwrap()
}

#[test]
fn a_request_signed_by_openssl_is_accepted() {
    for (root_key, issuing_key) in [(RSA, RSA), (RSA, P256), (P384, P256)] {
        if cfg!(not(feature = "aws-lc")) && (root_key != RSA || issuing_key != RSA) {
            continue;
        }
        let shop = Workshop::open();
        shop.write("pki.cnf", configuration(WELL_NESTED));
        shop.certificate("root", "", root_key, "root");
        shop.certificate("issuing", "root", issuing_key, "issuing");
        shop.certificate("leaf", "issuing", RSA, "leaf");
        let bundle = [shop.read("leaf.pem"), shop.read("issuing.pem")].concat();
        let anchors = TrustAnchors::from_bundle(&shop.read("root.pem")).unwrap();

        let body = b"{\"x\":\"\xc3\xa5\"}";
        let time = now();
        let mut headers = vec![
            ("date".to_owned(), format_http_date(time)),
            ("digest".to_owned(), digest(body, DigestAlgorithm::Sha256)),
            ("X-Request-ID".to_owned(), "4eba4445-1a4b-47b8-bdd5-4e56ef026b19".to_owned()),
            ("TPP-Redirect-URI".to_owned(), "https://tpp.example/cb?state=abc".to_owned()),
        ];
        let string =
            signing_string("POST", "/v1/x", headers.as_slice(), &names_to_sign(headers.as_slice())).unwrap();
        shop.write("string", string).openssl("dgst -sha256 -sign leaf.key -out signature string");
        // Serial number and issuer as openssl prints them.
        let line = shop.openssl("x509 -in leaf.pem -noout -serial -issuer -nameopt RFC2253");
        let (serial, issuer) = line.trim().split_once('\n').unwrap();
        headers.push((
            "Signature".to_owned(),
            format!(
                concat!(
                    r#"keyId="SN={},CA={}",algorithm="rsa-sha256","#,
                    r#"headers="date digest x-request-id tpp-redirect-uri",signature="{}""#
                ),
                serial.trim_start_matches("serial="),
                issuer.trim_start_matches("issuer="),
                STANDARD.encode(shop.read("signature")),
            ),
        ));
        headers.push((
            "TPP-Signature-Certificate".to_owned(),
            String::from_utf8(bundle).unwrap().replace('\n', " "),
        ));
        let verify = |body: &[u8], anchors: &TrustAnchors| {
            let request = SignedRequest { method: "POST", target: "/v1/x", fields: headers.as_slice(), body };
            verify_request(&request, time, Some(anchors), KeyIdIssuer::Lenient)
        };
        let verification = verify(body, &anchors);
        assert_eq!(verification.refusal, None, "{headers:?}");
        let certificate = verification.certificate.unwrap();
        assert_eq!(certificate.organisation_id(), Some("PSDNO-FSA-912345678"));
        assert_eq!(
            certificate.roles(),
            Roles::from_iter([Role::PaymentInitiation, Role::AccountInformation])
        );
        assert_eq!(verify(b"{}", &anchors).refusal.unwrap().reason().id(), "DIG-03");
        assert_eq!(verify(body, &TrustAnchors::new()).refusal.unwrap().reason().id(), "CRT-08");
    }
}

#[test]
fn the_statement_is_read_in_the_nestings_that_openssl_was_made_to_write() {
    let flat = "
[statements]
psd2 = SEQUENCE:psd2
[psd2]
id = OID:0.4.0.19495.2
info = SEQUENCE:info
[info]
role = SEQUENCE:role
name = UTF8:Finanstilsynet
id = UTF8:NO-FSA
[role]
oid = OID:0.4.0.19495.1.3
name = UTF8:PSP_AI
";
    let shop = Workshop::open();
    shop.write("pki.cnf", configuration(flat));
    shop.certificate("leaf", "", RSA, "leaf");
    let certificate = parse_certificate(&shop.read("leaf.pem")).unwrap();
    let statement = certificate.psd2_statement().unwrap();
    assert_eq!(statement.roles, Roles::from_iter([Role::AccountInformation]));
    assert_eq!(statement.authority_name.as_deref(), Some("Finanstilsynet"));
    assert_eq!(statement.authority_id.as_deref(), Some("NO-FSA"));
}

#[test]
fn openssl_accepts_what_the_test_pki_issues_and_signs() {
    let shop = Workshop::open();
    let tpp = TestPki::new()
        .unwrap()
        .issue("Betaling Åse AS", Roles::from_iter(Role::ALL), "PSDNO-FSA-912345678", [0x7f; 16], 3)
        .unwrap();
    shop.write("root.pem", ROOT_PEM).write("leaf.pem", tpp.certificate().to_pem());
    assert!(shop.openssl("verify -x509_strict -CAfile root.pem leaf.pem").contains("OK"));
    let text = shop.openssl("x509 -in leaf.pem -noout -text -nameopt RFC2253,utf8,-esc_msb");
    for expected in [
        "Issuer: CN=xs2a Sandbox Test CA,O=xs2a,C=NO",
        "Subject: CN=Betaling Åse AS,organizationIdentifier=PSDNO-FSA-912345678,O=Betaling Åse AS,C=NO",
        "Not Before: Jan  1 00:00:00 1950 GMT",
        "Not After : Dec 31 23:59:59 9999 GMT",
        "Digital Signature",
    ] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }

    let request = Unsigned { method: "POST", target: "/v1/x", headers: &[], body: b"{}" };
    let headers = tpp.sign(request, now(), uuid::Uuid::from_u128(7)).unwrap();
    let names = names_to_sign(headers.as_slice());
    assert_eq!(names, ["date", "digest", "x-request-id"]);
    let value = String::from_utf8(headers.value("signature").unwrap().into_owned()).unwrap();
    let encoded = value.split("signature=\"").nth(1).unwrap().trim_end_matches('"');
    shop.write("signature", STANDARD.decode(encoded).unwrap())
        .write("string", signing_string("POST", "/v1/x", headers.as_slice(), &names).unwrap());
    shop.openssl("x509 -in leaf.pem -noout -pubkey -out public.pem");
    assert!(shop
        .openssl("dgst -sha256 -verify public.pem -signature signature string")
        .contains("Verified OK"));
}

#[test]
fn hashes_and_signatures_are_those_of_openssl() {
    let shop = Workshop::open();
    let key = crypto::RsaPrivateKey::from_pkcs8(TEST_KEYS_PEM[5].as_bytes()).unwrap();
    for message in [&b""[..], b"message", &[0xff; 5000]] {
        shop.write("message", message).write("key.pem", TEST_KEYS_PEM[5]);
        shop.openssl("dgst -sha256 -binary -out sha256 message");
        shop.openssl("dgst -sha512 -binary -out sha512 message");
        shop.openssl("dgst -sha256 -sign key.pem -out signature message");
        assert_eq!(crypto::sha256(message).as_slice(), shop.read("sha256"));
        assert_eq!(crypto::sha512(message).as_slice(), shop.read("sha512"));
        assert_eq!(key.sign_sha256(message).unwrap(), shop.read("signature"));
    }
}

#[test]
fn names_are_read_as_openssl_prints_them() {
    let shop = Workshop::open();
    shop.openssl(&format!("genpkey {RSA} -out leaf.key"));
    for name in [
        "CN",
        "SN",
        "serialNumber",
        "C",
        "L",
        "ST",
        "street",
        "O",
        "OU",
        "title",
        "description",
        "searchGuide",
        "businessCategory",
        "postalAddress",
        "postalCode",
        "postOfficeBox",
        "physicalDeliveryOfficeName",
        "telephoneNumber",
        "name",
        "GN",
        "initials",
        "generationQualifier",
        "x500UniqueIdentifier",
        "dnQualifier",
        "houseIdentifier",
        "dmdName",
        "pseudonym",
        "role",
        "organizationIdentifier",
        "UID",
        "mail",
        "DC",
        "textEncodedORAddress",
        "emailAddress",
        "unstructuredName",
        "unstructuredAddress",
        "msUPN",
        "jurisdictionL",
        "jurisdictionST",
        "jurisdictionC",
    ] {
        let value = if matches!(name, "C" | "jurisdictionC") { "NO" } else { "x" };
        shop.openssl(&format!("req -x509 -new -key leaf.key -out leaf.pem -subj /{name}={value}"));
        let line = shop.openssl("x509 -in leaf.pem -noout -issuer -nameopt RFC2253");
        let printed = line.trim().strip_prefix("issuer=").unwrap();
        let read = xs2a::tpp::distinguished_name::DistinguishedName::parse(printed);
        let certificate = parse_certificate(&shop.read("leaf.pem")).unwrap();
        assert_eq!(read.as_ref(), Ok(certificate.issuer()), "{printed}");
    }
}

#[test]
fn certificates_are_read_as_openssl_prints_them() {
    let shop = Workshop::open();
    shop.write("pki.cnf", configuration(WELL_NESTED));
    shop.certificate("root", "", RSA, "root");
    shop.certificate("issuing", "root", P256, "issuing");
    shop.openssl("x509 -in issuing.pem -outform DER -out issuing.der");
    let certificate = parse_certificate(&shop.read("issuing.der")).unwrap();
    assert_eq!(certificate, parse_certificate(&shop.read("issuing.pem")).unwrap());
    let print = |what: &str| {
        let line = shop.openssl(&format!("x509 -in issuing.pem -noout {what} -nameopt RFC2253,oid"));
        line.trim().split_once('=').unwrap().1.to_owned()
    };
    assert_eq!(certificate.serial_number().to_string(), print("-serial").trim_start_matches('0'));
    let hex: String = certificate.fingerprint().iter().map(|byte| format!("{byte:02X}")).collect();
    assert_eq!(hex, print("-fingerprint -sha256").replace(':', ""));
    for (name, what) in [(certificate.subject(), "-subject"), (certificate.issuer(), "-issuer")] {
        let printed = xs2a::tpp::distinguished_name::DistinguishedName::parse(&print(what)).unwrap();
        assert_eq!(name, &printed);
    }
    let dates = shop.openssl("x509 -in issuing.pem -noout -dates");
    for (line, time) in dates.lines().zip([certificate.not_before(), certificate.not_after()]) {
        let expected = time.format("%b %e %H:%M:%S %Y GMT").to_string();
        assert_eq!(line.split_once('=').unwrap().1, expected);
    }
    assert!(certificate.rsa_key().is_none(), "an elliptic key");
}
