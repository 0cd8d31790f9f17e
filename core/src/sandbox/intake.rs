//! From the engine's order to the bank's own: whose account pays, whose is paid, when.

use chrono::{DateTime, Utc};

use super::{access, batch};
use crate::bank::PaymentOrder;
use crate::error::Result;
use crate::payment::order::{RemittanceInformation, StructuredReference};
use crate::store::sqlite::sandbox::{Books, Counterpart, Order, OrderReference, OrderState};
use crate::types::{AccountIdentification, Iban, Text};

/// The order as it is kept. Instant payments are due at once, the others in the next batch. An order whose
/// account this PSU may not pay from is refused as it comes.
pub(super) fn order(books: &Books<'_>, payment: &PaymentOrder, now: DateTime<Utc>) -> Result<Order> {
    let transfer = &payment.transfer;
    let debtor = access::debtor(books, &payment.psu, &transfer.debtor_account.identification)?;
    let is_instant = payment.product.is_instant();
    let (remittance, references) = remittance(transfer.remittance.as_ref());
    Ok(Order {
        payment_id: payment.payment_id.clone(),
        product: payment.product,
        state: if debtor.is_some() { OrderState::Waiting } else { OrderState::NoDebtor },
        reported: is_instant || debtor.is_none(),
        taken_at: now,
        due_at: if is_instant { now } else { batch::next_run(now) },
        settled_at: debtor.is_none().then_some(now),
        debtor: debtor.map(|account| account.key),
        instructed: transfer.instructed_amount.into(),
        fee: payment.fee,
        creditor: creditor(payment),
        creditor_agent: transfer.creditor_agent,
        ultimate_debtor: transfer.ultimate_debtor.as_ref().map(text),
        purpose_code: transfer.purpose_code.map(|code| code.code().to_owned()),
        remittance,
        references,
    })
}

/// The payee, with both forms of a Norwegian account number where either was given.
fn creditor(payment: &PaymentOrder) -> Counterpart {
    let (bban, iban) = match payment.transfer.creditor_account.identification {
        AccountIdentification::Bban(bban) if is_in_norway(payment) => (Some(bban), Iban::of_norwegian(&bban)),
        AccountIdentification::Bban(bban) => (Some(bban), None),
        AccountIdentification::Iban(iban) => (iban.bban(), Some(iban)),
        AccountIdentification::Card(_) => (None, None),
    };
    Counterpart { name: Some(text(&payment.transfer.creditor_name)), bban, iban }
}

/// Whether a bban of the payee is a Norwegian one. Eleven digits alone do not make it one: other countries
/// have such numbers too.
fn is_in_norway(payment: &PaymentOrder) -> bool {
    let agent = payment.transfer.creditor_agent.as_ref();
    payment.product.is_domestic() || agent.is_none_or(|agent| agent.country_code() == "NO")
}

fn remittance(given: Option<&RemittanceInformation>) -> (Option<String>, Vec<OrderReference>) {
    match given {
        None => (None, Vec::new()),
        Some(RemittanceInformation::Unstructured(message)) => (Some(text(message)), Vec::new()),
        Some(RemittanceInformation::Structured(single)) => (None, vec![reference(single)]),
        Some(RemittanceInformation::StructuredArray(array)) => (None, array.iter().map(reference).collect()),
    }
}

fn reference(given: &StructuredReference) -> OrderReference {
    OrderReference {
        reference: text(&given.reference),
        reference_type: given.reference_type.as_ref().map(text),
        reference_issuer: given.reference_issuer.as_ref().map(text),
    }
}

fn text<const MAX: usize>(given: &Text<MAX>) -> String {
    given.as_str().to_owned()
}
