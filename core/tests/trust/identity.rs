//! Who a TPP is: the organizationIdentifier of its certificate, as it is written in the field.

use xs2a::policy::KeyIdIssuer;
use xs2a::reason::{Case, Reason};
use xs2a::sandbox::pki::TEST_KEYS_PEM;
use xs2a::tools::parse_distinguished_name;
use xs2a::tpp::signature_header::SignatureHeader;

use crate::workshop::{leaf, root, Workshop};

/// What keyId comes to for a certificate with a serial number that an authority gave.
fn outcome(serial: i32, key_id: &str, policy: KeyIdIssuer) -> Option<(Reason, Option<Case>)> {
    let shop = Workshop::open();
    shop.make("root", "root", 1, &root());
    let leaf = shop.make("leaf", "root", serial, &leaf());
    let text = format!("keyId=\"{key_id}\",algorithm=\"rsa-sha256\",headers=\"\",signature=\"\"");
    let checked = SignatureHeader::parse(&text).unwrap().check_key_id(&leaf, policy);
    checked.err().map(|violation| (violation.reason, violation.case))
}

#[test]
fn a_negative_serial_number_is_named_with_its_minus_sign() {
    for (serial, named, expected) in [
        (-5, "-05", None),
        (-5, "-5", None),
        (-5, "5", Some((Reason::KeyIdSerial, None))),
        (5, "-5", Some((Reason::KeyIdSerial, None))),
        (5, "05", None),
    ] {
        let key_id = format!("SN={named},CA=CN=Rot,C=NO");
        assert_eq!(outcome(serial, &key_id, KeyIdIssuer::Lenient), expected, "{named} for {serial}");
    }
}

#[test]
fn an_issuer_that_is_not_exact_has_its_own_text() {
    let (whole, short) = ("CN=Rot,2.5.4.97=PSDNO-FSA-777777,C=NO", "CN=Rot,C=NO");
    let inexact = Some((Reason::KeyIdIssuer, Some(Case::IssuerNotExact)));
    let another = Some((Reason::KeyIdIssuer, None));
    for (issuer, policy, expected) in [
        (whole, KeyIdIssuer::Exact, None),
        (short, KeyIdIssuer::Lenient, None),
        (short, KeyIdIssuer::Exact, inexact),
        ("C=NO,CN=Rot", KeyIdIssuer::Lenient, None),
        ("C=NO,CN=Rot", KeyIdIssuer::Exact, inexact),
        ("CN=Rot", KeyIdIssuer::Lenient, another),
    ] {
        assert_eq!(outcome(3, &format!("SN=3,CA={issuer}"), policy), expected, "{issuer}");
    }
}

#[test]
fn a_text_that_is_no_name_is_reported_from_its_place_on() {
    let message = |text: &str| parse_distinguished_name(text).unwrap_err().to_string();
    for (text, place) in [("/C=NO", "character 1 on"), ("CN=a,issuer=b", "character 6 on")] {
        assert!(message(text).ends_with(place), "{}", message(text));
    }
}

/// The identity of a certificate that openssl makes with these values of organizationIdentifier, in order. White space
/// around them is openssl's unless it is quoted or escaped.
fn identity(shop: &Workshop, values: &[&str]) -> Option<String> {
    let names: String = values
        .iter()
        .enumerate()
        .map(|(index, value)| format!("{index}.organizationIdentifier={value}\n"))
        .collect();
    shop.write(
        "own.cnf",
        format!("[req]\nprompt=no\ndistinguished_name=dn\n[dn]\nC=NO\n{names}CN=Betaling\n"),
    );
    shop.write("own.key", TEST_KEYS_PEM[5]);
    shop.openssl("req -x509 -new -utf8 -config own.cnf -key own.key -out own.pem");
    shop.certificate("own").organisation_id().map(str::to_owned)
}

#[test]
fn spaces_around_the_identity_are_none_of_it_and_its_case_is() {
    let shop = Workshop::open();
    for (value, expected) in [
        ("PSDNO-FSA-7", "PSDNO-FSA-7"),
        ("\" PSDNO-FSA-7  \"", "PSDNO-FSA-7"),
        ("PSDNO FSA 7", "PSDNO FSA 7"),
        ("psdno-fsa-7", "psdno-fsa-7"),
        ("VATNO-987654321", "VATNO-987654321"),
    ] {
        assert_eq!(identity(&shop, &[value]).as_deref(), Some(expected), "{value}");
    }
    assert_eq!(identity(&shop, &[]), None);
}

#[test]
fn several_identities_and_unprintable_ones_name_no_organisation() {
    let shop = Workshop::open();
    for values in [
        &["PSDNO-FSA-7", "VATNO-987654321"][..],
        &["VATNO-987654321", "\" PSDNO-FSA-7\"", "LEI-1"],
        &["PSDNO-FSA-7", "PSDNO-FSA-7"],
        &["PSDNO-FSA-7\\n"],
        &["\\tPSDNO-FSA-7"],
        &["PSDNO-FSA-7\u{A0}"],
        &["PSDNO-\u{202E}FSA-7"],
    ] {
        assert_eq!(identity(&shop, values), None, "{values:?}");
    }
}
