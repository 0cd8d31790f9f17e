//! What the body of a payment is judged by, beside itself.

use chrono::NaiveDate;
use rust_decimal::Decimal;

use crate::error::Result;
use crate::policy::Policy;
use crate::reason::Category;
use crate::types::{Bban, Currency, KidAgreement};

/// What reading depends on beside the body.
pub(crate) struct Rules<'p> {
    /// The bank's policy.
    pub(crate) policy: &'p Policy,
    /// The calendar day in Europe/Oslo.
    pub(crate) today: NaiveDate,
    /// Whether `x-accept-fix: structured-addresses` asks for the rule early.
    pub(crate) structured_addresses_early: bool,
    /// What only the bank knows.
    pub(crate) bank: &'p dyn BankKnows,
}

/// What a body is judged by that only the bank knows.
pub(crate) trait BankKnows {
    /// Its rate from a currency to NOK.
    fn rate_to_nok(&self, currency: Currency) -> Result<Option<Decimal>>;

    /// Whether it exchanges one currency for another.
    fn exchanges(&self, from: Currency, to: Currency) -> Result<bool>;

    /// The KID agreement of a creditor's account.
    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>>;
}

impl Rules<'_> {
    /// Whether a missing address part is refused or warned of.
    pub(super) fn structured_addresses(&self) -> Category {
        if self.structured_addresses_early || self.today >= self.policy.structured_addresses_from {
            Category::Error
        } else {
            Category::Warning
        }
    }
}
