//! Settling orders, and the proof that no money came or went unseen.

use chrono::{DateTime, Utc};

use super::posting::Settlement;
use super::{access, reserved, Rates};
use crate::error::{Error, Result};
use crate::store::sqlite::sandbox::{
    AccountKey, Books, EntryOutcome, LedgerAccount, Order, OrderEntry, OrderState,
};
use crate::store::sqlite::Database;
use crate::types::{Bban, Money};

/// An account whose balance is not what its lines say.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Discrepancy {
    /// The account.
    pub account: AccountKey,
    /// What its opening balance, lines and balance changes come to.
    pub proven: Money,
    /// What its balance is.
    pub booked: Money,
}

/// Books an order entry by entry, each for itself: one that cannot be booked is left out, and those after it
/// are tried all the same. Sets what became of each and of the order as a whole. `books` must be open for
/// writing: what is read here must hold until it is written.
pub(super) fn settle(books: &Books<'_>, rates: &Rates, order: &mut Order, at: DateTime<Utc>) -> Result<()> {
    let mut outcomes = Vec::with_capacity(order.entries.len());
    // The fee is that of the order: it is paid with the first entry that is booked, and with none if none is.
    let mut fee = order.fee;
    for (position, entry) in (0_u32..).zip(&order.entries) {
        let outcome = settle_entry(books, rates, order, (position, entry), fee, at)?;
        if outcome == EntryOutcome::Booked {
            fee = Money::zero(fee.currency());
        }
        outcomes.push(outcome);
    }
    debug_assert_eq!(outcomes.len(), order.entries.len(), "each entry of a bulk has one outcome");
    order.state = state_of(&outcomes);
    order.settled_at = Some(at);
    for (entry, outcome) in order.entries.iter_mut().zip(outcomes) {
        entry.outcome = Some(outcome);
    }
    Ok(())
}

fn settle_entry(
    books: &Books<'_>,
    rates: &Rates,
    order: &Order,
    (position, entry): (u32, &OrderEntry),
    fee: Money,
    at: DateTime<Utc>,
) -> Result<EntryOutcome> {
    // Read again for each entry: those before it have moved the balance.
    let debtor = match &order.debtor {
        Some(key) => books.ledger_account(key)?.filter(|account| account.may_pay),
        None => None,
    };
    let Some(debtor) = debtor else { return Ok(EntryOutcome::NoDebtor) };
    let creditor = creditor(books, entry)?;
    let held_back = reserved::held_back(books, &debtor)?;
    let (debtor, creditor) = (&debtor, creditor.as_ref());
    let settlement = Settlement { order, position, entry, fee, debtor, held_back, creditor, rates, at };
    match settlement.lines() {
        Ok(lines) => {
            lines.iter().try_for_each(|line| books.book(line))?;
            Ok(EntryOutcome::Booked)
        }
        Err(refused) => Ok(refused),
    }
}

/// What the entries make of their order.
fn state_of(outcomes: &[EntryOutcome]) -> OrderState {
    let has = |wanted| outcomes.contains(&wanted);
    let all_booked = outcomes.iter().all(|outcome| *outcome == EntryOutcome::Booked);
    match (has(EntryOutcome::Booked), has(EntryOutcome::NoFunds)) {
        (true, _) if all_booked => OrderState::Booked,
        (true, true) => OrderState::PartlyNoFunds,
        (true, false) => OrderState::Partly,
        (false, true) => OrderState::NoFunds,
        (false, false) if has(EntryOutcome::NoDebtor) => OrderState::NoDebtor,
        (false, false) => OrderState::NotConvertible,
    }
}

/// The payee's account, if this bank has it: the ordinary one of that number, else the card account. A bban is looked
/// up only with the IBAN that makes it a Norwegian one.
fn creditor(books: &Books<'_>, entry: &OrderEntry) -> Result<Option<LedgerAccount>> {
    let Some(iban) = &entry.creditor.iban else { return Ok(None) };
    match (books.ledger_account_by_iban(iban)?, iban.bban()) {
        (None, Some(bban)) => card_account(books, &bban),
        (found, _) => Ok(found),
    }
}

/// The card account of that number. `None` if several have it, because the order does not say which of them is paid.
fn card_account(books: &Books<'_>, number: &Bban) -> Result<Option<LedgerAccount>> {
    let mut found = Vec::new();
    for account in books.card_ledger_accounts_by_account_number(number.as_str())? {
        if !access::is_deleted(books, &account)? {
            found.push(account);
        }
    }
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// The accounts, in the order of their creation, whose balance is not their opening balance plus their
/// lines plus their balance changes. There are none.
///
/// # Errors
/// [`Error::Store`]; [`Error::Internal`] where a sum would have more than 18 digits before the point.
pub(crate) fn reconcile(database: &Database) -> Result<Vec<Discrepancy>> {
    let no_sum = || Error::Internal("the lines of an account have no sum".to_owned());
    let differing = unproven(database)?.into_iter().map(|(account, proven)| {
        let proven = proven.ok_or_else(no_sum)?;
        Ok(Discrepancy { account: account.key, proven, booked: account.booked })
    });
    differing.collect()
}

/// As [`reconcile`], those accounts included whose lines come to no sum that a balance of theirs can be: with `None`.
///
/// # Errors
/// [`Error::Store`].
pub(crate) fn unproven(database: &Database) -> Result<Vec<(LedgerAccount, Option<Money>)>> {
    database.read_books(|books| {
        let mut found = Vec::new();
        for account in books.ledger_accounts()? {
            let proven = proven_balance(books, &account)?;
            if proven != Some(account.booked) {
                found.push((account, proven));
            }
        }
        Ok(found)
    })
}

/// The sum, in any order: partial sums need not be valid balances.
fn proven_balance(books: &Books<'_>, account: &LedgerAccount) -> Result<Option<Money>> {
    let lines = books.transactions(&account.key)?.into_iter().map(|line| line.amount);
    let changes = books.balance_changes(&account.key)?.into_iter().map(|change| change.difference);
    let sum = lines.chain(changes).try_fold(account.opening.value(), |sum, moved| {
        let is_of_account = moved.currency() == account.currency;
        is_of_account.then(|| sum.checked_add(moved.value())).flatten()
    });
    Ok(sum.and_then(|sum| Money::rounded(sum, account.currency)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::OrderStatus;
    use crate::payment::machine::PaymentStatus;
    use crate::sandbox::batch::next_run;
    use crate::sandbox::default_data::{account_id, card_account_id};
    use crate::sandbox::default_set::CUSTOMERS;
    use crate::sandbox::fixture::{bulk, noon, order, payment_id, Fixture};
    use crate::sandbox::view;
    use crate::store::sqlite::sandbox::{CardAccount, CardStatus};
    use crate::types::{Currency, Iban};

    const PAYS: &str = "95360573002";
    const OURS: [&str; 2] = ["95360573037", "95360573010"];
    const ELSEWHERE: &str = "95360573290";

    /// Takes a bulk, runs its batch, and gives the statuses it went through.
    fn settled(fixture: &Fixture, order: &crate::bank::PaymentOrder) -> Vec<(PaymentStatus, Option<bool>)> {
        fixture.submit(order, noon());
        let mut results = fixture.bank.run(next_run(noon())).unwrap();
        assert_eq!(reconcile(fixture.database()).unwrap(), []);
        let (id, statuses) = results.remove(0);
        assert_eq!((id, results.len()), (order.payment_id.clone(), 0));
        statuses
            .into_iter()
            .map(|OrderStatus { status, funds_available }| (status, funds_available))
            .collect()
    }

    const NO_FUNDS: Option<EntryOutcome> = Some(EntryOutcome::NoFunds);
    const BOOKED: Option<EntryOutcome> = Some(EntryOutcome::Booked);
    const NOT_CONVERTIBLE: Option<EntryOutcome> = Some(EntryOutcome::NotConvertible);

    #[test]
    fn a_bulk_is_a_line_for_each_entry_on_both_accounts() {
        let fixture = Fixture::new();
        let order =
            bulk(1, &[(OURS[0], "10.00"), (ELSEWHERE, "20.00"), (OURS[0], "10.00"), (OURS[1], "0.01")]);
        let all = [(PaymentStatus::Acsp, Some(true)), (PaymentStatus::Acsc, Some(true))];
        assert_eq!(settled(&fixture, &order), all);
        assert_eq!(fixture.outcomes(1), [BOOKED; 4]);
        assert_eq!(fixture.amounts(PAYS), ["-0.01", "-10.00", "-20.00", "-10.00"]);
        assert_eq!(fixture.amounts(OURS[0]), ["10.00", "10.00"]);
        assert_eq!(fixture.amounts(OURS[1]), ["0.01"]);
        let ledger = view::ledger(fixture.database(), PAYS).unwrap().unwrap();
        let ids: std::collections::BTreeSet<_> =
            ledger.bookings.iter().map(|booking| &booking.transaction_id).collect();
        assert_eq!(ids.len(), 4, "no two lines have one id");
    }

    #[test]
    fn a_bulk_delivered_twice_and_run_twice_is_booked_once() {
        let fixture = Fixture::new();
        let order = bulk(1, &[(OURS[0], "10.00"), (OURS[1], "20.00")]);
        fixture.submit(&order, noon());
        settled(&fixture, &order);
        fixture.bank.run(next_run(next_run(noon()))).unwrap();
        assert_eq!(fixture.amounts(PAYS), ["-20.00", "-10.00"]);
        fixture.bank.mark_reported(&payment_id(1)).unwrap();
        assert_eq!(fixture.submit(&order, noon()).status, PaymentStatus::Acsc);
        assert_eq!(fixture.amounts(PAYS), ["-20.00", "-10.00"]);
    }

    #[test]
    fn of_a_bulk_what_the_money_is_there_for_is_booked() {
        let part = [(PaymentStatus::Acsp, None), (PaymentStatus::Part, Some(false))];
        let none = [(PaymentStatus::Rjct, Some(false))];
        for (amounts, statuses, outcomes, left) in [
            (["100000.00", "0.01"], &part[..], [BOOKED, NO_FUNDS], "0.00"),
            (["100000.01", "100000.00"], &part, [NO_FUNDS, BOOKED], "0.00"),
            (["60000.00", "40000.01"], &part, [BOOKED, NO_FUNDS], "40000.00"),
            (["100000.01", "100000.01"], &none, [NO_FUNDS, NO_FUNDS], "100000.00"),
        ] {
            let fixture = Fixture::new();
            let order = bulk(1, &[(OURS[0], amounts[0]), (ELSEWHERE, amounts[1])]);
            assert_eq!(settled(&fixture, &order), statuses, "{amounts:?}");
            assert_eq!(fixture.outcomes(1), outcomes, "{amounts:?}");
            assert_eq!(fixture.balance(PAYS), left, "{amounts:?}");
        }
    }

    #[test]
    fn what_an_entry_pays_to_the_account_itself_can_be_spent_by_the_next() {
        let fixture = Fixture::new();
        let order = bulk(1, &[(PAYS, "100000.00"), (OURS[0], "100000.00")]);
        assert_eq!(settled(&fixture, &order).len(), 2);
        assert_eq!(fixture.balance(PAYS), "0.00");
    }

    #[test]
    fn an_entry_that_cannot_be_converted_says_nothing_of_the_money() {
        let settled_without_rate = |entries: &[(&str, &str)]| {
            let fixture = Fixture::new();
            fixture.bank.set_rates(Rates::default().without(Currency::ZWD));
            let mut order = bulk(1, entries);
            if let crate::payment::order::Order::Bulk(bulk) = &mut order.order {
                bulk.entries[0].instructed_amount =
                    crate::types::Amount::parse("1.00", Currency::ZWD).unwrap();
            }
            (settled(&fixture, &order), fixture.outcomes(1))
        };
        let (statuses, outcomes) = settled_without_rate(&[(OURS[0], "1.00"), (OURS[0], "1.00")]);
        assert_eq!(statuses, [(PaymentStatus::Acsp, None), (PaymentStatus::Part, None)]);
        assert_eq!(outcomes, [NOT_CONVERTIBLE, BOOKED]);
        let (statuses, outcomes) = settled_without_rate(&[(OURS[0], "1.00")]);
        assert_eq!((statuses, outcomes), (vec![(PaymentStatus::Rjct, None)], vec![NOT_CONVERTIBLE]));
    }

    #[test]
    fn the_fee_of_a_bulk_is_paid_once_with_the_first_entry_that_is_booked() {
        let with_fee = |entries: &[(&str, &str)]| {
            let fixture = Fixture::new();
            let fee = Money::from_whole_units(30, Currency::NOK);
            settled(&fixture, &crate::bank::PaymentOrder { fee, ..bulk(1, entries) });
            fixture.amounts(PAYS)
        };
        assert_eq!(
            with_fee(&[(OURS[0], "100000.00"), (OURS[0], "99969.00"), (OURS[0], "1.00")]),
            ["-1.00", "-30.00", "-99969.00"]
        );
        assert_eq!(with_fee(&[(OURS[0], "99970.01")]), [""; 0]);
    }

    #[test]
    fn a_bulk_whose_card_was_blocked_since_is_refused_as_a_whole() {
        let fixture = Fixture::new();
        let mut order = bulk(1, &[(OURS[0], "10.00"), (OURS[1], "10.00")]);
        if let crate::payment::order::Order::Bulk(bulk) = &mut order.order {
            bulk.debtor_account.identification = crate::sandbox::fixture::card("95360573029");
        }
        fixture.submit(&order, noon());
        let (id, blocked) = (card_account_id("95360573029"), CardStatus::Blocked);
        fixture.database().write_books(|books| books.set_card_status(&id, blocked)).unwrap();
        assert_eq!(settled(&fixture, &order), [(PaymentStatus::Rjct, None)]);
        assert_eq!(fixture.outcomes(1), [Some(EntryOutcome::NoDebtor); 2]);
    }

    #[test]
    fn a_bulk_that_fails_in_the_middle_books_nothing_and_waits() {
        let fixture = Fixture::new();
        let order = bulk(1, &[(OURS[0], "10.00"), (OURS[1], "10.00")]);
        fixture.submit(&order, noon());
        let key = AccountKey::from(&account_id(OURS[1]));
        // Three decimals are no balance in kroner: the account of the second entry cannot be read.
        let unreadable = Money::parse("100000.005", Currency::BHD).unwrap();
        fixture.database().write_books(|books| books.forge_booked(&key, unreadable)).unwrap();
        assert!(fixture.bank.run(next_run(noon())).is_err());
        assert_eq!(fixture.amounts(PAYS), [""; 0]);
        assert_eq!(fixture.outcomes(1), [None; 2]);
        let opening = Money::from_whole_units(100_000, Currency::NOK);
        fixture.database().write_books(|books| books.forge_booked(&key, opening)).unwrap();
        assert_eq!(fixture.bank.run(next_run(next_run(noon()))).unwrap().len(), 1);
        assert_eq!(fixture.amounts(PAYS), ["-10.00", "-10.00"]);
    }

    #[test]
    fn a_bulk_of_a_thousand_is_settled_whole() {
        let fixture = Fixture::new();
        let order = bulk(1, &[(OURS[0], "1.00"); 1000]);
        assert_eq!(settled(&fixture, &order).len(), 2);
        assert_eq!((fixture.balance(PAYS), fixture.amounts(OURS[0]).len()), ("99000.00".to_owned(), 1000));
    }

    const CARD: &str = "95360573029";

    /// A card account of the person who pays, beside the default ones.
    fn new_card(fixture: &Fixture, serial: &str, account_number: &str, currency: Currency) -> CardAccount {
        let card = CardAccount {
            id: card_account_id(serial),
            account_number: account_number.to_owned(),
            masked_pan: serial.to_owned(),
            currency,
            credit_limit: Money::zero(currency),
            opening: Money::zero(currency),
            booked: Money::zero(currency),
            ..fixture.card(CARD)
        };
        fixture.database().write_books(|books| books.insert_card_account(&card)).unwrap();
        card
    }

    #[test]
    fn a_payment_to_the_number_of_a_card_account_is_a_line_on_both_accounts() {
        let iban = Iban::of_norwegian(&Bban::parse(CARD).unwrap()).unwrap();
        for named in [CARD, iban.as_str()] {
            let fixture = Fixture::new();
            fixture.submit(&order(1, PAYS, named, "500.00"), noon());
            assert_eq!(
                (fixture.amounts(PAYS), fixture.amounts(CARD)),
                (vec!["-500.00".into()], vec!["500.00".into()])
            );
            assert_eq!((fixture.balance(PAYS), fixture.balance(CARD)), ("99500.00".into(), "500.00".into()));
            let line = view::ledger(fixture.database(), CARD).unwrap().unwrap().bookings.remove(0);
            assert_eq!(line.counterpart_account.as_deref(), Some(PAYS));
        }
    }

    #[test]
    fn a_card_account_in_euro_is_paid_in_euro_however_its_number_is_set_out() {
        let fixture = Fixture::new();
        new_card(&fixture, "9", "9536.05.73320", Currency::EUR);
        fixture.submit(&order(1, PAYS, "95360573320", "1000.00"), noon());
        let line = view::ledger(fixture.database(), "95360573320").unwrap().unwrap().bookings.remove(0);
        let exchange = line.currency_exchange.unwrap();
        assert_eq!((line.amount.as_str(), exchange.target_currency), ("85.29", "EUR"));
    }

    #[test]
    fn a_card_account_is_paid_while_it_is_not_deleted() {
        for (status, credited) in
            [(CardStatus::Enabled, "1.00"), (CardStatus::Blocked, "1.00"), (CardStatus::Deleted, "")]
        {
            let fixture = Fixture::new();
            let id = card_account_id(CARD);
            fixture.database().write_books(|books| books.set_card_status(&id, status)).unwrap();
            fixture.submit(&order(1, PAYS, CARD, "1.00"), noon());
            assert_eq!(
                (fixture.amounts(CARD).concat(), fixture.balance(PAYS)),
                (credited.into(), "99999.00".into())
            );
        }
    }

    #[test]
    fn card_accounts_of_one_number_are_unpaid_until_one_is_deleted() {
        let fixture = Fixture::new();
        let twin = new_card(&fixture, "9", "9536.05.73029", Currency::NOK);
        let seen = &twin.masked_pan;
        fixture.submit(&order(1, PAYS, CARD, "1.00"), noon());
        let amounts = |number: &str| fixture.amounts(number).concat();
        assert_eq!((amounts(CARD), amounts(seen), amounts(PAYS)), ("".into(), "".into(), "-1.00".into()));
        let deleted = CardStatus::Deleted;
        fixture.database().write_books(|books| books.set_card_status(&twin.id, deleted)).unwrap();
        fixture.submit(&order(2, PAYS, CARD, "2.00"), noon());
        assert_eq!((amounts(CARD), amounts(seen)), ("2.00".into(), "".into()));
        assert_eq!(
            amounts("9536.05.73029"),
            "2.00",
            "the one that is there comes before the one that is not"
        );
    }

    #[test]
    fn an_ordinary_account_comes_before_a_card_account_of_its_number() {
        let fixture = Fixture::new();
        let card = new_card(&fixture, "9", OURS[0], Currency::NOK);
        fixture.submit(&order(1, PAYS, OURS[0], "1.00"), noon());
        assert_eq!(
            (fixture.amounts(OURS[0]), fixture.amounts(&card.masked_pan)),
            (vec!["1.00".into()], vec![])
        );
    }

    /// The rule in other words: counts instead of cases.
    #[test]
    fn the_state_of_an_order_follows_from_its_entries() {
        use EntryOutcome::{Booked, NoDebtor, NoFunds, NotConvertible};
        let all = [Booked, NoFunds, NoDebtor, NotConvertible];
        for outcomes in (0..64).map(|n| [all[n % 4], all[n / 4 % 4], all[n / 16]]) {
            let count = |wanted| outcomes.iter().filter(|outcome| **outcome == wanted).count();
            let status = crate::sandbox::order_status::final_status(state_of(&outcomes));
            let expected = match count(Booked) {
                3 => PaymentStatus::Acsc,
                0 => PaymentStatus::Rjct,
                _ => PaymentStatus::Part,
            };
            assert_eq!(status.status, expected, "{outcomes:?}");
            assert_eq!(status.funds_available == Some(false), count(NoFunds) > 0, "{outcomes:?}");
            assert_eq!(status.funds_available == Some(true), count(Booked) == 3, "{outcomes:?}");
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
        let (key, forged) = (AccountKey::from(&account_id(PAYS)), Money::zero(Currency::NOK));
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
            let key = AccountKey::from(&account_id(PAYS));
            books.change_balance(&key, Money::zero(Currency::NOK), noon())?;
            Err(Error::Bank("the link went down".to_owned()))
        });
        assert!(matches!(outcome, Err(Error::Bank(_))));
        assert_eq!(fixture.balance(PAYS), "100000.00");
    }

    #[test]
    fn every_account_of_a_fresh_set_is_proven() {
        let fixture = Fixture::new();
        assert_eq!(reconcile(fixture.database()).unwrap(), []);
        let count = fixture.database().read_books(|books| books.ledger_accounts()).unwrap().len();
        assert_eq!(count, CUSTOMERS.iter().map(|row| row.accounts.len() + row.cards.len()).sum::<usize>());
    }
}
