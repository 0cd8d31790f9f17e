//! The seam to the bank's own core (what the field calls an SPI).
//!
//! The engine asks; the bank answers. No database transaction is open while it does, so a slow bank slows down one call
//! and never the others. Every method may fail with [`Error::Bank`]: the TPP is then answered SYSTEM_ERROR and nothing
//! is stored. Every other error than that and [`Error::BankAnswer`] counts as the first, with its kind in the text.
//!
//! Answers go to third parties or into the store, so they are checked for banks in every language: texts, days, rates,
//! fees and masked numbers must be as docs/bank.md says. Anything else counts as [`Error::BankAnswer`], and the TPP is
//! answered as above.
//!
//! The engine measures by its clock how long an answer takes, and cannot cut a call off: each runs on its caller's
//! thread, so a bank sets time-outs of its own. An answer to a question that took longer than the policy
//! `bank_seconds_max` is not used: it counts as [`Error::Bank`]. Deeds count however late they answer, or bank and
//! engine would not agree on what happened; that they were slow is logged. Deeds are [`BankPayments::submit_payment`],
//! [`BankPayments::cancel_payment`], and [`BankOperations::perform`] where the operation is no GET; all else are
//! questions.
//!
//! [`Error::Bank`]: crate::Error::Bank
//! [`Error::BankAnswer`]: crate::Error::BankAnswer

mod accounts;
mod card_accounts;
mod customers;
mod operations;
mod payments;
mod risk;
mod seam;

pub use accounts::BankAccounts;
pub use card_accounts::BankCardAccounts;
pub use customers::BankCustomers;
pub use operations::{BankAnswer, BankCall, BankOperations};
pub use payments::{BankPayments, Cancellation, OrderStatus, PaymentOrder};
pub use risk::{BankRisk, ScaOccasion, ScaQuestion};
pub use seam::Bank;

pub use crate::account::record::{
    Account, Balance, BalanceType, CardAcceptorAddress, CardAccount, CardTransaction, CorporateAgreement,
    CurrencyExchange, Page, Party, Transaction, TransactionQuery, TransactionReference,
};
pub use crate::operation::{HeaderSet, Operation, OperationId, RoleNeeded};
pub use crate::payment::machine::PaymentStatus;
pub use crate::payment::order::{
    Address, Bulk, CreditTransfer, Order, Periodic, RegulatoryCode, RegulatoryInformation,
    RemittanceInformation, Schedule, StructuredReference,
};
pub use crate::payment::product::{Product, Service};
pub use crate::types::{PsuClient, ScaDemand};
pub use crate::wire::target::Target;
