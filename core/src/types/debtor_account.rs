//! An account that is to pay.

use super::Currency;

/// What the engine must know of an account that is to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DebtorAccount {
    /// The currency it is held in.
    pub currency: Currency,
}
