//! The pages of payments, as the model expects them.

use super::samples::{psu, time, TPP};
use crate::payment::machine::PaymentStatus;
use crate::payment::record::Payment;
use crate::store::{PaymentFilter, Store};

/// Compares the payments of each filter, in pages of two.
pub(super) fn assert_pages(payments: &[Payment], store: &dyn Store) {
    let mut newest: Vec<_> = payments.iter().rev().collect();
    newest.sort_by_key(|payment| std::cmp::Reverse(payment.created_at));
    let filters = [
        PaymentFilter::default(),
        PaymentFilter { psu: Some(psu(0)), ..PaymentFilter::default() },
        PaymentFilter { tpp: Some(TPP.to_owned()), ..PaymentFilter::default() },
        PaymentFilter { status: Some(PaymentStatus::Acsp), ..PaymentFilter::default() },
        PaymentFilter {
            created_from: Some(time(0)),
            created_to: Some(time(100)),
            ..PaymentFilter::default()
        },
    ];
    for filter in filters {
        let is_listed = |payment: &Payment| {
            (filter.psu.is_none() || payment.psu == filter.psu)
                && filter.tpp.as_ref().is_none_or(|tpp| *payment.tpp == **tpp)
                && filter.status.is_none_or(|status| payment.status == status)
                && filter.created_from.is_none_or(|from| payment.created_at >= from)
                && filter.created_to.is_none_or(|to| payment.created_at < to)
        };
        let expected: Vec<_> = newest.iter().copied().filter(|payment| is_listed(payment)).collect();
        assert_eq!(listed(store, &filter).iter().collect::<Vec<_>>(), expected, "{filter:?}");
    }
}

/// All payments of a filter, in pages of two.
fn listed(store: &dyn Store, filter: &PaymentFilter) -> Vec<Payment> {
    let mut all: Vec<Payment> = Vec::new();
    loop {
        let after = all.last().map(|payment| &payment.id);
        let page = store.payments().list_payments(filter, after, 2).unwrap();
        if page.is_empty() {
            return all;
        }
        assert!(page.len() <= 2);
        all.extend(page);
    }
}
