//! What the processes reported before they were killed.

use std::collections::{BTreeMap, BTreeSet};

use xs2a::types::{BasketId, PaymentId};

use crate::kill::hunter::MARK;

/// A basket whose creation began.
#[derive(Default)]
pub(crate) struct Filled {
    /// The references of its payments.
    pub(crate) payments: Vec<String>,
    /// Where the engine had answered.
    pub(crate) id: Option<BasketId>,
    /// Its deletion began.
    pub(crate) is_dropping: bool,
    /// The engine had answered that it is given up.
    pub(crate) is_dropped: bool,
}

/// What the processes reported of each payment, by its reference.
#[derive(Default)]
pub(crate) struct Said {
    /// The steps at which a process was killed.
    pub(crate) at: BTreeSet<String>,
    /// The PSU-ID of the one PSU there is.
    pub(crate) psu_id: Option<String>,
    /// With their payment ids.
    pub(crate) created: BTreeMap<String, PaymentId>,
    /// By the first of their payments.
    pub(crate) baskets: BTreeMap<String, Filled>,
    /// The PSU was about to approve.
    pub(crate) ordered: BTreeSet<String>,
    /// The engine had answered that they did.
    pub(crate) acknowledged: BTreeSet<String>,
    /// The same of baskets, by their first payments; these are among the payments above.
    pub(crate) signed: BTreeSet<String>,
    /// The PSU did not approve.
    pub(crate) aborted: BTreeSet<String>,
    /// The same of baskets, by their first payments; these are among the payments above.
    pub(crate) unsigned: BTreeSet<String>,
    /// Its cancellation began.
    pub(crate) cancelling: BTreeSet<String>,
    /// The engine had answered that it is cancelled, before its PSU approved.
    pub(crate) deleted: BTreeSet<String>,
    /// The engine had answered that it is cancelled, after its PSU had approved.
    pub(crate) cancelled: BTreeSet<String>,
    /// The engine had answered that it is not cancelled: its PSU did not want that after all, or it was too late.
    pub(crate) kept: BTreeSet<String>,
}

impl Said {
    /// Takes in a line, and gives the word it begins with. `None`: the test runner said it.
    pub(crate) fn hear<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        // The test runner may have said something before it, on the same line.
        let (_, said) = line.split_once(MARK)?;
        let (what, about) = said.trim_start().split_once(' ').unwrap();
        let reference = about.to_owned();
        let (first, rest) = about.split_once(' ').unwrap_or((about, ""));
        let first = first.to_owned();
        let all = || about.split(' ').map(str::to_owned);
        match what {
            "at" => drop(self.at.insert(reference)),
            "known" => assert_eq!(*self.psu_id.get_or_insert_with(|| reference.clone()), reference),
            "created" => drop(self.created.insert(first, PaymentId::parse(rest).unwrap())),
            "filling" => {
                let payments = all().collect();
                self.baskets.insert(first, Filled { payments, ..Filled::default() });
            }
            "filled" => self.basket(&first).id = Some(BasketId::parse(rest).unwrap()),
            "dropping" => self.basket(&first).is_dropping = true,
            "dropped" => self.basket(&first).is_dropped = true,
            "ordered" => drop(self.ordered.insert(reference)),
            "signing" => self.ordered.extend(all()),
            "acknowledged" => drop(self.acknowledged.insert(reference)),
            "signed" => {
                self.acknowledged.extend(all());
                self.signed.insert(first);
            }
            "aborted" => drop(self.aborted.insert(reference)),
            "unsigned" => {
                self.aborted.extend(all());
                self.unsigned.insert(first);
            }
            "cancelling" => drop(self.cancelling.insert(reference)),
            "deleted" => drop(self.deleted.insert(reference)),
            "cancelled" => drop(self.cancelled.insert(reference)),
            "kept" => drop(self.kept.insert(reference)),
            "begun" | "idle" | "done" => {}
            other => panic!("{other}"),
        }
        Some(what)
    }

    fn basket(&mut self, first: &str) -> &mut Filled {
        self.baskets.get_mut(first).unwrap()
    }
}
