//! Which certificates of its issuer a revocation list is about: its issuingDistributionPoint (RFC 5280 section 5.2.5),
//! held against a certificate's basicConstraints and cRLDistributionPoints as section 6.3.3 (b) says.

use super::list_fault::ListFault;
use crate::env::revocation::IssuedCertificate;
use crate::tpp::distinguished_name::DistinguishedName;
use crate::wire::der;

/// distributionPoint of both extensions, and fullName within it.
const FIRST_CONSTRUCTED: u8 = 0xa0;
/// nameRelativeToCRLIssuer.
const RELATIVE_NAME: u8 = 0xa1;
/// The members of an issuingDistributionPoint after the first.
const ONLY_USERS: u8 = 0x81;
const ONLY_AUTHORITIES: u8 = 0x82;
const ONLY_SOME_REASONS: u8 = 0x83;
const INDIRECT: u8 = 0x84;
const ONLY_ATTRIBUTES: u8 = 0x85;
/// Of a GeneralName: directoryName and uniformResourceIdentifier.
const DIRECTORY_NAME: u8 = 0xa4;
const URI: u8 = 0x86;
const SET: u8 = 0x31;

/// What a list covers. By default all that its issuer issued.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ListScope {
    holders: Holders,
    /// The names of its distribution point, each as [`comparable`] writes it; none where it has no such name.
    names: Vec<Vec<u8>>,
}

/// Whose certificates.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Holders {
    #[default]
    All,
    Users,
    Authorities,
}

impl ListScope {
    /// Reads the value of an issuingDistributionPoint; `issuer` is the list's issuer in DER.
    ///
    /// # Errors
    /// [`ListFault::Partial`] for a list of some reasons, of attribute certificates or of other issuers,
    /// [`ListFault::Malformed`] for what is no such extension.
    pub(super) fn from_extension(value: &[u8], issuer: &[u8]) -> Result<Self, ListFault> {
        let members = der::read_all(value).filter(|outer| outer.tag == der::SEQUENCE);
        let mut rest = members.ok_or(ListFault::Malformed)?.content;
        let mut scope = Self::default();
        let mut last = None;
        while !rest.is_empty() {
            let (member, after) = der::read(rest).ok_or(ListFault::Malformed)?;
            // DER writes the members in order, each once.
            let place = member.tag & 0x1f;
            if last.is_some_and(|last| place <= last) {
                return Err(ListFault::Malformed);
            }
            scope.take(member, issuer)?;
            (last, rest) = (Some(place), after);
        }
        Ok(scope)
    }

    fn take(&mut self, member: der::Element<'_>, issuer: &[u8]) -> Result<(), ListFault> {
        match member.tag {
            FIRST_CONSTRUCTED => {
                let names = point_names(member.content, issuer).filter(|names| !names.is_empty());
                self.names = names.ok_or(ListFault::Malformed)?;
            }
            ONLY_USERS if is_true(member)? => self.holders = Holders::Users,
            // Both at once would cover nothing.
            ONLY_AUTHORITIES if is_true(member)? => match self.holders {
                Holders::All => self.holders = Holders::Authorities,
                _ => return Err(ListFault::Malformed),
            },
            ONLY_SOME_REASONS => return Err(ListFault::Partial),
            INDIRECT | ONLY_ATTRIBUTES if is_true(member)? => return Err(ListFault::Partial),
            ONLY_USERS | ONLY_AUTHORITIES | INDIRECT | ONLY_ATTRIBUTES => {}
            _ => return Err(ListFault::Malformed),
        }
        Ok(())
    }

    /// Whether the list is about the certificate, which its issuer issued.
    pub(super) fn covers(&self, certificate: &IssuedCertificate<'_>) -> bool {
        let held = match self.holders {
            Holders::All => true,
            Holders::Users => !certificate.is_authority,
            Holders::Authorities => certificate.is_authority,
        };
        held && (self.names.is_empty() || self.has_a_name_of(certificate))
    }

    /// The lists of its distribution points cover a certificate, and so does the one with its issuer's name.
    fn has_a_name_of(&self, certificate: &IssuedCertificate<'_>) -> bool {
        let is_named = |name: &Vec<u8>| self.names.contains(name);
        let issuer_list = comparable(der::Element { tag: DIRECTORY_NAME, content: certificate.issuer_der });
        issuer_list.as_ref().is_some_and(is_named)
            || certificate_points(certificate).is_some_and(|names| names.iter().any(is_named))
    }
}

fn is_true(member: der::Element<'_>) -> Result<bool, ListFault> {
    match member.content {
        [0] => Ok(false),
        [_] => Ok(true),
        _ => Err(ListFault::Malformed),
    }
}

/// The names of a certificate's distribution points: those for every reason, with lists of its own issuer. `None` where
/// the extension is malformed.
fn certificate_points(certificate: &IssuedCertificate<'_>) -> Option<Vec<Vec<u8>>> {
    let points = match certificate.distribution_points {
        [] => return Some(Vec::new()),
        value => der::read_all(value).filter(|outer| outer.tag == der::SEQUENCE)?.content,
    };
    let mut names = Vec::new();
    for point in der::elements(points) {
        // `reasons` and `cRLIssuer` follow the name: lists of such a point are never used.
        if let Some((name, [])) = der::read_tagged(point.content, FIRST_CONSTRUCTED) {
            names.extend(point_names(name, certificate.issuer_der)?);
        }
    }
    Some(names)
}

/// The names of a DistributionPointName, made comparable.
fn point_names(name: &[u8], issuer: &[u8]) -> Option<Vec<Vec<u8>>> {
    let name = der::read_all(name)?;
    match name.tag {
        FIRST_CONSTRUCTED => {
            let (mut names, mut rest) = (Vec::new(), name.content);
            while !rest.is_empty() {
                let (next, after) = der::read(rest)?;
                names.push(comparable(next)?);
                rest = after;
            }
            Some(names)
        }
        RELATIVE_NAME => {
            let issuer = der::read_all(issuer)?.content;
            let whole = der::encode(der::SEQUENCE, &[issuer, &der::encode(SET, &[name.content])]);
            comparable(der::Element { tag: DIRECTORY_NAME, content: &whole }).map(|name| vec![name])
        }
        _ => None,
    }
}

/// A GeneralName so that names for one thing are equal bytes (RFC 5280 sections 7.1 and 7.4): distinguished names
/// folded, of addresses scheme and host in lower case. Any other name stays as it is written.
fn comparable(name: der::Element<'_>) -> Option<Vec<u8>> {
    let content = match name.tag {
        DIRECTORY_NAME => DistinguishedName::from_der(name.content)?.folded_key().into_bytes(),
        URI => {
            let mut uri = name.content.to_vec();
            let host = uri.windows(3).position(|window| window == b"://").map_or(0, |scheme| scheme + 3);
            let path = uri.iter().skip(host).position(|&byte| byte == b'/');
            let end = path.map_or(uri.len(), |path| host + path);
            uri.iter_mut().take(end).for_each(|byte| byte.make_ascii_lowercase());
            uri
        }
        _ => name.content.to_vec(),
    };
    Some([&[name.tag][..], &content].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn uri(text: &str) -> Vec<u8> {
        comparable(der::Element { tag: URI, content: text.as_bytes() }).unwrap()
    }

    #[test]
    fn addresses_compare_without_case_in_scheme_and_host_alone() {
        assert_eq!(uri("HTTP://Lists.Example/a.crl"), uri("http://lists.example/a.crl"));
        assert_ne!(uri("http://lists.example/A.crl"), uri("http://lists.example/a.crl"));
        assert_ne!(uri("http://lists.example/a.crl"), uri("http://lists.example/b.crl"));
        assert_eq!(uri("HTTP://LISTS.EXAMPLE"), uri("http://lists.example"));
    }

    #[test]
    fn members_are_in_order_and_once() {
        let read = |members: &[u8]| ListScope::from_extension(&der::encode(der::SEQUENCE, &[members]), &[]);
        let holders = |members: &[u8]| read(members).map(|scope| scope.holders);
        assert_eq!(holders(&[]), Ok(Holders::All));
        assert_eq!(holders(&[ONLY_USERS, 1, 0]), Ok(Holders::All));
        assert_eq!(holders(&[ONLY_USERS, 1, 0xff]), Ok(Holders::Users));
        assert_eq!(holders(&[ONLY_AUTHORITIES, 1, 0xff]), Ok(Holders::Authorities));
        assert_eq!(holders(&[INDIRECT, 1, 0, ONLY_ATTRIBUTES, 1, 0]), Ok(Holders::All));
        for refused in [
            &[ONLY_USERS, 1, 0xff, ONLY_AUTHORITIES, 1, 0xff][..],
            &[ONLY_AUTHORITIES, 1, 0xff, ONLY_USERS, 1, 0],
            &[ONLY_USERS, 1, 0, ONLY_USERS, 1, 0],
            &[ONLY_USERS, 0],
            &[ONLY_USERS, 2, 0, 0],
            &[FIRST_CONSTRUCTED, 0],
            &[FIRST_CONSTRUCTED, 2, FIRST_CONSTRUCTED, 0],
            &[0x86, 1, 0xff],
            &[ONLY_USERS],
        ] {
            assert_eq!(read(refused), Err(ListFault::Malformed), "{refused:02x?}");
        }
        for partial in
            [&[ONLY_SOME_REASONS, 2, 0, 0x40][..], &[INDIRECT, 1, 0xff], &[ONLY_ATTRIBUTES, 1, 0xff]]
        {
            assert_eq!(read(partial), Err(ListFault::Partial), "{partial:02x?}");
        }
    }

    proptest! {
        #[test]
        fn no_input_panics(value in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = ListScope::from_extension(&value, &value);
            let _ = point_names(&value, &value);
        }
    }
}
