//! Every production route with every kind of id: an id of another TPP is answered like an unknown id.

use serde_json::Value;
use xs2a::operation::OPERATIONS;
use xs2a::{Response, ScaAnswer};

use crate::aisp::{answered, consent, Aisp};
use crate::world::baskets::{names, BASKETS};
use crate::world::{
    accepted, approve_for, body, creation_headers, link, parameter, replaced, straks, text, World,
    COMPANY_AGREEMENT, PAYEE, STRAKS,
};

const NEVER: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
const UNKNOWN: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

/// The whole answer, except for what is new each time: the link, and the id of the call.
fn parts(response: &Response) -> (u16, Value, Vec<(String, String)>) {
    let mut answer = if response.body().is_empty() { Value::Null } else { body(response) };
    if let Some(link) = answer.pointer_mut("/_links/scaRedirect/href") {
        *link = Value::Null;
    }
    let headers = response.headers().filter(|(name, _)| *name != "X-Request-ID");
    (response.status(), answer, headers.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
}

/// One TPP's ids of everything there is, and another TPP in the same sandbox, known to another person.
struct Setting {
    ids: Vec<String>,
    psu_id: String,
    corporate_id: String,
    other: Aisp,
}

fn setting() -> Setting {
    let mine = Aisp::with_history();
    let (account, card, transaction) = (mine.account_path(), mine.card_path(), mine.transaction_path());
    let world = mine.world.clone();
    let payment = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
    let psu = [("PSU-Context", ""), ("PSU-ID", mine.psu_id.as_str())];
    let order = crate::world::changed(straks(), &[("/instructedAmount/amount", "3.00".into())]);
    let basketed = accepted(&world.create_with(STRAKS, &psu, &order));
    let basket = accepted(&world.create_with(BASKETS, &psu, &names(&[text(&basketed, "/paymentId")])));
    let callback = consent(&world, "company", &approve_for(COMPANY_AGREEMENT));
    let last = |path: &str| path.rsplit('/').next().unwrap().to_owned();
    let ids = vec![
        last(&account),
        last(&card),
        last(&transaction),
        text(&payment, "/paymentId").to_owned(),
        text(&basketed, "/paymentId").to_owned(),
        text(&basket, "/basketId").to_owned(),
        last(link(&payment)),
        mine.psu_id.clone(),
    ];
    let tpp = world.sandbox.register_tpp("Other", &["AISP", "PISP"]).unwrap();
    let other = Aisp::of(World { tpp, ..world }, &ScaAnswer::approve(PAYEE));
    let corporate_id = parameter(&callback, "psu-corporate-id").unwrap();
    Setting { ids, psu_id: mine.psu_id, corporate_id, other }
}

impl Setting {
    /// A call of the other TPP with everything a call may need.
    fn call(&self, method: &str, target: &str, with: &[(&str, &str)], sent: &str) -> Response {
        let own =
            [("PSU-Context", ""), ("PSU-ID", self.other.psu_id.as_str()), ("TPP-Session-ID", "session-a")];
        let headers = replaced(replaced(creation_headers(), &own), with);
        self.other.world.call(method, target, &headers, sent.as_bytes())
    }
}

/// The route with that in the place of every id.
fn path(template: &str, id: &str) -> String {
    template
        .replace("{payments|periodic-payments|bulk-payments}", "payments")
        .replace("{payment-product}", "instant-norwegian-domestic-credit-transfers-straks")
        .replace("{user|users}", "user")
        .replace("{payment-id}", id)
        .replace("{basket-id}", id)
        .replace("{transactionId}", id)
        .replace("{id}", id)
}

/// What the call sends, where it sends something: an order, or a basket of the payment of that id.
fn sent(name: &str, id: &str) -> String {
    match name {
        "createPayment" => straks().to_string(),
        "createSigningBasket" => names(&[id]).to_string(),
        _ => String::new(),
    }
}

#[test]
fn on_every_route_an_id_of_another_tpp_is_one_that_never_was() {
    let setting = setting();
    let mut seen = 0;
    for operation in OPERATIONS.iter().filter(|row| path(row.path, NEVER) != path(row.path, "x")) {
        let query = if operation.name.ends_with("Transactions") { "?bookingStatus=both" } else { "" };
        let ask = |id: &str| {
            let target = format!("{}{query}", path(operation.path, id));
            parts(&setting.call(operation.method, &target, &[], ""))
        };
        let never = ask(NEVER);
        assert_eq!((never.0, &never.1["tppMessages"][0]["code"]), (404, &"RESOURCE_UNKNOWN".into()));
        for id in &setting.ids {
            assert_eq!(ask(id), never, "{} {id}", operation.name);
        }
        seen += 1;
    }
    assert_eq!(seen, 16, "routes with an id");
}

#[test]
fn in_a_basket_an_id_of_another_tpp_is_one_that_never_was() {
    let setting = setting();
    let ask = |id: &str| parts(&setting.call("POST", BASKETS, &[], &sent("createSigningBasket", id)));
    let never = ask(NEVER);
    assert_eq!((never.0, &never.1["tppMessages"][0]["code"]), (400, &"RESOURCE_UNKNOWN".into()));
    setting.ids.iter().for_each(|id| assert_eq!(ask(id), never, "{id}"));
}

#[test]
fn on_every_route_ids_of_another_tpp_equal_unknown_ids() {
    let setting = setting();
    let headers = [
        ("PSU-ID", setting.psu_id.as_str(), UNKNOWN),
        ("PSU-Corporate-ID", setting.corporate_id.as_str(), UNKNOWN),
        ("TPP-Session-ID", "company", "never"),
    ];
    // An account of the other TPP's own, so that what is asked for is not what refuses.
    let account = setting.other.account("95360573037");
    for operation in OPERATIONS {
        let query = if operation.name.ends_with("Transactions") { "?bookingStatus=both" } else { "" };
        let target = format!("{}{query}", path(operation.path, &account));
        for (name, foreign, never) in headers {
            let ask = |value: &str| {
                // Each on a twin: a payment that is created must not make the next one a duplicate.
                let world = setting.other.world.clone();
                let twin = Setting {
                    other: Aisp { world, ..setting.other.clone() },
                    ids: Vec::new(),
                    psu_id: setting.psu_id.clone(),
                    corporate_id: setting.corporate_id.clone(),
                };
                parts(&twin.call(
                    operation.method,
                    &target,
                    &[(name, value)],
                    &sent(operation.name, &account),
                ))
            };
            assert_eq!(ask(foreign), ask(never), "{} {name}", operation.name);
        }
    }
}

#[test]
fn ids_of_the_other_tpps_own_person_are_answered() {
    let setting = setting();
    assert_eq!(setting.call("GET", "/v1/accounts", &[], "").status(), 200);
    let account = format!("/v1/accounts/{}", setting.other.account("95360573037"));
    answered(&setting.call("GET", &account, &[], ""));
    accepted(&setting.call("POST", &format!("{STRAKS}?allowLogicalDuplicate=true"), &[], &{
        let payee = [("/debtorAccount/bban", "95360573037".into())];
        crate::world::changed(straks(), &payee).to_string()
    }));
}
