//! Cancellations and signing baskets.

use serde_json::{json, Value};
use xs2a::{Response, ScaAnswer};

use crate::reasons::case::{called_back, refused, Asker, Case};
use crate::world::draft::{acquaint, Draft, Signer};
use crate::world::products::{bulk, periodic, BULK, PERIODIC};
use crate::world::{body, parameter, straks, text, PAYEE, PAYEE_ACCOUNT, PAYER, PAYER_ACCOUNT, STRAKS};

const BASKETS: &str = "/v1/signing-baskets";
const NOWHERE: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = cancellations();
    cases.extend(bodies());
    cases.extend(creations());
    cases.extend(open_baskets());
    cases
}

fn cancellations() -> Vec<Case> {
    vec![
        refused("CAN-01", |ask| ask.refused(call("DELETE", &settled(ask)))),
        refused("CAN-02", |ask| {
            ask.refused(call("POST", &below(&settled(ask), "cancellation-authorisations")))
        }),
        refused("CAN-03", |ask| {
            ask.refused(call("POST", &below(&created(ask), "cancellation-authorisations")))
        }),
        refused("PSU-03", |ask| {
            let payment = created_by(ask, &known(ask, PAYER, PAYER_ACCOUNT));
            ask.refused(call("DELETE", &payment).with("PSU-ID", known(ask, PAYEE, PAYEE_ACCOUNT)))
        })
        .at("PSU-ID"),
        refused("PSU-03", |ask| {
            let payment =
                below(&created_by(ask, &known(ask, PAYER, PAYER_ACCOUNT)), "cancellation-authorisations");
            ask.refused(call("POST", &payment).with("PSU-ID", known(ask, PAYEE, PAYEE_ACCOUNT)))
        })
        .at("PSU-ID"),
        refused("PAY-01", |ask| ask.refused(call("DELETE", &format!("{STRAKS}/{NOWHERE}")))),
    ]
}

fn bodies() -> Vec<Case> {
    vec![
        refused("BSK-03", |ask| ask.refused(basket(ask, &json!([])))).at("/paymentIds").saying(&["10", "0"]),
        refused("BSK-03", |ask| {
            let eleven: Vec<_> = (0..11).map(|number| format!("p{number}")).collect();
            ask.refused(basket(ask, &json!(eleven)))
        })
        .at("/paymentIds")
        .saying(&["10", "11"]),
        refused("BSK-04", |ask| ask.refused(basket(ask, &json!(["a", "b", "a"])))).at("/paymentIds/2"),
        refused("BOD-04", |ask| ask.refused(basket(ask, &json!("a")))).at("/paymentIds"),
        refused("BOD-02", |ask| ask.refused(basket(ask, &json!(["a", 1])))).at("/paymentIds/1"),
        refused("BOD-01", |ask| ask.refused(raw_basket(ask, "{}"))).at("/paymentIds"),
        refused("BOD-03", |ask| ask.refused(raw_basket(ask, "[]"))).at(""),
        refused("JSN-02", |ask| ask.refused(raw_basket(ask, ""))).in_case(xs2a::reason::Case::BodyEmpty),
    ]
}

fn creations() -> Vec<Case> {
    vec![
        refused("BSK-05", |ask| ask.refused(basket(ask, &json!([id(&created(ask)), NOWHERE]))))
            .at("/paymentIds/1"),
        // What cannot be an id is as unknown.
        refused("BSK-05", |ask| ask.refused(basket(ask, &json!(["a/b"])))).at("/paymentIds/0"),
        // Another TPP's payment is, too.
        refused("BSK-05", |ask| {
            let payment = created(ask);
            let other = ask.sandbox.register_tpp("Annen AS", &["PISP"]).unwrap();
            let other = Signer::of(&other);
            let payer = acquaint(&ask.sandbox, &other, &ScaAnswer::approve(PAYER), PAYER_ACCOUNT).psu_id;
            let draft = ask.tongued(basket(ask, &json!([id(&payment)])).with("PSU-ID", payer));
            ask.refused_as_is(&other.sign(draft, ask.sandbox.now()))
        })
        .at("/paymentIds/0"),
        refused("BSK-06", |ask| {
            let open_basket = href(&answered(ask, Draft::creation(PERIODIC, &periodic()), 201));
            ask.refused(basket(ask, &json!([id(&open_basket)])))
        })
        .at("/paymentIds/0"),
        refused("BSK-06", |ask| {
            let bulk = href(&answered(ask, Draft::creation(BULK, &bulk(2)), 201));
            ask.refused(basket(ask, &json!([id(&created(ask)), id(&bulk)])))
        })
        .at("/paymentIds/1"),
        refused("BSK-07", |ask| {
            let payment = created(ask);
            in_basket(ask, &[payment.as_str()]);
            ask.refused(basket(ask, &json!([id(&payment)])))
        })
        .at("/paymentIds/0"),
        refused("BSK-08", |ask| {
            let first = created_by(ask, &known(ask, PAYER, PAYER_ACCOUNT));
            let second = created_from(ask, &known(ask, PAYEE, PAYEE_ACCOUNT), PAYEE_ACCOUNT);
            ask.refused(basket(ask, &json!([id(&first), id(&second)])))
        })
        .at("/paymentIds/1"),
        refused("PSU-03", |ask| {
            let payment = created_by(ask, &known(ask, PAYER, PAYER_ACCOUNT));
            let of_payee = known(ask, PAYEE, PAYEE_ACCOUNT);
            ask.refused(basket(ask, &json!([id(&payment)])).with("PSU-ID", of_payee))
        })
        .at("PSU-ID"),
        refused("BSK-09", |ask| {
            let payment = settled(ask);
            ask.refused(basket(ask, &json!([id(&payment)])))
        })
        .at("/paymentIds/0"),
    ]
}

fn open_baskets() -> Vec<Case> {
    vec![
        refused("BSK-01", |ask| ask.refused(Draft::get(&format!("{BASKETS}/{NOWHERE}")))),
        refused("BSK-01", |ask| {
            let opened = in_basket(ask, &[&created(ask)]);
            assert_eq!(ask.asked(call("DELETE", &opened)).status(), 204);
            ask.refused(Draft::get(&below(&opened, "status")))
        }),
        refused("BSK-02", |ask| {
            let opened = in_basket(ask, &[&created_by(ask, &known(ask, PAYER, PAYER_ACCOUNT))]);
            let start = call("POST", &below(&opened, "authorisations"));
            ask.refused(start.with("PSU-ID", known(ask, PAYEE, PAYEE_ACCOUNT)))
        })
        .at("PSU-ID"),
        refused("BSK-10", |ask| {
            let opened = in_basket(ask, &[&created(ask)]);
            approve(ask, &opened);
            ask.refused(call("POST", &below(&opened, "authorisations")))
        }),
        refused("BSK-11", |ask| {
            let opened = in_basket(ask, &[&created(ask)]);
            approve(ask, &opened);
            ask.refused(call("DELETE", &opened))
        }),
        refused("BSK-12", |ask| {
            let payment = created(ask);
            in_basket(ask, &[payment.as_str()]);
            ask.refused(call("POST", &below(&payment, "authorisations")))
        }),
        refused("BSK-12", |ask| {
            let payment = created(ask);
            in_basket(ask, &[payment.as_str()]);
            ask.refused(call("DELETE", &payment))
        }),
        refused("BSK-12", |ask| {
            let payment = created(ask);
            in_basket(ask, &[payment.as_str()]);
            ask.refused(call("POST", &below(&payment, "cancellation-authorisations")))
        }),
        // The link of the payment's own SCA was there before the basket.
        called_back("BSK-12", |ask| {
            let created = answered(ask, Draft::creation(STRAKS, &straks()), 201);
            in_basket(ask, &[text(&created, "/_links/self/href")]);
            let link = text(&created, "/_links/scaRedirect/href");
            let url = ask.sandbox.authorise(link, &ScaAnswer::approve(PAYER)).unwrap();
            ask.fallen_back(url, text(&created, "/_links/status/href"))
        }),
    ]
}

/// A call of the basket's header set.
fn call(method: &str, target: &str) -> Draft {
    Draft { method: method.to_owned(), ..Draft::raw_creation(target, "") }
}

fn basket(ask: &Asker, ids: &Value) -> Draft {
    raw_basket(ask, &json!({ "paymentIds": ids }).to_string())
}

/// The creation of a basket for the payer, known from one more small payment.
fn raw_basket(ask: &Asker, sent: &str) -> Draft {
    let mut order = straks();
    order["debtorAccount"]["bban"] = "95360573010".into();
    order["instructedAmount"]["amount"] = "1.00".into();
    let created =
        answered(ask, Draft::creation(&format!("{STRAKS}?allowLogicalDuplicate=true"), &order), 201);
    let link = text(&created, "/_links/scaRedirect/href");
    let callback = ask.sandbox.authorise(link, &ScaAnswer::approve(PAYER)).unwrap();
    Draft::raw_creation(BASKETS, sent).with("PSU-ID", parameter(&callback, "psu-id").unwrap())
}

fn below(href: &str, name: &str) -> String {
    format!("{href}/{name}")
}

fn id(href: &str) -> &str {
    href.rsplit('/').next().unwrap()
}

fn known(ask: &Asker, person: &str, account: &str) -> String {
    acquaint(&ask.sandbox, &ask.signer, &ScaAnswer::approve(person), account).psu_id
}

fn answered(ask: &Asker, draft: Draft, status: u16) -> Value {
    let response: Response = ask.asked(draft);
    assert_eq!(response.status(), status, "{}", String::from_utf8_lossy(response.body()));
    body(&response)
}

fn href(created: &Value) -> String {
    text(created, "/_links/self/href").to_owned()
}

/// The path of a payment that waits for a single SCA.
fn created(ask: &Asker) -> String {
    href(&answered(ask, Draft::creation(STRAKS, &straks()), 201))
}

/// The path of a payment of that PSU.
fn created_by(ask: &Asker, psu_id: &str) -> String {
    created_from(ask, psu_id, PAYER_ACCOUNT)
}

fn created_from(ask: &Asker, psu_id: &str, account: &str) -> String {
    let mut order = straks();
    order["debtorAccount"]["bban"] = account.into();
    order["creditorAccount"]["bban"] = "95360573010".into();
    href(&answered(ask, Draft::creation(STRAKS, &order).with("PSU-ID", psu_id), 201))
}

/// The path of a payment that is carried out.
fn settled(ask: &Asker) -> String {
    let created = answered(ask, Draft::creation(STRAKS, &straks()), 201);
    let link = text(&created, "/_links/scaRedirect/href");
    ask.sandbox.authorise(link, &ScaAnswer::approve(PAYER)).unwrap();
    href(&created)
}

/// The path of a new basket.
fn in_basket(ask: &Asker, payments: &[&str]) -> String {
    let ids: Vec<_> = payments.iter().map(|payment| id(payment)).collect();
    href(&answered(ask, basket(ask, &json!(ids)), 201))
}

fn approve(ask: &Asker, basket: &str) {
    let started = answered(ask, call("POST", &below(basket, "authorisations")), 201);
    let link = text(&started, "/_links/scaRedirect/href");
    ask.sandbox.authorise(link, &ScaAnswer::approve(PAYER)).unwrap();
}
