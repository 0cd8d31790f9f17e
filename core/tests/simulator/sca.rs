//! PSUs at the bank's SCA site.

use std::collections::BTreeSet;

use xs2a::store::Grant;
use xs2a::types::{ActingPsu, Context, PsuKey};
use xs2a::{Error, ScaOutcome};

use crate::act::recent;
use crate::bank::account_id;
use crate::books::{Verdict, ACCOUNTS, PERSONS};
use crate::dice::Dice;
use crate::model::{Granted, Known, Link, Model, Purpose, Span};
use crate::support::world::parameter;
use crate::world::{Node, World, TPPS};

const LINK_MICROS: i64 = 600_000_000;

/// What a PSU does with a link.
struct Reply {
    person: usize,
    approves: bool,
    accounts: BTreeSet<usize>,
    outcome: ScaOutcome,
}

fn reply(dice: &mut Dice, link: &Link) -> Reply {
    let person = match dice.below(16) {
        0 => (link.person + 1) % PERSONS.len(),
        _ => link.person,
    };
    let psu = ActingPsu { psu: PsuKey::new(PERSONS[person]), context: Context::Private, corporate: None };
    let all: BTreeSet<usize> = (0..ACCOUNTS[person].len()).collect();
    let one = dice.below(all.len());
    let (grant, accounts) = match dice.one_in(2) {
        true => (Grant::Everything, all),
        false => {
            let only = Grant::Only { accounts: vec![account_id(person, one)], card_accounts: Vec::new() };
            (only, BTreeSet::from([one]))
        }
    };
    let (approves, outcome) = match dice.below(14) {
        0 => (false, ScaOutcome::Aborted),
        1 => (false, ScaOutcome::Failed),
        _ => (true, ScaOutcome::Approved { psu, grant }),
    };
    Reply { person, approves, accounts, outcome }
}

impl World {
    pub(crate) fn answer_link(&self, node: &Node, dice: &mut Dice) {
        let (index, link) = {
            let mut model = self.model.lock();
            let Some(index) = choose_link(&model, dice, self.now()) else { return };
            let link = model.links[index].clone();
            let payment = subjects(&model, &link).first().copied();
            if let Some(payment) = payment {
                model.payment_in_use.get_or_insert(payment);
            }
            model.psu_in_use.get_or_insert((link.tpp, link.person));
            (index, link)
        };
        let reply = reply(dice, &link);
        let before = self.begin(&link, &reply);
        let (result, span) =
            self.host(node, "complete_sca", |engine| engine.complete_sca(&link.id, &reply.outcome));
        let has_fired = self.has_fired();
        // Another node may have completed it during the call.
        let link = self.model.lock().links[index].clone();
        let ended = match (&result, node.is_dead()) {
            (_, true) => Known::Maybe,
            (Ok(_), false) => Known::Yes,
            (Err(Error::NotFound(_) | Error::Expired(_) | Error::Misuse(_)), false) => Known::No,
            (Err(_), false) => Known::Maybe,
        };
        self.require(ended != Known::Maybe || has_fired, "every failure has a cause", || {
            format!("complete_sca: {result:?}")
        });
        if ended == Known::No {
            self.require_dead(&link, span, has_fired);
        }
        let redirect = result.ok().filter(|_| ended == Known::Yes);
        let is_approved = redirect.as_ref().is_some_and(|redirect| redirect.approved);
        if ended == Known::Yes {
            self.require_open(&link, &reply, span, is_approved);
        }
        let known = match ended {
            Known::Yes if !is_approved => Known::No,
            ended => ended,
        };
        let last_sca = self.model.lock().last_sca.get(&link.tpp).copied();
        self.finish(index, &link, &reply, &before, (ended, known), span);
        if let Some(redirect) = redirect.filter(|redirect| redirect.approved) {
            self.learn_psu(&link, &reply, &redirect.url);
            self.check_sessions(&link, &reply, last_sca, has_fired);
        } else if ended == Known::Yes && reply.approves && !has_fired {
            self.require_reason_to_fail(&link, &reply, &before);
        }
    }

    /// Notes that the PSU is about to approve: the bank may get the order before the answer comes. Returns what was
    /// known.
    fn begin(&self, link: &Link, reply: &Reply) -> Vec<(usize, Known, Known)> {
        let mut model = self.model.lock();
        let payments = subjects(&model, link);
        let before = payments.iter().map(|index| {
            let payment = &model.payments[*index];
            (*index, payment.approved, payment.cancelled)
        });
        let before: Vec<_> = before.collect();
        if reply.approves && !matches!(link.purpose, Purpose::Cancellation(_) | Purpose::Consent) {
            for index in payments {
                let approved = &mut model.payments[index].approved;
                *approved = (*approved).max(Known::Maybe);
            }
        }
        before
    }

    /// A link that was refused is dead.
    fn require_dead(&self, link: &Link, span: Span, has_fired: bool) {
        let age = span.to - link.made.from;
        let is_open = link.ended == Known::No && age < LINK_MICROS && span.from - link.made.to > -LINK_MICROS;
        self.require(!is_open || has_fired, "sca: an open link can be completed", || {
            format!("{link:?} {span:?}")
        });
    }

    /// A link that was taken was open, and its PSU came.
    fn require_open(&self, link: &Link, reply: &Reply, span: Span, is_approved: bool) {
        let context = || format!("{link:?} {span:?}");
        self.require(link.ended != Known::Yes, "sca: a link is answered once", context);
        self.require(span.from - link.made.to < LINK_MICROS, "sca: a link ends after ten minutes", context);
        self.require(!is_approved || reply.approves, "sca: only an approval approves", context);
        self.require(
            !is_approved
                || reply.person == link.person
                || matches!(link.purpose, Purpose::Consent) && !link.is_named,
            "sca: only the PSU of the payment or the call approves",
            context,
        );
    }

    /// Notes what came of it.
    fn finish(
        &self,
        index: usize,
        link: &Link,
        reply: &Reply,
        before: &[(usize, Known, Known)],
        (ended, known): (Known, Known),
        at: Span,
    ) {
        let model = &mut *self.model.lock();
        let noted = &mut model.links[index].ended;
        *noted = (*noted).max(ended);
        let known = if reply.approves { known } else { Known::No };
        self.expect_lines(model, link, reply, ended, known);
        if known != Known::No {
            model.last_sca.insert(link.tpp, model.latest);
            let opened = model.sessions.entry((link.tpp, link.session.clone())).or_insert(i64::MIN);
            *opened = (*opened).max(at.to);
        }
        match link.purpose {
            Purpose::Payment(_) => self.note_approvals(model, before, known, reply.approves),
            Purpose::Basket(basket) => {
                self.note_approvals(model, before, known, reply.approves);
                let basket = &mut model.baskets[basket];
                basket.approved = basket.approved.max(known);
                self.require(
                    known != Known::Yes || basket.deleted != Known::Yes,
                    "basket: a deleted basket is not approved",
                    || format!("{basket:?}"),
                );
            }
            Purpose::Cancellation(payment) => {
                let payment = &mut model.payments[payment];
                // The bank keeps its word: what it cancelled stays so, also where another answer to the link was
                // faster in the end.
                let may_be = reply.approves && self.has_fired();
                let cancelled = if may_be { known.max(Known::Maybe) } else { known };
                payment.cancelled = payment.cancelled.max(cancelled);
                let verdict = self.books.lock().verdict(&payment.id);
                self.require(
                    known != Known::Yes || verdict != Some(Verdict::Executed),
                    "payment: a payment that is cancelled was not executed",
                    || payment.id.clone(),
                );
            }
            Purpose::Consent => {
                let granted = Granted { accounts: reply.accounts.clone(), at };
                model.set_consent(link.tpp, reply.person, Some(granted), known);
            }
        }
    }

    fn note_approvals(
        &self,
        model: &mut Model,
        before: &[(usize, Known, Known)],
        known: Known,
        approves: bool,
    ) {
        for (index, was_approved, was_cancelled) in before {
            let payment = &mut model.payments[*index];
            match known {
                // What another call made of it in between stays.
                Known::No if approves && payment.approved == Known::Maybe => payment.approved = *was_approved,
                Known::No => {}
                known => payment.approved = payment.approved.max(known),
            }
            self.require(
                known != Known::Yes || *was_cancelled != Known::Yes,
                "payment: a cancelled payment is not approved",
                || payment.id.clone(),
            );
            self.require(
                known != Known::Yes || *was_approved != Known::Yes,
                "sca: nothing is authorised twice",
                || payment.id.clone(),
            );
        }
    }

    fn expect_lines(&self, model: &mut Model, link: &Link, reply: &Reply, ended: Known, known: Known) {
        let failed = match (ended, known) {
            (Known::Yes, Known::No) => Known::Yes,
            (Known::Maybe, _) => Known::Maybe,
            _ => Known::No,
        };
        model.expect_line("authorisation.finalised", &link.id, known);
        model.expect_line("authorisation.failed", &link.id, failed);
        match link.purpose {
            Purpose::Consent => {
                let subject = format!("{} {}", TPPS[link.tpp], PERSONS[reply.person]);
                model.expect_line("consent.granted", &subject, known);
            }
            Purpose::Basket(basket) => {
                let id = model.baskets[basket].id.clone();
                model.expect_line("basket.authorised", &id, known);
            }
            Purpose::Payment(_) | Purpose::Cancellation(_) => {}
        }
    }

    /// The PSU-ID of a PSU at a TPP never changes.
    fn learn_psu(&self, link: &Link, reply: &Reply, url: &str) {
        let found = parameter(url, "psu-id").unwrap_or_default();
        let mut model = self.model.lock();
        let known = model.psu_ids.entry((link.tpp, reply.person)).or_insert_with(|| found.clone());
        self.require(*known == found, "sca: a PSU has one id at a TPP", || format!("{known} {found}"));
    }

    /// One session of a TPP and a PSU is open, and it is the last.
    fn check_sessions(&self, link: &Link, reply: &Reply, before: Option<i64>, has_fired: bool) {
        let tpp = TPPS[link.tpp];
        let sessions =
            (0..4).filter_map(|number| self.store.sca().session(tpp, &format!("session {number}")).unwrap());
        let is_of_psu = |session: &xs2a::store::Session| session.psu.psu.as_str() == PERSONS[reply.person];
        let open: Vec<_> = sessions
            .filter(|session| !session.is_replaced && is_of_psu(session))
            .map(|session| session.id)
            .collect();
        self.require(open.len() <= 1, "session: a PSU has one session at a TPP", || {
            format!("{tpp} {}: {open:?}", PERSONS[reply.person])
        });
        // What began before another session of the PSU was opened may open none.
        let is_newest = before.is_none_or(|before| link.made.from > before);
        self.require(
            !is_newest || has_fired || open == [link.session.clone()],
            "session: a completed SCA opens the session of its call",
            || format!("{link:?}: {open:?}"),
        );
    }

    /// The right PSU approves what waits: then it is approved.
    fn require_reason_to_fail(&self, link: &Link, reply: &Reply, before: &[(usize, Known, Known)]) {
        let is_free = before.iter().all(|(index, approved, cancelled)| {
            let payment = &self.model.lock().payments[*index];
            let is_alone = matches!(link.purpose, Purpose::Basket(_)) || payment.basket.is_none();
            *approved == Known::No && *cancelled == Known::No && is_alone
        });
        let is_given_up = match link.purpose {
            Purpose::Basket(basket) => self.model.lock().baskets[basket].deleted != Known::No,
            Purpose::Cancellation(_) => true,
            Purpose::Payment(_) | Purpose::Consent => false,
        };
        self.require(
            !is_free || is_given_up || reply.person != link.person,
            "sca: the approval of the right PSU counts",
            || format!("{link:?}"),
        );
    }
}

/// Mostly one that is open, and, in between another call, one of its payment.
fn choose_link(model: &Model, dice: &mut Dice, now: i64) -> Option<usize> {
    let is_open = |index: &usize| {
        let link = &model.links[*index];
        link.ended != Known::Yes && now - link.made.to < LINK_MICROS
    };
    let open: Vec<usize> = (0..model.links.len()).filter(is_open).collect();
    let in_use = model.payment_in_use.and_then(|payment| {
        open.iter().rev().find(|index| subjects(model, &model.links[**index]).contains(&payment)).copied()
    });
    let any = recent(dice, model.links.len());
    let of_open = recent(dice, open.len()).map(|place| open[place]);
    let drawn = if dice.one_in(8) { any } else { of_open };
    in_use.filter(|_| !dice.one_in(4)).or(drawn)
}

/// The payments that a link is about.
fn subjects(model: &Model, link: &Link) -> Vec<usize> {
    match link.purpose {
        Purpose::Payment(index) | Purpose::Cancellation(index) => vec![index],
        Purpose::Basket(basket) => model.baskets[basket].payments.clone(),
        Purpose::Consent => Vec::new(),
    }
}
