//! Rules over several members: addresses, regulatory reporting, account numbers, repertoires.

use serde_json::{json, Value};

use crate::payment_body::bench::{changed, error, judge_purely, remove, set, warning, Bench, Found, Product};
use crate::world::{PAYEE_ACCOUNT, PAYER_ACCOUNT};

const TOWN: &str = "/creditorAddress/townName";
const CITY: &str = "/creditorAddress/city";

/// The products for which the rule of structured addresses applies with every currency.
const ABROAD: [Product; 3] = [Product::Sepa, Product::CrossBorder, Product::NorwegianCrossBorder];

fn without_town(product: Product) -> Value {
    changed(product, &[("/creditorAddress", json!({"street": "Storgata", "country": "NO"}))])
}

/// A domestic payment whose accounts are in different currencies.
fn exchanging(product: Product) -> Value {
    let mut body = without_town(product);
    set(&mut body, "/creditorAccount/currency", "EUR");
    body
}

// Structured addresses (contract: Versioning).

#[test]
fn a_missing_town_is_warned_of_until_the_day_and_refused_from_it_on() {
    // Midnight in Oslo, in summer.
    let before = Bench::at("2026-08-12T21:59:59Z");
    let after = Bench::at("2026-08-12T22:00:00Z");
    let abroad = ABROAD.into_iter().map(|product| (product, without_town(product)));
    for (product, body) in abroad.chain(Product::at_home().map(|product| (product, exchanging(product)))) {
        before.assert(product, &body, &[warning("ADR-01", TOWN)]);
        after.assert(product, &body, &[error("ADR-01", TOWN)]);
    }
}

#[test]
fn a_town_of_blanks_is_none() {
    let bench = Bench::new();
    let wide = Bench::under(&json!({"repertoire": "bmp"}).to_string());
    for product in ABROAD {
        let town = |town: &str| changed(product, &[(TOWN, json!(town))]);
        bench.assert(product, &town(" A"), &[]);
        for blank in [" ", "\u{A0}", "\u{2003}"] {
            bench.assert(product, &town(blank), &[error("BOD-05", TOWN)]);
            wide.assert(product, &town(blank), &[error("BOD-05", TOWN)]);
        }
    }
}

#[test]
fn a_payee_has_a_name_that_is_not_blank() {
    let bench = Bench::new();
    let wide = Bench::under(&json!({"repertoire": "bmp"}).to_string());
    for product in Product::ALL {
        let named = |name: &str| changed(product, &[("/creditorName", json!(name))]);
        bench.assert(product, &named(" "), &[error("BOD-05", "/creditorName")]);
        bench.assert(product, &named(" N"), &[]);
        bench.assert(product, &named("\u{a0} "), &[error("BOD-05", "/creditorName")]);
        wide.assert(product, &named("\u{2003}"), &[error("BOD-05", "/creditorName")]);
    }
}

#[test]
fn sepa_needs_no_address_until_the_day_and_town_and_country_from_it_on() {
    let before = Bench::at("2026-08-12T21:59:59Z");
    let after = Bench::at("2026-08-12T22:00:00Z");
    let early = Bench::at("2026-08-12T21:59:59Z").with_accept_fix("structured-addresses");
    let country = "/creditorAddress/country";
    let mut absent = Product::Sepa.body();
    remove(&mut absent, "/creditorAddress");
    for body in [absent, changed(Product::Sepa, &[("/creditorAddress", Value::Null)])] {
        before.assert(Product::Sepa, &body, &[warning("ADR-01", TOWN), warning("ADR-01", country)]);
        for bench in [&after, &early] {
            bench.assert(Product::Sepa, &body, &[error("ADR-01", TOWN), error("ADR-01", country)]);
        }
    }
    // An address that is there has a country, whenever.
    let townless = changed(Product::Sepa, &[("/creditorAddress", json!({"street": "Allee 1"}))]);
    before.assert(Product::Sepa, &townless, &[error("BOD-01", country), warning("ADR-01", TOWN)]);
    after.assert(Product::Sepa, &townless, &[error("BOD-01", country), error("ADR-01", TOWN)]);
}

#[test]
fn a_domestic_payment_in_one_currency_needs_no_town() {
    for time in ["2026-08-12T21:59:59Z", "2026-08-12T22:00:00Z"] {
        let bench = Bench::at(time);
        Product::at_home().for_each(|product| bench.assert(product, &without_town(product), &[]));
    }
}

#[test]
fn a_domestic_payment_needs_a_town_where_its_three_currencies_are_not_one() {
    let bench = Bench::at("2026-08-12T22:00:00Z");
    for product in Product::at_home() {
        for number in 0..8 {
            let currency = |bit: u8| if number >> bit & 1 == 0 { "NOK" } else { "EUR" };
            let mut body = without_town(product);
            set(&mut body, "/instructedAmount/currency", currency(0));
            set(&mut body, "/debtorAccount/currency", currency(1));
            set(&mut body, "/creditorAccount/currency", currency(2));
            let expected: &[_] = if [0, 7].contains(&number) { &[] } else { &[error("ADR-01", TOWN)] };
            bench.assert(product, &body, expected);
        }
    }
}

#[test]
fn the_rule_applies_early_where_it_is_asked_for() {
    for accept_fix in ["structured-addresses", "longer-names,structured-addresses"] {
        let bench = Bench::at("2026-08-12T21:59:59Z").with_accept_fix(accept_fix);
        for product in ABROAD {
            bench.assert(product, &without_town(product), &[error("ADR-01", TOWN)]);
            bench.assert(product, &product.body(), &[]);
        }
        Product::at_home().for_each(|product| {
            bench.assert(product, &exchanging(product), &[error("ADR-01", TOWN)]);
        });
    }
    let bench = Bench::at("2026-08-12T21:59:59Z").with_accept_fix("amount-as-string,no-such-thing");
    let expected = [warning("ADR-01", TOWN), warning("WRN-03", "x-accept-fix")];
    for product in ABROAD {
        bench.assert(product, &without_town(product), &expected);
    }
}

#[test]
fn names_of_fixes_that_are_default_are_known_and_change_nothing() {
    for accept_fix in [
        "amount-as-string",
        "cardaccount-switch-originalamount-and-transactionamount",
        "longer-names",
        "cash-account-type-iso",
        "amount-as-string, cash-account-type-iso",
    ] {
        let bench = Bench::at("2026-08-12T21:59:59Z").with_accept_fix(accept_fix);
        bench.assert(Product::Sepa, &Product::Sepa.body(), &[]);
        bench.assert(Product::Sepa, &without_town(Product::Sepa), &[warning("ADR-01", TOWN)]);
    }
    // Beside an error, too.
    let bench = Bench::at("2026-08-13T00:00:00Z").with_accept_fix("no-such-thing");
    let expected = [error("ADR-01", TOWN), warning("WRN-03", "x-accept-fix")];
    bench.assert(Product::Sepa, &without_town(Product::Sepa), &expected);
    // Case counts: what is spelt otherwise is another name.
    let bench = Bench::at("2026-08-12T21:59:59Z").with_accept_fix("Longer-Names");
    bench.assert(Product::Straks, &Product::Straks.body(), &[warning("WRN-03", "x-accept-fix")]);
}

#[test]
fn in_production_the_day_is_another_and_begins_at_midnight_in_winter() {
    let judge = |product: Product, at: &str, body: &Value| {
        judge_purely(product, body, Some(at.parse().unwrap()), "production", "")
    };
    for product in ABROAD {
        let body = without_town(product);
        assert_eq!(judge(product, "2026-08-13T12:00:00Z", &body), [warning("ADR-01", TOWN)]);
        assert_eq!(judge(product, "2026-11-14T22:59:59Z", &body), [warning("ADR-01", TOWN)]);
        assert_eq!(judge(product, "2026-11-14T23:00:00Z", &body), [error("ADR-01", TOWN)]);
        assert_eq!(judge(product, "2026-11-14T23:00:00Z", &product.body()), []);
    }
    let bulk = exchanging(Product::Bulk);
    let place = "/payments/1/creditorAddress/townName";
    assert_eq!(judge(Product::Bulk, "2026-11-14T22:59:59Z", &bulk), [warning("ADR-01", place)]);
    assert_eq!(judge(Product::Bulk, "2026-11-14T23:00:00Z", &bulk), [error("ADR-01", place)]);
}

#[test]
fn the_day_is_a_policy() {
    for (day, expected) in [("2026-09-01", error("ADR-01", TOWN)), ("2026-09-02", warning("ADR-01", TOWN))] {
        let bench = Bench::under(&json!({"structured_addresses_from": day}).to_string());
        for product in ABROAD {
            bench.assert(product, &without_town(product), std::slice::from_ref(&expected));
        }
    }
}

#[test]
fn a_town_may_be_in_either_member_and_must_be_one() {
    let bench = Bench::new();
    for product in Product::ALL {
        let town: &[Found] = if product.is_domestic() { &[] } else { &[error("ADR-01", TOWN)] };
        let cases: [(Value, Value, &[Found]); 10] = [
            (json!("Oslo"), json!(null), &[]),
            (json!(null), json!("Oslo"), &[warning("WRN-02", CITY)]),
            (json!("Oslo"), json!("Oslo"), &[]),
            (json!("Oslo"), json!("oslo"), &[error("ADR-02", CITY)]),
            (json!("Oslo"), json!("Bergen"), &[error("ADR-02", CITY)]),
            (json!(null), json!(null), town),
            (json!("Oslo"), json!(""), &[]),
            (json!(""), json!("Oslo"), &[warning("WRN-02", CITY)]),
            (json!(""), json!(""), town),
            (json!("Oslo"), json!("\u{1F600}"), &[error("BOD-07", CITY)]),
        ];
        for (town_name, city, expected) in cases {
            let body = changed(product, &[(TOWN, town_name), (CITY, city)]);
            bench.assert(product, &body, expected);
        }
    }
}

#[test]
fn the_deprecated_town_is_a_text_like_any_other() {
    let bench = Bench::new();
    for product in Product::ALL {
        let judge = |city: Value, expected: &[Found]| {
            bench.assert(product, &changed(product, &[(CITY, city), (TOWN, Value::Null)]), expected);
        };
        let deprecated = warning("WRN-02", CITY);
        judge(json!("x"), std::slice::from_ref(&deprecated));
        judge(json!("x".repeat(70)), std::slice::from_ref(&deprecated));
        judge(json!("x".repeat(71)), &[error("BOD-06", CITY)]);
        judge(json!("\u{1F600}"), &[error("BOD-07", CITY)]);
        for other in [json!(7), json!(true), json!([]), json!(["x"]), json!({})] {
            judge(other, &[error("BOD-02", CITY)]);
        }
        match product.is_domestic() {
            true => judge(json!("Ås"), &[deprecated]),
            false => judge(json!("Ås"), &[deprecated, warning("WRN-04", CITY)]),
        }
    }
}

#[test]
fn a_missing_town_is_reported_and_a_faulty_one_is_not_missing() {
    let bench = Bench::new();
    let country = error("BOD-01", "/creditorAddress/country");
    for product in ABROAD {
        let body = changed(product, &[("/creditorAddress", json!({}))]);
        bench.assert(product, &body, &[country.clone(), error("ADR-01", TOWN)]);
        let body = changed(product, &[("/creditorAddress", json!({})), ("/debtorAccount", json!(7))]);
        let expected = [country.clone(), error("BOD-03", "/debtorAccount"), error("ADR-01", TOWN)];
        bench.assert(product, &body, &expected);
        let body = changed(product, &[("/creditorAddress", json!({"city": 7, "country": "DE"}))]);
        bench.assert(product, &body, &[error("BOD-02", CITY)]);
    }
}

#[test]
fn a_faulty_country_hides_no_other_fault_of_the_address() {
    let bench = Bench::new();
    let address = |country: &str| json!({"street": "Ås", "city": "Ås", "country": country});
    let warned =
        [warning("WRN-02", CITY), warning("WRN-04", "/creditorAddress/street"), warning("WRN-04", CITY)];
    let faulty = [&[error("CTY-01", "/creditorAddress/country")], &warned[..]].concat();
    for product in ABROAD {
        bench.assert(product, &changed(product, &[("/creditorAddress", address("FR"))]), &warned);
        bench.assert(product, &changed(product, &[("/creditorAddress", address("F"))]), &faulty);
    }
}

// Regulatory reporting (contract: Payment and basket operations).

const CODE: &str = "/regulatoryReportingCode";
const INFORMATION: &str = "/regulatoryReportingInformation";

fn worth(amount: &str, currency: &str) -> Value {
    changed(
        Product::NorwegianCrossBorder,
        &[("/instructedAmount", json!({"amount": amount, "currency": currency}))],
    )
}

#[test]
fn payments_from_nok_100_000_on_are_reported() {
    let bench = Bench::new();
    let product = Product::NorwegianCrossBorder;
    let both = [error("REG-01", CODE), error("REG-01", INFORMATION)];
    // By the sandbox's rates one euro is worth NOK 11.7250, one yen NOK 0.0655.
    for (amount, currency) in [("99999.99", "NOK"), ("8528.78", "EUR"), ("1526717", "JPY")] {
        bench.assert(product, &worth(amount, currency), &[]);
    }
    for (amount, currency) in
        [("100000.00", "NOK"), ("8528.79", "EUR"), ("1526718", "JPY"), ("9999999999999.99", "NOK")]
    {
        bench.assert(product, &worth(amount, currency), &both);
        let mut reported = worth(amount, currency);
        set(&mut reported, CODE, "14");
        bench.assert(product, &reported, &both[1..]);
        set(&mut reported, INFORMATION, Value::Null);
        bench.assert(product, &reported, &both[1..]);
        set(&mut reported, INFORMATION, "Goods");
        bench.assert(product, &reported, &[]);
        set(&mut reported, CODE, "");
        bench.assert(product, &reported, &[error("BOD-05", CODE)]);
    }
    // No other payment is reported.
    for product in Product::ALL.into_iter().filter(|product| *product != Product::NorwegianCrossBorder) {
        bench.assert(product, &changed(product, &[("/instructedAmount/amount", json!("100000.00"))]), &[]);
    }
    // SEPA may report, of either what there is.
    for (pointer, value) in [(CODE, "14"), (INFORMATION, "Goods")] {
        bench.assert(Product::Sepa, &changed(Product::Sepa, &[(pointer, json!(value))]), &[]);
    }
}

#[test]
fn a_worth_too_large_to_compute_needs_regulatory_reporting() {
    let bench = Bench::under(r#"{"rates":{"EUR":"1000000000000000000"}}"#);
    let both = [error("REG-01", CODE), error("REG-01", INFORMATION)];
    for amount in ["100000.00", "9999999999999.99"] {
        bench.assert(Product::NorwegianCrossBorder, &worth(amount, "EUR"), &both);
    }
}

#[test]
fn the_worth_is_by_the_rate_of_the_policy() {
    let bench = Bench::under(r#"{"rates":{"EUR":"10","GGP":"20"}}"#);
    let both = [error("REG-01", CODE), error("REG-01", INFORMATION)];
    for (below, from, currency) in [("9999.99", "10000.00", "EUR"), ("4999.99", "5000.00", "GGP")] {
        bench.assert(Product::NorwegianCrossBorder, &worth(below, currency), &[]);
        bench.assert(Product::NorwegianCrossBorder, &worth(from, currency), &both);
    }
}

// Account numbers.

#[test]
fn a_wrong_check_digit_warns_in_the_sandbox_and_fails_in_production() {
    let creditor = "/creditorAccount/bban";
    let debtor = "/debtorAccount/bban";
    let wrong = |number: &str| format!("{}{}", &number[..10], (number[10..].parse::<u8>().unwrap() + 1) % 10);
    let refusing = Bench::under(r#"{"account_check_digit":"refuse"}"#);
    let refused = [error("ACC-03", creditor), error("ACC-03", debtor)];
    for product in Product::at_home() {
        let changes = [(creditor, json!(wrong(PAYEE_ACCOUNT))), (debtor, json!(wrong(PAYER_ACCOUNT)))];
        let body = changed(product, &changes);
        let warned = [warning("ACC-03", creditor), warning("ACC-03", debtor)];
        Bench::new().assert(product, &body, &warned);
        refusing.assert(product, &body, &refused);
    }
    let straks = Product::Straks;
    let body =
        changed(straks, &[(creditor, json!(wrong(PAYEE_ACCOUNT))), (debtor, json!(wrong(PAYER_ACCOUNT)))]);
    let at = Some("2026-09-01T10:00:00Z".parse().unwrap());
    assert_eq!(judge_purely(straks, &body, at, "production", ""), refused);
    assert_eq!(judge_purely(straks, &straks.body(), at, "production", ""), []);
    // Abroad an account number is what the other country makes of it.
    for product in [Product::CrossBorder, Product::NorwegianCrossBorder] {
        let account = json!({"bban": wrong(PAYEE_ACCOUNT), "currency": "EUR"});
        refusing.assert(product, &changed(product, &[("/creditorAccount", account)]), &[]);
    }
}

// What the bank's systems carry.

#[test]
fn the_repertoire_is_a_policy() {
    let texts = [
        "Ola Nordmann /-?:().,'+",
        "Åse & Sønn ÿ",
        "Łukasz €",
        "日本",
        "\u{1F600}",
        "a\u{202E}b",
        "x\ny",
        "a\u{AD}",
    ];
    for (policy, carried) in [
        ("swift-x", [true, false, false, false, false, false, false, false]),
        ("iso-8859-1", [true, true, false, false, false, false, false, false]),
        ("bmp", [true, true, true, true, false, false, false, false]),
    ] {
        let bench = Bench::under(&json!({"repertoire": policy}).to_string());
        for (text, is_carried) in texts.iter().zip(carried) {
            for pointer in [
                "/creditorName",
                "/remittanceInformationUnstructured",
                "/creditorAddress/street",
                "/ultimateDebtor",
            ] {
                let expected = if is_carried { vec![] } else { vec![error("BOD-07", pointer)] };
                for product in Product::at_home() {
                    bench.assert(product, &changed(product, &[(pointer, json!(text))]), &expected);
                }
            }
        }
    }
}

#[test]
fn an_unknown_product_or_service_has_one_finding() {
    let judge = |service: &str, product: &str| {
        let list = xs2a::tools::validate_payment(service, product, b"{}", None, "sandbox", &[]).unwrap();
        list.into_iter().map(|message| (message.category, message.code)).collect::<Vec<_>>()
    };
    assert_eq!(judge("payments", "no-such-product"), [("ERROR", "PRODUCT_UNKNOWN")]);
    assert_eq!(judge("periodic-payments", "sepa-credit-transfers"), [("ERROR", "PRODUCT_INVALID")]);
    assert_eq!(judge("bulk-payments", "cross-border-credit-transfers"), [("ERROR", "PRODUCT_INVALID")]);
    assert_eq!(judge("presents", "norwegian-cross-border-credit-transfers"), [("ERROR", "NOT_FOUND")]);
    assert!(xs2a::tools::validate_payment("payments", "x", b"", None, "staging", &[]).is_err());
}

#[test]
fn no_more_faults_are_reported_than_an_answer_holds() {
    let unheard_of: Vec<String> = (0..101).map(|number| format!("fix-{number}")).collect();
    let listed = |fixes: &[String]| {
        let fixes: Vec<&str> = fixes.iter().map(String::as_str).collect();
        let product = "norwegian-cross-border-credit-transfers";
        xs2a::tools::validate_payment("payments", product, b"{", None, "sandbox", &fixes).unwrap().len()
    };
    assert_eq!([99, 100, 101].map(|count| listed(&unheard_of[..count])), [100, 100, 100]);
    assert_eq!(listed(&unheard_of[..98]), 99);
}
