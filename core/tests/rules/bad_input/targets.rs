//! Targets, queries and methods.

use crate::bad_input::bench::{Bench, KIB, MIB};
use crate::world::draft::Draft;
use crate::world::{body, straks, text, STRAKS};

#[test]
fn targets_that_are_none_are_refused() {
    let bench = Bench::new();
    let long = |bytes: usize| format!("{STRAKS}?x={}", "a".repeat(bytes - STRAKS.len() - 3));
    for target in [
        String::new(),
        "*".to_owned(),
        "v1/payments".to_owned(),
        "?a=b".to_owned(),
        format!("https://api.bank.example{STRAKS}"),
        "api.bank.example:443".to_owned(),
        format!("{STRAKS} "),
        format!("{STRAKS}#fragment"),
        format!("{STRAKS}\r\nX-Injected: 1"),
        format!("{STRAKS}\0"),
        format!("{STRAKS}%"),
        format!("{STRAKS}%0"),
        format!("{STRAKS}%zz"),
        format!("{STRAKS}%ff"),
        format!("{STRAKS}%ed%a0%80"),
        format!("{STRAKS}?a=%"),
        "/v1/payments/betaling-på-norsk".to_owned(),
    ] {
        let response = bench.ask(Draft::creation(&target, &straks()));
        assert_eq!(response.reason(), Some("RTE-01"), "{target}");
    }
    for too_long in [long(8 * KIB + 1), long(MIB), "/".repeat(MIB), " ".repeat(MIB)] {
        let response = bench.ask(Draft::creation(&too_long, &straks()));
        assert_eq!(response.reason(), Some("RTE-06"), "{} bytes", too_long.len());
    }
    assert_eq!(bench.ask(Draft::creation(&long(8 * KIB), &straks())).status(), 201);
}

#[test]
fn paths_that_lead_nowhere_are_not_found() {
    let bench = Bench::new();
    let product = STRAKS.strip_prefix("/v1/payments/").unwrap();
    for target in [
        "/".to_owned(),
        "//".to_owned(),
        format!("/{STRAKS}"),
        format!("{STRAKS}/"),
        format!("/v1//payments/{product}"),
        format!("/v1/payments//{product}"),
        format!("/v1/payments/../payments/{product}"),
        format!("/v1/./payments/{product}"),
        format!("/v1/%2e%2e/v1/payments/{product}"),
        format!("/v1%2Fpayments/{product}"),
        format!("/V1/payments/{product}"),
        format!("/v1/Payments/{product}"),
        format!("/v1/payments/{}", product.to_uppercase()),
        format!("/v1/payments/{product}%00"),
        format!("/v1/payments/{product};a=b"),
        format!("/v1/payments/{product}%20"),
        "/v1/payments/%2e%2e%2f%2e%2e%2fetc%2fpasswd".to_owned(),
        "/".repeat(8 * KIB),
    ] {
        let response = bench.ask(Draft::creation(&target, &straks()));
        assert_eq!(response.status(), 404, "{target}");
    }
}

#[test]
fn percent_escapes_in_product_and_id_are_decoded_once() {
    let bench = Bench::new();
    let escaped = STRAKS.replace("instant", "%69nstan%74");
    let created = bench.ask(Draft::creation(&escaped, &straks()));
    assert_eq!(created.status(), 201);
    let created = body(&created);
    let id = text(&created, "/paymentId");
    let every_byte: String = id.bytes().map(|byte| format!("%{byte:02x}")).collect();
    for (written, expected) in [
        (id.to_owned(), 200),
        (id.replace('!', "%21"), 200),
        (every_byte.clone(), 200),
        (every_byte.replace('%', "%25"), 404),
        (format!("{id}%00"), 404),
        (format!("{id}%2fstatus"), 404),
        (id.to_lowercase(), 404),
        (format!("..%2f{id}"), 404),
        ("'%20OR%20'1'='1".to_owned(), 404),
        ("%25".repeat(1_000), 404),
    ] {
        assert_eq!(bench.ask(Draft::get(&format!("{STRAKS}/{written}"))).status(), expected, "{written}");
    }
}

#[test]
fn queries_are_read_strictly_where_they_are_known() {
    let bench = Bench::new();
    for (query, expected) in [
        ("", None),
        ("&&&", None),
        ("=", None),
        ("unknown=1&unknown=2", None),
        ("allowLogicalDuplicate=true", None),
        ("%61llowLogicalDuplicate=tru%65", None),
        ("allowLogicalDuplicate", Some("QRY-02")),
        ("allowLogicalDuplicate=", Some("QRY-02")),
        ("allowLogicalDuplicate=TRUE", Some("QRY-02")),
        ("allowLogicalDuplicate=true%00", Some("QRY-02")),
        ("allowLogicalDuplicate=true+", Some("QRY-02")),
        ("allowLogicalDuplicate=true&%61llowLogicalDuplicate=true", Some("QRY-01")),
    ] {
        let fork = Bench { sandbox: bench.sandbox.fork().unwrap(), ..Bench::new() };
        let bench = Bench { signer: bench.signer.clone(), ..fork };
        let response = bench.ask(Draft::creation(&format!("{STRAKS}?{query}"), &straks()));
        assert_eq!(response.reason(), expected, "{query}");
    }
}

#[test]
fn a_known_path_lists_its_methods_and_an_unknown_one_none() {
    let bench = Bench::new();
    let methods = [
        "HEAD", "OPTIONS", "TRACE", "CONNECT", "PATCH", "post", "Post", "", " POST", "POST\r\n", "PÖST",
        "GETT",
    ];
    for method in methods.into_iter().map(str::to_owned).chain(["X".repeat(MIB)]) {
        for (target, allow) in [
            (STRAKS.to_owned(), "POST"),
            (format!("{STRAKS}/id"), "GET, DELETE"),
            (format!("{STRAKS}/id/status"), "GET"),
            (format!("{STRAKS}/id/authorisations"), "POST"),
            (format!("{STRAKS}/id/cancellation-authorisations"), "POST"),
            ("/v1/signing-baskets".to_owned(), "POST"),
            ("/v1/signing-baskets/id".to_owned(), "GET, DELETE"),
            ("/v1/signing-baskets/id/status".to_owned(), "GET"),
            ("/v1/signing-baskets/id/authorisations".to_owned(), "POST"),
        ] {
            let response = bench.ask(Draft { method: method.clone(), ..Draft::creation(&target, &straks()) });
            assert_eq!((response.status(), response.reason()), (405, Some("RTE-03")));
            assert_eq!(response.header("Allow"), Some(allow));
        }
        let response = bench.ask(Draft { method: method.clone(), ..Draft::creation("/v1", &straks()) });
        assert_eq!((response.status(), response.header("Allow")), (404, None));
    }
}

#[test]
fn a_body_where_none_is_read_does_no_harm() {
    let bench = Bench::new();
    bench.assert_sound();
    let mut reading = Draft::get(&format!("{STRAKS}/unknown"));
    for body in [&b"\xFF"[..], b"{", &[b'['; 100_000]] {
        reading.body = body.to_vec();
        assert_eq!(bench.ask(reading.clone()).reason(), Some("PAY-01"));
    }
}
