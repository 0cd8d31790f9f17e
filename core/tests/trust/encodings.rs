//! What is refused for how it is written, before any signature is looked at.

use xs2a::reason::Reason;
use xs2a::sandbox::pki::ROOT_PEM;
use xs2a::tpp::certificate::{parse_certificate, Certificate};
use xs2a::wire::der;

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
