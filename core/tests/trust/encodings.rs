//! What is refused for how it is written, before any signature is looked at.

use std::sync::Arc;

use xs2a::internal::{der, parse_certificate};
use xs2a::reason::Reason;
use xs2a::sandbox::ROOT_PEM;
use xs2a::trust::{Certificate, ListFault, RevocationLists};

use crate::many::list_of;
use crate::workshop::{self, Workshop};

const SET: u8 = 0x31;
/// Where a certificate of version 3 has its names.
const ISSUER: usize = 3;
const SUBJECT: usize = 5;

fn root() -> Certificate {
    parse_certificate(ROOT_PEM.as_bytes()).unwrap()
}

/// A name of one RDN with this many attributes.
fn name_of(attributes: usize) -> Vec<u8> {
    let kind = der::encode(der::OBJECT_IDENTIFIER, &[&[0x55, 4, 3]]);
    let attribute = der::encode(der::SEQUENCE, &[&kind, &der::encode(der::UTF8_STRING, &[b"x"])]);
    der::encode(der::SEQUENCE, &[&der::encode(SET, &[&attribute.repeat(attributes)])])
}

/// The root's certificate with another part of what is signed.
fn root_with(place: usize, part: &[u8]) -> Vec<u8> {
    let root = root();
    let (signed, rest) = der::read_tagged(der::read_all(root.der()).unwrap().content, der::SEQUENCE).unwrap();
    let mut parts: Vec<Vec<u8>> =
        der::elements(signed).map(|part| der::encode(part.tag, &[part.content])).collect();
    part.clone_into(&mut parts[place]);
    der::encode(der::SEQUENCE, &[&der::encode(der::SEQUENCE, &[&parts.concat()]), rest])
}

#[test]
fn a_certificate_has_at_most_sixteen_attributes_in_one_rdn_of_its_names() {
    assert_eq!(
        Certificate::from_der(&root_with(ISSUER, root().issuer_der())),
        Ok(root()),
        "nothing is changed"
    );
    for place in [ISSUER, SUBJECT] {
        let sixteen = Certificate::from_der(&root_with(place, &name_of(16))).unwrap();
        let name = if place == ISSUER { sixteen.issuer() } else { sixteen.subject() };
        assert_eq!(name.rdns()[0].len(), 16);
        let refused = Certificate::from_der(&root_with(place, &name_of(17))).unwrap_err();
        assert_eq!(refused.reason, Reason::CertificateMalformed);
    }
}

/// The element with a byte more than its length needs.
fn lengthened(element: &[u8]) -> Vec<u8> {
    match element {
        [tag, length @ 0x80..=0xff, rest @ ..] => [&[*tag, length + 1, 0], rest].concat(),
        [tag, rest @ ..] => [&[*tag, 0x81], rest].concat(),
        [] => Vec::new(),
    }
}

/// What says the same in other bytes, none of which a signature covers: the whole, its algorithm, its signature.
fn other_encodings(whole: &[u8]) -> Vec<Vec<u8>> {
    let content = der::read_all(whole).unwrap().content;
    let parts: Vec<Vec<u8>> =
        der::elements(content).map(|part| der::encode(part.tag, &[part.content])).collect();
    let with = |place: usize| {
        let mut parts = parts.clone();
        parts[place] = lengthened(&parts[place]);
        der::encode(der::SEQUENCE, &[&parts.concat()])
    };
    vec![lengthened(whole), with(1), with(2)]
}

#[test]
fn one_certificate_has_one_encoding() {
    for other in other_encodings(root().der()) {
        let refused = Certificate::from_der(&other).unwrap_err();
        assert_eq!(refused.reason, Reason::CertificateMalformed, "{:02x?}", &other[..8]);
    }
}

#[test]
fn one_revocation_list_has_one_encoding() {
    let root = Workshop::open().make("root", "root", 1, &workshop::root());
    let list = list_of(1, &root);
    let supply = |list: &[u8]| RevocationLists::new().supply(list, &[Arc::clone(&root)]);
    assert_eq!(supply(&list), Ok(1));
    for other in other_encodings(&list) {
        assert_eq!(supply(&other), Err(ListFault::Malformed), "{:02x?}", &other[..8]);
    }
}
