//! The PSD2 statement of a qualified certificate (ETSI TS 119 495 section 5.1), inside the qcStatements
//! extension (RFC 3739):
//!
//! ```text
//! QCStatement ::= SEQUENCE { 0.4.0.19495.2, PSD2QcType }
//! PSD2QcType  ::= SEQUENCE { RolesOfPSP, nCAName UTF8String, nCAId UTF8String }
//! RolesOfPSP  ::= SEQUENCE OF SEQUENCE { roleOfPspOid 0.4.0.19495.1.n, roleOfPspName UTF8String }
//! ```
//!
//! Certificates in the field get the nesting wrong: no SEQUENCE around the roles, one flat role, all roles in one flat
//! SEQUENCE, names without identifiers. So the statement is read as the sequence of identifiers and texts that it
//! holds, at any depth. Where there is an identifier, identifiers alone count: names are for reading. Names count where
//! nothing has an identifier, but never the last two texts: those are the authority's name and identifier.

use super::role::{Role, Roles};
use crate::reason::Reason;
use crate::wire::der::{self, Element};

/// Content of the identifier 0.4.0.19495.2.
const PSD2_STATEMENT: &[u8] = &[0x04, 0x00, 0x81, 0x98, 0x27, 0x02];
/// Content of the identifiers 0.4.0.19495.1.n up to their last number.
const ROLE_ARC: &[u8] = &[0x04, 0x00, 0x81, 0x98, 0x27, 0x01];
/// The authority's name and its id.
const AUTHORITY_TEXTS: usize = 2;
/// Deeper than any nesting that was seen, well-formed or not.
const DEPTH_MAX: usize = 8;

/// What the PSD2 statement says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Psd2Statement {
    /// The roles that the national competent authority granted.
    pub roles: Roles,
    /// The authority's name, such as `Finanstilsynet`.
    pub authority_name: Option<String>,
    /// The authority's id, such as `NO-FSA`.
    pub authority_id: Option<String>,
}

impl Psd2Statement {
    /// Reads the content of a qcStatements extension. `None` where it has no PSD2 statement.
    pub fn from_extension(extension: &[u8]) -> Option<Self> {
        let mut reading = Reading::default();
        let info = find_statement(extension, DEPTH_MAX)?;
        reading.walk(info, DEPTH_MAX);
        Some(reading.into_statement())
    }

    /// The content of a qcStatements extension with this one statement, nested as the standard says.
    pub fn to_extension(&self) -> Vec<u8> {
        let roles: Vec<u8> = self.roles.iter().flat_map(encode_role).collect();
        let text = |text: &Option<String>| {
            der::encode(der::UTF8_STRING, &[text.as_deref().unwrap_or_default().as_bytes()])
        };
        let info = der::encode(
            der::SEQUENCE,
            &[&der::encode(der::SEQUENCE, &[&roles]), &text(&self.authority_name), &text(&self.authority_id)],
        );
        let statement = der::encode(der::OBJECT_IDENTIFIER, &[PSD2_STATEMENT]);
        der::encode(der::SEQUENCE, &[&der::encode(der::SEQUENCE, &[&statement, &info])])
    }
}

/// Whether a qcStatements extension is one SEQUENCE that is read to its end, with at most one PSD2 statement: of bytes
/// that readers differ about nothing is known.
///
/// # Errors
/// [`Reason::QcStatementsMalformed`], then [`Reason::Psd2StatementRepeated`].
pub(super) fn check(extension: &[u8]) -> Result<(), Reason> {
    let outer = der::read_loose(extension)
        .filter(|(outer, rest)| outer.tag == der::SEQUENCE && rest.is_empty())
        .ok_or(Reason::QcStatementsMalformed)?;
    match count_statements(outer.0.content, DEPTH_MAX).ok_or(Reason::QcStatementsMalformed)? {
        0 | 1 => Ok(()),
        _ => Err(Reason::Psd2StatementRepeated),
    }
}

/// How often the identifier of the PSD2 statement occurs. `None` where an element at any depth cannot be read.
fn count_statements(input: &[u8], depth: usize) -> Option<usize> {
    let inner = depth.checked_sub(1)?;
    der::each(input).try_fold(0, |count, element| {
        let element = element?;
        Some(match element.tag {
            der::OBJECT_IDENTIFIER => count + usize::from(element.content == PSD2_STATEMENT),
            tag if tag & der::CONSTRUCTED != 0 => count + count_statements(element.content, inner)?,
            _ => count,
        })
    })
}

fn encode_role(role: Role) -> Vec<u8> {
    let identifier = der::encode(der::OBJECT_IDENTIFIER, &[ROLE_ARC, &[role.number()]]);
    der::encode(der::SEQUENCE, &[&identifier, &der::encode(der::UTF8_STRING, &[role.as_str().as_bytes()])])
}

/// What follows the statement's identifier, in the SEQUENCE that it opens.
fn find_statement(input: &[u8], depth: usize) -> Option<&[u8]> {
    if let Some((PSD2_STATEMENT, info)) = der::read_tagged_loose(input, der::OBJECT_IDENTIFIER) {
        return Some(info);
    }
    let inner = depth.checked_sub(1)?;
    der::elements(input)
        .filter(|element| element.tag == der::SEQUENCE)
        .find_map(|element| find_statement(element.content, inner))
}

#[derive(Default)]
struct Reading {
    roles: Roles,
    /// Whether anything has an identifier.
    is_identified: bool,
    /// What is no name of anything identified.
    texts: Vec<String>,
    /// The last identifier has no text behind it yet: a role's name that comes next is the name of what it identifies.
    unnamed: bool,
    /// It is the last element of the same SEQUENCE: any text that comes next is that name.
    adjacent: bool,
}

impl Reading {
    fn walk(&mut self, input: &[u8], depth: usize) {
        for element in der::elements(input) {
            match element.tag {
                der::OBJECT_IDENTIFIER => self.identifier(element.content),
                tag if tag & der::CONSTRUCTED != 0 => {
                    if let Some(inner) = depth.checked_sub(1) {
                        self.walk(element.content, inner);
                    }
                    self.adjacent = false;
                }
                _ => self.text(element),
            }
        }
    }

    fn identifier(&mut self, oid: &[u8]) {
        let number = oid.strip_prefix(ROLE_ARC).and_then(|last| <[u8; 1]>::try_from(last).ok());
        (self.is_identified, self.unnamed, self.adjacent) = (true, true, true);
        number
            .and_then(|[number]| Role::from_number(number))
            .into_iter()
            .for_each(|role| self.roles.insert(role));
    }

    fn text(&mut self, element: Element<'_>) {
        let text = String::from_utf8_lossy(element.content);
        let (unnamed, adjacent) = (std::mem::take(&mut self.unnamed), std::mem::take(&mut self.adjacent));
        let names_what_is_identified = adjacent || (unnamed && role_named(&text).is_some());
        if !names_what_is_identified {
            self.texts.push(text.into_owned());
        }
    }

    fn into_statement(self) -> Psd2Statement {
        let Self { mut roles, is_identified, texts, .. } = self;
        let before_authority = texts.len().saturating_sub(AUTHORITY_TEXTS);
        let named: Vec<_> = texts.iter().take(before_authority).map_while(|text| role_named(text)).collect();
        let mut authority = texts.into_iter().skip(named.len());
        if !is_identified {
            named.into_iter().for_each(|role| roles.insert(role));
        }
        Psd2Statement { roles, authority_name: authority.next(), authority_id: authority.next() }
    }
}

fn role_named(name: &str) -> Option<Role> {
    Role::ALL.into_iter().find(|role| role.as_str() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seq(parts: &[Vec<u8>]) -> Vec<u8> {
        der::encode(der::SEQUENCE, &parts.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    fn oid(content: &[u8]) -> Vec<u8> {
        der::encode(der::OBJECT_IDENTIFIER, &[content])
    }

    fn role(number: u8) -> Vec<u8> {
        oid(&[ROLE_ARC, &[number]].concat())
    }

    fn text(text: &str) -> Vec<u8> {
        der::encode(der::UTF8_STRING, &[text.as_bytes()])
    }

    fn statement(info: Vec<u8>) -> Vec<u8> {
        seq(&[seq(&[oid(&[0x04, 0, 0x8e, 0x46, 1, 1])]), seq(&[oid(PSD2_STATEMENT), info])])
    }

    fn expected() -> Psd2Statement {
        Psd2Statement {
            roles: [Role::PaymentInitiation, Role::AccountInformation].into_iter().collect(),
            authority_name: Some("Finanstilsynet".into()),
            authority_id: Some("NO-FSA".into()),
        }
    }

    #[test]
    fn the_nesting_of_the_standard_is_read_and_written() {
        assert_eq!(Psd2Statement::from_extension(&expected().to_extension()), Some(expected()));
    }

    #[test]
    fn lengths_with_a_byte_too_many_are_read() {
        let long = |parts: &[Vec<u8>]| {
            let content = parts.concat();
            let length = u8::try_from(content.len()).unwrap();
            [&[der::SEQUENCE, 0x82, 0, length], &content[..]].concat()
        };
        let roles = long(&[long(&[role(2), text("PSP_PI")]), long(&[role(3), text("PSP_AI")])]);
        let info = long(&[roles, text("Finanstilsynet"), text("NO-FSA")]);
        let extension = long(&[long(&[oid(PSD2_STATEMENT), info])]);
        assert_eq!(Psd2Statement::from_extension(&extension), Some(expected()));
    }

    #[test]
    fn the_malformed_nestings_of_the_field_are_read() {
        let nca = [text("Finanstilsynet"), text("NO-FSA")];
        let both = [role(2), text("PSP_PI"), role(3), text("PSP_AI")];
        let roles = [seq(&both[..2]), seq(&both[2..])];
        let inner = |head: &[Vec<u8>]| seq(&[head, &nca].concat());
        for extension in [
            statement(inner(&roles)),                           // no SEQUENCE around the roles
            statement(inner(&[seq(&both)])),                    // one flat RoleOfPSP
            statement(inner(&both)),                            // not even that
            seq(&[oid(PSD2_STATEMENT), inner(&[seq(&roles)])]), // no SEQUENCE around the statements
            statement(inner(&[seq(&[role(2), role(3)])])),      // identifiers without names
            statement(inner(&[seq(&[text("PSP_PI"), text("PSP_AI")])])), // names without identifiers
            statement(inner(&[seq(&[seq(&[seq(&roles)])])])),   // one nesting too many
            statement(inner(&[seq(&[role(2), text("pi"), role(3), text("")])])), // names of their own
        ] {
            assert_eq!(Psd2Statement::from_extension(&extension), Some(expected()), "{extension:02x?}");
        }
    }

    #[test]
    fn statements_are_one_sequence_to_its_end_with_one_statement_of_psd2() {
        let one = expected().to_extension();
        let statements = der::read_all(&one).unwrap().content.to_vec();
        let other = seq(&[oid(&[0x04, 0, 0x8e, 0x46, 1, 1])]);
        let cut_off = [&[der::SEQUENCE, 5][..], &oid(&[0x2a, 3])].concat();
        for (what, extension, fault) in [
            ("one", one.clone(), None),
            ("none", seq(std::slice::from_ref(&other)), None),
            ("nothing", seq(&[]), None),
            ("beside another", seq(&[other.clone(), statements.clone(), other.clone()]), None),
            ("two", seq(&[statements.clone(), statements.clone()]), Some(Reason::Psd2StatementRepeated)),
            (
                "one within",
                seq(&[seq(std::slice::from_ref(&statements)), statements.clone()]),
                Some(Reason::Psd2StatementRepeated),
            ),
            ("a zero behind", [&one[..], &[0]].concat(), Some(Reason::QcStatementsMalformed)),
            ("another behind", [&one[..], &one].concat(), Some(Reason::QcStatementsMalformed)),
            ("a statement behind", [&one[..], &other].concat(), Some(Reason::QcStatementsMalformed)),
            ("an element cut off", seq(&[statements.clone(), cut_off]), Some(Reason::QcStatementsMalformed)),
            ("a SET", der::encode(der::SET, &[&statements]), Some(Reason::QcStatementsMalformed)),
            ("no bytes", Vec::new(), Some(Reason::QcStatementsMalformed)),
        ] {
            assert_eq!(check(&extension).err(), fault, "{what}");
        }
    }

    #[test]
    fn the_identifier_counts_and_not_a_name_that_differs() {
        let extension = statement(seq(&[seq(&[seq(&[role(1), text("PSP_PI")])]), text("N"), text("I")]));
        let read = Psd2Statement::from_extension(&extension).unwrap();
        assert_eq!(read.roles.iter().collect::<Vec<_>>(), [Role::AccountServicing]);
    }

    #[test]
    fn a_role_s_name_behind_any_identifier_is_no_role() {
        let long = oid(&[ROLE_ARC, &[0x81, 2]].concat());
        let unknown = role(7);
        for identifier in [oid(&[0x2a, 3, 4]), oid(ROLE_ARC), oid(&[]), oid(PSD2_STATEMENT), long, unknown] {
            for named in [
                seq(&[identifier.clone(), text("PSP_PI")]),
                seq(&[seq(std::slice::from_ref(&identifier)), text("PSP_PI")]),
                seq(&[identifier.clone(), seq(&[text("PSP_PI")])]),
            ] {
                let extension = statement(seq(&[seq(&[named]), text("N"), text("I")]));
                let read = Psd2Statement::from_extension(&extension).unwrap();
                assert!(read.roles.is_empty(), "{extension:02x?}");
                assert_eq!(read.authority_name.as_deref(), Some("N"));
            }
        }
    }

    #[test]
    fn a_name_beside_identifiers_is_no_role_nor_is_the_authority_s() {
        let proper = seq(&[role(3), text("PSP_AI")]);
        let nca = [text("Finanstilsynet"), text("NO-FSA")];
        let of_role = |name: &str| [text(name), text("NO-FSA")];
        for (roles, nca, expected, authority) in [
            (
                seq(&[proper.clone(), seq(&[text("PSP_PI")])]),
                nca,
                &[Role::AccountInformation][..],
                "Finanstilsynet",
            ),
            (seq(&[proper]), of_role("PSP_PI"), &[Role::AccountInformation], "PSP_PI"),
            (seq(&[]), of_role("PSP_PI"), &[], "PSP_PI"),
            (seq(&[text("PSP_AI")]), of_role("PSP_PI"), &[Role::AccountInformation], "PSP_PI"),
            (seq(&[]), [text("N"), text("PSP_PI")], &[], "N"),
        ] {
            let extension = statement(seq(&[vec![roles], nca.to_vec()].concat()));
            let read = Psd2Statement::from_extension(&extension).unwrap();
            assert_eq!(read.roles.iter().collect::<Vec<_>>(), expected, "{extension:02x?}");
            assert_eq!(read.authority_name.as_deref(), Some(authority));
        }
    }

    #[test]
    fn the_roles_of_later_editions_are_read_by_identifier_and_by_name() {
        let later = [Role::Unspecified, Role::PspCb, Role::PspPa, Role::VopRs, Role::VopVs];
        let both = |each: Role| seq(&[role(each.number()), text(each.as_str())]);
        let names = |each: Role| seq(&[text(each.as_str())]);
        for written in [later.map(both), later.map(names)] {
            let extension = statement(seq(&[seq(&written), text("N"), text("I")]));
            let read = Psd2Statement::from_extension(&extension).unwrap();
            assert_eq!(read.roles.iter().collect::<Vec<_>>(), later);
            assert_eq!(read.authority_name.as_deref(), Some("N"));
        }
    }

    #[test]
    fn an_unknown_role_is_no_role() {
        let extension = statement(seq(&[seq(&[seq(&[role(7), text("PSP_XX")])]), text("N"), text("I")]));
        let read = Psd2Statement::from_extension(&extension).unwrap();
        assert!(read.roles.is_empty());
        assert_eq!(read.authority_name.as_deref(), Some("N"));
    }

    #[test]
    fn an_extension_without_the_statement_says_nothing() {
        assert_eq!(Psd2Statement::from_extension(&seq(&[seq(&[oid(&[0x04, 0, 0x8e, 0x46, 1, 1])])])), None);
    }

    proptest! {
        #[test]
        fn no_input_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Psd2Statement::from_extension(&bytes);
            let _ = Psd2Statement::from_extension(&statement(bytes));
        }
    }
}
