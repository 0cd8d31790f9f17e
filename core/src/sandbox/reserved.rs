//! What waiting orders and authorised uses of a card will take from an account: its pending transactions.
//!
//! An order in a batch to come holds back what it costs, its fee included, so that the expected balance is the
//! booked one less what is pending. An order that no batch carries out, such as a standing order, holds nothing
//! back, nor does one in a currency the bank does not trade: that will be refused.

use rust_decimal::Decimal;

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

/// The upper limit of what waiting orders count for, in whole units: a tenth of what a sum may be. An order needs no
/// funds when it is placed, and an imported state may have any authorised uses of cards, so they may exceed any sum;
/// results computed with them must still be sums.
const WAITING_MAX: i64 = 10_i64.pow(17);

/// What waiting orders and authorised uses of a card will take from an account, as far as it counts.
pub(super) fn waiting(books: &Books<'_>, rates: &Rates, account: &LedgerAccount) -> Result<Money> {
    let lines = lines(books, rates, account)?;
    let mut amounts = lines.iter().map(|line| line.amount.negated());
    let authorised = books.authorised(&account.key, account.currency)?;
    let sum = authorised.and_then(|authorised| amounts.try_fold(authorised, Money::checked_add));
    counted(sum, account)
}

/// A sum as far as it counts; `None` is beyond what a sum may be.
fn counted(sum: Option<Money>, account: &LedgerAccount) -> Result<Money> {
    let most = Decimal::from(WAITING_MAX);
    Money::rounded(sum.map_or(most, |sum| sum.value().min(most)), account.currency).ok_or_else(no_sum)
}

/// What no order can take from an account: what is held back by hand, and what uses of a card are authorised for.
pub(super) fn held_back(books: &Books<'_>, account: &LedgerAccount) -> Result<Money> {
    let authorised = counted(books.authorised(&account.key, account.currency)?, account)?;
    // What is expected is not there yet.
    let by_hand = books.held_back(&account.key, account.currency)?;
    let by_hand = if by_hand.is_negative() { Money::zero(account.currency) } else { by_hand };
    // Beyond what a sum may be, no account has what is held back by hand alone.
    Ok(by_hand.checked_add(authorised).unwrap_or(by_hand))
}

/// The booked balance of an account less what waits, what is authorised, and what is held back by hand.
pub(super) fn expected(books: &Books<'_>, rates: &Rates, account: &LedgerAccount) -> Result<Money> {
    let waiting = waiting(books, rates, account)?;
    let held_back = books.held_back(&account.key, account.currency)?;
    let left = account.booked.checked_sub(held_back).and_then(|left| left.checked_sub(waiting));
    left.ok_or_else(no_sum)
}

fn no_sum() -> Error {
    Error::Internal("what waits on an account has no sum".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::default_data::account_id;
    use crate::sandbox::fixture::{domestic, in_currency, noon, Fixture};
    use crate::store::sqlite::sandbox::AccountKey;
    use crate::types::Currency;

    #[test]
    fn what_waits_counts_up_to_ten_to_the_seventeenth_and_no_further() {
        let fixture = Fixture::new();
        fixture.bank.set_rates(Rates::default().with(Currency::KWD, Decimal::from(10_000)).unwrap());
        let key = AccountKey::from(&account_id("95360573002"));
        let counted = || {
            let read = |books: &Books<'_>| {
                let (account, rates) = (books.ledger_account(&key)?.unwrap(), fixture.bank.rates());
                Ok((waiting(books, &rates, &account)?, expected(books, &rates, &account)?))
            };
            let (waiting, expected) = fixture.database().read_books(read).unwrap();
            (waiting.to_string(), expected.to_string())
        };
        let most = ("100000000000000000.00".to_owned(), "-99999999999900000.00".to_owned());
        // Ten kroner less than the most, then the most, then beyond it, then beyond what a sum may be.
        fixture.submit(&in_currency(domestic(1, "1.00"), "9999999999999.999", Currency::KWD), noon());
        assert_eq!(counted(), ("99999999999999990.00".into(), "-99999999999899990.00".into()));
        fixture.submit(&domestic(2, "10.00"), noon());
        assert_eq!(counted(), most);
        fixture.submit(&domestic(3, "0.01"), noon());
        assert_eq!(counted(), most);
        for n in 4..14 {
            fixture.submit(&in_currency(domestic(n, "1.00"), "9999999999999.999", Currency::KWD), noon());
            assert_eq!(counted(), most, "{n}");
        }
    }
}
