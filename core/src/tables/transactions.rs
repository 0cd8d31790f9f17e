//! Tables of what was booked.

use super::column::{has, may, Definition, Kind};

pub(super) const TRANSACTIONS: Definition = Definition {
    name: "transactions",
    meaning: "A booked line of the ledger of one account.",
    from: "sandbox_transaction t",
    key: "t.number",
    columns: &[
        has("id", Kind::Text, "t.id", "The id of the transaction."),
        has("account_id", Kind::Text, "t.account", "The account.").joins("accounts.id"),
        has(
            "customer_number",
            Kind::Text,
            "(SELECT customer_number FROM sandbox_customer \
             WHERE id = (SELECT owner FROM sandbox_account WHERE id = t.account))",
            "The number of the account's owner.",
        )
        .joins("customers.customer_number"),
        may(
            "bban",
            Kind::Text,
            "(SELECT bban FROM sandbox_account WHERE id = t.account)",
            "The number of the account; null for a card.",
        )
        .joins("accounts.bban"),
        has("booking_date", Kind::Day, "t.booking_date", "The day on which it was booked."),
        has("value_date", Kind::Day, "t.value_date", "The day from which it bears interest."),
        has("currency", Kind::Code, "t.currency", "The currency of the amount, by ISO 4217."),
        has("amount", Kind::Money, "t.amount", "Signed: what leaves the account is negative."),
        may("counterpart_name", Kind::Text, "t.counterpart_name", "The other side."),
        may("counterpart_bban", Kind::Text, "t.counterpart_bban", "Its account number."),
        may("counterpart_iban", Kind::Text, "t.counterpart_iban", "Its IBAN."),
        may("creditor_id", Kind::Text, "t.creditor_id", "The creditor's identification."),
        may("ultimate_creditor", Kind::Text, "t.ultimate_creditor", "Who is paid in the end."),
        may("ultimate_debtor", Kind::Text, "t.ultimate_debtor", "Who pays in the end."),
        may("remittance", Kind::Text, "t.remittance", "The message to the payee."),
        may("purpose_code", Kind::Code, "t.purpose_code", "ISO 20022 purpose, such as SALA."),
        has(
            "bank_transaction_code",
            Kind::Code,
            "t.bank_transaction_code",
            "ISO 20022 bank transaction code, such as PMNT-RCDT-SALA.",
        ),
        may("proprietary_code", Kind::Code, "t.proprietary_code", "The bank's own code."),
        may("exchange_source", Kind::Code, "t.exchange_source", "The currency that was exchanged."),
        may("exchange_target", Kind::Code, "t.exchange_target", "The currency it was exchanged for."),
        may(
            "exchange_unit",
            Kind::Code,
            "t.exchange_unit",
            "The currency of which the rate prices one unit.",
        ),
        may("exchange_rate", Kind::Rate, "t.exchange_rate", "The exchange rate."),
        may("quotation_date", Kind::Day, "t.quotation_date", "The day of the rate."),
        may("payment_id", Kind::Text, "t.payment_id", "The order that it settles.")
            .joins("orders.payment_id"),
        has("entry", Kind::Number, "t.entry", "Which entry of that order, from 0."),
        has("created_at", Kind::Time, "t.created_at", "When the line was written."),
    ],
};

pub(super) const CARD_TRANSACTIONS: Definition = Definition {
    name: "card_transactions",
    meaning: "What a transaction by card has beyond its row in `transactions`.",
    from: "sandbox_card_transaction u",
    key: "u.line",
    columns: &[
        has("transaction_id", Kind::Text, "u.line", "The transaction.").joins("transactions.id"),
        has("card_transaction_id", Kind::Text, "u.card_transaction_id", "The id shown for the card."),
        may("terminal_id", Kind::Text, "u.terminal_id", "The terminal."),
        may("transaction_date", Kind::Day, "u.transaction_date", "The day on which the card was used."),
        may("value_date", Kind::Day, "u.value_date", "The day from which it bears interest."),
        has("original_currency", Kind::Code, "u.original_currency", "The currency where the card was used."),
        has("original_amount", Kind::Money, "u.original_amount", "The amount in that currency."),
        may(
            "contract_identification",
            Kind::Text,
            "u.contract_identification",
            "The contract of the currency exchange.",
        ),
        has("markup_fee_currency", Kind::Code, "u.markup_fee_currency", "The currency of the markup."),
        has("markup_fee", Kind::Money, "u.markup_fee", "What the bank added for the exchange."),
        may("markup_fee_percentage", Kind::Code, "u.markup_fee_percentage", "The same in percent."),
        may("card_acceptor_id", Kind::Text, "u.card_acceptor_id", "The merchant's identification."),
        may("street", Kind::Text, "u.street", "The merchant's street."),
        may("building_number", Kind::Text, "u.building_number", "The number of its building."),
        may("postal_code", Kind::Text, "u.postal_code", "Its postal code."),
        may("city", Kind::Code, "u.city", "Its town."),
        may("country", Kind::Code, "u.country", "Its country, by ISO 3166."),
        may("merchant_category_code", Kind::Code, "u.merchant_category_code", "Its trade, by ISO 18245."),
        may("masked_pan", Kind::Text, "u.masked_pan", "The number of the card, masked."),
        may("invoiced", Kind::Flag, "u.invoiced", "Whether it was invoiced."),
    ],
};
