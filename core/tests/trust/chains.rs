//! One certificate of a sound chain is changed in one place: what counts, and what is refused by which row.

use std::slice::from_ref;
use std::sync::Arc;

use xs2a::internal::verify_chain;
use xs2a::reason::{Language, Reason, Violation};
use xs2a::trust::{Certificate, TrustAnchors};

use crate::workshop::{issuing, leaf, root, Key, Recipe, Workshop, AUTHORITY};
use crate::world::at;
use crate::world::authority::Authority;

const SHORT: Key = Key::Made("-algorithm RSA -pkeyopt rsa_keygen_bits:1024");
const SHORT_BY_A_BYTE: Key = Key::Made("-algorithm RSA -pkeyopt rsa_keygen_bits:2040");
const EXPONENT_THREE: Key =
    Key::Made("-algorithm RSA -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_keygen_pubexp:3");
const ED25519: Key = Key::Made("-algorithm ED25519");
const P256: Key = Key::Made("-algorithm EC -pkeyopt ec_paramgen_curve:P-256");
const P384: Key = Key::Made("-algorithm EC -pkeyopt ec_paramgen_curve:P-384");
const P521: Key = Key::Made("-algorithm EC -pkeyopt ec_paramgen_curve:P-521");
const BRAINPOOL: Key = Key::Made("-algorithm EC -pkeyopt ec_paramgen_curve:brainpoolP256r1");
const SECP256K1: Key = Key::Made("-algorithm EC -pkeyopt ec_paramgen_curve:secp256k1");

/// Root, intermediate and leaf.
struct Chain {
    root: Recipe,
    issuing: Recipe,
    leaf: Recipe,
}

fn sound() -> Chain {
    Chain { root: root(), issuing: issuing(), leaf: leaf() }
}

/// What the chain comes to: the id of a reason, empty where it counts.
fn outcome(chain: &Chain) -> &'static str {
    refusal(chain).map(|violation| violation.reason.id()).unwrap_or_default()
}

fn refusal(chain: &Chain) -> Option<Violation> {
    let shop = Workshop::open();
    let root = shop.make("root", "root", 1, &chain.root);
    let issuing = shop.make("issuing", "root", 2, &chain.issuing);
    let leaf = shop.make("leaf", "issuing", 3, &chain.leaf);
    let mut anchors = TrustAnchors::new();
    anchors.add(root);
    leaf.check_signer().and_then(|()| verify_chain(&leaf, &[issuing], &anchors).map(drop)).err()
}

/// Such a signature was not verified, so it is not reported as invalid.
#[test]
fn an_unsupported_signature_is_reported_by_kind_anywhere_in_the_chain() {
    let message = |hash: &'static str| {
        let chains = [
            Chain { leaf: Recipe { hash, ..leaf() }, ..sound() },
            Chain { issuing: Recipe { hash, ..issuing() }, ..sound() },
        ];
        let [leaf, issuing] = chains.map(|chain| {
            let violation = refusal(&chain).unwrap();
            assert_eq!(violation.reason, Reason::ChainAlgorithmRefused, "{hash}");
            violation.text(Language::English)
        });
        assert_eq!(leaf, issuing);
        leaf
    };
    let other =
        |what: &str| format!("a certificate of the chain is signed in a way that is not accepted: {what}");
    assert_eq!(message("sha1"), other("SHA-1"));
    assert_eq!(message("sha224"), other("SHA-224"));
    assert_eq!(message("sha3-256"), other("2.16.840.1.101.3.4.3.14"));
    assert_eq!(message("sha1 -sigopt rsa_padding_mode:pss"), other("RSA-PSS, SHA-1"));
    let salted = |bytes: u32| {
        format!(
            "a certificate of the chain is signed by RSA-PSS with a salt of {bytes} bytes; it must be as long as the \
             hash"
        )
    };
    assert_eq!(message("sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:max"), salted(222));
    assert_eq!(message("sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:20"), salted(20));
    assert_eq!(message("sha512 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:32"), salted(32));
    let sound = "sha256 -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest";
    assert_eq!(refusal(&Chain { leaf: Recipe { hash: sound, ..leaf() }, ..self::sound() }), None);
}

#[test]
fn each_certificate_is_held_to_what_rfc_5280_asks_of_its_place() {
    const OWN: &str = "1.2.3.4.5=DER:0500";
    const OWN_CRITICAL: &str = "1.2.3.4.5=critical,DER:0500";
    let leaf_usage = |usage: &str| Chain { leaf: leaf().only(&format!("keyUsage={usage}")), ..sound() };
    let issuing_only = |lines: &str| Chain { issuing: issuing().only(lines), ..sound() };
    let issuing_plus = |line: &str| Chain { issuing: issuing().plus(line), ..sound() };
    let root_length = |length: &str| Chain {
        root: root()
            .only(&format!("basicConstraints=critical,CA:true,pathlen:{length}\nkeyUsage=keyCertSign")),
        ..sound()
    };
    for (what, chain, expected) in [
        ("a sound chain", sound(), ""),
        // Keys.
        ("a leaf of 1024 bits", Chain { leaf: Recipe { key: SHORT, ..leaf() }, ..sound() }, "CRT-04"),
        (
            "a leaf of 2040 bits",
            Chain { leaf: Recipe { key: SHORT_BY_A_BYTE, ..leaf() }, ..sound() },
            "CRT-04",
        ),
        ("a leaf of exponent 3", Chain { leaf: Recipe { key: EXPONENT_THREE, ..leaf() }, ..sound() }, ""),
        ("an elliptic leaf", Chain { leaf: Recipe { key: P256, ..leaf() }, ..sound() }, "CRT-04"),
        (
            "an issuer of 1024 bits",
            Chain { issuing: Recipe { key: SHORT, ..issuing() }, ..sound() },
            "CRT-19",
        ),
        (
            "an issuer of 2040 bits",
            Chain { issuing: Recipe { key: SHORT_BY_A_BYTE, ..issuing() }, ..sound() },
            "CRT-19",
        ),
        (
            "an issuer of exponent 3",
            Chain { issuing: Recipe { key: EXPONENT_THREE, ..issuing() }, ..sound() },
            "",
        ),
        ("a leaf hashed with SHA-1", Chain { leaf: Recipe { hash: "sha1", ..leaf() }, ..sound() }, "CRT-19"),
        ("a leaf hashed with SHA-512", Chain { leaf: Recipe { hash: "sha512", ..leaf() }, ..sound() }, ""),
        // Purposes.
        ("a leaf that signs", leaf_usage("digitalSignature"), ""),
        ("a leaf that commits", leaf_usage("nonRepudiation"), ""),
        ("a leaf that encrypts", leaf_usage("keyEncipherment"), "CRT-06"),
        ("a leaf that agrees keys", leaf_usage("keyAgreement"), "CRT-06"),
        ("a leaf without key usage", Chain { leaf: leaf().only("basicConstraints=CA:false"), ..sound() }, ""),
        ("an issuer that is no authority", issuing_only("basicConstraints=critical,CA:false"), "CRT-10"),
        ("an issuer without constraints", issuing_only("keyUsage=keyCertSign"), "CRT-10"),
        (
            "an issuer that may not issue",
            issuing_only("basicConstraints=CA:true\nkeyUsage=cRLSign"),
            "CRT-10",
        ),
        ("an issuer without key usage", issuing_only("basicConstraints=CA:true"), ""),
        ("an issuer without extensions", issuing_only(""), "CRT-10"),
        (
            "a root that is no authority",
            Chain { root: root().only("basicConstraints=critical,CA:false"), ..sound() },
            "CRT-10",
        ),
        ("a root without extensions", Chain { root: root().only(""), ..sound() }, ""),
        // Lengths.
        ("a root of length 0", root_length("0"), "CRT-12"),
        ("a root of length 1", root_length("1"), ""),
        (
            "an issuer of length 0",
            issuing_only("basicConstraints=CA:true,pathlen:0\nkeyUsage=keyCertSign"),
            "",
        ),
        // Extensions.
        ("a critical extension of the leaf", Chain { leaf: leaf().plus(OWN_CRITICAL), ..sound() }, "CRT-05"),
        ("another extension of the leaf", Chain { leaf: leaf().plus(OWN), ..sound() }, ""),
        ("a critical extension of the issuer", issuing_plus(OWN_CRITICAL), "CRT-11"),
        ("another extension of the issuer", issuing_plus(OWN), ""),
        ("names constrained", issuing_plus("nameConstraints=critical,permitted;DNS:.example"), "CRT-11"),
        ("names constrained, not critical", issuing_plus("nameConstraints=permitted;DNS:.example"), "CRT-11"),
        ("policies asked for", issuing_plus("policyConstraints=requireExplicitPolicy:0"), "CRT-11"),
        (
            "policies asked for, mapped ones inhibited",
            issuing_plus("policyConstraints=requireExplicitPolicy:0,inhibitPolicyMapping:0"),
            "CRT-11",
        ),
        ("mapped policies inhibited", issuing_plus("policyConstraints=inhibitPolicyMapping:0"), ""),
        (
            "policies constrained",
            issuing_plus("policyConstraints=critical,requireExplicitPolicy:0"),
            "CRT-11",
        ),
    ] {
        assert_eq!(outcome(&chain), expected, "{what}");
    }
    // A key that no request can be signed with as the contract asks.
    if cfg!(feature = "aws-lc") {
        assert_eq!(outcome(&Chain { leaf: Recipe { key: ED25519, ..leaf() }, ..sound() }), "CRT-04");
        for key in [P256, P384, P521] {
            assert_eq!(outcome(&Chain { issuing: Recipe { key, ..issuing() }, ..sound() }), "");
        }
    }
}

/// A signature by such a key was not verified either.
#[test]
fn an_issuer_of_an_unsupported_key_is_reported_by_its_key() {
    let message = |key: Key| {
        let chains = [
            Chain { issuing: Recipe { key, ..issuing() }, ..sound() },
            Chain { root: Recipe { key, ..root() }, ..sound() },
        ];
        let [issuing, root] = chains.map(|chain| {
            let violation = refusal(&chain).unwrap();
            assert_eq!(violation.reason, Reason::ChainAlgorithmRefused);
            violation.arguments
        });
        assert_eq!(issuing, root);
        issuing
    };
    assert_eq!(message(SHORT), ["RSA-1024"]);
    assert_eq!(message(SHORT_BY_A_BYTE), ["RSA-2040"]);
    assert_eq!(message(BRAINPOOL), ["brainpoolP256r1"]);
    assert_eq!(message(SECP256K1), ["secp256k1"]);
    if cfg!(not(feature = "aws-lc")) {
        assert_eq!(message(P256), ["P-256"]);
    }
}

#[test]
fn a_constraint_is_said_to_be_critical_only_where_it_is() {
    let message = |line: &str| {
        let violation = refusal(&Chain { issuing: issuing().plus(line), ..sound() }).unwrap();
        assert_eq!(violation.reason, Reason::ChainExtensionUnknown);
        violation.text(Language::English)
    };
    let critical = |oid: &str| {
        format!("an issuer in the chain has the critical extension {oid}, which is not understood")
    };
    let plain = |oid: &str| {
        format!(
            "an issuer in the chain limits its certificates by the extension {oid}, which is not interpreted"
        )
    };
    assert_eq!(message("nameConstraints=critical,permitted;DNS:.example"), critical("2.5.29.30"));
    assert_eq!(message("nameConstraints=permitted;DNS:.example"), plain("2.5.29.30"));
    assert_eq!(message("policyConstraints=critical,requireExplicitPolicy:0"), critical("2.5.29.36"));
    assert_eq!(message("policyConstraints=requireExplicitPolicy:0"), plain("2.5.29.36"));
}

#[test]
fn what_leads_nowhere_is_not_trusted() {
    let shop = Workshop::open();
    let root = shop.make("root", "root", 1, &root());
    let other = shop.make("other", "other", 1, &Recipe::new("Rot", 4, AUTHORITY));
    let issuing = shop.make("issuing", "root", 2, &issuing());
    let sound = shop.make("leaf", "issuing", 3, &leaf());
    let own = shop.make("own", "own", 4, &leaf());
    let reason = |leaf, intermediates: &[_], trusted: &[_]| {
        let mut anchors = TrustAnchors::new();
        trusted.iter().for_each(|anchor| assert!(anchors.add(Arc::clone(anchor))));
        verify_chain(leaf, intermediates, &anchors)
            .err()
            .map(|violation| violation.reason.id())
            .unwrap_or_default()
    };
    let both = [issuing.clone()];
    assert_eq!(reason(&sound, &both, from_ref(&root)), "");
    assert_eq!(reason(&sound, &[], from_ref(&root)), "CRT-08", "the issuer was not supplied");
    assert_eq!(reason(&sound, &both, &[]), "CRT-08", "there is no trust anchor");
    assert_eq!(
        reason(&sound, &[issuing, root.clone()], &[]),
        "CRT-08",
        "the root was sent, and is not trusted"
    );
    assert_eq!(reason(&sound, &both, &[other]), "CRT-09", "another authority of the root's name");
    assert_eq!(reason(&own, from_ref(&own), &[root]), "CRT-08", "self-signed");
    assert_eq!(reason(&own, &[], from_ref(&own)), "", "self-signed, and trusted as itself");
}

/// The one with the key identifier is tried first, so it is the one that the refusal is about.
#[test]
fn of_two_authorities_of_one_name_the_key_identifier_chooses() {
    const IDENTIFIED: &str = "subjectKeyIdentifier=hash";
    let shop = Workshop::open();
    let root = shop.make("root", "root", 1, &root());
    let other = shop.make("other", "other", 1, &Recipe::new("Mellommann", 4, AUTHORITY).plus(IDENTIFIED));
    let no_authority = issuing().only("basicConstraints=critical,CA:false").plus(IDENTIFIED);
    let issuing = shop.make("issuing", "root", 2, &no_authority);
    let mut anchors = TrustAnchors::new();
    assert!(anchors.add(root) && anchors.add(other));
    for (identifier, expected) in
        [("authorityKeyIdentifier=keyid", "CRT-10"), ("authorityKeyIdentifier=none", "CRT-09")]
    {
        let leaf = shop.make("leaf", "issuing", 3, &leaf().plus(identifier));
        let refused = verify_chain(&leaf, from_ref(&issuing), &anchors).unwrap_err();
        assert_eq!(refused.reason.id(), expected, "{identifier}");
    }
}

#[test]
fn authorities_that_sign_each_other_form_no_chain() {
    let shop = Workshop::open();
    let (a, b) = (Recipe::new("A", 6, AUTHORITY), Recipe::new("B", 4, AUTHORITY));
    shop.make("a-own", "a-own", 1, &a);
    shop.make("b-own", "b-own", 1, &b);
    let loop_of_two = [shop.make("a", "b-own", 2, &a), shop.make("b", "a-own", 3, &b)];
    let leaf = shop.make("leaf", "a", 4, &leaf());
    let mut anchors = TrustAnchors::new();
    anchors.add(shop.make("root", "root", 1, &root()));
    let reason = verify_chain(&leaf, &loop_of_two, &anchors).unwrap_err().reason;
    assert_eq!(reason.id(), "CRT-08");
    anchors.add(shop.certificate("b-own"));
    assert_eq!(verify_chain(&leaf, &loop_of_two, &anchors).unwrap().paths().count(), 1);
}

#[test]
fn of_an_often_renewed_authority_the_valid_certificate_counts() {
    let renewed = |year: u8| {
        let (from, to) = (format!("20{year}-01-01T00:00:00Z"), format!("20{}-12-31T23:59:59Z", year + 1));
        Authority::root("Rot CA", year, (&from, &to))
    };
    let years: Vec<u8> = (15..45).collect();
    let signer = renewed(15).issue("PSDNO-FSA-1", 2, ("2015-01-01T00:00:00Z", "2046-01-01T00:00:00Z"));
    let leaf = Arc::new(signer.certificate);
    let backward: Vec<u8> = years.iter().copied().rev().collect();
    for order in [years, backward] {
        let mut anchors = TrustAnchors::new();
        for year in order {
            anchors.add_bundle(renewed(year).pem.as_bytes()).unwrap();
        }
        let chain = verify_chain(&leaf, &[], &anchors).unwrap();
        for (moment, expected) in [
            ("2014-12-31T23:59:59Z", "CRT-13"),
            ("2015-01-01T00:00:00Z", ""),
            ("2030-06-01T00:00:00Z", ""),
            ("2045-12-31T23:59:59Z", ""),
            ("2046-01-01T00:00:01Z", "CRT-14"),
        ] {
            let found = chain.valid_at(at(moment)).err().map(|violation| violation.reason.id());
            assert_eq!(found.unwrap_or_default(), expected, "{moment}");
        }
    }
}

#[test]
fn what_is_sent_twice_is_looked_at_once() {
    let shop = Workshop::open();
    let mut anchors = TrustAnchors::new();
    anchors.add(shop.make("root", "root", 1, &root()));
    let issuing = shop.make("issuing", "root", 2, &issuing());
    let leaf = shop.make("leaf", "issuing", 3, &leaf());
    let sent = vec![issuing; 100];
    assert_eq!(verify_chain(&leaf, &sent, &anchors).unwrap().paths().count(), 1);
}

#[test]
fn both_ends_of_each_validity_count() {
    use chrono::TimeDelta;
    let shop = Workshop::open();
    let mut anchors = TrustAnchors::new();
    anchors.add(shop.make("root", "root", 1, &root()));
    let issuing = shop.make("issuing", "root", 2, &issuing());
    let leaf = shop.make("leaf", "issuing", 3, &leaf());
    let chain = verify_chain(&leaf, &[issuing], &anchors).unwrap();
    let all = || chain.paths().flat_map(|path| path.certificates());
    let latest_start = all().map(|certificate| certificate.not_before()).max().unwrap();
    let first_end = all().map(|certificate| certificate.not_after()).min().unwrap();
    let second = TimeDelta::seconds(1);
    for (at, expected) in [
        (latest_start - second, "CRT-13"),
        (latest_start, ""),
        (first_end, ""),
        (first_end + second, "CRT-14"),
    ] {
        let found = chain.valid_at(at).err().map(|violation| violation.reason.id()).unwrap_or_default();
        assert_eq!(found, expected, "{at}");
    }
}

#[test]
fn the_type_of_a_qualified_certificate_is_read_as_openssl_writes_it() {
    let statement = |types: &str| {
        format!(
            "1.3.6.1.5.5.7.1.3=ASN1:SEQUENCE:statements\n[statements]\na=SEQUENCE:compliance\nb=SEQUENCE:type\n\
             [compliance]\noid=OID:0.4.0.1862.1.1\n[type]\noid=OID:0.4.0.1862.1.6\ntypes=SEQUENCE:types\n\
             [types]\n{types}"
        )
    };
    let shop = Workshop::open();
    let read = |types: &str| {
        let found: Certificate =
            Arc::into_inner(shop.make("leaf", "leaf", 1, &leaf().only(&statement(types)))).unwrap();
        let kind = found.qualification();
        (kind.qualified, kind.seal, kind.website)
    };
    assert_eq!(read("a=OID:0.4.0.1862.1.6.2"), (true, true, false));
    assert_eq!(read("a=OID:0.4.0.1862.1.6.3"), (true, false, true));
    assert_eq!(read("a=OID:0.4.0.1862.1.6.1"), (true, false, false));
}
