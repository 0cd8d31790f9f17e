//! The states of a payment (contract: States and transitions; ISO 20022 external status codes).
//!
//! Leaving RCVD for anything but RJCT or CANC needs a completed SCA, or the bank's exemption from it, which counts as
//! one; and only a bulk becomes PART. Those guards are in [`record`](super::record), because they need more than the
//! table.

use crate::machine::machine;

machine! {
    /// `transactionStatus` of a payment.
    PaymentStatus "Payment" {
        Rcvd "RCVD" "received, waiting for strong customer authentication" => Pdng Actc Accp Acwc Acsp Acwp Acsc Part Rjct Canc;
        Pdng "PDNG" "authorised, further checks or the next batch follow" => Actc Accp Acwc Acsp Acwp Acsc Part Rjct Canc;
        Actc "ACTC" "authentication, syntax and semantics are accepted" => Pdng Accp Acwc Acsp Acwp Acsc Part Rjct Canc;
        Accp "ACCP" "the customer profile is accepted" => Pdng Acwc Acsp Acwp Acsc Part Rjct Canc;
        Acwc "ACWC" "accepted with a change, such as another date" => Pdng Accp Acsp Acwp Acsc Rjct Canc;
        Acsp "ACSP" "settlement is in process" => Acwp Acsc Part Rjct;
        Acwp "ACWP" "accepted, not yet posted to the creditor" => Acsc Rjct;
        Part "PART" "a bulk of which some entries are accepted" => Acsc Rjct Canc;
        Acsc "ACSC" "settled" => ;
        Rjct "RJCT" "rejected" => ;
        Canc "CANC" "cancelled before execution" => ;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{diagram, matrix, Machine};

    #[test]
    fn exactly_settled_rejected_and_cancelled_are_final() {
        let finals: Vec<_> = PaymentStatus::STATES.iter().filter(|state| state.is_final()).collect();
        assert_eq!(finals, [&PaymentStatus::Acsc, &PaymentStatus::Rjct, &PaymentStatus::Canc]);
    }

    #[test]
    fn nothing_becomes_received_again() {
        assert!(PaymentStatus::STATES.iter().all(|from| !from.may_become(PaymentStatus::Rcvd)));
    }

    #[test]
    fn the_full_matrix_is_as_reviewed() {
        insta::assert_snapshot!("payment_matrix", matrix::<PaymentStatus>());
        insta::assert_snapshot!("payment_diagram", diagram::<PaymentStatus>());
    }

    #[test]
    fn names_are_read_back() {
        for state in PaymentStatus::STATES {
            assert_eq!(PaymentStatus::parse(state.as_str()), Some(*state));
        }
        assert_eq!(PaymentStatus::parse("rcvd"), None);
    }
}
