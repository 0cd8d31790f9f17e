//! How far back the history goes.

use xs2a::{SandboxOptions, ScaAnswer};

use crate::aisp::{answered, assert_needs_sca, assert_refused, Aisp};
use crate::world::{at, body, straks, text, World, PAYER, STRAKS};

#[test]
fn without_an_open_session_the_history_begins_90_days_before_today() {
    let aisp = Aisp::new();
    for list in
        [format!("{}/transactions", aisp.account_path()), format!("{}/transactions", aisp.card_path())]
    {
        let world = aisp.world.clone();
        let aisp = Aisp { world, ..aisp.clone() };
        let path = |from: &str| format!("{list}?bookingStatus=booked{from}");
        answered(&aisp.get(&path("&dateFrom=1970-01-01")));
        aisp.world.set_now("2026-09-01T11:00:00Z");
        answered(&aisp.get(&path("&dateFrom=2026-06-03")));
        let refused = aisp.get(&path("&dateFrom=2026-06-02"));
        assert_needs_sca(&refused, 401, "SCA_EXPIRED");
        assert_eq!(body(&refused)["tppMessages"][0]["path"], "dateFrom");
        // The same without any session.
        let none = [("TPP-Session-ID", "")];
        assert_needs_sca(&aisp.get_with(&path("&dateFrom=2026-06-02"), &none), 401, "SCA_EXPIRED");
        answered(&aisp.get_with(&path("&dateFrom=2026-06-03"), &none));
    }
}

#[test]
fn today_is_the_day_in_oslo() {
    let aisp = Aisp::new();
    let list = format!("{}/transactions?bookingStatus=booked", aisp.account_path());
    aisp.world.set_now("2026-09-01T21:59:59Z");
    answered(&aisp.get(&format!("{list}&dateFrom=2026-06-03")));
    aisp.world.set_now("2026-09-01T22:00:00Z");
    assert_needs_sca(&aisp.get(&format!("{list}&dateFrom=2026-06-03")), 401, "SCA_EXPIRED");
}

#[test]
fn what_is_older_than_90_days_shows_within_the_hour_alone() {
    let world =
        World::with(SandboxOptions { now: Some(at("2026-06-01T10:00:00Z")), ..SandboxOptions::default() });
    world.pay(STRAKS, &straks(), PAYER);
    world.set_now("2026-08-31T10:00:00Z");
    let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
    let list = format!("{}/transactions?bookingStatus=booked", aisp.account_path());
    let booked = |aisp: &Aisp| answered(&aisp.get(&list))["transactions"]["booked"].as_array().unwrap().len();
    assert_eq!(booked(&aisp), 1);
    aisp.world.set_now("2026-08-31T11:00:00Z");
    assert_eq!(booked(&aisp), 0);
}

#[test]
fn a_list_before_the_history_is_empty_and_so_is_its_link() {
    let aisp = Aisp::new();
    aisp.world.set_now("2026-09-01T11:00:00Z");
    for (path, part) in [(aisp.account_path(), "transactions"), (aisp.card_path(), "cardTransactions")] {
        for to in ["2026-06-02", "2026-06-03"] {
            let page = answered(&aisp.get(&format!("{path}/transactions?bookingStatus=booked&dateTo={to}")));
            assert_eq!(page[part]["booked"], serde_json::json!([]), "{to}");
            assert_eq!(answered(&aisp.get(&own_link(&page, part))), page, "{to}");
        }
    }
}

#[test]
fn a_link_names_what_the_call_named_and_is_answered_after_midnight_too() {
    let aisp = Aisp::new();
    aisp.world.set_now("2026-09-01T21:59:59Z");
    let lists = [(aisp.account_path(), "transactions"), (aisp.card_path(), "cardTransactions")];
    let pages = lists.map(|(path, part)| {
        let page = answered(&aisp.get(&format!("{path}/transactions?bookingStatus=booked")));
        let own = own_link(&page, part);
        assert_eq!(crate::world::parameter(&own, "dateFrom"), None);
        (own, page)
    });
    aisp.world.set_now("2026-09-01T22:00:00Z");
    for (own, page) in pages {
        assert_eq!(answered(&aisp.get(&own)), page);
    }
}

fn own_link(page: &serde_json::Value, part: &str) -> String {
    text(page, &format!("/{part}/_links/self/href")).to_owned()
}

#[test]
fn a_malformed_query_is_refused_before_access_is_looked_at() {
    let aisp = Aisp::new();
    let (account, card) = (aisp.account_path(), aisp.card_path());
    for list in [format!("{account}/transactions"), format!("{card}/transactions")] {
        for (query, code, path) in [
            ("", "QUERY_PARAMETER_REQUIRED", "bookingStatus"),
            ("?bookingStatus=", "FORMAT_ERROR", "bookingStatus"),
            ("?bookingStatus=Booked", "FORMAT_ERROR", "bookingStatus"),
            ("?bookingStatus=both&dateFrom=2026-02-30", "FORMAT_ERROR", "dateFrom"),
            ("?bookingStatus=both&dateTo=tomorrow", "FORMAT_ERROR", "dateTo"),
            ("?bookingStatus=both&dateFrom=2026-08-02&dateTo=2026-08-01", "FORMAT_ERROR", "dateFrom"),
            ("?bookingStatus=both&limit=0", "FORMAT_ERROR", "limit"),
            ("?bookingStatus=both&limit=1001", "FORMAT_ERROR", "limit"),
            ("?bookingStatus=both&offset=-1", "FORMAT_ERROR", "offset"),
            ("?bookingStatus=both&bookingStatus=both", "FORMAT_ERROR", "bookingStatus"),
        ] {
            for psu_id in [aisp.psu_id.as_str(), ""] {
                let refused = aisp.get_with(&format!("{list}{query}"), &[("PSU-ID", psu_id)]);
                assert_refused(&refused, 400, code);
                assert_eq!(body(&refused)["tppMessages"][0]["path"], path, "{query}");
            }
        }
    }
    for path in ["/v1/accounts".to_owned(), account] {
        for value in ["", "1", "TRUE"] {
            let refused = aisp.get(&format!("{path}?withBalance={value}"));
            assert_refused(&refused, 400, "FORMAT_ERROR");
            assert_eq!(body(&refused)["tppMessages"][0]["path"], "withBalance");
        }
    }
}
