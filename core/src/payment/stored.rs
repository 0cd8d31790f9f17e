//! The text an order is stored as: the same JSON that details show.

use super::body;
use super::order::CreditTransfer;
use super::view::TransferView;
use crate::error::{Error, Result};
use crate::wire::json;

/// Writes an order.
///
/// # Errors
/// [`Error::Internal`]: an order that cannot be written is a bug.
pub fn to_text(transfer: &CreditTransfer) -> Result<String> {
    json::write_text(&TransferView::from(transfer))
}

/// Reads an order back.
///
/// # Errors
/// [`Error::Store`] for a text that [`to_text`] did not write.
pub fn from_text(text: &str) -> Result<CreditTransfer> {
    body::read_stored(text.as_bytes()).ok_or_else(|| Error::Store("a stored order cannot be read".to_owned()))
}
