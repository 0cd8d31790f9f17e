//! Header fields: their bytes, length, number, repetition and names.

use crate::bad_input::bench::{creation, decked, Bench, KIB};
use crate::world::answer::messages;
use crate::world::draft::Draft;

fn names_of(draft: &Draft) -> Vec<String> {
    draft.headers.iter().map(|(name, _)| name.clone()).collect()
}

#[test]
fn a_control_character_in_any_header_is_refused() {
    let bench = Bench::new();
    let sound = bench.sign(decked());
    assert_eq!(bench.judge(&sound).status(), 201);
    for name in names_of(&sound) {
        let value = sound.header(&name).unwrap().to_vec();
        for byte in [b'\r', b'\n', b'\0', 0x1B, 0x7F] {
            let spoilt = [&value[..], &[byte], b"X-Injected: 1"].concat();
            let response = bench.judge(&sound.clone().with(&name, &spoilt));
            let found = messages(&response);
            assert_eq!((found.len(), found[0].path.as_str()), (1, name.as_str()));
            let expected = match name.as_str() {
                // Negotiation is judged before the bytes of headers.
                "Accept" => "NEG-02",
                "Content-Type" => "NEG-03",
                // A certificate may have line breaks, but no text behind them.
                "TPP-Signature-Certificate" if b"\r\n".contains(&byte) => "CRT-01",
                _ => "HDR-03",
            };
            assert_eq!(response.reason(), Some(expected), "{name} with {byte}: {found:?}");
            let place = format!("byte {}", value.len() + 1);
            assert!(expected != "HDR-03" || found[0].text.ends_with(&place), "{found:?}");
        }
    }
}

#[test]
fn a_certificate_may_have_line_breaks() {
    let bench = Bench::new();
    let pem = bench.signer.certificate().to_pem();
    let base64 = pem.lines().filter(|line| !line.contains('-')).collect::<Vec<_>>().join("\n");
    for certificate in
        [&pem, &base64].into_iter().flat_map(|text| [text.clone(), text.replace('\n', "\r\n ")])
    {
        let signer = bench.signer.presenting(certificate);
        assert_eq!(bench.judge(&signer.sign(decked(), bench.sandbox.now())).status(), 201);
        let names = ["date", "digest", "x-request-id", "tpp-redirect-uri", "tpp-signature-certificate"];
        let over_lines = signer.sign_names(decked(), bench.sandbox.now(), &names);
        assert_eq!(bench.judge(&over_lines).reason(), Some("HDR-03"));
    }
}

#[test]
fn thirty_two_kibibytes_of_a_header_are_read_and_one_byte_more_is_not() {
    let bench = Bench::new();
    let value = |length: usize| "a".repeat(length);
    for name in ["PSU-User-Agent", "X-Unknown", "TPP-Brand-Logging-Information"] {
        assert_eq!(bench.ask(decked().with(name, value(32 * KIB))).status(), 201, "{name}");
        for length in [32 * KIB + 1, 64 * KIB] {
            assert_eq!(bench.ask(decked().with(name, value(length))).reason(), Some("HDR-02"), "{name}");
        }
    }
    let sound = bench.sign(decked());
    for name in names_of(&sound) {
        let response = bench.judge(&sound.clone().with(&name, value(64 * KIB)));
        // Negotiation is read first: a Content-Type or Accept of 64 KiB is none of JSON's.
        assert!(matches!(response.reason(), Some("HDR-02" | "NEG-02" | "NEG-03")), "{name}");
    }
}

#[test]
fn two_hundred_header_fields_are_read_and_more_are_not() {
    let bench = Bench::new();
    let filled = |count: usize| {
        let mut signed = bench.sign(creation());
        let missing = count - signed.headers.len();
        signed.headers.extend((0..missing).map(|index| (format!("X-Filler-{index}"), b"x".to_vec())));
        bench.judge(&signed)
    };
    assert_eq!(filled(200).status(), 201);
    for count in [201, 500, 10_000] {
        assert_eq!(filled(count).reason(), Some("HDR-01"), "{count}");
    }
}

#[test]
fn a_repeated_header_is_one_list_of_both_values() {
    let bench = Bench::new();
    for name in names_of(&bench.sign(decked())) {
        let sound = bench.sign(decked());
        let value = sound.header(&name).unwrap().to_vec();
        let response = bench.judge(&sound.plus(&name, &value));
        // Signed headers no longer fit their signature or form, single values no longer their form; the rest is
        // lists or free text.
        let taken = [
            "x-accept-fix",
            "TPP-Session-ID",
            "TPP-Brand-Logging-Information",
            "PSU-User-Agent",
            "PSU-Accept",
            "PSU-Accept-Charset",
            "PSU-Accept-Encoding",
            "PSU-Accept-Language",
            "Accept",
            "Accept-Charset",
            "Accept-Encoding",
            "Accept-Language",
            "Host",
        ];
        let expected = if taken.contains(&name.as_str()) { 201 } else { 400 };
        let expected = if name == "Content-Type" { 415 } else { expected };
        assert_eq!(response.status(), expected, "{name}: {:?}", response.reason());
    }
}

#[test]
fn header_names_are_found_in_any_case() {
    let bench = Bench::new();
    for change in [str::to_lowercase, str::to_uppercase] {
        let mut draft = bench.sign(decked());
        for (name, _) in &mut draft.headers {
            *name = change(name);
        }
        assert_eq!(bench.judge(&draft).status(), 201);
        assert_eq!(bench.judge(&draft).reason(), Some("RPL-01"), "the request id is found, too");
    }
}

#[test]
fn an_empty_header_is_no_value() {
    let bench = Bench::new();
    let free = [
        "x-accept-fix",
        "TPP-Brand-Logging-Information",
        "PSU-User-Agent",
        "PSU-Accept",
        "PSU-Accept-Charset",
        "PSU-Accept-Encoding",
        "PSU-Accept-Language",
        "Accept",
        "Accept-Charset",
        "Accept-Encoding",
        "Accept-Language",
        "Host",
    ];
    let sound = bench.sign(decked());
    for name in names_of(&sound) {
        for empty in ["", " ", "\t \t"] {
            let response = bench.judge(&bench.sign(decked()).with(&name, empty));
            assert_eq!(
                response.status() == 201,
                free.contains(&name.as_str()),
                "{name}: {:?}",
                response.reason()
            );
        }
    }
}

#[test]
fn a_header_that_is_not_utf8_fits_no_form() {
    let bench = Bench::new();
    let sound = bench.sign(decked());
    for name in names_of(&sound) {
        for bytes in [&b"\xFF\xFE"[..], b"\xE6\xF8\xE5", b"true\x80"] {
            let response = bench.judge(&bench.sign(decked()).with(&name, bytes));
            let is_negotiated = name.starts_with("PSU-Accept") || name.starts_with("Accept");
            let is_read = !is_negotiated
                && ![
                    "x-accept-fix",
                    "TPP-Brand-Logging-Information",
                    "PSU-User-Agent",
                    "Host",
                    "Content-Type",
                ]
                .contains(&name.as_str());
            assert_eq!(response.status() >= 400, is_read, "{name}: {:?}", response.reason());
        }
    }
}

#[test]
fn strange_header_names_are_ignored() {
    let bench = Bench::new();
    for name in ["", " ", "Ærlig", "a b", "X\r\nY: 1", "\u{0}", "😀", ":method", &"n".repeat(1_000)] {
        assert_eq!(bench.ask(creation().with(name, "x")).status(), 201, "{name:?}");
        let refused = bench.ask(creation().with(name, "\r"));
        let path = &messages(&refused)[0].path;
        assert!(path.is_ascii() && path.len() <= 64, "{path:?}");
    }
}
