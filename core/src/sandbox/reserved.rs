//! What waiting orders will take from an account: its pending transactions.
//!
//! An order in a batch to come holds back what it costs, its fee included, so that the expected balance is the
//! booked one less what is pending. An order that no batch carries out, such as a standing order, holds nothing
//! back, nor does one in a currency the bank does not trade: that will be refused.

use super::posting::Settlement;
use super::Rates;
use crate::error::{Error, Result};
use crate::store::sqlite::sandbox::{Books, LedgerAccount, Order, Transaction};
use crate::types::Money;

/// The lines that the batches to come will book on an account if the money is there, the newest first. Their
/// booking date is that of the batch.
pub(super) fn lines(books: &Books<'_>, rates: &Rates, debtor: &LedgerAccount) -> Result<Vec<Transaction>> {
    let mut lines = Vec::new();
    for payment in books.waiting_payments_of(&debtor.key)? {
        if let Some(order) = books.order(&payment)? {
            let first = lines.len();
            lines.extend(lines_of(&order, rates, debtor));
            lines.get_mut(first..).unwrap_or_default().reverse();
        }
    }
    Ok(lines)
}

/// In the order they will be booked. The fee comes with the first entry.
fn lines_of(order: &Order, rates: &Rates, debtor: &LedgerAccount) -> Vec<Transaction> {
    let mut fee = order.fee;
    let mut lines = Vec::new();
    for (position, entry) in (0_u32..).zip(&order.entries) {
        let (held_back, creditor, at) = (Money::zero(debtor.currency), None, order.due_at);
        let settlement = Settlement { order, position, entry, fee, debtor, held_back, creditor, rates, at };
        let taken = settlement.taken();
        if let Ok(taken) = taken {
            lines.extend(taken);
            fee = Money::zero(fee.currency());
        }
    }
    lines
}

/// The booked balance of an account less what waiting orders will take and what is held back by hand.
pub(super) fn expected(books: &Books<'_>, rates: &Rates, account: &LedgerAccount) -> Result<Money> {
    let lines = lines(books, rates, account)?;
    let held_back = books.held_back(&account.key, account.currency)?.negated();
    let mut amounts = lines.iter().map(|line| line.amount).chain([held_back]);
    amounts
        .try_fold(account.booked, Money::checked_add)
        .ok_or_else(|| Error::Internal("what waits on an account has no sum".to_owned()))
}
