//! What TPPs, PSUs and operators know of the engine by its answers: the naive model that every answer is compared with.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use xs2a::bank::PaymentStatus;
use xs2a::store::Write;
use xs2a::types::Machine as _;

/// Whether something happened, as far as its caller knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Known {
    No,
    /// The call got no answer.
    Maybe,
    Yes,
}

/// A time by the clock of the node that was called: not before the first, not after the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: i64,
    pub(crate) to: i64,
}

/// A payment as a TPP wants it.
#[derive(Debug, Clone)]
pub(crate) struct Wanted {
    pub(crate) tpp: usize,
    pub(crate) person: usize,
    pub(crate) psu_id: Option<String>,
    pub(crate) product: &'static str,
    pub(crate) reference: String,
    pub(crate) ore: i64,
    pub(crate) debtor: &'static str,
    pub(crate) creditor: &'static str,
    pub(crate) body: String,
}

/// A read, as a TPP wants it.
#[derive(Debug, Clone)]
pub(crate) struct Read {
    pub(crate) tpp: usize,
    pub(crate) person: usize,
    /// `None`: the list of all.
    pub(crate) account: Option<usize>,
    /// Whether a call like it is counted.
    pub(crate) is_counted: bool,
    pub(crate) session: Option<String>,
    pub(crate) is_of_long_ago: bool,
    pub(crate) target: String,
}

/// A payment that was created.
#[derive(Debug, Clone)]
pub(crate) struct Payment {
    pub(crate) tpp: usize,
    /// Who pays.
    pub(crate) person: usize,
    /// Whether the TPP named the PSU.
    pub(crate) is_named: bool,
    pub(crate) id: String,
    pub(crate) path: String,
    pub(crate) reference: String,
    pub(crate) body: String,
    pub(crate) ore: i64,
    pub(crate) debtor: String,
    pub(crate) creditor: String,
    pub(crate) approved: Known,
    pub(crate) cancelled: Known,
    /// The last status that was read.
    pub(crate) status: PaymentStatus,
    pub(crate) basket: Option<usize>,
}

#[derive(Debug, Clone)]
pub(crate) struct Basket {
    pub(crate) tpp: usize,
    pub(crate) person: usize,
    pub(crate) id: String,
    pub(crate) path: String,
    pub(crate) payments: Vec<usize>,
    pub(crate) approved: Known,
    pub(crate) deleted: Known,
}

/// What an SCA is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Payment(usize),
    Cancellation(usize),
    Basket(usize),
    Consent,
}

/// A link to the SCA site.
#[derive(Debug, Clone)]
pub(crate) struct Link {
    pub(crate) id: String,
    pub(crate) tpp: usize,
    pub(crate) person: usize,
    pub(crate) is_named: bool,
    pub(crate) purpose: Purpose,
    pub(crate) session: String,
    pub(crate) made: Span,
    pub(crate) ended: Known,
}

/// What a PSU may have open at a TPP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Granted {
    pub(crate) accounts: BTreeSet<usize>,
    pub(crate) at: Span,
}

/// How often something happened: certainly, and perhaps beyond that.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Count {
    pub(crate) sure: usize,
    pub(crate) unsure: usize,
}

impl Count {
    pub(crate) fn add(&mut self, known: Known) {
        match known {
            Known::No => {}
            Known::Maybe => self.unsure += 1,
            Known::Yes => self.sure += 1,
        }
    }

    pub(crate) fn allows(self, found: usize) -> bool {
        (self.sure..=self.sure + self.unsure).contains(&found)
    }
}

/// A request that was answered.
#[derive(Debug, Clone)]
pub(crate) struct Sent {
    pub(crate) method: &'static str,
    pub(crate) target: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) at: i64,
    /// The process that answered.
    pub(crate) process: u64,
    pub(crate) is_change: bool,
}

/// One account read without the PSU on one day.
pub(crate) type Counted = (usize, usize, usize, NaiveDate);

#[derive(Default)]
pub(crate) struct Model {
    pub(crate) payments: Vec<Payment>,
    pub(crate) by_id: BTreeMap<String, usize>,
    pub(crate) baskets: Vec<Basket>,
    pub(crate) links: Vec<Link>,
    /// The ids by which a TPP knows a PSU.
    pub(crate) psu_ids: BTreeMap<(usize, usize), String>,
    /// What may be open; the last alone, where its call was answered.
    pub(crate) consents: BTreeMap<(usize, usize), Vec<Option<Granted>>>,
    /// The latest time at which an SCA under a session may have been completed.
    pub(crate) sessions: BTreeMap<(usize, String), i64>,
    /// The latest time by the clock of any node at which a link may have been made.
    pub(crate) latest: i64,
    /// That time when an SCA of a TPP was last completed, perhaps.
    pub(crate) last_sca: BTreeMap<usize, i64>,
    pub(crate) blocked: BTreeMap<usize, Known>,
    pub(crate) reads: BTreeMap<Counted, Count>,
    /// Creations that got no answer.
    pub(crate) lost_creations: BTreeMap<String, String>,
    /// Bodies that were created, with the payment or none.
    pub(crate) bodies: Vec<(usize, String, Span, Option<usize>)>,
    pub(crate) sent: Vec<Sent>,
    /// When a node whose clock was far ahead may have deleted ids of requests.
    pub(crate) ids_purged: i64,
    /// The lines of the audit that there must be: kind, id or TPP.
    pub(crate) audit: BTreeMap<(&'static str, String), Count>,
    pub(crate) created: usize,
    /// What the present step is about, for a call that comes in between.
    pub(crate) payment_in_use: Option<usize>,
    pub(crate) psu_in_use: Option<(usize, usize)>,
    pub(crate) creation_in_use: Option<Wanted>,
    pub(crate) read_in_use: Option<Read>,
    // As written to the store.
    pub(crate) delivered: BTreeSet<String>,
    pub(crate) cancelling: BTreeSet<String>,
    pub(crate) finished: BTreeSet<String>,
}

impl Model {
    /// Notes what a commit changed of the outbox.
    pub(crate) fn note_writes(&mut self, writes: &[Write]) {
        for write in writes {
            match write {
                Write::BeginCancelling(id) => {
                    self.cancelling.insert(id.to_string());
                    self.delivered.remove(id.as_str());
                }
                Write::EndCancelling(id) | Write::WithdrawOrder(id) => {
                    self.cancelling.remove(id.as_str());
                }
                Write::EnqueueOrder(order) => {
                    self.delivered.remove(order.payment_id.as_str());
                }
                Write::AnswerOrder { payment_id: id, .. } | Write::RemoveOrder(id) => {
                    if !self.cancelling.contains(id.as_str()) {
                        self.delivered.insert(id.to_string());
                    }
                }
                Write::UpdatePayment(payment) if payment.status.is_final() => {
                    self.finished.insert(payment.id.to_string());
                }
                _ => {}
            }
        }
    }

    /// Expects a line of the audit, once more.
    pub(crate) fn expect_line(&mut self, kind: &'static str, subject: &str, known: Known) {
        self.audit.entry((kind, subject.to_owned())).or_default().add(known);
    }

    /// Forgets what the step before was about.
    pub(crate) fn begin_step(&mut self) {
        self.payment_in_use = None;
        self.psu_in_use = None;
        self.creation_in_use = None;
        self.read_in_use = None;
    }

    pub(crate) fn consent(&self, tpp: usize, person: usize) -> Vec<Option<Granted>> {
        self.consents.get(&(tpp, person)).cloned().unwrap_or_else(|| vec![None])
    }

    /// What a PSU opened, or took back.
    pub(crate) fn set_consent(&mut self, tpp: usize, person: usize, granted: Option<Granted>, known: Known) {
        let before = self.consent(tpp, person);
        let after = match known {
            Known::No => before,
            Known::Maybe => before.into_iter().chain([granted]).collect(),
            Known::Yes => vec![granted],
        };
        self.consents.insert((tpp, person), after);
    }
}
