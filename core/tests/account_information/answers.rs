//! What is answered where access is granted.

use serde_json::json;
use xs2a::ScaAnswer;

use crate::aisp::{answered, choosing, Aisp, OTHER_ACCOUNT};
use crate::world::{straks, text, World, PAYER, PAYER_ACCOUNT, STRAKS};

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
        let order =
            crate::world::changed(straks(), &[("/instructedAmount/amount", json!(format!("{number}.00")))]);
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
fn pending_transactions_ignore_dates_and_limit_unless_the_policy_filters_them() {
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
