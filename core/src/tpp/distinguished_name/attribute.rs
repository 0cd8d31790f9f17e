//! One attribute of a distinguished name: its type as a dotted identifier, its value as text where it is
//! text.

use std::borrow::Cow;
use std::fmt::{self, Write as _};

use super::fold::fold;
use crate::types::is_hidden;
use crate::wire::der::{self, Element};

/// Names that the field writes, and their identifiers (RFC 4519, RFC 5280, X.520, PKCS#9).
const NAMES: &[(&str, &str)] = &[
    ("CN", "2.5.4.3"),
    ("commonName", "2.5.4.3"),
    ("SN", "2.5.4.4"),
    ("surname", "2.5.4.4"),
    ("serialNumber", "2.5.4.5"),
    ("C", "2.5.4.6"),
    ("countryName", "2.5.4.6"),
    ("L", "2.5.4.7"),
    ("localityName", "2.5.4.7"),
    ("ST", "2.5.4.8"),
    ("S", "2.5.4.8"),
    ("SP", "2.5.4.8"),
    ("stateOrProvinceName", "2.5.4.8"),
    ("STREET", "2.5.4.9"),
    ("streetAddress", "2.5.4.9"),
    ("O", "2.5.4.10"),
    ("organizationName", "2.5.4.10"),
    ("OU", "2.5.4.11"),
    ("organizationalUnitName", "2.5.4.11"),
    ("T", "2.5.4.12"),
    ("title", "2.5.4.12"),
    ("description", "2.5.4.13"),
    ("businessCategory", "2.5.4.15"),
    ("searchGuide", "2.5.4.14"),
    ("postalAddress", "2.5.4.16"),
    ("postalCode", "2.5.4.17"),
    ("postOfficeBox", "2.5.4.18"),
    ("physicalDeliveryOfficeName", "2.5.4.19"),
    ("telephoneNumber", "2.5.4.20"),
    ("name", "2.5.4.41"),
    ("GN", "2.5.4.42"),
    ("G", "2.5.4.42"),
    ("givenName", "2.5.4.42"),
    ("initials", "2.5.4.43"),
    ("I", "2.5.4.43"),
    ("generationQualifier", "2.5.4.44"),
    ("GENERATION", "2.5.4.44"),
    ("x500UniqueIdentifier", "2.5.4.45"),
    ("dnQualifier", "2.5.4.46"),
    ("DNQ", "2.5.4.46"),
    ("houseIdentifier", "2.5.4.51"),
    ("dmdName", "2.5.4.54"),
    ("pseudonym", "2.5.4.65"),
    ("role", "2.5.4.72"),
    ("organizationIdentifier", "2.5.4.97"),
    ("organisationIdentifier", "2.5.4.97"),
    ("UID", "0.9.2342.19200300.100.1.1"),
    ("userId", "0.9.2342.19200300.100.1.1"),
    ("DC", "0.9.2342.19200300.100.1.25"),
    ("domainComponent", "0.9.2342.19200300.100.1.25"),
    ("emailAddress", "1.2.840.113549.1.9.1"),
    ("E", "1.2.840.113549.1.9.1"),
    ("email", "1.2.840.113549.1.9.1"),
    ("mail", "0.9.2342.19200300.100.1.3"),
    ("rfc822Mailbox", "0.9.2342.19200300.100.1.3"),
    ("textEncodedORAddress", "0.9.2342.19200300.100.1.2"),
    ("unstructuredName", "1.2.840.113549.1.9.2"),
    ("unstructuredAddress", "1.2.840.113549.1.9.8"),
    ("msUPN", "1.3.6.1.4.1.311.20.2.3"),
    ("jurisdictionL", "1.3.6.1.4.1.311.60.2.1.1"),
    ("jurisdictionLocalityName", "1.3.6.1.4.1.311.60.2.1.1"),
    ("jurisdictionST", "1.3.6.1.4.1.311.60.2.1.2"),
    ("jurisdictionStateOrProvinceName", "1.3.6.1.4.1.311.60.2.1.2"),
    ("jurisdictionC", "1.3.6.1.4.1.311.60.2.1.3"),
    ("jurisdictionCountryName", "1.3.6.1.4.1.311.60.2.1.3"),
];

/// The identifiers that most certificates have, as the content of their DER and dotted.
const COMMON: &[(&[u8], &str)] = &[
    (&[0x55, 4, 3], "2.5.4.3"),
    (&[0x55, 4, 6], "2.5.4.6"),
    (&[0x55, 4, 10], "2.5.4.10"),
    (&[0x55, 4, 97], "2.5.4.97"),
    (&[0x55, 4, 11], "2.5.4.11"),
    (&[0x55, 4, 5], "2.5.4.5"),
    (&[0x55, 4, 7], "2.5.4.7"),
    (&[0x55, 4, 8], "2.5.4.8"),
];

/// The table of RFC 4514 section 3: the names that a text may be written with.
const WRITTEN: [&str; 9] = ["CN", "L", "ST", "O", "OU", "C", "STREET", "DC", "UID"];

/// What the issuer in keyId must name in any case: CN, O, OU, L, ST, C.
const REQUIRED: [&str; 6] = ["2.5.4.3", "2.5.4.10", "2.5.4.11", "2.5.4.7", "2.5.4.8", "2.5.4.6"];

/// The identifier behind a name, in any case.
pub(super) fn identifier(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, oid)| *oid)
}

/// A value: text of any string type, or another type kept as it is.
#[derive(Debug, Clone)]
pub enum Value {
    /// Text, decoded.
    Text(String),
    /// Another ASN.1 type: its tag and content.
    Other(u8, Vec<u8>),
}

impl Value {
    /// The value of a DER element.
    pub fn from_element(element: Element<'_>) -> Self {
        match decode_string(element) {
            Some(text) => Self::Text(text),
            None => Self::Other(element.tag, element.content.to_vec()),
        }
    }

    /// The text, where it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Other(..) => None,
        }
    }
}

/// The text unescaped, or `#` and the hexadecimal of the DER.
impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => out.write_str(text),
            Self::Other(tag, content) => {
                out.write_char('#')?;
                let whole = der::encode(*tag, &[content]);
                whole.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
            }
        }
    }
}

/// A relative distinguished name: one attribute, or several joined by `+`, at most
/// [`RDN_ATTRIBUTES_MAX`](crate::limits::RDN_ATTRIBUTES_MAX). It has no spare capacity, because an engine remembers
/// thousands of certificates.
pub(crate) type Rdn = Box<[Attribute]>;

/// An attribute: type and value. Two are equal when the identifiers are, and the values without case and
/// with spaces folded.
#[derive(Debug, Clone)]
pub struct Attribute {
    oid: Cow<'static, str>,
    value: Value,
    /// The text as it compares, where it is not written so: folded once, however often it is compared.
    folded: Option<Box<str>>,
}

impl Attribute {
    pub(super) fn new(oid: Cow<'static, str>, value: Value) -> Self {
        let folded = value.as_text().and_then(|text| match fold(text) {
            Cow::Borrowed(_) => None,
            Cow::Owned(folded) => Some(folded.into_boxed_str()),
        });
        Self { oid, value, folded }
    }

    /// An attribute with a text for value.
    #[cfg(test)]
    pub(super) fn text(oid: &'static str, text: String) -> Self {
        Self::new(Cow::Borrowed(oid), Value::Text(text))
    }

    /// An AttributeTypeAndValue (RFC 5280 appendix A.1): an identifier and one value.
    pub(super) fn from_element(attribute: Element<'_>) -> Option<Self> {
        let (kind, rest) = der::read_tagged_loose(attribute.content, der::OBJECT_IDENTIFIER)?;
        let (value, rest) = der::read_loose(rest)?;
        (attribute.tag == der::SEQUENCE && rest.is_empty()).then_some(())?;
        let common = COMMON.iter().find(|(der, _)| *der == kind).map(|(_, dotted)| Cow::Borrowed(*dotted));
        let oid = common.or_else(|| der::dotted(kind).map(Cow::Owned))?;
        Some(Self::new(oid, Value::from_element(value)))
    }

    /// The type as a dotted identifier.
    pub fn oid(&self) -> &str {
        &self.oid
    }

    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Whether a client may leave it out of keyId's issuer.
    pub(super) fn is_optional(&self) -> bool {
        !REQUIRED.contains(&self.oid.as_ref())
    }

    /// The text as it compares, where the value is one.
    fn folded(&self) -> Option<&str> {
        self.folded.as_deref().or(self.value.as_text())
    }

    /// Equal for equal attributes alone: identifier, tag of a value that is no text, and the value as it compares.
    pub(super) fn comparison_key(&self) -> (&str, Option<u8>, &[u8]) {
        match (&self.value, self.folded()) {
            (Value::Other(tag, content), _) => (&self.oid, Some(*tag), content),
            (Value::Text(text), folded) => (&self.oid, None, folded.unwrap_or(text).as_bytes()),
        }
    }

    /// Appends a text that is the same for equal attributes alone; the length keeps values from running into each
    /// other.
    pub(super) fn fold_into(&self, key: &mut String) {
        let (kind, value) = match self.folded() {
            Some(text) => ('t', Cow::Borrowed(text)),
            None => ('o', Cow::Owned(self.value.to_string())),
        };
        key.push_str(&self.oid);
        key.push(kind);
        push_number(value.len(), key);
        key.push(':');
        key.push_str(&value);
    }
}

/// The number in hexadecimal digits, lowest first, because the key is only compared and never shown.
fn push_number(mut number: usize, key: &mut String) {
    loop {
        key.extend(char::from_digit((number & 0xf) as u32, 16));
        number >>= 4;
        if number == 0 {
            return;
        }
    }
}

impl PartialEq for Attribute {
    fn eq(&self, other: &Self) -> bool {
        self.comparison_key() == other.comparison_key()
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = WRITTEN.iter().find(|name| identifier(name) == Some(self.oid()));
        write!(out, "{}=", name.unwrap_or(&self.oid()))?;
        match &self.value {
            Value::Text(text) => write_escaped(text, out),
            other @ Value::Other(..) => write!(out, "{other}"),
        }
    }
}

/// The UTF-8 of a character as pairs of hexadecimal digits, as RFC 4514 allows for every character: a line break or a
/// character that changes the direction of others would mislead a reader of a log or a page.
fn write_bytes_escaped(character: char, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    character.encode_utf8(&mut [0; 4]).bytes().try_for_each(|byte| write!(out, "\\{byte:02X}"))
}

/// RFC 4514 section 2.4.
fn write_escaped(text: &str, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    let last = text.chars().count().saturating_sub(1);
    for (index, character) in text.chars().enumerate() {
        match character {
            '"' | '+' | ',' | ';' | '<' | '>' | '\\' => write!(out, "\\{character}")?,
            ' ' if index == 0 || index == last => out.write_str("\\ ")?,
            '#' if index == 0 => out.write_str("\\#")?,
            _ if is_hidden(character) => write_bytes_escaped(character, out)?,
            _ => out.write_char(character)?,
        }
    }
    Ok(())
}

/// The text of an ASN.1 string type. Text that is not the UTF-8 its type asks for is read as ISO-8859-1, as
/// authorities of old wrote it.
fn decode_string(Element { tag, content }: Element<'_>) -> Option<String> {
    let latin1 = || content.iter().copied().map(char::from).collect::<String>();
    match tag {
        // UTF8, Numeric, Printable, IA5, Visible.
        0x0c | 0x12 | 0x13 | 0x16 | 0x1a => {
            Some(std::str::from_utf8(content).map_or_else(|_| latin1(), str::to_owned))
        }
        // Teletex.
        0x14 => Some(latin1()),
        // Universal.
        0x1c => {
            content.chunks(4).map(|unit| char::from_u32(u32::from_be_bytes(unit.try_into().ok()?))).collect()
        }
        // BMP.
        0x1e => {
            let units: Option<Vec<u16>> =
                content.chunks(2).map(|unit| Some(u16::from_be_bytes(unit.try_into().ok()?))).collect();
            String::from_utf16(&units?).ok()
        }
        _ => None,
    }
}
