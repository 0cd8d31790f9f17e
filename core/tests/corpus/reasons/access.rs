//! Who may read accounts: the table of access.

use chrono::TimeDelta;
use xs2a::{Context, ScaAnswer};

use crate::reasons::case::{refused, Asker, Case};
use crate::reasons::seams::Seams;
use crate::world::draft::{acquaint, Draft};
use crate::world::{body, parameter, text, COMPANY_AGREEMENT, PAYEE, PAYER, PAYER_ACCOUNT, PROXY};

const UNKNOWN: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";
const NOTHING: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = of_the_caller();
    cases.extend(of_what_is_read());
    cases
}

fn of_the_caller() -> Vec<Case> {
    let (psu_id, corporate_id, session_id) = ("PSU-ID", "PSU-Corporate-ID", "TPP-Session-ID");
    vec![
        refused("PSU-04", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            ask.refused(list().with("PSU-ID", psu_id).with("PSU-Context", "CORPORATE"))
        })
        .at(corporate_id),
        // The context of the session asks for it too.
        refused("PSU-04", |ask| {
            let agreement = Some(COMPANY_AGREEMENT.to_owned());
            let answer = ScaAnswer { context: Context::Corporate, agreement, ..ScaAnswer::approve(PROXY) };
            let psu_id = consented(ask, "s", &answer);
            ask.refused(list().with("PSU-ID", psu_id).with("TPP-Session-ID", "s"))
        })
        .at(corporate_id),
        refused("AIS-01", |ask| ask.refused_with_link(list())).at(psu_id),
        refused("AIS-01", |ask| ask.refused_with_link(list().with("PSU-ID", UNKNOWN))).at(psu_id),
        refused("AIS-01", |ask| ask.refused_with_link(Draft::get("/v1/agreements"))).at(psu_id),
        refused("PSU-02", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            ask.refused(list().with("PSU-ID", psu_id).with("PSU-Corporate-ID", UNKNOWN))
        })
        .at(corporate_id),
        refused("AIS-02", |ask| {
            let psu_id =
                acquaint(&ask.sandbox, &ask.signer, &ScaAnswer::approve(PAYER), PAYER_ACCOUNT).psu_id;
            ask.refused_with_link(list().with("PSU-ID", psu_id))
        }),
        refused("AIS-02", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            let tpp = ask.signer.certificate().organisation_id().unwrap().to_owned();
            ask.sandbox.revoke_consent(PAYER, &tpp).unwrap();
            ask.refused_with_link(list().with("PSU-ID", psu_id))
        }),
        refused("AIS-03", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            ask.sandbox.advance(TimeDelta::days(180)).unwrap();
            ask.refused_with_link(list().with("PSU-ID", psu_id))
        })
        .saying(&["180"]),
        refused("AIS-04", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            ask.refused_with_link(list().with("PSU-ID", psu_id).with("TPP-Session-ID", "never"))
        })
        .at(session_id),
        refused("AIS-05", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            consented(ask, "of payee", &ScaAnswer::approve(PAYEE));
            ask.refused_with_link(list().with("PSU-ID", psu_id).with("TPP-Session-ID", "of payee"))
        })
        .at(session_id),
        refused("AIS-06", |ask| {
            consented(ask, "s", &ScaAnswer::approve(PAYER));
            let psu_id = consented(ask, "newer", &ScaAnswer::approve(PAYER));
            ask.refused_with_link(list().with("PSU-ID", psu_id).with("TPP-Session-ID", "s"))
        })
        .at(session_id),
    ]
}

fn of_what_is_read() -> Vec<Case> {
    vec![
        refused("AIS-07", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            ask.refused(Draft::get(&format!("/v1/accounts/{NOTHING}")).with("PSU-ID", psu_id))
        }),
        refused("AIS-07", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            ask.refused(Draft::get(&format!("/v1/card-accounts/{NOTHING}/balances")).with("PSU-ID", psu_id))
        }),
        refused("AIS-08", |ask| {
            let answer = ScaAnswer::approve(PAYER);
            let account = account(ask, &consented(ask, "s", &answer));
            let narrow = ScaAnswer { accounts: Some(vec!["95360573010".to_owned()]), ..answer };
            let psu_id = consented(ask, "s", &narrow);
            ask.refused_with_link(Draft::get(&account).with("PSU-ID", psu_id))
        }),
        refused("AIS-09", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            let details = Draft::get(&format!("{}/transactions/{NOTHING}", account(ask, &psu_id)));
            ask.sandbox.advance(TimeDelta::days(90)).unwrap();
            ask.refused_with_link(
                details.with("PSU-ID", psu_id).with("x-accept-fix", "").with("TPP-Session-ID", "s"),
            )
        })
        .saying(&["90"]),
        refused("AIS-10", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            let list =
                format!("{}/transactions?bookingStatus=both&dateFrom=1970-01-01", account(ask, &psu_id));
            ask.refused_with_link(Draft::get(&list).with("PSU-ID", psu_id))
        })
        .at("dateFrom")
        .saying(&["90"]),
        refused("AIS-11", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            let path = format!("{}/transactions?bookingStatus=both", account(ask, &psu_id));
            let list = || Draft::get(&path).with("PSU-ID", &psu_id);
            (0..4).for_each(|_| assert_eq!(ask.asked(list()).status(), 200));
            ask.refused(list())
        })
        .saying(&["4"]),
        // Another node counted the fourth in between.
        refused("AIS-11", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            let path = format!("{}/transactions?bookingStatus=both", account(ask, &psu_id));
            let seams = Seams::new(ask);
            let engine = seams.engine(|builder| {
                builder.store(seams.store(|| Ok(xs2a::store::CommitOutcome::QuotaExceeded)))
            });
            ask.refused_by(&engine, &seams.database, Draft::get(&path).with("PSU-ID", psu_id))
        })
        .saying(&["4"]),
        refused("AIS-13", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            ask.sandbox.set_sca_demand(PAYER, "demanded").unwrap();
            ask.refused_with_link(list().with("PSU-ID", psu_id).with("TPP-Session-ID", "s"))
        }),
        refused("AIS-12", |ask| {
            let psu_id = consented(ask, "s", &ScaAnswer::approve(PAYER));
            let details = Draft::get(&format!("{}/transactions/{NOTHING}", account(ask, &psu_id)));
            ask.refused(details.with("PSU-ID", psu_id).with("x-accept-fix", "").with("TPP-Session-ID", "s"))
        }),
    ]
}

fn list() -> Draft {
    Draft::get("/v1/accounts")
}

/// Opens accounts under a session. The PSU-ID.
fn consented(ask: &Asker, session: &str, answer: &ScaAnswer) -> String {
    let draft = Draft { method: "POST".to_owned(), ..Draft::get("/v1/bank-offered-consents") };
    let started = body(&ask.asked(draft.with("TPP-Session-ID", session)));
    let url = ask.sandbox.authorise(text(&started, "/_links/scaRedirect/href"), answer).unwrap();
    parameter(&url, "psu-id").unwrap()
}

/// The path of the first account that is open.
fn account(ask: &Asker, psu_id: &str) -> String {
    let accounts = body(&ask.asked(list().with("PSU-ID", psu_id)));
    text(&accounts, "/accounts/0/_links/self/href").to_owned()
}
