//! What the engine keeps: payments and baskets, authorisations, sessions, consents, the names of PSUs.

use chrono::{Datelike, NaiveDate};

use super::form::{Form, COUNT, ROW, SUM};
use super::row_rules;
use super::table::{has, may, Column, Link, Table};
use super::texts::{BRAND, SESSION_ID};
use crate::audit::kind::AuditKind;
use crate::basket::machine::BasketState;
use crate::consent::record::ConsentEnd;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Product;
use crate::reason::Language;
use crate::sca::machine::ScaStatus;
use crate::statistics::record::CallEnd;
use crate::store::sqlite::{authorisation, basket, payment};
use crate::store::BlockedKind;
use crate::types::{
    AccountId, AuthorisationId, BasketId, Context, Currency, CustomerId, IdentityNumber, PaymentId,
    RedirectUri, RequestId,
};

pub(super) const ID: Form = Form::Known(|text| AccountId::parse(text).is_some(), "an id");
pub(super) const CURRENCY: Form =
    Form::Known(|text| Currency::parse(text).is_ok(), "a currency, such as NOK");
pub(super) const DAY: Form = Form::Known(is_day, "a date YYYY-MM-DD");
pub(super) const PRODUCT: Form =
    Form::Known(|text| Product::of_path(text).is_some(), "a service and a product with a slash between");
const STATUS: Form =
    Form::Known(|text| PaymentStatus::parse(text).is_some(), "a status of a payment, such as RCVD");
const CONTEXT: Form = Form::Known(|text| Context::parse(text).is_ok(), "PRIVATE or CORPORATE");
const IDENTITY: Form = Form::Known(|text| IdentityNumber::parse(text).is_ok(), "11 digits");
const REQUEST_ID: Form =
    Form::Known(|text| RequestId::parse(text).is_some_and(|id| id.as_str() == text), "an id of a call");
const IDS: Form = Form::Words(|text| PaymentId::parse(text).is_some(), "ids");

/// How often a row was changed; the upper half of the range is left for later changes.
const VERSION: Form = Form::Number(1, i32::MAX as i64);
/// A TPP by the organisation identifier in its certificate, without any check.
const TPP: Form = Form::Text;
/// The sandbox's bank knows persons and companies by the ids of its customers.
const CUSTOMER: Form = ID;
/// As [`CUSTOMER`]; empty in the private context.
const CUSTOMER_OR_NONE: Form =
    Form::Known(|text| text.is_empty() || CustomerId::parse(text).is_some(), "an id, or empty");
/// Words of this library's own, which no rule holds to a form: each version may have others.
const WORDS: Form = Form::Text;

/// Every table of the engine, parents before children.
pub(super) const ENGINE: &[Table] = &[
    Table::new("usedRequestIds", "used_request_id", "tpp, request_id", USED_REQUEST_ID),
    Table::new("payments", "payment", "number", PAYMENT)
        .checked(row_rules::payment)
        .deriving("duplicate_fingerprint", row_rules::duplicate_fingerprint)
        .proven(|connection, id| {
            let Some(id) = PaymentId::parse(id) else { return Ok(false) };
            payment::find(connection, &id).map(|found| found.is_some())
        }),
    Table::new("paymentEvents", "event", "payment, number", EVENT),
    Table::new("orders", "outbox", "number", OUTBOX),
    Table::new("audit", "audit", "at, number", AUDIT),
    Table::new("baskets", "basket", "id", BASKET).proven(|connection, id| {
        let Some(id) = BasketId::parse(id) else { return Ok(false) };
        basket::find(connection, &id).map(|found| found.is_some())
    }),
    Table::new("authorisations", "authorisation", "id", AUTHORISATION).proven(|connection, id| {
        let Some(id) = AuthorisationId::parse(id) else { return Ok(false) };
        authorisation::find(connection, &id).map(|found| found.is_some())
    }),
    Table::new("psuIds", "psu_id", "tpp, psu_id", PSU_ID),
    Table::new("corporateIds", "corporate_id", "tpp, corporate_id", CORPORATE_ID),
    Table::new("corporatePsus", "corporate_psu", "tpp, corporate_id, psu", CORPORATE_PSU),
    Table::new("sessions", "sca_session", "tpp, id", SESSION).checked(row_rules::acting_psu),
    Table::new("consents", "consent", "number", CONSENT).checked(row_rules::consent),
    Table::new("consentAccounts", "consent_account", "consent, kind, account", CONSENT_ACCOUNT),
    Table::new("blocked", "blocked", "kind, subject", BLOCKED).checked(row_rules::blocked),
    Table::new("callCounts", "call_count", "day, tpp, operation, ended", CALL_COUNT),
    Table::new("outages", "outage", "began_at", OUTAGE).checked(row_rules::outage),
    Table::new("accessCounts", "access_count", "tpp, psu, account, operation, day", ACCESS_COUNT),
];

const USED_REQUEST_ID: &[Column] = &[
    has("tpp", "tpp", TPP),
    has("request_id", "requestId", REQUEST_ID),
    has("used_at", "usedAt", Form::Time),
];

const PAYMENT: &[Column] = &[
    has("number", "number", ROW),
    has("id", "id", ID),
    has("version", "version", VERSION),
    has("tpp", "tpp", TPP),
    has("product", "product", PRODUCT),
    may("psu", "psu", CUSTOMER),
    may("context", "context", CONTEXT),
    may("corporate", "corporate", CUSTOMER),
    has("transfer", "order", Form::Order),
    has("fee", "fee", Form::Money("fee_currency")),
    has("fee_currency", "feeCurrency", CURRENCY),
    has("status", "status", STATUS),
    may("funds", "fundsAvailable", Form::Flag),
    may("authorised_at", "authorisedAt", Form::Time),
    has("created_at", "createdAt", Form::Time),
    has("duplicate_fingerprint", "duplicateFingerprint", Form::Hex(32)),
    may("basket", "basket", ID).linked(Link::Row("basket", "id")),
    may("identity", "identity", IDENTITY),
    may("on_hold", "onHold", WORDS),
];

const EVENT: &[Column] = &[
    has("payment", "payment", ID).linked(Link::NumberOf("payment")),
    has("number", "number", ROW),
    has("at", "at", Form::Time),
    has("from_status", "from", STATUS),
    has("to_status", "to", STATUS),
    has("cause", "cause", WORDS),
];

const OUTBOX: &[Column] = &[
    has("number", "number", ROW),
    has("payment_id", "payment", ID),
    has("attempts", "attempts", COUNT),
    has("due_at", "dueAt", Form::Time),
    has("faults", "faults", COUNT),
    may("dead_letter_at", "deadLetterAt", Form::Time),
    may("dead_letter_reason", "deadLetterReason", WORDS),
    may("cancellation_requested", "cancellationRequested", Form::Flag),
];

const AUDIT: &[Column] = &[
    has("at", "at", Form::Time),
    has("number", "number", ROW),
    has("kind", "kind", Form::Known(|text| AuditKind::parse(text).is_some(), "a kind of line of the audit")),
    may("subject", "subject", WORDS),
    may("tpp", "tpp", TPP),
    may("psu", "psu", CUSTOMER),
    may("context", "context", CONTEXT),
    may("corporate", "corporate", CUSTOMER),
    has("cause", "cause", WORDS),
    may("request_id", "requestId", REQUEST_ID),
    may("details", "details", WORDS),
];

const BASKET: &[Column] = &[
    has("id", "id", ID),
    has("version", "version", VERSION),
    has("tpp", "tpp", TPP),
    has("payments", "payments", IDS).linked(Link::Row("payment", "id")),
    has("psu", "psu", CUSTOMER),
    has("context", "context", CONTEXT),
    may("corporate", "corporate", CUSTOMER),
    has(
        "state",
        "state",
        Form::Known(|text| BasketState::parse(text).is_some(), "open, authorised or deleted"),
    ),
    has("created_at", "createdAt", Form::Time),
];

const AUTHORISATION: &[Column] = &[
    has("id", "id", ID),
    has("version", "version", VERSION),
    has("tpp", "tpp", TPP),
    // Held against what it is for when the row is read.
    has("purpose", "purpose", Form::Text),
    may("payment_id", "payment", ID),
    may("basket_id", "basket", ID),
    has(
        "redirect_uri",
        "redirectUri",
        Form::Known(|text| RedirectUri::parse(text).is_ok(), "a redirect URI"),
    ),
    has("session_id", "session", SESSION_ID),
    may("psu", "psu", CUSTOMER),
    may("identity", "identity", IDENTITY),
    may("context", "context", CONTEXT),
    may("corporate", "corporate", CUSTOMER),
    has("language", "language", Form::Known(is_language, "a language, such as en")),
    has("created_at", "createdAt", Form::Time),
    has(
        "status",
        "status",
        Form::Known(|text| ScaStatus::parse(text).is_some(), "a status of an authorisation"),
    ),
    may("brand", "brand", BRAND),
    may("tpp_name", "tppName", WORDS),
    has("psu_language", "psuLanguage", Form::Known(is_language, "a language, such as en")),
    has("redirect_preferred", "redirectPreferred", Form::Flag),
];

const PSU_ID: &[Column] =
    &[has("tpp", "tpp", TPP), has("psu_id", "psuId", Form::Uuid), has("psu", "psu", CUSTOMER)];

const CORPORATE_ID: &[Column] = &[
    has("tpp", "tpp", TPP),
    has("corporate_id", "corporateId", Form::Uuid),
    has("corporate", "corporate", CUSTOMER),
];

const CORPORATE_PSU: &[Column] =
    &[has("tpp", "tpp", TPP), has("corporate_id", "corporateId", Form::Uuid), has("psu", "psu", CUSTOMER)];

const SESSION: &[Column] = &[
    has("tpp", "tpp", TPP),
    has("id", "id", SESSION_ID),
    has("psu", "psu", CUSTOMER),
    has("context", "context", CONTEXT),
    has("corporate", "corporate", CUSTOMER_OR_NONE),
    has("opened_at", "openedAt", Form::Time),
    has("first_sca", "firstSca", ID),
    may("replaced_after", "replacedAfter", ID),
];

const CONSENT: &[Column] = &[
    has("number", "number", ROW),
    has("tpp", "tpp", TPP),
    has("psu", "psu", CUSTOMER),
    has("context", "context", CONTEXT),
    has("corporate", "corporate", CUSTOMER_OR_NONE),
    may("tpp_name", "tppName", WORDS),
    has("granted_at", "grantedAt", Form::Time),
    may("last_access_at", "lastAccessAt", Form::Time),
    may("ended_at", "endedAt", Form::Time),
    may(
        "ended_why",
        "endedWhy",
        Form::Known(|text| ConsentEnd::parse(text).is_some(), "revoked or replaced"),
    ),
];

const CONSENT_ACCOUNT: &[Column] = &[
    has("consent", "consent", ROW),
    has("kind", "kind", Form::Known(|text| matches!(text, "account" | "card"), "account or card")),
    has("account", "account", ID),
];

const BLOCKED: &[Column] = &[
    has("kind", "kind", Form::Known(|text| BlockedKind::parse(text).is_some(), "tpp or certificate")),
    has("subject", "subject", Form::Text),
    has("since", "since", Form::Time),
    may("ends_at", "endsAt", Form::Time),
    has("why", "why", WORDS),
];

const ACCESS_COUNT: &[Column] = &[
    has("tpp", "tpp", TPP),
    has("psu", "psu", CUSTOMER),
    has("account", "account", ID),
    has("operation", "operation", WORDS),
    has("day", "day", DAY),
    has("calls", "calls", COUNT),
];

const CALL_COUNT: &[Column] = &[
    has("day", "day", DAY),
    has("tpp", "tpp", TPP),
    has("operation", "operation", WORDS),
    has("ended", "ended", Form::Known(|text| CallEnd::parse(text).is_some(), "answered, refused or failed")),
    has("calls", "calls", SUM),
    has("micros", "micros", SUM),
];

const OUTAGE: &[Column] = &[has("began_at", "beganAt", Form::Time), has("ended_at", "endedAt", Form::Time)];

fn is_language(text: &str) -> bool {
    Language::of_tag(text).is_some()
}

/// The last hour of the calendar of a sandbox's clock, which is in UTC, is in the year 10000 in Oslo.
fn is_day(text: &str) -> bool {
    text.parse::<NaiveDate>().is_ok_and(|day| day.to_string() == text && (1..=10_000).contains(&day.year()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_lie_in_the_calendar_of_a_sandbox() {
        for day in ["0001-01-01", "2026-02-28", "9999-12-31", "+10000-01-01"] {
            assert!(is_day(day), "{day}");
        }
        for text in
            ["0000-12-31", "-0001-01-01", "+10001-01-01", "+9999-12-31", "2026-02-29", "2026-2-28", ""]
        {
            assert!(!is_day(text), "{text}");
        }
    }
}
