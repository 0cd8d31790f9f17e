//! The bank behind all nodes. What it carried out is a file of each payment in one folder.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::world::PAYER;
use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use xs2a::bank::{
    Bank, BankAccounts, BankCardAccounts, BankCustomers, BankPayments, Cancellation, Order, OrderStatus,
    PaymentOrder, PaymentStatus, Product,
};
use xs2a::internal::{load_default_data, Database, SandboxBank};
use xs2a::types::{
    AccountReference, ActingPsu, Bban, Context, Currency, DebtorAccount, KidAgreement, Money, PaymentId,
    Rates,
};
use xs2a::Result;

/// The same persons and accounts in every process; orders go to one folder.
pub(crate) struct SharedBank {
    inner: SandboxBank,
    carried_out: PathBuf,
}

impl SharedBank {
    pub(crate) fn open(folder: &Path) -> Self {
        let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
        load_default_data(&database).unwrap();
        let carried_out = folder.join("bank");
        fs::create_dir_all(&carried_out).unwrap();
        Self { inner: SandboxBank::new(database, Rates::default()), carried_out }
    }

    /// Whose payments they are.
    pub(crate) fn payer(&self) -> ActingPsu {
        let psu = self.inner.person(PAYER).unwrap().unwrap();
        ActingPsu { psu, context: Context::Private, corporate: None }
    }

    /// The payments that were carried out, with how often each was handed over.
    pub(crate) fn carried_out(&self) -> Vec<(String, usize)> {
        let orders = fs::read_dir(&self.carried_out).unwrap().map(|entry| entry.unwrap());
        let read = |order: fs::DirEntry| {
            let times = fs::read_dir(order.path()).unwrap().count();
            (order.file_name().into_string().unwrap(), times)
        };
        orders.map(read).collect()
    }
}

impl Bank for SharedBank {
    fn customers(&self) -> &dyn BankCustomers {
        self.inner.customers()
    }

    fn account_data(&self) -> &dyn BankAccounts {
        self.inner.account_data()
    }

    fn card_account_data(&self) -> &dyn BankCardAccounts {
        self.inner.card_account_data()
    }

    fn payments(&self) -> &dyn BankPayments {
        self
    }
}

impl BankPayments for SharedBank {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        self.inner.debtor_account(psu, account)
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        self.inner.kid_agreement(creditor)
    }

    fn fee(&self, product: Product, order: &Order) -> Result<Money> {
        self.inner.fee(product, order)
    }

    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>> {
        self.inner.rate(from, to)
    }

    fn submit_payment(&self, order: &PaymentOrder, _now: DateTime<Utc>) -> Result<OrderStatus> {
        let folder = self.carried_out.join(order.payment_id.as_str());
        fs::create_dir_all(&folder).unwrap();
        // One file per execution, also if several come at the same time.
        let is_mine = |time: &usize| {
            let path = folder.join(time.to_string());
            OpenOptions::new().write(true).create_new(true).open(path).is_ok()
        };
        (1..).find(is_mine).unwrap();
        Ok(OrderStatus { status: PaymentStatus::Acsc, funds_available: Some(true) })
    }

    fn cancel_payment(&self, _payment: &PaymentId, _now: DateTime<Utc>) -> Result<Cancellation> {
        Ok(Cancellation::Cancelled)
    }
}
