//! NIST's Public Key Interoperability Test Suite (PKITS): each of its tests either comes out as published, or is named
//! here with what comes out instead and why. The data and where it is from: `core/tests/data/pkits`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;
use xs2a::crypto::pem;
use xs2a::policy::{Environment, Policy};
use xs2a::reason::Violation;
use xs2a::tpp::certificate::Certificate;
use xs2a::tpp::chain::verify_chain;
use xs2a::tpp::trust::TrustAnchors;
use xs2a::trust::chain_status::counting_path;
use xs2a::trust::RevocationLists;

const CASES: &str = include_str!("../data/pkits/cases.json");
const CERTIFICATES: &str = include_str!("../data/pkits/certificates.pem");
const LISTS: &str = include_str!("../data/pkits/lists.pem");
/// Within the validity of what is meant to be valid, and before its lists' nextUpdate.
const NOW: &str = "2022-05-01T00:00:00Z";

/// What was published: file name without ending, and the bytes.
struct Published {
    certificates: BTreeMap<String, Vec<u8>>,
    lists: BTreeMap<String, Vec<u8>>,
}

impl Published {
    fn read() -> Self {
        let named = |text: &str| {
            let names = text.lines().filter_map(|line| line.strip_prefix("# ")).map(str::to_owned);
            names.zip(pem::blocks(text).map(|(_, der)| der.unwrap())).collect::<BTreeMap<_, _>>()
        };
        Self { certificates: named(CERTIFICATES), lists: named(LISTS) }
    }

    fn certificate(&self, name: &str) -> Result<Arc<Certificate>, Violation> {
        Certificate::from_der(&self.certificates[name]).map(Arc::new)
    }
}

fn names(case: &Value, member: &str) -> Vec<String> {
    case[member].as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
}

/// The way of a request's certificate through the stage that identifies, every certificate with a list: the id of the
/// reason, or `valid`.
fn outcome(published: &Published, case: &Value) -> &'static str {
    let judge = || -> Result<(), Violation> {
        let root = published.certificate("TrustAnchorRootCertificate").unwrap();
        let read = |name: &String| published.certificate(name);
        let sent = names(case, "authorities").iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let end = published.certificate(case["end"].as_str().unwrap())?;
        end.check_signer()?;
        let mut anchors = TrustAnchors::new();
        anchors.add(Arc::clone(&root));
        let chain = verify_chain(&end, &sent, &anchors)?;
        let revocation = RevocationLists::new();
        let authorities: Vec<_> = sent.into_iter().chain([root]).collect();
        for list in names(case, "lists").iter().chain([&"TrustAnchorRootCRL".to_owned()]) {
            // A list that is not taken is as good as none.
            let _ = revocation.supply(&published.lists[list], &authorities);
        }
        let policy =
            Policy::from_json(Environment::Production, r#"{"missing_crl":"refuse","stale_crl":"refuse"}"#)
                .unwrap();
        counting_path(&chain, &revocation, &policy, NOW.parse().unwrap()).unwrap().map(drop)
    };
    judge().err().map_or("valid", |violation| violation.reason.id())
}

/// What is published as invalid and found so, by the reason.
const INVALID: &[(&str, &str)] = &[
    // A signature that is no whole number of bytes.
    ("CRT-03", "4.1.2 4.1.6"),
    // A critical extension of the end.
    ("CRT-05", "4.16.2"),
    // Names that do not chain.
    ("CRT-08", "4.3.1 4.3.2"),
    // A signature.
    ("CRT-09", "4.1.3"),
    // An issuer that may not issue.
    ("CRT-10", "4.5.8 4.6.1 4.6.2 4.6.3 4.7.1 4.7.2"),
    // Constraints on names and policies of an issuer.
    ("CRT-11", "4.8.4 4.8.5 4.8.7 4.8.8 4.8.9 4.8.12 4.9.3 4.9.5 4.9.7 4.9.8 4.10.2/1 4.10.4 4.10.7 4.10.8 4.10.10 \
         4.11.1 4.11.3 4.11.5 4.11.6 4.11.8 4.11.9 4.11.10 4.11.11 4.12.1 4.12.4 4.12.5 4.12.6 4.12.8 4.12.10 \
         4.13.2 4.13.3 4.13.7 4.13.8 4.13.9 4.13.10 4.13.12 4.13.13 4.13.15 4.13.16 4.13.17 4.13.20 4.13.22 \
         4.13.24 4.13.26 4.13.28 4.13.29 4.13.31 4.13.33 4.13.35 4.13.37 4.13.38"),
    // Path lengths.
    ("CRT-12", "4.6.5 4.6.6 4.6.9 4.6.10 4.6.11 4.6.12 4.6.16"),
    // Not yet valid.
    ("CRT-13", "4.2.1 4.2.2"),
    // Expired.
    ("CRT-14", "4.2.5 4.2.6 4.2.7"),
    // Revoked.
    ("CRT-15", "4.4.2 4.4.3 4.4.15 4.4.18 4.14.2 4.14.6 4.15.3 4.15.6 4.15.9"),
    // A list out of date.
    ("CRT-16", "4.4.11 4.4.12 4.15.10"),
    // No list that counts.
    ("CRT-17", "4.4.1 4.4.4 4.4.5 4.4.6 4.4.8 4.4.9 4.4.10 4.4.20 4.4.21 4.5.2 4.5.5 4.5.7 4.7.4 4.7.5 4.14.3 4.14.8 \
         4.14.9 4.14.11 4.14.12 4.14.14 4.14.15 4.14.16 4.14.17 4.14.20 4.14.21 4.14.23 4.14.26 4.14.27 \
         4.14.31 4.14.32 4.14.34 4.14.35 4.15.1"),
];

/// What comes out otherwise than published: what it is, the tests, and why.
const OTHERWISE: &[(&str, &str, &str)] = &[
    ("CRT-04", "4.1.4 4.1.5", "DSA: the key of a TPP is RSA"),
    (
        "CRT-11",
        "4.8.6/1 4.8.10/1 4.8.11/1 4.8.13/1 4.8.14/1 4.9.1 4.9.2 4.9.4 4.9.6 4.10.9 4.10.11 4.10.13 4.10.14 4.11.2 \
         4.11.4 4.11.7 4.12.2 4.12.3/1 4.12.7 4.12.9",
        "an issuer asks for policies, which are not interpreted, so it is refused",
    ),
    (
        "CRT-11",
        "4.13.1 4.13.4 4.13.5 4.13.6 4.13.11 4.13.14 4.13.18 4.13.19 4.13.21 4.13.23 4.13.25 4.13.27 4.13.30 4.13.32 \
         4.13.34 4.13.36",
        "an issuer constrains names, which is not interpreted, so it is refused",
    ),
    (
        "CRT-17",
        "4.4.19 4.5.1 4.5.4 4.5.6 4.6.15 4.6.17",
        "the list is signed by another key of the issuer than the certificate",
    ),
    ("CRT-17", "4.14.18 4.14.19", "lists of some reasons alone are not taken"),
    ("CRT-17", "4.14.22 4.14.24 4.14.25 4.14.28 4.14.29 4.14.30 4.14.33", "indirect lists are not taken"),
    ("CRT-15", "4.15.5", "lists of changes are not taken, and the complete one has the certificate on hold"),
    ("valid", "4.15.4", "lists of changes are not taken, and the complete one does not have the certificate"),
];

/// How many tests there are of each kind.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    valid: usize,
    invalid: usize,
    otherwise: usize,
    /// With parameters of the caller: policies that are wanted or not. A caller cannot set policies here.
    not_run: usize,
}

fn among(tests: &str, test: &str) -> bool {
    tests.split_whitespace().any(|listed| listed == test)
}

#[test]
fn every_test_of_nist_comes_out_as_published_or_as_named_here() {
    let published = Published::read();
    let cases: Vec<Value> = serde_json::from_str(CASES).unwrap();
    let mut count = Count::default();
    for case in &cases {
        if case["parameters"] == true {
            count.not_run += 1;
            continue;
        }
        let (test, found) = (case["test"].as_str().unwrap(), outcome(&published, case));
        let otherwise = OTHERWISE.iter().find(|(_, tests, _)| among(tests, test));
        let expected = case["expected"].as_str().unwrap();
        // The names of the files say it too.
        let end = case["end"].as_str().unwrap();
        for (word, outcome) in [("Valid", "valid"), ("Invalid", "invalid")] {
            assert!(!end.starts_with(word) || expected == outcome, "{test}: {end}");
        }
        match (otherwise, expected) {
            (Some((other, _, why)), _) => {
                assert_eq!(found, *other, "{test}: {why}");
                assert_ne!(found == "valid", expected == "valid", "{test} comes out as published by now");
                count.otherwise += 1;
            }
            (None, "valid") => {
                assert_eq!(found, "valid", "{test}");
                count.valid += 1;
            }
            (None, _) => {
                let (reason, _) = INVALID.iter().find(|(_, tests)| among(tests, test)).expect(test);
                assert_eq!(found, *reason, "{test}");
                count.invalid += 1;
            }
        }
    }
    assert_eq!(count, Count { valid: 38, invalid: 120, otherwise: 55, not_run: 33 });
}
