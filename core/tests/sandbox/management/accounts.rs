//! Mock accounts and their balances.

use serde_json::{json, Value};

use crate::counter::{
    balance, balances, closing, long, paths, ACCOUNTS, AGREEMENTS, CARD_ACCOUNTS, COMPANY, CUSTOMERS, PERSON,
};
use crate::management::card_accounts::card;
use crate::world::answer::messages;
use crate::world::{body, changed, refused, text, World, PAYER_ACCOUNT, PAYER_CARD};

fn account() -> Value {
    json!({"customerNumber": PERSON, "currency": "NOK"})
}

fn full() -> Value {
    json!({
        "customerNumber": PERSON,
        "currency": "NOK",
        "accountName": "kontotest",
        "product": "FERIEKONTO",
        "cashAccountType": "SVGS",
        "creditLine": 500,
        "balances": [closing(10_000), balance("expected", 9_000, "NOK")],
        "bban": "95360573312",
        "iban": "NO7895360573312",
    })
}

#[test]
fn an_account_is_made_as_it_is_described() {
    let world = World::new();
    let made = world.made(ACCOUNTS, &full());
    let path = format!("{ACCOUNTS}/{}", text(&made, "/id"));
    let mut expected = full();
    expected["id"] = made["id"].clone();
    expected["_links"] = json!({
        "self": {"href": path, "verbs": ["GET", "DELETE"]},
        "balances": {"href": format!("{path}/balances"), "verbs": ["PUT"]},
        "transactions": {"href": format!("{path}/transactions"), "verbs": ["GET", "POST", "DELETE"]},
    });
    assert_eq!(made, expected);
    assert_eq!(world.found(&path), expected);
    let list = world.found(ACCOUNTS);
    assert_eq!(list["accounts"][12], expected);
    assert_eq!(world.balance("95360573312"), "10000.00");
}

#[test]
fn an_account_without_members_gets_defaults_and_an_unused_number() {
    let world = World::new();
    let (first, second) = (world.made(ACCOUNTS, &account()), world.made(ACCOUNTS, &account()));
    for made in [&first, &second] {
        let (bban, iban) = (text(made, "/bban"), text(made, "/iban"));
        assert!(xs2a::types::account_number_is_valid(bban) && bban.starts_with("9999"), "{bban}");
        assert!(xs2a::types::iban_is_valid(iban) && iban.ends_with(bban), "{iban}");
        assert_eq!(made["cashAccountType"], "CACC");
        assert_eq!((&made["creditLine"], balances(&made["balances"])), (&json!(0), (0, 0)));
    }
    assert_ne!(first["bban"], second["bban"]);
}

#[test]
fn a_number_is_read_in_either_form_and_kept_in_both() {
    for sent in [
        json!({"bban": "9536.05.73312"}),
        json!({"iban": "NO78 9536 0573 312"}),
        json!({"bban": "95360573312"}),
    ] {
        let world = World::new();
        let mut all = account();
        all.as_object_mut().unwrap().extend(sent.as_object().unwrap().clone());
        let made = world.made(ACCOUNTS, &all);
        assert_eq!((text(&made, "/bban"), text(&made, "/iban")), ("95360573312", "NO7895360573312"));
    }
}

#[test]
fn a_number_without_its_check_digit_is_refused_only_by_policy() {
    let sent = changed(account(), &[("/bban", json!("95360573003"))]);
    assert_eq!(World::new().made(ACCOUNTS, &sent)["bban"], "95360573003");
    let strict = World::with_policy(r#"{"account_check_digit":"refuse"}"#);
    let refusal = refused(&strict.post(ACCOUNTS, &sent));
    assert_eq!((refusal.1, refusal.3.as_str()), ("ACC-03", "/bban"));
}

#[test]
fn each_member_is_held_to_its_form() {
    let world = World::new();
    world.assert_faults(
        "POST",
        ACCOUNTS,
        &full(),
        &[
            ("/customerNumber", Value::Null, "BOD-01", "/customerNumber"),
            ("/customerNumber", json!("12345"), "SBX-11", "/customerNumber"),
            ("/customerNumber", json!(13_039_319_955_i64), "BOD-02", "/customerNumber"),
            ("/customerNumber", json!("999999"), "SBX-21", "/customerNumber"),
            ("/currency", Value::Null, "BOD-01", "/currency"),
            ("/currency", json!("nok"), "CUR-01", "/currency"),
            ("/accountName", json!(""), "BOD-05", "/accountName"),
            ("/accountName", long(71), "BOD-06", "/accountName"),
            ("/accountName", json!(1), "BOD-02", "/accountName"),
            ("/product", json!(""), "BOD-05", "/product"),
            ("/product", long(36), "BOD-06", "/product"),
            ("/cashAccountType", json!(""), "BOD-05", "/cashAccountType"),
            ("/cashAccountType", long(5), "BOD-06", "/cashAccountType"),
            ("/creditLine", json!(-1), "BOD-24", "/creditLine"),
            ("/creditLine", json!("500"), "BOD-21", "/creditLine"),
            ("/creditLine", json!(2_147_483_648_i64), "BOD-21", "/creditLine"),
            ("/balances", json!({}), "BOD-04", "/balances"),
            ("/bban", json!("1234567890"), "ACC-02", "/bban"),
            ("/bban", json!(""), "ACC-01", "/bban"),
            ("/bban", json!("95360573320"), "SBX-12", "/iban"),
            ("/iban", json!("NO7995360573312"), "ACC-05", "/iban"),
            ("/iban", json!(""), "ACC-04", "/iban"),
            ("/iban", json!("DE89370400440532013000"), "ACC-02", "/iban"),
        ],
    );
}

#[test]
fn every_fault_is_reported_at_once() {
    let world = World::new();
    let sent = changed(
        full(),
        &[
            ("/accountName", json!("")),
            ("/bban", json!("1")),
            ("/balances", json!([balance("expected", 1, "EUR"), balance("expected", 1, "NOK")])),
        ],
    );
    let expected = ["/accountName", "/bban", "/balances/0/balanceAmount/currency"];
    assert_eq!(paths(&world.post(ACCOUNTS, &sent)), expected);
}

#[test]
fn a_number_in_use_is_a_conflict() {
    let world = World::new();
    for (name, number) in [("bban", PAYER_ACCOUNT), ("iban", "NO0995360573002")] {
        let sent = changed(account(), &[(&format!("/{name}"), json!(number))]);
        let expected = (409, "SBX-26", "CONFLICT".to_owned(), format!("/{name}"));
        assert_eq!(refused(&world.post(ACCOUNTS, &sent)), expected);
    }
    assert_eq!(world.found(ACCOUNTS)["accounts"].as_array().unwrap().len(), 12);
}

#[test]
fn a_card_accounts_number_is_in_use_in_any_spelling() {
    let world = World::new();
    let new_card = changed(card(), &[("/accountNumber", json!("9536.05.73312"))]);
    let made = world.made(CARD_ACCOUNTS, &new_card);
    let taken =
        |number: &str| refused(&world.post(ACCOUNTS, &changed(account(), &[("/bban", json!(number))])));
    for number in [PAYER_CARD, "9536.05.73029", "95360573312"] {
        assert_eq!(taken(number), (409, "SBX-26", "CONFLICT".to_owned(), "/bban".to_owned()), "{number}");
    }
    // A deleted one is listed all the same.
    world.delete_twice(&format!("{CARD_ACCOUNTS}/{}", text(&made, "/resourceId")), "SBX-06");
    assert_eq!(taken("95360573312").1, "SBX-26");
    world.made(ACCOUNTS, &changed(account(), &[("/bban", json!("95360573320"))]));
    for number in [PAYER_CARD, PAYER_ACCOUNT] {
        world.made(CARD_ACCOUNTS, &changed(card(), &[("/accountNumber", json!(number))]));
    }
}

#[test]
fn an_unknown_customer_is_reported_before_a_number_in_use() {
    let world = World::new();
    let sent = json!({"customerNumber": "000000", "currency": "XXX", "bban": PAYER_ACCOUNT});
    let response = world.post(ACCOUNTS, &sent);
    assert_eq!(response.status(), 400);
    assert_eq!(paths(&response), ["/currency", "/customerNumber"]);
    let sent = changed(sent, &[("/currency", json!("NOK"))]);
    let response = world.post(ACCOUNTS, &sent);
    assert_eq!((response.status(), paths(&response)), (400, vec!["/customerNumber".to_owned()]));
    let sent = changed(sent, &[("/customerNumber", json!(PERSON))]);
    assert_eq!(refused(&world.post(ACCOUNTS, &sent)).1, "SBX-26");
}

#[test]
fn each_balance_is_held_to_its_form() {
    let world = World::new();
    let made = world.made(ACCOUNTS, &account());
    let target = format!("{ACCOUNTS}/{}/balances", text(&made, "/id"));
    world.assert_faults(
        "PUT",
        &target,
        &json!([closing(1)]),
        &[
            ("/0/balanceType", Value::Null, "BOD-01", "/0/balanceType"),
            ("/0/balanceType", json!("available"), "BOD-08", "/0/balanceType"),
            ("/0/balanceType", json!(""), "BOD-08", "/0/balanceType"),
            ("/0/balanceType", json!(1), "BOD-02", "/0/balanceType"),
            ("/0/balanceAmount", Value::Null, "BOD-01", "/0/balanceAmount"),
            ("/0/balanceAmount", json!(1), "BOD-03", "/0/balanceAmount"),
            ("/0/balanceAmount/amount", Value::Null, "BOD-01", "/0/balanceAmount/amount"),
            ("/0/balanceAmount/amount", json!("1"), "BOD-21", "/0/balanceAmount/amount"),
            ("/0/balanceAmount/amount", json!(1.5), "BOD-21", "/0/balanceAmount/amount"),
            ("/0/balanceAmount/amount", json!(2_147_483_648_i64), "BOD-21", "/0/balanceAmount/amount"),
            ("/0/balanceAmount/amount", json!(-2_147_483_649_i64), "BOD-21", "/0/balanceAmount/amount"),
            ("/0/balanceAmount/currency", Value::Null, "BOD-01", "/0/balanceAmount/currency"),
            ("/0/balanceAmount/currency", json!("EURO"), "CUR-01", "/0/balanceAmount/currency"),
            ("/0/balanceAmount/currency", json!("EUR"), "PAY-03", "/0/balanceAmount/currency"),
            ("/0", json!("x"), "BOD-03", "/0"),
        ],
    );
    for amount in [i32::MIN, i32::MAX] {
        assert_eq!(balances(&world.put(&target, &json!([closing(amount)]))).0, i64::from(amount));
    }
    let foreign = world.send("PUT", &target, &json!([closing(1), closing(2), balance("expected", 1, "SEK")]));
    assert_eq!(paths(&foreign), ["/2/balanceAmount/currency"]);
    // Of several of one type the last counts, as in the scripts of the operator.
    let sent = json!([closing(1), balance("expected", 7, "NOK"), balance("CLOSINGBOOKED", 2, "NOK")]);
    let set = body(&world.send("PUT", &target, &sent));
    let amounts: Vec<_> = set.as_array().unwrap().iter().map(|one| &one["balanceAmount"]["amount"]).collect();
    assert_eq!(amounts, [2, 7]);
    assert_eq!(refused(&world.send("PUT", &target, &json!({}))).1, "BOD-04");
    assert_eq!(refused(&world.send("PUT", "/v1/sandbox/accounts/x/balances", &json!({}))).1, "SBX-04");
}

/// Each of them is wrong by itself, and one is wrong twice.
fn wrong_balances() -> Value {
    json!([
        balance("closingBooked", 1, "SEK"),
        {"balanceType": "closingBooked", "balanceAmount": {"amount": 1.5, "currency": "SEK"}},
        5,
        {"balanceType": "available", "balanceAmount": {"amount": 1, "currency": "EUR"}},
    ])
}

#[test]
fn every_fault_of_balances_is_reported_at_once() {
    let world = World::new();
    let expected = [
        "/1/balanceAmount/amount",
        "/2",
        "/3/balanceType",
        "/0/balanceAmount/currency",
        "/1/balanceAmount/currency",
        "/3/balanceAmount/currency",
    ];
    let target = format!("{ACCOUNTS}/{}/balances", text(&world.account_of(PAYER_ACCOUNT), "/id"));
    assert_eq!(paths(&world.send("PUT", &target, &wrong_balances())), expected);
    let below: Vec<_> = expected.iter().map(|path| format!("/balances{path}")).collect();
    let sent = changed(account(), &[("/balances", wrong_balances())]);
    assert_eq!(paths(&world.post(ACCOUNTS, &sent)), below);
    let sent =
        changed(account(), &[("/balances", json!([closing(1), closing(2)])), ("/currency", json!("X"))]);
    assert_eq!(paths(&world.post(ACCOUNTS, &sent)), ["/currency"]);
}

#[test]
fn a_whole_number_written_with_a_fraction_is_refused_for_its_fraction() {
    let world = World::new();
    let target = format!("{ACCOUNTS}/{}/balances", text(&world.account_of(PAYER_ACCOUNT), "/id"));
    let sent = json!([{"balanceType": "expected", "balanceAmount": {"amount": 100.0, "currency": "NOK"}}]);
    let response = world.send("PUT", &target, &sent);
    assert_eq!(refused(&response).1, "BOD-21");
    let answered = "the member is not a whole number of 32 bits, written without a fraction";
    assert_eq!(messages(&response)[0].text, answered);
}

#[test]
fn one_balance_named_alone_is_the_balance_and_two_are_two() {
    let world = World::new();
    let made = world.made(ACCOUNTS, &account());
    let target = format!("{ACCOUNTS}/{}/balances", text(&made, "/id"));
    for (sent, expected) in [
        (json!([closing(100)]), (100, 100)),
        (json!([balance("expected", 70, "NOK")]), (70, 70)),
        (json!([closing(100), balance("expected", 70, "NOK")]), (100, 70)),
        (json!([]), (100, 70)),
        (json!([balance("EXPECTED", 80, "NOK"), balance("ClosingBooked", -5, "NOK")]), (-5, 80)),
        (json!([closing(10)]), (10, 10)),
    ] {
        assert_eq!(balances(&world.put(&target, &sent)), expected, "{sent}");
        let account = world.found(target.trim_end_matches("/balances"));
        assert_eq!(balances(&account["balances"]), expected);
        assert_eq!(world.balance(text(&account, "/bban")), format!("{}.00", expected.0));
    }
}

#[test]
fn further_members_of_a_balance_are_ignored() {
    let world = World::new();
    let made = world.made(ACCOUNTS, &account());
    let target = format!("{ACCOUNTS}/{}/balances", text(&made, "/id"));
    let sent = changed(closing(7), &[("/referenceDate", json!("2026-01-01"))]);
    assert_eq!(balances(&world.put(&target, &json!([sent]))), (7, 7));
}

#[test]
fn a_private_owner_is_engaged_at_once_and_a_corporate_one_is_not() {
    let world = World::new();
    let engaged = |bban: &str| {
        let agreements = world.found(AGREEMENTS);
        let all = agreements["agreements"].as_array().unwrap().clone();
        let engagements =
            all.iter().flat_map(|agreement| agreement["engagements"].as_array().unwrap().clone());
        engagements.filter(|engagement| engagement["account"]["bban"] == bban).collect::<Vec<_>>()
    };
    let private = world.made(ACCOUNTS, &account());
    let engagement = engaged(text(&private, "/bban"));
    assert_eq!((engagement.len(), &engagement[0]["customer"]), (1, &json!(PERSON)));
    let corporate = world.account(COMPANY, 10);
    assert_eq!(engaged(text(&corporate, "/bban")).len(), 0);
}

#[test]
fn an_account_of_a_customer_whose_agreement_was_deleted_brings_a_new_one() {
    let world = World::new();
    let list = world.found(AGREEMENTS);
    world.delete_twice(&format!("{AGREEMENTS}/{}", text(&list, "/agreements/0/id")), "SBX-02");
    world.account(PERSON, 1);
    let agreements = world.found(AGREEMENTS);
    let newest = agreements["agreements"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&newest["owner"], newest["engagements"].as_array().unwrap().len()), (&json!(PERSON), 1));
}

#[test]
fn an_account_is_deleted_once_and_has_no_owner_any_more() {
    let world = World::new();
    let made = world.account(PERSON, 10);
    let path = format!("{ACCOUNTS}/{}", text(&made, "/id"));
    world.delete_twice(&path, "SBX-04");
    let customers = world.found(&format!("{CUSTOMERS}?includeAccounts=true"));
    assert_eq!(customers["customers"][0]["accounts"].as_array().unwrap().len(), 2);
    world.assert_unknown("GET", &path, &Value::Null, "SBX-04");
    let again = world.made(ACCOUNTS, &changed(account(), &[("/bban", made["bban"].clone())]));
    assert_eq!(again["bban"], made["bban"]);
}

#[test]
fn a_card_account_is_no_account() {
    let world = World::new();
    let customers = world.found(&format!("{CUSTOMERS}?includeAccounts=true"));
    let card = text(&customers, "/customers/0/cardAccounts/0").to_owned();
    let path = format!("{ACCOUNTS}/{card}");
    world.assert_unknown("GET", &path, &Value::Null, "SBX-04");
    world.assert_unknown("DELETE", &path, &Value::Null, "SBX-04");
    world.assert_unknown("PUT", &format!("{path}/balances"), &json!([closing(1)]), "SBX-04");
    world.assert_unknown("POST", &format!("{path}/transactions"), &json!([]), "SBX-04");
    assert_eq!(world.found("/v1/sandbox/card-accounts")["cardAccounts"].as_array().unwrap().len(), 3);
}

#[test]
fn balances_are_cut_towards_zero_and_the_ledger_is_not() {
    let world = World::new();
    let made = world.account(PERSON, 10);
    let order = changed(
        crate::world::straks(),
        &[("/debtorAccount/bban", made["bban"].clone()), ("/instructedAmount/amount", json!("1.25"))],
    );
    world.pay(crate::world::STRAKS, &order, PERSON);
    let shown = world.found(&format!("{ACCOUNTS}/{}", text(&made, "/id")));
    assert_eq!(balances(&shown["balances"]), (8, 8));
    assert_eq!(world.balance(text(&made, "/bban")), "8.75");
    let listed = world.found(&format!("{ACCOUNTS}/{}/transactions", text(&made, "/id")));
    assert_eq!(listed[0]["amount"], 1);
}

#[test]
fn the_same_seed_and_calls_give_the_same_bytes() {
    let run = || {
        let world = World::new();
        let answers = [
            world.post(CUSTOMERS, &json!({"customerNumber": "123456", "type": "PRIVATE", "name": "Ny"})),
            world.post(ACCOUNTS, &json!({"customerNumber": "123456", "currency": "EUR"})),
            world.send("GET", ACCOUNTS, &Value::Null),
        ];
        answers.map(|answer| (answer.status(), answer.body().to_vec(), body(&answer)))
    };
    assert_eq!(run(), run());
}
