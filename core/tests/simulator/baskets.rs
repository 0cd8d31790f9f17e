//! Signing baskets.

use crate::act::recent;
use crate::client::headers;
use crate::dice::Dice;
use crate::model::{Basket, Known, Link, Payment, Purpose};
use crate::payments::{is_waiting, session_of};
use crate::support::world::baskets::{names, BASKETS};
use crate::world::{Node, World, TPPS};

impl World {
    /// A basket of two or three waiting payments of one PSU.
    pub(crate) fn create_basket(&self, node: &Node, dice: &mut Dice) {
        let is_free = |payment: &Payment| is_waiting(payment) && payment.is_named && payment.basket.is_none();
        let Some((_, first)) = self.choose_payment(dice, is_free) else { return };
        let takes_others = dice.one_in(5);
        let (chosen, ids, psu_id) = {
            let model = self.model.lock();
            let is_like = |index: &usize| {
                let payment = &model.payments[*index];
                payment.tpp == first.tpp
                    && payment.person == first.person
                    && payment.is_named
                    && is_waiting(payment)
                    && (payment.basket.is_none() || takes_others)
            };
            let newest = (0..model.payments.len()).rev().filter(is_like).take(2 + dice.below(2));
            let chosen: Vec<usize> = newest.collect();
            let ids: Vec<String> = chosen.iter().map(|index| model.payments[*index].id.clone()).collect();
            (chosen, ids, model.psu_ids.get(&(first.tpp, first.person)).cloned())
        };
        let (Some(psu_id), true) = (psu_id, chosen.len() >= 2) else { return };
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let body = names(&ids).to_string();
        // Until the answer is there, each of them may be in it.
        let is_free = {
            let model = self.model.lock();
            chosen.iter().all(|index| model.payments[*index].basket.is_none())
        };
        let sent = headers("session 1", Some(&psu_id));
        let answer = self.call(node, first.tpp, "POST", BASKETS, &sent, body.as_bytes());
        self.require(
            answer.is_accepted() || !is_free || !self.is_undisturbed(node, first.tpp, &answer),
            "basket: waiting payments of one PSU are put into one",
            || format!("{ids:?} {} {}", answer.status, answer.reason),
        );
        let model = &mut *self.model.lock();
        model.expect_line("basket.created", TPPS[first.tpp], answer.known());
        if answer.known() == Known::No {
            return;
        }
        let number = model.baskets.len();
        for index in &chosen {
            let payment = &mut model.payments[*index];
            let other = payment.basket.filter(|_| answer.is_accepted());
            let is_taken = other.is_some_and(|other| {
                let other = &model.baskets[other];
                !other.id.is_empty() && other.deleted == Known::No && other.approved == Known::No
            });
            self.require(!is_taken || answer.has_fired, "basket: a payment is in one basket", || {
                format!("{} is in {other:?} too", payment.id)
            });
            payment.basket = Some(number);
        }
        model.baskets.push(Basket {
            tpp: first.tpp,
            person: first.person,
            id: answer.text("/basketId"),
            path: answer.text("/_links/self/href"),
            payments: chosen,
            approved: Known::No,
            deleted: Known::No,
        });
    }

    /// Chooses a basket whose creation was answered.
    fn choose_basket(&self, dice: &mut Dice) -> Option<(usize, Basket)> {
        let model = self.model.lock();
        let is_open = |index: &usize| {
            let basket = &model.baskets[*index];
            basket.approved != Known::Yes && basket.deleted != Known::Yes
        };
        let open: Vec<usize> = (0..model.baskets.len()).filter(is_open).collect();
        let in_use = model.payment_in_use.and_then(|index| model.payments[index].basket);
        let any = recent(dice, model.baskets.len());
        let of_open = recent(dice, open.len()).map(|place| open[place]);
        let drawn = if dice.one_in(5) { any } else { of_open.or(any) };
        let index = in_use.filter(|_| !dice.one_in(4)).or(drawn)?;
        Some((index, model.baskets[index].clone())).filter(|(_, basket)| !basket.id.is_empty())
    }

    pub(crate) fn start_basket(&self, node: &Node, dice: &mut Dice) {
        let Some((index, basket)) = self.choose_basket(dice) else { return };
        let session = session_of(dice);
        let target = format!("{}/authorisations", basket.path);
        let answer = self.call(node, basket.tpp, "POST", &target, &headers(&session, None), b"");
        self.require(
            !answer.is_accepted() || (basket.approved != Known::Yes && basket.deleted != Known::Yes),
            "basket: an ended basket is not authorised",
            || basket.id.clone(),
        );
        self.require(
            answer.status != 404
                || basket.deleted != Known::No
                || !self.is_undisturbed(node, basket.tpp, &answer),
            "basket: what was acknowledged is found",
            || basket.id.clone(),
        );
        let mut model = self.model.lock();
        model.expect_line("authorisation.started", TPPS[basket.tpp], answer.known());
        if answer.is_accepted() {
            model.links.push(Link {
                id: answer.link(),
                tpp: basket.tpp,
                person: basket.person,
                is_named: true,
                purpose: Purpose::Basket(index),
                session,
                made: answer.span,
                ended: Known::No,
            });
        }
    }

    pub(crate) fn delete_basket(&self, node: &Node, dice: &mut Dice) {
        let Some((index, before)) = self.choose_basket(dice) else { return };
        let answer = self.call(node, before.tpp, "DELETE", &before.path, &headers("session 0", None), b"");
        let deleted = answer.known();
        let model = &mut *self.model.lock();
        model.expect_line("basket.deleted", &before.id, deleted);
        let basket = &mut model.baskets[index];
        basket.deleted = basket.deleted.max(deleted);
        self.require(
            deleted != Known::Yes || basket.approved != Known::Yes,
            "basket: an approved basket is not deleted",
            || basket.id.clone(),
        );
        if deleted == Known::Yes {
            for payment in &before.payments {
                let payment = &mut model.payments[*payment];
                if payment.basket == Some(index) {
                    payment.basket = None;
                }
            }
        }
    }

    /// After the end: of an approved basket every payment is authorised, of another none by it.
    pub(crate) fn check_baskets(&self) {
        let model = self.model.lock();
        for (index, basket) in model.baskets.iter().enumerate() {
            if basket.id.is_empty() || basket.deleted == Known::Maybe {
                continue; // it may not exist
            }
            let of_basket = basket.payments.iter().map(|payment| &model.payments[*payment]);
            let only_here = of_basket.filter(|payment| payment.basket == Some(index));
            let authorised: Vec<bool> = only_here
                .filter(|payment| payment.cancelled == Known::No)
                .map(|payment| self.is_authorised(&payment.id))
                .collect();
            self.require(
                authorised.iter().all(|one| Some(one) == authorised.first()),
                "basket: all its payments are ordered, or none",
                || format!("{basket:?}: {authorised:?}"),
            );
            let is_complete = authorised.iter().all(|one| *one);
            self.require(
                basket.approved != Known::Yes || is_complete,
                "basket: an approval is not lost",
                || format!("{basket:?}: {authorised:?}"),
            );
        }
    }
}
