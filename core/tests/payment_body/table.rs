//! The members of a payment's body and what each may hold.

use serde_json::{json, Value};

use crate::bench::{remove, Product};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Presence {
    Required,
    Optional,
    /// A member that another takes the place of.
    OneOf,
}
use Presence::{OneOf, Optional, Required};

pub(crate) enum Kind {
    Object,
    Array,
    /// Text of at most this many characters; and whether it travels over SWIFT.
    Text(usize, Swift),
    /// Values that are taken, and values that are not, each with its row.
    Listed(&'static [&'static str], &'static [(&'static str, &'static str)]),
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Swift {
    Yes,
    No,
}

pub(crate) struct Row {
    pub(crate) pointer: &'static str,
    pub(crate) presence: Presence,
    pub(crate) kind: Kind,
    pub(crate) products: &'static [Product],
    /// What the body must have beside the member.
    pub(crate) beside: fn(&mut Value),
}

pub(crate) const BOTH: &[Product] = &Product::ALL;
pub(crate) const ABROAD: &[Product] = &[Product::CrossBorder];
pub(crate) const HOME: &[Product] = &[Product::Straks];

pub(crate) const CURRENCIES: Kind = Kind::Listed(
    &["NOK"],
    &[
        ("", "CUR-01"),
        ("nok", "CUR-01"),
        ("NO", "CUR-01"),
        ("NOKK", "CUR-01"),
        ("XXX", "CUR-01"),
        ("SLE", "CUR-01"),
        ("578", "CUR-01"),
    ],
);
pub(crate) const ANY_BBAN: Kind = Kind::Listed(
    &["1", "GB29NWBK601613", "123456789012345678901234567890", "95 36.05 73002"],
    &[
        ("", "ACC-01"),
        (" . ", "ACC-01"),
        ("1234567890123456789012345678901", "ACC-01"),
        ("12-34", "ACC-01"),
        ("Å1", "ACC-01"),
        ("1\n2", "ACC-01"),
    ],
);
pub(crate) const NORWEGIAN_BBAN: Kind = Kind::Listed(
    &["95360573037", "9536.05.73037", "9536 05 73037"],
    &[
        ("", "ACC-01"),
        ("1234567890123456789012345678901", "ACC-01"),
        ("9536-05-73037", "ACC-01"),
        ("9536057303", "ACC-02"),
        ("953605730371", "ACC-02"),
        ("NO0395360573037", "ACC-02"),
        ("9536057303A", "ACC-02"),
    ],
);

pub(crate) fn nothing(_: &mut Value) {}

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = objects();
    rows.extend(texts());
    rows.extend(references());
    rows.extend(codes());
    rows.extend(numbers());
    rows
}

pub(crate) fn row(
    pointer: &'static str,
    presence: Presence,
    kind: Kind,
    products: &'static [Product],
) -> Row {
    Row { pointer, presence, kind, products, beside: nothing }
}

pub(crate) fn objects() -> Vec<Row> {
    vec![
        row("/instructedAmount", Required, Kind::Object, BOTH),
        row("/creditorAccount", Required, Kind::Object, BOTH),
        row("/creditorAddress", Required, Kind::Object, BOTH),
        row("/debtorAccount", Required, Kind::Object, BOTH),
        Row { beside: card, ..row("/debtorAccount/other", OneOf, Kind::Object, BOTH) },
        Row { beside: single, ..row("/remittanceInformationStructured", Optional, Kind::Object, BOTH) },
        Row { beside: array, ..row("/remittanceInformationStructuredArray", Optional, Kind::Array, BOTH) },
        Row { beside: array, ..row("/remittanceInformationStructuredArray/1", OneOf, Kind::Object, BOTH) },
    ]
}

pub(crate) fn texts() -> Vec<Row> {
    let text = |chars| Kind::Text(chars, Swift::Yes);
    vec![
        row("/creditorName", Required, text(70), BOTH),
        row("/ultimateDebtor", Optional, text(70), BOTH),
        row("/creditorAddress/street", Optional, text(70), BOTH),
        row("/creditorAddress/buildingNumber", Optional, text(70), BOTH),
        row("/creditorAddress/postalCode", Optional, text(70), BOTH),
        row("/creditorAddress/townName", OneOf, text(70), BOTH),
        row("/remittanceInformationUnstructured", Optional, text(140), BOTH),
        row("/regulatoryReportingCode", Optional, Kind::Text(10, Swift::No), ABROAD),
        row("/regulatoryReportingInformation", Optional, text(140), ABROAD),
        Row {
            beside: card,
            ..row("/debtorAccount/other/identification", Required, Kind::Text(35, Swift::No), BOTH)
        },
    ]
}

pub(crate) fn references() -> Vec<Row> {
    let reference = |pointer, presence, swift, beside| Row {
        beside,
        ..row(pointer, presence, Kind::Text(35, swift), BOTH)
    };
    vec![
        reference(
            "/remittanceInformationStructured/reference",
            Required,
            Swift::Yes,
            single as fn(&mut Value),
        ),
        reference("/remittanceInformationStructured/referenceIssuer", Optional, Swift::No, single),
        reference("/remittanceInformationStructuredArray/0/reference", Required, Swift::Yes, array),
        reference("/remittanceInformationStructuredArray/1/reference", Required, Swift::Yes, array),
        reference("/remittanceInformationStructuredArray/1/referenceIssuer", Optional, Swift::No, array),
    ]
}

pub(crate) fn codes() -> Vec<Row> {
    const PURPOSES: &[&str] = &[
        "INVS", "SALA", "IDCP", "CASH", "CORT", "INTC", "PENS", "SSBE", "SUPP", "TAXS", "TREA", "VATX",
        "LOAN", "OTHR",
    ];
    vec![
        row("/instructedAmount/currency", Required, CURRENCIES, BOTH),
        row("/creditorAccount/currency", Required, CURRENCIES, BOTH),
        row("/debtorAccount/currency", Required, CURRENCIES, BOTH),
        row(
            "/creditorAddress/country",
            Required,
            Kind::Listed(
                &["NO", "DE", "AF", "ZW"],
                &[
                    ("", "CTY-01"),
                    ("no", "CTY-01"),
                    ("NOR", "CTY-01"),
                    ("XX", "CTY-01"),
                    ("XK", "CTY-01"),
                    ("EU", "CTY-01"),
                ],
            ),
            BOTH,
        ),
        row(
            "/purposeCode",
            Optional,
            Kind::Listed(
                PURPOSES,
                &[("", "BOD-08"), ("othr", "BOD-08"), ("GIFT", "BOD-08"), ("OTHR ", "BOD-08")],
            ),
            BOTH,
        ),
        row(
            "/serviceLevel",
            Optional,
            Kind::Listed(
                &["NURG", "URGP", "SDVA"],
                &[("", "BOD-08"), ("SEPA", "BOD-08"), ("urgp", "BOD-08")],
            ),
            ABROAD,
        ),
        Row {
            beside: card,
            ..row(
                "/debtorAccount/other/schemeNameProprietary",
                Required,
                Kind::Listed(
                    &["creditCardAccount"],
                    &[("", "BOD-08"), ("CREDITCARDACCOUNT", "BOD-08"), ("card", "BOD-08")],
                ),
                BOTH,
            )
        },
    ]
}

pub(crate) fn numbers() -> Vec<Row> {
    vec![
        row("/creditorAccount/bban", Required, NORWEGIAN_BBAN, HOME),
        Row { beside: bban_abroad, ..row("/creditorAccount/bban", OneOf, ANY_BBAN, ABROAD) },
        row("/debtorAccount/bban", OneOf, NORWEGIAN_BBAN, HOME),
        row("/debtorAccount/bban", OneOf, ANY_BBAN, ABROAD),
        row(
            "/creditorAccount/iban",
            OneOf,
            Kind::Listed(
                &["DE89370400440532013000", "de89 3704 0044 0532 0130 00", "NO9386011117947"],
                &[
                    ("", "ACC-04"),
                    ("DE8937040044053201300", "ACC-04"),
                    ("DE893704004405320130000", "ACC-04"),
                    ("ZZ89370400440532013000", "ACC-04"),
                    ("DE89-3704-0044-0532-0130-00", "ACC-04"),
                    ("DE88370400440532013000", "ACC-05"),
                    ("NO9386011117948", "ACC-05"),
                ],
            ),
            ABROAD,
        ),
        row(
            "/creditorAgent",
            Required,
            Kind::Listed(
                &["DEUTDEFF", "DEUTDEFFXXX", "DNBANOKK123"],
                &[
                    ("", "BIC-01"),
                    ("DEUTDEF", "BIC-01"),
                    ("DEUTDEFFX", "BIC-01"),
                    ("deutdeff", "BIC-01"),
                    ("DEUTDE0F", "BIC-01"),
                    ("DEUTDEFO", "BIC-01"),
                    ("DEUTDEFF XX", "BIC-01"),
                    ("DEUTDEFFXXXX", "BIC-01"),
                ],
            ),
            ABROAD,
        ),
    ]
}

pub(crate) fn card(body: &mut Value) {
    body["debtorAccount"] = json!({
        "other": {"identification": "95360573029", "schemeNameProprietary": "creditCardAccount"},
        "currency": "NOK",
    });
}

pub(crate) fn single(body: &mut Value) {
    remove(body, "/remittanceInformationUnstructured");
    body["remittanceInformationStructured"] =
        json!({"reference": "2007", "referenceType": "CINV", "referenceIssuer": "BITS"});
}

pub(crate) fn array(body: &mut Value) {
    remove(body, "/remittanceInformationUnstructured");
    body["remittanceInformationStructuredArray"] = json!([
        {"reference": "2007", "referenceType": "CINV"},
        {"reference": "2008", "referenceType": "CINV", "referenceIssuer": "BITS"},
    ]);
}

pub(crate) fn bban_abroad(body: &mut Value) {
    body["creditorAccount"] = json!({"bban": "12345", "currency": "EUR"});
}
