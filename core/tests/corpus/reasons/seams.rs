//! An engine whose store or bank fails where the sandbox's never would.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use xs2a::bank::{
    Bank, BankAccounts, BankCardAccounts, BankCustomers, BankPayments, Cancellation, OrderStatus,
    PaymentOrder,
};
use xs2a::env::clock::ManualClock;
use xs2a::payment::order::Order;
use xs2a::payment::product::Product;
use xs2a::policy::{Environment, Policy};
use xs2a::sandbox::pki::ROOT_PEM;
use xs2a::sandbox::{default_data, Rates, SandboxBank};
use xs2a::store::sqlite::{Database, SqliteStore};
use xs2a::store::{CommitOutcome, Store, Write};
use xs2a::tpp::trust::TrustAnchors;
use xs2a::types::{
    AccountReference, ActingPsu, Bban, Currency, DebtorAccount, KidAgreement, Money, PaymentId,
};
use xs2a::{Engine, EngineBuilder, Error, Result};

use crate::fakes::reads_of_the_store_inside;
use crate::reasons::case::Asker;

/// The parts of a sandbox, to be put together with others.
pub(crate) struct Seams {
    pub(crate) database: Arc<Database>,
    now: DateTime<Utc>,
}

impl Seams {
    pub(crate) fn new(ask: &Asker) -> Self {
        let database = Arc::new(Database::open_memory_for_sandbox().unwrap());
        default_data::load(&database).unwrap();
        Self { database, now: ask.sandbox.now() }
    }

    pub(crate) fn engine(&self, change: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Engine {
        self.engine_in(Environment::Sandbox, change)
    }

    /// An engine that trusts the sandbox's authority, with what the caller changes of it.
    pub(crate) fn engine_in(
        &self,
        environment: Environment,
        change: impl FnOnce(EngineBuilder) -> EngineBuilder,
    ) -> Engine {
        let builder = Engine::builder()
            .bank(Arc::new(self.bank()))
            .store(Arc::new(SqliteStore::new(Arc::clone(&self.database))))
            .trust_anchors(TrustAnchors::from_bundle(ROOT_PEM.as_bytes()).unwrap())
            .clock(Arc::new(ManualClock::new(self.now)))
            .policy(Policy::new(environment));
        change(builder).build().unwrap()
    }

    pub(crate) fn bank(&self) -> SandboxBank {
        SandboxBank::new(Arc::clone(&self.database), Rates::default())
    }

    pub(crate) fn store(&self, commit: fn() -> Result<CommitOutcome>) -> Arc<dyn Store> {
        Arc::new(TroubledStore { inner: SqliteStore::new(Arc::clone(&self.database)), commit })
    }

    pub(crate) fn fee(&self, fee: fn() -> Result<Money>) -> Arc<dyn Bank> {
        Arc::new(TroubledBank { inner: self.bank(), fee })
    }
}

/// A database that fails.
pub(crate) fn down() -> Error {
    Error::Store("the database is gone, with the account 95360573002".to_owned())
}

/// A store that reads as ever and ends every commit its own way.
struct TroubledStore {
    inner: SqliteStore,
    commit: fn() -> Result<CommitOutcome>,
}

impl Store for TroubledStore {
    fn commit(&self, _writes: &[Write]) -> Result<CommitOutcome> {
        (self.commit)()
    }

    reads_of_the_store_inside!();
}

/// The sandbox's bank but for its price list.
struct TroubledBank {
    inner: SandboxBank,
    fee: fn() -> Result<Money>,
}

impl Bank for TroubledBank {
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

impl BankPayments for TroubledBank {
    fn debtor_account(&self, psu: &ActingPsu, account: &AccountReference) -> Result<Option<DebtorAccount>> {
        self.inner.debtor_account(psu, account)
    }

    fn kid_agreement(&self, creditor: &Bban) -> Result<Option<KidAgreement>> {
        self.inner.kid_agreement(creditor)
    }

    fn fee(&self, _product: Product, _order: &Order) -> Result<Money> {
        (self.fee)()
    }

    fn rate(&self, from: Currency, to: Currency) -> Result<Option<Decimal>> {
        self.inner.rate(from, to)
    }

    fn submit_payment(&self, order: &PaymentOrder, now: DateTime<Utc>) -> Result<OrderStatus> {
        self.inner.submit_payment(order, now)
    }

    fn cancel_payment(&self, payment: &PaymentId, now: DateTime<Utc>) -> Result<Cancellation> {
        self.inner.cancel_payment(payment, now)
    }
}
