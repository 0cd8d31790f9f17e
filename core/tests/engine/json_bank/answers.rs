//! Good answers: what a bank says is what the engine hears.

use chrono::NaiveDate;
use proptest::option::of;
use proptest::prelude::*;
use rust_decimal::Decimal;
use serde_json::{json, Value};
use xs2a::account::record::{
    CardAcceptorAddress, CardTransaction, CurrencyExchange, Page, Party, Transaction, TransactionQuery,
    TransactionReference,
};
use xs2a::bank::{Bank, Cancellation, ScaDemand, ScaOccasion, ScaQuestion};
use xs2a::json_bank::{AnswerWriter, BankCalls, BankMethod, JsonBank};
use xs2a::types::{
    AccountId, ActingPsu, Bban, Bic, CardAccountId, Context, Currency, Iban, Money, PaymentId, PsuKey,
    TransactionId,
};
use xs2a::Result;

use crate::json_bank::mirror::{card_transaction, transaction};
use crate::world::at;

/// A bank that gives the same answer to every question.
pub(crate) struct Says(pub(crate) Vec<u8>);

impl BankCalls for Says {
    fn call(&self, _method: BankMethod, _request: &str, answer: &mut AnswerWriter) -> Result<()> {
        answer.write(&self.0)
    }
}

pub(crate) fn says(answer: &Value) -> JsonBank<Says> {
    JsonBank::new(Says(answer.to_string().into_bytes()))
}

fn line(most: usize) -> impl Strategy<Value = Option<String>> {
    line_of(1, most)
}

fn line_of(least: usize, most: usize) -> impl Strategy<Value = Option<String>> {
    let characters = "[ -~æøå日\n\"\\\\😀]";
    of(proptest::string::string_regex(&format!("{characters}{{{least},{most}}}")).unwrap())
}

fn day() -> impl Strategy<Value = NaiveDate> {
    (735_000..745_000_i32).prop_map(|days| NaiveDate::from_num_days_from_ce_opt(days).unwrap())
}

fn currency() -> impl Strategy<Value = Currency> {
    (0..Currency::LIST.len()).prop_map(|place| Currency::LIST[place])
}

fn money() -> impl Strategy<Value = Money> {
    (any::<i64>(), 0..4_u32, currency()).prop_filter_map("too large", |(units, scale, currency)| {
        Money::rounded(Decimal::new(units, scale), currency)
    })
}

fn party() -> impl Strategy<Value = Party> {
    (line(140), of("[0-9A-Z]{1,30}"), any::<bool>(), any::<bool>()).prop_map(|(name, bban, iban, agent)| {
        Party {
            name,
            bban: bban.map(|bban| Bban::parse(&bban).unwrap()),
            iban: iban.then(|| Iban::parse("DE89370400440532013000").unwrap()),
            agent: agent.then(|| Bic::parse("DNBANOKK").unwrap()),
        }
    })
}

fn exchange() -> impl Strategy<Value = CurrencyExchange> {
    (currency(), currency(), currency(), 1..i64::MAX, 0..18_u32, day(), line(35)).prop_map(
        |(source, target, unit, rate, scale, quotation_date, contract)| CurrencyExchange {
            source,
            target,
            unit,
            rate: Decimal::new(rate, scale),
            quotation_date,
            contract,
        },
    )
}

fn references() -> impl Strategy<Value = Vec<TransactionReference>> {
    let reference =
        ("[!-~]{1,35}", line(35), line(35)).prop_map(|(reference, reference_type, reference_issuer)| {
            TransactionReference { reference, reference_type, reference_issuer }
        });
    prop::collection::vec(reference, 0..3)
}

fn booked() -> impl Strategy<Value = Transaction> {
    let times = (of("[!=_A-Za-z0-9-]{1,64}"), day(), of(day()));
    let sides = (party(), party(), line(140), references());
    (times, money(), of(exchange()), sides, line(35), line(4), line_of(4, 14), line(35)).prop_map(
        |(
            (id, booking, value_date),
            amount,
            exchange,
            sides,
            end_to_end_id,
            purpose_code,
            code,
            proprietary_code,
        )| {
            Transaction {
                id: id.map(|id| TransactionId::parse(&id).unwrap()),
                end_to_end_id,
                booking_date: Some(booking),
                value_date,
                amount,
                exchange,
                creditor: sides.0,
                debtor: sides.1,
                unstructured: sides.2,
                structured: sides.3,
                purpose_code,
                bank_transaction_code: code,
                proprietary_code,
            }
        },
    )
}

fn card_booked() -> impl Strategy<Value = CardTransaction> {
    let address = (line(70), line(16), line(16), line(70), of(Just("NO".to_owned()))).prop_map(
        |(street, building_number, postal_code, city, country)| CardAcceptorAddress {
            street,
            building_number,
            postal_code,
            city,
            country,
        },
    );
    let sums = (money(), of(money()), of(exchange()), of(money()), line(35));
    let place = (line(35), line(35), line(35), of(address), line(4));
    let rest = (of(Just("123456******1234".to_owned())), line(1000), of(any::<bool>()), line(35));
    (of(day()), of(day()), of(day()), sums, place, rest).prop_map(
        |(booking_date, transaction_date, value_date, sums, place, rest)| CardTransaction {
            id: place.0,
            terminal_id: place.1,
            booking_date,
            transaction_date,
            value_date,
            amount: sums.0,
            original_amount: sums.1,
            exchange: sums.2,
            markup_fee: sums.3,
            markup_fee_percentage: sums.4,
            card_acceptor_id: place.2,
            card_acceptor_address: place.3,
            merchant_category_code: place.4,
            masked_pan: rest.0,
            details: rest.1,
            invoiced: rest.2,
            proprietary_code: rest.3,
        },
    )
}

pub(crate) const ALL: TransactionQuery = TransactionQuery { from: None, to: None, offset: 0, limit: 1000 };

proptest! {
    #[test]
    fn any_transactions_come_through_as_they_are(items in prop::collection::vec(booked(), 0..4)) {
        let answered: Vec<_> = items.iter().map(transaction).collect();
        let bank = says(&json!({ "accountId": "a", "transactions": answered, "total": 9 }));
        let heard = bank.account_data().booked(&AccountId::parse("a").unwrap(), &ALL).unwrap();
        let expected = Page { items, total: 9 };
        prop_assert!(heard == expected);
    }

    #[test]
    fn any_card_transactions_come_through_as_they_are(items in prop::collection::vec(card_booked(), 0..4)) {
        let answered: Vec<_> = items.iter().map(card_transaction).collect();
        let bank = says(&json!({ "cardAccountId": "c", "transactions": answered }));
        let heard = bank.card_account_data().card_pending(&CardAccountId::parse("c").unwrap()).unwrap();
        prop_assert!(heard == items);
    }

    #[test]
    fn no_bytes_that_a_bank_answers_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
        let bank = JsonBank::new(Says(bytes));
        let _ = bank.account_data().balances(&AccountId::parse("a").unwrap());
    }
}

#[test]
fn a_cancellation_has_a_status_exactly_if_it_is_too_late() {
    let cancel = |answer: Value| {
        let mut answer = answer;
        answer["paymentId"] = "p".into();
        says(&answer).payments().cancel_payment(&PaymentId::parse("p").unwrap(), at("2026-09-01T10:00:00Z"))
    };
    assert_eq!(cancel(json!({ "cancelled": true })).unwrap(), Cancellation::Cancelled);
    let late =
        cancel(json!({ "cancelled": false, "transactionStatus": "ACSC", "fundsAvailable": true })).unwrap();
    assert!(matches!(late, Cancellation::TooLate(status) if status.funds_available == Some(true)));
    assert!(cancel(json!({ "cancelled": true, "transactionStatus": "ACSC" })).is_err());
    assert!(cancel(json!({ "cancelled": false })).is_err());
}

#[test]
fn a_risk_analysis_that_says_nothing_leaves_it_to_the_rules() {
    let psu = ActingPsu { psu: PsuKey::new("p"), context: Context::Private, corporate: None };
    let client = xs2a::bank::PsuClient::default();
    let occasion = ScaOccasion::AccountInformation {
        operation: "getTransactions",
        is_ruled: false,
        sca_completed_at: None,
    };
    let question = ScaQuestion { occasion, tpp: "PSDNO-FSA-1", psu: &psu, client: &client };
    for (answer, expected) in [
        (Value::Null, ScaDemand::AsRuled),
        (json!({ "demand": "asRuled" }), ScaDemand::AsRuled),
        (json!({ "demand": "demanded" }), ScaDemand::Demanded),
        (json!({ "demand": "exempt" }), ScaDemand::Exempt),
    ] {
        assert_eq!(says(&answer).risk().requires_sca(&question).unwrap(), expected, "{answer}");
    }
}
