//! What the sandbox's own routes answer. Money is in whole units of the currency, cut towards zero.

use super::answer_object::{bban, currency, iban, link, AnswerObject};
use crate::account::record::BalanceType;
use crate::store::sqlite::sandbox::{CardStatus, CustomerNumber, CustomerType, Role};
use crate::wire::described::Described as _;
use crate::wire::schema::Schema;

pub(super) fn schemas() -> Vec<AnswerObject> {
    let mut objects = customers();
    objects.extend(agreements());
    objects.extend(accounts());
    objects.extend(card_accounts());
    objects
}

fn customers() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("MockCustomers", "Every customer, the oldest first.").always(
            "customers",
            each("MockCustomer"),
            "",
        ),
        AnswerObject::object("MockCustomer", "A customer.")
            .always("customerId", Schema::text(), "Its id in paths.")
            .always("customerNumber", CustomerNumber::schema(), "")
            .always("customerType", Schema::one_of(CustomerType::NAMES.iter().copied()), "")
            .always("customerName", Schema::text(), "")
            .always("agreements", each("MockCustomerAgreement"), "Empty where they were not asked for.")
            .always("accounts", texts(), "Ids; empty where they were not asked for.")
            .always("cardAccounts", texts(), "Ids; empty where accounts were not asked for.")
            .always("_links", Schema::named("OwnLink"), ""),
        AnswerObject::object("MockCustomerAgreement", "An agreement that bears on a customer.")
            .always("id", Schema::text(), "")
            .always("name", Schema::text(), "")
            .always("engagements", texts(), "Their ids."),
    ]
}

fn agreements() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("MockAgreements", "Every agreement, the oldest first.").always(
            "agreements",
            each("MockAgreement"),
            "",
        ),
        AnswerObject::object("MockAgreement", "An agreement.")
            .always("id", Schema::text(), "Its id in paths.")
            .always("name", Schema::text(), "")
            .always("owner", CustomerNumber::schema(), "The customer's number.")
            .always("engagements", each("MockEngagement"), "")
            .always("_links", Schema::named("MockAgreementLinks"), ""),
        AnswerObject::object("MockAgreementLinks", "What can be done with an agreement.")
            .always("self", link(), "")
            .always("engagements", link(), ""),
        AnswerObject::object("MockEngagement", "What a person may do with an account.")
            .always("id", Schema::text(), "Its id in paths.")
            .always("customer", CustomerNumber::schema(), "The person's number.")
            .sometimes("name", Schema::text(), "")
            .always("account", Schema::named("MockAccountNumbers"), "")
            .always("roles", Schema::each(Schema::one_of(Role::NAMES.iter().copied())), "")
            .always("accessRights", Schema::switch(), "")
            .always("paymentRights", Schema::switch(), "")
            .always("transferRights", Schema::switch(), "")
            .always("registerLimit", units(), "")
            .always("approvalLimit", units(), ""),
        AnswerObject::object("MockAccountNumbers", "The numbers of an account; empty where there is none.")
            .always("iban", iban().or_empty(), "")
            .always("bban", bban().or_empty(), ""),
    ]
}

fn accounts() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("MockAccounts", "Every account, the oldest first.").always(
            "accounts",
            each("MockAccount"),
            "",
        ),
        AnswerObject::object("MockAccount", "An account.")
            .always("id", Schema::text(), "Its id in paths.")
            .always("customerNumber", CustomerNumber::schema(), "Whose it is.")
            .always("accountName", Schema::text(), "")
            .always("product", Schema::text(), "")
            .always("bban", bban(), "")
            .always("iban", iban(), "")
            .always("currency", currency(), "")
            .always("cashAccountType", Schema::text(), "ISO 20022, such as CACC.")
            .always("creditLine", units(), "How far it may be overdrawn.")
            .always("balances", each("MockBalance"), "")
            .always("_links", Schema::named("ResourceLinks"), ""),
        AnswerObject::object("MockBalance", "A balance.")
            .always("balanceAmount", Schema::named("MockSum"), "")
            .always("balanceType", Schema::one_of(BalanceType::ALL.map(BalanceType::as_str)), ""),
        AnswerObject::object("MockSum", "A sum in whole units.").always("currency", currency(), "").always(
            "amount",
            units(),
            "",
        ),
        transaction(),
    ]
}

fn transaction() -> AnswerObject {
    AnswerObject::object("MockTransaction", "A transaction; what a payment left out is an empty text.")
        .always("id", Schema::text(), "Its id in paths.")
        .always("amount", units(), "Without a sign: debtorAccount shows the direction.")
        .always("currency", currency(), "")
        .always("valueDate", Schema::day(), "")
        .always("remittanceInformationUnstructured", Schema::text(), "")
        .always("creditorName", Schema::text(), "")
        .always("creditorAccount", Schema::named("MockAccountNumbers"), "")
        .always("debtorName", Schema::text(), "")
        .always("debtorAccount", Schema::named("MockAccountNumbers"), "")
        .always("bankTransactionCode", Schema::text(), "")
        .always("ultimateDebtor", Schema::text(), "")
        .always("ultimateCreditor", Schema::text(), "")
        .always("purposeCode", Schema::text(), "")
        .always("bookingDate", Schema::day(), "")
        .always("_links", Schema::named("OwnLink"), "")
}

fn card_accounts() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("MockCardAccounts", "Every card account, the oldest first.").always(
            "cardAccounts",
            each("MockCardAccount"),
            "",
        ),
        AnswerObject::object("MockCardAccount", "A card account.")
            .always("resourceId", Schema::text(), "Its id in paths.")
            .always("customerNumber", CustomerNumber::schema(), "Whose it is.")
            .always("maskedPan", Schema::text(), "")
            .always("currency", currency(), "")
            .always("creditLimit", Schema::named("MockSum"), "")
            .always("balances", each("MockBalance"), "")
            .always("cardId", Schema::text(), "")
            .always("cardIdVNo", Schema::text(), "")
            .always("accountNumber", Schema::text(), "")
            .always("expiry", Schema::text(), "")
            .always("name", Schema::text(), "")
            .always("product", Schema::text(), "")
            .always("status", Schema::one_of(CardStatus::NAMES.iter().copied()), "")
            .always("_links", Schema::named("ResourceLinks"), ""),
        AnswerObject::object("MockCardTransactions", "What a card was used for, by the sandbox's own route.")
            .always("cardAccount", Schema::named("CardNumber"), "")
            .always("cardTransactions", Schema::named("MockCardTransactionLists"), ""),
        AnswerObject::object("MockCardTransactionLists", "Newest first.")
            .always("booked", each("MockCardTransaction"), "")
            .always("pending", texts(), "Empty: what is made by hand is booked at once."),
        AnswerObject::object("MockCardTransaction", "A use of a card. What was spent is positive.")
            .always("cardTransactionId", Schema::text(), "")
            .always("bookingDate", Schema::day(), "")
            .always("transactionDate", Schema::day(), "")
            .always("transactionAmount", Schema::named("MockSum"), "")
            .always("originalAmount", Schema::named("MockSum"), "")
            .always("merchantCategoryCode", Schema::text(), ""),
    ]
}

/// A whole number of units: what the books hold may be more than 32 bits do.
fn units() -> Schema {
    Schema::any_whole()
}

fn each(name: &str) -> Schema {
    Schema::each(Schema::named(name))
}

fn texts() -> Schema {
    Schema::each(Schema::text())
}
