//! Steps of a walk that create, read, authorise and delete signing baskets.

use serde_json::json;

use super::{Basket, Payment, Walk, ROLES, UNUSED_ID};
use crate::world::baskets::BASKETS;
use crate::world::draft::Draft;
use crate::world::REDIRECT_URI;

impl Walk {
    pub(super) fn create_basket(&mut self) {
        let tpp = self.some_tpp();
        let psu = self.some_psu(tpp);
        let role = psu.map_or(0, |psu| self.psus[psu].role);
        let any_psu = self.recorder.dice.one_in(4);
        let fits = |payment: &&Payment| payment.tpp == tpp && (any_psu || payment.psu == psu);
        let mut candidates: Vec<_> = self.payments.iter().rev().filter(fits).take(8).collect();
        let mut ids: Vec<String> = Vec::new();
        for _ in 0..self.recorder.dice.below(5) {
            let Some(at) = (!candidates.is_empty()).then(|| self.recorder.dice.below(candidates.len()))
            else {
                break;
            };
            // One that stays a candidate may be named twice.
            let payment = match self.recorder.dice.one_in(8) {
                true => candidates[at],
                false => candidates.remove(at),
            };
            ids.push(payment.id.clone());
        }
        if self.recorder.dice.one_in(12) {
            ids.push(UNUSED_ID.to_owned());
        }
        let (draft, _) = self.draft_of("POST", BASKETS, psu, ROLES[role].context());
        let body = json!({ "paymentIds": ids }).to_string().into_bytes();
        let draft = Draft { body, ..draft.with("Content-Type", "application/json") };
        let answer = self.send(tpp, "createSigningBasket", draft);
        if answer.status == 201 {
            self.baskets.push(Basket { tpp, path: answer.link("self"), role });
        }
    }

    pub(super) fn use_basket(&mut self) {
        let dice = &mut self.recorder.dice;
        if self.baskets.is_empty() && !dice.one_in(4) {
            return self.create_basket();
        }
        let unused = (0, format!("{BASKETS}/{UNUSED_ID}"), 0);
        let newest = self.baskets.len().saturating_sub(4);
        let (tpp, path, role) = match dice.choose(&self.baskets[newest..]) {
            Some(basket) if !dice.one_in(12) => (basket.tpp, basket.path.clone(), basket.role),
            _ => unused,
        };
        let context = ROLES[role].context();
        match self.recorder.dice.below(8) {
            0 | 1 => self.read(tpp, "getSigningBasket", &path),
            2 | 3 => self.read(tpp, "getSigningBasketStatus", &format!("{path}/status")),
            4 => {
                let (draft, _) = self.draft_of("DELETE", &path, None, context);
                self.send(tpp, "deleteSigningBasket", draft);
            }
            _ => {
                let (draft, session) =
                    self.draft_of("POST", &format!("{path}/authorisations"), None, context);
                let answer = self.send(tpp, "startSigningBasketAuthorisation", draft);
                self.keep_link(tpp, &answer, role, session);
            }
        }
    }

    fn read(&mut self, tpp: usize, label: &str, path: &str) {
        let draft = self.colour(Draft::new("GET", path).with("TPP-Redirect-URI", REDIRECT_URI));
        self.send(tpp, label, draft);
    }
}
