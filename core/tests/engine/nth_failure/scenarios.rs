//! The calls of a TPP and of a host, each with what it needs.

use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::store::{BlockedSubject, ConsentFilter, PaymentFilter};
use xs2a::types::{Context, PsuKey};

use super::stage::{answered, returned, Ended, Stage};
use crate::setup::{approved, authorisation_id, kari, TPP};
use crate::world::baskets::{names, own, BASKETS};
use crate::world::products::DOMESTIC;
use crate::world::{
    accepted, changed, creation_headers, parameter, replaced, straks, text, REDIRECT_URI, STRAKS,
};

/// One call.
pub(crate) struct Scenario {
    pub(crate) name: &'static str,
    /// Runs before, without a failure.
    pub(crate) prepare: fn(&Stage) -> Value,
    pub(crate) act: fn(&Stage, &Value) -> Ended,
    pub(crate) commits: Commits,
}

/// How often a call commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commits {
    /// Once: a failure changes nothing.
    Once,
    /// Several times: a failure may come after a part of it.
    Several,
    /// Once for each order; what fails for one of them is logged, and left to the next run.
    ForEachOrder,
}

const fn whole(
    name: &'static str,
    prepare: fn(&Stage) -> Value,
    act: fn(&Stage, &Value) -> Ended,
) -> Scenario {
    Scenario { name, prepare, act, commits: Commits::Once }
}

const fn run(name: &'static str, prepare: fn(&Stage) -> Value, act: fn(&Stage, &Value) -> Ended) -> Scenario {
    Scenario { name, prepare, act, commits: Commits::ForEachOrder }
}

pub(crate) const SCENARIOS: &[Scenario] = &[
    whole("build an engine", nothing, build),
    whole("create a payment", nothing, |stage, _| {
        let body = straks().to_string();
        answered(&stage.call("POST", STRAKS, &creation_headers(), body.as_bytes()), 201)
    }),
    whole("create a payment of a company", of_company, |stage, known| {
        let body = straks().to_string();
        let (psu, corporate) = (text(known, "/psu"), text(known, "/corporate"));
        let with = [("PSU-Context", "CORPORATE"), ("PSU-ID", psu), ("PSU-Corporate-ID", corporate)];
        let headers = replaced(creation_headers(), &with);
        answered(&stage.call("POST", STRAKS, &headers, body.as_bytes()), 201)
    }),
    whole("start an authorisation", created, |stage, created| {
        let target = format!("{}/authorisations", own(created));
        answered(&stage.call("POST", &target, &creation_headers(), b""), 201)
    }),
    whole("read a payment", created, |stage, created| {
        answered(&stage.call("GET", own(created), &creation_headers(), b""), 200)
    }),
    whole("show what is to be approved", created, |stage, created| {
        returned(stage.engine.authorisation(authorisation_id(created)))
    }),
    whole("approve a payment", created, approve),
    whole("approve in another context", created, |stage, created| {
        let outcome = kari(Context::Corporate, Some("firma"));
        returned(stage.engine.complete_sca(authorisation_id(created), &outcome))
    }),
    whole("abort an SCA", created, |stage, created| {
        returned(stage.engine.complete_sca(authorisation_id(created), &xs2a::ScaOutcome::Aborted))
    }),
    whole("cancel by the call alone", created, |stage, created| {
        answered(&stage.call("DELETE", own(created), &creation_headers(), b""), 204)
    }),
    Scenario { name: "cancel by an SCA", prepare: cancelling, act: approve, commits: Commits::Several },
    whole("create a basket", two_waiting, |stage, waiting| {
        let ids = [text(waiting, "/first/paymentId"), text(waiting, "/second/paymentId")];
        let headers = named(text(waiting, "/psu"));
        answered(&stage.call("POST", BASKETS, &headers, names(&ids).to_string().as_bytes()), 201)
    }),
    whole("delete a basket", basket, |stage, basket| {
        answered(&stage.call("DELETE", own(basket), &creation_headers(), b""), 204)
    }),
    whole("approve a basket", started_basket, approve),
    whole("start a consent", nothing, |stage, _| {
        let headers = [("TPP-Session-ID", "s"), ("TPP-Redirect-URI", REDIRECT_URI)];
        answered(&stage.call("POST", "/v1/bank-offered-consents", &headers, b""), 201)
    }),
    whole("grant a consent", asked_for_consent, approve),
    whole("grant a consent for a company", asked_for_consent, |stage, asked| {
        let outcome = kari(Context::Corporate, Some("firma"));
        returned(stage.engine.complete_sca(authorisation_id(asked), &outcome))
    }),
    whole("create a payment of a company whose PSU is not named", of_company, |stage, known| {
        let with = [("PSU-Context", "CORPORATE"), ("PSU-Corporate-ID", text(known, "/corporate"))];
        let headers = replaced(creation_headers(), &with);
        answered(&stage.call("POST", STRAKS, &headers, straks().to_string().as_bytes()), 201)
    }),
    whole("read accounts", consented, |stage, known| {
        let headers = replaced(named(text(known, "/psu")), &[("TPP-Session-ID", "s")]);
        answered(&stage.call("GET", "/v1/accounts", &headers, b""), 200)
    }),
    whole("read an account without the PSU", consented, |stage, known| {
        let headers = replaced(named(text(known, "/psu")), &[("TPP-Session-ID", ""), ("PSU-IP-Address", "")]);
        let target = format!("/v1/accounts/{ACCOUNT}/transactions?bookingStatus=both");
        answered(&stage.call("GET", &target, &headers, b""), 200)
    }),
    whole("revoke a consent", consented, |stage, _| {
        returned(stage.engine.revoke_consent(TPP, &PsuKey::new("kari")))
    }),
    whole("block a TPP", nothing, |stage, _| {
        returned(stage.engine.block(BlockedSubject::Tpp(TPP.to_owned()), None, "asked to"))
    }),
    whole("remove a block", blocked, |stage, _| {
        returned(stage.engine.unblock(BlockedSubject::Tpp(TPP.to_owned())))
    }),
    whole("list blocks", blocked, |stage, _| returned(stage.engine.blocked())),
    run("deliver what is due", ordered, run_due),
    run("deliver what a clock that was ahead postponed", postponed, run_due),
    whole("report the status of a payment", ordered, |stage, created| {
        let id = text(created, "/paymentId");
        returned(stage.engine.report_payment_status(id, PaymentStatus::Acsp, None))
    }),
    whole("list dead letters", ordered, |stage, _| returned(stage.engine.dead_letters())),
    whole("retry an order", dead_letter, |stage, created| {
        returned(stage.engine.retry_order(text(created, "/paymentId")))
    }),
    whole("know what is due next", ordered, |stage, _| returned(stage.engine.next_due())),
    whole("count the waiting orders", ordered, |stage, _| {
        use xs2a::store::Store as _;
        returned(stage.store.outbox().waiting_orders())
    }),
    whole("count dead letters", dead_letter, |stage, _| {
        use xs2a::store::Store as _;
        returned(stage.store.outbox().count_dead_letters(10))
    }),
    whole("give the statistics of a day", created, |stage, _| {
        let today = stage.setup.now().date_naive();
        returned(stage.engine.statistics(today, today, None))
    }),
    whole("erase a person", consented, |stage, _| returned(stage.engine.erase_psu(&PsuKey::new("kari")))),
    whole("list payments", created, |stage, _| {
        returned(stage.engine.payments(&PaymentFilter::default(), None, 10))
    }),
    whole("show a payment", created, |stage, created| {
        returned(stage.engine.payment(text(created, "/paymentId")))
    }),
    whole("list consents", consented, |stage, _| {
        returned(stage.engine.consents(&ConsentFilter::default(), None, 10))
    }),
    whole("export the audit", created, |stage, _| {
        let hour = TimeDelta::hours(1);
        let range = stage.setup.now() - hour..stage.setup.now() + hour;
        returned(stage.engine.audit(range).collect::<xs2a::Result<Vec<_>>>())
    }),
    run("deliver without leases", ordered, |stage, _| {
        stage.setup.wait(TimeDelta::minutes(2));
        let engine = Stage::builder(&stage.setup, &stage.store).order_lease_seconds(0);
        returned(engine.build().and_then(|engine| engine.run_due()))
    }),
];

/// An id of an account.
const ACCOUNT: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";

fn nothing(_: &Stage) -> Value {
    Value::Null
}

fn build(stage: &Stage, _: &Value) -> Ended {
    returned(Stage::builder(&stage.setup, &stage.store).build())
}

fn approve(stage: &Stage, link: &Value) -> Ended {
    returned(stage.engine.complete_sca(authorisation_id(link), &approved()))
}

/// Again a while later: orders of a run that failed wait for the end of their leases.
fn run_due(stage: &Stage, _: &Value) -> Ended {
    stage.setup.wait(TimeDelta::minutes(2));
    returned(stage.engine.run_due())
}

fn created(stage: &Stage) -> Value {
    accepted(&stage.setup.create())
}

/// Approved: the bank takes it in process, so that it is not final.
fn ordered(stage: &Stage) -> Value {
    stage.setup.bank.answer.lock().status = PaymentStatus::Acsp;
    stage.setup.ordered()
}

/// A payment whose cancellation waits for its SCA.
fn cancelling(stage: &Stage) -> Value {
    let created = stage.setup.ordered();
    let target = format!("{}/cancellation-authorisations", own(&created));
    accepted(&stage.setup.call("POST", &target, &creation_headers(), b""))
}

fn dead_letter(stage: &Stage) -> Value {
    stage.setup.bank.answer.lock().status = PaymentStatus::Part;
    let created = stage.setup.ordered();
    assert_eq!(stage.setup.engine.run_due().unwrap().dead_letters, 1);
    created
}

/// An order that is due in a year, as after the clock of a node was ahead.
fn postponed(stage: &Stage) -> Value {
    use xs2a::store::Store as _;
    let created = ordered(stage);
    let now = stage.setup.now();
    let year = now + TimeDelta::days(365);
    stage.setup.store.outbox().claim_orders(now, year, 1).unwrap();
    created
}

fn blocked(stage: &Stage) -> Value {
    stage.setup.engine.block(BlockedSubject::Tpp(TPP.to_owned()), None, "asked to").unwrap();
    Value::Null
}

fn asked_for_consent(stage: &Stage) -> Value {
    let headers = [("TPP-Session-ID", "s"), ("TPP-Redirect-URI", REDIRECT_URI)];
    accepted(&stage.setup.call("POST", "/v1/bank-offered-consents", &headers, b""))
}

/// A consent to the one account there is.
fn consented(stage: &Stage) -> Value {
    let account = xs2a::bank::Account {
        id: xs2a::types::AccountId::parse(ACCOUNT).unwrap(),
        bban: None,
        iban: None,
        bic: None,
        currency: xs2a::types::Currency::NOK,
        name: None,
        product: None,
        cash_account_type: None,
    };
    *stage.setup.bank.accounts.lock() = vec![account];
    let asked = asked_for_consent(stage);
    let redirect = stage.setup.engine.complete_sca(authorisation_id(&asked), &approved()).unwrap();
    json!({ "psu": parameter(&redirect.url, "psu-id").unwrap() })
}

fn named(psu_id: &str) -> Vec<(&str, &str)> {
    replaced(creation_headers(), &[("PSU-Context", ""), ("PSU-ID", psu_id)])
}

/// The ids of a PSU and of the company that it may act for.
fn of_company(stage: &Stage) -> Value {
    let asked = asked_for_consent(stage);
    let outcome = kari(Context::Corporate, Some("firma"));
    let redirect = stage.setup.engine.complete_sca(authorisation_id(&asked), &outcome).unwrap();
    json!({
        "psu": parameter(&redirect.url, "psu-id").unwrap(),
        "corporate": parameter(&redirect.url, "psu-corporate-id").unwrap(),
    })
}

/// Two payments of one PSU.
fn two_waiting(stage: &Stage) -> Value {
    let known = consented(stage);
    let psu = text(&known, "/psu");
    let [first, second] = ["first", "second"].map(|reference| {
        let order = changed(straks(), &[("/remittanceInformationUnstructured", json!(reference))]);
        accepted(&stage.setup.call("POST", DOMESTIC, &named(psu), order.to_string().as_bytes()))
    });
    json!({ "psu": psu, "first": first, "second": second })
}

fn basket(stage: &Stage) -> Value {
    let waiting = two_waiting(stage);
    let ids = [text(&waiting, "/first/paymentId"), text(&waiting, "/second/paymentId")];
    let headers = named(text(&waiting, "/psu"));
    accepted(&stage.setup.call("POST", BASKETS, &headers, names(&ids).to_string().as_bytes()))
}

fn started_basket(stage: &Stage) -> Value {
    let target = format!("{}/authorisations", own(&basket(stage)));
    accepted(&stage.setup.call("POST", &target, &creation_headers(), b""))
}
