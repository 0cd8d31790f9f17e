//! What a bank in Rust answers is held to what one in JSON may answer.

use std::sync::Arc;

use xs2a::bank::{
    Account, BankAnswer, CardAccount, CardTransaction, Operation, OperationId, Party, Transaction,
};
use xs2a::sandbox::ROOT_PEM;
use xs2a::trust::TrustAnchors;
use xs2a::types::{Currency, Money};
use xs2a::{Engine, Error, Response};

use super::parts::{booked_on, used_on, ID, PRESENT};
use super::{account, card, logged, reader_with, transaction};
use crate::setup::{approved, assert_system_error, authorisation_id, own, Kept, Mood, Setup};
use crate::world::*;

/// What the bank answers wrong, and what the log says of it.
type Wrong<T> = (T, &'static str);

fn noted() -> (Setup, Arc<Kept>) {
    let kept = Arc::new(Kept::default());
    let setup = Setup::with(|builder| builder.logger(Arc::clone(&kept) as Arc<_>));
    *setup.bank.accounts.lock() = vec![account(ID)];
    *setup.bank.cards.lock() = vec![card(ID)];
    (setup, kept)
}

#[track_caller]
fn assert_wrong(response: &Response, kept: &Kept, fault: &str) {
    assert_system_error(response, "SYS-02");
    let (lines, reported) = (logged(kept), format!(" error={:?}", format!("bank's answer: {fault}")));
    assert!(lines.len() == 1 && lines[0].ends_with(&reported), "{fault}: {lines:?}");
}

fn nok(amount: &str) -> Money {
    Money::parse(amount, Currency::NOK).unwrap()
}

fn long(length: usize) -> Option<String> {
    Some("x".repeat(length))
}

#[test]
fn a_fee_is_not_negative() {
    let (setup, kept) = noted();
    *setup.bank.fee.lock() = nok("-0.01");
    assert_wrong(&setup.create(), &kept, "fee: /fee/amount: is negative");
    *setup.bank.fee.lock() = nok("0.00");
    accepted(&setup.create());
}

#[test]
fn a_rate_is_positive_so_that_it_hides_no_payment_from_the_regulator() {
    let (setup, kept) = noted();
    let mut large = cross_border();
    large["instructedAmount"] = serde_json::json!({"amount": "200000.00", "currency": "EUR"});
    let create = || setup.call("POST", CROSS_BORDER, &creation_headers(), large.to_string().as_bytes());
    for rate in ["0", "-10"] {
        *setup.bank.rate.lock() = rate.parse().unwrap();
        assert_wrong(&create(), &kept, "rate: /rate: is not a positive decimal number as text");
    }
    *setup.bank.rate.lock() = "0.5".parse().unwrap();
    assert_eq!(create().reason(), Some("REG-01"));
}

#[test]
fn account_texts_have_their_length_limits() {
    let (setup, kept) = noted();
    let read = reader_with(&setup, &PRESENT);
    let rows: [Wrong<Account>; 3] = [
        (Account { name: long(71), ..account(ID) }, "name: is not a text of 1 to 70 characters"),
        (Account { product: long(36), ..account(ID) }, "product: is not a text of 1 to 35 characters"),
        (
            Account { cash_account_type: long(5), ..account(ID) },
            "cashAccountType: is not a text of 1 to 4 characters",
        ),
    ];
    for (wrong, fault) in rows {
        *setup.bank.accounts.lock() = vec![account(ID), wrong.clone()];
        assert_wrong(&read("accounts"), &kept, &format!("accounts: /accounts/1/{fault}"));
        *setup.bank.accounts.lock() = vec![wrong];
        assert_wrong(&read(&format!("accounts/{ID}")), &kept, &format!("account: /{fault}"));
    }
    *setup.bank.accounts.lock() =
        vec![Account { name: long(70), product: long(35), cash_account_type: long(4), ..account(ID) }];
    assert_eq!(read("accounts").status(), 200);
}

#[test]
fn no_whole_card_number_goes_out() {
    let (setup, kept) = noted();
    let read = reader_with(&setup, &PRESENT);
    let fault = "maskedPan: is not a card number of 1 to 35 characters, at most 12 of them digits";
    let pan = "5413330089020011".to_owned();
    let used = CardTransaction { masked_pan: Some(pan.clone()), ..used_on("2026-08-01") };
    *setup.bank.card_transactions.lock() = vec![used.clone()];
    *setup.bank.card_pending.lock() = vec![used];
    *setup.bank.total.lock() = 1;
    for (status, question) in [("booked", "card_booked"), ("pending", "card_pending")] {
        let path = format!("card-accounts/{ID}/transactions?bookingStatus={status}");
        assert_wrong(&read(&path), &kept, &format!("{question}: /transactions/0/{fault}"));
    }
    *setup.bank.cards.lock() = vec![CardAccount { masked_pan: pan, ..card(ID) }];
    assert_wrong(&read("card-accounts"), &kept, &format!("card_accounts: /cardAccounts/0/{fault}"));
    assert_wrong(&read(&format!("card-accounts/{ID}")), &kept, &format!("card_account: /{fault}"));
}

#[test]
fn transaction_texts_have_length_limits_and_days_four_digit_years() {
    let (setup, kept) = noted();
    let read = reader_with(&setup, &PRESENT);
    let good = || Transaction { booking_date: None, ..transaction(None) };
    let rows: [Wrong<Transaction>; 6] = [
        (
            Transaction { unstructured: long(141), ..good() },
            "remittanceInformationUnstructured: is not a text of 1 to 140 characters",
        ),
        (
            Transaction { end_to_end_id: long(36), ..good() },
            "endToEndId: is not a text of 1 to 35 characters",
        ),
        (Transaction { purpose_code: long(5), ..good() }, "purposeCode: is not a text of 1 to 4 characters"),
        (
            Transaction { bank_transaction_code: long(3), ..good() },
            "bankTransactionCode: is not a text of 4 to 14 characters",
        ),
        (
            Transaction { creditor: Party { name: long(141), ..Party::default() }, ..good() },
            "creditor/name: is not a text of 1 to 140 characters",
        ),
        (
            Transaction { value_date: "+10000-01-01".parse().ok(), ..good() },
            "valueDate: is not a day `YYYY-MM-DD`",
        ),
    ];
    let [booked, pending] = ["booked", "pending"].map(path);
    for (wrong, fault) in rows {
        *setup.bank.pending.lock() = vec![good(), wrong.clone()];
        assert_wrong(&read(&pending), &kept, &format!("pending: /transactions/1/{fault}"));
        let wrong = Transaction { booking_date: booked_on("2026-08-01").booking_date, ..wrong };
        *setup.bank.transactions.lock() = vec![booked_on("2026-08-01"), wrong];
        *setup.bank.total.lock() = 2;
        assert_wrong(&read(&booked), &kept, &format!("booked: /transactions/1/{fault}"));
    }
    let longest = Transaction {
        unstructured: long(140),
        end_to_end_id: long(35),
        purpose_code: long(4),
        bank_transaction_code: long(14),
        value_date: "9999-12-31".parse().ok(),
        ..good()
    };
    *setup.bank.pending.lock() = vec![longest];
    assert_eq!(read(&pending).status(), 200);
}

fn path(status: &str) -> String {
    format!("accounts/{ID}/transactions?bookingStatus={status}")
}

#[test]
fn what_is_pending_is_in_the_currency_of_its_account_too() {
    let (setup, kept) = noted();
    let read = reader_with(&setup, &PRESENT);
    let euro = Money::zero(Currency::EUR);
    let fault = "/transactions/1/transactionAmount/currency: is not the currency of the account";
    let card_path = format!("card-accounts/{ID}/transactions?bookingStatus=pending");
    *setup.bank.pending.lock() = vec![transaction(None)];
    *setup.bank.card_pending.lock() = vec![used_on("")];
    assert_eq!((read(&path("pending")).status(), read(&card_path).status()), (200, 200));
    setup.bank.pending.lock().push(Transaction { amount: euro, ..transaction(None) });
    setup.bank.card_pending.lock().push(CardTransaction { amount: euro, ..used_on("") });
    assert_wrong(&read(&path("pending")), &kept, &format!("pending: {fault}"));
    assert_wrong(&read(&card_path), &kept, &format!("card_pending: {fault}"));
}

#[test]
fn the_clock_off_or_on_the_answers_are_looked_at() {
    let policy =
        xs2a::policy::Policy::from_json(xs2a::policy::Environment::Production, r#"{"bank_seconds_max":0}"#);
    let setup = Setup::with(|builder| builder.policy(policy.unwrap()));
    *setup.bank.fee.lock() = nok("-1.00");
    assert_system_error(&setup.create(), "SYS-02");
}

#[test]
fn a_banks_own_operation_answers_with_valid_status_body_and_path() {
    let (setup, kept) = noted();
    let answer = |status, body: &str, location: Option<&str>| BankAnswer {
        status,
        body: body.as_bytes().to_vec(),
        location: location.map(str::to_owned),
    };
    let perform = |answer: BankAnswer| {
        *setup.bank.performed.lock() = Some(answer);
        setup.call("GET", "/v1/own/7", &[], b"")
    };
    for (status, body) in [(200, "{}"), (201, ""), (204, ""), (303, ""), (399, "{}")] {
        let answered = perform(answer(status, body, Some("/v1/own/8")));
        assert_eq!((answered.status(), answered.header("Location")), (status, Some("/v1/own/8")));
    }
    let outside = "the status is not from 200 to 399";
    for status in [0, 99, 199, 400, 404, 65_535] {
        assert_wrong(&perform(answer(status, "", None)), &kept, &format!("perform: own: {outside}"));
    }
    for status in [204, 205, 304] {
        let fault = "perform: own: the status has no body, and there is one";
        assert_wrong(&perform(answer(status, "{}", None)), &kept, fault);
    }
    for location in
        ["https://evil.example/", "//evil", "v1/x", "", "/v1/x\r\nSet-Cookie: a=b", "/v1/x y", "/v1/æ"]
    {
        let fault =
            "perform: own: the location does not begin with /v1/, or holds a space, a control character or \
                     what is not ASCII";
        assert_wrong(&perform(answer(200, "{}", Some(location))), &kept, fault);
    }
}

#[test]
fn a_bank_with_an_operation_of_the_engines_name_is_refused() {
    static POSING: [Operation; 2] = [own("GET"), Operation { id: OperationId::CreatePayment, ..own("POST") }];
    let setup = Setup::new();
    *setup.bank.operations.lock() = &POSING;
    let builder =
        Engine::builder().bank(Arc::clone(&setup.bank) as Arc<_>).store(Arc::clone(&setup.store) as Arc<_>);
    let built = builder.trust_anchors(TrustAnchors::from_bundle(ROOT_PEM.as_bytes()).unwrap()).build();
    let reported = built.unwrap_err().to_string();
    assert_eq!(reported, "configuration: the bank's operation own: its id is not `OfBank`");
}

#[test]
fn every_failure_within_a_bank_is_the_banks() {
    let text = || "no route to host".to_owned();
    for (kind, reported) in [
        (Error::Bank(text()), "bank: no route to host"),
        (Error::BankAnswer(text()), "bank's answer: no route to host"),
        (Error::Store(text().into()), "bank: store: no route to host"),
        (Error::Record(text().into()), "bank: store: no route to host"),
        (Error::Config(text()), "bank's answer: configuration: no route to host"),
        (Error::Misuse(text()), "bank's answer: misuse: no route to host"),
        (Error::Internal(text()), "bank's answer: internal: no route to host"),
    ] {
        let (setup, kept) = noted();
        let headers = replaced(creation_headers(), &[("X-PSU-IDENTITY", PAYER)]);
        let created = accepted(&setup.call("POST", STRAKS, &headers, straks().to_string().as_bytes()));
        *setup.bank.trouble.lock() = kind;
        setup.bank.feel("fee", Mood::Failing);
        assert_system_error(&setup.create(), "SYS-02");
        let lines = logged(&kept);
        assert!(
            lines.len() == 1 && lines[0].ends_with(&format!(" error={reported:?}")),
            "{reported}: {lines:?}"
        );
        setup.bank.feel("psu", Mood::Failing);
        let answered = setup.engine.complete_sca(authorisation_id(&created), &approved());
        assert_eq!(answered.unwrap_err().to_string(), reported);
    }
}
