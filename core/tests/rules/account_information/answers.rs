//! What is answered where access is granted.

use serde_json::{json, Value};
use xs2a::ScaAnswer;

use crate::account_information::order::debit;
use crate::aisp::{answered, choosing, Aisp, OTHER_ACCOUNT};
use crate::world::{
    approve_for, changed, cross_border, straks, text, World, COMPANY_AGREEMENT, CROSS_BORDER, PAYER,
    PAYER_ACCOUNT, STRAKS,
};

#[test]
fn accounts_come_with_their_balances_where_they_are_asked_for() {
    let aisp = Aisp::new();
    let account = aisp.account_path();
    for (path, pointer) in [("/v1/accounts".to_owned(), "/accounts/0"), (account, "/account")] {
        for (query, shown) in [("", false), ("?withBalance=false", false), ("?withBalance=true", true)] {
            let answer = answered(&aisp.get(&format!("{path}{query}")));
            let found = answer.pointer(pointer).unwrap();
            assert_eq!(found["bban"], PAYER_ACCOUNT);
            assert_eq!(found.get("balances").is_some(), shown, "{path}{query}");
        }
    }
}

#[test]
fn what_was_paid_shows_on_the_list_in_the_balances_and_in_detail() {
    let aisp = Aisp::with_history();
    let account = aisp.account_path();
    let list = answered(&aisp.get(&format!("{account}/transactions?bookingStatus=booked")));
    let booked = &list["transactions"]["booked"];
    assert_eq!(booked.as_array().unwrap().len(), 1);
    assert_eq!(booked[0]["transactionAmount"], json!({"amount": "-250.00", "currency": "NOK"}));
    assert_eq!(booked[0]["bookingDate"], "2026-09-01");
    assert_eq!(list["account"]["bban"], PAYER_ACCOUNT);
    let detail = answered(&aisp.get(&aisp.transaction_path()));
    assert_eq!(detail["transactionsDetails"]["transactionId"], booked[0]["transactionId"]);
    assert_eq!(detail["transactionsDetails"]["remittanceInformationUnstructured"], "Invoice 1001");
    let balances = answered(&aisp.get(&format!("{account}/balances")));
    let ledger = aisp.world.balance(PAYER_ACCOUNT);
    assert_eq!(text(&balances, "/balances/0/balanceAmount/amount"), ledger);
}

#[test]
fn pages_follow_each_other_by_their_links() {
    let world = World::new();
    for number in 1..=3 {
        let order = changed(straks(), &[("/instructedAmount/amount", json!(format!("{number}.00")))]);
        world.pay(STRAKS, &order, PAYER);
    }
    let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
    let mut next = Some(format!("{}/transactions?bookingStatus=booked&limit=2", aisp.account_path()));
    let mut amounts = Vec::new();
    while let Some(path) = next {
        let page = answered(&aisp.get(&path));
        for one in page["transactions"]["booked"].as_array().unwrap() {
            amounts.push(text(one, "/transactionAmount/amount").to_owned());
        }
        let link = page.pointer("/transactions/_links/next/href");
        next = link.map(|link| link.as_str().unwrap().to_owned());
    }
    assert_eq!(amounts, ["-3.00", "-2.00", "-1.00"]);
}

#[test]
fn pending_transactions_are_filtered_only_by_policy() {
    const DOMESTIC: &str = "/v1/payments/norwegian-domestic-credit-transfers";
    for (policy, shown) in
        [("{}", 1), (r#"{"pending_unfiltered": true}"#, 1), (r#"{"pending_unfiltered": false}"#, 0)]
    {
        let world = World::with_policy(policy);
        world.pay(DOMESTIC, &straks(), PAYER);
        let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
        let list = format!("{}/transactions?bookingStatus=pending", aisp.account_path());
        let pending = |query: &str| {
            let page = answered(&aisp.get(&format!("{list}{query}")));
            page["transactions"]["pending"].as_array().unwrap().len()
        };
        assert_eq!(pending(""), 1, "{policy}");
        for query in ["&dateTo=2026-08-31", "&dateFrom=2027-01-01", "&offset=1"] {
            assert_eq!(pending(query), shown, "{policy} {query}");
        }
    }
}

#[test]
fn a_page_holds_200_transactions_or_a_limit_of_up_to_1000() {
    let aisp = Aisp::new();
    let items: Vec<_> = (1..=201).map(|amount| debit(amount, "2026-08-10")).collect();
    let target = format!("/v1/sandbox/accounts/{}/transactions", aisp.account(PAYER_ACCOUNT));
    let made = aisp.world.call("POST", &target, &[], json!(items).to_string().as_bytes());
    assert_eq!(made.status(), 201);
    let list = format!("{}/transactions?bookingStatus=booked", aisp.account_path());
    for (query, shown, is_all) in [
        ("", 200, false),
        ("&limit=200", 200, false),
        ("&limit=201", 201, true),
        ("&limit=1000", 201, true),
        ("&offset=1", 200, true),
        ("&offset=201", 0, true),
    ] {
        let page = answered(&aisp.get(&format!("{list}{query}")));
        let found = page["transactions"]["booked"].as_array().unwrap().len();
        let next = page.pointer("/transactions/_links/next");
        assert_eq!((found, next.is_none()), (shown, is_all), "{query}");
    }
    assert_eq!(aisp.get(&format!("{list}&limit=1001")).status(), 400);
    // Beyond the end there is a way back, to the last page.
    for (offset, limit) in [(201, 100), (202, 100), (5000, 200), (2_147_483_647, 1)] {
        let page = answered(&aisp.get(&format!("{list}&offset={offset}&limit={limit}")));
        assert_eq!(page["transactions"]["booked"], json!([]), "{offset}");
        let previous = text(&page, "/transactions/_links/previous/href");
        let last = answered(&aisp.get(previous));
        let shown = last["transactions"]["booked"].as_array().unwrap();
        assert!(!shown.is_empty() && last.pointer("/transactions/_links/next").is_none(), "{previous}");
    }
}

#[test]
fn details_show_exchange_and_references_and_nothing_not_offered() {
    let world = World::new();
    world.pay(CROSS_BORDER, &cross_border(), PAYER);
    let references =
        json!([{"reference": "12344", "referenceType": "SCOR", "referenceIssuer": "X"}, {"reference": "18"}]);
    let by_reference = changed(
        straks(),
        &[
            ("/remittanceInformationUnstructured", Value::Null),
            ("/remittanceInformationStructuredArray", references.clone()),
            ("/ultimateDebtor", json!("Another Person")),
        ],
    );
    world.pay(STRAKS, &by_reference, PAYER);
    let by_message = changed(straks(), &[("/instructedAmount/amount", json!("3.00"))]);
    world.pay(STRAKS, &by_message, PAYER);
    world.sandbox.advance_to_next_event().unwrap();
    let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
    let detail = |amount: &str| {
        let list = answered(&aisp.get(&format!("{}/transactions?bookingStatus=booked", aisp.account_path())));
        let found = list["transactions"]["booked"].as_array().unwrap().iter();
        let one = found.into_iter().find(|one| one["transactionAmount"]["amount"] == amount).unwrap().clone();
        let path = format!("{}/transactions/{}", aisp.account_path(), text(&one, "/transactionId"));
        answered(&aisp.get(&path))["transactionsDetails"].clone()
    };
    let exchanged = json!({
        "sourceCurrency": "NOK", "exchangeRate": "11.725", "unitCurrency": "EUR", "targetCurrency": "EUR",
        "quotationDate": "2026-09-01",
    });
    assert_eq!(detail("-1172.50")["currencyExchange"], exchanged);
    let referred = detail("-250.00");
    assert_eq!(referred["remittanceInformationStructuredArray"], references);
    assert_eq!(referred.get("currencyExchange"), None);
    let reported = detail("-3.00");
    assert_eq!(reported["remittanceInformationUnstructured"], "Invoice 1001");
    assert_eq!(reported["remittanceInformationUnstructuredArray"], json!(["Invoice 1001"]));
    for shown in [detail("-1172.50"), referred, reported] {
        for name in ["creditorId", "ultimateCreditor", "ultimateDebtor"] {
            assert_eq!(shown.get(name), None, "{shown}");
        }
    }
}

#[test]
fn a_customer_without_cards_has_an_empty_list() {
    let company = Aisp::of(World::new(), &approve_for(COMPANY_AGREEMENT));
    assert_eq!(answered(&company.get("/v1/card-accounts")), json!({"cardAccounts": []}));
}

#[test]
fn a_narrow_consent_shows_what_it_opened_alone() {
    let aisp = Aisp::of(World::new(), &choosing(&[OTHER_ACCOUNT], ScaAnswer::approve(PAYER)));
    let accounts = answered(&aisp.get("/v1/accounts?withBalance=true"));
    assert_eq!(accounts["accounts"].as_array().unwrap().len(), 1);
    assert_eq!(accounts["accounts"][0]["bban"], OTHER_ACCOUNT);
    assert_eq!(answered(&aisp.get("/v1/card-accounts")), json!({"cardAccounts": []}));
}

#[test]
fn a_card_account_shows_its_balances_and_an_empty_list() {
    let aisp = Aisp::new();
    let card = aisp.card_path();
    let one = answered(&aisp.get(&card));
    assert_eq!(one["cardAccount"]["maskedPan"], crate::world::PAYER_CARD_MASKED);
    assert!(one["cardAccount"]["balances"].is_array(), "{one}");
    let balances = answered(&aisp.get(&format!("{card}/balances")));
    assert_eq!(balances["balances"], one["cardAccount"]["balances"]);
    let list = answered(&aisp.get(&format!("{card}/transactions?bookingStatus=both")));
    assert_eq!(list["cardTransactions"]["booked"], json!([]));
    assert_eq!(list["cardTransactions"]["pending"], json!([]));
}
