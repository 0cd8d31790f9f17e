//! Accounts as the bank tells of them and as a TPP is shown them.

pub mod agreement_view;
pub mod card_view;
pub mod listing;
pub mod query;
pub mod record;
pub mod transaction_view;
pub mod view;
