//! Signatures that are wrong in key, padding, hash function or form.

use std::fs;
use std::process::Command;

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use xs2a::internal::sha256;

use crate::signer::{assert_explained, assert_named, issue, tpp, Message};

fn signature(text: &[u8]) -> Vec<u8> {
    tpp().key().sign_sha256(text).unwrap()
}

fn with_signature(value: &str) -> Message {
    let mut message = Message::new();
    message.set_signature(value);
    message
}

/// A signature by the command line of OpenSSL, whose arguments name `key` and `text`.
fn by_openssl(arguments: &str, text: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("key"), tpp().private_key_pem()).unwrap();
    fs::write(folder.path().join("text"), text).unwrap();
    let command =
        Command::new("openssl").args(arguments.split(' ')).current_dir(folder.path()).output().unwrap();
    assert!(command.status.success(), "{arguments}: {}", String::from_utf8_lossy(&command.stderr));
    command.stdout
}

#[test]
fn forms_of_the_signature_are_named() {
    let bytes = signature(&Message::new().text());
    let base64 = STANDARD.encode(&bytes);
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    for (value, id) in [
        (hex.clone(), "signature-hex"),
        (hex.to_uppercase(), "signature-hex"),
        (STANDARD.encode(&base64), "signature-base64-twice"),
        (base64.replace('+', "-").replace('/', "_"), "signature-base64url"),
        (base64.replace('+', "-").replace('/', "_").replace('=', ""), "signature-base64url"),
        (format!("{} {}", &base64[..64], &base64[64..]), "signature-line-breaks"),
        (format!("{}\\n{}", &base64[..64], &base64[64..]), "signature-line-breaks"),
        (base64.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D"), "signature-escaped"),
        (STANDARD.encode(reversed), "signature-reversed"),
    ] {
        assert_named(&with_signature(&value), id, "hash");
    }
    assert_named(&with_signature(&base64[..76]), "signature-cut", "form");
    assert_named(
        &with_signature(&format!("{}\n{}", &base64[..64], &base64[64..])),
        "signature-line-breaks",
        "form",
    );
    assert_named(&with_signature(&STANDARD.encode([7; 32])), "not-rsa", "form");
    let mut cut = with_signature(&base64);
    let header = cut.value("Signature");
    cut.set("Signature", &header[..header.len() - 100]);
    assert_named(&cut, "signature-cut", "form");
}

#[test]
fn keys_are_named() {
    let text = Message::new().text();
    let other = issue(1);
    let message = with_signature(&STANDARD.encode(other.key().sign_sha256(&text).unwrap()));
    assert_named(&message, "wrong-key", "key");
    let found = message.explain_with(|options| options.certificates = vec![other.certificate().clone()]);
    assert_explained(&message, found, "key-of-another-certificate", "hash");
    let message = with_signature(&STANDARD.encode(other.key().sign_sha256(b"unknown").unwrap()));
    let found = message.explain_with(|options| options.certificates = vec![other.certificate().clone()]);
    assert_explained(&message, found, "key-of-another-certificate", "key");
}

#[test]
fn hashes_and_paddings_of_openssl_are_named() {
    let text = Message::new().text();
    let newline = [&text[..], b"\n"].concat();
    for (arguments, id) in [
        ("dgst -sha1 -sign key text", "sha-1"),
        ("dgst -sha512 -sign key text", "sha-512"),
        ("dgst -sha384 -sign key text", "other-hash"),
        ("dgst -sha256 -sign key -sigopt rsa_padding_mode:pss text", "pss"),
        ("dgst -sha256 -sign key -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest text", "pss"),
        ("dgst -sha512 -sign key -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:max text", "pss"),
        ("dgst -sha256 -sign key -sigopt rsa_padding_mode:pss -sigopt rsa_mgf1_md:sha1 text", "pss"),
    ] {
        let message = with_signature(&STANDARD.encode(by_openssl(arguments, &text)));
        assert_named(&message, id, "hash");
        let message = with_signature(&STANDARD.encode(by_openssl(arguments, &newline)));
        let found = assert_named(&message, id, "hash");
        assert!(found.text.contains("ends in a line break"), "{}", found.text);
    }
    let message = with_signature(&STANDARD.encode(by_openssl("dgst -md5 -sign key text", &text)));
    assert_named(&message, "other-hash", "hash");
    let unknown = by_openssl("dgst -sha256 -sign key -sigopt rsa_padding_mode:pss text", b"unknown");
    let found = with_signature(&STANDARD.encode(unknown)).explain();
    assert!(matches!(found.mistake, Some("pss") | None), "{found:#?}");
}

#[test]
fn what_is_hashed_twice_or_not_at_all_is_named() {
    let text = Message::new().text();
    let hash = sha256(&text);
    let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    let signed = |text: &[u8]| with_signature(&STANDARD.encode(signature(text)));
    assert_named(&signed(&hash), "hashed-twice", "hash");
    assert_named(&signed(STANDARD.encode(hash).as_bytes()), "hashed-twice", "hash");
    assert_named(&signed(hex.as_bytes()), "hex-of-hash-signed", "hash");
    assert_named(&signed(hex.to_uppercase().as_bytes()), "hex-of-hash-signed", "hash");
    for content in [&hash[..], &text[..64.min(text.len())]] {
        let raw = by_openssl("pkeyutl -sign -inkey key -in text", content);
        let message = with_signature(&STANDARD.encode(raw));
        let proof = if content == hash { "hash" } else { "key" };
        assert_named(&message, "no-digest-info", proof);
    }
    let raw = by_openssl("pkeyutl -sign -inkey key -in text", hex.as_bytes());
    assert_named(&with_signature(&STANDARD.encode(raw)), "hex-without-digest-info", "hash");
}

#[test]
fn parts_of_the_header_are_named() {
    let text = Message::new().text();
    let message = Message::new().sign(text);
    let header = String::from_utf8(message.value("Signature")).unwrap();
    let with = |header: String| {
        let mut message = message.clone();
        message.set("Signature", header);
        message
    };
    assert_named(&with(header.replace("rsa-sha256", "hs2019")), "algorithm-name", "hash");
    assert_named(&with(header.replace("\",", "\";")), "signature-header-form", "form");
    assert_named(&with(header.replace("algorithm=\"rsa-sha256\",", "")), "signature-part-missing", "form");
    assert_named(&with(format!("{header},keyId=\"x\"")), "signature-part-repeated", "form");
    assert_named(&with("=?utf-8?B?a2V5".to_owned()), "encoded-word", "form");
}
