//! Payments and signing baskets.

use super::answer_object::{bban, currency, iban, link, money, AnswerObject};
use crate::basket::status::BasketStatus;
use crate::limits::MESSAGE_TEXT_CHARS_MAX;
use crate::machine::Machine as _;
use crate::payment::bodies::members;
use crate::payment::machine::PaymentStatus;
use crate::sca::machine::ScaStatus;
use crate::wire::described::component;
use crate::wire::schema::Schema;

pub(super) fn schemas() -> Vec<AnswerObject> {
    vec![
        AnswerObject::object("CreatedPayment", "A payment that was taken.")
            .always("paymentId", Schema::text(), "")
            .always("transactionStatus", status(), "")
            .always("transactionFees", money(), "What it costs, the exchange included.")
            .always("transactionFeeIndicator", Schema::switch(), "Whether it costs anything.")
            .sometimes("tppMessages", Schema::each(Schema::named("TppMessage")), "Warnings.")
            .always("psuMessage", psu_message(), "What the TPP may show the PSU.")
            .always("_links", Schema::named("PaymentLinks"), ""),
        AnswerObject::object("PaymentStatus", "The status of a payment.")
            .always("paymentId", Schema::text(), "")
            .always("transactionStatus", status(), "")
            .sometimes(
                "fundsAvailable",
                Schema::switch(),
                "Whether the account had the money, once the bank looked.",
            )
            .always("psuMessage", psu_message(), "What the TPP may show the PSU.")
            .always("_links", Schema::named("PaymentLinks"), ""),
        details(),
        AnswerObject::object("PaymentAccount", "An account, in the way that the order named it.")
            .sometimes("bban", bban(), "")
            .sometimes("iban", iban(), "")
            .sometimes("other", Schema::named(&component("card")), "A card account.")
            .always("currency", currency(), ""),
        AnswerObject::object(
            "CancellationNeedsSca",
            "A payment whose cancellation the PSU has to authorise.",
        )
        .always("transactionStatus", status(), "")
        .always("_links", Schema::named("PaymentLinks"), ""),
        AnswerObject::object("PaymentLinks", "What can be done with a payment in its status.")
            .always("self", link(), "")
            .always("status", link(), "")
            .sometimes("startAuthorisation", link(), "")
            .sometimes("scaRedirect", link(), "Where to send the PSU."),
        AnswerObject::object("SigningBasket", "Payments that one SCA authorises.")
            .always("basketId", Schema::text(), "")
            .sometimes("payments", Schema::each(Schema::text()), "Their ids; in details alone.")
            .always("transactionStatus", basket_status(), "The worst case among the payments.")
            .always("_links", Schema::named("BasketLinks"), ""),
        AnswerObject::object("BasketLinks", "What can be done with a basket in its status.")
            .always("self", link(), "")
            .always("status", link(), "")
            .sometimes("startAuthorisation", link(), ""),
        AnswerObject::object("StartedAuthorisation", "An authorisation that waits for the PSU.")
            .always("scaStatus", Schema::one_of([ScaStatus::Started.as_str()]), "")
            .always("_links", Schema::named("ScaLinks"), ""),
    ]
}

/// The members that the payment was created with, and where it is. An account may be named in any way that some product
/// takes: a schema for each would leave it to the reader which one it is.
fn details() -> AnswerObject {
    let mut answer_object = AnswerObject::object("Payment", "What was ordered, as it was ordered.").always(
        "paymentId",
        Schema::text(),
        "",
    );
    let rows = members();
    for row in &rows {
        let is_account = rows.iter().filter(|other| other.name == row.name).count() > 1;
        let schema = if is_account { Schema::named("PaymentAccount") } else { row.schema.clone() };
        if !answer_object.has(row.name) {
            answer_object = answer_object.sometimes(row.name, schema, "");
        }
    }
    answer_object.always("_links", Schema::named("PaymentLinks"), "")
}

fn status() -> Schema {
    Schema::one_of(PaymentStatus::STATES.iter().map(|state| state.as_str()))
}

fn basket_status() -> Schema {
    Schema::one_of(BasketStatus::ALL.iter().map(|status| status.as_str()))
}

fn psu_message() -> Schema {
    Schema::text_of(1, MESSAGE_TEXT_CHARS_MAX)
}
