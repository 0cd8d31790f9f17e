//! What the engine keeps: payments and baskets, authorisations, sessions, consents, the names of PSUs.

use super::form::{Form, COUNT, ROW};
use super::table::{has, may, Column, Link, Table};
use super::whole_row;
use crate::audit::kind::AuditKind;
use crate::basket::machine::BasketState;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::product::Product;
use crate::reason::Language;
use crate::sca::machine::ScaStatus;
use crate::store::sqlite::{authorisation, basket, payment};
use crate::types::{
    AccountId, AuthorisationId, BasketId, Context, Currency, IdentityNumber, PaymentId, RedirectUri,
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
const IDS: Form = Form::Words(|text| PaymentId::parse(text).is_some(), "ids");

/// Every table of the engine, parents before children.
pub(super) const ENGINE: &[Table] = &[
    Table::new("facts", "meta", "key", FACT).only("key <> 'sandbox clock'"),
    Table::new("usedRequestIds", "used_request_id", "tpp, request_id", USED_REQUEST_ID),
    Table::new("payments", "payment", "number", PAYMENT)
        .checked(whole_row::payment)
        .deriving("likeness", whole_row::likeness_of_payment)
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
    Table::new("sessions", "sca_session", "tpp, id", SESSION),
    Table::new("consents", "consent", "number", CONSENT),
    Table::new("consentAccounts", "consent_account", "consent, kind, account", CONSENT_ACCOUNT),
    Table::new("accessCounts", "access_count", "tpp, psu, account, operation, day", ACCESS_COUNT),
];

const FACT: &[Column] = &[has("key", "key", Form::Text), has("value", "value", Form::Fact)];

const USED_REQUEST_ID: &[Column] = &[
    has("tpp", "tpp", Form::Text),
    has("request_id", "requestId", Form::Uuid),
    has("used_at", "usedAt", Form::Time),
];

const PAYMENT: &[Column] = &[
    has("number", "number", ROW),
    has("id", "id", ID),
    has("version", "version", COUNT),
    has("tpp", "tpp", Form::Text),
    has("product", "product", PRODUCT),
    may("psu", "psu", Form::Text),
    may("context", "context", CONTEXT),
    may("corporate", "corporate", Form::Text),
    has("transfer", "order", Form::Order),
    has("fee", "fee", Form::Money("fee_currency")),
    has("fee_currency", "feeCurrency", CURRENCY),
    has("status", "status", STATUS),
    may("funds", "fundsAvailable", Form::Flag),
    may("authorised_at", "authorisedAt", Form::Time),
    has("created_at", "createdAt", Form::Time),
    has("likeness", "likeness", Form::Hex(32)),
    may("basket", "basket", ID).linked(Link::Id("basket")),
    may("identity", "identity", IDENTITY),
];

const EVENT: &[Column] = &[
    has("payment", "payment", ID).linked(Link::NumberOf("payment")),
    has("number", "number", ROW),
    has("at", "at", Form::Time),
    has("from_status", "from", STATUS),
    has("to_status", "to", STATUS),
    has("cause", "cause", Form::Text),
];

const OUTBOX: &[Column] = &[
    has("number", "number", ROW),
    has("payment_id", "payment", ID),
    has("attempts", "attempts", COUNT),
    has("due_at", "dueAt", Form::Time),
    has("faults", "faults", COUNT),
    may("set_aside_at", "setAsideAt", Form::Time),
    may("why", "why", Form::Text),
];

const AUDIT: &[Column] = &[
    has("at", "at", Form::Time),
    has("number", "number", ROW),
    has("kind", "kind", Form::Known(|text| AuditKind::parse(text).is_some(), "a kind of line of the audit")),
    may("subject", "subject", Form::Text),
    may("tpp", "tpp", Form::Text),
    may("psu", "psu", Form::Text),
    may("context", "context", CONTEXT),
    may("corporate", "corporate", Form::Text),
    has("cause", "cause", Form::Text),
    may("request_id", "requestId", Form::Uuid),
    may("details", "details", Form::Text),
];

const BASKET: &[Column] = &[
    has("id", "id", ID),
    has("version", "version", COUNT),
    has("tpp", "tpp", Form::Text),
    has("payments", "payments", IDS).linked(Link::Id("payment")),
    has("psu", "psu", Form::Text),
    has("context", "context", CONTEXT),
    may("corporate", "corporate", Form::Text),
    has(
        "state",
        "state",
        Form::Known(|text| BasketState::parse(text).is_some(), "open, authorised or deleted"),
    ),
    has("created_at", "createdAt", Form::Time),
];

const AUTHORISATION: &[Column] = &[
    has("id", "id", ID),
    has("version", "version", COUNT),
    has("tpp", "tpp", Form::Text),
    has("purpose", "purpose", Form::Text),
    may("payment_id", "payment", ID),
    may("basket_id", "basket", ID).linked(Link::Id("basket")),
    has(
        "redirect_uri",
        "redirectUri",
        Form::Known(|text| RedirectUri::parse(text).is_ok(), "a redirect URI"),
    ),
    has("session_id", "session", Form::Text),
    may("psu", "psu", Form::Text),
    may("identity", "identity", IDENTITY),
    may("context", "context", CONTEXT),
    may("corporate", "corporate", Form::Text),
    has("language", "language", Form::Known(is_language, "a language, such as en")),
    has("created_at", "createdAt", Form::Time),
    has(
        "status",
        "status",
        Form::Known(|text| ScaStatus::parse(text).is_some(), "a status of an authorisation"),
    ),
    may("brand", "brand", Form::Text),
];

const PSU_ID: &[Column] =
    &[has("tpp", "tpp", Form::Text), has("psu_id", "psuId", Form::Uuid), has("psu", "psu", Form::Text)];

const CORPORATE_ID: &[Column] = &[
    has("tpp", "tpp", Form::Text),
    has("corporate_id", "corporateId", Form::Uuid),
    has("corporate", "corporate", Form::Text),
];

const CORPORATE_PSU: &[Column] = &[
    has("tpp", "tpp", Form::Text),
    has("corporate_id", "corporateId", Form::Uuid),
    has("psu", "psu", Form::Text),
];

const SESSION: &[Column] = &[
    has("tpp", "tpp", Form::Text),
    has("id", "id", Form::Text),
    has("psu", "psu", Form::Text),
    has("context", "context", CONTEXT),
    has("corporate", "corporate", Form::Text),
    has("opened_at", "openedAt", Form::Time),
    has("replaced", "replaced", Form::Flag),
];

const CONSENT: &[Column] = &[
    has("number", "number", ROW),
    has("tpp", "tpp", Form::Text),
    has("psu", "psu", Form::Text),
    has("context", "context", CONTEXT),
    has("corporate", "corporate", Form::Text),
    has("granted_at", "grantedAt", Form::Time),
    has("revoked", "revoked", Form::Flag),
];

const CONSENT_ACCOUNT: &[Column] = &[
    has("consent", "consent", ROW),
    has("kind", "kind", Form::Known(|text| matches!(text, "account" | "card"), "account or card")),
    has("account", "account", ID),
];

const ACCESS_COUNT: &[Column] = &[
    has("tpp", "tpp", Form::Text),
    has("psu", "psu", Form::Text),
    has("account", "account", Form::Text),
    has("operation", "operation", Form::Text),
    has("day", "day", DAY),
    has("calls", "calls", COUNT),
];

fn is_language(text: &str) -> bool {
    Language::of_tag(text).is_some()
}

fn is_day(text: &str) -> bool {
    text.parse::<chrono::NaiveDate>().is_ok_and(|day| day.to_string() == text)
}
