//! Any invalid answer of a bank is the bank's error, which names the question and the place.

use std::collections::BTreeSet;

use rust_decimal::Decimal;
use serde_json::{json, Map, Value};
use xs2a::bank::{Bank, PaymentOrder, PsuClient, ScaOccasion, ScaQuestion};
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod, JsonBank};
use xs2a::limits::BANK_ANSWER_BYTES_MAX;
use xs2a::payment::order::Order;
use xs2a::payment::product::Product;
use xs2a::payment::stored;
use xs2a::types::{
    AccountId, AccountIdentification, AccountReference, ActingPsu, Bban, CardAccountId, Context, Currency,
    IdentityNumber, Money, PaymentId, PsuKey, TransactionId,
};
use xs2a::{Error, Result};

use crate::json_bank::answers::{says, Says, ALL};
use crate::world::{at, straks};

fn psu() -> ActingPsu {
    ActingPsu { psu: PsuKey::new("p"), context: Context::Private, corporate: None }
}

fn order() -> Order {
    stored::from_text(&straks().to_string()).unwrap()
}

/// Asks one question. The meaning of the answer does not matter.
fn ask<C: BankCalls>(bank: &JsonBank<C>, method: BankMethod) -> Result<()> {
    let (psu, order, now) = (psu(), order(), at("2026-09-01T10:00:00Z"));
    let (account, card) = (AccountId::parse("a").unwrap(), CardAccountId::parse("c").unwrap());
    let bban = Bban::parse("95360573002").unwrap();
    let payment = PaymentId::parse("p").unwrap();
    match method {
        BankMethod::Psu => bank.customers().psu(&IdentityNumber::parse("13039319955").unwrap()).map(drop),
        BankMethod::DebtorAccount => {
            let identification = AccountIdentification::Bban(bban);
            bank.payments()
                .debtor_account(&psu, &AccountReference { identification, currency: Currency::NOK })
                .map(drop)
        }
        BankMethod::KidAgreement => bank.payments().kid_agreement(&bban).map(drop),
        BankMethod::Fee => bank.payments().fee(Product::InstantDomesticStraks, &order).map(drop),
        BankMethod::Rate => bank.payments().rate(Currency::EUR, Currency::NOK).map(|_: Option<Decimal>| ()),
        BankMethod::RequiresSca => {
            let occasion = ScaOccasion::Payment { product: Product::Domestic, order: &order };
            let client = PsuClient::default();
            bank.risk()
                .requires_sca(&ScaQuestion { occasion, tpp: "t", psu: &psu, client: &client })
                .map(drop)
        }
        BankMethod::SubmitPayment => {
            let payment = PaymentOrder {
                payment_id: payment,
                product: Product::InstantDomesticStraks,
                psu,
                order,
                fee: Money::zero(Currency::NOK),
                authorised_at: now,
            };
            bank.payments().submit_payment(&payment, now).map(drop)
        }
        BankMethod::CancelPayment => bank.payments().cancel_payment(&payment, now).map(drop),
        BankMethod::Agreements => bank.customers().agreements(&psu.psu).map(drop),
        BankMethod::Accounts => bank.account_data().accounts(&psu).map(drop),
        BankMethod::Account => bank.account_data().account(&psu, &account).map(drop),
        BankMethod::Balances => bank.account_data().balances(&account).map(drop),
        BankMethod::Booked => bank.account_data().booked(&account, &ALL).map(drop),
        BankMethod::Pending => bank.account_data().pending(&account).map(drop),
        BankMethod::Transaction => {
            bank.account_data().transaction(&account, &TransactionId::parse("t").unwrap()).map(drop)
        }
        BankMethod::CardAccounts => bank.card_account_data().card_accounts(&psu).map(drop),
        BankMethod::CardAccount => bank.card_account_data().card_account(&psu, &card).map(drop),
        BankMethod::CardBalances => bank.card_account_data().card_balances(&card).map(drop),
        BankMethod::CardBooked => bank.card_account_data().card_booked(&card, &ALL).map(drop),
        BankMethod::CardPending => bank.card_account_data().card_pending(&card).map(drop),
    }
}

/// A good answer to [`ask`].
fn good(method: BankMethod) -> Value {
    let sum = json!({ "amount": "1.00", "currency": "NOK" });
    let psu = json!({ "person": "p", "context": "PRIVATE" });
    let account = json!({ "accountId": "a", "currency": "NOK" });
    let card = json!({ "cardAccountId": "c", "maskedPan": "1234****", "currency": "NOK" });
    let balances = json!([{ "balanceType": "expected", "balanceAmount": sum }]);
    let transactions = json!([{ "bookingDate": "2026-05-01", "transactionAmount": sum }]);
    match method {
        BankMethod::Psu => json!({ "person": "p" }),
        BankMethod::DebtorAccount => {
            json!({ "account": { "currency": "NOK", "bban": "95360573002" }, "currency": "EUR" })
        }
        BankMethod::KidAgreement => {
            json!({ "bban": "95360573002", "required": true, "modulus": 10, "digitsMin": 5, "digitsMax": 5 })
        }
        BankMethod::Fee => json!({ "fee": sum }),
        BankMethod::Rate => json!({ "sourceCurrency": "EUR", "targetCurrency": "NOK", "rate": "11.5" }),
        BankMethod::RequiresSca => json!({ "demand": "exempt" }),
        BankMethod::SubmitPayment => json!({ "paymentId": "p", "transactionStatus": "PDNG" }),
        BankMethod::CancelPayment => json!({ "paymentId": "p", "cancelled": true }),
        BankMethod::Agreements => {
            json!({ "person": "p", "agreements": [{ "corporate": "c", "name": "n", "owner": "1" }] })
        }
        BankMethod::Accounts => json!({ "psu": psu, "accounts": [account] }),
        BankMethod::Account => account,
        BankMethod::Balances => json!({ "accountId": "a", "balances": balances }),
        BankMethod::Booked => json!({ "accountId": "a", "transactions": transactions, "total": 1 }),
        BankMethod::Pending => json!({ "accountId": "a", "transactions": transactions }),
        BankMethod::Transaction => {
            json!({ "accountId": "a", "transactionId": "t", "transactionAmount": sum })
        }
        BankMethod::CardAccounts => json!({ "psu": psu, "cardAccounts": [card] }),
        BankMethod::CardAccount => card,
        BankMethod::CardBalances => json!({ "cardAccountId": "c", "balances": balances }),
        BankMethod::CardBooked => json!({ "cardAccountId": "c", "transactions": transactions, "total": 1 }),
        BankMethod::CardPending => json!({ "cardAccountId": "c", "transactions": transactions }),
    }
}

#[track_caller]
fn assert_refused(bank: &JsonBank<impl BankCalls>, method: BankMethod, why: &str) {
    match ask(bank, method) {
        Err(Error::BankAnswer(message)) => assert!(message.starts_with(method.name()), "{message}"),
        other => panic!("{method}, {why}: {other:?}"),
    }
}

#[test]
fn a_good_answer_is_taken() {
    for method in BankMethod::ALL {
        ask(&says(&good(*method)), *method).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn null_is_an_answer_exactly_where_the_table_says_so() {
    for method in BankMethod::ALL {
        let heard = ask(&says(&Value::Null), *method);
        assert_eq!(heard.is_ok(), method.null().is_some(), "{method}: {heard:?}");
    }
}

#[test]
fn what_is_no_json_object_is_refused() {
    let long = format!("\"{}\"", "x".repeat(BANK_ANSWER_BYTES_MAX - 2)).into_bytes();
    let nested = "[".repeat(100_000).into_bytes();
    let answers =
        [b"".to_vec(), b"\xFF".to_vec(), b"{".to_vec(), b"{} {}".to_vec(), b"[]".to_vec(), b"1".to_vec()];
    for method in BankMethod::ALL {
        for answer in
            answers.iter().chain([&b"\"x\"".to_vec(), &b"true".to_vec(), &b"NaN".to_vec(), &long, &nested])
        {
            let shown = String::from_utf8_lossy(&answer[..answer.len().min(20)]).into_owned();
            assert_refused(&JsonBank::new(Says(answer.clone())), *method, &shown);
        }
    }
}

#[test]
fn an_answer_of_another_shape_is_refused() {
    for method in BankMethod::ALL {
        let good = good(*method);
        let required: BTreeSet<_> =
            method.answer().members.iter().filter(|row| row.is_required).map(|row| row.name).collect();
        for name in required.into_iter().chain(method.repeated().iter().copied()) {
            let mut lacking = good.clone();
            assert!(lacking.as_object_mut().unwrap().remove(name).is_some(), "{method}: {name}");
            assert_refused(&says(&lacking), *method, name);
        }
        for (name, value) in good.as_object().unwrap() {
            for wrong in [
                Value::Null,
                json!(1.5),
                json!(-1),
                json!([1]),
                json!({}),
                json!("\u{1F600}".repeat(1001)),
                json!(""),
            ] {
                let mut changed = good.clone();
                changed[name] = wrong.clone();
                assert_ne!(&wrong, value);
                assert_refused(&says(&changed), *method, &format!("{name}: {wrong}"));
            }
        }
        let mut more = good;
        more["surprise"] = 1.into();
        assert_refused(&says(&more), *method, "one member more");
    }
}

#[test]
fn a_member_that_comes_twice_is_refused() {
    for method in BankMethod::ALL {
        let good = good(*method);
        let (name, value) =
            good.as_object().unwrap().iter().next().map(|(name, value)| (name.clone(), value)).unwrap();
        let text = good.to_string();
        let twice = format!("{},\"{name}\":{value}}}", text.strip_suffix('}').unwrap());
        assert_refused(&JsonBank::new(Says(twice.into_bytes())), *method, &name);
    }
}

#[test]
fn an_answer_to_another_question_is_refused() {
    let other = Map::from_iter([
        ("account".to_owned(), json!({ "bban": "95360573003", "currency": "NOK" })),
        ("bban".to_owned(), json!("95360573003")),
        ("sourceCurrency".to_owned(), json!("USD")),
        ("targetCurrency".to_owned(), json!("USD")),
        ("paymentId".to_owned(), json!("q")),
        ("person".to_owned(), json!("q")),
        ("psu".to_owned(), json!({ "person": "p", "context": "CORPORATE", "corporate": "c" })),
        ("accountId".to_owned(), json!("b")),
        ("cardAccountId".to_owned(), json!("d")),
        ("transactionId".to_owned(), json!("u")),
    ]);
    for method in BankMethod::ALL {
        for repeated in method.repeated() {
            let mut answer = good(*method);
            answer[repeated] = other[*repeated].clone();
            let message = ask(&says(&answer), *method).unwrap_err().to_string();
            assert_eq!(message, format!("bank's answer: {method}: /{repeated}: is not what was asked for"));
        }
    }
}

#[test]
fn negative_fees_and_reversed_kid_lengths_are_refused() {
    let fee = json!({ "fee": { "amount": "-0.01", "currency": "NOK" } });
    assert_refused(&says(&fee), BankMethod::Fee, "negative");
    let mut agreement = good(BankMethod::KidAgreement);
    agreement["digitsMin"] = 6.into();
    assert_refused(&says(&agreement), BankMethod::KidAgreement, "5 to 5 became 6 to 5");
}

/// Writes until it is refused, and ignores the refusal.
struct Endless;

impl BankCalls for Endless {
    fn call(&self, _method: BankMethod, _request: &str, answer: &mut AnswerWriter) -> Result<()> {
        for _ in 0..100 {
            let _ = answer.write(&vec![b' '; 1 << 20]);
        }
        let _ = answer.write(b"null");
        Ok(())
    }
}

/// Fails with a text of its own.
struct Fails;

impl BankCalls for Fails {
    fn call(&self, _method: BankMethod, _request: &str, answer: &mut AnswerWriter) -> Result<()> {
        answer.write(b"null")?;
        Err(Error::Bank("psu: the line is dead".to_owned()))
    }
}

#[test]
fn a_hundred_mebibytes_are_not_kept_and_a_failure_is_no_answer() {
    for method in BankMethod::ALL {
        assert_refused(&JsonBank::new(Endless), *method, "too long");
        let one_too_many = vec![b' '; BANK_ANSWER_BYTES_MAX + 1];
        assert_refused(&JsonBank::new(Says(one_too_many)), *method, "too long, and given up");
        assert!(matches!(ask(&JsonBank::new(Fails), *method), Err(Error::Bank(_))));
    }
}
