//! The seam to the bank's own core (what the field calls an SPI).
//!
//! The engine asks; the bank answers. No database transaction is open while the bank is asked, so a slow bank delays
//! one call and not the others. Every method may fail with [`Error::Bank`]: the TPP then gets SYSTEM_ERROR and nothing
//! is stored. Every error except [`Error::BankAnswer`] is treated as [`Error::Bank`], with its kind in the text.
//!
//! Answers go to third parties or into the store, so they are checked for banks in every language: texts, days, rates,
//! fees and masked numbers must be as docs/bank.md says. Anything else counts as [`Error::BankAnswer`], and the TPP is
//! answered as above.
//!
//! The engine measures the time of an answer by its clock, and cannot interrupt a call: each runs on its caller's
//! thread, so a bank sets time-outs of its own. An answer to a question that took longer than the policy
//! `bank_seconds_max`, or after which all questions of the call took longer than `call_bank_seconds_max`, is not used:
//! it is treated as [`Error::Bank`]. A late answer to a deed is used and logged,
//! because otherwise bank and engine would disagree about the payment. Deeds are [`BankPayments::submit_payment`],
//! [`BankPayments::cancel_payment`], and [`BankOperations::perform`] unless the operation is a GET; all other methods
//! are questions.
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
