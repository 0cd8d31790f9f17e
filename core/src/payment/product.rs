//! The payment products and what sets them apart.

use crate::types::Currency;

/// A payment product of the service `payments`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Product {
    /// Domestic, settled at once.
    InstantDomesticStraks,
    /// Cross-border with regulatory reporting.
    NorwegianCrossBorder,
}

impl Product {
    /// Every product.
    pub const ALL: &'static [Product] = &[Self::InstantDomesticStraks, Self::NorwegianCrossBorder];

    /// The product's name in paths.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InstantDomesticStraks => "instant-norwegian-domestic-credit-transfers-straks",
            Self::NorwegianCrossBorder => "norwegian-cross-border-credit-transfers",
        }
    }

    /// The product of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|product| product.as_str() == text)
    }

    /// Whether the bank settles it at once instead of in its next batch.
    pub fn is_instant(self) -> bool {
        match self {
            Self::InstantDomesticStraks => true,
            Self::NorwegianCrossBorder => false,
        }
    }

    /// Whether both accounts are Norwegian, so that Norwegian account numbers and KID rules apply.
    pub fn is_domestic(self) -> bool {
        match self {
            Self::InstantDomesticStraks => true,
            Self::NorwegianCrossBorder => false,
        }
    }

    /// Whether the rule of structured addresses applies to a payment from an account in one currency to
    /// an account in the other (contract: Versioning).
    pub fn needs_structured_address(self, debtor: Currency, creditor: Currency) -> bool {
        !self.is_domestic() || debtor != creditor
    }
}
