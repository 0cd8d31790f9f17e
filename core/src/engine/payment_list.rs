//! The payments that an operator looks for, and one with its history.

use serde::Serialize;

use super::page::{check_limit, limit_of, no_row, read_query, time_of};
use super::public_api::Engine;
use crate::error::Result;
use crate::json_bank::shape::shape;
use crate::limits::LISTED_ORDER_BYTES_MAX;
use crate::machine::Machine;
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::payment::stored;
use crate::payment::view::{AmountView, OrderView};
use crate::store::{Event, PaymentFilter, PaymentStore};
use crate::types::instant::{rfc3339, rfc3339_micros};
use crate::types::{BasketId, Context, CorporateKey, PaymentId, PsuKey};
use crate::wire::json;

/// How many payments are read at a time: few, because each may have a large order.
const ROWS_PER_READ: usize = 20;

struct PaymentQuery {
    psu: Option<PsuKey>,
    tpp: Option<String>,
    status: Option<PaymentStatus>,
    created_from: Option<String>,
    created_to: Option<String>,
    after: Option<String>,
    limit: Option<u64>,
}

shape! {
    PaymentQuery "payment-query" {
        psu: PsuKey = optional "psu", "the person who pays";
        tpp: String = optional "tpp", "the organisation identifier of the TPP";
        status: PaymentStatus = optional "status", "the status";
        created_from: String = optional "createdFrom", "created at this time or later";
        created_to: String = optional "createdTo", "created before this time";
        after: String = optional "after", "the id of the last row of the page before";
        limit: u64 = optional "limit", "the number of rows";
    }
}

impl Engine {
    /// Payments, the newest first: those after the payment with the id `after` in this order, at most `limit`. A page
    /// is shorter if its orders have 8 MiB: the next begins after its last payment, and the one after the last page is
    /// empty.
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for an `after` that is the id of no payment, and for a limit
    /// other than 1 to 1000; [`Error::Store`](crate::Error::Store).
    pub fn payments(
        &self,
        filter: &PaymentFilter,
        after: Option<&PaymentId>,
        limit: usize,
    ) -> Result<Vec<Payment>> {
        self.at_present("payments", |_, _| {
            let store = self.context.store().payments();
            if let Some(id) = after {
                store.payment(id)?.ok_or_else(|| no_row("after", "payment"))?;
            }
            page(store, filter, after, check_limit(limit)?, LISTED_ORDER_BYTES_MAX)
        })
    }

    /// A payment with its history, oldest first. `None`: no payment has the id.
    ///
    /// # Errors
    /// [`Error::Store`](crate::Error::Store).
    pub fn payment(&self, payment_id: &str) -> Result<Option<(Payment, Vec<Event>)>> {
        self.at_present("payment", |_, _| {
            let Some(id) = PaymentId::parse(payment_id) else { return Ok(None) };
            let store = self.context.store().payments();
            let Some(payment) = store.payment(&id)? else { return Ok(None) };
            Ok(Some((payment, store.events(&id)?)))
        })
    }

    /// As [`Engine::payments`], as JSON, in pages that end as those. The query is an object with any of `psu`, `tpp`,
    /// `status`, `createdFrom`, `createdTo` (before which it was created), `after` (the `id` of the last row of the
    /// page before) and `limit` (200 if absent). The answer is an array of objects:
    ///
    /// | member | value |
    /// |---|---|
    /// | `id`, `tpp`, `product`, `status` | of the payment |
    /// | `psu`, `context`, `corporate` | the PSU in its role, as far as it is known |
    /// | `order`, `fee` | the body as the TPP sent it, and what the bank charges |
    /// | `fundsAvailable`, `onHold`, `basketId` | if known; if the bank holds it; if in a basket |
    /// | `createdAt`, `authorisedAt` | times; the second if the PSU or the bank authorised it |
    ///
    /// # Errors
    /// [`Error::Misuse`](crate::Error::Misuse) for another query, and as [`Engine::payments`].
    pub fn payments_json(&self, query: &str) -> Result<String> {
        let query: PaymentQuery = read_query(query)?;
        let after =
            query.after.as_deref().map(|id| PaymentId::parse(id).ok_or_else(|| no_row("after", "payment")));
        let after = after.transpose()?;
        let filter = PaymentFilter {
            psu: query.psu,
            tpp: query.tpp,
            status: query.status,
            created_from: time_of(query.created_from.as_deref(), "createdFrom")?,
            created_to: time_of(query.created_to.as_deref(), "createdTo")?,
        };
        let payments = self.payments(&filter, after.as_ref(), limit_of(query.limit))?;
        json::write_text(&payments.iter().map(PaymentView::from).collect::<Vec<_>>())
    }

    /// As [`Engine::payment`], as a JSON object: a row of [`Engine::payments_json`] and its `events`, an array of
    /// `{"at","from","to","cause"}`.
    ///
    /// # Errors
    /// As [`Engine::payment`].
    pub fn payment_json(&self, payment_id: &str) -> Result<Option<String>> {
        let found = self.payment(payment_id)?;
        let write = |(payment, events): (Payment, Vec<Event>)| {
            let events = events.iter().map(EventView::from).collect();
            json::write_text(&HistoryView { payment: PaymentView::from(&payment), events })
        };
        found.map(write).transpose()
    }
}

/// Payments from those after one on, until there are `limit` or their orders have that many bytes.
fn page(
    store: &dyn PaymentStore,
    filter: &PaymentFilter,
    after: Option<&PaymentId>,
    limit: usize,
    bytes_max: usize,
) -> Result<Vec<Payment>> {
    let (mut listed, mut bytes) = (Vec::<Payment>::new(), 0);
    while listed.len() < limit {
        let last = listed.last().map(|payment| &payment.id).or(after);
        let rows = ROWS_PER_READ.min(limit - listed.len());
        let read = store.list_payments(filter, last, rows)?;
        let is_end = read.len() < rows;
        for payment in read {
            bytes += stored::to_text(&payment.order)?.len();
            listed.push(payment);
            if bytes >= bytes_max {
                return Ok(listed);
            }
        }
        if is_end {
            break;
        }
    }
    Ok(listed)
}

#[derive(Serialize)]
struct HistoryView<'p> {
    #[serde(flatten)]
    payment: PaymentView<'p>,
    events: Vec<EventView<'p>>,
}

#[derive(Serialize)]
struct EventView<'e> {
    at: String,
    from: &'static str,
    to: &'static str,
    cause: &'e str,
}

impl<'e> From<&'e Event> for EventView<'e> {
    fn from(event: &'e Event) -> Self {
        Self {
            at: rfc3339_micros(event.at),
            from: event.from.as_str(),
            to: event.to.as_str(),
            cause: &event.cause,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PaymentView<'p> {
    id: &'p str,
    tpp: &'p str,
    product: &'static str,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    psu: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    corporate: Option<&'p str>,
    order: OrderView<'p>,
    fee: AmountView,
    #[serde(skip_serializing_if = "Option::is_none")]
    funds_available: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    on_hold: Option<&'p str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    basket_id: Option<&'p str>,
    created_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    authorised_at: Option<String>,
}

impl<'p> From<&'p Payment> for PaymentView<'p> {
    fn from(payment: &'p Payment) -> Self {
        Self {
            id: payment.id.as_str(),
            tpp: &payment.tpp,
            product: payment.product.path(),
            status: payment.status.as_str(),
            psu: payment.psu.as_ref().map(PsuKey::as_str),
            context: payment.context.map(Context::as_str),
            corporate: payment.corporate.as_ref().map(CorporateKey::as_str),
            order: OrderView::from(&payment.order),
            fee: AmountView::from(payment.fee),
            funds_available: payment.funds_available,
            on_hold: payment.on_hold.as_deref(),
            basket_id: payment.basket.as_ref().map(BasketId::as_str),
            created_at: rfc3339(payment.created_at),
            authorised_at: payment.authorised_at.map(rfc3339),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::store::conformance::samples::{insert, payment};
    use crate::store::sqlite::{Database, SqliteStore};
    use crate::store::Store;

    /// More payments than are read at a time, and how many bytes the order of each has.
    fn stored_payments() -> (SqliteStore, usize) {
        let store = SqliteStore::new(Arc::new(Database::open_memory().unwrap()));
        for number in 0..45 {
            store.commit(&[insert(payment(number))]).unwrap();
        }
        (store, stored::to_text(&payment(0).order).unwrap().len())
    }

    #[test]
    fn a_page_ends_at_its_limit_or_its_bytes_and_has_a_row() {
        let (store, one) = stored_payments();
        for (limit, bytes_max, expected) in [
            (1, usize::MAX, 1),
            (20, usize::MAX, 20),
            (21, usize::MAX, 21),
            (44, usize::MAX, 44),
            (99, usize::MAX, 45),
            (99, 0, 1),
            (99, one, 1),
            (99, one + 1, 2),
            (99, 30 * one, 30),
            (99, 30 * one + 1, 31),
            (7, 30 * one, 7),
        ] {
            let page = page(store.payments(), &PaymentFilter::default(), None, limit, bytes_max).unwrap();
            assert_eq!(page.len(), expected, "{limit} {bytes_max}");
        }
    }

    #[test]
    fn pages_that_end_by_their_bytes_have_every_payment_once() {
        let (store, one) = stored_payments();
        let filter = PaymentFilter::default();
        let mut found = Vec::<Payment>::new();
        loop {
            let after = found.last().map(|payment| payment.id.clone());
            let next = page(store.payments(), &filter, after.as_ref(), 1000, 4 * one).unwrap();
            if next.is_empty() {
                break;
            }
            found.extend(next);
        }
        assert_eq!(found, store.payments().list_payments(&filter, None, 1000).unwrap());
        assert_eq!(found.len(), 45);
    }
}
