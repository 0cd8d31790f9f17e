//! Settling orders, and the proof that no money came or went unseen.

use chrono::{DateTime, Utc};

use super::posting::Settlement;
use super::Rates;
use crate::error::{Error, Result};
use crate::store::sqlite::sandbox::{AccountKey, Books, LedgerAccount, Order, OrderState};
use crate::store::sqlite::Database;
use crate::types::Money;

/// An account whose balance is not what its lines say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discrepancy {
    /// The account.
    pub account: AccountKey,
    /// What its opening balance, lines and balance changes come to.
    pub proven: Money,
    /// What its balance is.
    pub booked: Money,
}

/// Books an order, or finds that it cannot be booked and books nothing. `books` must be open for writing:
/// what is read here must hold until it is written.
pub(super) fn settle(
    books: &Books<'_>,
    rates: &Rates,
    order: &Order,
    at: DateTime<Utc>,
) -> Result<OrderState> {
    let debtor = match &order.debtor {
        Some(key) => books.ledger_account(key)?.filter(|account| account.may_pay),
        None => None,
    };
    let Some(debtor) = debtor else { return Ok(OrderState::NoDebtor) };
    let creditor = creditor(books, order)?;
    let settlement = Settlement { order, debtor: &debtor, creditor: creditor.as_ref(), rates, at };
    match settlement.lines() {
        Ok(lines) => {
            lines.iter().try_for_each(|line| books.book(line))?;
            Ok(OrderState::Booked)
        }
        Err(refused) => Ok(refused),
    }
}

/// The payee's account, if this bank has it. A bban is looked up only with the IBAN that makes it a
/// Norwegian one.
fn creditor(books: &Books<'_>, order: &Order) -> Result<Option<LedgerAccount>> {
    match &order.creditor.iban {
        Some(iban) => books.ledger_account_by_iban(iban),
        None => Ok(None),
    }
}

/// The accounts, in the order of their creation, whose balance is not their opening balance plus their
/// lines plus their balance changes. There are none.
///
/// # Errors
/// [`Error::Store`]; [`Error::Internal`] where a sum would have more than 18 digits before the point.
pub fn reconcile(database: &Database) -> Result<Vec<Discrepancy>> {
    database.read_books(|books| {
        let mut found = Vec::new();
        for account in books.ledger_accounts()? {
            let proven = proven_balance(books, &account)?;
            if proven != account.booked {
                found.push(Discrepancy { account: account.key, proven, booked: account.booked });
            }
        }
        Ok(found)
    })
}

fn proven_balance(books: &Books<'_>, account: &LedgerAccount) -> Result<Money> {
    let lines = books.transactions(&account.key)?.into_iter().map(|line| line.amount);
    let changes = books.balance_changes(&account.key)?.into_iter().map(|change| change.difference);
    let mut movements = lines.chain(changes);
    movements
        .try_fold(account.opening, Money::checked_add)
        .ok_or_else(|| Error::Internal("the lines of an account have no sum".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::bank::{Bank, PaymentOrder};
    use crate::payment::machine::PaymentStatus;
    use crate::sandbox::batch::next_run;
    use crate::sandbox::default_data::account_id;
    use crate::sandbox::default_set::CUSTOMERS;
    use crate::sandbox::fixture::{cross_border, in_currency, noon, order, payment_id, Fixture};
    use crate::types::Currency;

    /// Ours in NOK and EUR, and one elsewhere.
    const ACCOUNTS: [&str; 5] = ["95360573002", "95360573010", "95360573037", "95360573045", "95360573290"];

    #[derive(Debug, Clone)]
    struct Step {
        debtor: usize,
        creditor: usize,
        minor_units: i64,
        currency: Currency,
        is_instant: bool,
        batch_follows: bool,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let currency =
            prop_oneof![Just(Currency::NOK), Just(Currency::EUR), Just(Currency::JPY), Just(Currency::KWD)];
        let step = (0..4_usize, 0..5_usize, 1..9_000_000_i64, currency, any::<bool>(), any::<bool>());
        let step = step.prop_map(|(debtor, creditor, minor_units, currency, is_instant, batch_follows)| {
            Step { debtor, creditor, minor_units, currency, is_instant, batch_follows }
        });
        prop::collection::vec(step, 1..24)
    }

    fn payment(n: usize, step: &Step) -> PaymentOrder {
        let amount =
            rust_decimal::Decimal::new(step.minor_units, step.currency.minor_units().into()).to_string();
        let order = order(u8::try_from(n).unwrap(), ACCOUNTS[step.debtor], ACCOUNTS[step.creditor], "1.00");
        let order = in_currency(order, &amount, step.currency);
        if step.is_instant {
            order
        } else {
            cross_border(order)
        }
    }

    /// All balances by currency.
    fn holdings(fixture: &Fixture) -> BTreeMap<&'static str, rust_decimal::Decimal> {
        let accounts = fixture.database().read_books(|books| books.ledger_accounts()).unwrap();
        let mut sums = BTreeMap::new();
        for account in accounts {
            *sums.entry(account.currency.code()).or_default() += account.booked.value();
        }
        sums
    }

    /// What a settled order moves out of this bank's accounts by currency, counted from the order alone.
    fn outflow(
        fixture: &Fixture,
        payment: &PaymentOrder,
        creditor_is_ours: bool,
    ) -> BTreeMap<&'static str, rust_decimal::Decimal> {
        let of = |number: &str| if number == "95360573045" { Currency::EUR } else { Currency::NOK };
        let rates = &fixture.bank.rates;
        let sum = Money::from(payment.transfer.instructed_amount);
        let debtor = of(payment.transfer.debtor_account.identification.as_str());
        let mut flows: BTreeMap<&'static str, rust_decimal::Decimal> = BTreeMap::new();
        let least = rust_decimal::Decimal::new(1, 2);
        *flows.entry(debtor.code()).or_default() += rates.convert(sum, debtor).unwrap().value().max(least);
        *flows.entry(debtor.code()).or_default() += rates.convert(payment.fee, debtor).unwrap().value();
        if creditor_is_ours {
            let creditor = of(payment.transfer.creditor_account.identification.as_str());
            *flows.entry(creditor.code()).or_default() -= rates.convert(sum, creditor).unwrap().value();
        }
        flows
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn no_money_comes_or_goes_but_what_the_orders_say(steps in steps()) {
            let fixture = Fixture::new();
            let before = holdings(&fixture);
            let payments: Vec<_> = steps.iter().enumerate().map(|(n, step)| payment(n, step)).collect();
            let mut now = noon();
            let mut settled = Vec::new();
            for (n, (step, payment)) in steps.iter().zip(&payments).enumerate() {
                let status = fixture.bank.submit_payment(payment, now).unwrap();
                prop_assert_eq!(status, fixture.bank.submit_payment(payment, now).unwrap());
                settled.extend((status.status == PaymentStatus::Acsc).then_some(n));
                if step.batch_follows || n + 1 == steps.len() {
                    now = next_run(now);
                    for (id, statuses) in fixture.bank.run(now).unwrap() {
                        let n = payments.iter().position(|payment| payment.payment_id == id).unwrap();
                        settled.extend((statuses.len() == 2).then_some(n));
                        fixture.bank.mark_reported(&id).unwrap();
                    }
                }
                prop_assert_eq!(reconcile(fixture.database()).unwrap(), []);
            }
            let mut expected = before;
            for n in settled {
                for (currency, flow) in outflow(&fixture, &payments[n], steps[n].creditor < 4) {
                    *expected.entry(currency).or_default() -= flow;
                }
            }
            prop_assert_eq!(holdings(&fixture), expected);
            for account in fixture.database().read_books(|books| books.ledger_accounts()).unwrap() {
                prop_assert!(!account.booked.checked_add(account.credit_line).unwrap().is_negative());
            }
        }
    }

    #[test]
    fn a_balance_set_by_hand_is_proven_too() {
        let fixture = Fixture::new();
        let key = AccountKey::from(&account_id("95360573002"));
        for text in ["5.00", "-7.25", "1000000.00"] {
            let booked = Money::parse(text, Currency::NOK).unwrap();
            fixture.database().write_books(|books| books.change_balance(&key, booked, noon())).unwrap();
            assert_eq!(fixture.balance("95360573002"), text);
            assert_eq!(reconcile(fixture.database()).unwrap(), []);
        }
        let euro = Money::zero(Currency::EUR);
        assert!(fixture.database().write_books(|books| books.change_balance(&key, euro, noon())).is_err());
    }

    #[test]
    fn a_balance_that_its_lines_do_not_prove_is_found() {
        let fixture = Fixture::new();
        let (key, forged) = (AccountKey::from(&account_id(ACCOUNTS[0])), Money::zero(Currency::NOK));
        fixture.database().write_books(|books| books.forge_booked(&key, forged)).unwrap();
        let proven = Money::from_whole_units(100_000, Currency::NOK);
        let found = reconcile(fixture.database()).unwrap();
        assert_eq!(found, [Discrepancy { account: key, proven, booked: forged }]);
    }

    #[test]
    fn an_error_in_the_middle_books_nothing() {
        let fixture = Fixture::new();
        let outcome: Result<()> = fixture.database().write_books(|books| {
            let order = books.order(&payment_id(1))?;
            assert!(order.is_none());
            let key = AccountKey::from(&account_id(ACCOUNTS[0]));
            books.change_balance(&key, Money::zero(Currency::NOK), noon())?;
            Err(Error::Bank("the link went down".to_owned()))
        });
        assert!(matches!(outcome, Err(Error::Bank(_))));
        assert_eq!(fixture.balance(ACCOUNTS[0]), "100000.00");
    }

    #[test]
    fn every_account_of_a_fresh_set_is_proven() {
        let fixture = Fixture::new();
        assert_eq!(reconcile(fixture.database()).unwrap(), []);
        let count = fixture.database().read_books(|books| books.ledger_accounts()).unwrap().len();
        assert_eq!(count, CUSTOMERS.iter().map(|row| row.accounts.len() + row.cards.len()).sum::<usize>());
    }
}
