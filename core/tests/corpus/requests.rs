//! Requests whose headers, methods, targets and signatures vary, over every operation.

use xs2a::bank::Operation;
use xs2a::internal::{format_http_date, OPERATIONS, SANDBOX_OPERATIONS};

use crate::recorder::Recorder;
use crate::world::draft::Draft;
use crate::world::{straks, REDIRECT_URI, STRAKS};

const UNUSED_ID: &str = "enc!!AAAAAAAAAAAAAAAAAAAAAAAA";
const METHODS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "BREW"];

/// Operations of which every header is varied: one for each header set.
const OF_EACH_SET: [&str; 9] = [
    "createPayment",
    "startPaymentAuthorisation",
    "createSigningBasket",
    "getPaymentStatus",
    "getAccounts",
    "getTransactions",
    "getTransactionDetails",
    "createMockCustomer",
    "getMockCustomers",
];

/// Values of headers: forms at and beyond what is allowed.
const VALUES: [(&str, &[&str]); 18] = [
    (
        "X-Request-ID",
        &["", "x", "{67e55044-10b1-426f-9247-bb680e5fe0c8}", "67E55044-10B1-426F-9247-BB680E5FE0C9"],
    ),
    (
        "TPP-Redirect-URI",
        &[
            "",
            "http://tpp.example/",
            "http://localhost/x",
            "myapp://back",
            "/relative",
            "https://tpp.example/å",
        ],
    ),
    ("PSU-IP-Address", &["", "192.0.2.256", "2001:db8::1", "192.0.2.1:80"]),
    ("PSU-IP-Port", &["", "0", "1", "65535", "65536", "http"]),
    ("PSU-Context", &["", "private", "CORPORATE", "PRIVATE,CORPORATE"]),
    ("PSU-ID", &["", "13039319955", "67e55044-10b1-426f-9247-bb680e5fe0c8"]),
    ("PSU-Corporate-ID", &["", "67e55044-10b1-426f-9247-bb680e5fe0c8"]),
    ("PSU-HTTP-Method", &["GET", "HEAD", "get"]),
    ("PSU-Geo-Location", &["GEO:90,180", "GEO:90.1,10", "GEO:1;2", "geo:1,2"]),
    ("PSU-User-Agent", &["", "Mozilla/5.0 (å)", "a\tb"]),
    ("PSU-Device-ID", &["", "99435c7e-ad88-49ec-a2ad-99ddcb1f5555", "x"]),
    ("TPP-Session-ID", &["", " ", "a b", "séance"]),
    ("TPP-Redirect-Preferred", &["true", "false", "True", ""]),
    ("x-accept-fix", &["", "none-such", "a, b"]),
    ("X-PSU-IDENTITY", &["13039319955", "1303931995", "12085592767"]),
    (
        "Accept",
        &[
            "application/json",
            "*/*",
            "text/html",
            "application/json;q=0",
            "application/*;q=0.1",
            "",
            "garbage",
        ],
    ),
    (
        "Accept-Language",
        &["nb", "nn", "no", "en-GB", "de", "de, nb;q=0.1", "*;q=0", "", "x;q=2", "en;q=0, nb;q=0"],
    ),
    ("Accept-Encoding", &["gzip", "gzip;q=0.001", "*", "identity;q=0", "*;q=0", "deflate", ""]),
];

/// Further ones, of requests with a body.
const BODY_VALUES: [(&str, &[&str]); 3] = [
    (
        "Content-Type",
        &["text/plain", "application/json; charset=utf-8", "application/json; charset=latin1", "", "x"],
    ),
    ("Content-Encoding", &["gzip", "identity", "br", ""]),
    ("Content-Length", &["0", "x"]),
];

/// A request of the operation with all headers of its set, and ids that nothing has.
fn draft_of(operation: &Operation) -> Draft {
    let segments = operation.path.split('/').map(|segment| match segment.strip_prefix('{') {
        None => segment.to_owned(),
        Some("payment-product}") => "instant-norwegian-domestic-credit-transfers-straks".to_owned(),
        Some(choice) if choice.contains('|') => choice.split('|').next().unwrap().to_owned(),
        Some(_) => UNUSED_ID.to_owned(),
    });
    let mut target = segments.collect::<Vec<_>>().join("/");
    if operation.query.iter().any(|parameter| parameter.is_required) {
        target.push_str("?bookingStatus=both");
    }
    let mut draft = Draft::new(operation.method, &target)
        .with("x-accept-fix", "")
        .with("TPP-Session-ID", "session-1")
        .with("TPP-Redirect-URI", REDIRECT_URI)
        .with("PSU-Context", "PRIVATE")
        .with("PSU-IP-Address", "192.0.2.1");
    if operation.takes_body {
        let body = if operation.name == "createPayment" { straks().to_string() } else { "{}".to_owned() };
        draft = Draft { body: body.into_bytes(), ..draft.with("Content-Type", "application/json") };
    }
    draft
}

fn operations() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().chain(SANDBOX_OPERATIONS)
}

/// Every operation by every TPP, with every method and in other forms of its path.
pub(crate) fn every_operation(mut recorder: Recorder) -> Vec<String> {
    for operation in operations() {
        // The data set stays as it is for the calls that follow.
        if operation.name == "initializeSandbox" {
            recorder.send(operation.name, draft_of(operation));
            continue;
        }
        for tpp in 0..recorder.tpps.len() {
            recorder.send_by(tpp, operation.name, draft_of(operation));
        }
        let method = recorder.dice.pick(&METHODS);
        recorder.send("other method", Draft { method: method.to_owned(), ..draft_of(operation) });
        let draft = draft_of(operation);
        let target = match recorder.dice.below(4) {
            0 => format!("{}/", draft.target),
            1 => draft.target.replace("/v1/", "/v1//"),
            2 => draft.target.to_uppercase(),
            _ => draft.target.replace("enc!!", "enc%21%21"),
        };
        recorder.send("other form of the path", Draft { target, ..draft });
    }
    for target in ["", "/", "*", "v1/accounts", "/v1", "/v1/accounts#x", "https://bank.example/v1/accounts"] {
        recorder.send("target", Draft::get(target));
    }
    recorder.send("target", Draft::get(&format!("/{}", "v".repeat(8_192))));
    recorder.into_blocks()
}

/// Every header of an operation of each header set: left out, twice, and with other values.
pub(crate) fn every_header(mut recorder: Recorder) -> Vec<String> {
    for operation in operations().filter(|operation| OF_EACH_SET.contains(&operation.name)) {
        let bare = Draft::new(operation.method, &draft_of(operation).target);
        recorder.send_as_is("no headers", &bare);
        recorder.send("signed without headers", bare);
        let signed = recorder.sign(draft_of(operation));
        for name in signed.headers.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>() {
            let signed = recorder.sign(draft_of(operation));
            recorder.send_as_is(&format!("{} without {name}", operation.name), &signed.without(&name));
            let draft = draft_of(operation);
            if let Some(value) = draft.header(&name).map(<[u8]>::to_vec) {
                recorder.send(&format!("{name} twice"), draft.plus(&name, value));
            }
        }
        let of_body = if operation.takes_body { &BODY_VALUES[..] } else { &[] };
        for (name, values) in VALUES.iter().chain(of_body) {
            for value in *values {
                recorder.send(&format!("{} {name}", operation.name), draft_of(operation).with(name, value));
            }
        }
    }
    recorder.into_blocks()
}

/// Signatures, digests, dates and certificates that are changed after signing.
pub(crate) fn spoilt_signatures(mut recorder: Recorder) -> Vec<String> {
    let creation = || Draft::creation(STRAKS, &straks());
    for seconds in [-100_000_000, -400, -300, -60, 60, 300, 400, 100_000_000] {
        let date = format_http_date(recorder.sandbox.now() + chrono::TimeDelta::seconds(seconds));
        recorder.send(&format!("Date {seconds} seconds off"), creation().with("Date", date));
    }
    for date in ["", "2026-09-01T10:00:00Z", "Tue, 01 Sep 2026 10:00:00 CET", "Tue, 31 Sep 2026 10:00:00 GMT"]
    {
        recorder.send("Date", creation().with("Date", date));
    }
    for digest in [
        "",
        "SHA-256",
        "MD5=1B2M2Y8AsgTpgAmY7PhCfg==",
        "SHA-256=AAAA",
        "SHA-256=****",
        "SHA-512=AAAA,SHA-256=AAAA",
        "sha-256=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
    ] {
        recorder.send("Digest", creation().with("Digest", digest));
    }
    for _ in 0..90 {
        let signed = recorder.sign(creation());
        let name = recorder.dice.pick(&["Signature", "Signature", "TPP-Signature-Certificate", "Digest"]);
        let mut value = signed.header(name).unwrap().to_vec();
        let at = recorder.dice.below(value.len());
        match recorder.dice.below(4) {
            0 => drop(value.remove(at)),
            1 => value.truncate(at),
            2 => value[at] = *recorder.dice.choose(b"=\",A0/ x").unwrap(),
            _ => value.insert(at, *recorder.dice.choose(b"=\",A0/ ;").unwrap()),
        }
        recorder.send_as_is(&format!("{name} spoilt at {at}"), &signed.with(name, value));
    }
    signature_parts(&mut recorder);
    recorder.into_blocks()
}

fn signature_parts(recorder: &mut Recorder) {
    for (from, to) in [
        ("rsa-sha256", "rsa-sha1"),
        ("rsa-sha256", "RSA-SHA256"),
        ("algorithm=", "Algorithm="),
        ("keyId=", "keyid="),
        ("SN=", "SN=0x"),
        ("SN=", "sn="),
        ("SN=", "SN=1"),
        ("CA=", "CA=CN=Other,"),
        ("digest", "date"),
        ("digest ", ""),
        ("digest", "digest no-such-header"),
        ("headers=\"", "headers=\"\" x=\""),
        ("keyId=", "keyId=\"a\",keyId="),
        ("signature=", "signature=\"\",signature="),
    ] {
        let signed = recorder.sign(Draft::creation(STRAKS, &straks()));
        let value = String::from_utf8(signed.header("Signature").unwrap().to_vec()).unwrap();
        let value = value.replacen(from, to, 1);
        recorder.send_as_is(&format!("Signature: `{from}` as `{to}`"), &signed.with("Signature", value));
    }
    let signed = recorder.sign(Draft::creation(STRAKS, &straks()));
    recorder.send_as_is("body changed", &Draft { body: b"{}".to_vec(), ..signed.clone() });
    recorder.send_as_is("target changed", &Draft { target: format!("{STRAKS}?x=1"), ..signed.clone() });
    recorder.send_as_is("as it was signed", &signed);
    recorder.send_as_is("a replay", &signed);
    for seconds in [119, 1, 1, 500] {
        recorder.sandbox.advance(chrono::TimeDelta::seconds(seconds)).unwrap();
        let id = signed.header("X-Request-ID").unwrap();
        let again = recorder.sign(Draft::creation(STRAKS, &straks()).with("X-Request-ID", id));
        recorder.send_as_is(&format!("the same X-Request-ID {seconds} seconds later"), &again);
    }
    recorder.advance(60);
    let again = recorder.sign(
        Draft::creation(STRAKS, &straks()).with("X-Request-ID", signed.header("X-Request-ID").unwrap()),
    );
    recorder.send_as_is("the same X-Request-ID an hour later", &again);
}
