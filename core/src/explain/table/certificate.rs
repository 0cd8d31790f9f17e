//! Mistakes in the certificate header.

use super::super::mistake::Varies::Shown;
use super::row::mistakes;

mistakes! {
    /// What TPP-Signature-Certificate holds.
    CERTIFICATE:
    CERTIFICATE_OF_ISSUER "certificate-of-issuer" Shown,
        "The certificate that was sent is that of an authority, not that of the TPP."
        "Send your own certificate first; certificates of authorities may follow it."
        "RFC 8446, section 4.4.2; PEM bundles that begin with the authority: ebourg/jsign issue 93"
        "authority, TPP" "TPP, authority";
    CERTIFICATE_BASE64URL "certificate-base64url" Shown,
        "The certificate is written in base64url."
        "Use the alphabet of base64 with `+` and `/`."
        "RFC 4648, sections 4 and 5; libraries of JWS"
        "MIID-_…" "MIID+/…";
    CERTIFICATE_CUT "certificate-cut" Shown,
        "The certificate is cut off."
        "Send all of it; look for fields of limited length, and for PEM of which one line was taken."
        "columns, buffers and header limits that are too short"
        "MIIDdzCCAl+gAwIBAgIE" "MIIDdzCCAl+gAwIBAgIE…";
    CERTIFICATE_IS_KEY "certificate-is-key" Shown,
        "A key was sent instead of the certificate."
        "Send the certificate. If it was a private key, replace it: it is no secret any more."
        "files that are mixed up"
        "-----BEGIN PUBLIC KEY-----" "-----BEGIN CERTIFICATE-----";
    CERTIFICATE_HEX "certificate-hex" Shown,
        "The certificate is written in hexadecimal."
        "Encode the bytes of the certificate (DER) in base64."
        "dumps, and columns of binary type"
        "30820377…" "MIIDdzCC…";
    CERTIFICATE_BASE64_TWICE "certificate-base64-twice" Shown,
        "The certificate is encoded in base64 twice, or its PEM was encoded again."
        "Send PEM in one line, or base64 of DER once."
        "libraries that return base64 or PEM already; files that are uploaded as they are"
        "LS0tLS1CRUdJTiBD…" "MIIDdzCC…";
}
