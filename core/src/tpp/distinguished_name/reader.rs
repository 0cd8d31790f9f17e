//! The reader of distinguished-name texts: one pass over the bytes, no look-back.

use std::borrow::Cow;

use super::attribute::{identifier, Attribute, Rdn, Value};
use crate::limits::RDN_ATTRIBUTES_MAX;
use crate::wire::der;
use crate::wire::mime_word::hex_digit;

/// Longest dotted identifier that is looked at.
const OID_BYTES_MAX: usize = 128;

/// Reads a whole text.
///
/// # Errors
/// How many bytes were read where it is not a distinguished name: up to the attribute that cannot be read.
pub(super) fn read(text: &str) -> Result<Box<[Rdn]>, usize> {
    let mut reader = Reader { rest: text.as_bytes() };
    let mut rdns = Vec::with_capacity(8);
    reader.skip_spaces();
    if reader.rest.is_empty() {
        return Ok(rdns.into());
    }
    loop {
        let mut rdn = Vec::with_capacity(1);
        let separator = loop {
            reader.skip_spaces();
            let start = reader.place_in(text);
            let has_capacity = rdn.len() < RDN_ATTRIBUTES_MAX;
            rdn.push(has_capacity.then(|| reader.attribute()).flatten().ok_or(start)?);
            let end = reader.place_in(text);
            match reader.next() {
                Some(b'+') => {}
                separator => break separator.map(|byte| (byte, end)),
            }
        };
        rdns.push(rdn.into_boxed_slice());
        match separator {
            None => return Ok(rdns.into()),
            Some((b',' | b';', _)) => {}
            Some((_, end)) => return Err(end),
        }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// How many bytes of the text are read.
    fn place_in(&self, text: &str) -> usize {
        text.len().saturating_sub(self.rest.len())
    }

    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    /// Skips the blanks that RFC 2253 section 4 allows before a value: a tab would be its first character.
    fn skip_blanks(&mut self) {
        let length = self.rest.iter().take_while(|byte| **byte == b' ').count();
        self.rest = self.rest.get(length..).unwrap_or_default();
    }

    /// Everything up to a byte that ends it.
    fn take_until(&mut self, ends: impl Fn(u8) -> bool) -> &'a [u8] {
        let length = self.rest.iter().position(|byte| ends(*byte)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, &[]));
        self.rest = rest;
        taken
    }

    fn attribute(&mut self) -> Option<Attribute> {
        let name = self.take_until(|byte| matches!(byte, b'=' | b',' | b';' | b'+'));
        let oid = attribute_type(std::str::from_utf8(name).ok()?.trim_ascii())?;
        (self.next()? == b'=').then_some(())?;
        self.skip_blanks();
        let value = match self.peek() {
            Some(b'#') => self.hexadecimal()?,
            Some(b'"') => Value::Text(self.quoted()?),
            _ => Value::Text(self.plain()?),
        };
        self.skip_spaces();
        Some(Attribute::new(oid, value))
    }

    /// `#` and the hexadecimal of a whole element. RFC 4514 allows BER; only DER is read, because no other is in use.
    fn hexadecimal(&mut self) -> Option<Value> {
        self.next();
        let digits = self.take_until(|byte| matches!(byte, b',' | b';' | b'+')).trim_ascii_end();
        let bytes: Option<Vec<u8>> = digits
            .chunks(2)
            .map(|pair| match pair {
                [high, low] => Some(hex_digit(*high)? << 4 | hex_digit(*low)?),
                _ => None,
            })
            .collect();
        der::read_all(&bytes?).map(Value::from_element)
    }

    /// A value in quotes (RFC 2253 section 4), where separators need no escape.
    fn quoted(&mut self) -> Option<String> {
        self.next();
        let mut bytes = Vec::new();
        loop {
            match self.next()? {
                b'"' => return String::from_utf8(bytes).ok(),
                b'\\' => bytes.push(self.escaped()?),
                byte => bytes.push(byte),
            }
        }
    }

    /// A value up to the next separator. Spaces at its end are dropped unless they are escaped.
    fn plain(&mut self) -> Option<String> {
        let mut bytes = Vec::new();
        let mut kept = 0;
        while let Some(byte) = self.peek() {
            match byte {
                b',' | b';' | b'+' => break,
                b'"' => return None,
                _ => self.next(),
            };
            match byte {
                b'\\' => bytes.push(self.escaped()?),
                _ => bytes.push(byte),
            }
            if byte != b' ' {
                kept = bytes.len();
            }
        }
        bytes.truncate(kept);
        String::from_utf8(bytes).ok()
    }

    /// What follows a backslash: two hexadecimal digits of a byte, or a special character.
    fn escaped(&mut self) -> Option<u8> {
        let first = self.next()?;
        match (hex_digit(first), first) {
            (Some(high), _) => Some(high << 4 | hex_digit(self.next()?)?),
            (None, b' ' | b'"' | b'#' | b'+' | b',' | b';' | b'<' | b'=' | b'>' | b'\\') => Some(first),
            _ => None,
        }
    }
}

/// A dotted identifier, with or without `OID.` before it, or a known name.
fn attribute_type(name: &str) -> Option<Cow<'static, str>> {
    if let Some(oid) = identifier(name) {
        return Some(Cow::Borrowed(oid));
    }
    let prefixed = name.split_at_checked(4).filter(|(prefix, _)| prefix.eq_ignore_ascii_case("OID."));
    let dotted = prefixed.map_or(name, |(_, dotted)| dotted);
    is_identifier(dotted).then(|| Cow::Owned(dotted.to_owned()))
}

/// X.660: at least two arcs, the first 0 to 2, the second below 40 under 0 and 1; no leading zeros.
fn is_identifier(dotted: &str) -> bool {
    let arc = |arc: &str| {
        !arc.is_empty()
            && arc.bytes().all(|digit| digit.is_ascii_digit())
            && (arc == "0" || !arc.starts_with('0'))
    };
    let second_fits =
        |top: &str, second: &str| top == "2" || second.len() == 1 || (second.len() == 2 && second < "40");
    let mut arcs = dotted.split('.');
    match (dotted.len() <= OID_BYTES_MAX, arcs.next(), arcs.next()) {
        (true, Some(top @ ("0" | "1" | "2")), Some(second)) => {
            arc(second) && second_fits(top, second) && arcs.all(arc)
        }
        _ => false,
    }
}
