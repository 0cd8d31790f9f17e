//! Input that no client means: an explanation or none, within the budget, and never a panic.

use std::time::{Duration, Instant};

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use proptest::prelude::*;
use xs2a::Request;

use crate::signer::{tpp, Message};

const BUDGET: Duration = Duration::from_millis(50);

/// Explains with the default budget; the time is beyond it by no more than the last hypothesis and what is parsed.
fn explain_in_time(message: &Message) {
    let begin = Instant::now();
    let found = message.explain_with(|options| options.budget = BUDGET);
    let taken = begin.elapsed();
    // Tests are not optimised and share the machine; an unbounded search takes minutes.
    assert!(taken < BUDGET * 40, "{taken:?} for {} hypotheses, {:?}", found.hypotheses, found.mistake);
    crate::proof::check(message, &found);
}

fn signed(message: Message) -> Message {
    let text = message.text();
    message.sign([&text[..], b"?"].concat())
}

#[test]
fn long_and_many_headers_are_within_the_budget() {
    let mut long = Message::new();
    long.set("PSU-ID", "å ".repeat(10 * 1024));
    explain_in_time(&signed(long));
    let mut many = Message::new();
    for number in 0..1000 {
        many.headers.push((format!("X-Field-{number}"), b"value".to_vec()));
    }
    explain_in_time(&signed(many));
    let mut fields = Message::new();
    for number in 0..150 {
        fields.headers.push((format!("X-Field-{number}"), b"value".to_vec()));
        fields.names.push(format!("x-field-{number}"));
    }
    explain_in_time(&signed(fields));
    let mut listed = Message::new();
    listed.names = (0..10_000).map(|number| format!("n{number}")).collect();
    let text = b"text".to_vec();
    explain_in_time(&listed.sign(text));
    let mut target = Message::new();
    target.target = format!("/v1/{}?{}", "a%41/".repeat(700), "b=%C3%A5&".repeat(400));
    explain_in_time(&signed(target));
}

#[test]
fn headers_of_32_kib_are_within_the_budget() {
    let names = ["Signature", "Digest", "Date", "TPP-Signature-Certificate", "X-Request-ID", "PSU-ID"];
    for name in names {
        for value in ["A", "\"", ",", "=?utf-8?B?", "å"] {
            let mut message = Message::new();
            let long = value.repeat((32 << 10) / value.len());
            message.set(name, &long);
            if name == "Signature" {
                explain_in_time(&message);
                message.set_header(&long, &long);
                explain_in_time(&message);
            } else {
                explain_in_time(&signed(message));
            }
        }
    }
}

#[test]
fn long_bodies_are_within_the_budget() {
    for body in [
        "[".repeat(1 << 20),
        "[[],".repeat(1 << 18),
        "{\"\":".repeat(1 << 18),
        format!("[{}1]", "1,".repeat(500_000)),
        format!("{{{}\"\":1}}", "\"\":1,".repeat(200_000)),
        format!("\"{}", "\\".repeat(1 << 20)),
        "å".repeat(1 << 19),
        "\n".repeat(1 << 20),
    ] {
        let mut message = Message::new();
        message.body = body.into_bytes();
        explain_in_time(&signed(message.clone()));
        let digest = xs2a::tools::digest(&message.body, "SHA-256").unwrap();
        message.set("Digest", digest);
        explain_in_time(&signed(message));
    }
}

#[test]
fn a_clock_that_does_not_move_ends_a_search() {
    let clock = xs2a::env::ManualClock::new(crate::signer::now());
    let message = signed(Message::new());
    let found = message.explain_with(|options| options.clock = &clock);
    assert_eq!(found.mistake, None);
}

#[test]
fn certificates_that_are_cut_anywhere_do_not_panic() {
    let certificate = STANDARD.encode(tpp().certificate().der());
    for length in (0..certificate.len()).step_by(7) {
        let mut message = Message::new();
        message.set("TPP-Signature-Certificate", &certificate[..length]);
        explain_in_time(&signed(message));
    }
}

#[test]
fn a_signature_by_the_longest_key_is_within_the_budget() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let command = std::process::Command::new("openssl");
        let output = { command }.args(arguments.split(' ')).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    std::fs::write(folder.path().join("key"), include_str!("rsa_8192.pem")).unwrap();
    run("req -x509 -new -key key -sha256 -days 3650 -subj /CN=Long -out certificate -addext basicConstraints=CA:FALSE");
    let pem = std::fs::read_to_string(folder.path().join("certificate")).unwrap();
    let mut message = Message::new();
    message.set("TPP-Signature-Certificate", pem.replace('\n', ""));
    let text = message.text();
    std::fs::write(folder.path().join("text"), [&text[..], b"\n"].concat()).unwrap();
    let signature = run("dgst -sha256 -sign key text");
    let certificate = xs2a::internal::parse_certificate(pem.as_bytes()).unwrap();
    let key_id = format!("SN={},CA={}", certificate.serial_number(), certificate.issuer());
    message.set_header(&key_id, &STANDARD.encode(&signature));
    let begin = Instant::now();
    let found = message.explain();
    assert_eq!(found.mistake, Some("trailing-newline"), "{found:#?}");
    assert!(begin.elapsed() < BUDGET * 40, "{:?}", begin.elapsed());
    // None of its forms opens: the most public operations that one signature costs.
    message.set_header(&key_id, &STANDARD.encode(vec![7; 1024]));
    explain_in_time(&message);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes_in_every_part_do_not_panic(
        part in 0..9_usize, bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,60}",
    ) {
        let mut message = Message::new();
        match part {
            0 => message.set("Signature", &bytes),
            1 => message.set("Digest", &bytes),
            2 => message.set("Date", &bytes),
            3 => message.set("TPP-Signature-Certificate", &bytes),
            4 => message.target.clone_from(&text),
            5 => message.method.clone_from(&text),
            6 => message.headers.push((text.clone(), bytes.clone())),
            7 => message.set("X-Request-ID", &bytes),
            _ => message.body.clone_from(&bytes),
        }
        if part != 0 {
            message = signed(message);
        }
        explain_in_time(&message);
        message.set_header(&text, &text);
        explain_in_time(&message);
        message.set("Signature", &text);
        explain_in_time(&message);
    }
    #[test]
    fn random_bytes_beside_the_request_do_not_panic(
        bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,60}",
    ) {
        let message = signed(Message::new());
        let headers = [(text.as_str(), bytes.as_slice()), ("Date", bytes.as_slice())];
        let found = message.explain_with(|options| {
            options.budget = Duration::from_millis(1);
            options.base_paths = vec![text.clone(), "/".to_owned()];
            let (method, target) = (text.as_str(), text.as_str());
            let earlier = Request { method, target, headers: &headers, body: &bytes, correlation_id: None };
            options.earlier = vec![earlier; 20];
            // Most bytes are no certificate; what is none is refused.
            let _ = options.add_certificates(&String::from_utf8_lossy(&bytes));
        });
        crate::proof::check(&message, &found);
    }
}
