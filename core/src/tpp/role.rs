//! The roles of a payment service provider (ETSI TS 119 495 V1.8.1, section 5.1 and annex A; PSD2).

use std::fmt;

/// One role, as a certificate states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// `Unspecified`: a role that the standard does not name.
    Unspecified,
    /// `PSP_AS`: account servicing.
    AccountServicing,
    /// `PSP_PI`: payment initiation.
    PaymentInitiation,
    /// `PSP_AI`: account information.
    AccountInformation,
    /// `PSP_IC`: issuing of card-based payment instruments.
    CardIssuing,
    /// `PSP_CB`.
    PspCb,
    /// `PSP_PA`.
    PspPa,
    /// `VOP_RS`: verification of payee.
    VopRs,
    /// `VOP_VS`: verification of payee.
    VopVs,
}

impl Role {
    /// Every role, in the order of their identifiers.
    pub const ALL: [Self; 9] = [
        Self::Unspecified,
        Self::AccountServicing,
        Self::PaymentInitiation,
        Self::AccountInformation,
        Self::CardIssuing,
        Self::PspCb,
        Self::PspPa,
        Self::VopRs,
        Self::VopVs,
    ];

    /// The name of the standard, `PSP_AI`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Unspecified => "Unspecified",
            Self::AccountServicing => "PSP_AS",
            Self::PaymentInitiation => "PSP_PI",
            Self::AccountInformation => "PSP_AI",
            Self::CardIssuing => "PSP_IC",
            Self::PspCb => "PSP_CB",
            Self::PspPa => "PSP_PA",
            Self::VopRs => "VOP_RS",
            Self::VopVs => "VOP_VS",
        }
    }

    /// The last number of the role's identifier 0.4.0.19495.1.n.
    pub fn number(self) -> u8 {
        match self {
            Self::Unspecified => 0,
            Self::AccountServicing => 1,
            Self::PaymentInitiation => 2,
            Self::AccountInformation => 3,
            Self::CardIssuing => 4,
            Self::PspCb => 5,
            Self::PspPa => 6,
            Self::VopRs => 51,
            Self::VopVs => 52,
        }
    }

    /// The role of the identifier 0.4.0.19495.1.n.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.number() == number)
    }

    /// Reads the name of the standard, or the field's word for a provider of the role: `AISP`, `PISP`,
    /// `ASPSP`, `PIISP`. Case does not matter.
    pub fn parse(name: &str) -> Option<Self> {
        let alias = |role: &Self| match role {
            Self::AccountServicing => "ASPSP",
            Self::PaymentInitiation => "PISP",
            Self::AccountInformation => "AISP",
            Self::CardIssuing => "PIISP",
            _ => role.as_str(),
        };
        Self::ALL
            .into_iter()
            .find(|role| name.eq_ignore_ascii_case(role.as_str()) || name.eq_ignore_ascii_case(alias(role)))
    }
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

/// A set of roles: one bit each, by the number of the role.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Roles(u64);

impl Roles {
    /// The set without roles.
    pub const NONE: Self = Self(0);

    /// Whether the set has the role.
    pub fn contains(self, role: Role) -> bool {
        self.0 & (1 << role.number()) != 0
    }

    /// Whether the set has no role.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Puts a role in.
    pub fn insert(&mut self, role: Role) {
        self.0 |= 1 << role.number();
    }

    /// The roles, in the order of [`Role::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Role> {
        Role::ALL.into_iter().filter(move |role| self.contains(*role))
    }
}

impl FromIterator<Role> for Roles {
    fn from_iter<I: IntoIterator<Item = Role>>(roles: I) -> Self {
        let mut set = Self::NONE;
        roles.into_iter().for_each(|role| set.insert(role));
        set
    }
}

impl fmt::Debug for Roles {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words_of_the_field_are_read_in_any_case() {
        assert_eq!(Role::parse("psp_ai"), Some(Role::AccountInformation));
        let words = ["aisp", "PISP", "ASPSP", "Piisp"].map(Role::parse);
        let [information, initiation] = [Role::AccountInformation, Role::PaymentInitiation];
        assert_eq!(words, [information, initiation, Role::AccountServicing, Role::CardIssuing].map(Some));
        assert_eq!([Role::parse("PSP_XX"), Role::parse("")], [None, None]);
        assert!(Role::ALL.iter().all(|role| Role::parse(role.as_str()) == Some(*role)));
        assert!(Role::ALL.iter().all(|role| Role::from_number(role.number()) == Some(*role)));
    }

    #[test]
    fn the_numbers_are_those_of_annex_a() {
        let numbers = Role::ALL.map(|role| (role.number(), role.as_str()));
        let published = [
            (0, "Unspecified"),
            (1, "PSP_AS"),
            (2, "PSP_PI"),
            (3, "PSP_AI"),
            (4, "PSP_IC"),
            (5, "PSP_CB"),
            (6, "PSP_PA"),
            (51, "VOP_RS"),
            (52, "VOP_VS"),
        ];
        assert_eq!(numbers, published);
        let all = Roles::from_iter(Role::ALL);
        assert_eq!(all.iter().collect::<Vec<_>>(), Role::ALL);
        assert_eq!((Role::from_number(7), Role::from_number(50), Role::from_number(53)), (None, None, None));
    }

    #[test]
    fn a_set_holds_each_role_once_in_order() {
        let set = Roles::from_iter([Role::CardIssuing, Role::AccountServicing, Role::CardIssuing]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [Role::AccountServicing, Role::CardIssuing]);
        assert!(!set.contains(Role::PaymentInitiation) && Roles::NONE.is_empty());
    }
}
