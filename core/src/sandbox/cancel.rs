//! Cancelling an order.

use chrono::{DateTime, Utc};

use super::order_status::final_status;
use crate::bank::Cancellation;
use crate::error::Result;
use crate::store::sqlite::sandbox::{Books, OrderState};
use crate::types::PaymentId;

/// Cancels what is not settled, and remembers the cancellation of what never came.
pub(super) fn cancel(books: &Books<'_>, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
    let Some(order) = books.order(payment)? else {
        books.remember_cancelled(payment, now)?;
        return Ok(Cancellation::Cancelled);
    };
    match order.state {
        OrderState::Waiting | OrderState::Standing => {
            books.cancel_order(payment, now)?;
            Ok(Cancellation::Cancelled)
        }
        OrderState::Cancelled => Ok(Cancellation::Cancelled),
        settled => Ok(Cancellation::TooLate(final_status(settled))),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use chrono::TimeDelta;

    use super::*;
    use crate::bank::{Bank, OrderStatus};
    use crate::payment::machine::PaymentStatus;
    use crate::payment::product::Product;
    use crate::sandbox::batch::next_run;
    use crate::sandbox::default_data;
    use crate::sandbox::fixture::{
        acting_privately, bulk, cross_border, domestic, instant, noon, on_day, payment_id, under, Fixture,
    };
    use crate::store::sqlite::Database;

    const CANCELLED: OrderStatus = OrderStatus::of(PaymentStatus::Canc);

    fn cancelled(fixture: &Fixture, n: u8) -> Cancellation {
        fixture.bank.payments().cancel_payment(&payment_id(n), noon()).unwrap()
    }

    #[test]
    fn what_waits_is_cancelled_for_ever_and_nothing_of_it_is_booked() {
        let fixture = Fixture::new();
        let later = on_day("2026-11-23", domestic(2, "10.00"));
        let periodic = under(Product::PeriodicDomestic, instant(3, "10.00"));
        let orders = [
            domestic(1, "10.00"),
            later,
            periodic,
            bulk(4, &[("95360573037", "1.00"), ("95360573010", "2.00")]),
        ];
        for order in &orders {
            assert_eq!(fixture.submit(order, noon()).status, PaymentStatus::Pdng);
        }
        for n in 1..=4 {
            assert_eq!(cancelled(&fixture, n), Cancellation::Cancelled);
            assert_eq!(cancelled(&fixture, n), Cancellation::Cancelled, "asked again");
        }
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), None);
        assert_eq!(fixture.bank.run(noon() + TimeDelta::days(9)).unwrap(), [], "no result to report");
        for order in &orders {
            assert_eq!(fixture.submit(order, noon()), CANCELLED);
        }
        assert_eq!(fixture.amounts("95360573002"), [""; 0]);
    }

    #[test]
    fn an_order_that_comes_after_its_cancellation_is_not_carried_out() {
        let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
        let fixture = Fixture::over(Arc::clone(&database));
        for n in [1, 2, 1] {
            assert_eq!(cancelled(&fixture, n), Cancellation::Cancelled);
        }
        // What is remembered is in the database, not in the process.
        let fixture = Fixture::over(Arc::new(Database::from_image(&database.image().unwrap()).unwrap()));
        for order in [instant(1, "10.00"), cross_border(instant(2, "10.00"))] {
            assert_eq!(fixture.submit(&order, noon()), CANCELLED);
        }
        assert_eq!(
            fixture.submit(&instant(3, "10.00"), noon()).status,
            PaymentStatus::Acsc,
            "another one is"
        );
        assert_eq!(fixture.bank.next_batch_needed().unwrap(), None);
        assert_eq!(fixture.amounts("95360573002"), ["-10.00"]);
        default_data::initialize(fixture.database()).unwrap();
        assert_eq!(fixture.submit(&instant(1, "10.00"), noon()).status, PaymentStatus::Acsc, "all is new");
    }

    #[test]
    fn for_what_is_settled_it_is_too_late_whether_that_was_reported_or_not() {
        let fixture = Fixture::new();
        let mut foreign = instant(3, "1.00");
        foreign.psu = acting_privately("12085592767");
        let orders = [
            instant(1, "10.00"),
            instant(2, "100000.00"),
            foreign,
            domestic(4, "10.00"),
            bulk(5, &[("95360573037", "100000.00"), ("95360573037", "10.00")]),
        ];
        for order in &orders {
            fixture.submit(order, noon());
        }
        fixture.bank.run(next_run(noon())).unwrap();
        let expected = [
            (PaymentStatus::Acsc, Some(true)),
            (PaymentStatus::Rjct, Some(false)),
            (PaymentStatus::Rjct, None),
            (PaymentStatus::Acsc, Some(true)),
            (PaymentStatus::Part, Some(false)),
        ];
        for is_reported in [false, true] {
            for (n, (status, funds_available)) in (1..).zip(expected) {
                let too_late = Cancellation::TooLate(OrderStatus { status, funds_available });
                assert_eq!(cancelled(&fixture, n), too_late, "{n} {is_reported}");
                fixture.bank.mark_reported(&payment_id(n)).unwrap();
            }
        }
        assert_eq!(fixture.amounts("95360573002"), ["-10.00", "-10.00", "-10.00"]);
    }
}
