//! From the engine's order to the bank's own: whose account pays, whose are paid, when.

use chrono::{DateTime, Utc};

use super::{access, batch_times};
use crate::bank::PaymentOrder;
use crate::error::{Error, Result};
use crate::payment::order::{CreditTransfer, RemittanceInformation, StructuredReference};
use crate::payment::product::{Product, Service};
use crate::store::sqlite::sandbox::{
    Books, Counterpart, EntryOutcome, Order, OrderEntry, OrderReference, OrderState,
};
use crate::types::date::oslo_day;
use crate::types::{AccountIdentification, Iban, Text};

/// The order as it is kept: its debtor looked up, its time set. An order whose account this PSU may not pay
/// from is refused as it comes.
pub(super) fn order(books: &Books<'_>, payment: &PaymentOrder, now: DateTime<Utc>) -> Result<Order> {
    let debtor = access::debtor(books, &payment.psu, &payment.order.debtor_account().identification)?;
    let refused = debtor.is_none().then_some(EntryOutcome::NoDebtor);
    let state = match refused {
        Some(_) => OrderState::NoDebtor,
        None if payment.product.service() == Service::PeriodicPayments => OrderState::Standing,
        None => OrderState::Waiting,
    };
    let entries: Vec<_> =
        payment.order.transfers().iter().map(|transfer| entry(payment.product, transfer, refused)).collect();
    if entries.is_empty() {
        return Err(Error::Internal("an order has no credit transfer".to_owned()));
    }
    Ok(Order {
        payment_id: payment.payment_id.clone(),
        product: payment.product,
        state,
        // What becomes of the others at once is the answer to the delivery itself.
        reported: payment.product.is_instant() || state != OrderState::Waiting,
        taken_at: now,
        due_at: due(payment, now),
        settled_at: refused.map(|_| now),
        debtor: debtor.map(|account| account.key),
        fee: payment.fee,
        entries,
    })
}

/// When an order is to be settled: an instant one at once, one for a later day by the first batch of that day,
/// any other by the next batch.
fn due(payment: &PaymentOrder, now: DateTime<Utc>) -> DateTime<Utc> {
    if payment.product.is_instant() {
        return now;
    }
    match payment.order.requested_execution_date() {
        Some(day) if day > oslo_day(now) => batch_times::first_run(day),
        _ => batch_times::next_run(now),
    }
}

fn entry(product: Product, transfer: &CreditTransfer, outcome: Option<EntryOutcome>) -> OrderEntry {
    let (remittance, references) = remittance(transfer.remittance.as_ref());
    OrderEntry {
        outcome,
        instructed: transfer.instructed_amount.into(),
        creditor: creditor(product, transfer),
        creditor_agent: transfer.creditor_agent,
        ultimate_debtor: transfer.ultimate_debtor.as_ref().map(text),
        purpose_code: transfer.purpose_code.map(|code| code.code().to_owned()),
        remittance,
        references,
    }
}

/// The payee, with both forms of a Norwegian account number where either was given.
fn creditor(product: Product, transfer: &CreditTransfer) -> Counterpart {
    let (bban, iban) = match transfer.creditor_account.identification {
        AccountIdentification::Bban(bban) if transfer.has_norwegian_bban(product) => {
            (Some(bban), Iban::of_norwegian(&bban))
        }
        AccountIdentification::Bban(bban) => (Some(bban), None),
        AccountIdentification::Iban(iban) => (iban.bban(), Some(iban)),
        AccountIdentification::Card(_) => (None, None),
    };
    Counterpart { name: Some(text(&transfer.creditor_name)), bban, iban }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::{Bank, OrderStatus};
    use crate::payment::machine::PaymentStatus;
    use crate::sandbox::fixture::{bulk, domestic, instant, noon, on_day, payment_id, under, Fixture};

    fn due_at(now: &str, order: &PaymentOrder) -> String {
        due(order, now.parse().unwrap()).format("%Y-%m-%dT%H:%MZ").to_string()
    }

    #[test]
    fn a_day_to_come_is_waited_for_and_any_other_is_the_next_run() {
        // Oslo is one hour ahead of UTC in winter, two in summer; the clocks change at the end of March and of
        // October.
        for (now, day, expected) in [
            ("2026-11-20T11:00:00Z", "2026-11-19", "2026-11-20T12:00Z"),
            ("2026-11-20T11:00:00Z", "2026-11-20", "2026-11-20T12:00Z"),
            ("2026-11-20T11:00:00Z", "2026-11-21", "2026-11-21T05:00Z"),
            ("2026-11-20T11:00:00Z", "2026-11-22", "2026-11-22T05:00Z"),
            ("2026-11-20T11:00:00Z", "2027-11-20", "2027-11-20T05:00Z"),
            ("2026-11-20T17:00:00Z", "2026-11-20", "2026-11-21T05:00Z"),
            ("2026-11-20T22:59:59Z", "2026-11-21", "2026-11-21T05:00Z"),
            ("2026-11-20T23:00:00Z", "2026-11-21", "2026-11-21T05:00Z"),
            ("2026-11-21T05:00:00Z", "2026-11-21", "2026-11-21T09:00Z"),
            ("2026-11-20T11:00:00Z", "2027-03-27", "2027-03-27T05:00Z"),
            ("2026-11-20T11:00:00Z", "2027-03-28", "2027-03-28T04:00Z"),
            ("2026-09-01T11:00:00Z", "2026-10-24", "2026-10-24T04:00Z"),
            ("2026-09-01T11:00:00Z", "2026-10-25", "2026-10-25T05:00Z"),
        ] {
            for order in [domestic(1, "1.00"), bulk(1, &[("95360573037", "1.00")])] {
                assert_eq!(due_at(now, &on_day(day, order)), expected, "{now} {day}");
            }
        }
        assert_eq!(due_at("2026-11-20T11:00:00Z", &domestic(1, "1.00")), "2026-11-20T12:00Z");
    }

    #[test]
    fn exactly_the_instant_products_are_settled_as_they_come() {
        for product in Product::ALL {
            let fixture = Fixture::new();
            let status = fixture.submit(&under(*product, instant(1, "10.00")), noon()).status;
            let is_instant = matches!(product, Product::InstantDomestic | Product::InstantDomesticStraks);
            let expected = if is_instant { PaymentStatus::Acsc } else { PaymentStatus::Pdng };
            assert_eq!(status, expected, "{product:?}");
            assert_eq!(fixture.amounts("95360573037").len(), usize::from(is_instant), "{product:?}");
        }
    }

    #[test]
    fn a_standing_order_is_taken_once_and_no_batch_settles_it() {
        let fixture = Fixture::new();
        let order = under(Product::PeriodicDomestic, instant(1, "10.00"));
        for _ in 0..2 {
            let taken = OrderStatus::of(PaymentStatus::Pdng);
            assert_eq!(fixture.submit(&order, noon()), taken);
        }
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), None);
        assert_eq!(fixture.bank.run(noon() + chrono::TimeDelta::days(400)).unwrap(), []);
        assert_eq!(fixture.bank.unreported().unwrap(), []);
        assert_eq!(fixture.amounts("95360573002"), [""; 0]);
        assert_eq!(fixture.outcomes(1), [None]);
    }

    #[test]
    fn a_bulk_from_an_account_of_someone_else_is_refused_as_it_comes() {
        let fixture = Fixture::new();
        let mut order = bulk(1, &[("95360573037", "1.00"), ("95360573010", "1.00")]);
        order.psu = crate::sandbox::fixture::acting_privately("12085592767");
        let refused = OrderStatus::of(PaymentStatus::Rjct);
        assert_eq!(fixture.submit(&order, noon()), refused);
        assert_eq!(fixture.outcomes(1), [Some(EntryOutcome::NoDebtor); 2]);
        assert_eq!(fixture.bank.unreported().unwrap(), []);
    }

    #[test]
    fn an_order_without_a_credit_transfer_is_not_taken() {
        let fixture = Fixture::new();
        let mut order = bulk(1, &[("95360573037", "1.00")]);
        if let crate::payment::order::Order::Bulk(bulk) = &mut order.order {
            bulk.entries.clear();
        }
        assert!(matches!(fixture.bank.payments().submit_payment(&order, noon()), Err(Error::Internal(_))));
        let taken = fixture.database().read_books(|books| books.order(&payment_id(1))).unwrap();
        assert!(taken.is_none());
    }
}
