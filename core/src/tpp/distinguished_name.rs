//! Distinguished names: the text forms of RFC 2253 and RFC 4514 (and what is near them in the field), and
//! the names inside certificates, brought into one type so that they can be compared.
//!
//! Both RFCs write the *last* RDN of a certificate's sequence first (`CN=…,O=…,C=…`). [`DistinguishedName`]
//! keeps the order of the text; a name read from a certificate is turned around.

use std::fmt;

use crate::limits::RDN_ATTRIBUTES_MAX;
use crate::reason::{Reason, Violation};
use crate::wire::der::{self, Element};

mod attribute;
mod fold;
mod key_id_issuer;
mod reader;

pub(crate) use attribute::{Attribute, Rdn, Value};

/// A distinguished name, the most specific RDN first. Two names are equal when their RDNs are, in order;
/// values compare without case and with runs of spaces folded, and the order inside a multi-valued RDN does
/// not count. RDNs are equal when they have equally many attributes, and the same ones (RFC 5280 section 7.1).
#[derive(Clone, Default)]
pub struct DistinguishedName {
    rdns: Box<[Rdn]>,
}

impl DistinguishedName {
    /// Reads a text of RFC 2253 or RFC 4514. Accepted beyond RFC 4514: `;` between RDNs, quoted values,
    /// spaces around separators, an `OID.` before a dotted identifier, names in any case. The empty text is
    /// the name without RDNs.
    ///
    /// # Errors
    /// [`Reason::KeyIdIssuerMalformed`] for anything else, attribute names that are not known and more than
    /// [`RDN_ATTRIBUTES_MAX`] attributes in one RDN included.
    pub fn parse(text: &str) -> Result<Self, Violation> {
        let rdns = reader::read(text).map_err(|place| {
            let before = text.char_indices().take_while(|(start, _)| *start < place).count();
            Violation::with(Reason::KeyIdIssuerMalformed, &[&(before + 1)])
        })?;
        Ok(Self { rdns })
    }

    /// The name of a certificate's subject or issuer, from its DER. `None` where that is no name (RFC 5280 section
    /// 4.1.2.4), or an RDN has more than [`RDN_ATTRIBUTES_MAX`] attributes. Nothing is skipped: bytes that parsers read
    /// differently identify no party.
    pub fn from_der(input: &[u8]) -> Option<Self> {
        let name =
            der::read_loose(input).filter(|(name, rest)| name.tag == der::SEQUENCE && rest.is_empty())?;
        let mut rdns: Box<[Rdn]> =
            der::each(name.0.content).map(|rdn| read_rdn(rdn?)).collect::<Option<_>>()?;
        rdns.reverse();
        Some(Self { rdns })
    }

    /// The RDNs as they are written.
    pub fn rdns(&self) -> &[Rdn] {
        &self.rdns
    }

    /// The same RDNs, the last one first.
    pub(crate) fn reversed(&self) -> Self {
        Self { rdns: self.rdns.iter().rev().cloned().collect() }
    }

    /// The values of the attributes with the dotted identifier.
    pub fn values_of<'n>(&'n self, oid: &'n str) -> impl Iterator<Item = &'n Value> {
        let attributes = self.rdns.iter().flatten().filter(move |attribute| attribute.oid() == oid);
        attributes.map(Attribute::value)
    }

    /// A text that is the same for equal names and differs for others: the key to look issuers up by.
    pub(crate) fn folded_key(&self) -> String {
        // Enough for most names, so that it grows once at most.
        let mut key = String::with_capacity(128);
        for rdn in &self.rdns {
            match rdn.as_ref() {
                [only] => {
                    key.push_str("1:");
                    only.fold_into(&mut key);
                }
                several => fold_several(several, &mut key),
            }
        }
        key
    }
}

/// The number of attributes is part of the key; their order is not, nor which of them occurs twice.
fn fold_several(attributes: &[Attribute], key: &mut String) {
    let folded = |attribute: &Attribute| {
        let mut part = String::new();
        attribute.fold_into(&mut part);
        part
    };
    let mut parts: Vec<String> = attributes.iter().map(folded).collect();
    parts.sort_unstable();
    parts.dedup();
    key.push_str(&attributes.len().to_string());
    key.push(':');
    key.extend(parts);
}

fn read_rdn(rdn: Element<'_>) -> Option<Rdn> {
    // Nearly always it is one.
    let mut attributes = Vec::with_capacity(1);
    for attribute in der::each(rdn.content).take(RDN_ATTRIBUTES_MAX + 1) {
        attributes.push(Attribute::from_element(attribute?)?);
    }
    let is_rdn = rdn.tag == der::SET && (1..=RDN_ATTRIBUTES_MAX).contains(&attributes.len());
    is_rdn.then(|| attributes.into_boxed_slice())
}

fn same_rdn(one: &Rdn, other: &Rdn) -> bool {
    one.len() == other.len()
        && one.iter().all(|attribute| other.contains(attribute))
        && other.iter().all(|attribute| one.contains(attribute))
}

impl PartialEq for DistinguishedName {
    fn eq(&self, other: &Self) -> bool {
        self.rdns.len() == other.rdns.len()
            && self.rdns.iter().zip(&other.rdns).all(|(one, other)| same_rdn(one, other))
    }
}

impl Eq for DistinguishedName {}

/// RFC 4514, with the short names of its table, dotted identifiers for all others, and text wherever the
/// value is text.
impl fmt::Display for DistinguishedName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for rdn in &self.rdns {
            for attribute in rdn {
                write!(out, "{separator}{attribute}")?;
                separator = "+";
            }
            separator = ",";
        }
        Ok(())
    }
}

impl fmt::Debug for DistinguishedName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "DistinguishedName({self})")
    }
}

/// Reads a distinguished name into pairs of dotted identifier and value, RDNs as they are written. A value
/// that is not text is `#` and the hexadecimal of its DER.
///
/// # Errors
/// As [`DistinguishedName::parse`].
pub(crate) fn parse_distinguished_name(text: &str) -> Result<Vec<Vec<(String, String)>>, Violation> {
    let pair = |attribute: &Attribute| (attribute.oid().to_owned(), attribute.value().to_string());
    let name = DistinguishedName::parse(text)?;
    Ok(name.rdns.iter().map(|rdn| rdn.iter().map(pair).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A name in DER, of RDNs in the order of a certificate, each of whole attributes.
    fn der_name(rdns: &[&[&[u8]]]) -> Vec<u8> {
        let rdns: Vec<_> = rdns.iter().map(|rdn| der::encode(der::SET, rdn)).collect();
        let rdns: Vec<&[u8]> = rdns.iter().map(Vec::as_slice).collect();
        der::encode(der::SEQUENCE, &rdns)
    }

    fn der_attribute(oid: &[u8], value: &str) -> Vec<u8> {
        let parts =
            [der::encode(der::OBJECT_IDENTIFIER, &[oid]), der::encode(der::UTF8_STRING, &[value.as_bytes()])];
        der::encode(der::SEQUENCE, &[&parts[0], &parts[1]])
    }

    fn read(der: &[u8]) -> Option<String> {
        DistinguishedName::from_der(der).map(|name| name.to_string())
    }

    #[test]
    fn what_a_name_in_der_says_is_what_its_text_says() {
        let (country, organisation) =
            (der_attribute(&[0x55, 4, 6], "NO"), der_attribute(&[0x55, 4, 10], "Acme"));
        let others = [der_attribute(&[0x88, 0x37, 1], "x"), der_attribute(&[0x78, 1], "y")];
        let whole = der_name(&[&[&country], &[&organisation, &others[0]], &[&others[1]]]);
        let text = read(&whole).unwrap();
        assert_eq!(text, "2.40.1=y,O=Acme+2.999.1=x,C=NO");
        assert_eq!(DistinguishedName::from_der(&whole).unwrap(), name(&text));
        assert_eq!(read(&der_name(&[])).as_deref(), Some(""));
    }

    #[test]
    fn a_name_with_a_part_that_cannot_be_read_is_none() {
        let (country, organisation) =
            (der_attribute(&[0x55, 4, 6], "NO"), der_attribute(&[0x55, 4, 10], "Acme"));
        let sound = der_name(&[&[&country], &[&organisation]]);
        assert_eq!(read(&sound).as_deref(), Some("O=Acme,C=NO"));
        let in_sequence = |parts: &[&[u8]]| der::encode(der::SEQUENCE, parts);
        let set = |parts: &[&[u8]]| der::encode(der::SET, parts);
        let (kind, value) = ([0x06, 3, 0x55, 4, 3], [0x0c, 1, b'x']);
        for (what, faulty) in [
            ("a SEQUENCE for a SET", in_sequence(&[&set(&[&country]), &in_sequence(&[&organisation])])),
            ("an RDN of nothing", in_sequence(&[&set(&[]), &set(&[&country])])),
            ("a byte behind the RDNs", in_sequence(&[&set(&[&country]), &[0xff]])),
            ("a byte behind the name", [&sound[..], &[0]].concat()),
            ("a byte behind a value", in_sequence(&[&set(&[&in_sequence(&[&kind, &value, &[0]])])])),
            ("a second value", in_sequence(&[&set(&[&in_sequence(&[&kind, &value, &value])])])),
            ("no value", in_sequence(&[&set(&[&in_sequence(&[&kind])])])),
            ("a value before its kind", in_sequence(&[&set(&[&in_sequence(&[&value, &kind])])])),
            ("a SET for a SEQUENCE", in_sequence(&[&set(&[&set(&[&kind, &value])])])),
            ("an arc with a byte too many", {
                in_sequence(&[&set(&[&in_sequence(&[&[0x06, 4, 0x55, 0x80, 4, 3], &value])])])
            }),
            ("no SEQUENCE", set(&[&set(&[&country])])),
            ("nothing", Vec::new()),
        ] {
            assert_eq!(read(&faulty), None, "{what}");
        }
    }

    #[test]
    fn only_blanks_are_skipped_before_a_value() {
        let value = |text| parse_distinguished_name(text).unwrap()[0][0].1.clone();
        for (text, expected) in
            [("CN=\tA", "\tA"), ("CN=  A", "A"), ("CN=\nA", "\nA"), ("CN=\t#1", "\t#1"), ("CN=A\t", "A\t")]
        {
            assert_eq!(value(text), expected, "{text:?}");
        }
    }

    fn name(text: &str) -> DistinguishedName {
        DistinguishedName::parse(text).unwrap_or_else(|_| panic!("{text} does not parse"))
    }

    fn pairs(text: &str) -> Vec<Vec<(String, String)>> {
        parse_distinguished_name(text).unwrap()
    }

    fn pair(oid: &str, value: &str) -> (String, String) {
        (oid.into(), value.into())
    }

    #[test]
    fn the_examples_of_the_rfcs_are_read() {
        assert_eq!(
            pairs("CN=Steve Kille,O=Isode Limited,C=GB"),
            [[pair("2.5.4.3", "Steve Kille")], [pair("2.5.4.10", "Isode Limited")], [pair("2.5.4.6", "GB")]]
        );
        assert_eq!(
            pairs("OU=Sales+CN=J. Smith,O=Widget Inc.,C=US")[0],
            [pair("2.5.4.11", "Sales"), pair("2.5.4.3", "J. Smith")]
        );
        assert_eq!(pairs("CN=L. Eagle,O=\"Sue, Grabbit and Runn\",C=GB")[1][0].1, "Sue, Grabbit and Runn");
        assert_eq!(pairs("CN=Before\\0DAfter,O=Test,C=GB")[0][0].1, "Before\rAfter");
        assert_eq!(pairs("SN=Lu\\C4\\8Di\\C4\\87")[0], [pair("2.5.4.4", "Lučić")]);
        assert_eq!(pairs("1.3.6.1.4.1.1466.0=#04024869,O=Test,C=GB")[0][0].1, "#04024869");
        assert_eq!(pairs("UID=jsmith,DC=example,DC=net")[2][0], pair("0.9.2342.19200300.100.1.25", "net"));
        assert_eq!(pairs("CN=James \\\"Jim\\\" Smith\\, III")[0][0].1, "James \"Jim\" Smith, III");
        assert_eq!(pairs(""), Vec::<Vec<_>>::new());
    }

    #[test]
    fn legacy_separators_spaces_and_prefixes_are_read() {
        let expected = name("CN=a,O=b,C=NO");
        for text in
            ["CN=a; O=b; C=NO", " cn = a , o = b , c = NO ", "OID.2.5.4.3=a,oid.2.5.4.10=b,2.5.4.6=no"]
        {
            assert_eq!(name(text), expected, "{text}");
        }
        assert_eq!(name("S=x"), name("ST=x"));
        assert_eq!(name("E=a@b"), name("emailAddress=a@b"));
        assert_eq!(name("organizationIdentifier=PSDNO-FSA-1"), name("2.5.4.97=#0c0b5053444e4f2d4653412d31"));
    }

    #[test]
    fn values_compare_without_case_and_with_spaces_folded() {
        assert_eq!(name("CN=Buypass  Class 3"), name("CN=\\ BUYPASS class 3 "));
        assert_eq!(name("CN=ÅSE"), name("CN=\\c3\\a5se"));
        assert_eq!(name("CN=abc"), name("CN=#1303414243"), "PrintableString");
        assert_eq!(name("CN=å"), name("CN=#1e0200e5"), "BMPString");
        assert_ne!(name("CN=ab"), name("CN=a b"));
        assert_ne!(name("CN=\\#04024869"), name("CN=#04024869"));
    }

    #[test]
    fn characters_that_are_not_seen_are_displayed_as_their_bytes() {
        for (value, shown) in [
            ("a\nb", r"CN=a\0Ab"),
            ("a\0\u{7f}", r"CN=a\00\7F"),
            ("\u{202E}x\u{AD}", r"CN=\E2\80\AEx\C2\AD"),
            ("\u{85}\u{A0}\u{3164}", r"CN=\C2\85\C2\A0\E3\85\A4"),
            ("Ås ß 日", "CN=Ås ß 日"),
        ] {
            let written =
                DistinguishedName { rdns: Box::new([Box::new([Attribute::text("2.5.4.3", value.into())])]) };
            assert_eq!(written.to_string(), shown);
            assert_eq!(pairs(shown)[0][0].1, value);
        }
    }

    #[test]
    fn rdn_order_counts_and_order_inside_an_rdn_does_not() {
        assert_ne!(name("CN=a,O=b"), name("O=b,CN=a"));
        assert_eq!(name("CN=a+O=b"), name("O=b+CN=a"));
        assert_ne!(name("CN=a+O=b"), name("CN=a,O=b"));
        assert_ne!(name("CN=a+CN=a"), name("CN=a+CN=b"));
    }

    #[test]
    fn equal_names_have_equal_keys() {
        assert_eq!(name("CN=A+O=b,C=NO").folded_key(), name("o=B+cn=a,c=no").folded_key());
        assert_ne!(name("CN=a,O=b").folded_key(), name("O=b,CN=a").folded_key());
        assert_ne!(name("CN=a\\,O=b").folded_key(), name("CN=a,O=b").folded_key());
    }

    #[test]
    fn a_repeated_attribute_counts_twice_in_names_and_in_keys() {
        for (one, other, equal) in [
            ("CN=a+CN=a", "CN=a", false),
            ("CN=a+CN=a+CN=b", "CN=a+CN=b", false),
            ("CN=a+CN=A+CN=b", "CN=b+CN=b+CN=a", true),
        ] {
            assert_eq!(name(one) == name(other), equal, "{one}, {other}");
            assert_eq!(name(one).folded_key() == name(other).folded_key(), equal, "{one}, {other}");
        }
    }

    #[test]
    fn sixteen_attributes_of_one_rdn_are_read_and_seventeen_are_not() {
        let rdn = |count: usize| format!("CN=a,{}CN=b,C=NO", "CN=x+".repeat(count - 1));
        assert_eq!(name(&rdn(16)).rdns()[1].len(), 16);
        let refused = DistinguishedName::parse(&rdn(17)).unwrap_err();
        assert_eq!(refused.reason, Reason::KeyIdIssuerMalformed);
        assert_eq!(name(&["CN=x"; 17].join(",")).rdns().len(), 17, "of RDNs there may be more");
    }

    #[test]
    fn what_is_no_name_is_refused() {
        for text in [
            "CN",
            "CN=a,",
            ",CN=a",
            "CN=a,,O=b",
            "CN=a+",
            "=a",
            "FOO=a",
            "CN=a\\",
            "CN=a\\x",
            "CN=\"a",
            "CN=\"a\"b",
            "CN=#",
            "CN=#0",
            "CN=#zz",
            "CN=#0401",
            "CN=\\ff",
            "2.5.=a",
            "02.5.4.3=a",
            "2=a",
            "3.1=a",
            "CN=a,b",
        ] {
            assert!(DistinguishedName::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn an_unreadable_name_is_reported_by_its_first_character() {
        for (text, place) in [
            ("Tillit AS", "1"),
            ("  /C=NO/O=x", "3"),
            ("CN=å,ORG=x,C=NO", "6"),
            ("CN=å, O=Acme, Sons,C=NO", "15"),
            ("CN=#1 CA,C=NO", "1"),
            ("CN=a,", "6"),
            ("CN=\"å\"é", "7"),
            (&format!("CN=a{}", "+CN=a".repeat(16)), "81"),
        ] {
            assert_eq!(DistinguishedName::parse(text).unwrap_err().arguments, [place], "{text}");
        }
    }

    #[test]
    fn names_of_other_writers_are_read() {
        let cases = include_str!("../../../tests/vectors/distinguished_names.json");
        for case in serde_json::from_str::<Vec<serde_json::Value>>(cases).unwrap() {
            let parsed = parse_distinguished_name(case["text"].as_str().unwrap());
            match serde_json::from_value::<Vec<Vec<(String, String)>>>(case["expected"].clone()) {
                Ok(expected) => assert_eq!(parsed, Ok(expected), "{}", case["text"]),
                Err(_) => assert!(parsed.is_err(), "{}", case["id"]),
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_displayed_is_read_back(
            values in proptest::collection::vec("\\PC{0,12}|\\p{C}{0,4}|[ ,+\"\\\\#;<>=]{0,4}", 0..5)
        ) {
            let rdns = values.into_iter().map(|value| Box::new([Attribute::text("2.5.4.3", value)]) as Rdn).collect();
            let name = DistinguishedName { rdns };
            let text = name.to_string();
            let back = DistinguishedName::parse(&text).unwrap();
            prop_assert_eq!(back.to_string(), text);
            prop_assert_eq!(back, name);
        }

        #[test]
        fn names_are_equal_exactly_where_their_keys_are(
            one in "CN=[aA1](\\+(CN|O)=[aA1]){0,3}(,O=[aA1]){0,2}",
            other in "CN=[aA1](\\+(CN|O)=[aA1]){0,3}(,O=[aA1]){0,2}",
        ) {
            let (one, other) = (name(&one), name(&other));
            prop_assert_eq!(one == other, one.folded_key() == other.folded_key());
        }

        #[test]
        fn no_input_panics(text in "((CN|O|2.5.4.97) ?= ?[#\"]?)?\\PC*[,+;\\\\\"]?\\PC*") {
            let _ = DistinguishedName::parse(&text);
        }
    }
}
