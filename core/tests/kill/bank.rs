//! A bank of another process' lifetime: what it carried out lies in a folder, one file for each payment id.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

use chrono::{DateTime, Utc};
use parking_lot::Mutex;
use rust_decimal::Decimal;
use xs2a::bank::{Bank, Cancellation, OrderStatus, PaymentOrder};
use xs2a::payment::machine::PaymentStatus;
use xs2a::payment::order::{Order, RemittanceInformation};
use xs2a::payment::product::Product;
use xs2a::sandbox::{Rates, SandboxBank};
use xs2a::store::sqlite::Database;
use xs2a::types::{
    AccountReference, ActingPsu, Bban, Currency, DebtorAccount, IdentityNumber, KidAgreement, Money,
    PaymentId, PsuKey,
};
use xs2a::{Error, Result};

use crate::fakes::account_information_of_the_bank_inside;
use crate::steps::Steps;

/// What is wrong with the bank when it meets a payment for the first time in a process, by the payment's number.
const AWAY: u64 = 2;
const NONSENSE: u64 = 0;
/// Every so many payments the same happens.
pub(crate) const CYCLE: u64 = 4;
/// The payments that their PSU does not approve.
pub(crate) const ABORTED: u64 = 1;

pub(crate) struct Ledger {
    folder: PathBuf,
    /// Which process this is.
    life: u64,
    drafts: AtomicU64,
    steps: Arc<Steps>,
    met: Mutex<HashSet<PaymentId>>,
    /// Answers what this test does not ask.
    inner: SandboxBank,
}

/// The text that tells a payment from all others: `process-number`.
fn reference(order: &Order) -> &str {
    match order {
        Order::Single(transfer) => match &transfer.remittance {
            Some(RemittanceInformation::Unstructured(text)) => text.as_str(),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

/// The references of what was carried out, one for each time that was done.
pub(crate) fn carried_out(folder: &Path) -> Vec<String> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let carried = files.filter(|path| path.extension().is_some_and(|extension| extension == "carried"));
    carried.map(|path| fs::read_to_string(path).unwrap()).collect()
}

impl Ledger {
    pub(crate) fn new(folder: PathBuf, life: u64, steps: Arc<Steps>) -> Self {
        let inner = SandboxBank::new(Arc::new(Database::open_memory().unwrap()), Rates::default());
        Self { folder, life, drafts: AtomicU64::new(0), steps, met: Mutex::default(), inner }
    }

    /// Carries an order out, unless its key was used. A file gets its name when it is whole and on the disk, and two
    /// processes cannot both give it: that is the check.
    fn carry_out(&self, order: &PaymentOrder) {
        let name = format!("{}.carried", order.payment_id);
        let draft = self.drafts.fetch_add(1, Ordering::Relaxed);
        let draft = self.folder.join(format!("{}-{draft}.draft", self.life));
        let mut file = File::create(&draft).unwrap();
        file.write_all(reference(&order.order).as_bytes()).unwrap();
        file.sync_all().unwrap();
        match fs::hard_link(&draft, self.folder.join(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => panic!("{error}"),
            _ => {}
        }
        fs::remove_file(&draft).unwrap();
    }
}

impl Bank for Ledger {
    fn submit_payment(&self, order: &PaymentOrder, _now: DateTime<Utc>) -> Result<OrderStatus> {
        self.steps.reach("before the bank");
        let number: u64 = reference(&order.order).split_once('-').unwrap().1.parse().unwrap();
        let is_first = self.met.lock().insert(order.payment_id.clone());
        if is_first && number % CYCLE == AWAY {
            return Err(Error::Bank("the line is dead".to_owned()));
        }
        self.carry_out(order);
        self.steps.reach("after the bank");
        let is_nonsense = is_first && number % CYCLE == NONSENSE;
        let status = if is_nonsense { PaymentStatus::Part } else { PaymentStatus::Acsc };
        Ok(OrderStatus { status, funds_available: Some(true) })
    }

    fn psu(&self, _identity: &IdentityNumber) -> Result<Option<PsuKey>> {
        Ok(Some(PsuKey::new("kari")))
    }

    fn debtor_account(&self, _psu: &ActingPsu, _account: &AccountReference) -> Result<Option<DebtorAccount>> {
        Ok(Some(DebtorAccount { currency: Currency::NOK, other_numbers: Vec::new() }))
    }

    fn kid_agreement(&self, _creditor: &Bban) -> Result<Option<KidAgreement>> {
        Ok(None)
    }

    fn fee(&self, _product: Product, _order: &Order) -> Result<Money> {
        Ok(Money::zero(Currency::NOK))
    }

    fn rate(&self, _from: Currency, _to: Currency) -> Result<Option<Decimal>> {
        Ok(None)
    }

    fn cancel_payment(&self, payment: &PaymentId, _now: DateTime<Utc>) -> Result<Cancellation> {
        Err(Error::Internal(format!("nobody cancels {payment}")))
    }

    account_information_of_the_bank_inside!();
}
