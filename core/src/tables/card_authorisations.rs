//! The table of uses of cards that are not booked yet.

use super::column::{has, may, Definition, Kind};
use super::generated_row::{number, sum, text, RowsOf};
use crate::store::sqlite::sandbox::Cell;

pub(super) const CARD_AUTHORISATIONS: Definition = Definition {
    name: "card_authorisations",
    meaning: "A use of a card that is authorised and not booked yet: a pending transaction.",
    from: "sandbox_authorisation p",
    key: "p.number",
    generated: Some(RowsOf::CardAuthorisations),
    columns: &[
        has("id", Kind::Text, "p.id", "The id of the row of `transactions` that it becomes.")
            .of(|row| text(row.authorised()?.id.as_str())),
        has("account_id", Kind::Text, "p.account", "The account.")
            .joins("accounts.id")
            .of(|row| text(row.record()?.account.id())),
        has(
            "customer_number",
            Kind::Text,
            "(SELECT customer_number FROM sandbox_customer \
             WHERE id = (SELECT owner FROM sandbox_account WHERE id = p.account))",
            "The number of the account's owner.",
        )
        .joins("customers.customer_number")
        .of(|row| text(row.customer().customer.number.as_str())),
        has("transaction_date", Kind::Day, "p.transaction_date", "The day on which the card was used.")
            .of(|row| Some(Cell::Day(row.authorised()?.transaction_date))),
        has("currency", Kind::Code, "p.currency", "The currency of the amount, by ISO 4217.")
            .of(|row| text(row.authorised()?.amount.currency().code())),
        has("amount", Kind::Money, "p.amount", "Signed: what leaves the account is negative.")
            .of(|row| sum(row.authorised()?.amount)),
        has("original_currency", Kind::Code, "p.original_currency", "The currency where the card was used.")
            .of(|row| text(row.authorised()?.original_amount.currency().code())),
        has("original_amount", Kind::Money, "p.original_amount", "The amount in that currency.")
            .of(|row| sum(row.authorised()?.original_amount)),
        has("merchant", Kind::Text, "p.merchant", "The name of the merchant.")
            .of(|row| text(&row.authorised()?.merchant)),
        has("remittance", Kind::Text, "p.remittance", "What the statement says.")
            .of(|row| text(&row.authorised()?.remittance)),
        has(
            "bank_transaction_code",
            Kind::Code,
            "p.bank_transaction_code",
            "ISO 20022 bank transaction code.",
        )
        .of(|row| text(&row.authorised()?.bank_transaction_code)),
        has("proprietary_code", Kind::Code, "p.proprietary_code", "The bank's own code.")
            .of(|row| text(&row.authorised()?.proprietary_code)),
        has("card_acceptor_id", Kind::Text, "p.card_acceptor_id", "The merchant's identification.")
            .of(|row| text(&row.authorised()?.card_acceptor_id)),
        may("city", Kind::Code, "p.city", "Its town.").of(|row| text(row.authorised()?.city.as_ref()?)),
        has("country", Kind::Code, "p.country", "Its country, by ISO 3166.")
            .of(|row| text(&row.authorised()?.country)),
        has("merchant_category_code", Kind::Code, "p.merchant_category_code", "Its trade, by ISO 18245.")
            .of(|row| text(&row.authorised()?.merchant_category_code)),
        has("masked_pan", Kind::Text, "p.masked_pan", "The number of the card, masked.")
            .of(|row| text(&row.authorised()?.masked_pan)),
        has("authorised_at", Kind::Time, "p.authorised_at", "When the card was used.")
            .of(|row| number(row.authorised()?.authorised_at.timestamp_micros())),
    ],
};
