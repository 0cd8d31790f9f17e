//! Card accounts and what their cards were used for.

use super::account::{balances, page_links};
use super::answer_object::{country, currency, money, AnswerObject};
use crate::wire::schema::Schema;

pub(super) fn schemas() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("CardAccounts", "The card accounts that the PSU opened to the TPP.").always(
            "cardAccounts",
            Schema::each(Schema::named("CardAccount")),
            "",
        ),
        AnswerObject::object("OneCardAccount", "A card account.").always(
            "cardAccount",
            Schema::named("CardAccount"),
            "",
        ),
        AnswerObject::object("CardAccount", "A card account.")
            .always("resourceId", Schema::text(), "Its id in paths.")
            .always("maskedPan", Schema::text(), "")
            .always("currency", currency(), "")
            .sometimes("name", Schema::text(), "")
            .sometimes("product", Schema::text(), "")
            .sometimes("creditLimit", money(), "")
            .always("balances", balances(), "")
            .always("_links", Schema::named("ResourceLinks"), ""),
        AnswerObject::object("CardNumber", "Which card account it is.").always(
            "maskedPan",
            Schema::text(),
            "",
        ),
        AnswerObject::object("CardAccountBalances", "The balances of a card account.")
            .always("cardAccount", Schema::named("CardNumber"), "")
            .always("balances", balances(), "")
            .always("_links", Schema::named("OwnLink"), ""),
        AnswerObject::object("CardTransactions", "A page of a card account's transactions.")
            .always("cardAccount", Schema::named("CardNumber"), "")
            .always("cardTransactions", Schema::named("CardTransactionPage"), ""),
        AnswerObject::object("CardTransactionPage", "Newest first.")
            .sometimes("booked", Schema::each(Schema::named("CardTransaction")), "Where they were asked for.")
            .sometimes(
                "pending",
                Schema::each(Schema::named("CardTransaction")),
                "Where they were asked for.",
            )
            .always("_links", Schema::named("CardTransactionPageLinks"), ""),
        page_links("CardTransactionPageLinks", "cardAccount"),
        transaction(),
        AnswerObject::object("CardAcceptorAddress", "Where a card was used.")
            .sometimes("street", Schema::text(), "")
            .sometimes("buildingNumber", Schema::text(), "")
            .sometimes("postalCode", Schema::text(), "")
            .sometimes("city", Schema::text(), "")
            .sometimes("country", country(), ""),
    ]
}

fn transaction() -> AnswerObject {
    AnswerObject::object("CardTransaction", "A use of a card. What was spent is positive.")
        .sometimes("cardTransactionId", Schema::text(), "")
        .sometimes("terminalId", Schema::text(), "")
        .sometimes("bookingDate", Schema::day(), "")
        .sometimes("transactionDate", Schema::day(), "When the card was used.")
        .sometimes("valueDate", Schema::day(), "")
        .always("transactionAmount", money(), "In the account's currency.")
        .sometimes("originalAmount", money(), "In the currency it was spent in.")
        .sometimes("currencyExchange", Schema::named("CurrencyExchange"), "")
        .sometimes("markupFee", money(), "What the exchange cost.")
        .sometimes("markupFeePercentage", Schema::text(), "")
        .sometimes("cardAcceptorId", Schema::text(), "Who took the card.")
        .sometimes("cardAcceptorAddress", Schema::named("CardAcceptorAddress"), "")
        .sometimes("merchantCategoryCode", Schema::text(), "ISO 18245.")
        .sometimes("maskedPan", Schema::text(), "")
        .sometimes("transactionDetails", Schema::text(), "What the statement says.")
        .sometimes("invoiced", Schema::switch(), "")
        .sometimes("proprietaryBankTransactionCode", Schema::text(), "")
}
