//! Mistakes in key, padding and hash function.

use super::super::mistake::Varies::Shown;
use super::row::mistakes;

mistakes! {
    /// Which key signed, and how.
    KEY:
    WRONG_KEY "wrong-key" Shown,
        "The signature was not made by the private key of the certificate that was sent, or was altered since."
        "Sign with the private key of the certificate in TPP-Signature-Certificate; compare both by their modulus."
        "RFC 8017, section 8.2.2; keys of a test environment, of TLS, or of an old request for a certificate: \
         ebourg/jsign issue 93"
        "openssl rsa -modulus differs from openssl x509 -modulus" "both print the same modulus";
    KEY_OF_ANOTHER_CERTIFICATE "key-of-another-certificate" Shown,
        "The signature was made by the private key of another certificate."
        "Send the certificate of the key that signs, or sign with the key of the certificate that is sent."
        "QWAC and QSealC mixed up; renewals"
        "certificate A, key of B" "certificate A, key of A";
    PSS "pss" Shown,
        "The signature has PSS padding."
        "Sign with RSASSA-PKCS1-v1_5 and SHA-256: SHA256withRSA, RSASignaturePadding.Pkcs1, padding.PKCS1v15()."
        "RFC 8017, section 8.1; rsa_padding_mode:pss of OpenSSL, PS256 of JWS, hs2019"
        "RSASSA-PSS" "RSASSA-PKCS1-v1_5";
    SHA_1 "sha-1" Shown,
        "The signature is made over a SHA-1 hash."
        "Sign with SHA-256."
        "SHA1withRSA of Java, the default of openssl_sign of PHP"
        "openssl dgst -sha1 -sign" "openssl dgst -sha256 -sign";
    SHA_512 "sha-512" Shown,
        "The signature is made over a SHA-512 hash."
        "Sign with SHA-256."
        "rsa-sha512, which other banks ask for: developer.rabobank.nl, docs.openbank.icard.com"
        "openssl dgst -sha512 -sign" "openssl dgst -sha256 -sign";
    OTHER_HASH "other-hash" Shown,
        "The signature is made over a hash other than SHA-256."
        "Sign with SHA-256."
        "SHA-384, SHA-224 and MD5"
        "openssl dgst -sha384 -sign" "openssl dgst -sha256 -sign";
    HASHED_TWICE "hashed-twice" Shown,
        "A hash of the signing string was signed as if it were the text, so that the text is hashed twice."
        "Give the signing string itself to the function that signs; it hashes by itself."
        "sign(sha256(text)) with SHA256withRSA and its equals, base64 of the hash too; \
         BMF-RKSV-Technik/at-registrierkassen-mustercode issue 474"
        "sign_sha256(sha256(text))" "sign_sha256(text)";
    HEX_OF_HASH_SIGNED "hex-of-hash-signed" Shown,
        "The hash of the signing string in hexadecimal was signed as if it were the text."
        "Give the signing string itself to the function that signs; it hashes by itself."
        "hexdigest() of Python and Ruby, hash() of PHP, openssl dgst without -binary"
        "sign_sha256(hex(sha256(text)))" "sign_sha256(text)";
    HEX_WITHOUT_DIGEST_INFO "hex-without-digest-info" Shown,
        "The padding holds the hash in hexadecimal, without the name of the hash function (DigestInfo)."
        "Use a function that signs, and give it the signing string itself."
        "RFC 8017, section 9.2; hexdigest() before a function that encrypts with the private key"
        "private_encrypt(hex(sha256(text)))" "sign_sha256(text)";
    NO_DIGEST_INFO "no-digest-info" Shown,
        "The padding holds the hash or the text without the name of the hash function (DigestInfo)."
        "Use a function that signs, not one that encrypts with the private key."
        "RFC 8017, section 9.2; Cipher of Java, privateEncrypt of Node, openssl rsautl -sign, NONEwithRSA"
        "openssl rsautl -sign" "openssl dgst -sha256 -sign";
    NOT_RSA "not-rsa" Shown,
        "The signature is shorter than one by an RSA key: it is by HMAC or on an elliptic curve."
        "Sign with the RSA key of the certificate, RSASSA-PKCS1-v1_5 and SHA-256."
        "hmac-sha256 and ecdsa-sha256 of draft-cavage-http-signatures-12; \
         TritonDataCenter/node-http-signature issue 119"
        "HMAC-SHA256, 32 bytes" "RSA of 2048 bits, 256 bytes";
    ALGORITHM_NAME "algorithm-name" Shown,
        "The `algorithm` part is not `rsa-sha256`."
        "Write algorithm=\"rsa-sha256\"."
        "hs2019 of draft-cavage-http-signatures-12, names of Java and of JWS"
        r#"algorithm="SHA256withRSA""# r#"algorithm="rsa-sha256""#;
}
