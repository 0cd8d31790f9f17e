//! A signed request is accepted once, by any process.

use super::*;

#[test]
fn a_change_is_not_replayed_through_a_new_process() {
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    let order = straks().to_string();
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let headers = world.signed("POST", &target, &creation_headers(), order.as_bytes());
    let post = |sandbox: &Sandbox| send(sandbox, "POST", &target, &headers, order.as_bytes());
    assert_eq!(post(&world.sandbox).status(), 201);
    drop(world);
    let sandbox = open(&folder.path(), None).unwrap();
    assert_refused(&post(&sandbox), 400, "BAD_REQUEST", "X-Request-ID");
}

/// One request, sent again after a while; its Date fits both times.
fn replayed_after(micros: i64, reopen: bool) -> Response {
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    let order = straks().to_string();
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let sign = |date: &str| {
        let mut headers = creation_headers();
        headers.extend([("X-Request-ID", "0b9ac9f5-8f5e-4c07-9f29-1e5fd7a2a3c4"), ("Date", date)]);
        world.signed("POST", &target, &headers, order.as_bytes())
    };
    let first = sign(&format_http_date(world.sandbox.now()));
    assert_eq!(send(&world.sandbox, "POST", &target, &first, order.as_bytes()).status(), 201);
    world.sandbox.advance(TimeDelta::microseconds(micros)).unwrap();
    let second = sign(&format_http_date(world.sandbox.now()));
    if !reopen {
        return send(&world.sandbox, "POST", &target, &second, order.as_bytes());
    }
    drop(world);
    send(&open(&folder.path(), None).unwrap(), "POST", &target, &second, order.as_bytes())
}

#[test]
fn the_id_of_a_change_counts_after_a_restart_for_what_only_reads_too() {
    const REQUEST_ID: (&str, &str) = ("X-Request-ID", "0b9ac9f5-8f5e-4c07-9f29-1e5fd7a2a3c4");
    for (micros, status) in [(0, 400), (119_999_999, 400), (120_000_000, 200)] {
        let folder = Folder::new();
        let world = World::on_file(&folder.path());
        let headers = [creation_headers(), vec![REQUEST_ID]].concat();
        let created = accepted(&world.call("POST", STRAKS, &headers, straks().to_string().as_bytes()));
        world.sandbox.advance(TimeDelta::microseconds(micros)).unwrap();
        let World { sandbox, tpp } = world;
        drop(sandbox);
        let world = reopened(&folder.path(), tpp, None);
        let read = |headers: &[_]| world.call("GET", text(&created, "/_links/status/href"), headers, b"");
        let again = read(&[plain_headers(), vec![REQUEST_ID]].concat());
        assert_eq!(again.status(), status, "{micros} {}", body(&again));
        assert_eq!(again.reason(), (status == 400).then_some("RPL-01"));
        // Another TPP has ids of its own, and so has another call.
        assert_eq!(read(&plain_headers()).status(), 200);
        let other = world.sandbox.register_tpp("Other", &["PISP"]).unwrap();
        let headers = [plain_headers(), vec![REQUEST_ID]].concat();
        let status = text(&created, "/_links/status/href");
        assert_eq!(world.call_by(&other, "GET", status, &headers, b"").status(), 404);
    }
}

#[test]
fn a_request_id_is_free_after_120_seconds_in_memory_and_in_the_file() {
    const WINDOW_MICROS: i64 = 120_000_000;
    for reopen in [false, true] {
        let replayed = replayed_after(WINDOW_MICROS - 1, reopen);
        assert_refused(&replayed, 400, "BAD_REQUEST", "X-Request-ID");
        assert_eq!(replayed_after(WINDOW_MICROS, reopen).status(), 201, "{reopen}");
    }
}

#[test]
fn what_was_signed_once_is_taken_once_as_long_as_its_date_counts() {
    let folder = Folder::new();
    let world = World::on_file(&folder.path());
    let order = straks().to_string();
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    let ahead = format_http_date(world.sandbox.now() + TimeDelta::seconds(60));
    let headers = [creation_headers(), vec![("Date", ahead.as_str())]].concat();
    let headers = world.signed("POST", &target, &headers, order.as_bytes());
    let post = |sandbox: &Sandbox| send(sandbox, "POST", &target, &headers, order.as_bytes());
    assert_eq!(post(&world.sandbox).status(), 201);
    let sent = world.sandbox.now();
    for (micros, reason) in
        [(119_999_999, "RPL-01"), (120_000_000, "RPL-01"), (120_999_999, "RPL-01"), (121_000_000, "DAT-02")]
    {
        world.sandbox.set_now(sent + TimeDelta::microseconds(micros)).unwrap();
        assert_eq!(post(&world.sandbox).reason(), Some(reason), "{micros}");
        // Another node knows it from the file.
        let node = open(&folder.path(), None).unwrap();
        assert_eq!(post(&node).reason(), Some(reason), "{micros}");
    }
}
