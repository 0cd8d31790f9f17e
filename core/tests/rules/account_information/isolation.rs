//! No TPP learns whether another TPP's id exists: it is answered like an unknown id.

use serde_json::Value;
use xs2a::{Response, ScaAnswer};

use crate::aisp::{answered, consent, Aisp, SESSION};
use crate::world::{
    approve_for, body, parameter, straks, text, World, COMPANY_AGREEMENT, PAYEE, PAYEE_ACCOUNT, PAYER, STRAKS,
};

const NEVER: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";

/// Everything that two answers must have in common: all but the link, which is new each time.
fn comparable(response: &Response) -> (u16, Value, Vec<(String, String)>) {
    let mut comparable = body(response);
    if let Some(links) = comparable.pointer_mut("/_links/scaRedirect/href") {
        *links = Value::Null;
    }
    let headers = response.headers().filter(|(name, _)| *name != "X-Request-ID");
    let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    (response.status(), comparable, headers)
}

/// The ids of everything that is not this PSU's account.
struct Others {
    accounts: Vec<String>,
    cards: Vec<String>,
    transactions: Vec<String>,
}

/// The payer's access, and the ids of another TPP's resources.
fn setting() -> (Aisp, Others) {
    let aisp = Aisp::with_history();
    let world = aisp.world.clone();
    let payee = Aisp::of(world, &ScaAnswer::approve(PAYEE));
    let ids = |path: &str, pointer: &str| {
        let all = answered(&payee.get(path));
        all[pointer]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| text(one, "/resourceId").to_owned())
            .collect::<Vec<_>>()
    };
    let (mut accounts, cards) = (ids("/v1/accounts", "accounts"), ids("/v1/card-accounts", "cardAccounts"));
    let list = format!("/v1/accounts/{}/transactions?bookingStatus=booked", payee.account(PAYEE_ACCOUNT));
    let transactions = answered(&payee.get(&list));
    let transaction = text(&transactions, "/transactions/booked/0/transactionId").to_owned();
    let company = Aisp::of(aisp.world.clone(), &approve_for(COMPANY_AGREEMENT));
    accounts.push(company.account("95360573118"));
    let created = body(&aisp.world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
    let payment = text(&created, "/paymentId").to_owned();
    let common = [NEVER, "x", "a%2Fb", "%20", &payment].map(str::to_owned);
    let own_card = aisp.card_path().rsplit('/').next().unwrap().to_owned();
    let own_account = aisp.account_path().rsplit('/').next().unwrap().to_owned();
    accounts.extend(common.clone());
    let others = Others {
        // An id of the other kind is no id of this kind.
        accounts: accounts
            .iter()
            .cloned()
            .chain(cards.clone())
            .chain([own_card, transaction.clone()])
            .collect(),
        cards: accounts.iter().cloned().chain(cards).chain([own_account, transaction.clone()]).collect(),
        transactions: accounts.into_iter().chain([transaction]).collect(),
    };
    (aisp, others)
}

#[test]
fn an_account_of_another_person_equals_an_unknown_account() {
    let (aisp, others) = setting();
    for (root, ids) in [("accounts", &others.accounts), ("card-accounts", &others.cards)] {
        for rest in ["", "/balances", "/transactions?bookingStatus=both", "/transactions/x"] {
            let path = |id: &str| format!("/v1/{root}/{id}{rest}");
            let never = comparable(&aisp.get(&path(NEVER)));
            assert_eq!(never.0, 404);
            for id in ids {
                assert_eq!(comparable(&aisp.get(&path(id))), never, "{root} {id} {rest}");
                assert_eq!(comparable(&aisp.get_alone(&path(id))), never, "{root} {id} {rest}");
            }
        }
    }
}

#[test]
fn a_transaction_of_another_account_is_one_that_never_was() {
    let (aisp, others) = setting();
    let detail = aisp.transaction_path();
    let own = detail.rsplit('/').next().unwrap();
    let second = format!("/v1/accounts/{}", aisp.account("95360573010"));
    let first = aisp.account_path();
    let never = comparable(&aisp.get(&format!("{first}/transactions/{NEVER}")));
    assert_eq!((never.0, &never.1["tppMessages"][0]["code"]), (404, &Value::from("RESOURCE_UNKNOWN")));
    assert_eq!(comparable(&aisp.get(&format!("{second}/transactions/{own}"))), never);
    for id in &others.transactions {
        assert_eq!(comparable(&aisp.get(&format!("{first}/transactions/{id}"))), never, "{id}");
    }
}

#[test]
fn a_psu_id_of_another_tpp_is_one_that_never_was() {
    let aisp = Aisp::with_history();
    let paths = aisp.paths();
    let mut world = aisp.world.clone();
    world.tpp = world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    let other = Aisp::of(world, &ScaAnswer::approve(PAYEE));
    for path in &paths {
        let named = |psu_id: &str| comparable(&other.get_with(path, &[("PSU-ID", psu_id)]));
        assert_eq!(named(&aisp.psu_id), named("67e55044-10b1-426f-9247-bb680e5fe0c8"), "{path}");
    }
}

#[test]
fn a_session_id_of_another_tpp_is_one_that_was_never_seen() {
    let aisp = Aisp::new();
    let mut world = aisp.world.clone();
    world.tpp = world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    let callback = consent(&world, "own", &ScaAnswer::approve(PAYER));
    let other = Aisp { psu_id: parameter(&callback, "psu-id").unwrap(), world, corporate_id: None };
    let under = |session| comparable(&other.get_with("/v1/accounts", &[("TPP-Session-ID", session)]));
    assert_eq!(under(SESSION), under("never"));
    assert_eq!(under("own").0, 200);
}

#[test]
fn a_corporate_id_of_another_tpp_or_psu_is_one_that_never_was() {
    let company = Aisp::of(World::new(), &approve_for(COMPANY_AGREEMENT));
    let corporate_id = company.corporate_id.clone().unwrap();
    let mut world = company.world.clone();
    world.tpp = world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    for aisp in [
        Aisp::of(world, &approve_for(COMPANY_AGREEMENT)),
        Aisp::of(company.world.clone(), &ScaAnswer::approve(PAYER)),
    ] {
        let named = |id: &str| {
            let headers = [("PSU-Context", "CORPORATE"), ("PSU-Corporate-ID", id)];
            comparable(&aisp.get_with("/v1/accounts", &headers))
        };
        assert_eq!(named(&corporate_id), named("67e55044-10b1-426f-9247-bb680e5fe0c8"));
        assert_eq!(named(&corporate_id).0, 401);
    }
}
