//! A database belongs to one bank.

use super::Backend;

pub(crate) fn a_new_database_belongs_to_no_bank(backend: &impl Backend) {
    let store = backend.node();
    assert_eq!(store.bank_id(None).unwrap(), None);
    assert_eq!(store.bank_id(None).unwrap(), None);
}

pub(crate) fn the_first_bank_of_a_database_stays(backend: &impl Backend) {
    let (store, other) = (backend.node(), backend.node());
    let first = || Some("bank-a".to_owned());
    assert_eq!(store.bank_id(Some("bank-a")).unwrap(), first());
    assert_eq!(other.bank_id(Some("bank-b")).unwrap(), first());
    assert_eq!(other.bank_id(None).unwrap(), first());
    assert_eq!(backend.node().bank_id(None).unwrap(), first());
}

pub(crate) fn of_banks_that_open_a_database_at_once_one_is_first(backend: &impl Backend) {
    let ids: Vec<_> = (0..8).map(|number| format!("bank-{number}")).collect();
    let stores: Vec<_> = ids.iter().map(|_| backend.node()).collect();
    let stored: Vec<_> = std::thread::scope(|scope| {
        let open = |(store, id)| {
            let store: &std::sync::Arc<dyn crate::store::Store> = store;
            let id: &String = id;
            scope.spawn(move || store.bank_id(Some(id)).unwrap())
        };
        let opened: Vec<_> = stores.iter().zip(&ids).map(open).collect();
        opened.into_iter().map(|opened| opened.join().unwrap()).collect()
    });
    assert!(stored[0].is_some() && stored.iter().all(|id| *id == stored[0]), "{stored:?}");
}

pub(crate) fn a_database_of_this_version_is_writable(backend: &impl Backend) {
    backend.node().check_writable().unwrap();
}
