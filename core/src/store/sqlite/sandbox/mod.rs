//! What the simulated bank keeps: one file per thing, each with its record and its statements.

pub(crate) mod account;
pub(crate) mod agreement;
pub(crate) mod authorisation;
pub(crate) mod balance_change;
pub(crate) mod books;
pub(crate) mod cancelled_payment;
pub(crate) mod card_account;
pub(crate) mod card_transaction;
pub(crate) mod customer;
mod database;
mod fact;
pub(crate) mod held_back;
pub(crate) mod history;
pub(crate) mod image;
pub(crate) mod kid_agreement;
mod known_party;
pub(crate) mod ledger_account;
pub(crate) mod line_count;
mod named_enum;
pub(crate) mod order;
pub(crate) mod order_entry;
pub(crate) mod own_name;
pub(crate) mod population;
pub(crate) mod registered_tpp;
pub(crate) mod sca_demand;
mod schema;
#[cfg(feature = "arrow")]
mod table_scan;
pub(crate) mod transaction;
pub(crate) mod trust_anchor;

pub(crate) use account::Account;
pub(crate) use agreement::{Agreement, Engagement, Role};
pub(crate) use authorisation::CardAuthorisation;
pub(crate) use books::Books;
pub(crate) use card_account::{CardAccount, CardStatus};
pub(crate) use card_transaction::CardDetails;
pub(crate) use customer::{Customer, CustomerNumber, CustomerType};
pub(crate) use fact::{CLOCK, SCHEMA_VERSION};
pub(crate) use ledger_account::{AccountKey, LedgerAccount};
pub(crate) use order::{Order, OrderState};
pub(crate) use order_entry::{EntryOutcome, OrderEntry, OrderReference};
pub(crate) use population::StoredPopulation;
pub(crate) use registered_tpp::RegisteredTpp;
#[cfg(feature = "arrow")]
pub(crate) use table_scan::{Cell, ScanQuery, TableScan, TakeCell};
pub(crate) use transaction::{BookingOutcome, Counterpart, Exchange, Transaction};
