//! Tables of accounts and of what cards have beyond an account.

use super::column::{has, may, Definition, Kind};
use super::generated_row::{sum, text, RowsOf};

pub(super) const ACCOUNTS: Definition = Definition {
    name: "accounts",
    meaning: "An account with a ledger. The account of a card has a row here too, without numbers.",
    from: "sandbox_account a",
    key: "a.number",
    generated: Some(RowsOf::Accounts),
    columns: &[
        has("id", Kind::Text, "a.id", "The id of the account.").of(|row| text(row.record()?.account.id())),
        has("customer_id", Kind::Text, "a.owner", "The owner.")
            .joins("customers.id")
            .of(|row| text(row.customer().customer.id.as_str())),
        has(
            "customer_number",
            Kind::Text,
            "(SELECT customer_number FROM sandbox_customer WHERE id = a.owner)",
            "The number of the owner.",
        )
        .joins("customers.customer_number")
        .of(|row| text(row.customer().customer.number.as_str())),
        may("bban", Kind::Text, "a.bban", "The account number; null for a card.")
            .of(|row| text(row.account()?.bban.as_str())),
        may("iban", Kind::Text, "a.iban", "The IBAN; null for a card.")
            .of(|row| text(row.account()?.iban.as_str())),
        has("currency", Kind::Code, "a.currency", "The currency of the account, by ISO 4217.")
            .of(|row| text(row.record()?.balance.currency().code())),
        has("name", Kind::Code, "a.name", "What the owner calls it.")
            .of(|row| text(row.record()?.account.name())),
        has("product", Kind::Code, "a.product", "The product of the bank.")
            .of(|row| text(row.record()?.account.product())),
        may(
            "cash_account_type",
            Kind::Code,
            "a.cash_account_type",
            "ISO 20022, such as CACC; null for a card.",
        )
        .of(|row| text(&row.account()?.cash_account_type)),
        has("credit_line", Kind::Money, "a.credit_line", "How far the balance may go below zero.")
            .of(|row| sum(row.record()?.account.credit_line())),
        has("opening_balance", Kind::Money, "a.opening", "The balance before the first transaction.")
            .of(|row| sum(row.record()?.account.opening())),
        has("booked_balance", Kind::Money, "a.booked", "The balance after the last transaction.")
            .of(|row| sum(row.record()?.balance)),
    ],
};

pub(super) const CARD_ACCOUNTS: Definition = Definition {
    name: "card_accounts",
    meaning: "What the account of a card has beyond its row in `accounts`.",
    from: "sandbox_card_account d",
    key: "d.account",
    generated: Some(RowsOf::CardAccounts),
    columns: &[
        has("account_id", Kind::Text, "d.account", "The account.")
            .joins("accounts.id")
            .of(|row| text(row.record()?.account.id())),
        has(
            "customer_number",
            Kind::Text,
            "(SELECT customer_number FROM sandbox_customer \
             WHERE id = (SELECT owner FROM sandbox_account WHERE id = d.account))",
            "The number of the owner.",
        )
        .joins("customers.customer_number")
        .of(|row| text(row.customer().customer.number.as_str())),
        has("account_number", Kind::Text, "d.account_number", "The number of the card account.")
            .of(|row| text(&row.card()?.account_number)),
        has("masked_pan", Kind::Text, "d.masked_pan", "The number of the card, masked.")
            .of(|row| text(&row.card()?.masked_pan)),
        has("card_id", Kind::Text, "d.card_id", "The bank's id of the card.")
            .of(|row| text(&row.card()?.card_id)),
        has("card_version", Kind::Code, "d.card_id_v_no", "The version of the card.")
            .of(|row| text(&row.card()?.card_id_v_no)),
        has("expiry", Kind::Code, "d.expiry", "When the card expires.").of(|row| text(&row.card()?.expiry)),
        has("status", Kind::Code, "d.status", "enabled, blocked or deleted.")
            .of(|row| text(row.card()?.status.as_str())),
    ],
};
