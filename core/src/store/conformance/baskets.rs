//! Signing baskets are kept as they are, and change one version at a time.

use super::samples::{basket, basket_id, full_basket, insert, payment, payment_id, OTHER_TPP};
use super::Backend;
use crate::basket::machine::BasketState;
use crate::basket::record::Basket;
use crate::payment::record::Payment;
use crate::store::{CommitOutcome, Store, Write};

fn add(store: &dyn Store, basket: Basket) -> CommitOutcome {
    store.commit(&[Write::InsertBasket(basket)]).unwrap()
}

pub(crate) fn every_field_comes_back(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(add(&*store, full_basket(7)), CommitOutcome::Applied);
    assert_eq!(store.payments().basket(&basket_id(7)).unwrap(), Some(full_basket(7)));
}

pub(crate) fn absent_fields_stay_absent(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(add(&*store, basket(7)), CommitOutcome::Applied);
    assert_eq!(store.payments().basket(&basket_id(7)).unwrap(), Some(basket(7)));
}

pub(crate) fn an_unknown_basket_is_none(backend: &impl Backend) {
    let store = backend.node();
    add(&*store, basket(7));
    assert_eq!(store.payments().basket(&basket_id(8)).unwrap(), None);
}

pub(crate) fn an_id_is_taken_once(backend: &impl Backend) {
    let store = backend.node();
    add(&*store, basket(7));
    assert_eq!(add(&*store, full_basket(7)), CommitOutcome::VersionConflict);
    assert_eq!(store.payments().basket(&basket_id(7)).unwrap(), Some(basket(7)));
}

pub(crate) fn an_update_replaces_every_field(backend: &impl Backend) {
    let store = backend.node();
    add(&*store, basket(7));
    add(&*store, basket(8));
    let full = Basket { version: 2, tpp: OTHER_TPP.into(), ..full_basket(7) };
    let bare_again = Basket { version: 3, state: BasketState::Authorised, ..basket(7) };
    for next in [full, bare_again] {
        assert_eq!(store.commit(&[Write::UpdateBasket(next.clone())]).unwrap(), CommitOutcome::Applied);
        assert_eq!(store.payments().basket(&basket_id(7)).unwrap(), Some(next));
    }
    assert_eq!(store.payments().basket(&basket_id(8)).unwrap(), Some(basket(8)), "another basket stays");
}

pub(crate) fn an_update_needs_the_version_right_before_it(backend: &impl Backend) {
    let store = backend.node();
    add(&*store, basket(7));
    for (number, version) in [(7, 0), (7, 1), (7, 3), (8, 1), (8, 2)] {
        let stale = Basket { version, ..full_basket(number) };
        assert_eq!(
            store.commit(&[Write::UpdateBasket(stale)]).unwrap(),
            CommitOutcome::VersionConflict,
            "{version}"
        );
    }
    assert_eq!(store.payments().basket(&basket_id(7)).unwrap(), Some(basket(7)));
}

pub(crate) fn a_basket_and_its_payments_are_written_together_or_not_at_all(backend: &impl Backend) {
    let store = backend.node();
    store.commit(&[insert(payment(1)), insert(Payment { version: 2, ..payment(2) })]).unwrap();
    let taken = |number| {
        Write::UpdatePayment(Box::new(Payment { version: 2, basket: Some(basket_id(7)), ..payment(number) }))
    };
    // Another writer changed the second payment in between.
    let writes = [Write::InsertBasket(basket(7)), taken(1), taken(2)];
    assert_eq!(store.commit(&writes).unwrap(), CommitOutcome::VersionConflict);
    assert_eq!(store.payments().basket(&basket_id(7)).unwrap(), None);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap(), Some(payment(1)));
    assert_eq!(store.commit(&writes[..2]).unwrap(), CommitOutcome::Applied);
    assert_eq!(store.payments().payment(&payment_id(1)).unwrap().unwrap().basket, Some(basket_id(7)));
}
