//! Accounts as the bank returns them and as a TPP sees them.

pub(crate) mod agreement_view;
pub(crate) mod card_view;
pub(crate) mod listing;
pub(crate) mod query;
pub(crate) mod record;
pub(crate) mod transaction_view;
pub(crate) mod view;
