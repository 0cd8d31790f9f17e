//! The PSU named by a call, and what is decided about a payment.

use std::sync::Arc;

use serde_json::json;
use xs2a::sandbox::{Rates, SandboxBank};
use xs2a::store::CommitOutcome;
use xs2a::types::Currency;
use xs2a::{Context, ScaAnswer};

use crate::reasons::case::{refused, Asker, Case};
use crate::reasons::seams::Seams;
use crate::world::draft::{acquaint, Draft, Signer};
use crate::world::{
    body, cross_border, straks, text, COMPANY_ACCOUNT, COMPANY_AGREEMENT, CROSS_BORDER, PAYEE, PAYEE_ACCOUNT,
    PAYER, PAYER_ACCOUNT, PROXY, STRAKS,
};

const UNKNOWN: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = persons();
    cases.extend(persons_of_questions());
    cases.extend(payments());
    cases
}

/// The approval of the person who acts for a company.
fn for_the_company() -> ScaAnswer {
    let agreement = Some(COMPANY_AGREEMENT.to_owned());
    ScaAnswer { context: Context::Corporate, agreement, ..ScaAnswer::approve(PROXY) }
}

fn persons() -> Vec<Case> {
    vec![
        refused("PSU-01", |ask| ask.refused(creation().with("PSU-ID", UNKNOWN))).at("PSU-ID"),
        // What another TPP was given counts for nothing.
        refused("PSU-01", |ask| {
            let psu_id = known(ask, PAYER, PAYER_ACCOUNT);
            let other = ask.sandbox.register_tpp("Annen AS", &["PISP"]).unwrap();
            let draft = ask.tongued(creation().with("PSU-ID", psu_id));
            ask.refused_as_is(&Signer::of(&other).sign(draft, ask.sandbox.now()))
        })
        .at("PSU-ID"),
        refused("PSU-02", |ask| {
            let psu_id = known(ask, PAYER, PAYER_ACCOUNT);
            let named = creation().with("PSU-ID", psu_id).with("PSU-Corporate-ID", UNKNOWN);
            ask.refused(named.with("PSU-Context", "CORPORATE"))
        })
        .at("PSU-Corporate-ID"),
        // The context of the session asks for the customer, where the call itself names none.
        refused("PSU-04", |ask| {
            let psu_id = acquaint(&ask.sandbox, &ask.signer, &for_the_company(), COMPANY_ACCOUNT).psu_id;
            ask.refused(creation().with("PSU-ID", psu_id).without("PSU-Context"))
        })
        .at("PSU-Corporate-ID"),
        // The corporate id of one person opens nothing to another.
        refused("PSU-02", |ask| {
            let corporate_id = acquaint(&ask.sandbox, &ask.signer, &for_the_company(), COMPANY_ACCOUNT)
                .corporate_id
                .unwrap();
            let psu_id = known(ask, PAYER, PAYER_ACCOUNT);
            ask.refused(
                creation()
                    .with("PSU-ID", psu_id)
                    .without("PSU-Context")
                    .with("PSU-Corporate-ID", corporate_id),
            )
        })
        .at("PSU-Corporate-ID"),
        refused("PSU-03", |ask| {
            let payment = explicit(ask, &known(ask, PAYER, PAYER_ACCOUNT));
            ask.refused(authorisation(&payment).with("PSU-ID", known(ask, PAYEE, PAYEE_ACCOUNT)))
        })
        .at("PSU-ID"),
    ]
}

/// The PSU that a call names must be known, also if the call only reads.
fn persons_of_questions() -> Vec<Case> {
    fn question(ask: &Asker, psu_id: &str) -> Draft {
        Draft::get(&format!("{}/status", explicit(ask, psu_id))).with("PSU-ID", psu_id)
    }
    vec![
        refused("PSU-01", |ask| {
            let psu_id = known(ask, PAYER, PAYER_ACCOUNT);
            ask.refused(question(ask, &psu_id).with("PSU-ID", UNKNOWN))
        })
        .at("PSU-ID"),
        refused("PSU-01", |ask| ask.refused(Draft::get("/v1/signing-baskets/x").with("PSU-ID", UNKNOWN)))
            .at("PSU-ID"),
        refused("PSU-02", |ask| {
            let psu_id = known(ask, PAYER, PAYER_ACCOUNT);
            ask.refused(question(ask, &psu_id).with("PSU-Corporate-ID", UNKNOWN))
        })
        .at("PSU-Corporate-ID"),
        refused("PSU-04", |ask| {
            let psu_id = known(ask, PAYER, PAYER_ACCOUNT);
            ask.refused(question(ask, &psu_id).with("PSU-Context", "CORPORATE"))
        })
        .at("PSU-Corporate-ID"),
    ]
}

fn payments() -> Vec<Case> {
    let debtor = "/debtorAccount/bban";
    vec![
        refused("PAY-01", |ask| ask.refused(Draft::get(&format!("{STRAKS}/enc!!AAAAAAAAAAAAAAAAAAAAAAAA")))),
        // Another TPP's payment is as unknown as one that never was.
        refused("PAY-01", |ask| {
            let payment = explicit(ask, &known(ask, PAYER, PAYER_ACCOUNT));
            let other = ask.sandbox.register_tpp("Annen AS", &["PISP"]).unwrap();
            let draft = ask.tongued(Draft::get(&format!("{payment}/status")));
            ask.refused_as_is(&Signer::of(&other).sign(draft, ask.sandbox.now()))
        }),
        refused("PAY-02", |ask| {
            let mut body = straks();
            body["debtorAccount"]["bban"] = json!(PAYEE_ACCOUNT);
            ask.refused(Draft::creation(STRAKS, &body).with("PSU-ID", known(ask, PAYER, PAYER_ACCOUNT)))
        })
        .at(debtor),
        refused("PAY-03", |ask| {
            let mut body = straks();
            body["debtorAccount"]["currency"] = json!("EUR");
            ask.refused(Draft::creation(STRAKS, &body).with("PSU-ID", known(ask, PAYER, PAYER_ACCOUNT)))
        })
        .at("/debtorAccount/currency"),
        refused("PAY-04", |ask| {
            assert_eq!(ask.asked(creation()).status(), 201);
            ask.refused(creation())
        })
        .saying(&["24"]),
        refused("PAY-05", |ask| {
            let psu_id = known(ask, PAYER, PAYER_ACCOUNT);
            let payment = explicit(ask, &psu_id);
            let started = ask.asked(authorisation(&payment).with("PSU-ID", &psu_id));
            let started = body(&started);
            let link = text(&started, "/_links/scaRedirect/href");
            ask.sandbox.authorise(link, &ScaAnswer::approve(PAYER)).unwrap();
            ask.refused(authorisation(&payment).with("PSU-ID", &psu_id))
        }),
        refused("PAY-06", |ask| {
            let seams = Seams::new(ask);
            let engine =
                seams.engine(|builder| builder.store(seams.store(|| Ok(CommitOutcome::VersionConflict))));
            ask.refused_by(&engine, &seams.database, creation())
        }),
        refused("PAY-07", |ask| {
            let mut body = cross_border();
            body["instructedAmount"] = json!({"amount": "100.00", "currency": "ZWD"});
            let seams = Seams::new(ask);
            let bank = SandboxBank::new(Arc::clone(&seams.database), Rates::default().without(Currency::ZWD));
            let engine = seams.engine(|builder| builder.bank(Arc::new(bank)));
            ask.refused_by(&engine, &seams.database, Draft::creation(CROSS_BORDER, &body))
        })
        .at("/instructedAmount/currency")
        .saying(&["ZWD"]),
        // Another node was faster with the same request.
        refused("RPL-01", |ask| {
            let seams = Seams::new(ask);
            let engine =
                seams.engine(|builder| builder.store(seams.store(|| Ok(CommitOutcome::RequestReplayed))));
            ask.refused_by(&engine, &seams.database, creation())
        })
        .at("X-Request-ID")
        .saying(&["120"]),
    ]
}

fn creation() -> Draft {
    Draft::creation(STRAKS, &straks())
}

fn authorisation(payment: &str) -> Draft {
    let draft = Draft { method: "POST".to_owned(), ..creation() };
    Draft { target: format!("{payment}/authorisations"), body: Vec::new(), ..draft }
}

fn known(ask: &Asker, person: &str, account: &str) -> String {
    acquaint(&ask.sandbox, &ask.signer, &ScaAnswer::approve(person), account).psu_id
}

/// The path of a payment that a known PSU has not yet authorised.
fn explicit(ask: &Asker, psu_id: &str) -> String {
    let created = ask.asked(creation().with("PSU-ID", psu_id));
    assert_eq!(created.status(), 201, "{}", String::from_utf8_lossy(created.body()));
    text(&body(&created), "/_links/self/href").to_owned()
}
