//! Mistakes in keyId.

use super::super::mistake::Varies::Shown;
use super::row::mistakes;

mistakes! {
    /// What keyId says of the certificate.
    KEY_ID:
    SERIAL_DECIMAL "serial-decimal" Shown,
        "The serial number in keyId is written in decimal."
        "Write the serial number in hexadecimal."
        "getSerialNumber().toString() of Java, serial_number of Python, documentation of other banks: \
         docs.openbank.icard.com"
        "SN=4919" "SN=1337";
    SERIAL_OF_ANOTHER_CERTIFICATE "serial-of-another-certificate" Shown,
        "The serial number in keyId is that of another certificate."
        "Write the serial number of the certificate that is sent."
        "renewals; QWAC and QSealC mixed up"
        "SN of certificate A, certificate B" "SN of certificate B, certificate B";
    SERIAL_FORM "serial-form" Shown,
        "The serial number in keyId is not written in hexadecimal digits alone."
        "Write hexadecimal digits without `0x`, colons and spaces."
        "openssl x509 -text, which separates bytes by colons"
        "SN=13:37" "SN=1337";
    ISSUER_IS_SUBJECT "issuer-is-subject" Shown,
        "CA in keyId is the subject of the certificate."
        "Write the issuer of the certificate: the authority, not your own name."
        "getSubjectDN and getIssuerDN mixed up"
        "CA=CN=Acme Pay,C=NO" "CA=CN=Authority,C=NO";
    ISSUER_REVERSED "issuer-reversed" Shown,
        "CA in keyId is the issuer in reverse order."
        "Write the most specific part first, as RFC 2253 has it: CN=…,O=…,C=…."
        "RFC 2253, section 2.1; openssl x509 -issuer without -nameopt RFC2253; seize-the-dave/jscep pull request 85"
        "CA=C=NO,O=Authority,CN=CA" "CA=CN=CA,O=Authority,C=NO";
    ISSUER_CHARSET "issuer-charset" Shown,
        "The issuer in keyId is written in another charset than UTF-8."
        "Write the issuer in UTF-8, and encode the whole Signature header by RFC 2047 if it is not ASCII."
        "HTTP clients that send headers in ISO 8859-1, or replace characters"
        "CA=CN=Buypass Klasse 3 Bj?rn" "CA=CN=Buypass Klasse 3 Bjørn";
    ISSUER_VALUE_DIFFERS "issuer-value-differs" Shown,
        "CA in keyId is not the issuer of the certificate."
        "Copy the issuer from the certificate that is sent, all of it, in the form of RFC 2253."
        "renewals by another authority; libraries that know the common name only; names that are typed"
        "CA=CN=Authority G1,C=NO" "CA=CN=Authority G2,C=NO";
    ISSUER_FORM "issuer-form" Shown,
        "CA in keyId is not a distinguished name."
        "Write it in the form of RFC 2253, special characters escaped by a backslash."
        "RFC 2253, section 2.4; openssl x509 -issuer in its old form with slashes"
        "CA=/C=NO/O=Authority/CN=CA" "CA=CN=CA,O=Authority,C=NO";
    KEY_ID_FORM "key-id-form" Shown,
        "keyId is not SN=…,CA=…."
        "Write the serial number and the issuer: SN=…,CA=…."
        "draft-cavage-http-signatures-12, where keyId is any text; fingerprints and URLs of other banks"
        r#"keyId="https://tpp.example/key""# r#"keyId="SN=1337,CA=CN=…,C=NO""#;
}
