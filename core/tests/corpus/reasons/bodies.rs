//! The body as JSON and as a request: errors, and the rows that warn.

use serde_json::{json, Value};
use xs2a::policy::Environment;
use xs2a::reason::Case::{
    BodyEmpty, MemberMisplaced, NumberTooLarge, OneFractionDigit, SurrogateUnpaired, TextBlank,
    ValueNotTheOne,
};

use crate::reasons::case::{refused, warned, Asker, Case, Earned};
use crate::reasons::seams::Seams;
use crate::world::draft::Draft;
use crate::world::{cross_border, products, straks, CROSS_BORDER, STRAKS};

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = as_json();
    cases.extend(as_request());
    cases.extend(amounts());
    cases.extend(accounts());
    cases.extend(rules());
    cases.extend(dates_and_bulks());
    cases.extend(warnings());
    cases
}

fn as_json() -> Vec<Case> {
    vec![
        refused("JSN-01", |ask| raw(ask, b"{\"\xFF\":1}")).saying(&["3"]),
        refused("JSN-02", |ask| raw(ask, b"{\n  'a': 1}")).saying(&["2", "3"]),
        refused("JSN-02", |ask| raw(ask, b"")).in_case(BodyEmpty),
        refused("JSN-02", |ask| raw(ask, b"[1e309]")).in_case(NumberTooLarge).saying(&["1", "6"]),
        refused("JSN-02", |ask| raw(ask, br#"["\ud800"]"#)).in_case(SurrogateUnpaired).saying(&["1", "9"]),
        refused("JSN-03", |ask| raw(ask, "[".repeat(33).as_bytes())).saying(&["32"]),
        refused("JSN-04", |ask| {
            let twice = straks().to_string().replacen('{', "{\"creditorName\":\"Testodius To\",", 1);
            raw(ask, twice.as_bytes())
        })
        .at("/creditorName"),
    ]
}

fn as_request() -> Vec<Case> {
    vec![
        refused("BOD-01", |ask| {
            changed(ask, |body| {
                body.as_object_mut().unwrap().remove("creditorName");
            })
        })
        .at("/creditorName"),
        refused("BOD-02", |ask| changed(ask, |body| body["creditorName"] = json!(7))).at("/creditorName"),
        refused("BOD-03", |ask| changed(ask, |body| body["creditorAddress"] = json!("Oslo, NO")))
            .at("/creditorAddress"),
        refused("BOD-03", |ask| raw(ask, b"[]")),
        refused("BOD-04", |ask| {
            changed(ask, |body| {
                body["remittanceInformationUnstructured"] = Value::Null;
                body["remittanceInformationStructuredArray"] = json!({"reference": "1"});
            })
        })
        .at("/remittanceInformationStructuredArray"),
        refused("BOD-05", |ask| changed(ask, |body| body["creditorName"] = json!(""))).at("/creditorName"),
        refused("BOD-05", |ask| changed(ask, |body| body["creditorName"] = json!(" \u{a0}")))
            .at("/creditorName")
            .in_case(TextBlank),
        refused("BOD-06", |ask| changed(ask, |body| body["creditorName"] = json!("n".repeat(71))))
            .at("/creditorName")
            .saying(&["70", "71"]),
        refused("BOD-07", |ask| changed(ask, |body| body["creditorName"] = json!("Ås 😀")))
            .at("/creditorName")
            .saying(&["4", "1F600"]),
        refused("BOD-08", |ask| changed(ask, |body| body["purposeCode"] = json!("GIFT")))
            .at("/purposeCode")
            .saying(&["CASH, CORT, IDCP, INTC, INVS, LOAN, OTHR, PENS, SALA, SSBE, SUPP, TAXS, TREA, VATX"]),
        refused("BOD-08", |ask| {
            let mut body = products::sepa();
            body["instructedAmount"]["currency"] = json!("NOK");
            ask.refused(Draft::creation(products::SEPA, &body))
        })
        .at("/instructedAmount/currency")
        .in_case(ValueNotTheOne)
        .saying(&["EUR"]),
        refused("BOD-08", |ask| {
            let card = json!({"identification": "95360573029", "schemeNameProprietary": "card"});
            let mut body = straks();
            body["debtorAccount"] = json!({"other": card, "currency": "NOK"});
            ask.refused(Draft::creation(STRAKS, &body))
        })
        .at("/debtorAccount/other/schemeNameProprietary")
        .in_case(ValueNotTheOne)
        .saying(&["creditCardAccount"]),
        refused("BOD-09", |ask| changed(ask, |body| body["payments"] = json!([1])))
            .in_case(MemberMisplaced)
            .at("/payments")
            .saying(&["payments"]),
        refused("BOD-09", |ask| {
            changed(ask, |body| {
                body["remittanceInformationStructured"] = json!({"reference": "X", "referenceType": "CINV"});
            })
        })
        .at("/remittanceInformationStructured")
        .saying(&["remittanceInformationUnstructured, remittanceInformationStructured, \
                  remittanceInformationStructuredArray"]),
        refused("BOD-10", |ask| changed(ask, |body| body["debtorAccount"] = json!({"currency": "NOK"})))
            .at("/debtorAccount")
            .saying(&["bban, other"]),
    ]
}

fn amounts() -> Vec<Case> {
    let amount = "/instructedAmount/amount";
    vec![
        refused("AMT-01", |ask| changed(ask, |body| body["instructedAmount"]["amount"] = json!("1e3")))
            .at(amount),
        refused("AMT-02", |ask| changed(ask, |body| body["instructedAmount"]["amount"] = json!("0.00")))
            .at(amount),
        refused("AMT-03", |ask| changed(ask, |body| body["instructedAmount"]["amount"] = json!("1.234")))
            .at(amount)
            .saying(&["NOK", "2", "3"]),
        refused("AMT-03", |ask| changed(ask, |body| body["instructedAmount"]["amount"] = json!("1.5")))
            .at(amount)
            .in_case(OneFractionDigit)
            .saying(&["NOK", "2"]),
        refused("AMT-04", |ask| {
            changed(ask, |body| body["instructedAmount"]["amount"] = json!("10000000000000.00"))
        })
        .at(amount)
        .saying(&["13"]),
        refused("CUR-01", |ask| changed(ask, |body| body["instructedAmount"]["currency"] = json!("nok")))
            .at("/instructedAmount/currency"),
    ]
}

fn accounts() -> Vec<Case> {
    let creditor = "/creditorAccount/bban";
    vec![
        refused("ACC-01", |ask| {
            abroad(ask, |body| {
                body["creditorAccount"] = json!({"bban": "1".repeat(31), "currency": "EUR"});
            })
        })
        .at(creditor)
        .saying(&["30"]),
        refused("ACC-02", |ask| changed(ask, |body| body["creditorAccount"]["bban"] = json!("9536057303")))
            .at(creditor),
        refused("ACC-03", |ask| {
            let policy = r#"{"account_check_digit":"refuse"}"#;
            changed(&ask.under(policy), |body| body["creditorAccount"]["bban"] = json!("95360573038"))
        })
        .at(creditor),
        // What production does of its own accord.
        refused("ACC-03", |ask| {
            let seams = Seams::new(ask);
            let engine = seams.engine_in(Environment::Production, |builder| builder);
            let mut body = straks();
            body["creditorAccount"]["bban"] = json!("95360573038");
            ask.refused_by(&engine, &seams.database, Draft::creation(STRAKS, &body))
        })
        .at(creditor),
        warned("ACC-03", |ask| taken(ask, |body| body["creditorAccount"]["bban"] = json!("95360573038")))
            .at(creditor),
        refused("ACC-04", |ask| {
            abroad(ask, |body| body["creditorAccount"]["iban"] = json!("DE8937040044053201300"))
        })
        .at("/creditorAccount/iban"),
        refused("ACC-05", |ask| {
            abroad(ask, |body| body["creditorAccount"]["iban"] = json!("DE88370400440532013000"))
        })
        .at("/creditorAccount/iban"),
        refused("BIC-01", |ask| abroad(ask, |body| body["creditorAgent"] = json!("DEUTDEF")))
            .at("/creditorAgent"),
    ]
}

fn rules() -> Vec<Case> {
    let town = "/creditorAddress/townName";
    let reference = "/remittanceInformationStructured/reference";
    vec![
        refused("CTY-01", |ask| changed(ask, |body| body["creditorAddress"]["country"] = json!("XX")))
            .at("/creditorAddress/country"),
        refused("ADR-01", |ask| abroad(ask, |body| body["creditorAddress"] = json!({"country": "DE"})))
            .at(town)
            .saying(&["townName"]),
        warned("ADR-01", |ask| {
            let ask = ask.under(r#"{"structured_addresses_from":"2026-09-02"}"#);
            ask.warned(Draft::creation(CROSS_BORDER, &without_town()))
        })
        .at(town)
        .saying(&["townName"]),
        refused("ADR-02", |ask| changed(ask, |body| body["creditorAddress"]["city"] = json!("Bergen")))
            .at("/creditorAddress/city"),
        refused("REG-01", |ask| {
            abroad(ask, |body| {
                body["instructedAmount"] = json!({"amount": "100000.00", "currency": "NOK"});
                body["regulatoryReportingCode"] = json!("14");
            })
        })
        .at("/regulatoryReportingInformation")
        .saying(&["100000"]),
        refused("KID-01", |ask| changed(ask, |body| body["creditorAccount"]["bban"] = json!("91351631959")))
            .at(reference),
        refused("KID-02", |ask| changed(ask, |body| set_reference(body, "12345"))).at(reference),
        refused("KID-03", |ask| {
            changed(ask, |body| {
                body["creditorAccount"]["bban"] = json!("91351631959");
                set_reference(body, "1230");
            })
        })
        .at(reference)
        .saying(&["10", "5", "25"]),
    ]
}

fn dates_and_bulks() -> Vec<Case> {
    vec![
        refused("BLK-01", |ask| ask.refused(Draft::creation(products::BULK, &products::bulk(0))))
            .at("/payments")
            .saying(&["1000", "0"]),
        refused("BLK-01", |ask| ask.refused(Draft::creation(products::BULK, &products::bulk(1001))))
            .at("/payments")
            .saying(&["1000", "1001"]),
        refused("DAY-01", |ask| by_schedule(ask, "startDate", "1.10.2026")).at("/startDate"),
        refused("DAY-02", |ask| by_schedule(ask, "startDate", "2026-08-31"))
            .at("/startDate")
            .saying(&["2026-09-01", "2027-09-01"]),
        refused("DAY-02", |ask| {
            let mut body = straks();
            body["requestedExecutionDate"] = "2027-09-02".into();
            ask.refused(Draft::creation(products::DOMESTIC, &body))
        })
        .at("/requestedExecutionDate")
        .saying(&["2026-09-01", "2027-09-01"]),
        refused("DAY-03", |ask| by_schedule(ask, "endDate", "2026-09-30")).at("/endDate"),
    ]
}

fn warnings() -> Vec<Case> {
    vec![
        warned("WRN-01", |ask| taken(ask, |body| body["creditorAddress"]["floor"] = json!(3)))
            .at("/creditorAddress/floor"),
        warned("WRN-02", |ask| {
            taken(ask, |body| body["creditorAddress"] = json!({"city": "Oslo", "country": "NO"}))
        })
        .at("/creditorAddress/city"),
        warned("WRN-03", |ask| {
            let names = "longer-names, no-such-change, structured-addresses";
            ask.warned(Draft::creation(STRAKS, &straks()).with("x-accept-fix", names))
        })
        .at("x-accept-fix")
        .saying(&["no-such-change"]),
        warned("WRN-04", |ask| {
            let mut body = cross_border();
            body["creditorName"] = json!("Fiktiv Håndel");
            ask.warned(Draft::creation(CROSS_BORDER, &body))
        })
        .at("/creditorName")
        .saying(&["9", "00E5"]),
    ]
}

fn without_town() -> Value {
    let mut body = cross_border();
    body["creditorAddress"] = json!({"country": "DE"});
    body
}

fn by_schedule(ask: &Asker, name: &str, value: &str) -> Earned {
    let mut body = products::periodic();
    body[name] = value.into();
    ask.refused(Draft::creation(products::PERIODIC, &body))
}

fn set_reference(body: &mut Value, reference: &str) {
    body.as_object_mut().unwrap().remove("remittanceInformationUnstructured");
    body["remittanceInformationStructured"] = json!({"reference": reference});
}

fn raw(ask: &Asker, bytes: &[u8]) -> Earned {
    ask.refused(Draft::raw_creation(STRAKS, bytes))
}

fn changed(ask: &Asker, change: fn(&mut Value)) -> Earned {
    let mut body = straks();
    change(&mut body);
    ask.refused(Draft::creation(STRAKS, &body))
}

fn abroad(ask: &Asker, change: fn(&mut Value)) -> Earned {
    let mut body = cross_border();
    change(&mut body);
    ask.refused(Draft::creation(CROSS_BORDER, &body))
}

fn taken(ask: &Asker, change: fn(&mut Value)) -> Earned {
    let mut body = straks();
    change(&mut body);
    ask.warned(Draft::creation(STRAKS, &body))
}
