//! One certificate revocation list (RFC 5280 section 5), read and verified in one step.
//!
//! A list may name a million certificates, so it is read by hand, entry by entry: what is kept of an entry is its
//! serial number, in a byte more than [`SERIAL_BYTES_MAX`]: negative ones, which RFC 5280 forbids, are met.

use std::cmp::Ordering;

use chrono::{DateTime, Utc};
use x509_parser::prelude::FromDer;
use x509_parser::time::ASN1Time;

use super::list_fault::ListFault;
use super::list_scope::ListScope;
use crate::crypto::{RefusedScheme, SignatureScheme};
use crate::env::revocation::IssuedCertificate;
use crate::limits::{CRL_BYTES_MAX, SERIAL_BYTES_MAX};
use crate::tpp::certificate::Certificate;
use crate::tpp::distinguished_name::DistinguishedName;
use crate::tpp::serial_number::SerialNumber;
use crate::wire::der;

const UTC_TIME: u8 = 0x17;
const GENERALIZED_TIME: u8 = 0x18;
const BOOLEAN: u8 = 0x01;
const OCTET_STRING: u8 = 0x04;

/// id-ce-cRLNumber, 2.5.29.20.
const LIST_NUMBER: &[u8] = &[0x55, 0x1d, 20];
/// id-ce-deltaCRLIndicator, 2.5.29.27.
const DELTA: &[u8] = &[0x55, 0x1d, 27];
/// id-ce-issuingDistributionPoint, 2.5.29.28.
const DISTRIBUTION_POINT: &[u8] = &[0x55, 0x1d, 28];
/// id-ce-certificateIssuer, 2.5.29.29: of an entry.
const ENTRY_ISSUER: &[u8] = &[0x55, 0x1d, 29];
/// Extensions that may be critical: reasonCode, invalidityDate, holdInstructionCode of an entry; cRLNumber and
/// authorityKeyIdentifier of a list.
const UNDERSTOOD: [&[u8]; 5] =
    [&[0x55, 0x1d, 21], &[0x55, 0x1d, 24], &[0x55, 0x1d, 23], LIST_NUMBER, &[0x55, 0x1d, 35]];

type Serial = [u8; SERIAL_BYTES_MAX + 1];

/// A list whose signature verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RevocationList {
    issuer: DistinguishedName,
    issuer_key: Box<[u8]>,
    number: Option<SerialNumber>,
    scope: ListScope,
    this_update: DateTime<Utc>,
    next_update: DateTime<Utc>,
    /// In order, each filled up with zeros on the left.
    serials: Vec<Serial>,
}

impl RevocationList {
    /// Reads a list from DER and verifies that one of the authorities issued it.
    ///
    /// # Errors
    /// Every [`ListFault`] but `NotDecodable`, `Outdated` and `TooMany`.
    pub fn from_der<'c>(
        input: &[u8],
        authorities: impl IntoIterator<Item = &'c Certificate>,
    ) -> Result<Self, ListFault> {
        if input.len() > CRL_BYTES_MAX {
            return Err(ListFault::TooLarge);
        }
        let shell = Shell::read(input).ok_or(ListFault::Malformed)?;
        let fields = Fields::read(shell.signed).ok_or(ListFault::Malformed)?;
        if fields.algorithm != shell.algorithm {
            return Err(ListFault::Malformed);
        }
        let issuer = DistinguishedName::from_der(fields.issuer).ok_or(ListFault::Malformed)?;
        // The signature is checked before other parts are read, because the issuer must be known.
        let issuer_key = shell.verify(&issuer, authorities)?.into();
        let (number, scope) = read_extensions(fields.extensions, fields.issuer)?;
        Ok(Self {
            issuer,
            issuer_key,
            number,
            scope,
            this_update: time(fields.this_update).ok_or(ListFault::Malformed)?,
            next_update: fields
                .next_update
                .ok_or(ListFault::NoNextUpdate)
                .and_then(|next| time(next).ok_or(ListFault::Malformed))?,
            serials: serials(fields.entries)?,
        })
    }

    /// Who issued it.
    pub fn issuer(&self) -> &DistinguishedName {
        &self.issuer
    }

    /// The key that signed it: SubjectPublicKeyInfo in DER.
    pub fn issuer_key(&self) -> &[u8] {
        &self.issuer_key
    }

    /// Whether it speaks of the certificate: not every list is about everything its issuer issued.
    pub fn covers(&self, certificate: &IssuedCertificate<'_>) -> bool {
        self.scope.covers(certificate)
    }

    /// From when it counts.
    pub fn this_update(&self) -> DateTime<Utc> {
        self.this_update
    }

    /// When the next list comes at the latest: at this second it still counts.
    pub fn next_update(&self) -> DateTime<Utc> {
        self.next_update
    }

    /// Whether it counts at a time; both ends are included.
    pub fn is_current(&self, at: DateTime<Utc>) -> bool {
        (self.this_update.timestamp()..=self.next_update.timestamp()).contains(&at.timestamp())
    }

    /// Whether it has the serial number: big-endian, no leading zeros.
    pub fn has(&self, serial: &[u8]) -> bool {
        padded(serial).is_some_and(|serial| self.serials.binary_search(&serial).is_ok())
    }

    /// How many certificates it names.
    pub fn len(&self) -> usize {
        self.serials.len()
    }

    /// Whether it names none.
    pub fn is_empty(&self) -> bool {
        self.serials.is_empty()
    }

    /// Whether it speaks of what `other` speaks of, so that one of them takes the other's place.
    pub(super) fn is_in_place_of(&self, other: &Self) -> bool {
        self.issuer_key == other.issuer_key && self.scope == other.scope
    }

    /// Whether it came before `other`: by their numbers where both have one and these differ, otherwise by their times.
    pub(super) fn is_older_than(&self, other: &Self) -> bool {
        let magnitude = |number: &SerialNumber| (number.as_bytes().len(), number.as_bytes().to_vec());
        let by_number = match (&self.number, &other.number) {
            (Some(own), Some(others)) => magnitude(own).cmp(&magnitude(others)),
            _ => Ordering::Equal,
        };
        by_number.then(self.this_update.cmp(&other.this_update)) == Ordering::Less
    }
}

/// CertificateList: what is signed, and the signature.
struct Shell<'a> {
    signed: &'a [u8],
    algorithm: &'a [u8],
    scheme: Result<SignatureScheme, RefusedScheme>,
    signature: &'a [u8],
}

impl<'a> Shell<'a> {
    fn read(input: &'a [u8]) -> Option<Self> {
        let outer = der::read_all(input).filter(|outer| outer.tag == der::SEQUENCE)?.content;
        let (signed, rest) = whole(outer, der::SEQUENCE)?;
        let (algorithm, rest) = whole(rest, der::SEQUENCE)?;
        let bits = der::read_all(rest).filter(|bits| bits.tag == der::BIT_STRING)?.content;
        let (oid, parameters) = der::read_tagged(der::read_all(algorithm)?.content, der::OBJECT_IDENTIFIER)?;
        let parameters = (!parameters.is_empty()).then_some(parameters);
        let scheme = SignatureScheme::from_parts(oid, parameters);
        Some(Self { signed, algorithm, scheme, signature: bits.strip_prefix(&[0])? })
    }

    /// The key of the authority that signed.
    fn verify<'c>(
        &self,
        issuer: &DistinguishedName,
        authorities: impl IntoIterator<Item = &'c Certificate>,
    ) -> Result<&'c [u8], ListFault> {
        let scheme = self.scheme.clone().map_err(ListFault::SignatureRefused)?;
        let mut fault = ListFault::IssuerUnknown;
        for authority in authorities {
            if authority.subject() == issuer && authority.may_sign_lists() {
                if authority.verifies(scheme, self.signed, self.signature) {
                    return Ok(authority.public_key());
                }
                if !matches!(fault, ListFault::SignatureRefused(_)) {
                    let refused = authority.refused_key().map(ListFault::SignatureRefused);
                    fault = refused.unwrap_or(ListFault::SignatureInvalid);
                }
            }
        }
        Err(fault)
    }
}

/// TBSCertList, not looked into.
struct Fields<'a> {
    algorithm: &'a [u8],
    issuer: &'a [u8],
    this_update: &'a [u8],
    next_update: Option<&'a [u8]>,
    entries: &'a [u8],
    extensions: &'a [u8],
}

impl<'a> Fields<'a> {
    fn read(signed: &'a [u8]) -> Option<Self> {
        let rest = der::read_all(signed)?.content;
        // Version 2 is the number 1. A list without it is of version 1 and has no extensions.
        let (version, rest) = optional(rest, der::INTEGER);
        version.is_none_or(|version| version == [der::INTEGER, 1, 1]).then_some(())?;
        let (algorithm, rest) = whole(rest, der::SEQUENCE)?;
        let (issuer, rest) = whole(rest, der::SEQUENCE)?;
        let (this_update, rest) = moment(rest);
        let (next_update, rest) = moment(rest);
        let (entries, rest) = optional(rest, der::SEQUENCE);
        let (extensions, rest) = optional(rest, 0xa0);
        let extensions = match extensions {
            Some(outer) => {
                der::read_all(der::read_all(outer)?.content)
                    .filter(|inner| version.is_some() && inner.tag == der::SEQUENCE)?
                    .content
            }
            None => &[],
        };
        let entries = match entries {
            Some(entries) => der::read_all(entries)?.content,
            None => &[],
        };
        rest.is_empty().then_some(Self {
            algorithm,
            issuer,
            this_update: this_update?,
            next_update,
            entries,
            extensions,
        })
    }
}

/// The first element with its tag and length, if it has the tag; and what follows.
fn whole(input: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (_, rest) = der::read_tagged(input, tag)?;
    input.split_at_checked(input.len() - rest.len())
}

fn optional(input: &[u8], tag: u8) -> (Option<&[u8]>, &[u8]) {
    match whole(input, tag) {
        Some((element, rest)) => (Some(element), rest),
        None => (None, input),
    }
}

/// A Time: UTCTime or GeneralizedTime.
fn moment(input: &[u8]) -> (Option<&[u8]>, &[u8]) {
    match optional(input, UTC_TIME) {
        (None, rest) => optional(rest, GENERALIZED_TIME),
        found => found,
    }
}

fn time(input: &[u8]) -> Option<DateTime<Utc>> {
    let (rest, time) = ASN1Time::from_der(input).ok()?;
    rest.is_empty().then(|| DateTime::from_timestamp(time.timestamp(), 0))?
}

struct Extension<'a> {
    oid: &'a [u8],
    critical: bool,
    value: &'a [u8],
}

/// The extensions of a list or an entry; `None` for what is none.
fn extensions(mut rest: &[u8]) -> Option<Vec<Extension<'_>>> {
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (extension, after) = der::read_tagged(rest, der::SEQUENCE)?;
        let (oid, value) = der::read_tagged(extension, der::OBJECT_IDENTIFIER)?;
        let (critical, value) = optional(value, BOOLEAN);
        let critical = critical.is_some_and(|critical| critical != [BOOLEAN, 1, 0]);
        let value = der::read_all(value).filter(|value| value.tag == OCTET_STRING)?.content;
        found.push(Extension { oid, critical, value });
        rest = after;
    }
    Some(found)
}

/// The list's number and what it covers. Refuses what a list of its issuer alone, for every reason, does not have.
fn read_extensions(input: &[u8], issuer: &[u8]) -> Result<(Option<SerialNumber>, ListScope), ListFault> {
    let (mut number, mut scope) = (None, ListScope::default());
    for extension in extensions(input).ok_or(ListFault::Malformed)? {
        match extension.oid {
            DELTA => return Err(ListFault::Delta),
            DISTRIBUTION_POINT => scope = ListScope::from_extension(extension.value, issuer)?,
            LIST_NUMBER => {
                let value = der::read_all(extension.value).filter(|value| value.tag == der::INTEGER);
                number = Some(SerialNumber::from_bytes(value.ok_or(ListFault::Malformed)?.content));
            }
            oid if extension.critical && !UNDERSTOOD.contains(&oid) => {
                return Err(ListFault::ExtensionUnknown)
            }
            _ => {}
        }
    }
    Ok((number, scope))
}

/// The serial numbers of the entries, in order. The reason of an entry does not matter: a certificate on hold does
/// not count either.
fn serials(mut rest: &[u8]) -> Result<Vec<Serial>, ListFault> {
    let mut serials = Vec::new();
    while !rest.is_empty() {
        let (entry, after) = der::read_tagged(rest, der::SEQUENCE).ok_or(ListFault::Malformed)?;
        serials.push(read_entry(entry)?);
        rest = after;
    }
    serials.shrink_to_fit();
    serials.sort_unstable();
    Ok(serials)
}

fn read_entry(entry: &[u8]) -> Result<Serial, ListFault> {
    let (serial, rest) = der::read_tagged(entry, der::INTEGER).ok_or(ListFault::Malformed)?;
    let (date, rest) = moment(rest);
    let listed = match optional(rest, der::SEQUENCE) {
        (None, []) => &[],
        (Some(outer), []) => der::read_all(outer).ok_or(ListFault::Malformed)?.content,
        _ => return Err(ListFault::Malformed),
    };
    for extension in extensions(listed).ok_or(ListFault::Malformed)? {
        match extension.oid {
            ENTRY_ISSUER => return Err(ListFault::Partial),
            oid if extension.critical && !UNDERSTOOD.contains(&oid) => {
                return Err(ListFault::ExtensionUnknown)
            }
            _ => {}
        }
    }
    let number = SerialNumber::from_bytes(serial);
    if date.is_none() || !number.is_revocable() {
        return Err(ListFault::Malformed);
    }
    padded(number.as_bytes()).ok_or(ListFault::Malformed)
}

/// The number filled up with zeros on the left; `None` where it is longer than RFC 5280 allows.
fn padded(serial: &[u8]) -> Option<Serial> {
    let mut out = [0; SERIAL_BYTES_MAX + 1];
    let zeros = out.len().checked_sub(serial.len())?;
    out.get_mut(zeros..)?.copy_from_slice(serial);
    Some(out)
}

#[cfg(test)]
#[cfg(feature = "sandbox")]
mod tests {
    use super::*;
    use crate::sandbox::pki::ROOT_PEM;
    use crate::tpp::bundle::parse_certificate;
    use proptest::prelude::*;

    #[test]
    fn a_serial_number_of_twenty_bytes_is_the_longest() {
        let entry = |serial: &[u8]| {
            read_entry(&[&der::encode(der::INTEGER, &[serial])[..], &[UTC_TIME, 1, b'x']].concat())
        };
        assert_eq!(entry(&[7; 20]).map(|serial| (serial[0], serial[1], serial[20])), Ok((0, 7, 7)));
        assert_eq!(entry(&[7; 21]), Err(ListFault::Malformed));
        assert_eq!(entry(&[0x80; 20]).map(|serial| (serial[0], serial[1])), Ok((0xff, 0x80)));
        assert_eq!(entry(&[0xff; 22]), Err(ListFault::Malformed));
        assert_eq!(entry(&[1, 2]).map(|serial| (serial[18], serial[19], serial[20])), Ok((0, 1, 2)));
    }

    #[test]
    fn an_entry_has_a_serial_and_a_date_and_nothing_strange() {
        let oid = |oid: &[u8]| der::encode(der::OBJECT_IDENTIFIER, &[oid]);
        let value = der::encode(OCTET_STRING, &[&[5, 0]]);
        let entry = |oid_content: &[u8], critical: &[u8]| {
            let extension = der::encode(der::SEQUENCE, &[&oid(oid_content), critical, &value]);
            let extensions = der::encode(der::SEQUENCE, &[&extension]);
            [&[der::INTEGER, 1, 9, UTC_TIME, 1, b'x'][..], &extensions].concat()
        };
        let critical = [BOOLEAN, 1, 0xff];
        assert_eq!(read_entry(&entry(&[0x55, 0x1d, 21], &critical)), Ok(padded(&[9]).unwrap()));
        assert_eq!(read_entry(&entry(&[0x55, 0x1d, 99], &[])), Ok(padded(&[9]).unwrap()));
        assert_eq!(read_entry(&entry(&[0x55, 0x1d, 99], &critical)), Err(ListFault::ExtensionUnknown));
        assert_eq!(read_entry(&entry(ENTRY_ISSUER, &critical)), Err(ListFault::Partial));
        assert_eq!(read_entry(&[der::INTEGER, 1, 9]), Err(ListFault::Malformed));
        assert_eq!(read_entry(&[UTC_TIME, 1, b'x']), Err(ListFault::Malformed));
        assert_eq!(read_entry(&[der::INTEGER, 1, 9, UTC_TIME, 1, b'x', 5, 0]), Err(ListFault::Malformed));
    }

    proptest! {
        #[test]
        fn no_input_panics(input in proptest::collection::vec(any::<u8>(), 0..200)) {
            let root = parse_certificate(ROOT_PEM.as_bytes()).unwrap();
            let _ = RevocationList::from_der(&input, [&root]);
            let _ = Fields::read(&der::encode(der::SEQUENCE, &[&input]));
            let _ = serials(&input);
            let _ = read_extensions(&input, &[]);
        }
    }
}
