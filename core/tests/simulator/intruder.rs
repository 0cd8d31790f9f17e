//! TPPs that misbehave.

use std::sync::atomic::Ordering;

use xs2a::internal::from_micros;

use crate::client::headers;
use crate::dice::Dice;
use crate::model::{Known, Sent};
use crate::payments::session_of;
use crate::support::world::baskets::{names, BASKETS};
use crate::world::{Node, World, TPPS};

/// How far a clock may be off for a request id to be kept that long.
const SKEW_MICROS_MAX: i64 = 541_000_000;

impl World {
    /// A request that was answered comes again, to any node.
    pub(crate) fn replay_request(&self, node: &Node, dice: &mut Dice) {
        let chosen: Option<Sent> = {
            let model = self.model.lock();
            // Soon after, when its Date still fits, or later.
            let newest = model.sent.len().saturating_sub(3);
            let first = if dice.one_in(4) { 0 } else { newest };
            dice.choose(&model.sent[first..]).cloned()
        };
        let Some(sent) = chosen else { return };
        let is_kept = self.model.lock().ids_purged < sent.at
            && node.skew.load(Ordering::Relaxed).abs() <= SKEW_MICROS_MAX;
        if sent.is_change && !is_kept {
            return;
        }
        let answer = self.send(node, sent.method, &sent.target, &sent.headers, &sent.body);
        let is_replay = sent.is_change || sent.process == node.process;
        self.require(
            !answer.is_accepted() || !is_replay || !is_kept,
            "replay: a request counts once",
            || format!("{} {} of {}", sent.method, sent.target, sent.at),
        );
        if !sent.is_change {
            self.forgive_read(&sent, answer.is_accepted() || answer.is_unknown());
        }
    }

    /// Reading twice through two nodes changes nothing but counts.
    fn forgive_read(&self, sent: &Sent, may_count: bool) {
        let model = &mut *self.model.lock();
        for tpp in TPPS {
            model.expect_line("authorisation.started", tpp, Known::Maybe);
            for person in crate::books::PERSONS {
                model.expect_line("account.read", &format!("{tpp} {person}"), Known::Maybe);
            }
        }
        if !may_count {
            return;
        }
        let path = |id: &str| sent.target.contains(id);
        for payment in &model.payments.iter().map(|payment| payment.id.clone()).collect::<Vec<_>>() {
            if path(payment) {
                model.expect_line("payment.read", payment, Known::Maybe);
            }
        }
        let keys: Vec<_> = model.reads.keys().copied().collect();
        for key in keys {
            let id = crate::bank::account_id(key.1, key.2);
            if path(id.as_str()) {
                model.reads.entry(key).or_default().unsure += 1;
            }
        }
    }

    /// The payment of another TPP is as unknown as one that never was.
    pub(crate) fn use_foreign_payment(&self, node: &Node, dice: &mut Dice) {
        let Some((_, payment)) = self.choose_payment(dice, |_| true) else { return };
        let other = (payment.tpp + 1 + dice.below(TPPS.len() - 1)) % TPPS.len();
        let session = session_of(dice);
        let (method, target) = match dice.below(4) {
            0 => ("GET", payment.path.clone()),
            1 => ("GET", format!("{}/status", payment.path)),
            2 => ("DELETE", payment.path.clone()),
            _ => ("POST", format!("{}/authorisations", payment.path)),
        };
        let answer = self.call(node, other, method, &target, &headers(&session, None), b"");
        self.require(!answer.is_accepted(), "tpp: the payment of another TPP is unknown", || {
            format!("{method} {target} by {}", TPPS[other])
        });
    }

    pub(crate) fn use_foreign_basket(&self, node: &Node, dice: &mut Dice) {
        let Some((_, payment)) = self.choose_payment(dice, |_| true) else { return };
        let other = (payment.tpp + 1) % TPPS.len();
        let (own, psu_id) = {
            let model = self.model.lock();
            let is_own = |own: &&crate::model::Payment| own.tpp == other && own.person == payment.person;
            let own = model.payments.iter().rev().find(is_own).map(|own| own.id.clone());
            (own, model.psu_ids.get(&(other, payment.person)).cloned())
        };
        let (Some(own), Some(psu_id)) = (own, psu_id) else { return };
        let body = names(&[&own, &payment.id]).to_string();
        let sent = headers("session 2", Some(&psu_id));
        let answer = self.call(node, other, "POST", BASKETS, &sent, body.as_bytes());
        self.require(!answer.is_accepted(), "tpp: a basket holds no payment of another TPP", || body.clone());
        if answer.is_unknown() {
            self.model.lock().expect_line("basket.created", TPPS[other], Known::Maybe);
        }
    }

    /// A request that is changed after it was signed, of an old day, or by a certificate that no node trusts.
    pub(crate) fn spoil_request(&self, node: &Node, dice: &mut Dice) {
        let Some((_, payment)) = self.choose_payment(dice, |_| true) else { return };
        let tpp = payment.tpp;
        let target = format!("{}/status", payment.path);
        let sent = headers("", None);
        let number = self.next_request_id();
        let spoilt = dice.below(4);
        let (signer, at) = match spoilt {
            0 => (&self.rogue, self.now()),
            1 => (&self.tpps[tpp], node.now() - 61_500_000),
            2 => (&self.tpps[tpp], node.now() + 61_500_000),
            _ => (&self.tpps[tpp], self.now()),
        };
        let mut signed = signer.sign("GET", &target, &sent, b"", from_micros(at), number);
        if spoilt == 3 {
            let signature = signed.iter_mut().find(|(name, _)| name == "X-Request-ID");
            if let Some((_, value)) = signature {
                *value = uuid::Uuid::from_u128(number << 64).to_string();
            }
        }
        let answer = self.send(node, "GET", &target, &signed, b"");
        self.require(!answer.is_accepted(), "tpp: a spoilt request is refused", || {
            format!("{target}: {spoilt}, {}", answer.status)
        });
    }
}
