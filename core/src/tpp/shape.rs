//! The shape of a certificate's signed part, strictly (RFC 5280 section 4.1): each part is what it must be, and holds
//! nothing beside. `x509-parser` is lenient about the classes of tags and about what follows a value; a certificate
//! that two parsers read differently identifies no party.

use crate::wire::der::{self, Element};

const BOOLEAN: u8 = 0x01;
const OCTET_STRING: u8 = 0x04;
const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
/// version, issuerUniqueID, subjectUniqueID and extensions.
const VERSION: u8 = 0xa0;
const UNIQUE_IDS: [u8; 2] = [0x81, 0x82];
const EXTENSIONS: u8 = 0xa3;

/// Looks at a TBSCertificate, given by its content. Its names are not looked into: reading them does.
pub(super) fn check(content: &[u8]) -> Option<()> {
    let mut parts = Parts(content);
    if let Some(version) = parts.next_if(|tag| tag == VERSION) {
        only(version, |tag| tag == der::INTEGER)?;
    }
    parts.next(der::INTEGER).filter(|serial| is_minimal(serial))?;
    algorithm(parts.next(der::SEQUENCE)?)?;
    parts.next(der::SEQUENCE)?;
    validity(parts.next(der::SEQUENCE)?)?;
    parts.next(der::SEQUENCE)?;
    public_key(parts.next(der::SEQUENCE)?)?;
    for id in UNIQUE_IDS {
        parts.next_if(|tag| tag == id);
    }
    if let Some(extensions) = parts.next_if(|tag| tag == EXTENSIONS) {
        let list = only(extensions, |tag| tag == der::SEQUENCE)?;
        der::each(list.content).try_for_each(|entry| extension(entry?))?;
    }
    parts.end()
}

/// An identifier, and parameters where there are any.
fn algorithm(content: &[u8]) -> Option<()> {
    let mut parts = Parts(content);
    parts.next(der::OBJECT_IDENTIFIER)?;
    parts.next_if(|_| true);
    parts.end()
}

fn validity(content: &[u8]) -> Option<()> {
    let mut parts = Parts(content);
    let is_time = |tag| matches!(tag, UTC_TIME | GENERALIZED_TIME);
    parts.next_if(is_time)?;
    parts.next_if(is_time)?;
    parts.end()
}

fn public_key(content: &[u8]) -> Option<()> {
    let mut parts = Parts(content);
    algorithm(parts.next(der::SEQUENCE)?)?;
    parts.next(der::BIT_STRING)?;
    parts.end()
}

fn extension(entry: Element<'_>) -> Option<()> {
    let mut parts = Some(Parts(entry.content)).filter(|_| entry.tag == der::SEQUENCE)?;
    parts.next(der::OBJECT_IDENTIFIER)?;
    parts.next_if(|tag| tag == BOOLEAN);
    parts.next(OCTET_STRING)?;
    parts.end()
}

/// Whether the bytes of an INTEGER are as few as it takes (X.690 section 8.3.2).
fn is_minimal(bytes: &[u8]) -> bool {
    !matches!(bytes, [] | [0, 0..=0x7f, ..] | [0xff, 0x80..=0xff, ..])
}

/// The one element that fills the input.
fn only(input: &[u8], is_tag: impl Fn(u8) -> bool) -> Option<Element<'_>> {
    let (element, rest) = der::read_loose(input)?;
    (rest.is_empty() && is_tag(element.tag)).then_some(element)
}

/// What is left of a sequence.
struct Parts<'a>(&'a [u8]);

impl<'a> Parts<'a> {
    fn next(&mut self, tag: u8) -> Option<&'a [u8]> {
        self.next_if(|found| found == tag)
    }

    fn next_if(&mut self, is_tag: impl Fn(u8) -> bool) -> Option<&'a [u8]> {
        let (element, rest) = der::read_loose(self.0).filter(|(element, _)| is_tag(element.tag))?;
        self.0 = rest;
        Some(element.content)
    }

    fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::ROOT_PEM;
    use crate::tpp::bundle::parse_certificate;

    /// The parts of a sound certificate, each whole.
    fn sound() -> Vec<Vec<u8>> {
        let der = parse_certificate(ROOT_PEM.as_bytes()).unwrap().der().to_vec();
        let (tbs, _) = der::read_tagged(der::read_all(&der).unwrap().content, der::SEQUENCE).unwrap();
        der::elements(tbs).map(|part| der::encode(part.tag, &[part.content])).collect()
    }

    /// Whether it is taken after a change to the content of one of its parts.
    fn is_taken(place: usize, change: impl Fn(&[u8]) -> Vec<u8>) -> bool {
        let mut parts = sound();
        let part = der::read_all(&parts[place]).unwrap();
        parts[place] = der::encode(part.tag, &[&change(part.content)]);
        check(&parts.concat()).is_some()
    }

    const VERSION_AT: usize = 0;
    const SERIAL: usize = 1;
    const ALGORITHM: usize = 2;
    const VALIDITY: usize = 4;
    const KEY: usize = 6;
    const EXTENSIONS_AT: usize = 7;

    #[test]
    fn a_sound_certificate_is_taken_and_none_with_a_part_too_few_or_too_many() {
        let parts = sound();
        assert_eq!(parts.len(), EXTENSIONS_AT + 1);
        assert!(check(&parts.concat()).is_some());
        for left_out in SERIAL..EXTENSIONS_AT {
            let rest = [&parts[..left_out], &parts[left_out + 1..]].concat();
            assert!(check(&rest.concat()).is_none(), "{left_out}");
        }
        for more in [der::encode(der::SEQUENCE, &[]), vec![0xff], vec![0x05, 0]] {
            assert!(check(&[parts.concat(), more].concat()).is_none());
        }
        // Of version 1, and with unique identifiers, which are obsolete.
        assert!(check(&parts[SERIAL..EXTENSIONS_AT].concat()).is_some());
        let ids = [vec![0x81, 2, 0, 1], vec![0x82, 2, 0, 1]];
        assert!(check(&[&parts[..EXTENSIONS_AT], &ids[..]].concat().concat()).is_some());
        assert!(
            check(&[&parts[..EXTENSIONS_AT], &[ids[1].clone(), ids[0].clone()]].concat().concat()).is_none()
        );
    }

    #[test]
    fn nothing_follows_what_a_part_holds() {
        for place in [VERSION_AT, ALGORITHM, VALIDITY, KEY, EXTENSIONS_AT] {
            assert!(is_taken(place, <[u8]>::to_vec), "{place}");
            assert!(!is_taken(place, |content| [content, &[0x05, 0, 0x05, 0]].concat()), "{place}");
            assert!(!is_taken(place, |content| [content, &[0xff]].concat()), "{place}");
        }
        assert!(!is_taken(VALIDITY, |content| [content, content].concat()));
    }

    #[test]
    fn a_part_of_another_class_is_no_part() {
        for place in 0..=EXTENSIONS_AT {
            let mut parts = sound();
            parts[place][0] ^= 0x80;
            assert!(check(&parts.concat()).is_none(), "{place}");
        }
    }

    #[test]
    fn a_serial_number_has_no_byte_too_many() {
        for (serial, taken) in [
            (&[0][..], true),
            (&[0x7f], true),
            (&[0, 0x80], true),
            (&[0xff], true),
            (&[0xff, 0x7f], true),
            (&[], false),
            (&[0, 0x7f], false),
            (&[0, 0], false),
            (&[0xff, 0x80], false),
        ] {
            assert_eq!(is_taken(SERIAL, |_| serial.to_vec()), taken, "{serial:02x?}");
        }
    }

    #[test]
    fn an_extension_is_identifier_criticality_and_value() {
        let with = |entry: &[u8]| is_taken(EXTENSIONS_AT, |_| der::encode(der::SEQUENCE, &[entry]));
        let (oid, critical, value) = ([0x06, 3, 0x55, 0x1d, 15], [0x01, 1, 0xff], [0x04, 1, 0]);
        let entry = |parts: &[&[u8]]| der::encode(der::SEQUENCE, parts);
        assert!(with(&entry(&[&oid, &value])) && with(&entry(&[&oid, &critical, &value])));
        for parts in [
            &[&oid[..]][..],
            &[&value, &oid],
            &[&oid, &value, &critical],
            &[&oid, &critical, &critical, &value],
            &[&oid, &value, &value],
        ] {
            assert!(!with(&entry(parts)), "{parts:02x?}");
        }
        assert!(!with(&der::encode(der::SET, &[&oid, &value])));
    }
}
