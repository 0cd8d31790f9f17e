//! Transactions on mock card accounts.

use serde_json::{json, Value};
use xs2a::account::record::TransactionQuery;
use xs2a::bank::Bank as _;
use xs2a::types::CardAccountId;

use crate::counter::{balances, long, paths, CARD_ACCOUNTS};
use crate::management::card_accounts::card;
use crate::world::{changed, refused, straks, text, World, PAYER, STRAKS};

/// A use of the card with everything there is to say.
fn item() -> Value {
    json!({
        "cardTransactionId": "CT-1",
        "terminalId": "T-7",
        "bookingDate": "2026-08-10",
        "transactionDate": "2026-08-08",
        "valueDate": "2026-08-11",
        "transactionAmount": {"currency": "NOK", "amount": 120},
        "originalAmount": {"currency": "EUR", "amount": 10},
        "currencyExchange": {
            "sourceCurrency": "NOK", "exchangeRate": "11.50", "unitCurrency": "EUR", "targetCurrency": "EUR",
            "quotationDate": "2026-08-08", "contractIdentification": "K-1",
        },
        "merchantCategoryCode": "5812",
        "markupFee": {"currency": "NOK", "amount": 5},
        "markupFeePercentage": "20",
        "cardAcceptorId": "A-1",
        "cardAcceptorAddress": {
            "street": "Unter den Linden", "buildingNumber": "1", "postalCode": "10117", "city": "Berlin",
            "country": "DE",
        },
        "maskedPan": "123456******0009",
        "transactionDetails": "Middag",
        "invoiced": "true",
        "proprietaryBankTransactionCode": "KJØP",
    })
}

/// No more than what is required.
fn least() -> Value {
    json!({
        "bookingDate": "2026-08-10",
        "transactionAmount": {"currency": "NOK", "amount": 50},
        "originalAmount": {"currency": "NOK", "amount": 50},
        "markupFee": {"currency": "NOK", "amount": 0},
        "cardAcceptorAddress": {},
    })
}

fn world_with_card() -> (World, String) {
    let world = World::new();
    let made = world.made(CARD_ACCOUNTS, &card());
    let path = format!("{CARD_ACCOUNTS}/{}", text(&made, "/resourceId"));
    (world, path)
}

fn listed(world: &World, path: &str, query: &str) -> Value {
    let list = world.found(&format!("{path}/transactions?{query}"));
    assert_eq!(list["cardAccount"], json!({"maskedPan": "123456******0009"}));
    assert_eq!(list["cardTransactions"]["pending"], json!([]));
    list["cardTransactions"]["booked"].clone()
}

#[test]
fn what_is_created_is_answered_and_listed_and_is_owed() {
    let (world, path) = world_with_card();
    let second =
        changed(item(), &[("/cardTransactionId", json!("CT-2")), ("/bookingDate", json!("2026-08-11"))]);
    let made = world.made(&format!("{path}/transactions"), &json!([item(), second]));
    let shown = |id: &str, day: &str| {
        json!({
            "cardTransactionId": id,
            "bookingDate": day,
            "transactionDate": "2026-08-08",
            "transactionAmount": {"currency": "NOK", "amount": 120},
            "originalAmount": {"currency": "EUR", "amount": 10},
            "merchantCategoryCode": "5812",
        })
    };
    let (first, second) = (shown("CT-1", "2026-08-10"), shown("CT-2", "2026-08-11"));
    let expected = json!({
        "cardAccount": {"maskedPan": "123456******0009"},
        "cardTransactions": {"booked": [first, second], "pending": []},
    });
    assert_eq!(made, expected);
    assert_eq!(listed(&world, &path, "bookingStatus=both"), json!([second, first]), "the newest first");
    assert_eq!(balances(&world.found(&path)["balances"]), (-440, -540));
    assert_eq!(world.booked("95360573312"), ["-120.00", "-120.00"]);
}

/// The transaction in account information.
#[test]
fn the_bank_returns_it_in_full_and_spending_is_positive() {
    let (world, path) = world_with_card();
    world.made(&format!("{path}/transactions"), &json!([item()]));
    let id = CardAccountId::parse(path.rsplit('/').next().unwrap()).unwrap();
    let all = TransactionQuery { from: None, to: None, offset: 0, limit: 10 };
    let page = world.bank().card_account_data().card_booked(&id, &all).unwrap();
    let entry = &page.items[0];
    let sums = [Some(entry.amount), entry.original_amount, entry.markup_fee];
    assert_eq!(sums.map(|sum| sum.unwrap().to_string()), ["120.00", "10.00", "5.00"]);
    let days = [entry.booking_date, entry.transaction_date, entry.value_date];
    assert_eq!(days.map(|day| day.unwrap().to_string()), ["2026-08-10", "2026-08-08", "2026-08-11"]);
    let exchange = entry.exchange.as_ref().unwrap();
    assert_eq!((exchange.rate.to_string(), exchange.contract.as_deref()), ("11.50".to_owned(), Some("K-1")));
    let address = entry.card_acceptor_address.as_ref().unwrap();
    assert_eq!((address.city.as_deref(), address.country.as_deref()), (Some("Berlin"), Some("DE")));
    assert_eq!((entry.invoiced, entry.details.as_deref()), (Some(true), Some("Middag")));
    assert_eq!(entry.proprietary_code.as_deref(), Some("KJØP"));
}

#[test]
fn what_may_be_left_out_has_an_id_and_a_day_all_the_same() {
    let (world, path) = world_with_card();
    let empty = changed(
        least(),
        &[
            ("/cardTransactionId", json!("")),
            ("/transactionDate", json!("")),
            ("/merchantCategoryCode", json!("")),
            ("/invoiced", json!("")),
            ("/valueDate", json!("")),
            ("/cardAcceptorAddress", json!({"street": "", "city": "", "country": ""})),
        ],
    );
    for sent in [least(), empty] {
        let made = world.made(&format!("{path}/transactions"), &json!([sent]));
        let shown = &made["cardTransactions"]["booked"][0];
        assert!(text(shown, "/cardTransactionId").starts_with("enc!!"));
        assert_eq!(
            (&shown["transactionDate"], &shown["merchantCategoryCode"]),
            (&json!("2026-08-10"), &json!(""))
        );
    }
    let refund = changed(least(), &[("/transactionAmount/amount", json!(-70))]);
    world.made(&format!("{path}/transactions"), &json!([refund]));
    assert_eq!(world.booked("95360573312"), ["70.00", "-50.00", "-50.00"]);
}

#[test]
fn whether_it_is_invoiced_may_be_said_as_a_boolean_or_as_a_text() {
    let (world, path) = world_with_card();
    for invoiced in [json!(true), json!(false), json!("true"), json!("false"), json!(""), Value::Null] {
        let mut sent = least();
        sent["invoiced"] = invoiced;
        world.made(&format!("{path}/transactions"), &json!([sent]));
    }
    let wrong = changed(least(), &[("/invoiced", json!("yes"))]);
    let refusal = refused(&world.post(&format!("{path}/transactions"), &json!([wrong])));
    assert_eq!((refusal.1, refusal.3.as_str()), ("BOD-22", "/0/invoiced"));
}

/// Member below the item, and the longest text it takes.
const TEXTS: [(&str, usize); 11] = [
    ("/cardTransactionId", 35),
    ("/terminalId", 35),
    ("/markupFeePercentage", 35),
    ("/cardAcceptorId", 35),
    ("/maskedPan", 35),
    ("/transactionDetails", 140),
    ("/proprietaryBankTransactionCode", 35),
    ("/cardAcceptorAddress/street", 70),
    ("/cardAcceptorAddress/city", 70),
    ("/currencyExchange/contractIdentification", 35),
    ("/merchantCategoryCode", 4),
];

#[test]
fn every_text_is_held_to_its_length() {
    let (world, path) = world_with_card();
    for (pointer, most) in TEXTS {
        let path_of: &'static str = Box::leak(format!("/0{pointer}").into_boxed_str());
        world.assert_faults(
            "POST",
            &format!("{path}/transactions"),
            &json!([changed(item(), &[(pointer, long(most))])]),
            &[
                (path_of, long(most + 1), "BOD-06", path_of),
                (path_of, json!(1), "BOD-02", path_of),
                (path_of, json!("😀"), "BOD-07", path_of),
            ],
        );
    }
}

#[test]
fn each_other_member_is_held_to_its_form() {
    let (world, path) = world_with_card();
    let (booking, value, used) = ("/0/bookingDate", "/0/valueDate", "/0/transactionDate");
    let (sum, original, fee) = ("/0/transactionAmount", "/0/originalAmount", "/0/markupFee");
    let (address, exchange) = ("/0/cardAcceptorAddress", "/0/currencyExchange");
    world.assert_faults(
        "POST",
        &format!("{path}/transactions"),
        &json!([item()]),
        &[
            (booking, Value::Null, "BOD-01", booking),
            (booking, json!(""), "BOD-23", booking),
            (booking, json!("10.08.2026"), "BOD-23", booking),
            (used, json!("10.08.2026"), "BOD-23", used),
            (value, json!("10.08.2026"), "BOD-23", value),
            (value, json!("2026-08-09"), "SBX-14", booking),
            (value, json!("2026-09-01T10:00:00Z"), "SBX-13", value),
            (sum, Value::Null, "BOD-01", sum),
            (sum, json!(120), "BOD-03", sum),
            ("/0/transactionAmount/amount", json!("120"), "BOD-21", "/0/transactionAmount/amount"),
            ("/0/transactionAmount/amount", Value::Null, "BOD-01", "/0/transactionAmount/amount"),
            ("/0/transactionAmount/currency", json!("EUR"), "PAY-03", "/0/transactionAmount/currency"),
            ("/0/transactionAmount/currency", json!("kr"), "CUR-01", "/0/transactionAmount/currency"),
            (original, Value::Null, "BOD-01", original),
            ("/0/originalAmount/amount", json!(1.5), "BOD-21", "/0/originalAmount/amount"),
            (fee, Value::Null, "BOD-01", fee),
            ("/0/markupFee/currency", Value::Null, "BOD-01", "/0/markupFee/currency"),
            (address, Value::Null, "BOD-01", address),
            (address, json!(""), "BOD-03", address),
            ("/0/cardAcceptorAddress/country", json!("Germany"), "CTY-01", "/0/cardAcceptorAddress/country"),
            (exchange, json!("11.50"), "BOD-03", exchange),
            ("/0/currencyExchange/exchangeRate", json!("0"), "BOD-26", "/0/currencyExchange/exchangeRate"),
            ("/0/currencyExchange/exchangeRate", json!(11), "BOD-02", "/0/currencyExchange/exchangeRate"),
            ("/0/currencyExchange/unitCurrency", Value::Null, "BOD-01", "/0/currencyExchange/unitCurrency"),
            ("/0/currencyExchange/quotationDate", json!("x"), "BOD-23", "/0/currencyExchange/quotationDate"),
            ("/0/invoiced", json!(1), "BOD-22", "/0/invoiced"),
            ("/0", json!([]), "BOD-03", "/0"),
        ],
    );
    assert_eq!(refused(&world.post(&format!("{path}/transactions"), &item())).1, "BOD-04");
}

/// The present of these tests is 2026-09-01T10:00:00Z.
#[test]
fn only_booking_and_value_date_must_lie_in_the_past() {
    let (world, path) = world_with_card();
    let target = format!("{path}/transactions");
    for (booking, value, faults) in [
        ("2026-09-01T09:59:59Z", None, &[][..]),
        ("2026-09-01T10:00:00Z", None, &["/0/bookingDate"]),
        ("2026-09-01", Some("2026-09-01T09:59:59Z"), &[]),
        ("2026-09-01", Some("2026-09-01T10:00:00Z"), &["/0/valueDate"]),
        ("2026-08-31", Some("2026-08-30"), &["/0/bookingDate"]),
    ] {
        let sent = changed(
            least(),
            &[
                ("/bookingDate", json!(booking)),
                ("/valueDate", json!(value)),
                ("/transactionDate", json!("2026-12-24")),
            ],
        );
        assert_eq!(paths(&world.post(&target, &json!([sent]))), faults, "{booking} {value:?}");
    }
}

#[test]
fn faults_of_all_items_are_reported_at_once_and_none_is_stored() {
    let (world, path) = world_with_card();
    let response = world.post(
        &format!("{path}/transactions"),
        &json!([
            least(),
            changed(least(), &[("/markupFee", Value::Null), ("/bookingDate", json!("2027-01-01"))]),
            changed(least(), &[("/transactionAmount/currency", json!("SEK"))]),
        ]),
    );
    assert_eq!(paths(&response), ["/1/markupFee", "/1/bookingDate", "/2/transactionAmount/currency"]);
    assert_eq!(listed(&world, &path, "bookingStatus=booked"), json!([]));
    assert_eq!(world.balance("95360573312"), "-200.00");
}

#[test]
fn the_list_is_cut_by_status_day_offset_and_limit_and_holds_no_payments() {
    let (world, path) = world_with_card();
    let debtor = json!({
        "other": {"identification": "95360573312", "schemeNameProprietary": "creditCardAccount"}, "currency": "NOK",
    });
    world.pay(STRAKS, &changed(straks(), &[("/debtorAccount", debtor)]), PAYER);
    world.pay(STRAKS, &changed(straks(), &[("/creditorAccount/bban", json!("95360573312"))]), PAYER);
    assert_eq!(world.booked("95360573312"), ["250.00", "-250.00"]);
    let items: Vec<_> = ["2026-07-01", "2026-07-03", "2026-07-02"]
        .iter()
        .zip(1..)
        .map(|(day, amount)| {
            changed(least(), &[("/bookingDate", json!(day)), ("/transactionAmount/amount", json!(amount))])
        })
        .collect();
    world.made(&format!("{path}/transactions"), &Value::Array(items));
    for (query, expected) in [
        ("bookingStatus=booked", &[2, 3, 1][..]),
        ("bookingStatus=both", &[2, 3, 1]),
        ("bookingStatus=pending", &[]),
        ("bookingStatus=both&fromDate=2026-07-02", &[2, 3]),
        ("bookingStatus=both&toDate=2026-07-02", &[3, 1]),
        ("bookingStatus=both&offset=1&limit=1", &[3]),
    ] {
        let booked = listed(&world, &path, query);
        let amounts =
            booked.as_array().unwrap().iter().map(|item| item["transactionAmount"]["amount"].as_i64());
        assert_eq!(amounts.map(Option::unwrap).collect::<Vec<_>>(), expected, "{query}");
    }
    for (query, reason, at) in [
        ("", "QRY-03", "bookingStatus"),
        ("bookingStatus=all", "QRY-04", "bookingStatus"),
        ("bookingStatus=", "QRY-04", "bookingStatus"),
        ("bookingStatus=both&bookingStatus=both", "QRY-01", "bookingStatus"),
        ("bookingStatus=both&limit=0", "QRY-07", "limit"),
        ("bookingStatus=both&fromDate=x", "QRY-05", "fromDate"),
    ] {
        let response = world.send("GET", &format!("{path}/transactions?{query}"), &Value::Null);
        let refusal = refused(&response);
        assert_eq!((refusal.0, refusal.1, refusal.3.as_str()), (400, reason, at), "{query}");
    }
}

#[test]
fn an_unknown_card_account_has_no_transactions() {
    let world = World::new();
    let path = format!("{CARD_ACCOUNTS}/enc!!AAAAAAAAAAAAAAAAAAAAAAAA/transactions");
    world.assert_unknown("GET", &path, &Value::Null, "SBX-06");
    world.assert_unknown("POST", &path, &json!([least()]), "SBX-06");
}
