//! Content negotiation, and the headers that every answer has.

use std::io::Read as _;

use crate::world::*;
use serde_json::{json, Value};
use xs2a::{Response, SandboxOptions};

fn unpacked(response: &Response) -> Vec<u8> {
    let mut plain = Vec::new();
    flate2::read::GzDecoder::new(response.body()).read_to_end(&mut plain).unwrap();
    plain
}

/// A payment whose details have exactly so many bytes.
fn details_of_length(world: &World, length: usize) -> String {
    // Each letter of the creditor's name is one byte of the details.
    let order = |letters: usize| {
        let reference =
            json!({"reference": "R".repeat(35), "referenceType": "CINV", "referenceIssuer": "I".repeat(35)});
        changed(
            straks(),
            &[
                ("/remittanceInformationUnstructured", Value::Null),
                ("/remittanceInformationStructuredArray", json!([reference, reference, reference])),
                ("/creditorName", json!("N".repeat(letters))),
            ],
        )
    };
    let own = |letters| {
        let created =
            accepted(&world.create(&format!("{STRAKS}?allowLogicalDuplicate=true"), &order(letters)));
        text(&created, "/_links/self/href").to_owned()
    };
    let shortest = world.get(&own(1)).body().len();
    let target = own(1 + length - shortest);
    assert_eq!(world.get(&target).body().len(), length);
    target
}

fn get_with(world: &World, target: &str, name: &str, value: &str) -> Response {
    let mut headers = plain_headers();
    headers.push((name, value));
    world.call("GET", target, &headers, b"")
}

#[test]
fn an_answer_is_compressed_from_1024_bytes_on() {
    let world = World::new();
    for (length, compressed) in [(1023, false), (1024, true)] {
        let target = details_of_length(&world, length);
        let plain = world.get(&target);
        assert_eq!(plain.header("Content-Encoding"), None);
        let response = get_with(&world, &target, "Accept-Encoding", "gzip");
        assert_eq!(response.header("Content-Encoding"), compressed.then_some("gzip"), "{length}");
        let received = if compressed { unpacked(&response) } else { response.body().to_vec() };
        assert_eq!(received, plain.body(), "{length}");
        assert_eq!(response.header("Content-Type"), Some("application/json"));
    }
}

#[test]
fn an_answer_is_compressed_only_for_whom_asks_for_it() {
    let world = World::new();
    let target = details_of_length(&world, 1024);
    for (accept, compressed) in [
        ("gzip", true),
        ("GZIP", true),
        ("deflate, gzip;q=0.5", true),
        ("*", true),
        ("gzip, *;q=0", true),
        ("identity;q=0.5, gzip;q=0.5", true),
        ("identity;q=0.6, gzip;q=0.5", false),
        ("gzip;q=0.1, *;q=0.9", false),
        ("", false),
        ("identity", false),
        ("gzip;q=0", false),
        ("gzip;q=0, *", false),
        ("br", false),
    ] {
        let response = get_with(&world, &target, "Accept-Encoding", accept);
        assert_eq!(response.header("Content-Encoding").is_some(), compressed, "{accept}");
    }
}

#[test]
fn a_long_refusal_is_compressed_too() {
    let world = World::new();
    let mut headers = creation_headers();
    headers.push(("Accept-Encoding", "gzip"));
    let faulty: String = (0..50).map(|number| format!("\"unknown{number}\":1,")).collect();
    let response = world.call("POST", STRAKS, &headers, format!("{{{faulty}\"last\":1}}").as_bytes());
    assert_eq!((response.status(), response.header("Content-Encoding")), (400, Some("gzip")));
    let answered: Value = serde_json::from_slice(&unpacked(&response)).unwrap();
    assert!(answered["tppMessages"].as_array().unwrap().len() > 50);
}

#[test]
fn texts_are_norwegian_for_whom_prefers_it_and_english_for_all_others() {
    let world = World::new();
    for (accept, language, word) in [
        (None, "en", "no such payment"),
        (Some("nb"), "nb", "betalingen finnes ikke"),
        (Some("no"), "nb", "betalingen finnes ikke"),
        (Some("nn-NO, en;q=0.9"), "nb", "betalingen finnes ikke"),
        (Some("en, nb;q=0.9"), "en", "no such payment"),
        (Some("de-DE, fr;q=0.5"), "en", "no such payment"),
        (Some("nb;q=0, *"), "en", "no such payment"),
    ] {
        let target = format!("{STRAKS}/unknown");
        let response = match accept {
            Some(accept) => get_with(&world, &target, "Accept-Language", accept),
            None => world.get(&target),
        };
        assert_eq!(response.header("Content-Language"), Some(language), "{accept:?}");
        assert_eq!(body(&response)["tppMessages"][0]["text"], word, "{accept:?}");
    }
    let created = accepted(&world.create_with(STRAKS, &[("Accept-Language", "nb")], &straks()));
    assert_eq!(text(&created, "/psuMessage"), "Betalingen venter på din godkjenning.");
}

#[test]
fn who_does_not_take_json_gets_406_in_json() {
    let world = World::new();
    for accept in ["text/html", "application/xml, text/*", "application/json;q=0"] {
        let response = world.create_with(STRAKS, &[("Accept", accept)], &straks());
        assert_refused(&response, 406, "BAD_REQUEST", "Accept");
        assert_eq!(response.header("Content-Type"), Some("application/json"));
    }
    for accept in
        ["application/json", "*/*", "application/*;q=0.1", "text/html, application/json;charset=utf-8"]
    {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        accepted(&world.create_with(&target, &[("Accept", accept)], &straks()));
    }
}

#[test]
fn another_media_type_is_415_and_a_body_without_a_type_is_read() {
    let world = World::new();
    for sent in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
        let response = world.create_with(STRAKS, &[("Content-Type", sent)], &straks());
        assert_refused(&response, 415, "BAD_REQUEST", "Content-Type");
    }
    for sent in ["application/json; charset=utf-8", "APPLICATION/JSON", ""] {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        accepted(&world.create_with(&target, &[("Content-Type", sent)], &straks()));
    }
}

#[test]
fn a_compressed_body_is_415_and_no_body_may_name_a_coding() {
    let world = World::new();
    for sent in ["gzip", "br", "identity, gzip"] {
        let response = world.create_with(STRAKS, &[("Content-Encoding", sent)], &straks());
        assert_refused(&response, 415, "BAD_REQUEST", "Content-Encoding");
        assert_eq!(response.header("Accept-Encoding"), Some("identity"));
    }
    for sent in ["", "identity", "IDENTITY", "utf-8"] {
        let target = format!("{STRAKS}?allowLogicalDuplicate=true");
        accepted(&world.create_with(&target, &[("Content-Encoding", sent)], &straks()));
    }
    let response = get_with(&world, &format!("{STRAKS}/unknown"), "Content-Encoding", "gzip");
    assert_eq!(response.reason(), Some("PAY-01"));
}

#[test]
fn a_body_may_have_as_many_bytes_as_the_policy_says() {
    let order = straks().to_string();
    for (limit, status) in [(order.len(), 201), (order.len() - 1, 413)] {
        let world = World::with_policy(&format!(r#"{{"body_bytes_max": {limit}}}"#));
        let response = world.create(STRAKS, &straks());
        assert_eq!(response.status(), status);
    }
}

#[test]
fn every_answer_has_the_banks_date_and_says_what_it_is() {
    let world = World::with(SandboxOptions {
        now: Some(at("2026-11-06T07:08:09.999999Z")),
        ..SandboxOptions::default()
    });
    let ok = world.create(STRAKS, &straks());
    let unsigned = [("X-Request-ID".to_owned(), "4eba4445-1a4b-47b8-bdd5-4e56ef026b19".to_owned())];
    let answers = [
        ok,
        world.get(&format!("{STRAKS}/unknown")),
        send(&world.sandbox, "GET", "/nowhere", &unsigned, b""),
        send(&world.sandbox, "PUT", STRAKS, &[], b""),
        send(&world.sandbox, "", "", &[], b""),
    ];
    let statuses: Vec<_> = answers.iter().map(Response::status).collect();
    assert_eq!(statuses, [201, 404, 404, 405, 400]);
    for response in &answers {
        assert_eq!(response.header("Date"), Some("Fri, 06 Nov 2026 07:08:09 GMT"));
        assert_eq!(response.header("Content-Type"), Some("application/json"));
        assert_eq!(response.header("Content-Language"), Some("en"));
    }
    assert_eq!(answers[3].header("Allow"), Some("POST"));
}

#[test]
fn the_request_id_comes_back_as_it_was_sent() {
    let world = World::new();
    for id in ["4eba4445-1a4b-47b8-bdd5-4e56ef026b19", "4EBA4445-1A4B-47B8-BDD5-4E56EF026B20"] {
        let response = get_with(&world, &format!("{STRAKS}/unknown"), "X-Request-ID", id);
        assert_eq!((response.status(), response.header("X-Request-ID")), (404, Some(id)));
    }
    for id in ["x", "TEST_SCRIPT_REQUEST_ID_1", &"~".repeat(64)] {
        let target = format!("{STRAKS}/unknown");
        let response = get_with(&world, &target, "X-Request-ID", id);
        assert_eq!((response.status(), response.header("X-Request-ID")), (404, Some(id)));
        assert_refused(&get_with(&world, &target, "X-Request-ID", id), 400, "BAD_REQUEST", "X-Request-ID");
    }
    for id in ["a b", "å", &"x".repeat(65)] {
        let refused = get_with(&world, STRAKS, "X-Request-ID", id);
        assert_eq!(refused.header("X-Request-ID"), None, "{id}");
    }
    let strict = World::with_policy(r#"{"request_id":"uuid"}"#);
    let refused = get_with(&strict, &format!("{STRAKS}/unknown"), "X-Request-ID", "x");
    assert_refused(&refused, 400, "FORMAT_ERROR", "X-Request-ID");
    // Upper case and lower case are one id.
    let replayed = get_with(
        &world,
        &format!("{STRAKS}/unknown"),
        "X-Request-ID",
        "4eba4445-1a4b-47b8-bdd5-4e56ef026b20",
    );
    assert_refused(&replayed, 400, "BAD_REQUEST", "X-Request-ID");
    assert_eq!(replayed.header("X-Request-ID"), Some("4eba4445-1a4b-47b8-bdd5-4e56ef026b20"));
}

#[test]
fn an_accept_charset_changes_nothing() {
    let world = World::new();
    let order = changed(straks(), &[("/creditorName", json!("Bjørg Ås"))]);
    let created = accepted(&world.create(STRAKS, &order));
    let response = get_with(&world, text(&created, "/_links/self/href"), "Accept-Charset", "iso-8859-1");
    assert_eq!(text(&body(&response), "/creditorName"), "Bjørg Ås");
}

#[test]
fn texts_for_the_psu_are_in_the_language_of_the_psu() {
    let world = World::new();
    let order = changed(straks(), &[("/creditorAddress", json!({"city": "Oslo", "country": "NO"}))]);
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    for (of_tpp, of_psu, message, warning) in [
        ("", "nb", "Betalingen venter på din godkjenning.", "city is deprecated; use townName"),
        ("nb", "en", "The payment waits for your approval.", "city er foreldet; bruk townName"),
        ("nb", "de", "Betalingen venter på din godkjenning.", "city er foreldet; bruk townName"),
    ] {
        let headers = [("Accept-Language", of_tpp), ("PSU-Accept-Language", of_psu)];
        let created = world.create_with(&target, &headers, &order);
        let language = if of_tpp.is_empty() { "en" } else { of_tpp };
        assert_eq!(created.header("Content-Language"), Some(language));
        let created = accepted(&created);
        assert_eq!(text(&created, "/psuMessage"), message);
        assert!(
            created["tppMessages"].as_array().unwrap().iter().any(|one| one["text"] == warning),
            "{created}"
        );
        let shown = world.sandbox.engine().authorisation_json(link(&created).rsplit('/').next().unwrap());
        let shown: Value = serde_json::from_str(&shown.unwrap().unwrap()).unwrap();
        assert_eq!(shown["language"], if message.starts_with("The") { "en" } else { "nb" });
        // The call-back is the TPP's.
        let callback = world.answer(&created, &abort());
        let aborted = if language == "en" { "the%20PSU%20cancelled" } else { "brukeren%20avbr" };
        assert!(callback.contains(aborted), "{callback}");
    }
}

#[test]
fn whether_a_plain_redirect_is_wanted_is_handed_on() {
    let world = World::new();
    let target = format!("{STRAKS}?allowLogicalDuplicate=true");
    for (sent, expected) in [("", true), ("true", true), ("false", false)] {
        let created = accepted(&world.create_with(&target, &[("TPP-Redirect-Preferred", sent)], &straks()));
        let shown = world.sandbox.engine().authorisation_json(link(&created).rsplit('/').next().unwrap());
        let shown: Value = serde_json::from_str(&shown.unwrap().unwrap()).unwrap();
        assert_eq!(shown["redirectPreferred"], expected, "{sent}");
    }
}

#[test]
fn a_redirect_uri_has_https_a_private_scheme_or_one_that_the_policy_lists() {
    let listing = World::with_policy(r#"{"redirect_schemes":["myapp"]}"#);
    let world = World::new();
    let status = |world: &World, uri: &str| {
        world.create_with(
            &format!("{STRAKS}?allowLogicalDuplicate=true"),
            &[("TPP-Redirect-URI", uri)],
            &straks(),
        )
    };
    for uri in ["https://tpp.example/cb?state=1", "com.example.app:/cb", "http://localhost/cb"] {
        assert_eq!(status(&world, uri).status(), 201, "{uri}");
    }
    for uri in ["myapp://cb", "MYAPP:cb"] {
        assert_eq!(status(&listing, uri).status(), 201, "{uri}");
        assert_refused(&status(&world, uri), 400, "FORMAT_ERROR", "TPP-Redirect-URI");
    }
    for uri in [
        "ms-msdt:/id",
        "intent://x",
        "search-ms:query=x",
        "feed:javascript:alert(1)",
        "https://tpp.example/?psu-id=1",
    ] {
        for world in [&world, &listing] {
            assert_refused(&status(world, uri), 400, "FORMAT_ERROR", "TPP-Redirect-URI");
        }
    }
    for schemes in [r#"["javascript"]"#, r#"["http"]"#, r#"["a b"]"#, r#"[""]"#, r#"["1a"]"#] {
        let policy = Some(format!("{{\"redirect_schemes\":{schemes}}}"));
        let opened = xs2a::Sandbox::open(&SandboxOptions { policy, ..SandboxOptions::default() });
        assert!(matches!(opened, Err(xs2a::Error::Config(_))), "{schemes}");
    }
}
