//! Tables of what was booked.

use super::column::{has, may, Definition, Kind};
use super::generated_row::{number, sum, text, RowsOf};
use crate::store::sqlite::sandbox::Cell;

pub(super) const TRANSACTIONS: Definition = Definition {
    name: "transactions",
    meaning: "A booked line of the ledger of one account.",
    from: "sandbox_transaction t",
    key: "t.number",
    generated: Some(RowsOf::Transactions),
    columns: &[
        has("id", Kind::Text, "t.id", "The id of the transaction.").of(|row| text(row.line()?.id.as_str())),
        has("account_id", Kind::Text, "t.account", "The account.")
            .joins("accounts.id")
            .of(|row| text(row.record()?.account.id())),
        has(
            "customer_number",
            Kind::Text,
            "(SELECT customer_number FROM sandbox_customer \
             WHERE id = (SELECT owner FROM sandbox_account WHERE id = t.account))",
            "The number of the account's owner.",
        )
        .joins("customers.customer_number")
        .of(|row| text(row.customer().customer.number.as_str())),
        may(
            "bban",
            Kind::Text,
            "(SELECT bban FROM sandbox_account WHERE id = t.account)",
            "The number of the account; null for a card.",
        )
        .joins("accounts.bban")
        .of(|row| text(row.account()?.bban.as_str())),
        has("booking_date", Kind::Day, "t.booking_date", "The day on which it was booked.")
            .of(|row| Some(Cell::Day(row.line()?.booking_date))),
        has("value_date", Kind::Day, "t.value_date", "The day from which it bears interest.")
            .of(|row| Some(Cell::Day(row.line()?.value_date))),
        has("currency", Kind::Code, "t.currency", "The currency of the amount, by ISO 4217.")
            .of(|row| text(row.line()?.amount.currency().code())),
        has("amount", Kind::Money, "t.amount", "Signed: what leaves the account is negative.")
            .of(|row| sum(row.line()?.amount)),
        may("counterpart_name", Kind::Text, "t.counterpart_name", "The other side.")
            .of(|row| text(row.line()?.counterpart.name.as_ref()?)),
        may("counterpart_bban", Kind::Text, "t.counterpart_bban", "Its account number.")
            .of(|row| text(row.line()?.counterpart.bban.as_ref()?.as_str())),
        may("counterpart_iban", Kind::Text, "t.counterpart_iban", "Its IBAN.")
            .of(|row| text(row.line()?.counterpart.iban.as_ref()?.as_str())),
        may("creditor_id", Kind::Text, "t.creditor_id", "The creditor's identification.")
            .of(|row| text(row.line()?.creditor_id.as_ref()?)),
        may("ultimate_creditor", Kind::Text, "t.ultimate_creditor", "Who is paid in the end.")
            .of(|row| text(row.line()?.ultimate_creditor.as_ref()?)),
        may("ultimate_debtor", Kind::Text, "t.ultimate_debtor", "Who pays in the end.")
            .of(|row| text(row.line()?.ultimate_debtor.as_ref()?)),
        may("remittance", Kind::Text, "t.remittance", "The message to the payee.")
            .of(|row| text(row.line()?.remittance.as_ref()?)),
        may("purpose_code", Kind::Code, "t.purpose_code", "ISO 20022 purpose, such as SALA.")
            .of(|row| text(row.line()?.purpose_code.as_ref()?)),
        has(
            "bank_transaction_code",
            Kind::Code,
            "t.bank_transaction_code",
            "ISO 20022 bank transaction code, such as PMNT-RCDT-SALA.",
        )
        .of(|row| text(&row.line()?.bank_transaction_code)),
        may("proprietary_code", Kind::Code, "t.proprietary_code", "The bank's own code.")
            .of(|row| text(row.line()?.proprietary_code.as_ref()?)),
        may("exchange_source", Kind::Code, "t.exchange_source", "The currency that was exchanged.")
            .of(|row| text(row.exchange()?.source.code())),
        may("exchange_target", Kind::Code, "t.exchange_target", "The currency it was exchanged for.")
            .of(|row| text(row.exchange()?.target.code())),
        may(
            "exchange_unit",
            Kind::Code,
            "t.exchange_unit",
            "The currency of which the rate prices one unit.",
        )
        .of(|row| text(row.exchange()?.unit.code())),
        may("exchange_rate", Kind::Rate, "t.exchange_rate", "The exchange rate.")
            .of(|row| Some(Cell::Decimal(row.exchange()?.rate))),
        may("quotation_date", Kind::Day, "t.quotation_date", "The day of the rate.")
            .of(|row| Some(Cell::Day(row.exchange()?.quotation_date))),
        may("payment_id", Kind::Text, "t.payment_id", "The order that it settles.")
            .joins("orders.payment_id")
            .of(|row| text(row.line()?.payment_id.as_ref()?.as_str())),
        has("entry", Kind::Number, "t.entry", "Which entry of that order, from 0.")
            .of(|row| number(row.line()?.entry)),
        has("created_at", Kind::Time, "t.created_at", "When the line was written.")
            .of(|row| number(row.line()?.created_at.timestamp_micros())),
        may(
            "reference",
            Kind::Text,
            "coalesce(t.reference, (SELECT reference FROM sandbox_entry_reference \
             WHERE payment_id = t.payment_id AND entry = t.entry ORDER BY position LIMIT 1))",
            "The first structured reference, such as a KID.",
        )
        .of(|row| text(row.line()?.reference.as_ref()?)),
    ],
};

pub(super) const CARD_TRANSACTIONS: Definition = Definition {
    name: "card_transactions",
    meaning: "What a transaction by card has beyond its row in `transactions`.",
    from: "sandbox_card_transaction u",
    key: "u.line",
    generated: Some(RowsOf::CardTransactions),
    columns: &[
        has("transaction_id", Kind::Text, "u.line", "The transaction.")
            .joins("transactions.id")
            .of(|row| text(row.line()?.id.as_str())),
        has("card_transaction_id", Kind::Text, "u.card_transaction_id", "The id shown for the card.")
            .of(|row| text(&row.used()?.card_transaction_id)),
        may("terminal_id", Kind::Text, "u.terminal_id", "The terminal.")
            .of(|row| text(row.used()?.terminal_id.as_ref()?)),
        may("transaction_date", Kind::Day, "u.transaction_date", "The day on which the card was used.")
            .of(|row| Some(Cell::Day(row.used()?.transaction_date?))),
        may("value_date", Kind::Day, "u.value_date", "The day from which it bears interest.")
            .of(|row| Some(Cell::Day(row.used()?.value_date?))),
        has("original_currency", Kind::Code, "u.original_currency", "The currency where the card was used.")
            .of(|row| text(row.used()?.original_amount.currency().code())),
        has("original_amount", Kind::Money, "u.original_amount", "The amount in that currency.")
            .of(|row| sum(row.used()?.original_amount)),
        may(
            "contract_identification",
            Kind::Text,
            "u.contract_identification",
            "The contract of the currency exchange.",
        )
        .of(|row| text(row.used()?.contract_identification.as_ref()?)),
        has("markup_fee_currency", Kind::Code, "u.markup_fee_currency", "The currency of the markup.")
            .of(|row| text(row.used()?.markup_fee.currency().code())),
        has("markup_fee", Kind::Money, "u.markup_fee", "What the bank added for the exchange.")
            .of(|row| sum(row.used()?.markup_fee)),
        may("markup_fee_percentage", Kind::Code, "u.markup_fee_percentage", "The same in percent.")
            .of(|row| text(row.used()?.markup_fee_percentage.as_ref()?)),
        may("card_acceptor_id", Kind::Text, "u.card_acceptor_id", "The merchant's identification.")
            .of(|row| text(row.used()?.card_acceptor_id.as_ref()?)),
        may("street", Kind::Text, "u.street", "The merchant's street.")
            .of(|row| text(row.used()?.card_acceptor_address.street.as_ref()?)),
        may("building_number", Kind::Text, "u.building_number", "The number of its building.")
            .of(|row| text(row.used()?.card_acceptor_address.building_number.as_ref()?)),
        may("postal_code", Kind::Text, "u.postal_code", "Its postal code.")
            .of(|row| text(row.used()?.card_acceptor_address.postal_code.as_ref()?)),
        may("city", Kind::Code, "u.city", "Its town.")
            .of(|row| text(row.used()?.card_acceptor_address.city.as_ref()?)),
        may("country", Kind::Code, "u.country", "Its country, by ISO 3166.")
            .of(|row| text(row.used()?.card_acceptor_address.country.as_ref()?)),
        may("merchant_category_code", Kind::Code, "u.merchant_category_code", "Its trade, by ISO 18245.")
            .of(|row| text(row.used()?.merchant_category_code.as_ref()?)),
        may("masked_pan", Kind::Text, "u.masked_pan", "The number of the card, masked.")
            .of(|row| text(row.used()?.masked_pan.as_ref()?)),
        may("invoiced", Kind::Flag, "u.invoiced", "Whether it was invoiced.")
            .of(|row| number(row.used()?.invoiced?)),
    ],
};
