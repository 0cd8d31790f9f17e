//! What the simulated bank keeps: one file per thing, each with its record and its statements.

pub mod account;
pub mod agreement;
pub mod balance_change;
pub mod books;
pub mod cancelled_payment;
pub mod card_account;
pub mod card_transaction;
pub mod customer;
pub mod held_back;
pub mod history;
pub mod kid_agreement;
mod known_party;
pub mod ledger_account;
pub mod line_count;
mod named_enum;
pub mod order;
pub mod order_entry;
pub mod own_name;
pub mod registered_tpp;
pub mod sca_demand;
pub mod transaction;
pub mod trust_anchor;

pub use account::Account;
pub use agreement::{Agreement, Engagement, Role};
pub use balance_change::BalanceChange;
pub use books::Books;
pub use card_account::{CardAccount, CardStatus};
pub use card_transaction::CardDetails;
pub use customer::{Customer, CustomerNumber, CustomerType};
pub use ledger_account::{AccountKey, LedgerAccount};
pub use order::{Order, OrderState};
pub use order_entry::{EntryOutcome, OrderEntry, OrderReference};
pub use registered_tpp::RegisteredTpp;
pub use transaction::{Counterpart, Exchange, Transaction};
