//! Sandboxes in files: closing and opening again, and several on one file.

mod replays;

use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};
use std::thread;

use crate::world::authority::Authority;
use crate::world::products::DOMESTIC;
use crate::world::*;
use chrono::TimeDelta;
use serde_json::{json, Value};
use xs2a::internal::{format_http_date, Database, SandboxBank};
use xs2a::store::Grant;
use xs2a::types::{ActingPsu, Context, Rates};
use xs2a::{Error, Response, Sandbox, SandboxOptions, ScaAnswer, ScaOutcome};

const START: &str = "2026-09-01T10:00:00Z";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("sandbox.db")
    }
}

/// Opens a file with the seed of every world; without a time it continues at the file's time.
fn open(path: &Path, now: Option<&str>) -> Result<Sandbox, Error> {
    let options = SandboxOptions {
        database: Some(path.to_owned()),
        now: now.map(at),
        seed: 1,
        ..SandboxOptions::default()
    };
    Sandbox::open(&options)
}

/// A world on a file that was closed, with the TPP it had.
fn reopened(path: &Path, tpp: xs2a::TestTpp, now: Option<&str>) -> World {
    World { sandbox: open(path, now).unwrap(), tpp }
}

#[test]
fn a_sandbox_that_cannot_be_opened_makes_no_file_and_moves_no_later_id() {
    let ids = |folder: &Folder| open(&folder.path(), Some(START)).unwrap().export_json().unwrap();
    let (plain, refused) = (Folder::new(), Folder::new());
    let options = || SandboxOptions { database: Some(refused.path()), seed: 1, ..SandboxOptions::default() };
    for options in [
        SandboxOptions { policy: Some(r#"{"x":1}"#.to_owned()), ..options() },
        SandboxOptions { policy: Some(r#"{"rates":{"NOK":"2"}}"#.to_owned()), ..options() },
        SandboxOptions { base_path: "q".to_owned(), ..options() },
    ] {
        assert!(matches!(Sandbox::open(&options), Err(Error::Config(_))));
        assert!(!refused.path().exists());
    }
    assert_eq!(ids(&refused), ids(&plain));
    // Nor where the file was there before.
    assert!(Sandbox::open(&SandboxOptions { policy: Some(r#"{"x":1}"#.to_owned()), ..options() }).is_err());
    assert!(matches!(open(&refused.path(), Some("2026-09-01T09:59:59Z")), Err(Error::Misuse(_))));
    assert_eq!(ids(&refused), ids(&plain));
}

// Opening again.

#[test]
fn a_file_goes_on_where_it_was_closed() {
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    let psu_id = world.payer_id();
    let settled = world.pay(STRAKS, &straks(), PAYER);
    let pending = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    let open = accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &straks()));
    world.set_now("2026-09-01T10:05:00Z");
    let World { sandbox, tpp } = world;
    drop(sandbox);

    let world = reopened(&folder.path(), tpp, None);
    assert_eq!(world.sandbox.now(), at("2026-09-01T10:05:00Z"));
    assert_eq!(world.transaction_status(&settled), "ACSC");
    assert_eq!(world.transaction_status(&pending), "PDNG");
    // The person, the open link, the duplicate and the batch are what they were.
    let another = changed(cross_border(), &[("/instructedAmount/amount", json!("101.00"))]);
    accepted(&world.create_for(&psu_id, CROSS_BORDER, &another));
    assert_refused(&world.create(STRAKS, &straks()), 409, "CONFLICT", "");
    let callback = world.answer(&open, &ScaAnswer::approve(PAYER));
    assert_eq!(parameter(&callback, "psu-id"), Some(psu_id));
    assert_eq!(world.sandbox.advance_to_next_event().unwrap(), Some(at("2026-09-01T11:00:00Z")));
    assert_eq!(world.transaction_status(&pending), "ACSC");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-30.00", "-1172.50", "-250.00", "-250.00", "1.00"]);
    world.assert_reconciled();
}

#[test]
fn the_psu_named_at_creation_is_known_after_reopening_the_file() {
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let create = |named| accepted(&world.create_with(&target, &[("X-PSU-IDENTITY", named)], &straks()));
    let payments = [(create(PAYEE), "RCVD"), (create(PAYER), "ACSC")];
    let World { sandbox, tpp } = world;
    drop(sandbox);
    let world = reopened(&folder.path(), tpp, None);
    for (created, status) in &payments {
        world.answer(&accepted(&world.start(created)), &ScaAnswer::approve(PAYER));
        assert_eq!(world.transaction_status(created), *status);
    }
}

#[test]
fn a_file_opened_later_settles_what_is_due_and_earlier_nothing() {
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    let pending = world.pay(CROSS_BORDER, &cross_border(), PAYER);
    let World { sandbox, tpp } = world;
    drop(sandbox);
    for early in ["2026-09-01T09:59:59.999999Z", "1970-01-01T00:00:00Z"] {
        assert!(matches!(open(&folder.path(), Some(early)), Err(Error::Misuse(_))), "{early}");
    }
    let world = reopened(&folder.path(), tpp, Some("2026-09-09T00:00:00Z"));
    assert_eq!(world.transaction_status(&pending), "ACSC");
    assert_eq!(text(&world.ledger(PAYER_ACCOUNT), "/bookings/0/bookingDate"), "2026-09-01");
    drop(world);
    assert_eq!(open(&folder.path(), None).unwrap().now(), at("2026-09-09T00:00:00Z"));
}

#[test]
fn a_crash_within_a_signed_basket_loses_and_repeats_no_payment() {
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    let too_much = changed(straks(), &[("/instructedAmount/amount", json!("9999999.00"))]);
    let later = changed(straks(), &[("/instructedAmount/amount", json!("7.00"))]);
    let payments = [(STRAKS, straks()), (STRAKS, too_much), (DOMESTIC, later)];
    let payments = payments.map(|(target, order)| accepted(&world.create(target, &order)));
    let basket = world.basket(&payments.each_ref());
    let started = accepted(&world.start(&basket));
    let bank = SandboxBank::new(
        Arc::new(Database::open_file_for_sandbox(folder.path(), |_| Ok(())).unwrap()),
        Rates::default(),
    );
    let psu = bank.person(PAYER).unwrap().unwrap();
    let psu = ActingPsu { psu, context: Context::Private, corporate: None };
    let approved = ScaOutcome::Approved { psu, grant: Grant::Everything };
    let statuses = |world: &World| payments.each_ref().map(|payment| world.transaction_status(payment));

    // The SCA is noted, and nothing was delivered.
    let id = link(&started).rsplit('/').next().unwrap();
    world.sandbox.engine().complete_sca(id, &approved).unwrap();
    assert_eq!(statuses(&world), ["PDNG", "PDNG", "PDNG"]);
    let World { sandbox, tpp } = world;
    drop(sandbox);
    let world = reopened(&folder.path(), tpp, None);
    assert_eq!(statuses(&world), ["ACSC", "RJCT", "PDNG"]);

    // The batch has settled, and no report was made.
    let World { sandbox, tpp } = world;
    drop(sandbox);
    assert_eq!(bank.run(at("2026-09-01T11:00:00Z")).unwrap().len(), 1);
    let world = reopened(&folder.path(), tpp, None);
    assert_eq!(statuses(&world), ["ACSC", "RJCT", "ACSC"]);
    assert_eq!(world.transaction_status(&basket), "RJCT");
    world.set_now("2026-09-03T00:00:00Z");
    assert_eq!(world.booked(PAYER_ACCOUNT), ["-7.00", "-250.00"]);
    world.assert_reconciled();
}

#[test]
fn a_tpp_of_a_file_that_was_closed_goes_on() {
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    let created = accepted(&world.create(STRAKS, &straks()));
    let (id, pem) = (world.tpp.organisation_id().to_owned(), world.tpp.certificate_pem().to_owned());
    drop(world);
    let sandbox = open(&folder.path(), Some("2026-09-05T00:00:00Z")).unwrap();
    let tpp = sandbox.tpp(&id).unwrap();
    assert_eq!(tpp.certificate_pem(), pem);
    let target = text(&created, "/_links/self/href");
    let headers = tpp.sign("GET", target, &owned(&plain_headers()), b"").unwrap();
    assert_eq!(send(&sandbox, "GET", target, &headers, b"").status(), 200);
}

#[test]
fn trust_and_registration_survive_closing_and_initialising() {
    let valid = ("2026-01-01T00:00:00Z", "2030-01-01T00:00:00Z");
    let root = Authority::root("Rot CA", 1, valid);
    let signer = root.issue("PSDNO-FSA-912345678", 2, valid);
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    world.sandbox.trust(&root.pem).unwrap();
    let kept = accepted(&world.create(STRAKS, &straks()));
    let World { sandbox, tpp } = world;
    drop(sandbox);

    let world = reopened(&folder.path(), tpp, None);
    let order = straks().to_string();
    let elsewhere = |number| {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        let now = world.sandbox.now();
        let headers = signer.sign("POST", &target, &creation_headers(), order.as_bytes(), now, number);
        send(&world.sandbox, "POST", &target, &headers, order.as_bytes())
    };
    accepted(&elsewhere(1));
    world.sandbox.initialize().unwrap();
    assert_refused(&world.get(text(&kept, "/_links/self/href")), 404, "RESOURCE_UNKNOWN", "");
    accepted(&elsewhere(2));
    accepted(&world.create(STRAKS, &straks()));
}

#[test]
fn a_new_process_never_repeats_the_ids_of_an_old_one() {
    let folder = Folder::new();
    let mut ids = Vec::new();
    for _ in 0..3 {
        let world = World::on_file(&folder.path());
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        ids.push(text(&accepted(&world.create(&target, &straks())), "/paymentId").to_owned());
        ids.push(world.tpp.organisation_id().to_owned());
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6);
}

#[test]
fn files_that_are_none_of_ours_are_refused_and_left_alone() {
    let folder = Folder::new();
    let path = folder.path();
    for content in [b"not a database, but long enough to look at for a while".repeat(100), vec![7; 10]] {
        std::fs::write(&path, &content).unwrap();
        assert!(matches!(open(&path, None), Err(Error::Store(_))));
        assert!(std::fs::read(&path).unwrap() == content);
    }
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(open(&folder.0.path().join("missing/sandbox.db"), None), Err(Error::Store(_))));
    assert!(matches!(open(Path::new(""), None), Err(Error::Config(_))));
}

#[test]
fn a_sandbox_and_a_production_engine_do_not_open_each_others_files() {
    let folder = Folder::new();
    let url = |name: &str| format!("sqlite://{}", folder.0.path().join(name).display());
    drop(World::on_file(&folder.path()));
    let before = std::fs::read(folder.path()).unwrap();
    match xs2a::store::open(&url("sandbox.db")).map(drop) {
        Err(Error::Config(message)) => assert!(message.contains("sandbox"), "{message}"),
        other => panic!("{other:?}"),
    }
    assert!(std::fs::read(folder.path()).unwrap() == before);

    drop(xs2a::store::open(&url("gateway.db")).unwrap());
    match open(&folder.0.path().join("gateway.db"), None) {
        Err(Error::Config(message)) => assert!(message.contains("production"), "{message}"),
        other => panic!("{other:?}"),
    }
    drop(xs2a::store::open(&url("gateway.db")).unwrap());
    drop(World::on_file(&folder.path()));
}

#[test]
fn a_file_of_the_other_role_and_of_a_development_version_is_refused() {
    let folder = Folder::new();
    let gateway = folder.0.path().join("gateway.db");
    let url = |path: &Path| format!("sqlite://{}", path.display());
    drop(World::on_file(&folder.path()));
    drop(xs2a::store::open(&url(&gateway)).unwrap());
    assert!(matches!(xs2a::store::open(&url(&folder.path())).map(drop), Err(Error::Config(_))));
    assert!(matches!(open(&gateway, None), Err(Error::Config(_))));
    xs2a::store::open(&url(&gateway)).unwrap();
    for (path, version) in [(folder.path(), 23), (gateway.clone(), 1)] {
        let connection = rusqlite::Connection::open(path).unwrap();
        connection.pragma_update(None, "application_id", i32::from_be_bytes(*b"XS2A")).unwrap();
        connection.pragma_update(None, "user_version", version).unwrap();
    }
    let refused = [open(&folder.path(), None).map(drop), xs2a::store::open(&url(&gateway)).map(drop)];
    for refused in refused {
        assert!(
            matches!(&refused, Err(Error::Store(fault)) if fault.text().contains("create a new file")),
            "{refused:?}"
        );
    }
}

#[test]
fn a_file_of_a_newer_library_is_refused() {
    let folder = Folder::new();
    drop(World::on_file(&folder.path()));
    let connection = rusqlite::Connection::open(folder.path()).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    match open(&folder.path(), None) {
        Err(Error::Store(fault)) => assert!(fault.text().contains("99"), "{fault:?}"),
        other => panic!("{other:?}"),
    }
}

// Several on one file.

/// Two worlds on one file.
fn pair(folder: &Folder) -> [World; 2] {
    [World::on_file(&folder.path()), World::on_file(&folder.path())]
}

#[test]
fn what_one_sandbox_does_the_other_on_its_file_sees() {
    let folder = Folder::new();
    let [first, second] = pair(&folder);
    let created = accepted(&first.create(STRAKS, &straks()));
    let through_second = World { sandbox: second.sandbox, tpp: first.tpp.clone() };
    assert_eq!(through_second.transaction_status(&created), "RCVD");
    through_second.answer(&created, &ScaAnswer::approve(PAYER));
    assert_eq!(first.transaction_status(&created), "ACSC");
    let answered = first.sandbox.authorise(link(&created), &ScaAnswer::approve(PAYER));
    assert!(matches!(answered, Err(Error::Misuse(_))), "{answered:?}");
    assert_eq!(first.booked(PAYER_ACCOUNT), ["-250.00"]);
}

#[test]
fn a_change_is_not_replayed_through_another_sandbox() {
    let folder = Folder::new();
    let [first, second] = pair(&folder);
    let order = straks().to_string();
    let headers = first.signed("POST", STRAKS, &creation_headers(), order.as_bytes());
    assert_eq!(send(&first.sandbox, "POST", STRAKS, &headers, order.as_bytes()).status(), 201);
    let again = send(&second.sandbox, "POST", STRAKS, &headers, order.as_bytes());
    assert_refused(&again, 400, "BAD_REQUEST", "X-Request-ID");
}

#[test]
fn initializing_frees_no_request_id() {
    let folder = Folder::new();
    let [first, second] = pair(&folder);
    let order = straks().to_string();
    let headers = first.signed("POST", STRAKS, &creation_headers(), order.as_bytes());
    assert_eq!(send(&first.sandbox, "POST", STRAKS, &headers, order.as_bytes()).status(), 201);
    first.sandbox.initialize().unwrap();
    let again = send(&second.sandbox, "POST", STRAKS, &headers, order.as_bytes());
    assert_refused(&again, 400, "BAD_REQUEST", "X-Request-ID");
    drop(second);
    let World { sandbox, tpp } = first;
    drop(sandbox);
    let third = reopened(&folder.path(), tpp, None);
    let again = send(&third.sandbox, "POST", STRAKS, &headers, order.as_bytes());
    assert_refused(&again, 400, "BAD_REQUEST", "X-Request-ID");
}

#[test]
fn a_file_keeps_the_time_of_the_sandbox_that_is_furthest() {
    let folder = Folder::new();
    let [first, second] = pair(&folder);
    first.set_now("2026-09-10T00:00:00Z");
    assert!(matches!(second.sandbox.set_now(at("2026-09-05T00:00:00Z")), Err(Error::Misuse(_))));
    drop((first, second));
    assert_eq!(open(&folder.path(), None).unwrap().now(), at("2026-09-10T00:00:00Z"));
}

#[test]
fn a_clock_that_shows_1970_or_before_goes_on_too() {
    for start in ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00Z"] {
        let folder = Folder::new();
        drop(open(&folder.path(), Some(start)).unwrap());
        assert_eq!(open(&folder.path(), None).unwrap().now(), at(start));
        let earlier = at(start) - TimeDelta::microseconds(1);
        let refused =
            SandboxOptions { database: Some(folder.path()), now: Some(earlier), ..SandboxOptions::default() };
        assert!(matches!(Sandbox::open(&refused), Err(Error::Misuse(_))), "{start}");
    }
}

#[test]
fn tpps_registered_concurrently_are_distinguished() {
    let folder = Folder::new();
    let [first, second] = pair(&folder);
    let ids: Vec<_> = thread::scope(|scope| {
        let register = |world: &World| -> Vec<String> {
            let one = |_| world.sandbox.register_tpp("Pay", &["PISP"]).unwrap().organisation_id().to_owned();
            (0..10).map(one).collect()
        };
        let (first, second) = (&first, &second);
        let threads = [scope.spawn(move || register(first)), scope.spawn(move || register(second))];
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let mut distinct = ids.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 20, "{ids:?}");
}

/// Creates, approves and settles in turn; what was settled and what the account was short of.
/// The file has one clock: it moves while no link is open.
fn trade(world: &World, from: &str, person: &str, to: &str, rounds: usize) -> Vec<Value> {
    static MOVING: RwLock<()> = RwLock::new(());
    let order = changed(
        straks(),
        &[
            ("/debtorAccount/bban", json!(from)),
            ("/creditorAccount/bban", json!(to)),
            ("/instructedAmount/amount", json!("9000.00")),
        ],
    );
    let mut done = Vec::new();
    for round in 0..rounds {
        let paused = MOVING.read().unwrap();
        done.push(world.pay(&format!("{STRAKS}?allowLogicalDuplicate=true"), &order, person));
        drop(paused);
        if round % 5 == 4 {
            let _alone = MOVING.write().unwrap();
            world.sandbox.advance(TimeDelta::hours(1)).unwrap();
        }
    }
    done
}

#[test]
fn two_sandboxes_on_one_file_keep_its_invariants_from_two_threads() {
    const ROUNDS: usize = 20;
    let folder = Folder::new();
    let [first, second] = pair(&folder);
    let payments: Vec<_> = thread::scope(|scope| {
        let threads = [
            scope.spawn(|| trade(&first, PAYER_ACCOUNT, PAYER, PAYEE_ACCOUNT, ROUNDS)),
            scope.spawn(|| trade(&second, PAYER_ACCOUNT, PAYER, PAYEE_ACCOUNT, ROUNDS)),
        ];
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    // Eleven times 9000 are 99 000 of the 100 000 that were there.
    let mut settled = 0;
    for (world, payments) in [&first, &second].into_iter().zip(&payments) {
        for created in payments {
            let status = world.transaction_status(created);
            assert!(status == "ACSC" || status == "RJCT", "{status}");
            settled += usize::from(status == "ACSC");
        }
    }
    assert_eq!(settled, 11);
    assert_eq!(
        (first.balance(PAYER_ACCOUNT), second.balance(PAYEE_ACCOUNT)),
        ("1000.00".into(), "199000.00".into())
    );
    first.assert_reconciled();
    second.assert_reconciled();
}

#[test]
fn two_sandboxes_on_one_file_run_each_batch_once_between_them() {
    let folder = Folder::new();
    let [first, second] = pair(&folder);
    let target = format!("{CROSS_BORDER}?allowLogicalDuplicate=true");
    let payments: Vec<_> = (0..15).map(|_| first.pay(&target, &cross_border(), PAYER)).collect();
    thread::scope(|scope| {
        for world in [&first, &second] {
            scope.spawn(|| world.sandbox.advance(TimeDelta::days(1)).unwrap());
        }
    });
    assert!(payments.iter().all(|created| first.transaction_status(created) == "ACSC"));
    assert_eq!(first.booked(PAYER_ACCOUNT).len(), 30);
    first.assert_reconciled();
}

#[test]
fn two_sandboxes_on_one_file_have_one_clock() {
    let folder = Folder::new();
    let [first, second] = pair(&folder);
    let second = World { sandbox: second.sandbox, tpp: first.tpp.clone() };
    let created = first.create(STRAKS, &straks());
    first.sandbox.advance(TimeDelta::days(2)).unwrap();
    assert_eq!(second.sandbox.now(), first.sandbox.now());
    // A link of one is open for the other, until ten minutes have passed for both.
    let [open, dead] = [first.start(&body(&created)), second.start(&body(&created))].map(|link| body(&link));
    second.sandbox.advance(TimeDelta::minutes(9)).unwrap();
    second.answer(&open, &ScaAnswer::approve(PAYER));
    assert_eq!(first.transaction_status(&body(&created)), "ACSC");
    first.sandbox.advance(TimeDelta::minutes(1)).unwrap();
    assert!(matches!(second.sandbox.authorise(link(&dead), &abort()), Err(Error::Misuse(_))));
    assert!(
        matches!(second.sandbox.set_now(at("2026-09-02T00:00:00Z")), Err(Error::Misuse(_))),
        "it goes back"
    );
}
