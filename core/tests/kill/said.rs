//! What the processes said before they fell, and whether the store and the bank agree with it in the end.

use std::collections::{BTreeMap, BTreeSet};

use xs2a::payment::machine::PaymentStatus;
use xs2a::store::Store;
use xs2a::types::PaymentId;

use crate::hunter::MARK;

/// Told by the processes, payment by payment: the reference that tells it from all others.
#[derive(Default)]
pub(crate) struct Said {
    /// The steps at which somebody stopped.
    pub(crate) at: BTreeSet<String>,
    /// With their payment ids.
    created: BTreeMap<String, PaymentId>,
    /// The PSU was about to approve.
    ordered: BTreeSet<String>,
    /// The engine had answered that they did.
    pub(crate) acknowledged: BTreeSet<String>,
    /// The PSU cancelled.
    pub(crate) aborted: BTreeSet<String>,
}

impl Said {
    /// Takes in a line, and gives the word it begins with. `None`: the test runner said it.
    pub(crate) fn hear<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        // The test runner may have said something before it, on the same line.
        let (_, said) = line.split_once(MARK)?;
        let (what, about) = said.trim_start().split_once(' ').unwrap();
        let reference = about.to_owned();
        match what {
            "at" => drop(self.at.insert(reference)),
            "created" => {
                let (reference, id) = about.split_once(' ').unwrap();
                self.created.insert(reference.to_owned(), PaymentId::parse(id).unwrap());
            }
            "ordered" => drop(self.ordered.insert(reference)),
            "acknowledged" => drop(self.acknowledged.insert(reference)),
            "aborted" => drop(self.aborted.insert(reference)),
            "begun" | "idle" | "done" => {}
            other => panic!("{other}"),
        }
        Some(what)
    }

    /// Holds what the bank carried out, by reference, against what was said.
    pub(crate) fn compare_with_the_bank(&self, carried: &[String]) {
        let distinct: BTreeSet<_> = carried.iter().cloned().collect();
        assert_eq!(carried.len(), distinct.len(), "paid twice");
        let lost: Vec<_> = self.acknowledged.difference(&distinct).collect();
        assert!(lost.is_empty(), "acknowledged and not carried out: {lost:?}");
        let unasked: Vec<_> = distinct.difference(&self.ordered).collect();
        assert!(unasked.is_empty(), "carried out and not authorised: {unasked:?}");
    }

    /// Holds the records against what the bank carried out. An approval that nobody was told of, because the process
    /// fell before, is whole or not there.
    pub(crate) fn compare_with_the_store(&self, store: &dyn Store, carried: &[String]) {
        use PaymentStatus::{Acsc, Pdng, Rcvd};
        assert_eq!(store.next_order_due().unwrap(), None);
        assert_eq!(store.set_aside_orders(1).unwrap(), []);
        let carried: BTreeSet<_> = carried.iter().collect();
        for (reference, id) in &self.created {
            let payment = store.payment(id).unwrap().unwrap();
            let events = store.events(id).unwrap();
            let history: Vec<_> = events.iter().map(|event| (event.from, event.to)).collect();
            let (status, expected) = match carried.contains(reference) {
                true => (Acsc, vec![(Rcvd, Pdng), (Pdng, Acsc)]),
                false => (Rcvd, Vec::new()),
            };
            assert_eq!((payment.status, history), (status, expected), "{reference}");
        }
    }
}
