//! Bodies: what is not JSON, what is JSON of another shape, and too much of either.

use serde_json::{json, Value};

use crate::bad_input::bench::{creation, Bench, AGAIN, MIB};
use crate::world::answer::messages;
use crate::world::draft::Draft;
use crate::world::products::{bulk, periodic, BULK, PERIODIC};
use crate::world::{cross_border, straks, CROSS_BORDER, PAYER, STRAKS};

/// A product of each shape of body.
const SHAPES: [&str; 4] = [STRAKS, CROSS_BORDER, PERIODIC, BULK];

/// A body with every member that a product takes.
fn full(product: &str) -> Value {
    let mut body = match product {
        STRAKS => straks(),
        CROSS_BORDER => cross_border(),
        PERIODIC => periodic(),
        _ => bulk(1),
    };
    let more = json!({
        "creditorAddress": {
            "street": "Storgata", "buildingNumber": "1", "postalCode": "0155", "townName": "Oslo", "city": "Oslo",
            "country": "NO",
        },
        "ultimateDebtor": "Testine Test",
        "purposeCode": "OTHR",
        "remittanceInformationUnstructured": null,
        "remittanceInformationStructuredArray": [
            {"reference": "2007", "referenceType": "CINV", "referenceIssuer": "BITS-EFAKTURA"},
            {"reference": "2008", "referenceType": "CINV"},
        ],
    });
    let abroad = json!({
        "regulatoryReportingCode": "14",
        "regulatoryReportingInformation": "Goods",
        "serviceLevel": "URGP",
    });
    let schedule = json!({
        "endDate": "2027-12-31",
        "executionRule": "following",
        "dayOfExecution": "31",
    });
    let whole = json!({"paymentInformationId": "Run 42", "requestedExecutionDate": "2026-09-02"});
    let extra = match product {
        STRAKS => json!({}),
        CROSS_BORDER => abroad,
        PERIODIC => schedule,
        _ => whole,
    };
    add(&mut body, &extra);
    add(transfer(&mut body), &more);
    body
}

fn add(body: &mut Value, members: &Value) {
    for (name, value) in members.as_object().unwrap() {
        body[name] = value.clone();
    }
}

/// What of a body says who is paid: the body itself, or the first payment of a bulk.
fn transfer(body: &mut Value) -> &mut Value {
    if body.get("payments").is_some() {
        return &mut body["payments"][0];
    }
    body
}

/// Every place in a value, the root first, as JSON Pointers.
fn pointers(value: &Value) -> Vec<String> {
    let mut found = vec![String::new()];
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect(),
        _ => Vec::new(),
    };
    for (name, child) in children {
        found.extend(pointers(child).into_iter().map(|below| format!("/{name}{below}")));
    }
    found
}

/// The text of a value in which the member at the pointer occurs twice.
fn with_member_twice(value: &Value, pointer: &str) -> String {
    let below =
        |name: &str| pointer.strip_prefix('/').and_then(|rest| rest.strip_prefix(name)).unwrap_or("-");
    match value {
        Value::Object(members) => {
            let written = members.iter().map(|(name, value)| {
                let member = format!("{}:{}", json!(name), with_member_twice(value, below(name)));
                if below(name).is_empty() {
                    format!("{member},{member}")
                } else {
                    member
                }
            });
            format!("{{{}}}", written.collect::<Vec<_>>().join(","))
        }
        Value::Array(items) => {
            let written =
                items.iter().enumerate().map(|(at, item)| with_member_twice(item, below(&at.to_string())));
            format!("[{}]", written.collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}

#[test]
fn what_is_not_json_is_refused() {
    let bench = Bench::new();
    let good = straks().to_string();
    let cases = [
        String::new(),
        "   \n".to_owned(),
        format!("\u{FEFF}{good}"),
        format!("{good}{good}"),
        format!("{good}x"),
        good[..good.len() - 1].to_owned(),
        good.replace('"', "'"),
        good.replacen(',', ",,", 1),
        good.replacen('{', "{/* a comment */", 1),
        good.replacen("\"Testodius To\"", "\"Testodius\nTo\"", 1),
        good.replacen("\"250.00\"", "NaN", 1),
        good.replacen("\"250.00\"", "Infinity", 1),
        good.replacen("\"250.00\"", "+1", 1),
        good.replacen("\"250.00\"", "0x10", 1),
        good.replacen("\"250.00\"", "1e999999999", 1),
        good.replacen("Testodius", "\\x41", 1),
        good.replacen("Testodius", "\\ud800", 1),
        good.replacen("Testodius", "\\udc00", 1),
        good.replacen("Testodius", "\\ud800\\u0041", 1),
        good.replacen("\"creditorName\"", "\"\\ud800\"", 1),
        good.replacen("\"creditorName\"", "creditorName", 1),
        good.replacen("\"creditorName\"", "7", 1),
        "{\"a\"}".to_owned(),
        "{".repeat(10),
        "a=b&c=d".to_owned(),
        "<payment/>".to_owned(),
    ];
    for case in cases {
        let found = bench.assert_body(case.clone(), Some("JSN-02"));
        assert_eq!((found.len(), found[0].path.as_str()), (1, ""), "{case}");
    }
}

#[test]
fn what_is_wrong_with_json_by_its_grammar_is_said() {
    let bench = Bench::new();
    for (case, text) in [
        ("", "the body is empty"),
        (" ", "the body is not JSON: line 1, column 1"),
        ("{\"a\":1e400}", "the body has a number that is too large to be read: line 1, column 10"),
        ("{\"a\":1e}", "the body is not JSON: line 1, column 8"),
        (
            "{\"a\":\"\\ud800\"}",
            "the body has an unpaired surrogate, which is no character: line 1, column 13",
        ),
        ("{\"a\":\"\\ud80\"}", "the body is not JSON: line 1, column 12"),
    ] {
        assert_eq!(bench.assert_body(case, Some("JSN-02"))[0].text, text, "{case}");
    }
}

#[test]
fn json_that_is_no_object_is_refused_at_the_root() {
    let bench = Bench::new();
    for case in ["null", "true", "7", "-0.5e3", "\"text\"", "[]", "[{}]"] {
        let found = bench.assert_body(case, Some("BOD-03"));
        assert_eq!((found.len(), found[0].path.as_str()), (1, ""), "{case}");
    }
    let missing = bench.assert_body("{}", Some("BOD-01"));
    assert_eq!(missing.len(), 5, "one for each required member: {missing:?}");
}

#[test]
fn bytes_that_are_not_utf8_are_refused_with_their_place() {
    let bench = Bench::new();
    let good = straks().to_string();
    let place = good.find("Testodius").unwrap();
    // A stray byte, an overlong form, a surrogate, a character beyond Unicode, one that is cut off.
    let broken: [&[u8]; 6] =
        [b"\xFF", b"\xC0\xAF", b"\xED\xA0\x80", b"\xF4\x90\x80\x80", b"\xE2\x82", b"\xE6 in Latin-1"];
    for bytes in broken {
        let body = [&good.as_bytes()[..place], bytes, &good.as_bytes()[place..]].concat();
        let found = bench.assert_body(body, Some("JSN-01"));
        assert_eq!(found[0].text, format!("the body is not UTF-8 from byte {} on", place + 1));
    }
    bench.assert_body("å".encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<_>>(), Some("JSN-01"));
    bench.assert_body([good.as_bytes(), b"\xFE"].concat(), Some("JSN-01"));
}

#[test]
fn control_characters_and_nul_are_no_text() {
    let bench = Bench::new();
    for escape in ["\\u0000", "\\n", "\\r\\n", "\\t", "\\u007f", "\\u0085", "\\u2028", "\\ud83d\\ude00"] {
        let body = straks().to_string().replacen("Testodius", escape, 1);
        let found = bench.assert_body(body, Some("BOD-07"));
        assert_eq!(found[0].path, "/creditorName", "{escape}");
    }
}

#[test]
fn thirty_two_levels_are_read_and_thirty_three_are_not() {
    let bench = Bench::new();
    let nested = |levels: usize, open: &str, close: &str| {
        let mut text = straks().to_string();
        // The body itself is the first level.
        let value = [open.repeat(levels - 1), "0".to_owned(), close.repeat(levels - 1)].concat();
        text.insert_str(1, &format!("\"x\":{value},"));
        text
    };
    for (open, close) in [("[", "]"), ("{\"y\":", "}")] {
        let warned = bench.assert_body(nested(32, open, close), None);
        assert_eq!((warned.len(), warned[0].path.as_str()), (1, "/x"));
        assert_eq!(bench.assert_body(nested(33, open, close), Some("JSN-03")).len(), 1);
        bench.assert_body(nested(100_000, open, close), Some("JSN-03"));
    }
    bench.assert_body("[".repeat(MIB), Some("JSN-03"));
}

#[test]
fn a_body_of_one_mebibyte_is_read_and_one_byte_more_is_not() {
    let bench = Bench::new();
    let mut body = straks().to_string().into_bytes();
    body.resize(MIB, b' ');
    bench.assert_body(body.clone(), None);
    body.push(b' ');
    let refused = bench.body(body);
    assert_eq!((refused.status(), refused.reason()), (413, Some("NEG-01")));
    // The limit holds where no body is read.
    let mut reading = Draft::get(&format!("{STRAKS}/unknown"));
    reading.body = vec![b'x'; MIB + 1];
    assert_eq!(bench.ask(reading).reason(), Some("NEG-01"));
}

#[test]
fn a_repeated_member_is_refused_at_every_level() {
    let bench = Bench::new();
    for product in SHAPES {
        let mut body = full(product);
        transfer(&mut body)["remittanceInformationStructuredArray"][1]["ignored"] =
            json!([{"at": {"depth": 1}}]);
        let members = pointers(&body).into_iter().filter(|pointer| {
            let last = pointer.rsplit('/').next().unwrap();
            !last.is_empty() && last.parse::<usize>().is_err()
        });
        let mut count = 0;
        for pointer in members {
            let text = with_member_twice(&body, &pointer);
            let response = bench.ask(Draft::raw_creation(&format!("{product}{AGAIN}"), text));
            assert_eq!(response.reason(), Some("JSN-04"), "{pointer}");
            let errors: Vec<_> =
                messages(&response).into_iter().filter(|message| message.category == "ERROR").collect();
            assert_eq!((errors.len(), errors[0].path.as_str()), (1, pointer.as_str()));
            count += 1;
        }
        assert!(count > 25, "{count}");
    }
}

#[test]
fn a_member_that_is_repeated_in_other_spelling_is_repeated() {
    let bench = Bench::new();
    let twice = straks().to_string().replacen('{', "{\"creditor\\u004eame\":\"Another Person\",", 1);
    bench.assert_body(twice, Some("JSN-04"));
}

#[test]
fn an_unknown_member_is_ignored_with_a_warning_at_every_level() {
    let bench = Bench::new();
    for product in SHAPES {
        let body = full(product);
        let objects =
            pointers(&body).into_iter().filter(|pointer| body.pointer(pointer).unwrap().is_object());
        for pointer in objects.collect::<Vec<_>>() {
            let mut changed = body.clone();
            changed.pointer_mut(&pointer).unwrap()["no/such~member"] = json!({"creditorName": []});
            let response = bench.ask(Draft::creation(&format!("{product}{AGAIN}"), &changed));
            assert_eq!(response.status(), 201, "{pointer}");
            let paths: Vec<_> = messages(&response).into_iter().map(|message| message.path).collect();
            assert_eq!(paths, [format!("{pointer}/no~1such~0member")]);
        }
    }
}

#[test]
fn any_value_at_any_place_has_an_answer() {
    let bench = Bench::new();
    let values = [
        json!(null),
        json!(true),
        json!(7),
        json!(-1.5e300),
        json!(""),
        json!("x"),
        json!("13039319955"),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"amount": {"amount": {}}}),
        json!(["250.00"]),
    ];
    for product in SHAPES {
        let body = full(product);
        for pointer in pointers(&body) {
            for value in &values {
                let mut changed = body.clone();
                *changed.pointer_mut(&pointer).unwrap() = value.clone();
                let response = bench.ask(Draft::creation(&format!("{product}{AGAIN}"), &changed));
                assert!(matches!(response.status(), 201 | 400), "{pointer} = {value}");
            }
        }
    }
}

#[test]
fn a_hundred_thousand_of_anything_is_answered_with_a_hundred_messages() {
    let bench = Bench::new();
    let good = straks().to_string();
    let many = |member: fn(usize) -> String| {
        let list: Vec<String> = (0..100_000).map(member).collect();
        good.replacen('{', &format!("{{{},", list.join(",")), 1)
    };
    let unknown = bench.assert_body(many(|index| format!("\"{index:x}\":0")), None);
    assert_eq!(unknown.len(), 100);
    let repeated = bench.assert_body(many(|_| "\"x\":0".to_owned()), Some("JSN-04"));
    assert_eq!(repeated.len(), 100);
    let known = bench.assert_body(many(|_| "\"a\":{}".to_owned()), Some("JSN-04"));
    assert_eq!(known.len(), 100);

    let array = |item: &str, count: usize| {
        let mut body = full(STRAKS);
        body["remittanceInformationStructuredArray"] = Value::Null;
        let items = vec![item; count].join(",");
        body.to_string().replace(
            "\"remittanceInformationStructuredArray\":null",
            &format!("\"remittanceInformationStructuredArray\":[{items}]"),
        )
    };
    assert_eq!(bench.assert_body(array("0", 100_000), Some("BOD-03")).len(), 100);
    assert_eq!(bench.assert_body(array("{}", 100_000), Some("BOD-01")).len(), 100);
    assert!(bench.assert_body(array(r#"{"reference":"a","referenceType":"CINV"}"#, 20_000), None).is_empty());
}

#[test]
fn long_texts_and_names_are_not_repeated() {
    let bench = Bench::new();
    for text in ["n".repeat(900_000), "å".repeat(400_000), "9".repeat(900_000), "\u{10FFFF}".repeat(200_000)]
    {
        for pointer in ["/creditorName", "/creditorAccount/bban", "/instructedAmount/amount", "/purposeCode"]
        {
            let mut body = straks();
            *body.pointer_mut(pointer).unwrap_or(&mut Value::Null) = json!(text);
            body["purposeCode"] = json!(text);
            assert!(bench.body(body.to_string()).body().len() < 4_096, "{pointer}");
        }
        let mut body = straks();
        body[&text] = json!(0);
        assert!(bench.body(body.to_string()).body().len() < 4_096);
    }
}

#[test]
fn no_message_repeats_an_identity_number_or_a_key() {
    let bench = Bench::new();
    for secret in [PAYER, bench.private_key.as_str()] {
        let mut body = straks();
        body[secret] = json!({"creditorName": secret});
        body["creditorAddress"][secret] = json!([secret]);
        body["purposeCode"] = json!(secret);
        body["creditorName"] = json!(7);
        bench.assert_body(body.to_string(), Some("BOD-02"));
        let header = secret.replace('\n', " ");
        for name in
            ["x-accept-fix", "PSU-ID", "X-PSU-IDENTITY", "PSU-Context", "PSU-Corporate-ID", "Digest", "Date"]
        {
            bench.ask(creation().with(name, format!("{header}1")));
        }
        for name in ["Signature", "TPP-Signature-Certificate"] {
            bench.judge(&bench.sign(creation()).with(name, &header));
        }
        bench.judge(&bench.sign(creation()).with(secret, "x\0"));
        bench.ask(Draft::get(&format!("{STRAKS}/{PAYER}")));
    }
    let signed = bench.sign(creation());
    let signature = String::from_utf8(signed.header("Signature").unwrap().to_vec()).unwrap();
    let covering = signature.replace("headers=\"", &format!("headers=\"{PAYER} "));
    assert_eq!(bench.judge(&signed.with("Signature", covering)).reason(), Some("SIG-08"));
}
