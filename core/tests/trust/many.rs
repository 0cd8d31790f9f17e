//! As much as there may be: ten thousand intermediates, a list of a million certificates.

use std::sync::Arc;
use std::time::{Duration, Instant};

use xs2a::env::{IssuedCertificate, Revocation, RevocationStatus};
use xs2a::internal::{
    der, verify_chain, RsaPrivateKey, CHAIN_SIGNATURE_CHECKS_MAX, CRL_BYTES_MAX, TEST_KEYS_PEM,
};
use xs2a::trust::{Certificate, ListFault, RevocationLists, TrustAnchors};

use crate::workshop::{issuing, leaf, root, Workshop};

#[test]
fn of_ten_thousand_intermediates_no_more_are_checked_than_the_limit() {
    let shop = Workshop::open();
    let mut anchors = TrustAnchors::new();
    anchors.add(shop.make("root", "root", 1, &root()));
    let issuing = shop.make("issuing", "root", 2, &issuing());
    let leaf = shop.make("leaf", "issuing", 3, &leaf());
    // Each has the issuer's key, so that it looks right until its own signature is checked.
    let forged = (0..10_000u32).map(|number| {
        let mut der = issuing.der().to_vec();
        let end = der.len() - 4;
        der[end..].copy_from_slice(&number.to_be_bytes());
        Arc::new(Certificate::from_der(&der).unwrap())
    });
    let mut intermediates: Vec<_> = forged.collect();
    let found = |intermediates: &[_]| verify_chain(&leaf, intermediates, &anchors).is_ok();
    assert!(!found(&intermediates));
    // Each forged one costs two checks: that the leaf has its key's signature, and that its own is none of the root's.
    // The sound one costs two as well.
    let last = CHAIN_SIGNATURE_CHECKS_MAX / 2 - 1;
    intermediates.insert(last, Arc::clone(&issuing));
    assert!(found(&intermediates), "the last place that is looked at");
    intermediates.swap(last, last + 1);
    assert!(!found(&intermediates), "the first that is not");
}

/// A list of the root with serial numbers of 20 bytes.
pub(crate) fn list_of(count: u32, root: &Certificate) -> Vec<u8> {
    let algorithm = [0x30, 13, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 13, 1, 1, 11, 5, 0];
    let date = |text: &[u8; 13]| der::encode(0x17, &[text]);
    let (this, next) = (date(b"200101000000Z"), date(b"490101000000Z"));
    let mut entries = Vec::with_capacity(count as usize * 40);
    for number in 0..count {
        // Not in order, as lists are not.
        let mut serial = [0x11; 20];
        serial[16..].copy_from_slice(&number.reverse_bits().to_be_bytes());
        entries.extend(der::encode(der::SEQUENCE, &[&der::encode(der::INTEGER, &[&serial]), &this]));
    }
    let entries = der::encode(der::SEQUENCE, &[&entries]);
    let signed =
        der::encode(der::SEQUENCE, &[&[2, 1, 1], &algorithm, root.issuer_der(), &this, &next, &entries]);
    let key = RsaPrivateKey::from_pkcs8(TEST_KEYS_PEM[7].as_bytes()).unwrap();
    let signature = key.sign_sha256(&signed).unwrap();
    der::encode(der::SEQUENCE, &[&signed, &algorithm, &der::encode(der::BIT_STRING, &[&[0], &signature])])
}

#[test]
fn a_list_of_a_million_is_taken_and_looked_up_without_a_search() {
    const COUNT: u32 = 1_000_000;
    let shop = Workshop::open();
    let root = shop.make("root", "root", 1, &root());
    let lists = RevocationLists::new();
    let list = list_of(COUNT, &root);
    assert_eq!(lists.supply(&list, &[Arc::clone(&root)]), Ok(1));
    assert_eq!(lists.lists()[0].len(), COUNT as usize);
    let status = |number: u32| {
        let mut serial = [0x11; 20];
        serial[16..].copy_from_slice(&number.reverse_bits().to_be_bytes());
        let (issuer_der, issuer_key) = (root.issuer_der(), Some(root.public_key()));
        lists
            .status(&IssuedCertificate {
                der: b"",
                issuer: None,
                issuer_der,
                issuer_key,
                serial: &serial,
                is_authority: false,
                distribution_points: &[],
                at: root.not_before(),
            })
            .unwrap()
    };
    let started = Instant::now();
    for number in (0..COUNT).step_by(100) {
        assert_eq!(status(number), RevocationStatus::Revoked);
        assert_eq!(status(number + COUNT), RevocationStatus::Good);
    }
    // Twenty thousand look-ups; one by one through the list they would take many minutes.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
}

#[test]
fn a_list_beyond_the_limit_is_not_even_read() {
    let lists = RevocationLists::new();
    let mut list = vec![0; CRL_BYTES_MAX + 1];
    list[0] = der::SEQUENCE;
    assert_eq!(lists.supply(&list, &[]), Err(ListFault::TooLarge));
    list.pop();
    assert_eq!(lists.supply(&list, &[]), Err(ListFault::Malformed));
}
