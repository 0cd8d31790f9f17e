//! A bank that lists something else than the part it is asked for, in Rust and in JSON.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use chrono::{NaiveDate, TimeDelta};
use parking_lot::Mutex;
use serde_json::{json, Value};
use xs2a::bank::{CardTransaction, Transaction};
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod, JsonBank};
use xs2a::policy::{Environment, Policy};
use xs2a::types::{Currency, Money};
use xs2a::{EngineBuilder, Response};

use super::{account, card, logged, reader, reader_with, transaction};
use crate::setup::{assert_system_error, Kept, Setup};
use crate::world::{body, text};

pub(crate) const ID: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
/// The PSU is there, so that no call counts.
pub(crate) const PRESENT: [(&str, &str); 1] = [("PSU-IP-Address", "192.0.2.1")];

/// The booking days of what a bank lists, and its total. An empty text is no day.
type List = (&'static [&'static str], u64);

/// A bank in JSON with an account and a card account. Its list is the same for every part that is requested.
#[derive(Default)]
struct ListingBank {
    list: Mutex<List>,
    /// The ids of its pending transactions.
    pending: Mutex<&'static [Option<&'static str>]>,
}

impl BankCalls for ListingBank {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> xs2a::Result<()> {
        let asked: Value = serde_json::from_str(request).unwrap();
        let (days, total) = *self.list.lock();
        let line = json!({ "transactionAmount": { "amount": "1.00", "currency": "NOK" } });
        let with =
            |name: &str, value: Option<&str>| crate::world::changed(line.clone(), &[(name, json!(value))]);
        let lines: Vec<_> =
            days.iter().map(|day| with("/bookingDate", (!day.is_empty()).then_some(day))).collect();
        let pending: Vec<_> = self.pending.lock().iter().map(|id| with("/transactionId", *id)).collect();
        let account = json!({ "accountId": ID, "currency": "NOK" });
        let card = json!({ "cardAccountId": ID, "maskedPan": "1234****", "currency": "NOK" });
        let answered = match method {
            BankMethod::Accounts => json!({ "psu": asked["psu"], "accounts": [account] }),
            BankMethod::CardAccounts => json!({ "psu": asked["psu"], "cardAccounts": [card] }),
            BankMethod::Account => account,
            BankMethod::CardAccount => card,
            BankMethod::Booked => json!({ "accountId": ID, "transactions": lines, "total": total }),
            BankMethod::CardBooked => json!({ "cardAccountId": ID, "transactions": lines, "total": total }),
            BankMethod::Pending => json!({ "accountId": ID, "transactions": pending }),
            _ => Value::Null,
        };
        answer.write(answered.to_string().as_bytes())
    }
}

/// An engine over a bank of that language, and what its engine logs.
struct Asked {
    setup: Setup,
    listing: Arc<ListingBank>,
    kept: Arc<Kept>,
}

impl Asked {
    fn in_rust() -> Self {
        Self::with(|builder, _| builder)
    }

    fn in_json() -> Self {
        Self::with(|builder, listing| builder.bank(Arc::new(JsonBank::new(Arc::clone(listing)))))
    }

    fn with(more: impl FnOnce(EngineBuilder, &Arc<ListingBank>) -> EngineBuilder) -> Self {
        let (kept, listing) = (Arc::new(Kept::default()), Arc::new(ListingBank::default()));
        let setup = Setup::with(|builder| more(builder.logger(Arc::clone(&kept) as Arc<_>), &listing));
        *setup.bank.accounts.lock() = vec![account(ID)];
        *setup.bank.cards.lock() = vec![card(ID)];
        Self { setup, listing, kept }
    }

    fn list(&self, (days, total): List) {
        *self.listing.list.lock() = (days, total);
        *self.setup.bank.transactions.lock() = days.iter().map(|day| booked_on(day)).collect();
        *self.setup.bank.card_transactions.lock() = days.iter().map(|day| used_on(day)).collect();
        *self.setup.bank.total.lock() = total;
    }

    fn pend(&self, ids: &'static [Option<&'static str>]) {
        *self.listing.pending.lock() = ids;
        *self.setup.bank.pending.lock() = ids.iter().map(|id| transaction(*id)).collect();
    }

    /// What the bank lists is answered, or is an error that is logged once, in these words, and changes nothing.
    #[track_caller]
    fn assert_taken_or(&self, read: &impl Fn(&str) -> Response, path: &str, fault: Option<&str>) {
        let committed = *self.setup.store.committed.lock();
        let response = read(path);
        let Some(fault) = fault else {
            assert_eq!(response.status(), 200, "{path}: {} {:?}", body(&response), logged(&self.kept));
            assert_eq!(logged(&self.kept), [""; 0]);
            return;
        };
        assert_system_error(&response, "SYS-02");
        let (lines, answered) =
            (logged(&self.kept), format!(" error={:?}", format!("bank's answer: {fault}")));
        assert!(lines.len() == 1 && lines[0].ends_with(&answered), "{path}: {lines:?}");
        assert_eq!(*self.setup.store.committed.lock(), committed, "{path}");
    }
}

fn day(text: &str) -> Option<NaiveDate> {
    (!text.is_empty()).then(|| text.parse().unwrap())
}

pub(crate) fn booked_on(text: &str) -> Transaction {
    Transaction { booking_date: day(text), ..transaction(None) }
}

pub(crate) fn used_on(text: &str) -> CardTransaction {
    CardTransaction {
        id: None,
        terminal_id: None,
        booking_date: day(text),
        transaction_date: None,
        value_date: None,
        amount: Money::zero(Currency::NOK),
        original_amount: None,
        exchange: None,
        markup_fee: None,
        markup_fee_percentage: None,
        card_acceptor_id: None,
        card_acceptor_address: None,
        merchant_category_code: None,
        masked_pan: None,
        details: None,
        invoiced: None,
        proprietary_code: None,
    }
}

/// The list of the account or of the card account, and the question that asks the bank for it.
fn lists() -> [(String, &'static str); 2] {
    [("accounts", "booked"), ("card-accounts", "card_booked")]
        .map(|(kind, question)| (format!("{kind}/{ID}/transactions?bookingStatus=booked"), question))
}

/// After the question: the second and third of what was booked from the 2nd to the 4th.
const PART: &str = "&dateFrom=2026-08-02&dateTo=2026-08-04&offset=1&limit=2";
const OUTSIDE: &str = "lies outside the period that was asked for";
const UNDATED: &str = "is missing, though the transaction is booked";
const LATER: &str = "is later than the one before: the newest come first";
const TOO_MANY: &str = "/transactions: has more than were asked for";
const TOO_FEW: &str = "/total: is less than what is listed";

#[test]
fn a_list_is_the_requested_part_or_a_system_error_with_its_place() {
    let rows: &[(&str, List, &str)] = &[
        // The period: a day before it, its first, its last, a day after it, none.
        (PART, (&["2026-08-04", "2026-08-01"], 3), &format!("/transactions/1/bookingDate: {OUTSIDE}")),
        (PART, (&["2026-08-04", "2026-08-02"], 3), ""),
        (PART, (&["2026-08-05"], 3), &format!("/transactions/0/bookingDate: {OUTSIDE}")),
        (PART, (&["2026-08-04", ""], 3), &format!("/transactions/1/bookingDate: {UNDATED}")),
        ("&dateFrom=2026-08-02", (&["2026-08-31", "2026-08-02"], 2), ""),
        ("&dateFrom=2026-08-02", (&["2026-08-01"], 1), &format!("/transactions/0/bookingDate: {OUTSIDE}")),
        ("&dateTo=2026-08-02", (&["2026-08-02", "2020-01-01"], 2), ""),
        ("&dateTo=2026-08-02", (&["2026-08-03"], 1), &format!("/transactions/0/bookingDate: {OUTSIDE}")),
        ("", (&["", "2020-01-01"], 2), &format!("/transactions/0/bookingDate: {UNDATED}")),
        // The order.
        (PART, (&["2026-08-04", "2026-08-04"], 3), ""),
        (PART, (&["2026-08-03", "2026-08-04"], 3), &format!("/transactions/1/bookingDate: {LATER}")),
        (
            "",
            (&["2026-08-03", "2026-08-03", "2026-08-04"], 3),
            &format!("/transactions/2/bookingDate: {LATER}"),
        ),
        // The limit.
        (PART, (&["2026-08-04", "2026-08-03", "2026-08-02"], 9), TOO_MANY),
        // The total: the one that is skipped counts.
        (PART, (&["2026-08-04", "2026-08-02"], 2), TOO_FEW),
        (PART, (&["2026-08-02"], 2), ""),
        (PART, (&["2026-08-02"], 1), TOO_FEW),
        (PART, (&[], 0), ""),
        (PART, (&[], 1), ""),
        (PART, (&[], 2), "/total: is more than what is listed in the end"),
    ];
    for asked in [Asked::in_rust(), Asked::in_json()] {
        let read = reader_with(&asked.setup, &PRESENT);
        for (path, question) in lists() {
            for (part, list, fault) in rows {
                asked.list(*list);
                let fault = (!fault.is_empty()).then(|| format!("{question}: {fault}"));
                asked.assert_taken_or(&read, &format!("{path}{part}"), fault.as_deref());
            }
        }
    }
}

/// A bank that returns at most `most` at a time of the bookings of one day, each with its number as its id.
struct Halting {
    most: usize,
    all: Vec<String>,
    currency: &'static str,
    /// So often a newer one is booked before it answers.
    grows: AtomicUsize,
    asked: AtomicUsize,
}

impl BankCalls for Halting {
    fn call(&self, method: BankMethod, request: &str, answer: &mut AnswerWriter) -> xs2a::Result<()> {
        let asked: Value = serde_json::from_str(request).unwrap();
        let account = json!({ "accountId": ID, "currency": "NOK" });
        let line = |id: &String| {
            json!({ "transactionId": id, "bookingDate": "2026-08-01",
                "transactionAmount": { "amount": "1.00", "currency": self.currency } })
        };
        let answered = match method {
            BankMethod::Accounts => json!({ "psu": asked["psu"], "accounts": [account, account] }),
            BankMethod::CardAccounts => json!({ "psu": asked["psu"], "cardAccounts": [] }),
            BankMethod::Account => account,
            BankMethod::Booked => {
                let number = |name: &str| usize::try_from(asked[name].as_u64().unwrap()).unwrap();
                let news = self.asked.fetch_add(1, Ordering::Relaxed).min(self.grows.load(Ordering::Relaxed));
                let newer = (0..news).rev().map(|number| format!("new{number}"));
                let all: Vec<_> = newer.chain(self.all.iter().cloned()).collect();
                let part = all.iter().skip(number("offset")).take(number("limit").min(self.most));
                let lines: Vec<_> = part.map(line).collect();
                json!({ "accountId": ID, "transactions": lines, "total": all.len() })
            }
            _ => Value::Null,
        };
        answer.write(answered.to_string().as_bytes())
    }
}

fn halting(most: usize, all: &[&str], currency: &'static str) -> Asked {
    let all = all.iter().map(|id| (*id).to_owned()).collect();
    halting_bank(Halting { most, all, currency, grows: AtomicUsize::new(0), asked: AtomicUsize::new(0) })
}

fn halting_bank(bank: Halting) -> Asked {
    Asked::with(|builder, _| builder.bank(Arc::new(JsonBank::new(Arc::new(bank)))))
}

#[test]
fn a_bank_that_answers_fewer_than_it_is_asked_for_is_asked_on() {
    let all = ["a", "b", "c", "d", "e"];
    for most in 1..=6 {
        let asked = halting(most, &all, "NOK");
        let read = reader_with(&asked.setup, &PRESENT);
        for (offset, limit) in [(0, 4), (0, 5), (0, 200), (3, 2), (4, 200), (5, 1)] {
            let path =
                format!("accounts/{ID}/transactions?bookingStatus=booked&offset={offset}&limit={limit}");
            let answer = body(&read(&path));
            let booked = answer["transactions"]["booked"].as_array().unwrap();
            let answered: Vec<_> = booked.iter().map(|line| text(line, "/transactionId")).collect();
            let expected: Vec<_> = all.iter().copied().skip(offset).take(limit).collect();
            assert_eq!(answered, expected, "{most} {path}");
        }
    }
}

#[test]
fn a_list_that_grows_while_it_is_read_is_read_again() {
    let path = format!("accounts/{ID}/transactions?bookingStatus=booked");
    for (grows, newest) in [(1, "new0"), (2, "new1")] {
        let all = ["a", "b", "c"].map(str::to_owned).to_vec();
        let (grows, asked) = (AtomicUsize::new(grows), AtomicUsize::new(0));
        let asked = halting_bank(Halting { most: 2, all, currency: "NOK", grows, asked });
        let answer = body(&reader_with(&asked.setup, &PRESENT)(&path));
        let booked = answer["transactions"]["booked"].as_array().unwrap();
        let answered: Vec<_> = booked.iter().map(|line| text(line, "/transactionId")).collect();
        assert_eq!((answered[0], &answered[answered.len() - 3..]), (newest, &["a", "b", "c"][..]));
    }
}

#[test]
fn a_bank_is_asked_for_one_part_at_most_thirty_two_times() {
    let all: Vec<_> = (0..40).map(|number| format!("t{number}")).collect();
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    let asked = halting(1, &all, "NOK");
    let read = reader_with(&asked.setup, &PRESENT);
    let path = |limit: u32| format!("accounts/{ID}/transactions?bookingStatus=booked&limit={limit}");
    asked.assert_taken_or(&read, &path(32), None);
    let fault = "booked: /transactions: takes too many questions to be whole";
    asked.assert_taken_or(&read, &path(33), Some(fault));
}

#[test]
fn an_account_that_the_bank_returns_twice_is_listed_once() {
    let asked = halting(1, &[], "NOK");
    let listed = body(&reader_with(&asked.setup, &PRESENT)("accounts"));
    assert_eq!(listed["accounts"].as_array().unwrap().len(), 1, "{listed}");
}

#[test]
fn one_id_for_two_bookings_and_a_foreign_currency_are_system_errors() {
    let path = format!("accounts/{ID}/transactions?bookingStatus=booked");
    let place = "booked: /transactions";
    for (ids, currency, fault) in [
        (["a", "b"], "NOK", None),
        (["a", "a"], "NOK", Some(format!("{place}/1/transactionId: is that of another one in the list"))),
        (
            ["a", "b"],
            "EUR",
            Some(format!("{place}/0/transactionAmount/currency: is not the currency of the account")),
        ),
    ] {
        let asked = halting(1, &ids, currency);
        let read = reader_with(&asked.setup, &PRESENT);
        asked.assert_taken_or(&read, &path, fault.as_deref());
    }
}

#[test]
fn a_bank_that_ignores_the_period_shows_90_days_without_an_sca() {
    for asked in [Asked::in_rust(), Asked::in_json()] {
        let read = reader_with(&asked.setup, &PRESENT);
        let oldest: [(List, bool); 2] = [((&["2026-06-03"], 1), true), ((&["2026-06-02"], 1), false)];
        let mut is_limited = false;
        for _ in 0..2 {
            for (path, question) in lists() {
                for (list, is_recent) in oldest {
                    asked.list(list);
                    let fault = format!("{question}: /transactions/0/bookingDate: {OUTSIDE}");
                    let fault = (is_limited && !is_recent).then_some(fault.as_str());
                    asked.assert_taken_or(&read, &path, fault);
                }
            }
            // The SCA opens the whole history for an hour.
            asked.setup.wait(TimeDelta::hours(1));
            is_limited = true;
        }
    }
}

#[test]
fn a_list_that_the_bank_spoils_is_not_counted() {
    let asked = Asked::in_rust();
    let read = reader(&asked.setup);
    for (path, question) in lists() {
        let path = format!("{path}{PART}");
        let fault = format!("{question}: /transactions/0/bookingDate: {OUTSIDE}");
        let spoil = || {
            asked.list((&["2026-08-01"], 2));
            (0..5).for_each(|_| asked.assert_taken_or(&read, &path, Some(&fault)));
            asked.list((&["2026-08-02"], 2));
        };
        spoil();
        (0..3).for_each(|_| asked.assert_taken_or(&read, &path, None));
        spoil();
        asked.assert_taken_or(&read, &path, None);
        assert_eq!(text(&body(&read(&path)), "/tppMessages/0/code"), "ACCESS_EXCEEDED", "{path}");
    }
}

#[test]
fn a_production_engine_counts_to_four_or_to_what_its_policy_says() {
    for (text, calls) in [("{}", 4), (r#"{"calls_without_psu_per_day":6}"#, 6)] {
        let policy = Policy::from_json(Environment::Production, text).unwrap();
        let asked = Asked::with(|builder, _| builder.policy(policy));
        let read = reader(&asked.setup);
        asked.list((&["2026-08-02"], 1));
        for (path, _) in lists() {
            (0..calls).for_each(|_| asked.assert_taken_or(&read, &path, None));
            assert_eq!(read(&path).reason(), Some("AIS-11"), "{path}");
        }
    }
}

#[test]
fn a_pending_transaction_with_an_id_is_a_system_error() {
    for asked in [Asked::in_rust(), Asked::in_json()] {
        let read = reader_with(&asked.setup, &PRESENT);
        let fault = "pending: /transactions/1/transactionId: is there, though the transaction is pending";
        for status in ["pending", "both"] {
            let path = format!("accounts/{ID}/transactions?bookingStatus={status}");
            asked.pend(&[None, None]);
            asked.assert_taken_or(&read, &path, None);
            asked.pend(&[None, Some(ID)]);
            asked.assert_taken_or(&read, &path, Some(fault));
        }
    }
}

#[test]
fn a_page_that_pending_transactions_fill_asks_for_the_total_alone() {
    let policy = Policy::from_json(Environment::Production, r#"{"pending_unfiltered":false}"#).unwrap();
    let asked = Asked::with(|builder, _| builder.policy(policy));
    let read = reader_with(&asked.setup, &PRESENT);
    asked.pend(&[None]);
    let path = |limit: u32| format!("accounts/{ID}/transactions?bookingStatus=both&limit={limit}");
    asked.list((&["2026-08-01"], 1));
    asked.assert_taken_or(&read, &path(2), None);
    asked.assert_taken_or(&read, &path(1), Some(&format!("booked: {TOO_MANY}")));
    asked.list((&[], 1));
    asked.assert_taken_or(&read, &path(1), None);
}
