//! Signing strings that are wrong in exactly one way, and in two.

use crate::signer::{assert_explained, assert_named, Message, DATE};

fn text(message: &Message) -> String {
    String::from_utf8(message.text()).unwrap()
}

#[track_caller]
fn named(id: &str, change: impl FnOnce(&Message) -> Vec<u8>) {
    let message = Message::new();
    let text = change(&message);
    let found = assert_named(&message.sign(&text), id, "hash");
    assert_eq!(crate::proof::bytes(&found.signed.unwrap()), text);
    assert_eq!(found.reason, Some("SIG-13"));
}

#[track_caller]
fn named_text(id: &str, change: impl FnOnce(String) -> String) {
    named(id, |message| change(text(message)).into_bytes());
}

#[track_caller]
fn named_value(id: &str, name: &str, value: impl AsRef<[u8]>) {
    named(id, |message| message.text_with_value(name, value));
}

#[test]
fn a_right_request_has_nothing_to_explain() {
    let message = Message::new();
    let text = message.text();
    let found = message.sign(&text).explain();
    assert!(found.ok && found.mistake.is_none() && found.reason.is_none(), "{found:#?}");
    assert_eq!(found.expected.unwrap().into_bytes(), text);
}

#[test]
fn layouts_are_named() {
    for end in ["\n", "\r\n"] {
        named_text("trailing-newline", |text| text + end);
    }
    named_text("leading-newline", |text| "\n".to_owned() + &text);
    named_text("line-ends-crlf", |text| text.replace('\n', "\r\n"));
    named_text("line-ends-crlf", |text| text.replace('\n', "\r\n") + "\r\n");
    named_text("no-space-after-colon", |text| text.replace(": ", ":"));
    named_text("colon-differs", |text| text.replace(": ", "="));
    for between in ["", " ", ", ", "\\n", "&", "\r"] {
        named_text("lines-joined-otherwise", |text| text.replace('\n', between));
    }
    named("values-only", |message| {
        message.names.iter().map(|name| message.line_value(name)).collect::<Vec<_>>().join(&b'\n')
    });
}

#[test]
fn names_are_named() {
    named_text("names-not-lower-case", |text| {
        text.replace("x-request-id", "X-Request-ID")
            .replace("date", "Date")
            .replace("digest", "Digest")
            .replace("psu-id", "PSU-ID")
    });
    named_text("names-not-lower-case", |text| {
        text.replace("x-request-id", "X-Request-Id")
            .replace("date", "Date")
            .replace("digest", "Digest")
            .replace("psu-id", "Psu-Id")
    });
    named_text("order-differs", |text| text.lines().rev().collect::<Vec<_>>().join("\n"));
    named_text("order-differs", |text| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.swap(1, 3);
        lines.swap(0, 4);
        lines.join("\n")
    });
    named_text("listed-not-signed", |text| text.lines().take(4).collect::<Vec<_>>().join("\n"));
    named_text("listed-not-signed", |text| text.lines().skip(1).step_by(2).collect::<Vec<_>>().join("\n"));
    named_text("signed-not-listed", |text| text + "\nhost: bank.example");
}

#[test]
fn the_target_may_be_signed_and_not_listed() {
    let mut message = Message::new();
    let text = message.text();
    message.names.remove(0);
    assert_named(&message.sign(&text), "signed-not-listed", "hash");
}

#[test]
fn targets_are_named() {
    let value = |id, value: &str| named_value(id, "(request-target)", value);
    value("target-without-query", "post /v1/payments/transfers");
    value("target-method-case", "POST /v1/payments/transfers?from=a%3Ab&allow=true");
    value("target-absolute", "post https://bank.example/v1/payments/transfers?from=a%3Ab&allow=true");
    value("target-decoded", "post /v1/payments/transfers?from=a:b&allow=true");
    value("target-encoded-again", "post /v1/payments/transfers?from=a%253Ab&allow=true");
    value("target-encoded-again", "post /v1/payments/transfers?from=a%3ab&allow=true");
    value("target-base-path", "post /payments/transfers?from=a%3Ab&allow=true");
    value("target-slash", "post /v1/payments/transfers/?from=a%3Ab&allow=true");
    value("target-query-order", "post /v1/payments/transfers?allow=true&from=a%3Ab");
    value("target-method-joined", "/v1/payments/transfers?from=a%3Ab&allow=true");
    named_text("target-without-name", |text| text.replace("(request-target): ", ""));
    value("another-request", "get /v1/payments/transfers?from=a%3Ab&allow=true");
}

#[test]
fn a_base_path_of_the_options_is_named() {
    let message = Message::new();
    let text = message.text_with_value("(request-target)", format!("post /psd2{}", message.target));
    let message = message.sign(text);
    let found = message.explain_with(|options| options.base_paths = vec!["/psd2".to_owned()]);
    assert_explained(&message, found, "target-base-path", "hash");
    assert_eq!(message.explain().mistake, None);
}

#[test]
fn values_are_named() {
    named_value("value-white-space", "psu-id", " 13039319955");
    named_value("value-case", "x-request-id", crate::signer::REQUEST_ID.to_uppercase());
    named_value("value-placeholder", "psu-id", "undefined");
    for date in [
        "Fri, 20 Nov 2026 12:00:07 GMT",
        "Fri, 20 Nov 2026 11:58:01 GMT",
        "Fri, 20 Nov 2026 13:00:00 GMT",
        "2026-11-20T12:00:00Z",
        "Fri, 20 Nov 2026 12:00:00 +0000",
        "Fri, 20 Nov 2026 14:00:00 +0200",
    ] {
        named_value("date-made-again", "date", date);
    }
    named_value("digest-made-again", "digest", "SHA-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    let compact = br#"{"creditorName":"Ola Nordmann","amount":"1.00"}"#;
    let digest = xs2a::tools::digest(compact, "SHA-256").unwrap();
    named_value("digest-made-again", "digest", digest);
}

#[test]
fn values_outside_of_ascii_are_named() {
    let with = |header: &[u8], signed: &[u8], id: &str| {
        let mut message = Message::new();
        message.names.push("tpp-brand".to_owned());
        message.set("TPP-Brand", header);
        let text = message.text_with_value("tpp-brand", signed);
        assert_named(&message.sign(text), id, "hash");
    };
    with("Bjørn".as_bytes(), b"Bj\xf8rn", "value-charset");
    with(b"Bj\xf8rn", "Bjørn".as_bytes(), "value-charset");
    with("Bjørn".as_bytes(), b"Bj?rn", "value-charset");
    with(b"Bj%C3%B8rn", "Bjørn".as_bytes(), "value-decoded");
    with(b"https://tpp.example/cb?a=1", b"https%3A%2F%2Ftpp.example%2Fcb%3Fa%3D1", "value-decoded");
    with(b"  Bjorn  Pay ", b"  Bjorn  Pay ", "value-white-space");
    with(b"  Bjorn  Pay ", b"Bjorn Pay", "value-white-space");
}

#[test]
fn parts_of_earlier_calls_are_named() {
    let mut earlier = Message::new();
    earlier.target = "/v1/accounts".to_owned();
    earlier.method = "GET".to_owned();
    earlier.body = b"earlier".to_vec();
    earlier.set("X-Request-ID", "00000000-ad88-49ec-a2ad-99ddcb1f7721");
    earlier.set("Date", "Fri, 20 Nov 2026 09:17:00 GMT");
    let explain = |message: &Message, id: &str| {
        earlier.with_request(|request| {
            let found = message.explain_with(|options| options.earlier = vec![*request]);
            assert_explained(message, found, id, "hash");
        });
        assert_eq!(message.explain().mistake, None);
    };
    explain(&Message::new().sign(earlier.text()), "another-request");
    let text = Message::new().text_with_value("x-request-id", "00000000-ad88-49ec-a2ad-99ddcb1f7721");
    explain(&Message::new().sign(text), "request-id-made-again");
}

#[test]
fn whole_texts_are_named() {
    named_text("text-charset", |text| "\u{feff}".to_owned() + &text);
    named("text-charset", |message| text(message).encode_utf16().flat_map(u16::to_le_bytes).collect());
    named("text-encoded", |message| {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(message.text()).into_bytes()
    });
    named("body-signed", |message| message.body.clone());
    named("body-signed", |message| [&message.text()[..], b"\n", &message.body].concat());
}

#[test]
fn two_mistakes_in_one_text_are_found() {
    let both = |id: &str, other: &str, text: Vec<u8>| {
        let message = Message::new().sign(&text);
        let found = assert_named(&message, id, "hash");
        let other = xs2a::mistakes().iter().flat_map(|group| group.rows).find(|row| row.id == other).unwrap();
        assert!(found.text.contains(other.sentence), "{}", found.text);
    };
    let message = Message::new();
    let reversed = text(&message).lines().rev().collect::<Vec<_>>().join("\n");
    both("trailing-newline", "order-differs", (reversed + "\n").into_bytes());
    let target = message.text_with_value("(request-target)", "post /v1/payments/transfers");
    both("trailing-newline", "target-without-query", [&target[..], b"\n"].concat());
    let later = text(&message).replace(DATE, "Fri, 20 Nov 2026 12:00:02 GMT");
    let later = later.replace("?from=a%3Ab&allow=true", "");
    both("target-without-query", "date-made-again", later.into_bytes());
    let upper = text(&message).replace("psu-id: ", "psu-id:").replace(": ", ":").replace('\n', "\r\n");
    both("line-ends-crlf", "no-space-after-colon", upper.into_bytes());
}

#[test]
fn an_unknown_text_has_no_mistake() {
    let found = Message::new().sign(b"another text").explain();
    assert_eq!((found.mistake, found.proof, found.signed), (None, None, None));
    assert!(found.text.contains("Key, padding and hash function are right"), "{}", found.text);
    assert!(found.hypotheses > 1000, "{}", found.hypotheses);
}

#[test]
fn lists_that_do_not_fit_the_request_are_named() {
    let mut message = Message::new();
    message.names.pop();
    let text = message.text();
    assert_named(&message.sign(text), "mandatory-not-signed", "hash");

    let mut message = Message::new();
    let text = message.text();
    message.names.push("tpp-redirect-uri".to_owned());
    assert_named(&message.clone().sign(&text), "listed-not-signed", "hash");
    let with_empty = [&text[..], b"\ntpp-redirect-uri: "].concat();
    assert_named(&message.sign(with_empty), "listed-not-sent", "hash");

    let mut message = Message::new();
    message.names.push("date".to_owned());
    let text = message.text();
    assert_named(&message.sign(text), "listed-twice", "hash");

    let message = Message::new();
    let text = message.text();
    let mut message = message.sign(text);
    let header = String::from_utf8(message.value("Signature")).unwrap();
    message.set("Signature", header.replace("date digest x-request-id", "date,digest,x-request-id"));
    assert_named(&message, "names-separated-otherwise", "hash");
}
