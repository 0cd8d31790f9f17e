//! What an engine is made of, as the stages see it. Two engines share nothing.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use parking_lot::{Mutex, RwLock};

use super::audit::refusal_counts::RefusalCounts;
use super::chain_cache::ChainCache;
use super::refusal_explainer::RefusalExplainer;
use super::replay_window::ReplayWindow;
use super::waiting_writes::WaitingWrites;
use crate::bank::Bank;
use crate::basket::record::Basket;
use crate::env::clock::Clock;
use crate::env::entropy::Entropy;
use crate::env::interference::Interference;
use crate::env::registry::TppRegistry;
use crate::env::revocation::Revocation;
use crate::error::{Error, Result};
use crate::limits::DELIVERY_BACKOFF_SECONDS_MAX;
use crate::payment::record::Payment;
use crate::policy::Policy;
use crate::statistics::outage::Series;
use crate::store::Store;
use crate::tpp::certificate::Certificate;
use crate::tpp::response_key::ResponseKey;
use crate::tpp::trust::TrustAnchors;
use crate::types::{BasketId, PaymentId};

/// The seams and the memory of one engine.
pub(crate) struct EngineContext {
    pub(crate) bank: Arc<dyn Bank>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) entropy: Arc<dyn Entropy>,
    pub(crate) registry: Arc<dyn TppRegistry>,
    pub(crate) revocation: Arc<dyn Revocation>,
    pub(crate) trust: RwLock<TrustAnchors>,
    /// Each call reads it once, before its first stage, and is answered under that one.
    pub(crate) policy: RwLock<Arc<Policy>>,
    /// Where the SCA site is: that of the policy, until a sandbox is served elsewhere.
    pub(crate) sca_origin: RwLock<Arc<str>>,
    /// How long a node has the orders it took from the outbox for itself; zero: not at all.
    pub(crate) order_lease: TimeDelta,
    pub(crate) chains: ChainCache,
    pub(crate) replay_window: ReplayWindow,
    /// What a sandbox does to calls on purpose; none in production.
    pub(crate) interference: Option<Arc<dyn Interference>>,
    /// What a sandbox finds the mistakes of its callers with; none in production.
    pub(crate) explainer: Option<Arc<dyn RefusalExplainer>>,
    pub(crate) refusals: RefusalCounts,
    /// Evidence of reads and statistics that are not written yet.
    pub(crate) waiting_writes: WaitingWrites,
    /// The requests in a row that were not answered.
    pub(crate) unanswered: Mutex<Series>,
    /// When expired rows were last deleted.
    pub(crate) forgotten_at: Mutex<Option<DateTime<Utc>>>,
    /// When rows were last deleted that policies keep by days.
    pub(crate) aged_out_at: Mutex<Option<DateTime<Utc>>>,
    /// What answers are signed with, where they are.
    pub(crate) response_key: RwLock<Option<Arc<ResponseKey>>>,
}

impl EngineContext {
    pub(crate) fn bank(&self) -> &dyn Bank {
        self.bank.as_ref()
    }

    pub(crate) fn store(&self) -> &dyn Store {
        self.store.as_ref()
    }

    /// Until when an order may wait. An order that waits for longer was postponed by a clock that was ahead.
    ///
    /// That is twice what an order honestly waits for: the clocks of two nodes differ, and so may their leases.
    pub(crate) fn orders_wait_until(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        let longest = self.order_lease.max(TimeDelta::seconds(DELIVERY_BACKOFF_SECONDS_MAX));
        now.checked_add_signed(longest * 2).unwrap_or(DateTime::<Utc>::MAX_UTC)
    }

    /// A basket of any TPP with its payments, in their order. `None` also if a payment of it was deleted by its age.
    pub(crate) fn basket(&self, id: &BasketId) -> Result<Option<(Basket, Vec<Payment>)>> {
        let Some(basket) = self.store().payments().basket(id)? else { return Ok(None) };
        let payments = basket.payments.iter().map(|id| self.store().payments().payment(id));
        let payments = payments.collect::<Result<Option<Vec<_>>>>()?;
        Ok(payments.map(|payments| (basket, payments)))
    }

    /// The payment that an authorisation is for.
    pub(crate) fn payment_to_approve(&self, id: &PaymentId) -> Result<Payment> {
        let missing = || Error::Internal("an authorisation's payment is missing".to_owned());
        self.store().payments().payment(id)?.ok_or_else(missing)
    }

    /// The basket that an authorisation is for, with its payments.
    pub(crate) fn basket_to_approve(&self, id: &BasketId) -> Result<(Basket, Vec<Payment>)> {
        let missing = || Error::Internal("an authorisation's basket is missing".to_owned());
        self.basket(id)?.ok_or_else(missing)
    }

    /// The present policy.
    pub(crate) fn policy(&self) -> Arc<Policy> {
        Arc::clone(&self.policy.read())
    }

    /// Puts another policy in place: calls under way end under the old one. The SCA site moves with it where it
    /// names another.
    pub(crate) fn replace_policy(&self, policy: Policy) {
        let mut present = self.policy.write();
        if policy.sca_origin != present.sca_origin {
            *self.sca_origin.write() = policy.sca_origin.as_str().into();
        }
        *present = Arc::new(policy);
    }

    /// Scheme and host of the SCA site.
    pub(crate) fn sca_origin(&self) -> Arc<str> {
        Arc::clone(&self.sca_origin.read())
    }

    /// The present seal.
    pub(crate) fn response_key(&self) -> Option<Arc<ResponseKey>> {
        self.response_key.read().clone()
    }

    pub(crate) fn revocation(&self) -> &dyn Revocation {
        self.revocation.as_ref()
    }

    /// Looks something up in the trust anchors.
    pub(crate) fn with_trust<T>(&self, look_up: impl FnOnce(&TrustAnchors) -> T) -> T {
        look_up(&self.trust.read())
    }

    /// Trusts these certificates too. Chains found before are looked for again: they may now lead to trust by a way
    /// that lasts longer.
    pub(crate) fn trust_more(&self, certificates: Vec<Certificate>) {
        let mut anchors = self.trust.write();
        for certificate in certificates {
            anchors.add(certificate);
        }
        self.chains.clear();
    }

    /// Puts other trust anchors in place, at once: chains found under the old ones are forgotten.
    pub(crate) fn replace_trust(&self, trust: TrustAnchors) {
        let mut anchors = self.trust.write();
        *anchors = trust;
        self.chains.clear();
    }

    pub(crate) fn entropy(&self) -> &dyn Entropy {
        self.entropy.as_ref()
    }
}
