//! Presence, type, length, characters and codes of every member in the table.

use serde_json::{json, Value};

use crate::payment_body::bench::{changed, error, remove, set, warning, Bench, Found, Product};
use crate::payment_body::table::{
    rows, Kind,
    Presence::{OneOf, Optional, Required},
    Row, Swift, DATED, EMPTY_IS_ABSENT,
};

/// Runs a check for every row of the table and each of its products, on a sound body.
fn for_each(check: impl Fn(&Bench, Product, &Row, Value)) {
    for row in rows() {
        // Of its own: what is compared after each refusal stays small.
        let bench = Bench::new();
        for product in row.products {
            let mut body = product.body();
            (row.beside)(&mut body);
            bench.assert(*product, &body, &[]);
            check(&bench, *product, &row, body);
        }
    }
}

#[test]
fn a_missing_required_member_is_an_error_and_an_optional_one_is_not() {
    for_each(|bench, product, row, mut body| {
        remove(&mut body, row.pointer);
        match row.presence {
            Required => bench.assert(product, &body, &[error("BOD-01", row.pointer)]),
            Optional => bench.assert(product, &body, &[]),
            OneOf => {}
        }
    });
}

#[test]
fn null_is_absent_for_an_optional_member_and_an_error_for_a_required() {
    for_each(|bench, product, row, mut body| {
        set(&mut body, row.pointer, Value::Null);
        match row.presence {
            Required => bench.assert(product, &body, &[error(wrong_type(&row.kind), row.pointer)]),
            Optional => bench.assert(product, &body, &[]),
            OneOf => {}
        }
    });
}

#[test]
fn a_value_of_another_type_is_named_by_the_type_that_is_wanted() {
    for_each(|bench, product, row, body| {
        let others = [
            json!(7),
            json!(-0.5),
            json!(true),
            json!("text"),
            json!([]),
            json!(["text"]),
            json!({}),
            json!({"a": 1}),
        ];
        for other in others {
            let fits = match row.kind {
                Kind::Object => other.is_object(),
                Kind::Array => other.is_array(),
                Kind::Text(..) | Kind::Listed(..) => other.is_string(),
            };
            if !fits {
                let mut body = body.clone();
                set(&mut body, row.pointer, other);
                bench.assert(product, &body, &[error(wrong_type(&row.kind), row.pointer)]);
            }
        }
    });
}

fn wrong_type(kind: &Kind) -> &'static str {
    match kind {
        Kind::Object => "BOD-03",
        Kind::Array => "BOD-04",
        Kind::Text(..) | Kind::Listed(..) => "BOD-02",
    }
}

#[test]
fn a_text_has_up_to_its_limit_of_characters_that_the_bank_carries() {
    for_each(|bench, product, row, body| {
        let Kind::Text(chars_max, swift) = row.kind else { return };
        let judge = |text: String, expected: &[Found]| {
            let mut body = body.clone();
            set(&mut body, row.pointer, text);
            bench.assert(product, &body, expected);
        };
        let changed_on_its_way: &[Found] = match (product.is_domestic(), swift) {
            (false, Swift::Yes) => &[warning("WRN-04", row.pointer)],
            _ => &[],
        };
        judge("x".to_owned(), &[]);
        judge("x".repeat(chars_max), &[]);
        judge("å".repeat(chars_max), changed_on_its_way);
        judge("a & b".to_owned(), changed_on_its_way);
        judge(" x ".to_owned(), &[]);
        match (EMPTY_IS_ABSENT.contains(&row.pointer), row.presence) {
            (false, _) => judge(String::new(), &[error("BOD-05", row.pointer)]),
            (true, OneOf) if !product.is_domestic() => judge(String::new(), &[error("ADR-01", row.pointer)]),
            (true, _) => judge(String::new(), &[]),
        }
        judge("x".repeat(chars_max + 1), &[error("BOD-06", row.pointer)]);
        judge("å".repeat(chars_max + 1), &[error("BOD-06", row.pointer)]);
        for outside in
            ["\u{1F600}", "x\ny", "\t", "\0", "Ł", "\u{20AC}", "\u{80}", "\u{9F}", "\u{7F}", "a\u{202E}"]
        {
            judge(outside.to_owned(), &[error("BOD-07", row.pointer)]);
        }
    });
}

#[test]
fn a_value_is_one_of_those_that_are_taken() {
    for_each(|bench, product, row, body| {
        let Kind::Listed(good, bad) = &row.kind else { return };
        let with = |value: &str| {
            let mut body = body.clone();
            if row.pointer == "/creditorAccount/iban" {
                remove(&mut body, "/creditorAccount/bban");
            }
            set(&mut body, row.pointer, value);
            body
        };
        for value in *good {
            bench.assert(product, &with(value), &[]);
        }
        for (value, id) in *bad {
            bench.assert(product, &with(value), &[error(id, row.pointer)]);
        }
    });
}

#[test]
fn members_of_other_products_are_unknown() {
    let bench = Bench::new();
    let schedule = ["startDate", "endDate", "executionRule", "frequency", "dayOfExecution"];
    for product in Product::ALL {
        let abroad = !product.is_domestic();
        let mut unknown = vec!["chargeBearer"];
        unknown.extend(schedule.iter().filter(|_| product != Product::Periodic));
        let others = [
            ("creditorAgent", abroad),
            ("serviceLevel", abroad && product != Product::Sepa),
            ("regulatoryReportingCode", abroad && product != Product::CrossBorder),
            ("regulatoryReportingInformation", abroad && product != Product::CrossBorder),
            ("requestedExecutionDate", DATED.contains(&product)),
            ("paymentInformationId", product == Product::Bulk),
            ("payments", product == Product::Bulk),
        ];
        unknown.extend(others.iter().filter(|(_, is_known)| !is_known).map(|(name, _)| *name));
        for member in unknown {
            let pointer = format!("/{member}");
            let body = changed(product, &[(&pointer, json!({"any": ["thing"]}))]);
            bench.assert(product, &body, &[warning("WRN-01", &pointer)]);
        }
    }
}

#[test]
fn the_other_way_to_name_an_account_is_unknown_where_there_is_but_one() {
    let bench = Bench::new();
    for product in Product::ALL {
        let ibans: &[&str] = match product {
            _ if product.is_domestic() => &["/creditorAccount/iban", "/debtorAccount/iban"],
            Product::Sepa => &[],
            _ => &["/debtorAccount/iban"],
        };
        for pointer in ibans {
            let body = changed(product, &[(pointer, json!("NO9386011117947"))]);
            bench.assert(product, &body, &[warning("WRN-01", pointer)]);
        }
    }
    let bban = changed(Product::Sepa, &[("/creditorAccount/bban", json!("12345"))]);
    bench.assert(Product::Sepa, &bban, &[warning("WRN-01", "/creditorAccount/bban")]);
}

#[test]
fn an_account_is_named_in_exactly_one_way() {
    let bench = Bench::new();
    let other = json!({"identification": "95360573029", "schemeNameProprietary": "creditCardAccount"});
    for product in Product::ALL {
        let both = changed(product, &[("/debtorAccount/other", other.clone())]);
        bench.assert(product, &both, &[error("BOD-09", "/debtorAccount")]);
        let mut neither = product.body();
        remove(&mut neither, "/debtorAccount/bban");
        bench.assert(product, &neither, &[error("BOD-10", "/debtorAccount")]);
        set(&mut neither, "/debtorAccount/bban", Value::Null);
        bench.assert(product, &neither, &[error("BOD-10", "/debtorAccount")]);
        let empty_card =
            changed(product, &[("/debtorAccount/bban", Value::Null), ("/debtorAccount/other", json!({}))]);
        bench.assert(
            product,
            &empty_card,
            &[
                error("BOD-01", "/debtorAccount/other/identification"),
                error("BOD-01", "/debtorAccount/other/schemeNameProprietary"),
            ],
        );
    }
    let paid_from = |account: Value| changed(Product::Sepa, &[("/debtorAccount", account)]);
    let both = paid_from(json!({"bban": "95360573002", "iban": "NO9386011117947", "currency": "NOK"}));
    bench.assert(Product::Sepa, &both, &[error("BOD-09", "/debtorAccount")]);
    for product in [Product::CrossBorder, Product::NorwegianCrossBorder] {
        let abroad = |account: Value| changed(product, &[("/creditorAccount", account)]);
        let both = abroad(json!({"bban": "12345", "iban": "DE89370400440532013000", "currency": "EUR"}));
        bench.assert(product, &both, &[error("BOD-09", "/creditorAccount")]);
        let neither = abroad(json!({"currency": "EUR"}));
        bench.assert(product, &neither, &[error("BOD-10", "/creditorAccount")]);
        let faulty = abroad(json!({"iban": 7, "bban": null, "currency": "EUR"}));
        bench.assert(product, &faulty, &[error("BOD-02", "/creditorAccount/iban")]);
    }
}

#[test]
fn two_account_identifications_are_reported_beside_other_faults() {
    let bench = Bench::new();
    for product in Product::ALL {
        let account = json!({"bban": 7, "other": {}, "currency": "kr"});
        let expected = [
            error("BOD-02", "/debtorAccount/bban"),
            error("BOD-01", "/debtorAccount/other/identification"),
            error("BOD-01", "/debtorAccount/other/schemeNameProprietary"),
            error("CUR-01", "/debtorAccount/currency"),
            error("BOD-09", "/debtorAccount"),
        ];
        bench.assert(product, &changed(product, &[("/debtorAccount", account)]), &expected);
    }
    for product in [Product::CrossBorder, Product::NorwegianCrossBorder] {
        let account = json!({"bban": "12-34", "iban": "DE88370400440532013000"});
        let expected = [
            error("ACC-01", "/creditorAccount/bban"),
            error("ACC-05", "/creditorAccount/iban"),
            error("BOD-01", "/creditorAccount/currency"),
            error("BOD-09", "/creditorAccount"),
        ];
        bench.assert(product, &changed(product, &[("/creditorAccount", account)]), &expected);
    }
}

#[test]
fn an_account_number_is_judged_beside_a_faulty_or_missing_currency() {
    let bench = Bench::new();
    for product in Product::ALL.into_iter().filter(|product| product.is_domestic()) {
        for pointer in ["/creditorAccount", "/debtorAccount"] {
            let (bban, currency) = (format!("{pointer}/bban"), format!("{pointer}/currency"));
            let judge = |account: Value, expected: &[Found]| {
                bench.assert(product, &changed(product, &[(pointer, account)]), expected);
            };
            judge(
                json!({"bban": "12", "currency": "kr"}),
                &[error("CUR-01", &currency), error("ACC-02", &bban)],
            );
            judge(json!({"bban": "12"}), &[error("BOD-01", &currency), error("ACC-02", &bban)]);
            judge(json!({"bban": "12", "currency": "NOK"}), &[error("ACC-02", &bban)]);
            judge(
                json!({"bban": "12-34", "currency": "kr"}),
                &[error("ACC-01", &bban), error("CUR-01", &currency)],
            );
        }
    }
}

#[test]
fn an_empty_object_lacks_every_member_it_must_have() {
    let bench = Bench::new();
    for product in Product::ALL {
        let missing = |pointer: &str| error("BOD-01", pointer);
        let judge = |pointer: &str, value: Value, expected: &[Found]| {
            let mut body = changed(product, &[("/remittanceInformationUnstructured", Value::Null)]);
            set(&mut body, pointer, value);
            bench.assert(product, &body, expected);
        };
        let creditor = match product {
            Product::Sepa => vec![missing("/creditorAccount/iban"), missing("/creditorAccount/currency")],
            _ if product.is_domestic() => {
                vec![missing("/creditorAccount/bban"), missing("/creditorAccount/currency")]
            }
            _ => vec![missing("/creditorAccount/currency"), error("BOD-10", "/creditorAccount")],
        };
        judge("/creditorAccount", json!({}), &creditor);
        let debtor = [missing("/debtorAccount/currency"), error("BOD-10", "/debtorAccount")];
        judge("/debtorAccount", json!({}), &debtor);
        let sum = [missing("/instructedAmount/amount"), missing("/instructedAmount/currency")];
        judge("/instructedAmount", json!({}), &sum);
        let single = "/remittanceInformationStructured";
        judge(single, json!({}), &[missing("/remittanceInformationStructured/reference")]);
        let array = "/remittanceInformationStructuredArray";
        judge(array, json!([{}]), &[missing("/remittanceInformationStructuredArray/0/reference")]);
    }
}

#[test]
fn remittance_information_has_one_form() {
    let bench = Bench::new();
    let forms = [
        ("/remittanceInformationUnstructured", json!("Invoice 1001")),
        ("/remittanceInformationStructured", json!({"reference": "2007", "referenceType": "CINV"})),
        ("/remittanceInformationStructuredArray", json!([{"reference": "2007", "referenceType": "CINV"}])),
    ];
    for product in Product::ALL {
        for set_forms in 0_usize..8 {
            let chosen = |index: usize| set_forms & (1 << index) != 0;
            let changes: Vec<_> = forms
                .iter()
                .enumerate()
                .map(|(index, (pointer, value))| {
                    (*pointer, if chosen(index) { value.clone() } else { Value::Null })
                })
                .collect();
            let mut beyond_the_first = (0..3).filter(|index| chosen(*index)).skip(1);
            let expected: Vec<_> =
                beyond_the_first.next().map(|second| error("BOD-09", forms[second].0)).into_iter().collect();
            bench.assert(product, &changed(product, &changes), &expected);
        }
        let none = changed(
            product,
            &[("/remittanceInformationStructuredArray", json!([])), (forms[0].0, Value::Null)],
        );
        bench.assert(product, &none, &[]);
    }
}

#[test]
fn all_faults_of_a_body_come_in_one_answer_each_with_its_pointer() {
    let bench = Bench::new();
    let body = changed(
        Product::Straks,
        &[
            ("/instructedAmount", json!({"amount": "1", "currency": "NOK"})),
            ("/creditorName", json!("")),
            ("/creditorAccount", json!({"bban": "12", "currency": "kr"})),
            ("/creditorAddress", json!({"street": 7, "townName": "Oslo", "city": "Bergen"})),
            ("/debtorAccount", json!("95360573002")),
            ("/purposeCode", json!("GIFT")),
            ("/remittanceInformationStructured", json!({"reference": ""})),
            ("/comment", json!(null)),
        ],
    );
    let expected = [
        error("AMT-03", "/instructedAmount/amount"),
        error("BOD-05", "/creditorName"),
        error("CUR-01", "/creditorAccount/currency"),
        error("BOD-02", "/creditorAddress/street"),
        error("BOD-01", "/creditorAddress/country"),
        error("ADR-02", "/creditorAddress/city"),
        error("BOD-03", "/debtorAccount"),
        error("BOD-08", "/purposeCode"),
        error("BOD-05", "/remittanceInformationStructured/reference"),
        error("BOD-09", "/remittanceInformationStructured"),
        error("ACC-02", "/creditorAccount/bban"),
        warning("WRN-01", "/comment"),
    ];
    bench.assert(Product::Straks, &body, &expected);
}
