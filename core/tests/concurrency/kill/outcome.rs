//! Whether the store and the bank finally agree with what the processes reported before they were killed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display, Formatter};

use xs2a::basket::machine::BasketState;
use xs2a::payment::machine::PaymentStatus;
use xs2a::payment::record::Payment;
use xs2a::store::Store;
use xs2a::types::PaymentId;

use crate::kill::books::Verdict;
use crate::kill::said::{Filled, Said};

use PaymentStatus::{Acsc, Canc, Pdng, Rcvd};

/// What was said, and how payments ended at the bank.
pub(crate) struct Outcome {
    said: Said,
    verdicts: BTreeMap<PaymentId, Verdict>,
    /// The references of what was carried out.
    carried: BTreeSet<String>,
    /// The references of what the bank gave up.
    given_up: BTreeSet<String>,
}

/// What is in one list and not in the other.
fn without<'r>(one: &'r BTreeSet<String>, other: &'r BTreeSet<String>) -> Vec<&'r String> {
    one.difference(other).collect()
}

fn in_both<'r>(one: &'r BTreeSet<String>, other: &'r BTreeSet<String>) -> Vec<&'r String> {
    one.intersection(other).collect()
}

impl Outcome {
    /// Nothing was carried out twice: each payment has one verdict, and each reference one payment.
    pub(crate) fn of(said: Said, verdicts: Vec<(PaymentId, Verdict)>) -> Self {
        let references: BTreeMap<_, _> = said.created.iter().map(|(reference, id)| (id, reference)).collect();
        let (mut carried, mut given_up) = (BTreeSet::new(), BTreeSet::new());
        for (id, verdict) in &verdicts {
            match verdict {
                Verdict::Carried(reference) => {
                    assert!(carried.insert(reference.clone()), "paid twice: {reference}");
                }
                Verdict::Cancelled => assert!(given_up.insert(references[id].clone())),
            }
        }
        Self { said, verdicts: verdicts.into_iter().collect(), carried, given_up }
    }

    /// Holds what the bank did against what was said.
    pub(crate) fn compare_with_the_bank(&self) {
        let (said, carried) = (&self.said, &self.carried);
        let undecided: BTreeSet<_> = said.cancelling.difference(&said.kept).cloned().collect();
        let certain: BTreeSet<_> = said.acknowledged.difference(&undecided).cloned().collect();
        let nothing: [&String; 0] = [];
        assert_eq!(without(&certain, carried), nothing, "acknowledged and not carried out");
        assert_eq!(without(carried, &said.ordered), nothing, "carried out and not authorised");
        for refused in [&said.aborted, &said.deleted, &said.cancelled, &self.given_up] {
            assert_eq!(in_both(carried, refused), nothing, "carried out and not approved or cancelled");
        }
        assert_eq!(without(&said.cancelled, &self.given_up), nothing, "cancelled without the bank");
        assert_eq!(without(&self.given_up, &said.cancelling), nothing, "cancelled without a call");
        assert_eq!(without(&said.kept, carried), nothing, "not cancelled and not carried out");
    }

    /// Compares the records with what the bank did. An approval or a cancellation that was not acknowledged, because
    /// the process was killed before, is complete or absent.
    pub(crate) fn compare_with_the_store(&self, store: &dyn Store) {
        assert_eq!(store.outbox().next_order_due().unwrap(), None);
        assert_eq!(store.outbox().dead_letters(1).unwrap(), []);
        let in_baskets: BTreeSet<_> =
            self.said.baskets.values().flat_map(|basket| &basket.payments).collect();
        for (reference, id) in &self.said.created {
            let payment = self.payment(reference, store);
            let events = store.payments().events(id).unwrap();
            let history: Vec<_> = events.iter().map(|event| (event.from, event.to)).collect();
            let expected = self.expected(reference, &payment);
            assert_eq!((payment.status, history), expected, "{reference}");
            assert!(payment.basket.is_none() || in_baskets.contains(reference), "{reference}");
        }
        self.said.baskets.values().for_each(|basket| self.compare_basket(basket, store));
    }

    /// The expected status of a payment, and its transitions.
    fn expected(
        &self,
        reference: &String,
        found: &Payment,
    ) -> (PaymentStatus, Vec<(PaymentStatus, PaymentStatus)>) {
        let said = &self.said;
        match self.verdicts.get(&found.id) {
            Some(Verdict::Carried(_)) => (Acsc, vec![(Rcvd, Pdng), (Pdng, Acsc)]),
            Some(Verdict::Cancelled) => (Canc, vec![(Rcvd, Pdng), (Pdng, Canc)]),
            None => {
                assert!(!said.acknowledged.contains(reference), "the bank never heard of {reference}");
                // A node may have been killed between the cancellation and its answer.
                let may_be_deleted = said.cancelling.contains(reference) && found.status == Canc;
                match said.deleted.contains(reference) || may_be_deleted {
                    true => (Canc, vec![(Rcvd, Canc)]),
                    false => (Rcvd, Vec::new()),
                }
            }
        }
    }

    /// A basket is signed whole or not at all, and holds all of its payments or none. A basket whose creation was not
    /// acknowledged is complete or absent, too.
    fn compare_basket(&self, basket: &Filled, store: &dyn Store) {
        let about = &basket.payments;
        let payments: Vec<_> = about.iter().map(|reference| self.payment(reference, store)).collect();
        let held = &payments[0].basket;
        assert!(payments.iter().all(|payment| payment.basket == *held), "held in part: {about:?}");
        let carried: Vec<_> = about.iter().map(|reference| self.carried.contains(reference)).collect();
        let Some(id) = basket.id.as_ref().or(held.as_ref()) else {
            assert!(!carried.contains(&true), "signed before there was a basket: {about:?}");
            return;
        };
        let stored = store.payments().basket(id).unwrap().unwrap();
        match stored.state {
            BasketState::Open => assert!(held.as_ref() == Some(id) && !carried.contains(&true), "{about:?}"),
            BasketState::Authorised => {
                assert!(held.is_none() && !carried.contains(&false), "carried out in part: {about:?}");
            }
            BasketState::Deleted => {
                // The first may have gone its own way then.
                assert!(held.is_none() && !carried[1..].contains(&true), "given up in part: {about:?}");
            }
        }
        let is_signed = self.said.signed.contains(&about[0]);
        assert!(!is_signed || stored.state == BasketState::Authorised, "signed: {about:?}");
        assert!(!basket.is_dropped || stored.state == BasketState::Deleted, "given up: {about:?}");
        assert!(
            basket.is_dropping || stored.state != BasketState::Deleted,
            "given up without a call: {about:?}"
        );
        let ids: Vec<_> = payments.into_iter().map(|payment| payment.id).collect();
        assert_eq!(stored.payments, ids);
    }

    fn payment(&self, reference: &str, store: &dyn Store) -> Payment {
        store.payments().payment(&self.said.created[reference]).unwrap().unwrap()
    }

    /// The run covered enough: each operation was acknowledged often, and also interrupted before its acknowledgement.
    pub(crate) fn assert_is_of_something(&self) {
        let (said, reported) = (&self.said, self.to_string());
        assert!(said.acknowledged.len() > 1_000 && said.aborted.len() > 250, "{reported}");
        assert!(
            said.signed.len() > 150 && said.unsigned.len() > 75 && self.dropped_baskets() > 50,
            "{reported}"
        );
        assert!(said.deleted.len() > 60 && said.cancelled.len() > 200 && said.kept.len() > 100, "{reported}");
        let ordered: BTreeSet<_> = self.carried.union(&self.given_up).cloned().collect();
        assert!(!without(&ordered, &said.acknowledged).is_empty(), "approvals: {reported}");
        assert!(self.signed_baskets() > said.signed.len(), "baskets: {reported}");
        assert!(!without(&self.given_up, &said.cancelled).is_empty(), "cancellations: {reported}");
        // Some cancellations came too late.
        assert!(!in_both(&said.cancelling, &said.kept).is_empty(), "{reported}");
    }

    /// The number of signed baskets, including those whose signature was not acknowledged.
    fn signed_baskets(&self) -> usize {
        let is_signed = |basket: &&Filled| basket.payments.iter().all(|one| self.carried.contains(one));
        self.said.baskets.values().filter(is_signed).count()
    }

    fn dropped_baskets(&self) -> usize {
        self.said.baskets.values().filter(|basket| basket.is_dropped).count()
    }
}

impl Display for Outcome {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let (said, carried, signed) = (&self.said, self.carried.len(), self.signed_baskets());
        let (acknowledged, aborted) = (said.acknowledged.len(), said.aborted.len());
        writeln!(out, "payments: {acknowledged} acknowledged, {aborted} aborted; {carried} carried out")?;
        let (reported, unsigned, dropped) = (said.signed.len(), said.unsigned.len(), self.dropped_baskets());
        writeln!(
            out,
            "baskets: {reported} acknowledged, {unsigned} aborted, {dropped} given up; {signed} carried out"
        )?;
        let (deleted, cancelled, given_up) = (said.deleted.len(), said.cancelled.len(), self.given_up.len());
        writeln!(
            out,
            "cancelled: {deleted} before their approval; {cancelled} after it, {given_up} at the bank"
        )?;
        let (kept, late) = (said.kept.len(), in_both(&said.cancelling, &said.kept).len());
        writeln!(out, "not cancelled: {kept}, {late} of them too late")
    }
}
