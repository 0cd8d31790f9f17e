//! Requests and answers as bytes of HTTP/1.1: what a host without an HTTP server passes on.

use xs2a::reason::Reason;
use xs2a::HttpAnswer;

use crate::world::answer::messages;
use crate::world::draft::{Draft, Signer};
use crate::world::{body, straks, text, World, STRAKS};

/// The request as a client sends it, with these fields before its own.
fn message(draft: &Draft, first: &str) -> Vec<u8> {
    let mut message =
        format!("{} {} HTTP/1.1\r\nHost: bank.example\r\n{first}", draft.method, draft.target).into_bytes();
    for (name, value) in &draft.headers {
        message.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
    }
    message.extend(format!("Content-Length: {}\r\n\r\n", draft.body.len()).into_bytes());
    message.extend(&draft.body);
    message
}

/// Status, fields and body of an answer, read by httparse.
fn read(answer: &HttpAnswer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let bytes = answer.to_bytes();
    let mut fields = [httparse::EMPTY_HEADER; 32];
    let mut head = httparse::Response::new(&mut fields);
    let length = head.parse(&bytes).unwrap().unwrap();
    assert_eq!(head.version, Some(1));
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let fields = head.headers.iter().map(|field| (field.name.to_owned(), text(field.value))).collect();
    (head.code.unwrap(), fields, bytes[length..].to_vec())
}

fn field<'f>(fields: &'f [(String, String)], name: &str) -> Option<&'f str> {
    fields.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
}

fn signed(world: &World, draft: Draft) -> Draft {
    Signer::of(&world.tpp).sign(draft, world.sandbox.now())
}

#[test]
fn a_signed_payment_is_answered_as_in_pieces() {
    let world = World::new();
    let draft = signed(&world, Draft::creation(STRAKS, &straks()));
    let in_pieces = draft.send(&world.sandbox.fork().unwrap());
    let answer = world.sandbox.handle_http(&message(&draft, ""));
    assert_eq!(answer.response(), &in_pieces);
    let (status, fields, bytes) = read(&answer);
    assert_eq!((status, bytes.as_slice()), (201, in_pieces.body()));
    let expected: Vec<_> =
        in_pieces.headers().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    assert_eq!(fields[..expected.len()], expected);
    assert_eq!(fields[expected.len()..], [("Content-Length".to_owned(), bytes.len().to_string())]);
    assert!(answer.to_bytes().starts_with(b"HTTP/1.1 201 Created\r\n"));
}

#[test]
fn a_payment_is_created_only_once_by_the_same_bytes() {
    let world = World::new();
    let message = message(&signed(&world, Draft::creation(STRAKS, &straks())), "");
    assert_eq!(world.sandbox.handle_http(&message).response().status(), 201);
    assert_eq!(world.sandbox.handle_http(&message).response().reason(), Some("RPL-01"));
}

#[test]
fn the_engine_answers_bytes_as_the_sandbox_does() {
    let world = World::new();
    let message = message(&signed(&world, Draft::creation(STRAKS, &straks())), "");
    assert_eq!(world.sandbox.engine().handle_http(&message).response().status(), 201);
}

#[test]
fn a_target_in_absolute_form_is_that_of_its_path() {
    let world = World::new();
    let mut draft = signed(&world, Draft::creation(STRAKS, &straks()));
    draft.target = format!("https://bank.example{}", draft.target);
    assert_eq!(world.sandbox.handle_http(&message(&draft, "")).response().status(), 201);
}

#[test]
fn a_message_that_is_no_request_is_refused_in_the_contracts_form() {
    let world = World::new();
    let draft = signed(&world, Draft::creation(STRAKS, &straks()));
    let mut doubled = message(&draft, "Accept-Language: nb\r\n");
    let end = doubled.len();
    doubled.extend(message(&draft, ""));
    let answer = world.sandbox.handle_http(&doubled);
    assert_eq!(answer.response().reason(), Some(Reason::MessageMalformed.id()));
    let (status, fields, _) = read(&answer);
    assert_eq!(status, 400);
    assert_eq!(field(&fields, "Connection"), Some("close"));
    assert_eq!(field(&fields, "Content-Language"), Some("nb"));
    let request_id = draft.header("X-Request-ID").unwrap();
    assert_eq!(field(&fields, "X-Request-ID").map(str::as_bytes), Some(request_id));
    let [found] = &messages(answer.response())[..] else { panic!("one message") };
    assert_eq!(found.code, "FORMAT_ERROR");
    assert!(
        found.text.contains("avsnitt 6.3") && found.text.contains(&format!("byte {end} ")),
        "{}",
        found.text
    );
}

#[test]
fn a_message_that_is_no_request_is_not_in_the_journal() {
    let world = World::new();
    let entries = || world.sandbox.journal().len();
    let before = entries();
    drop(world.sandbox.handle_http(b"GET / HTTP/1.1\nHost: a\n\n"));
    assert_eq!(entries(), before);
    drop(world.sandbox.handle_http(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    assert_eq!(entries(), before + 1);
}

#[test]
fn a_body_that_is_declared_too_long_is_refused_unread() {
    let world = World::with_policy(r#"{"body_bytes_max":1000}"#);
    let head =
        |length: usize| format!("POST {STRAKS} HTTP/1.1\r\nHost: a\r\nContent-Length: {length}\r\n\r\n");
    let reason = |message: String| world.sandbox.handle_http(message.as_bytes()).response().reason();
    assert_eq!(reason(head(1001)), Some("NEG-01"));
    assert_eq!(reason(head(1000)), Some("MSG-01"));
    assert_eq!(reason(head(1000) + &" ".repeat(1000)), Some("HDR-04"));
}

#[test]
fn a_client_that_closes_the_connection_is_answered_so() {
    let world = World::new();
    for (connection, is_last) in [
        ("", false),
        ("Connection: keep-alive\r\n", false),
        ("Connection: close\r\n", true),
        ("Connection: Upgrade, CLOSE\r\n", true),
        ("Connection: closed\r\n", false),
    ] {
        let answer = world.sandbox.handle_http(&message(&Draft::new("GET", "/v1/none"), connection));
        assert_eq!(answer.is_last(), is_last, "{connection}");
        assert_eq!(field(&read(&answer).1, "Connection").is_some(), is_last, "{connection}");
    }
}

#[test]
fn the_answer_to_head_has_a_length_and_no_body() {
    let world = World::new();
    let answer = world.sandbox.handle_http(&message(&Draft::new("HEAD", "/v1/none"), ""));
    let (status, fields, bytes) = read(&answer);
    assert_eq!((status, bytes.len()), (404, 0));
    assert_eq!(field(&fields, "Content-Length"), Some(answer.response().body().len().to_string().as_str()));
}

#[test]
fn an_answer_without_content_has_no_length() {
    let world = World::new();
    let created =
        world.sandbox.handle_http(&message(&signed(&world, Draft::creation(STRAKS, &straks())), ""));
    let created = body(created.response());
    let payment = Draft::raw_creation(text(&created, "/_links/self/href"), "");
    let cancellation = signed(&world, Draft { method: "DELETE".to_owned(), ..payment });
    let answer = world.sandbox.handle_http(&message(&cancellation, ""));
    let (status, fields, bytes) = read(&answer);
    assert_eq!((status, bytes.len()), (204, 0));
    assert_eq!(field(&fields, "Content-Length"), None);
}
