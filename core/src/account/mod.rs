//! Accounts as the bank returns them and as a TPP sees them.

pub mod agreement_view;
pub mod card_view;
pub mod listing;
pub mod query;
pub mod record;
pub mod transaction_view;
pub mod view;
