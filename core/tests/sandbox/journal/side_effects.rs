//! What the journal says of faults, and of what happened inside the bank.

use std::sync::Arc;

use chrono::TimeDelta;
use xs2a::{FaultKind, FaultSpec, JournalExport, JournalForm, Sandbox, ScaAnswer};

use crate::world::products::DOMESTIC;
use crate::world::*;

/// The calls since an entry, and the events of each.
fn said(sandbox: &Sandbox, since: usize) -> Vec<(String, Vec<String>)> {
    let entries = sandbox.journal();
    let entries = entries.iter().skip(since);
    entries.map(|entry| (entry.text(), entry.happened_text())).collect()
}

/// The events of the newest entry.
fn happened(sandbox: &Sandbox) -> Vec<String> {
    sandbox.journal().last().unwrap().happened_text()
}

#[test]
fn a_fault_that_is_set_is_named_with_all_it_was_set_with() {
    let world = World::new();
    let sandbox = &world.sandbox;
    let before = sandbox.journal().len();
    let spec = FaultSpec {
        operation: Some("getAccounts".to_owned()),
        nth: Some(2),
        times: Some(3),
        probability: Some(0.5),
        ..FaultSpec::refusal("CONFLICT")
    };
    let first = sandbox.add_fault(spec).unwrap();
    sandbox.add_fault(FaultSpec::of(FaultKind::BankDown)).unwrap();
    sandbox.add_fault(FaultSpec::refusal("TEAPOT")).unwrap_err();
    assert!(sandbox.remove_fault(first.id()));
    assert!(!sandbox.remove_fault(first.id()), "it is gone, which is no news");
    sandbox.clear_faults();
    sandbox.clear_faults();
    let texts: Vec<_> = said(sandbox, before).into_iter().map(|(text, _)| text).collect();
    assert_eq!(
        texts,
        [
            "fault 1 was set: 409 CONFLICT for getAccounts, from match 2 on 3 times, with probability 0.5",
            "fault 2 was set: the bank is down",
            "fault 1 was taken away: it struck 0 of 0 matches",
            "every fault was taken away",
        ]
    );
}

#[test]
fn a_clear_that_only_restarts_chance_is_recorded() {
    let sandbox = &World::new().sandbox;
    let before = sandbox.journal().len();
    let fault = sandbox.add_fault(FaultSpec::refusal("CONFLICT")).unwrap();
    sandbox.remove_fault(fault.id());
    sandbox.clear_faults();
    assert_eq!(sandbox.journal().len(), before + 3);
    sandbox.clear_faults();
    assert_eq!(sandbox.journal().len(), before + 3, "the second one changes nothing");
}

#[test]
fn the_calls_that_a_fault_struck_say_so_and_no_others() {
    let world = World::new();
    let sandbox = &world.sandbox;
    sandbox.add_fault(FaultSpec { nth: Some(2), ..FaultSpec::refusal("CONFLICT") }).unwrap();
    let struck = |_| {
        world.get("/v1/accounts");
        happened(sandbox)
    };
    let struck: Vec<_> = (0..3).map(struck).collect();
    assert_eq!(struck, [vec![], vec!["fault 1 struck".to_owned()], vec![]]);
    sandbox.clear_faults();
    // A bank that is down is asked several times by one call.
    sandbox.add_fault(FaultSpec { times: Some(1), ..FaultSpec::of(FaultKind::BankDown) }).unwrap();
    assert_eq!(world.create(STRAKS, &straks()).status(), 500);
    assert_eq!(happened(sandbox), ["fault 2 struck"]);
}

#[test]
fn an_sca_and_a_delivery_that_a_fault_struck_say_so() {
    let world = World::new();
    let sandbox = &world.sandbox;
    let sca = FaultSpec::from_json(r#"{"kind":"sca","outcome":"aborted","times":1}"#).unwrap();
    sandbox.add_fault(sca).unwrap();
    sandbox.add_fault(FaultSpec { times: Some(1), ..FaultSpec::of(FaultKind::SubmitPayment) }).unwrap();
    let created = accepted(&world.create(STRAKS, &straks()));
    world.answer(&created, &ScaAnswer::approve(PAYER));
    assert_eq!(happened(sandbox), ["fault 1 struck"]);
    let again = accepted(&world.start(&created));
    world.answer(&again, &ScaAnswer::approve(PAYER));
    let id = text(&created, "/paymentId");
    // A session that begins is no move.
    assert_eq!(happened(sandbox), [format!("Payment {id}: RCVD -> PDNG"), "fault 2 struck".to_owned()]);
}

#[test]
fn an_answer_that_comes_late_is_one_entry_and_says_by_how_much() {
    let world = World::new();
    let sandbox = &world.sandbox;
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    let id = text(&created, "/paymentId");
    let slow = FaultSpec::from_json(r#"{"kind":"slow","seconds":10800,"times":1}"#).unwrap();
    sandbox.add_fault(slow).unwrap();
    let before = sandbox.journal().len();
    world.get("/v1/accounts");
    let entries = said(sandbox, before);
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(
        entries[0].1,
        [
            "fault 1 struck".to_owned(),
            "the answer came 10800 s late".to_owned(),
            format!("Payment {id}: PDNG -> ACSP, at 2026-09-01T11:00:00Z"),
            format!("Payment {id}: ACSP -> ACSC, at 2026-09-01T11:00:00Z"),
        ]
    );
    let har = sandbox.export_journal(&JournalExport::new(JournalForm::Har)).unwrap();
    let har: serde_json::Value = serde_json::from_str(&har).unwrap();
    let times = |pointer: &str| -> Vec<u64> {
        let calls = har["log"]["entries"].as_array().unwrap().iter();
        calls.map(|call| call.pointer(pointer).unwrap().as_u64().unwrap()).collect()
    };
    assert_eq!(times("/time"), [0, 10_800_000], "the payment's creation took no time");
    assert_eq!(times("/timings/wait"), times("/time"));
}

#[test]
fn a_clock_that_is_moved_says_what_fell_due_on_the_way_and_when() {
    let world = World::new();
    let sandbox = &world.sandbox;
    let created = world.pay(DOMESTIC, &straks(), PAYER);
    let id = text(&created, "/paymentId");
    sandbox.advance(TimeDelta::minutes(59)).unwrap();
    assert_eq!(happened(sandbox), [""; 0]);
    sandbox.advance(TimeDelta::days(1)).unwrap();
    assert_eq!(
        happened(sandbox),
        [
            format!("Payment {id}: PDNG -> ACSP, at 2026-09-01T11:00:00Z"),
            format!("Payment {id}: ACSP -> ACSC, at 2026-09-01T11:00:00Z"),
        ]
    );
}

/// The delivery that failed is due before the batch that settles it: only in that order does one move do both.
#[test]
fn what_falls_due_on_the_way_happens_in_the_order_of_its_times() {
    let world = World::new();
    let sandbox = &world.sandbox;
    let fails = FaultSpec { times: Some(3), ..FaultSpec::of(FaultKind::SubmitPayment) };
    sandbox.add_fault(fails).unwrap();
    let first = world.pay(DOMESTIC, &straks(), PAYER);
    sandbox.advance(TimeDelta::minutes(90)).unwrap();
    let shown = happened(sandbox);
    let id = text(&first, "/paymentId");
    assert_eq!(
        shown,
        [
            // And once before, when it was paid.
            "fault 1 struck, 2 times".to_owned(),
            format!("Payment {id}: PDNG -> ACSP, at 2026-09-01T11:00:00Z"),
            format!("Payment {id}: ACSP -> ACSC, at 2026-09-01T11:00:00Z"),
        ]
    );
    // Two runs in one move: each payment at its own.
    let second = world.pay(&format!("{DOMESTIC}?allowLogicalDuplicate=true"), &straks(), PAYER);
    sandbox.advance(TimeDelta::minutes(59)).unwrap();
    assert_eq!(happened(sandbox), [""; 0]);
    let late = changed(straks(), &[("/requestedExecutionDate", serde_json::json!("2026-09-02"))]);
    let third = world.pay(&format!("{DOMESTIC}?allowLogicalDuplicate=true"), &late, PAYER);
    sandbox.advance(TimeDelta::days(1)).unwrap();
    let settled = |created: &serde_json::Value, run: &str| {
        let id = text(created, "/paymentId");
        [("PDNG", "ACSP"), ("ACSP", "ACSC")]
            .map(|(from, to)| format!("Payment {id}: {from} -> {to}, at {run}"))
    };
    let expected = [settled(&second, "2026-09-01T13:30:00Z"), settled(&third, "2026-09-02T04:00:00Z")];
    assert_eq!(happened(sandbox), expected.concat());
}

#[test]
fn sessions_and_consents_that_end_are_named() {
    let world = World::new();
    let sandbox = &world.sandbox;
    let consent = |session: &str| {
        let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", session)];
        let started = body(&world.call("POST", "/v1/bank-offered-consents", &headers, b""));
        world.answer(&started, &ScaAnswer::approve(PAYER))
    };
    let psu_id = parameter(&consent("older"), "psu-id").unwrap();
    consent("newer");
    assert_eq!(happened(sandbox), ["Session older: open -> replaced"]);
    sandbox.advance(TimeDelta::hours(1)).unwrap();
    let headers = [("TPP-Redirect-URI", REDIRECT_URI), ("TPP-Session-ID", "newer"), ("PSU-ID", &psu_id)];
    world.call("GET", "/v1/accounts", &headers, b"");
    assert_eq!(happened(sandbox)[0], "Session newer: open -> expired");
    sandbox.revoke_consent(PAYER, world.tpp.organisation_id()).unwrap();
    assert_eq!(happened(sandbox), ["Consent of PSDNO-FSA-000001 (PRIVATE): valid -> revokedByPsu"]);
}

#[test]
fn what_calls_on_other_threads_do_is_not_mixed_in() {
    let world = World::new();
    let other = world.sandbox.register_tpp("Other", &["AISP"]).unwrap();
    let tpp = Some(other.organisation_id().to_owned());
    world.sandbox.add_fault(FaultSpec { tpp, ..FaultSpec::refusal("CONFLICT") }).unwrap();
    std::thread::scope(|scope| {
        for tpp in [&world.tpp, &other, &world.tpp, &other] {
            let world = &world;
            scope.spawn(move || {
                (0..50).for_each(|_| drop(world.call_by(tpp, "GET", "/v1/accounts", &plain_headers(), b"")));
            });
        }
    });
    let entries = world.sandbox.journal();
    let calls: Vec<_> = entries.iter().filter(|entry| entry.text().starts_with("GET")).collect();
    assert_eq!(calls.len(), 200);
    for call in calls {
        assert_eq!(call.text().contains("409 FLT-09"), call.happened_text() == ["fault 1 struck"]);
    }
}

#[test]
fn texts_show_side_effects_below_the_entry_and_a_har_in_own_members() {
    let world = World::new();
    let sandbox = &world.sandbox;
    let target = Some(PAYER.to_owned());
    sandbox.add_fault(FaultSpec { target, ..FaultSpec::refusal("CONFLICT") }).unwrap();
    sandbox.add_fault(FaultSpec::refusal("FORBIDDEN")).unwrap();
    world.get("/v1/accounts");
    let text = sandbox.export_journal(&JournalExport::new(JournalForm::Text)).unwrap();
    assert!(text.contains(" FLT-07 (getAccounts, PSDNO-FSA-000001)\n    fault 2 struck\n    {"), "{text}");
    assert!(text.contains("fault 1 was set") && !text.contains(PAYER), "{text}");
    let har = sandbox.export_journal(&JournalExport::new(JournalForm::Har)).unwrap();
    let har: serde_json::Value = serde_json::from_str(&har).unwrap();
    assert_eq!(har.pointer("/log/entries/0/_happened/0").unwrap(), "fault 2 struck");
    assert_eq!(har.pointer("/log/_notes/0/happened"), None);
}

#[test]
fn a_journal_with_faults_becomes_a_test_if_they_can_be_written() {
    let pytest = |sandbox: &Sandbox| sandbox.export_journal(&JournalExport::new(JournalForm::Pytest));
    let world = World::new();
    let sandbox = &world.sandbox;
    let first = sandbox.add_fault(FaultSpec { nth: Some(2), ..FaultSpec::refusal("CONFLICT") }).unwrap();
    sandbox.remove_fault(first.id());
    let slow = FaultSpec::from_json(r#"{"kind":"slow","seconds":0.5}"#).unwrap();
    sandbox.add_fault(slow).unwrap();
    sandbox.clear_faults();
    let text = pytest(sandbox).unwrap();
    for line in [
        "from datetime import timedelta\n\nimport xs2a",
        "fault_1 = bank.faults.add(\"CONFLICT\", nth=2)\n",
        "fault_1.remove()\n",
        "fault_2 = bank.faults.slow(timedelta(seconds=0.5))\n",
        "bank.faults.clear()\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let refused = |sandbox: &Sandbox| pytest(sandbox).unwrap_err().to_string();
    assert!(refused(&sandbox.fork().unwrap()).contains("before this was forked off"));
    let when: xs2a::sandbox::faults::Predicate = Arc::new(|_| true);
    sandbox.add_fault(FaultSpec { when: Some(when), ..FaultSpec::refusal("CONFLICT") }).unwrap();
    assert!(refused(sandbox).contains("condition in code"));
}
