//! The journal: what is kept of what was done with a sandbox, and what is not.

mod side_effects;

use std::sync::Arc;

use crate::world::*;
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::sandbox::{JournalEntry, RecordedCall, Step};
use xs2a::{Error, JournalExport, JournalForm, Sandbox, ScaAnswer};

fn last_call(sandbox: &Sandbox) -> RecordedCall {
    let entries = sandbox.journal();
    match &entries.last().unwrap().step {
        Step::Call(call) => call.unpack(),
        other => panic!("{other:?}"),
    }
}

fn ids(call: &RecordedCall) -> Vec<&'static str> {
    call.reasons.iter().map(|reason| reason.id()).collect()
}

fn export(sandbox: &Sandbox, form: JournalForm) -> String {
    sandbox.export_journal(&JournalExport::new(form)).unwrap()
}

#[test]
fn a_call_is_kept_with_its_answer_its_operation_its_tpp_and_its_reasons() {
    let world = World::new();
    let answer = world.create(STRAKS, &json!({"instructedAmount": 1}));
    let call = last_call(&world.sandbox);
    assert_eq!((call.method.as_str(), call.target.as_str()), ("POST", STRAKS));
    assert_eq!((call.body.as_slice(), call.body_bytes), (&br#"{"instructedAmount":1}"#[..], 22));
    assert_eq!((call.status, call.answer_body.as_slice()), (answer.status(), answer.body()));
    let answered: Vec<_> = answer.headers().map(|(name, value)| (name, value.as_bytes())).collect();
    assert_eq!(call.answer_headers.iter().collect::<Vec<_>>(), answered);
    assert_eq!((call.operation, call.tpp.as_deref()), (Some("createPayment"), Some("PSDNO-FSA-000001")));
    assert_eq!((call.reason, Some(ids(&call)[0])), (answer.reason(), answer.reason()));
    assert_eq!(ids(&call).len(), body(&answer)["tppMessages"].as_array().unwrap().len());
}

#[test]
fn the_text_has_the_links_of_an_answer_that_refuses_nothing() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let text = export(&world.sandbox, JournalForm::Text);
    let line = |name: &str| format!("\n    {name}: {}\n", created["_links"][name]["href"].as_str().unwrap());
    for name in ["scaRedirect", "self", "status"] {
        assert!(text.contains(&line(name)), "{name}: {text}");
    }
    world.create(STRAKS, &json!({}));
    world.get("/v1/no-such-route");
    assert_eq!(export(&world.sandbox, JournalForm::Text).matches("scaRedirect: ").count(), 1);
}

#[test]
fn a_warning_is_a_reason_of_an_answer_that_refuses_nothing() {
    let world = World::new();
    let order = changed(straks(), &[("/creditorAccount/bban", json!("95360573038"))]);
    accepted(&world.create(STRAKS, &order));
    let call = last_call(&world.sandbox);
    assert_eq!((call.status, call.reason, ids(&call).len()), (201, None, 1));
}

#[test]
fn an_unknown_path_and_a_page_of_the_site_have_no_operation() {
    let world = World::new();
    world.get("/v1/no-such-route");
    let call = last_call(&world.sandbox);
    assert_eq!((call.operation, call.reason, call.tpp), (None, Some("RTE-02"), None));
    send(&world.sandbox, "GET", "/sca/unknown", &[], b"");
    let call = last_call(&world.sandbox);
    assert_eq!((call.status, call.operation, call.reason, ids(&call)), (404, None, None, vec![]));
}

#[test]
fn the_expected_signing_string_of_a_wrong_signature_is_printed() {
    let world = World::new();
    let target = "/v1/accounts?withBalance=true";
    let mut headers = world.signed("GET", target, &plain_headers(), b"");
    send(&world.sandbox, "GET", target, &headers, b"");
    let printed = export(&world.sandbox, JournalForm::Text);
    assert!(!printed.contains("checked against"), "{printed}");

    let date = headers.iter_mut().find(|(name, _)| name == "Date").unwrap();
    date.1 = "Tue, 01 Sep 2026 10:00:01 GMT".to_owned();
    let id = headers.iter_mut().find(|(name, _)| name == "X-Request-ID").unwrap();
    id.1 = "00000000-0000-4000-8000-000000000042".to_owned();
    assert_eq!(send(&world.sandbox, "GET", target, &headers, b"").reason(), Some("SIG-13"));
    let printed = export(&world.sandbox, JournalForm::Text);
    let (_, lines) = printed.split_once("none at the end:\n").unwrap();
    let uri = plain_headers().into_iter().find(|(name, _)| *name == "TPP-Redirect-URI").unwrap().1;
    assert_eq!(
        lines,
        format!(
            "      \"date: Tue, 01 Sep 2026 10:00:01 GMT\"\n      \"x-request-id: \
             00000000-0000-4000-8000-000000000042\"\n      \"tpp-redirect-uri: {uri}\"\n"
        )
    );
}

#[test]
fn of_a_body_that_is_larger_than_any_that_is_taken_the_beginning_is_kept() {
    let world = World::new();
    for (bytes, kept) in [(1 << 20, 1 << 20), ((1 << 20) + 1, (1 << 20) + 1), (3 << 20, (1 << 20) + 1)] {
        send(&world.sandbox, "POST", STRAKS, &[], &vec![b'x'; bytes]);
        let call = last_call(&world.sandbox);
        assert_eq!((call.body.len(), call.body_bytes), (kept, bytes));
    }
}

#[test]
fn a_method_larger_than_the_whole_journal_is_not_kept() {
    let world = World::new();
    let method = "X".repeat(xs2a::internal::JOURNAL_BYTES_MAX);
    let request = xs2a::Request {
        method: &method,
        target: "/v1/accounts",
        headers: &[],
        body: b"",
        correlation_id: None,
    };
    assert_eq!(world.sandbox.handle(&request).status(), 405);
    assert!(world.sandbox.journal().is_empty());
}

#[test]
fn each_control_that_is_turned_is_kept_and_one_that_does_not_turn_is_not() {
    let world = World::new();
    let sandbox = &world.sandbox;
    let created = accepted(&world.create(STRAKS, &straks()));
    let id = text(&created, "/paymentId");
    world.answer(&created, &abort());
    sandbox.report_payment_status(id, PaymentStatus::Canc, None).unwrap();
    sandbox.revoke_consent(PAYER, world.tpp.organisation_id()).unwrap();
    sandbox.advance(chrono::TimeDelta::seconds(1)).unwrap();
    sandbox.trust(world.tpp.certificate_pem()).unwrap();
    sandbox.set_card_status("enc!!X6ZwPF4A8xREauWA7e5e0CRS", "blocked").unwrap();
    sandbox.set_sca_origin("https://elsewhere.example").unwrap();
    sandbox.initialize().unwrap();
    sandbox.restore(&sandbox.snapshot().unwrap()).unwrap();
    let before = sandbox.journal().len();
    for fails in [
        sandbox.report_payment_status("unknown", PaymentStatus::Canc, None),
        sandbox.hold("unknown", None),
        sandbox.release("unknown"),
        sandbox.revoke_consent("00000000000", "PSDNO-FSA-000001"),
        sandbox.advance(chrono::TimeDelta::seconds(-1)),
        sandbox.trust("no certificate"),
        sandbox.set_card_status("unknown", "blocked"),
        sandbox.set_sca_origin("nowhere"),
        sandbox.restore(b"no snapshot"),
        sandbox.register_tpp("Acme", &["KING"]).map(drop),
    ] {
        assert!(fails.is_err());
    }
    assert_eq!(sandbox.journal().len(), before);
    let said: Vec<String> = sandbox.journal().iter().map(|entry| entry.text()).collect();
    let begins = [
        "registered the TPP Acme Pay as PSDNO-FSA-000001 (AISP, PISP)",
        "POST /v1/payments/",
        "13039319955 cancelled https://",
        "another channel reported CANC of payment enc!!",
        "13039319955 took back what was opened to PSDNO-FSA-000001",
        "the clock was moved to 2026-09-01T10:00:01Z",
        "trusted certificates made elsewhere",
        "the card account enc!!X6ZwPF4A8xREauWA7e5e0CRS became blocked",
        "links to the bank's site begin with https://elsewhere.example",
        "the default data set was put back",
        "a snapshot was restored",
    ];
    assert_eq!(said.len(), begins.len(), "{said:#?}");
    for (said, begin) in said.iter().zip(begins) {
        assert!(said.starts_with(begin), "{said}");
    }
}

#[test]
fn the_person_of_a_control_is_masked_with_any_check_digits() {
    const NUMBER: &str = "123456";
    let world = World::new();
    let sandbox = &world.sandbox;
    let customer =
        format!(r#"{{"customerNumber":"{NUMBER}","customerType":"PRIVATE","customerName":"Kari"}}"#);
    let headers = [("Content-Type", "application/json")];
    let created = world.call("POST", "/v1/sandbox/customers", &headers, customer.as_bytes());
    assert_eq!(created.status(), 201);
    let payment = accepted(&world.create(STRAKS, &straks()));
    world.answer(&payment, &ScaAnswer::approve(NUMBER));
    sandbox.revoke_consent(NUMBER, world.tpp.organisation_id()).unwrap();
    sandbox.set_sca_demand(NUMBER, "demanded").unwrap();
    for form in [JournalForm::Text, JournalForm::Har, JournalForm::Curl] {
        let masked = export(sandbox, form);
        assert!(masked.contains("****56") && !masked.contains(NUMBER), "{form:?}: {masked}");
        let shown = JournalExport { redact: false, ..JournalExport::new(form) };
        assert!(sandbox.export_journal(&shown).unwrap().contains(NUMBER), "{form:?}");
    }
}

#[test]
fn in_a_script_for_curl_secrets_are_masked_however_they_are_spelt() {
    let world = World::new();
    let headers: [(&str, &[u8]); 3] = [
        ("Authorization", b"Basic \xE6c2VjcmV0"),
        ("Cookie", b"\xFFsession=1"),
        ("X-PSU-IDENTITY", b"12345678901\xE6"),
    ];
    let request = xs2a::Request {
        method: "GET",
        target: "/v1/accounts",
        headers: &headers,
        body: b"",
        correlation_id: None,
    };
    world.sandbox.handle(&request);
    let script = export(&world.sandbox, JournalForm::Curl);
    for secret in ["c2VjcmV0", "session", "12345678901"] {
        assert!(!script.contains(secret), "{script}");
    }
    assert!(script.contains("'Authorization: masked'") && script.contains("1\\346"), "{script}");
}

#[test]
fn of_a_head_with_a_body_no_command_is_written() {
    let world = World::new();
    send(&world.sandbox, "HEAD", "/v1/accounts", &[], b"{}");
    let script = export(&world.sandbox, JournalForm::Curl);
    assert!(script.ends_with("# HEAD: curl sends no body with HEAD\n"), "{script}");
    send(&world.sandbox, "HEAD", "/v1/accounts", &[], b"");
    assert!(export(&world.sandbox, JournalForm::Curl).contains("\n  --head \\\n"));
}

#[test]
fn what_came_of_an_answer_at_the_site_is_kept() {
    let world = World::new();
    let created = accepted(&world.create(STRAKS, &straks()));
    let outcome = |entries: &[Arc<JournalEntry>]| match &entries.last().unwrap().step {
        Step::Authorise(step) => (step.outcome.clone(), step.reason.map(|reason| reason.id())),
        other => panic!("{other:?}"),
    };
    let callback = world.answer(&created, &abort());
    let (ended, reason) = outcome(&world.sandbox.journal());
    assert_eq!((ended, reason.is_some()), (Ok(callback), true));
    world.sandbox.authorise(link(&created), &ScaAnswer::approve(PAYER)).unwrap_err();
    let (ended, reason) = outcome(&world.sandbox.journal());
    assert!(ended.unwrap_err().contains("unknown, used, or older than 10 minutes"));
    assert_eq!(reason, None);
}

#[test]
fn reading_the_journal_does_not_change_later_answers() {
    let day = |looks: bool| {
        let world = World::new();
        let created = accepted(&world.create(STRAKS, &straks()));
        if looks {
            for form in JournalForm::ALL {
                assert!(!export(&world.sandbox, form).is_empty());
            }
            world.sandbox.coverage().to_json().unwrap();
        }
        let callback = world.answer(&created, &ScaAnswer::approve(PAYER));
        (created, callback, world.sandbox.snapshot().unwrap())
    };
    assert_eq!(day(true), day(false));
}

#[test]
fn calls_to_the_engine_itself_are_not_kept() {
    let world = World::new();
    let headers: [(&str, &[u8]); 0] = [];
    let request = xs2a::Request {
        method: "GET",
        target: "/v1/nowhere",
        headers: &headers,
        body: b"",
        correlation_id: None,
    };
    let before = world.sandbox.journal().len();
    world.sandbox.engine().handle(&request);
    assert_eq!(world.sandbox.journal().len(), before);
    world.sandbox.handle(&request);
    assert_eq!(world.sandbox.journal().len(), before + 1);
}

#[test]
fn no_test_comes_of_a_journal_that_is_not_whole() {
    let world = World::new();
    assert!(export(&world.sandbox, JournalForm::Pytest).contains("bank.register_tpp(\"Acme Pay\""));
    world.sandbox.clear_journal();
    let refused = world.sandbox.export_journal(&JournalExport::new(JournalForm::Pytest));
    assert!(matches!(refused, Err(Error::Misuse(_))), "{refused:?}");
    let har: Value = serde_json::from_str(&export(&world.sandbox, JournalForm::Har)).unwrap();
    assert_eq!(har["log"]["entries"], json!([]));
}

#[test]
fn forms_are_known_by_their_names() {
    for form in JournalForm::ALL {
        assert_eq!(JournalForm::parse(form.as_str()), Some(form));
    }
    assert_eq!(JournalForm::parse("HAR"), None);
}

#[test]
fn one_entry_is_exported_by_its_number() {
    let world = World::new();
    for target in ["/v1/first", "/v1/second", "/v1/third"] {
        send(&world.sandbox, "GET", target, &[], b"");
    }
    let last = world.sandbox.last_journal_number();
    assert_eq!(world.sandbox.journal().last().unwrap().number, last);
    let of = |number| {
        let export = JournalExport { number: Some(number), ..JournalExport::new(JournalForm::Text) };
        world.sandbox.export_journal(&export).unwrap()
    };
    assert!(of(last - 1).contains("/v1/second") && !of(last - 1).contains("/v1/third"));
    assert_eq!(of(last + 1), "");
    world.sandbox.clear_journal();
    assert_eq!((world.sandbox.last_journal_number(), of(last)), (last, String::new()));
}

#[test]
fn an_entry_is_explained_as_its_answer_was() {
    let world = World::new();
    let signed = world.signed("POST", STRAKS, &creation_headers(), b"{}");
    let headers: Vec<_> = signed.iter().map(|(name, value)| (name.as_str(), value.as_bytes())).collect();
    let request = xs2a::Request {
        method: "POST",
        target: STRAKS,
        headers: &headers,
        body: b"{} ",
        correlation_id: None,
    };
    let at = world.sandbox.now();
    let answer = world.sandbox.handle(&request);
    let of_answer = world.sandbox.refused_call(&request, &answer, at).unwrap().explain();
    let number = world.sandbox.last_journal_number();
    world.create(STRAKS, &straks());
    let of_entry = world.sandbox.explain_entry(number).unwrap();
    assert_eq!(
        (of_entry.reason, of_entry.mistake, &of_entry.text),
        (of_answer.reason, of_answer.mistake, &of_answer.text)
    );
    assert!(of_entry.mistake.is_some());
    assert!(world.sandbox.explain_entry(number + 1).is_none(), "it was accepted");
    assert!(world.sandbox.explain_entry(1).is_none(), "a step of a control");
    assert!(world.sandbox.explain_entry(number + 2).is_none(), "there is none");
}
