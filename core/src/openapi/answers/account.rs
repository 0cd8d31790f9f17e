//! Accounts and what was booked on them.

use super::answer_object::{bban, currency, iban, link, money, AnswerObject};
use crate::account::record::BalanceType;
use crate::limits::{
    BANK_TRANSACTION_CODE_CHARS_MAX, BANK_TRANSACTION_CODE_CHARS_MIN, NAME_CHARS_MAX, REFERENCE_CHARS_MAX,
    REMITTANCE_CHARS_MAX,
};
use crate::types::Bic;
use crate::wire::described::Described as _;
use crate::wire::schema::Schema;

pub(super) fn schemas() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("Accounts", "The accounts that the PSU opened to the TPP.").always(
            "accounts",
            Schema::each(Schema::named("Account")),
            "",
        ),
        AnswerObject::object("OneAccount", "An account.").always("account", Schema::named("Account"), ""),
        AnswerObject::object("Account", "An account.")
            .always("resourceId", Schema::text(), "Its id in paths.")
            .sometimes("bban", bban(), "")
            .sometimes("iban", iban(), "")
            .always("currency", currency(), "")
            .sometimes("name", Schema::text(), "")
            .sometimes("product", Schema::text(), "")
            .sometimes("cashAccountType", Schema::text(), "ISO 20022, such as CACC.")
            .sometimes("bic", Bic::schema(), "")
            .sometimes("balances", balances(), "Where they were asked for.")
            .always("_links", Schema::named("ResourceLinks"), ""),
        AnswerObject::object("ResourceLinks", "What there is of an account.")
            .always("self", link(), "")
            .always("balances", link(), "")
            .always("transactions", link(), ""),
        AnswerObject::object("Balance", "A balance.").always("balanceAmount", money(), "").always(
            "balanceType",
            Schema::one_of(BalanceType::ALL.map(BalanceType::as_str)),
            "",
        ),
        AnswerObject::object("AccountBalances", "The balances of an account.")
            .always("account", Schema::named("AccountNumbers"), "")
            .always("balances", balances(), "")
            .always("_links", Schema::named("OwnLink"), ""),
        AnswerObject::object("AccountNumbers", "The numbers of an account, as far as they are known.")
            .sometimes("bban", bban(), "")
            .sometimes("iban", iban(), "")
            .sometimes("currency", currency(), ""),
        AnswerObject::object("OwnLink", "Where this is.").always("self", link(), ""),
        AnswerObject::object("Transactions", "A page of an account's transactions.")
            .sometimes("account", Schema::named("AccountNumbers"), "")
            .always("transactions", Schema::named("TransactionPage"), ""),
        AnswerObject::object("TransactionPage", "Newest first.")
            .sometimes("booked", Schema::each(Schema::named("Transaction")), "Where they were asked for.")
            .sometimes("pending", Schema::each(Schema::named("Transaction")), "Where they were asked for.")
            .always("_links", Schema::named("TransactionPageLinks"), ""),
        page_links("TransactionPageLinks", "account"),
        AnswerObject::object("TransactionDetails", "All that is known of a transaction.").always(
            "transactionsDetails",
            Schema::named("Transaction"),
            "",
        ),
        transaction(),
        AnswerObject::object("StructuredReference", "A reference.")
            .always("reference", reference(), "")
            .sometimes("referenceType", reference(), "")
            .sometimes("referenceIssuer", reference(), ""),
        AnswerObject::object("TransactionLinks", "Where the details are.").always(
            "transactionDetails",
            link(),
            "",
        ),
    ]
}

fn transaction() -> AnswerObject {
    let code = Schema::text_of(BANK_TRANSACTION_CODE_CHARS_MIN, BANK_TRANSACTION_CODE_CHARS_MAX);
    let (message, numbers) = (Schema::text_of(1, REMITTANCE_CHARS_MAX), Schema::named("AccountNumbers"));
    AnswerObject::object("Transaction", "A transaction.")
        .sometimes("bankTransactionCode", code, "ISO 20022, such as PMNT-ICDT-DMCT.")
        .sometimes("transactionId", Schema::text(), "Of what is booked; it never changes.")
        .sometimes("endToEndId", reference(), "")
        .sometimes("bookingDate", Schema::day(), "")
        .sometimes("valueDate", Schema::day(), "From when on it bears interest.")
        .always("transactionAmount", money(), "Negative where money left the account.")
        .sometimes("currencyExchange", Schema::named("CurrencyExchange"), "")
        .sometimes("creditorName", Schema::text_of(1, NAME_CHARS_MAX), "Who was paid.")
        .sometimes("creditorAccount", numbers.clone(), "")
        .sometimes("creditorAgent", Bic::schema(), "The creditor's bank.")
        .sometimes("debtorName", Schema::text_of(1, NAME_CHARS_MAX), "Who paid.")
        .sometimes("debtorAccount", numbers, "")
        .sometimes("debtorAgent", Bic::schema(), "The debtor's bank.")
        .sometimes("remittanceInformationUnstructured", message.clone(), "")
        .sometimes("purposeCode", Schema::text_of(1, 4), "")
        .sometimes("proprietaryBankTransactionCode", reference(), "")
        .sometimes("remittanceInformationUnstructuredArray", Schema::each(message), "")
        .sometimes(
            "remittanceInformationStructuredArray",
            Schema::each(Schema::named("StructuredReference")),
            "",
        )
        .sometimes(
            "_links",
            Schema::named("TransactionLinks"),
            "In the corporate context, of what is booked.",
        )
}

/// The way to the other pages of a list.
pub(super) fn page_links(name: &'static str, owner: &'static str) -> AnswerObject {
    AnswerObject::object(name, "The other pages, where there are any; each repeats every parameter.")
        .always(owner, link(), "")
        .always("self", link(), "")
        .sometimes("first", link(), "")
        .sometimes("next", link(), "")
        .sometimes("previous", link(), "")
        .sometimes("last", link(), "")
}

pub(super) fn balances() -> Schema {
    Schema::each(Schema::named("Balance"))
}

fn reference() -> Schema {
    Schema::text_of(1, REFERENCE_CHARS_MAX)
}
