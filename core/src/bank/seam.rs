//! The seam that every bank implements, by subject.

use super::accounts::BankAccounts;
use super::card_accounts::BankCardAccounts;
use super::customers::BankCustomers;
use super::operations::{BankOperations, NoOwnOperations};
use super::payments::BankPayments;
use super::risk::{BankRisk, NoRiskAnalysis};

/// The bank behind the engine. A bank of one type returns itself for each subject. A wrapper returns those of the bank
/// inside, and itself for the subject that it replaces.
pub trait Bank: Send + Sync {
    /// The persons of a bank, and the corporate agreements that they may act under.
    fn customers(&self) -> &dyn BankCustomers;

    /// The ordinary accounts of a bank, with balances and transactions.
    fn account_data(&self) -> &dyn BankAccounts;

    /// The card accounts of a bank, with balances and transactions.
    fn card_account_data(&self) -> &dyn BankCardAccounts;

    /// What a bank knows about a payment before it is created, and what it does with it afterwards.
    fn payments(&self) -> &dyn BankPayments;

    /// The bank's risk analysis. By default there is none: the rules decide about SCA.
    fn risk(&self) -> &dyn BankRisk {
        &NoRiskAnalysis
    }

    /// Operations of the bank beside those of the engine. None by default.
    fn own_operations(&self) -> &dyn BankOperations {
        &NoOwnOperations
    }
}
