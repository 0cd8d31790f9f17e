//! What the bank knows of payments, in a folder that outlives every process: one file for each thing it knows.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use xs2a::payment::machine::PaymentStatus;
use xs2a::types::PaymentId;

/// How a payment ended at the bank: once and for ever.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was carried out: its reference.
    Carried(String),
    /// It never will be.
    Cancelled,
}

impl Verdict {
    pub(crate) fn status(&self) -> PaymentStatus {
        match self {
            Self::Carried(_) => PaymentStatus::Acsc,
            Self::Cancelled => PaymentStatus::Canc,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Carried(reference) => format!("carried {reference}"),
            Self::Cancelled => "cancelled".to_owned(),
        }
    }

    fn parse(text: &str) -> Self {
        match text.split_once(' ') {
            Some(("carried", reference)) => Self::Carried(reference.to_owned()),
            None if text == "cancelled" => Self::Cancelled,
            _ => panic!("{text}"),
        }
    }
}

const VERDICT: &str = "verdict";
/// An order for a later day, which the bank has.
const TAKEN: &str = "taken";
/// The engine received the final status of such a payment.
const REPORTED: &str = "reported";

pub(crate) struct Books {
    folder: PathBuf,
    /// Which process this is.
    life: u64,
    drafts: AtomicU64,
}

impl Books {
    pub(crate) fn new(folder: PathBuf, life: u64) -> Self {
        Self { folder, life, drafts: AtomicU64::new(0) }
    }

    /// Decides how a payment ends, unless that is decided already. Returns the decision that is stored.
    pub(crate) fn decide(&self, payment: &PaymentId, verdict: &Verdict) -> Verdict {
        self.note(payment, VERDICT, &verdict.text());
        self.verdict(payment).unwrap()
    }

    pub(crate) fn verdict(&self, payment: &PaymentId) -> Option<Verdict> {
        match fs::read_to_string(self.path(payment, VERDICT)) {
            Ok(text) => Some(Verdict::parse(&text)),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Keeps an order until its day comes.
    pub(crate) fn take(&self, payment: &PaymentId, reference: &str) {
        self.note(payment, TAKEN, reference);
    }

    /// The orders in the books whose final status the engine has not received, with their references.
    pub(crate) fn kept(&self) -> Vec<(PaymentId, String)> {
        let (taken, reported) = (ids(&self.folder, TAKEN), ids(&self.folder, REPORTED));
        let kept = taken.difference(&reported).cloned();
        let reference = |id: &PaymentId| fs::read_to_string(self.path(id, TAKEN)).unwrap();
        kept.map(|id| (id.clone(), reference(&id))).collect()
    }

    pub(crate) fn note_reported(&self, payment: &PaymentId) {
        self.note(payment, REPORTED, "");
    }

    fn path(&self, payment: &PaymentId, what: &str) -> PathBuf {
        self.folder.join(format!("{payment}.{what}"))
    }

    /// Writes a file, unless there is one. It gets its name when it is whole, and two processes cannot both give it:
    /// that is the check.
    fn note(&self, payment: &PaymentId, what: &str, text: &str) {
        let draft = self.drafts.fetch_add(1, Ordering::Relaxed);
        let draft = self.folder.join(format!("{}-{draft}.draft", self.life));
        fs::write(&draft, text).unwrap();
        match fs::hard_link(&draft, self.path(payment, what)) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => panic!("{error}"),
            _ => {}
        }
        fs::remove_file(&draft).unwrap();
    }
}

/// The payments of which the bank knows that.
fn ids(folder: &Path, what: &str) -> BTreeSet<PaymentId> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = paths.filter(|path| path.extension().is_some_and(|extension| extension == what));
    named.map(|path| PaymentId::parse(path.file_stem().unwrap().to_str().unwrap()).unwrap()).collect()
}

/// How payments ended, all there are.
pub(crate) fn verdicts(folder: &Path) -> Vec<(PaymentId, Verdict)> {
    let read = |id: &PaymentId| fs::read_to_string(folder.join(format!("{id}.{VERDICT}"))).unwrap();
    ids(folder, VERDICT).into_iter().map(|id| (id.clone(), Verdict::parse(&read(&id)))).collect()
}
