//! Balances set by hand (contract: Change card account balance).

use serde::Serialize;

use super::handler_context::{quiet, HandlerContext};
use super::members::{SettableBalance, Sum};
use super::outcome::Outcome;
use crate::account::record::BalanceType;
use crate::error::Error;
use crate::reason::Reason;
use crate::sandbox::reserved;
use crate::store::sqlite::sandbox::{AccountKey, Books};
use crate::types::{Currency, Money};
use crate::wire::described::described;
use crate::wire::json::Json;
use crate::wire::reader::Reader;

described! {
    /// A balance to be set. One that is named alone is the balance, and the other follows it.
    BalanceBody "balance" {
        /// The sum, in the account's currency.
        balance_amount: Sum = required "balanceAmount";
        /// Which balance it is; of several of one type the last counts.
        balance_type: SettableBalance = required "balanceType";
    }
}

/// What is wrong with balances of an account in that currency: another currency. Each is checked if it can be read,
/// independent of other errors; `None`: the account's currency cannot be read.
pub(super) fn check(balances: &Json<'_>, currency: Option<Currency>, reader: &mut Reader) {
    let Json::Array(items) = balances else { return };
    for (index, item) in items.iter().enumerate() {
        reader.within(&index.to_string(), |reader| {
            let sent =
                item.member("balanceAmount").and_then(|sum| quiet::<Currency>(sum, "currency", reader));
            if sent.zip(currency).is_some_and(|(sent, of_account)| sent != of_account) {
                reader.error_at("/balanceAmount/currency", Reason::DebtorAccountCurrency);
            }
        });
    }
}

/// As [`check`], of the member `balances` of an account that is to be made.
pub(super) fn check_member(account: &Json<'_>, reader: &mut Reader) {
    let Some(balances) = account.member("balances") else { return };
    let currency = quiet(account, "currency", reader);
    reader.within("balances", |reader| check(balances, currency, reader));
}

/// Both balances of an account. One that is named alone is the balance: the other follows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Balances {
    /// Of all that is booked.
    pub(super) closing_booked: Money,
    /// What is booked less what is reserved and held back.
    pub(super) expected: Money,
}

impl Balances {
    /// What was sent, on an account on which `waiting` is yet to be booked. `None`: nothing was.
    fn sent(balances: &[BalanceBody], waiting: Money) -> Option<Self> {
        let sum = |kind| {
            let named = balances.iter().rfind(|balance| balance.balance_type.0 == kind);
            named.map(|balance| Money::from(&balance.balance_amount))
        };
        let (closing, expected) = (sum(BalanceType::ClosingBooked), sum(BalanceType::Expected));
        let closing_booked = closing.or_else(|| expected?.checked_add(waiting))?;
        let expected = expected.or_else(|| closing_booked.checked_sub(waiting))?;
        Some(Self { closing_booked, expected })
    }

    /// The balances a new account is opened with: nothing where nothing was sent.
    pub(super) fn opening(balances: &[BalanceBody], currency: Currency) -> Self {
        let nothing = Money::zero(currency);
        Self::sent(balances, nothing).unwrap_or(Self { closing_booked: nothing, expected: nothing })
    }

    /// The balances of an account that is there.
    pub(super) fn of(context: &HandlerContext<'_>, books: &Books<'_>, key: &AccountKey) -> Outcome<Self> {
        let account = books.ledger_account(key)?.ok_or_else(lost)?;
        let expected = reserved::expected(books, context.rates, &account)?;
        Ok(Self { closing_booked: account.booked, expected })
    }

    /// Holds back of an account what makes its balances these two, beside what waits.
    pub(super) fn hold_back(self, books: &Books<'_>, key: &AccountKey, waiting: Money) -> Outcome<()> {
        let held = self.closing_booked.checked_sub(waiting).and_then(|left| left.checked_sub(self.expected));
        Ok(books.hold_back(key, held.ok_or_else(lost)?)?)
    }
}

/// Sets the balances that were sent, and gives both as they are now.
pub(super) fn set(
    context: &HandlerContext<'_>,
    books: &Books<'_>,
    key: &AccountKey,
    sent: &[BalanceBody],
) -> Outcome<Balances> {
    let account = books.ledger_account(key)?.ok_or_else(lost)?;
    if sent.is_empty() {
        return Balances::of(context, books, key);
    }
    let waiting = reserved::waiting(books, context.rates, &account)?;
    let new = Balances::sent(sent, waiting).ok_or_else(lost)?;
    books.change_balance(key, new.closing_booked, context.now)?;
    new.hold_back(books, key, waiting)?;
    Balances::of(context, books, key)
}

fn lost() -> Error {
    Error::Internal("an account has no balance".to_owned())
}

/// A balance as it is answered.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BalanceView {
    balance_amount: SumView,
    balance_type: &'static str,
}

/// A sum in whole units.
#[derive(Serialize)]
pub(super) struct SumView {
    currency: &'static str,
    amount: i32,
}

impl From<Money> for SumView {
    fn from(money: Money) -> Self {
        Self { currency: money.currency().code(), amount: money.whole_units() }
    }
}

impl Balances {
    /// Both as they are answered.
    pub(super) fn view(self) -> [BalanceView; 2] {
        let view = |kind: BalanceType, sum: Money| BalanceView {
            balance_amount: sum.into(),
            balance_type: kind.as_str(),
        };
        [view(BalanceType::ClosingBooked, self.closing_booked), view(BalanceType::Expected, self.expected)]
    }
}
