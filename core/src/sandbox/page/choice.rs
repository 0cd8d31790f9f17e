//! For whom a person acts: what is offered, and what a form says was chosen.

use crate::sandbox::OpenAgreement;
use crate::types::{AgreementId, CorporateKey};

const PRIVATE: &str = "private";
const AGREEMENT: &str = "agreement:";

/// The role that a form names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChosenRole {
    /// The person acts for themselves.
    Private,
    /// The person acts for the owner of an agreement.
    Agreement(AgreementId),
}

impl ChosenRole {
    /// Reads what a form carries.
    pub(super) fn parse(text: &str) -> Option<Self> {
        match text.strip_prefix(AGREEMENT) {
            Some(id) => AgreementId::parse(id).map(Self::Agreement),
            None => (text == PRIVATE).then_some(Self::Private),
        }
    }

    /// The role as a form carries it.
    pub(crate) fn value(&self) -> String {
        match self {
            Self::Private => PRIVATE.to_owned(),
            Self::Agreement(id) => format!("{AGREEMENT}{id}"),
        }
    }
}

/// A role that the person may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OfferedRole {
    /// How it is chosen.
    pub(crate) choice: ChosenRole,
    /// The customer the person then acts for, and its label on the page; `None` for the person themselves.
    pub(crate) company: Option<(CorporateKey, String)>,
}

impl OfferedRole {
    /// Acting for the owner of an agreement. The label shows the company's name once: in the agreement's name, or before
    /// it, because another company's agreement may have the same name.
    pub(crate) fn under(agreement: OpenAgreement) -> Self {
        let OpenAgreement { id, name, corporate, corporate_name } = agreement;
        let label = match names(&name, &corporate_name) {
            true => name,
            false => format!("{corporate_name} – {name}"),
        };
        Self { choice: ChosenRole::Agreement(id), company: Some((corporate, label)) }
    }
}

/// Returns true if a text has a name in it, as whole words.
fn names(text: &str, name: &str) -> bool {
    let is_within = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    text.match_indices(name).any(|(start, found)| {
        let (before, after) = (text.get(..start), text.get(start + found.len()..));
        !is_within(before.and_then(|text| text.chars().next_back()))
            && !is_within(after.and_then(|text| text.chars().next()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_company_is_named_with_its_agreement_and_once() {
        for (company, agreement, label) in [
            ("Acme AS", "Nettbank", "Acme AS – Nettbank"),
            ("Other AS", "Nettbank", "Other AS – Nettbank"),
            ("Acme AS", "Acme AS", "Acme AS"),
            ("Acme AS", "Nettbank bedrift Acme AS", "Nettbank bedrift Acme AS"),
            ("Acme AS", "Acme AS, Nettbank", "Acme AS, Nettbank"),
            ("Acme AS", "Acme ASA", "Acme AS – Acme ASA"),
            ("Acme", "MyAcme Acme", "MyAcme Acme"),
            ("Ås", "Nettbank Råså", "Ås – Nettbank Råså"),
        ] {
            let role = OfferedRole::under(OpenAgreement {
                id: AgreementId::from_bytes([3; 18]),
                name: agreement.to_owned(),
                corporate: CorporateKey::new("company"),
                corporate_name: company.to_owned(),
            });
            assert_eq!(role.company.unwrap().1, label);
        }
    }

    #[test]
    fn a_role_is_read_as_it_is_written_and_in_no_other_way() {
        let agreement = ChosenRole::Agreement(AgreementId::from_bytes([3; 18]));
        for role in [ChosenRole::Private, agreement] {
            assert_eq!(ChosenRole::parse(&role.value()), Some(role));
        }
        for text in ["", "PRIVATE", "private ", "agreement", "agreement:", "agreement:a/b", "corporate"] {
            assert_eq!(ChosenRole::parse(text), None, "{text}");
        }
    }
}
