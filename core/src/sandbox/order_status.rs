//! The status of a payment, by the state of its order at the bank.

use crate::bank::OrderStatus;
use crate::payment::machine::PaymentStatus;
use crate::store::sqlite::sandbox::OrderState;

/// The status that the engine gets for a state of an order. The money counts as missing where it was for one entry.
pub(super) fn final_status(state: OrderState) -> OrderStatus {
    let (status, funds_available) = match state {
        OrderState::Waiting | OrderState::Standing => (PaymentStatus::Pdng, None),
        OrderState::Booked => (PaymentStatus::Acsc, Some(true)),
        OrderState::PartlyNoFunds => (PaymentStatus::Part, Some(false)),
        OrderState::Partly => (PaymentStatus::Part, None),
        OrderState::NoFunds => (PaymentStatus::Rjct, Some(false)),
        OrderState::NoDebtor | OrderState::NotConvertible => (PaymentStatus::Rjct, None),
        OrderState::Cancelled => (PaymentStatus::Canc, None),
    };
    OrderStatus { status, funds_available }
}
