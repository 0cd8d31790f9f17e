//! Random mistakes: no mistake is named whose proof does not hold.

use std::sync::atomic::{AtomicUsize, Ordering};

use base64::engine::general_purpose::STANDARD;
use base64::Engine as _;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

use crate::proof;
use crate::signer::{tpp, Message};

/// A change of the text before it is signed, of the request after it, or of both.
#[derive(Debug, Clone)]
enum Mutation {
    /// A byte of the text is replaced.
    TextByte(usize, u8),
    /// A piece is put into the text.
    TextPiece(usize, &'static str),
    /// A part of the text is taken out.
    TextCut(usize, usize),
    /// Two lines change places.
    Swap(usize, usize),
    /// Another value is sent than was signed.
    Value(&'static str, String),
    /// Another target is sent than was signed.
    Target(String),
    /// Another body is sent than was hashed.
    Body(String),
    /// A bit of the signature is another.
    SignatureBit(usize, u8),
    /// The signature is written otherwise.
    SignatureForm(u8),
}

const PIECES: &[&str] = &["\n", "\r\n", " ", ", ", ":", "host: bank.example\n", "\\n", "\t", "X", "%20", "/"];
const HEADERS: &[&str] = &["Date", "X-Request-ID", "PSU-ID", "Host"];

fn mutations() -> impl Strategy<Value = Mutation> {
    let place = 0..400_usize;
    prop_oneof![
        (place.clone(), any::<u8>()).prop_map(|(at, byte)| Mutation::TextByte(at, byte)),
        (place.clone(), prop::sample::select(PIECES)).prop_map(|(at, piece)| Mutation::TextPiece(at, piece)),
        (place.clone(), 1..60_usize).prop_map(|(at, length)| Mutation::TextCut(at, length)),
        (0..5_usize, 0..5_usize).prop_map(|(one, other)| Mutation::Swap(one, other)),
        (prop::sample::select(HEADERS), "[a-zA-Z0-9 :,-]{0,20}")
            .prop_map(|(name, value)| Mutation::Value(name, value)),
        "/[a-z0-9/%?=&.]{0,30}".prop_map(Mutation::Target),
        "[{}\\[\\]\":, a-z0-9\\\\]{0,30}".prop_map(Mutation::Body),
        (0..256_usize, 0..8_u8).prop_map(|(at, bit)| Mutation::SignatureBit(at, bit)),
        (0..6_u8).prop_map(Mutation::SignatureForm),
    ]
}

fn text_of(message: &Message, mutations: &[Mutation]) -> Vec<u8> {
    let mut text = message.text();
    for mutation in mutations {
        match mutation {
            Mutation::TextByte(at, byte) if *at < text.len() => text[*at] = *byte,
            Mutation::TextPiece(at, piece) => {
                let at = (*at).min(text.len());
                text.splice(at..at, piece.bytes());
            }
            Mutation::TextCut(at, length) if *at < text.len() => {
                let end = (at + length).min(text.len());
                text.drain(*at..end);
            }
            Mutation::Swap(one, other) => {
                let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
                if (*one).max(*other) < lines.len() {
                    lines.swap(*one, *other);
                }
                text = lines.join(&b'\n');
            }
            _ => {}
        }
    }
    text
}

fn mutated(mutations: &[Mutation]) -> Message {
    let mut message = Message::new();
    let text = text_of(&message, mutations);
    let mut signature = tpp().key().sign_sha256(&text).unwrap();
    for mutation in mutations {
        match mutation {
            Mutation::Value(name, value) => message.set(name, value),
            Mutation::Target(target) => message.target.clone_from(target),
            Mutation::Body(body) => message.body = body.clone().into_bytes(),
            Mutation::SignatureBit(at, bit) => signature[*at] ^= 1 << bit,
            _ => {}
        }
    }
    let base64 = STANDARD.encode(&signature);
    let form = mutations.iter().find_map(|mutation| match mutation {
        Mutation::SignatureForm(form) => Some(*form),
        _ => None,
    });
    message.set_signature(&match form {
        Some(0) => base64.replace('+', "-").replace('/', "_"),
        Some(1) => STANDARD.encode(&base64),
        Some(2) => signature.iter().map(|byte| format!("{byte:02x}")).collect(),
        Some(3) => base64[..100].to_owned(),
        Some(4) => base64.trim_end_matches('=').to_owned(),
        _ => base64,
    });
    message
}

/// What a name claims, checked by other means than the proof.
fn check_claim(found: &xs2a::explain::Explanation, mutations: &[Mutation]) {
    let has = |is: fn(&Mutation) -> bool| mutations.iter().any(is);
    match found.mistake {
        Some("wrong-key") => assert!(has(|mutation| matches!(mutation, Mutation::SignatureBit(..)))),
        Some("signature-cut") => assert!(has(|mutation| matches!(mutation, Mutation::SignatureForm(3)))),
        Some("trailing-newline") => assert!(found.signed.as_ref().unwrap().ends_with(['\n', '\r'])),
        Some("leading-newline") => assert!(found.signed.as_ref().unwrap().starts_with(['\n', '\r'])),
        _ => {}
    }
}

/// A number of the environment. `make test-long` sets these for each of its parts.
fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn no_wrong_name(mutations: &[Mutation], named: &AtomicUsize) -> Result<(), TestCaseError> {
    let message = mutated(mutations);
    // A short budget: what is found within it must be right, what is not may be.
    let found = message.explain_with(|options| options.budget = std::time::Duration::from_millis(1));
    proof::check(&message, &found);
    check_claim(&found, mutations);
    if found.ok {
        let verification = message.with_request(|request| {
            xs2a::tools::verify_signature(request, crate::signer::now(), None).unwrap()
        });
        prop_assert!(verification.ok);
    }
    named.fetch_add(usize::from(found.mistake.is_some()), Ordering::Relaxed);
    Ok(())
}

#[test]
fn no_name_is_wrong() {
    let cases = number("XS2A_MUTATIONS").map_or(10_000, |cases| u32::try_from(cases).unwrap());
    let seed = number("XS2A_MUTATIONS_SEED").map_or(RngSeed::Random, RngSeed::Fixed);
    let config =
        ProptestConfig { cases, rng_seed: seed, failure_persistence: None, ..ProptestConfig::default() };
    let named = AtomicUsize::new(0);
    let strategy = prop::collection::vec(mutations(), 1..3);
    TestRunner::new(config).run(&strategy, |mutations| no_wrong_name(&mutations, &named)).unwrap();
    // A search that names nothing would pass, too.
    let named = named.into_inner();
    assert!(named > usize::try_from(cases).unwrap() / 10, "{named} of {cases} mutations are named");
    println!("mutations={cases} named={named} wrong=0");
}
