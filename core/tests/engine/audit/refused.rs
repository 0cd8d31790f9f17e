//! Callers who are turned away.

use chrono::TimeDelta;
use serde_json::json;
use xs2a::limits::AUDIT_REFUSALS_PER_MINUTE_MAX;

use crate::audit::{all, count, kinds, setup, since, ON};
use crate::world::*;

/// A signed call with one header changed, or left out where the value is empty.
pub(crate) fn call_with(world: &World, name: &str, value: &str) -> u16 {
    let mut headers = world.signed("GET", "/v1/accounts", &plain_headers(), b"");
    headers.retain(|(own, _)| own != name);
    if !value.is_empty() {
        headers.push((name.to_owned(), value.to_owned()));
    }
    send(&world.sandbox, "GET", "/v1/accounts", &headers, b"").status()
}

#[test]
fn a_refused_call_is_audited_with_stage_reason_and_certificate() {
    let world = World::with_policy(ON);
    let stranger = World::with(xs2a::SandboxOptions { seed: 2, ..Default::default() });
    let foreign = authority::Authority::root("Annen CA", 1, setup::LONG).issue(setup::TPP, 2, setup::LONG);
    let call_by = |signed: Vec<(String, String)>| send(&world.sandbox, "GET", "/v1/accounts", &signed, b"");
    let now = world.sandbox.now();
    drop(stranger);

    assert_eq!(call_with(&world, "Signature", ""), 400);
    assert_eq!(call_with(&world, "TPP-Signature-Certificate", "AQID"), 400);
    let unknown = foreign.sign("GET", "/v1/accounts", &plain_headers(), b"", now, 7);
    assert_eq!(call_by(unknown.clone()).reason(), Some("CRT-08"));
    assert_eq!(call_with(&world, "X-Request-ID", "00000000-0000-4000-8000-000000000001"), 400);
    world.sandbox.trust(&authority::Authority::root("Annen CA", 1, setup::LONG).pem).unwrap();
    let no_role = world.sandbox.register_tpp("Card Only", &["PSP_IC"]).unwrap();
    assert_eq!(world.call_by(&no_role, "GET", "/v1/accounts", &plain_headers(), b"").status(), 403);

    let lines = all(world.sandbox.engine());
    let reported: Vec<_> = lines
        .iter()
        .map(|line| (text(line, "/event"), text(line, "/details/stage"), text(line, "/details/reason")))
        .collect();
    assert_eq!(
        reported,
        [
            ("call.refused", "parse", "HDR-04"),
            ("call.refused", "identify", "CRT-03"),
            ("call.refused", "identify", "CRT-08"),
            ("call.refused", "authenticate", "SIG-13"),
            ("call.refused", "authorise", "TPP-02"),
        ]
    );
    let causes: Vec<_> = lines.iter().map(|line| text(line, "/cause")).collect();
    assert_eq!(causes, ["getAccounts"; 5]);
    // Whose certificate it is, even where it leads nowhere.
    assert_eq!(lines[1].get("tpp"), None);
    assert_eq!(lines[1]["details"].get("certificate"), None);
    assert_eq!(lines[2]["tpp"], setup::TPP);
    assert_eq!(lines[2]["details"]["certificate"]["serialNumber"], "2");
    let shown = unknown.iter().find(|(name, _)| name == "TPP-Signature-Certificate").unwrap();
    let sha256 = fingerprint_by_openssl(&shown.1);
    assert_eq!(lines[2]["details"]["certificate"]["sha256"], sha256);
    assert_eq!(lines[3]["tpp"], world.tpp.organisation_id());
    assert_eq!(lines[3]["requestId"], "00000000-0000-4000-8000-000000000001");
}

/// The SHA-256 of a certificate in one line of base64, in lower-case hex.
fn fingerprint_by_openssl(base64: &str) -> String {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let mut openssl = Command::new("openssl")
        .args(["x509", "-noout", "-fingerprint", "-sha256"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the openssl command");
    let lines: Vec<_> = base64.as_bytes().chunks(64).map(String::from_utf8_lossy).collect();
    let pem = format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"));
    openssl.stdin.take().unwrap().write_all(pem.as_bytes()).unwrap();
    let reported = String::from_utf8(openssl.wait_with_output().unwrap().stdout).unwrap();
    reported.trim().rsplit('=').next().unwrap().replace(':', "").to_lowercase()
}

#[test]
fn a_signature_header_too_long_is_audited_in_any_spelling() {
    let world = World::with_policy(ON);
    for name in ["TPP-Signature-Certificate", "tpp-signature-certificate", "DIGEST"] {
        let before = count(&world);
        let mut headers = world.signed("GET", "/v1/accounts", &plain_headers(), b"");
        headers.retain(|(own, _)| !own.eq_ignore_ascii_case(name));
        headers.push((name.to_owned(), "A".repeat(33_000)));
        let answer = send(&world.sandbox, "GET", "/v1/accounts", &headers, b"");
        assert_eq!(answer.reason(), Some("HDR-02"), "{name}");
        assert_eq!(since(&world, before).len(), 1, "{name}");
    }
}

#[test]
fn a_replay_is_audited() {
    let world = World::with_policy(ON);
    let headers = world.signed("GET", "/v1/accounts", &plain_headers(), b"");
    let before = |_| send(&world.sandbox, "GET", "/v1/accounts", &headers, b"").status();
    assert_eq!([0, 1].map(before), [401, 400]);
    let lines = all(world.sandbox.engine());
    assert_eq!(kinds(&lines), ["authorisation.started", "call.refused"]);
    assert_eq!(text(&lines[1], "/details/reason"), "RPL-01");
}

#[test]
fn refusals_without_end_fill_no_disk() {
    let world = World::with_policy(ON);
    let more = 40;
    for _ in 0..AUDIT_REFUSALS_PER_MINUTE_MAX + more {
        assert_eq!(call_with(&world, "TPP-Signature-Certificate", "AQID"), 400);
    }
    world.sandbox.engine().run_due().unwrap();
    assert_eq!(count(&world), AUDIT_REFUSALS_PER_MINUTE_MAX);
    world.sandbox.advance(TimeDelta::seconds(60)).unwrap();
    world.sandbox.engine().run_due().unwrap();
    let lines = since(&world, AUDIT_REFUSALS_PER_MINUTE_MAX);
    assert_eq!(kinds(&lines), ["calls.refused"]);
    let expected = json!({"reason": "CRT-03", "count": more, "minute": "2026-09-01T10:00:00Z"});
    assert_eq!(lines[0]["details"], expected);
    // One more in the next minute has its own line again.
    call_with(&world, "TPP-Signature-Certificate", "AQID");
    assert_eq!(kinds(&since(&world, AUDIT_REFUSALS_PER_MINUTE_MAX + 1)), ["call.refused"]);
}

#[test]
fn counted_refusals_are_audited_with_the_first_call_after_the_minute() {
    fn answered(world: &World) {
        assert_eq!(world.get("/v1/accounts").status(), 401);
    }
    fn refused_within(world: &World) {
        assert_eq!(world.get(&format!("{STRAKS}/nothing")).status(), 404);
    }
    fn refused(world: &World) {
        assert_eq!(call_with(world, "TPP-Signature-Certificate", "AQID"), 400);
    }
    let calls: [(fn(&World), _); 3] =
        [(answered, "authorisation.started"), (refused_within, ""), (refused, "call.refused")];
    for (call, own) in calls {
        let world = World::with_policy(ON);
        (0..=AUDIT_REFUSALS_PER_MINUTE_MAX).for_each(|_| refused(&world));
        world.sandbox.advance(TimeDelta::seconds(59)).unwrap();
        answered(&world);
        let before = count(&world);
        assert_eq!(before, AUDIT_REFUSALS_PER_MINUTE_MAX + 1);
        world.sandbox.advance(TimeDelta::seconds(1)).unwrap();
        call(&world);
        let lines = since(&world, before);
        let reported: Vec<_> = kinds(&lines).into_iter().filter(|kind| *kind != own).collect();
        assert_eq!(reported, ["calls.refused"], "{own}");
    }
}

#[test]
fn counts_that_could_not_be_written_are_audited_with_the_next_minute() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bank.db");
    let world = World::with(xs2a::SandboxOptions {
        database: Some(path.clone()),
        policy: Some(ON.to_owned()),
        ..Default::default()
    });
    let more = 40;
    for _ in 0..AUDIT_REFUSALS_PER_MINUTE_MAX + more {
        assert_eq!(call_with(&world, "TPP-Signature-Certificate", "AQID"), 400);
    }
    // It simulates a full disk.
    let full = "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'full'); END";
    let beside = rusqlite::Connection::open(&path).unwrap();
    beside.execute_batch(full).unwrap();
    world.sandbox.advance(TimeDelta::seconds(60)).unwrap();
    assert_eq!(call_with(&world, "TPP-Signature-Certificate", "AQID"), 400);
    beside.execute_batch("DROP TRIGGER full").unwrap();
    world.sandbox.advance(TimeDelta::seconds(60)).unwrap();
    world.sandbox.engine().run_due().unwrap();
    let lines = since(&world, AUDIT_REFUSALS_PER_MINUTE_MAX);
    assert_eq!(kinds(&lines), ["calls.refused"]);
    // They include the call that would have had its own line.
    let expected = json!({"reason": "CRT-03", "count": more + 1, "minute": "2026-09-01T10:01:00Z"});
    assert_eq!(lines[0]["details"], expected);
}
