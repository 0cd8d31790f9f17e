//! The members of a payment's body and what each may hold.

use serde_json::{json, Value};

use crate::payment_body::bench::{remove, Product};

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

pub(crate) const EVERY: &[Product] = &Product::ALL;
pub(crate) const HOME: &[Product] =
    &[Product::Domestic, Product::Instant, Product::Straks, Product::Periodic, Product::Bulk];
pub(crate) const SEPA: &[Product] = &[Product::Sepa];
pub(crate) const ABROAD: &[Product] = &[Product::CrossBorder, Product::NorwegianCrossBorder];
/// All that take an address as a required member.
const ADDRESSED: &[Product] = &[
    Product::Domestic,
    Product::Instant,
    Product::Straks,
    Product::CrossBorder,
    Product::NorwegianCrossBorder,
    Product::Periodic,
    Product::Bulk,
];
const NOT_SEPA: &[Product] = ADDRESSED;
const REPORTED: &[Product] = &[Product::Sepa, Product::NorwegianCrossBorder];
pub(crate) const DATED: &[Product] =
    &[Product::Domestic, Product::Sepa, Product::CrossBorder, Product::NorwegianCrossBorder, Product::Bulk];
pub(crate) const PERIODIC: &[Product] = &[Product::Periodic];

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

/// The texts of which an empty one counts as absent; the others must hold something.
pub(crate) const EMPTY_IS_ABSENT: [&str; 9] = [
    "/ultimateDebtor",
    "/creditorAddress/street",
    "/creditorAddress/buildingNumber",
    "/creditorAddress/postalCode",
    "/creditorAddress/townName",
    "/remittanceInformationStructured/referenceType",
    "/remittanceInformationStructured/referenceIssuer",
    "/remittanceInformationStructuredArray/1/referenceType",
    "/remittanceInformationStructuredArray/1/referenceIssuer",
];

pub(crate) fn nothing(_: &mut Value) {}

pub(crate) fn rows() -> Vec<Row> {
    let mut rows = objects();
    rows.extend(texts());
    rows.extend(references());
    rows.extend(codes());
    rows.extend(numbers());
    rows.extend(schedules());
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
        row("/instructedAmount", Required, Kind::Object, EVERY),
        row("/creditorAccount", Required, Kind::Object, EVERY),
        row("/creditorAddress", Required, Kind::Object, ADDRESSED),
        // From the day in force on nothing may be left out of it.
        row("/creditorAddress", OneOf, Kind::Object, SEPA),
        row("/debtorAccount", Required, Kind::Object, EVERY),
        Row { beside: card, ..row("/debtorAccount/other", OneOf, Kind::Object, EVERY) },
        Row { beside: single, ..row("/remittanceInformationStructured", Optional, Kind::Object, EVERY) },
        Row { beside: array, ..row("/remittanceInformationStructuredArray", Optional, Kind::Array, EVERY) },
        Row { beside: array, ..row("/remittanceInformationStructuredArray/1", OneOf, Kind::Object, EVERY) },
    ]
}

pub(crate) fn texts() -> Vec<Row> {
    let text = |chars| Kind::Text(chars, Swift::Yes);
    vec![
        row("/creditorName", Required, text(70), EVERY),
        row("/ultimateDebtor", Optional, text(70), EVERY),
        row("/creditorAddress/street", Optional, text(70), EVERY),
        row("/creditorAddress/buildingNumber", Optional, text(70), EVERY),
        row("/creditorAddress/postalCode", Optional, text(70), EVERY),
        row("/creditorAddress/townName", OneOf, text(70), EVERY),
        row("/remittanceInformationUnstructured", Optional, text(140), EVERY),
        row("/regulatoryReportingCode", Optional, Kind::Text(10, Swift::Yes), REPORTED),
        row("/regulatoryReportingInformation", Optional, text(140), REPORTED),
        row("/paymentInformationId", Optional, Kind::Text(35, Swift::No), &[Product::Bulk]),
        Row {
            beside: card,
            ..row("/debtorAccount/other/identification", Required, Kind::Text(35, Swift::No), EVERY)
        },
    ]
}

pub(crate) fn references() -> Vec<Row> {
    let reference = |pointer, presence, swift, beside| Row {
        beside,
        ..row(pointer, presence, Kind::Text(35, swift), EVERY)
    };
    vec![
        reference(
            "/remittanceInformationStructured/reference",
            Required,
            Swift::Yes,
            single as fn(&mut Value),
        ),
        // Without a type, and of type SCOR, the reference would be a KID: here it is one.
        reference("/remittanceInformationStructured/referenceType", Optional, Swift::Yes, single_kid),
        reference("/remittanceInformationStructured/referenceIssuer", Optional, Swift::Yes, single),
        reference("/remittanceInformationStructuredArray/0/reference", Required, Swift::Yes, array),
        reference("/remittanceInformationStructuredArray/1/reference", Required, Swift::Yes, array),
        reference("/remittanceInformationStructuredArray/1/referenceType", Optional, Swift::Yes, array_kid),
        reference("/remittanceInformationStructuredArray/1/referenceIssuer", Optional, Swift::Yes, array),
    ]
}

pub(crate) fn codes() -> Vec<Row> {
    const PURPOSES: &[&str] = &[
        "INVS", "SALA", "IDCP", "CASH", "CORT", "INTC", "PENS", "SSBE", "SUPP", "TAXS", "TREA", "VATX",
        "LOAN", "OTHR",
    ];
    vec![
        row("/instructedAmount/currency", Required, CURRENCIES, NOT_SEPA),
        row(
            "/instructedAmount/currency",
            Required,
            Kind::Listed(
                &["EUR"],
                &[("", "CUR-01"), ("eur", "CUR-01"), ("NOK", "BOD-08"), ("SEK", "BOD-08")],
            ),
            SEPA,
        ),
        row("/creditorAccount/currency", Required, CURRENCIES, EVERY),
        row("/debtorAccount/currency", Required, CURRENCIES, EVERY),
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
            EVERY,
        ),
        row(
            "/purposeCode",
            Optional,
            Kind::Listed(
                PURPOSES,
                &[("", "BOD-08"), ("othr", "BOD-08"), ("GIFT", "BOD-08"), ("OTHR ", "BOD-08")],
            ),
            EVERY,
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
                EVERY,
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
        row("/debtorAccount/bban", OneOf, ANY_BBAN, SEPA),
        row("/creditorAccount/iban", OneOf, IBANS, ABROAD),
        row("/creditorAccount/iban", Required, IBANS, SEPA),
        Row { beside: iban_debtor, ..row("/debtorAccount/iban", OneOf, IBANS, SEPA) },
        row("/creditorAgent", Required, BICS, ABROAD),
        row("/creditorAgent", Optional, BICS, SEPA),
    ]
}

const IBANS: Kind = Kind::Listed(
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
);

const BICS: Kind = Kind::Listed(
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
);

/// The days a payment may be dated on 2026-09-01.
const DATES: Kind = Kind::Listed(
    &["2026-09-01", "2026-09-02", "2027-02-28", "2027-09-01"],
    &[
        ("", "DAY-01"),
        ("2026-9-2", "DAY-01"),
        ("20260902", "DAY-01"),
        ("02.09.2026", "DAY-01"),
        ("2027-02-29", "DAY-01"),
        ("2026-09-02T10:00:00Z", "DAY-01"),
        ("2026-08-31", "DAY-02"),
        ("2027-09-02", "DAY-02"),
        ("0000-01-01", "DAY-01"),
        ("0001-01-01", "DAY-02"),
        ("9999-12-31", "DAY-02"),
    ],
);

pub(crate) fn schedules() -> Vec<Row> {
    let listed = |pointer, presence, good, bad| row(pointer, presence, Kind::Listed(good, bad), PERIODIC);
    vec![
        row("/requestedExecutionDate", Optional, DATES, DATED),
        row("/startDate", Required, DATES, PERIODIC),
        // The start is 2026-10-01.
        listed(
            "/endDate",
            Optional,
            &["2026-10-01", "2026-10-02", "2028-02-29", "9999-12-31"],
            &[("", "DAY-01"), ("2027-02-29", "DAY-01"), ("2026-09-30", "DAY-03"), ("2020-01-01", "DAY-03")],
        ),
        listed(
            "/frequency",
            Required,
            &[
                "Daily",
                "Weekly",
                "EveryTwoWeeks",
                "Monthly",
                "EveryTwoMonths",
                "Quarterly",
                "SemiAnnual",
                "Annual",
                "MonthlyVariable",
            ],
            &[("", "BOD-08"), ("monthly", "BOD-08"), ("Yearly", "BOD-08"), ("Monthly ", "BOD-08")],
        ),
        listed(
            "/executionRule",
            Optional,
            &["following", "preceding", "preceeding"],
            &[("", "BOD-08"), ("Following", "BOD-08"), ("latest", "BOD-08")],
        ),
        listed(
            "/dayOfExecution",
            Optional,
            &["1", "9", "10", "28", "30", "31"],
            &[("", "BOD-08"), ("0", "BOD-08"), ("01", "BOD-08"), ("32", "BOD-08"), ("-1", "BOD-08")],
        ),
    ]
}

pub(crate) fn iban_debtor(body: &mut Value) {
    body["debtorAccount"] = json!({"iban": "NO9386011117947", "currency": "NOK"});
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

pub(crate) fn single_kid(body: &mut Value) {
    single(body);
    body["remittanceInformationStructured"]["reference"] = json!("12344");
}

pub(crate) fn array_kid(body: &mut Value) {
    array(body);
    body["remittanceInformationStructuredArray"][1]["reference"] = json!("12344");
}

pub(crate) fn bban_abroad(body: &mut Value) {
    body["creditorAccount"] = json!({"bban": "12345", "currency": "EUR"});
}
