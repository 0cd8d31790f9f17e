//! The spelling of amounts.

use serde_json::json;

use crate::payment_body::bench::{changed, error, Bench, Found, Product};

const AMOUNT: &str = "/instructedAmount/amount";

fn judge(bench: &Bench, amount: &str, currency: &str, expected: &[Found]) {
    for product in Product::ALL {
        // SEPA takes euro alone, which has as many fraction digits as the krone.
        let currency = match (product, currency) {
            (Product::Sepa, "NOK") => "EUR",
            (Product::Sepa, _) => continue,
            _ => currency,
        };
        let mut changes = vec![("/instructedAmount", json!({"amount": amount, "currency": currency}))];
        if product == Product::NorwegianCrossBorder {
            // Large sums are reported.
            changes.push(("/regulatoryReportingCode", json!("14")));
            changes.push(("/regulatoryReportingInformation", json!("Goods")));
        }
        bench.assert(product, &changed(product, &changes), expected);
    }
}

#[test]
fn only_plain_decimal_digits_are_an_amount() {
    let bench = Bench::new();
    for amount in [
        "",
        " ",
        "-1",
        "-1.00",
        "+1.00",
        "1e3",
        "1E3",
        "1.0e2",
        "01.00",
        "00.50",
        "1.",
        ".5",
        ".",
        "1,00",
        "1 000.00",
        "1_000.00",
        "1.00 ",
        " 1.00",
        "1.0.0",
        "0x10",
        "NaN",
        "Infinity",
        "٣.٠٠",
        "１.００",
        "½",
        "1.00\n",
        "NOK 1.00",
        "1'000.00",
    ] {
        judge(&bench, amount, "NOK", &[error("AMT-01", AMOUNT)]);
    }
}

#[test]
fn an_amount_is_greater_than_zero() {
    let bench = Bench::new();
    for (amount, currency) in
        [("0", "NOK"), ("0.00", "NOK"), ("0.000", "NOK"), ("0", "JPY"), ("0.000", "KWD")]
    {
        judge(&bench, amount, currency, &[error("AMT-02", AMOUNT)]);
    }
    for (amount, currency) in [("0.01", "NOK"), ("1", "JPY"), ("0.001", "KWD"), ("0.00001", "XDR")] {
        judge(&bench, amount, currency, &[]);
    }
}

#[test]
fn the_fraction_digits_are_those_of_the_currency() {
    let bench = Bench::new();
    for (amount, currency) in [
        ("1", "NOK"),
        ("1.2", "NOK"),
        ("1.234", "NOK"),
        ("1.5", "JPY"),
        ("1.00", "JPY"),
        ("1.00", "KWD"),
        ("1.0000", "KWD"),
        ("1", "GGP"),
        ("1.00", "BYR"),
        ("1.000001", "XDR"),
        ("1.00", "ISK"),
        ("1.00", "BIF"),
    ] {
        judge(&bench, amount, currency, &[error("AMT-03", AMOUNT)]);
    }
    for (amount, currency) in [
        ("1.23", "NOK"),
        ("1", "JPY"),
        ("1.000", "KWD"),
        ("1.00", "GGP"),
        ("1.00", "IMP"),
        ("1.00", "JEP"),
        ("1.00", "SPL"),
        ("1.00", "TVD"),
        ("1", "BYR"),
        ("1", "XDR"),
        ("1.00000", "XDR"),
        ("1", "ISK"),
        ("1.000", "BHD"),
        ("1.00", "ZWD"),
    ] {
        judge(&bench, amount, currency, &[]);
    }
}

#[test]
fn thirteen_digits_before_the_point_are_valid_and_fourteen_are_not() {
    let bench = Bench::new();
    for (amount, currency) in
        [("9999999999999.99", "NOK"), ("9999999999999", "JPY"), ("9999999999999.99999", "XDR")]
    {
        judge(&bench, amount, currency, &[]);
    }
    for (amount, currency) in
        [("10000000000000.00", "NOK"), ("10000000000000", "JPY"), ("10000000000000.00000", "XDR")]
    {
        judge(&bench, amount, currency, &[error("AMT-04", AMOUNT)]);
    }
}

#[test]
fn eighteen_digits_with_five_decimals_are_valid_nineteen_never() {
    let bench = Bench::new();
    judge(&bench, "1234567890123.45678", "XDR", &[]);
    for (amount, currency, id) in [
        ("12345678901234.56789", "XDR", "AMT-04"),
        ("1234567890123.456789", "XDR", "AMT-03"),
        // Eighteen and nineteen digits of other currencies, whole and with their fraction.
        ("123456789012345678", "JPY", "AMT-04"),
        ("1234567890123456789", "JPY", "AMT-04"),
        ("123456789012345678", "NOK", "AMT-03"),
        ("1234567890123456789", "NOK", "AMT-03"),
        ("1234567890123456.78", "NOK", "AMT-04"),
        ("12345678901234567.89", "NOK", "AMT-04"),
        ("123456789012345.678", "KWD", "AMT-04"),
        ("1234567890123456.789", "KWD", "AMT-04"),
    ] {
        judge(&bench, amount, currency, &[error(id, AMOUNT)]);
    }
}

#[test]
fn an_amount_is_a_string_and_is_judged_as_far_as_its_currency_is_known() {
    let bench = Bench::new();
    for product in Product::ALL {
        for number in [json!(250.00), json!(250), json!(-1), json!(null)] {
            let body = changed(product, &[(AMOUNT, number)]);
            bench.assert(product, &body, &[error("BOD-02", AMOUNT)]);
        }
        // Without a currency nothing can be said of how many digits there are, and all of their form.
        let unknown = || error("CUR-01", "/instructedAmount/currency");
        for (amount, expected) in [
            ("1.2.3", vec![unknown(), error("AMT-01", AMOUNT)]),
            ("-1", vec![unknown(), error("AMT-01", AMOUNT)]),
            ("0", vec![unknown(), error("AMT-02", AMOUNT)]),
            ("0.000000", vec![unknown(), error("AMT-02", AMOUNT)]),
            ("1.234567", vec![unknown()]),
            ("1234567890123456789", vec![unknown()]),
        ] {
            let sum = json!({"amount": amount, "currency": "XXX"});
            bench.assert(product, &changed(product, &[("/instructedAmount", sum)]), &expected);
        }
        let body = changed(product, &[("/instructedAmount", json!({}))]);
        bench.assert(
            product,
            &body,
            &[error("BOD-01", AMOUNT), error("BOD-01", "/instructedAmount/currency")],
        );
    }
}
