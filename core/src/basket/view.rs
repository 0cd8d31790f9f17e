//! What a TPP is shown of signing baskets (contract: Signing basket).

use serde::Serialize;

use super::basket_rules::is_authorisable;
use super::machine::BasketState;
use super::record::Basket;
use super::status::{basket_status, BasketStatus};
use crate::payment::record::Payment;
use crate::types::PaymentId;
use crate::wire::link::Link;

/// The path of a basket, without host and base path.
pub(crate) fn path(basket: &Basket) -> String {
    format!("/v1/signing-baskets/{}", basket.id)
}

/// The answer to a creation, and to questions for details and status.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct BasketView<'b> {
    basket_id: &'b str,
    /// Shown in details alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    payments: Option<Vec<&'b str>>,
    transaction_status: &'static str,
    #[serde(rename = "_links")]
    links: BasketLinks,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BasketLinks {
    #[serde(rename = "self")]
    own: Link,
    status: Link,
    #[serde(skip_serializing_if = "Option::is_none")]
    start_authorisation: Option<Link>,
}

impl<'b> BasketView<'b> {
    /// The basket with the status that follows from its payments.
    pub(crate) fn new(basket: &'b Basket, payments: &[Payment]) -> Self {
        let status = basket_status(payments.iter().map(|payment| payment.status));
        Self {
            basket_id: basket.id.as_str(),
            payments: None,
            transaction_status: status.map_or("", BasketStatus::as_str),
            links: BasketLinks::new(basket, is_authorisable(basket, payments)),
        }
    }

    /// With the ids of its payments.
    pub(crate) fn with_payments(self, basket: &'b Basket) -> Self {
        Self { payments: Some(basket.payments.iter().map(PaymentId::as_str).collect()), ..self }
    }
}

impl BasketLinks {
    fn new(basket: &Basket, is_authorisable: bool) -> Self {
        let own = path(basket);
        Self {
            status: Link::get(format!("{own}/status")),
            start_authorisation: is_authorisable.then(|| Link::post(format!("{own}/authorisations"))),
            own: match basket.state {
                BasketState::Open => Link::get_and_delete(own),
                BasketState::Authorised | BasketState::Deleted => Link::get(own),
            },
        }
    }
}
