//! The body that creates a signing basket (contract: Signing basket).

use std::collections::HashSet;

use crate::limits::BASKET_PAYMENTS_MAX;
use crate::reason::{Reason, Refusal, Violation};
use crate::types::{PaymentId, Repertoire};
use crate::wire::described::{described, forms, Object, Tabled};
use crate::wire::json::Json;
use crate::wire::reader::{Each, Member, Reader};
use crate::wire::schema::Schema;

described! {
    /// Payments that one SCA authorises.
    BasketBody "basket" {
        /// The payments, in their order.
        payments: NamedPayments = required "paymentIds";
    }
}

forms! {
    NamedPayments: format!("array, 1 to {BASKET_PAYMENTS_MAX} different payment ids"),
        Schema::each(Schema::text()).of_items(1, BASKET_PAYMENTS_MAX);
}

/// What the docs print of it.
pub fn object() -> Object {
    BasketBody::object()
}

/// 1 to 10 payments, all different. One whose id cannot be one is `None`: it is as unknown as one that never
/// was.
#[derive(Debug, Clone)]
pub(crate) struct NamedPayments(pub(crate) Vec<Option<PaymentId>>);

/// One id as text.
struct Named(String);

impl Member for Named {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        reader.string(value).map(|text| Self(text.to_owned()))
    }
}

impl Member for NamedPayments {
    fn read(value: &Json<'_>, reader: &mut Reader) -> Option<Self> {
        let Each(ids) = Each::<Named>::read(value, reader)?;
        if !(1..=BASKET_PAYMENTS_MAX).contains(&ids.len()) {
            reader.error(Violation::with(Reason::BasketSize, &[&BASKET_PAYMENTS_MAX, &ids.len()]));
        }
        let mut seen = HashSet::new();
        for (index, id) in ids.iter().enumerate() {
            if id.as_ref().is_some_and(|Named(id)| !seen.insert(id)) {
                reader.error_at(&format!("/{index}"), Reason::BasketPaymentRepeated);
            }
        }
        ids.iter()
            .map(|id| id.as_ref().map(|Named(id)| PaymentId::parse(id)))
            .collect::<Option<_>>()
            .map(Self)
    }
}

/// Reads the body.
///
/// # Errors
/// FORMAT_ERROR, all faults at once. Members that are not known are ignored: the answer has no messages.
pub(crate) fn read(body: &[u8]) -> Result<NamedPayments, Refusal> {
    let json = Json::parse(body).map_err(Refusal::new)?;
    // Ids are no text that the bank carries.
    let mut reader = Reader::new(Repertoire::Bmp);
    let read = BasketBody::read(&json, &mut reader);
    match (read, reader.has_errors()) {
        (Some(body), false) => Ok(body.payments),
        _ => Err(Refusal::from_findings(reader.into_findings()).unwrap_or_else(|| Reason::Internal.into())),
    }
}
