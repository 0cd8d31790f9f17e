//! What the simulated bank keeps: customers and what they own, what was booked and ordered, who may call.

use rusqlite::{Connection, Result};
use rust_decimal::Decimal;

use super::engine_tables::{CURRENCY, DAY, ID, PRODUCT};
use super::form::{Form, COUNT, ROW};
use super::row_rules;
use super::table::{has, may, Column, Link, Table};
use super::texts::{
    BANK_TRANSACTION_CODE, CODE, COUNTRY, NAME, NAME_OR_NONE, REFERENCE, REMITTANCE, TPP_NAME,
};
use crate::store::sqlite::sandbox::{
    Books, CardStatus, CustomerNumber, CustomerType, EntryOutcome, OrderState, Role, CLOCK, SCHEMA_VERSION,
};
use crate::types::{Bban, Bic, Iban, PaymentId};

const BBAN: Form =
    Form::Known(|text| Bban::parse(text).is_ok_and(|bban| bban.as_str() == text), "an account number");
const IBAN: Form = Form::Known(|text| Iban::parse(text).is_ok_and(|iban| iban.as_str() == text), "an IBAN");
const BIC: Form = Form::Known(|text| Bic::parse(text).is_ok(), "a BIC");
const LIMIT: Form = Form::Number(0, i32::MAX as i64);

/// Every table of the bank, parents before children.
pub(super) const BANK: &[Table] = &[
    Table::new("tpps", "sandbox_tpp", "number", TPP).checked(row_rules::tpp),
    Table::new("trustAnchors", "sandbox_trust_anchor", "number", TRUST_ANCHOR),
    Table::new("customers", "sandbox_customer", "number", CUSTOMER),
    Table::new("scaDemands", "sandbox_sca_demand", "person", SCA_DEMAND),
    Table::new("accounts", "sandbox_account", "number", ACCOUNT)
        .checked(row_rules::account)
        .whole(
            is_one_kind_of_account,
            "must have account numbers, or else be a card account, with a row in cardAccounts",
        )
        .with_rest_in("sandbox_card_account", "account"),
    Table::new("cardAccounts", "sandbox_card_account", "account", CARD_ACCOUNT),
    Table::new("kidAgreements", "sandbox_kid_agreement", "account", KID_AGREEMENT),
    Table::new("agreements", "sandbox_agreement", "number", AGREEMENT),
    Table::new("engagements", "sandbox_engagement", "number", ENGAGEMENT),
    Table::new("transactions", "sandbox_transaction", "number", TRANSACTION).checked(row_rules::transaction),
    Table::new("cardTransactions", "sandbox_card_transaction", "line", CARD_TRANSACTION),
    Table::new("cardAuthorisations", "sandbox_authorisation", "number", AUTHORISATION)
        .checked(row_rules::card_authorisation),
    Table::new("ownNames", "sandbox_own_name", "line", OWN_NAME),
    Table::new("balanceChanges", "sandbox_balance_change", "number", BALANCE_CHANGE),
    Table::new("populations", "sandbox_population", "number", POPULATION),
    Table::new("bankOrders", "sandbox_order", "number", ORDER)
        .checked(row_rules::order)
        .whole(has_entries, "must have entries, with rows in bankOrderEntries")
        .with_rest_in("sandbox_order_entry", "payment_id"),
    Table::new("bankOrderEntries", "sandbox_order_entry", "payment_id, position", ORDER_ENTRY)
        .checked(row_rules::order_entry),
    Table::new(
        "bankOrderReferences",
        "sandbox_entry_reference",
        "payment_id, entry, position",
        ENTRY_REFERENCE,
    ),
    Table::new("cancelledPayments", "sandbox_cancelled_payment", "payment_id", CANCELLED_PAYMENT),
    Table::new("facts", "sandbox_fact", "key", FACT)
        .without("key", &[CLOCK, SCHEMA_VERSION])
        .checked(row_rules::fact),
];

const FACT: &[Column] = &[has("key", "key", Form::Text), has("value", "value", Form::Fact)];

/// An order is of something.
fn has_entries(connection: &Connection, id: &str) -> Result<bool> {
    let Some(id) = PaymentId::parse(id) else { return Ok(false) };
    let order = Books::over(connection).order(&id).ok().flatten();
    Ok(order.is_some_and(|order| !order.entries.is_empty()))
}

/// A rate as it is kept: with all its digits, and no others.
fn is_rate(text: &str) -> bool {
    let rate = text.parse::<Decimal>();
    rate.is_ok_and(|rate| !rate.is_sign_negative() && rate.to_string() == text)
}

/// Either an ordinary account or a card account.
fn is_one_kind_of_account(connection: &Connection, id: &str) -> Result<bool> {
    const SQL: &str = "SELECT (bban IS NULL) = EXISTS (SELECT 1 FROM sandbox_card_account WHERE account = ?1)
        FROM sandbox_account WHERE id = ?1";
    connection.query_row(SQL, [id], |row| row.get(0))
}

const TPP: &[Column] = &[
    has("number", "number", ROW),
    // As in the certificate, without any check.
    has("organisation_id", "organisationId", Form::Text),
    has("name", "name", TPP_NAME),
    has("roles", "roles", Form::Words(|text| !text.is_empty(), "roles")),
    has("certificate", "certificate", Form::Certificate),
    has("key_index", "keyIndex", COUNT),
    has("serial", "serial", Form::Serial),
];

const SCA_DEMAND: &[Column] = &[
    has("person", "person", ID),
    has("demand", "demand", Form::Known(|text| matches!(text, "demanded" | "exempt"), "demanded or exempt")),
];

const TRUST_ANCHOR: &[Column] = &[has("number", "number", ROW), has("der", "certificate", Form::Certificate)];

const CUSTOMER: &[Column] = &[
    has("number", "number", ROW),
    has("id", "id", ID),
    has(
        "customer_number",
        "customerNumber",
        Form::Known(|text| CustomerNumber::parse(text).is_some(), "6 to 11 digits"),
    ),
    has("type", "type", Form::Known(|text| CustomerType::parse(text).is_some(), "PRIVATE or CORPORATE")),
    has("name", "name", NAME),
];

const ACCOUNT: &[Column] = &[
    has("number", "number", ROW),
    has("id", "id", ID),
    has("owner", "owner", ID),
    may("bban", "bban", BBAN),
    may("iban", "iban", IBAN),
    has("currency", "currency", CURRENCY),
    has("name", "name", NAME),
    has("product", "product", REFERENCE),
    may("cash_account_type", "cashAccountType", CODE),
    has("credit_line", "creditLine", Form::Money("currency")),
    has("opening", "opening", Form::Money("currency")),
    has("booked", "booked", Form::Money("currency")),
    may("held_back", "heldBack", Form::Money("currency")),
];

const CARD_ACCOUNT: &[Column] = &[
    has("account", "account", ID),
    has("account_number", "accountNumber", REFERENCE),
    has("masked_pan", "maskedPan", REFERENCE),
    has("card_id", "cardId", REFERENCE),
    has("card_id_v_no", "cardIdVNo", REFERENCE),
    has("expiry", "expiry", REFERENCE),
    has(
        "status",
        "status",
        Form::Known(|text| CardStatus::parse(text).is_some(), "enabled, blocked or deleted"),
    ),
];

const KID_AGREEMENT: &[Column] = &[
    has("account", "account", ID),
    has("required", "required", Form::Flag),
    has("modulus", "modulus", Form::Number(10, 11)),
    has("digits_min", "digitsMin", Form::Number(0, 255)),
    has("digits_max", "digitsMax", Form::Number(0, 255)),
];

const AGREEMENT: &[Column] = &[
    has("number", "number", ROW),
    has("id", "id", ID),
    has("owner", "owner", ID),
    has("name", "name", NAME),
];

const ENGAGEMENT: &[Column] = &[
    has("number", "number", ROW),
    has("id", "id", ID),
    has("agreement", "agreement", ID),
    has("person", "customer", ID),
    has("account", "account", ID),
    may("name", "name", NAME),
    has("roles", "roles", Form::Words(|text| Role::parse(text).is_some(), "roles, such as VIEW")),
    has("access_rights", "accessRights", Form::Flag),
    has("payment_rights", "paymentRights", Form::Flag),
    has("transfer_rights", "transferRights", Form::Flag),
    has("register_limit", "registerLimit", LIMIT),
    has("approval_limit", "approvalLimit", LIMIT),
];

const TRANSACTION: &[Column] = &[
    has("number", "number", ROW),
    has("id", "id", ID),
    has("account", "account", ID),
    may("payment_id", "payment", ID).linked(Link::Row("sandbox_order", "payment_id")),
    has("entry", "entry", COUNT),
    has("booking_date", "bookingDate", DAY),
    has("value_date", "valueDate", DAY),
    has("currency", "currency", CURRENCY),
    has("amount", "amount", Form::Money("currency")),
    may("counterpart_name", "counterpartName", NAME),
    may("counterpart_bban", "counterpartBban", BBAN),
    may("counterpart_iban", "counterpartIban", IBAN),
    may("creditor_id", "creditorId", REFERENCE),
    may("ultimate_creditor", "ultimateCreditor", NAME),
    may("ultimate_debtor", "ultimateDebtor", NAME),
    may("remittance", "remittance", REMITTANCE),
    may("purpose_code", "purposeCode", CODE),
    has("bank_transaction_code", "bankTransactionCode", BANK_TRANSACTION_CODE),
    may("proprietary_code", "proprietaryCode", REFERENCE),
    may("exchange_source", "exchangeSource", CURRENCY),
    may("exchange_target", "exchangeTarget", CURRENCY),
    may("exchange_unit", "exchangeUnit", CURRENCY),
    may("exchange_rate", "exchangeRate", Form::Known(is_rate, "a decimal number that is not negative")),
    may("quotation_date", "quotationDate", DAY),
    has("created_at", "createdAt", Form::Time),
    may("reference", "reference", REFERENCE),
];

const CARD_TRANSACTION: &[Column] = &[
    has("line", "transaction", ID),
    has("card_transaction_id", "cardTransactionId", REFERENCE),
    may("terminal_id", "terminalId", REFERENCE),
    may("transaction_date", "transactionDate", DAY),
    may("value_date", "valueDate", DAY),
    has("original_currency", "originalCurrency", CURRENCY),
    has("original_amount", "originalAmount", Form::Money("original_currency")),
    may("contract_identification", "contractIdentification", REFERENCE),
    has("markup_fee_currency", "markupFeeCurrency", CURRENCY),
    has("markup_fee", "markupFee", Form::Money("markup_fee_currency")),
    may("markup_fee_percentage", "markupFeePercentage", REFERENCE),
    may("card_acceptor_id", "cardAcceptorId", REFERENCE),
    may("street", "street", NAME),
    may("building_number", "buildingNumber", NAME),
    may("postal_code", "postalCode", NAME),
    may("city", "city", NAME),
    may("country", "country", COUNTRY),
    may("merchant_category_code", "merchantCategoryCode", CODE),
    may("masked_pan", "maskedPan", REFERENCE),
    may("invoiced", "invoiced", Form::Flag),
];

const AUTHORISATION: &[Column] = &[
    has("number", "number", ROW),
    has("id", "id", ID),
    has("account", "account", ID),
    has("transaction_date", "transactionDate", DAY),
    has("currency", "currency", CURRENCY),
    has("amount", "amount", Form::Money("currency")),
    has("original_currency", "originalCurrency", CURRENCY),
    has("original_amount", "originalAmount", Form::Money("original_currency")),
    has("merchant", "merchant", NAME),
    has("remittance", "remittance", REMITTANCE),
    has("bank_transaction_code", "bankTransactionCode", BANK_TRANSACTION_CODE),
    has("proprietary_code", "proprietaryCode", REFERENCE),
    has("card_acceptor_id", "cardAcceptorId", REFERENCE),
    may("city", "city", NAME),
    has("country", "country", COUNTRY),
    has("merchant_category_code", "merchantCategoryCode", CODE),
    has("masked_pan", "maskedPan", REFERENCE),
    has("authorised_at", "authorisedAt", Form::Time),
];

const OWN_NAME: &[Column] = &[has("line", "transaction", ID), has("name", "name", NAME_OR_NONE)];

const BALANCE_CHANGE: &[Column] = &[
    has("number", "number", ROW),
    has("account", "account", ID),
    has("currency", "currency", CURRENCY),
    has("difference", "difference", Form::Money("currency")),
    has("created_at", "createdAt", Form::Time),
];

const POPULATION: &[Column] = &[
    has("number", "number", ROW),
    // What is in it is checked when every row is right by itself.
    has("origin", "origin", Form::Text),
    has("first_day", "firstDay", DAY),
    has("begin_day", "beginDay", DAY),
    has("lived_until", "livedUntil", DAY),
];

const ORDER: &[Column] = &[
    has("number", "number", ROW),
    has("payment_id", "payment", ID),
    has("product", "product", PRODUCT),
    has("state", "state", Form::Known(|text| OrderState::parse(text).is_some(), "a state of an order")),
    has("reported", "reported", Form::Flag),
    has("held", "held", Form::Flag),
    has("taken_at", "takenAt", Form::Time),
    has("due_at", "dueAt", Form::Time),
    may("settled_at", "settledAt", Form::Time),
    may("debtor", "debtor", ID),
    has("fee_currency", "feeCurrency", CURRENCY),
    has("fee", "fee", Form::Money("fee_currency")),
];

const ORDER_ENTRY: &[Column] = &[
    has("payment_id", "payment", ID),
    has("position", "position", COUNT),
    may(
        "outcome",
        "outcome",
        Form::Known(|text| EntryOutcome::parse(text).is_some(), "an outcome of an entry"),
    ),
    has("currency", "currency", CURRENCY),
    has("amount", "amount", Form::Money("currency")),
    has("creditor_name", "creditorName", NAME),
    may("creditor_bban", "creditorBban", BBAN),
    may("creditor_iban", "creditorIban", IBAN),
    may("creditor_agent", "creditorAgent", BIC),
    may("ultimate_debtor", "ultimateDebtor", NAME),
    may("purpose_code", "purposeCode", CODE),
    may("remittance", "remittance", REMITTANCE),
];

const ENTRY_REFERENCE: &[Column] = &[
    has("payment_id", "payment", ID),
    has("entry", "entry", COUNT),
    has("position", "position", COUNT),
    has("reference", "reference", REFERENCE),
    may("reference_type", "referenceType", REFERENCE),
    may("reference_issuer", "referenceIssuer", REFERENCE),
];

const CANCELLED_PAYMENT: &[Column] =
    &[has("payment_id", "payment", ID), has("cancelled_at", "cancelledAt", Form::Time)];
