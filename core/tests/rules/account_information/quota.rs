//! Four calls a day without the PSU, or as many as the policy says.

use xs2a::{SandboxOptions, ScaAnswer};

use crate::aisp::{answered, assert_needs_sca, assert_refused, consent, Aisp, OTHER_ACCOUNT, SESSION};
use crate::world::{at, body, parameter, straks, text, World, PAYER, PROXY, STRAKS};

#[track_caller]
fn assert_exceeded(aisp: &Aisp, path: &str, retry_after: &str) {
    let response = aisp.get_alone(path);
    assert_refused(&response, 429, "ACCESS_EXCEEDED");
    assert_eq!(response.header("Retry-After"), Some(retry_after), "{path}");
}

fn use_up(aisp: &Aisp, path: &str) {
    (0..4).for_each(|_| drop(answered(&aisp.get_alone(path))));
}

#[test]
fn the_fifth_call_without_the_psu_is_refused_until_the_day_is_over() {
    let aisp = Aisp::with_history();
    let (account, card, detail) = (aisp.account_path(), aisp.card_path(), aisp.transaction_path());
    let other = format!("/v1/accounts/{}", aisp.account(OTHER_ACCOUNT));
    let list = |of: &str| format!("{of}/transactions?bookingStatus=both");
    // Each account and each operation has its own four.
    for path in [list(&account), detail, list(&card), list(&other)] {
        use_up(&aisp, &path);
        assert_exceeded(&aisp, &path, "43200");
        answered(&aisp.get(&path));
        let world = aisp.world.clone();
        let later = Aisp { world, ..aisp.clone() };
        later.world.set_now("2026-09-01T21:59:59.999999Z");
        assert_exceeded(&later, &path, "1");
        later.world.set_now("2026-09-01T22:00:00Z");
        use_up(&later, &path);
        assert_exceeded(&later, &path, "86400");
    }
}

/// What the answer says of how many there are, in both languages.
fn text_of(aisp: &Aisp, path: &str, language: &str) -> String {
    let refused = aisp.get_with(path, &[("PSU-IP-Address", ""), ("Accept-Language", language)]);
    text(&body(&refused), "/tppMessages/0/text").to_owned()
}

#[test]
fn of_six_agreed_calls_the_sixth_is_answered_and_the_seventh_refused() {
    let world = World::with_policy(r#"{"calls_without_psu_per_day":6}"#);
    world.pay(STRAKS, &straks(), PAYER);
    let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
    let list = |of: &str| format!("{of}/transactions?bookingStatus=both");
    for path in [list(&aisp.account_path()), aisp.transaction_path(), list(&aisp.card_path())] {
        (0..6).for_each(|_| drop(answered(&aisp.get_alone(&path))));
        assert_exceeded(&aisp, &path, "43200");
        assert_eq!(
            text_of(&aisp, &path, "en"),
            "without the PSU, this is read 6 times a day; see Retry-After"
        );
        assert_eq!(
            text_of(&aisp, &path, "nb"),
            "uten brukeren leses dette 6 ganger om dagen; se Retry-After"
        );
    }
}

#[test]
fn a_running_sandbox_counts_on_under_the_number_that_its_policy_has_now() {
    let aisp = Aisp::with_history();
    let detail = aisp.transaction_path();
    let set = |calls: u32| {
        let policy = format!(r#"{{"calls_without_psu_per_day":{calls}}}"#);
        aisp.world.sandbox.set_policy(&policy)
    };
    use_up(&aisp, &detail);
    assert_exceeded(&aisp, &detail, "43200");
    set(6).unwrap();
    (0..2).for_each(|_| drop(answered(&aisp.get_alone(&detail))));
    assert_exceeded(&aisp, &detail, "43200");
    // Those that were answered stay answered.
    set(5).unwrap();
    assert_exceeded(&aisp, &detail, "43200");
    let text_of = set(3).unwrap_err().to_string();
    assert!(text_of.contains("calls_without_psu_per_day: 3 is not from 4, which every TPP has"), "{text_of}");
    assert_exceeded(&aisp, &detail, "43200");
}

#[test]
fn what_is_no_history_is_not_counted() {
    let aisp = Aisp::with_history();
    for path in aisp.paths().iter().filter(|path| !path.contains("/transactions")) {
        (0..6).for_each(|_| drop(answered(&aisp.get_alone(path))));
    }
}

#[test]
fn calls_while_the_psu_is_there_are_not_counted() {
    let aisp = Aisp::with_history();
    let detail = aisp.transaction_path();
    (0..6).for_each(|_| drop(answered(&aisp.get(&detail))));
    use_up(&aisp, &detail);
}

#[test]
fn refused_calls_are_not_counted() {
    let aisp = Aisp::with_history();
    let (account, detail) = (aisp.account_path(), aisp.transaction_path());
    let list = format!("{account}/transactions");
    let alone =
        |path: &str, with: (&'static str, &'static str)| aisp.get_with(path, &[("PSU-IP-Address", ""), with]);
    for _ in 0..5 {
        assert_refused(&aisp.get_alone(&list), 400, "QUERY_PARAMETER_REQUIRED");
        assert_needs_sca(&alone(&detail, ("TPP-Session-ID", "new")), 401, "SCA_NOT_FOUND");
        let old = format!("{list}?bookingStatus=both&dateFrom=1970-01-01");
        assert_needs_sca(&alone(&old, ("TPP-Session-ID", "")), 401, "SCA_EXPIRED");
        let unknown = format!("{account}/transactions/enc!!AAAAAAAAAAAAAAAAAAAAAAAA");
        assert_refused(&aisp.get_alone(&unknown), 404, "RESOURCE_UNKNOWN");
        assert_refused(&alone(&detail, ("PSU-Context", "CORPORATE")), 400, "HTTP_HEADER_REQUIRED");
    }
    use_up(&aisp, &detail);
    use_up(&aisp, &format!("{list}?bookingStatus=both"));
    for _ in 0..5 {
        assert_exceeded(&aisp, &detail, "43200");
    }
}

#[test]
fn every_query_of_a_list_counts_alike_and_sessions_make_no_difference() {
    let aisp = Aisp::new();
    let list = format!("{}/transactions", aisp.account_path());
    for query in ["bookingStatus=booked", "bookingStatus=all&limit=1", "bookingStatus=pending"] {
        answered(&aisp.get_alone(&format!("{list}?{query}")));
    }
    let page = format!("{list}?bookingStatus=booked&offset=200");
    answered(&aisp.get_with(&page, &[("PSU-IP-Address", ""), ("TPP-Session-ID", "")]));
    assert_exceeded(&aisp, &page, "43200");
    consent(&aisp.world, SESSION, &ScaAnswer::approve(PAYER));
    assert_exceeded(&aisp, &page, "43200");
}

#[test]
fn another_tpp_of_the_same_psu_has_its_own_four() {
    let aisp = Aisp::new();
    let list = format!("{}/transactions?bookingStatus=both", aisp.account_path());
    use_up(&aisp, &list);
    let mut world = aisp.world.clone();
    world.tpp = world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    let other = Aisp::of(world, &ScaAnswer::approve(PAYER));
    use_up(&other, &list);
    assert_exceeded(&other, &list, "43200");
}

#[test]
fn another_person_with_the_same_account_has_their_own_four() {
    let of_company = crate::world::approve_for(crate::world::COMPANY_AGREEMENT);
    let aisp = Aisp::of(World::new(), &of_company);
    let list = format!("/v1/accounts/{}/transactions?bookingStatus=both", aisp.account("95360573118"));
    use_up(&aisp, &list);
    assert_exceeded(&aisp, &list, "43200");
    let callback = consent(&aisp.world, "private", &ScaAnswer::approve(PROXY));
    let private = Aisp {
        world: aisp.world.clone(),
        psu_id: parameter(&callback, "psu-id").unwrap(),
        corporate_id: None,
    };
    let own = private.get_with("/v1/accounts", &[("TPP-Session-ID", "private")]);
    let id = answered(&own)["accounts"][0]["resourceId"].as_str().unwrap().to_owned();
    let list = format!("/v1/accounts/{id}/transactions?bookingStatus=both");
    let alone = [("TPP-Session-ID", "private"), ("PSU-IP-Address", "")];
    (0..4).for_each(|_| drop(answered(&private.get_with(&list, &alone))));
    assert_eq!(private.get_with(&list, &alone).status(), 429);
}

/// The count is looked at once before the bank is asked, and again in the commit.
#[test]
fn of_eight_calls_at_the_same_time_four_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let on_file = World::on_file(&folder.path().join("bank.db"));
    for world in [World::new(), on_file] {
        world.pay(STRAKS, &straks(), PAYER);
        let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
        let detail = aisp.transaction_path();
        let statuses: Vec<u16> = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..8).map(|_| scope.spawn(|| aisp.get_alone(&detail).status())).collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        let count = |status| statuses.iter().filter(|found| **found == status).count();
        assert_eq!((count(200), count(429)), (4, 4), "{statuses:?}");
    }
}

/// Nights in which the clocks change: the day has 25 hours, or 23.
#[test]
fn the_day_ends_at_midnight_in_oslo_also_where_the_clocks_change() {
    for (consented, first, seconds, last, next) in [
        (
            "2026-10-20T10:00:00Z",
            "2026-10-24T22:00:00Z",
            "90000",
            "2026-10-25T22:59:59Z",
            "2026-10-25T23:00:00Z",
        ),
        (
            "2027-03-20T10:00:00Z",
            "2027-03-27T23:00:00Z",
            "82800",
            "2027-03-28T21:59:59Z",
            "2027-03-28T22:00:00Z",
        ),
    ] {
        let now = Some(at(consented));
        let world = World::with(SandboxOptions { now, ..SandboxOptions::default() });
        world.pay(STRAKS, &straks(), PAYER);
        let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
        let detail = aisp.transaction_path();
        aisp.world.set_now(first);
        use_up(&aisp, &detail);
        assert_exceeded(&aisp, &detail, seconds);
        aisp.world.set_now(last);
        assert_exceeded(&aisp, &detail, "1");
        aisp.world.set_now(next);
        use_up(&aisp, &detail);
        assert_exceeded(&aisp, &detail, "86400");
    }
}

#[test]
fn counts_of_past_days_are_forgotten_when_what_is_due_runs() {
    let aisp = Aisp::with_history();
    let detail = aisp.transaction_path();
    use_up(&aisp, &detail);
    aisp.world.sandbox.engine().run_due().unwrap();
    assert_exceeded(&aisp, &detail, "43200");
    aisp.world.set_now("2026-09-02T10:00:00Z");
    aisp.world.sandbox.engine().run_due().unwrap();
    use_up(&aisp, &detail);
    assert_exceeded(&aisp, &detail, "43200");
}
