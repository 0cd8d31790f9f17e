//! What a qualified certificate says it is for (ETSI EN 319 412-5), inside the qcStatements extension (RFC 3739):
//! id-etsi-qcs-QcCompliance says that it is qualified, id-etsi-qcs-QcType for what.

use crate::policy::CertificateType;
use crate::wire::der;

/// Content of 0.4.0.1862.1.1, id-etsi-qcs-QcCompliance.
const COMPLIANCE: &[u8] = &[0x04, 0x00, 0x8e, 0x46, 0x01, 0x01];
/// Content of 0.4.0.1862.1.6, id-etsi-qcs-QcType; the types are numbered below it.
const TYPE: &[u8] = &[0x04, 0x00, 0x8e, 0x46, 0x01, 0x06];

/// Which kinds of qualified certificate a certificate states to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Qualification {
    /// It states QcCompliance.
    pub qualified: bool,
    /// It is for electronic seals: QcType 2.
    pub seal: bool,
    /// It is for website authentication: QcType 3.
    pub website: bool,
}

impl Qualification {
    /// Reads the content of a qcStatements extension. What cannot be read states nothing.
    pub fn from_extension(extension: &[u8]) -> Self {
        let mut found = Self::default();
        let outer = der::read_tagged_loose(extension, der::SEQUENCE).filter(|(_, rest)| rest.is_empty());
        let statements = outer.map(|(statements, _)| statements).unwrap_or_default();
        for statement in der::elements(statements).filter(|element| element.tag == der::SEQUENCE) {
            match der::read_tagged_loose(statement.content, der::OBJECT_IDENTIFIER) {
                Some((COMPLIANCE, _)) => found.qualified = true,
                Some((TYPE, types)) => found.take_types(types),
                _ => {}
            }
        }
        found
    }

    fn take_types(&mut self, types: &[u8]) {
        let types = der::read_tagged_loose(types, der::SEQUENCE).map(|(types, _)| types).unwrap_or_default();
        for oid in der::elements(types).filter(|element| element.tag == der::OBJECT_IDENTIFIER) {
            match oid.content.strip_prefix(TYPE) {
                Some([2]) => self.seal = true,
                Some([3]) => self.website = true,
                _ => {}
            }
        }
    }

    /// Whether the policy takes it.
    pub fn satisfies(self, wanted: CertificateType) -> bool {
        match wanted {
            CertificateType::Any => true,
            CertificateType::Qseal => self.qualified && self.seal,
            CertificateType::Qwac => self.qualified && self.website,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn oid(parts: &[&[u8]]) -> Vec<u8> {
        der::encode(der::OBJECT_IDENTIFIER, parts)
    }

    fn seq(parts: &[&[u8]]) -> Vec<u8> {
        der::encode(der::SEQUENCE, parts)
    }

    fn extension(qualified: bool, types: &[u8]) -> Vec<u8> {
        let types: Vec<u8> = types.iter().flat_map(|number| oid(&[TYPE, &[*number]])).collect();
        let types = seq(&[&oid(&[TYPE]), &seq(&[&types])]);
        match qualified {
            true => seq(&[&seq(&[&oid(&[COMPLIANCE])]), &types]),
            false => seq(&[&types]),
        }
    }

    #[test]
    fn a_type_counts_where_the_certificate_is_qualified() {
        use CertificateType::{Any, Qseal, Qwac};
        for (qualified, types, taken) in [
            (true, &[2][..], &[Any, Qseal][..]),
            (true, &[3], &[Any, Qwac]),
            (true, &[2, 3], &[Any, Qseal, Qwac]),
            (true, &[1], &[Any]),
            (true, &[4], &[Any]),
            (true, &[], &[Any]),
            (false, &[2, 3], &[Any]),
        ] {
            let found = Qualification::from_extension(&extension(qualified, types));
            for wanted in [Any, Qseal, Qwac] {
                assert_eq!(
                    found.satisfies(wanted),
                    taken.contains(&wanted),
                    "{qualified} {types:?} {wanted:?}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn no_input_panics(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = Qualification::from_extension(&bytes);
        }
    }
}
