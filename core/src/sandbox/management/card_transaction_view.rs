//! Transactions on mock card accounts as they are answered (contract: Sandbox card transactions).

use serde::Serialize;

use super::balance::SumView;
use crate::store::sqlite::sandbox::{CardAccount, CardDetails, Transaction};

/// A list of uses of a card. It has no `Debug`, so that no log can show it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardTransactionsView {
    card_account: CardView,
    card_transactions: ListsView,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CardView {
    masked_pan: String,
}

#[derive(Serialize)]
struct ListsView {
    booked: Vec<CardTransactionView>,
    /// What is made by hand is booked at once.
    pending: [&'static str; 0],
}

/// A use of a card.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CardTransactionView {
    card_transaction_id: String,
    booking_date: String,
    transaction_date: String,
    transaction_amount: SumView,
    original_amount: SumView,
    merchant_category_code: String,
}

impl CardTransactionsView {
    pub(super) fn of(card: CardAccount, booked: Vec<CardTransactionView>) -> Self {
        Self {
            card_account: CardView { masked_pan: card.masked_pan },
            card_transactions: ListsView { booked, pending: [] },
        }
    }
}

impl CardTransactionView {
    /// Every member is required: without a day of use, the booking date is shown.
    pub(super) fn of(line: &Transaction, details: CardDetails) -> Self {
        Self {
            card_transaction_id: details.card_transaction_id,
            booking_date: line.booking_date.to_string(),
            transaction_date: details.transaction_date.unwrap_or(line.booking_date).to_string(),
            transaction_amount: line.amount.negated().into(),
            original_amount: details.original_amount.into(),
            merchant_category_code: details.merchant_category_code.unwrap_or_default(),
        }
    }
}
