//! The `Signature` header (contract: Authentication, 3 and 5): `keyId`, `algorithm`, `headers` and
//! `signature`, each `key="value"`, in any order, joined by commas with or without spaces. A leading word
//! `Signature` and parts of other names (`created`, `expires`) are passed over. The whole may be an RFC 2047
//! encoded word.

use std::borrow::Cow;

use super::certificate::Certificate;
use super::distinguished_name::DistinguishedName;
use crate::policy::KeyIdIssuer;
use crate::reason::{Case, Reason, Violation};
use crate::wire::mime_word::{decode_encoded_word, LENIENT_BASE64};

use base64::{decoded_len_estimate, Engine as _};

/// The one algorithm there is.
pub(crate) const ALGORITHM: &str = "rsa-sha256";

/// The header's parts, borrowed from its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureHeader<'t> {
    key_id: &'t str,
    names: Vec<&'t str>,
    signature: Vec<u8>,
}

/// The text of a header's value: encoded words decoded, else as it is.
///
/// # Errors
/// [`Reason::SignatureEncodedWord`], and [`Reason::SignatureMalformed`] for bytes that are not UTF-8.
pub(crate) fn signature_text(value: &[u8]) -> Result<Cow<'_, str>, Violation> {
    let text = std::str::from_utf8(value.trim_ascii())
        .map_err(|_| Violation::of_case(Case::SignatureNotUtf8, &[]))?;
    match text.starts_with("=?") {
        true => decode_encoded_word(text).map(Cow::Owned),
        false => Ok(Cow::Borrowed(text)),
    }
}

impl<'t> SignatureHeader<'t> {
    /// Reads the parts from [`signature_text`].
    ///
    /// # Errors
    /// In this order: [`Reason::SignatureMalformed`], [`Reason::SignaturePartMissing`],
    /// [`Reason::SignaturePartRepeated`], [`Reason::SignatureNotBase64`], [`Reason::SignatureAlgorithm`].
    pub fn parse(text: &'t str) -> Result<Self, Violation> {
        let parts = SignatureParts::read(text)?;
        let [Some(key_id), Some(algorithm), Some(names), Some(signature)] = parts.values else {
            return Err(Violation::with(Reason::SignaturePartMissing, &[&parts.missing()]));
        };
        if let Some(name) = parts.repeated {
            return Err(Violation::with(Reason::SignaturePartRepeated, &[&name]));
        }
        // `decode` asks for cleared memory, of which glibc keeps none at hand.
        let mut decoded = Vec::with_capacity(decoded_len_estimate(signature.len()));
        LENIENT_BASE64.decode_vec(signature, &mut decoded).map_err(|_| Reason::SignatureNotBase64)?;
        if !algorithm.eq_ignore_ascii_case(ALGORITHM) {
            return Err(Reason::SignatureAlgorithm.into());
        }
        Ok(Self { key_id, names: names.split_ascii_whitespace().collect(), signature: decoded })
    }

    /// keyId as written between the quotes.
    pub fn key_id(&self) -> &'t str {
        self.key_id
    }

    /// The names of the signed headers, in order, as they are spelt.
    pub fn names(&self) -> &[&'t str] {
        &self.names
    }

    /// The bytes of the signature.
    pub fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// Whether keyId names the certificate: serial number and issuer.
    ///
    /// A backslash in it is read literally (clients paste the distinguished name unchanged); if that does not name the
    /// certificate, as a quoted-pair.
    ///
    /// # Errors
    /// In this order: [`Reason::KeyIdMalformed`], [`Reason::KeyIdSerialMalformed`],
    /// [`Reason::KeyIdIssuerMalformed`], [`Reason::KeyIdSerial`], [`Reason::KeyIdIssuer`].
    pub fn check_key_id(&self, certificate: &Certificate, policy: KeyIdIssuer) -> Result<(), Violation> {
        let Err(raw) = check_reading(self.key_id, certificate, policy) else { return Ok(()) };
        if !self.key_id.contains('\\') {
            return Err(raw);
        }
        let Err(unescaped) = check_reading(&unquote(self.key_id), certificate, policy) else { return Ok(()) };
        // The reading that came further knows better what is wrong.
        Err(if unescaped.reason > raw.reason { unescaped } else { raw })
    }
}

const PART_NAMES: [&str; 4] = ["keyId", "algorithm", "headers", "signature"];

/// The header's parts as they are written, before any of them is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SignatureParts<'t> {
    /// In the order of [`PART_NAMES`]; of a part that occurs twice the last.
    values: [Option<&'t str>; 4],
    repeated: Option<&'static str>,
}

impl<'t> SignatureParts<'t> {
    /// Splits [`signature_text`].
    ///
    /// # Errors
    /// [`Reason::SignatureMalformed`].
    pub(crate) fn read(text: &'t str) -> Result<Self, Violation> {
        let mut values: [Option<&'t str>; 4] = [None; 4];
        let mut repeated = None;
        let mut rest = without_scheme(text);
        while !rest.is_empty() {
            let (name, value, after) = next_part(rest).ok_or(Reason::SignatureMalformed)?;
            rest = after;
            let known =
                PART_NAMES.iter().zip(&mut values).find(|(known, _)| known.eq_ignore_ascii_case(name));
            let Some((known, part)) = known else { continue };
            // The four must be quoted, as the contract writes them.
            let value = value.ok_or(Reason::SignatureMalformed)?;
            if part.replace(value).is_some() {
                repeated.get_or_insert(*known);
            }
        }
        Ok(Self { values, repeated })
    }

    fn missing(&self) -> &'static str {
        let absent = PART_NAMES.iter().zip(&self.values).find(|(_, part)| part.is_none());
        absent.map(|(name, _)| *name).unwrap_or_default()
    }

    /// keyId.
    pub(crate) fn key_id(&self) -> Option<&'t str> {
        self.values[0]
    }

    /// The names of the signed headers, in order.
    pub(crate) fn names(&self) -> Option<Vec<&'t str>> {
        self.values[2].map(|names| names.split_ascii_whitespace().collect())
    }

    /// The signature, not decoded.
    pub(crate) fn signature(&self) -> Option<&'t str> {
        self.values[3]
    }
}

/// keyId's two members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyId<'t> {
    /// The serial number: at least one hexadecimal digit, and a minus sign before a negative one.
    pub serial: &'t str,
    /// The issuer as a distinguished name, not yet read.
    pub issuer: &'t str,
}

impl<'t> KeyId<'t> {
    /// Reads `SN=serial,CA=issuer`, or the two the other way around.
    ///
    /// # Errors
    /// [`Reason::KeyIdMalformed`], then [`Reason::KeyIdSerialMalformed`].
    pub(crate) fn parse(text: &'t str) -> Result<Self, Reason> {
        let (serial, issuer) = Self::split(text).ok_or(Reason::KeyIdMalformed)?;
        let serial = serial.trim();
        let digits = serial.strip_prefix('-').unwrap_or(serial);
        let hexadecimal = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        hexadecimal.then_some(Self { serial, issuer }).ok_or(Reason::KeyIdSerialMalformed)
    }

    /// The two halves, not yet read.
    pub(crate) fn split(text: &'t str) -> Option<(&'t str, &'t str)> {
        Some(match (member(text, "SN"), member(text, "CA")) {
            (Some(rest), _) => {
                let (serial, rest) = rest.split_once(',')?;
                (serial, member(rest, "CA")?)
            }
            (None, Some(rest)) => {
                let (issuer, last) = rest.rsplit_once(',')?;
                (member(last, "SN")?, issuer)
            }
            (None, None) => return None,
        })
    }
}

/// What follows `name=`, the name in any case.
fn member<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let (own, rest) = text.trim_start().split_at_checked(name.len())?;
    own.eq_ignore_ascii_case(name).then_some(())?;
    rest.trim_start().strip_prefix('=')
}

fn check_reading(key_id: &str, certificate: &Certificate, policy: KeyIdIssuer) -> Result<(), Violation> {
    let key_id = KeyId::parse(key_id)?;
    let issuer = DistinguishedName::parse(key_id.issuer)?;
    if !certificate.serial_number().is_hex(key_id.serial) {
        return Err(Reason::KeyIdSerial.into());
    }
    match certificate.issuer() {
        actual if issuer.names_issuer(actual, policy) => Ok(()),
        actual if issuer.names_issuer(actual, KeyIdIssuer::Lenient) => {
            Err(Violation::of_case(Case::IssuerNotExact, &[]))
        }
        _ => Err(Reason::KeyIdIssuer.into()),
    }
}

/// The quoted-pairs of RFC 9110 section 5.6.4 undone.
pub(crate) fn unquote(text: &str) -> String {
    let mut characters = text.chars();
    let mut out = String::with_capacity(text.len());
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.extend(characters.next()),
            _ => out.push(character),
        }
    }
    out
}

fn without_scheme(text: &str) -> &str {
    let text = text.trim();
    match text.split_at_checked(9) {
        Some((word, rest)) if word.eq_ignore_ascii_case("Signature") && rest.starts_with([' ', '\t']) => {
            // `Signature ="…"` would be the part, with a space before its equals sign.
            let parts = rest.trim_start();
            if parts.starts_with('=') {
                text
            } else {
                parts
            }
        }
        _ => text,
    }
}

/// One part, its comma taken off: name, quoted value (`None` for a bare one), rest.
fn next_part(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let (name, rest) = text.split_once('=')?;
    let rest = rest.trim_start();
    let (value, rest) = match rest.strip_prefix('"') {
        Some(quoted) => {
            let end = closing_quote(quoted)?;
            let (value, rest) = quoted.split_at_checked(end)?;
            (Some(value), rest.strip_prefix('"')?)
        }
        None => {
            let end = rest.find(',').unwrap_or(rest.len());
            (None, rest.split_at_checked(end)?.1)
        }
    };
    let name = name.trim();
    let rest = rest.trim_start();
    let after = match rest.strip_prefix(',') {
        Some(after) => Some(after.trim_start()).filter(|after| !after.is_empty())?,
        None => rest.is_empty().then_some("")?,
    };
    let token =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    token.then_some((name, value, after))
}

/// Where the quoted value ends: at the first quote that is not escaped. A quote is escaped after an odd number of
/// backslashes, because of two the first escapes the second.
fn closing_quote(quoted: &str) -> Option<usize> {
    let backslashes = |before: &str| before.bytes().rev().take_while(|byte| *byte == b'\\').count();
    let mut quotes = quoted.match_indices('"').map(|(place, _)| place);
    quotes.find(|place| quoted.get(..*place).is_some_and(|before| backslashes(before) % 2 == 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::mime_word::encode_word;
    use proptest::prelude::*;

    const PLAIN: &str = concat!(
        r#"keyId="SN=1F,CA=CN=x\, y,C=NO",algorithm="rsa-sha256","#,
        r#"headers="date x-request-id",signature="AQID""#
    );

    fn reason(text: &str) -> Option<Reason> {
        SignatureHeader::parse(text).err().map(|violation| violation.reason)
    }

    #[test]
    fn the_four_parts_are_read_in_any_order_and_spacing() {
        for text in [
            PLAIN.to_owned(),
            format!("Signature {PLAIN}"),
            format!("signature  {PLAIN}"),
            PLAIN.replace("\",", "\" ,\t "),
            PLAIN.replace("keyId=", "KEYID = "),
            format!("created=1402170695,{PLAIN},expires=\"soon\""),
            r#"signature="AQID",headers=" date  x-request-id ",algorithm="RSA-SHA256",keyId="SN=1F,CA=CN=x\, y,C=NO""#
                .to_owned(),
            r#"signature = "AQID",headers="date x-request-id",algorithm="rsa-sha256",keyId="SN=1F,CA=CN=x\, y,C=NO""#
                .to_owned(),
        ] {
            let header = SignatureHeader::parse(&text).unwrap_or_else(|violation| panic!("{text}: {violation:?}"));
            assert_eq!(header.key_id(), r"SN=1F,CA=CN=x\, y,C=NO", "{text}");
            assert_eq!(header.names(), ["date", "x-request-id"], "{text}");
            assert_eq!(header.signature(), [1, 2, 3], "{text}");
        }
    }

    #[test]
    fn the_whole_may_be_an_encoded_word() {
        let wrapped = encode_word(PLAIN);
        assert_eq!(signature_text(wrapped.as_bytes()).unwrap(), PLAIN);
        assert_eq!(signature_text(PLAIN.as_bytes()).unwrap(), PLAIN);
        let reason = |value: &[u8]| signature_text(value).unwrap_err().reason;
        assert_eq!(reason(b"=?utf-8?B?!?="), Reason::SignatureEncodedWord);
        assert_eq!(reason(b"keyId=\"\xff\""), Reason::SignatureMalformed);
        let case = |value: &[u8]| signature_text(value).unwrap_err().case;
        assert_eq!(case(b"keyId=\"SN=1,CA=O=Bl\xe5\""), Some(Case::SignatureNotUtf8), "ISO-8859-1");
    }

    #[test]
    fn each_fault_has_its_reason() {
        for (text, expected) in [
            ("", Reason::SignaturePartMissing),
            ("nonsense", Reason::SignatureMalformed),
            (&PLAIN.replace("\"AQID\"", "\"AQID"), Reason::SignatureMalformed),
            (&PLAIN.replace("\"AQID\"", "AQID"), Reason::SignatureMalformed),
            (&format!("{PLAIN},"), Reason::SignatureMalformed),
            (&PLAIN.replace("\",alg", "\" alg"), Reason::SignatureMalformed),
            (&PLAIN.replace("keyId", "key"), Reason::SignaturePartMissing),
            (&PLAIN.replace("algorithm", "alg"), Reason::SignaturePartMissing),
            (&format!("{PLAIN},headers=\"date\""), Reason::SignaturePartRepeated),
            (&PLAIN.replace("AQID", "AQ!D"), Reason::SignatureNotBase64),
            (&PLAIN.replace("sha256", "sha1"), Reason::SignatureAlgorithm),
            (&PLAIN.replace("rsa-sha256", "hs2019"), Reason::SignatureAlgorithm),
        ] {
            assert_eq!(reason(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn of_several_faults_the_first_row_answers() {
        let repeated = format!("{PLAIN},headers=\"date\"");
        assert_eq!(reason(&repeated.replace("keyId", "key")), Some(Reason::SignaturePartMissing));
        assert_eq!(reason(&repeated.replace("AQID", "!")), Some(Reason::SignaturePartRepeated));
        assert_eq!(
            reason(&PLAIN.replace("AQID", "!").replace("sha256", "x")),
            Some(Reason::SignatureNotBase64)
        );
    }

    #[test]
    fn a_key_id_has_a_hexadecimal_serial_and_an_issuer() {
        let parsed = |text| KeyId::parse(text).map(|key| (key.serial, key.issuer));
        assert_eq!(parsed("SN=0a1F,CA=CN=x,C=NO"), Ok(("0a1F", "CN=x,C=NO")));
        assert_eq!(parsed("sn = 1 , ca =CN=x"), Ok(("1", "CN=x")));
        assert_eq!(parsed("CA=CN=x,C=NO,SN=1F"), Ok(("1F", "CN=x,C=NO")));
        assert_eq!(parsed("SN=-05,CA=CN=x"), Ok(("-05", "CN=x")));
        for broken in ["", "SN=1F", "CA=CN=x", "1F,CN=x", "SN=1F CA=CN=x", "S", "serial=1F,CA=CN=x"] {
            assert_eq!(parsed(broken), Err(Reason::KeyIdMalformed), "{broken}");
        }
        for serial in ["", "1G", "0x1F", "0A:1B", "-", "--1F", "-0x1F", "serial=1F"] {
            let key_ids = [format!("SN={serial},CA=CN=x"), format!("CA=CN=x,SN={serial}")];
            for key_id in key_ids {
                assert_eq!(KeyId::parse(&key_id).err(), Some(Reason::KeyIdSerialMalformed), "{key_id}");
            }
        }
    }

    #[test]
    fn a_value_ends_at_the_first_quote_that_is_not_escaped() {
        for (quoted, end) in [
            (r#"""#, Some(0)),
            (r#"a""#, Some(1)),
            (r#"\"""#, Some(2)),
            (r#"\\""#, Some(2)),
            (r#"\\\"""#, Some(4)),
            (r#"\"a\"\\"b""#, Some(7)),
            (r#"a\b""#, Some(3)),
            (r#"\""#, None),
            (r"a\", None),
            ("", None),
        ] {
            assert_eq!(closing_quote(quoted), end, "{quoted}");
        }
    }

    #[test]
    fn quoted_pairs_are_undone() {
        assert_eq!(unquote(r#"CN=x\\, \"y\""#), r#"CN=x\, "y""#);
        assert_eq!(unquote(r"end\"), "end");
    }

    proptest! {
        #[test]
        fn no_input_panics(text in "(Signature )?(keyId ?= ?\")?\\PC*(\",)?\\PC*") {
            let _ = SignatureHeader::parse(&text);
            let _ = signature_text(text.as_bytes());
            let _ = KeyId::parse(&text);
        }
    }
}
