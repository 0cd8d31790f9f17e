//! Evidence of reads: who read what, and when it is written.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{json, Value};
use xs2a::bank::PaymentStatus;
use xs2a::internal::Database;
use xs2a::policy::AuditReads;
use xs2a::store::{AuditKind, AuditLine, Store as _};
use xs2a::ScaAnswer;

use crate::audit::{all, kinds, ON};
use crate::setup::{assert_system_error, quiet_policy, Mood, Setup};
use crate::support::aisp::Aisp;
use crate::world::*;

/// The lines of reads that are in the store, without those that wait in the engine's memory.
fn stored(setup: &Setup) -> usize {
    let whole = DateTime::<Utc>::MIN_UTC..DateTime::<Utc>::MAX_UTC;
    let lines = setup.store.audit().audit_lines(&whole, None, 10_000).unwrap();
    let is_read = |line: &AuditLine| match line {
        AuditLine::Noted { event, .. } => event.kind == AuditKind::PaymentRead,
        AuditLine::Payment { .. } => false,
    };
    lines.iter().filter(|line| is_read(line)).count()
}

fn with_policy(audit_reads: AuditReads) -> Setup {
    let mut policy = quiet_policy();
    policy.audit_reads = audit_reads;
    Setup::with(|builder| builder.policy(policy))
}

/// The path of a payment that is created now.
fn created(setup: &Setup) -> String {
    text(&accepted(&setup.create()), "/_links/self/href").to_owned()
}

fn read(setup: &Setup, path: &str) -> xs2a::Response {
    setup.call("GET", path, &[("TPP-Redirect-URI", REDIRECT_URI), ("PSU-IP-Address", "192.0.2.1")], b"")
}

fn second(setup: &Setup) {
    setup.wait(TimeDelta::seconds(1));
}

fn reads(lines: &[Value]) -> Vec<&Value> {
    lines.iter().filter(|line| text(line, "/event").ends_with(".read")).collect()
}

#[test]
fn every_path_of_account_data_leaves_one_line_of_who_read_what() {
    let world = World::with_policy(ON);
    world.pay(STRAKS, &straks(), PAYER);
    let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
    let paths = aisp.paths();
    let engine = aisp.world.sandbox.engine();
    let granted = all(engine).into_iter().find(|line| line["event"] == "consent.granted").unwrap();
    let psu = text(&granted, "/psu").to_owned();
    let listed: Vec<String> = {
        let accounts = aisp.get("/v1/accounts");
        let accounts = body(&accounts);
        accounts["accounts"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| text(one, "/resourceId").to_owned())
            .collect()
    };
    for path in paths {
        for is_present in [true, false] {
            let before = reads(&all(engine)).len();
            let answer = if is_present { aisp.get(&path) } else { aisp.get_alone(&path) };
            assert_eq!(answer.status(), 200, "{path}");
            let lines = all(engine);
            // Lines of payments at the same microsecond come after those of the audit table.
            let [line] = reads(&lines)
                .split_off(before)
                .try_into()
                .unwrap_or_else(|lines| panic!("{path}: {lines:?}"));
            assert_eq!((text(line, "/event"), text(line, "/psu")), ("account.read", psu.as_str()), "{path}");
            assert_eq!(text(line, "/tpp"), aisp.world.tpp.organisation_id());
            assert_eq!(
                (text(line, "/context"), text(line, "/cause")),
                ("PRIVATE", answer.operation().unwrap())
            );
            assert_eq!(Some(text(line, "/requestId")), answer.header("X-Request-ID"));
            assert_eq!(line["details"]["psuPresent"], is_present, "{path}");
            let is_of_card = path.starts_with("/v1/card-accounts");
            let (named, other) =
                if is_of_card { ("cardAccounts", "accounts") } else { ("accounts", "cardAccounts") };
            assert_eq!(line["details"].get(other), None, "{path}");
            let named = line["details"][named].as_array().unwrap();
            match path.split('?').next().unwrap().split('/').nth(3) {
                Some(id) => assert_eq!(*named, [json!(id)], "{path}"),
                None if is_of_card => assert_eq!(named.len(), 1),
                None => assert_eq!(*named, listed.iter().map(|id| json!(id)).collect::<Vec<_>>()),
            }
        }
    }
}

#[test]
fn details_and_status_of_a_payment_leave_a_line_and_a_refused_read_none() {
    let setup = with_policy(AuditReads::Committed);
    let path = created(&setup);
    let before = all(&setup.engine).len();
    for path in [path.clone(), format!("{path}/status")] {
        assert_eq!(read(&setup, &path).status(), 200);
    }
    assert_eq!(read(&setup, &format!("{STRAKS}/unknown")).status(), 404);
    assert_eq!(setup.call("GET", "/v1/accounts", &[("TPP-Redirect-URI", REDIRECT_URI)], b"").status(), 401);
    let lines = all(&setup.engine).split_off(before);
    let lines = reads(&lines);
    let id = path.rsplit('/').next().unwrap();
    let expected = [("getPayment", id, true), ("getPaymentStatus", id, true)];
    let found: Vec<_> = lines
        .iter()
        .map(|line| (text(line, "/cause"), text(line, "/id"), line["details"]["psuPresent"] == true))
        .collect();
    assert_eq!(found, expected);
    assert!(lines.iter().all(|line| text(line, "/event") == "payment.read"));
}

#[test]
fn committed_evidence_is_stored_with_the_answer() {
    let setup = with_policy(AuditReads::Committed);
    let path = created(&setup);
    read(&setup, &path);
    assert_eq!(stored(&setup), 1);
    // Without it there is no answer.
    *setup.store.mood.lock() = Mood::Failing;
    assert_system_error(&read(&setup, &path), "SYS-01");
    *setup.store.mood.lock() = Mood::Well;
    assert_eq!(stored(&setup), 1);
}

#[test]
fn a_read_with_committed_evidence_can_be_repeated_by_another_node() {
    let setup = with_policy(AuditReads::Committed);
    let path = created(&setup);
    read(&setup, &path);
    let now = setup.now();
    assert_eq!(setup.store.replay().used_request_ids(now - TimeDelta::minutes(2), 9).unwrap().len(), 1);
}

#[test]
fn batched_evidence_is_written_by_the_next_call_after_a_second() {
    let setup = with_policy(AuditReads::Batched);
    let path = created(&setup);
    read(&setup, &path);
    setup.wait(TimeDelta::microseconds(999_999));
    read(&setup, &path);
    assert_eq!(stored(&setup), 0);
    setup.wait(TimeDelta::microseconds(1));
    // Any call: this one reads nothing.
    assert_eq!(setup.call("GET", "/v1/nowhere", &[], b"").status(), 404);
    assert_eq!(stored(&setup), 2);
    setup.wait(TimeDelta::days(1));
    let committed = *setup.store.committed.lock();
    setup.call("GET", "/v1/nowhere", &[], b"");
    assert_eq!(*setup.store.committed.lock(), committed, "nothing waits");
}

#[test]
fn batched_evidence_is_written_by_run_due_an_export_and_close() {
    let setup = with_policy(AuditReads::Batched);
    let path = created(&setup);
    let writers: [fn(&Setup); 3] = [
        |setup| assert_eq!(setup.engine.run_due().unwrap(), xs2a::RunReport::default()),
        |setup| drop(all(&setup.engine)),
        |setup| setup.engine.close().unwrap(),
    ];
    for (number, write) in writers.into_iter().enumerate() {
        read(&setup, &path);
        assert_eq!(stored(&setup), number);
        write(&setup);
        assert_eq!(stored(&setup), number + 1);
    }
}

#[test]
fn next_due_reports_evidence_that_waits() {
    let setup = with_policy(AuditReads::Batched);
    let path = created(&setup);
    assert_eq!(setup.engine.next_due().unwrap(), None);
    let due = setup.now() + TimeDelta::seconds(1);
    read(&setup, &path);
    setup.wait(TimeDelta::milliseconds(500));
    read(&setup, &path);
    assert_eq!(setup.engine.next_due().unwrap(), Some(due));
    setup.engine.run_due().unwrap();
    assert_eq!(setup.engine.next_due().unwrap(), None);
}

#[test]
fn evidence_that_cannot_be_written_waits_and_is_in_order_later() {
    let setup = with_policy(AuditReads::Batched);
    let path = created(&setup);
    read(&setup, &path);
    *setup.store.mood.lock() = Mood::Failing;
    second(&setup);
    // The read itself does not fail: its own evidence waits too.
    assert_eq!(read(&setup, &format!("{path}/status")).status(), 200);
    setup.engine.close().unwrap_err();
    setup.engine.run_due().unwrap_err();
    *setup.store.mood.lock() = Mood::Well;
    setup.engine.close().unwrap();
    let lines = all(&setup.engine);
    let causes: Vec<_> = reads(&lines).iter().map(|line| text(line, "/cause")).collect();
    assert_eq!(causes, ["getPayment", "getPaymentStatus"]);
}

#[test]
fn evidence_that_cannot_be_written_keeps_no_payment_from_the_bank() {
    let setup = with_policy(AuditReads::Batched);
    let ordered = setup.ordered();
    read(&setup, text(&ordered, "/_links/self/href"));
    *setup.store.mood.lock() = Mood::Unaudited;
    assert_eq!(setup.engine.run_due().unwrap_err().to_string(), "store: the audit table is gone");
    assert_eq!(setup.payment(&ordered).status, PaymentStatus::Acsc);
    *setup.store.mood.lock() = Mood::Well;
    assert_eq!(setup.engine.run_due().unwrap(), xs2a::RunReport::default());
    assert_eq!(stored(&setup), 1);
}

#[test]
fn without_the_policy_a_read_leaves_no_line() {
    for audit in [true, false] {
        let mut policy = quiet_policy();
        (policy.audit, policy.audit_reads) =
            if audit { (true, AuditReads::Off) } else { (false, AuditReads::Committed) };
        let setup = Setup::with(|builder| builder.policy(policy));
        let path = created(&setup);
        assert_eq!(read(&setup, &path).status(), 200);
        assert!(reads(&all(&setup.engine)).is_empty());
    }
}

#[test]
fn evidence_is_complete_after_the_file_is_opened_again() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bank.db");
    let setup = Setup::over(Database::open_file(&path).unwrap());
    let payment = created(&setup);
    read(&setup, &payment);
    setup.engine.close().unwrap();
    drop(setup);
    let again = Setup::over(Database::open_file(&path).unwrap());
    assert_eq!(kinds(&all(&again.engine)).last(), Some(&"payment.read"));
}

#[test]
fn a_snapshot_has_the_evidence_that_waited() {
    let world = World::with_policy(r#"{"audit":true,"audit_reads":"batched"}"#);
    let aisp = Aisp::of(world, &ScaAnswer::approve(PAYER));
    aisp.get("/v1/accounts");
    let (image, twin) = (aisp.world.sandbox.snapshot().unwrap(), aisp.world.sandbox.fork().unwrap());
    aisp.get("/v1/card-accounts");
    aisp.world.sandbox.restore(&image).unwrap();
    for engine in [aisp.world.sandbox.engine(), twin.engine()] {
        let lines = all(engine);
        let causes: Vec<_> = reads(&lines).iter().map(|line| text(line, "/cause")).collect();
        assert_eq!(causes, ["getAccounts"]);
    }
}

#[cfg(feature = "postgres")]
#[test]
fn on_postgresql_both_policies_store_the_same_lines() {
    use std::sync::Arc;

    use xs2a::internal::PostgresStore;
    use xs2a::store::Store;

    use crate::postgres_server::Server;

    let Some(server) = Server::shared() else { return };
    for audit_reads in [AuditReads::Committed, AuditReads::Batched] {
        let mut policy = quiet_policy();
        policy.audit_reads = audit_reads;
        let store: Arc<dyn Store> = Arc::new(PostgresStore::open(&server.database()).unwrap());
        let setup = Setup::with(|builder| builder.store(store).policy(policy));
        let path = created(&setup);
        (0..3).for_each(|_| assert_eq!(read(&setup, &path).status(), 200));
        let lines = all(&setup.engine);
        let expected =
            ["payment.created", "authorisation.started", "payment.read", "payment.read", "payment.read"];
        assert_eq!(kinds(&lines), expected);
    }
}
