//! The one status a TPP is shown of a signing basket: always computed, never stored.

use crate::payment::machine::PaymentStatus;

/// `transactionStatus` of a signing basket (contract: Signing basket).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BasketStatus {
    /// RCVD: every payment waits for the SCA.
    Rcvd,
    /// ACTC: every payment is authorised, and none is rejected or cancelled.
    Actc,
    /// PATC: some payments are authorised and some still wait.
    Patc,
    /// RJCT: a payment was rejected or cancelled.
    Rjct,
}

impl BasketStatus {
    /// Every status.
    pub(crate) const ALL: &'static [BasketStatus] = &[Self::Rcvd, Self::Actc, Self::Patc, Self::Rjct];

    /// The status as it is written on the wire.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Rcvd => "RCVD",
            Self::Actc => "ACTC",
            Self::Patc => "PATC",
            Self::Rjct => "RJCT",
        }
    }
}

/// The worst case among the payments: any RJCT or CANC is RJCT; else all RCVD is RCVD, some RCVD is PATC,
/// and none is ACTC. `None`: there are no payments, so there is no basket.
pub(crate) fn basket_status(payments: impl IntoIterator<Item = PaymentStatus>) -> Option<BasketStatus> {
    payments.into_iter().map(alone).reduce(worse)
}

/// The status of a basket of one payment.
fn alone(payment: PaymentStatus) -> BasketStatus {
    match payment {
        PaymentStatus::Rjct | PaymentStatus::Canc => BasketStatus::Rjct,
        PaymentStatus::Rcvd => BasketStatus::Rcvd,
        PaymentStatus::Pdng
        | PaymentStatus::Actc
        | PaymentStatus::Accp
        | PaymentStatus::Acwc
        | PaymentStatus::Acsp
        | PaymentStatus::Acwp
        | PaymentStatus::Acsc
        | PaymentStatus::Part => BasketStatus::Actc,
    }
}

/// The status of two baskets thrown together.
fn worse(one: BasketStatus, other: BasketStatus) -> BasketStatus {
    match (one, other) {
        (BasketStatus::Rjct, _) | (_, BasketStatus::Rjct) => BasketStatus::Rjct,
        (one, other) if one == other => one,
        // Some authorised, some not.
        _ => BasketStatus::Patc,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::BASKET_PAYMENTS_MAX;
    use crate::machine::Machine;

    fn status(names: &[&str]) -> Option<&'static str> {
        let statuses = names.iter().map(|name| PaymentStatus::parse(name).unwrap());
        basket_status(statuses).map(BasketStatus::as_str)
    }

    #[test]
    fn the_truth_table_of_one_payment() {
        for (payment, basket) in [
            ("RCVD", "RCVD"),
            ("PDNG", "ACTC"),
            ("ACTC", "ACTC"),
            ("ACCP", "ACTC"),
            ("ACWC", "ACTC"),
            ("ACSP", "ACTC"),
            ("ACWP", "ACTC"),
            ("ACSC", "ACTC"),
            ("PART", "ACTC"),
            ("RJCT", "RJCT"),
            ("CANC", "RJCT"),
        ] {
            assert_eq!(status(&[payment]), Some(basket), "{payment}");
        }
        assert_eq!(status(&[]), None);
    }

    #[test]
    fn the_truth_table_of_two_payments() {
        for (payments, basket) in [
            (["RCVD", "RCVD"], "RCVD"),
            (["RCVD", "PDNG"], "PATC"),
            (["RCVD", "RJCT"], "RJCT"),
            (["PDNG", "ACSC"], "ACTC"),
            (["PDNG", "CANC"], "RJCT"),
            (["CANC", "RJCT"], "RJCT"),
        ] {
            let [first, second] = payments;
            assert_eq!(status(&[first, second]), Some(basket), "{payments:?}");
            assert_eq!(status(&[second, first]), Some(basket), "{payments:?}, turned round");
        }
    }

    /// The sentences of the rule, read one after the other over whole lists.
    fn by_the_words(payments: &[PaymentStatus]) -> &'static str {
        let is = |wanted: PaymentStatus| move |found: &PaymentStatus| *found == wanted;
        if payments.iter().any(is(PaymentStatus::Rjct)) || payments.iter().any(is(PaymentStatus::Canc)) {
            return "RJCT";
        }
        match payments.iter().filter(|status| is(PaymentStatus::Rcvd)(status)).count() {
            count if count == payments.len() => "RCVD",
            0 => "ACTC",
            _ => "PATC",
        }
    }

    /// Every basket there can be, but for the order of its payments: the one above turns pairs round.
    #[test]
    fn every_combination_of_statuses_is_judged_by_the_words_of_the_rule() {
        let mut judged = 0;
        let mut chosen = Vec::new();
        visit(PaymentStatus::STATES, &mut chosen, &mut |payments| {
            let found = basket_status(payments.iter().copied()).map(BasketStatus::as_str);
            assert_eq!(found, Some(by_the_words(payments)), "{payments:?}");
            judged += 1;
        });
        // Multisets of 1 to 10 of 11 statuses: C(21, 10) - 1.
        assert_eq!(judged, 352_715);
    }

    /// Calls with every multiset of the states, of 1 to as many as a basket may hold.
    fn visit(
        states: &[PaymentStatus],
        chosen: &mut Vec<PaymentStatus>,
        judge: &mut impl FnMut(&[PaymentStatus]),
    ) {
        if !chosen.is_empty() {
            judge(chosen);
        }
        if chosen.len() == BASKET_PAYMENTS_MAX {
            return;
        }
        for (index, state) in states.iter().enumerate() {
            chosen.push(*state);
            visit(&states[index..], chosen, judge);
            chosen.pop();
        }
    }
}
